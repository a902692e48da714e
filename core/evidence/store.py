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
    DocumentRows,
    Float64Array,
    Int64Array,
    IntegerArray,
    UInt64Array,
    begins_run,
    equal_parts,
    leave_memory,
)
from core.base.memory import require_memory
from core.base.messages import gettext
from core.base.tasks import ROOM, even_batches, results_of, worker_count
from core.base.wording import count
from core.evidence.overlap import Overlap, measure_overlap, resemblance_of, sizes_of
from core.evidence.pairs import PassageEvidence, pair_codes, renumbered_codes, split_codes
from core.evidence.reworked_store import ReworkedStore, documents_in
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
from core.text.word_counts import UnitWeights, usual_weight, weights_of

SHINGLES_PER_TASK = 1 << 20  # hundredths of a second, so that no core is alone for long
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
        self._sizes = self._units = np.empty(0, dtype=np.int64)
        self._digests = np.empty((0, 2), dtype=np.uint64)
        self._has_gaps = False
        self.clear()

    def clear(self) -> None:
        """Discard all shingles; sizes stay known."""
        self._hashes, self._weights = DocumentRows(np.uint64), DocumentRows(np.uint16)

    def lacks(self, documents: Int64Array) -> BoolArray:
        """Which of these documents are not in the cache."""
        return self._hashes.lacks(documents)

    def sizes(self, documents: int) -> Int64Array:
        """Number of shingles that count, by document; -1 if it is not known."""
        self._make_room(documents)
        return self._sizes[:documents]

    def restore_sizes(self, sizes: Int64Array) -> None:
        """Set the known sizes of the first documents."""
        self._make_room(len(sizes))
        self._sizes[: len(sizes)] = sizes

    def longest(self, x: Int64Array) -> int:
        """The most shingles that any of these documents has; repeated ones count."""
        return int(self._hashes.counts(x).max(initial=0))

    def is_too_full_for(self, shingles: int) -> bool:
        """Whether so many more shingles would be over the limit."""
        return len(self._hashes) > 0 and len(self._hashes) + shingles > self.limit

    def add(self, numbers: Int64Array, shingles: Shingles, sizes: Int64Array) -> None:
        """Add the shingles of documents, and how many of each document's count."""
        self._make_room(int(numbers.max(initial=-1)) + 1)
        self._hashes.add(numbers, shingles.hashes, np.diff(shingles.offsets))
        self._has_gaps |= shingles.has_gaps
        self._sizes[numbers] = sizes
        self._units[numbers] = shingles.units
        self._digests[numbers] = shingles.digests
        self._weights.make_room(len(self._hashes.starts))
        if shingles.weights is not None:
            self._weights.add(numbers, shingles.weights, shingles.units)

    def spans(self, numbers: Int64Array) -> tuple[UInt64Array, Int64Array, Int64Array]:
        """All hashes, and the starts and ends of these documents, all of which are in the cache."""
        return self._hashes.rows, self._hashes.starts[numbers], self._hashes.ends[numbers]

    def gathered(self, numbers: Int64Array) -> Fingerprints:
        """The shingles that count of these documents, all of which are in the cache."""
        values, sizes = self._hashes.gathered(numbers), self._hashes.counts(numbers)
        if self._has_gaps:
            counts = values != NO_SHINGLE
            before = np.concatenate([[0], np.cumsum(counts)])
            bounds = np.cumsum(sizes)
            return Fingerprints(values[counts], before[bounds] - before[bounds - sizes])
        return Fingerprints(values, sizes)

    def shingles(self, numbers: Int64Array) -> Shingles:
        """The shingles of these documents, all of which are in the cache, with their gaps."""
        hashes, units = self._hashes.gathered(numbers), self._units[numbers]
        return Shingles(
            hashes,
            np.concatenate([[0], np.cumsum(self._hashes.counts(numbers))]),
            units,
            self._digests[numbers],
            weights_of(self._weights, numbers, units, self._settings.unit),
            self._has_gaps and bool((hashes == NO_SHINGLE).any()),
        )

    def tasks(self, x: Int64Array, y: Int64Array) -> Iterator[slice]:
        """Cut pairs into slices of about equal work, preferably after the last pair of an x."""
        work = self._hashes.counts(y) + SHINGLES_PER_PAIR
        is_last = np.append(x[1:] != x[:-1], [True] * (len(x) > 0))
        work[is_last] += self._hashes.counts(x)[is_last]
        return equal_parts(work, SHINGLES_PER_TASK)

    def measure(self, x: Int64Array, y: Int64Array) -> Overlap:
        """Measure pairs of documents, all of which are in the cache."""
        settings, hashes, weights = self._settings, self._hashes, self._weights
        usual = usual_weight(settings.unit)
        units = UnitWeights(settings.k, usual, self._units, weights.rows, weights.starts)
        bounds = hashes.starts, hashes.ends
        overlap = measure_overlap(hashes.rows, *bounds, x, y, bag=settings.bag, weights=units)
        leave_memory(hashes.rows)
        return overlap

    def _make_room(self, documents: int) -> None:
        more = documents - len(self._sizes)
        if more > 0:
            unknown = np.full(more, -1, dtype=np.int64)
            self._sizes = np.concatenate([self._sizes, unknown])
            self._units = np.concatenate([self._units, unknown])
            self._digests = np.concatenate([self._digests, np.zeros((more, 2), np.uint64)])


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
        codes, rows = renumbered_codes(self.codes, new_numbers)
        sizes = np.full(documents, -1, dtype=np.int64)
        sizes[new_numbers[new_numbers >= 0]] = self.sizes[new_numbers >= 0]
        reworked = self.reworked.renumbered(new_numbers)
        return Evidence(codes, self.overlap.take(rows), sizes, reworked)

    def together(self, other: Evidence) -> Evidence:
        """Join the evidence of the same documents."""
        codes = np.concatenate([self.codes, other.codes])
        order = np.argsort(codes, kind="stable")
        order = order[begins_run(codes[order])]
        overlap = _joined([self.overlap, other.overlap]).take(order)
        sizes = np.maximum(self.sizes, other.sizes)
        return Evidence(codes[order], overlap, sizes, self.reworked.together(other.reworked))


def _joined(parts: Sequence[Overlap]) -> Overlap:
    return Overlap(*map(np.concatenate, zip(*parts, strict=True)))


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
        self._known = known._replace(reworked=PassageEvidence.none())
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
        return None if self._shingles.lacks(documents).any() else self._shingles.shingles(documents)

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
        codes = np.concatenate([codes for codes, _ in self._fresh])
        overlap = _joined([overlap for _, overlap in self._fresh])
        self._known = self._known.together(Evidence(codes, overlap, self._known.sizes))
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
        return _joined(parts).take(np.argsort(order))

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
        if lengths[documents_in(len(lengths), x, y)].sum() <= self._shingles.limit:
            return [slice(0, len(x))]
        work = lengths[y]
        work[1:] += np.where(x[1:] != x[:-1], lengths[x[1:]], 0)
        return list(equal_parts(work, self._shingles.limit // 2))

    def _shingle_documents(self, x: Int64Array, y: Int64Array) -> None:
        lengths = self._texts.lengths
        requested = documents_in(len(lengths), x, y)
        missing = requested[self._shingles.lacks(requested)]
        if self._shingles.is_too_full_for(int(lengths[missing].sum())):
            self._shingles.clear()
            missing = requested
        parts = [missing[part] for part in even_batches(lengths[missing].tolist())]
        tasks = (self._pool.submit(self._shingle, numbers) for numbers in parts)
        # Results that wait are in memory, not in a file.
        results = results_of(tasks, 2 * worker_count() + 1)
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
