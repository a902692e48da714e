"""A pane of the window: a dock with a title as quiet as a heading."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QDockWidget, QHBoxLayout, QLabel, QWidget

from neardup_gui.environment.theme import colors

SIDE = 20
ARM = 4
EDGE = 6  # between the button and the corner
STRIP = 8  # high enough to be dragged by
CLOSE_ROOM = SIDE + 2 * EDGE  # what a content leaves free in its upper right corner


class CloseButton(QAbstractButton):
    """A small cross."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setToolTip(f"Close {title} (the View menu shows it again)")
        self.setAccessibleName(f"Close {title}")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        """A small square, a little higher than the letters."""
        side = min(max(SIDE, self.fontMetrics().height()), CLOSE_ROOM - EDGE)
        return QSize(side, side)

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
        arm = ARM * self.width() / SIDE
        cross = QRectF(-arm, -arm, 2 * arm, 2 * arm)
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


class PaneTitle(QLabel):
    """The title of a part of a pane."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        self.setFont(font)


class DockTitle(QWidget):
    """What a pane is dragged by; double-clicked, it floats. Without a text it is a narrow strip."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.SizeAllCursor if not text else Qt.CursorShape.ArrowCursor)
        if not text:
            self.setFixedHeight(STRIP)
            return
        row = QHBoxLayout(self)
        row.setContentsMargins(15, 6, CLOSE_ROOM, 2)
        row.addWidget(PaneTitle(text))
        row.addStretch(1)
        self.setMinimumHeight(SIDE + 2 * EDGE)

    def sizeHint(self) -> QSize:
        """As high as it gets: a dock gives its title what it wishes for, not what it needs."""
        return super().sizeHint().expandedTo(self.minimumSize())


class Dock(QDockWidget):
    """Movable, closable, remembered by its name.

    The title stands in the View menu, the heading above the content: none where the content says
    by itself what it is. The button that closes it lies in the upper right corner, over a content
    that leaves it room.

    Signals:
        resized: It has another size.
    """

    resized = Signal()

    def __init__(
        self, name: str, title: str, content: QWidget, parent: QWidget, *, heading: str = ""
    ) -> None:
        super().__init__(title, parent)
        self.setObjectName(name)
        self.setTitleBarWidget(DockTitle(heading))
        self.setWidget(content)
        self._close = CloseButton(title, self)
        self._close.resize(self._close.sizeHint())
        self._close.clicked.connect(self.close)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the button in its corner."""
        super().resizeEvent(event)
        self._close.resize(self._close.sizeHint())
        self._close.move(self.width() - self._close.width() - EDGE, EDGE)
        self._close.raise_()
        self.resized.emit()
