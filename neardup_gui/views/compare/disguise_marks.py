"""What a reader does not see in a text: a dotted frame around it, and what it is in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from core.base.wording import counted
from neardup_gui.environment.theme import colors
from neardup_gui.models.compare.side import Side
from neardup_gui.views.compare.lines import VisibleBlock, pieces

DOTS = [1.0, 2.0]  # widths of the line


def paint_disguises(
    painter: QPainter, side: Side, blocks: Sequence[VisibleBlock], clip: QRectF
) -> None:
    """Draw the frames over the text."""
    if not len(side.disguises):
        return
    painter.save()
    pen = QPen(colors().text, 1)
    pen.setDashPattern(DOTS)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for block in blocks:
        for start, stop, _ in side.disguises.between(block.start, block.start + block.length):
            bidirectional = side.text.bidirectional
            for rect, _ in pieces(block, (start, stop), clip, bidirectional=bidirectional):
                painter.drawRect(rect.adjusted(-0.5, 1.5, 0.5, -0.5))
    painter.restore()


def disguise_title(side: Side, position: int) -> str:
    """What the mark at a position is; empty where there is none."""
    number = side.disguises.at(position)
    if number is None:
        return ""
    mark = side.marked[number]
    more = f", and {mark.characters - 1:,} more here" if mark.characters > 1 else ""
    return f"Not what it seems: {mark.says}{more}."


def disguise_description(side: Side) -> str:
    """What is marked in a text, for those who cannot see it: "3 × invisible character"."""
    if not side.marked:
        return ""
    counts = Counter[str]()
    for mark in side.marked:
        counts[mark.kind] += mark.characters
    parts = (f"{number:,} × {kind}" for kind, number in counts.items())
    return f"{counted(len(side.marked), 'mark')} of what is not seen: {', '.join(parts)}"
