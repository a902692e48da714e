"""The skip-grams that several documents hold, found in one range of hashes after the other.

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
from itertools import pairwise

import numpy as np
import pyarrow as pa

from core.base.arrays import BoolArray
from core.signatures.skip_grams import LAST_PLACE, PLACE_BITS
from core.spark.columns import bools, int64s, packed, unpacked
from core.spark.shared_grams import REVIEWED, Grams, SharedGrams, changes, starts_of

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
