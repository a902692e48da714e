"""Skip-grams that several documents hold, as arrays and as rows of a table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from core.base.arrays import AnyArray, BoolArray, Int64Array, UInt32Array, UInt64Array
from core.candidates.references import pairs_of
from core.candidates.skip_gram_index import OCCURRENCES
from core.signatures.skip_grams import LAST_PLACE
from core.spark.columns import packed, unpacked

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
