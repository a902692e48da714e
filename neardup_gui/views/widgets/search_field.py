"""The field of the tool bar that finds documents by their names."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from neardup_gui.environment.theme import colors, mix
from neardup_gui.views.widgets.letter_width import letter_width

LETTERS = 36
CORNER = 4
LEAVING = (Qt.Key.Key_Escape, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class SearchField(QLineEdit):
    """Every letter filters the table; Enter and Down lead into it, Esc clears the filter first.

    Signals:
        left: The user is done here.
    """

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText("Find a document by name")
        self.setAccessibleName("Find a document by name")
        self.setFrame(False)
        self.setTextMargins(6, 5, 6, 5)
        self.setClearButtonEnabled(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        # A folder dropped here is for the window, not a text.
        self.setAcceptDrops(False)

    def sizeHint(self) -> QSize:
        """Room for most names, in the size of the text."""
        width = LETTERS * letter_width(self.fontMetrics())
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Half of it, in a narrow window."""
        return QSize(self.sizeHint().width() // 2, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, and a frame that can be seen in both schemes."""
        super().paintEvent(event)
        now, focused = colors(), self.hasFocus()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = now.accent if focused else mix(now.muted, now.window, 0.45)
        painter.setPen(QPen(line, 2 if focused else 1))
        inset = 1 if focused else 0.5
        frame = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(frame, CORNER, CORNER)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Lead back to the table."""
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
        if event.key() in LEAVING:
            self.left.emit()
            return
        super().keyPressEvent(event)
