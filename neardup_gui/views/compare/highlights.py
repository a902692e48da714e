"""Passages drawn under the visible lines of a text; only what can be seen is looked up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QTextBlock, QTextLayout, QTextLine

from neardup_gui.environment.theme import PassageColor, colors
from neardup_gui.models.compare.comparison import Side
from neardup_gui.models.compare.passage_mark import PassageMark

__all__ = ["Highlights", "VisibleBlock", "draw_badge", "passage_color", "underline_pen"]

UNDERLINE_DASHES: tuple[tuple[float, ...], ...] = ((), (4, 2), (1, 1.5), (5, 2, 1, 2))
FILL_RISE = 2.0
BAR_WIDTH = 3.0
BAR_GAP = 12.0


class VisibleBlock(NamedTuple):
    """A line of the source on the screen: where it begins, in the text and in the pane.

    The block is kept and its layout asked for again: a wrapper of a layout must not outlive it.
    """

    start: int
    length: int
    top: float
    height: float
    block: QTextBlock

    @property
    def layout(self) -> QTextLayout:
        """The lines of the block."""
        return self.block.layout()


def passage_color(mark: PassageMark) -> PassageColor:
    """The colours of a passage in the scheme in use."""
    palette = colors().passages
    return palette[mark.hue % len(palette)]


def underline_pen(mark: PassageMark, width: float) -> QPen:
    """The underline that tells a passage from others without its hue."""
    pen = QPen(passage_color(mark).line, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    dashes = UNDERLINE_DASHES[mark.underline % len(UNDERLINE_DASHES)]
    if dashes:
        pen.setDashPattern(list(dashes))
    return pen


def draw_badge(
    painter: QPainter, room: QRectF, mark: PassageMark, font: QFont, ring: QColor | None = None
) -> None:
    """The number of a passage on its hue; a circle, or a pill for long numbers."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(ring, 1.5) if ring else Qt.PenStyle.NoPen)
    painter.setBrush(passage_color(mark).line)
    radius = room.height() / 2
    painter.drawRoundedRect(room, radius, radius)
    painter.setFont(font)
    painter.setPen(colors().on_passage)
    painter.drawText(room, Qt.AlignmentFlag.AlignCenter, str(mark.number))
    painter.restore()


class Highlights:
    """Draws the passages of one text."""

    def __init__(self, side: Side, marks: Sequence[PassageMark], badge_font: QFont) -> None:
        self._side = side
        self._marks = marks
        self.badge_font = badge_font
        self._current_lines: list[QRectF] = []
        self.current: int | None = None

    def paint(self, painter: QPainter, blocks: Sequence[VisibleBlock], clip: QRectF) -> None:
        """Draw below the text; `clip` is the part of the pane to draw."""
        self._current_lines = []
        for block in blocks:
            if block.top > clip.bottom() or block.top + block.height < clip.top():
                continue
            end = block.start + block.length
            if block.start not in self._side.text.page_marks:
                self._draw_passages(painter, block, clip)
            for _, _, owner in self._side.passages.between(block.start, end):
                self._draw_badge(painter, block, end, owner)
        self._draw_bar(painter)

    def _draw_passages(self, painter: QPainter, block: VisibleBlock, clip: QRectF) -> None:
        end = block.start + block.length
        for start, stop, owner in self._side.passages.between(block.start, end):
            self._draw_passage(painter, block, (start, stop), owner, clip)
        for start, stop, owner in self._side.runs.between(block.start, end):
            self._draw_run(painter, block, (start, stop), owner, clip)

    def _draw_bar(self, painter: QPainter) -> None:
        if self.current is not None and self._current_lines:
            first, last = self._current_lines[0], self._current_lines[-1]
            left = first.left() - BAR_GAP
            bar = QRectF(left, first.top(), BAR_WIDTH, last.bottom() - first.top())
            painter.fillRect(bar, passage_color(self._marks[self.current]).line)

    def _draw_passage(
        self,
        painter: QPainter,
        block: VisibleBlock,
        span: tuple[int, int],
        owner: int,
        clip: QRectF,
    ) -> None:
        color = passage_color(self._marks[owner])
        fill = color.fill if owner == self.current else color.gap
        for rect, _ in self._pieces(block, span, clip):
            painter.fillRect(rect, fill)
            if owner == self.current:
                line = QRectF(block.layout.lineAt(0).x(), rect.top(), 0, rect.height())
                self._current_lines.append(line)

    def _draw_run(
        self,
        painter: QPainter,
        block: VisibleBlock,
        span: tuple[int, int],
        owner: int,
        clip: QRectF,
    ) -> None:
        mark = self._marks[owner]
        color = passage_color(mark)
        fill = color.strong if owner == self.current else color.fill
        painter.setPen(underline_pen(mark, 2.0))
        for rect, baseline in self._pieces(block, span, clip):
            painter.fillRect(rect, fill)
            y = min(baseline + 3.0, rect.bottom() - 1.0)
            painter.drawLine(QLineF(rect.left(), y, rect.right(), y))

    def _draw_badge(
        self, painter: QPainter, block: VisibleBlock, block_end: int, owner: int
    ) -> None:
        start, end = self._side.badges[owner]
        if not block.start <= start < block_end:
            return
        line = block.layout.lineForTextPosition(start - block.start)
        one = _x_of(line, start - block.start)
        other = _x_of(line, end - block.start)
        diameter = min(line.ascent() * 1.12, abs(other - one) - 3)
        stretch = 1.0 + 0.28 * (len(str(self._marks[owner].number)) - 1)
        width = min(diameter * stretch, abs(other - one) - 4)
        room = QRectF(0, 0, width, diameter)
        shift = width / 2 + 1 if other > one else -width / 2 - 1
        room.moveCenter(QPointF(one + shift, block.top + line.y() + line.ascent() * 0.64))
        ring = colors().text if owner == self.current else None
        draw_badge(painter, room, self._marks[owner], self.badge_font, ring)

    def _pieces(
        self, block: VisibleBlock, span: tuple[int, int], clip: QRectF
    ) -> Iterator[tuple[QRectF, float]]:
        """What a span covers, line by line: a rectangle and the base line of the text in it."""
        start = max(span[0] - block.start, 0)
        end = min(span[1] - block.start, block.length)
        if start >= end:
            return
        layout = block.layout
        for number in range(layout.lineForTextPosition(start).lineNumber(), layout.lineCount()):
            line = layout.lineAt(number)
            top = block.top + line.y()
            if line.textStart() >= end or top > clip.bottom():
                return
            if top + line.height() < clip.top():
                continue
            first = max(start, line.textStart())
            last = min(end, line.textStart() + line.textLength())
            for left, right in self._stretches(line, first, last):
                rect = QRectF(left, top - FILL_RISE, right - left, line.height() + FILL_RISE)
                yield rect, top + line.ascent()

    def _stretches(self, line: QTextLine, start: int, end: int) -> Iterator[tuple[float, float]]:
        """From left to right, what a range covers of a line; in parts where directions mix."""
        natural = line.naturalTextRect()
        if start == line.textStart() and end == start + line.textLength():
            yield natural.left(), natural.right()
            return
        if not self._side.text.bidirectional:
            left, right = _x_of(line, start), min(_x_of(line, end), natural.right())
            if right > left:
                yield left, right
            return
        stretch: tuple[float, float] | None = None
        for left, right in sorted(_letter_boxes(line, start, end)):
            if right <= natural.left() or left >= natural.right():
                continue
            if stretch and left - stretch[1] < 0.5:
                stretch = (stretch[0], max(stretch[1], right))
                continue
            if stretch:
                yield stretch
            stretch = (left, right)
        if stretch:
            yield stretch


def _x_of(line: QTextLine, position: int, edge: QTextLine.Edge = QTextLine.Edge.Leading) -> float:
    place: tuple[float, int] = line.cursorToX(position, edge)  # type: ignore[assignment]
    return place[0]


def _letter_boxes(line: QTextLine, start: int, end: int) -> Iterator[tuple[float, float]]:
    for position in range(start, end):
        one = _x_of(line, position)
        other = _x_of(line, position, QTextLine.Edge.Trailing)
        yield min(one, other), max(one, other)
