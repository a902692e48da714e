"""The reworked passages of pairs, measured when they are asked for and remembered.

The words of a document are made again from its text when one of its pairs is measured for the
first time, and kept for the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from core.base.arrays import Int64Array, IntegerArray, UInt64Array
from core.base.growable_array import GrowingArray
from core.base.tasks import (
    ROOM,
    Cancelled,
    Progress,
    ProgressReport,
    Stage,
    batches,
    ignore,
    never,
    results_of,
    worker_count,
)
from core.evidence.pairs import ReworkedEvidence, pair_codes, split_codes
from core.evidence.reworked import ReworkedNumbers, equal_parts, measure_reworked
from core.evidence.word_model import MOST_PAIRS, RandomPairs, WordModel
from core.settings import ScanSettings
from core.text.shingling import WordBeginnings, word_beginnings
from core.text.store import TextStore

SAMPLED_DOCUMENTS = 2000
SAMPLED_CHARACTERS = 100_000  # of a document, from its beginning
ALL_CHARACTERS = 1 << 25  # of all that are sampled
WORDS_OF_PAIRS = 1 << 22  # half a second
STEPS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9))
HIGH = np.uint64(32)


def choose_sample(digests: UInt64Array, lengths: Int64Array) -> Int64Array:
    """The numbers of the documents that are sampled, by their digests: those of the smallest.

    Args:
        digests: uint64 (n, 2), of the texts; so the sample does not depend on their order.
        lengths: int64 (n), characters of each text.
    """
    order = np.lexsort((digests[:, 1], digests[:, 0]))
    order = order[lengths[order] > 0][:SAMPLED_DOCUMENTS]
    read = np.cumsum(np.minimum(lengths[order], SAMPLED_CHARACTERS))
    return order[: max(1, int(np.searchsorted(read, ALL_CHARACTERS, side="right")))]


def learn_words(
    words: UInt64Array, offsets: Int64Array, cancelled: Cancelled = never, *, is_whole: bool = False
) -> WordModel:
    """The model of a folder from the words of sampled documents.

    Args:
        words: The words of all of them, one document after the other, with gaps.
        offsets: Document i has `words[offsets[i]:offsets[i + 1]]`.
        cancelled: Polled document by document, then between blocks of pairs.
        is_whole: Whether these are all documents of the folder, from end to end.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    model = WordModel.build(words, offsets, cancelled)
    x, y = _random_pairs(len(offsets) - 1)
    sizes = np.diff(offsets)
    affordable = np.cumsum(sizes[x] + sizes[y]) <= WORDS_OF_PAIRS
    x, y = x[affordable], y[affordable]
    best = measure_reworked(words, offsets, x, y, model, cancelled).bits
    count = len(offsets) - 1
    are_all = is_whole and len(best) == count * (count - 1) // 2
    return model.with_pairs(RandomPairs(np.sort(best), are_all))


def _random_pairs(documents: int) -> tuple[Int64Array, Int64Array]:
    """All pairs of a few documents, some of many: always the same ones."""
    if documents * (documents - 1) // 2 <= MOST_PAIRS:
        x, y = np.triu_indices(documents, 1)
        return x.astype(np.int64), y.astype(np.int64)
    numbers = np.arange(1, MOST_PAIRS + 1, dtype=np.uint64)
    x, step = (((numbers * factor) >> HIGH).astype(np.int64) for factor in STEPS)
    x %= documents
    return x, (x + 1 + step % (documents - 1)) % documents


WORDS_PER_TASK = 1 << 21  # of both texts of all pairs: some tenths of a second
WORDS_PER_PAIR = 64  # what a pair costs besides
BYTES_A_WORD = 48  # of a pair of long texts, while it is measured
LIMIT = 1 << 28  # words: 2 GB, of which all but 256 MB in a temporary file


class ReworkedStore:
    """Measures the reworked passages of the pairs of a collection of texts, on all cores."""

    def __init__(self, settings: ScanSettings, texts: TextStore, pool: ThreadPoolExecutor) -> None:
        self._settings = settings
        self._texts = texts
        self._pool = pool
        self._words = GrowingArray(np.uint64)
        self._starts = np.empty(0, dtype=np.int64)
        self._ends = np.empty(0, dtype=np.int64)
        self.known = ReworkedEvidence.none()

    def measured(
        self,
        x: IntegerArray,
        y: IntegerArray,
        model: WordModel,
        cancelled: Cancelled = never,
        progress: Progress = ignore,
    ) -> ReworkedNumbers:
        """The numbers of these pairs x <= y; all are remembered.

        Args:
            x: First documents.
            y: Second documents.
            model: What the words of the folder tell; always the same.
            cancelled: Polled while threads work.
            progress: Told how many of the pairs that were not known are measured.

        Raises:
            ScanCancelledError: `cancelled` said so.
            StorageError: There is no room for the words.
        """
        codes = pair_codes(x, y)
        order = np.argsort(codes, kind="stable")
        first = np.ones(len(order), dtype=np.bool_)
        first[1:] = codes[order[1:]] != codes[order[:-1]]
        asked = codes[order[first]]
        fresh = asked[~np.isin(asked, self.known.codes, assume_unique=True)]
        if len(fresh):
            numbers = self._measure(*split_codes(fresh), model, cancelled, progress)
            measured = ReworkedEvidence(fresh, *numbers, self.known.model)
            self.known = self.known.together(measured)
        rows = np.searchsorted(self.known.codes, codes)
        return ReworkedNumbers._make(column[rows] for column in self.known.columns)

    def measured_with(
        self,
        text: WordBeginnings,
        documents: Int64Array,
        model: WordModel,
        cancelled: Cancelled = never,
    ) -> ReworkedNumbers:
        """The numbers of another text with each of some documents, which are not remembered.

        Raises:
            ScanCancelledError, StorageError: As from `measured`.
        """
        self._read(documents, cancelled)
        words = _joined([text, self._gathered(documents)])
        places = np.arange(1, len(documents) + 1, dtype=np.int64)
        text_itself = np.zeros_like(places)
        return measure_reworked(words.values, words.offsets, text_itself, places, model, cancelled)

    def beginnings(self, documents: Int64Array, cancelled: Cancelled = never) -> WordBeginnings:
        """The first words of some documents, as many as a sample takes, one document after another.

        Raises:
            ScanCancelledError, StorageError: As from `measured`.
        """
        lengths = np.minimum(self._texts.lengths[documents], SAMPLED_CHARACTERS)
        tasks = (
            self._pool.submit(self._words_of, documents[part], SAMPLED_CHARACTERS)
            for part in batches(lengths.tolist())
        )
        return _joined(list(results_of(tasks, cancelled)))

    def _measure(
        self,
        x: Int64Array,
        y: Int64Array,
        model: WordModel,
        cancelled: Cancelled,
        progress: Progress,
    ) -> ReworkedNumbers:
        parts, done = [ReworkedNumbers.none(0)], 0
        for block in self._blocks(x, y):
            self._read(np.concatenate([x[block], y[block]]), cancelled)
            tasks = (
                self._pool.submit(self._measure_part, x[part], y[part], model, cancelled)
                for part in self._tasks(x, y, block)
            )
            for part in results_of(tasks, cancelled, 4 * worker_count()):
                parts.append(part)
                done += len(part.words)
                progress(ProgressReport(Stage.REWORKED, done, len(x)))
        return ReworkedNumbers._make(map(np.concatenate, zip(*parts, strict=True)))

    def _measure_part(
        self, x: Int64Array, y: Int64Array, model: WordModel, cancelled: Cancelled
    ) -> ReworkedNumbers:
        wanted = np.zeros(len(self._texts), dtype=np.bool_)
        wanted[x] = wanted[y] = True
        documents = np.flatnonzero(wanted)
        places = np.cumsum(wanted) - 1
        sizes = self._ends - self._starts
        longest = int((sizes[x] + sizes[y]).max(initial=0))
        claimed = BYTES_A_WORD * longest if longest > WORDS_PER_TASK else 0
        with ROOM.claim(claimed, cancelled):
            words = self._gathered(documents)
            return measure_reworked(
                words.values, words.offsets, places[x], places[y], model, cancelled
            )

    def _gathered(self, documents: Int64Array) -> WordBeginnings:
        starts, ends, rows = self._starts[documents], self._ends[documents], self._words.rows
        parts = [rows[start:end] for start, end in zip(starts, ends, strict=True)]
        values = np.concatenate([np.empty(0, dtype=np.uint64), *parts])
        return WordBeginnings(values, np.concatenate([[0], np.cumsum(ends - starts)]))

    def _blocks(self, x: Int64Array, y: Int64Array) -> Iterator[slice]:
        """Cut pairs so that the words of the documents of a block fit."""
        lengths = self._texts.lengths  # in characters: there are no more words
        wanted = np.zeros(len(lengths), dtype=np.bool_)
        wanted[x] = wanted[y] = True
        work = lengths[x] + lengths[y]
        if int(lengths[wanted].sum()) <= LIMIT:
            work = np.zeros(len(x), dtype=np.int64)
        yield from equal_parts(work, LIMIT // 2)

    def _tasks(self, x: Int64Array, y: Int64Array, block: slice) -> Iterator[slice]:
        sizes = self._ends - self._starts
        work = sizes[x[block]] + sizes[y[block]] + WORDS_PER_PAIR
        for part in equal_parts(work, WORDS_PER_TASK):
            yield slice(block.start + part.start, block.start + part.stop)

    def _read(self, documents: Int64Array, cancelled: Cancelled) -> None:
        """Make the words of those of these documents whose words are not here."""
        lengths = self._texts.lengths
        self._grow(len(lengths))
        wanted = np.zeros(len(lengths), dtype=np.bool_)
        wanted[documents] = True
        missing = np.flatnonzero(wanted & (self._starts < 0))
        if len(self._words) and len(self._words) + int(lengths[missing].sum()) > LIMIT:
            self._words = GrowingArray(np.uint64)
            self._starts[:] = self._ends[:] = -1
            missing = np.flatnonzero(wanted)
        parts = [missing[part] for part in batches(lengths[missing].tolist())]
        tasks = (self._pool.submit(self._words_of, numbers) for numbers in parts)
        results = results_of(tasks, cancelled, 2 * worker_count() + 1)
        for numbers, words in zip(parts, results, strict=True):
            used = len(self._words)
            self._words.append(words.values)
            self._starts[numbers] = used + words.offsets[:-1]
            self._ends[numbers] = used + words.offsets[1:]

    def _words_of(self, numbers: Int64Array, most: int | None = None) -> WordBeginnings:
        """The words of some documents, of each those of the first characters."""
        texts: Sequence[str] = [self._texts[number][:most] for number in numbers.tolist()]
        aside = self._texts.set_aside_in(numbers)
        if most is not None:
            aside = {place: _cut_at(spans, most) for place, spans in aside.items()}
        return word_beginnings(texts, self._settings, aside)

    def _grow(self, documents: int) -> None:
        unknown = np.full(max(0, documents - len(self._starts)), -1, dtype=np.int64)
        self._starts = np.concatenate([self._starts, unknown])
        self._ends = np.concatenate([self._ends, unknown])


def _joined(parts: Sequence[WordBeginnings]) -> WordBeginnings:
    counts = [np.diff(part.offsets) for part in parts]
    values = [np.empty(0, dtype=np.uint64), *(part.values for part in parts)]
    return WordBeginnings(np.concatenate(values), np.cumsum(np.concatenate([[0], *counts])))


def _cut_at(spans: Int64Array, end: int) -> Int64Array:
    """Spans of text as far as they lie before some place."""
    return np.minimum(spans[spans[:, 0] < end], end)
