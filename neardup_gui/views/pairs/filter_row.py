"""The row above the pairs: which of them are shown, and how many."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from neardup_gui.models.pairs.order import PairFilter
from neardup_gui.models.words.numbers import count
from neardup_gui.views.widgets.flow_layout import FlowLayout
from neardup_gui.views.widgets.link_label import LinkLabel
from neardup_gui.views.widgets.number_box import NumberBox

__all__ = ["FilterRow"]

GAP, LINE_GAP = 20, 4


class FilterRow(QWidget):
    """Minimum numbers and the count of what they leave; the text comes from the search field.

    Signals:
        filter_changed: A `PairFilter`.
        cleared: The user wants to see every pair again.
        left: Enter: the user is done here.
    """

    filter_changed = Signal(object)
    cleared = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._check = False
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

    @property
    def filter(self) -> PairFilter:
        """Which pairs are to be shown."""
        return PairFilter(
            self._text.strip(),
            self._resemblance.value(),
            self._containment.value() / 100,
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
        self._text = ""
        self._on_changed()

    def show_count(self, shown: int, total: int) -> None:
        """Say how many pairs are shown."""
        noun = "pair" if total == 1 else "pairs"
        filtered = not self.filter.is_empty
        self._count.setText(
            f"{count(shown)} of {count(total)} {noun} shown"
            if filtered
            else f"{count(total)} {noun}"
        )
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
        title = QLabel("Filter")
        title.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        resemblance = QLabel("Resemblance at least")
        resemblance.setBuddy(self._resemblance)
        containment = QLabel("A in B or B in A at least")
        containment.setBuddy(self._containment)
        flow.addWidget(together(title, resemblance, self._resemblance))
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
