"""The pair at a glance: A across, B down, a line for every passage."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from neardup_gui.environment.theme import colors
from neardup_gui.models.compare.comparison import Comparison
from neardup_gui.views.compare.highlights import passage_color

EDGE = 92
PADDING = 5.0
SHORTEST_LINE = 3.0
NEAR = 9.0


class DotPlot(QWidget):
    """Text that stands in the same order runs down the diagonal; moved text lies off it."""

    passage_chosen = Signal(int)
    place_chosen = Signal(float, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Dot plot: text A across, text B down")
        self.setToolTip("A across, B down; a line for every passage. Click to go there.")
        self._comparison: Comparison | None = None
        self._current: int | None = None
        self._window = ((0, 0), (0, 0))
        self._cache: tuple[object, QPixmap] | None = None

    def sizeHint(self) -> QSize:
        """A small square."""
        return QSize(EDGE, EDGE)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show a pair."""
        self._comparison, self._current, self._cache = comparison, None, None
        self.update()

    def set_current(self, passage: int | None) -> None:
        """Emphasise a passage, or none."""
        self._current = passage
        self.update()

    def set_window(self, a: tuple[int, int], b: tuple[int, int]) -> None:
        """The display positions on the screen."""
        self._window = (a, b)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The lines from the cache; the current one and the window over them."""
        if self._comparison is None:
            return
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture(self._comparison))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._current is not None:
            self._draw_passage(painter, self._comparison, self._current, 4.5)
        painter.setPen(QPen(colors().muted, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        (a_start, a_end), (b_start, b_end) = self._window
        corner = self._point(self._comparison, a_start, b_start)
        window = QRectF(corner, self._point(self._comparison, a_end, b_end))
        window.setSize(window.size().expandedTo(QSize(5, 5).toSizeF()))
        painter.drawRect(window)

    def _picture(self, comparison: Comparison) -> QPixmap:
        key = (self.devicePixelRatioF(), colors())
        if self._cache is None or self._cache[0] != key:
            ratio = self.devicePixelRatioF()
            picture = QPixmap(self.size() * ratio)
            picture.setDevicePixelRatio(ratio)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(colors().border, 1))
            painter.setBrush(colors().raised)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
            for passage in range(len(comparison.marks)):
                self._draw_passage(painter, comparison, passage, 2.5)
            painter.end()
            self._cache = (key, picture)
        return self._cache[1]

    def _draw_passage(
        self, painter: QPainter, comparison: Comparison, passage: int, width: float
    ) -> None:
        pen = QPen(passage_color(comparison.marks[passage]).line, width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLine(*self._line(comparison, passage))

    def _line(self, comparison: Comparison, passage: int) -> tuple[QPointF, QPointF]:
        (a_start, a_end), (b_start, b_end) = (side.extents[passage] for side in comparison.sides)
        start = self._point(comparison, a_start, b_start)
        end = self._point(comparison, a_end, b_end)
        length = math.hypot(end.x() - start.x(), end.y() - start.y())
        if length < SHORTEST_LINE:
            end = QPointF(start.x() + SHORTEST_LINE, start.y() + SHORTEST_LINE)
        return start, end

    def _point(self, comparison: Comparison, a: int, b: int) -> QPointF:
        edge = EDGE - 2 * PADDING
        x, y = (
            PADDING + edge * position / max(side.text.length, 1)
            for side, position in zip(comparison.sides, (a, b), strict=True)
        )
        return QPointF(x, y)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the passage that is near, or else the place."""
        if self._comparison is None:
            return
        point = event.position()
        near = [
            (_distance(point, *self._line(self._comparison, passage)), passage)
            for passage in range(len(self._comparison.marks))
        ]
        if near and min(near)[0] <= NEAR:
            self.passage_chosen.emit(min(near)[1])
            return
        edge = EDGE - 2 * PADDING
        shares = ((value - PADDING) / edge for value in (point.x(), point.y()))
        self.place_chosen.emit(*(min(max(share, 0.0), 1.0) for share in shares))


def _distance(point: QPointF, start: QPointF, end: QPointF) -> float:
    """From a point to a line between two."""
    along = end - start
    square = max(QPointF.dotProduct(along, along), 1e-9)
    share = min(max(QPointF.dotProduct(point - start, along) / square, 0.0), 1.0)
    away = point - (start + along * share)
    return math.hypot(away.x(), away.y())
