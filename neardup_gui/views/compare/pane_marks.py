"""Everything that is drawn in a text besides its letters, and what is said of a place."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPen

from neardup_gui.environment.theme import colors
from neardup_gui.models.compare.found import FoundSpans
from neardup_gui.models.compare.passage_mark import PassageMark
from neardup_gui.models.compare.side import Side, Spans
from neardup_gui.views.compare.aside_marks import aside_description, aside_title, paint_aside
from neardup_gui.views.compare.disguise_marks import (
    disguise_description,
    disguise_title,
    paint_disguises,
)
from neardup_gui.views.compare.highlights import Highlights
from neardup_gui.views.compare.labels import exchange_title, passage_title
from neardup_gui.views.compare.lines import VisibleBlock, pieces
from neardup_gui.views.compare.page_marks import paint_page_marks
from neardup_gui.views.compare.reading_layout import TextColumn


class PaneMarks:
    """The marks of one text; positions are display positions."""

    def __init__(
        self, side: Side, marks: Sequence[PassageMark], badge_font: QFont, index: int
    ) -> None:
        """`index` is 0 for text A, 1 for B."""
        self._side = side
        self._index = index
        self._headings = side.headings
        self._marks = marks
        self.highlights = Highlights(side, marks, badge_font)
        self.found = FoundSpans.nowhere()
        self._touch = Spans([_touched(side, owner) for owner in range(len(marks))])

    def paint_below(
        self,
        painter: QPainter,
        blocks: Sequence[VisibleBlock],
        clip: QRectF,
        column: TextColumn,
    ) -> None:
        """What lies under the letters; `clip` is the part of the pane to draw."""
        for block in blocks:
            if block.start in self._headings:
                area = QRectF(column.left, block.top, column.width, block.height)
                painter.fillRect(area, colors().raised)
        self.highlights.paint(painter, blocks, clip)
        paint_page_marks(painter, self._side, blocks, column)

    def paint_above(self, painter: QPainter, blocks: Sequence[VisibleBlock], clip: QRectF) -> None:
        """What lies over the letters."""
        paint_aside(painter, self._side, blocks, clip, self.highlights.badge_font)
        paint_disguises(painter, self._side, blocks, clip)
        if not len(self.found):
            return
        painter.setPen(QPen(colors().text, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        bidirectional = self._side.text.bidirectional
        for block in blocks:
            for span in self.found.between(block.start, block.start + block.length):
                for rect, _ in pieces(block, span, clip, bidirectional=bidirectional):
                    painter.drawRect(rect.adjusted(-0.5, 0.5, 0.5, -0.5))

    @property
    def description(self) -> str:
        """What is marked besides passages, for those who cannot see it."""
        parts = (disguise_description(self._side), aside_description(self._side))
        return "; ".join(filter(None, parts))

    def passage_at(self, position: int) -> int | None:
        """The passage at a position or at its badge."""
        return self._touch.at(position)

    def _exchange_title(self, position: int) -> str:
        number = self._side.exchanges.at(position)
        return "" if number is None else exchange_title(self._side.instead[number], self._index)

    def title_at(self, position: int) -> str:
        """What a tool tip says of a position; empty where there is nothing to say."""
        passage = self.passage_at(position)
        titles = (
            "" if passage is None else passage_title(self._marks[passage]),
            self._exchange_title(position),
            disguise_title(self._side, position),
            aside_title(self._side, position),
        )
        return "\n".join(filter(None, titles))


def _touched(side: Side, owner: int) -> tuple[int, int, int]:
    """Where a click chooses a passage; words that stand in the other text only are easily met."""
    start, end = side.badges[owner][0], side.extents[owner][1]
    return (start, end, owner) if end > start else (max(start - 1, 0), end + 1, owner)
