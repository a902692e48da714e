"""The map of all settings: missed pairs against candidates, the efficient ones joined."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from core.base.messages import gettext
from core.reports.curve.state import ThresholdState
from neardup_gui.environment.theme import colors
from neardup_gui.models.workbench.settings_map import Mark, SettingsMap
from neardup_gui.views.widgets.layouts import column_in

if TYPE_CHECKING:
    from neardup_gui.views.workbench.map_plot import MapPlot


FRAME = 2  # pixels around the plot, of the frame that shows the focus
STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: -1,
}
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
        self._plot: MapPlot | None = None
        self._column = column_in(self, margins=FRAME)

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
        self._plot = self._plot or self._new_plot()
        self._plot.show_map(settings_map)
        self._draw_marks()

    # Paint

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw a frame around the map while it has the focus."""
        if self.hasFocus():
            painter = QPainter(self)
            painter.setPen(QPen(colors().accent, 1.4))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the scheme and the size of the text."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.PaletteChange, QEvent.Type.FontChange}:
            self.updateGeometry()
            if self._plot:
                self._plot.apply_looks()

    def _new_plot(self) -> MapPlot:
        # Importing takes half a second; the task that counts the grid has done it on its thread.
        from neardup_gui.views.workbench.map_plot import MapPlot  # noqa: PLC0415

        plot = MapPlot(self)
        plot.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._column.addWidget(plot)
        return plot

    def _draw_marks(self) -> None:
        if self._map is None or self._plot is None:
            return
        states = [(state, Mark(0, "d")) for state in self._kept]
        if self._beside is not None:
            states.append((self._beside, Mark(0)))
        if self._present is not None:
            states.append((self._present, Mark(0, filled=True)))
        marks = [(self._map.index_of(state), mark) for state, mark in states]
        marks.append((self._hovered, Mark(0)))
        self._plot.show_marks([mark._replace(position=n) for n, mark in marks if n is not None])

    # Mouse and keys

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Emit the setting under the mouse."""
        self._hover(self._under(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Emit that no setting is under the mouse."""
        super().leaveEvent(event)
        self._hover(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the setting under the mouse."""
        index = self._under(event.position())
        if event.button() == Qt.MouseButton.LeftButton and index is not None and self._map:
            self.setting_chosen.emit(self._map.setting(index))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Home and End go along the efficient settings; Enter takes, Space pins."""
        settings_map, focused = self._map, self._beside or self._present
        key = Qt.Key(event.key())
        if settings_map is None or focused is None:
            super().keyPressEvent(event)
            return
        steps = {**STEPS, Qt.Key.Key_Home: -FAR, Qt.Key.Key_End: FAR}
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
        plot = self._plot
        return None if plot is None else plot.setting_at(position - QPointF(plot.pos()))

    def _hover(self, index: int | None) -> None:
        if index == self._hovered or self._map is None:
            return
        self._hovered = index
        self.setCursor(
            Qt.CursorShape.ArrowCursor if index is None else Qt.CursorShape.PointingHandCursor
        )
        self.hovered.emit(None if index is None else self._map.setting(index))
        self._draw_marks()
