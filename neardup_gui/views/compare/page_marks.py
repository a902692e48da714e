"""Where a page ends: a thin rule across the column, and the number of the page that begins."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QApplication

from neardup_gui.environment.theme import colors
from neardup_gui.models.compare.side import Side
from neardup_gui.views.compare.lines import VisibleBlock
from neardup_gui.views.compare.reading_layout import TextColumn

SCALE = 0.86
GAP = 8.0


def paint_page_marks(
    painter: QPainter, side: Side, blocks: Sequence[VisibleBlock], column: TextColumn
) -> None:
    """Draw the marks among the visible blocks."""
    marks = side.text.page_marks
    seen = [(block, marks[block.start]) for block in blocks if block.start in marks]
    if not seen:
        return
    font = QFont(QApplication.font())
    font.setPointSizeF(SCALE * font.pointSizeF())
    painter.setFont(font)
    for block, page in seen:
        label = side.origin.cite(page)
        area = QRectF(column.left, block.top, column.width, block.height)
        words = QFontMetricsF(font).horizontalAdvance(label)
        rule = QRectF(area.left(), round(area.center().y()), area.width() - words - GAP, 1.0)
        painter.fillRect(rule, colors().border)
        painter.setPen(colors().muted)
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, label)
