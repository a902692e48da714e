"""The list of groups as a table: a row per group, and below it the rows of its members."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QObject

from core.base.arrays import BoolArray, Int64Array
from core.base.messages import N_, gettext, ngettext
from core.base.tasks import stoppable
from core.base.wording import comma_list, count, share
from core.documents.model import DocumentKey
from core.evidence.measures import NO_NUMBER
from core.evidence.pairs import Pairs
from core.scan.groups import Group, group_documents
from core.scan.judgements import VERDICTS, Judgements, Verdict
from neardup_gui.models.pairs.columns import PairVerdicts, Role
from neardup_gui.models.scan_result import DocumentNames, ListedPair, ScanResult
from neardup_gui.models.table_model import (
    ACCESSIBLE,
    RIGHT,
    Columns,
    FoldedModel,
    SearchedModel,
    TableColumn,
)
from neardup_gui.models.words.verdicts import marked, widest

if TYPE_CHECKING:
    from core.scan.file_order import FileOrder, OrderTree

NO_PAIRS = Pairs.empty()
NO_NAMES = DocumentNames(())
NOTHING = np.empty(0, dtype=np.int64)


class DrawnEdge(NamedTuple):
    """A line between two rows of a drawing: a `core.scan.file_order.TreeEdge`, with its words."""

    above: int
    below: int
    column: int
    is_known: bool
    words: str


class OrderDrawing(NamedTuple):
    """Which documents of a group came from which others, as rows that are drawn as boxes.

    Attributes:
        documents: The number of the document of each row.
        names: Theirs.
        depths: How far in each row stands.
        edges: The lines between rows.
    """

    documents: Sequence[int]
    names: Sequence[str]
    depths: Sequence[int]
    edges: Sequence[DrawnEdge]


def order_drawing(
    trees: Sequence[OrderTree], names: Sequence[str], words_of: Callable[[FileOrder], str]
) -> OrderDrawing:
    """The trees of a group, below each other.

    Args:
        trees: The trees of its documents.
        names: The names of all documents.
        words_of: The reasons for an order, in words.
    """
    documents = [document for tree in trees for document in tree.documents]
    row = {document: index for index, document in enumerate(documents)}
    edges = [
        DrawnEdge(
            row[tree.documents[edge.above]],
            row[tree.documents[edge.below]],
            edge.column,
            edge.order.earlier is not None,
            words_of(edge.order),
        )
        for tree in trees
        for edge in tree.edges
    ]
    depths = [depth for tree in trees for depth in tree.depths]
    return OrderDrawing(documents, [names[document] for document in documents], depths, edges)


@dataclass(frozen=True, eq=False)
class GroupList:
    """Groups, and the listed pairs in each.

    Attributes:
        groups: Largest first.
        pairs: The listed pairs.
        names: Of the documents.
        group_of: int64, by document: its group, -1 for what is in none.
        pair_of: int64, by document: its pair with the centre of its group; of a copy that has none,
            its pair with the copy that stands for it; -1 for what is in no group.
        within: int64, the pairs whose documents are both in one group, by group.
        starts: int64, where those of each group begin, and the end.
        origins: By document those from which it may have come, and what speaks for that; where the
            properties of files are known.
        trees: By group what is drawn of that.
    """

    groups: Sequence[Group] = ()
    pairs: Pairs = NO_PAIRS
    names: DocumentNames = NO_NAMES
    group_of: Int64Array = field(default_factory=lambda: NOTHING)
    pair_of: Int64Array = field(default_factory=lambda: NOTHING)
    within: Int64Array = field(default_factory=lambda: NOTHING)
    starts: Int64Array = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    origins: Mapping[int, tuple[Sequence[int], str]] = field(default_factory=dict)
    trees: Mapping[int, OrderDrawing] = field(default_factory=dict)

    def pairs_within(self, group: int) -> Int64Array:
        """The pairs of a group: of the centre with each member, of members with each other."""
        return self.within[self.starts[group] : self.starts[group + 1]]


def group_list(result: ScanResult, judgements: Judgements) -> GroupList:
    """The groups of a list, around the centres that were chosen."""
    pairs = result.pairs
    groups = group_documents(pairs, result.documents, judgements)
    group_of, centre, first = _memberships(groups, len(result.documents))
    group = group_of[pairs.a]
    rows = np.flatnonzero((group >= 0) & (group == group_of[pairs.b]))
    within = rows[np.argsort(group[rows], kind="stable")]
    starts = np.searchsorted(group[within], np.arange(len(groups) + 1))
    pair_of = _pairs_of_members(pairs, within, (first, centre))
    return GroupList(
        groups, pairs, result.names, group_of, pair_of, within, starts.astype(np.int64)
    )


def _memberships(
    groups: Sequence[Group], documents: int
) -> tuple[Int64Array, Int64Array, Int64Array]:
    """By document: its group, the group's centre, and the first copy; -1 for none."""
    group, centre, first = (np.full(documents, -1, dtype=np.int64) for _ in range(3))
    for number, current_group in enumerate(stoppable(groups)):
        everyone = list(current_group.documents)
        group[everyone], centre[everyone] = number, current_group.centre
        first[[current_group.centre, *current_group.copies]] = current_group.centre
        for member in current_group.members:
            first[[member.document, *member.copies]] = member.document
    return group, centre, first


def _pairs_of_members(
    pairs: Pairs, rows: Int64Array, partners_of: tuple[Int64Array, Int64Array]
) -> Int64Array:
    pair_rows = np.full(len(partners_of[0]), -1, dtype=np.int64)
    for partner in partners_of:  # the last is the centre: the pair with it, if there are both
        for documents, partners in ((pairs.a, pairs.b), (pairs.b, pairs.a)):
            member_rows = rows[partner[documents[rows]] == partners[rows]]
            pair_rows[documents[member_rows]] = member_rows
    return pair_rows


MANY = 12  # documents above which a group is closed at first


class RowKind(IntEnum):
    """The kind of a row."""

    GROUP = 0  # the centre, for the whole group
    MEMBER = 1
    FOLD = 2  # "and 3 exact copies"
    COPY = 3


class GroupRow(NamedTuple):
    """A row.

    Attributes:
        kind: What it is.
        group: The number of the group, from 0.
        document: The number of the document; of a fold the one that the copies are of.
        copies: Of a fold how many there are.
    """

    kind: RowKind
    group: int
    document: int
    copies: int = 0


class Opened:
    """The groups that the user opened and closed, kept by centre while groups are made again.

    Attributes:
        turned: The centres of groups that are not as they were at first.
        unfolded: The documents whose copies are shown.
    """

    def __init__(self) -> None:
        self.turned: set[int] = set()
        self.unfolded: set[int] = set()

    def is_open(self, group: Group) -> bool:
        """Whether the members of a group are shown."""
        return (group.size <= MANY) is not (group.centre in self.turned)

    def follow(self, before: DocumentNames, after: DocumentNames) -> None:
        """Adapt to another list, where documents have other numbers."""
        if after is before:
            return

        def moved(documents: set[int]) -> set[int]:
            keys = map(before.key_of, documents)
            successors = (after.documents.successor_of(key, before.documents) for key in keys)
            return {number for number in successors if number is not None}

        self.turned, self.unfolded = moved(self.turned), moved(self.unfolded)


def rows_in(
    number: int, group: Group, opened: Opened, wanted: BoolArray | None
) -> Iterator[GroupRow]:
    """The rows of a group of a given number.

    Args:
        number: Of the group, from 0.
        group: Has a document that is wanted.
        opened: What is open.
        wanted: By document, whether it is looked for: of a group whose centre is not, only the
            members that are. None for everything.
    """
    if wanted is not None and wanted[[group.centre, *group.copies]].any():
        wanted = None
    yield GroupRow(RowKind.GROUP, number, group.centre)
    if wanted is None and not opened.is_open(group):
        return
    if wanted is None:
        yield from _copies(number, group.centre, group.copies, opened)
    for document, _, copies in group.members:
        if wanted is None or wanted[[document, *copies]].any():
            yield GroupRow(RowKind.MEMBER, number, document)
            yield from _copies(number, document, copies, opened)


def _copies(
    number: int, document: int, copies: Sequence[int], opened: Opened
) -> Iterator[GroupRow]:
    if copies:
        yield GroupRow(RowKind.FOLD, number, document, copies=len(copies))
        if document in opened.unfolded:
            for copy in copies:
                yield GroupRow(RowKind.COPY, number, copy)


class GroupVerdicts:
    """Counts by group, computed for all groups at the first use.

    Attributes:
        pairs: What is said of each listed pair.
    """

    def __init__(self, listed: GroupList, pairs: PairVerdicts | None = None) -> None:
        """`pairs` are the verdicts on the pairs of the same list; None before they are known."""
        self._listed = listed
        self.pairs = pairs or PairVerdicts.none_on(listed.pairs)

    @cached_property
    def _is_open(self) -> BoolArray:
        """Which pairs of the list wait for a verdict."""
        return self.pairs.is_open

    @cached_property
    def _judged(self) -> Int64Array:
        return self._counted(~self._is_open[self._listed.within])

    @cached_property
    def _with_verdict(self) -> list[Int64Array]:
        verdict = self.pairs.verdict[self._listed.within]
        return [self._counted(verdict == number) for number in range(len(VERDICTS))]

    def _counted(self, chosen: BoolArray) -> Int64Array:
        """How many pairs of each group are chosen."""
        until = np.append(0, np.cumsum(chosen))
        starts = self._listed.starts
        counts: Int64Array = until[starts[1:]] - until[starts[:-1]]
        return counts

    def total(self, group: int) -> int:
        """How many pairs a group has."""
        return int(self._listed.starts[group + 1] - self._listed.starts[group])

    def judged(self, group: int) -> int:
        """How many pairs of a group are judged."""
        return int(self._judged[group])

    def count(self, group: int, verdict: Verdict) -> int:
        """How many pairs of a group have a verdict."""
        return int(self._with_verdict[VERDICTS.index(verdict)][group])

    def text_of_group(self, group: int) -> str:
        """The verdict that all pairs of a group have; empty if they have several."""
        alike = [verdict for verdict in VERDICTS if self.count(group, verdict) == self.total(group)]
        return marked(alike[0]) if alike else ""

    def are_open(self, pairs: Int64Array) -> bool:
        """Whether one of the pairs waits for a verdict."""
        return bool(self._is_open[pairs].any())


def _number(_listed: GroupList, _verdicts: GroupVerdicts, row: GroupRow) -> str:
    return count(row.group + 1) if row.kind is RowKind.GROUP else ""


def _document(listed: GroupList, _verdicts: GroupVerdicts, row: GroupRow) -> str:
    if row.kind is RowKind.FOLD:
        return ngettext("and {n} exact copy", "and {n} exact copies", row.copies)
    return listed.names.shown[row.document]


def _overlap(listed: GroupList, _verdicts: GroupVerdicts, row: GroupRow) -> str:
    if row.kind is RowKind.GROUP:
        return ngettext("{n} document", "{n} documents", listed.groups[row.group].size)
    if row.kind is RowKind.MEMBER:
        value = listed.pairs.overlap[listed.pair_of[row.document]].item()
        return share(value) if value >= 0 else NO_NUMBER
    return ""


def _judged(_listed: GroupList, verdicts: GroupVerdicts, row: GroupRow) -> str:
    if row.kind is not RowKind.GROUP:
        return ""
    judged, total = verdicts.judged(row.group), verdicts.total(row.group)
    return gettext("{judged} of {total}", judged=count(judged), total=count(total))


def _verdict(listed: GroupList, verdicts: GroupVerdicts, row: GroupRow) -> str:
    if row.kind is RowKind.GROUP:
        return verdicts.text_of_group(row.group)
    pair = -1 if row.kind is RowKind.FOLD else int(listed.pair_of[row.document])
    return "" if pair < 0 else verdicts.pairs.text(pair)


def _origin(listed: GroupList, _verdicts: GroupVerdicts, row: GroupRow) -> str:
    before, _ = listed.origins.get(row.document, ((), ""))
    return (
        ""
        if row.kind is RowKind.FOLD
        else comma_list(listed.names.shown[document] for document in before)
    )


class GroupColumn(Columns):
    """The columns, from left to right."""

    NUMBER = TableColumn(
        title="#",
        sample="9,999",
        shown=_number,
        meaning=N_("Groups by size: the largest is number 1."),
        alignment=RIGHT,
    )
    DOCUMENT = TableColumn(
        title=N_("Document"),
        shown=_document,
        meaning=N_(
            "The centre of a group, and below it its members, the most similar first. Every "
            "member is itself in a listed pair with the centre."
        ),
    )
    OVERLAP = TableColumn(
        title=N_("Overlap"),
        sample=N_("9,999 documents"),
        shown=_overlap,
        meaning=N_("Overlap of each member with the centre of its group."),
    )
    JUDGED = TableColumn(
        title=N_("Judged"),
        sample=N_("99,999 of 99,999"),
        shown=_judged,
        meaning=N_("How many pairs of the group have a verdict."),
        alignment=RIGHT,
    )
    VERDICT = TableColumn(
        title=N_("Verdict"),
        sample=widest,
        shown=_verdict,
        meaning=N_(
            "For a group, the verdict that all its pairs have; for a member, that of its pair "
            "with the centre."
        ),
    )
    ORIGIN = TableColumn(
        title=N_("May come from"),
        sample="homework final version.docx",
        shown=_origin,
        meaning=N_(
            "The document from which this one may have come: two properties of both files agree on "
            "the order, and none contradicts it. This is no proof."
        ),
    )


def explanation(
    listed: GroupList, verdicts: GroupVerdicts, row: GroupRow, column: GroupColumn
) -> str:
    """The tool tip of a cell."""
    if column is GroupColumn.DOCUMENT and row.kind is not RowKind.FOLD:
        is_chosen = row.kind is RowKind.GROUP and listed.groups[row.group].is_chosen
        chosen = gettext("Chosen as the centre of its group.") if is_chosen else ""
        return f"{listed.names.in_full(row.document)}\n{chosen}".rstrip("\n")
    if column is GroupColumn.ORIGIN and row.document in listed.origins:
        return listed.origins[row.document][1]
    if GroupColumn.JUDGED <= column <= GroupColumn.VERDICT and row.kind is RowKind.GROUP:
        counts = [
            f"{gettext(verdict)}: {count(verdicts.count(row.group, verdict))}"
            for verdict in VERDICTS
        ]
        return "\n".join((*counts, whole_group(verdicts.total(row.group))))
    if column is GroupColumn.VERDICT and row.kind in (RowKind.MEMBER, RowKind.COPY):
        pair = int(listed.pair_of[row.document])
        return verdicts.pairs.in_full(pair) if pair >= 0 else ""
    return column.meaning


def whole_group(pairs: int) -> str:
    """The sentence on the pairs that a verdict on a group judges."""
    return ngettext(
        "A verdict on the group judges its {n} pair.",
        "A verdict on the group judges all {n} listed pairs in it: of the centre with each member, "
        "and of members with each other.",
        pairs,
    )


class GroupRole(Role):
    """Further roles for delegates; the kind is the `RowKind`."""

    OPEN = Role.ALIKE + 1  # whether a row that can be opened is open


class GroupsModel(SearchedModel[GroupColumn, DocumentKey], FoldedModel[GroupColumn, DocumentKey]):
    """Rows of groups, members and copies.

    Attributes:
        listed: The groups, and the pairs in them.
        verdicts: What is said of the pairs of groups.
    """

    columns = tuple(GroupColumn)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.listed = GroupList()
        self.verdicts = GroupVerdicts(self.listed)
        self._opened = Opened()
        self._rows: list[GroupRow] = []

    # For the window

    @property
    def total(self) -> int:
        """The number of groups, shown or not."""
        return len(self.listed.groups)

    def clear(self) -> None:
        """Show nothing, for another folder."""
        self._opened = Opened()
        self.set_groups(GroupList())

    def set_groups(self, listed: GroupList, verdicts: PairVerdicts | None = None) -> None:
        """Show other groups, with the verdicts on the listed pairs."""
        with self.resetting():
            self._opened.follow(self.listed.names, listed.names)
            self.listed = listed
            self.verdicts = GroupVerdicts(listed, verdicts)
            self._sort()

    def set_verdicts(self, verdicts: PairVerdicts) -> None:
        """Show other verdicts on pairs."""
        self.verdicts = GroupVerdicts(self.listed, verdicts)
        self._emit_changed(GroupColumn.JUDGED)

    def is_hidden(self, column: GroupColumn) -> bool:
        """Whether a column would be empty."""
        return column is GroupColumn.ORIGIN and not self.listed.origins

    def row_at(self, row: int) -> GroupRow:
        """The content of a row."""
        return self._rows[row]

    def row_of(self, key: DocumentKey) -> int | None:
        """The row of a document, or of its group if that is closed; None if there is no row."""
        number = self.listed.names.find(key)
        if number is None or self.listed.group_of[number] < 0:
            return None
        group = int(self.listed.group_of[number])
        indices = [index for index, row in enumerate(self._rows) if row.group == group]
        matches = (
            index
            for index in indices
            if self._rows[index].document == number and self._rows[index].kind is not RowKind.FOLD
        )
        return next(matches, indices[0] if indices else None)

    def name_of(self, row: int) -> str:
        """The name of the document of a row."""
        return self.listed.names.shown[self._rows[row].document]

    def drawing_at(self, row: int) -> OrderDrawing | None:
        """The origins of the documents of a row's group; None if nothing is known."""
        return self.listed.trees.get(self._rows[row].group)

    def is_heading(self, row: int) -> bool:
        """Whether a row stands for a whole group."""
        return self._rows[row].kind is RowKind.GROUP

    def key_at(self, row: int) -> DocumentKey:
        """The key of the document of a row, also in another list."""
        return self.listed.names.key_of(self._rows[row].document)

    def documents_with(self, row: int) -> tuple[DocumentKey, ...]:
        """The documents of the group of a row, its centre first."""
        return self._documents_of(self._rows[row].group)

    def documents_beside(self, key: DocumentKey) -> tuple[DocumentKey, ...]:
        """The documents of the group of a document, its centre first; empty if it has no group."""
        number = self.listed.names.documents.number_of(key)
        group = -1 if number is None else int(self.listed.group_of[number])
        return self._documents_of(group) if group >= 0 else ()

    def _documents_of(self, group: int) -> tuple[DocumentKey, ...]:
        return tuple(map(self.listed.names.key_of, self.listed.groups[group].documents))

    def pair_at(self, row: int) -> ListedPair | None:
        """The pair of a row: of a group the most similar one, of a fold none."""
        group_row = self._rows[row]
        if group_row.kind is RowKind.FOLD:
            return None
        document = group_row.document
        if group_row.kind is RowKind.GROUP:
            group = self.listed.groups[group_row.group]
            document = group.members[0].document if group.members else group.copies[0]
        pair = int(self.listed.pair_of[document])
        pairs = self.listed.pairs
        return None if pair < 0 else self.listed.names.key(int(pairs.a[pair]), int(pairs.b[pair]))

    def pairs_of(self, row: int) -> Int64Array:
        """The listed pairs that a verdict on a row judges."""
        group_row = self._rows[row]
        if group_row.kind is RowKind.GROUP:
            return self.listed.pairs_within(group_row.group)
        documents = [group_row.document]
        if group_row.kind is RowKind.FOLD:
            documents = list(self._copies(group_row))
        pairs = self.listed.pair_of[documents]
        return pairs[pairs >= 0]

    def pairs_of_rows(self, rows: Sequence[int]) -> Int64Array:
        """The pairs that a verdict on several rows judges, each once, in the order of the rows."""
        pairs = [self.pairs_of(row).tolist() for row in rows]
        return np.array(list(dict.fromkeys(chain.from_iterable(pairs))), dtype=np.int64)

    def _copies(self, fold: GroupRow) -> tuple[int, ...]:
        group = self.listed.groups[fold.group]
        if fold.document == group.centre:
            return group.copies
        return next(member.copies for member in group.members if member.document == fold.document)

    def next_to_judge(self, row: int) -> int | None:
        """The next row with a pair that waits for a verdict, from `row` on, then from the top."""
        count = len(self._rows)
        for number in (index % count for index in range(row, row + count)):
            if self.verdicts.are_open(self.pairs_of(number)):
                return number
        return None

    def can_open(self, row: int) -> bool:
        """Whether rows below a row are hidden, or can be."""
        group_row = self._rows[row]
        return group_row.kind is RowKind.FOLD or (
            group_row.kind is RowKind.GROUP and not self._sought
        )

    def is_open(self, row: int) -> bool:
        """Whether the rows below a row are shown."""
        group_row = self._rows[row]
        if group_row.kind is RowKind.FOLD:
            return group_row.document in self._opened.unfolded
        return bool(self._sought) or self._opened.is_open(self.listed.groups[group_row.group])

    def _turned(self, row: int) -> list[GroupRow]:
        kind, group, document, _ = self._rows[row]
        turned = self._opened.unfolded if kind is RowKind.FOLD else self._opened.turned
        turned ^= {document}
        return list(rows_in(group, self.listed.groups[group], self._opened, self._wanted))

    # Qt's model interface

    def _subject(self, row: int) -> tuple[GroupList, GroupVerdicts, GroupRow]:
        return self.listed, self.verdicts, self._rows[row]

    def _explanation(self, row: int, column: GroupColumn) -> str:
        return explanation(*self._subject(row), column)

    def _besides(self, role: int, row: int, column: GroupColumn) -> object:
        group_row = self._rows[row]
        if column is GroupColumn.OVERLAP and role == Role.VALUE:
            pair = self.listed.pair_of[group_row.document]
            return max(float(self.listed.pairs.overlap[pair]), 0.0)
        if column is GroupColumn.DOCUMENT and role in (GroupRole.OPEN, Role.MARK, ACCESSIBLE):
            return self._of_document(role, row, group_row)
        if role == Role.ALIKE:
            return self.listed.names.alike
        return int(group_row.kind) if role == GroupRole.KIND else None

    def _of_document(self, role: int, row_number: int, row: GroupRow) -> object:
        if role == GroupRole.OPEN:
            return self.is_open(row_number) if self.can_open(row_number) else None
        mark = "" if row.kind is RowKind.FOLD else self.listed.names.marks.get(row.document, "")
        if role == Role.MARK:
            return mark
        name = self._text(row_number, GroupColumn.DOCUMENT)
        kind = state = ""
        if row.kind is RowKind.GROUP:
            kind = gettext("group {number}, centre", number=row.group + 1)
        if self.can_open(row_number):
            state = gettext("open") if self.is_open(row_number) else gettext("closed")
        return comma_list((kind, name, mark, state))

    # Rows

    def _sort(self) -> None:
        groups, wanted = self.listed.groups, self._wanted
        numbers: Iterable[int] = range(len(groups))
        if wanted is not None:  # most groups of a large folder have no such document
            numbers = np.unique(self.listed.group_of[wanted & (self.listed.group_of >= 0)]).tolist()
        self._rows = [
            row
            for number in numbers
            for row in rows_in(number, groups[number], self._opened, wanted)
        ]

    @property
    def _wanted(self) -> BoolArray | None:
        return self.listed.names.containing(self._sought) if self._sought else None
