"""A sentence in one line that never asks for more room than there is."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from neardup_gui.environment.theme import colors
from neardup_gui.models.words.numbers import tool_tip

NARROWEST = 60


class CutLabel(QLabel):
    """A sentence in one line, cut at its end; all of it is in the tool tip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setMinimumWidth(NARROWEST)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_sentence(self, sentence: str) -> None:
        """Show another sentence."""
        self.setText(sentence)
        self.setToolTip(tool_tip(sentence))

    def event(self, event: QEvent) -> bool:
        """No tool tip says again what is there to be read."""
        whole = self.fontMetrics().horizontalAdvance(self.text()) <= self.contentsRect().width()
        if event.type() == QEvent.Type.ToolTip and whole:
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw as much as fits."""
        painter = QPainter(self)
        painter.setPen(colors().text)
        elide = Qt.TextElideMode.ElideRight
        area = self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), elide, area.width())
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), shown)
