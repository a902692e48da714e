"""The exact evidence of pairs, measured on request and remembered.

Shingles are made again from the texts of documents that occur in candidates, and kept for the next
request.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from core.base.arrays import (
    BoolArray,
    Float64Array,
    GrowingArray,
    Int64Array,
    IntegerArray,
    UInt16Array,
    UInt64Array,
    begins_run,
    equal_parts,
    joined_stretches,
    leave_memory,
)
from core.base.memory import require_memory
from core.base.messages import gettext
from core.base.tasks import ROOM, even_batches, results_of, worker_count
from core.base.wording import count
from core.evidence.overlap import Overlap, measure_overlap, resemblance_of, sizes_of
from core.evidence.pairs import PassageEvidence, pair_codes, split_codes
from core.evidence.reworked_store import ReworkedStore
from core.settings import ScanSettings
from core.text.characters import comparing_bytes, is_long, text_bytes
from core.text.shingling import (
    NO_SHINGLE,
    Fingerprints,
    Shingles,
    WordBeginnings,
    shingles_and_beginnings,
)
from core.text.store import TextStore
from core.text.tokenising import JoinedTexts
from core.text.word_counts import UnitWeights, usual_weight

SHINGLES_PER_TASK = 1 << 22  # tenths of a second
SHINGLES_PER_PAIR = 64  # the fixed cost of a pair
LIMIT = 1 << 29  # shingles: 4 GB, of which all but 16 MB in a temporary file


class ShingleCache:
    """The shingles, in reading order, of the documents that occur in candidates.

    Attributes:
        limit: The most shingles that are kept; a single pair may have more.
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
        """Which of the first documents are in the cache."""
        self._grow_documents(documents)
        return self._starts[:documents] >= 0

    def sizes(self, documents: int) -> Int64Array:
        """Number of shingles that count, by document; -1 if it is not known."""
        self._grow_documents(documents)
        return self._sizes[:documents]

    def restore_sizes(self, sizes: Int64Array) -> None:
        """Set the known sizes of the first documents."""
        self._grow_documents(len(sizes))
        self._sizes[: len(sizes)] = sizes

    def longest(self, x: Int64Array) -> int:
        """The most shingles that any of these documents has; repeated ones count."""
        return int((self._ends[x] - self._starts[x]).max(initial=0))

    def is_too_full_for(self, shingles: int) -> bool:
        """Whether so many more shingles would be over the limit."""
        return len(self._hashes) > 0 and len(self._hashes) + shingles > self.limit

    def clear(self) -> None:
        """Discard all shingles; sizes stay known."""
        self._hashes = GrowingArray(np.uint64)
        self._weights = GrowingArray(np.uint16)
        self._starts[:] = -1
        self._ends[:] = -1

    def add(self, numbers: Int64Array, shingles: Shingles, sizes: Int64Array) -> None:
        """Add the shingles of documents, and how many of each document's count."""
        self._grow_documents(int(numbers.max(initial=-1)) + 1)
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

    def spans(self, numbers: Int64Array) -> tuple[UInt64Array, Int64Array, Int64Array]:
        """All hashes, and the starts and ends of these documents, all of which are in the cache."""
        return self._hashes.rows, self._starts[numbers], self._ends[numbers]

    def gathered(self, numbers: Int64Array) -> Fingerprints:
        """The shingles that count of these documents, all of which are in the cache."""
        starts, ends = self._starts[numbers], self._ends[numbers]
        values = joined_stretches(self._hashes.rows, starts, ends)
        if self._has_gaps:
            counts = values != NO_SHINGLE
            before = np.concatenate([[0], np.cumsum(counts)])
            bounds = np.cumsum(ends - starts)
            return Fingerprints(values[counts], before[bounds] - before[bounds - (ends - starts)])
        return Fingerprints(values, ends - starts)

    def shingles(self, numbers: Int64Array) -> Shingles:
        """The shingles of these documents, all of which are in the cache, with their gaps."""
        starts, ends = self._starts[numbers], self._ends[numbers]
        hashes = joined_stretches(self._hashes.rows, starts, ends)
        return Shingles(
            hashes,
            np.concatenate([[0], np.cumsum(ends - starts)]),
            self._units[numbers],
            self._digests[numbers],
            self._weights_of(numbers),
            self._has_gaps and bool((hashes == NO_SHINGLE).any()),
        )

    def _weights_of(self, numbers: Int64Array) -> UInt16Array | None:
        """The weights of the units of documents; None if all have the usual ones."""
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

    def tasks(self, x: Int64Array, y: Int64Array) -> Iterator[slice]:
        """Cut pairs into slices of about equal work, preferably after the last pair of an x."""
        work = self._ends[y] - self._starts[y] + SHINGLES_PER_PAIR
        is_last = np.append(x[1:] != x[:-1], [True] * (len(x) > 0))
        work[is_last] += (self._ends[x] - self._starts[x])[is_last]
        return equal_parts(work, SHINGLES_PER_TASK)

    def measure(self, x: Int64Array, y: Int64Array) -> Overlap:
        """Measure pairs of documents, all of which are in the cache."""
        settings = self._settings
        weights = UnitWeights(
            settings.k,
            usual_weight(settings.unit),
            self._units,
            self._weights.rows,
            self._first_weights,
        )
        starts, ends = self._starts, self._ends
        overlap = measure_overlap(
            self._hashes.rows, starts, ends, x, y, bag=settings.bag, weights=weights
        )
        leave_memory(self._hashes.rows)
        return overlap

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


LONG_DOCUMENT = 1 << 20  # shingles
REMEMBERED_PAIRS = 1 << 24  # 16 bytes each; the evidence of more is measured again on request


class Evidence(NamedTuple):
    """Measurements of pairs of documents.

    Attributes:
        codes: uint64, ascending: pairs of documents x < y as x << 32 | y.
        overlap: For each pair the number of shared shingles and the longest shared run.
        sizes: int64, by document: number of shingles that count; -1 if it was not needed yet.
        reworked: Measurements of reworked passages, of these pairs and others.
    """

    codes: UInt64Array
    overlap: Overlap
    sizes: Int64Array
    reworked: PassageEvidence = PassageEvidence.none()

    @staticmethod
    def none(documents: int = 0) -> Evidence:
        """No measurements, for this many documents."""
        nothing = np.empty(0, dtype=np.int32)
        return Evidence(
            np.empty(0, dtype=np.uint64),
            Overlap(nothing, nothing, nothing),
            np.full(documents, -1, dtype=np.int64),
        )

    def renumbered(self, new_numbers: Int64Array, documents: int) -> Evidence:
        """The same for documents with new numbers.

        Args:
            new_numbers: The new number of every document, -1 for those that are gone.
            documents: The new number of documents.
        """
        x, y = split_codes(self.codes)
        x, y = new_numbers[x], new_numbers[y]
        kept = (x >= 0) & (y >= 0)
        codes = pair_codes(np.minimum(x, y)[kept], np.maximum(x, y)[kept])
        order = np.argsort(codes, kind="stable")
        sizes = np.full(documents, -1, dtype=np.int64)
        sizes[new_numbers[new_numbers >= 0]] = self.sizes[new_numbers >= 0]
        overlap = Overlap(*(column[kept][order] for column in self.overlap))
        return Evidence(codes[order], overlap, sizes, self.reworked.renumbered(new_numbers))

    def together(self, other: Evidence) -> Evidence:
        """Join the evidence of the same documents."""
        codes = np.concatenate([self.codes, other.codes])
        order = np.argsort(codes, kind="stable")
        order = order[begins_run(codes[order])]
        overlap = _joined([self.overlap, other.overlap], order)
        sizes = np.maximum(self.sizes, other.sizes)
        return Evidence(codes[order], overlap, sizes, self.reworked.together(other.reworked))


def _joined(parts: Sequence[Overlap], order: Int64Array) -> Overlap:
    return Overlap(*(np.concatenate(columns)[order] for columns in zip(*parts, strict=True)))


class EvidenceStore:
    """Measures the pairs of a growing collection of texts.

    Attributes:
        reworked: Measures their reworked passages.
    """

    def __init__(self, settings: ScanSettings, texts: TextStore, pool: ThreadPoolExecutor) -> None:
        self._settings = settings
        self._texts = texts
        self._pool = pool
        self._shingles = ShingleCache(settings)
        self.reworked = ReworkedStore(settings, texts, pool)
        self._known = Evidence.none()
        self._fresh: list[tuple[UInt64Array, Overlap]] = []
        self._fresh_pairs = 0
        self._resemblance: Float64Array | None = None

    def __len__(self) -> int:
        """The number of remembered pairs; pairs measured by two threads at once count twice."""
        return len(self._known.codes) + self._fresh_pairs

    def restore(self, known: Evidence) -> None:
        """Restore earlier measurements; must be called before anything is measured."""
        self._known = known
        self.reworked.known = known.reworked
        self._shingles.restore_sizes(known.sizes)

    def state(self) -> Evidence:
        """All measurements, to be stored."""
        self.settle()
        return self._known._replace(sizes=self.sizes().copy(), reworked=self.reworked.known)

    def take(self, first: int, shingles: Shingles) -> None:
        """Keep the shingles that were made to sign texts, whose numbers start at `first`."""
        numbers = np.arange(first, first + len(shingles.units))
        self._shingles.add(numbers, shingles, sizes_of(shingles, bag=self._settings.bag))

    def forget_shingles(self) -> None:
        """Discard all shingles; they are made again when they are needed."""
        self._shingles.clear()

    def measured(self, x: IntegerArray, y: IntegerArray) -> Overlap:
        """What these pairs (x <= y) share; up to 16 million are remembered (see `settle`).

        Raises:
            StorageError: There is no room for the shingles.
        """
        codes = pair_codes(x, y)
        index = np.searchsorted(self._known.codes, codes)
        index[index == len(self._known.codes)] = 0
        known = np.zeros(len(codes), dtype=np.bool_)
        if len(self._known.codes):
            known = self._known.codes[index] == codes
        overlap = Overlap(*(np.empty(len(codes), dtype=np.int32) for _ in Overlap._fields))
        for column, stored in zip(overlap, self._known.overlap, strict=True):
            column[known] = stored[index[known]]
        if not known.all():
            fresh = self._measure(x[~known].astype(np.int64), y[~known].astype(np.int64))
            for column, measured in zip(overlap, fresh, strict=True):
                column[~known] = measured
            if len(self) <= REMEMBERED_PAIRS:
                self._fresh.append((codes[~known], fresh))
                self._fresh_pairs += len(fresh.shared)
        return overlap

    def shingles(self, documents: Int64Array) -> Fingerprints:
        """The shingles of documents in this order; their sizes are known afterwards.

        Raises:
            StorageError: There is no room for them.
        """
        self._shingle_documents(documents, documents)
        return self._shingles.gathered(documents)

    def shingle_ranges(self, documents: Int64Array) -> tuple[UInt64Array, Int64Array, Int64Array]:
        """The cached hashes, gaps too, and each document's start and end among them.

        Raises as `shingles`.
        """
        self._shingle_documents(documents, documents)
        return self._shingles.spans(documents)

    def kept_shingles(self, documents: Int64Array) -> Shingles | None:
        """The shingles of documents with their gaps, if all of them are kept, else None."""
        if not self._shingles.holds(len(self._texts))[documents].all():
            return None
        return self._shingles.shingles(documents)

    @property
    def forgets(self) -> bool:
        """Whether there were more pairs than are remembered."""
        return len(self) > REMEMBERED_PAIRS

    def reaching(self, min_resemblance: float) -> tuple[UInt64Array, Float64Array]:
        """The measured pairs from a resemblance on: their codes, ascending, and resemblances."""
        self.settle()
        if self._resemblance is None:
            x, y = split_codes(self._known.codes)
            self._resemblance = resemblance_of(self._known.overlap.shared, self.sizes(), x, y)
        reach = self._resemblance >= min_resemblance
        return self._known.codes[reach], self._resemblance[reach]

    def settle(self) -> None:
        """Merge the evidence measured since the last call with the known evidence."""
        if not self._fresh:
            return
        codes = np.concatenate([self._known.codes, *(codes for codes, _ in self._fresh)])
        parts = [self._known.overlap, *(evidence for _, evidence in self._fresh)]
        order = np.argsort(codes, kind="stable")
        codes = codes[order]
        first = begins_run(codes)
        order = order[first]
        overlap = _joined(parts, order)
        self._known = Evidence(codes[first], overlap, self._known.sizes)
        self._resemblance = None
        self._fresh = []
        self._fresh_pairs = 0

    def sizes(self) -> Int64Array:
        """Number of shingles that count, by document; only right where evidence was measured."""
        return self._shingles.sizes(len(self._texts))

    def _measure(self, x: Int64Array, y: Int64Array) -> Overlap:
        """Measure pairs, on all cores; neighbours with the same first document share its table.

        The longer document is first: reading a book again for each of its quotations is slow.
        """
        lengths = self._texts.lengths
        swapped = lengths[y] > lengths[x]
        x, y = np.where(swapped, y, x), np.where(swapped, x, y)
        order = np.lexsort((y, x))
        x, y = x[order], y[order]
        parts = []
        for block in self._blocks(x, y):
            self._shingle_documents(x[block], y[block])
            self._check_memory(x[block])
            tasks = (
                self._pool.submit(self._measure_part, x[block][part], y[block][part])
                for part in self._shingles.tasks(x[block], y[block])
            )
            parts += list(results_of(tasks))
        back = np.argsort(order)
        return _joined(parts, back)

    def _measure_part(self, x: Int64Array, y: Int64Array) -> Overlap:
        """Measure pairs, when there is memory for the tables of long documents."""
        longest = self._shingles.longest(x)
        with ROOM.claim(comparing_bytes(longest) if longest > LONG_DOCUMENT else 0):
            return self._shingles.measure(x, y)

    def _check_memory(self, x: Int64Array) -> None:
        """Raise if a document is too long to be compared in the free memory."""
        longest = self._shingles.longest(x)
        if longest > LONG_DOCUMENT:
            require_memory(
                comparing_bytes(longest),
                gettext("Comparing a document with {shingles} shingles", shingles=count(longest)),
                gettext("Close other programs, or leave the longest documents out."),
            )

    def _blocks(self, x: Int64Array, y: Int64Array) -> list[slice]:
        """Cut sorted pairs so that the shingles of a part's documents fit in the cache.

        A text has fewer shingles than characters.
        """
        lengths = self._texts.lengths
        wanted = np.zeros(len(lengths), dtype=np.bool_)
        wanted[x] = wanted[y] = True
        if lengths[wanted].sum() <= self._shingles.limit:
            return [slice(0, len(x))]
        work = lengths[y]
        work[1:] += np.where(x[1:] != x[:-1], lengths[x[1:]], 0)
        return list(equal_parts(work, self._shingles.limit // 2))

    def _shingle_documents(self, x: Int64Array, y: Int64Array) -> None:
        wanted = np.zeros(len(self._texts), dtype=np.bool_)
        wanted[x] = True
        wanted[y] = True
        missing = np.flatnonzero(wanted & ~self._shingles.holds(len(self._texts)))
        if self._shingles.is_too_full_for(int(self._texts.lengths[missing].sum())):
            self._shingles.clear()
            missing = np.flatnonzero(wanted)
        parts = [missing[part] for part in even_batches(self._texts.lengths[missing].tolist())]
        tasks = (self._pool.submit(self._shingle, numbers) for numbers in parts)
        ahead = 2 * worker_count() + 1  # results that wait are in memory, not in a file
        results = results_of(tasks, ahead)
        for numbers, (shingles, sizes, words) in zip(parts, results, strict=True):
            self._shingles.add(numbers, shingles, sizes)
            if words is not None:
                self.reworked.keep(numbers, words)
            del shingles, words  # free them while waiting for the next ones

    def _shingle(self, numbers: Int64Array) -> tuple[Shingles, Int64Array, WordBeginnings | None]:
        """The shingles of documents, how many of each count, and words for `reworked`."""
        texts = self._texts.texts_at(numbers)
        long = sum(text_bytes(text) for text in texts if is_long(text))
        with ROOM.claim(long):
            set_aside = self._texts.set_aside_in(numbers)
            joined = JoinedTexts.of(texts)
            shingles, words = shingles_and_beginnings(joined, self._settings, set_aside=set_aside)
            return shingles, sizes_of(shingles, bag=self._settings.bag), words
