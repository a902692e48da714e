"""The shingles of the documents whose pairs are verified, kept for the next question."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt16Array
from core.base.growable_array import GrowingArray
from core.evidence.overlap import Overlap, measure_overlap
from core.settings import ScanSettings
from core.text.fingerprints import Fingerprints
from core.text.shingling import NO_SHINGLE, Shingles
from core.text.word_counts import UnitWeights, usual_weight

SHINGLES_PER_TASK = 1 << 22  # tenths of a second
SHINGLES_PER_PAIR = 64  # what a pair costs besides
LIMIT = 1 << 29  # shingles: 4 GB, of which all but 256 MB in a temporary file


class ShingleCache:
    """The shingles, in reading order, of the documents that occur in candidates.

    Attributes:
        limit: Shingles that are kept at most; a single pair may have more.
    """

    def __init__(self, settings: ScanSettings) -> None:
        self.limit = LIMIT
        self._settings = settings
        self._hashes = GrowingArray(np.uint64)
        self._starts = np.empty(0, dtype=np.int64)
        self._ends = np.empty(0, dtype=np.int64)
        self._sizes = np.empty(0, dtype=np.int64)
        self._units = np.empty(0, dtype=np.int64)
        self._digests = np.empty((0, 2), dtype=np.uint64)
        self._weights = GrowingArray(np.uint16)
        self._first_weights = np.empty(0, dtype=np.int64)
        self._has_gaps = False

    def holds(self, documents: int) -> BoolArray:
        """Which of the first documents are here."""
        self._grow_documents(documents)
        return self._starts[:documents] >= 0

    def sizes(self, documents: int) -> Int64Array:
        """Number of shingles that count, by document; -1 where it is not known."""
        self._grow_documents(documents)
        return self._sizes[:documents]

    def restore_sizes(self, sizes: Int64Array) -> None:
        """Take up the sizes that are known of the first documents."""
        self._grow_documents(len(sizes))
        self._sizes[: len(sizes)] = sizes

    def longest(self, x: Int64Array) -> int:
        """The most shingles that one of these documents has; repeated ones count."""
        return int((self._ends[x] - self._starts[x]).max(initial=0))

    def is_too_full_for(self, shingles: int) -> bool:
        """Whether so many more would be over the limit."""
        return len(self._hashes) > 0 and len(self._hashes) + shingles > self.limit

    def clear(self) -> None:
        """Let go of all shingles; sizes stay known."""
        self._hashes = GrowingArray(np.uint64)
        self._weights = GrowingArray(np.uint16)
        self._starts[:] = -1
        self._ends[:] = -1

    def add(self, numbers: Int64Array, shingles: Shingles, sizes: Int64Array) -> None:
        """Take in the shingles of some documents, and how many of each count."""
        used = len(self._hashes)
        self._hashes.append(shingles.hashes)
        self._has_gaps |= shingles.has_gaps
        self._starts[numbers] = used + shingles.offsets[:-1]
        self._ends[numbers] = used + shingles.offsets[1:]
        self._sizes[numbers] = sizes
        self._units[numbers] = shingles.units
        self._digests[numbers] = shingles.digests
        self._first_weights[numbers] = -1
        if shingles.weights is not None:
            ends = len(self._weights) + np.cumsum(shingles.units)
            self._weights.append(shingles.weights)
            self._first_weights[numbers] = ends - shingles.units

    def gathered(self, numbers: Int64Array) -> Fingerprints:
        """The shingles that count of documents that are all here, one after the other."""
        rows = self._hashes.rows
        starts, ends = self._starts[numbers], self._ends[numbers]
        parts = [rows[start:end] for start, end in zip(starts, ends, strict=True)]
        values = np.concatenate([np.empty(0, dtype=np.uint64), *parts])
        if self._has_gaps:
            counts = values != NO_SHINGLE
            before = np.concatenate([[0], np.cumsum(counts)])
            behind = np.cumsum(ends - starts)
            return Fingerprints(values[counts], before[behind] - before[behind - (ends - starts)])
        return Fingerprints(values, ends - starts)

    def shingles(self, numbers: Int64Array) -> Shingles:
        """The shingles of documents that are all here, with their gaps."""
        starts, ends = self._starts[numbers], self._ends[numbers]
        rows = self._hashes.rows
        parts = [rows[start:end] for start, end in zip(starts, ends, strict=True)]
        hashes = np.concatenate([np.empty(0, dtype=np.uint64), *parts])
        return Shingles(
            hashes,
            np.concatenate([[0], np.cumsum(ends - starts)]),
            self._units[numbers],
            self._digests[numbers],
            self._weights_of(numbers),
            self._has_gaps and bool((hashes == NO_SHINGLE).any()),
        )

    def _weights_of(self, numbers: Int64Array) -> UInt16Array | None:
        """The weights of the units of some documents; None where none has other than usual ones."""
        firsts, units = self._first_weights[numbers], self._units[numbers]
        if (firsts < 0).all():
            return None
        rows, usual = self._weights.rows, usual_weight(self._settings.unit)
        return np.concatenate(
            [
                np.full(count, usual, dtype=np.uint16) if first < 0 else rows[first : first + count]
                for first, count in zip(firsts.tolist(), units.tolist(), strict=True)
            ]
        )

    def tasks(self, y: Int64Array) -> Iterator[slice]:
        """Cut pairs with these second documents into slices of about equal work."""
        work = np.cumsum(self._ends[y] - self._starts[y] + SHINGLES_PER_PAIR)
        cuts = np.flatnonzero(np.diff(work // SHINGLES_PER_TASK)) + 1
        yield from map(slice, [0, *cuts.tolist()], [*cuts.tolist(), len(y)])

    def measure(self, x: Int64Array, y: Int64Array) -> Overlap:
        """Measure pairs of documents that are all here."""
        settings = self._settings
        weights = UnitWeights(
            settings.k,
            usual_weight(settings.unit),
            self._units,
            self._weights.rows,
            self._first_weights,
        )
        starts, ends = self._starts, self._ends
        return measure_overlap(
            self._hashes.rows, starts, ends, x, y, bag=settings.bag, weights=weights
        )

    def _grow_documents(self, documents: int) -> None:
        more = documents - len(self._starts)
        if more > 0:
            unknown = np.full(more, -1, dtype=np.int64)
            self._starts = np.concatenate([self._starts, unknown])
            self._ends = np.concatenate([self._ends, unknown])
            self._sizes = np.concatenate([self._sizes, unknown])
            self._units = np.concatenate([self._units, unknown])
            self._digests = np.concatenate([self._digests, np.zeros((more, 2), np.uint64)])
            self._first_weights = np.concatenate([self._first_weights, unknown])
