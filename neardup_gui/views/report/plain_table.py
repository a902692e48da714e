"""A small table that is only read."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QAbstractItemView, QTableWidget, QTableWidgetItem, QWidget

from core.base.wording import printable_text
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.views.widgets.flat_header import FlatHeader

AIR = 32
CELL = 60  # letters of a cell
WIDEST = 20  # lines of a text, as the width of a column


class PlainTable(QTableWidget):
    """Rows of texts, as wide as they need; long ones are cut, and whole in their tool tip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setHorizontalHeader(FlatHeader(self))
        self.horizontalHeader().setSectionsClickable(False)
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFrameShape(QTableWidget.Shape.NoFrame)

    def show_rows(self, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Show other rows below their titles."""
        self.clear()
        self.setColumnCount(len(titles))
        self.setRowCount(len(rows))
        self.setHorizontalHeaderLabels(list(titles))
        metrics = self.fontMetrics()
        for column, title in enumerate(titles):
            texts = [printable_text(row[column]) for row in rows]
            for row, text in enumerate(texts):
                item = QTableWidgetItem(text[:CELL])
                if len(text) > CELL:
                    item.setToolTip(tool_tip(text))
                self.setItem(row, column, item)
            widest = max(map(metrics.horizontalAdvance, (title, *(one[:CELL] for one in texts))))
            self.setColumnWidth(column, min(widest, WIDEST * metrics.height()) + AIR)
