"""What the tables have in common: columns that say what they mean, rows that can be selected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from core.base.messages import gettext
from neardup_gui.models.words import numbers

Index = QModelIndex | QPersistentModelIndex
NO_PARENT = QModelIndex()
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
# Built once: Qt asks for them a thousand times a page, and an enum made again is what costs most.
DISPLAY = int(Qt.ItemDataRole.DisplayRole)
TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)
FIRST_SORT = int(Qt.ItemDataRole.InitialSortOrderRole)
ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
FLAGS = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
NO_FLAGS = Qt.ItemFlag.NoItemFlags

ColumnType = TypeVar("ColumnType", bound="Columns")
Key = TypeVar("Key")  # what a row is about, also in another list


@dataclass(frozen=True, slots=True, kw_only=True)
class TableColumn:
    """One column; what it says are messages, which `Columns` translates.

    Attributes:
        title: What stands above it.
        meaning: What it says, in a sentence.
        sample: The widest text it usually holds, to give it its width.
        alignment: Of what it says.
        largest_first: Whether a first click on the title sorts from large to small: numbers.
    """

    title: str
    meaning: str = ""
    sample: str = ""
    alignment: int = LEFT
    largest_first: bool = False


class Columns(IntEnum):
    """The columns of a table, from left to right: each is its place, and has its words."""

    words: TableColumn

    def __new__(cls, words: TableColumn) -> Self:
        """The next column."""
        place = len(cls.__members__)
        column = int.__new__(cls, place)
        column._value_ = place
        column.words = words
        return column

    @property
    def title(self) -> str:
        """What stands above it."""
        return gettext(self.words.title)

    @property
    def meaning(self) -> str:
        """What it says, in a sentence."""
        return gettext(self.words.meaning)

    @property
    def sample(self) -> str:
        """The widest text it usually holds."""
        return gettext(self.words.sample)


class TableModel(QAbstractTableModel, Generic[ColumnType, Key]):
    """Rows under columns.

    Attributes:
        columns: From left to right.
    """

    columns: Sequence[ColumnType] = ()
    _rows: Sized = ()  # what is shown, one thing a row

    @contextmanager
    def resetting(self) -> Iterator[None]:
        """The rows are others afterwards."""
        self.beginResetModel()
        try:
            yield
        finally:
            self.endResetModel()

    def _tell_changed(
        self, first: int = 0, last: int | None = None, roles: Sequence[int] = ()
    ) -> None:
        """Some columns say something else, in all rows."""
        if rows := self.rowCount():
            last = len(self.columns) - 1 if last is None else last
            self.dataChanged.emit(self.index(0, first), self.index(rows - 1, last), list(roles))

    @property
    def total(self) -> int:
        """How many rows there are, shown or not."""
        return len(self._rows)

    def key_at(self, _row: int) -> Key | None:
        """What a row is about, also in another list; None where rows are not found again."""
        return None

    def row_of(self, _key: Key) -> int | None:
        """The row of what a key is about; None where it is not shown."""
        return None

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        """The number of rows shown."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = NO_PARENT) -> int:
        """The number of columns."""
        return 0 if parent.isValid() else len(self.columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Every row can be selected; nothing is edited here."""
        return FLAGS if index.isValid() else NO_FLAGS

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        """The names of the columns and what they mean."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        words = self.columns[section].words
        if role == DISPLAY:
            return self._title(section)
        if role == TOOL_TIP:
            meaning = self._meaning(section)
            return numbers.tool_tip(meaning) if meaning else None
        first = DESCENDING if words.largest_first else ASCENDING
        return {ALIGNMENT: words.alignment, FIRST_SORT: first}.get(role)

    def data(self, index: Index, role: int = DISPLAY) -> object:
        """What a cell shows, what it says as a tool tip, and what else is asked of it."""
        if not index.isValid():
            return None
        row, column = index.row(), self.columns[index.column()]
        if role == ALIGNMENT:
            return column.words.alignment
        if role == DISPLAY:
            return self._text(row, column)
        if role == TOOL_TIP:
            explanation = self._explanation(row, column)
            return numbers.tool_tip(explanation) if explanation else None
        return self._besides(role, row, column)

    def _text(self, row: int, column: ColumnType) -> str:
        raise NotImplementedError

    def _explanation(self, row: int, column: ColumnType) -> str:
        raise NotImplementedError

    def _besides(self, _role: int, _row: int, _column: ColumnType) -> object:
        return None

    def _title(self, section: int) -> str:
        return self.columns[section].title

    def _meaning(self, section: int) -> str:
        return self.columns[section].meaning


class SortedModel(TableModel[ColumnType, Key]):
    """Rows that are ordered by any column: numbers of what they show, behind an order array."""

    _rows: npt.NDArray[np.signedinteger[Any]]

    def _sort(self) -> None:
        """Put `_rows` into the order asked for."""
        raise NotImplementedError

    def _reorder(self) -> None:
        """Sort; what is selected stays so."""
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        shown = [int(self._rows[index.row()]) for index in before]
        self._sort()
        if before:
            rows = np.zeros(self.total, dtype=np.int32)
            rows[self._rows] = np.arange(len(self._rows), dtype=np.int32)
            after = [
                self.index(int(rows[number]), index.column())
                for index, number in zip(before, shown, strict=True)
            ]
            self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()
