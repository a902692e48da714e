"""The two texts of a pair between their rulers, with the bands that join them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6 import QtGui
from PySide6.QtCore import QObject, QPointF, QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from neardup_gui.environment.theme import colors, smooth_painter
from neardup_gui.models.compare.comparison import Alignment, Comparison
from neardup_gui.models.compare.side import FoundSpans, Side
from neardup_gui.views.compare.highlights import passage_color
from neardup_gui.views.compare.ruler import Ruler
from neardup_gui.views.compare.text_pane import TextPane
from neardup_gui.views.widgets.layouts import row_in

WIDTH = 54
OPACITY = 0.34
FAINT_OPACITY = 0.16
CURRENT_OPACITY = 0.6
BEYOND = 60.0


class Connectors(QWidget):
    """Draws a band for every passage with a visible side."""

    passage_chosen = Signal(int)
    wheel_turned = Signal(int)

    def __init__(self, panes: tuple[TextPane, TextPane]) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._panes = panes
        self._comparison: Comparison | None = None
        self._current: int | None = None
        self._bands: dict[int, QtGui.QPainterPath] = {}

    def sizeHint(self) -> QSize:
        """The width that the curves need."""
        return QSize(WIDTH, 80)

    def show_comparison(self, comparison: Comparison) -> None:
        """Join the passages of a pair."""
        self._comparison, self._current = comparison, None
        self.update()

    def set_current(self, passage: int | None) -> None:
        """Emphasise a passage, or none."""
        self._current = passage
        self.update()

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        """Paint the bands, the current one last."""
        painter = smooth_painter(self)
        painter.fillRect(self.rect(), colors().base)
        if self._comparison is None:
            return
        self._bands = {}
        seen = self._visible(self._comparison)
        for passage in sorted(seen, key=lambda passage: passage == self._current):
            self._draw_band(painter, self._comparison, passage)

    def _visible(self, comparison: Comparison) -> set[int]:
        return {
            owner
            for side, pane in zip(comparison.sides, self._panes, strict=True)
            for _, _, owner in side.passages.between(*pane.geometry_of_text.visible_span())
        }

    def _draw_band(self, painter: QtGui.QPainter, comparison: Comparison, passage: int) -> None:
        a, b = (self._edges(index, *comparison.sides[index].extents[passage]) for index in (0, 1))
        # Where text runs from right to left, A is at the right.
        is_mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        ends = (b, a) if is_mirrored else (a, b)
        band = self._bands[passage] = _band(self.width(), *ends)
        both_seen = all(top < self.height() and bottom > 0 for top, bottom in (a, b))
        color = QtGui.QColor(passage_color(comparison.marks[passage]).line)
        if passage == self._current:
            painter.setPen(QtGui.QPen(color, 1.5))
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

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Choose the passage of a clicked band."""
        for passage, band in reversed(self._bands.items()):
            if band.contains(event.position()):
                self.passage_chosen.emit(passage)
                return

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        """Scroll the texts as if the mouse were over them."""
        self.wheel_turned.emit(event.angleDelta().y())


def _band(width: float, a: tuple[float, float], b: tuple[float, float]) -> QtGui.QPainterPath:
    """The band from the edges of a passage at the left to those at the right."""
    (a_top, a_bottom), (b_top, b_bottom) = a, b
    middle = width / 2
    path = QtGui.QPainterPath(QPointF(0, a_top))
    path.cubicTo(QPointF(middle, a_top), QPointF(middle, b_top), QPointF(width, b_top))
    path.lineTo(QPointF(width, b_bottom))
    path.cubicTo(QPointF(middle, b_bottom), QPointF(middle, a_bottom), QPointF(0, a_bottom))
    path.closeSubpath()
    return path


READING_HEIGHT = 0.3
LOW = 0.6  # of the height; a passage further down is scrolled up


class PassageSteps(QObject):
    """Knows the current passage of a pair, scrolls to it, and keeps both texts aligned.

    Passages are counted from 0. When one pane was scrolled the other is moved: the line at about a
    third of the height is the one that is read; what stands opposite in the other text is brought
    to the same height. Near the beginning the line lies higher, so that both beginnings can be
    seen. While the current passage is read, its own counterpart stands opposite, moved or not.

    Signals:
        moved_to: Another passage is the current one, or None.
        selected: The user went to a passage.
    """

    moved_to = Signal(object)
    selected = Signal(int)

    def __init__(self, panes: tuple[TextPane, TextPane], parent: QObject) -> None:
        super().__init__(parent)
        self._panes = panes
        self._comparison: Comparison | None = None
        self.current: int | None = None
        self._busy = False
        self._seen = [-1, -1]
        self.together = True
        for pane in panes:
            pane.scrolled.connect(self._on_scrolled)
            pane.resized.connect(self._on_resized)
            pane.passage_clicked.connect(self._on_clicked)

    def set_comparison(self, comparison: Comparison | None) -> None:
        """Set the pair that the panes show, with no current passage."""
        self._comparison, self.current = comparison, None

    def follow(self, index: int) -> None:
        """Scroll the other pane to the same position as this one."""
        if self._comparison is None:
            return
        geometry = self._panes[index].geometry_of_text
        wanted = READING_HEIGHT * geometry.height
        start, end, top = geometry.line_at(geometry.room_above(geometry.line_at(0)[0], wanted))
        alignment = self._alignment_at(self._comparison, index, start, end)
        anchor = alignment.anchor_between(index, start, end)
        position = start if anchor is None else anchor
        with self._without_following():
            self._panes[1 - index].geometry_of_text.bring(alignment.across(index, position), top)

    def align(self, passage: int, index: int, position: int, y: float) -> None:
        """Scroll a position of a passage to a height, and its counterpart opposite."""
        if self._comparison is None:
            return
        opposite = self._comparison.within[passage].across(index, position)
        geometry = self._panes[index].geometry_of_text
        opposite_geometry = self._panes[1 - index].geometry_of_text
        y = min(geometry.room_above(position, y), opposite_geometry.room_above(opposite, y))
        with self._without_following():
            geometry.bring(position, y)
            opposite_geometry.bring(opposite, y)

    def _alignment_at(self, comparison: Comparison, index: int, start: int, end: int) -> Alignment:
        if self.current is not None:
            first, last = comparison.sides[index].extents[self.current]
            if first < end and start < last:
                return comparison.within[self.current]
        return comparison.alignment

    @contextmanager
    def _without_following(self) -> Iterator[None]:
        """Let no pane follow the other, within the context."""
        before, self._busy = self._busy, True
        try:
            yield
        finally:
            self._busy = before
            self._seen = [pane.geometry_of_text.line_at(0)[0] for pane in self._panes]

    def _on_scrolled(self, index: int) -> None:
        """Follow a pane, unless only the count of lines above has changed."""
        if self._busy:
            return
        first = self._panes[index].geometry_of_text.line_at(0)[0]
        if self.together and first != self._seen[index]:
            self.follow(index)
        self._seen[index] = first

    def _on_resized(self, _index: int) -> None:
        if self.together and not self._busy and not self._hold_current():
            self.follow(0)

    def _hold_current(self) -> bool:
        """Keep the current passage opposite its counterpart; False if it is not on the screen.

        In a lower pane the line that is read can be one above the passage.
        """
        if self._comparison is None or self.current is None:
            return False
        geometry = self._panes[0].geometry_of_text
        first, last = self._comparison.sides[0].extents[self.current]
        seen_first, seen_last = geometry.visible_span()
        position = max(first, seen_first)
        if position >= min(last, seen_last):
            return False
        self.align(self.current, 0, position, geometry.line_top(position))
        return True

    def select(self, passage: int) -> None:
        """Make a passage current, and scroll it and its counterpart opposite each other."""
        if self._comparison is None:
            return
        start = self._comparison.sides[0].extents[passage][0]
        geometry = self._panes[0].geometry_of_text
        y = geometry.line_top(start)
        if not 0 <= y <= LOW * geometry.height:
            y = READING_HEIGHT * geometry.height
        self._make_current(passage)
        for pane, side in zip(self._panes, self._comparison.sides, strict=True):
            pane.place_cursor(side.extents[passage][0])
        self.align(passage, 0, start, y)
        self.selected.emit(passage)

    def select_strongest(self) -> None:
        """Select the strongest passage, if there is any."""
        if self._comparison is not None and self._comparison.marks:
            self.select(self._comparison.by_strength[0])

    def step(self, by: int) -> None:
        """Move by so many passages, in the order of the text at the left."""
        if self._comparison is None or not self._comparison.marks:
            return
        side = self._comparison.sides[0]
        if self.current is None:
            top = self._panes[0].geometry_of_text.visible_span()[0]
            index = bisect_left([side.extents[passage][1] for passage in side.order], top + 1)
            index += min(by, 0)
        else:
            index = side.order.index(self.current) + by
        self.select(side.order[min(max(index, 0), len(side.order) - 1)])

    def _make_current(self, passage: int) -> None:
        self.current = passage
        self.moved_to.emit(passage)

    def _on_clicked(self, passage: int, index: int) -> None:
        pane = self._panes[index]
        position = pane.textCursor().position()
        self._make_current(passage)
        y = pane.geometry_of_text.line_top(position)
        self.align(passage, index, position, max(y, 0.0))
        self.selected.emit(passage)


ALL = 10_000  # a stretch that takes all room first


class PairTexts(QWidget):
    """Shows the texts of a comparison, exchanged or at the same position.

    Signals:
        moved: What is on the screen has changed.
    """

    moved = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._comparison: Comparison | None = None
        self.panes = (TextPane(0), TextPane(1))
        self.rulers = (Ruler(0), Ruler(1))
        self.connectors = Connectors(self.panes)
        self.steps = PassageSteps(self.panes, self)
        a, b = ((pane, ALL) for pane in self.panes)
        left, right = (
            (ruler, 1) for ruler in self.rulers
        )  # take the width that the texts do not need
        row_in(self, left, a, self.connectors, b, right, margins=0, spacing=0)
        for pane in self.panes:
            pane.scrolled.connect(self.follow_panes)
            pane.resized.connect(self.follow_panes)
        for ruler, pane in zip(self.rulers, self.panes, strict=True):
            ruler.position_chosen.connect(pane.scroll_to_share)
            ruler.wheel_turned.connect(pane.scroll_by_wheel)
        self.connectors.wheel_turned.connect(self.panes[0].scroll_by_wheel)
        self.connectors.passage_chosen.connect(self.steps.select)
        self.steps.moved_to.connect(self._on_moved_to)

    @property
    def spans(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The display positions of both texts on the screen."""
        a, b = (pane.geometry_of_text.visible_span() for pane in self.panes)
        return a, b

    @property
    def pages(self) -> tuple[int, int]:
        """The page of both texts that is read."""
        if self._comparison is None:
            return 1, 1
        a, b = self._comparison.sides
        return _page(self.panes[0], a), _page(self.panes[1], b)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show two texts from their beginnings."""
        self.steps.set_comparison(None)
        self._comparison = comparison
        for pane in self.panes:  # each may show next what the other has shown
            pane.give_back()
        for pane, ruler, side in zip(self.panes, self.rulers, comparison.sides, strict=True):
            pane.show_side(side, comparison.marks)
            ruler.show_side(side, comparison.marks)
            ruler.set_current(None)
        self.connectors.show_comparison(comparison)
        self.steps.set_comparison(comparison)

    def show_in_place(self, comparison: Comparison) -> None:
        """Show the same texts with other marks, at the same position."""
        if self._comparison is None:
            return
        geometry = self.panes[0].geometry_of_text
        position, _, top = geometry.line_at(READING_HEIGHT * geometry.height)
        code_point = self._comparison.sides[0].text.source_span(position, position)[0]
        self.show_comparison(comparison)
        # A long text brings a layout of its own.
        self.panes[0].geometry_of_text.bring(int(comparison.sides[0].text.starts[code_point]), top)
        self.steps.follow(0)
        self.follow_panes()

    def show_found(self, spans: Sequence[FoundSpans]) -> None:
        """Mark all matches of a phrase in both texts and on their rulers."""
        for pane, ruler, span in zip(self.panes, self.rulers, spans, strict=True):
            pane.show_found(span)
            ruler.show_found(span)

    def clear(self) -> None:
        """Show no pair."""
        self._comparison = None
        self.steps.set_comparison(None)

    def _on_moved_to(self, passage: int | None) -> None:
        for part in (*self.panes, *self.rulers, self.connectors):
            part.set_current(passage)

    def follow_panes(self) -> None:
        """Show beside the texts what of them is on the screen."""
        if self._comparison is None:
            return
        for ruler, span in zip(self.rulers, self.spans, strict=True):
            ruler.set_window(span)
        self.connectors.update()
        self.moved.emit()


def _page(pane: TextPane, side: Side) -> int:
    """The page that is read in a pane: that at the reading height."""
    if side.text.pages == 1:
        return 1
    geometry = pane.geometry_of_text
    return side.text.page_at(geometry.line_at(READING_HEIGHT * geometry.height)[0])
