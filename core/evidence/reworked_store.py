"""The passages of pairs in numbers, measured on request and remembered.

The words of a document are made again from its text when one of its pairs is measured for the
first time, and kept for later pairs, as long as they are few.

Also the reworked passages of a pair: text that both share though words were exchanged, dropped or
moved.

Seeds are found (`core.evidence.seeds`), joined to clusters and cut to passages
(`core.evidence.reworked_spans`): the work is linear in the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from core.base.arrays import (
    AnyArray,
    BoolArray,
    DocumentRows,
    Float32Array,
    Int64Array,
    IntegerArray,
    UInt16Array,
    UInt64Array,
    begins_run,
    equal_parts,
    indices_from,
    leave_memory,
)
from core.base.tasks import (
    ROOM,
    Progress,
    ProgressReport,
    Stage,
    even_batches,
    ignore,
    mapped,
    results_of,
    stop_if_cancelled,
    worker_count,
)
from core.errors import StorageError
from core.evidence.pairs import NOT_MEASURED, PassageEvidence, pair_codes, split_codes
from core.evidence.reworked_spans import find_spans, label_clusters, order_seeds, select_spans
from core.evidence.seeds import ANCHORS_AT_ONCE, both_sides, find_runs, find_seeds
from core.evidence.shared_words import (
    MOST_OF_A_TEXT,
    NO_SPANS,
    SharedWords,
    WholeWords,
    measure_shared,
    measure_word_for_word,
)
from core.evidence.word_model import MOST_PAIRS, Information, RandomPairs, WordModel
from core.settings import ScanSettings
from core.text.set_aside import GAP
from core.text.shingling import WordBeginnings, word_beginnings, words_and_beginnings
from core.text.store import TextStore
from core.text.word_counts import WORD, weights_of

WORDS_AT_ONCE = 1 << 17  # of pairs read as one; the grams of longer texts are matched in parts
SEEDS_AT_ONCE = 1 << 20  # whose spans are found between two checks for cancelling
WORDS_A_PAIR = 16  # the fixed cost of a pair
COUNTED = 0.01  # the intended share of unrelated pairs with a passage that counts
NO_BITS = np.empty(0, dtype=np.float32)
LEAST_BITS = (30.0, 60.0)
LEAST_BITS_OF_FEW = 45.0  # in a folder with too few pairs to measure unrelated texts
# A passage of letters of scripts without spaces must make so many words: a few letters in another
# order have as many bits as words do, and convince nobody.
LEAST_WORDS = 15


class ReworkedPassages(NamedTuple):
    """The passages of a pair, in the order of A.

    Attributes:
        spans: int64 (n, 6): first word and end in A, the same in B, words that match in A, in B.
        bits: float32 (n), the score: the information of the words that match, less a price for
            each that does not; of the two texts the lower.
    """

    spans: Int64Array
    bits: Float32Array


class PassageNumbers(NamedTuple):
    """Measurements of the passages of pairs.

    Attributes:
        bits: float32, of the strongest reworked passage; 0 if there is none.
        shared: How much of the texts is in passages; known of pairs with reworked passages that
            count, if it was requested.
    """

    bits: Float32Array
    shared: SharedWords

    @staticmethod
    def none(pairs: int) -> PassageNumbers:
        """The numbers of pairs without reworked passages."""
        return PassageNumbers(np.zeros(pairs, dtype=np.float32), SharedWords.none(pairs))

    @property
    def columns(self) -> dict[str, AnyArray]:
        """The numbers as columns of `core.evidence.pairs.Pairs`."""
        return {"reworked_bits": self.bits, **self.shared._asdict()}


def least_bits(model: WordModel) -> float:
    """The bits from which a passage counts in the numbers of a pair, and is shown."""
    return model.pairs.threshold(COUNTED, LEAST_BITS, LEAST_BITS_OF_FEW)


def reworked_passages(
    a: UInt64Array,
    b: UInt64Array,
    in_a: Information,
    in_b: Information,
    least: float = np.inf,
    weights: UInt16Array | None = None,
) -> ReworkedPassages:
    """The reworked passages of two texts.

    Args:
        a: The words of a text, with `GAP` where text is set aside.
        b: The words of the other text.
        in_a: The information of the words of A; that of a word anywhere is the same in both texts.
        in_b: The information of the words of B.
        least: Bits from which a passage counts: neighbours that count are one passage.
        weights: The weights of the words of A and then of B (see `core.text.word_counts`); None if
            there are spaces between all.
    """
    information = Information(
        np.concatenate([in_a.in_context, in_b.in_context]),
        np.concatenate([in_a.anywhere, in_b.anywhere]),
    )
    bounds = np.array([0, len(a), len(a) + len(b)])
    x, y = np.array([0]), np.array([1])
    words = np.concatenate([a, b])
    result = _find_passages(words, _summed(weights), information, bounds, x, y, least)
    return ReworkedPassages(*result[1:])


def measure_reworked(
    documents: WordBeginnings,
    x: IntegerArray,
    y: IntegerArray,
    model: WordModel,
    wholes: WholeWords | None = None,
    information: Information | None = None,
) -> PassageNumbers:
    """Measure the reworked passages of pairs of documents, on this thread.

    Args:
        documents: The words of all documents, with gaps. If they have weights, letters that make
            too few words are no passage.
        x: First documents of the pairs.
        y: Second documents.
        model: The model of the words of the folder.
        wholes: The words as they are compared word for word; given if it is measured how much the
            texts share.
        information: Of all words; taken from the model when left out.
    """
    numbers = PassageNumbers.none(len(x))
    indices, bounds, x, y = _documents_of(documents.offsets, x, y)
    words, weights = documents.values[indices], documents.weights
    before = _summed(None if weights is None else weights[indices])
    wholes = wholes and wholes._replace(values=wholes.values[indices])
    if information is None:
        information = model.information(words, bounds)
    else:
        information = Information(*(bits[indices] for bits in information))
    least = least_bits(model)
    sizes = np.diff(bounds)
    for block in equal_parts(sizes[x] + sizes[y] + WORDS_A_PAIR, WORDS_AT_ONCE):
        pairs, spans, bits = _find_passages(
            words, before, information, bounds, x[block], y[block], least
        )
        pairs += block.start
        np.maximum.at(numbers.bits, pairs, bits)
        stop_if_cancelled()
        if wholes is not None:
            enough = bits >= np.float32(least)
            owners = pairs[enough] - block.start
            shared = measure_shared(wholes, bounds, x[block], y[block], spans[enough], owners)
            numbers.shared.put(block, shared)
    return numbers


def _documents_of(
    offsets: Int64Array, x: IntegerArray, y: IntegerArray
) -> tuple[Int64Array | slice, Int64Array, Int64Array, Int64Array]:
    """Indices of the words of the documents of pairs, their bounds, and both documents' numbers."""
    used = np.zeros(len(offsets) - 1, dtype=np.bool_)
    used[x] = used[y] = True
    if used.all():
        return slice(None), offsets, x.astype(np.int64), y.astype(np.int64)
    documents, numbers = np.flatnonzero(used), np.cumsum(used, dtype=np.int64) - 1
    sizes = np.diff(offsets)[documents]
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    return indices_from(offsets[documents], sizes), bounds, numbers[x], numbers[y]


def _find_passages(
    words: UInt64Array,
    before: Int64Array | None,
    information: Information,
    bounds: Int64Array,
    x: Int64Array,
    y: Int64Array,
    least: float,
) -> tuple[Int64Array, Int64Array, Float32Array]:
    """The passages of pairs: the pair of each, ascending, its spans and bits.

    `before` is the weight of the words before each, made by `_summed`.
    """
    stop_if_cancelled()
    a, b, swapped = both_sides(words, *information, bounds, x, y)
    runs, ends_a, ends_b = find_runs(a, b, ANCHORS_AT_ONCE)
    stop_if_cancelled()
    seeds = find_seeds(a, b, runs, ends_a, ends_b, WORDS_AT_ONCE)
    stop_if_cancelled()
    labels, clusters, by_start = label_clusters(seeds, len(a.numbers), len(b.numbers))
    stop_if_cancelled()
    orders, begins = order_seeds(seeds, labels, clusters, by_start, a, b)
    stop_if_cancelled()
    results, different = [], int(b.numbers.max(initial=-1)) + 1
    for part in reversed(list(equal_parts(np.diff(begins), SEEDS_AT_ONCE))):
        stop_if_cancelled()
        bounds_of_part = begins[part.start : part.stop + 1]
        results.append(find_spans(seeds, orders, bounds_of_part, a, b, different))
    spans, bits = map(np.concatenate, zip((NO_SPANS, NO_BITS), *results, strict=True))
    stop_if_cancelled()
    spans, bits = select_spans(spans, bits, a, b, least)
    pairs = np.searchsorted(a.starts, spans[:, 0], side="right") - 1
    spans[:, :2] -= a.starts[pairs, None]
    spans[:, 2:4] -= b.starts[pairs, None]
    turned = swapped[pairs]
    spans[turned] = spans[turned][:, (2, 3, 0, 1, 5, 4)]
    order = np.lexsort((spans[:, 2], spans[:, 0], pairs))
    if before is not None:
        texts = np.stack([x[pairs], y[pairs]])
        order = order[_are_long_enough(spans, before, bounds, texts)[order]]
    return pairs[order], spans[order], bits[order]


def _summed(weights: UInt16Array | None) -> Int64Array | None:
    """The weight of the words before each, and of all; None if all are between spaces."""
    if weights is None:
        return None
    sums = np.zeros(len(weights) + 1, dtype=np.int64)
    sums[1:] = weights  # NumPy keeps the interpreter while it adds and converts at once
    return np.cumsum(sums, out=sums)


def _are_long_enough(
    spans: Int64Array, before: Int64Array, bounds: Int64Array, texts: Int64Array
) -> BoolArray:
    """Which passages with letters that are words make enough words, or most of the shorter text.

    The length of a passage is that in the text where it is longer. `texts` are int64 (2, n), the
    documents of each.
    """
    ends = bounds[texts] + spans[:, 1:4:2].T
    words = before[ends] - before[bounds[texts] + spans[:, 0:4:2].T]
    shorter = (before[bounds[texts + 1]] - before[bounds[texts]]).min(axis=0)
    have_spaces = (words == WORD * (spans[:, 1:4:2] - spans[:, 0:4:2]).T).all(axis=0)
    least = np.minimum(WORD * LEAST_WORDS, MOST_OF_A_TEXT * shorter)
    return np.asarray(have_spaces | (words.max(axis=0) >= least))


SAMPLED_DOCUMENTS = 2000
SAMPLED_CHARACTERS = 100_000  # of a document, from its beginning
ALL_CHARACTERS = 1 << 25  # of all that are sampled
WORDS_OF_PAIRS = 1 << 22  # half a second
STEPS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9))
HIGH = np.uint64(32)


def choose_sample(digests: UInt64Array, lengths: Int64Array) -> Int64Array:
    """The numbers of the sampled documents: those with the smallest digests.

    Args:
        digests: uint64 (n, 2), of the texts; so the sample does not depend on their order.
        lengths: int64 (n), characters of each text.
    """
    has_text = lengths > 0
    first, last = digests[has_text, 0], SAMPLED_DOCUMENTS - 1
    if len(first) > SAMPLED_DOCUMENTS:  # no others need to be sorted
        has_text &= digests[:, 0] <= np.partition(first, last)[last]
    order = np.flatnonzero(has_text)
    order = order[np.lexsort(digests[order].T[::-1])][:SAMPLED_DOCUMENTS]
    read = np.cumsum(np.minimum(lengths[order], SAMPLED_CHARACTERS))
    return order[: max(1, int(np.searchsorted(read, ALL_CHARACTERS, side="right")))]


def learn_words(
    words: UInt64Array,
    offsets: Int64Array,
    *,
    is_whole: bool = False,
    pool: ThreadPoolExecutor | None = None,
) -> WordModel:
    """The model of a folder from the words of sampled documents.

    Args:
        words: The words of all of them, document after document, with gaps.
        offsets: Document i has `words[offsets[i]:offsets[i + 1]]`.
        is_whole: Whether these are all documents of the folder, and complete.
        pool: Threads for the work; None for the calling thread.
    """
    model = WordModel.build(words, offsets)
    x, y = _random_pairs(len(offsets) - 1)
    sizes = np.diff(offsets)
    affordable = np.cumsum(sizes[x] + sizes[y]) <= WORDS_OF_PAIRS
    x, y = x[affordable], y[affordable]

    def measure(part: slice) -> Float32Array:
        return measure_reworked(WordBeginnings(words, offsets), x[part], y[part], model).bits

    parts = equal_parts(sizes[x] + sizes[y], WORDS_AT_ONCE)
    best = np.concatenate([NO_BITS, *mapped(pool, measure, parts)])
    count = len(offsets) - 1
    are_all = is_whole and len(best) == count * (count - 1) // 2
    return replace(model, pairs=RandomPairs(np.sort(best), are_all))


def _random_pairs(documents: int) -> tuple[Int64Array, Int64Array]:
    """All pairs of a few documents, a sample of those of many; always the same pairs."""
    if documents * (documents - 1) // 2 <= MOST_PAIRS:
        x, y = np.triu_indices(documents, 1)
        return x.astype(np.int64), y.astype(np.int64)
    numbers = np.arange(1, MOST_PAIRS + 1, dtype=np.uint64)
    x, step = (((numbers * factor) >> HIGH).astype(np.int64) for factor in STEPS)
    x %= documents
    return x, (x + 1 + step % (documents - 1)) % documents


WORDS_PER_TASK = 1 << 17  # of both texts of all pairs: hundredths of a second
WORDS_PER_PAIR = 64  # the fixed cost of a pair
PAIRS_OF_A_DOCUMENT = 4  # on average, from which the information of its words is kept
BYTES_A_WORD = 48  # of a pair of long texts, while it is measured
LIMIT = 1 << 28  # words that are kept: 4 GB, of which all but 32 MB in temporary files
INFORMED = 1 << 24  # words of which the information is kept: 128 MiB


def documents_in(texts: int, *numbers: IntegerArray) -> Int64Array:
    """The documents, of so many, that stand in these columns: each once, ascending."""
    is_in = np.zeros(texts, dtype=np.bool_)
    for column in numbers:
        is_in[column] = True
    return np.flatnonzero(is_in)


class _KeptWords:
    """The words of documents that are kept."""

    def __init__(self) -> None:
        self._values, self._wholes = DocumentRows(np.uint64), DocumentRows(np.uint64)
        self._weights = DocumentRows(np.uint16)  # of documents with other than usual ones

    def __len__(self) -> int:
        return len(self._values)

    def lacks(self, documents: Int64Array) -> BoolArray:
        """Which of these documents are not kept."""
        return self._values.lacks(documents)

    def sizes(self, documents: Int64Array) -> Int64Array:
        """The number of words of each."""
        return self._values.counts(documents)

    def add(self, numbers: Int64Array, words: WordBeginnings) -> None:
        """Keep the words of documents."""
        counts = np.diff(words.offsets)
        self._values.add(numbers, words.values, counts)
        self._wholes.add(numbers, words.wholes, counts)
        if words.weights is not None:
            self._weights.add(numbers, words.weights, counts)

    def gathered(self, documents: Int64Array) -> WordBeginnings:
        """The words of documents, all of which are kept."""
        counts = self.sizes(documents)
        values, wholes = (words.gathered(documents) for words in (self._values, self._wholes))
        weights = weights_of(self._weights, documents, counts, "word")
        return WordBeginnings(values, np.append(0, np.cumsum(counts)), wholes, weights)

    def leave_memory(self) -> None:
        """Let the words leave the memory until they are gathered again."""
        for words in (self._values, self._wholes, self._weights):
            leave_memory(words.rows)


class _KeptInformation:
    """The information of the words of documents, and of how many words."""

    def __init__(self) -> None:
        self.by_document: dict[int, Information] = {}
        self.words = 0


# Measures pairs among documents: first and second ones, by their indices among these.
Measure: TypeAlias = Callable[[Int64Array, Int64Array, Int64Array], PassageNumbers]


class ReworkedStore:
    """Measures the passages of the pairs of a collection of texts, on all cores."""

    def __init__(self, settings: ScanSettings, texts: TextStore, pool: ThreadPoolExecutor) -> None:
        self._settings = settings
        self._texts = texts
        self._pool = pool
        self._words = _KeptWords()
        self._model: WordModel | None = None
        self._information = _KeptInformation()  # from this model
        self.known = PassageEvidence.none()
        self._word_for_word = PassageEvidence.none()

    @property
    def lengths(self) -> Int64Array:
        """Characters of each document: it has no more words."""
        return self._texts.lengths

    def measured(
        self,
        x: IntegerArray,
        y: IntegerArray,
        model: WordModel | None,
        progress: Progress = ignore,
        *,
        shared: bool = False,
    ) -> PassageNumbers:
        """The numbers of these pairs x <= y; all are remembered.

        Args:
            x: First documents.
            y: Second documents.
            model: The model of the words of the folder, always the same; None where no reworked
                passages are looked for.
            progress: Receives how many of the pairs that were not known are measured.
            shared: Whether to measure how much of the texts is in passages, too; without a model
                that is always measured.
        """
        codes = pair_codes(x, y)
        requested: UInt64Array = np.sort(codes)
        requested = requested[begins_run(requested)]
        known = self._word_for_word if model is None else self.known
        fresh = requested[~np.isin(requested, known.codes, assume_unique=True)]

        if self._model is not model:
            self._model, self._information = model, _KeptInformation()
        wanted = documents_in(len(self._texts), *split_codes(fresh))
        is_kept = len(fresh) > PAIRS_OF_A_DOCUMENT * len(wanted)

        def measure(documents: Int64Array, x: Int64Array, y: Int64Array) -> PassageNumbers:
            words = self._words.gathered(documents)
            stop_if_cancelled()
            information = self._information_of(documents, model) if model and is_kept else None
            return self._measure(words, x, y, model, information)

        if model is None:
            self._word_for_word = self._with(known, fresh, measure, ignore)
            return _numbers_of(self._word_for_word, codes)
        self.known = self._with(known, fresh, measure, progress)
        if shared:
            # That was not measured for pairs without reworked passages that count.
            left = self.known.codes[self.known.overlap < 0]
            left = left[np.isin(left, requested, assume_unique=True)]

            def measure_lone(documents: Int64Array, x: Int64Array, y: Int64Array) -> PassageNumbers:
                return self._measure_lone(self._words.gathered(documents), x, y)

            self.known = self._with(self.known, left, measure_lone, ignore)
        return _numbers_of(self.known, codes)

    def measured_with(
        self,
        text: WordBeginnings,
        documents: Int64Array,
        model: WordModel | None,
        *,
        shared: bool = True,
    ) -> PassageNumbers:
        """The numbers of another text with each of these documents, which are not remembered.

        Args:
            text: Its words, beginnings and wholes.
            documents: The numbers of the documents.
            model: As for `measured`.
            shared: As for `measured`.
        """
        self._read(documents)
        words = WordBeginnings.join([text, self._words.gathered(documents)])
        y = np.arange(1, len(documents) + 1, dtype=np.int64)
        x = np.zeros_like(y)
        numbers = self._measure(words, x, y, model, shared=shared)
        if shared:
            left = np.flatnonzero(numbers.shared.overlap < 0)
            numbers.shared.put(left, self._measure_lone(words, x[left], y[left]).shared)
        return numbers

    def word_counts(self, documents: IntegerArray) -> Int64Array:
        """The number of words that count, by document. Raises as `measured`."""
        numbers = documents.astype(np.int64)
        self._read(numbers)
        words = self._words.gathered(numbers)
        before = np.concatenate([[0], np.cumsum(words.wholes != GAP)])
        return np.diff(before[words.offsets])

    def keep(self, numbers: Int64Array, words: WordBeginnings) -> None:
        """Keep words of documents that were read for their shingles, if there is room."""
        if len(self._words) + len(words.values) <= LIMIT:
            with suppress(StorageError):
                self._add(numbers, words)

    def beginnings(self, documents: Int64Array) -> WordBeginnings:
        """The first words of documents, as many as a sample takes, by document."""
        lengths = np.minimum(self._texts.lengths[documents], SAMPLED_CHARACTERS)
        tasks = (
            self._pool.submit(self._words_of, documents[part], SAMPLED_CHARACTERS)
            for part in even_batches(lengths.tolist())
        )
        return WordBeginnings.join(list(results_of(tasks)))

    def learn(self, sample: Int64Array, *, is_whole: bool) -> WordModel:
        """The model of the folder from a sample of its documents; `is_whole` as `learn_words`."""
        words = self.beginnings(sample)
        return learn_words(words.values, words.offsets, is_whole=is_whole, pool=self._pool)

    def _with(
        self, known: PassageEvidence, codes: UInt64Array, measure: Measure, progress: Progress
    ) -> PassageEvidence:
        """Measure these pairs, in ascending order, and add them to the known ones."""
        if not len(codes):
            return known
        x, y = split_codes(codes)
        numbers, done = PassageNumbers.none(len(x)), 0
        progress(ProgressReport(Stage.REWORKED, 0, len(x)))
        for number, block in enumerate(self._blocks(x, y)):
            if number:  # most of its documents are others
                self._information = _KeptInformation()
            self._read(np.concatenate([x[block], y[block]]))
            work = self._words.sizes(x[block]) + self._words.sizes(y[block]) + WORDS_PER_PAIR
            parts = [block[part] for part in equal_parts(work, WORDS_PER_TASK)]
            tasks = (
                self._pool.submit(self._measure_part, x[part], y[part], measure) for part in parts
            )
            for part, result in zip(parts, results_of(tasks, 4 * worker_count()), strict=True):
                numbers.bits[part] = result.bits
                numbers.shared.put(part, result.shared)
                done += len(part)
                progress(ProgressReport(Stage.REWORKED, done, len(x)))
        fresh = PassageEvidence(codes, numbers.bits, *numbers.shared, known.model)
        return known.together(fresh)

    def _measure_part(self, x: Int64Array, y: Int64Array, measure: Measure) -> PassageNumbers:
        both = np.stack([x, y])
        documents = np.sort(both, axis=None)  # np.unique imports masked arrays
        documents = documents[np.flatnonzero(np.diff(documents, prepend=-1))]
        indices = np.searchsorted(documents, both)
        longest = int((self._words.sizes(x) + self._words.sizes(y)).max(initial=0))
        claimed = BYTES_A_WORD * longest if longest > WORDS_PER_TASK else 0
        with ROOM.claim(claimed):
            numbers = measure(documents, *indices)
        self._words.leave_memory()
        return numbers

    def _measure(
        self,
        words: WordBeginnings,
        x: Int64Array,
        y: Int64Array,
        model: WordModel | None,
        information: Information | None = None,
        *,
        shared: bool = True,
    ) -> PassageNumbers:
        if model is None:
            texts = words.wholes, words.offsets
            word_for_word = measure_word_for_word(*texts, x, y, self._settings)
            none = np.full(len(x), NOT_MEASURED, dtype=np.float32)
            return PassageNumbers(none, word_for_word)
        wholes = WholeWords.of(words.wholes, self._settings) if shared else None
        return measure_reworked(words, x, y, model, wholes, information)

    def _measure_lone(self, words: WordBeginnings, x: Int64Array, y: Int64Array) -> PassageNumbers:
        """Measure pairs without reworked passages that count: their bits stay as they are."""
        wholes, none = WholeWords.of(words.wholes, self._settings), np.empty(0, dtype=np.int64)
        shared = measure_shared(wholes, words.offsets, x, y, NO_SPANS, none, all_pairs=True)
        return PassageNumbers(np.zeros(len(x), dtype=np.float32), shared)

    def _information_of(self, documents: Int64Array, model: WordModel) -> Information:
        """The information of the words of documents, looked up once for all their pairs."""
        kept = self._information
        known = kept.by_document
        fresh = documents[[document not in known for document in documents.tolist()]]
        if len(fresh):
            words = self._words.gathered(fresh)
            if kept.words + len(words.values) > INFORMED:
                known = {number: known[number] for number in documents.tolist() if number in known}
            else:
                kept.words += len(words.values)
            bits = model.information(words.values, words.offsets)
            bounds = pairwise(words.offsets.tolist())
            for document, (start, end) in zip(fresh.tolist(), bounds, strict=True):
                known[document] = Information(*(column[start:end] for column in bits))
        parts = [known[document] for document in documents.tolist()]
        return Information(*(np.concatenate(bits) for bits in zip(*parts, strict=True)))

    def _blocks(self, x: Int64Array, y: Int64Array) -> Iterator[Int64Array]:
        """Cut pairs so that the words of the documents of a block fit; the rows of each block.

        Where documents are in many pairs each, they are cut into parts, and all pairs of two parts
        are a block: so a document is read as often as there are parts, not pairs.
        """
        documents = documents_in(len(self._texts), x, y)
        sizes = self._texts.lengths[documents]  # in characters: there are no more words
        if int(sizes.sum()) <= LIMIT:
            yield np.arange(len(x))
            return
        of_x, of_y = np.searchsorted(documents, x), np.searchsorted(documents, y)
        if len(x) <= PAIRS_OF_A_DOCUMENT * len(documents):
            for part in equal_parts(sizes[of_x] + sizes[of_y], LIMIT // 2):
                yield np.arange(part.start, part.stop)
            return
        part_of = np.cumsum(sizes) // max(1, LIMIT // 2 - int(sizes.max()))
        part_x, part_y = part_of[of_x], part_of[of_y]
        order = np.lexsort((part_y, part_x))
        is_new = (np.diff(part_x[order]) != 0) | (np.diff(part_y[order]) != 0)
        yield from np.split(order, np.flatnonzero(is_new) + 1)

    def _read(self, documents: Int64Array) -> None:
        """Make the words of the documents among these whose words are not kept."""
        lengths = self._texts.lengths
        requested = documents_in(len(lengths), documents)
        missing = requested[self._words.lacks(requested)]
        if len(self._words) + int(lengths[missing].sum()) > LIMIT:
            self._words, missing = _KeptWords(), requested
        parts = [missing[part] for part in even_batches(lengths[missing].tolist())]
        tasks = (self._pool.submit(self._words_of, numbers) for numbers in parts)
        results = results_of(tasks, 2 * worker_count() + 1)
        for numbers, words in zip(parts, results, strict=True):
            self._add(numbers, words)

    def _add(self, numbers: Int64Array, words: WordBeginnings) -> None:
        try:
            self._words.add(numbers, words)
        except StorageError:  # some of its arrays may have them, and others not
            self._words = _KeptWords()
            raise

    def _words_of(self, numbers: Int64Array, most: int | None = None) -> WordBeginnings:
        """The words of documents, of each those of its first `most` characters."""
        texts = [text[:most] for text in self._texts.texts_at(numbers)]
        set_aside = self._texts.set_aside_in(numbers)
        if most is None:
            return words_and_beginnings(texts, self._settings, set_aside)
        set_aside = {
            text: np.minimum(spans[spans[:, 0] < most], most) for text, spans in set_aside.items()
        }
        return word_beginnings(texts, self._settings, set_aside)


def _numbers_of(known: PassageEvidence, codes: UInt64Array) -> PassageNumbers:
    """The numbers of pairs that are known."""
    rows = np.searchsorted(known.codes, codes)
    bits, *columns = (column[rows] for column in known.columns)
    return PassageNumbers(bits, SharedWords(*columns))
