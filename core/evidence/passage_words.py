"""What became of the words of a passage: the same, in another form, exchanged, in one text only.

1. Runs that are the same in both texts hold the passage together: those in one order where they
   stand, the others moved (`core.evidence.passage_words`).
2. Between them, words are paired that are the same or forms of one word
   (`core.evidence.passage_words`).
3. What is left over between two pairs stands in the place of each other, as far as both texts have
   something there; the rest stands in one text only.

Which words of two short stretches stand for each other, where many were exchanged.

Global alignment with affine gaps (Gotoh, Journal of Molecular Biology 1982): words that are the
same, or forms of one word, earn as much as they have letters; a word in the place of another costs
little, and a stretch that one text has alone costs most for its first word. So a sentence that was
put in stays in one piece, and a common word pairs with another like it only where that breaks
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
    places_from,
)
from core.base.compiling import njit
from core.base.tasks import stop_if_cancelled
from core.evidence.hunks import LEAST_MOVED, between
from core.evidence.shared_runs import Chains


def heaviest_rising(places_b: Int64Array, weights: Int64Array) -> BoolArray:
    """Of parts in the order of A, those of most weight together that keep their order in B.

    Args:
        places_b: int64, where each part begins in B.
        weights: int64, what each counts.
    """
    kept = np.ones(len(places_b), dtype=np.bool_)
    if (np.diff(places_b) > 0).all():
        return kept
    kept[:] = False
    kept[heaviest_rising_places(places_b.tolist(), weights.tolist())] = True
    return kept


def heaviest_rising_places(start: Sequence[int], weight: Sequence[int]) -> list[int]:
    """The numbers of the same parts, ascending (heaviest increasing subsequence)."""
    best: list[int] = []
    before: list[int] = []
    ends: list[tuple[int, int]] = []  # start and place: the heavier ones, each further on in B
    for place, (here, value) in enumerate(zip(start, weight, strict=True)):
        index = bisect_left(ends, (here, -1))
        before.append(ends[index - 1][1] if index else -1)
        best.append(value + (best[before[-1]] if index else 0))
        last = index
        while last < len(ends) and best[ends[last][1]] <= best[place]:
            last += 1
        ends[index:last] = [(here, place)]
    in_order: list[int] = []
    place = best.index(max(best)) if best else -1
    while place >= 0:
        in_order.append(place)
        place = before[place]
    return in_order[::-1]


MOST_CELLS = 400_000  # of a gap; a larger one is parted at words that both sides have once
AT_ONCE = 8_000_000  # cells between two looks at whether to stop
HEAVIEST = 8  # letters of a word that count
EXCHANGED, OPENED, EXTENDED = -2, -4, -1
NEVER = -(1 << 40)
PAIR, ONLY_A, ONLY_B = 0, 1, 2  # what a cell ends with: two bits of it for each, in this order
NO_PAIRS = np.empty((0, 2), dtype=np.int64)


def pair_in_gaps(
    a: UInt64Array, b: UInt64Array, letters: UInt8Array, gaps: Int64Array
) -> Int64Array:
    """Pair the words of some gaps that are alike, each gap by itself.

    Args:
        a: uint64, values of the words of a text, equal where words are alike.
        b: Those of another one.
        letters: uint8, of each word of `a`, `HEAVIEST` at most.
        gaps: int64 (n, 4), first word and end in `a`, the same in `b`; ascending, apart.

    Returns:
        int64 (n, 2), places in `a` and in `b`, ascending in both.
    """
    sizes = _sizes(gaps)
    parts, small = [NO_PAIRS], [gaps[(sizes > 0) & (sizes <= MOST_CELLS)]]
    for gap in gaps[sizes > MOST_CELLS]:
        stop_if_cancelled()
        held = _met_once(a, b, gap)
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


def _met_once(a: UInt64Array, b: UInt64Array, gap: Int64Array) -> Int64Array:
    """Words that stand once on each side of a gap, in order (patience diff, Bram Cohen)."""
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
    """How many cells each gap has."""
    return np.asarray((gaps[:, 1] - gaps[:, 0]) * (gaps[:, 3] - gaps[:, 2]))


@njit(nogil=True, cache=True)
def _pair(a: Any, b: Any, letters: Any, gaps: Any, ways: Any) -> Any:
    """Pair the words of gaps.

    For every pair of words `ways` notes what each ending comes from. Of three scores that are four
    times as large, with 2 added for a pair and 1 for a word of A alone, the largest says the best
    ending by its last two bits.
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
            pair, own_a, own_b = NEVER, OPENED + (row + 1) * EXTENDED, NEVER
            above[0, PAIR], above[0, ONLY_A], above[0, ONLY_B] = pair, own_a, own_b
            for column in range(columns):
                left = max(4 * (pair + OPENED) + 2, 4 * (own_a + OPENED) + 1, 4 * own_b)
                pair = (corner >> 2) + (earned if value == b[first_b + column] else EXCHANGED)
                way = 2 - (corner & 3)
                over_pair, over_a = above[column + 1, PAIR], above[column + 1, ONLY_A]
                over_b = above[column + 1, ONLY_B]
                corner = max(4 * over_pair + 2, 4 * over_a + 1, 4 * over_b)
                up = max(4 * (over_pair + OPENED) + 2, 4 * over_a + 1, 4 * (over_b + OPENED))
                own_a, own_b = (up >> 2) + EXTENDED, (left >> 2) + EXTENDED
                ways[row * columns + column] = way | (2 - (up & 3)) << 2 | (2 - (left & 3)) << 4
                above[column + 1, PAIR] = pair
                above[column + 1, ONLY_A] = own_a
                above[column + 1, ONLY_B] = own_b
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
REACH = 12  # words around what was moved, in either direction, among which more may be alike
LONGEST_EXCHANGE = 8  # words; longer ones in both texts are other text, left out and put in
FARTHEST = 6  # words from one of these to the next


class Words(NamedTuple):
    """The words of a text.

    Attributes:
        values: uint64, equal where words are the same.
        forms: uint64, equal where they are forms of one word.
        near: uint64, equal where they are forms of one word, or both are numbers.
        letters: uint8, how many each has, as far as they count.
    """

    values: UInt64Array
    forms: UInt64Array
    near: UInt64Array
    letters: UInt8Array


class ComparedWords(NamedTuple):
    """The words of a passage by what became of them; places are those of the whole texts.

    Attributes:
        same: int64 (n, 3), runs that are the same: place in A, place in B, words; in the order of
            A.
        moved: bool, which of them stand in another order in B.
        near: int64 (n, 2), words that stand for each other and are not the same.
        exchanged: int64 (n, 3), like `same`: words that stand in the place of as many others.
    """

    same: Int64Array
    moved: BoolArray
    near: Int64Array
    exchanged: Int64Array

    @staticmethod
    def of_runs(runs: Int64Array) -> ComparedWords:
        """Where only these runs are known."""
        nothing = np.empty((0, 3), dtype=np.int64)
        return ComparedWords(runs, np.zeros(len(runs), np.bool_), nothing[:, :2], nothing)


class RunsByPlace:
    """The runs of all chains of a pair, by their place in A."""

    def __init__(self, chains: Chains, scores: Float64Array) -> None:
        """`scores` are those of the chains: the better one is asked first."""
        of = np.repeat(np.arange(len(scores)), np.diff(chains.offsets))
        order = np.argsort(chains.runs[:, 0], kind="stable")
        self._runs = chains.runs[order]
        self._ends = self._runs[:, :2] + self._runs[:, 2:]
        self._scores = scores[of[order]]

    def within(self, box: Int64Array) -> Int64Array:
        """Those within a passage, the runs of the best chain first."""
        low, high = np.searchsorted(self._runs[:, 0], box[:2])
        candidates, ends = self._runs[low:high], self._ends[low:high]
        inside = (ends[:, 0] <= box[1]) & (candidates[:, 1] >= box[2]) & (ends[:, 1] <= box[3])
        order = np.argsort(-self._scores[low:high][inside], kind="stable")
        runs: Int64Array = candidates[inside][order]
        return runs


def compare_words(a: Words, b: Words, box: Int64Array, runs: Int64Array) -> ComparedWords:
    """Say what became of the words of a passage.

    Args:
        a: A text.
        b: The other one.
        box: int64 (4), the passage: its first word and end in A, the same in B.
        runs: int64 (n, 3), place in A, place in B, words: runs within the passage, the best first.
    """
    first_a, end_a, first_b, end_b = box.tolist()
    is_one_run = len(runs) > 0 and end_a - first_a == end_b - first_b == runs[0, 2]
    if is_one_run and np.array_equal(a.values[first_a:end_a], b.values[first_b:end_b]):
        return ComparedWords.of_runs(runs[:1])
    taken = np.zeros(box[1] - box[0], np.bool_), np.zeros(box[3] - box[2], np.bool_)
    pairs = np.empty((min(map(len, taken)), 2), np.int64)
    pairs = _in_order_of_a(pairs[: _claim(runs - (box[0], box[2], 0), taken, pairs)])
    groups = _moved_groups(pairs)
    pairs = pairs[groups >= 0] + (box[0], box[2])
    groups = groups[groups >= 0]
    filler = _Filler(a, b, box, pairs)
    in_place, *away = (
        np.split(pairs[np.argsort(groups, kind="stable")], np.cumsum(np.bincount(groups))[:-1])
        if len(groups)
        else [pairs]
    )
    for group in away:
        filler.fill_moved(group)
    moved = sum(map(len, filler.paired))
    filler.fill(box, in_place)
    return _told(a, b, filler, moved)


def _told(a: Words, b: Words, filler: _Filler, moved: int) -> ComparedWords:
    """What was found of all parts of a passage; the first of the pairs are those that moved."""
    paired, exchanged = np.concatenate(filler.paired), np.concatenate(filler.exchanged)
    same = a.values[paired[:, 0]] == b.values[paired[:, 1]]
    is_away = np.arange(len(paired)) < moved
    kinds = [_runs(_in_order_of_a(paired[same & (is_away == kind)])) for kind in (True, False)]
    joined = np.concatenate(kinds)
    order = np.argsort(joined[:, 0], kind="stable")
    return ComparedWords(
        joined[order],
        order < len(kinds[0]),
        _in_order_of_a(paired[~same]),
        _runs(_in_order_of_a(exchanged)),
    )


def _in_order_of_a(pairs: Int64Array) -> Int64Array:
    ordered: Int64Array = pairs[np.argsort(pairs[:, 0], kind="stable")]
    return ordered


def _runs(pairs: Int64Array) -> Int64Array:
    """Pairs in the order of A as runs of neighbours: place in A, place in B, words."""
    new = np.append(len(pairs[:1]) > 0, (np.diff(pairs, axis=0) != 1).any(axis=1))
    starts = np.flatnonzero(new[: len(pairs)])
    return np.column_stack([pairs[starts], np.diff(np.append(starts, len(pairs)))])


@njit(nogil=True, cache=True)
def _claim(runs: Any, taken: Any, pairs: Any) -> Any:
    """Pair the words of runs that no run before has paired; how many pairs there are."""
    count = 0
    for run in range(len(runs)):
        for step in range(runs[run, 2]):
            place_a, place_b = runs[run, 0] + step, runs[run, 1] + step
            if not taken[0][place_a] and not taken[1][place_b]:
                taken[0][place_a] = taken[1][place_b] = True
                pairs[count, 0], pairs[count, 1] = place_a, place_b
                count += 1
    return count


def _moved_groups(pairs: Int64Array) -> Int64Array:
    """For each pair in the order of A 0 where it keeps its order in B, or the number of a group.

    What was moved together is one group; pairs of what is too little to have been moved are -1.
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
    """Groups counted from 1 on without gaps; -1 for pairs of those that are too small."""
    sizes = np.bincount(groups)
    enough = sizes >= LEAST_MOVED
    enough[0] = False
    numbers = np.where(enough, np.cumsum(enough), -1)
    numbers[0] = 0
    renumbered: Int64Array = numbers[groups]
    return renumbered


class _Filler:
    """Pairs the words between those that are known to be paired, part by part of a passage.

    `paired` and `exchanged` are int64 (n, 2) of each part: words that are alike, and words in the
    place of others. A word that was in one part is in no later one.
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
        """Pair the words between pairs that were moved together, and what is alike around them."""
        inner = np.stack([held[0], held[-1] + 1]).T.ravel()
        outer = inner.copy()
        for side in (0, 1):
            stops = self._held[side] | ~self._free[side]
            first, end = inner[2 * side : 2 * side + 2] - self._box[2 * side]
            before = np.flatnonzero(stops[max(first - REACH, 0) : first][::-1])
            behind = np.flatnonzero(stops[end : end + REACH])
            outer[2 * side] -= before[0] if len(before) else min(REACH, first)
            outer[2 * side + 1] += behind[0] if len(behind) else min(REACH, len(stops) - end)
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
        """Pair what lies between pairs in one order, int64 (n, 2), ascending, in a part."""
        stay = [self._taken(side, box[2 * side], box[2 * side + 1]) for side in (0, 1)]
        near = np.stack(
            [np.searchsorted(places, held[:, n]) for n, places in enumerate(stay)], axis=1
        )
        there = np.ones(len(held), np.bool_)
        for side, places in enumerate(stay):
            there &= np.append(places, -1)[near[:, side]] == held[:, side]
        near = near[there]
        ends = 0, len(stay[0]), 0, len(stay[1])
        a, b, letters = self._a.near[stay[0]], self._b.near[stay[1]], self._a.letters[stay[0]]
        added = pair_in_gaps(a, b, letters, between(near, ends))
        near = _in_order_of_a(np.concatenate([near, added]))
        self.paired.append(_places(stay, near))
        self.exchanged.append(_places(stay, _in_turn(between(near, ends))))

    def _taken(self, side: int, first: np.int64, end: np.int64) -> Int64Array:
        """The words of a stretch that were in no part before."""
        start = self._box[2 * side]
        free = self._free[side][first - start : end - start]
        stay: Int64Array = np.flatnonzero(free) + first
        free[:] = False
        return stay


def _places(stay: list[Int64Array], pairs: Int64Array) -> Int64Array:
    return np.stack([places[pairs[:, side]] for side, places in enumerate(stay)], axis=1)


def _in_turn(gaps: Int64Array) -> Int64Array:
    """The first word of each short gap with the first, the second with the second, ..."""
    words = np.minimum(gaps[:, 1] - gaps[:, 0], gaps[:, 3] - gaps[:, 2])
    words[words > LONGEST_EXCHANGE] = 0
    return np.stack([places_from(gaps[:, 0], words), places_from(gaps[:, 2], words)], axis=1)
