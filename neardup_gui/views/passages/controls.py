"""The line between passages and documents."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from neardup_gui.environment.theme import colors

GRIP = 5


class ThinHandle(QSplitterHandle):
    """A hair line."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw it."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), colors().base)
        painter.fillRect(self.width() // 2, 0, 1, self.height(), colors().border)


class ThinSplitter(QSplitter):
    """Two lists beside each other, each as wide as the user wants it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(GRIP)

    def createHandle(self) -> QSplitterHandle:
        """A handle that is hardly seen."""
        return ThinHandle(self.orientation(), self)
