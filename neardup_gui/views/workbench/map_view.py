"""The map of all settings: missed pairs against candidates, the efficient ones joined."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from neardup_gui.environment.theme import colors
from neardup_gui.models.threshold.state import ThresholdState
from neardup_gui.models.workbench.plane_map import PlaneMap
from neardup_gui.models.workbench.setting_rows import Setting
from neardup_gui.views.workbench.map_drawing import MapDrawing

__all__ = ["MapView"]

HEART = 3.0  # radius of the dot in the mark of the setting in use
PLACES = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: -1,
}
FAR = 1 << 20  # more than there are settings
TAKING = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
ACROSS, UP = "candidates to compare", "missed"


class MapView(QWidget):
    """Draws the settings it is given; one is met by the mouse, or reached by keys.

    Signals:
        met: The `Setting` under the mouse; None where there is none.
        looked_at: The `Setting` that the keys have reached.
        taken: The `Setting` that the user wants to use.
        pinned: The `Setting` whose curve is to be kept, or kept no longer.
    """

    met = Signal(object)
    looked_at = Signal(object)
    taken = Signal(object)
    pinned = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Map of all settings")
        self._map: PlaneMap | None = None
        self._present: Setting | ThresholdState | None = None
        self._kept: tuple[ThresholdState, ...] = ()
        self._beside: ThresholdState | None = None
        self._met: int | None = None
        self._drawn: tuple[object, MapDrawing] | None = None
        self._cache: tuple[object, QPixmap] | None = None

    def sizeHint(self) -> QSize:
        """Somewhat wider than high."""
        return QSize(380, 220)

    def minimumSizeHint(self) -> QSize:
        """Room for a few numbers on both axes."""
        letters = self.fontMetrics().height()
        return QSize(13 * letters, 7 * letters)

    def show_map(
        self,
        plane_map: PlaneMap,
        present: ThresholdState,
        kept: Iterable[ThresholdState],
        beside: ThresholdState | None,
    ) -> None:
        """Show all settings, and mark some."""
        if self._map is not plane_map:
            self._met = None
        self._map, self._present = plane_map, present
        self._kept, self._beside = tuple(kept), beside
        self.update()

    # Paint

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The settings from the cache, marks over them."""
        drawing = self._drawing
        if drawing is None:
            return
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture(drawing))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(drawing.font)
        self._draw_marks(painter, drawing)
        if self.hasFocus():
            painter.setPen(QPen(colors().accent, 1.4))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the scheme and the size of the text."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.PaletteChange, QEvent.Type.FontChange}:
            self._cache = None
            self.updateGeometry()
            self.update()

    def _picture(self, drawing: MapDrawing) -> QPixmap:
        ratio = self.devicePixelRatioF()
        if self._cache is None or self._cache[0] != (drawing, ratio):
            picture = QPixmap(self.size() * ratio)
            picture.setDevicePixelRatio(ratio)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            drawing.draw(painter)
            painter.end()
            self._cache = ((drawing, ratio), picture)
        return self._cache[1]

    def _draw_marks(self, painter: QPainter, drawing: MapDrawing) -> None:
        places = drawing.map.place_of
        for state in self._kept:
            self._mark(painter, drawing, places(state), square=True)
        if self._beside is not None:
            self._mark(painter, drawing, places(self._beside))
        present = None if self._present is None else places(self._present)
        self._mark(painter, drawing, present)
        if present is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colors().text)
            painter.drawEllipse(drawing.point(present), HEART, HEART)
        self._mark(painter, drawing, self._met)

    @staticmethod
    def _mark(
        painter: QPainter, drawing: MapDrawing, place: int | None, *, square: bool = False
    ) -> None:
        if place is not None:
            drawing.mark(painter, place, square=square)

    @property
    def _drawing(self) -> MapDrawing | None:
        """How the map is drawn at this size."""
        if self._map is None:
            return None
        if self._drawn is None or self._drawn[0] != (self._map, self.size(), self.font()):
            key = (self._map, self.size(), self.font())
            self._drawn = (key, MapDrawing(self._map, self.size(), self.font()))
        return self._drawn[1]

    # Mouse and keys

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say which setting is under the mouse."""
        self._meet(self._under(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under it any more."""
        super().leaveEvent(event)
        self._meet(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the setting under the mouse."""
        place = self._under(event.position())
        if event.button() == Qt.MouseButton.LeftButton and place is not None and self._map:
            self.taken.emit(self._map.setting(place))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Home and End go along the efficient ones; Enter takes, Space pins."""
        plane_map, here = self._map, self._beside or self._present
        key = Qt.Key(event.key())
        if plane_map is None or here is None:
            super().keyPressEvent(event)
            return
        steps = {**PLACES, Qt.Key.Key_Home: -FAR, Qt.Key.Key_End: FAR}
        if key in steps:
            place = plane_map.next_efficient(here, steps[key])
            self.looked_at.emit(plane_map.setting(place))
            return
        place_here = plane_map.place_of(here)
        if place_here is not None and key in TAKING:
            self.taken.emit(plane_map.setting(place_here))
        elif place_here is not None and key == Qt.Key.Key_Space:
            self.pinned.emit(plane_map.setting(place_here))
        else:
            super().keyPressEvent(event)

    def _under(self, position: QPointF) -> int | None:
        drawing = self._drawing
        return None if drawing is None else drawing.under(position)

    def _meet(self, place: int | None) -> None:
        if place == self._met or self._map is None:
            return
        self._met = place
        self.setCursor(
            Qt.CursorShape.ArrowCursor if place is None else Qt.CursorShape.PointingHandCursor
        )
        self.met.emit(None if place is None else self._map.setting(place))
        self.update()
