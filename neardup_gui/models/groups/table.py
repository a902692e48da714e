"""The list of groups as a table: a row for each group, and below it those of its members."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from itertools import chain

import numpy as np
from PySide6.QtCore import QObject, Qt

from core.base.arrays import BoolArray, Int64Array
from core.documents.model import DocumentKey
from neardup_gui.models.groups.columns import COLUMNS, GroupColumn, explanation
from neardup_gui.models.groups.grouped import GroupList
from neardup_gui.models.groups.rows import GroupRow, Opened, RowKind, rows_in, rows_of
from neardup_gui.models.groups.verdicts import GroupVerdicts
from neardup_gui.models.pairs.cells import Role
from neardup_gui.models.pairs.verdicts import PairVerdicts
from neardup_gui.models.scan_result import ListedPair
from neardup_gui.models.table_model import (
    ACCESSIBLE,
    ALIGNMENT,
    DISPLAY,
    NO_PARENT,
    TOOL_TIP,
    Index,
    TableModel,
)
from neardup_gui.models.words import numbers


class GroupRole(IntEnum):
    """What delegates ask besides Qt's own roles and those of the pairs."""

    KIND = Qt.ItemDataRole.UserRole + 11  # the `RowKind`
    OPEN = Qt.ItemDataRole.UserRole + 12  # whether what can be opened is open


VALUE, MARK = int(Role.VALUE), int(Role.MARK)
KIND, OPEN = int(GroupRole.KIND), int(GroupRole.OPEN)


class GroupsModel(TableModel[DocumentKey]):
    """Rows of groups, members and copies.

    Attributes:
        verdicts: What is said of the pairs of groups.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, parent)
        self._list = GroupList()
        self.verdicts = GroupVerdicts(self._list)
        self._opened = Opened()
        self._text = ""
        self._rows: list[GroupRow] = []

    # What the window asks and says

    @property
    def total(self) -> int:
        """The number of groups, shown or not."""
        return len(self._list.groups)

    @property
    def listed(self) -> GroupList:
        """The groups, and the pairs in them."""
        return self._list

    def clear(self) -> None:
        """Show nothing, for another folder."""
        self._opened = Opened()
        self.set_groups(GroupList())

    def set_groups(self, listed: GroupList, verdicts: PairVerdicts | None = None) -> None:
        """Show other groups, with what is said of the listed pairs."""
        self.beginResetModel()
        self._opened.follow(self._list.names, listed.names)
        self._list = listed
        self.verdicts = GroupVerdicts(listed, verdicts)
        self._rows = self._made()
        self.endResetModel()

    def set_verdicts(self, verdicts: PairVerdicts) -> None:
        """Something else is said of pairs."""
        self.verdicts = GroupVerdicts(self._list, verdicts)
        if self._rows:
            last = self.index(len(self._rows) - 1, len(COLUMNS) - 1)
            self.dataChanged.emit(self.index(0, int(GroupColumn.JUDGED)), last)

    def set_filter(self, text: str) -> None:
        """Show only groups in which a name contains a text."""
        if text.strip() != self._text:
            self.beginResetModel()
            self._text = text.strip()
            self._rows = self._made()
            self.endResetModel()

    def row_at(self, row: int) -> GroupRow:
        """What a row is."""
        return self._rows[row]

    def row_of(self, key: DocumentKey) -> int | None:
        """The row of a document, or that of its group where this is closed; None for no row."""
        names = self._list.names
        number = names.documents.number_of(key)
        number = names.index(key.name) if number is None else number
        if number is None or self._list.group_of[number] < 0:
            return None
        group = int(self._list.group_of[number])
        own = [place for place, row in enumerate(self._rows) if row.group == group]
        here = (place for place in own if self._is_of(self._rows[place], number))
        return next(here, own[0] if own else None)

    def _is_of(self, row: GroupRow, document: int) -> bool:
        return row.document == document and row.kind is not RowKind.FOLD

    def name_of(self, row: int) -> str:
        """The name of the document of a row."""
        return self._list.names.shown[self._rows[row].document]

    def heading_of(self, row: int) -> int:
        """The row of the group that a row belongs to."""
        while self._rows[row].kind is not RowKind.GROUP:
            row -= 1
        return row

    def key_at(self, row: int) -> DocumentKey:
        """Who the document of a row is, also in another list."""
        return self._list.names.key(self._rows[row].document, self._rows[row].document).a

    def documents_with(self, row: int) -> tuple[DocumentKey, ...]:
        """The documents of the group that a row belongs to, its centre first."""
        return self._documents_of(self._rows[row].group)

    def documents_beside(self, key: DocumentKey) -> tuple[DocumentKey, ...]:
        """The documents of the group that a document is in, its centre first; none for no group."""
        number = self._list.names.documents.number_of(key)
        group = -1 if number is None else int(self._list.group_of[number])
        return self._documents_of(group) if group >= 0 else ()

    def _documents_of(self, group: int) -> tuple[DocumentKey, ...]:
        names = self._list.names
        return tuple(names.key(one, one).a for one in self._list.groups[group].documents)

    def pair_at(self, row: int) -> ListedPair | None:
        """The pair that a row is about: of a group the most similar one, of a fold none."""
        one = self._rows[row]
        if one.kind is RowKind.FOLD:
            return None
        document = one.document
        if one.kind is RowKind.GROUP:
            group = self._list.groups[one.group]
            document = group.members[0].document if group.members else group.copies[0]
        pair = int(self._list.pair_of[document])
        pairs = self._list.pairs
        return None if pair < 0 else self._list.names.key(int(pairs.a[pair]), int(pairs.b[pair]))

    def pairs_of(self, row: int) -> Int64Array:
        """The listed pairs that a verdict on a row is about."""
        one = self._rows[row]
        if one.kind is RowKind.GROUP:
            return self._list.pairs_within(one.group)
        documents = [one.document]
        if one.kind is RowKind.FOLD:
            documents = list(self._copies(one))
        found = self._list.pair_of[documents]
        return found[found >= 0]

    def pairs_of_rows(self, rows: Sequence[int]) -> Int64Array:
        """Those of several rows, each once, in the order of the rows."""
        found = [self.pairs_of(row).tolist() for row in rows]
        return np.array(list(dict.fromkeys(chain.from_iterable(found))), dtype=np.int64)

    def _copies(self, fold: GroupRow) -> tuple[int, ...]:
        group = self._list.groups[fold.group]
        if fold.document == group.centre:
            return group.copies
        return next(one.copies for one in group.members if one.document == fold.document)

    def next_to_judge(self, row: int) -> int | None:
        """The next row with a pair that waits for a verdict, from one on and then from the top."""
        count = len(self._rows)
        for number in (place % count for place in range(row, row + count)):
            if self.verdicts.are_open(self.pairs_of(number)):
                return number
        return None

    def can_open(self, row: int) -> bool:
        """Whether something is hidden below a row, or can be."""
        one = self._rows[row]
        return one.kind is RowKind.FOLD or (one.kind is RowKind.GROUP and not self._text)

    def is_open(self, row: int) -> bool:
        """Whether what is below a row is shown."""
        one = self._rows[row]
        if one.kind is RowKind.FOLD:
            return one.document in self._opened.unfolded
        return bool(self._text) or self._opened.is_open(self._list.groups[one.group])

    def turn(self, row: int) -> None:
        """Open what is closed, close what is open."""
        if not self.can_open(row):
            return
        one = self._rows[row]
        fold = one.kind is RowKind.FOLD
        turned = self._opened.unfolded if fold else self._opened.turned
        turned ^= {one.document}
        start = self.heading_of(row)
        end = start + 1
        while end < len(self._rows) and self._rows[end].group == one.group:
            end += 1
        group = self._list.groups[one.group]
        rows = list(rows_in(one.group, group, self._opened, self._wanted))
        gained = len(rows) - (end - start)
        if gained > 0:
            self.beginInsertRows(NO_PARENT, row + 1, row + gained)
            self._rows[start:end] = rows
            self.endInsertRows()
        elif gained < 0:
            self.beginRemoveRows(NO_PARENT, row + 1, row - gained)
            self._rows[start:end] = rows
            self.endRemoveRows()
        here = self.index(row, 0)
        self.dataChanged.emit(here, here.siblingAtColumn(len(COLUMNS) - 1))

    # What Qt asks

    def data(self, index: Index, role: int = DISPLAY) -> object:
        """What a cell shows."""
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], COLUMNS[index.column()]
        if role == DISPLAY:
            return column.words.shown(self._list, self.verdicts, row)
        if role == TOOL_TIP:
            return numbers.tool_tip(explanation(self._list, self.verdicts, row, column))
        if column is GroupColumn.RESEMBLANCE and role == VALUE:
            return float(self._list.pairs.resemblance[self._list.pair_of[row.document]])
        if column is GroupColumn.DOCUMENT and role in (OPEN, MARK, ACCESSIBLE):
            return self._of_document(role, index.row(), row)
        return {ALIGNMENT: column.words.alignment, KIND: int(row.kind)}.get(role)

    def _of_document(self, role: int, place: int, row: GroupRow) -> object:
        if role == OPEN:
            return self.is_open(place) if self.can_open(place) else None
        mark = "" if row.kind is RowKind.FOLD else self._list.names.marks.get(row.document, "")
        if role == MARK:
            return mark
        name = GroupColumn.DOCUMENT.words.shown(self._list, self.verdicts, row)
        kind = f"group {row.group + 1}, centre" if row.kind is RowKind.GROUP else ""
        state = ""
        if self.can_open(place):
            state = "open" if self.is_open(place) else "closed"
        return ", ".join(filter(None, (kind, name, mark, state)))

    # Rows

    def _made(self) -> list[GroupRow]:
        return rows_of(self._list.groups, self._opened, self._wanted)

    @property
    def _wanted(self) -> BoolArray | None:
        return self._list.names.containing(self._text) if self._text else None
