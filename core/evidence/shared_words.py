"""How much of two texts stands in passages that both share: the number that a list is sorted by.

The passages are those that the compare view marks (`core.evidence.passages`): reworked ones, and
chains of runs that are passages by themselves. Of each text the words are counted that stand in at
least one of them, each once; what is set aside is no word, and a letter is one in scripts without
spaces. That is the share of A, and of B. The overlap of the pair is the mean of both shares without
the words of these passages that stand in one text only, or in the place of other words.

Area under the ROC curve, of pairs of bills that people judged alike to a degree of 1, 2 or 3 at
least, and what is not listed last: .989, .995 and .993; where words that differ count too, .984,
.988 and .965; by the larger share of the two, .978, .974 and .934; by resemblance alone, .987, .994
and .987.
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
    OTHER_GAP,
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
    """How much of pairs of texts stands in the passages of each, by pair; -1 where not measured.

    Attributes:
        overlap: float64, the mean of both shares without words that differ.
        overlap_a: float64, the share of the words of A.
        overlap_b: float64, the share of those of B.
        shared_words: int32, the words, in the text where they are fewer.
    """

    overlap: Float64Array
    overlap_a: Float64Array
    overlap_b: Float64Array
    shared_words: Int32Array

    @staticmethod
    def none(pairs: int) -> SharedWords:
        """Those of pairs that were not measured."""
        overlap, in_a, in_b = np.full((3, pairs), float(NOT_MEASURED))
        return SharedWords(overlap, in_a, in_b, np.full(pairs, NOT_MEASURED, dtype=np.int32))

    def put(self, rows: slice | IntegerArray, others: SharedWords) -> None:
        """Fill in those of some of the pairs."""
        for name in self._fields:
            getattr(self, name)[rows] = getattr(others, name)


class PairOverlap(NamedTuple):
    """The same of one pair, in numbers."""

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
    """How much of two texts stands in their passages.

    Args:
        a: The words of a text, with gaps.
        b: Those of the other.
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
        shortest: How many words in a row tell something alone.
        promised: How many list a pair.
    """

    values: UInt64Array
    shortest: int
    promised: int

    @staticmethod
    def of(values: UInt64Array, settings: ScanSettings) -> WholeWords:
        """Under some settings."""
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
        wholes: The words of all documents, one after the other.
        bounds: Document i has those from `bounds[i]` to `bounds[i + 1]`.
        x: First documents of the pairs.
        y: Second documents.
        spans: The reworked passages of all pairs, as in `ReworkedPassages`.
        owners: The pair of each, ascending.
        all_pairs: Whether those without any are measured, too.
    """
    firsts = np.searchsorted(owners, np.arange(len(x) + 1))
    results = SharedWords.none(len(x))
    which = wholes.shortest, wholes.promised, all_pairs
    _measure(wholes.values, bounds, x, y, spans, firsts, which, results)
    return results


def measure_word_for_word(
    words: UInt64Array, bounds: Int64Array, x: IntegerArray, y: IntegerArray, settings: ScanSettings
) -> SharedWords:
    """The same where no reworked passages are looked for: all chains that tell something count."""
    results = SharedWords.none(len(x))
    for pair, (one, other) in enumerate(zip(x.tolist(), y.tolist(), strict=True)):
        stop_if_cancelled()
        a, b = (words[bounds[text] : bounds[text + 1]] for text in (one, other))
        order = int(compare_texts(a, b))
        is_turned = order < 0
        if is_turned:
            a, b = b, a
        b = np.where(b == GAP, OTHER_GAP, b)
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
    words: Any,
    bounds: Any,
    x: Any,
    y: Any,
    spans: Any,
    firsts: Any,
    which: Any,
    results: Any,
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
        for place in range(len(b)):
            gapped[place] = OTHER_GAP if b[place] == GAP else b[place]
        b = gapped
        runs, offsets = np.empty((0, 3), dtype=np.int64), np.zeros(1, dtype=np.int64)
        whole_a = whole_b = False  # whether one of the passages is the whole text
        for span in range(len(pair_spans)):
            whole_a |= pair_spans[span, 0] == 0 and pair_spans[span, 1] == len(a)
            whole_b |= pair_spans[span, 2] == 0 and pair_spans[span, 3] == len(b)
        if order and not (whole_a and whole_b):
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

    Of each text are counted its words, those in passages, and of these those that the other text
    has too: in a reworked passage those that matched, elsewhere those of runs.
    """
    if compare_texts(a, b) == 0:
        words = 0
        for place in range(len(a)):
            words += a[place] != GAP
        return 1.0, 1.0, 1.0, words
    counts, shared, alike = np.zeros((3, 2), dtype=np.int64)
    for side in range(2):
        text = a if side == 0 else b
        marks = np.zeros(len(text), dtype=np.uint8)
        for span in range(len(spans)):
            alike[side] += spans[span, 4 + side]
            for place in range(spans[span, 2 * side], spans[span, 2 * side + 1]):
                marks[place] = IN_A_REWORKED_PASSAGE
        for chain in range(len(offsets) - 1):
            last = offsets[chain + 1] - 1
            for place in range(runs[offsets[chain], side], runs[last, side] + runs[last, 2]):
                marks[place] |= IN_A_CHAIN
            for run in range(offsets[chain], offsets[chain + 1]):
                for place in range(runs[run, side], runs[run, side] + runs[run, 2]):
                    marks[place] |= THE_SAME
        for place in range(len(text)):
            if text[place] != GAP and text[place] != OTHER_GAP:
                counts[side] += 1
                shared[side] += marks[place] > 0
                alike[side] += marks[place] == IN_A_CHAIN | THE_SAME
        alike[side] = min(alike[side], shared[side])
        counts[side] = max(counts[side], 1)
    overlap = (alike[0] / counts[0] + alike[1] / counts[1]) / 2
    return overlap, shared[0] / counts[0], shared[1] / counts[1], min(shared[0], shared[1])
