"""From skip-grams that several documents hold to the pairs in which enough of them agree.

Where a skip-gram agrees in two documents goes to where all of these two come together: 24 bytes for
each agreement, and of those there are about as many as skip-grams at most, whatever is common. The
work is cut into units of as many agreements before: a skip-gram in very many documents is the work
of many tasks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from core.base.arrays import AnyArray, BoolArray, Int64Array, UInt32Array, UInt64Array
from core.candidates.references import pairs_of
from core.candidates.reworked import weigh
from core.candidates.skip_gram_index import NEEDED_WEIGHT, NO_CANDIDATE, OCCURRENCES, count_halvings
from core.signatures.skip_grams import LAST_PLACE
from core.spark.columns import packed, unpacked
from core.spark.partitions import whole_runs

# `holders` are documents that hold a hash of too many pairs; the other columns are `SharedGrams`.
SHARED = (
    "hashes BINARY, documents BINARY, reviewed BINARY, occurrences BINARY, numbers BINARY, "
    "marks BINARY, holders BINARY"
)
REVIEWED = np.uint32(31)  # the bit of a mark; the place is below
OCCURRENCES_A_ROW = 1 << 16
MOST = 1 << 31  # documents of which pairs are counted: so the number fits


def pairs_within(documents: Int64Array, reviewed: Int64Array) -> Int64Array:
    """How many pairs so many documents make, of which so many are to review."""
    return pairs_of(np.minimum(reviewed, MOST), np.minimum(documents, MOST))


def starts_of(counts: Int64Array) -> Int64Array:
    """Where runs of such lengths begin."""
    return np.asarray(np.cumsum(counts) - counts, dtype=np.int64)


def changes(values: AnyArray) -> BoolArray:
    """Where other values begin in sorted ones."""
    begins = np.ones(len(values), dtype=np.bool_)
    begins[1:] = values[1:] != values[:-1]
    return begins


class Grams(NamedTuple):
    """Some skip-grams: hashes uint64, numbers of documents int64, marks uint32 (see below)."""

    hashes: UInt64Array
    numbers: Int64Array
    marks: UInt32Array

    @staticmethod
    def join(parts: list[Grams]) -> Grams:
        """One after the other; at least one."""
        return Grams(
            np.concatenate([part.hashes for part in parts]),
            np.concatenate([part.numbers for part in parts]),
            np.concatenate([part.marks for part in parts]),
        )

    def take(self, rows: AnyArray) -> Grams:
        """Those where a mask is true, or in these rows."""
        return Grams(self.hashes[rows], self.numbers[rows], self.marks[rows])


class SharedGrams(NamedTuple):
    """Hashes, how many documents hold each, and where.

    Attributes:
        hashes: uint64 (h), ascending.
        documents: int64 (h), how many hold each.
        reviewed: int64 (h), how many of these are to review.
        occurrences: int64 (h), how many of the following are of each: of one whose pairs are too
            many for certain the first alone.
        numbers: int64 (n), the documents of each hash, ascending, once for each occurrence.
        marks: uint32 (n), the place of each occurrence, and in the bit `REVIEWED` whether its
            document is to review.
    """

    hashes: UInt64Array
    documents: Int64Array
    reviewed: Int64Array
    occurrences: Int64Array
    numbers: Int64Array
    marks: UInt32Array

    @staticmethod
    def of(grams: Grams) -> SharedGrams:
        """Skip-grams by hash and document, of each document the first four with a hash.

        Those of a document and hash are given in reading order.
        """
        grams = grams.take(np.lexsort((grams.numbers, grams.hashes)))  # stable
        begins = changes(grams.hashes)
        is_document = begins | changes(grams.numbers)
        places = np.arange(len(begins))
        firsts = np.maximum.accumulate(np.where(is_document, places, 0))
        kept = places - firsts < OCCURRENCES
        grams, is_document = grams.take(kept), is_document[kept]
        starts = np.flatnonzero(begins[kept])
        reviewed = is_document & (grams.marks >> REVIEWED == 1)
        ends = np.append(starts, len(is_document))
        before = np.concatenate([[0], np.cumsum(is_document)]).astype(np.int64)[ends]
        among = np.concatenate([[0], np.cumsum(reviewed)]).astype(np.int64)[ends]
        own = grams.hashes[starts], np.diff(before), np.diff(among), np.diff(ends)
        return SharedGrams(*own, grams.numbers, grams.marks)

    @property
    def pairs(self) -> Int64Array:
        """How many pairs each hash makes."""
        return pairs_within(self.documents, self.reviewed)

    @property
    def places(self) -> Int64Array:
        """The place of each occurrence."""
        return (self.marks & np.uint32(LAST_PLACE)).astype(np.int64)

    @property
    def to_review(self) -> BoolArray:
        """Whether the document of each occurrence is to review."""
        return np.asarray(self.marks >> REVIEWED == 1)

    def take(self, hashes: BoolArray) -> SharedGrams:
        """Those of some hashes."""
        own = np.repeat(hashes, self.occurrences)
        counts = self.documents[hashes], self.reviewed[hashes], self.occurrences[hashes]
        return SharedGrams(self.hashes[hashes], *counts, self.numbers[own], self.marks[own])

    def rows(self) -> Iterator[pa.RecordBatch]:
        """Rows of `SHARED`, of some ten thousand occurrences or of one hash that has more."""
        starts = np.append(starts_of(self.occurrences), len(self.numbers))
        cuts = np.flatnonzero(changes(starts[:-1] // OCCURRENCES_A_ROW))
        for first, end in pairwise([*cuts.tolist(), len(self.hashes)]):
            own = slice(starts[first], starts[end])
            counts = (column[first:end] for column in self[1:4])
            yield _row([self.hashes[first:end], *counts, self.numbers[own], self.marks[own]])

    @staticmethod
    def row_of_holders(holders: Int64Array) -> pa.RecordBatch:
        """A row of `SHARED` with documents that hold a hash of too many pairs."""
        return _row([np.empty(0, dtype=np.int64)] * len(SharedGrams._fields), holders)

    @staticmethod
    def in_rows(batch: pa.RecordBatch) -> Iterator[SharedGrams]:
        """What `rows` made, row by row."""
        for number in range(batch.num_rows):
            row = batch.slice(number, 1)
            types = ("<u8", "<i8", "<i8", "<i8", "<i8", "<u4")
            columns = zip(SharedGrams._fields, types, strict=True)
            yield SharedGrams._make(unpacked(row.column(name), type_)[0] for name, type_ in columns)


def _row(columns: list[AnyArray], holders: AnyArray | None = None) -> pa.RecordBatch:
    own = [*columns, np.empty(0, dtype=np.int64) if holders is None else holders]
    names = (*SharedGrams._fields, "holders")
    return pa.record_batch(
        {
            name: packed(values, np.array([len(values)]))
            for name, values in zip(names, own, strict=True)
        }
    )


UNITS = "unit LONG, occurrences BINARY, worth BINARY, numbers BINARY, marks BINARY, begin LONG"
AGREEMENTS = "bucket INT, x BINARY, y BINARY, marks BINARY"
LASTING = "x LONG, y LONG, halvings INT"

AGREEMENTS_A_UNIT = 1 << 20
SENT_AT_ONCE = 1 << 21  # agreements
FACTORS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
PIECE_BITS = 23  # of the number of a unit, of those of the same first hash
# The bits of the mark of an agreement: the place in the later document, that in the earlier one,
# what the hash is worth, and whether this is the first of the hash in this pair.
EARLIER, WORTH, FIRST = 24, 48, 59
PLACE = np.int64((1 << 24) - 1)
# Of what a hash is worth: its weight, and above, how many halvings it lasts.
WEIGHT_BITS = 5
WEIGHT = (1 << WEIGHT_BITS) - 1


@dataclass(frozen=True)
class Units:
    """Skip-grams of `SHARED` to units of work, each of about as many agreements: `UNITS`.

    Attributes:
        limit: How many pairs a hash may make.
        documents: How many documents take part.
    """

    limit: int
    documents: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Read a partition."""
        for batch in batches:
            for shared in SharedGrams.in_rows(batch):
                own = shared.take(shared.pairs <= self.limit)
                if len(own.hashes):
                    yield from self._units(own)

    def _units(self, shared: SharedGrams) -> Iterator[pa.RecordBatch]:
        lasting = halvings_of(shared.pairs, self.limit)
        worth = weigh(shared.documents, self.documents).astype(np.int64) | lasting << WEIGHT_BITS
        before = _before(shared.occurrences, shared.numbers, shared.to_review)
        # Not within a document: where a hash agrees in a pair must stay together.
        filled = starts_of(before.agreements)[before.documents] // AGREEMENTS_A_UNIT
        cuts = [*np.flatnonzero(changes(filled)).tolist(), len(filled)]
        starts = starts_of(shared.occurrences)
        for piece, (start, end) in enumerate(pairwise(cuts)):
            first, behind = np.searchsorted(starts, (start, end - 1), side="right") - (1, 0)
            begin = int(starts[first])
            ends = np.append(starts[first + 1 : behind], end)
            columns = {
                "occurrences": ends - starts[first:behind],
                "worth": worth[first:behind],
                "numbers": shared.numbers[begin:end],
                "marks": shared.marks[begin:end],
            }
            unit = (int(shared.hashes[first]) << PIECE_BITS) | (piece % (1 << PIECE_BITS))
            yield pa.record_batch(
                {
                    "unit": pa.array([unit]),
                    **{name: packed(own, np.array([len(own)])) for name, own in columns.items()},
                    "begin": pa.array([start - begin]),
                }
            )


def halvings_of(pairs: Int64Array, limit: int) -> Int64Array:
    """How often the limit may be halved, to 1 at least, and these numbers are not above it."""
    limits = np.array([limit >> times for times in range(max(1, limit.bit_length()))][::-1])
    return len(limits) - 1 - np.searchsorted(limits, pairs)


class _Before(NamedTuple):
    """What comes before each occurrence of some hashes, in other documents of the same hash.

    Attributes:
        runs: int64 (n), where its hash begins.
        documents: int64 (n), where its document begins, of this hash.
        reviewed: int64 (n + 1), how many occurrences in documents to review come before, of all.
        agreements: int64 (n), with how many it agrees: two references are no pair.
    """

    runs: Int64Array
    documents: Int64Array
    reviewed: Int64Array
    agreements: Int64Array


def _before(occurrences: Int64Array, numbers: Int64Array, to_review: BoolArray) -> _Before:
    starts = starts_of(occurrences)
    begins = changes(numbers)
    begins[starts] = True
    runs = np.repeat(starts, occurrences)
    documents = np.maximum.accumulate(np.where(begins, np.arange(len(numbers)), 0))
    reviewed = np.concatenate([[0], np.cumsum(to_review)]).astype(np.int64)
    among_reviewed = reviewed[documents] - reviewed[runs]
    return _Before(runs, documents, reviewed, np.where(to_review, documents - runs, among_reviewed))


class _Agreements(NamedTuple):
    """Where skip-grams agree: the documents, and marks (see `EARLIER`), int64 (n) each."""

    x: Int64Array
    y: Int64Array
    marks: Int64Array

    @property
    def mixed(self) -> UInt64Array:
        """A hash of each pair."""
        return (self.x.astype(np.uint64) * FACTORS[0] + self.y.astype(np.uint64)) * FACTORS[1]

    @property
    def worth(self) -> Int64Array:
        """What the hash of each is worth."""
        return self.marks >> WORTH & ((1 << FIRST - WORTH) - 1)

    @property
    def is_first(self) -> BoolArray:
        """Which are the first of their hash in their pair."""
        return np.asarray(self.marks >> FIRST & 1 == 1)

    def take(self, rows: BoolArray | Int64Array) -> _Agreements:
        """Those where a mask is true, or with these numbers in this order."""
        return _Agreements(self.x[rows], self.y[rows], self.marks[rows])

    def of_enough_weight(self) -> _Agreements:
        """Those of pairs that weigh enough together: all of these, and by chance some others.

        Sums of weights by a few bits of a hash are found much faster than by sorting.
        """
        bits = np.uint64(64 - (2 * len(self.x)).bit_length())
        slots = (self.mixed * FACTORS[0] >> bits).astype(np.int64)
        weights = np.where(self.is_first, self.worth & WEIGHT, 0)
        return self.take(np.bincount(slots, weights)[slots] >= NEEDED_WEIGHT)

    def by_pair(self) -> _Agreements:
        """Pair by pair; what belongs to one hash stays together."""
        return self.take(np.lexsort((self.y, self.x)))  # stable


@dataclass(frozen=True)
class Agree:
    """Units of `UNITS` to where skip-grams of two documents agree, by pair: `AGREEMENTS`.

    Attributes:
        buckets: Of pairs; at most 65,536.
    """

    buckets: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Read a partition."""
        waiting: list[_Agreements] = []
        size = 0
        for batch in batches:
            for row in range(batch.num_rows):
                waiting.append(_agreements_in(batch.slice(row, 1)))
                size += len(waiting[-1].x)
                if size >= SENT_AT_ONCE:
                    yield self._parted(waiting)
                    waiting, size = [], 0
        if waiting:
            yield self._parted(waiting)

    def _parted(self, parts: list[_Agreements]) -> pa.RecordBatch:
        all_of_them = _Agreements(*map(np.concatenate, zip(*parts, strict=True)))
        high = all_of_them.mixed >> np.uint64(32)
        buckets = (high * np.uint64(self.buckets) >> np.uint64(32)).astype(np.uint16)
        order = np.argsort(buckets, kind="stable")
        found = np.bincount(buckets, minlength=self.buckets)
        present = np.flatnonzero(found)
        columns = zip(_Agreements._fields, all_of_them, strict=True)
        return pa.record_batch(
            {
                "bucket": pa.array(present, pa.int32()),
                **{name: packed(own[order], found[present]) for name, own in columns},
            }
        )


def _agreements_in(unit: pa.RecordBatch) -> _Agreements:
    """Where the hashes of a unit agree; of each pair and hash, all side by side."""
    occurrences, worth, numbers = (
        unpacked(unit.column(name), "<i8")[0] for name in ("occurrences", "worth", "numbers")
    )
    marks: UInt32Array = unpacked(unit.column("marks"), "<u4")[0]
    begin, to_review = int(unit.column("begin")[0].as_py()), marks >> REVIEWED == 1
    before = _before(occurrences, numbers, to_review)
    own = np.arange(begin, len(numbers))
    with_all, with_reviewed = own[to_review[begin:]], own[~to_review[begin:]]
    one, other = _with_those(with_all, before.runs, before.documents)
    lows, highs = before.reviewed[before.runs], before.reviewed[before.documents]
    two, another = _with_those(with_reviewed, lows, highs)
    x = np.concatenate([other, np.flatnonzero(to_review)[another]])
    y = np.concatenate([one, two])
    is_first = before.documents == np.arange(len(numbers))
    places = marks.astype(np.int64) & PLACE
    found = places[y] | places[x] << EARLIER | np.repeat(worth, occurrences)[y] << WORTH
    found |= (is_first[x] & is_first[y]).astype(np.int64) << FIRST
    return _Agreements(numbers[x], numbers[y], found)


def _with_those(
    own: Int64Array, lows: Int64Array, highs: Int64Array
) -> tuple[Int64Array, Int64Array]:
    """Each of these with all from its low number to its high one."""
    counts = highs[own] - lows[own]
    inside = np.arange(int(counts.sum())) - np.repeat(starts_of(counts), counts)
    return np.repeat(own, counts), inside + np.repeat(lows[own], counts)


def lasting_pairs(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Agreements of `AGREEMENTS`, sorted by bucket, to the candidates among the pairs: `LASTING`.

    `halvings` says how often the limit may be halved until a pair is no candidate any more.
    """
    for table in whole_runs(batches, ["bucket"], 1):
        columns = (unpacked(table.column(name), "<i8")[0] for name in _Agreements._fields)
        own = _Agreements(*columns).of_enough_weight().by_pair()
        starts = np.flatnonzero(changes(own.x) | changes(own.y))
        places, earlier = own.marks & PLACE, own.marks >> EARLIER & PLACE
        worth = own.worth[own.is_first]
        halvings = count_halvings(
            np.append(starts, len(own.x)),
            np.stack([places, earlier, np.cumsum(own.is_first) - 1]),
            (worth & WEIGHT).astype(np.uint8),
            worth >> WEIGHT_BITS,
        )
        starts = starts[halvings != NO_CANDIDATE]
        yield pa.record_batch(
            {
                "x": pa.array(own.x[starts]),
                "y": pa.array(own.y[starts]),
                "halvings": pa.array(halvings[halvings != NO_CANDIDATE], pa.int32()),
            }
        )
