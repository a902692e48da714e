"""What is wanted in a report: of what, in which file, with what in it, under which heading."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import PurePath

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QWidget

from core.base.wording import printable_name
from core.reports.choice import Paper
from neardup_gui.models.reports.kinds import KINDS, kind_of
from neardup_gui.models.reports.subject import ReportSubject
from neardup_gui.models.reports.wish import MOST_PASSAGES, ReportWish
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.views.widgets.controls import Caption, CheckBox, ComboBox, TextField
from neardup_gui.views.widgets.cut_label import CutLabel
from neardup_gui.views.widgets.link_label import LinkLabel
from neardup_gui.views.widgets.number_box import NumberBox


class LogoRow(QWidget):
    """Names the file; it is chosen in a dialog of the system.

    Signals:
        wanted: The user wants to choose a file.
        chosen: There is another file, or none.
    """

    wanted = Signal()
    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = ""
        self._name = CutLabel()
        self._choose, self._remove = LinkLabel("Choose a picture…"), LinkLabel("Remove")
        self._remove.setAccessibleName("Remove the logo")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self._name, 1)
        row.addWidget(self._choose)
        row.addWidget(self._remove)
        row.addStretch(0)
        self._choose.clicked.connect(self.wanted)
        self._remove.clicked.connect(lambda: self.choose(""))
        self.show_path("")

    @property
    def entry(self) -> QWidget:
        """Where the keyboard enters."""
        return self._choose

    @property
    def path(self) -> str:
        """The file; "" for none."""
        return self._path

    def choose(self, path: str) -> None:
        """Take another file, or none."""
        self.show_path(path)
        self.chosen.emit()

    def show_path(self, path: str) -> None:
        """Show which file it is."""
        self._path = path
        self._name.setVisible(bool(path))
        self._remove.setVisible(bool(path))
        self._name.setText(printable_name(PurePath(path).name))
        self._name.setToolTip(tool_tip(path))
        self._choose.setText("Another…" if path else "Choose a picture…")
        self._choose.setAccessibleName("Choose a picture as logo")
        self._choose.updateGeometry()


PAPERS = {Paper.A4: "A4", Paper.LETTER: "US Letter"}
SIDE = 20
COLUMN = 12
LINE = 6
PARAGRAPH = 16
INDENT = 22  # of what belongs to a box above
INSTITUTION = 200  # letters
TYPED = 400  # milliseconds after which what is typed counts
NO_TEXT = "Without them the report holds no text of a document."
TABLE_ONLY = "This kind of file holds no text of a document."
LABELS = (
    "Each document and person gets a label such as A-17, also within the texts. "
    "Which is which stands in a key, a file of its own that you name."
)


class ReportForm(QWidget):
    """The choices, one below the other.

    Signals:
        changed: Another `ReportWish`.
        logo_wanted: The user wants to choose a picture.
    """

    changed = Signal(object)
    logo_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wish = ReportWish()
        self._subjects: Sequence[ReportSubject] = ()
        self._labels: dict[QWidget, QLabel] = {}
        self._make_controls()
        self._typed = QTimer(self, singleShot=True, interval=TYPED)
        self._lay_out()
        self._connect()

    @property
    def wish(self) -> ReportWish:
        """What is chosen."""
        return self._wish

    def show_wish(self, wish: ReportWish, subjects: Sequence[ReportSubject]) -> None:
        """Show what is chosen, and of what a report can be; nobody is told."""
        self._wish, self._subjects = wish, subjects
        controls = (self.subject, self.kind, self.passages, self.most, self.withheld)
        with ExitStack() as quiet:
            for control in (*controls, self.institution, self.paper):
                quiet.enter_context(QSignalBlocker(control))
            self.subject.clear()
            self.subject.addItems([one.title for one in subjects])
            self.subject.setCurrentIndex(subjects.index(wish.subject))
            self.kind.setCurrentIndex(KINDS.index(kind_of(wish.ending)))
            self.passages.setChecked(wish.passages)
            self.most.setValue(wish.most_passages)
            self.withheld.setChecked(not wish.names)
            if self.institution.text() != wish.institution:
                self.institution.setText(wish.institution)
            self.logo.show_path(wish.logo)
            self.paper.setCurrentIndex(list(PAPERS).index(wish.paper))
        self._show_what_follows()

    def take_now(self) -> None:
        """Take what is being typed, without waiting for its end."""
        if self._typed.isActive():
            self._typed.stop()
            self._tell()

    def _make_controls(self) -> None:
        self.subject, self.kind = ComboBox(), ComboBox()
        self.kind.addItems([f"{kind.words} ({kind.ending})" for kind in KINDS])
        self._kind_sentence = Caption()
        self.passages = CheckBox("Show the shared &passages")
        self._passages_sentence = Caption()
        self.most = NumberBox(0)
        self.most.setRange(1, MOST_PASSAGES)
        self._most_row = QWidget()
        self.withheld = CheckBox("&Withhold names")
        self._names_sentence = Caption()
        self._names_sentence.setText(LABELS)
        self.institution = TextField()
        self.institution.setMaxLength(INSTITUTION)
        self.institution.setPlaceholderText("At the head of each page")
        self.logo = LogoRow()
        self.paper = ComboBox()
        self.paper.addItems(list(PAPERS.values()))
        for control, name in (
            (self.subject, "Report of"),
            (self.kind, "Kind of file"),
            (self.most, "Pairs whose passages are shown, at most"),
            (self.institution, "Institution"),
            (self.paper, "Paper"),
        ):
            control.setAccessibleName(name)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self._most_row)
        row.setContentsMargins(INDENT, 0, 0, 0)
        row.setSpacing(8)
        before = QLabel("of at &most")
        before.setBuddy(self.most)
        row.addWidget(before)
        row.addWidget(self.most)
        row.addWidget(QLabel("pairs, from the top of the list"))
        row.addStretch(1)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(SIDE, SIDE, SIDE, SIDE)
        self._grid.setHorizontalSpacing(COLUMN)
        self._grid.setVerticalSpacing(LINE)
        self._grid.setColumnStretch(1, 1)
        self._add("Report &of", self.subject)
        self._gap()
        self._add("&Kind", self.kind)
        self._add("", self._kind_sentence)
        self._gap()
        self._add("", self.passages)
        self._add("", self._most_row)
        self._add("", self._passages_sentence)
        self._gap()
        self._add("", self.withheld)
        self._add("", self._names_sentence)
        self._gap()
        self._add("&Institution", self.institution)
        self._add("&Logo", self.logo, self.logo.entry)
        self._add("P&aper", self.paper)
        self._grid.setRowStretch(self._grid.rowCount(), 1)
        for sentence in (self._passages_sentence, self._names_sentence):
            sentence.setContentsMargins(INDENT, 0, 0, 0)

    def _add(self, title: str, control: QWidget, entry: QWidget | None = None) -> None:
        row = self._grid.rowCount()
        if title:
            label = self._labels[control] = QLabel(title)
            label.setBuddy(entry or control)
            self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(control, row, 1)

    def _gap(self) -> None:
        self._grid.setRowMinimumHeight(self._grid.rowCount(), PARAGRAPH - LINE)

    def _connect(self) -> None:
        for combo in (self.subject, self.kind, self.paper):
            combo.currentIndexChanged.connect(self._tell)
        for box in (self.passages, self.withheld):
            box.toggled.connect(self._tell)
        self.most.valueChanged.connect(self._tell)
        self.institution.textEdited.connect(self._on_typed)
        self._typed.timeout.connect(self._tell)
        self.logo.chosen.connect(self._tell)
        self.logo.wanted.connect(self.logo_wanted)

    def _on_typed(self) -> None:
        self._typed.start()

    def _tell(self) -> None:
        wish = replace(
            self._wish,
            subject=self._subjects[max(self.subject.currentIndex(), 0)],
            ending=KINDS[self.kind.currentIndex()].ending,
            passages=self.passages.isChecked(),
            most_passages=int(self.most.value()),
            names=not self.withheld.isChecked(),
            institution=self.institution.text(),
            logo=self.logo.path,
            paper=list(PAPERS)[self.paper.currentIndex()],
        )
        if wish != self._wish:
            self._wish = wish
            self._show_what_follows()
            self.changed.emit(wish)

    def _show_what_follows(self) -> None:
        """What can be chosen now, and what the choice means."""
        kind = kind_of(self._wish.ending)
        self.subject.setToolTip(tool_tip(self._wish.subject.title))
        self._kind_sentence.setText(kind.sentence)
        self._kind_sentence.setVisible(bool(kind.sentence))
        self.passages.setEnabled(kind.has_passages)
        self._most_row.setEnabled(kind.has_passages and self._wish.passages)
        missing = NO_TEXT if not self._wish.passages else ""
        self._passages_sentence.setText(missing if kind.has_passages else TABLE_ONLY)
        self._passages_sentence.setVisible(bool(self._passages_sentence.text()))
        self._names_sentence.setVisible(not self._wish.names)
        self._show_row(self.institution, kind.is_printed)
        self._show_row(self.logo, kind.is_printed)
        self._show_row(self.paper, kind.is_printed)

    def _show_row(self, control: QWidget, is_shown: bool) -> None:
        label = self._labels[control]
        label.setVisible(is_shown)
        control.setVisible(is_shown)
