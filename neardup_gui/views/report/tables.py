"""Tables of the report window: the first rows of a file, and what becomes of names."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from core.base.messages import N_, gettext
from core.base.wording import printable_text
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.views.widgets.containers import size_within_screen
from neardup_gui.views.widgets.controls import Caption
from neardup_gui.views.widgets.layouts import column_in
from neardup_gui.views.widgets.rows_table import FlatHeader

AIR = 32
CELL = 60  # letters of a cell
PLAIN_TABLE_WIDEST = 20  # lines of a text, as the width of a column


class PlainTable(QTableWidget):
    """Rows of texts, as wide as they need; long ones are cut, and whole in their tool tip."""

    def __init__(self) -> None:
        super().__init__()
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
            widest = max(
                map(metrics.horizontalAdvance, (title, *(cell_text[:CELL] for cell_text in texts)))
            )
            self.setColumnWidth(column, min(widest, PLAIN_TABLE_WIDEST * metrics.height()) + AIR)


NAMES_SIZE = QSize(640, 560)
NAMES_KNOWN = N_(
    "Known are the names of files, folders and reviewers, and those in the heads of documents. "
    "Look through what stays before you hand the report on."
)


class NamesWindow(QDialog):
    """What becomes of each name in the texts of a report."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(gettext("Names in the report"))
        self.setModal(False)
        self.table = PlainTable()
        self.table.setAccessibleName(gettext("Names in the report"))
        sentence = Caption(gettext(NAMES_KNOWN))
        column_in(self, sentence, (self.table, 1))
        self.resize(size_within_screen(self, NAMES_SIZE))

    def show_names(self, rows: Sequence[Sequence[str]]) -> None:
        """Show other names, below their titles."""
        self.table.show_rows(rows[0], rows[1:])
