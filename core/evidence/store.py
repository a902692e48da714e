"""The exact evidence of pairs, measured when it is asked for and remembered.

Shingles are made again from the text, of the documents that occur in candidates only, and kept for
the next question.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from core.base.arrays import Float64Array, Int64Array, IntegerArray, UInt64Array
from core.base.memory import require_memory
from core.base.memory_claims import ROOM
from core.base.parallel import batches, results_of, worker_count
from core.base.progress import Cancelled, never
from core.evidence.numbers import resemblance_of, sizes_of
from core.evidence.overlap import Overlap
from core.evidence.pairs import pair_codes, split_codes
from core.evidence.reworked_evidence import ReworkedEvidence
from core.evidence.reworked_store import ReworkedStore
from core.evidence.shingle_cache import ShingleCache
from core.settings import ScanSettings
from core.text.fingerprints import Fingerprints
from core.text.memory_needed import comparing_bytes, text_bytes
from core.text.pieces import is_long
from core.text.shingling import Shingles, shingle
from core.text.store import TextStore

LONG_DOCUMENT = 1 << 20  # shingles
REMEMBERED_PAIRS = 1 << 24  # 16 bytes each; the evidence of more is measured again when asked for


class Evidence(NamedTuple):
    """What was measured of pairs of documents.

    Attributes:
        codes: uint64, ascending: pairs of documents x < y as x << 32 | y.
        overlap: For each pair the number of shared shingles and the longest shared run.
        sizes: int64, by document: number of shingles that count; -1 where it was not needed yet.
        reworked: What was measured of reworked passages, of these pairs and others.
    """

    codes: UInt64Array
    overlap: Overlap
    sizes: Int64Array
    reworked: ReworkedEvidence = ReworkedEvidence.none()

    @staticmethod
    def none(documents: int = 0) -> Evidence:
        """Nothing is known of this many documents."""
        nothing = np.empty(0, dtype=np.int32)
        return Evidence(
            np.empty(0, dtype=np.uint64),
            Overlap(nothing, nothing, nothing),
            np.full(documents, -1, dtype=np.int64),
        )

    def renumbered(self, places: Int64Array, documents: int) -> Evidence:
        """The same for documents that have other numbers now.

        Args:
            places: The new number of every document, -1 for those that are gone.
            documents: How many documents there are now.
        """
        x, y = split_codes(self.codes)
        x, y = places[x], places[y]
        kept = (x >= 0) & (y >= 0)
        codes = pair_codes(np.minimum(x, y)[kept], np.maximum(x, y)[kept])
        order = np.argsort(codes, kind="stable")
        sizes = np.full(documents, -1, dtype=np.int64)
        sizes[places[places >= 0]] = self.sizes[places >= 0]
        overlap = Overlap(*(column[kept][order] for column in self.overlap))
        return Evidence(codes[order], overlap, sizes, self.reworked.renumbered(places))

    def together(self, other: Evidence) -> Evidence:
        """What either knows of the same documents."""
        codes = np.concatenate([self.codes, other.codes])
        order = np.argsort(codes, kind="stable")
        fresh = np.ones(len(order), dtype=np.bool_)
        fresh[1:] = codes[order[1:]] != codes[order[:-1]]
        order = order[fresh]
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
        """How many measured pairs are remembered; those measured at the same time count twice."""
        return len(self._known.codes) + self._fresh_pairs

    def restore(self, known: Evidence) -> None:
        """Take up what was measured before; to be called before anything is measured."""
        self._known = known
        self.reworked.known = known.reworked
        self._shingles.restore_sizes(known.sizes)

    def state(self) -> Evidence:
        """Everything known, to be kept."""
        self.settle()
        return self._known._replace(sizes=self.sizes().copy(), reworked=self.reworked.known)

    def measured(
        self,
        x: IntegerArray,
        y: IntegerArray,
        cancelled: Cancelled = never,
    ) -> Overlap:
        """What these pairs (x <= y) share; up to 16 million are remembered (see `settle`).

        Raises:
            ScanCancelledError: `cancelled` said so.
            StorageError: There is no room for the shingles.
        """
        codes = pair_codes(x, y)
        place = np.searchsorted(self._known.codes, codes)
        place[place == len(self._known.codes)] = 0
        known = np.zeros(len(codes), dtype=np.bool_)
        if len(self._known.codes):
            known = self._known.codes[place] == codes
        overlap = Overlap(*(np.empty(len(codes), dtype=np.int32) for _ in Overlap._fields))
        for column, stored in zip(overlap, self._known.overlap, strict=True):
            column[known] = stored[place[known]]
        if not known.all():
            fresh = self._measure(x[~known].astype(np.int64), y[~known].astype(np.int64), cancelled)
            for column, measured in zip(overlap, fresh, strict=True):
                column[~known] = measured
            if len(self) <= REMEMBERED_PAIRS:
                self._fresh.append((codes[~known], fresh))
                self._fresh_pairs += len(fresh.shared)
        return overlap

    def shingles(self, documents: Int64Array, cancelled: Cancelled = never) -> Fingerprints:
        """The shingles of some documents in this order; their sizes are known afterwards.

        Raises:
            ScanCancelledError: `cancelled` said so.
            StorageError: There is no room for them.
        """
        self._shingle_documents(documents, documents, cancelled)
        return self._shingles.gathered(documents)

    def kept_shingles(self, documents: Int64Array) -> Shingles | None:
        """The shingles of some documents with their gaps, if all of them were made and kept."""
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
        """Merge the evidence measured since the last time with what was known."""
        if not self._fresh:
            return
        codes = np.concatenate([self._known.codes, *(codes for codes, _ in self._fresh)])
        parts = [self._known.overlap, *(evidence for _, evidence in self._fresh)]
        order = np.argsort(codes, kind="stable")
        codes = codes[order]
        first = np.concatenate([[True], codes[1:] != codes[:-1]])
        order = order[first]
        overlap = _joined(parts, order)
        self._known = Evidence(codes[first], overlap, self._known.sizes)
        self._resemblance = None
        self._fresh = []
        self._fresh_pairs = 0

    def sizes(self) -> Int64Array:
        """Number of shingles that count, by document; only right where evidence was asked for."""
        return self._shingles.sizes(len(self._texts))

    def _measure(self, x: Int64Array, y: Int64Array, cancelled: Cancelled) -> Overlap:
        """Measure pairs, on all cores; neighbours with the same first document share its table.

        The longer document comes first: reading a book again for each of its quotations takes long.
        """
        lengths = self._texts.lengths
        swapped = lengths[y] > lengths[x]
        x, y = np.where(swapped, y, x), np.where(swapped, x, y)
        order = np.lexsort((y, x))
        x, y = x[order], y[order]
        parts = []
        for block in self._blocks(x, y):
            self._shingle_documents(x[block], y[block], cancelled)
            self._check_memory(x[block])
            tasks = (
                self._pool.submit(self._measure_part, x[block][part], y[block][part], cancelled)
                for part in self._shingles.tasks(y[block])
            )
            parts += list(results_of(tasks, cancelled))
        back = np.argsort(order)
        return _joined(parts, back)

    def _measure_part(self, x: Int64Array, y: Int64Array, cancelled: Cancelled) -> Overlap:
        """Measure some pairs, when there is room for the tables of long documents."""
        longest = self._shingles.longest(x)
        with ROOM.claim(comparing_bytes(longest) if longest > LONG_DOCUMENT else 0, cancelled):
            return self._shingles.measure(x, y)

    def _check_memory(self, x: Int64Array) -> None:
        """Raise before a document is compared that is too long for the memory there is."""
        longest = self._shingles.longest(x)
        if longest > LONG_DOCUMENT:
            require_memory(
                comparing_bytes(longest),
                f"Comparing a document with {longest:,} shingles",
                "Close other programs, or leave the longest documents out.",
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
        filled = np.cumsum(work) // (self._shingles.limit // 2)
        cuts = [0, *(np.flatnonzero(np.diff(filled)) + 1).tolist(), len(x)]
        return [slice(start, end) for start, end in pairwise(cuts)]

    def _shingle_documents(self, x: Int64Array, y: Int64Array, cancelled: Cancelled) -> None:
        wanted = np.zeros(len(self._texts), dtype=np.bool_)
        wanted[x] = True
        wanted[y] = True
        missing = np.flatnonzero(wanted & ~self._shingles.holds(len(self._texts)))
        if self._shingles.is_too_full_for(int(self._texts.lengths[missing].sum())):
            self._shingles.clear()
            missing = np.flatnonzero(wanted)
        parts = [missing[part] for part in batches(self._texts.lengths[missing].tolist())]
        tasks = (self._pool.submit(self._shingle, numbers, cancelled) for numbers in parts)
        ahead = 2 * worker_count() + 1  # of many large documents, what waits is not in a file
        results = results_of(tasks, cancelled, ahead)
        for numbers, shingled in zip(parts, results, strict=True):
            self._shingles.add(numbers, *shingled)
            del shingled  # it is not kept while the next is waited for

    def _shingle(self, numbers: Int64Array, cancelled: Cancelled) -> tuple[Shingles, Int64Array]:
        """The shingles of some documents, and how many of each document count."""
        texts = [self._texts[number] for number in numbers]
        long = sum(text_bytes(text) for text in texts if is_long(text))
        with ROOM.claim(long, cancelled):
            aside = self._texts.set_aside_in(numbers)
            shingles = shingle(texts, self._settings, set_aside=aside)
            return shingles, sizes_of(shingles, bag=self._settings.bag)
