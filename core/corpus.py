"""The documents of a scan in memory: texts, signatures, copies, and the evidence of their pairs.

A corpus grows while documents are read and answers at any time which pairs it holds. Signatures
and verified pairs are kept, so that another choice of bands, rows or threshold reads nothing again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.minhash import SignatureMatrix, sign
from core.overlap import Overlap, count_distinct
from core.progress import Cancelled, never, results_of
from core.settings import ScanSettings
from core.shingle_cache import ShingleCache
from core.shingling import shingle
from core.winnowing import Fingerprints, SharedPassages, pair_by_fingerprints, winnow

__all__ = [
    "Corpus",
    "SignedTexts",
    "batches",
    "sign_texts",
    "worker_count",
]

Int64Array = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
UInt64Array = npt.NDArray[np.uint64]

BATCH_CHARACTERS = 1 << 20
BATCH_TEXTS = 2000
BACKGROUND_PAIRS = 2000
REMEMBERED_PAIRS = 1 << 24  # 16 bytes each; the evidence of more is measured again when asked for


class SignedTexts(NamedTuple):
    """What is kept of some texts: number of units, digest, signature and fingerprints of each."""

    units: Int64Array
    digests: UInt64Array
    signatures: SignatureMatrix
    fingerprints: Fingerprints

    def take(self, rows: npt.NDArray[np.bool_]) -> SignedTexts:
        """Those where the mask is true."""
        return SignedTexts(
            self.units[rows],
            self.digests[rows],
            self.signatures[rows],
            self.fingerprints.take(rows),
        )


def sign_texts(texts: Sequence[str], settings: ScanSettings) -> SignedTexts:
    """Shingle and sign some texts; pure, so that threads can share the work."""
    shingles = shingle(texts, settings)
    return SignedTexts(
        shingles.units, shingles.digests, sign(shingles, settings), winnow(shingles, settings)
    )


def batches(lengths: Sequence[int]) -> Iterator[slice]:
    """Cut a sequence into slices of about a million characters and at most 2,000 items."""
    start = total = 0
    for index, length in enumerate(lengths):
        full = total + length > BATCH_CHARACTERS or index - start >= BATCH_TEXTS
        if full and index > start:
            yield slice(start, index)
            start, total = index, 0
        total += length
    if start < len(lengths):
        yield slice(start, len(lengths))


class Corpus:
    """Texts under one choice of shingles and signatures.

    Attributes:
        settings: Decide shingles and signatures; bands, rows and threshold are given per question.
        texts: The texts, by document number.
    """

    def __init__(self, settings: ScanSettings, pool: ThreadPoolExecutor) -> None:
        self.settings = settings
        self.texts: list[str] = []
        self._pool = pool
        self._parts: list[SignedTexts] = []
        self._whole = SignedTexts(
            np.empty(0, dtype=np.int64),
            np.empty((0, 2), dtype=np.uint64),
            np.empty((0, settings.signature_size), dtype=np.uint32),
            Fingerprints.join([]),
        )
        self._background: FloatArray | None = None
        self._representatives: Int64Array | None = None
        self._shared: SharedPassages | None = None
        self._shingles = ShingleCache(bag=settings.bag)
        self._codes = np.empty(0, dtype=np.uint64)
        self._evidence = Overlap(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32))
        self._fresh: list[tuple[UInt64Array, Overlap]] = []
        self._fresh_pairs = 0

    def __len__(self) -> int:
        return len(self.texts)

    def add(self, texts: Sequence[str], signed: SignedTexts) -> None:
        """Append texts that were signed with the settings of this corpus."""
        self.texts.extend(texts)
        self._parts.append(signed)
        self._background = self._shared = self._representatives = None

    @property
    def signed(self) -> SignedTexts:
        """Units, digests and signatures of all texts."""
        if self._parts:
            parts = [self._whole, *self._parts]
            self._whole = SignedTexts(
                np.concatenate([part.units for part in parts]),
                np.concatenate([part.digests for part in parts]),
                np.concatenate([part.signatures for part in parts]),
                Fingerprints.join([part.fingerprints for part in parts]),
            )
            self._parts = []
        return self._whole

    def representatives(self) -> Int64Array:
        """For each document the first one with the same units in the same order."""
        if self._representatives is None:
            self._representatives = _first_of_equals(self.signed.digests)
        return self._representatives

    def shared_passages(self) -> SharedPassages:
        """The pairs of different documents that share a fingerprint."""
        if self._shared is None:
            own = np.arange(len(self), dtype=np.int64)
            self._shared = pair_by_fingerprints(
                self.signed.fingerprints, self.representatives() == own
            )
        return self._shared

    def distinct(self) -> Int64Array:
        """The documents with words, of identical ones the first."""
        own = np.arange(len(self), dtype=np.int64)
        return np.compress((self.representatives() == own) & (self.signed.units > 0), own)

    def background(self) -> FloatArray:
        """Exact resemblances of about 2,000 pairs of different documents, drawn at random."""
        if self._background is None:
            x, y = _random_pairs(self.distinct(), self.settings.seed)
            shared = self.evidence(x, y).shared.astype(np.float64)
            sizes = self.sizes()
            self._background = shared / (sizes[x] + sizes[y] - shared)
        return self._background

    def evidence(
        self,
        x: npt.NDArray[np.integer],
        y: npt.NDArray[np.integer],
        cancelled: Cancelled = never,
    ) -> Overlap:
        """What these pairs share; up to 16 million are remembered (see `settle`)."""
        codes = (x.astype(np.uint64) << np.uint64(32)) | y.astype(np.uint64)
        place = np.searchsorted(self._codes, codes)
        place[place == len(self._codes)] = 0
        known = self._codes[place] == codes if len(self._codes) else np.zeros(len(codes), np.bool_)
        shared, longest = (np.empty(len(codes), dtype=np.int32) for _ in Overlap._fields)
        shared[known] = self._evidence.shared[place[known]]
        longest[known] = self._evidence.longest[place[known]]
        if not known.all():
            fresh = self._measure(x[~known].astype(np.int64), y[~known].astype(np.int64), cancelled)
            shared[~known], longest[~known] = fresh
            if len(self._codes) + self._fresh_pairs <= REMEMBERED_PAIRS:
                self._fresh.append((codes[~known], fresh))
                self._fresh_pairs += len(fresh.shared)
        return Overlap(shared, longest)

    def settle(self) -> None:
        """Merge the evidence measured since the last time with what was known."""
        if not self._fresh:
            return
        codes = np.concatenate([self._codes, *(codes for codes, _ in self._fresh)])
        parts = [self._evidence, *(evidence for _, evidence in self._fresh)]
        order = np.argsort(codes, kind="stable")
        codes = codes[order]
        first = np.concatenate([[True], codes[1:] != codes[:-1]])
        order = order[first]
        self._codes = codes[first]
        self._evidence = Overlap(
            np.concatenate([part.shared for part in parts])[order],
            np.concatenate([part.longest for part in parts])[order],
        )
        self._fresh = []
        self._fresh_pairs = 0

    def sizes(self) -> Int64Array:
        """Number of shingles that count, by document; only right where evidence was asked for."""
        return self._shingles.sizes(len(self))

    def _measure(self, x: Int64Array, y: Int64Array, cancelled: Cancelled) -> Overlap:
        """Measure pairs, on all cores; neighbours with the same first document share its table."""
        self._shingle_documents(x, y, cancelled)
        order = np.lexsort((y, x))
        x, y = x[order], y[order]
        tasks = [
            self._pool.submit(self._shingles.measure, x[part], y[part])
            for part in self._shingles.tasks(y)
        ]
        parts = list(results_of(tasks, cancelled))
        back = np.argsort(order)
        return Overlap(
            np.concatenate([part.shared for part in parts])[back],
            np.concatenate([part.longest for part in parts])[back],
        )

    def _shingle_documents(self, x: Int64Array, y: Int64Array, cancelled: Cancelled) -> None:
        """Make sure that the shingles of these documents are at hand."""
        wanted = np.zeros(len(self), dtype=np.bool_)
        wanted[x] = True
        wanted[y] = True
        missing = np.flatnonzero(wanted & ~self._shingles.holds(len(self)))
        parts = [missing[part] for part in batches([len(self.texts[i]) for i in missing])]
        tasks = [self._pool.submit(self._shingle, numbers) for numbers in parts]
        for numbers, shingled in zip(parts, results_of(tasks, cancelled), strict=True):
            self._shingles.add(numbers, *shingled)

    def _shingle(self, numbers: Int64Array) -> tuple[UInt64Array, Int64Array, Int64Array]:
        """Shingles of some documents, their offsets, and how many of each document count."""
        shingles = shingle([self.texts[number] for number in numbers], self.settings)
        hashes, offsets = shingles.hashes, shingles.offsets
        if self.settings.bag:
            return hashes, offsets, np.diff(offsets)
        return hashes, offsets, count_distinct(hashes, offsets[:-1], offsets[1:])


def _first_of_equals(digests: UInt64Array) -> Int64Array:
    """For each row (n, 2) the number of the first row equal to it."""
    order = np.lexsort((digests[:, 1], digests[:, 0]))
    ordered = digests[order]
    fresh = np.ones(len(order), dtype=np.bool_)
    fresh[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    first = order[fresh]  # lexsort is stable: the smallest number comes first
    representative = np.empty(len(order), dtype=np.int64)
    representative[order] = first[np.cumsum(fresh) - 1]
    return representative


def _random_pairs(rows: Int64Array, seed: int) -> tuple[Int64Array, Int64Array]:
    """Pairs x < y of these documents: all where there are few, else a sample."""
    count = len(rows)
    if count * (count - 1) // 2 <= BACKGROUND_PAIRS:
        one, other = np.triu_indices(count, 1)
    else:
        rng = np.random.default_rng(seed)
        one = rng.integers(0, count, BACKGROUND_PAIRS)
        other = (one + rng.integers(1, count, BACKGROUND_PAIRS)) % count
    return rows[np.minimum(one, other)], rows[np.maximum(one, other)]


def worker_count() -> int:
    """Threads to use: one for each core that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # Linux only
    return len(allowed(0)) if allowed else os.cpu_count() or 1
