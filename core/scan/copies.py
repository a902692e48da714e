"""Documents with the same words: compared once, listed as people expect.

Identical documents are collapsed to one representative before banding, so that 100,000 copies never
become 5 billion pairs. Afterwards the pairs of representatives are spelled out again: up to 30
copies, every pair is listed; of more, each copy is listed with the first of its group only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array, begins_run, indices_from

COPIES_SPELLED_OUT = 30


class CopyGroups(NamedTuple):
    """Groups of identical documents.

    Attributes:
        members: int64, documents ordered by group; within a group those to review come first,
            and both ascend.
        starts: int64, by document: where its group begins in `members`.
        sizes: int64, by document: the size of its group.
    """

    members: Int64Array
    starts: Int64Array
    sizes: Int64Array

    def of(self, document: int) -> Int64Array:
        """A document and those identical to it, in the order of `members`."""
        start = self.starts[document]
        return self.members[start : start + self.sizes[document]]

    def oversized(self) -> Int64Array:
        """The documents that stand for groups that are too large to be spelled out."""
        is_first = self.members[self.starts] == np.arange(len(self.members))
        return np.flatnonzero(is_first & (self.sizes > COPIES_SPELLED_OUT))


def group_copies(representatives: Int64Array, to_review: BoolArray | None = None) -> CopyGroups:
    """The groups of documents with the same representative; all are to review by default."""
    members = np.argsort(representatives, kind="stable").astype(np.int64)
    if to_review is not None and not to_review.all():
        members = np.lexsort((~to_review, representatives)).astype(np.int64)
    ordered = representatives[members]
    is_first = begins_run(ordered)
    first_rows = np.flatnonzero(is_first)
    lengths = np.diff(np.append(first_rows, len(members)))
    group = np.cumsum(is_first) - 1
    starts = np.empty(len(members), dtype=np.int64)
    sizes = np.empty(len(members), dtype=np.int64)
    starts[members] = first_rows[group]
    sizes[members] = lengths[group]
    return CopyGroups(members, starts, sizes)


class ExpandedPairs(NamedTuple):
    """Pairs of documents (a < b) that stand for pairs of representatives.

    `source` is the row of the pair of representatives; `swapped` says that a is a copy of its
    second document.
    """

    a: Int64Array
    b: Int64Array
    source: Int64Array
    swapped: BoolArray


def expand_copies(copies: CopyGroups, x: Int64Array, y: Int64Array) -> ExpandedPairs:
    """Spell out pairs of representatives of different groups."""
    spread = np.where(copies.sizes > COPIES_SPELLED_OUT, 1, copies.sizes)
    across = spread[x] * spread[y]
    source = np.repeat(np.arange(len(x), dtype=np.int64), across)
    i, j = np.divmod(indices_from(0, across), spread[y[source]])
    first = copies.members[copies.starts[x[source]] + i]
    second = copies.members[copies.starts[y[source]] + j]
    return ExpandedPairs(
        np.minimum(first, second), np.maximum(first, second), source, first > second
    )


def pairs_within(copies: CopyGroups) -> tuple[Int64Array, Int64Array]:
    """The pairs (a < b) of identical documents that are listed."""
    position = np.arange(len(copies.members), dtype=np.int64)
    start = copies.starts[copies.members]
    size = copies.sizes[copies.members]
    star = position[(size > COPIES_SPELLED_OUT) & (position > start)]
    first, second = [copies.members[start[star]]], [copies.members[star]]
    small = size <= COPIES_SPELLED_OUT
    for distance in range(1, COPIES_SPELLED_OUT):
        rows = position[small & (position + distance < start + size)]
        if not len(rows):
            break
        first.append(copies.members[rows])
        second.append(copies.members[rows + distance])
    a, b = np.concatenate(first), np.concatenate(second)
    return np.minimum(a, b), np.maximum(a, b)
