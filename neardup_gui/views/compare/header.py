"""Above the texts: whose they are, every number of the pair, the passages, the dot plot."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from neardup_gui.models.comparison import Comparison
from neardup_gui.models.wording import tool_tip
from neardup_gui.theme import colors
from neardup_gui.views.compare.chips import PassageChips
from neardup_gui.views.compare.dot_plot import DotPlot
from neardup_gui.views.compare.flow import FlowLayout
from neardup_gui.views.compare.wording import facts, no_passage_sentence
from neardup_gui.views.dock import CLOSE_ROOM

__all__ = ["CompareHeader"]

MARGIN = 16
GAP = 6


class NameLabel(QLabel):
    """A file name, shortened in the middle when there is no room; plain text, always."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        font = QFont(self.font())
        font.setBold(True)
        self.setFont(font)

    def show_name(self, side: str, name: str) -> None:
        """Show a name; all of it is in the tool tip."""
        self.setText(" ".join(name.split()))
        self.setToolTip(tool_tip(name))
        self.setAccessibleName(f"Document {side}: {name}")

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The name, or its beginning and end."""
        painter = QPainter(self)
        painter.setPen(colors().text)
        shown = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideMiddle, self.width()
        )
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, shown)


class NamesRow(QWidget):
    """Both names in a row; when they do not fit, the shorter gives way only below one half."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._labels = (NameLabel(self), NameLabel(self))
        self._and = QLabel("and", self)

    def show_names(self, names: tuple[str, str]) -> None:
        """Show the names of A and B."""
        for label, letter, name in zip(self._labels, "AB", names, strict=True):
            label.show_name(letter, name)
        self._place()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(200, self._labels[0].sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room anew."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        between = self._and.sizeHint().width() + 2 * GAP
        room = max(self.width() - between, 0)
        wishes = [label.sizeHint().width() + 1 for label in self._labels]
        first = min(wishes[0], max(room // 2, room - wishes[1]))
        second = min(wishes[1], room - first)
        height = self.height()
        self._labels[0].setGeometry(0, 0, first, height)
        self._and.setGeometry(first + GAP, 0, between - 2 * GAP, height)
        self._labels[1].setGeometry(first + between, 0, second, height)


class CompareHeader(QWidget):
    """Everything that is known of the pair, before its texts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names = NamesRow()
        self._facts = [QLabel() for _ in range(5)]
        self._sentence = QLabel()
        self._sentence.setWordWrap(True)
        self.chips = PassageChips()
        self.dot_plot = DotPlot()
        self._lay_out()

    def _lay_out(self) -> None:
        numbers = FlowLayout(18, 3)
        for label in self._facts:
            label.setTextFormat(Qt.TextFormat.RichText)
            numbers.addWidget(label)
        left = QVBoxLayout()
        left.setSpacing(8)
        left.addWidget(self._names)
        left.addLayout(numbers)
        left.addWidget(self.chips)
        left.addWidget(self._sentence)
        left.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN, 4, CLOSE_ROOM, 12)
        row.setSpacing(MARGIN)
        row.addLayout(left, 1)
        row.addWidget(self.dot_plot, 0, Qt.AlignmentFlag.AlignTop)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show a pair."""
        self._names.show_names((comparison.sides[0].name, comparison.sides[1].name))
        for number, fact in zip(self._facts, facts(comparison.numbers), strict=True):
            number.setText(f"{fact.name} <b>{fact.value}</b>")
            number.setToolTip(fact.meaning)
        self.chips.show_comparison(comparison)
        self.dot_plot.show_comparison(comparison)
        self.chips.setVisible(bool(comparison.marks))
        self._sentence.setText(no_passage_sentence(comparison.numbers))
        self._sentence.setVisible(not comparison.marks)

    def set_current(self, passage: int | None) -> None:
        """Emphasise a passage, or none."""
        self.chips.set_current(passage)
        self.dot_plot.set_current(passage)
