"""Fingerprints on a cluster: each beside the documents that hold it, and the pairs of these.

    fingerprints of documents ─▶ a row for each ─▶ shuffled, equal ones side by side ─▶ pairs, or
                                                                                       common

A fingerprint that stands in every document would be as many rows in one partition. So what is
common among the documents of one task already is said once by it, and no more rows are made of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import pyarrow as pa

from core.base.arrays import BoolArray, Int64Array, UInt64Array
from core.candidates.limits import DOCUMENT_LIMIT
from core.candidates.references import pairs_of_all
from core.candidates.shared_fingerprints import common_among, keys_of, pair_keys
from core.candidates.sorted_keys import distinct, members
from core.evidence.pairs import split_codes
from core.spark.columns import bools, int64s, unpacked
from core.spark.partitions import first_of_runs, mapped, side_by_side, starts_of_runs

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# One row for each key and document that holds it; `kind` says who that is, or that the key is
# common whoever holds it.
HELD = "key LONG, number LONG, kind TINYINT"
COLUMNS = ("key", "number", "kind")
COMMON, REVIEWED, REFERENCE = 0, 1, 2

# Pairs x < y, perhaps several times, or a key that is common.
PAIRED = "x LONG, y LONG, common LONG"

FINGERPRINTS_AT_ONCE = 1 << 20
ROWS_AT_ONCE = 1 << 18  # up to 13 million pairs
RANK_BITS = np.uint64(32)

# So many holders, those to review first, tell as much as all: with one to review they are common.
ENOUGH_HOLDERS = pairs_of_all(DOCUMENT_LIMIT) + 2


class KnownKeys(Protocol):
    """Where ascending keys lie that all tasks know: a broadcast of Spark."""

    @property
    def value(self) -> UInt64Array:
        """The keys."""


@dataclass(frozen=True)
class Spread:
    """Rows with number, reviewed and fingerprints to the rows `HELD`.

    Attributes:
        dropped: How many low bits of a hash are not compared.
        avoided: Keys that are known to be common: no rows are made of them.
    """

    dropped: np.uint64
    avoided: KnownKeys

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Of a partition, in which each document is once."""
        known = np.empty(0, dtype=np.uint64)
        for table in tables_of(batches, "fingerprints", 8 * FINGERPRINTS_AT_ONCE):
            values, counts = unpacked(table.column("fingerprints"), "<u8")
            rows = np.repeat(np.arange(len(counts)), counts)
            keys = keys_of(values, self.dropped)
            left = ~(members(self.avoided.value, keys) | members(known, keys))
            keys, rows = holders(keys[left], rows[left])
            reviewed = bools(table.column("reviewed"))
            common = common_among(keys, rows, reviewed)
            known = distinct([known, common])
            left = ~members(common, keys)
            keys, rows = keys[left], rows[left]
            kinds = np.where(reviewed[rows], REVIEWED, REFERENCE)
            yield _held(common, np.zeros(len(common), np.int64), np.full(len(common), COMMON))
            yield _held(keys, int64s(table.column("number"))[rows], kinds)


def holders(keys: UInt64Array, rows: Int64Array) -> tuple[UInt64Array, Int64Array]:
    """The different pairs of a key and the row that holds it, by key, then by row.

    Args:
        keys: uint64.
        rows: int64, ascending.
    """
    order = np.argsort(keys, kind="stable")
    keys, rows = keys[order], rows[order]
    fresh = np.ones(len(keys), dtype=np.bool_)
    fresh[1:] = (keys[1:] != keys[:-1]) | (rows[1:] != rows[:-1])
    return keys[fresh], rows[fresh]


def _held(keys: UInt64Array, numbers: Int64Array, kinds: Int64Array) -> pa.RecordBatch:
    columns = [pa.array(keys.view(np.int64)), pa.array(numbers), pa.array(kinds.astype(np.int8))]
    return pa.RecordBatch.from_arrays(columns, list(COLUMNS))


def tables_of(batches: Iterable[pa.RecordBatch], column: str, at_least: int) -> Iterator[pa.Table]:
    """Batches joined until one column of theirs takes so many bytes."""
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


def paired(held: DataFrame) -> DataFrame:
    """Rows `HELD` to the rows `PAIRED`."""
    return mapped(side_by_side(held, ["key"], ["kind"]), paired_runs, PAIRED)


def common_of(held: DataFrame) -> DataFrame:
    """The keys of rows `HELD` that are common: key LONG."""
    from pyspark.sql import functions as F

    reviewed, known = F.col("kind") == REVIEWED, F.col("kind") == COMMON
    counted = held.groupBy("key").agg(
        F.count("*").alias("documents"),
        F.sum(reviewed.cast("long")).alias("reviewed"),
        F.max(known).alias("known"),
    )
    pairs = "reviewed * (2 * documents - reviewed - 1) / 2"
    return counted.where(f"known or {pairs} > {pairs_of_all(DOCUMENT_LIMIT)}").select("key")


def paired_runs(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same of a partition, sorted by key and kind; what it takes does not grow with a run."""
    for table in first_of_runs(batches, "key", ENOUGH_HOLDERS, ROWS_AT_ONCE):
        keys, numbers, kinds = (int64s(table.column(name)) for name in COLUMNS)
        starts = starts_of_runs(keys)
        known = kinds[starts] == COMMON
        left = ~np.repeat(known, np.diff(np.append(starts, len(keys))))
        pairs, common = _pairs_of(keys[left], numbers[left], kinds[left] == REVIEWED)
        yield _paired(*pairs, np.concatenate([common, keys[starts[known]]]))


def _pairs_of(
    runs: Int64Array, numbers: Int64Array, reviewed: BoolArray
) -> tuple[tuple[Int64Array, Int64Array], Int64Array]:
    """The pairs of documents in runs of one key, and the keys that are common."""
    different = np.sort(numbers)
    different = different[starts_of_runs(different)]
    rows = np.searchsorted(different, numbers)
    to_review = np.zeros(len(different), dtype=np.bool_)
    to_review[rows] = reviewed
    starts = starts_of_runs(runs)
    sizes = np.diff(np.append(starts, len(runs)))
    ranks = np.repeat(np.arange(len(starts)), sizes).astype(np.uint64)
    keys = ranks << RANK_BITS | rows.astype(np.uint64)
    keys.sort()
    shared = pair_keys([keys], RANK_BITS, to_review)
    x, y = split_codes(shared.codes)
    common = runs[starts[shared.common.keys.astype(np.int64)]]
    return (different[x], different[y]), common


def _paired(x: Int64Array, y: Int64Array, common: Int64Array) -> pa.RecordBatch:
    pairs, keys = pa.nulls(len(x), pa.int64()), pa.nulls(len(common), pa.int64())
    columns = [pa.concat_arrays([pa.array(one), keys]) for one in (x, y)]
    columns.append(pa.concat_arrays([pairs, pa.array(common)]))
    return pa.RecordBatch.from_arrays(columns, ["x", "y", "common"])
