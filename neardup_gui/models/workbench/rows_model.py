"""A table whose columns say what they show of a row, and what they sort by."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from PySide6.QtCore import QObject, Qt

from neardup_gui.models.table_model import (
    ACCESSIBLE,
    ALIGNMENT,
    ASCENDING,
    DESCENDING,
    DISPLAY,
    RIGHT,
    TOOL_TIP,
    Columns,
    Index,
    Key,
    SortedModel,
    TableColumn,
)
from neardup_gui.models.words.numbers import tool_tip

RowType = TypeVar("RowType")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowColumn(TableColumn):
    """One column; `shown` is what it says of a row, `sorts` the number it sorts by, if any."""

    shown: Callable[[Any], str]
    sorts: Callable[[Any], float] = lambda _row: math.nan


def text_column(
    title: str, shown: Callable[[Any], str], *, sample: str = "", meaning: str = ""
) -> RowColumn:
    """A column of words."""
    return RowColumn(title=title, sample=sample, meaning=meaning, shown=shown)


def number_column(
    title: str,
    sample: str,
    shown: Callable[[Any], str],
    *,
    sorts: Callable[[Any], float] = lambda _row: math.nan,
    meaning: str = "",
) -> RowColumn:
    """A column of numbers, which stand at the right."""
    return RowColumn(
        title=title, sample=sample, meaning=meaning, alignment=RIGHT, shown=shown, sorts=sorts
    )


class RowsModel(SortedModel[Key], Generic[RowType, Key]):
    """Few rows, which are made anew when something changes."""

    def __init__(self, columns: Sequence[Columns], parent: QObject | None = None) -> None:
        super().__init__(columns, parent)
        self._all: Sequence[RowType] = ()
        self._rows = np.arange(0)
        self._sorted_by: tuple[Columns, Qt.SortOrder] | None = None

    def key_of(self, _row: RowType) -> Key | None:
        """What a row is about, also among other rows; None where rows are not found again."""
        return None

    def sentence(self, _row: RowType) -> str:
        """A row in words, for those who cannot see it."""
        return ""

    def hint(self, _row: RowType, _column: RowColumn) -> str:
        """What a cell says besides, as a tool tip."""
        return ""

    @property
    def total(self) -> int:
        """The number of rows."""
        return len(self._all)

    def show_rows(self, rows: Sequence[RowType]) -> None:
        """Show others; rows that are about the same things stay where they are."""
        if rows == self._all:
            return
        keys, before = ([self.key_of(row) for row in some] for some in (rows, self._all))
        same = keys == before and None not in keys
        if not same:
            self.beginResetModel()
        self._all = rows
        if not same:
            self._sort()
            self.endResetModel()
        elif rows:
            self._reorder()
            last = self.index(len(rows) - 1, len(self.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def shown(self) -> list[RowType]:
        """The rows in the order of the table."""
        return [self._all[number] for number in self._rows.tolist()]

    def row_at(self, row: int) -> RowType:
        """What a row is about."""
        return self._all[int(self._rows[row])]

    def key_at(self, row: int) -> Key | None:
        """What a row is about, also among other rows."""
        return self.key_of(self.row_at(row))

    def row_of(self, key: Key) -> int | None:
        """The row of what a key is about; None where it has none."""
        return next(
            (place for place, row in enumerate(self.shown()) if self.key_of(row) == key), None
        )

    def sort(self, column: int, order: Qt.SortOrder = ASCENDING) -> None:
        """Order by a column; what is not known comes last, as it came. No column: as it came."""
        known = 0 <= column < len(self.columns)
        self._sorted_by = (self.columns[column], order) if known else None
        self._reorder()

    def data(self, index: Index, role: int = DISPLAY) -> object:
        """What a cell shows."""
        if not index.isValid():
            return None
        words = self.columns[index.column()].words
        if role == ALIGNMENT:
            return words.alignment
        row = self.row_at(index.row())
        if not isinstance(words, RowColumn):
            return None
        if role == DISPLAY:
            return words.shown(row)
        if role == TOOL_TIP:
            hint = self.hint(row, words)
            return tool_tip(hint) if hint else None
        return self.sentence(row) or None if role == ACCESSIBLE and index.column() == 0 else None

    def _sort(self) -> None:
        self._rows = np.arange(len(self._all))
        words = self._sorted_by[0].words if self._sorted_by else None
        if self._sorted_by and isinstance(words, RowColumn):
            falling = -1 if self._sorted_by[1] == DESCENDING else 1
            numbers = falling * np.array([words.sorts(row) for row in self._all], dtype=np.float64)
            self._rows = np.argsort(numbers, kind="stable")  # nan last
