"""What all pictures of the tour have in common."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from neardup_gui.environment.theme import colors

CORNER = 3


class Picture(QWidget):
    """Is drawn, and reached with Tab, so that a screen reader says what it shows."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def describe(self, words: str) -> None:
        """Say what is shown; where nothing is said there is nothing."""
        self.setVisible(bool(words))
        self.setAccessibleDescription(words)
        self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw it, and a frame with the focus."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.save()
        self.draw(painter)
        painter.restore()
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colors().accent, 1))
            frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(frame, CORNER, CORNER)

    def draw(self, painter: QPainter) -> None:
        """Draw what is shown."""
        raise NotImplementedError
