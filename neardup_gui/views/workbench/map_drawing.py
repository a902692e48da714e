"""How the map of all settings is drawn, on the screen and as a picture."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen, QPolygonF

from neardup_gui.environment.theme import colors, mix
from neardup_gui.models.workbench.plane_map import PlaneMap

__all__ = ["MapDrawing"]

SMALL_FONT = 0.86
AIR = 12  # pixels between the axes and the outermost dots
REACH = 14.0  # pixels from a dot in which it is met
DOT, EFFICIENT, RING = 2.6, 5.5, 11.0  # diameters
ACROSS, UP, UP_BY_BANDS = "candidates to compare", "missed", "missed by bands alone"
LEFT, RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight


class MapDrawing:
    """A map in a rectangle.

    Attributes:
        map: What is drawn.
        font: Of names and numbers.
    """

    def __init__(self, plane_map: PlaneMap, size: QSize, font: QFont) -> None:
        """`font` is that of what is around; names are a little smaller."""
        self.map = plane_map
        self._size = size
        self.font = QFont(font)
        self.font.setPointSizeF(font.pointSizeF() * SMALL_FONT)

    @cached_property
    def area(self) -> QRectF:
        """Where dots may be."""
        metrics = QFontMetrics(self.font)
        ticks = self.map.up_scale.ticks
        left = max((metrics.horizontalAdvance(tick.text) for tick in ticks), default=0)
        line = metrics.height()
        return QRectF(0, 0, self._size.width(), self._size.height()).adjusted(
            left + 10 + AIR, line + 4 + AIR, -8 - AIR, -2 * line - 8 - AIR
        )

    def under(self, position: QPointF) -> int | None:
        """The setting that is met at a position; None where none is near."""
        area = self.area
        if area.width() <= 0 or area.height() <= 0:
            return None
        return self.map.nearest(
            (position.x() - area.left()) / area.width(),
            (area.bottom() - position.y()) / area.height(),
            (REACH / area.width(), REACH / area.height()),
        )

    def point(self, place: int) -> QPointF:
        """Where a setting is."""
        x, y = self._points[place].tolist()
        return QPointF(x, y)

    def draw(self, painter: QPainter) -> None:
        """Draw the axes and all settings."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.font)
        painter.fillRect(self.area.adjusted(-AIR, -AIR, AIR, AIR), colors().base)
        self._draw_up_axis(painter)
        self._draw_across_axis(painter)
        self._draw_settings(painter)

    def mark(self, painter: QPainter, place: int, *, square: bool = False) -> None:
        """Draw a ring around a setting, or a diamond, with its name."""
        now, point = colors(), self.point(place)
        painter.setPen(QPen(now.text, 1.6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if square:
            across, up = QPointF(RING / 2, 0), QPointF(0, RING / 2)
            painter.drawPolygon([point - across, point - up, point + across, point + up])
        else:
            painter.drawEllipse(point, RING / 2, RING / 2)
        name, metrics = self.map.setting(place).name, QFontMetrics(self.font)
        width, left = metrics.horizontalAdvance(name), point.x() + RING
        if left + width > self._size.width():
            left = point.x() - RING - width
        box = QRectF(left, point.y() - metrics.height() / 2, width + 1, metrics.height())
        ground = mix(now.base, now.base, 1.0)
        ground.setAlphaF(0.8)
        painter.fillRect(box, ground)
        painter.drawText(box, int(LEFT | Qt.AlignmentFlag.AlignVCenter), name)

    @cached_property
    def _points(self) -> npt.NDArray[np.float64]:
        area = self.area
        x = area.left() + self.map.across * area.width()
        return np.column_stack([x, area.bottom() - self.map.up * area.height()])

    def _draw_up_axis(self, painter: QPainter) -> None:
        area, metrics = self.area, QFontMetrics(self.font)
        height = metrics.height()
        for tick in self.map.up_scale.ticks:
            y = area.bottom() - tick.place * area.height()
            painter.setPen(QPen(colors().border, 1))
            painter.drawLine(QPointF(area.left() - AIR, y), QPointF(area.right() + AIR, y))
            _write(painter, QRectF(0, y - height / 2, area.left() - AIR - 5, height), tick.text)
        up = UP_BY_BANDS if self.map.of_bands else UP
        _write(painter, QRectF(4, 2, area.right(), height), up, LEFT)

    def _draw_across_axis(self, painter: QPainter) -> None:
        area, metrics = self.area, QFontMetrics(self.font)
        free, height = 0.0, metrics.height()
        for tick in self.map.across_scale.ticks:
            x = area.left() + tick.place * area.width()
            painter.setPen(QPen(colors().border, 1))
            painter.drawLine(QPointF(x, area.top() - AIR), QPointF(x, area.bottom() + AIR))
            width = metrics.horizontalAdvance(tick.text)
            left = min(max(x - width / 2, 0.0), self._size.width() - width - 1)
            if left >= free:
                box = QRectF(left, area.bottom() + AIR + 2, width + 1, height)
                _write(painter, box, tick.text, LEFT)
                free = left + width + 2 * metrics.averageCharWidth()
        below = area.bottom() + AIR + height + 4
        box = QRectF(area.left() - AIR, below, area.width() + 2 * AIR, height)
        _write(painter, box, ACROSS, Qt.AlignmentFlag.AlignHCenter)

    def _draw_settings(self, painter: QPainter) -> None:
        now, points = colors(), self._points
        round_cap = Qt.PenCapStyle.RoundCap
        every = _polygon(points[np.isfinite(points).all(axis=1)])
        painter.setPen(QPen(mix(now.muted, now.base, 0.55), DOT, Qt.PenStyle.SolidLine, round_cap))
        painter.drawPoints(every)
        best = _polygon(points[self.map.frontier])
        painter.setPen(QPen(mix(now.accent, now.base, 0.6), 1.2))
        painter.drawPolyline(best)
        painter.setPen(QPen(now.accent, EFFICIENT, Qt.PenStyle.SolidLine, round_cap))
        painter.drawPoints(best)


def _polygon(points: npt.NDArray[np.float64]) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in points.tolist()])


def _write(painter: QPainter, box: QRectF, text: str, side: Qt.AlignmentFlag = RIGHT) -> None:
    painter.setPen(colors().muted)
    painter.drawText(box, int(side | Qt.AlignmentFlag.AlignVCenter), text)
