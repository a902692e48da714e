"""How much of two texts is in passages that both share: the number that a list is sorted by.

The passages are those that the compare view marks (`core.evidence.passages`): reworked ones, and
chains of runs that are passages by themselves. The words of each text that are in at least one of
them are counted once; text set aside has no words, and a letter is a word in scripts without
spaces. That is the share of A, and of B. The overlap of the pair is the mean of both shares without
the words of these passages that are in one text only, or replace other words.

Of what was tried it sets pairs of bills that people called alike before others more surely than the
same with words that differ, the larger share of the two, or resemblance alone.

Which chains of shared runs are passages: significant ones that show something new.

How much two texts would share by chance; only more than that is called a passage.

The information of shared words is -log2 of their probability in these two texts: of each word after
the two before it, as often as they follow each other elsewhere in the texts (an interpolated
trigram model: MacKay and Peto, Natural Language Engineering 1995). So common words count little,
and turns of phrase that both texts use again and again count hardly more than their first word. A
match could begin at every word of A and every word of B: by chance, a pair has one passage of
log2(words of A x words of B) bits (Karlin and Altschul, PNAS 1990). The floor is 20 bits above
that, about two words, because no model of two texts knows all the turns of a language. Measured on
documents about different things: Chinese laws have 16 passages a pair instead of 97 without a
floor, 1.4 of them shorter than 8 characters instead of 58; terms of service 0.9 instead of 5. Of
500 copied sentences of 8 to 12 words none was lost; of 15 in texts of eight documents each, where
the same is said elsewhere in both, two were.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import (
    Float64Array,
    Int32Array,
    Int64Array,
    IntegerArray,
    UInt64Array,
    grown,
    starts_of_runs,
)
from core.base.compiling import njit
from core.base.sorting import order_of
from core.base.tasks import stop_if_cancelled
from core.evidence.pairs import NOT_MEASURED
from core.evidence.passage import PairOverlap
from core.evidence.shared_runs import (
    GAP_COST,
    LONGEST_GAP,
    SEED,
    Chains,
    chain_runs,
    fill_gaps,
    find_runs,
    make_grams,
)
from core.settings import ScanSettings
from core.text.set_aside import GAP

MARGIN = 20.0  # bits
ORDER = 3  # words of the model: each is predicted by the two before it
WEIGHT = 4.0  # how many times a phrase has to recur until it counts as much as its words
VOCABULARY = 1000.0  # words that count as seen once, so that short texts have rare words too
PREDICTABLE = 2.0**-3  # probability of a word in a phrase that recurs: long phrases are no chance
COMPARED_COUNT = 1.5  # occurrences of the shared words themselves, and half for a possible copy


class Information(NamedTuple):
    """Bits of the words of A if B has them too.

    Attributes:
        sums: float64 (words of A + 1): the bits of words i to j are sums[j] - sums[i].
        least: Bits from which shared words are a passage.
    """

    sums: Float64Array
    least: float


def least_bits(words_a: int, words_b: int) -> float:
    """The bits from which words that two texts of these lengths share are a passage."""
    return math.log2(max(words_a, 1)) + math.log2(max(words_b, 1)) + MARGIN


def measure_information(a: UInt64Array, b: UInt64Array) -> Information:
    """The information of the words of A, in two texts given as the values of their words."""
    bits = -np.log2(_probabilities(a, b))
    return Information(np.concatenate([[0.0], np.cumsum(bits)]), least_bits(len(a), len(b)))


def _probabilities(a: UInt64Array, b: UInt64Array) -> Float64Array:
    """The probability of each word of A given those before it, without its own occurrence."""
    in_a, in_b = _counts(a, b)
    probable = (np.maximum(in_a + in_b - 2, 0) + 1) / (len(a) + len(b) + VOCABULARY)
    often = np.maximum(probable, PREDICTABLE)
    recur = _recurrences(in_a, in_b)
    for length in range(2, min(ORDER, len(a), len(b)) + 1):
        stop_if_cancelled()
        grams = make_grams(a, length), make_grams(b, length)
        longer = _recurrences(*_counts(*grams))
        after = probable[length - 1 :]
        after *= WEIGHT
        after += longer
        after /= recur[: len(longer)] + WEIGHT
        recur = longer
    return np.minimum(probable, often)


def _recurrences(in_a: Float64Array, in_b: Float64Array) -> Float64Array:
    """How often a phrase recurs in both texts besides the occurrences that are compared."""
    return np.maximum(np.sqrt(in_a * in_b) - COMPARED_COUNT, 0)


def _counts(a: UInt64Array, b: UInt64Array) -> tuple[Float64Array, Float64Array]:
    """How often each hash of A occurs in A, and in B; they are not both empty.

    Hash and index are sorted as one number. So the lowest bits of the hashes are lost: of a million
    hashes, two different ones agree by chance with a probability of .03.
    """
    count = len(a) + len(b)
    bits = np.uint64(count.bit_length())
    keys = np.concatenate([a, b])
    keys >>= bits
    keys <<= bits
    keys |= np.arange(count, dtype=np.uint64)
    keys.sort()
    stop_if_cancelled()
    indices = (keys & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64)
    keys >>= bits
    starts = starts_of_runs(keys)
    sizes = np.diff(np.append(starts, count))
    is_in_a = indices < len(a)
    # As numbers: else NumPy keeps the interpreter while it adds.
    of_a = np.add.reduceat(is_in_a.astype(np.int64), starts)
    stop_if_cancelled()
    run_of = np.repeat(np.arange(len(starts)), sizes)[is_in_a]
    in_a, in_b = np.empty((2, len(a)))
    indices = indices[is_in_a]
    in_a[indices], in_b[indices] = of_a[run_of], (sizes - of_a)[run_of]
    return in_a, in_b


TELLING_SCORE = 8.0  # shared words less gaps from which scattered short runs are a passage
NEW_TEXT = 0.5  # share of a passage, in one of the documents, that no earlier one shows
MOST_OF_A_TEXT = 0.5  # share of the shorter text from which what is shared is never chance
IN_A_GAP, THE_SAME = np.uint8(1), np.uint8(2)  # how a word is shown: it differs, or is the same
SECOND_GAP = GAP ^ np.uint64(1)  # a gap in the second text, which matches none in the first
SCORE, CHAIN_BITS, SIGNIFICANT = range(3)  # columns of the measurements of a chain
SIGN, NEGATIVE = np.uint64(63), np.uint64(1 << 63)  # of the bits of a number
NO_INFORMATION = np.empty(0, dtype=np.float64)


def shortest_run(settings: ScanSettings) -> int:
    """The shortest run that is significant by itself, in words."""
    return max(settings.k if settings.unit == "word" else SEED + 2, SEED + 1)


class PassageCriteria(NamedTuple):
    """When a chain of runs is worth showing.

    `shortest_run` is the shortest run that is significant by itself, `promised` the shortest that
    lists a pair, `most` the length that is most of the shorter text; all in words.
    """

    information: Information
    shortest_run: int
    promised: int
    most: float

    @staticmethod
    def of(a: UInt64Array, b: UInt64Array, settings: ScanSettings) -> PassageCriteria:
        """The criteria for two texts."""
        shorter = min(len(a), len(b))
        return PassageCriteria(
            measure_information(a, b),
            min(shortest_run(settings), shorter),
            settings.passage_length,
            MOST_OF_A_TEXT * shorter,
        )

    @property
    def lengths(self) -> tuple[int, int, float]:
        """The criteria of length, for kernels."""
        return self.shortest_run, self.promised, self.most

    @property
    def least_tokens(self) -> int:
        """About how many words a passage needs, if they are neither common nor rare."""
        sums = self.information.sums
        mean = float(sums[-1]) / max(len(sums) - 1, 1)
        words = min(self.information.least / mean if mean else self.most, self.most)
        return max(self.shortest_run, math.ceil(words))

    def scores(self, chains: Chains) -> Float64Array:
        """Shared words of each chain, less the cost of its gaps."""
        measured = _measure_chains(*chains, NO_INFORMATION, math.inf, self.lengths)
        return np.asarray(measured[:, SCORE])

    def bits_of(self, chain: Int64Array) -> float:
        """The information of a chain, less log2 of how many other gaps there could be in it."""
        bounds = np.array([0, len(chain)])
        return float(_measure_chains(chain, bounds, *self.information, self.lengths)[0, CHAIN_BITS])


@njit(nogil=True, cache=True)
def find_chains(a: Any, b: Any) -> Any:
    """All chains of runs of a pair, as `Chains`; no chain crosses a gap of text set aside.

    A gap is `GAP` in the first text and `SECOND_GAP` in the second. Words on its two sides are
    moved too far apart for a chain.
    """
    runs = find_runs(a, b)
    if len(runs) == 0:
        return Chains(runs, np.zeros(1, dtype=np.int64))
    apart_a, apart_b = np.empty(len(a), dtype=np.int64), np.empty(len(b), dtype=np.int64)
    for side in range(2):
        values, apart, gap = (a, apart_a, GAP) if side == 0 else (b, apart_b, SECOND_GAP)
        shift = 0
        for index in range(len(values)):
            if values[index] == gap:
                shift += LONGEST_GAP
            apart[index] = index + shift
        for run in range(len(runs)):
            runs[run, side] = apart[runs[run, side]]
    runs, offsets = chain_runs(runs, apart_b[-1] + 1)
    for side in range(2):
        apart = apart_a if side == 0 else apart_b
        indices = np.empty(apart[-1] + 1, dtype=np.int32)
        for index in range(len(apart)):
            indices[apart[index]] = index
        for run in range(len(runs)):
            runs[run, side] = indices[runs[run, side]]
    return Chains(runs, offsets)


def significant_chains(
    a: UInt64Array, b: UInt64Array, worth: PassageCriteria, *, by_themselves: bool = False
) -> list[Int64Array]:
    """The significant chains of a pair, best first.

    Args:
        a: The words of the first text.
        b: The words of the second text.
        worth: The criteria.
        by_themselves: Only chains that are a passage even if reworked ones are looked for and none
            holds them: with a run that lists the pair, or with most of the shorter text.

    Returns:
        For each int64 (runs, 3): index in A, index in B, words.
    """
    stop_if_cancelled()
    if compare_texts(a, b) == 0:
        # Equal texts that repeat themselves have millions of chains, none of which counts.
        ends = np.append(np.flatnonzero(a == GAP), len(a))
        starts = np.append(0, ends[:-1] + 1)
        return [np.array([[s, s, e - s]]) for s, e in zip(starts, ends, strict=True) if s < e]
    sums = NO_INFORMATION if by_themselves else worth.information.sums
    least = math.inf if by_themselves else worth.information.least
    chains: Chains = find_chains(a, b)
    stop_if_cancelled()
    runs, offsets = select_chains(a, b, *chains, sums, least, worth.lengths)
    return [runs[start:end] for start, end in pairwise(offsets.tolist())]


@njit(nogil=True, cache=True)
def _measure_chains(runs: Any, offsets: Any, sums: Any, least: Any, lengths: Any) -> Any:
    """The score of each chain, its bits, and whether it is significant: float64 (n, 3).

    Without information the bits are 0.
    """
    shortest, promised, most = lengths
    measured = np.zeros((len(offsets) - 1, 3), dtype=np.float64)
    for chain in range(len(measured)):
        longest = words = np.int64(0)
        score = bits = 0.0
        for run in range(offsets[chain], offsets[chain + 1]):
            length = runs[run, 2]
            longest, words = max(longest, length), words + length
            score += length
            if len(sums):
                bits += sums[runs[run, 0] + length] - sums[runs[run, 0]]
            if run > offsets[chain]:
                before = runs[run - 1, 2]
                gap_a = runs[run, 0] - runs[run - 1, 0] - before
                gap_b = runs[run, 1] - runs[run - 1, 1] - before
                score -= GAP_COST * max(gap_a, gap_b)
                if len(sums):
                    bits -= np.log2(1.0 + gap_a) + np.log2(1.0 + gap_b)
        is_enough = longest >= promised or words >= most or bits >= least
        measured[chain, SCORE], measured[chain, CHAIN_BITS] = score, bits
        measured[chain, SIGNIFICANT] = is_enough and (longest >= shortest or score >= TELLING_SCORE)
    return measured


@njit(nogil=True, cache=True)
def select_chains(
    a: Any, b: Any, runs: Any, offsets: Any, sums: Any, least: Any, lengths: Any
) -> Any:
    """The significant chains of texts that differ: all runs, and where each chain starts."""
    significant = np.empty(len(offsets) - 1, dtype=np.int64)
    scores = np.empty(len(significant), dtype=np.float64)
    measured = _measure_chains(runs, offsets, sums, least, lengths)
    count = 0
    for chain in range(len(significant)):
        if measured[chain, SIGNIFICANT]:
            significant[count], scores[count] = chain, measured[chain, SCORE]
            count += 1
    shown_a, shown_b = np.zeros(len(a), dtype=np.uint8), np.zeros(len(b), dtype=np.uint8)
    if count == 0:
        shown_a, shown_b = shown_a[:0], shown_b[:0]
    chosen = np.empty((count, 3), dtype=np.int64)
    chosen_offsets = np.zeros(count + 1, dtype=np.int64)
    chains = filled = 0
    bounds = np.zeros(2, dtype=np.int64)
    keys = scores[:count].view(np.uint64)
    for index in range(count):  # the highest first, those below zero last
        keys[index] = keys[index] if keys[index] >> SIGN else ~keys[index] ^ NEGATIVE
    for index in order_of(keys):
        number = significant[index]
        chain = _new_part(runs[offsets[number] : offsets[number + 1]], shown_a, shown_b)
        bounds[1] = len(chain)
        if len(chain) and _measure_chains(chain, bounds, sums, least, lengths)[0, SIGNIFICANT]:
            chain = fill_gaps(a, b, chain)
            for side in range(2):
                shown = shown_a if side == 0 else shown_b
                for word in range(chain[0, side], chain[-1, side] + chain[-1, 2]):
                    shown[word] = max(shown[word], IN_A_GAP)
                for run in range(len(chain)):
                    for word in range(chain[run, side], chain[run, side] + chain[run, 2]):
                        shown[word] = THE_SAME
            if filled + len(chain) > len(chosen):
                chosen = grown(chosen, filled, 2 * (filled + len(chain)))
            for run in range(len(chain)):
                for column in range(3):
                    chosen[filled + run, column] = chain[run, column]
            filled += len(chain)
            chains += 1
            chosen_offsets[chains] = filled
    return chosen[:filled], chosen_offsets[: chains + 1]


@njit(nogil=True, cache=True)
def compare_texts(a: Any, b: Any) -> Any:
    """1 if text a is compared as the first, -1 if text b is.

    That is the longer one, or the one with greater words. 0 if both have the same words, and gaps
    at the same indices.
    """
    if len(a) != len(b):
        return 1 if len(a) > len(b) else -1
    for index in range(len(a)):
        if a[index] != b[index] and not (a[index] == GAP and b[index] == SECOND_GAP):
            return 1 if a[index] > b[index] else -1
    return 0


@njit(nogil=True, cache=True, inline="always")
def _new_part(chain: Any, shown_a: Any, shown_b: Any) -> Any:
    """The part of a chain that the passages before it have not shown.

    That is text beyond them in one of the documents, or text that they show as different in both.
    """
    differs, beyond = 1.0, 0.0
    for side in range(2):
        shown = shown_a if side == 0 else shown_b
        first, end = chain[0, side], chain[-1, side] + chain[-1, 2]
        different = new = 0
        for index in range(first, end):
            different += shown[index] < THE_SAME
            new += shown[index] < IN_A_GAP
        differs = min(differs, different / (end - first))
        beyond = max(beyond, new / (end - first))
    if differs < NEW_TEXT:
        return chain if beyond >= NEW_TEXT else chain[:0]
    # Cut the ends that earlier passages show.
    first_run = last_run = first_step = last_step = -1
    for run in range(len(chain)):
        for step in range(chain[run, 2]):
            if (
                shown_a[chain[run, 0] + step] < THE_SAME
                and shown_b[chain[run, 1] + step] < THE_SAME
            ):
                if first_run < 0:
                    first_run, first_step = run, step
                last_run, last_step = run, step
    if first_run < 0:
        return chain[:0]
    trimmed = chain[first_run : last_run + 1].copy()
    trimmed[-1, 2] = last_step + 1
    trimmed[0, 0] += first_step
    trimmed[0, 1] += first_step
    trimmed[0, 2] -= first_step
    return trimmed


IN_A_REWORKED_PASSAGE, IN_A_CHAIN, SAME_WORD = np.uint8(1), np.uint8(2), np.uint8(4)
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
        is_turned = int(compare_texts(a, b)) < 0
        if is_turned:
            a, b = b, a
        b = np.where(b == GAP, SECOND_GAP, b)
        chains = significant_chains(a, b, PassageCriteria.of(a, b, settings))
        overlap = overlap_of(a, b, NO_SPANS, chains)
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
                    marks[index] |= SAME_WORD
        for index in range(len(text)):
            if text[index] != GAP and text[index] != SECOND_GAP:
                counts[side] += 1
                shared[side] += marks[index] > 0
                alike[side] += marks[index] == IN_A_CHAIN | SAME_WORD
        alike[side] = min(alike[side], shared[side])
        counts[side] = max(counts[side], 1)
    overlap = (alike[0] / counts[0] + alike[1] / counts[1]) / 2
    return overlap, shared[0] / counts[0], shared[1] / counts[1], min(shared[0], shared[1])
