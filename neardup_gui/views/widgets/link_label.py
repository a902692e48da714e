"""A link: a button that reads like text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from neardup_gui.environment.theme import colors


class LinkLabel(QAbstractButton):
    """Text in the colour of links; reached with Tab, pressed with Space, Enter or the mouse."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        """As large as the text."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 4, metrics.height() + 4)

    def minimumSizeHint(self) -> QSize:
        """Never cut off."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the text, underlined under the mouse, framed with the focus."""
        painter = QPainter(self)
        font = self.font()
        font.setUnderline(self.underMouse())
        painter.setFont(font)
        painter.setPen(colors().accent)
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), self.text())
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(colors().accent, 1))
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1).toRectF(), 3, 3)

    def keyPressEvent(self, event: QEvent) -> None:
        """Enter presses it, as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):  # type: ignore[attr-defined]
            self.click()
            return
        super().keyPressEvent(event)  # type: ignore[arg-type]

    def enterEvent(self, event: QEvent) -> None:
        """Show the underline."""
        super().enterEvent(event)  # type: ignore[arg-type]
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Take the underline away."""
        super().leaveEvent(event)
        self.update()
