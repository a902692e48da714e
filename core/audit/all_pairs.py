"""What pairs of texts really share, measured without signatures, bands or fingerprints."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array, IntegerArray
from core.base.parallel import batches, results_of
from core.base.progress import Cancelled, Progress, ProgressReport, Stage, ignore, never
from core.candidates.references import count_pairs
from core.evidence.numbers import numbers_of, sizes_of
from core.evidence.overlap import measure_shingles
from core.settings import ScanSettings
from core.text.store import TextStore
from core.text.word_counts import are_passages

WORK_PER_TASK = 1 << 24  # look-ups: tenths of a second
LOOK_UPS_OF_A_PAIR = 100  # what a pair costs besides reading its partner


def count_shingles(
    texts: TextStore, settings: ScanSettings, pool: ThreadPoolExecutor, cancelled: Cancelled
) -> Int64Array:
    """Number of shingles of each text."""
    parts = batches(texts.lengths.tolist())
    tasks = (pool.submit(_lengths, texts, part, settings) for part in parts)
    nothing = np.empty(0, dtype=np.int64)
    return np.concatenate([nothing, *results_of(tasks, cancelled)])


def _lengths(texts: TextStore, part: slice, settings: ScanSettings) -> Int64Array:
    return np.diff(texts.shingles(part, settings).counting().offsets)


def look_ups(lengths: Int64Array) -> int:
    """How many shingles comparing all pairs of texts with so many shingles looks up."""
    return int(_work(np.sort(lengths[lengths > 0])[::-1]).sum())


def _work(lengths: Int64Array) -> Int64Array:
    """Look-ups for each text with all that follow it, the longest text first."""
    following = np.cumsum(lengths[::-1])[::-1] - lengths
    return following + LOOK_UPS_OF_A_PAIR * np.arange(len(lengths), dtype=np.int64)[::-1]


class ExactPairs(NamedTuple):
    """Pairs x < y: numbers of texts, exact resemblance, longest shared run in units and in words.

    All but the resemblance are int64.
    """

    x: Int64Array
    y: Int64Array
    resemblance: Float64Array
    longest_run: Int64Array
    run_words: Int64Array

    def take(self, rows: BoolArray | IntegerArray) -> ExactPairs:
        """Those with these indices, or where a mask is true."""
        return ExactPairs._make(column[rows] for column in self)

    def wanted(self, settings: ScanSettings) -> BoolArray:
        """Which of them a complete list holds; pairs that share nothing never belong to it."""
        enough = self.resemblance >= settings.min_resemblance
        if settings.list_passages:
            enough |= are_passages(self.run_words, settings)
        return enough & (self.longest_run > 0)


class Truth:
    """The shingles of some texts, to compare them pair by pair."""

    def __init__(
        self, texts: TextStore, settings: ScanSettings, to_review: BoolArray | None = None
    ) -> None:
        """`to_review` are the documents that are; the others are not compared with each other."""
        self._to_review = np.ones(len(texts), np.bool_) if to_review is None else to_review
        shingles = texts.shingles(slice(None), settings)
        self._settings = settings
        self._shingles = shingles
        self._units = shingles.units
        lengths = np.diff(shingles.offsets)
        self._sizes = sizes_of(shingles, bag=settings.bag)
        # The longer text of a pair gets the table; the shorter one is looked up in it.
        self._order = np.compress(self._units > 0, np.arange(len(texts), dtype=np.int64))
        self._order = self._order[np.argsort(-lengths[self._order], kind="stable")]
        self._work = _work(lengths[self._order])

    @property
    def texts(self) -> int:
        """Number of texts with anything to compare."""
        return len(self._order)

    @property
    def pairs(self) -> int:
        """Number of pairs of these that are compared."""
        return count_pairs(self._to_review, self._order)

    def measure(self, x: Int64Array, y: Int64Array) -> ExactPairs:
        """The exact numbers of some pairs, with x < y in the result."""
        overlap = measure_shingles(self._shingles, x, y, self._settings)
        numbers = numbers_of(overlap, self._sizes, self._units, x, y, self._settings.k)
        return ExactPairs(
            np.minimum(x, y),
            np.maximum(x, y),
            numbers.resemblance,
            numbers.longest_run.astype(np.int64),
            numbers.run_words.astype(np.int64),
        )

    def all_wanted(
        self, pool: ThreadPoolExecutor, progress: Progress = ignore, cancelled: Cancelled = never
    ) -> ExactPairs:
        """Compare all pairs; those that a complete list holds, ordered by x and y."""
        parts = list(self._parts())
        tasks = (pool.submit(self._wanted_of, part) for part in parts)
        nothing = np.empty(0, dtype=np.int64)
        found = [ExactPairs(nothing, nothing, nothing.astype(np.float64), nothing, nothing)]
        for done, pairs in enumerate(results_of(tasks, cancelled), 1):
            found.append(pairs)
            progress(ProgressReport(Stage.COMPARE, done, len(parts)))
        joined = ExactPairs(*(np.concatenate(columns) for columns in zip(*found, strict=True)))
        return joined.take(np.lexsort((joined.y, joined.x)))

    def _parts(self) -> Iterator[range]:
        """Ranks of the texts that are compared with all that follow, in slices of equal work."""
        cuts = np.flatnonzero(np.diff(np.cumsum(self._work) // WORK_PER_TASK)) + 1
        yield from map(range, [0, *cuts.tolist()], [*cuts.tolist(), len(self._order)])

    def _wanted_of(self, ranks: range) -> ExactPairs:
        own = np.arange(ranks.start, ranks.stop, dtype=np.int64)
        following = len(self._order) - 1 - own
        x = np.repeat(own, following)
        step = np.arange(len(x), dtype=np.int64) - np.repeat(
            np.cumsum(following) - following, following
        )
        one, other = self._order[x], self._order[x + 1 + step]
        compared = self._to_review[one] | self._to_review[other]
        pairs = self.measure(one[compared], other[compared])
        return pairs.take(pairs.wanted(self._settings))
