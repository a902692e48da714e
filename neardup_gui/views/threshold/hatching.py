"""Areas that differ by their hatching as well as their hue."""

from __future__ import annotations

from enum import Enum, auto
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent, QPen, QPixmap, QTransform
from PySide6.QtWidgets import QWidget

from neardup_gui.environment.theme import colors, mix

TILE = 6  # logical pixels of the repeated pattern
TINT = 0.16
INK = 0.62


class Area(Enum):
    """What is shaded."""

    MISSED = auto()
    EXTRA = auto()
    LISTED = auto()

    @property
    def color(self) -> QColor:
        """Its hue in the scheme in use."""
        now = colors()
        return {Area.MISSED: now.missed, Area.EXTRA: now.extra, Area.LISTED: now.bars}[self]


def hatched(area: Area, ratio: float) -> QBrush:
    """Lines for what is missed, dots for what is checked for nothing, plain for what is listed.

    Args:
        area: What is shaded.
        ratio: Device pixels in a logical pixel.
    """
    if area is Area.LISTED:
        return QBrush(area.color)
    tile = _tile(area, ratio, dark=colors().dark)
    brush = QBrush(tile)
    brush.setTransform(QTransform.fromScale(TILE / tile.width(), TILE / tile.height()))
    return brush


@lru_cache(maxsize=16)
def _tile(area: Area, ratio: float, *, dark: bool) -> QPixmap:
    """The repeated pattern; in each scheme its colours are others."""
    del dark
    tile = QPixmap(QSize(round(TILE * ratio), round(TILE * ratio)))
    tile.fill(tint(area))
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(tile.width() / TILE, tile.height() / TILE)
    _draw_pattern(painter, area, ink(area))
    painter.end()
    return tile


def _draw_pattern(painter: QPainter, area: Area, color: QColor) -> None:
    if area is Area.MISSED:
        painter.setPen(QPen(color, 1.0))
        for shift in (-TILE, 0, TILE):
            painter.drawLine(QPointF(shift - 1, TILE + 1), QPointF(shift + TILE + 1, -1))
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    for x, y in ((TILE / 4, TILE / 4), (3 * TILE / 4, 3 * TILE / 4)):
        painter.drawEllipse(QPointF(x, y), 0.8, 0.8)


def tint(area: Area) -> QColor:
    """What an area is filled with: the bars behind it show."""
    return _alpha(area.color, TINT)


def ink(area: Area) -> QColor:
    """What an area is hatched with."""
    return _alpha(area.color, INK)


def _alpha(color: QColor, share: float) -> QColor:
    clear = QColor(color)
    clear.setAlphaF(share)
    return clear


class Swatch(QWidget):
    """A small sample of an area, beside the sentence about it."""

    def __init__(self, area: Area, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._area = area
        self.setFixedSize(12, 12)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the sample in a frame of its hue."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(hatched(self._area, self.devicePixelRatioF()))
        painter.setPen(QPen(mix(self._area.color, colors().text, 0.8), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
