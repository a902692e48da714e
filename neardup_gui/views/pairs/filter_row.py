"""The row above the pairs: which of them are shown, and how many."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from core.base.wording import count, counted
from core.scan.judgements import VERDICTS
from neardup_gui.models.pairs.order import PairFilter
from neardup_gui.models.words.verdicts import progress
from neardup_gui.views.widgets.filter_chip import FilterChip
from neardup_gui.views.widgets.flow_layout import FlowLayout
from neardup_gui.views.widgets.link_label import LinkLabel
from neardup_gui.views.widgets.number_box import NumberBox

GAP, LINE_GAP = 12, 4


class FilterRow(QWidget):
    """Verdicts, minimum numbers, the count of what they leave; the text is the search field's.

    Signals:
        filter_changed: A `PairFilter`.
        cleared: The user wants to see every pair again.
        left: Enter: the user is done here.
        seen: The user has seen all that is new.
    """

    filter_changed = Signal(object)
    cleared = Signal()
    left = Signal()
    seen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._check = False
        self._verdicts = [FilterChip(verdict) for verdict in VERDICTS]
        self._news = FilterChip("new or changed")
        self._news.setToolTip("Pairs that came, or have other numbers, since you saw them all")
        self._news.hide()
        self._seen = LinkLabel("All seen")
        self._seen.hide()
        for chip in (*self._verdicts, self._news):
            chip.toggled.connect(self._on_changed)
        self._resemblance = NumberBox(2)
        self._resemblance.setRange(0, 1)
        self._resemblance.setSingleStep(0.05)
        self._containment = NumberBox(0)
        self._containment.setRange(0, 100)
        self._containment.setSingleStep(5)
        self._containment.setSuffix(" %")
        for box in (self._resemblance, self._containment):
            box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            box.enter_pressed.connect(self.left)
        self._resemblance.setAccessibleName("Filter: resemblance at least")
        self._containment.setAccessibleName("Filter: A in B or B in A at least")
        self._resemblance.setToolTip("Show only listed pairs of this resemblance or more")
        self._containment.setToolTip(
            "Show only listed pairs where A in B or B in A is this or more"
        )
        self._count = QLabel()
        self._clear = LinkLabel("Clear filter")
        self._clear.hide()
        self._lay_out()
        self._resemblance.valueChanged.connect(self._on_changed)
        self._containment.valueChanged.connect(self._on_changed)
        self._clear.clicked.connect(self.cleared)
        self._seen.clicked.connect(self.seen)

    @property
    def filter(self) -> PairFilter:
        """Which pairs are to be shown."""
        chosen = (n for n, chip in enumerate(self._verdicts) if chip.isChecked())
        return PairFilter(
            self._text.strip(),
            self._resemblance.value(),
            self._containment.value() / 100,
            frozenset(chosen),
            self._news.isChecked(),
            check=self._check,
        )

    def set_text(self, text: str) -> None:
        """What the names shown must contain."""
        self._text = text
        self._on_changed()

    def show_check(self) -> None:
        """Only the pairs of the random check."""
        self._check = True
        self._on_changed()

    def clear(self) -> None:
        """Let everything through again."""
        self._check = False
        with QSignalBlocker(self._resemblance), QSignalBlocker(self._containment):
            self._resemblance.setValue(0)
            self._containment.setValue(0)
        for chip in (*self._verdicts, self._news):
            with QSignalBlocker(chip):
                chip.setChecked(False)
            chip.update()
        self._text = ""
        self._on_changed()

    def show_count(self, shown: int, total: int, verdicts: Sequence[int], news: int) -> None:
        """Say how many pairs are shown, how many have each verdict, and how many are new."""
        filtered = not self.filter.is_empty
        judged = progress(sum(verdicts[1:]), total)
        of_them = f"{count(shown)} of {counted(total, 'pair')} shown"
        self._count.setText(f"{of_them} · {judged}" if filtered else judged)
        for chip, number in zip(self._verdicts, verdicts, strict=True):
            chip.show_number(count(number))
        self._news.show_number(count(news))
        self._news.setVisible(bool(news) or self._news.isChecked())
        self._seen.setVisible(bool(news))
        self._clear.setVisible(filtered)

    def minimumSizeHint(self) -> QSize:
        """As wide as its widest field, and as high as its lines are now."""
        hint = super().minimumSizeHint()
        return QSize(hint.width(), max(hint.height(), self.heightForWidth(self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More or fewer lines need another height."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _lay_out(self) -> None:
        flow = FlowLayout(GAP, LINE_GAP, self, ending=True)
        flow.setContentsMargins(12, 6, 12, 6)
        resemblance = QLabel("Resemblance at least")
        resemblance.setBuddy(self._resemblance)
        containment = QLabel("A in B or B in A at least")
        containment.setBuddy(self._containment)
        for chip in self._verdicts:
            flow.addWidget(chip)
        flow.addWidget(together(self._news, self._seen))
        flow.addWidget(together(resemblance, self._resemblance))
        flow.addWidget(together(containment, self._containment))
        flow.addWidget(together(self._count, self._clear))

    def _on_changed(self) -> None:
        self.filter_changed.emit(self.filter)


def together(*widgets: QWidget) -> QWidget:
    """Widgets that stay in one line."""
    group = QWidget()
    row = QHBoxLayout(group)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    for widget in widgets:
        row.addWidget(widget)
    return group
