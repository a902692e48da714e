"""All pairs of 64-bit fingerprints that differ in at most d bits, by permuted sorted tables.

Manku, Jain, Das Sarma (WWW 2007): cut the 64 bits into m blocks. Two fingerprints that differ in d
bits differ in d blocks at most, so they agree in m - d blocks at least. For every choice of m - d
blocks there is a table: the bits permuted so that these blocks come first, sorted; fingerprints
that agree in them are adjacent, and every two in such a run are compared in full. That finds every
pair. A pair is emitted only in the first table in which it agrees, which follows from its differing
bits, so nothing has to be de-duplicated.

Equal fingerprints are one entry of the tables. Up to `EQUAL_LIMIT` documents with the same
fingerprint give all their pairs. More of them are a large group: each document in it is paired with
one leader (the one with the smallest digest), which alone is paired with documents with another
fingerprint. This is the only exception to finding every pair, and the chunks report it.

The tables of a search by Hamming distance: how many, what they hold, and how they are read.

There are C(m, d) tables to permute and sort, with runs that agree in about 64 (m - d) / m bits. Few
blocks mean few tables and long runs; m = d is one table with a single run, which compares all with
all. For random fingerprints and d = 3, m = 4 has 4 tables of 16 bits, m = 5 has 10 of 25 bits,
m = 6 has 20 of 32 bits; for d = 8, m = 11 has 165 of 17 bits. Real fingerprints cluster, so the
length of runs is not computed but measured: for each m a few tables are made and their comparisons
counted. The m with the lowest cost is taken, at the measured 25 ns for a fingerprint in a table (6
to permute, 8 to sort, 11 to find its run) and 0.4 ns for a comparison.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice, pairwise
from math import comb
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import (
    Int32Array,
    Int64Array,
    IntegerArray,
    UInt32Array,
    UInt64Array,
    indices_from,
    starts_of_runs,
)
from core.base.compiling import njit
from core.base.hashing import count_ones
from core.base.sorting import sort_keys
from core.base.tasks import WorkerPool, results_of, stop_if_cancelled, worker_count
from core.candidates.lsh import CandidateChunk, first_by_digest
from core.signatures.methods import BITS, join_halves

NS_PER_ENTRY = 25.0
NS_PER_COMPARISON = 0.4
SAMPLE_TABLES = 3
ENTRIES_WORTH_A_THREAD = 20_000
STRETCH = 1 << 9  # entries compared at once, in the nearest cache
PERMUTED_AT_ONCE = 1 << 15  # entries, in the next cache
FEW = 16  # entries: fewer are faster to compare singly
COMPARISONS_AT_ONCE = 1 << 27  # between two checks for cancelling: 50 ms


class TablePlan(NamedTuple):
    """How fingerprints will be searched.

    Attributes:
        blocks: m; with m = d every fingerprint is compared with every other.
        tables: Number of tables, C(m, d).
        comparisons: About how many comparisons the tables need.
        seconds: About how long that takes on one core.
    """

    blocks: int
    tables: int
    comparisons: float
    seconds: float


class Table(NamedTuple):
    """One choice of blocks that agree.

    Attributes:
        moves: uint64 (at most m, 3): for blocks that stay neighbours the lowest bit, the lowest
            bit in the table, and a mask of their width.
        key: The bits that agree, in the table's order.
        earlier: uint64, for each block whose agreement would have put a pair into an earlier
            table: its bits in the table's order.
    """

    moves: UInt64Array
    key: np.uint64
    earlier: UInt64Array


def cheapest_plan(values: UInt64Array, distance: int) -> TablePlan:
    """Try ever more blocks until the tables alone cost more than the best plan."""
    if distance == 0:
        return TablePlan(1, 1, 0.0, 0.0)  # only equal fingerprints
    best = make_plan(values, distance, distance)
    for blocks in range(distance + 1, BITS + 1):
        stop_if_cancelled()
        if comb(blocks, distance) * len(values) * NS_PER_ENTRY * 1e-9 >= best.seconds:
            break
        best = min(best, make_plan(values, distance, blocks), key=lambda plan: plan.seconds)
    return best


def make_plan(values: UInt64Array, distance: int, blocks: int) -> TablePlan:
    """The cost of so many blocks; a few tables are made to count their comparisons."""
    tables = comb(blocks, distance)
    count = len(values)
    if blocks == distance:
        comparisons = count * (count - 1) / 2
    else:
        step = max(1, tables // SAMPLE_TABLES)
        sample = []
        for table in islice(make_tables(blocks, distance), step // 2, None, step):
            entries = sort_keys(permute(values, table.moves))
            sample.append(_count_comparisons(entries, table.key))
        comparisons = tables * sum(sample) / len(sample)
    nanoseconds = tables * count * NS_PER_ENTRY + comparisons * NS_PER_COMPARISON
    return TablePlan(blocks, tables, comparisons, nanoseconds * 1e-9)


def sorted_tables(
    values: UInt64Array, blocks: int, distance: int
) -> Iterator[tuple[Table, UInt64Array]]:
    """Every table with its sorted entries, in order, prepared ahead on other threads."""

    def prepare(table: Table) -> tuple[Table, UInt64Array]:
        entries = sort_keys(permute(values, table.moves))
        return table, entries

    tables = make_tables(blocks, distance)
    if len(values) < ENTRIES_WORTH_A_THREAD:
        yield from map(prepare, tables)
        return
    with WorkerPool(name="neardup-tables") as pool:
        tasks = (pool.submit(prepare, table) for table in tables)
        yield from results_of(tasks, worker_count() + 1)


def make_tables(blocks: int, distance: int) -> Iterator[Table]:
    """The tables in the lexicographic order of their blocks that agree, block 0 the highest."""
    edges = [BITS - BITS * block // blocks for block in range(blocks + 1)] if blocks else [BITS]
    widths = [high - low for high, low in pairwise(edges)]
    for agreeing in combinations(range(blocks), blocks - distance):
        order = [*agreeing, *(block for block in range(blocks) if block not in agreeing)]
        masks: dict[int, int] = {}
        moves: list[tuple[int, int, int]] = []
        offset = BITS
        for block in order:
            offset -= widths[block]
            mask = (1 << widths[block]) - 1
            masks[block] = mask << offset
            if moves and moves[-1][0] == edges[block]:  # neighbours before and after: one move
                mask |= moves.pop()[2] << widths[block]
            moves.append((edges[block + 1], offset, mask))
        # A pair first agrees in the table of its first agreeing blocks.
        earlier = [b for b in order[len(agreeing) :] if agreeing and b < agreeing[-1]]
        yield Table(
            np.array(moves, dtype=np.uint64).reshape(-1, 3),
            np.uint64(sum(masks[block] for block in agreeing)),
            np.array([masks[block] for block in earlier], dtype=np.uint64),
        )


def permute(values: UInt64Array, moves: UInt64Array) -> UInt64Array:
    """The values with their blocks in the order of the table."""
    entries = np.zeros_like(values)
    for first in range(0, len(values), PERMUTED_AT_ONCE):
        part = slice(first, first + PERMUTED_AT_ONCE)
        for source, target, mask in moves:
            entries[part] |= ((values[part] >> source) & mask) << target
    return entries


def restore(entries: UInt64Array, moves: UInt64Array) -> UInt64Array:
    """Undo `permute`."""
    return permute(entries, moves[:, [1, 0, 2]])


def near_entries(
    entries: UInt64Array, table: Table, distance: int, buffer: UInt64Array
) -> Iterator[UInt64Array]:
    """Pairs of different fingerprints that differ in few bits and first agree in this table.

    Args:
        entries: Of the table, sorted: all, or complete runs.
        table: The table.
        distance: How many bits may differ.
        buffer: Working space, overwritten; uint64 (2, at least `STRETCH`).

    Yields:
        uint64 (2, n), fingerprints as they were before the table permuted them.
    """
    first = second = 0
    while first < len(entries):
        stop_if_cancelled()
        first, second, count = compare_runs(
            entries, table.key, table.earlier, distance, first, second, buffer
        )
        if count:
            yield restore(buffer[:, :count].reshape(-1), table.moves).reshape(2, count)


def _count_comparisons(entries: UInt64Array, key: np.uint64) -> float:
    """Number of pairs in the runs of sorted entries that agree in the key."""
    cuts = np.flatnonzero((entries[1:] ^ entries[:-1]) & key) + 1
    sizes = np.diff(np.concatenate([[0], cuts, [len(entries)]])).astype(np.float64)
    return float((sizes * (sizes - 1) / 2).sum())


@njit(nogil=True, cache=True)
def compare_runs(
    entries: Any, key: Any, earlier: Any, distance: Any, first: Any, second: Any, pairs: Any
) -> Any:
    """Compare entries within runs, starting with entry `first` and entries from `second` on.

    Stops when `pairs` (2, at least STRETCH) is nearly full or much was compared. Returns the two
    entries to continue with and the number of pairs.
    """
    count = compared = 0
    end = first
    while first < len(entries):
        if first >= end:
            end = first + 1
        while end < len(entries) and not (entries[end] ^ entries[first]) & key:
            end += 1
        second = max(second, first + 1)
        while second < end:
            stop = min(end, second + STRETCH)
            if count + STRETCH > pairs.shape[1] or compared > COMPARISONS_AT_ONCE:
                return first, second, count
            near = stop - second if stop - second < FEW else 0
            if not near:  # without a branch in the loop, so that several are compared at once
                run, entry = entries[second:stop], entries[first]
                for index in range(len(run)):
                    near += count_ones(run[index] ^ entry) <= distance
            for index in range(second, stop if near else second):
                differing = entries[index] ^ entries[first]
                if count_ones(differing) > distance:
                    continue
                new = True  # agrees in no earlier table
                for block in range(len(earlier)):
                    new = new and (differing & earlier[block]) != 0
                if new:
                    pairs[0, count], pairs[1, count] = entries[first], entries[index]
                    count += 1
            compared += stop - second
            second = stop
        first += 1
        second = 0
    return first, second, count


EQUAL_LIMIT = 1000
CHUNK_PAIRS = 1 << 20
NOBODY = np.empty(0, dtype=np.int32)


class HammingSearch:
    """One search for the pairs within a distance.

    Args:
        signatures: uint32 (n, 2), the two halves of 64 bits.
        digests: uint64 (n, 2), different for the rows that take part; they decide the leaders.
        rows_in_use: Indices of the rows that take part, ascending.
        distance: d, the largest number of bits that may differ.

    Attributes:
        plan: The plan of the search; for progress and for refusing what takes too long.
    """

    def __init__(
        self,
        signatures: UInt32Array,
        digests: UInt64Array,
        rows_in_use: IntegerArray,
        distance: int,
    ) -> None:
        rows = np.asarray(rows_in_use, dtype=np.int64)
        self._distance = distance
        self._groups = _group(join_halves(signatures[rows]), rows, digests)
        values = self._groups.values
        self.plan = cheapest_plan(values, distance)

    def pairs(self) -> Iterator[CandidateChunk]:
        """All pairs x < y of rows, each once over all chunks of at most about a million.

        `band` is the number of the table; equal fingerprints come first, as of table 0.
        """
        groups = self._groups
        yield from self._large_groups()
        equal = np.flatnonzero((groups.sizes > 1) & (groups.sizes <= EQUAL_LIMIT))
        yield from self._expand(equal, equal, 0)
        for number, a, b in self._near():
            yield from self._expand(a, b, number)

    def count(self, limit: int) -> int:
        """Number of pairs that `pairs` gives; counting stops above a limit."""
        groups = self._groups
        alike = groups.sizes[groups.sizes <= EQUAL_LIMIT]
        total = int((alike * (alike - 1) // 2).sum())
        total += int((groups.sizes[groups.sizes > EQUAL_LIMIT] - 1).sum())
        for _, a, b in self._near():
            if total > limit:
                break
            total += int((groups.spread[a] * groups.spread[b]).sum())
        return total

    def _near(self) -> Iterator[tuple[int, Int64Array, Int64Array]]:
        """Pairs of groups with different fingerprints: number of the table, and both groups."""
        if self._distance == 0:
            return  # only equal fingerprints: no table
        values = self._groups.values
        buffer = np.empty((2, CHUNK_PAIRS), dtype=np.uint64)
        ready = sorted_tables(values, self.plan.blocks, self._distance)
        for number, (table, entries) in enumerate(ready):
            for both in near_entries(entries, table, self._distance, buffer):
                yield number, *np.searchsorted(values, both)

    def _large_groups(self) -> Iterator[CandidateChunk]:
        groups = self._groups
        for group in np.flatnonzero(groups.sizes > EQUAL_LIMIT):
            first = groups.starts[group]
            rows = groups.members[first : first + groups.sizes[group]].astype(np.int32)
            x, y = np.minimum(rows[1:], rows[0]), np.maximum(rows[1:], rows[0])
            yield CandidateChunk(0, x, y, int(rows[0]), rows[1:])

    def _expand(self, a: Int64Array, b: Int64Array, number: int) -> Iterator[CandidateChunk]:
        """Turn pairs of groups into pairs of rows; a group paired with itself gives its pairs."""
        groups = self._groups
        until = np.cumsum(groups.spread[a] * groups.spread[b])
        start = done = 0
        while start < len(a):
            end = max(start + 1, int(np.searchsorted(until, done + CHUNK_PAIRS, side="right")))
            x, y = _rows_of_pairs(groups, a[start:end], b[start:end])
            yield CandidateChunk(number, np.minimum(x, y), np.maximum(x, y), -1, NOBODY)
            start, done = end, int(until[end - 1])


def affordable_distance(
    signatures: UInt32Array, digests: UInt64Array, rows_in_use: IntegerArray, below: int, limit: int
) -> int | None:
    """The largest distance less than `below` with at most `limit` pairs; None without any."""
    affordable = None
    for distance in range(below):
        search = HammingSearch(signatures, digests, rows_in_use, distance)
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
        spread: int64, how many rows of a group are paired with other groups: all, or the leader.
        members: int64, rows ordered by fingerprint and then by number, a large group's leader
            first.
    """

    values: UInt64Array
    starts: Int64Array
    sizes: Int64Array
    spread: Int64Array
    members: Int64Array


def _group(fingerprints: UInt64Array, rows: Int64Array, digests: UInt64Array) -> _FingerprintGroups:
    order = np.argsort(fingerprints, kind="stable")
    ordered = fingerprints[order]
    starts = starts_of_runs(ordered)
    sizes = np.diff(np.append(starts, len(ordered)))
    spread = np.where(sizes > EQUAL_LIMIT, 1, sizes)
    members = rows[order]
    for start, size in zip(starts[sizes > EQUAL_LIMIT], sizes[sizes > EQUAL_LIMIT], strict=True):
        group = members[start : start + size]
        leader = first_by_digest(group, digests)
        group[:] = np.concatenate([[leader], group[group != leader]])
    return _FingerprintGroups(ordered[starts], starts, sizes, spread, members)


def _rows_of_pairs(
    groups: _FingerprintGroups, a: Int64Array, b: Int64Array
) -> tuple[Int32Array, Int32Array]:
    """The rows of pairs of groups, every row of group a with every row of group b."""
    counts = groups.spread[a] * groups.spread[b]
    pair = np.repeat(np.arange(len(a)), counts)
    i, j = np.divmod(indices_from(0, counts), groups.spread[b][pair])
    real = (a != b)[pair] | (i < j)
    pair, i, j = pair[real], i[real], j[real]
    x = groups.members[groups.starts[a][pair] + i]
    y = groups.members[groups.starts[b][pair] + j]
    return x.astype(np.int32), y.astype(np.int32)
