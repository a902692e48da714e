"""Where positions of a text stand in its pane, and scrolling one to a height."""

from __future__ import annotations

from bisect import bisect_right

from PySide6.QtGui import QTextBlock, QTextLayout
from PySide6.QtWidgets import QPlainTextEdit

from neardup_gui.views.compare.lines import VisibleBlock
from neardup_gui.views.compare.reading_layout import ReadingLayout


class PaneGeometry:
    """Positions and heights of one pane: y is measured in pixels from the top of its viewport.

    QPlainTextEdit scrolls by whole lines and counts those it has laid out, so scrolling goes by
    blocks and lines, never by the range of the scroll bar.
    """

    def __init__(self, pane: QPlainTextEdit, layout: ReadingLayout) -> None:
        self._pane = pane
        self._layout = layout
        self._blocks: tuple[object, list[VisibleBlock]] = (None, [])
        self._span: tuple[object, tuple[int, int]] = (None, (0, 0))

    @property
    def height(self) -> int:
        """Height of the pane."""
        return self._pane.viewport().height()

    def visible_blocks(self) -> list[VisibleBlock]:
        """The blocks on the screen, from above."""
        key = (
            self._pane.firstVisibleBlock().position(),
            self._pane.contentOffset().y(),
            self._pane.viewport().size(),
            self._pane.document().revision(),
            self._layout.column,
            self._layout.generation,
        )
        if self._blocks[0] != key:
            self._blocks = (key, self._find_visible_blocks())
        return self._blocks[1]

    def _find_visible_blocks(self) -> list[VisibleBlock]:
        blocks = []
        block, top = self._pane.firstVisibleBlock(), self._pane.contentOffset().y()
        while block.isValid() and top < self.height:
            height = self._layout.blockBoundingRect(block).height()
            length = block.length() - 1
            blocks.append(VisibleBlock(block.position(), length, top, height, block))
            top += height
            block = block.next()
        return blocks

    def visible_span(self) -> tuple[int, int]:
        """The first and last position on the screen."""
        blocks = self.visible_blocks()
        if self._span[0] is not blocks:
            self._span = (blocks, (self.line_at(0)[0], self.line_at(self.height - 1)[1]))
        return self._span[1]

    def line_at(self, y: float) -> tuple[int, int, float]:
        """The line at a height: its first position, its end, its top."""
        blocks = self.visible_blocks()
        if not blocks:
            return 0, 0, 0.0
        found = max(bisect_right([block.top for block in blocks], y) - 1, 0)
        block = blocks[found]
        top = block.top
        layout = block.layout
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            bottom = block.top + line.y() + line.height()
            if bottom > y:
                break
            top = bottom
        start = block.start + line.textStart()
        return start, start + line.textLength(), top

    def line_top(self, position: int) -> float:
        """The height of the line that holds a position; infinite when it is off the screen."""
        blocks = self.visible_blocks()
        if not blocks or position < blocks[0].start:
            return float("-inf")
        block = blocks[bisect_right([block.start for block in blocks], position) - 1]
        if position > block.start + block.length:
            return float("inf")
        return block.top + _top_in_block(block.layout, position - block.start)

    def line_bottom(self, position: int) -> float:
        """The lower edge of the line that holds a position; infinite when off the screen."""
        return self.line_top(position) + self._layout.column.pitch

    def room_above(self, position: int, limit: float) -> float:
        """How far from the top the line of a position can stand, counted up to a limit."""
        block, above = self._climb(position, limit)
        if not block.previous().isValid():
            above += self._pane.document().documentMargin()
        return min(above, limit)

    def bring(self, position: int, y: float) -> None:
        """Scroll so that the line of a position stands as near as can be to a height."""
        block, above = self._climb(position, y)
        layout = block.layout()
        heights = [above, *(above - _bottom(layout, line) for line in range(layout.lineCount()))]
        if not block.previous().isValid():
            heights[0] += self._pane.document().documentMargin()
        line = min(range(len(heights)), key=lambda number: abs(heights[number] - y))
        self._pane.verticalScrollBar().setValue(block.firstLineNumber() + line)

    def _climb(self, position: int, limit: float) -> tuple[QTextBlock, float]:
        """The block that begins so far above the line of a position, and how far that is."""
        block = self._pane.document().findBlock(position)
        self._layout.blockBoundingRect(block)
        above = _top_in_block(block.layout(), position - block.position())
        while above < limit and block.previous().isValid():
            block = block.previous()
            above += self._layout.blockBoundingRect(block).height()
        return block, above


def _bottom(layout: QTextLayout, number: int) -> float:
    line = layout.lineAt(number)
    return line.y() + line.height()


def _top_in_block(layout: QTextLayout, position: int) -> float:
    """The upper edge of the line of a position, with the space above it."""
    number = layout.lineForTextPosition(position).lineNumber()
    return _bottom(layout, number - 1) if number > 0 else 0.0
