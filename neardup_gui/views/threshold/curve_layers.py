"""What moves in the plot of the curve: the curve, its areas and marks, the threshold line."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from core.reports.curve.state import ThresholdState
from neardup_gui.environment.theme import colors
from neardup_gui.models.workbench.audit_points import AuditPoint
from neardup_gui.models.workbench.pair_at_hand import PairAtHand
from neardup_gui.views.threshold.hatching import Area, hatched, ink, tint
from neardup_gui.views.threshold.plot_data import PlotData
from neardup_gui.views.threshold.scale import Floats, PlotScale

POINTS = 301
MARK = 4.0  # pixels, half of a mark's width
CAP = 3.0  # pixels, half of the end of an interval
LINE_EVERY = 4  # points of the curve, in a picture made of lines
HIGHEST, LOWEST, STEP = 0.84, 0.2, 0.11  # where names stand, one below the other


def draw_curve(
    painter: QPainter, scale: PlotScale, state: ThresholdState, ratio: float, *, as_lines: bool
) -> None:
    """The curve and its two areas.

    Args:
        painter: Draws in logical pixels, within the area.
        scale: Where the area is.
        state: Whose curve it is.
        ratio: Device pixels in a logical pixel.
        as_lines: Whether to hatch with lines: SVG knows no patterns as the screen does.
    """
    s = np.linspace(scale.low, scale.high, POINTS)
    p = state.probabilities(s)
    floor = min(max(state.min_resemblance, scale.low), scale.high)
    at_floor, above = state.probability(floor), s > floor
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    missed = np.r_[floor, s[above]], np.r_[at_floor, p[above]]
    extra = np.r_[s[~above], floor], np.r_[p[~above], at_floor]
    for area, (x, y), end in ((Area.EXTRA, extra, 0.0), (Area.MISSED, missed, 1.0)):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tint(area) if as_lines else hatched(area, ratio))
        outline = scale.line(x, y)
        outline.append(scale.point(float(x[-1]), end))
        outline.append(scale.point(float(x[0]), end))
        painter.drawPolygon(outline)
        if as_lines:
            _draw_hatching(painter, scale, area, x, y, end)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colors().accent, 2.0))
    painter.drawPolyline(scale.line(s, p))


def _draw_hatching(
    painter: QPainter, scale: PlotScale, area: Area, x: Floats, y: Floats, end: float
) -> None:
    style = Qt.PenStyle.SolidLine if area is Area.MISSED else Qt.PenStyle.DotLine
    painter.setPen(QPen(ink(area), 0.8, style))
    for s, p in zip(x[::LINE_EVERY].tolist(), y[::LINE_EVERY].tolist(), strict=True):
        painter.drawLine(QLineF(scale.point(s, p), scale.point(s, end)))


def draw_marks(painter: QPainter, scale: PlotScale, state: ThresholdState) -> None:
    """Where the curve is steepest, and the rule of thumb for its threshold."""
    now = colors()
    if scale.shows(state.midpoint):
        foot = scale.point(state.midpoint, 0.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(now.accent)
        painter.drawPolygon(_triangle(foot, MARK, up=True))
    if scale.shows(state.steepest):
        painter.setPen(QPen(now.accent, 1.6))
        painter.setBrush(now.base)
        steepest = scale.point(state.steepest, state.probability(state.steepest))
        painter.drawEllipse(steepest, MARK, MARK)


def draw_line(painter: QPainter, scale: PlotScale, floor: float, *, held: bool) -> None:
    """The threshold, with a handle at its upper end."""
    if not scale.shows(floor):
        return
    now = colors()
    x = scale.x(floor)
    painter.setPen(QPen(now.text, 2.4 if held else 1.4))
    painter.drawLine(QPointF(x, scale.area.top()), QPointF(x, scale.area.bottom()))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(now.text)
    painter.drawPolygon(_triangle(QPointF(x, scale.area.top() + 7), 6.0, up=False))


def draw_names(painter: QPainter, scale: PlotScale, data: PlotData, font: QFont) -> None:
    """The names of the curves kept for comparison, each beside its curve."""
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    painter.setPen(colors().muted)
    s = np.linspace(scale.low, scale.high, POINTS)
    for number, (state, name) in enumerate(data.ghosts):
        height = max(LOWEST, HIGHEST - number * STEP)
        x = scale.x(float(np.interp(height, state.probabilities(s), s)))
        width = metrics.horizontalAdvance(name) + 2
        left = x - width - 6 if x + width + 6 > scale.area.right() else x + 6
        box = QRectF(left, scale.y(height) - metrics.height() / 2, width, metrics.height())
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), name)


def draw_points(painter: QPainter, scale: PlotScale, points: tuple[AuditPoint, ...]) -> None:
    """What an audit measured, each with its interval up and down, and its pairs across."""
    now = colors()
    for point in points:
        if not scale.shows(point.mid):
            continue
        painter.setPen(QPen(now.text, 1.3))
        x, low, high = scale.x(point.mid), scale.y(point.share_low), scale.y(point.share_high)
        painter.drawLine(QPointF(x, low), QPointF(x, high))
        for end in (low, high):
            painter.drawLine(QPointF(x - CAP, end), QPointF(x + CAP, end))
        left, right = max(point.low, scale.low), min(point.high, scale.high)
        painter.setPen(QPen(now.text, 1.0, Qt.PenStyle.DotLine))
        painter.drawLine(scale.point(left, point.share), scale.point(right, point.share))
        painter.setPen(QPen(now.base, 1.0))
        painter.setBrush(now.text)
        painter.drawRect(
            QRectF(-MARK, -MARK, 2 * MARK, 2 * MARK).translated(x, scale.y(point.share))
        )


def draw_pair(painter: QPainter, scale: PlotScale, state: ThresholdState, pair: PairAtHand) -> None:
    """Where the pair at hand lies on the curve: a line up to it, and a diamond."""
    if not scale.shows(pair.resemblance):
        return
    now = colors()
    foot = scale.point(pair.resemblance, 0.0)
    place = scale.point(pair.resemblance, pair.chance(state))
    painter.setPen(QPen(now.text, 1.0, Qt.PenStyle.DashLine))
    painter.drawLine(foot, place)
    painter.setPen(QPen(now.base, 1.0))
    painter.setBrush(now.text)
    size = MARK + 2
    corners = ((0.0, -size), (size, 0.0), (0.0, size), (-size, 0.0))
    painter.drawPolygon(QPolygonF([place + QPointF(*corner) for corner in corners]))


def _triangle(tip: QPointF, half: float, *, up: bool) -> QPolygonF:
    """A triangle that points up from a foot, or down to a tip."""
    if up:
        return QPolygonF(
            [tip + QPointF(-half, 0), tip + QPointF(half, 0), tip - QPointF(0, 2 * half)]
        )
    return QPolygonF([tip, tip + QPointF(-half, -half - 1), tip + QPointF(half, -half - 1)])
