"""How much of two texts is in passages that both share: the number that a list is sorted by.

The passages are those that the compare view marks (`core.evidence.passages`): reworked ones, and
chains of runs that are passages by themselves. The words of each text that are in at least one of
them are counted once; text set aside has no words, and a letter is a word in scripts without
spaces. That is the share of A, and of B. The overlap of the pair is the mean of both shares without
the words of these passages that are in one text only, or replace other words.

Of what was tried it sets pairs of bills that people called alike before others more surely than the
same with words that differ, the larger share of the two, or resemblance alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import Float64Array, Int32Array, Int64Array, IntegerArray, UInt64Array
from core.base.compiling import njit
from core.base.tasks import stop_if_cancelled
from core.evidence.pairs import NOT_MEASURED
from core.evidence.passage_selection import (
    MOST_OF_A_TEXT,
    NO_CHAINS,
    SECOND_GAP,
    compare_texts,
    find_chains,
    measure_information,
    select_chains,
    shortest_run,
)
from core.settings import ScanSettings
from core.text.set_aside import GAP

IN_A_REWORKED_PASSAGE, IN_A_CHAIN, THE_SAME = np.uint8(1), np.uint8(2), np.uint8(4)
NO_SPANS = np.empty((0, 6), dtype=np.int64)
TURNED = (2, 3, 0, 1, 5, 4)  # columns of spans, with A and B exchanged


class SharedWords(NamedTuple):
    """How much of the texts of each pair is in its passages; -1 if not measured.

    Attributes:
        overlap: float64, the mean of both shares without words that differ.
        overlap_a: float64, the share of the words of A.
        overlap_b: float64, the share of the words of B.
        shared_words: int32, the words, in the text with fewer of them.
    """

    overlap: Float64Array
    overlap_a: Float64Array
    overlap_b: Float64Array
    shared_words: Int32Array

    @staticmethod
    def none(pairs: int) -> SharedWords:
        """The numbers of pairs that were not measured."""
        overlap, in_a, in_b = np.full((3, pairs), float(NOT_MEASURED))
        return SharedWords(overlap, in_a, in_b, np.full(pairs, NOT_MEASURED, dtype=np.int32))

    def put(self, rows: slice | IntegerArray, values: SharedWords) -> None:
        """Fill in the numbers of these pairs."""
        for name in self._fields:
            getattr(self, name)[rows] = getattr(values, name)


class PairOverlap(NamedTuple):
    """The shared words of a single pair."""

    overlap: float
    overlap_a: float
    overlap_b: float
    shared_words: int

    def turned(self) -> PairOverlap:
        """The same with A and B exchanged."""
        return self._replace(overlap_a=self.overlap_b, overlap_b=self.overlap_a)


def overlap_of(
    a: UInt64Array, b: UInt64Array, spans: Int64Array, chains: list[Int64Array]
) -> PairOverlap:
    """How much of two texts is in their passages.

    Args:
        a: The words of a text, with gaps.
        b: The words of the other text.
        spans: The reworked passages, as in `core.evidence.reworked_store.ReworkedPassages`.
        chains: Chains of runs that are passages.
    """
    offsets = np.cumsum([0, *map(len, chains)])
    runs = np.concatenate([np.empty((0, 3), dtype=np.int64), *chains])
    overlap, in_a, in_b, words = _overlap(a, b, spans, runs, offsets)
    return PairOverlap(float(overlap), float(in_a), float(in_b), int(words))


class WholeWords(NamedTuple):
    """The words of documents as they are compared word for word.

    Attributes:
        values: uint64, as many as there are beginnings of words, with the same gaps.
        shortest: How many words in a row are significant by themselves.
        promised: How many words in a row list a pair.
    """

    values: UInt64Array
    shortest: int
    promised: int

    @staticmethod
    def of(values: UInt64Array, settings: ScanSettings) -> WholeWords:
        """The words with the limits of the settings."""
        return WholeWords(values, shortest_run(settings), settings.passage_length)


def measure_shared(
    wholes: WholeWords,
    bounds: Int64Array,
    x: IntegerArray,
    y: IntegerArray,
    spans: Int64Array,
    owners: IntegerArray,
    *,
    all_pairs: bool = False,
) -> SharedWords:
    """Measure pairs of documents whose reworked passages are known, on this thread.

    Args:
        wholes: The words of all documents, document after document.
        bounds: Document i has the words from `bounds[i]` to `bounds[i + 1]`.
        x: First documents of the pairs.
        y: Second documents.
        spans: The reworked passages of all pairs, as in `ReworkedPassages`.
        owners: The pair of each passage, ascending.
        all_pairs: Whether pairs without any are measured, too.
    """
    firsts = np.searchsorted(owners, np.arange(len(x) + 1))
    results = SharedWords.none(len(x))
    which = wholes.shortest, wholes.promised, all_pairs
    _measure(wholes.values, bounds, x, y, spans, firsts, which, results)
    return results


def measure_word_for_word(
    words: UInt64Array, bounds: Int64Array, x: IntegerArray, y: IntegerArray, settings: ScanSettings
) -> SharedWords:
    """As `measure_shared` without reworked passages: all significant chains count."""
    results = SharedWords.none(len(x))
    for pair, (document_a, document_b) in enumerate(zip(x.tolist(), y.tolist(), strict=True)):
        stop_if_cancelled()
        a, b = (words[bounds[text] : bounds[text + 1]] for text in (document_a, document_b))
        order = int(compare_texts(a, b))
        is_turned = order < 0
        if is_turned:
            a, b = b, a
        b = np.where(b == GAP, SECOND_GAP, b)
        shorter = min(len(a), len(b))
        runs, offsets = find_chains(a, b) if order else NO_CHAINS
        if len(runs):
            information = measure_information(a, b)
            shortest = min(shortest_run(settings), shorter)
            lengths = shortest, settings.passage_length, MOST_OF_A_TEXT * shorter
            runs, offsets = select_chains(a, b, runs, offsets, *information, lengths)
        overlap = PairOverlap(*_overlap(a, b, NO_SPANS, runs, offsets))
        numbers = overlap.turned() if is_turned else overlap
        for name, number in zip(results._fields, numbers, strict=True):
            getattr(results, name)[pair] = number
    return results


@njit(nogil=True, cache=True)
def _measure(
    words: Any, bounds: Any, x: Any, y: Any, spans: Any, firsts: Any, which: Any, results: Any
) -> None:
    shortest, promised, all_pairs = which
    no_information = np.empty(0, dtype=np.float64)
    for pair in range(len(x)):
        pair_spans = spans[firsts[pair] : firsts[pair + 1]]
        if len(pair_spans) == 0 and not all_pairs:
            continue
        a, b = (
            words[bounds[x[pair]] : bounds[x[pair] + 1]],
            words[bounds[y[pair]] : bounds[y[pair] + 1]],
        )
        order = compare_texts(a, b)
        is_turned = order < 0
        if is_turned:
            a, b = b, a
            turned = np.empty((len(pair_spans), 6), dtype=np.int64)
            for span in range(len(pair_spans)):
                for column in range(6):
                    turned[span, column] = pair_spans[span, TURNED[column]]
            pair_spans = turned
        gapped = np.empty(len(b), dtype=np.uint64)
        for index in range(len(b)):
            gapped[index] = SECOND_GAP if b[index] == GAP else b[index]
        b = gapped
        runs, offsets = np.empty((0, 3), dtype=np.int64), np.zeros(1, dtype=np.int64)
        covers_a = covers_b = False  # whether a passage is the whole text
        for span in range(len(pair_spans)):
            covers_a |= pair_spans[span, 0] == 0 and pair_spans[span, 1] == len(a)
            covers_b |= pair_spans[span, 2] == 0 and pair_spans[span, 3] == len(b)
        if order and not (covers_a and covers_b):
            shorter = min(len(a), len(b))
            least = min(shortest, shorter)
            lengths = least, promised, MOST_OF_A_TEXT * shorter
            runs, offsets = find_chains(a, b)
            runs, offsets = select_chains(a, b, runs, offsets, no_information, np.inf, lengths)
        overlap, share_a, share_b, shared = _overlap(a, b, pair_spans, runs, offsets)
        results.overlap[pair], results.shared_words[pair] = overlap, shared
        results.overlap_a[pair] = share_b if is_turned else share_a
        results.overlap_b[pair] = share_a if is_turned else share_b


@njit(nogil=True, cache=True)
def _overlap(a: Any, b: Any, spans: Any, runs: Any, offsets: Any) -> Any:
    """The numbers of `PairOverlap`.

    Counts the words of each text, those in passages, and those of them that the other text has too:
    in a reworked passage the matching words, elsewhere the words of runs.
    """
    if compare_texts(a, b) == 0:
        words = 0
        for index in range(len(a)):
            words += a[index] != GAP
        return 1.0, 1.0, 1.0, words
    counts, shared, alike = np.zeros((3, 2), dtype=np.int64)
    for side in range(2):
        text = a if side == 0 else b
        marks = np.zeros(len(text), dtype=np.uint8)
        for span in range(len(spans)):
            alike[side] += spans[span, 4 + side]
            for index in range(spans[span, 2 * side], spans[span, 2 * side + 1]):
                marks[index] = IN_A_REWORKED_PASSAGE
        for chain in range(len(offsets) - 1):
            last = offsets[chain + 1] - 1
            for index in range(runs[offsets[chain], side], runs[last, side] + runs[last, 2]):
                marks[index] |= IN_A_CHAIN
            for run in range(offsets[chain], offsets[chain + 1]):
                for index in range(runs[run, side], runs[run, side] + runs[run, 2]):
                    marks[index] |= THE_SAME
        for index in range(len(text)):
            if text[index] != GAP and text[index] != SECOND_GAP:
                counts[side] += 1
                shared[side] += marks[index] > 0
                alike[side] += marks[index] == IN_A_CHAIN | THE_SAME
        alike[side] = min(alike[side], shared[side])
        counts[side] = max(counts[side], 1)
    overlap = (alike[0] / counts[0] + alike[1] / counts[1]) / 2
    return overlap, shared[0] / counts[0], shared[1] / counts[1], min(shared[0], shared[1])
