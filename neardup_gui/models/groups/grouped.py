"""The groups of a list and the pairs in them: made on a worker thread, then only read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from core.base.arrays import Int64Array
from core.evidence.pairs import Pairs
from core.scan.groups import Group, group_documents
from core.scan.judgements import Judgements
from neardup_gui.models.scan_result import DocumentNames, ScanResult

NO_PAIRS = Pairs.empty()
NO_NAMES = DocumentNames(())
NOTHING = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class GroupList:
    """Groups, and which of the listed pairs are in each.

    Attributes:
        groups: Largest first.
        pairs: The listed pairs.
        names: Of the documents.
        group_of: int64, by document: its group, -1 for what is in none.
        pair_of: int64, by document: its pair with the centre of its group; of a copy that has none,
            its pair with the copy that stands for it; -1 for what is in no group.
        within: int64, the pairs whose documents are both in one group, by group.
        starts: int64, where those of each group begin, and the end.
    """

    groups: Sequence[Group] = ()
    pairs: Pairs = NO_PAIRS
    names: DocumentNames = NO_NAMES
    group_of: Int64Array = field(default_factory=lambda: NOTHING)
    pair_of: Int64Array = field(default_factory=lambda: NOTHING)
    within: Int64Array = field(default_factory=lambda: NOTHING)
    starts: Int64Array = field(default_factory=lambda: np.zeros(1, dtype=np.int64))

    def pairs_within(self, group: int) -> Int64Array:
        """The pairs of a group: of the centre with each member, of members with each other."""
        return self.within[self.starts[group] : self.starts[group + 1]]


def group_list(result: ScanResult, judgements: Judgements) -> GroupList:
    """The groups of a list, around the centres that were chosen."""
    pairs = result.pairs
    groups = group_documents(pairs, result.documents, judgements)
    of = _places(groups, len(result.documents))
    group = of.group[pairs.a]
    rows = np.flatnonzero((group >= 0) & (group == of.group[pairs.b]))
    within = rows[np.argsort(group[rows], kind="stable")]
    starts = np.searchsorted(group[within], np.arange(len(groups) + 1))
    pair_of = _pairs_of_members(pairs, within, of)
    return GroupList(
        groups, pairs, result.names, of.group, pair_of, within, starts.astype(np.int64)
    )


@dataclass(frozen=True, eq=False)
class _Places:
    """By document: its group, the centre of that, and the first copy; -1 where there is none."""

    group: Int64Array
    centre: Int64Array
    first: Int64Array


def _places(groups: Sequence[Group], documents: int) -> _Places:
    group, centre, first = (np.full(documents, -1, dtype=np.int64) for _ in range(3))
    for number, one in enumerate(groups):
        everyone = list(one.documents)
        group[everyone], centre[everyone] = number, one.centre
        first[[one.centre, *one.copies]] = one.centre
        for member in one.members:
            first[[member.document, *member.copies]] = member.document
    return _Places(group, centre, first)


def _pairs_of_members(pairs: Pairs, rows: Int64Array, of: _Places) -> Int64Array:
    found = np.full(len(of.group), -1, dtype=np.int64)
    for partner in (of.first, of.centre):  # the pair with the centre where there are both
        for here, there in ((pairs.a, pairs.b), (pairs.b, pairs.a)):
            own = rows[partner[here[rows]] == there[rows]]
            found[here[own]] = own
    return found
