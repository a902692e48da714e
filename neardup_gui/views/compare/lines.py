"""Lines of a text on the screen, and what a span of it covers of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QRectF
from PySide6.QtGui import QTextBlock, QTextLayout, QTextLine

FILL_RISE = 2.0


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


def pieces(
    block: VisibleBlock, span: tuple[int, int], clip: QRectF, *, bidirectional: bool
) -> Iterator[tuple[QRectF, float]]:
    """What a span covers, line by line: a rectangle and the base line of the text in it.

    Args:
        block: A line of the source.
        span: Display positions of the text.
        clip: The part of the pane that is drawn.
        bidirectional: Whether some of the text runs from right to left.
    """
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
        for left, right in _stretches(line, first, last, bidirectional=bidirectional):
            rect = QRectF(left, top - FILL_RISE, right - left, line.height() + FILL_RISE)
            yield rect, top + line.ascent()


def _stretches(
    line: QTextLine, start: int, end: int, *, bidirectional: bool
) -> Iterator[tuple[float, float]]:
    """From left to right, what a range covers of a line; in parts where directions mix."""
    natural = line.naturalTextRect()
    if start == line.textStart() and end == start + line.textLength():
        yield natural.left(), natural.right()
        return
    if not bidirectional:
        left, right = x_of(line, start), min(x_of(line, end), natural.right())
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


def x_of(line: QTextLine, position: int, edge: QTextLine.Edge = QTextLine.Edge.Leading) -> float:
    """Where an edge of a letter stands, from the left of its pane."""
    place: tuple[float, int] = line.cursorToX(position, edge)  # type: ignore[assignment]
    return place[0]


def _letter_boxes(line: QTextLine, start: int, end: int) -> Iterator[tuple[float, float]]:
    """From left to right edge what letters of one direction after the other cover.

    The glyphs say so: where directions meet the text cursor has one place for two letters.
    """
    for run in line.glyphRuns(start, end - start):
        box = run.boundingRect()
        yield box.left(), box.right()
