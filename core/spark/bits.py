"""Candidates of a scan by bits: all pairs of documents whose fingerprints differ in at most d bits.

As on one machine (`core.candidates.hamming`): equal fingerprints are compared once. Up to
`EQUAL_LIMIT` documents with the same one give all their pairs; of more, everyone is paired with the
one that has the smallest digest, which alone meets those with another fingerprint.

All pairs of 64-bit fingerprints that differ in at most d bits, by permuted sorted tables.

The method is that of one machine (`core.candidates.hamming`; Manku, Jain, Das Sarma, WWW 2007). The
tables are cut into cells: fingerprints that agree in the blocks of a table are in one cell of it,
which a task sorts and compares. What is shuffled are blocks of entries, not single ones, 8 bytes
for each fingerprint and table.

A table of fingerprints and a batch of queries: all within d bits of each other.

Manku, Jain, Das Sarma (WWW 2007), section 4.2: the fingerprints stay where they are, in parts; the
queries, which are few, go to every part, block by block, and are looked up there in permuted sorted
tables (`core.candidates.hamming`). Nothing else is shuffled but what is found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import chain, islice, pairwise
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from core.base.arrays import AnyArray, UInt64Array
from core.base.tasks import never
from core.candidates.hamming import (
    EQUAL_LIMIT,
    QueryTables,
    make_plan,
    make_tables,
    near_entries,
    permute,
)
from core.settings import ScanSettings
from core.signatures.methods import BITS
from core.spark.columns import int64s, packed, unpacked
from core.spark.file_system import Stages
from core.spark.partitions import mapped, side_by_side, whole_runs

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import DataFrame

# Different queries that are held at once: 16 MB, and ten times as much in tables for d = 3.
QUERIES_AT_ONCE = 1 << 21
LOOKED_UP_AT_ONCE = 1 << 18
FOUND = "id {id}, near LONG, distance INT"


def fingerprints_near(fingerprints: DataFrame, queries: DataFrame, distance: int) -> DataFrame:
    """All fingerprints that differ from queries in few bits.

    Args:
        fingerprints: id of any type, fingerprint LONG.
        queries: query of any type, fingerprint LONG.
        distance: d, 0 to 8: how many bits may differ.

    Returns:
        query, id, distance INT: each fingerprint with each query that it is near.
    """
    from pyspark.sql import functions as F

    asked = queries.select("fingerprint").distinct()
    rounds = max(1, -(-asked.count() // QUERIES_AT_ONCE))
    number = F.pmod(F.xxhash64("fingerprint"), F.lit(rounds))
    parts = (asked.where(number == one) for one in range(rounds))
    found = reduce(
        lambda one, other: one.unionAll(other),
        (_simhash_batch_near(fingerprints, part, distance) for part in parts),
    )
    by_value = queries.select("query", F.col("fingerprint").alias("near"))
    return found.join(by_value, "near").select("query", "id", "distance")


def _simhash_batch_near(fingerprints: DataFrame, asked: DataFrame, distance: int) -> DataFrame:
    """Fingerprints with the queries of one round near them: `FOUND`."""
    values = np.sort(int64s(asked.toArrow().column(0)).view(np.uint64))
    sent: Broadcast[UInt64Array] = asked.sparkSession.sparkContext.broadcast(values)
    schema = FOUND.format(id=fingerprints.schema["id"].dataType.simpleString())
    return mapped(fingerprints.select("id", "fingerprint"), _LookUp(sent, distance), schema)


@dataclass(frozen=True)
class _LookUp:
    """Fingerprints with their ids to those near a query."""

    queries: Broadcast[UInt64Array]
    distance: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        tables: QueryTables | None = None
        for table in _joined(batches):
            tables = tables or QueryTables(self.queries.value, self.distance)
            own = int64s(table.column("fingerprint")).view(np.uint64)
            rows, near = tables.near(own)
            apart = np.bitwise_count(own[rows] ^ near).astype(np.int32)
            found = pa.table(
                {
                    "id": table.column("id").take(pa.array(rows)),
                    "near": near.view(np.int64),
                    "distance": apart,
                }
            )
            yield from found.to_batches()


def _joined(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    """The rows of a partition in larger parts: what is looked up together is found sooner."""
    waiting: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= LOOKED_UP_AT_ONCE:
            yield pa.Table.from_batches(waiting)
            waiting, rows = [], 0
    if rows:
        yield pa.Table.from_batches(waiting)


NEAR = "one LONG, other LONG"  # fingerprints, the smaller one as an unsigned number first
BLOCKS = "table INT, cell INT, entries BINARY"

SAMPLED = 1 << 17  # fingerprints by which the number of blocks is decided
NS_PER_ENTRY = 250.0  # to permute, to shuffle and to sort it; measured
NS_PER_COMPARISON = 0.4
ALONE = 1 << 16  # fingerprints that one task may compare with each other
CELL = 1 << 20  # entries of a cell, about
MOST_CELL_BITS = 16
BLOCK = 1 << 13  # entries in a row: Arrow holds thousands of rows at once
ENTRIES_AT_ONCE = 1 << 17
ENTRIES_A_CELL = 64  # of those at once
PAIRS_AT_ONCE = 1 << 16
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: high bits depend on all below


class TableCells(NamedTuple):
    """How fingerprints are searched.

    Attributes:
        distance: d, at least 1.
        blocks: m, at least d.
        bits: Of the number of a cell.
    """

    distance: int
    blocks: int
    bits: int


def cells_for(sampled: UInt64Array, count: int, distance: int) -> TableCells:
    """The number of blocks that costs least, and of cells that tasks can hold.

    Args:
        sampled: Different ones of the fingerprints, drawn at random.
        count: How many fingerprints there are.
        distance: d, at least 1.
    """
    pairs = (count / max(len(sampled), 1)) ** 2  # of all for each of the sample
    best, cheapest = distance, np.inf
    if count <= ALONE:
        cheapest = NS_PER_ENTRY * count + NS_PER_COMPARISON * count * (count - 1) / 2
    for blocks in range(distance + 1, BITS + 1):
        tables = comb(blocks, distance) * NS_PER_ENTRY * count
        if tables >= cheapest:
            break
        plan = make_plan(sampled, distance, blocks)
        cost = tables + NS_PER_COMPARISON * plan.comparisons * pairs
        if cost < cheapest:
            best, cheapest = blocks, cost
    return TableCells(distance, best, min(MOST_CELL_BITS, (count // CELL).bit_length()))


def sample(fingerprints: DataFrame, count: int) -> UInt64Array:
    """About 131,072 of so many different fingerprints: those whose hash says so."""
    from pyspark.sql import functions as F

    if count > SAMPLED:
        drawn = F.pmod(F.xxhash64("fingerprint"), F.lit(count // SAMPLED)) == 0
        fingerprints = fingerprints.where(drawn)
    return int64s(fingerprints.select("fingerprint").toArrow().column(0)).view(np.uint64)


def near_fingerprints(fingerprints: DataFrame, cells: TableCells) -> DataFrame:
    """The pairs of fingerprints that differ in few bits, each once: `NEAR`.

    Args:
        fingerprints: fingerprint LONG, all different.
        cells: How they are searched.
    """
    blocks = mapped(fingerprints.select("fingerprint"), _Cut(cells), BLOCKS)
    return mapped(side_by_side(blocks, ["table", "cell"]), _Compare(cells), NEAR)


def fingerprint_blocks(batches: Iterator[pa.RecordBatch], at_once: int) -> Iterator[UInt64Array]:
    """The fingerprints of a partition, so many at once."""
    waiting: list[UInt64Array] = []
    count = 0
    for batch in batches:
        waiting.append(int64s(batch.column("fingerprint")).view(np.uint64))
        count += len(waiting[-1])
        if count >= at_once:
            yield np.concatenate(waiting)
            waiting, count = [], 0
    if count:
        yield np.concatenate(waiting)


@dataclass(frozen=True)
class _Cut:
    """Fingerprints to blocks of entries, for every table."""

    cells: TableCells

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        distance, blocks, bits = self.cells
        at_once = max(ENTRIES_AT_ONCE, ENTRIES_A_CELL << bits)
        for values in fingerprint_blocks(batches, at_once):
            entries = np.empty_like(values)
            for number, table in enumerate(make_tables(blocks, distance)):
                permute(values, table.moves, entries)
                cell = np.zeros(len(entries), dtype=np.uint16)
                if bits:
                    key = (entries & table.key) >> np.uint64(BITS - _width(table.key))
                    cell = (key * SPREAD >> np.uint64(BITS - bits)).astype(np.uint16)
                order = np.argsort(cell, kind="stable")
                yield _in_blocks(number, cell[order], entries[order])


def _width(key: np.uint64) -> int:
    return max(1, int(key).bit_count())


def _in_blocks(table: int, cell: AnyArray, entries: UInt64Array) -> pa.RecordBatch:
    """Entries ordered by cell as rows of at most `BLOCK` of them."""
    ends = np.append(np.flatnonzero(cell[1:] != cell[:-1]) + 1, len(cell))
    parts = [range(start, end, BLOCK) for start, end in pairwise([0, *ends.tolist()])]
    starts = np.fromiter(chain.from_iterable(parts), dtype=np.int64)
    return pa.record_batch(
        {
            "table": pa.array(np.full(len(starts), table, dtype=np.int32)),
            "cell": pa.array(cell[starts].astype(np.int32)),
            "entries": packed(entries, np.diff(np.append(starts, len(cell)))),
        }
    )


@dataclass(frozen=True)
class _Compare:
    """Blocks of entries, cell by cell, to the pairs that meet there first."""

    cells: TableCells

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        found = np.empty((2, PAIRS_AT_ONCE), dtype=np.uint64)
        distance = self.cells.distance
        for rows in whole_runs(batches, ["table", "cell"], 1):
            numbers = int64s(rows.column("table"))
            cell = int64s(rows.column("cell"))
            fresh = (numbers[1:] != numbers[:-1]) | (cell[1:] != cell[:-1])
            ends = np.append(np.flatnonzero(fresh) + 1, len(cell))
            for start, end in pairwise([0, *ends.tolist()]):
                tables = make_tables(self.cells.blocks, distance)
                table = next(islice(tables, int(numbers[start]), None))
                entries, _ = unpacked(rows.column("entries")[start:end], "<u8")
                for both in near_entries(np.sort(entries), table, distance, found, never):
                    both.sort(axis=0)
                    one, other = both.view(np.int64)
                    yield pa.record_batch({"one": pa.array(one), "other": pa.array(other)})


FINGERPRINTS = "number LONG, reviewed BOOLEAN, digest BINARY, fingerprint LONG"


class BitCandidates(NamedTuple):
    """What a search by bits finds.

    Attributes:
        pairs: `columns.CANDIDATES`.
        crowds: size LONG, document LONG: how many documents have the same fingerprint where they
            are too many, and the one that leads them.
    """

    pairs: DataFrame
    crowds: DataFrame


def bit_candidates(stages: Stages, distinct: DataFrame, settings: ScanSettings) -> BitCandidates:
    """The pairs within `max_distance` bits, at least one of each to review.

    Args:
        stages: Keep the fingerprints of the run, and the pairs of them.
        distinct: `columns.SIGNED`, with complete signatures.
        settings: Of a scan by bits.
    """
    from pyspark.sql import functions as F

    rows = stages.table("_fingerprints", lambda: _with_leaders(distinct))
    is_leader = F.col("number") == F.col("leader")
    # Of a crowd only its leader meets others.
    meeting = rows.where(is_leader | (F.col("members") <= EQUAL_LIMIT))
    meeting = meeting.select("fingerprint", "number", "reviewed", "members")
    alike = meeting.where(F.col("members").between(2, EQUAL_LIMIT))
    pairs = _pairs(alike, alike.withColumnRenamed("fingerprint", "other"), "fingerprint = other")
    led = rows.where(~is_leader & (F.col("members") > EQUAL_LIMIT))
    found = [pairs.where("x < y"), _with_leader(led)]
    if settings.max_distance:
        near = stages.table("_near", lambda: _near(rows.where(is_leader), settings.max_distance))
        ones = near.join(meeting.withColumnRenamed("fingerprint", "one"), "one")
        found.append(_pairs(ones, meeting, "other = fingerprint"))
    every = found[0]
    for more in found[1:]:
        every = every.unionAll(more)
    crowds = rows.where(is_leader & (F.col("members") > EQUAL_LIMIT))
    return BitCandidates(
        every.select(F.least("x", "y").alias("x"), F.greatest("x", "y").alias("y")),
        crowds.selectExpr("members AS size", "leader AS document"),
    )


def fingerprint_of(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Rows with a signature of two halves to those with a fingerprint: `FINGERPRINTS`."""
    for batch in batches:
        values, _ = unpacked(batch.column("signature"), "<u8")
        kept = {name: batch.column(name) for name in ("number", "reviewed", "digest")}
        yield pa.record_batch({**kept, "fingerprint": pa.array(values.view(np.int64))})


def _with_leaders(distinct: DataFrame) -> DataFrame:
    """Each document with its fingerprint, who leads those that have the same, and their number."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    signed = distinct.select("number", "reviewed", "digest", "signature")
    same = Window.partitionBy("fingerprint")
    first = F.min(F.struct("digest", "number")).over(same)
    rows = mapped(signed, fingerprint_of, FINGERPRINTS).withColumn("first", first)
    rows = rows.withColumn("members", F.count(F.lit(1)).over(same))
    leads = F.col("first.number").alias("leader")
    led_by = F.max(F.when(F.col("number") == F.col("first.number"), F.col("reviewed"))).over(same)
    return rows.select(
        "fingerprint", "number", "reviewed", leads, "members", led_by.alias("leader_reviewed")
    )


def _near(leaders: DataFrame, distance: int) -> DataFrame:
    fingerprints = leaders.select("fingerprint")
    count = fingerprints.count()
    return near_fingerprints(fingerprints, cells_for(sample(fingerprints, count), count, distance))


def _pairs(ones: DataFrame, others: DataFrame, condition: str) -> DataFrame:
    """Both documents of pairs of fingerprints, where one is to review."""
    from pyspark.sql import functions as F

    left = ones.withColumnsRenamed({"number": "x", "reviewed": "x_reviewed"}).drop("members")
    right = others.withColumnsRenamed({"number": "y", "reviewed": "y_reviewed"}).drop("members")
    return left.join(right, F.expr(condition)).where("x_reviewed OR y_reviewed").select("x", "y")


def _with_leader(led: DataFrame) -> DataFrame:
    wanted = led.where("reviewed OR leader_reviewed")
    return wanted.selectExpr("number AS x", "leader AS y")
