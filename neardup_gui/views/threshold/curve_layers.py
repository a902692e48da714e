"""What moves in the plot of the curve: the curve, its areas and marks, the threshold line."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QTransform,
)
from PySide6.QtWidgets import QWidget

from core.base.messages import gettext
from core.reports.curve.forecast_words import two_decimals
from core.reports.curve.state import Bars, ThresholdState
from neardup_gui.environment.theme import colors, mix
from neardup_gui.models.threshold import PairAtHand, Steps

if TYPE_CHECKING:
    from neardup_gui.models.threshold import AuditPoints

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

    def __init__(self, area: Area) -> None:
        super().__init__()
        self._area = area
        self.setFixedSize(12, 12)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the sample in a frame of its hue."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(hatched(self._area, self.devicePixelRatioF()))
        painter.setPen(QPen(mix(self._area.color, colors().text, 0.8), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)


@dataclass(slots=True)
class PlotData:
    """What is drawn, as the model holds it.

    Attributes:
        state: Its curve, its areas, its marks and the threshold line.
        bars: The folder's pairs; None without a folder.
        where: In words, where these are.
        logarithmic: Whether bars are as high as the logarithm of the number of pairs.
        kept: Curves for comparison.
        beside: One more, looked at and not kept.
        confirmed: How likely a pair is confirmed, as steps.
        points: What an audit measured.
        pair: The pair at hand.
        marked: Whether its steepest point and the rule of thumb are marked.
    """

    state: ThresholdState
    bars: Bars | None = None
    where: str = ""
    logarithmic: bool = True
    kept: tuple[ThresholdState, ...] = ()
    beside: ThresholdState | None = None
    confirmed: Steps | None = None
    points: AuditPoints = ()
    pair: PairAtHand | None = None
    marked: bool = True

    @property
    def ghosts(self) -> list[tuple[ThresholdState, str]]:
        """Curves for comparison, and what is written beside them."""
        curves = [(state, gettext("{curve} (pinned)", curve=state.name)) for state in self.kept]
        return curves if self.beside is None else [*curves, (self.beside, self.beside.name)]


Floats = npt.NDArray[np.float64]

TOP = 1.08  # room for the handle of the threshold line
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2)  # between two ticks
MOST_TICKS = 7


class PlotScale(NamedTuple):
    """A part of the curve in a rectangle.

    Attributes:
        area: Logical pixels, from probability 0 at the bottom to TOP at the top.
        low: The resemblance at the left.
        high: The resemblance at the right.
    """

    area: QRectF
    low: float = 0.0
    high: float = 1.0

    def x(self, resemblance: float) -> float:
        """From a resemblance to pixels."""
        share = (resemblance - self.low) / (self.high - self.low)
        return self.area.left() + share * self.area.width()

    def y(self, probability: float) -> float:
        """From a probability to pixels."""
        return self.area.bottom() - probability / TOP * self.area.height()

    def point(self, resemblance: float, probability: float) -> QPointF:
        """Where both are."""
        return QPointF(self.x(resemblance), self.y(probability))

    def line(self, resemblances: Floats, probabilities: Floats) -> QPolygonF:
        """The points of a line; both arrays are float64 (n,)."""
        across = self.area.width() / (self.high - self.low)
        x = (resemblances - self.low) * across + self.area.left()
        y = self.area.bottom() - probabilities * (self.area.height() / TOP)
        return QPolygonF([QPointF(*place) for place in zip(x.tolist(), y.tolist(), strict=True)])

    def resemblance(self, x: float) -> float:
        """From pixels to the resemblance there, which may be outside of 0 to 1."""
        share = (x - self.area.left()) / max(self.area.width(), 1.0)
        return self.low + share * (self.high - self.low)

    def probability(self, y: float) -> float:
        """From pixels to the probability there, which may be outside of 0 to 1."""
        return TOP * (self.area.bottom() - y) / max(self.area.height(), 1.0)

    def shows(self, resemblance: float) -> bool:
        """Whether it is in sight."""
        return self.low <= resemblance <= self.high

    @property
    def ticks(self) -> list[float]:
        """Round resemblances in sight, few enough to be read."""
        span = self.high - self.low
        step = next((interval for interval in STEPS if span / interval < MOST_TICKS), STEPS[-1])
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [round(number * step, 2) for number in range(first, last + 1)]


def tick_words(value: float) -> str:
    """A tick: 0, 0.2, 1."""
    return two_decimals(value).rstrip("0").rstrip(".,") if value else "0"


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


def draw_points(painter: QPainter, scale: PlotScale, points: AuditPoints) -> None:
    """What an audit measured, each with its interval up and down, and its pairs across."""
    now = colors()
    for point in points:
        if not scale.shows(point.mean):
            continue
        painter.setPen(QPen(now.text, 1.3))
        x, (share, lowest, highest) = scale.x(point.mean), point.share
        low, high = scale.y(lowest), scale.y(highest)
        painter.drawLine(QPointF(x, low), QPointF(x, high))
        for end in (low, high):
            painter.drawLine(QPointF(x - CAP, end), QPointF(x + CAP, end))
        left, right = max(point.low, scale.low), min(point.high, scale.high)
        painter.setPen(QPen(now.text, 1.0, Qt.PenStyle.DotLine))
        painter.drawLine(scale.point(left, share), scale.point(right, share))
        painter.setPen(QPen(now.base, 1.0))
        painter.setBrush(now.text)
        painter.drawRect(QRectF(-MARK, -MARK, 2 * MARK, 2 * MARK).translated(x, scale.y(share)))


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
