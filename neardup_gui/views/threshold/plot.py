"""The picture of the threshold: the S-curve over the folder's pairs."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from core.reports.curve.state import ThresholdState
from neardup_gui.environment.theme import colors
from neardup_gui.views.threshold.curve_layers import (
    draw_curve,
    draw_line,
    draw_marks,
    draw_names,
    draw_pair,
    draw_points,
)
from neardup_gui.views.threshold.ground import Margins, draw_axes, draw_ground, margins
from neardup_gui.views.threshold.plot_data import PlotData
from neardup_gui.views.threshold.scale import PlotScale

Hint = Callable[[float], str]

SMALL_FONT = 0.86
NEAR = 6.0  # pixels from the line, within which it is taken
CLOSE = 0.5  # of all resemblances
LEAST_SPAN = 0.05
DRAGGED_DECIMALS = 2  # as exact as a hand is
AROUND = (8.0, 4.0, 16.0, 8.0)  # pixels around a picture that stands alone


class CurvePlot(QWidget):
    """Draws what it is given; the threshold line can be dragged.

    What does not move with the threshold is painted once and kept as pixels.

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
        self._title, self._left = "", ""  # of a picture that stands alone
        self._held = False
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("S-curve")

    def sizeHint(self) -> QSize:
        """As in the panel at its usual width."""
        return QSize(330, 200)

    def show_state(self, state: ThresholdState) -> None:
        """Draw the curve, its areas, its marks and the threshold line."""
        self.data.state = state
        self.update()

    def show_others(self, **fields: object) -> None:
        """Draw other bars, kept curves, points or marks: fields of `PlotData`."""
        for name, value in fields.items():
            setattr(self.data, name, value)
        self.renew()

    def renew(self) -> None:
        """Paint also what was kept as pixels."""
        self._ground = None
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
        self._draw_moving(painter, scale, ratio, as_lines=as_lines)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the scheme and the size of the text."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.PaletteChange, QEvent.Type.FontChange}:
            self.renew()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Nothing that was kept fits any more."""
        super().resizeEvent(event)
        self._ground = None

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw what was kept, and what moves over it."""
        scale, ratio = self.scale, self.devicePixelRatioF()
        if self._ground is None or self._ground.devicePixelRatioF() != ratio:
            self._ground = self._painted_ground(scale, ratio)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._ground)
        self._draw_moving(painter, scale, ratio, as_lines=False)

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

    def _draw_moving(
        self, painter: QPainter, scale: PlotScale, ratio: float, *, as_lines: bool
    ) -> None:
        data = self.data
        painter.save()
        painter.setClipRect(scale.area.adjusted(-1, 0, 1, 1))
        draw_curve(painter, scale, data.state, ratio, as_lines=as_lines)
        draw_names(painter, scale, data, self.small_font)
        draw_points(painter, scale, data.points)
        if data.pair is not None:
            draw_pair(painter, scale, data.state, data.pair)
        painter.restore()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
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
