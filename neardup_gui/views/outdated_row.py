"""The line above a list that was made with other settings than are chosen now."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from neardup_gui.models.wording import tool_tip
from neardup_gui.theme import colors
from neardup_gui.views.tool_button import ToolButton

__all__ = ["OutdatedRow"]

EDGE = 3


class OutdatedRow(QWidget):
    """One line, cut at its end where there is no room, and the button that scans again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sentence = CutLabel()
        self._button = ToolButton(QAction(self))
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE + 9, 3, 6, 3)
        row.setSpacing(10)
        row.addWidget(self._sentence, 1)
        row.addWidget(self._button)
        self.hide()

    @property
    def sentence(self) -> str:
        """What is said; empty when the list is up to date."""
        return "" if self.isHidden() else self._sentence.text()

    def offer(self, rescan: QAction) -> None:
        """The action that brings the list up to date."""
        self._button.setDefaultAction(rescan)

    def show_sentence(self, sentence: str) -> None:
        """Say why the list is out of date; nothing when it is not."""
        self._sentence.setText(sentence)
        self._sentence.setToolTip(tool_tip(sentence))
        self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the ground and an edge in the colour of warnings."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), colors().raised)
        painter.fillRect(QRect(0, 0, EDGE, self.height()), colors().warning)


class CutLabel(QLabel):
    """A sentence in one line; what has no room is in the tool tip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setMinimumWidth(60)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw as much as fits."""
        painter = QPainter(self)
        painter.setPen(colors().text)
        elide = Qt.TextElideMode.ElideRight
        shown = self.fontMetrics().elidedText(self.text(), elide, self.width())
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignVCenter), shown)
