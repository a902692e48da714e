"""One whole text as a strip: its passages, and the part on the screen."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from neardup_gui.environment.theme import colors, see_through, sharp_pixmap
from neardup_gui.models.compare.side import FoundSpans, PassageMark, Side
from neardup_gui.views.compare.highlights import passage_color

WIDTH = 16
INSET = 2
SMALLEST_MARK = 2.0
SMALLEST_FRAME = 10.0
MATCH_WIDTH = 6.0


class Ruler(QWidget):
    """Scrolls its text by click and drag; positions are shares of the text, 0 to 1.

    Takes the room that texts of a comfortable width leave, and stands close to its text.
    """

    position_chosen = Signal(float)
    wheel_turned = Signal(int)

    def __init__(self, index: int) -> None:
        """`index` is 0 for A, at the left of its text, and 1 for B."""
        super().__init__()
        self._index = index
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumWidth(WIDTH)
        self.setMouseTracking(True)
        self._side: Side | None = None
        self._marks: tuple[PassageMark, ...] = ()
        self._current: int | None = None
        self._window = (0, 0)
        self._dragged = False
        self._matches = FoundSpans.nowhere()
        self._cache: tuple[object, QPixmap] | None = None

    def sizeHint(self) -> QSize:
        """A narrow strip of any height."""
        return QSize(WIDTH, 80)

    def show_side(self, side: Side, marks: tuple[PassageMark, ...]) -> None:
        """Show the passages of a text."""
        self._side, self._marks, self._cache = side, marks, None
        self._matches = FoundSpans.nowhere()
        self.update()

    def show_found(self, matches: FoundSpans) -> None:
        """Mark the matches of a phrase at the outer edge."""
        self._matches = matches
        self.update()

    def set_current(self, passage: int | None) -> None:
        """Emphasise a passage, or none."""
        self._current = passage
        self.update()

    def set_window(self, span: tuple[int, int]) -> None:
        """The display positions on the screen."""
        if span != self._window:
            self._window = span
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the passages from the cache; the current one and the frame over them."""
        if self._side is None:
            return
        painter = QPainter(self)
        painter.fillRect(self.rect(), colors().base)
        painter.translate(self._left, 0)
        painter.drawPixmap(0, 0, self._picture(self._side))
        if self._current is not None:
            rect = self._mark_rect(self._side, *self._side.extents[self._current])
            painter.fillRect(rect, passage_color(self._marks[self._current]).line)
            painter.setPen(QPen(colors().text, 1))
            painter.drawRect(rect.adjusted(-1.5, -0.5, 0.5, -0.5))
        self._draw_frame(painter, self._side)
        self._draw_matches(painter, self._side)

    def _draw_matches(self, painter: QPainter, side: Side) -> None:
        rows = self._matches.rows(side.text.length, self.height()) if len(self._matches) else ()
        left = 0 if self._index == 0 else WIDTH - MATCH_WIDTH
        for row in np.flatnonzero(rows).tolist():
            painter.fillRect(QRectF(left, row - 0.5, MATCH_WIDTH, 2), colors().text)

    def _draw_frame(self, painter: QPainter, side: Side) -> None:
        rect = self._rect(side, *self._window, smallest=SMALLEST_FRAME)
        painter.fillRect(rect, see_through(colors().text, 0.08))
        painter.setPen(QPen(colors().muted, 1))
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))

    def _picture(self, side: Side) -> QPixmap:
        key = (self.height(), self.devicePixelRatioF(), colors())
        if self._cache is None or self._cache[0] != key:
            ratio = self.devicePixelRatioF()
            picture = sharp_pixmap(QSize(WIDTH, self.height()), ratio, colors().base)
            painter = QPainter(picture)
            painter.fillRect(QRectF(INSET, 0, WIDTH - 2 * INSET, self.height()), colors().raised)
            for start, end in zip(side.excluded.starts, side.excluded.ends, strict=True):
                painter.fillRect(self._mark_rect(side, start, end), colors().track)
            for mark, extent in zip(self._marks, side.extents, strict=True):
                painter.fillRect(self._mark_rect(side, *extent), passage_color(mark).line)
            painter.end()
            self._cache = (key, picture)
        return self._cache[1]

    @property
    def _left(self) -> int:
        """The left edge of the strip, at the side of its text."""
        return self.width() - WIDTH if self._index == 0 else 0

    def _mark_rect(self, side: Side, start: int, end: int) -> QRectF:
        rect = self._rect(side, start, end, smallest=SMALLEST_MARK)
        return rect.adjusted(INSET, 0, -INSET, 0)

    def _rect(self, side: Side, start: int, end: int, smallest: float) -> QRectF:
        scale = self.height() / max(side.text.length, 1)
        height = max((end - start) * scale, smallest)
        top = min(start * scale, self.height() - height)
        return QRectF(0, top, WIDTH, height)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Scroll to the position of the mouse."""
        self._dragged = self._is_over(event)
        self._choose(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Scroll along with the mouse."""
        over = self._is_over(event)
        shape = Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor
        self.setCursor(shape)
        self._choose(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the text as if the mouse were over it."""
        self.wheel_turned.emit(event.angleDelta().y())

    def _is_over(self, event: QMouseEvent) -> bool:
        """Whether the mouse is over the strip and not over the room beside it."""
        return 0 <= event.position().x() - self._left <= WIDTH

    def _choose(self, event: QMouseEvent) -> None:
        if self._dragged and event.buttons() & Qt.MouseButton.LeftButton:
            share = event.position().y() / max(self.height(), 1)
            self.position_chosen.emit(min(max(share, 0.0), 1.0))
