"""The documents that hold one passage, as a table of one column."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from neardup_gui.models.pairs.cells import Role
from neardup_gui.models.scan_result import DocumentNames
from neardup_gui.models.table_model import (
    ACCESSIBLE,
    DISPLAY,
    TOOL_TIP,
    Columns,
    Index,
    TableColumn,
    TableModel,
)
from neardup_gui.models.words import numbers
from neardup_gui.models.words.passages import HOLDERS, holders_heading

MARK = int(Role.MARK)


class HolderColumn(Columns):
    """The columns, from left to right."""

    NAME = TableColumn(title=HOLDERS)


class HoldersModel(TableModel[None]):
    """One row a document."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(tuple(HolderColumn), parent)
        self._names = DocumentNames(())
        self._rows: Sequence[int] = ()
        self._is_known = False

    @property
    def documents(self) -> Sequence[int]:
        """Their numbers, ascending."""
        return self._rows

    def set_documents(self, documents: Sequence[int], names: DocumentNames) -> None:
        """Show other documents."""
        self.beginResetModel()
        self._rows, self._names, self._is_known = documents, names, True
        self.endResetModel()

    def clear(self) -> None:
        """No passage is read."""
        self.beginResetModel()
        self._rows, self._names, self._is_known = (), DocumentNames(()), False
        self.endResetModel()

    def _title(self, _section: int) -> str:
        return holders_heading(len(self._rows)) if self._is_known else HOLDERS

    def data(self, index: Index, role: int = DISPLAY) -> object:
        """What a row shows."""
        if not index.isValid():
            return None
        number = self._rows[index.row()]
        name, mark = self._names.shown[number], self._names.marks.get(number, "")
        if role == DISPLAY:
            return name
        if role == MARK:
            return mark
        if role == TOOL_TIP:
            lines = (numbers.full_name(self._names.paths[number]), mark)
            return numbers.tool_tip("\n".join(filter(None, lines)))
        return f"{name}, {mark}" if role == ACCESSIBLE and mark else None
