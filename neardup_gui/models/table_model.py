"""The base of all tables: columns with explanations, rows that can be selected."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

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
Key = TypeVar("Key")  # identifies a row, also in another list


@dataclass(frozen=True, slots=True, kw_only=True)
class TableColumn:
    """One column; its texts are messages, which `Columns` translates.

    Attributes:
        title: What stands above it.
        shown: What it says, given what `TableModel._subject` tells of a row.
        meaning: What it says, in a sentence.
        sample: The widest text it usually holds, to give it its width.
        alignment: Of what it says.
        largest_first: Whether a first click on the title sorts from large to small: numbers.
    """

    title: str
    shown: Callable[..., str]
    meaning: str = ""
    sample: str | Callable[[], str] = ""
    alignment: int = LEFT
    largest_first: bool = False


class Columns(IntEnum):
    """The columns of a table, from left to right: each is its index, and has its texts."""

    words: TableColumn

    def __new__(cls, words: TableColumn) -> Self:
        """Number the columns from 0 on."""
        number = len(cls.__members__)
        column = int.__new__(cls, number)
        column._value_ = number
        column.words = words
        return column

    @property
    def title(self) -> str:
        """The title of the column."""
        return gettext(self.words.title)

    @property
    def meaning(self) -> str:
        """The meaning of the column, in a sentence."""
        return gettext(self.words.meaning)

    @property
    def sample(self) -> str:
        """The widest usual text of the column."""
        sample = self.words.sample
        return gettext(sample) if isinstance(sample, str) else sample()


class TableModel(QAbstractTableModel, Generic[ColumnType, Key]):
    """Rows under columns.

    Attributes:
        columns: From left to right.
    """

    columns: Sequence[ColumnType] = ()
    _rows: Sized = ()  # the shown rows

    @contextmanager
    def resetting(self) -> Iterator[None]:
        """Reset the model around a change of the rows."""
        self.beginResetModel()
        try:
            yield
        finally:
            self.endResetModel()

    def _emit_changed(
        self, first: int = 0, last: int | None = None, roles: Sequence[int] = ()
    ) -> None:
        """Emit that columns have changed, in all rows."""
        if rows := self.rowCount():
            last = len(self.columns) - 1 if last is None else last
            self.dataChanged.emit(self.index(0, first), self.index(rows - 1, last), list(roles))

    @property
    def total(self) -> int:
        """The number of rows, shown or not."""
        return len(self._rows)

    def key_at(self, _row: int) -> Key | None:
        """The key of a row, also in another list; None where rows have no keys."""
        return None

    def row_of(self, _key: Key) -> int | None:
        """The row of a key; None if it is not shown."""
        return None

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        """The number of rows shown."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = NO_PARENT) -> int:
        """The number of columns."""
        return 0 if parent.isValid() else len(self.columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Every row can be selected, none edited."""
        return FLAGS if index.isValid() else NO_FLAGS

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        """The titles of the columns and their meanings."""
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
        """The text of a cell, its tool tip, and its other roles."""
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
        return column.words.shown(*self._subject(row))

    def _subject(self, row: int) -> tuple[Any, ...]:
        raise NotImplementedError

    def _explanation(self, row: int, column: ColumnType) -> str:
        raise NotImplementedError

    def _sort(self) -> None:
        """Put the wanted rows, in their order, into `_rows`."""
        raise NotImplementedError

    def _besides(self, _role: int, _row: int, _column: ColumnType) -> object:
        return None

    def _title(self, section: int) -> str:
        return self.columns[section].title

    def _meaning(self, section: int) -> str:
        return self.columns[section].meaning


class SearchedModel(TableModel[ColumnType, Key]):
    """Rows that show only what the search field of the window asks for."""

    _sought = ""

    def set_filter(self, text: str) -> None:
        """Show only rows about what contains a text, in its name or in its words."""
        if text.strip() != self._sought:
            self._sought = text.strip()
            self.filter_again()

    def filter_again(self) -> None:
        """Texts were searched: show what contains the phrase."""
        with self.resetting():
            self._sort()


class FoldedModel(TableModel[ColumnType, Key]):
    """A table of headings, with rows below each of them that can be opened and closed."""

    _rows: list[Any]

    def is_heading(self, row: int) -> bool:
        """Whether a row is a heading."""
        raise NotImplementedError

    def can_open(self, row: int) -> bool:
        """Whether rows below a row are hidden, or can be."""
        raise NotImplementedError

    def is_open(self, row: int) -> bool:
        """Whether the rows below a row are shown."""
        raise NotImplementedError

    def _turned(self, row: int) -> list[Any]:
        """Open or close a row, and give its heading and all rows below that."""
        raise NotImplementedError

    def heading_of(self, row: int) -> int:
        """The row of the heading above a row."""
        while not self.is_heading(row):
            row -= 1
        return row

    def turn(self, row: int) -> None:
        """Open a closed row, or close an open one."""
        if not self.can_open(row):
            return
        start, end = self.heading_of(row), row + 1
        while end < len(self._rows) and not self.is_heading(end):
            end += 1
        rows = self._turned(row)
        gained = len(rows) - (end - start)
        if gained > 0:
            self.beginInsertRows(NO_PARENT, row + 1, row + gained)
            self._rows[start:end] = rows
            self.endInsertRows()
        elif gained < 0:
            self.beginRemoveRows(NO_PARENT, row + 1, row - gained)
            self._rows[start:end] = rows
            self.endRemoveRows()
        first_cell = self.index(row, 0)
        self.dataChanged.emit(first_cell, first_cell.siblingAtColumn(len(self.columns) - 1))


class SortedModel(TableModel[ColumnType, Key]):
    """Rows that can be ordered by any column, through an array of row numbers."""

    _rows: npt.NDArray[np.signedinteger[Any]]
    _sorted_by: tuple[ColumnType, Qt.SortOrder]

    def sort(self, column: int, order: Qt.SortOrder = ASCENDING) -> None:
        """Order by a column; equal rows stay in the order of their rank or name."""
        self._sorted_by = (self.columns[max(column, 0)], order)
        self._reorder()

    def _reorder(self) -> None:
        """Sort; the selection stays."""
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


RowType = TypeVar("RowType")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowColumn(TableColumn):
    """One column; `sorts` gives the number to sort by, if any."""

    sorts: Callable[[Any], float] = lambda _row: math.nan


class RowColumns(Columns):
    """The columns of such a table."""

    words: RowColumn


def text_column(
    title: str, shown: Callable[[Any], str], *, sample: str = "", meaning: str = ""
) -> RowColumn:
    """A column of texts."""
    return RowColumn(title=title, sample=sample, meaning=meaning, shown=shown)


def number_column(
    title: str,
    sample: str,
    shown: Callable[[Any], str],
    *,
    sorts: Callable[[Any], float] = lambda _row: math.nan,
    meaning: str = "",
) -> RowColumn:
    """A column of numbers, aligned to the right."""
    return RowColumn(
        title=title, sample=sample, meaning=meaning, alignment=RIGHT, shown=shown, sorts=sorts
    )


class RowsModel(SortedModel[RowColumns, Key], Generic[RowType, Key]):
    """A few rows, which are made again after each change."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: Sequence[RowType] = ()
        self._rows = np.arange(0)
        self._chosen_order: tuple[RowColumns, Qt.SortOrder] | None = None

    def key_of(self, _row: RowType) -> Key | None:
        """The key of a row, also among other rows; None where rows have no keys."""
        return None

    def sentence(self, _row: RowType) -> str:
        """A row in words, for screen readers."""
        return ""

    def hint(self, _row: RowType, _column: RowColumn) -> str:
        """The tool tip of a cell."""
        return ""

    @property
    def total(self) -> int:
        """The number of rows."""
        return len(self._all)

    def show_rows(self, rows: Sequence[RowType]) -> None:
        """Show other rows; if they have the same keys, they stay where they are."""
        if rows == self._all:
            return
        keys, before = ([self.key_of(row) for row in row_list] for row_list in (rows, self._all))
        same = keys == before and None not in keys
        if not same:
            self.beginResetModel()
        self._all = rows
        if not same:
            self._sort()
            self.endResetModel()
        elif rows:
            self._reorder()
            self._emit_changed()

    def shown(self) -> list[RowType]:
        """The rows in the order of the table."""
        return [self._all[number] for number in self._rows.tolist()]

    def row_at(self, row: int) -> RowType:
        """The content of a row."""
        return self._all[int(self._rows[row])]

    def key_at(self, row: int) -> Key | None:
        """The key of a row."""
        return self.key_of(self.row_at(row))

    def row_of(self, key: Key) -> int | None:
        """The row of a key, or None."""
        return next(
            (number for number, row in enumerate(self.shown()) if self.key_of(row) == key), None
        )

    def sort(self, column: int, order: Qt.SortOrder = ASCENDING) -> None:
        """Order by a column, unknown values last and unsorted; by none, in the original order."""
        known = 0 <= column < len(self.columns)
        self._chosen_order = (self.columns[column], order) if known else None
        self._reorder()

    def _subject(self, row: int) -> tuple[RowType]:
        return (self.row_at(row),)

    def _explanation(self, row: int, column: RowColumns) -> str:
        return self.hint(self.row_at(row), column.words)

    def _besides(self, role: int, row: int, column: RowColumns) -> object:
        needs_sentence = role == ACCESSIBLE and column == 0
        return self.sentence(self.row_at(row)) or None if needs_sentence else None

    def _sort(self) -> None:
        self._rows = np.arange(len(self._all))
        if self._chosen_order is not None:
            column, order = self._chosen_order
            numbers = np.array([column.words.sorts(row) for row in self._all], dtype=np.float64)
            # nan comes last
            self._rows = np.argsort(-numbers if order == DESCENDING else numbers, kind="stable")
