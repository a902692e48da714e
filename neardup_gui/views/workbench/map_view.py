"""The map of all settings: dots on two logarithmic axes, and marks over them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QWidget

from core.base.messages import N_, gettext
from core.reports.curve.state import ThresholdState
from neardup_gui.environment.theme import colors, mix, see_through, smooth_painter
from neardup_gui.models.workbench.settings_table import SettingsMap
from neardup_gui.views.threshold.plot import PlotScale, write
from neardup_gui.views.widgets.labels import paint_focus, scaled

SMALL_FONT = 0.86
EDGE, GAP = 6.0, 5.0  # pixels around the plot, and between an axis and its words
AIR = 0.05  # of the width and height, around the outermost dots
REACH = 14.0  # pixels from a dot within which the mouse is on it
DOT, EFFICIENT, RING, HEART = 3.0, 6.0, 11.0, 6.0  # pixels across
DIAMOND = ((0.0, -0.5), (0.4, 0.0), (0.0, 0.5), (-0.4, 0.0))  # of a pinned one, in rings
ACROSS, UP = N_("candidates to compare"), N_("missed")
UP_BY_BANDS = N_("missed by bands alone")
KEY_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -1}
FAR = 1 << 20  # more than there are settings
TAKING = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class MapView(QWidget):
    """Draws the settings it is given; mouse and keys choose among them.

    Signals:
        hovered: The `ThresholdState` under the mouse, or None.
        setting_focused: The `ThresholdState` that the keys have reached.
        setting_chosen: The `ThresholdState` that the user wants to use.
        pinned: The `ThresholdState` whose curve is to be pinned or unpinned.
    """

    hovered = Signal(object)
    setting_focused = Signal(object)
    setting_chosen = Signal(object)
    pinned = Signal(object)

    def __init__(self) -> None:
        super().__init__(focusPolicy=Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(gettext("Map of all settings"))
        self._map: SettingsMap | None = None
        self._present: ThresholdState | None = None
        self._kept: tuple[ThresholdState, ...] = ()
        self._beside: ThresholdState | None = None
        self._hovered: int | None = None

    def sizeHint(self) -> QSize:
        """Somewhat wider than high."""
        return QSize(380, 220)

    def minimumSizeHint(self) -> QSize:
        """A size with room for a few numbers on both axes."""
        letters = self.fontMetrics().height()
        return QSize(13 * letters, 7 * letters)

    def show_map(
        self,
        settings_map: SettingsMap,
        present: ThresholdState,
        kept: Iterable[ThresholdState],
        beside: ThresholdState | None,
    ) -> None:
        """Show all settings, and mark some."""
        if self._map is not settings_map:
            self._hovered = None
        self._map, self._present = settings_map, present
        self._kept, self._beside = tuple(kept), beside
        self.update()

    @property
    def scale(self) -> PlotScale:
        """Where numbers stand."""
        metrics = QtGui.QFontMetricsF(self._small_font)
        ticks = self._map.up_scale.ticks if self._map else ()
        left = max((metrics.horizontalAdvance(tick.text) for tick in ticks), default=0.0)
        line = metrics.height()
        edges = (EDGE + left + GAP, EDGE + line + GAP, -EDGE, -EDGE - GAP - 2 * line)
        area = QRectF(self.rect()).adjusted(*edges)
        return PlotScale(area, -AIR, 1 + AIR, -AIR, 1 + AIR)

    # Paint

    @property
    def _small_font(self) -> QtGui.QFont:
        return scaled(self.font(), SMALL_FONT)

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        """Draw the dots of all settings, join the efficient ones, and mark some."""
        painter = smooth_painter(self)
        if self._map is not None:
            scale, now = self.scale, colors()
            self._draw_axes(painter, scale, self._map)
            shown, best = np.isfinite(self._map.across), self._map.frontier
            joined = scale.line(self._map.across[best], self._map.up[best])
            every = scale.line(self._map.across[shown], self._map.up[shown])
            painter.setPen(_dots(mix(now.muted, now.base, 0.55), DOT))
            painter.drawPoints(every)
            painter.setPen(QtGui.QPen(mix(now.accent, now.base, 0.6), 1.2))
            painter.drawPolyline(joined)
            painter.setPen(_dots(now.accent, EFFICIENT))
            painter.drawPoints(joined)
            self._draw_marks(painter, scale, self._map)
        paint_focus(painter, self)

    def _draw_axes(
        self, painter: QtGui.QPainter, scale: PlotScale, settings_map: SettingsMap
    ) -> None:
        now, area = colors(), scale.area
        line = QtGui.QFontMetricsF(self._small_font).height()
        painter.fillRect(area, now.base)
        painter.setFont(self._small_font)
        for tick in settings_map.across_scale.ticks:
            x = round(scale.x(tick.position)) + 0.5
            painter.setPen(see_through(now.border, 0.5))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            painter.setPen(now.muted)
            box = QRectF(x - 50, area.bottom() + GAP, 100, line)
            write(painter, box, Qt.AlignmentFlag.AlignHCenter, tick.text)
        for tick in settings_map.up_scale.ticks:
            y = round(scale.y(tick.position)) + 0.5
            painter.setPen(see_through(now.border, 0.5))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(now.muted)
            box = QRectF(0, y - line / 2, area.left() - GAP, line)
            write(painter, box, Qt.AlignmentFlag.AlignRight, tick.text)
        below = QRectF(area.left(), area.bottom() + GAP + line, area.width(), line)
        write(painter, below, Qt.AlignmentFlag.AlignHCenter, gettext(ACROSS))
        # Above the plot: beside a low one, upright words would be cut.
        up = gettext(UP_BY_BANDS if settings_map.of_bands else UP)
        above = QRectF(EDGE, EDGE, self.width(), line)
        write(painter, above, Qt.AlignmentFlag.AlignLeft, up)
        painter.setPen(now.border)
        painter.drawPolyline([area.topLeft(), area.bottomLeft(), area.bottomRight()])

    def _draw_marks(
        self, painter: QtGui.QPainter, scale: PlotScale, settings_map: SettingsMap
    ) -> None:
        states = [(state, True) for state in self._kept]
        states += [(state, False) for state in (self._beside, self._present) if state is not None]
        marked = [(settings_map.index_of(state), pinned, state) for state, pinned in states]
        now, metrics = colors(), QtGui.QFontMetricsF(self._small_font)
        for index, is_pinned, state in (*marked, (self._hovered, False, None)):
            if index is None:
                continue
            across = float(settings_map.across[index])
            center = scale.point(across, float(settings_map.up[index]))
            painter.setPen(QtGui.QPen(now.text, 1.6))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if is_pinned:
                painter.drawPolygon([center + QPointF(*corner) * RING for corner in DIAMOND])
            else:
                painter.drawEllipse(center, RING / 2, RING / 2)
            if state is self._present and not is_pinned:
                painter.setPen(_dots(now.text, HEART))
                painter.drawPoint(center)
            name = settings_map.setting(index).name
            box = QRectF(0, 0, metrics.horizontalAdvance(name) + 2 * GAP, metrics.height() + GAP)
            apart = (RING + box.width()) / 2
            box.moveCenter(center + QPointF(apart if across < 0.7 else -apart, 0))
            painter.fillRect(box, see_through(now.base, 0.8))
            painter.setPen(now.text)
            write(painter, box, Qt.AlignmentFlag.AlignHCenter, name)

    # Mouse and keys

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """Emit the setting under the mouse."""
        self._hover(self._under(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Emit that no setting is under the mouse."""
        super().leaveEvent(event)
        self._hover(None)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Take the setting under the mouse."""
        index = self._under(event.position())
        if event.button() == Qt.MouseButton.LeftButton and index is not None and self._map:
            self.setting_chosen.emit(self._map.setting(index))

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Arrows, Home and End go along the efficient settings; Enter takes, Space pins."""
        settings_map, focused = self._map, self._beside or self._present
        key = Qt.Key(event.key())
        if settings_map is None or focused is None:
            super().keyPressEvent(event)
            return
        steps = {**KEY_STEPS, Qt.Key.Key_Home: -FAR, Qt.Key.Key_End: FAR}
        if key in steps:
            reached = settings_map.next_efficient(focused, steps[key])
            self.setting_focused.emit(settings_map.setting(reached))
            return
        index = settings_map.index_of(focused)
        if index is not None and key in TAKING:
            self.setting_chosen.emit(settings_map.setting(index))
        elif index is not None and key == Qt.Key.Key_Space:
            self.pinned.emit(settings_map.setting(index))
        else:
            super().keyPressEvent(event)

    def _under(self, position: QPointF) -> int | None:
        scale = self.scale
        if self._map is None or scale.area.isEmpty():
            return None
        reach = (
            REACH * (scale.high - scale.low) / scale.area.width(),
            REACH * (scale.top - scale.bottom) / scale.area.height(),
        )
        return self._map.nearest(scale.across(position.x()), scale.up(position.y()), reach)

    def _hover(self, index: int | None) -> None:
        if index == self._hovered or self._map is None:
            return
        self._hovered = index
        self.setCursor(
            Qt.CursorShape.ArrowCursor if index is None else Qt.CursorShape.PointingHandCursor
        )
        self.hovered.emit(None if index is None else self._map.setting(index))
        self.update()


def _dots(color: QtGui.QColor, width: float) -> QtGui.QPen:
    return QtGui.QPen(color, width, c=Qt.PenCapStyle.RoundCap)
