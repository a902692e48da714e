"""The list of passages, and beside it the documents that hold one."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QAbstractItemView, QWidget

from neardup_gui.models.passages.columns import PassageColumn
from neardup_gui.models.passages.holders import HoldersModel
from neardup_gui.models.passages.table import PassagesModel
from neardup_gui.views.pairs.delegates import NameDelegate, RowDelegate
from neardup_gui.views.widgets.rows_table import RowsTable

FEW = 8  # letters of a passage or name that are seen at least, beside what it was judged as
ONE = QAbstractItemView.SelectionMode.SingleSelection


class PassageDelegate(RowDelegate):
    """The first words of a passage, cut at their end."""

    def _shortened(self, metrics: QFontMetrics, text: str, width: int) -> str:
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)


class PassagesTable(RowsTable):
    """One row a passage; the one that is selected stays selected when the list is another."""

    name_letters = FEW

    def __init__(self, model: PassagesModel, parent: QWidget | None = None) -> None:
        super().__init__(model, PassageColumn.PASSAGE, parent)
        self.setAccessibleName("Passages that documents share")
        self.setSelectionMode(ONE)
        self.setItemDelegateForColumn(PassageColumn.PASSAGE, PassageDelegate(self))

    def _on_lost(self) -> None:
        self.select_row(0)


class HoldersTable(RowsTable):
    """One row a document that holds the passage."""

    name_letters = FEW

    def __init__(self, model: HoldersModel, parent: QWidget | None = None) -> None:
        super().__init__(model, 0, parent)
        self.setAccessibleName("Documents that hold the passage")
        self.setSelectionMode(ONE)
        self.setItemDelegateForColumn(0, NameDelegate(self))
