"""The field of the tool bar that finds documents by their names."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

__all__ = ["SearchField"]

WIDTH = 300


class SearchField(QLineEdit):
    """Every letter filters the table; Enter, Down and Esc lead into it.

    Signals:
        left: The user is done here.
    """

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText("Find a document by name")
        self.setAccessibleName("Find a document by name")
        self.setTextMargins(4, 2, 4, 2)
        self.setClearButtonEnabled(True)
        self.setMaximumWidth(WIDTH)
        self.setMinimumWidth(WIDTH // 2)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        # A folder dropped here is for the window, not a text.
        self.setAcceptDrops(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Lead back to the table."""
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left.emit()
            return
        super().keyPressEvent(event)
