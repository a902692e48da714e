"""A pane of the window: a dock with a title as quiet as a heading."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QDockWidget, QHBoxLayout, QLabel, QWidget

from neardup_gui.theme import colors

__all__ = ["Dock", "Heading"]

SIDE = 20
ARM = 4


class CloseButton(QAbstractButton):
    """A small cross."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setToolTip(f"Close {title} (the View menu shows it again)")
        self.setAccessibleName(f"Close {title}")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        """A small square."""
        return QSize(SIDE, SIDE)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the cross, stronger under the mouse or with the focus."""
        now = colors()
        lit = self.underMouse() or self.hasFocus()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if lit:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(now.raised)
            painter.drawRoundedRect(self.rect(), 4, 4)
        painter.setPen(QPen(now.text if lit else now.muted, 1.3))
        cross = QRectF(-ARM, -ARM, 2 * ARM, 2 * ARM)
        cross.moveCenter(QRectF(self.rect()).center())
        painter.drawLine(cross.topLeft(), cross.bottomRight())
        painter.drawLine(cross.bottomLeft(), cross.topRight())

    def enterEvent(self, event: QEvent) -> None:
        """Light up."""
        super().enterEvent(event)  # type: ignore[arg-type]
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Fade."""
        super().leaveEvent(event)
        self.update()


class Heading(QLabel):
    """The title of a part of a pane."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        self.setFont(font)


class DockTitle(QWidget):
    """What a pane is dragged by; double-clicked, it floats. Without a text it is a narrow strip."""

    def __init__(self, text: str, close: CloseButton, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(15, 6 if text else 0, 8, 2 if text else 0)
        row.addWidget(Heading(text))
        row.addStretch(1)
        row.addWidget(close)
        if not text:
            self.setFixedHeight(SIDE - 2)


class Dock(QDockWidget):
    """Movable, closable, remembered by its name.

    The title stands in the View menu, the heading above the content: none where the content says
    by itself what it is.
    """

    def __init__(
        self, name: str, title: str, content: QWidget, parent: QWidget, *, heading: str = ""
    ) -> None:
        super().__init__(title, parent)
        self.setObjectName(name)
        close = CloseButton(title)
        close.clicked.connect(self.close)
        self.setTitleBarWidget(DockTitle(heading, close))
        self.setWidget(content)
