"""Text larger or smaller than the rest, whatever size the rest has."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QLabel, QWidget


class ScaledLabel(QLabel):
    """A label whose text is a factor larger than the application's."""

    def __init__(self, factor: float, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._factor = factor
        self._scale()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the application's text, which comes with a new style sheet.

        Not at once: while Qt exchanges the sheet, a new font would reach into a style half gone.
        """
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            QTimer.singleShot(0, self, self._scale)

    def _scale(self) -> None:
        wanted = self._factor * QApplication.font().pointSizeF()
        if abs(self.font().pointSizeF() - wanted) > 0.01:
            font = QFont(self.font())
            font.setPointSizeF(wanted)
            self.setFont(font)
