"""What all fields have in common: their frame, and when the wheel changes them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from neardup_gui.environment.theme import colors, mix

CORNER = 4.0


def takes_wheel(field: QWidget, event: QWheelEvent) -> bool:
    """Whether the wheel turns over a field that was chosen, and not on its way over a panel."""
    if not field.hasFocus():
        event.ignore()
    return field.hasFocus()


def paint_frame(
    painter: QPainter,
    area: QRectF,
    *,
    focused: bool,
    filled: bool = True,
    corner: float = CORNER,
) -> None:
    """A field that can be filled in."""
    now = colors()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    width = 2.0 if focused else 1.0
    painter.setPen(QPen(now.accent if focused else mix(now.muted, now.window, 0.45), width))
    painter.setBrush(now.base if filled else Qt.BrushStyle.NoBrush)
    inset = width / 2
    painter.drawRoundedRect(area.adjusted(inset, inset, -inset, -inset), corner, corner)
