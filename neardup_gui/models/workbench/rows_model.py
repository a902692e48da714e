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
    ASCENDING,
    DESCENDING,
    RIGHT,
    Columns,
    Key,
    SortedModel,
    TableColumn,
)

RowType = TypeVar("RowType")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowColumn(TableColumn):
    """One column; `shown` is what it says of a row, `sorts` the number it sorts by, if any."""

    shown: Callable[[Any], str]
    sorts: Callable[[Any], float] = lambda _row: math.nan


class RowColumns(Columns):
    """The columns of such a table."""

    words: RowColumn


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


class RowsModel(SortedModel[RowColumns, Key], Generic[RowType, Key]):
    """Few rows, which are made anew when something changes."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: Sequence[RowType] = ()
        self._rows = np.arange(0)
        self._sorted_by: tuple[RowColumns, Qt.SortOrder] | None = None

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
            self._tell_changed()

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

    def _text(self, row: int, column: RowColumns) -> str:
        return column.words.shown(self.row_at(row))

    def _explanation(self, row: int, column: RowColumns) -> str:
        return self.hint(self.row_at(row), column.words)

    def _besides(self, role: int, row: int, column: RowColumns) -> object:
        is_asked = role == ACCESSIBLE and column == 0
        return self.sentence(self.row_at(row)) or None if is_asked else None

    def _sort(self) -> None:
        self._rows = np.arange(len(self._all))
        if self._sorted_by is not None:
            column, order = self._sorted_by
            numbers = np.array([column.words.sorts(row) for row in self._all], dtype=np.float64)
            # nan comes last
            self._rows = np.argsort(-numbers if order == DESCENDING else numbers, kind="stable")
