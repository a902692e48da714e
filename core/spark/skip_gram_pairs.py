"""The pairs that may share a reworked passage, as `core.candidates.reworked` finds them.

Skip-grams go to the ranges of their hashes, where they agree to the pairs of documents: two
shuffles, each of about as much as there are skip-grams, because all that make pairs may make no
more than that. Where there are too many candidates, the limit is halved on one machine, and all is
counted again. Here it is known of each candidate how many halvings it lasts.

The skip-grams that several documents hold, found in one range of hashes after the other.

As `core.candidates.skip_gram_index` finds them: 40 bits of the hash are compared (on one machine
too, up to two thousand million skip-grams), and four occurrences in a document count. What goes
from task to task are a few rows for each range, with many skip-grams in each: 20 bytes for one.

A hash in so many documents that its pairs alone are more than all may be is common for certain. Its
documents are written down as they come, so that a task never holds more than some millions of
skip-grams besides those of its range that may still make pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from core.base.arrays import BoolArray, Int64Array
from core.candidates.reworked import (
    FEWEST_PAIRS,
    CommonSkipGrams,
    limit_within,
    most_compared,
    most_pairs,
)
from core.scan.reworked import are_all_measured
from core.settings import ScanSettings
from core.signatures.skip_grams import LAST_PLACE, PLACE_BITS
from core.spark.columns import bools, int64s, packed, unpacked
from core.spark.file_system import Stages
from core.spark.partitions import mapped, side_by_side
from core.spark.skip_gram_units import (
    AGREEMENTS,
    LASTING,
    REVIEWED,
    SHARED,
    UNITS,
    Agree,
    Grams,
    SharedGrams,
    Units,
    changes,
    lasting_pairs,
    pairs_within,
    starts_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame

RANGED = "range INT, hashes BINARY, numbers BINARY, marks BINARY"
HASH_BITS = np.uint64(64) - PLACE_BITS
GRAMS_A_ROW = 512
SPREAD_AT_ONCE = 1 << 22  # skip-grams
SETTLED_AT_ONCE = 1 << 22


@dataclass(frozen=True)
class Spread:
    """Documents to their skip-grams, by ranges of hashes: `RANGED`.

    Attributes:
        ranges: How many, at most 65,536.
    """

    ranges: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Read number, reviewed and skip_grams of a partition."""
        waiting: list[pa.RecordBatch] = []
        size, most = 0, 8 * min(SPREAD_AT_ONCE, GRAMS_A_ROW * self.ranges)
        for batch in batches:
            waiting.append(batch)
            size += batch.column("skip_grams").nbytes
            if size >= most:
                yield self._parted(waiting)
                waiting, size = [], 0
        if waiting:
            yield self._parted(waiting)

    def _parted(self, batches: list[pa.RecordBatch]) -> pa.RecordBatch:
        table = pa.Table.from_batches(batches)
        values, counts = unpacked(table.column("skip_grams"), "<u8")
        hashes = values >> PLACE_BITS
        marks = (values & LAST_PLACE).astype(np.uint32)
        marks |= np.repeat(bools(table.column("reviewed")), counts).astype(np.uint32) << REVIEWED
        ranges = (hashes * np.uint64(self.ranges) >> HASH_BITS).astype(np.uint16)
        order = np.argsort(ranges, kind="stable")
        found = np.bincount(ranges, minlength=self.ranges)
        present = np.flatnonzero(found)
        sizes = found[present]
        return pa.record_batch(
            {
                "range": pa.array(present, pa.int32()),
                "hashes": packed(hashes[order], sizes),
                "numbers": packed(np.repeat(int64s(table.column("number")), counts)[order], sizes),
                "marks": packed(marks[order], sizes),
            }
        )


@dataclass(frozen=True)
class Shared:
    """Skip-grams of `RANGED`, sorted by range, to those that make pairs: `shared_grams.SHARED`.

    Attributes:
        budget: How many pairs all together may make.
    """

    budget: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Read a partition, in which the rows of a range are side by side."""
        own, last = _Range(self.budget), -1
        for number, grams in _by_range(batches):
            if number != last:
                yield from own.finished()
                own, last = _Range(self.budget), number
            yield from own.add(grams)
        yield from own.finished()


def _by_range(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[int, Grams]]:
    for batch in batches:
        ranges = int64s(batch.column("range"))
        for start, end in pairwise([*np.flatnonzero(changes(ranges)).tolist(), len(ranges)]):
            part = batch.slice(start, end - start)
            columns = (("hashes", "<u8"), ("numbers", "<i8"), ("marks", "<u4"))
            grams = Grams(*(unpacked(part.column(name), type_)[0] for name, type_ in columns))
            yield int(ranges[start]), grams


class _Range:
    """The skip-grams of one range of hashes."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._parts: list[Grams] = []
        self._waiting = 0
        self._settled = 0
        # Of hashes with too many pairs: documents, those to review, the first, and its mark.
        self._common: dict[int, tuple[int, int, int, int]] = {}

    def add(self, grams: Grams) -> Iterator[pa.RecordBatch]:
        """Take some more; what need not be kept goes out."""
        self._parts.append(grams)
        self._waiting += len(grams.hashes)
        if self._waiting > SETTLED_AT_ONCE + self._settled:
            shared, is_common = self._sorted()
            yield from self._told(shared.take(is_common))
            rest = shared.take(~is_common)
            hashes = np.repeat(rest.hashes, rest.occurrences)
            self._parts = [Grams(hashes, rest.numbers, rest.marks)]
            self._waiting, self._settled = 0, len(hashes)

    def finished(self) -> Iterator[pa.RecordBatch]:
        """All that is left."""
        if not self._parts:
            return
        shared, is_common = self._sorted()
        yield from self._told(shared.take(is_common))
        yield from shared.take(~is_common & (shared.pairs > 0)).rows()
        if self._common:
            hashes = np.array(sorted(self._common), dtype=np.uint64)
            told = np.array([self._common[one] for one in hashes.tolist()], dtype=np.int64)
            documents, reviewed, numbers, marks = told.T.copy()
            counts = documents, reviewed, np.ones_like(documents)
            yield from SharedGrams(hashes, *counts, numbers, marks.astype(np.uint32)).rows()

    def _sorted(self) -> tuple[SharedGrams, BoolArray]:
        """What is here by hash, and which hashes have too many pairs."""
        shared = SharedGrams.of(Grams.join(self._parts))
        known = np.array(list(self._common), dtype=np.uint64)
        return shared, (shared.pairs > self._budget) | np.isin(shared.hashes, known)

    def _told(self, common: SharedGrams) -> Iterator[pa.RecordBatch]:
        """Note how many documents hold common hashes, and tell which."""
        if not len(common.hashes):
            return
        firsts = starts_of(common.occurrences)
        columns = common.documents, common.reviewed, common.numbers[firsts], common.marks[firsts]
        for hash_, *own in zip(common.hashes.tolist(), *(c.tolist() for c in columns), strict=True):
            documents, reviewed, number, mark = own
            if hash_ in self._common:
                more = self._common[hash_]
                documents, reviewed = documents + more[0], reviewed + more[1]
                number, mark = min((number, mark), more[2:])
            self._common[hash_] = (documents, reviewed, number, mark)
        holders = np.sort(common.numbers)
        yield SharedGrams.row_of_holders(holders[changes(holders)])


FEWEST_RANGES, MOST_RANGES = 64, 1 << 16
AT_ONCE = 1 << 20  # skip-grams of a range, agreements of a bucket
CLASSES = "documents LONG, reviewed LONG, hashes LONG, hash LONG, number LONG, word LONG"


class SkipGramCandidates(NamedTuple):
    """Pairs that may share a reworked passage.

    Attributes:
        pairs: `schemas.CANDIDATES`.
        common: The skip-grams that made no pairs; `document` is the number of one.
        limit: How many pairs one skip-gram could make.
    """

    pairs: DataFrame
    common: CommonSkipGrams
    limit: int


def skip_gram_candidates(
    stages: Stages, distinct: DataFrame, documents: DataFrame, settings: ScanSettings
) -> SkipGramCandidates:
    """The same candidates as `ReworkedPairs.candidates` has of these documents.

    Args:
        stages: Of the run.
        distinct: `schemas.SIGNED`, of documents with the same words the first.
        documents: `schemas.DOCUMENTS`.
        settings: They look for reworked passages.
    """
    among, characters = distinct.selectExpr("count(*)", "coalesce(sum(characters), 0)").collect()[0]
    if are_all_measured(settings.reworked, among, characters):
        return SkipGramCandidates(_all_pairs(distinct), CommonSkipGrams.none(), FEWEST_PAIRS)
    grams = documents.selectExpr("coalesce(sum(length(skip_grams)), 0) div 8").collect()[0][0]
    budget = most_pairs(grams)
    ranges = _parts(grams)
    shared = stages.table("_skip_grams", lambda: _shared(distinct, ranges, budget))
    classes = _Classes.of(shared)
    limit, agreements = classes.limit(budget)
    units = Units(limit, among)
    lasting = stages.table("_skip_gram_pairs", lambda: _lasting(shared, units, _parts(agreements)))
    halvings = _halvings(lasting, distinct, limit, most_compared(grams))
    pairs = lasting.where(f"halvings >= {halvings}").select("x", "y")
    common = _told(classes, shared, limit, halvings)
    return SkipGramCandidates(pairs, common, limit >> halvings)


def _parts(rows: int) -> int:
    return min(MOST_RANGES, max(FEWEST_RANGES, rows // AT_ONCE))


def _all_pairs(distinct: DataFrame) -> DataFrame:
    """All pairs of documents that are few enough: 16,384 at most, of one character each."""
    from pyspark.sql import functions as F

    x = distinct.select(F.col("number").alias("x"), F.col("reviewed").alias("one"))
    y = distinct.select(F.col("number").alias("y"), F.col("reviewed").alias("other"))
    return x.join(F.broadcast(y), F.expr("x < y AND (one OR other)")).select("x", "y")


def _shared(distinct: DataFrame, ranges: int, budget: int) -> DataFrame:
    """The skip-grams that several documents hold: `SHARED`."""
    signed = distinct.select("number", "reviewed", "skip_grams")
    spread = side_by_side(mapped(signed, Spread(ranges), RANGED), ["range"])
    return mapped(spread, Shared(budget), SHARED)


def _lasting(shared: DataFrame, units: Units, buckets: int) -> DataFrame:
    """The candidates, and how many halvings each lasts: `LASTING`."""
    work = mapped(shared, units, UNITS).repartition("unit")
    return mapped(
        side_by_side(mapped(work, Agree(buckets), AGREEMENTS), ["bucket"]), lasting_pairs, LASTING
    )


class _Classes(NamedTuple):
    """Hashes by how many documents hold them, one row for as many: at most some thousands.

    Attributes:
        documents: int64.
        hashes: int64, how many such there are.
        pairs: int64, how many each makes.
        firsts: int64 (n, 3), the smallest of these hashes, its first document, and its place there.
    """

    documents: Int64Array
    hashes: Int64Array
    pairs: Int64Array
    firsts: Int64Array

    @staticmethod
    def of(shared: DataFrame) -> _Classes:
        """Count those of `SHARED`."""
        from pyspark.sql import functions as F

        first = F.min(F.struct("hash", "number", "word")).alias("first")
        found = (
            mapped(shared, _classes, CLASSES)
            .groupBy("documents", "reviewed")
            .agg(F.sum("hashes").alias("hashes"), first)
            .select("documents", "reviewed", "hashes", "first.*")
            .toArrow()
        )
        columns = [column.to_numpy().astype(np.int64) for column in found.columns]
        documents, reviewed, hashes = columns[:3]
        return _Classes(
            documents, hashes, pairs_within(documents, reviewed), np.stack(columns[3:], axis=1)
        )

    def limit(self, budget: int) -> tuple[int, int]:
        """How many pairs a hash may make so that all fit, and how many all make then."""
        order = np.argsort(self.pairs)
        # One that is too many alone is as good as any other: so the sums fit in 64 bits.
        pairs = np.minimum(self.pairs[order], budget + 1)
        limit = limit_within(pairs, np.cumsum(pairs * self.hashes[order]), budget)
        fitting = self.pairs <= limit
        return limit, int((self.pairs * self.hashes)[fitting].sum())

    def most_common(self, limit: int) -> tuple[int, int, int, int] | None:
        """Of those that make more pairs the one in most documents: in how many, and its first."""
        above = np.flatnonzero(self.pairs > limit)
        if not len(above):
            return None
        documents = self.documents[above]
        most = above[documents == documents.max()]
        row = most[np.argmin(self.firsts[most, 0])]
        return int(self.documents[row]), *self.firsts[row].tolist()


def _classes(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Count the hashes of rows of `SHARED` by how many documents hold them."""
    for batch in batches:
        for shared in SharedGrams.in_rows(batch):
            order = np.lexsort((shared.reviewed, shared.documents))  # stable: the smallest first
            documents, reviewed = shared.documents[order], shared.reviewed[order]
            starts = np.flatnonzero(changes(documents) | changes(reviewed))
            own = order[starts]
            grams = starts_of(shared.occurrences)[own]
            yield pa.record_batch(
                {
                    "documents": pa.array(documents[starts]),
                    "reviewed": pa.array(reviewed[starts]),
                    "hashes": pa.array(np.diff(np.append(starts, len(order)))),
                    "hash": pa.array(shared.hashes[own].astype(np.int64)),
                    "number": pa.array(shared.numbers[grams]),
                    "word": pa.array(shared.places[grams]),
                }
            )


def _halvings(lasting: DataFrame, distinct: DataFrame, limit: int, most: int) -> int:
    """How often the limit is to be halved until no more skip-grams are compared than may be."""
    from pyspark.sql import functions as F

    sizes = distinct.selectExpr("number", "length(skip_grams) div 8 AS grams")
    found = (
        lasting.selectExpr("explode(array(x, y)) AS number", "halvings")
        .groupBy("number", "halvings")
        .count()
        .join(sizes, "number")
        .groupBy("halvings")
        .agg(F.sum(F.col("count") * F.col("grams")).alias("grams"))
        .collect()
    )
    compared = {row["halvings"]: row["grams"] for row in found}
    times = 0
    while limit >> times > 1 and sum(n for at, n in compared.items() if at >= times) > most:
        times += 1
    return times


def _told(classes: _Classes, shared: DataFrame, limit: int, halvings: int) -> CommonSkipGrams:
    """What is told of the hashes that made no pairs, at the limit that was halved so often."""
    at_each = (classes.most_common(limit >> times) for times in range(halvings + 1))
    first = next((found for found in at_each if found), None)
    if first is None:
        return CommonSkipGrams.none()
    most, _, document, word = first
    grams = int(classes.hashes[classes.pairs > limit >> halvings].sum())
    holders = mapped(shared, partial(_holders, limit >> halvings), "number LONG")
    return CommonSkipGrams(grams, holders.distinct().count(), most, document, word)


def _holders(limit: int, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The documents that hold a hash that makes more pairs."""
    for batch in batches:
        told = unpacked(batch.column("holders"), "<i8")[0]
        common = [
            shared.take(shared.pairs > limit).numbers for shared in SharedGrams.in_rows(batch)
        ]
        numbers = np.sort(np.concatenate([told, *common]))
        yield pa.record_batch({"number": pa.array(numbers[changes(numbers)])})
