"""Which of many fingerprints differ from some others in at most d bits: a batch of queries.

Manku, Jain, Das Sarma (WWW 2007), section 4.2: the permuted sorted tables are made of the queries,
which are few, and held; the fingerprints are read once, in any order, and each is looked up in
every table. Where a run of a table begins is found in a directory of its first bits.

See `core.candidates.hamming_tables` for the tables. How many blocks is decided by what the queries
themselves would cost: they are like those that are looked through.
"""

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.base.compiling import njit
from core.base.growable_array import grown
from core.candidates.hamming_tables import (
    Table,
    make_plan,
    make_tables,
    ones,
    permute,
    restore,
)
from core.candidates.sorted_keys import distinct
from core.signatures.estimates import BITS

NS_PER_PROBE = 40.0
NS_PER_ENTRY = 40.0  # to make a table and its directory
NS_PER_COMPARISON = 2.0
LOOKED_UP = 1 << 20  # fingerprints, for which the tables are made at least
AT_ONCE = 1 << 18
DIRECTORY_BITS = 22  # at most


class FingerprintMatches(NamedTuple):
    """Fingerprints and queries that are near; arrays of one length.

    Attributes:
        rows: int64, of the fingerprints that were looked up.
        queries: uint64, the queries themselves.
    """

    rows: Int64Array
    queries: UInt64Array


class _Directory(NamedTuple):
    """A table of queries.

    Attributes:
        table: Which blocks agree.
        entries: uint64, sorted.
        starts: int64, where the entries with each choice of first bits begin.
        shift: How many bits of an entry are behind these.
    """

    table: Table
    entries: UInt64Array
    starts: Int64Array
    shift: np.uint64


class QueryTables:
    """The tables of one batch of queries."""

    def __init__(self, queries: UInt64Array, distance: int, blocks: int | None = None) -> None:
        """Make the tables: 8 bytes for each query and table, and about as much for directories.

        Args:
            queries: All different, ascending.
            distance: d, the largest number of bits that may differ.
            blocks: m, at least d and 1; None for the cheapest.
        """
        self._distance = distance
        chosen = _cheapest_blocks(queries, distance) if blocks is None else blocks
        self._tables = [_directory(queries, table) for table in make_tables(chosen, distance)]

    def near(self, fingerprints: UInt64Array) -> FingerprintMatches:
        """All fingerprints that are near a query, with each such query once."""
        parts = range(0, len(fingerprints), AT_ONCE)
        found = [self._near(fingerprints[first : first + AT_ONCE], first) for first in parts]
        nothing = FingerprintMatches(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.uint64))
        return FingerprintMatches._make(map(np.concatenate, zip(nothing, *found, strict=True)))

    def _near(self, fingerprints: UInt64Array, first: int) -> FingerprintMatches:
        order = np.argsort(fingerprints, kind="stable")
        ordered = fingerprints[order]
        values = distinct([ordered])
        entries = np.empty_like(values)
        found = [np.empty((2, 0), dtype=np.uint64)]
        for table, queries, starts, shift in self._tables:
            permute(values, table.moves, entries)
            # In order, tables are read from one end to the other: several times as fast.
            entries.sort()
            both = _look_up(
                entries, queries, starts, shift, table.key, table.earlier, self._distance
            )
            found.append(np.stack([restore(one, table.moves) for one in both]))
        near, met = np.concatenate(found, axis=1)
        begin = np.searchsorted(ordered, near)
        counts = np.searchsorted(ordered, near, side="right") - begin
        nth = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return FingerprintMatches(
            order[np.repeat(begin, counts) + nth] + first, np.repeat(met, counts)
        )


def _cheapest_blocks(queries: UInt64Array, distance: int) -> int:
    """What a fingerprint costs that is looked up decides, and its share of the tables."""
    best, cheapest = max(1, distance), np.inf
    if distance:  # with m = d everything is compared
        cheapest = NS_PER_COMPARISON * len(queries)
    share = NS_PER_PROBE + NS_PER_ENTRY * len(queries) / LOOKED_UP
    for blocks in range(distance + 1, BITS + 1):
        tables = comb(blocks, distance) * share
        if tables >= cheapest:
            break
        compared = 2 * make_plan(queries, distance, blocks).comparisons / max(1, len(queries))
        cost = tables + NS_PER_COMPARISON * compared
        if cost < cheapest:
            best, cheapest = blocks, cost
    return best


def _directory(queries: UInt64Array, table: Table) -> _Directory:
    entries = np.empty_like(queries)
    permute(queries, table.moves, entries)
    entries.sort()
    width = int(table.key).bit_count()
    bits = min(width, max(1, len(queries).bit_length()), DIRECTORY_BITS)
    shift = np.uint64(BITS - bits)
    if not bits:  # every fingerprint is compared with every query
        return _Directory(table, entries, np.array([0, len(entries)]), np.uint64(BITS - 1))
    counts = np.bincount((entries >> shift).astype(np.int64), minlength=1 << bits)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return _Directory(table, entries, starts, shift)


@njit(nogil=True, cache=True)
def _look_up(
    entries: Any, queries: Any, starts: Any, shift: Any, key: Any, earlier: Any, distance: Any
) -> Any:
    """Entries and the queries near them that they meet first in this table, uint64 (2, n)."""
    near, met = np.empty(1 << 10, dtype=np.uint64), np.empty(1 << 10, dtype=np.uint64)
    count = 0
    everything = len(starts) == 2
    for row in range(len(entries)):
        entry = entries[row]
        place = np.uint64(0) if everything else entry >> shift
        for other in range(starts[place], starts[place + np.uint64(1)]):
            differing = entry ^ queries[other]
            if differing & key or ones(differing) > distance:
                continue
            new = True
            for block in range(len(earlier)):
                new = new and (differing & earlier[block]) != 0
            if new:
                if count == len(met):
                    near, met = grown(near, count, 2 * count), grown(met, count, 2 * count)
                near[count] = entry
                met[count] = queries[other]
                count += 1
    return near[:count], met[:count]
