"""Partitions of a table: rows that belong together side by side, and functions over them.

Everything that is grouped is sorted within its partition and read as a stream: a group is not
handed over by itself, so that a million small ones cost as little as they hold.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from typing import Any, cast

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame

from core.base.arrays import starts_of_runs
from core.spark.columns import Batches, int64s
from core.spark.session import SameVersions

ROWS_AT_ONCE = 1 << 17


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


def first_of_runs(
    batches: Batches, key: str, most: int, at_least: int = ROWS_AT_ONCE
) -> Iterator[pa.Table]:
    """The same for runs of any length, of each of which the first rows are enough.

    Args:
        batches: Of the partition.
        key: A column of LONG by which it is sorted first.
        most: So many rows of a run are kept.
        at_least: Rows that are read at once.
    """
    waiting: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        waiting.append(batch)
        rows += batch.num_rows
        if rows < at_least:
            continue
        table = _shortened(pa.Table.from_batches(waiting), key, most)
        last = int(starts_of_runs(int64s(table.column(key)))[-1])
        if last:
            yield table.slice(0, last)
        waiting = table.take(np.arange(last, table.num_rows)).to_batches()
        rows = table.num_rows - last
    if rows:
        yield _shortened(pa.Table.from_batches(waiting), key, most)


def _shortened(table: pa.Table, key: str, most: int) -> pa.Table:
    starts = starts_of_runs(int64s(table.column(key)))
    sizes = np.diff(np.append(starts, table.num_rows))
    rank = np.arange(table.num_rows) - np.repeat(starts, sizes)
    return table.filter(pa.array(rank < most)).combine_chunks()


def _start_of_last_run(table: pa.Table, keys: Sequence[str]) -> int:
    """The first of the rows that have the keys of the last row."""
    columns = [table.column(key) for key in keys]

    def keys_of(row: int) -> list[Any]:
        return [column[row] for column in columns]

    last = keys_of(table.num_rows - 1)
    return bisect_left(range(table.num_rows), True, key=lambda row: keys_of(row) == last)
