"""Runs that follow each other in both texts, joined to chains.

Sparse dynamic programming over matches, as genome aligners do it (Li, Minimap2, Bioinformatics
2018): a chain scores its shared words less the cost of its gaps, and of each run only the runs
that end shortly before it are asked, so that the time is linear in their number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.base.compiling import njit
from core.evidence.shared_runs import SEED

LONGEST_GAP = 32  # words between two runs of one passage, in either text
GAP_COST = 0.2  # shared words that one word of a gap outweighs
LONGEST_OVERLAP = 8  # words by which neighbouring runs of a passage may overlap
MOST_ASKED = 64  # runs that end shortly before another one, the nearest first
BLOCK_BITS = 6  # runs are looked up by their end in blocks of 64 words of B


class Chains(NamedTuple):
    """Chains of runs.

    Attributes:
        runs: int64 (n, 3): place in A, place in B, words; of the first chain, of the second, ...;
            neighbours do not overlap.
        offsets: int64, chain i has `runs[offsets[i]:offsets[i + 1]]`.
    """

    runs: Int64Array
    offsets: Int64Array


def chain_runs(runs: Int64Array, length_b: int) -> Chains:
    """Chains of maximal common runs; every run is in one of them, though it may be cut."""
    runs = np.take(runs, np.argsort(runs[:, 0], kind="stable"), axis=0)
    by_end = np.argsort(runs[:, 0] + runs[:, 2], kind="stable")
    scores = runs[:, 2].astype(np.float64)
    before = np.full(len(runs), -1, dtype=np.int64)
    newest = np.full((length_b >> BLOCK_BITS) + 1, -1, dtype=np.int64)
    _find_best(runs, by_end, scores, before, newest, np.empty_like(before))
    chained = np.empty_like(runs)
    offsets = np.zeros(len(runs) + 1, dtype=np.int64)
    count = _unwind(runs, before, np.argsort(-scores, kind="stable"), chained, offsets)
    return Chains(chained, offsets[: count + 1])


@njit(nogil=True, cache=True)
def _find_best(
    runs: Any,
    by_end: Any,
    scores: Any,
    before: Any,
    newest: Any,
    older: Any,
) -> None:
    """For each run, ordered by start in A: best score of a chain ending there, and the run before.

    Runs that end in the same block of B are linked: from `newest` through `older`.
    """
    count = len(runs)
    ended = 0
    for run in range(count):
        a, b = runs[run, 0], runs[run, 1]
        while ended < count:
            other = by_end[ended]
            if runs[other, 0] + runs[other, 2] > a + LONGEST_OVERLAP:
                break
            block = (runs[other, 1] + runs[other, 2]) >> BLOCK_BITS
            older[other] = newest[block]
            newest[block] = other
            ended += 1
        block = max(0, b - LONGEST_GAP) >> BLOCK_BITS
        last_block = min((b + LONGEST_OVERLAP) >> BLOCK_BITS, len(newest) - 1)
        while block <= last_block:
            _find_better(runs, scores, before, run, newest[block], older)
            block += 1


@njit(nogil=True, cache=True, inline="always")
def _find_better(
    runs: Any,
    scores: Any,
    before: Any,
    run: Any,
    earlier: Any,
    older: Any,
) -> None:
    """See which of the earlier runs of a block is best before a run."""
    a, b, words = runs[run, 0], runs[run, 1], runs[run, 2]
    asked = 0
    while earlier >= 0 and asked < MOST_ASKED:
        gap_a = a - runs[earlier, 0] - runs[earlier, 2]
        if gap_a > LONGEST_GAP:
            break
        gap_b = b - runs[earlier, 1] - runs[earlier, 2]
        overlap = max(0, -gap_a, -gap_b)
        behind = runs[earlier, 0] < a and runs[earlier, 1] < b
        if behind and overlap < min(words, LONGEST_OVERLAP + 1) and gap_b <= LONGEST_GAP:
            score = scores[earlier] + words - overlap - GAP_COST * max(gap_a, gap_b, 0)
            if score > scores[run]:
                scores[run] = score
                before[run] = earlier
        earlier = older[earlier]
        asked += 1


@njit(nogil=True, cache=True)
def _unwind(runs: Any, before: Any, order: Any, chained: Any, offsets: Any) -> Any:
    """Chains from their ends backwards, each as far as no chain before it has taken the runs."""
    used = np.zeros(len(runs), dtype=np.bool_)
    count = filled = 0
    for last in order:
        if used[last]:
            continue
        length = 0
        place = last
        while place >= 0 and not used[place]:
            used[place] = True
            length += 1
            place = before[place]
        filled += length
        place = last
        for index in range(filled - 1, filled - length - 1, -1):
            for column in range(3):
                chained[index, column] = runs[place, column]
            place = before[place]
        for index in range(filled - length + 1, filled):
            end_a = chained[index - 1, 0] + chained[index - 1, 2]
            end_b = chained[index - 1, 1] + chained[index - 1, 2]
            overlap = max(0, end_a - chained[index, 0], end_b - chained[index, 1])
            chained[index, 0] += overlap
            chained[index, 1] += overlap
            chained[index, 2] -= overlap
        count += 1
        offsets[count] = filled
    return count


def fill_gaps(a: UInt64Array, b: UInt64Array, chain: Int64Array) -> Int64Array:
    """A chain with the runs of at least a seed's length inside its gaps, the longest first.

    What is frequent in both texts is no seed, but between two runs it is found at once.
    """
    filled = np.empty((len(chain) * (1 + LONGEST_GAP // SEED), 3), dtype=np.int64)
    todo = np.empty((2 * LONGEST_GAP, 4), dtype=np.int64)
    return filled[: _fill(a, b, chain, todo, filled)]


@njit(nogil=True, cache=True)
def _fill(a: Any, b: Any, chain: Any, todo: Any, filled: Any) -> Any:
    """Boxes to look into are kept on a stack, and among them runs, as boxes that end before 0."""
    count = 0
    for index in range(len(chain)):
        left = 0
        if index > 0:
            for column in range(2):
                todo[0, column] = chain[index - 1, column] + chain[index - 1, 2]
                todo[0, column + 2] = chain[index, column]
            left = 1
        while left > 0:
            left -= 1
            if todo[left, 3] >= 0:
                left += _split(a, b, todo, left)
                continue
            for column in range(3):
                filled[count, column] = todo[left, column]
            count += 1
        for column in range(3):
            filled[count, column] = chain[index, column]
        count += 1
    return count


@njit(nogil=True, cache=True, inline="always")
def _split(a: Any, b: Any, todo: Any, left: Any) -> Any:
    """Put the longest run in a box, and the boxes beside it, in its place on the stack."""
    best_a = best_b = best = 0
    a_start, b_start, a_end, b_end = todo[left, 0], todo[left, 1], todo[left, 2], todo[left, 3]
    for place_a in range(a_start, a_end):
        for place_b in range(b_start, b_end):
            end_a, end_b = place_a, place_b
            while end_a < a_end and end_b < b_end and a[end_a] == b[end_b]:
                end_a += 1
                end_b += 1
            if end_a - place_a > best:
                best_a, best_b, best = place_a, place_b, end_a - place_a
    if best < SEED:
        return 0
    for column, value in enumerate((best_a + best, best_b + best, a_end, b_end)):
        todo[left, column] = value
    for column, value in enumerate((best_a, best_b, best, -1)):
        todo[left + 1, column] = value
    for column, value in enumerate((a_start, b_start, best_a, best_b)):
        todo[left + 2, column] = value
    return 3
