"""The picture of the threshold: the S-curve, its areas and marks over the folder's pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QMarginsF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHideEvent,
    QMouseEvent,
    QPaintEngine,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from core.base.messages import gettext
from core.reports.curve.forecast_words import about, two_decimals
from core.reports.curve.state import Bars, ThresholdState
from neardup_gui.environment.theme import colors, mix, see_through, sharp_pixmap, smooth_painter
from neardup_gui.models.threshold import PairAtHand, ThresholdModel, position_words
from neardup_gui.views.widgets.containers import FollowsLooks, HasHints
from neardup_gui.views.widgets.labels import scaled

if TYPE_CHECKING:
    from neardup_gui.models.threshold import AuditPoints


SAMPLE = 12  # logical pixels, of the sample of an area
LINE_GAP = 5  # pixels between two lines of a hatching, about
TILE = 20  # of a hatching: whole pixels at every usual scale of a screen
TINT = 0.16
INK = 0.62


class Area(Enum):
    """The shaded areas."""

    MISSED = auto()
    EXTRA = auto()
    LISTED = auto()

    @property
    def color(self) -> QColor:
        """Its hue in the current scheme."""
        now = colors()
        return {Area.MISSED: now.missed, Area.EXTRA: now.extra, Area.LISTED: now.bars}[self]


def tint(area: Area) -> QColor:
    """The fill of an area, through which the bars show."""
    return see_through(area.color, TINT)


def hatching(area: Area) -> QPen:
    """Lines for missed pairs, dots for pairs compared in vain; pictures in files have the same."""
    color = see_through(area.color, INK)
    return QPen(color, 0.8) if area is Area.MISSED else QPen(color, 1.4, Qt.PenStyle.DotLine)


def tile(area: Area, ratio: float) -> QPixmap:
    """The fill and the lines of an area, to be repeated: pixel by pixel, lines take far longer."""
    repeated = sharp_pixmap(QSize(TILE, TILE), ratio, tint(area))
    painter = smooth_painter(repeated)
    painter.setPen(hatching(area))
    for x in range(LINE_GAP // 2, TILE, LINE_GAP):
        painter.drawLine(QLineF(x + 0.5, 0.0, x + 0.5, TILE))
    return repeated


def draw_sample(painter: QPainter, area: Area, top: float) -> None:
    """A small sample of an area, in a frame of its hue."""
    painter.setBrush(area.color if area is Area.LISTED else tint(area))
    painter.setPen(QPen(mix(area.color, colors().text, 0.8), 1))
    painter.drawRoundedRect(QRectF(0.5, top + 0.5, SAMPLE - 1, SAMPLE - 1), 2, 2)
    if area is not Area.LISTED:
        painter.setPen(hatching(area))
        for x in (SAMPLE * part / 4 for part in (1, 2, 3)):
            painter.drawLine(QLineF(x, top + 2, x, top + SAMPLE - 2))


class Swatch(QWidget):
    """A small sample of an area, beside the sentence about it."""

    def __init__(self, area: Area) -> None:
        super().__init__()
        self._area = area
        self.setFixedSize(SAMPLE, SAMPLE)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the sample."""
        draw_sample(smooth_painter(self), self._area, 0)


Floats = npt.NDArray[np.float64]
Numbers = TypeVar("Numbers", float, Floats)
Ghost = tuple[ThresholdState, str]  # a curve for comparison, and its label

TOP = 1.08  # room for the handle of the threshold line
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2)  # between two ticks
MOST_TICKS = 7


class PlotScale(NamedTuple):
    """What a rectangle shows of two numbers: of the curve, resemblances and probabilities.

    Attributes:
        area: Logical pixels.
        low: What stands at the left.
        high: What stands at the right.
        bottom: What stands at the lower edge.
        top: What stands at the upper edge.
    """

    area: QRectF
    low: float = 0.0
    high: float = 1.0
    bottom: float = 0.0
    top: float = TOP

    def x(self, across: Numbers) -> Numbers:
        """The x of a number, in pixels; also of many."""
        return (across - self.low) / (self.high - self.low) * self.area.width() + self.area.left()

    def y(self, up: Numbers) -> Numbers:
        """The y of a number, in pixels; also of many."""
        height = self.area.height() / (self.top - self.bottom)
        return self.area.bottom() - (up - self.bottom) * height

    def point(self, across: float, up: float) -> QPointF:
        """The point of both, in pixels."""
        return QPointF(self.x(across), self.y(up))

    def line(self, across: Floats, up: Floats) -> QPolygonF:
        """The points of a line; both arrays are float64 (n,)."""
        points = zip(self.x(across).tolist(), self.y(up).tolist(), strict=True)
        return QPolygonF([QPointF(*point) for point in points])

    def across(self, x: float) -> float:
        """What stands at an x, which may be outside of the area."""
        share = (x - self.area.left()) / max(self.area.width(), 1.0)
        return self.low + share * (self.high - self.low)

    def up(self, y: float) -> float:
        """What stands at a y, which may be outside of the area."""
        share = (self.area.bottom() - y) / max(self.area.height(), 1.0)
        return self.bottom + share * (self.top - self.bottom)

    def shows(self, resemblance: float) -> bool:
        """Whether a resemblance is in sight."""
        return self.low <= resemblance <= self.high

    @property
    def ticks(self) -> list[float]:
        """The ticks: round resemblances in sight, few enough to read."""
        span = self.high - self.low
        step = next((interval for interval in STEPS if span / interval < MOST_TICKS), STEPS[-1])
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [round(number * step, 2) for number in range(first, last + 1)]


def tick_words(value: float) -> str:
    """A tick: 0, 0.2, 1."""
    return two_decimals(value).rstrip("0").rstrip(".,") if value else "0"


POINTS = 301  # of a curve
MARK = 4.0  # pixels, half of a mark's width
CAP = 3.0  # pixels, half of the end of an interval
HIGHEST, LOWEST, STEP = 0.84, 0.2, 0.11  # where names stand, one below the other


def draw_curve(painter: QPainter, scale: PlotScale, state: ThresholdState) -> None:
    """The curve and its two areas, in logical pixels within the area of a scale."""
    s = np.linspace(scale.low, scale.high, POINTS)
    p = state.probabilities(s)
    threshold = min(max(state.min_resemblance, scale.low), scale.high)
    at_threshold, above = state.probability(threshold), s > threshold
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    is_file = painter.paintEngine().type() is not QPaintEngine.Type.Raster
    missed = np.r_[threshold, s[above]], np.r_[at_threshold, p[above]]
    extra = np.r_[s[~above], threshold], np.r_[p[~above], at_threshold]
    lined = np.arange(POINTS) % max(1, round(LINE_GAP * POINTS / max(scale.area.width(), 1))) == 0
    for area, (x, y), end, lines in (
        (Area.EXTRA, extra, 0.0, lined & ~above),
        (Area.MISSED, missed, 1.0, lined & above),
    ):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(
            tint(area) if is_file else tile(area, painter.device().devicePixelRatioF())
        )
        outline = scale.line(x, y)
        outline.append(scale.point(float(x[-1]), end))
        outline.append(scale.point(float(x[0]), end))
        painter.drawPolygon(outline)
        if not is_file:
            continue
        painter.setPen(hatching(area))
        for s_at, p_at in zip(s[lines].tolist(), p[lines].tolist(), strict=True):
            painter.drawLine(QLineF(scale.point(s_at, p_at), scale.point(s_at, end)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colors().accent, 2.0))
    painter.drawPolyline(scale.line(s, p))


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


def draw_line(painter: QPainter, scale: PlotScale, threshold: float, *, held: bool) -> None:
    """The threshold, with a handle at its upper end."""
    if not scale.shows(threshold):
        return
    now = colors()
    x = scale.x(threshold)
    painter.setPen(QPen(now.text, 2.4 if held else 1.4))
    painter.drawLine(QPointF(x, scale.area.top()), QPointF(x, scale.area.bottom()))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(now.text)
    painter.drawPolygon(_triangle(QPointF(x, scale.area.top() + 7), 6.0, up=False))


def draw_names(painter: QPainter, scale: PlotScale, ghosts: Sequence[Ghost], font: QFont) -> None:
    """The names of the curves kept for comparison, each beside its curve."""
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    painter.setPen(colors().muted)
    s = np.linspace(scale.low, scale.high, POINTS)
    for number, (state, name) in enumerate(ghosts):
        height = max(LOWEST, HIGHEST - number * STEP)
        x = scale.x(float(np.interp(height, state.probabilities(s), s)))
        width = metrics.horizontalAdvance(name) + 2
        left = x - width - 6 if x + width + 6 > scale.area.right() else x + 6
        box = QRectF(left, scale.y(height) - metrics.height() / 2, width, metrics.height())
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), name)


def draw_points(painter: QPainter, scale: PlotScale, points: AuditPoints) -> None:
    """The points that an audit measured, with their intervals and ranges of resemblance."""
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
    """The current pair on the curve: a line up to it, and a diamond."""
    resemblance = pair.figures.resemblance
    if not scale.shows(resemblance):
        return
    now = colors()
    foot = scale.point(resemblance, 0.0)
    point = scale.point(resemblance, pair.chance(state))
    painter.setPen(QPen(now.text, 1.0, Qt.PenStyle.DashLine))
    painter.drawLine(foot, point)
    painter.setPen(QPen(now.base, 1.0))
    painter.setBrush(now.text)
    size = MARK + 2
    corners = ((0.0, -size), (size, 0.0), (0.0, size), (-size, 0.0))
    painter.drawPolygon(QPolygonF([point + QPointF(*corner) for corner in corners]))


def _triangle(tip: QPointF, half: float, *, up: bool) -> QPolygonF:
    """A triangle that points up from a foot, or down to a tip."""
    if up:
        return QPolygonF(
            [tip + QPointF(-half, 0), tip + QPointF(half, 0), tip - QPointF(0, 2 * half)]
        )
    return QPolygonF([tip, tip + QPointF(-half, -half - 1), tip + QPointF(half, -half - 1)])


TALLEST_BAR = 0.92  # of the plot's height: bars stay below the curve's upper end
BAR_WIDTH = 0.88  # of a class
HEIGHTS = (0.0, 0.5, 1.0)
AIR = 4.0  # pixels between an axis and its words


def _draw_legend(painter: QPainter, below: QRectF, metrics: QFontMetricsF, where: str) -> None:
    """The key to the two shades of the bars, below the axis where there is room."""
    words = (gettext("listed"), where)
    width = sum(metrics.horizontalAdvance(word) + 34 for word in words)
    if below.width() / 2 < width + metrics.horizontalAdvance(gettext("resemblance")):
        return
    x = below.right() - width + 16
    for word, color in zip(words, _shades(), strict=True):
        painter.fillRect(QRectF(x, below.center().y() - 4, 9, 9), color)
        box = QRectF(x + 14, below.top(), 200, below.height())
        write(painter, box, Qt.AlignmentFlag.AlignLeft, word)
        x += metrics.horizontalAdvance(word) + 34


def _fill(painter: QPainter, scale: PlotScale, heights: Floats, color: QColor) -> None:
    number = len(heights)
    for index in np.flatnonzero(heights).tolist():
        middle = (index + 0.5) / number
        left = scale.x(middle - BAR_WIDTH / 2 / number)
        right = scale.x(middle + BAR_WIDTH / 2 / number)
        if right > scale.area.left() and left < scale.area.right():
            top = scale.y(TALLEST_BAR * float(heights[index]))
            box = QRectF(QPointF(left, top), QPointF(right, scale.y(0.0)))
            painter.fillRect(box & scale.area, color)


def _shades() -> tuple[QColor, QColor]:
    """The colours of bars: listed pairs, and pairs of the folder."""
    now = colors()
    return now.bars, mix(now.bars, now.window, 0.5)


def write(painter: QPainter, box: QRectF, side: Qt.AlignmentFlag, text: str) -> None:
    """Write a word into a box, in the middle of its height."""
    painter.drawText(box, int(side | Qt.AlignmentFlag.AlignVCenter), text)


SMALL_FONT = 0.86
NEAR = 6.0  # pixels from the line, within which it is taken
CLOSE = 0.5  # of all resemblances
LEAST_SPAN = 0.05
DRAGGED_DECIMALS = 2  # as exact as a hand can drag
ROOM_FOR_CURVE = (-1.0, 0.0, 1.0, 1.0)  # pixels around the area: a line is as wide as its pen
AROUND = (8.0, 4.0, 16.0, 8.0)  # pixels around a picture that stands alone


class CurvePlot(FollowsLooks, HasHints):
    """Draws a model, again whenever it changes; the threshold line can be dragged.

    What does not change from pair to pair is painted once and kept as pixels.

    Signals:
        threshold_dragged: To this resemblance.
    """

    threshold_dragged = Signal(float)

    def __init__(
        self, model: ThresholdModel, parent: QWidget | None = None, *, counted: bool = False
    ) -> None:
        """With `counted`, numbers of pairs are shown at the right."""
        super().__init__(parent)
        self._model = model
        self._range = (0.0, 1.0)
        self._counted = counted
        self._is_marked = True
        self._kept: QPixmap | None = None  # the ground and the curve
        self._is_kept = False  # as they are now: new pixels take longer than the old ones, painted
        self._title, self._left = "", ""  # of a picture that stands alone
        self._held = False
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(gettext("S-curve"))
        model.changed.connect(self.renew)
        model.folder_changed.connect(self.renew)
        model.kept_changed.connect(self.renew)
        model.judged_changed.connect(self.renew)
        model.audit_changed.connect(self.update)
        model.pair_changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """The size in the panel at its usual width."""
        return QSize(330, 200)

    def set_marked(self, *, is_marked: bool) -> None:
        """Show or hide the steepest point and the rule of thumb."""
        self._is_marked = is_marked
        self.update()

    @property
    def bars(self) -> Bars | None:
        """The folder's pairs, in narrow classes where there is room; None without a folder."""
        folder = self._model.folder
        return None if folder is None else folder.fine_bars if self.is_close else folder.bars

    @property
    def where(self) -> str:
        """A sentence on where the folder's pairs lie."""
        return gettext(self._model.folder.where) if self._model.folder else ""

    @property
    def ghosts(self) -> list[Ghost]:
        """Curves for comparison."""
        kept, beside = self._model.kept, self._model.other_beside
        curves = [(state, gettext("{curve} (pinned)", curve=state.name)) for state in kept]
        return curves if beside is None else [*curves, (beside, beside.name)]

    def renew(self) -> None:
        """Paint again, including the cached pixels."""
        self._is_kept = False
        self.update()

    follow_looks = renew

    @property
    def is_close(self) -> bool:
        """Whether a small part of the curve is in sight, so that bars can be narrower."""
        low, high = self._range
        return high - low <= CLOSE

    def show_range(self, low: float, high: float) -> None:
        """Show a part of the curve."""
        span = min(max(high - low, LEAST_SPAN), 1.0)
        low = min(max(low, 0.0), 1.0 - span)
        self._range = (low, low + span)
        self.renew()

    @property
    def scale(self) -> PlotScale:
        """The scale of the visible part."""
        return PlotScale(QRectF(self.rect()).marginsRemoved(self._margins), *self._range)

    def entitle(self, title: str, left: str) -> None:
        """Set a title and the label of the vertical axis, for a picture without controls."""
        self._title, self._left = title, left

    def draw(self, painter: QPainter) -> None:
        """Draw everything, onto an image or into a file of lines."""
        scale = self.scale
        painter.fillRect(self.rect(), colors().base if self._title else colors().window)
        self._draw_ground(painter, scale)
        self._draw_title(painter, scale)
        self._draw_curve(painter, scale)
        self._draw_over_curve(painter, scale)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Drop the cached pixels."""
        super().resizeEvent(event)
        self._kept = None

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the cached pixels, and the layers over them."""
        scale, ratio = self.scale, self.devicePixelRatioF()
        if self._kept is None or self._kept.devicePixelRatioF() != ratio:
            self._kept, self._is_kept = sharp_pixmap(self.size(), ratio, colors().window), False
        if not self._is_kept:
            self._kept.fill(colors().window)
            painter = QPainter(self._kept)
            self._draw_ground(painter, scale)
            self._draw_curve(painter, scale)
            painter.end()
            self._is_kept = True
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._kept)
        self._draw_over_curve(painter, scale)

    def hint_at(self, position: QPointF) -> str:
        """What the curve says there."""
        inside = self.scale.area.contains(position)
        return self._words_at(self.scale.across(position.x())) if inside else ""

    def _words_at(self, resemblance: float) -> str:
        return position_words(self._model.state, self._model.folder, resemblance)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start to drag the line if it is near."""
        if event.button() is Qt.MouseButton.LeftButton and self._is_near(event):
            self._hold(True)
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the line, or show that it can be dragged."""
        if self._held:
            threshold = min(max(self.scale.across(event.position().x()), 0.0), 1.0)
            self.threshold_dragged.emit(round(threshold, DRAGGED_DECIMALS))
            return
        self._show_cursor(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the line."""
        if self._held:
            self._hold(False)
        else:
            super().mouseReleaseEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Let go of the line: the mouse button is released elsewhere."""
        if self._held:
            self._hold(False)
        super().hideEvent(event)

    def _show_cursor(self, event: QMouseEvent) -> None:
        near = self._is_near(event)
        self.setCursor(Qt.CursorShape.SizeHorCursor if near else Qt.CursorShape.ArrowCursor)

    def _is_near(self, event: QMouseEvent) -> bool:
        threshold = self._model.state.min_resemblance
        return math.fabs(self.scale.x(threshold) - event.position().x()) <= NEAR

    def _hold(self, held: bool) -> None:
        self._held = held
        self._model.hold(held)
        self.update()

    @property
    def small_font(self) -> QFont:
        """The font of the words in the picture."""
        return scaled(self.font(), SMALL_FONT)

    @property
    def _margins(self) -> QMarginsF:
        """Room for the words at the axes, and around a picture that stands alone."""
        metrics = QFontMetricsF(self.small_font)
        left = max(metrics.horizontalAdvance(tick_words(height)) for height in HEIGHTS) + 2 * AIR
        words = [word for _height, word in self._bar_ticks] if self._counted else []
        right = max([metrics.horizontalAdvance(word) + 2 * AIR for word in words], default=9.0)
        around = QMarginsF(left, 0.0, max(right, 9.0), 2 * metrics.height() + 6)
        if self._title:
            left, top, right, bottom = AROUND
            line = QFontMetricsF(self.font()).height() + 4
            around += QMarginsF(left + line, top + line, right, bottom)
        return around

    @property
    def _bar_ticks(self) -> list[tuple[float, str]]:
        """Heights of bars and the numbers of pairs that they stand for."""
        bars = self.bars
        ticks = bars.ticks(logarithmic=self._model.logarithmic) if bars else ()
        return [(share, about(pairs)) for share, pairs in ticks]

    def _draw_ground(self, painter: QPainter, scale: PlotScale) -> None:
        """Bars, curves for comparison, what verdicts say, and the words around them."""
        painter.save()
        painter.setClipRect(scale.area)
        if bars := self.bars:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            heights = bars.heights(logarithmic=self._model.logarithmic)
            for of_class, color in zip(heights[::-1], _shades()[::-1], strict=True):
                _fill(painter, scale, of_class, color)
        now = colors()
        painter.setPen(QPen(now.border, 1.0))
        for height in HEIGHTS:
            y = round(scale.y(height)) + 0.5
            painter.drawLine(QPointF(scale.area.left(), y), QPointF(scale.area.right(), y))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(now.muted, 1.2, Qt.PenStyle.DashLine))
        s = np.linspace(scale.low, scale.high, POINTS)
        for state, _name in self.ghosts:
            painter.drawPolyline(scale.line(s, state.probabilities(s)))
        if self._model.judged.steps is not None:
            painter.setPen(QPen(now.text, 1.4))
            painter.drawPolyline(scale.line(*self._model.judged.steps))
        painter.restore()
        self._draw_axes(painter, scale)

    def _draw_axes(self, painter: QPainter, scale: PlotScale) -> None:
        """The words around the area."""
        metrics, area = QFontMetricsF(self.small_font), scale.area
        height = metrics.height()
        painter.setFont(self.small_font)
        painter.setPen(colors().muted)
        for probability in HEIGHTS:
            box = QRectF(0, scale.y(probability) - height / 2, area.left() - AIR, height)
            write(painter, box, Qt.AlignmentFlag.AlignRight, tick_words(probability))
        for tick in scale.ticks:
            box = QRectF(scale.x(tick) - 50, area.bottom() + AIR, 100, height)
            write(painter, box, Qt.AlignmentFlag.AlignHCenter, tick_words(tick))
        below = QRectF(area.left(), area.bottom() + AIR + height, area.width(), height)
        write(painter, below, Qt.AlignmentFlag.AlignHCenter, gettext("resemblance"))
        if not self._counted or self.bars is None:
            return
        for share, word in self._bar_ticks:
            top = scale.y(TALLEST_BAR * share) - height / 2
            box = QRectF(area.right() + AIR, top, 200, height)
            write(painter, box, Qt.AlignmentFlag.AlignLeft, word)
        _draw_legend(painter, below, metrics, self.where)

    def _draw_curve(self, painter: QPainter, scale: PlotScale) -> None:
        painter.save()
        painter.setClipRect(scale.area.adjusted(*ROOM_FOR_CURVE))
        draw_curve(painter, scale, self._model.state)
        draw_names(painter, scale, self.ghosts, self.small_font)
        painter.restore()

    def _draw_over_curve(self, painter: QPainter, scale: PlotScale) -> None:
        model, state = self._model, self._model.state
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.save()
        painter.setClipRect(scale.area.adjusted(*ROOM_FOR_CURVE))
        draw_points(painter, scale, model.audit_points)
        if model.pair_at_hand is not None:
            draw_pair(painter, scale, state, model.pair_at_hand)
        painter.restore()
        if self._is_marked:
            draw_marks(painter, scale, state)
        draw_line(painter, scale, state.min_resemblance, held=self._held)

    def _draw_title(self, painter: QPainter, scale: PlotScale) -> None:
        if not self._title:
            return
        now, area = colors(), scale.area
        painter.setFont(self.font())
        painter.setPen(now.text)
        above = QRectF(0, AROUND[1], self.width(), area.top() - AROUND[1])
        painter.drawText(above, int(Qt.AlignmentFlag.AlignCenter), self._title)
        painter.save()
        painter.setPen(now.muted)
        painter.translate(AROUND[0], area.bottom())
        painter.rotate(-90)
        beside = QRectF(0, 0, area.height(), QFontMetricsF(self.font()).height())
        painter.drawText(beside, int(Qt.AlignmentFlag.AlignCenter), self._left)
        painter.restore()
