"""The list of documents: columns behind an order array, as that of the pairs."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, Qt

from core.base.arrays import Int64Array
from core.documents.model import DocumentKey
from neardup_gui.models.documents.columns import COLUMNS, DocumentColumn, title_of
from neardup_gui.models.documents.listed import DocumentList, with_measured
from neardup_gui.models.pairs.cells import Role
from neardup_gui.models.table_model import (
    ACCESSIBLE,
    ALIGNMENT,
    ASCENDING,
    DISPLAY,
    TOOL_TIP,
    Index,
    SortedModel,
)
from neardup_gui.models.words import languages, numbers

VALUE, MARK = int(Role.VALUE), int(Role.MARK)


class DocumentsModel(SortedModel[DocumentKey]):
    """Documents as rows; `_rows` maps a row shown to the number of its document."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, parent)
        self._list = DocumentList()
        self._text = ""
        self._sorted_by = (DocumentColumn.NAME, ASCENDING)
        self._rows: Int64Array = np.zeros(0, dtype=np.int64)

    # What the window asks and says

    @property
    def total(self) -> int:
        """The number of documents, shown or not."""
        return len(self._list.documents)

    @property
    def listed(self) -> DocumentList:
        """The documents and what is said of them."""
        return self._list

    def clear(self) -> None:
        """Show nothing, for another folder."""
        self.set_documents(DocumentList())

    def set_documents(self, listed: DocumentList) -> None:
        """Show other documents, in the same order and through the same filter."""
        self.beginResetModel()
        self._list = listed
        self._sort()
        self.endResetModel()

    def set_measured(self, document: int, share: float) -> None:
        """How much of a document stands in others was measured; its row stays where it is."""
        self._list = with_measured(self._list, document, share)
        column = COLUMNS.index(DocumentColumn.ELSEWHERE)
        for row in np.flatnonzero(self._rows == document).tolist():
            cell = self.index(row, column)
            self.dataChanged.emit(cell, cell)

    def set_filter(self, text: str) -> None:
        """Show only documents whose names contain a text."""
        if text.strip() != self._text:
            self.beginResetModel()
            self._text = text.strip()
            self._sort()
            self.endResetModel()

    def is_hidden(self, column: DocumentColumn) -> bool:
        """Whether a column would say nothing."""
        words = column.words
        return words.optional and not self._list.has_any(words.attribute)

    def number_at(self, row: int) -> int:
        """The number of the document in a row."""
        return int(self._rows[row])

    def key_at(self, row: int) -> DocumentKey:
        """Who the document in a row is, also in another list."""
        number = self.number_at(row)
        return self._list.names.key(number, number).a

    def name_at(self, row: int) -> str:
        """The name of the document in a row."""
        return self._list.names.shown[self.number_at(row)]

    def row_of(self, key: DocumentKey) -> int | None:
        """The row of a document; None when it is not shown."""
        names = self._list.names
        number = names.documents.number_of(key)
        number = names.index(key.name) if number is None else number
        rows = np.flatnonzero(self._rows == number) if number is not None else self._rows[:0]
        return int(rows[0]) if len(rows) else None

    # What Qt asks

    def data(self, index: Index, role: int = DISPLAY) -> object:
        """What a cell shows."""
        if not index.isValid():
            return None
        number, column = self.number_at(index.row()), COLUMNS[index.column()]
        if role == DISPLAY:
            return column.words.shown(self._list, number)
        if role == TOOL_TIP:
            return numbers.tool_tip(self._explanation(number, column))
        if column is DocumentColumn.HIGHEST and role == VALUE:
            return float(self._list.column("highest")[number])
        if column is DocumentColumn.NAME and role in (MARK, ACCESSIBLE):
            mark = self._list.names.marks.get(number, "")
            name = self._list.names.shown[number]
            return mark if role == MARK else ", ".join(filter(None, (name, mark)))
        return column.words.alignment if role == ALIGNMENT else None

    def sort(self, column: int, order: Qt.SortOrder = ASCENDING) -> None:
        """Order by a column; equal documents stay in the order of their names."""
        self._sorted_by = (COLUMNS[max(column, 0)], order)
        self._reorder()

    def _title(self, section: int) -> str:
        return title_of(COLUMNS[section], self._list)

    def _sort(self) -> None:
        column, order = self._sorted_by
        name = column.words.attribute
        if not name:
            ranked = np.arange(self.total, dtype=np.int64)
            ranked = ranked if order == ASCENDING else ranked[::-1]
        else:
            keys = self._list.column(name)
            ranked = np.argsort(keys if order == ASCENDING else -keys, kind="stable")
        if self._text:
            ranked = ranked[self._list.containing(self._text)[ranked]]
        self._rows = ranked

    def _explanation(self, number: int, column: DocumentColumn) -> str:
        document = self._list.documents[number]
        if column is DocumentColumn.NAME:
            lines = (
                numbers.full_name(self._list.names.paths[number]),
                self._list.names.marks.get(number, ""),
            )
            return "\n".join(filter(None, lines))
        if column is DocumentColumn.REMARKS and document.remarks:
            return "\n".join(document.remarks)
        if column is DocumentColumn.LANGUAGE:
            return languages.explained(self._list.language_of(number), self._list.told_of(number))
        return column.words.meaning
