"""The maximal runs of words that two texts share, in nearly linear time.

Seeds are runs of three words that are in both texts. If a seed is frequent in both, as nearly all
are in Chinese, whose words are single characters, longer seeds are looked for at its occurrences,
each twice as long as the one before, until they are rare (adaptive seeds: Kiełbasa et al., Genome
Research 2011). Occurrences of a frequent seed that even the longest cannot distinguish are matched
in turn: the first with the first, the second with the second. So every word is matched with a few
positions at most, however often the texts repeat themselves, and every run as long as a rare seed
is found.

Runs that follow each other in both texts, joined to chains.

Sparse dynamic programming over matches, as genome aligners do it (Li, Minimap2, Bioinformatics
2018): a chain scores its shared words less the cost of its gaps, and for each run only the runs
that end shortly before it are tried, so that the time is linear in their number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt64Array, grown
from core.base.compiling import njit
from core.base.hashing import find_slot, may_be_among, mix, slots_for
from core.base.sorting import order_of

FACTOR = np.uint64(0x9E3779B97F4A7C15)


def make_grams(values: UInt64Array, length: int) -> UInt64Array:
    """The hash of the words from every index on; there are length - 1 fewer than words."""
    grams = values
    for words in range(1, length):
        grams = _joined(grams, values, words)
    return grams


SEED = 3  # words
RARE = 8  # occurrences of a rare seed at most, in one of the texts
LONG = 1 << 14  # words of a text from which on it pays to drop what only one text has
LEVELS = 5  # the longest seeds have 48 words


@njit(nogil=True, cache=True, inline="always")
def find_runs(a: Any, b: Any) -> Any:
    """Maximal common runs of two texts given as the values of their words.

    Returns:
        int64 (n, 3): index in A, index in B, words; in no order, none of them twice. Runs shorter
        than the texts and than three words are left out.
    """
    seed = min(SEED, len(a), len(b))
    if seed == 0:
        return np.empty((0, 3), dtype=np.int64)
    # Where in A to look for the seed at each index of B: `occurrences[first:stop:step]` by span.
    spans = np.zeros((len(b), 3), dtype=np.int64)
    spans[:, 2] = 1
    grams_a, grams_b = a, b
    for length in range(1, seed):
        grams_a, grams_b = _joined(grams_a, a, length), _joined(grams_b, b, length)
    if min(len(grams_a), len(grams_b)) >= LONG:  # most grams are in one text only
        at_a = np.flatnonzero(may_be_among(grams_a, grams_b))
        at_b = np.flatnonzero(may_be_among(grams_b, grams_a))
    else:
        at_a, at_b = np.arange(len(grams_a)), np.arange(len(grams_b))
    occurrences, used = np.empty(0, dtype=np.int64), 0
    for level in range(LEVELS):
        occurrences = grown(occurrences, used, used + len(at_a))
        at_a, at_b = _match_level(grams_a, grams_b, at_a, at_b, used, occurrences, spans)
        used, length = len(occurrences), seed << level
        if len(at_a) == 0:
            break
        grams_a, grams_b = _joined(grams_a, grams_a, length), _joined(grams_b, grams_b, length)
        at_a, at_b = at_a[at_a < len(grams_a)], at_b[at_b < len(grams_b)]
    matches = 0
    for first, stop, step in spans:
        matches += max(0, (stop - first + step - 1) // step)
    runs = np.empty((matches, 3), dtype=np.int64)
    # Matches are extended to maximal runs, each run once: B is read forwards on every diagonal.
    reach = np.zeros(len(a) + len(b), dtype=np.int64)  # by diagonal, where in A its last run ends
    count = 0
    for position in range(len(b)):
        index = spans[position, 0]
        while index < spans[position, 1]:
            start_a, start_b = occurrences[index], position
            index += spans[position, 2]
            diagonal = start_a - start_b + len(b)
            if start_a < reach[diagonal]:
                continue
            end_a, end_b = start_a, start_b
            while end_a < len(a) and end_b < len(b) and a[end_a] == b[end_b]:
                end_a += 1
                end_b += 1
            while start_a > 0 and start_b > 0 and a[start_a - 1] == b[start_b - 1]:
                start_a -= 1
                start_b -= 1
            if end_a - start_a >= seed:
                reach[diagonal] = end_a
                runs[count, 0], runs[count, 1], runs[count, 2] = start_a, start_b, end_a - start_a
                count += 1
    return runs[:count]


@njit(nogil=True, cache=True, inline="always")
def _match_level(
    grams_a: Any, grams_b: Any, at_a: Any, at_b: Any, used: Any, occurrences: Any, spans: Any
) -> Any:
    """Match the grams at the indices `at_a` of A with those at `at_b` of B.

    From `used` on, `occurrences` gets those of A, gram by gram and in order, and `spans` the ones
    that are matched with each index of B. Returns the indices whose gram is too frequent.
    """
    slots = slots_for(len(at_a))
    keys = np.empty(slots, dtype=np.uint64)
    in_a, in_b = np.zeros(slots, dtype=np.int32), np.zeros(slots, dtype=np.int32)
    firsts = np.full(slots, np.int32(-1))
    upcoming = np.zeros(slots, dtype=np.int32)
    slots_a, slots_b = np.empty(len(at_a), dtype=np.int32), np.empty(len(at_b), dtype=np.int32)
    for index in range(len(at_a)):
        slot = find_slot(keys, in_a, grams_a[at_a[index]])
        keys[slot] = grams_a[at_a[index]]
        in_a[slot] += np.int32(1)
        slots_a[index] = slot
    for index in range(len(at_b)):
        slot = find_slot(keys, in_a, grams_b[at_b[index]])
        slots_b[index] = slot
        in_b[slot] += np.int32(1) if in_a[slot] else np.int32(0)
    total = 0
    frequent = 0
    for index in range(len(at_a)):
        slot = slots_a[index]
        if firsts[slot] < 0:
            firsts[slot] = total
            total += in_a[slot]
        occurrences[used + firsts[slot] + upcoming[slot]] = at_a[index]
        upcoming[slot] += np.int32(1)
        frequent += min(in_a[slot], in_b[slot]) > RARE
    left_a, left_b = np.empty(frequent, dtype=np.int64), np.empty(len(at_b), dtype=np.int64)
    upcoming[:] = 0
    count = 0
    for index in range(len(at_b)):
        slot = slots_b[index]
        if in_a[slot] == 0:
            continue
        low, step = used + np.int64(firsts[slot]), np.int64(1)
        first = low
        if min(in_a[slot], in_b[slot]) > RARE:  # in turn: the first with the first
            first, step = low + upcoming[slot] % in_a[slot], np.int64(in_b[slot])
            upcoming[slot] += np.int32(1)
            left_b[count] = at_b[index]
            count += 1
        position = at_b[index]
        spans[position, 0], spans[position, 1], spans[position, 2] = first, low + in_a[slot], step
    frequent = 0
    for index in range(len(at_a)):
        if min(in_a[slots_a[index]], in_b[slots_a[index]]) > RARE:
            left_a[frequent] = at_a[index]
            frequent += 1
    return left_a, left_b[:count]


@njit(nogil=True, cache=True)
def _joined(grams: Any, following: Any, length: Any) -> Any:
    """Grams of `length` words, each joined with the one that begins where it ends."""
    joined = np.empty(max(0, len(following) - length), dtype=np.uint64)
    for index in range(len(joined)):
        joined[index] = mix(grams[index] * FACTOR + following[index + length])
    return joined


LONGEST_GAP = 32  # words between two runs of one passage, in either text
GAP_COST = 0.2  # shared words that one word of a gap outweighs
LONGEST_OVERLAP = 8  # words by which neighbouring runs of a passage may overlap
MOST_TRIED = 64  # runs that end shortly before a run, the nearest first
BLOCK_BITS = 6  # runs are looked up by their end in blocks of 64 words of B


class Chains(NamedTuple):
    """Chains of runs.

    Attributes:
        runs: int64 (n, 3): index in A, index in B, words; of the first chain, of the second, ...;
            neighbours do not overlap.
        offsets: int64, chain i has `runs[offsets[i]:offsets[i + 1]]`.
    """

    runs: Int64Array
    offsets: Int64Array


@njit(nogil=True, cache=True, inline="always")
def chain_runs(runs: Any, length_b: Any) -> Any:
    """Chains of maximal common runs, as in `Chains`; every run is in a chain, but may be cut."""
    runs = runs[order_of(runs[:, 0].astype(np.uint64))]
    by_end = order_of((runs[:, 0] + runs[:, 2]).astype(np.uint64))
    # By run: the best score of a chain that ends there, and the run before it.
    scores = runs[:, 2].astype(np.float64)
    before = np.full(len(runs), -1, dtype=np.int64)
    # Runs that end in the same block of B are linked: from the newest one through older ones.
    newest = np.full((length_b >> BLOCK_BITS) + 1, -1, dtype=np.int64)
    older = np.empty_like(before)
    ended = 0
    for run in range(len(runs)):
        a, b, words = runs[run, 0], runs[run, 1], runs[run, 2]
        while ended < len(runs):
            ended_run = by_end[ended]
            if runs[ended_run, 0] + runs[ended_run, 2] > a + LONGEST_OVERLAP:
                break
            block = (runs[ended_run, 1] + runs[ended_run, 2]) >> BLOCK_BITS
            older[ended_run] = newest[block]
            newest[block] = ended_run
            ended += 1
        block = max(0, b - LONGEST_GAP) >> BLOCK_BITS
        last_block = min((b + LONGEST_OVERLAP) >> BLOCK_BITS, len(newest) - 1)
        while block <= last_block:
            earlier, tried = newest[block], 0
            block += 1
            while earlier >= 0 and tried < MOST_TRIED:
                gap_a = a - runs[earlier, 0] - runs[earlier, 2]
                if gap_a > LONGEST_GAP:
                    break
                gap_b = b - runs[earlier, 1] - runs[earlier, 2]
                overlap = max(0, -gap_a, -gap_b)
                precedes = runs[earlier, 0] < a and runs[earlier, 1] < b
                if precedes and overlap < min(words, LONGEST_OVERLAP + 1) and gap_b <= LONGEST_GAP:
                    score = scores[earlier] + words - overlap - GAP_COST * max(gap_a, gap_b, 0)
                    if score > scores[run]:
                        scores[run] = score
                        before[run] = earlier
                earlier = older[earlier]
                tried += 1
    best_first = order_of(~scores.view(np.uint64))  # of positive numbers the bits are in order
    return _unwind(runs, before, best_first)


@njit(nogil=True, cache=True, inline="always")
def _unwind(runs: Any, before: Any, order: Any) -> Any:
    """Chains from their ends backwards, each up to the runs that an earlier chain has taken."""
    chained, offsets = np.empty_like(runs), np.zeros(len(runs) + 1, dtype=np.int64)
    used = np.zeros(len(runs), dtype=np.bool_)
    count = filled = 0
    for last in order:
        if used[last]:
            continue
        length = 0
        run = last
        while run >= 0 and not used[run]:
            used[run] = True
            length += 1
            run = before[run]
        filled += length
        run = last
        for index in range(filled - 1, filled - length - 1, -1):
            for column in range(3):
                chained[index, column] = runs[run, column]
            run = before[run]
        for index in range(filled - length + 1, filled):
            end_a = chained[index - 1, 0] + chained[index - 1, 2]
            end_b = chained[index - 1, 1] + chained[index - 1, 2]
            overlap = max(0, end_a - chained[index, 0], end_b - chained[index, 1])
            chained[index, 0] += overlap
            chained[index, 1] += overlap
            chained[index, 2] -= overlap
        count += 1
        offsets[count] = filled
    return chained, offsets[: count + 1]


@njit(nogil=True, cache=True)
def fill_gaps(a: Any, b: Any, chain: Any) -> Any:
    """A chain with the runs of at least a seed's length inside its gaps, the longest first.

    Words that are frequent in both texts are no seed, but between two runs they are found at once.
    """
    filled = np.empty((len(chain) * (1 + LONGEST_GAP // SEED), 3), dtype=np.int64)
    # A stack of boxes to search, and among them runs, as boxes that end before 0.
    boxes = np.empty((2 * LONGEST_GAP, 4), dtype=np.int64)
    count = 0
    for index in range(len(chain)):
        height = 0
        if index > 0:
            boxes[0, 0] = chain[index - 1, 0] + chain[index - 1, 2]
            boxes[0, 1] = chain[index - 1, 1] + chain[index - 1, 2]
            boxes[0, 2], boxes[0, 3] = chain[index, 0], chain[index, 1]
            height = 1
        while height > 0:
            height -= 1
            start_a, start_b = boxes[height, 0], boxes[height, 1]
            end_a, end_b = boxes[height, 2], boxes[height, 3]
            if end_b < 0:
                filled[count, 0], filled[count, 1], filled[count, 2] = start_a, start_b, end_a
                count += 1
                continue
            best_a = best_b = best = 0
            for index_a in range(start_a, end_a):
                for index_b in range(start_b, end_b):
                    words = 0
                    while index_a + words < end_a and index_b + words < end_b:
                        if a[index_a + words] != b[index_b + words]:
                            break
                        words += 1
                    if words > best:
                        best_a, best_b, best = index_a, index_b, words
            if best < SEED:
                continue
            # The box before the longest run is on top, then come the run and the box after it.
            boxes[height, 0], boxes[height, 1] = best_a + best, best_b + best
            boxes[height + 1, 0], boxes[height + 1, 1] = best_a, best_b
            boxes[height + 1, 2], boxes[height + 1, 3] = best, -1
            boxes[height + 2, 0], boxes[height + 2, 1] = start_a, start_b
            boxes[height + 2, 2], boxes[height + 2, 3] = best_a, best_b
            height += 3
        for column in range(3):
            filled[count, column] = chain[index, column]
        count += 1
    return filled[:count]
