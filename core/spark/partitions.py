"""Partitions of a table: rows that belong together side by side, and functions over them.

Everything that is grouped is sorted within its partition and read as a stream: a group is not
handed over by itself, so that a million small ones cost as little as they hold.

Of hashes there are many for each document, and Spark takes a microsecond for each row. So a row has
all those of a range, side by side, that a task has at once; who reads the range sorts them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from itertools import groupby
from typing import Any, cast

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame

from core.base.arrays import (
    AnyArray,
    BoolArray,
    Int64Array,
    UInt64Array,
    equal_parts,
    indices_from,
    starts_of_runs,
)
from core.spark.columns import Batches, packed, unpacked
from core.spark.session import SameVersions

Values = tuple[AnyArray, ...]  # columns of the same length, uint64
Shortened = Callable[..., Values]
# Keys, which are hashes, and the documents that hold them, by ranges.
HELD = "range INT, keys BINARY, holders BINARY"
COMMON = np.uint64(0)  # instead of a document: the key is common, whoever holds it
REFERENCE = np.uint64(1 << 63)  # the bit of a document that is not to review

ROWS_AT_ONCE = 1 << 17
FEWEST_RANGES, MOST_RANGES = 64, 1 << 16
VALUES_OF_A_RANGE, SETTLED_AT_ONCE = 1 << 20, 1 << 22
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: high bits depend on all below


def mapped(frame: DataFrame, work: Callable[[Batches], Batches], schema: str) -> DataFrame:
    """A table made of another one, partition by partition.

    Args:
        frame: The table.
        work: From the batches of a partition to others; runs on an executor, perhaps twice.
        schema: Of the result, as DDL; the batches have its columns in any order.

    An executor with another Neardup than this one fails: see `core.spark.session`.
    """
    return frame.mapInArrow(cast("Any", SameVersions(work)), schema)


def union(frames: Iterable[DataFrame]) -> DataFrame:
    """The rows of one or more tables with the same columns."""
    return reduce(lambda frame, following: frame.unionByName(following), frames)


def side_by_side(frame: DataFrame, keys: Sequence[str], then: Sequence[str] = ()) -> DataFrame:
    """The rows with equal keys in one partition, one after the other, ordered by other columns."""
    return frame.repartition(*keys).sortWithinPartitions(*keys, *then)


def tables_of(batches: Batches, column: str, at_least: int) -> Iterator[pa.Table]:
    """Batches joined until one of their columns reaches this size in bytes."""
    waiting: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        waiting.append(batch)
        size += batch.column(column).nbytes
        if size >= at_least:
            yield pa.Table.from_batches(waiting)
            waiting, size = [], 0
    if waiting:
        yield pa.Table.from_batches(waiting)


def whole_runs(
    batches: Batches, keys: Sequence[str], at_least: int = ROWS_AT_ONCE
) -> Iterator[pa.Table]:
    """The rows of a sorted partition in tables that part no rows with equal keys.

    Args:
        batches: Of the partition.
        keys: The columns by which it is sorted first.
        at_least: Rows of a table, but for the last.
    """
    waiting: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        if not batch.num_rows:
            continue
        waiting.append(batch)
        rows += batch.num_rows
        if rows < at_least:
            continue
        table = pa.Table.from_batches(waiting)
        last = _start_of_last_run(table, keys)
        if last:
            ready = [table.slice(0, last).combine_chunks()]
            # A copy: a slice would keep all batches in memory.
            waiting = table.slice(last).combine_chunks().to_batches()
            rows = table.num_rows - last
            del table, batch
            yield ready.pop()  # kept by the caller alone, as long as it needs it
    if waiting:
        yield _joined(waiting)


def _joined(waiting: list[pa.RecordBatch]) -> pa.Table:
    """Batches joined; the list is emptied."""
    table = pa.Table.from_batches(waiting)
    waiting.clear()
    return table.combine_chunks()


def ranges_for(values: int) -> int:
    """In how many ranges of hashes so many values are shuffled: from 64 to 65,536."""
    return min(MOST_RANGES, max(FEWEST_RANGES, values // VALUES_OF_A_RANGE))


def by_key(name: str, keys: UInt64Array, most: int, columns: dict[str, AnyArray]) -> pa.RecordBatch:
    """A row for each key below `most`, 65,536 at most, with the values that have it."""
    keys = keys.astype(np.uint16)  # sorted in two passes
    order = np.argsort(keys, kind="stable")
    sizes = np.bincount(keys, minlength=most)
    present = np.flatnonzero(sizes)
    rows = {column: packed(values[order], sizes[present]) for column, values in columns.items()}
    return pa.record_batch({name: pa.array(present, pa.int32()), **rows})


def rows_by_key(batches: Batches, name: str) -> Iterator[tuple[int, Iterator[pa.RecordBatch]]]:
    """Each key with its rows, one by one, of a partition in which these are side by side."""
    rows = (batch.slice(row, 1) for batch in batches for row in range(batch.num_rows))
    return groupby(rows, lambda row: int(row.column(name)[0].as_py()))


def values_by_key(
    batches: Batches, name: str, columns: Sequence[str], shortened: Shortened | None = None
) -> Iterator[tuple[int, Values]]:
    """Each key of `by_key` with its values, of a partition in which its rows are side by side.

    Args:
        batches: Of the partition.
        name: Of the keys.
        columns: Those with the values, of eight bytes each.
        shortened: From values of a key to those that decide; used where there are very many.
    """
    for key, rows in rows_by_key(batches, name):
        parts: list[Values] = []
        waiting = 0
        for row in rows:
            parts.append(tuple(unpacked(row.column(column), "<u8")[0] for column in columns))
            waiting += len(parts[-1][0])
            if shortened and waiting > SETTLED_AT_ONCE + len(parts[0][0]):
                parts, waiting = [shortened(*_joined_values(parts))], 0
        yield key, _joined_values(parts)


def _joined_values(parts: list[Values]) -> Values:
    return tuple(map(np.concatenate, zip(*parts, strict=True)))


def holders_of(numbers: Int64Array, reviewed: BoolArray) -> UInt64Array:
    """Documents as the holders of keys: after `COMMON`, and those to review come first."""
    return (numbers + 1).view(np.uint64) | ~reviewed * REFERENCE


def numbers_of(holders: UInt64Array) -> Int64Array:
    """The numbers of the documents that hold keys."""
    return (holders & ~REFERENCE).view(np.int64) - 1


def held_in_ranges(keys: UInt64Array, holders: UInt64Array, ranges: int) -> pa.RecordBatch:
    """Keys and the holder of each to `HELD`."""
    range_of = (keys * SPREAD >> np.uint64(32)) * np.uint64(ranges) >> np.uint64(32)
    return by_key("range", range_of, ranges, {"keys": keys, "holders": holders})


def shared_keys(batches: Batches, most: int = 1 << 62) -> Iterator[tuple[UInt64Array, UInt64Array]]:
    """The keys with several holders, and some more, sorted by key, then by holder, a few at a time.

    Args:
        batches: Of a partition of `HELD` with the rows of a range side by side.
        most: So many holders of a key are kept.
    """
    first_holders = partial(_first_holders, most)
    for _, held in values_by_key(batches, "range", ("keys", "holders"), first_holders):
        keys, holders = held
        few = (holders == COMMON) | _may_repeat(keys)
        keys, holders = first_holders(keys[few], holders[few])
        bounds = np.append(starts_of_runs(keys), len(keys))
        for runs in equal_parts(np.diff(bounds), ROWS_AT_ONCE):
            rows = slice(bounds[runs.start], bounds[runs.stop])
            yield keys[rows], holders[rows]


def _first_holders(
    most: int, keys: UInt64Array, holders: UInt64Array
) -> tuple[UInt64Array, UInt64Array]:
    """Keys with their holders, sorted, and of each key no more."""
    order = np.lexsort((holders, keys))
    sizes = np.diff(np.append(starts_of_runs(keys[order]), len(keys)))
    order = order[indices_from(0, sizes) < most]
    return keys[order], holders[order]


def _may_repeat(hashes: UInt64Array) -> BoolArray:
    """Which occur more than once, and some of the rest: found faster than by sorting all."""
    bits = (2 * len(hashes)).bit_length()
    slots = (hashes & np.uint64((1 << bits) - 1)).view(np.int64)
    return np.asarray(np.bincount(slots)[slots] > 1)


def _start_of_last_run(table: pa.Table, keys: Sequence[str]) -> int:
    """The first of the rows that have the keys of the last row."""
    columns = [table.column(key) for key in keys]

    def keys_of(row: int) -> list[Any]:
        return [column[row] for column in columns]

    last = keys_of(table.num_rows - 1)
    return bisect_left(range(table.num_rows), True, key=lambda row: keys_of(row) == last)
