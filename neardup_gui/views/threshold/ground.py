"""What stays in the plot of the curve while the threshold is dragged: axes, bars, other curves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from core.reports.curve.numbers import about
from neardup_gui.environment.theme import colors, mix
from neardup_gui.views.threshold.plot_data import PlotData
from neardup_gui.views.threshold.scale import Floats, PlotScale, tick_words

TALLEST_BAR = 0.92  # of the plot's height: bars stay below the curve's upper end
BAR_WIDTH = 0.88  # of a class
HEIGHTS = (0.0, 0.5, 1.0)
AIR = 4.0  # pixels between an axis and its words
POINTS = 301  # of a curve


class Margins(NamedTuple):
    """Logical pixels around the area of a plot."""

    left: float
    top: float
    right: float
    bottom: float

    def within(self, rect: QRectF) -> QRectF:
        """What is left of a rectangle."""
        return rect.adjusted(self.left, self.top, -self.right, -self.bottom)


def margins(font: QFont, data: PlotData, *, counted: bool) -> Margins:
    """Room for the words at the axes; with `counted`, for numbers of pairs at the right."""
    metrics = QFontMetricsF(font)
    left = max(metrics.horizontalAdvance(tick_words(height)) for height in HEIGHTS) + 2 * AIR
    words = [word for _height, word in _bar_ticks(data)] if counted else []
    right = max([metrics.horizontalAdvance(word) + 2 * AIR for word in words], default=9.0)
    return Margins(left, 0.0, max(right, 9.0), 2 * metrics.height() + 6)


def draw_ground(painter: QPainter, scale: PlotScale, data: PlotData) -> None:
    """Bars, and curves kept for comparison; within the plot's area."""
    _draw_bars(painter, scale, data)
    now = colors()
    painter.setPen(QPen(now.border, 1.0))
    for height in HEIGHTS:
        y = round(scale.y(height)) + 0.5
        painter.drawLine(QPointF(scale.area.left(), y), QPointF(scale.area.right(), y))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(now.muted, 1.2, Qt.PenStyle.DashLine))
    s = np.linspace(scale.low, scale.high, POINTS)
    for state, _name in data.ghosts:
        painter.drawPolyline(scale.line(s, state.probabilities(s)))
    if data.confirmed is not None:
        painter.setPen(QPen(now.text, 1.4))
        painter.drawPolyline(scale.line(*data.confirmed))


def draw_axes(
    painter: QPainter, scale: PlotScale, data: PlotData, font: QFont, *, counted: bool
) -> None:
    """The words around the area."""
    metrics, area = QFontMetricsF(font), scale.area
    height = metrics.height()
    painter.setFont(font)
    painter.setPen(colors().muted)
    for probability in HEIGHTS:
        box = QRectF(0, scale.y(probability) - height / 2, area.left() - AIR, height)
        _write(painter, box, Qt.AlignmentFlag.AlignRight, tick_words(probability))
    for tick in scale.ticks:
        box = QRectF(scale.x(tick) - 50, area.bottom() + AIR, 100, height)
        _write(painter, box, Qt.AlignmentFlag.AlignHCenter, tick_words(tick))
    below = QRectF(area.left(), area.bottom() + AIR + height, area.width(), height)
    _write(painter, below, Qt.AlignmentFlag.AlignHCenter, "resemblance")
    if counted and data.bars is not None:
        for share, word in _bar_ticks(data):
            box = QRectF(area.right() + AIR, scale.y(TALLEST_BAR * share) - height / 2, 200, height)
            _write(painter, box, Qt.AlignmentFlag.AlignLeft, word)
        _draw_legend(painter, below, metrics, data.where)


def _draw_legend(painter: QPainter, below: QRectF, metrics: QFontMetricsF, where: str) -> None:
    """What the two shades of the bars are, in the line below the axis where there is room."""
    words = ("listed", where)
    width = sum(metrics.horizontalAdvance(word) + 34 for word in words)
    if below.width() / 2 < width + metrics.horizontalAdvance("resemblance"):
        return
    x = below.right() - width + 16
    for word, color in zip(words, _shades(), strict=True):
        painter.fillRect(QRectF(x, below.center().y() - 4, 9, 9), color)
        box = QRectF(x + 14, below.top(), 200, below.height())
        _write(painter, box, Qt.AlignmentFlag.AlignLeft, word)
        x += metrics.horizontalAdvance(word) + 34


def _draw_bars(painter: QPainter, scale: PlotScale, data: PlotData) -> None:
    if data.bars is None:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    listed, everywhere = _shades()
    found, in_folder = data.bars.heights(logarithmic=data.logarithmic)
    _fill(painter, scale, in_folder, everywhere)
    _fill(painter, scale, found, listed)


def _fill(painter: QPainter, scale: PlotScale, heights: Floats, color: QColor) -> None:
    number = len(heights)
    for place in np.flatnonzero(heights).tolist():
        middle = (place + 0.5) / number
        left = scale.x(middle - BAR_WIDTH / 2 / number)
        right = scale.x(middle + BAR_WIDTH / 2 / number)
        if right > scale.area.left() and left < scale.area.right():
            top = scale.y(TALLEST_BAR * float(heights[place]))
            box = QRectF(QPointF(left, top), QPointF(right, scale.y(0.0)))
            painter.fillRect(box & scale.area, color)


def _shades() -> tuple[QColor, QColor]:
    """Of pairs that are listed, and of those in the folder."""
    now = colors()
    return now.bars, mix(now.bars, now.window, 0.5)


def _bar_ticks(data: PlotData) -> list[tuple[float, str]]:
    """Heights of bars and the numbers of pairs that they stand for."""
    if data.bars is None:
        return []
    ticks = data.bars.ticks(logarithmic=data.logarithmic)
    return [(share, about(pairs)) for share, pairs in ticks]


def _write(painter: QPainter, box: QRectF, side: Qt.AlignmentFlag, text: str) -> None:
    painter.drawText(box, int(side | Qt.AlignmentFlag.AlignVCenter), text)
