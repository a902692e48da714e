"""Bands between the two texts that join what is on the screen with its counterpart."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from neardup_gui.environment.theme import colors
from neardup_gui.models.compare.comparison import Comparison
from neardup_gui.views.compare.highlights import passage_color
from neardup_gui.views.compare.text_pane import TextPane

WIDTH = 54
OPACITY = 0.34
FAINT_OPACITY = 0.16
CURRENT_OPACITY = 0.6
BEYOND = 60.0


class Connectors(QWidget):
    """Draws a band for every passage of which one side or both can be seen."""

    passage_chosen = Signal(int)
    wheel_turned = Signal(int)

    def __init__(self, panes: tuple[TextPane, TextPane], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._panes = panes
        self._comparison: Comparison | None = None
        self._current: int | None = None
        self._bands: dict[int, QPainterPath] = {}

    def sizeHint(self) -> QSize:
        """As wide as a curve needs to be followed."""
        return QSize(WIDTH, 80)

    def show_comparison(self, comparison: Comparison) -> None:
        """Join the passages of a pair."""
        self._comparison, self._current = comparison, None
        self.update()

    def set_current(self, passage: int | None) -> None:
        """Emphasise a passage, or none."""
        self._current = passage
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The bands, the current one last."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), colors().base)
        if self._comparison is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._bands = {}
        for passage in sorted(self._visible(self._comparison), key=self._is_current):
            self._draw_band(painter, self._comparison, passage)

    def _is_current(self, passage: int) -> bool:
        return passage == self._current

    def _visible(self, comparison: Comparison) -> set[int]:
        return {
            owner
            for side, pane in zip(comparison.sides, self._panes, strict=True)
            for _, _, owner in side.passages.between(*pane.geometry_of_text.visible_span())
        }

    def _draw_band(self, painter: QPainter, comparison: Comparison, passage: int) -> None:
        a, b = (self._edges(index, *comparison.sides[index].extents[passage]) for index in (0, 1))
        band = self._bands[passage] = _band(self.width(), a, b)
        both_seen = all(top < self.height() and bottom > 0 for top, bottom in (a, b))
        color = QColor(passage_color(comparison.marks[passage]).line)
        if passage == self._current:
            painter.setPen(QPen(color, 1.5))
            color.setAlphaF(CURRENT_OPACITY)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            color.setAlphaF(OPACITY if both_seen else FAINT_OPACITY)
        painter.setBrush(color)
        painter.drawPath(band)

    def _edges(self, index: int, start: int, end: int) -> tuple[float, float]:
        """Upper and lower edge of a passage; a little beyond the pane when out of sight."""
        geometry = self._panes[index].geometry_of_text
        low, high = -BEYOND, self.height() + BEYOND
        top = min(max(geometry.line_top(start), low), high)
        bottom = min(max(geometry.line_bottom(end - 1), low), high)
        return top + 4, max(bottom, top + 4)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a band chooses its passage."""
        for passage, band in reversed(self._bands.items()):
            if band.contains(event.position()):
                self.passage_chosen.emit(passage)
                return

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel scrolls the texts as if the mouse were over them."""
        self.wheel_turned.emit(event.angleDelta().y())


def _band(width: float, a: tuple[float, float], b: tuple[float, float]) -> QPainterPath:
    """From the edges of a passage at the left to its edges at the right."""
    (a_top, a_bottom), (b_top, b_bottom) = a, b
    middle = width / 2
    path = QPainterPath(QPointF(0, a_top))
    path.cubicTo(QPointF(middle, a_top), QPointF(middle, b_top), QPointF(width, b_top))
    path.lineTo(QPointF(width, b_bottom))
    path.cubicTo(QPointF(middle, b_bottom), QPointF(middle, a_bottom), QPointF(0, a_bottom))
    path.closeSubpath()
    return path
