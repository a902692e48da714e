"""The shingles of the documents whose pairs are verified, kept for the next question."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from core.overlap import Overlap, measure_overlap

__all__ = ["ShingleCache"]

Int64Array = npt.NDArray[np.int64]
UInt64Array = npt.NDArray[np.uint64]

SHINGLES_PER_TASK = 1 << 22  # tenths of a second
SHINGLES_PER_PAIR = 64  # what a pair costs besides


class ShingleCache:
    """The shingles, in reading order, of the documents that occur in candidates."""

    def __init__(self, *, bag: bool) -> None:
        self._bag = bag
        self._hashes = np.empty(1 << 16, dtype=np.uint64)
        self._used = 0
        self._starts = np.empty(0, dtype=np.int64)
        self._ends = np.empty(0, dtype=np.int64)
        self._sizes = np.empty(0, dtype=np.int64)

    def holds(self, documents: int) -> npt.NDArray[np.bool_]:
        """Which of the first documents are here."""
        self._grow_documents(documents)
        return self._starts[:documents] >= 0

    def sizes(self, documents: int) -> Int64Array:
        """Number of shingles that count, by document; -1 where it is not known."""
        self._grow_documents(documents)
        return self._sizes[:documents]

    def add(
        self,
        numbers: Int64Array,
        hashes: UInt64Array,
        offsets: Int64Array,
        sizes: Int64Array,
    ) -> None:
        """Take in the shingles of some documents."""
        end = self._used + len(hashes)
        if end > len(self._hashes):
            grown = np.empty(max(end, 2 * len(self._hashes)), dtype=np.uint64)
            grown[: self._used] = self._hashes[: self._used]
            self._hashes = grown
        self._hashes[self._used : end] = hashes
        self._starts[numbers] = self._used + offsets[:-1]
        self._ends[numbers] = self._used + offsets[1:]
        self._sizes[numbers] = sizes
        self._used = end

    def tasks(self, y: Int64Array) -> Iterator[slice]:
        """Cut pairs with these second documents into slices of about equal work."""
        work = np.cumsum(self._ends[y] - self._starts[y] + SHINGLES_PER_PAIR)
        cuts = np.flatnonzero(np.diff(work // SHINGLES_PER_TASK)) + 1
        yield from map(slice, [0, *cuts.tolist()], [*cuts.tolist(), len(y)])

    def measure(self, x: Int64Array, y: Int64Array) -> Overlap:
        """Measure pairs of documents that are all here."""
        return measure_overlap(self._hashes, self._starts, self._ends, x, y, bag=self._bag)

    def _grow_documents(self, documents: int) -> None:
        more = documents - len(self._starts)
        if more > 0:
            unknown = np.full(more, -1, dtype=np.int64)
            self._starts = np.concatenate([self._starts, unknown])
            self._ends = np.concatenate([self._ends, unknown])
            self._sizes = np.concatenate([self._sizes, unknown])
