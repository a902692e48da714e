"""The pairs that may share a reworked passage, as `core.candidates.reworked` finds them.

    skip-grams of documents ─▶ by ranges of their hashes ─▶ where they agree, by pairs ─▶ candidates

Two shuffles: of 20 bytes for each skip-gram, and of 24 for each agreement, a few rows for each task
with many of them in each. 40 bits of a hash are compared (on one machine too, up to two thousand
million skip-grams), and four occurrences in a document count.

A range of hashes decides by itself which of its skip-grams are too common: those that make most
pairs make none, so that the rest make no more pairs than allowed. Where more pairs agree
than may be compared, those with the heaviest agreements stay. Both is reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from core.base.arrays import (
    AnyArray,
    Int64Array,
    UInt32Array,
    UInt64Array,
    begins_run,
    indices_from,
    starts_of_runs,
)
from core.candidates.references import pairs_of
from core.candidates.reworked import limit_within, most_compared, most_pairs, weigh
from core.candidates.skip_gram_index import NEEDED_WEIGHT, OCCURRENCES, find_enough
from core.scan.reworked import are_all_measured
from core.settings import ScanSettings
from core.signatures.signing import LAST_POSITION, POSITION_BITS
from core.spark.columns import Batches, bools, int64s, unpacked
from core.spark.file_system import Stages
from core.spark.partitions import (
    by_key,
    mapped,
    ranges_for,
    rows_by_key,
    side_by_side,
    tables_of,
    values_by_key,
)

FEWEST_PAIRS = 1 << 21  # that a range may make in any case
RANGED = "range INT, hashes BINARY, numbers BINARY, marks BINARY"
# Where skip-grams of two documents agree, by bucket of pairs; in rows of no bucket, how many
# documents hold the most common skip-gram that makes no pairs, the first of them, and the limit.
AGREEMENTS = (
    "bucket INT, x BINARY, y BINARY, marks BINARY, size LONG, document LONG, gram_limit LONG"
)
PAIRED = "x LONG, y LONG, left_out LONG"

HASH_BITS = np.uint64(64) - POSITION_BITS
REVIEWED = np.uint32(31)  # the bit of a mark; the position is in the bits below
GRAMS_A_ROW = 512
SPREAD_AT_ONCE = SETTLED_AT_ONCE = 1 << 22  # skip-grams
SENT_AT_ONCE = 1 << 21  # agreements
MOST = 1 << 31  # documents of which pairs are counted: so the number fits
# The bits of the mark of an agreement: the position in the later document, that in the earlier one,
# the weight of the hash, and whether this is the first of the hash in this pair.
EARLIER, WEIGHT, FIRST = 24, 48, 59
POSITION = np.int64((1 << 24) - 1)
FACTORS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)


class SkipGramCandidates(NamedTuple):
    """Pairs that may share a reworked passage.

    Attributes:
        pairs: `columns.CANDIDATES`.
        common: size LONG, document LONG: how many documents hold a skip-gram that is too common,
            and the first of them.
        limit: How many pairs one skip-gram could make.
        left_out: How many pairs were too many to be compared.
    """

    pairs: DataFrame
    common: DataFrame | None
    limit: int
    left_out: int


def skip_gram_candidates(
    stages: Stages, distinct: DataFrame, documents: DataFrame, settings: ScanSettings
) -> SkipGramCandidates:
    """The pairs of documents of which three skip-grams agree close together.

    Args:
        stages: Of the run.
        distinct: `columns.SIGNED`, of documents with the same words the first.
        documents: `columns.DOCUMENTS`.
        settings: They look for reworked passages.
    """
    among, characters = distinct.selectExpr("count(*)", "coalesce(sum(characters), 0)").collect()[0]
    if are_all_measured(settings.reworked, among, characters):
        return SkipGramCandidates(_all_pairs(distinct), None, FEWEST_PAIRS, 0)
    grams = documents.selectExpr("coalesce(sum(length(skip_grams)), 0) div 8").collect()[0][0]
    ranges = ranges_for(grams)
    agree = AgreementFinder(max(FEWEST_PAIRS, most_pairs(grams) // ranges), among, ranges)
    # A document has so many skip-grams on average, and a pair is compared by those of both.
    most = int(most_compared(grams) * among // max(2 * grams, 1) // ranges) + 1

    def agreements() -> DataFrame:
        signed = distinct.select("number", "reviewed", "skip_grams")
        ranged = mapped(signed, partial(spread, ranges), RANGED)
        return mapped(side_by_side(ranged, ["range"]), agree, AGREEMENTS)

    agreed = stages.table("_skip_grams", agreements)
    by_pair = agreed.where("bucket IS NOT NULL").select("bucket", "x", "y", "marks")
    work = partial(pairs_in_buckets, most)
    paired = stages.table(
        "_skip_gram_pairs", lambda: mapped(side_by_side(by_pair, ["bucket"]), work, PAIRED)
    )
    (row,) = paired.selectExpr("coalesce(sum(left_out), 0L)").collect()
    common = agreed.where("bucket IS NULL")
    (limit,) = common.selectExpr("coalesce(max(gram_limit), 0L)").collect()[0]
    frame = common.where("size > 0").groupBy("document").agg({"size": "max"})
    pairs = paired.where("x IS NOT NULL").select("x", "y")
    return SkipGramCandidates(
        pairs, frame.toDF("document", "size").select("size", "document"), limit, row[0]
    )


def _all_pairs(distinct: DataFrame) -> DataFrame:
    """All pairs of documents that are few enough: 16,384 at most, of one character each."""
    x = distinct.select(F.col("number").alias("x"), F.col("reviewed").alias("one"))
    y = distinct.select(F.col("number").alias("y"), F.col("reviewed").alias("other"))
    return x.join(F.broadcast(y), F.expr("x < y AND (one OR other)")).select("x", "y")


def spread(ranges: int, batches: Batches) -> Batches:
    """Documents to their skip-grams, by ranges of hashes: `RANGED`.

    Args:
        ranges: How many, at most 65,536.
        batches: Of a partition.
    """
    most = 8 * min(SPREAD_AT_ONCE, GRAMS_A_ROW * ranges)
    for table in tables_of(batches, "skip_grams", most):
        values, counts = unpacked(table.column("skip_grams"), "<u8")
        hashes = values >> POSITION_BITS
        marks = (values & LAST_POSITION).astype(np.uint32)
        marks |= np.repeat(bools(table.column("reviewed")), counts).astype(np.uint32) << REVIEWED
        keys = hashes * np.uint64(ranges) >> HASH_BITS
        numbers = np.repeat(int64s(table.column("number")), counts)
        columns = {"hashes": hashes, "numbers": numbers, "marks": marks}
        yield by_key("range", keys, ranges, columns)


class Grams(NamedTuple):
    """Skip-grams by hash and document, of each document the first four with a hash.

    Attributes:
        hashes: uint64 (n).
        numbers: int64 (n), the documents.
        marks: uint32 (n), the position of each, and in the bit `REVIEWED` whether its document is
            to review.
    """

    hashes: UInt64Array
    numbers: Int64Array
    marks: UInt32Array

    @staticmethod
    def join(parts: list[Grams]) -> Grams:
        """All parts joined, those of a document and hash in reading order."""
        empty = Grams(np.empty(0, np.uint64), np.empty(0, np.int64), np.empty(0, np.uint32))
        every = Grams(*map(np.concatenate, zip(empty, *parts, strict=True)))
        ordered = every.take(np.lexsort((every.numbers, every.hashes)))  # stable
        fresh = begins_run(ordered.hashes, ordered.numbers)
        indices = np.arange(len(fresh))
        return ordered.take(indices - np.maximum.accumulate(indices * fresh) < OCCURRENCES)

    def take(self, rows: AnyArray) -> Grams:
        """Those where a mask is true, or in these rows."""
        return Grams(self.hashes[rows], self.numbers[rows], self.marks[rows])

    def held(self) -> tuple[Int64Array, Int64Array, Int64Array]:
        """Where each hash begins, how many documents hold it, and how many of them to review."""
        begins = begins_run(self.hashes)
        starts = np.flatnonzero(begins)
        is_document = begins_run(self.hashes, self.numbers)
        to_review = is_document & (self.marks >> REVIEWED == 1)
        ends = np.append(starts, len(begins))
        documents, reviewed = (
            np.diff(np.append(0, np.cumsum(mask))[ends]) for mask in (is_document, to_review)
        )
        return starts, documents, reviewed

    def pairs(self) -> Int64Array:
        """How many pairs each hash makes, of which a document is to review."""
        _, documents, reviewed = self.held()
        return pairs_of(np.minimum(reviewed, MOST), np.minimum(documents, MOST))


class _Range:
    """The skip-grams of one range of hashes, of which those that are surely common are not kept.

    Attributes:
        parts: Those that were kept.
    """

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self.parts: list[Grams] = []
        self._waiting = self._settled = 0
        self._common: dict[int, tuple[int, int]] = {}  # how many documents hold each, and the first

    def add(self, grams: Grams) -> None:
        """Add skip-grams; all of one document and hash come together."""
        self.parts.append(grams)
        self._waiting += len(grams.hashes)
        if self._waiting > SETTLED_AT_ONCE + self._settled:
            self.parts = [self._without_common(self._budget)]
            self._waiting, self._settled = 0, len(self.parts[0].hashes)

    def finished(self) -> tuple[Grams, int]:
        """The skip-grams that make pairs, no more than allowed, and the limit for each."""
        self.parts = [self._without_common(self._budget)]
        pairs = np.sort(self.parts[0].pairs())
        limit = limit_within(pairs, np.cumsum(pairs), self._budget)
        return self._without_common(limit), limit

    def most_common(self) -> tuple[int, int]:
        """The number of documents of the most common skip-gram without pairs, and the first one."""
        return max(self._common.values(), key=lambda entry: (entry[0], -entry[1]), default=(0, 0))

    def _without_common(self, limit: int) -> Grams:
        """All but those that make more pairs than that, which are counted."""
        grams = Grams.join(self.parts)
        starts, documents, _ = grams.held()
        hashes = grams.hashes[starts]
        known = np.array(list(self._common), dtype=np.uint64)
        common = (grams.pairs() > limit) | np.isin(hashes, known)
        columns = (column[common].tolist() for column in (hashes, documents, grams.numbers[starts]))
        for key, count, first in zip(*columns, strict=True):
            before, earliest = self._common.get(key, (0, first))
            self._common[key] = before + count, min(first, earliest)
        return grams.take(np.repeat(~common, np.diff(np.append(starts, len(grams.hashes)))))


@dataclass(frozen=True)
class AgreementFinder:
    """Skip-grams of `RANGED`, sorted by range, to where two documents agree: `AGREEMENTS`.

    Attributes:
        budget: How many pairs those of a range may make together.
        documents: How many documents take part.
        buckets: Of pairs; at most 65,536.
    """

    budget: int
    documents: int
    buckets: int

    def __call__(self, batches: Batches) -> Batches:
        """Read a partition, in which the rows of a range are side by side."""
        types = {"hashes": "<u8", "numbers": "<i8", "marks": "<u4"}
        for _, rows in rows_by_key(batches, "range"):
            hash_range = _Range(self.budget)
            for row in rows:
                columns = (unpacked(row.column(name), dtype)[0] for name, dtype in types.items())
                hash_range.add(Grams(*columns))
            yield from self._agreements(hash_range)

    def _agreements(self, hash_range: _Range) -> Batches:
        grams, limit = hash_range.finished()
        size, document = hash_range.most_common()
        columns = {"size": [size], "document": [document], "gram_limit": [limit]}
        nothing = {"bucket": pa.nulls(1, pa.int32())} | dict.fromkeys(
            ("x", "y", "marks"), pa.nulls(1, pa.binary())
        )
        yield pa.record_batch({**nothing, **columns})
        starts, documents, _ = grams.held()
        sizes = np.diff(np.append(starts, len(grams.hashes)))
        weights = np.repeat(weigh(documents, self.documents).astype(np.int64), sizes)
        hashes = np.repeat(starts, sizes)  # where the hash of each begins
        is_first = begins_run(grams.hashes, grams.numbers)
        indices = np.arange(len(is_first))
        owners = np.maximum.accumulate(indices * is_first)  # where its document begins
        to_review = grams.marks >> REVIEWED == 1
        before = np.append(0, np.cumsum(to_review))
        # Each agrees with earlier ones of its hash in other documents: two references are no pair.
        counts = np.where(to_review, owners - hashes, before[owners] - before[hashes])
        # Not cut within a document: the agreements of a hash in a pair must stay together.
        filled = (np.cumsum(counts) - counts)[owners] // SENT_AT_ONCE
        for start, end in pairwise([*starts_of_runs(filled).tolist(), len(filled)]):
            part = indices[start:end]
            with_all, with_reviewed = part[to_review[start:end]], part[~to_review[start:end]]
            y, x = _with_those(with_all, hashes, owners)
            reviewed_y, reviewed_x = _with_those(with_reviewed, before[hashes], before[owners])
            x = np.concatenate([x, np.flatnonzero(to_review)[reviewed_x]])
            y = np.concatenate([y, reviewed_y])
            marks = (grams.marks & LAST_POSITION).astype(np.int64)
            marks = marks[y] | marks[x] << EARLIER | weights[y] << WEIGHT
            marks |= (is_first[x] & is_first[y]).astype(np.int64) << FIRST
            yield self._by_bucket(grams.numbers[x], grams.numbers[y], marks)

    def _by_bucket(self, x: Int64Array, y: Int64Array, marks: Int64Array) -> pa.RecordBatch:
        high = _mixed(x, y) >> np.uint64(32)
        buckets = high * np.uint64(self.buckets) >> np.uint64(32)
        rows = by_key("bucket", buckets, self.buckets, {"x": x, "y": y, "marks": marks})
        nothing = pa.nulls(rows.num_rows, pa.int64())
        columns = dict.fromkeys(("size", "document", "gram_limit"), nothing)
        return pa.record_batch(
            {**dict(zip(rows.schema.names, rows.columns, strict=True)), **columns}
        )


def _with_those(
    numbers: Int64Array, lows: Int64Array, highs: Int64Array
) -> tuple[Int64Array, Int64Array]:
    """Each of these with all from its low number to its high one."""
    counts = highs[numbers] - lows[numbers]
    return np.repeat(numbers, counts), indices_from(lows[numbers], counts)


def _mixed(x: Int64Array, y: Int64Array) -> UInt64Array:
    """A hash of each pair."""
    return (x.astype(np.uint64) * FACTORS[0] + y.astype(np.uint64)) * FACTORS[1]


def pairs_in_buckets(most: int, batches: Batches) -> Batches:
    """Agreements of `AGREEMENTS`, sorted by bucket, to the candidates among the pairs: `PAIRED`.

    Args:
        most: How many pairs of a bucket are compared: those whose skip-grams weigh most.
        batches: Of the partition.
    """
    for _, columns in values_by_key(batches, "bucket", ("x", "y", "marks")):
        x, y, weights = _enough(*(column.view(np.int64) for column in columns))
        order = np.argsort(-weights, kind="stable")[:most]
        left_out = len(x) - len(order)
        nothing = pa.nulls(len(order), pa.int64())
        yield pa.record_batch({"x": x[order], "y": y[order], "left_out": nothing})
        if left_out:
            yield pa.record_batch(
                {"x": nothing[:1], "y": nothing[:1], "left_out": pa.array([left_out])}
            )


def _enough(
    x: Int64Array, y: Int64Array, marks: Int64Array
) -> tuple[Int64Array, Int64Array, Int64Array]:
    """The pairs with enough agreeing skip-grams close together, and the sums of their weights."""
    weights = marks >> WEIGHT & ((1 << FIRST - WEIGHT) - 1)
    is_first = marks >> FIRST & 1 == 1
    # Sums of weights by a few bits of a hash are found much faster than by sorting.
    bits = np.uint64(64 - (2 * len(x)).bit_length())
    slots = (_mixed(x, y) * FACTORS[0] >> bits).astype(np.int64)
    rows = np.flatnonzero(np.bincount(slots, weights * is_first)[slots] >= NEEDED_WEIGHT)
    rows = rows[np.lexsort((y[rows], x[rows]))]  # stable: agreements of one hash stay together
    x, y, marks, weights, is_first = (column[rows] for column in (x, y, marks, weights, is_first))
    starts = starts_of_runs(x, y)
    positions = marks & POSITION, marks >> EARLIER & POSITION, np.cumsum(is_first) - 1
    bounds = np.append(starts, len(x))
    enough = find_enough(bounds, np.stack(positions), weights[is_first].astype(np.uint8))
    sums = np.diff(np.append(0, np.cumsum(weights * is_first))[bounds])
    return x[starts][enough], y[starts][enough], sums[enough]
