"""The page of the pairs: filter row, table, and a sentence where there is no row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QObject, QRect, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QSizePolicy, QTableView, QWidget
from shiboken6 import isValid

from core.base.messages import N_, gettext, ngettext, percentage
from core.base.wording import count
from core.scan.judgements import VERDICTS, Verdict
from neardup_gui.environment.theme import colors
from neardup_gui.models.pairs.columns import PairFilter
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.words.verdicts import progress
from neardup_gui.views.pairs.table import PairsTable
from neardup_gui.views.widgets.buttons import FilterChip, ToolButton
from neardup_gui.views.widgets.containers import FlowLayout, FollowsLooks, LineAbove
from neardup_gui.views.widgets.controls import Caption, NumberBox
from neardup_gui.views.widgets.labels import CutLabel, LinkLabel, label_of, mirrored
from neardup_gui.views.widgets.layouts import grid_in, row_in
from neardup_gui.views.widgets.rows_table import RowsPage, fade

LINES = 2
SIDE, AIR = 12, 6
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class NoteRow(FollowsLooks, LineAbove):
    """A field for a note: Enter saves it, Shift+Enter begins a line, Esc discards the changes.

    Signals:
        written: The note, and what it is about.
    """

    help_page = "deciding"
    written = Signal(str, object)

    def __init__(self, *, lines: int = LINES) -> None:
        super().__init__()
        self._lines = lines
        self._about: object = None
        self._before: QWidget | None = None
        self._subject = CutLabel()
        self._field = QPlainTextEdit()
        self._field.setObjectName("note")
        self._field.setTabChangesFocus(True)
        self._field.setAccessibleName(gettext("Note on the selected pairs"))
        self._field.installEventFilter(self)
        title = label_of(self._field, gettext("&Note"))
        title.setContentsMargins(0, self._edge, 0, 0)
        self._hint = Caption(gettext("Enter keeps it, Esc leaves it"))
        self._hint.setWordWrap(False)
        grid = grid_in(self, margins=(SIDE, AIR), spacing=(10, 2), wide=1)
        grid.addWidget(self._subject, 0, 1)
        grid.addWidget(title, 1, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._field, 1, 1)
        grid.addWidget(self._hint, 0, 2, 2, 1, Qt.AlignmentFlag.AlignTop)
        self.follow_looks()
        self.hide()

    def begin(self, note: str, about: object, names: str) -> None:
        """Let the user edit a note; `names` are the documents that it is about."""
        self._subject.show_sentence(names)
        self._before = QApplication.focusWidget()
        self._about = about
        self._field.setPlainText(note)
        self._field.selectAll()
        self.show()
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)

    def follow_looks(self) -> None:
        """Set the height to that of its lines."""
        field = self._field
        lines = self._lines * field.fontMetrics().lineSpacing()
        field.setFixedHeight(lines + 2 * self._edge)

    @property
    def _edge(self) -> int:
        """Pixels between an edge of the field and its text."""
        return self._field.frameWidth() + round(self._field.document().documentMargin()) + 1

    def _on_field_entered(self) -> None:
        """The field got the focus."""

    def leave(self) -> None:
        """Discard the changes, and give the focus back."""
        before, self._before = self._before, None
        if before is not None and isValid(before):
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Enter saves the note, Esc discards it."""
        if event.type() == QEvent.Type.FocusIn:
            self._on_field_entered()
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
            return True
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if event.key() in ENTER and not shift:
            self.written.emit(self._field.toPlainText(), self._about)
            self.leave()
            return True
        return False


EDGE = 3


class OutdatedRow(QWidget):
    """A sentence, cut at its end to fit, and the button that scans again."""

    def __init__(self) -> None:
        super().__init__()
        self._sentence = CutLabel()
        self._button = ToolButton(QAction(self))
        row_in(self, (self._sentence, 1), self._button, margins=(EDGE + 9, 3, 6, 3), spacing=10)
        self.hide()

    @property
    def sentence(self) -> str:
        """The sentence; empty when the list is up to date."""
        return "" if self.isHidden() else self._sentence.text()

    def offer(self, rescan: QAction) -> None:
        """Set the action that brings the list up to date."""
        self._button.setDefaultAction(rescan)

    def show_sentence(self, sentence: str, *, is_of_run: bool = False) -> None:
        """Show why the list is out of date, or hide; a list of a run cannot be scanned again."""
        self._button.setHidden(is_of_run)
        self._sentence.show_sentence(sentence)
        self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the background and an edge in the colour of warnings."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), colors().raised)
        painter.fillRect(mirrored(self, QRect(0, 0, EDGE, self.height())), colors().warning)


GAP, LINE_GAP = 12, 4
MORE, FEWER = N_("More filters"), N_("Fewer filters")


class FilterRow(QWidget):
    """Filters by verdict and by minimum numbers, and the count of shown pairs.

    Signals:
        filter_changed: A `PairFilter`.
        left: Enter: the user is done here.

    Attributes:
        seen: Pressed, the user has seen all that is new.
        sharing: Pressed, pairs that share file properties and are not listed shall be.
        cleared: Pressed, the user wants to see every pair again.
    """

    filter_changed = Signal(object)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self._check = False
        self._verdicts = [FilterChip(gettext(verdict)) for verdict in VERDICTS]
        self._news = FilterChip(gettext("new or changed"))
        self._news.setToolTip(
            gettext("Pairs that came, or have other numbers, since you saw them all")
        )
        self._news.hide()
        self._properties = FilterChip(gettext("shared file properties"))
        self._properties.setToolTip(gettext("Pairs of files that share a rare property"))
        self._properties.hide()
        self.sharing = LinkLabel("")
        self.sharing.setToolTip(
            gettext("Pairs of files that share a rare property, but no text found by the search")
        )
        self.sharing.hide()
        self.seen = LinkLabel(gettext("All seen"))
        self.seen.hide()
        self._chips = (*self._verdicts, self._news, self._properties)
        for chip in self._chips:
            chip.toggled.connect(self._on_changed)
        self._resemblance = NumberBox(2, gettext("Filter: resemblance at least"), step=0.05)
        self._containment = NumberBox(
            0, gettext("Filter: A in B or B in A at least"), 100, step=5, suffix=percentage("")
        )
        for box in (self._resemblance, self._containment):
            box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            box.enter_pressed.connect(self.left)
        self._resemblance.setToolTip(gettext("Show only listed pairs of this resemblance or more"))
        self._containment.setToolTip(
            gettext("Show only listed pairs where A in B or B in A is this or more")
        )
        self._more = LinkLabel(gettext(MORE))
        self._titles = gettext("Resemblance at least"), gettext("A in B or B in A at least")
        self._more.setToolTip(" · ".join(self._titles))
        self._count = QLabel()
        self.cleared = LinkLabel(gettext("Clear filter"))
        self.cleared.hide()
        self._lay_out()
        self._more.clicked.connect(self._on_more_clicked)
        self._resemblance.valueChanged.connect(self._on_changed)
        self._containment.valueChanged.connect(self._on_changed)

    @property
    def filter(self) -> PairFilter:
        """The filter that is chosen."""
        chosen = (n for n, chip in enumerate(self._verdicts) if chip.isChecked())
        return PairFilter(
            self._text.strip(),
            self._resemblance.value(),
            self._containment.value() / 100,
            frozenset(chosen),
            self._news.isChecked(),
            check=self._check,
            properties=self._properties.isChecked(),
        )

    @property
    def counts(self) -> Sequence[QWidget]:
        """The widgets that show numbers of pairs."""
        return (*self._chips, self._count)

    def set_text(self, text: str) -> None:
        """Set the text that the shown names must contain."""
        self._text = text
        self._on_changed()

    def show_check(self) -> None:
        """Show only the pairs of the random check."""
        self._check = True
        self._on_changed()

    def clear(self) -> None:
        """Clear all filters."""
        self._check = False
        with QSignalBlocker(self._resemblance), QSignalBlocker(self._containment):
            self._resemblance.setValue(0)
            self._containment.setValue(0)
        for chip in self._chips:
            with QSignalBlocker(chip):
                chip.setChecked(False)
            chip.update()
        self._text = ""
        self._on_changed()

    def show_count(
        self,
        shown: int,
        verdicts: Sequence[int],
        *,
        news: int,
        nothing_found: int,
        sharing: int,
        unlisted_sharing: int,
    ) -> None:
        """Show how many pairs are shown, have each verdict, are new, and share a rare property.

        Also in how many further pairs of the list nothing was found, and how many pairs that are
        not listed share a rare property.
        """
        filtered, total = not self.filter.is_empty, sum(verdicts)
        of_them = ngettext(
            "{shown} of {n} pair shown", "{shown} of {n} pairs shown", total, shown=count(shown)
        )
        unlisted = ngettext("{n} pair not listed", "{n} pairs not listed", nothing_found)
        # Before the first verdict, the tab shows how many there are to judge.
        judged = sum(verdicts[1:])
        phrases = {of_them: filtered, progress(judged, total): judged, unlisted: nothing_found}
        self._count.setText(" · ".join(words for words, is_so in phrases.items() if is_so))
        for chip, number in zip(self._verdicts, verdicts, strict=True):
            chip.show_number(count(number))
            # Before the first verdict they distinguish nothing.
            chip.setVisible(chip.isChecked() or (number > 0 and any(verdicts[1:])))
        for chip, number in ((self._news, news), (self._properties, sharing)):
            chip.show_number(count(number))
            chip.setVisible(bool(number) or chip.isChecked())
        self.seen.setVisible(bool(news))
        self.sharing.setText(
            ngettext(
                "Add {n} pair by file properties",
                "Add {n} pairs by file properties",
                unlisted_sharing,
            )
        )
        self.sharing.setVisible(bool(unlisted_sharing))
        self.cleared.setVisible(filtered)
        # Else the number is cut in the first frame: a group in a layout has its new width later.
        for owner in (self._ending, self):
            if (layout := owner.layout()) is not None:
                layout.activate()

    def minimumSizeHint(self) -> QSize:
        """The width of its widest field, and the present height of its lines."""
        hint = super().minimumSizeHint()
        return QSize(hint.width(), max(hint.height(), self.heightForWidth(self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt the height to the number of lines."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _lay_out(self) -> None:
        flow = FlowLayout(GAP, LINE_GAP, self, ending=True)
        flow.setContentsMargins(12, 6, 12, 6)
        boxes = (self._resemblance, self._containment)
        self._numbers = [
            together(label_of(box, title), box)
            for box, title in zip(boxes, self._titles, strict=True)
        ]
        for chip in self._verdicts:
            flow.addWidget(chip)
        flow.addWidget(together(self._news, self.seen))
        flow.addWidget(self._properties)
        flow.addWidget(self._more)
        for number in self._numbers:
            number.hide()
            flow.addWidget(number)
        flow.addWidget(self.sharing)  # it comes late, and must not push a link from under a click
        self._ending = together(self._count, self.cleared)
        flow.addWidget(self._ending)

    def _on_more_clicked(self) -> None:
        shown = self._numbers[0].isHidden()
        for number in self._numbers:
            number.setVisible(shown)
        self._more.setText(gettext(FEWER) if shown else gettext(MORE))
        if not shown:  # no hidden field filters
            self._resemblance.setValue(0)
            self._containment.setValue(0)

    def _on_changed(self) -> None:
        self.filter_changed.emit(self.filter)


def together(*widgets: QWidget) -> QWidget:
    """Widgets that stay on one line."""
    group = QWidget()
    row_in(group, *widgets, margins=0, spacing=8)
    return group


class WeakTracesRow(LineAbove):
    """The foot of the list: how many weak traces are folded, and a button to unfold them."""

    def __init__(self) -> None:
        super().__init__()
        self.button = LinkLabel()
        self.button.setToolTip(
            gettext(
                "Pairs that share little more than a phrase. They are not among the pairs to "
                "review."
            )
        )
        row_in(self, self.button, 1, margins=(SIDE, 3))
        self.hide()

    def show_number(self, number: int, *, unfolded: bool) -> None:
        """Show how many weak traces there are, and whether they are unfolded."""
        traces = ngettext("{n} weak trace", "{n} weak traces", number)
        self.button.setText(f"{'▾' if unfolded else '▸'} {traces}")
        self.button.setAccessibleName(
            ngettext("{n} weak trace, shown", "{n} weak traces, shown", number)
            if unfolded
            else ngettext("{n} weak trace, folded", "{n} weak traces, folded", number)
        )
        self.setVisible(number > 0)


SETTLE = 60  # milliseconds; rows that scroll past are not seen


class SeenRows(QObject):
    """Watches a table.

    Signals:
        seen: The first row in sight, and the one after the last.
    """

    seen = Signal(int, int)

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        self._timer = QTimer(self, singleShot=True, interval=SETTLE)
        self._timer.timeout.connect(self._emit_rows)
        model = table.model()
        for changed in (
            table.verticalScrollBar().valueChanged,
            model.modelReset,
            model.layoutChanged,
        ):
            changed.connect(self._on_changed)
        table.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look again when the table is resized or shown."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._timer.start()
        return super().eventFilter(watched, event)

    def _on_changed(self) -> None:
        self._timer.start()

    def _emit_rows(self) -> None:
        first = self._table.rowAt(0)
        if first < 0 or not self._table.isVisible():
            return
        last = self._table.rowAt(self._table.viewport().height() - 1)
        self.seen.emit(first, self._table.model().rowCount() if last < 0 else last + 1)


RIGHT_AFTER = 10_000  # milliseconds after a verdict in which a note is about the judged pairs


class PairsPage(RowsPage):
    """The filter row above the table of pairs.

    Signals:
        verdict_given: A verdict, and on which of the pairs listed.
    """

    help_page = "reading"
    verdict_given = Signal(object, object)

    hidden = N_("The filter hides every pair.")
    table: PairsTable

    def __init__(self, model: PairsModel) -> None:
        super().__init__(model, PairsTable(model))
        self._model = model
        self.outdated_row = OutdatedRow()
        self.filter_row = FilterRow()
        self.weak_row = WeakTracesRow()
        self.weak_row.button.clicked.connect(self._on_weak_clicked)
        self.weak_row.button.installEventFilter(self)
        self.table.left_below.connect(self._on_left_below)
        self.table.outdated_changed.connect(self._on_faded)
        self.note_row = self._noting = NoteRow()
        self._just_judged: tuple[int, npt.NDArray[np.int64]] | None = (
            None  # the row gone on to, what before
        )
        self.seen_rows = SeenRows(self.table)
        self.filter_row.cleared.clicked.connect(self.filter_cleared)
        self.filter_row.left.connect(self.table.setFocus)
        model.judged.connect(self._show_counts)
        self.table.selectionModel().currentRowChanged.connect(self._forget_verdict)
        self._verdict_timer = QTimer(self, singleShot=True, interval=RIGHT_AFTER)
        self._verdict_timer.timeout.connect(self._forget_verdict)
        parts = (self.outdated_row, self.filter_row, self.table, self.weak_row, self.note_row)
        self._stack(*parts, main=self.table)

    def show_cards(self, standing: NoteRow | None) -> None:
        """Become a slim column of cards, with the note elsewhere; None: the full table."""
        self.filter_row.setVisible(standing is None)
        self.note_row.hide()
        self._noting = standing or self.note_row
        self.table.show_cards(shown=standing is not None)

    @property
    def listed(self) -> int:
        """The number of pairs, without weak traces."""
        return self._model.pair_count

    def judge(self, verdict: Verdict) -> None:
        """Give the selected pairs a verdict, and select the next pair that waits for one."""
        rows = self.table.selected_rows
        if not len(rows):
            return
        pairs = self._model.pairs_in(rows)
        onward = self._model.next_open(int(rows[-1]) + 1, but=pairs)
        key = None if onward is None else self._model.key_at(onward)
        self.verdict_given.emit(verdict, pairs)
        if self._model.verdicts.verdict_of(int(pairs[0])) is not verdict:
            return  # it was refused: the message bar shows why
        row = None if key is None else self._model.row_of(key)
        # A pair of the same texts was judged with it.
        onward = None if row is None else self._model.next_open(row, but=pairs)
        if onward is not None:
            self.table.select_row(onward)
            self.table.emit_at_once()
        self._just_judged = self.table.current_row, pairs
        self._verdict_timer.start()

    def write_note(self) -> None:
        """Edit a note: right after a verdict on the judged pairs, else on the selected ones."""
        rows = self.table.selected_rows
        pairs = self._model.pairs_in(rows)
        if self._just_judged is not None and self._just_judged[0] == self.table.current_row:
            pairs = self._just_judged[1]
        if len(pairs):
            note = self._model.verdicts.note(int(pairs[0]))
            self._noting.begin(note, pairs, self._model.names_of(pairs))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up moves the focus from the foot of the list to its rows."""
        is_key = event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if is_key and event.key() == Qt.Key.Key_Up:  # type: ignore[attr-defined]
            self.table.setFocus()
            return True
        return super().eventFilter(watched, event)

    def _on_faded(self) -> None:
        """Update the counts from the rows."""
        for part in (*self.filter_row.counts, self.weak_row):
            fade(part, faded=self.table.is_outdated)

    def _on_left_below(self) -> None:
        if self.weak_row.isVisible():
            self.weak_row.button.setFocus()

    def _on_weak_clicked(self) -> None:
        unfolded = not self._model.folded.weak
        self._model.unfold_weak(unfolded=unfolded)
        if unfolded:
            first = self._model.index(self._model.first_weak, 0)
            QTimer.singleShot(0, self, lambda: self.table.scrollTo(first))

    def _forget_verdict(self) -> None:
        self._just_judged = None

    def emit_selection(self) -> None:
        """Show the selected pair again; none where a filter hides it."""
        if self.table.current_row >= 0:
            self.table.emit_again()
        else:
            self.table.pair_hidden.emit()

    def _show_counts(self) -> None:
        model, folded = self._model, self._model.folded
        self.filter_row.show_count(
            model.shown_count,
            model.counts,
            news=model.new_count,
            nothing_found=model.nothing_found_count,
            sharing=model.sharing_count,
            unlisted_sharing=model.unlisted_sharing,
        )
        self.weak_row.show_number(folded.weak_count, unfolded=folded.weak)

    def _on_reset(self) -> None:
        super()._on_reset()
        self._just_judged = None  # pairs may have other numbers
        self._show_counts()
        self.filter_row.setEnabled(self._model.total > 0)
