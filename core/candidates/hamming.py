"""All pairs of 64-bit fingerprints that differ in at most d bits, by permuted sorted tables.

Manku, Jain, Das Sarma (WWW 2007): cut the 64 bits into m blocks. Two fingerprints that differ in d
bits differ in d blocks at most, so they agree in m - d blocks at least. For every choice of m - d
blocks there is a table: the bits permuted so that these blocks come first, sorted; fingerprints
that agree in them stand side by side, and every two in such a run are compared in full. That finds
every pair. A pair is emitted only in the first table in which it meets, which its differing bits
tell, so nothing has to be de-duplicated.

How many blocks is decided in `core.candidates.hamming_tables`.

Equal fingerprints are one entry of the tables. Up to `EQUAL_LIMIT` documents with the same
fingerprint give all their pairs. More of them are a crowd: everyone in it is paired with one leader
(that with the smallest digest), which alone meets those with another fingerprint. This is the only
exception to finding every pair, and the chunks tell of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int32Array, Int64Array, IntegerArray, UInt32Array, UInt64Array
from core.base.progress import Cancelled, never
from core.candidates.crowds import first_by_digest
from core.candidates.hamming_tables import (
    cheapest_plan,
    make_plan,
    near_entries,
    sorted_tables,
)
from core.candidates.lsh import CandidateChunk
from core.signatures.estimates import join_halves

EQUAL_LIMIT = 1000
CHUNK_PAIRS = 1 << 20
NOBODY = np.empty(0, dtype=np.int32)


class HammingSearch:
    """One search for the pairs within a distance.

    Args:
        signatures: uint32 (n, 2), the two halves of 64 bits.
        digests: uint64 (n, 2), different for the rows that take part: they tell who leads a crowd.
        rows_in_use: Indices of the rows that take part, ascending.
        distance: d, the largest number of bits that may differ.
        blocks: m, at least d; None for the cheapest.
        cancelled: Polled about every 50 ms.

    Attributes:
        plan: How it will be done; for progress and for refusing what takes too long.
    """

    def __init__(
        self,
        signatures: UInt32Array,
        digests: UInt64Array,
        rows_in_use: IntegerArray,
        distance: int,
        *,
        blocks: int | None = None,
        cancelled: Cancelled = never,
    ) -> None:
        rows = np.asarray(rows_in_use, dtype=np.int64)
        self._distance = distance
        self._cancelled = cancelled
        self._groups = _group(join_halves(signatures[rows]), rows, digests)
        values = self._groups.values
        if blocks is None:
            self.plan = cheapest_plan(values, distance, cancelled)
        else:
            self.plan = make_plan(values, distance, blocks)

    def pairs(self) -> Iterator[CandidateChunk]:
        """All pairs x < y of rows, each once over all chunks of at most about a million.

        `band` is the number of the table; equal fingerprints come first, as of table 0.
        """
        groups = self._groups
        yield from self._crowds()
        own = np.flatnonzero((groups.sizes > 1) & (groups.sizes <= EQUAL_LIMIT))
        yield from self._expand(own, own, 0)
        for number, one, other in self._near():
            yield from self._expand(one, other, number)

    def count(self, limit: int) -> int:
        """Number of pairs that `pairs` gives, counted until it is above a limit."""
        groups = self._groups
        alike = groups.sizes[groups.sizes <= EQUAL_LIMIT]
        total = int((alike * (alike - 1) // 2).sum())
        total += int((groups.sizes[groups.sizes > EQUAL_LIMIT] - 1).sum())
        for _, one, other in self._near():
            if total > limit:
                break
            total += int((groups.spread[one] * groups.spread[other]).sum())
        return total

    def _near(self) -> Iterator[tuple[int, Int64Array, Int64Array]]:
        """Pairs of groups with different fingerprints: number of the table, and both groups."""
        if self._distance == 0:
            return  # only equal fingerprints: no table
        values = self._groups.values
        found = np.empty((2, CHUNK_PAIRS), dtype=np.uint64)
        ready = sorted_tables(values, self.plan.blocks, self._distance, self._cancelled)
        for number, (table, entries) in enumerate(ready):
            for both in near_entries(entries, table, self._distance, found, self._cancelled):
                yield number, *np.searchsorted(values, both)

    def _crowds(self) -> Iterator[CandidateChunk]:
        groups = self._groups
        for group in np.flatnonzero(groups.sizes > EQUAL_LIMIT):
            first = groups.starts[group]
            rows = groups.members[first : first + groups.sizes[group]].astype(np.int32)
            x, y = np.minimum(rows[1:], rows[0]), np.maximum(rows[1:], rows[0])
            yield CandidateChunk(0, x, y, int(rows[0]), rows[1:])

    def _expand(self, one: Int64Array, other: Int64Array, number: int) -> Iterator[CandidateChunk]:
        """Pairs of groups to pairs of their rows; a group paired with itself gives its pairs."""
        groups = self._groups
        until = np.cumsum(groups.spread[one] * groups.spread[other])
        start = done = 0
        while start < len(one):
            end = max(start + 1, int(np.searchsorted(until, done + CHUNK_PAIRS, side="right")))
            x, y = _rows_of_pairs(groups, one[start:end], other[start:end])
            yield CandidateChunk(number, np.minimum(x, y), np.maximum(x, y), -1, NOBODY)
            start, done = end, int(until[end - 1])


def affordable_distance(
    signatures: UInt32Array,
    digests: UInt64Array,
    rows_in_use: IntegerArray,
    below: int,
    limit: int,
    *,
    cancelled: Cancelled = never,
) -> int | None:
    """The largest distance below another one with at most so many pairs; None without any."""
    affordable = None
    for distance in range(below):
        search = HammingSearch(signatures, digests, rows_in_use, distance, cancelled=cancelled)
        if search.count(limit) > limit:
            break
        affordable = distance
    return affordable


class _FingerprintGroups(NamedTuple):
    """Rows by fingerprint.

    Attributes:
        values: uint64, the different fingerprints, ascending.
        starts: int64, where each group begins in `members`.
        sizes: int64.
        spread: int64, how many rows of a group meet other groups: all, or the leader of a crowd.
        members: int64, rows ordered by fingerprint and then by number, the leader of a crowd first.
    """

    values: UInt64Array
    starts: Int64Array
    sizes: Int64Array
    spread: Int64Array
    members: Int64Array


def _group(fingerprints: UInt64Array, rows: Int64Array, digests: UInt64Array) -> _FingerprintGroups:
    order = np.argsort(fingerprints, kind="stable")
    ordered = fingerprints[order]
    fresh = np.ones(len(ordered), dtype=np.bool_)
    fresh[1:] = ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(fresh)
    sizes = np.diff(np.append(starts, len(ordered)))
    spread = np.where(sizes > EQUAL_LIMIT, 1, sizes)
    members = rows[order]
    for start, size in zip(starts[sizes > EQUAL_LIMIT], sizes[sizes > EQUAL_LIMIT], strict=True):
        crowd = members[start : start + size]
        leader = first_by_digest(crowd, digests)
        crowd[:] = np.concatenate([[leader], crowd[crowd != leader]])
    return _FingerprintGroups(ordered[starts], starts, sizes, spread, members)


def _rows_of_pairs(
    groups: _FingerprintGroups, one: Int64Array, other: Int64Array
) -> tuple[Int32Array, Int32Array]:
    """The rows of pairs of groups, every row of the one with every row of the other."""
    counts = groups.spread[one] * groups.spread[other]
    pair = np.repeat(np.arange(len(one)), counts)
    nth = np.arange(len(pair)) - np.repeat(np.cumsum(counts) - counts, counts)
    i, j = np.divmod(nth, groups.spread[other][pair])
    real = (one != other)[pair] | (i < j)
    pair, i, j = pair[real], i[real], j[real]
    x = groups.members[groups.starts[one][pair] + i]
    y = groups.members[groups.starts[other][pair] + j]
    return x.astype(np.int32), y.astype(np.int32)
