"""The documents that hold one passage, as a table of one column."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from neardup_gui.models.pairs.table import Role
from neardup_gui.models.scan_result import DocumentNames
from neardup_gui.models.words import numbers
from neardup_gui.models.words.passages import HOLDERS, holders_heading

__all__ = ["HoldersModel"]

Index = QModelIndex | QPersistentModelIndex
NO_PARENT = QModelIndex()
DISPLAY = int(Qt.ItemDataRole.DisplayRole)
TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)
MARK = int(Role.MARK)


class HoldersModel(QAbstractTableModel):
    """One row a document."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._names = DocumentNames(())
        self._documents: Sequence[int] = ()
        self._is_known = False

    @property
    def documents(self) -> Sequence[int]:
        """Their numbers, ascending."""
        return self._documents

    def set_documents(self, documents: Sequence[int], names: DocumentNames) -> None:
        """Show other documents."""
        self.beginResetModel()
        self._documents, self._names, self._is_known = documents, names, True
        self.endResetModel()

    def clear(self) -> None:
        """No passage is read."""
        self.beginResetModel()
        self._documents, self._names, self._is_known = (), DocumentNames(()), False
        self.endResetModel()

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        """The number of documents."""
        return 0 if parent.isValid() else len(self._documents)

    def columnCount(self, parent: Index = NO_PARENT) -> int:
        """One, of names."""
        return 0 if parent.isValid() else 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        """How many there are."""
        if orientation != Qt.Orientation.Horizontal or section or role != DISPLAY:
            return None
        return holders_heading(len(self._documents)) if self._is_known else HOLDERS

    def data(self, index: Index, role: int = DISPLAY) -> object:
        """What a row shows."""
        if not index.isValid():
            return None
        number = self._documents[index.row()]
        name, mark = self._names.shown[number], self._names.marks.get(number, "")
        if role == DISPLAY:
            return name
        if role == MARK:
            return mark
        if role == TOOL_TIP:
            lines = (numbers.full_name(self._names.paths[number]), mark)
            return numbers.tool_tip("\n".join(filter(None, lines)))
        return f"{name}, {mark}" if role == ACCESSIBLE and mark else None
