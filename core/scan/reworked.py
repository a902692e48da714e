"""The reworked passages of a corpus: which pairs have some, and what chance would give.

The words of a sample of documents tell what a shared word says, random pairs of the same documents
how much unrelated texts of this folder share. Candidates meet in their skip-grams, and each is
measured: those that say more than chance would are listed.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.base.arrays import AnyArray, Int64Array, IntegerArray, UInt64Array
from core.base.parallel import result_of
from core.base.progress import Cancelled, never
from core.candidates.reworked import ReworkedCandidates, pair_by_skip_grams
from core.evidence.chance_of_score import ChanceOfScore
from core.evidence.pairs import Pairs, split_codes
from core.evidence.reworked import ReworkedNumbers, measure_reworked
from core.evidence.reworked_store import ReworkedStore
from core.evidence.word_model import WordModel
from core.settings.scan_settings import Reworked
from core.text.word_beginnings import WordBeginnings

if TYPE_CHECKING:
    from core.scan.corpus import Corpus

__all__ = ["FolderWords", "ReworkedPairs", "with_reworked_numbers"]


SAMPLED_DOCUMENTS = 2000
SAMPLED_WORDS = 1 << 22  # of all documents
SAMPLED_OF_ONE = 20_000  # words of one document
RANDOM_PAIRS = 1000
RANDOM_WORDS = 1 << 24  # of the texts of all random pairs
MEASURED_WORDS = 1 << 30  # of the texts of all listed pairs: about a minute on two cores
NOT_MEASURED = -1


class FolderWords(NamedTuple):
    """What the words of a folder tell.

    Attributes:
        model: The information of words.
        chance: How often unrelated documents of the folder reach a score.
    """

    model: WordModel
    chance: ChanceOfScore


class ReworkedPairs:
    """The reworked passages of the documents of one corpus, each asked for once."""

    def __init__(self, corpus: Corpus, pool: ThreadPoolExecutor) -> None:
        self._corpus = corpus
        self._pool = pool
        self.store = ReworkedStore(corpus.settings, corpus.texts, pool)
        self._words: FolderWords | None = None
        self._candidates: ReworkedCandidates | None = None

    def use_words(self, words: FolderWords) -> None:
        """Take the words of another corpus of the same folder."""
        self._words = words

    def words(self, cancelled: Cancelled = never) -> FolderWords:
        """What the words of the documents tell.

        Raises:
            ScanCancelledError: `cancelled` said so.
        """
        if self._words is None:
            sample = self._sample(cancelled)
            work = self._pool.submit(_folder_words, sample, self._corpus.settings.seed)
            self._words = result_of(work, cancelled)
        return self._words

    def candidates(self, cancelled: Cancelled = never) -> ReworkedCandidates:
        """The pairs of different documents that may share a reworked passage.

        Raises:
            ScanCancelledError: `cancelled` said so.
        """
        if self._candidates is None:
            corpus = self._corpus
            self._candidates = pair_by_skip_grams(
                corpus.signed.skip_grams, corpus.taking_part(), corpus.reviewed(), cancelled
            )
        return self._candidates

    def found(self, level: Reworked, cancelled: Cancelled = never) -> UInt64Array:
        """The candidates that say more than chance would, as ascending codes.

        Raises:
            ScanCancelledError: `cancelled` said so.
        """
        codes = self.candidates(cancelled).codes
        bits = self.measured(*split_codes(codes), cancelled).bits
        return codes[bits >= self.words(cancelled).chance.threshold(level)]

    def measured(
        self, x: IntegerArray, y: IntegerArray, cancelled: Cancelled = never
    ) -> ReworkedNumbers:
        """The numbers of pairs of documents.

        Raises:
            ScanCancelledError: `cancelled` said so.
            StorageError: There is no room for their words.
        """
        return self.store.measured(x, y, self.words(cancelled).model, cancelled)

    @property
    def sizes(self) -> Int64Array:
        """Characters of each document: it has no more words."""
        return self._corpus.texts.lengths

    def _sample(self, cancelled: Cancelled) -> WordBeginnings:
        """The words of the documents that come first by their digests, of each the first ones.

        So what is sampled depends on the texts, not on their order.
        """
        corpus = self._corpus
        rows = corpus.distinct()
        rows = rows[np.lexsort(corpus.signed.digests[rows].T)][:SAMPLED_DOCUMENTS]
        sizes = np.minimum(corpus.texts.lengths[rows], SAMPLED_OF_ONE)
        rows = rows[: max(2, int(np.searchsorted(np.cumsum(sizes), SAMPLED_WORDS)))]
        words = self.store.words(rows, cancelled)
        return _cut_long(words)


def with_reworked_numbers(
    pairs: Pairs, reworked: ReworkedPairs, cancelled: Cancelled = never
) -> Pairs:
    """Pairs with the numbers of their reworked passages, most alike pairs first.

    Those of the others are -1 where there are so many that it would take minutes.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    x, y = pairs.a.astype(np.int64), pairs.b.astype(np.int64)
    order = np.lexsort((y, x, -pairs.resemblance))
    work = np.cumsum(reworked.sizes[x[order]] + reworked.sizes[y[order]])
    order = order[work <= MEASURED_WORDS]
    numbers = reworked.measured(x[order], y[order], cancelled)
    columns = {
        f"reworked_{name}": _spread(column, order, len(pairs))
        for name, column in zip(numbers._fields, numbers, strict=True)
    }
    return pairs.with_columns(**columns)


def _spread(column: AnyArray, rows: Int64Array, count: int) -> AnyArray:
    spread = np.full(count, NOT_MEASURED, dtype=column.dtype)
    spread[rows] = column
    return spread


def _cut_long(words: WordBeginnings) -> WordBeginnings:
    """The first words of each text."""
    sizes = np.diff(words.offsets)
    if (sizes <= SAMPLED_OF_ONE).all():
        return words
    kept = np.minimum(sizes, SAMPLED_OF_ONE)
    offsets = np.concatenate([[0], np.cumsum(kept)])
    places = np.arange(offsets[-1]) + np.repeat(words.offsets[:-1] - offsets[:-1], kept)
    return WordBeginnings(words.values[places], offsets)


def _folder_words(sample: WordBeginnings, seed: int) -> FolderWords:
    model = WordModel.build(sample.values, sample.offsets)
    x, y = _random_pairs(np.diff(sample.offsets), seed)
    bits = measure_reworked(sample.values, sample.offsets, x, y, model).bits
    return FolderWords(model, ChanceOfScore.of(bits))


def _random_pairs(sizes: Int64Array, seed: int) -> tuple[Int64Array, Int64Array]:
    """Some pairs x < y of the sampled documents, all where there are few."""
    count = len(sizes)
    if count * (count - 1) // 2 <= RANDOM_PAIRS:
        x, y = np.triu_indices(count, 1)
    else:
        rng = np.random.default_rng(seed)
        one = rng.integers(0, count, RANDOM_PAIRS)
        other = (one + rng.integers(1, count, RANDOM_PAIRS)) % count
        x, y = np.minimum(one, other), np.maximum(one, other)
    enough = np.cumsum(sizes[x] + sizes[y]) <= RANDOM_WORDS
    enough[:1] = True
    return x[enough], y[enough]
