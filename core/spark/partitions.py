"""Partitions of a table: rows that belong together side by side, and functions over them.

Everything that is grouped is sorted within its partition and read as a stream: a group is not
handed over by itself, so that a million small ones cost as little as they hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa

from core.base.arrays import Int64Array, IntegerArray
from core.spark.columns import int64s
from core.spark.versions import SameVersions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ROWS_AT_ONCE = 1 << 17


def mapped(
    frame: DataFrame,
    work: Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]],
    schema: str,
) -> DataFrame:
    """A table made of another one, partition by partition.

    Args:
        frame: The table.
        work: From the batches of a partition to others; runs on an executor, perhaps twice.
        schema: Of the result, as DDL; the batches have its columns in any order.

    An executor with another Neardup than this one fails: see `core.spark.versions`.
    """
    return frame.mapInArrow(cast("Any", SameVersions(work)), schema)


def side_by_side(frame: DataFrame, keys: Sequence[str], then: Sequence[str] = ()) -> DataFrame:
    """The rows with equal keys in one partition, one after the other, ordered by other columns."""
    return frame.repartition(*keys).sortWithinPartitions(*keys, *then)


def whole_runs(
    batches: Iterator[pa.RecordBatch], keys: Sequence[str], at_least: int = ROWS_AT_ONCE
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
            # A copy: a slice would keep all that was read.
            waiting = table.slice(last).combine_chunks().to_batches()
            rows = table.num_rows - last
            del table, batch
            yield ready.pop()  # kept by who asked alone, as long as that needs it
    if waiting:
        yield _whole(waiting)


def _whole(waiting: list[pa.RecordBatch]) -> pa.Table:
    """All of some batches, which are forgotten."""
    table = pa.Table.from_batches(waiting)
    waiting.clear()
    return table.combine_chunks()


def first_of_runs(
    batches: Iterable[pa.RecordBatch], key: str, most: int, at_least: int = ROWS_AT_ONCE
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
    place = np.arange(table.num_rows) - np.repeat(starts, sizes)
    return table.filter(pa.array(place < most)).combine_chunks()


def starts_of_runs(keys: IntegerArray) -> Int64Array:
    """Where runs of equal numbers begin."""
    fresh = np.ones(len(keys), dtype=np.bool_)
    fresh[1:] = keys[1:] != keys[:-1]
    return np.flatnonzero(fresh)


def _start_of_last_run(table: pa.Table, keys: Sequence[str]) -> int:
    """Where the rows begin that have the keys of the last one."""
    last = {key: table.column(key)[-1] for key in keys}
    low, high = 0, int(table.num_rows) - 1
    step = 1
    while high - step >= 0 and _has(table, high - step, last):  # it is near the end mostly
        step *= 2
    low, high = max(0, high - step), high - step // 2
    if _has(table, low, last):
        return low
    while high - low > 1:
        middle = (low + high) // 2
        if _has(table, middle, last):
            high = middle
        else:
            low = middle
    return high


def _has(table: pa.Table, row: int, wanted: dict[str, Any]) -> bool:
    return all(bool(table.column(key)[row] == value) for key, value in wanted.items())
