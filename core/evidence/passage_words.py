"""Classifies the words of a passage: the same, in another form, exchanged, in one text only.

1. Runs that are the same in both texts align the passage: the ones in the same order are in place,
   the others were moved.
2. Between them, words are paired that are the same or forms of the same word.
3. Words left over between two pairs replace each other, as far as both texts have some; the rest
   are in one text only.

Which words of two short stretches correspond, where many were exchanged.

Global alignment with affine gaps (Gotoh, Journal of Molecular Biology 1982): words that are the
same, or forms of the same word, earn as much as they have letters; a word that replaces another
costs little, and a stretch that only one text has costs most for its first word. So an inserted
sentence stays in one piece, and a common word pairs with an equal one only where that breaks
nothing up.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import (
    BoolArray,
    Float64Array,
    Int64Array,
    UInt8Array,
    UInt64Array,
    equal_parts,
    indices_from,
)
from core.base.compiling import njit
from core.base.tasks import stop_if_cancelled
from core.evidence.shared_runs import Chains

LEAST_MOVED = 4  # words


def heaviest_rising(starts_b: Int64Array, weights: Int64Array) -> BoolArray:
    """The heaviest set of parts, given in the order of A, that keep their order in B.

    Args:
        starts_b: int64, where each part begins in B.
        weights: int64, the weight of each.
    """
    kept = np.ones(len(starts_b), dtype=np.bool_)
    if (np.diff(starts_b) > 0).all():
        return kept
    kept[:] = False
    kept[heaviest_rising_parts(starts_b.tolist(), weights.tolist())] = True
    return kept


def heaviest_rising_parts(start: Sequence[int], weight: Sequence[int]) -> list[int]:
    """The numbers of these parts, ascending (heaviest increasing subsequence)."""
    best: list[int] = []
    before: list[int] = []
    ends: list[tuple[int, int]] = []  # start and part: each heavier and further on in B
    for part, (begin, value) in enumerate(zip(start, weight, strict=True)):
        index = bisect_left(ends, (begin, -1))
        before.append(ends[index - 1][1] if index else -1)
        best.append(value + (best[before[-1]] if index else 0))
        last = index
        while last < len(ends) and best[ends[last][1]] <= best[part]:
            last += 1
        ends[index:last] = [(begin, part)]
    in_order: list[int] = []
    part = best.index(max(best)) if best else -1
    while part >= 0:
        in_order.append(part)
        part = before[part]
    return in_order[::-1]


MOST_CELLS = 400_000  # of a gap; a larger one is split at words that both sides have once
AT_ONCE = 8_000_000  # cells between two checks for cancelling
HEAVIEST = 8  # letters of a word that count
EXCHANGED, OPENED, EXTENDED = -2, -4, -1
NEVER = -(1 << 40)
PAIR, ONLY_A, ONLY_B = 0, 1, 2  # the ending of a cell, which has two bits for each, in this order
NO_PAIRS = np.empty((0, 2), dtype=np.int64)


def pair_in_gaps(
    a: UInt64Array, b: UInt64Array, letters: UInt8Array, gaps: Int64Array
) -> Int64Array:
    """Pair the words that are alike within each gap.

    Args:
        a: uint64, values of the words of a text, equal if words are alike.
        b: Values of the words of another text.
        letters: uint8, of each word of `a`, `HEAVIEST` at most.
        gaps: int64 (n, 4), first word and end in `a`, the same in `b`; ascending, apart.

    Returns:
        int64 (n, 2), indices of words in `a` and in `b`, ascending in both.
    """
    sizes = _sizes(gaps)
    parts, small = [NO_PAIRS], [gaps[(sizes > 0) & (sizes <= MOST_CELLS)]]
    for gap in gaps[sizes > MOST_CELLS]:
        stop_if_cancelled()
        held = _unique_words(a, b, gap)
        parts.append(held)
        between_held = between(held, gap)
        sizes = _sizes(between_held)
        small.append(between_held[(sizes > 0) & (sizes <= MOST_CELLS)])
    left = np.concatenate(small)
    sizes = _sizes(left)
    ways = np.empty(int(sizes.max(initial=0)), dtype=np.uint8)
    for part in equal_parts(sizes, AT_ONCE):
        stop_if_cancelled()
        parts.append(_pair(a, b, letters, left[part], ways))
    pairs = np.concatenate(parts)
    return pairs[np.argsort(pairs[:, 0], kind="stable")]


def between(pairs: Int64Array, box: Sequence[int] | Int64Array) -> Int64Array:
    """int64 (n + 1, 4): the gaps before, between and after n pairs within a part of both texts.

    Like the part itself, each is the first index and the end in A, and the same in B.
    """
    first_a, end_a, first_b, end_b = box
    starts = np.concatenate([[[first_a, first_b]], pairs + 1])
    ends = np.concatenate([pairs, [[end_a, end_b]]])
    return np.stack([starts[:, 0], ends[:, 0], starts[:, 1], ends[:, 1]], axis=1)


def _unique_words(a: UInt64Array, b: UInt64Array, gap: Int64Array) -> Int64Array:
    """Words that occur once on each side of a gap, in order (patience diff, Bram Cohen)."""
    once = []
    for values, first, end in ((a, gap[0], gap[1]), (b, gap[2], gap[3])):
        order = np.argsort(values[first:end], kind="stable")
        ordered = values[first:end][order]
        new = np.concatenate([[True], ordered[1:] != ordered[:-1], [True]])
        alone = new[1:] & new[:-1]
        once.append((ordered[alone], order[alone] + first))
    _, in_a, in_b = np.intersect1d(once[0][0], once[1][0], True, return_indices=True)
    pairs = np.stack([once[0][1][in_a], once[1][1][in_b]], axis=1)
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    kept: Int64Array = pairs[heaviest_rising(pairs[:, 1], np.ones(len(pairs), dtype=np.int64))]
    return kept


def _sizes(gaps: Int64Array) -> Int64Array:
    """The number of cells of each gap."""
    return np.asarray((gaps[:, 1] - gaps[:, 0]) * (gaps[:, 3] - gaps[:, 2]))


@njit(nogil=True, cache=True)
def _pair(a: Any, b: Any, letters: Any, gaps: Any, ways: Any) -> Any:
    """Pair the words of gaps.

    For every pair of words `ways` stores what each ending comes from. Scores are multiplied by four
    and 2 is added for a pair, 1 for a word of A alone: the last two bits of the largest of three
    are the best ending.
    """
    room = most = 0
    for gap in range(len(gaps)):
        columns = gaps[gap, 3] - gaps[gap, 2]
        room += min(gaps[gap, 1] - gaps[gap, 0], columns)
        most = max(most, columns)
    pairs = np.empty((room, 2), dtype=np.int64)
    above = np.empty((most + 1, 3), dtype=np.int64)  # the scores of the row above, by ending
    count = 0
    for gap in range(len(gaps)):
        first_a, end_a, first_b, end_b = gaps[gap, 0], gaps[gap, 1], gaps[gap, 2], gaps[gap, 3]
        columns = end_b - first_b
        for column in range(columns + 1):
            above[column, PAIR] = above[column, ONLY_A] = NEVER
            above[column, ONLY_B] = OPENED + column * EXTENDED if column else NEVER
        above[0, PAIR] = 0
        for row in range(end_a - first_a):
            value, earned = a[first_a + row], np.int64(letters[first_a + row]) + 1
            corner = max(4 * above[0, PAIR] + 2, 4 * above[0, ONLY_A] + 1, 4 * above[0, ONLY_B])
            pair, alone_a, alone_b = NEVER, OPENED + (row + 1) * EXTENDED, NEVER
            above[0, PAIR], above[0, ONLY_A], above[0, ONLY_B] = pair, alone_a, alone_b
            for column in range(columns):
                left = max(4 * (pair + OPENED) + 2, 4 * (alone_a + OPENED) + 1, 4 * alone_b)
                pair = (corner >> 2) + (earned if value == b[first_b + column] else EXCHANGED)
                way = 2 - (corner & 3)
                over_pair, over_a = above[column + 1, PAIR], above[column + 1, ONLY_A]
                over_b = above[column + 1, ONLY_B]
                corner = max(4 * over_pair + 2, 4 * over_a + 1, 4 * over_b)
                up = max(4 * (over_pair + OPENED) + 2, 4 * over_a + 1, 4 * (over_b + OPENED))
                alone_a, alone_b = (up >> 2) + EXTENDED, (left >> 2) + EXTENDED
                ways[row * columns + column] = way | (2 - (up & 3)) << 2 | (2 - (left & 3)) << 4
                above[column + 1, PAIR] = pair
                above[column + 1, ONLY_A] = alone_a
                above[column + 1, ONLY_B] = alone_b
        over_pair, over_a = above[columns, PAIR], above[columns, ONLY_A]
        ending = 2 - (max(4 * over_pair + 2, 4 * over_a + 1, 4 * above[columns, ONLY_B]) & 3)
        row, column = end_a - first_a - 1, columns - 1
        while row >= 0 and column >= 0:
            way = np.int64(ways[row * columns + column]) >> (2 * ending) & 3
            if ending == PAIR and a[first_a + row] == b[first_b + column]:
                pairs[count, 0], pairs[count, 1] = first_a + row, first_b + column
                count += 1
            row -= ending != ONLY_B
            column -= ending != ONLY_A
            ending = way
    return pairs[:count].copy()


LONGEST_STEP = 12  # words between two runs that were moved together
REACH = 12  # words around moved ones, in either direction, among which more may be alike
LONGEST_EXCHANGE = 8  # words; a longer stretch was left out and another one inserted
FARTHEST = 6  # words from a pair to the next, around moved words


class Words(NamedTuple):
    """The words of a text.

    Attributes:
        values: uint64, equal if words are the same.
        forms: uint64, equal if they are forms of the same word.
        near: uint64, equal if they are forms of the same word, or both are numbers.
        letters: uint8, how many of its letters count.
    """

    values: UInt64Array
    forms: UInt64Array
    near: UInt64Array
    letters: UInt8Array


class ComparedWords(NamedTuple):
    """The classified words of a passage; indices are those of the whole texts.

    Attributes:
        same: int64 (n, 3), runs that are the same: index in A, index in B, words; in the order of
            A.
        moved: bool, which of them are in another order in B.
        near: int64 (n, 2), words that correspond to another form of the same word.
        exchanged: int64 (n, 3), like `same`: words that replace as many others.
    """

    same: Int64Array
    moved: BoolArray
    near: Int64Array
    exchanged: Int64Array

    @staticmethod
    def of_runs(runs: Int64Array) -> ComparedWords:
        """The words of a passage of which only these runs are known."""
        nothing = np.empty((0, 3), dtype=np.int64)
        return ComparedWords(runs, np.zeros(len(runs), np.bool_), nothing[:, :2], nothing)


MOST_OF_A_RUN = 0.9  # is in the passage


class RunsByStart:
    """The runs of all chains of a pair, by their start in A."""

    def __init__(self, chains: Chains, scores: Float64Array) -> None:
        """`scores` are those of the chains: runs of better chains come first."""
        chain_of = np.repeat(np.arange(len(scores)), np.diff(chains.offsets))
        order = np.argsort(chains.runs[:, 0], kind="stable")
        self._runs = chains.runs[order]
        self._ends = self._runs[:, 0] + self._runs[:, 2]
        self._reached = np.maximum.accumulate(self._ends)
        self._scores = scores[chain_of[order]]

    def within(self, box: Int64Array) -> Int64Array:
        """The runs within a passage, those of the best chain first.

        A run may go on beyond the passage, where forms of a word are alike and the words are not:
        in both texts at once, or by little. Then its part in the passage is given.
        """
        low = np.searchsorted(self._reached, box[0], side="right")
        high = np.searchsorted(self._runs[:, 0], box[1])
        near = low + np.flatnonzero(self._ends[low:high] > box[0])
        runs = self._runs[near]
        before = np.maximum(box[[0, 2]] - runs[:, :2], 0)
        beyond = np.maximum(runs[:, :2] + runs[:, 2:] - box[[1, 3]], 0)
        first = before.max(axis=1)
        words = runs[:, 2] - first - beyond.max(axis=1)
        in_both = (before[:, 0] == before[:, 1]) & (beyond[:, 0] == beyond[:, 1])
        inside = (words > 0) & (in_both | (words >= MOST_OF_A_RUN * runs[:, 2]))
        parts = np.column_stack([runs[:, :2] + first[:, None], words])[inside]
        order = np.argsort(-self._scores[near][inside], kind="stable")
        ordered: Int64Array = parts[order]
        return ordered


def compare_words(a: Words, b: Words, box: Int64Array, runs: Int64Array) -> ComparedWords:
    """Classify the words of a passage.

    Args:
        a: A text.
        b: The other text.
        box: int64 (4), the passage: its first word and end in A, the same in B.
        runs: int64 (n, 3), index in A, index in B, words: runs within the passage, the best first.
    """
    first_a, end_a, first_b, end_b = box.tolist()
    is_single_run = len(runs) > 0 and end_a - first_a == end_b - first_b == runs[0, 2]
    if is_single_run and np.array_equal(a.values[first_a:end_a], b.values[first_b:end_b]):
        return ComparedWords.of_runs(runs[:1])
    taken = np.zeros(box[1] - box[0], np.bool_), np.zeros(box[3] - box[2], np.bool_)
    pairs = np.empty((min(map(len, taken)), 2), np.int64)
    pairs = _in_order_of_a(pairs[: _claim(runs - (box[0], box[2], 0), taken, pairs)])
    groups = _moved_groups(pairs)
    pairs = pairs[groups >= 0] + (box[0], box[2])
    groups = groups[groups >= 0]
    filler = _Filler(a, b, box, pairs)
    in_order, *away = (
        np.split(pairs[np.argsort(groups, kind="stable")], np.cumsum(np.bincount(groups))[:-1])
        if len(groups)
        else [pairs]
    )
    for group in away:
        filler.fill_moved(group)
    moved = sum(map(len, filler.paired))
    filler.fill(box, in_order)
    return _classified(a, b, filler, moved)


def _classified(a: Words, b: Words, filler: _Filler, moved: int) -> ComparedWords:
    """The results of all parts of a passage; the first `moved` pairs are the moved ones."""
    paired, exchanged = np.concatenate(filler.paired), np.concatenate(filler.exchanged)
    same = a.values[paired[:, 0]] == b.values[paired[:, 1]]
    other_forms = ~same & (a.forms[paired[:, 0]] == b.forms[paired[:, 1]])
    exchanged = np.concatenate([exchanged, paired[~same & ~other_forms]])  # other numbers
    is_away = np.arange(len(paired)) < moved
    kinds = [_runs(_in_order_of_a(paired[same & (is_away == kind)])) for kind in (True, False)]
    joined = np.concatenate(kinds)
    order = np.argsort(joined[:, 0], kind="stable")
    return ComparedWords(
        joined[order],
        order < len(kinds[0]),
        _in_order_of_a(paired[other_forms]),
        _runs(_in_order_of_a(exchanged)),
    )


def _in_order_of_a(pairs: Int64Array) -> Int64Array:
    ordered: Int64Array = pairs[np.argsort(pairs[:, 0], kind="stable")]
    return ordered


def _runs(pairs: Int64Array) -> Int64Array:
    """Pairs in the order of A as runs of neighbours: index in A, index in B, words."""
    new = np.append(len(pairs[:1]) > 0, (np.diff(pairs, axis=0) != 1).any(axis=1))
    starts = np.flatnonzero(new[: len(pairs)])
    return np.column_stack([pairs[starts], np.diff(np.append(starts, len(pairs)))])


@njit(nogil=True, cache=True)
def _claim(runs: Any, taken: Any, pairs: Any) -> Any:
    """Pair the words of runs that no earlier run has paired; returns the number of pairs."""
    count = 0
    for run in range(len(runs)):
        for step in range(runs[run, 2]):
            index_a, index_b = runs[run, 0] + step, runs[run, 1] + step
            if not taken[0][index_a] and not taken[1][index_b]:
                taken[0][index_a] = taken[1][index_b] = True
                pairs[count, 0], pairs[count, 1] = index_a, index_b
                count += 1
    return count


def _moved_groups(pairs: Int64Array) -> Int64Array:
    """For each pair in the order of A 0 if it keeps its order in B, or the number of a group.

    Pairs that were moved together are a group; pairs of groups that are too small are -1.
    """
    groups = np.zeros(len(pairs), dtype=np.int64)
    if not len(pairs) or (np.diff(pairs[:, 1]) > 0).all():
        return groups
    starts = np.flatnonzero(np.append(True, (np.diff(pairs, axis=0) != 1).any(axis=1)))
    sizes = np.diff(np.append(starts, len(pairs)))
    away = ~heaviest_rising(pairs[starts, 1], sizes)
    number, last = 0, -1
    for part in np.flatnonzero(away).tolist():
        joined = False
        if last == part - 1 and last >= 0:
            step = pairs[starts[part]] - pairs[starts[part] - 1]
            joined = bool((step > 0).all() and (step <= LONGEST_STEP).all())
        number += not joined
        groups[starts[part] : starts[part] + sizes[part]] = number
        last = part
    return _without_chance(groups)


def _without_chance(groups: Int64Array) -> Int64Array:
    """Groups renumbered from 1 without gaps; -1 for pairs of those that are too small."""
    sizes = np.bincount(groups)
    enough = sizes >= LEAST_MOVED
    enough[0] = False
    numbers = np.where(enough, np.cumsum(enough), -1)
    numbers[0] = 0
    renumbered: Int64Array = numbers[groups]
    return renumbered


class _Filler:
    """Pairs the words between pairs that are known, part by part of a passage.

    `paired` and `exchanged` are int64 (n, 2) of each part: words that are alike, and words that
    replace others. A word of a part is in no later one.
    """

    def __init__(self, a: Words, b: Words, box: Int64Array, held: Int64Array) -> None:
        """`held` are all pairs that are known, int64 (n, 2)."""
        self._a, self._b = a, b
        self._box = box
        self._free = [np.ones(box[2 * side + 1] - box[2 * side], np.bool_) for side in (0, 1)]
        self._held = [np.zeros(len(free), np.bool_) for free in self._free]
        for side in (0, 1):
            self._held[side][held[:, side] - box[2 * side]] = True
        self.paired: list[Int64Array] = []
        self.exchanged: list[Int64Array] = []

    def fill_moved(self, held: Int64Array) -> None:
        """Pair the words between pairs that were moved together, and words around them."""
        inner = np.stack([held[0], held[-1] + 1]).T.ravel()
        outer = inner.copy()
        for side in (0, 1):
            stops = self._held[side] | ~self._free[side]
            first, end = inner[2 * side : 2 * side + 2] - self._box[2 * side]
            before = np.flatnonzero(stops[max(first - REACH, 0) : first][::-1])
            after = np.flatnonzero(stops[end : end + REACH])
            outer[2 * side] -= before[0] if len(before) else min(REACH, first)
            outer[2 * side + 1] += after[0] if len(after) else min(REACH, len(stops) - end)
        around = np.array(
            [(outer[0], inner[0], outer[2], inner[2]), (inner[1], outer[1], inner[3], outer[3])]
        )
        added = pair_in_gaps(self._a.near, self._b.near, self._a.letters, around)
        pairs = _in_order_of_a(np.concatenate([held, added]))
        far = np.flatnonzero((np.diff(pairs, axis=0) > FARTHEST).any(axis=1))
        middle = np.searchsorted(pairs[:, 0], held[0, 0])
        last = np.searchsorted(pairs[:, 0], held[-1, 0])
        low = far[far < middle].max(initial=-1) + 1
        high = far[far >= last].min(initial=len(pairs) - 1) + 1
        pairs = pairs[low:high]
        self.fill(np.stack([pairs[0], pairs[-1] + 1]).T.ravel(), pairs)

    def fill(self, box: Int64Array, held: Int64Array) -> None:
        """Pair the words between pairs of a part, int64 (n, 2), which ascend in both texts."""
        stay = [self._taken(side, box[2 * side], box[2 * side + 1]) for side in (0, 1)]
        near = np.stack(
            [np.searchsorted(indices, held[:, side]) for side, indices in enumerate(stay)], axis=1
        )
        is_present = np.ones(len(held), np.bool_)
        for side, indices in enumerate(stay):
            is_present &= np.append(indices, -1)[near[:, side]] == held[:, side]
        near = near[is_present]
        ends = 0, len(stay[0]), 0, len(stay[1])
        a, b, letters = self._a.near[stay[0]], self._b.near[stay[1]], self._a.letters[stay[0]]
        added = pair_in_gaps(a, b, letters, between(near, ends))
        near = _in_order_of_a(np.concatenate([near, added]))
        self.paired.append(_indices_of(stay, near))
        self.exchanged.append(_indices_of(stay, _in_turn(between(near, ends))))

    def _taken(self, side: int, first: np.int64, end: np.int64) -> Int64Array:
        """Take the words of a stretch that were in no part before."""
        start = self._box[2 * side]
        free = self._free[side][first - start : end - start]
        stay: Int64Array = np.flatnonzero(free) + first
        free[:] = False
        return stay


def _indices_of(stay: list[Int64Array], pairs: Int64Array) -> Int64Array:
    return np.stack([indices[pairs[:, side]] for side, indices in enumerate(stay)], axis=1)


def _in_turn(gaps: Int64Array) -> Int64Array:
    """Pair the words of each short gap in turn: the first with the first, and so on."""
    words = np.minimum(gaps[:, 1] - gaps[:, 0], gaps[:, 3] - gaps[:, 2])
    words[words > LONGEST_EXCHANGE] = 0
    return np.stack([indices_from(gaps[:, 0], words), indices_from(gaps[:, 2], words)], axis=1)
