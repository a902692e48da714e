"""The tables of a search by Hamming distance: how many, what they hold, and how they are read.

See `core.candidates.hamming` for the method. There are C(m, d) tables to permute and sort, with
runs that agree in about 64 (m - d) / m bits. Few blocks mean few tables and long runs; m = d is one
table with a single run, which compares everybody with everybody. For random fingerprints and d = 3,
m = 4 has 4 tables of 16 bits, m = 5 has 10 of 25 bits, m = 6 has 20 of 32 bits; for d = 8, m = 11
has 165 of 17 bits. Real fingerprints cluster, so the length of runs is not computed but measured:
for each m a few tables are made and their comparisons counted. The m with the lowest cost is taken,
at the measured 25 ns for a fingerprint in a table (6 to permute, 8 to sort, 11 to find its run) and
0.4 ns for a comparison.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, islice, pairwise
from math import comb
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import UInt64Array
from core.base.compiling import njit
from core.base.parallel import results_of, worker_count
from core.base.progress import Cancelled, stop_if
from core.signatures.estimates import BITS

NS_PER_ENTRY = 25.0
NS_PER_COMPARISON = 0.4
SAMPLE_TABLES = 3
ENTRIES_WORTH_A_THREAD = 20_000
STRETCH = 1 << 9  # entries at once, in the nearest cache
FEW = 16  # entries that are sooner compared one by one
COMPARISONS_AT_ONCE = 1 << 27  # between two looks at `cancelled`: 50 ms


class TablePlan(NamedTuple):
    """How fingerprints will be searched.

    Attributes:
        blocks: m; with m = d everybody is compared with everybody.
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
        moves: uint64 (at most m, 3): for blocks that stay neighbours their place, their place in
            the table, and a mask of their width.
        key: The bits that agree, in the table's order.
        earlier: uint64, for each block whose agreement would have put a pair into an earlier
            table: its bits in the table's order.
    """

    moves: UInt64Array
    key: np.uint64
    earlier: UInt64Array


def cheapest_plan(values: UInt64Array, distance: int, cancelled: Cancelled) -> TablePlan:
    """Try ever more blocks until the tables alone cost more than the best plan."""
    if distance == 0:
        return TablePlan(1, 1, 0.0, 0.0)  # only equal fingerprints
    best = make_plan(values, distance, distance)
    for blocks in range(distance + 1, BITS + 1):
        stop_if(cancelled)
        if comb(blocks, distance) * len(values) * NS_PER_ENTRY * 1e-9 >= best.seconds:
            break
        best = min(best, make_plan(values, distance, blocks), key=lambda plan: plan.seconds)
    return best


def make_plan(values: UInt64Array, distance: int, blocks: int) -> TablePlan:
    """What so many blocks would cost; a few tables are made to count their comparisons."""
    tables = comb(blocks, distance)
    count = len(values)
    if blocks == distance:
        comparisons = count * (count - 1) / 2
    else:
        step = max(1, tables // SAMPLE_TABLES)
        entries = np.empty_like(values)
        sample = []
        for table in islice(make_tables(blocks, distance), step // 2, None, step):
            permute(values, table.moves, entries)
            entries.sort()
            sample.append(_count_comparisons(entries, table.key))
        comparisons = tables * sum(sample) / len(sample)
    nanoseconds = tables * count * NS_PER_ENTRY + comparisons * NS_PER_COMPARISON
    return TablePlan(blocks, tables, comparisons, nanoseconds * 1e-9)


def sorted_tables(
    values: UInt64Array, blocks: int, distance: int, cancelled: Cancelled
) -> Iterator[tuple[Table, UInt64Array]]:
    """Every table with its sorted entries, in order, prepared ahead on other threads."""

    def prepare(table: Table) -> tuple[Table, UInt64Array]:
        entries = np.empty_like(values)
        permute(values, table.moves, entries)
        entries.sort()
        return table, entries

    tables = make_tables(blocks, distance)
    if len(values) < ENTRIES_WORTH_A_THREAD:
        yield from map(prepare, tables)
        return
    with ThreadPoolExecutor(worker_count(), thread_name_prefix="neardup-tables") as pool:
        begun = (pool.submit(prepare, table) for table in tables)
        yield from results_of(begun, cancelled, worker_count() + 1)


def make_tables(blocks: int, distance: int) -> Iterator[Table]:
    """The tables in the lexicographic order of their blocks that agree, block 0 the highest."""
    edges = [BITS - BITS * block // blocks for block in range(blocks + 1)] if blocks else [BITS]
    widths = [high - low for high, low in pairwise(edges)]
    for agreeing in combinations(range(blocks), blocks - distance):
        order = [*agreeing, *(block for block in range(blocks) if block not in agreeing)]
        masks: dict[int, int] = {}
        moves: list[tuple[int, int, int]] = []
        place = BITS
        for block in order:
            place -= widths[block]
            mask = (1 << widths[block]) - 1
            masks[block] = mask << place
            if moves and moves[-1][0] == edges[block]:  # neighbours before and after: one move
                mask |= moves.pop()[2] << widths[block]
            moves.append((edges[block + 1], place, mask))
        # A pair meets first in the table of its first agreeing blocks.
        earlier = [b for b in order[len(agreeing) :] if agreeing and b < agreeing[-1]]
        yield Table(
            np.array(moves, dtype=np.uint64).reshape(-1, 3),
            np.uint64(sum(masks[block] for block in agreeing)),
            np.array([masks[block] for block in earlier], dtype=np.uint64),
        )


@njit(nogil=True, cache=True)
def permute(values: Any, moves: Any, out: Any) -> None:
    """Put the blocks of every value where the table wants them."""
    for first in range(0, len(values), STRETCH):
        last = min(first + STRETCH, len(values))
        out[first:last] = np.uint64(0)
        for block in range(len(moves)):
            source, target, mask = moves[block]
            for index in range(first, last):
                out[index] |= ((values[index] >> source) & mask) << target


def restore(values: UInt64Array, moves: UInt64Array) -> UInt64Array:
    """Undo `permute`."""
    out = np.empty_like(values)
    permute(values, np.ascontiguousarray(moves[:, [1, 0, 2]]), out)
    return out


def near_entries(
    entries: UInt64Array, table: Table, distance: int, found: UInt64Array, cancelled: Cancelled
) -> Iterator[UInt64Array]:
    """Pairs of different fingerprints that differ in few bits and meet first in a table.

    Args:
        entries: Of the table, sorted: all, or all of some runs.
        table: The table.
        distance: How many bits may differ.
        found: Is written on, uint64 (2, at least `STRETCH`).
        cancelled: Polled about every 50 ms.

    Yields:
        uint64 (2, n), fingerprints as they were before the table permuted them.
    """
    place = other = 0
    while place < len(entries):
        stop_if(cancelled)
        place, other, count = compare_runs(
            entries, table.key, table.earlier, distance, place, other, found
        )
        if count:
            yield restore(found[:, :count].reshape(-1), table.moves).reshape(2, count)


@njit(nogil=True, cache=True)
def _count_comparisons(entries: Any, key: Any) -> Any:
    """Number of pairs in the runs of sorted entries that agree in the key, as a float."""
    total = 0.0
    start = 0
    for index in range(1, len(entries) + 1):
        if index == len(entries) or (entries[index] ^ entries[start]) & key:
            total += (index - start) * (index - start - 1) / 2
            start = index
    return total


@njit(nogil=True, cache=True)
def compare_runs(
    entries: Any,
    key: Any,
    earlier: Any,
    distance: Any,
    place: Any,
    other: Any,
    found: Any,
) -> Any:
    """Compare entries within runs, from entry `place` on with `other` and those after it.

    Goes on until the buffer (2, at least STRETCH) is nearly full or much was compared. Returns
    where to go on and the number of pairs.
    """
    count = compared = 0
    end = place
    while place < len(entries):
        if place >= end:
            end = place + 1
        while end < len(entries) and not (entries[end] ^ entries[place]) & key:
            end += 1
        other = max(other, place + 1)
        while other < end:
            stop = min(end, other + STRETCH)
            if count + STRETCH > found.shape[1] or compared > COMPARISONS_AT_ONCE:
                return place, other, count
            few = stop - other < FEW
            if few or _count_near(entries[other:stop], entries[place], distance):
                count = _emit(entries, place, other, stop, earlier, distance, count, found)
            compared += stop - other
            other = stop
        place += 1
        other = 0
    return place, other, count


@njit(nogil=True, cache=True)
def _emit(
    entries: Any,
    place: Any,
    other: Any,
    stop: Any,
    earlier: Any,
    distance: Any,
    count: Any,
    found: Any,
) -> Any:
    """Write the near ones of a stretch that have not met in an earlier table."""
    for index in range(other, stop):
        differing = entries[index] ^ entries[place]
        if ones(differing) > distance:
            continue
        new = True
        for block in range(len(earlier)):
            new = new and (differing & earlier[block]) != 0
        if new:
            found[0, count] = entries[place]
            found[1, count] = entries[index]
            count += 1
    return count


@njit(nogil=True, cache=True)
def _count_near(entries: Any, entry: Any, distance: Any) -> Any:
    """Without a branch in the loop, so that several are compared at once."""
    near = 0
    for index in range(len(entries)):
        near += ones(entries[index] ^ entry) <= distance
    return near


@njit(nogil=True, cache=True, inline="always")
def ones(value: Any) -> Any:
    """Number of ones in 64 bits: the form that LLVM turns into the processor's own instruction."""
    value -= (value >> np.uint64(1)) & np.uint64(0x5555555555555555)
    value = (value & np.uint64(0x3333333333333333)) + (
        (value >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    value = (value + (value >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((value * np.uint64(0x0101010101010101)) >> np.uint64(56))
