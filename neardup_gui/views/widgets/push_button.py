"""A button whose weight and focus can be seen in both schemes."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QWidget

from neardup_gui.environment.theme import colors, mix

CORNER = 5
RING = 2
AIR = 18
LEAST_WIDTH = 170


class PushButton(QPushButton):
    """Filled when it is what most people want, outlined when it is the other choice."""

    def __init__(self, text: str, parent: QWidget | None = None, *, filled: bool = False) -> None:
        super().__init__(text, parent)
        self._filled = filled
        self.setAutoDefault(True)

    def set_filled(self, filled: bool) -> None:
        """Whether it is what most people want."""
        self._filled = filled
        self.update()

    def sizeHint(self) -> QSize:
        """Room for the words, some air and the ring of the focus."""
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self.text()) + 2 * AIR
        return QSize(max(width, LEAST_WIDTH), metrics.height() + AIR + 2 * RING)

    def minimumSizeHint(self) -> QSize:
        """Words are never cut off."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the button."""
        now = colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outer = QRectF(self.rect())
        if self.hasFocus():
            painter.setPen(QPen(mix(now.accent, now.base, 0.55), RING))
            inset = RING / 2
            painter.drawRoundedRect(
                outer.adjusted(inset, inset, -inset, -inset), CORNER + RING, CORNER + RING
            )
        filled = self._filled and self.isEnabled()
        ground = now.accent if filled else now.base
        if self.isEnabled() and (self.isDown() or self.underMouse()):
            ground = mix(ground, now.text, 0.92 if filled else 0.94)
        painter.setPen(QPen(now.accent if filled else mix(now.muted, now.base, 0.5), 1))
        painter.setBrush(ground)
        inset = RING + 1.5
        painter.drawRoundedRect(outer.adjusted(inset, inset, -inset, -inset), CORNER, CORNER)
        text = now.text if self.isEnabled() else now.muted
        painter.setPen(now.on_accent if filled else text)
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), self.text())
