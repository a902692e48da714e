"""Which chains of shared runs are passages: those that tell something, and something new.

What two texts would share by chance, so that only what is more than that is called a passage.

The information of shared words is -log2 of their probability in these two texts: of each word
after the two before it, as often as they follow each other there elsewhere (an interpolated
trigram model: MacKay and Peto, Natural Language Engineering 1995). So common words count little,
and turns of phrase that both texts use again and again count hardly more than their first word.
Between every place of A and every place of B a match could begin: by chance, passages of
log2(words of A x words of B) bits are met once in a pair (Karlin and Altschul, PNAS 1990). The
floor is 20 bits above that, about two words, because no model of two texts knows all the turns of a
language. Measured on documents about different things: Chinese laws have 16 passages a pair where
there were 97 without a floor, 1.4 of them shorter than 8 characters instead of 58; terms of service
0.9 instead of 5. Of 500 copied sentences of 8 to 12 words none was lost; of 15 in texts of eight
documents each, where what they say stands elsewhere in both, two were.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import Float64Array, Int64Array, UInt64Array
from core.base.compiling import njit
from core.base.hashing import order_of
from core.base.tasks import stop_if_cancelled
from core.evidence.shared_runs import (
    GAP_COST,
    LONGEST_GAP,
    SEED,
    Chains,
    chain_runs,
    fill_gaps,
    find_runs,
    group,
    make_grams,
)
from core.settings import ScanSettings
from core.text.set_aside import GAP

MARGIN = 20.0  # bits
ORDER = 3  # words of the model: each is told after the two before it
WEIGHT = 4.0  # how many times a phrase has to recur until it counts as much as its words
VOCABULARY = 1000.0  # words that count as seen once, so that short texts have rare words too
PREDICTABLE = 2.0**-3  # probability of a word in a phrase that recurs: long phrases are no chance
OWN = 1.5  # how often the shared words themselves stand there; half another time may be a copy


class Information(NamedTuple):
    """Bits of the words of A, where B has them too.

    Attributes:
        sums: float64, one more than A has words: the bits of words i to j are sums[j] - sums[i].
        least: Bits from which shared words are a passage.
    """

    sums: Float64Array
    least: float


def least_bits(words_a: int, words_b: int) -> float:
    """The bits from which words that two texts of some length share are a passage."""
    return math.log2(max(words_a, 1)) + math.log2(max(words_b, 1)) + MARGIN


def measure_information(a: UInt64Array, b: UInt64Array) -> Information:
    """The information of the words of A, of two texts given as the values of their words."""
    bits = -np.log2(_probabilities(a, b))
    return Information(np.concatenate([[0.0], np.cumsum(bits)]), least_bits(len(a), len(b)))


def _probabilities(a: UInt64Array, b: UInt64Array) -> Float64Array:
    """Of each word of A after those before it, as if what stands there were not yet written."""
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
    """How often something recurs in both texts besides the places that are compared."""
    return np.maximum(np.sqrt(in_a * in_b) - OWN, 0)


def _counts(a: UInt64Array, b: UInt64Array) -> tuple[Float64Array, Float64Array]:
    """How often what stands at each place of A stands in A, and in B."""
    groups = group(a, b)
    stop_if_cancelled()
    of = np.repeat(np.arange(len(groups.starts)), groups.in_a + groups.in_b)
    here = groups.places < len(a)
    places, of = groups.places[here], of[here]
    in_a, in_b = np.empty(len(a)), np.empty(len(a))
    in_a[places] = groups.in_a[of]
    in_b[places] = groups.in_b[of]
    return in_a, in_b


TELLING_SCORE = 8.0  # shared words less gaps from which scattered short runs are a passage
NEW_TEXT = 0.5  # share of a passage, in one of the documents, that no earlier one shows
MOST_OF_A_TEXT = 0.5  # share of the shorter text from which what is shared is never chance
IN_A_GAP, THE_SAME = np.uint8(1), np.uint8(2)  # what is shown of a word: it differs, is the same
OTHER_GAP = GAP ^ np.uint64(1)  # a gap in the second text, which is not as one in the first
SIGN, NEGATIVE = np.uint64(63), np.uint64(1 << 63)  # of the bits of a number
NO_INFORMATION = np.empty(0, dtype=np.float64)
NO_CHAINS = Chains(np.empty((0, 3), dtype=np.int64), np.zeros(1, dtype=np.int64))


def shortest_run(settings: ScanSettings) -> int:
    """The shortest run that tells something alone, in words."""
    return max(settings.k if settings.unit == "word" else SEED + 2, SEED + 1)


class PassageCriteria(NamedTuple):
    """What makes a chain of runs worth showing.

    `shortest_run` is the shortest run that tells something alone, `promised` the one that lists a
    pair, `most` what is most of the shorter text; all in words.
    """

    information: Information
    shortest_run: int
    promised: int
    most: float

    @staticmethod
    def of(a: UInt64Array, b: UInt64Array, settings: ScanSettings) -> PassageCriteria:
        """What it takes in two texts."""
        shorter = min(len(a), len(b))
        return PassageCriteria(
            measure_information(a, b),
            min(shortest_run(settings), shorter),
            settings.passage_length,
            MOST_OF_A_TEXT * shorter,
        )

    @property
    def least_tokens(self) -> int:
        """About how many words a passage needs, if they are neither common nor rare."""
        sums = self.information.sums
        mean = float(sums[-1]) / max(len(sums) - 1, 1)
        words = min(self.information.least / mean if mean else self.most, self.most)
        return max(self.shortest_run, math.ceil(words))

    def scores(self, chains: Chains) -> Float64Array:
        """Shared words of each chain less the cost of its gaps."""
        scores: Float64Array = _scores(chains.runs, chains.offsets)
        return scores

    def bits_of(self, chain: Int64Array) -> float:
        """The information of a chain, less log2 of how many other gaps there could be in it."""
        return float(_measure(chain, self.information.sums)[3])


@njit(nogil=True, cache=True)
def find_chains(a: Any, b: Any) -> Any:
    """All chains of runs of a pair, as `Chains`; gaps between text that is set aside part them.

    A gap is `GAP` in the first text and `OTHER_GAP` in the second. What it parts is put too far
    apart for one chain.
    """
    runs = find_runs(a, b)
    if len(runs) == 0:
        return Chains(runs, np.zeros(1, dtype=np.int64))
    apart_a, apart_b = np.empty(len(a), dtype=np.int64), np.empty(len(b), dtype=np.int64)
    for side in range(2):
        values, apart, gap = (a, apart_a, GAP) if side == 0 else (b, apart_b, OTHER_GAP)
        shift = 0
        for place in range(len(values)):
            if values[place] == gap:
                shift += LONGEST_GAP
            apart[place] = place + shift
        for run in range(len(runs)):
            runs[run, side] = apart[runs[run, side]]
    runs, offsets = chain_runs(runs, apart_b[-1] + 1)
    for side in range(2):
        apart = apart_a if side == 0 else apart_b
        places = np.empty(apart[-1] + 1, dtype=np.int32)
        for place in range(len(apart)):
            places[apart[place]] = place
        for run in range(len(runs)):
            runs[run, side] = places[runs[run, side]]
    return Chains(runs, offsets)


def significant_chains(
    a: UInt64Array, b: UInt64Array, worth: PassageCriteria, *, by_themselves: bool = False
) -> list[Int64Array]:
    """Those of the chains of a pair that tell something, best first.

    Args:
        a: The words of the first text.
        b: Those of the second.
        worth: What tells something.
        by_themselves: Only those that are a passage where reworked ones are looked for and none
            holds them: with a run that lists the pair, or with most of the shorter text.

    Returns:
        Of each int64 (runs, 3): place in A, place in B, words.
    """
    stop_if_cancelled()
    sums = NO_INFORMATION if by_themselves else worth.information.sums
    least = math.inf if by_themselves else worth.information.least
    lengths = worth.shortest_run, worth.promised, worth.most
    # Two equal texts have millions of chains where they repeat themselves, and none of them counts.
    chains: Chains = NO_CHAINS if have_same_words(a, b) else find_chains(a, b)
    stop_if_cancelled()
    runs, offsets = select_chains(a, b, *chains, sums, least, lengths)
    return [runs[start:end] for start, end in pairwise(offsets.tolist())]


@njit(nogil=True, cache=True)
def _scores(runs: Any, offsets: Any) -> Any:
    sums = np.empty(0, dtype=np.float64)
    scores = np.empty(len(offsets) - 1, dtype=np.float64)
    for chain in range(len(scores)):
        scores[chain] = _measure(runs[offsets[chain] : offsets[chain + 1]], sums)[2]
    return scores


@njit(nogil=True, cache=True)
def _measure(chain: Any, sums: Any) -> Any:
    """The longest run of a chain, its words, its score, and its bits; 0 without information."""
    longest = words = np.int64(0)
    score = bits = 0.0
    for run in range(len(chain)):
        length = chain[run, 2]
        longest, words = max(longest, length), words + length
        score += length
        if len(sums):
            bits += sums[chain[run, 0] + length] - sums[chain[run, 0]]
        if run:
            before = chain[run - 1, 2]
            gap_a = chain[run, 0] - chain[run - 1, 0] - before
            gap_b = chain[run, 1] - chain[run - 1, 1] - before
            score -= GAP_COST * max(gap_a, gap_b)
            if len(sums):
                bits -= np.log2(1.0 + gap_a) + np.log2(1.0 + gap_b)
    return longest, words, score, bits


@njit(nogil=True, cache=True)
def _tells(measured: Any, least: Any, lengths: Any) -> Any:
    """Whether a chain that was measured is worth showing, if nothing else shows its text."""
    longest, words, score, bits = measured
    shortest, promised, most = lengths
    if longest < shortest and score < TELLING_SCORE:
        return False
    return longest >= promised or words >= most or bits >= least


@njit(nogil=True, cache=True)
def select_chains(
    a: Any,
    b: Any,
    runs: Any,
    offsets: Any,
    sums: Any,
    least: Any,
    lengths: Any,
) -> Any:
    """What `significant_chains` does, as the runs of all and where each chain begins."""
    if have_same_words(a, b):
        return _stretches(a)
    telling = np.empty(len(offsets) - 1, dtype=np.int64)
    scores = np.empty(len(telling), dtype=np.float64)
    count = 0
    for chain in range(len(telling)):
        measured = _measure(runs[offsets[chain] : offsets[chain + 1]], sums)
        if _tells(measured, least, lengths):
            telling[count], scores[count] = chain, measured[2]
            count += 1
    shown_a, shown_b = np.zeros(len(a), dtype=np.uint8), np.zeros(len(b), dtype=np.uint8)
    if count == 0:
        shown_a, shown_b = shown_a[:0], shown_b[:0]
    chosen, chosen_offsets = np.empty((0, 3), dtype=np.int64), np.zeros(count + 1, dtype=np.int64)
    chains = 0
    keys = scores[:count].view(np.uint64)
    for index in range(count):  # the highest first, those below zero last
        keys[index] = keys[index] if keys[index] >> SIGN else ~keys[index] ^ NEGATIVE
    for index in order_of(keys):
        number = telling[index]
        chain = _new_part(runs[offsets[number] : offsets[number + 1]], shown_a, shown_b)
        if len(chain) and _tells(_measure(chain, sums), least, lengths):
            chain = fill_gaps(a, b, chain)
            for side in range(2):
                shown = shown_a if side == 0 else shown_b
                for place in range(chain[0, side], chain[-1, side] + chain[-1, 2]):
                    shown[place] = max(shown[place], IN_A_GAP)
                for run in range(len(chain)):
                    for place in range(chain[run, side], chain[run, side] + chain[run, 2]):
                        shown[place] = THE_SAME
            chosen = np.concatenate((chosen, chain))
            chains += 1
            chosen_offsets[chains] = len(chosen)
    return chosen, chosen_offsets[: chains + 1]


@njit(nogil=True, cache=True)
def have_same_words(a: Any, b: Any) -> Any:
    """Whether two texts have the same words, and gaps at the same places."""
    if len(a) != len(b):
        return False
    for place in range(len(a)):
        if a[place] != b[place] and not (a[place] == GAP and b[place] == OTHER_GAP):
            return False
    return True


@njit(nogil=True, cache=True)
def _stretches(words: Any) -> Any:
    """The stretches between the gaps of a text, as chains of it with itself."""
    runs = np.empty((len(words), 3), dtype=np.int64)
    count = 0
    for place in range(len(words)):
        if words[place] != GAP:
            if place == 0 or words[place - 1] == GAP:
                runs[count, 0] = runs[count, 1] = place
                runs[count, 2] = 0
                count += 1
            runs[count - 1, 2] += 1
    return runs[:count], np.arange(count + 1)


@njit(nogil=True, cache=True)
def _new_part(chain: Any, shown_a: Any, shown_b: Any) -> Any:
    """What of a chain the passages before it have not shown.

    That is text beyond them in one of the documents, or text that they leave as different in both.
    """
    differs, beyond = 1.0, 0.0
    for side in range(2):
        shown = shown_a if side == 0 else shown_b
        first, end = chain[0, side], chain[-1, side] + chain[-1, 2]
        different = new = 0
        for place in range(first, end):
            different += shown[place] < THE_SAME
            new += shown[place] < IN_A_GAP
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
