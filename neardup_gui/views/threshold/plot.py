"""The picture of the threshold: the S-curve over the folder's pairs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from core.base.messages import gettext
from core.reports.curve.forecast_words import about
from core.reports.curve.state import ThresholdState
from neardup_gui.environment.theme import colors, mix
from neardup_gui.views.threshold.curve_layers import (
    Floats,
    PlotData,
    PlotScale,
    draw_curve,
    draw_line,
    draw_marks,
    draw_names,
    draw_pair,
    draw_points,
    tick_words,
)

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
    _write(painter, below, Qt.AlignmentFlag.AlignHCenter, gettext("resemblance"))
    if counted and data.bars is not None:
        for share, word in _bar_ticks(data):
            box = QRectF(area.right() + AIR, scale.y(TALLEST_BAR * share) - height / 2, 200, height)
            _write(painter, box, Qt.AlignmentFlag.AlignLeft, word)
        _draw_legend(painter, below, metrics, data.where)


def _draw_legend(painter: QPainter, below: QRectF, metrics: QFontMetricsF, where: str) -> None:
    """What the two shades of the bars are, in the line below the axis where there is room."""
    words = (gettext("listed"), where)
    width = sum(metrics.horizontalAdvance(word) + 34 for word in words)
    if below.width() / 2 < width + metrics.horizontalAdvance(gettext("resemblance")):
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
    in_list, in_folder = data.bars.heights(logarithmic=data.logarithmic)
    _fill(painter, scale, in_folder, everywhere)
    _fill(painter, scale, in_list, listed)


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


Hint = Callable[[float], str]

SMALL_FONT = 0.86
NEAR = 6.0  # pixels from the line, within which it is taken
CLOSE = 0.5  # of all resemblances
LEAST_SPAN = 0.05
DRAGGED_DECIMALS = 2  # as exact as a hand is
OVER_THE_CURVE = {"points", "pair", "marked"}  # fields of `PlotData` that are drawn last
ROOM_FOR_CURVE = (-1.0, 0.0, 1.0, 1.0)  # pixels around the area: a line is as wide as its pen
AROUND = (8.0, 4.0, 16.0, 8.0)  # pixels around a picture that stands alone


class CurvePlot(QWidget):
    """Draws what it is given; the threshold line can be dragged.

    What does not move with the threshold is painted once and kept as pixels, and so is the curve on
    it: from pair to pair only what is drawn over both changes.

    Attributes:
        data: What is drawn.

    Signals:
        threshold_dragged: To this resemblance.
        range_changed: Another part of the curve is in sight.
    """

    threshold_dragged = Signal(float)
    range_changed = Signal()

    def __init__(self, hint: Hint, parent: QWidget | None = None, *, counted: bool = False) -> None:
        """With `counted`, numbers of pairs stand at the right."""
        super().__init__(parent)
        self.data = PlotData(ThresholdState(1, 1, 0.0, 1))
        self._range = (0.0, 1.0)
        self._hint = hint
        self._counted = counted
        self._ground: QPixmap | None = None
        self._with_curve: QPixmap | None = None  # the ground and the curve
        self._title, self._left = "", ""  # of a picture that stands alone
        self._held = False
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(gettext("S-curve"))

    def sizeHint(self) -> QSize:
        """As in the panel at its usual width."""
        return QSize(330, 200)

    def show_state(self, state: ThresholdState) -> None:
        """Draw the curve, its areas, its marks and the threshold line."""
        self.data.state = state
        self._with_curve = None
        self.update()

    def show_others(self, **fields: object) -> None:
        """Draw other bars, kept curves, points or marks: fields of `PlotData`."""
        changed = {name for name, value in fields.items() if getattr(self.data, name) is not value}
        for name in changed:
            setattr(self.data, name, fields[name])
        if changed - OVER_THE_CURVE:
            self.renew()
        elif changed:
            self.update()

    def renew(self) -> None:
        """Paint also what was kept as pixels."""
        self._ground = self._with_curve = None
        self.update()

    @property
    def is_close(self) -> bool:
        """Whether a small part of the curve is in sight, so that bars can be narrower."""
        low, high = self._range
        return high - low <= CLOSE

    def show_range(self, low: float, high: float) -> None:
        """Bring a part of the curve into sight."""
        span = min(max(high - low, LEAST_SPAN), 1.0)
        low = min(max(low, 0.0), 1.0 - span)
        self._range = (low, low + span)
        self.renew()
        self.range_changed.emit()

    @property
    def scale(self) -> PlotScale:
        """Where what is in sight stands."""
        return PlotScale(self._margins.within(QRectF(self.rect())), *self._range)

    def describe(self, text: str) -> None:
        """Say in words what the picture shows, for those who cannot see it."""
        self.setAccessibleDescription(text)

    def entitle(self, title: str, left: str) -> None:
        """Give the picture a title and its height a name: it stands without the controls."""
        self._title, self._left = title, left

    def draw(self, painter: QPainter, ratio: float, *, as_lines: bool = False) -> None:
        """Draw everything, onto a screen, an image or into a file of lines."""
        scale = self.scale
        painter.fillRect(self.rect(), colors().base if self._title else colors().window)
        self._draw_ground(painter, scale)
        self._draw_title(painter, scale)
        self._draw_curve(painter, scale, ratio, as_lines=as_lines)
        self._draw_over_curve(painter, scale)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the scheme and the size of the text."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.PaletteChange, QEvent.Type.FontChange}:
            self.renew()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Nothing that was kept fits any more."""
        super().resizeEvent(event)
        self._ground = self._with_curve = None

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw what was kept, and what is over it."""
        scale, ratio = self.scale, self.devicePixelRatioF()
        if self._ground is None or self._ground.devicePixelRatioF() != ratio:
            self._ground, self._with_curve = self._painted_ground(scale, ratio), None
        if self._with_curve is None:
            self._with_curve = QPixmap(self._ground)
            painter = QPainter(self._with_curve)
            self._draw_curve(painter, scale, ratio, as_lines=False)
            painter.end()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._with_curve)
        self._draw_over_curve(painter, scale)

    def event(self, event: QEvent) -> bool:
        """Say what is under the mouse."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            scale, place = self.scale, event.pos().toPointF()
            inside = scale.area.contains(place)
            words = self._hint(scale.resemblance(place.x())) if inside else ""
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the line where it is near."""
        if event.button() is Qt.MouseButton.LeftButton and self._is_near(event):
            self._hold(True)
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the line, or show that it can be dragged."""
        if self._held:
            floor = min(max(self.scale.resemblance(event.position().x()), 0.0), 1.0)
            self.threshold_dragged.emit(round(floor, DRAGGED_DECIMALS))
            return
        self._show_cursor(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the line."""
        if self._held:
            self._hold(False)
        else:
            super().mouseReleaseEvent(event)

    def _show_cursor(self, event: QMouseEvent) -> None:
        near = self._is_near(event)
        self.setCursor(Qt.CursorShape.SizeHorCursor if near else Qt.CursorShape.ArrowCursor)

    def _is_near(self, event: QMouseEvent) -> bool:
        floor = self.data.state.min_resemblance
        return math.fabs(self.scale.x(floor) - event.position().x()) <= NEAR

    def _hold(self, held: bool) -> None:
        self._held = held
        self.update()

    @property
    def small_font(self) -> QFont:
        """Of the words in the picture."""
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * SMALL_FONT)
        return font

    @property
    def _margins(self) -> Margins:
        around = margins(self.small_font, self.data, counted=self._counted)
        if not self._title:
            return around
        left, top, right, bottom = AROUND
        line = QFontMetricsF(self.font()).height() + 4
        return Margins(
            around.left + left + line, top + line, around.right + right, around.bottom + bottom
        )

    def _painted_ground(self, scale: PlotScale, ratio: float) -> QPixmap:
        ground = QPixmap(self.size() * ratio)
        ground.setDevicePixelRatio(ratio)
        ground.fill(colors().window)
        painter = QPainter(ground)
        self._draw_ground(painter, scale)
        painter.end()
        return ground

    def _draw_ground(self, painter: QPainter, scale: PlotScale) -> None:
        painter.save()
        painter.setClipRect(scale.area)
        draw_ground(painter, scale, self.data)
        painter.restore()
        draw_axes(painter, scale, self.data, self.small_font, counted=self._counted)

    def _draw_curve(
        self, painter: QPainter, scale: PlotScale, ratio: float, *, as_lines: bool
    ) -> None:
        painter.save()
        painter.setClipRect(scale.area.adjusted(*ROOM_FOR_CURVE))
        draw_curve(painter, scale, self.data.state, ratio, as_lines=as_lines)
        draw_names(painter, scale, self.data, self.small_font)
        painter.restore()

    def _draw_over_curve(self, painter: QPainter, scale: PlotScale) -> None:
        data = self.data
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.save()
        painter.setClipRect(scale.area.adjusted(*ROOM_FOR_CURVE))
        draw_points(painter, scale, data.points)
        if data.pair is not None:
            draw_pair(painter, scale, data.state, data.pair)
        painter.restore()
        if data.marked:
            draw_marks(painter, scale, data.state)
        draw_line(painter, scale, data.state.min_resemblance, held=self._held)

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
