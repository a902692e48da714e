"""The longest run of shingles that two texts share: of the stretches in both that of most words.

Runs are found along the diagonals of the places where a shingle of both stands. Of texts that
repeat themselves there are too many such places: of stretches of one shingle, as "la la la", the
diagonals are few again, and otherwise the weight of the longest run is found by bisection.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.compiling import njit
from core.base.hashing import MERSENNE_61, affine, find_slot, slots_for

# Where a pair has more matching places than this for each of its shingles, its longest run is not
# sought along the diagonals: see `longest_of_repetitive`.
MATCHES_PER_SHINGLE = 64
WINDOW_FACTOR = np.uint64(0x1E3779B97F4A7C15)


@njit(nogil=True, cache=True, inline="always")
def weight_of_usual(length: Any, units: Any, x: Any, y: Any) -> Any:
    """What so many consecutive shingles of two texts weigh, where all units weigh the same."""
    most = min(units.units[x], units.units[y])
    return min(length + units.k - 1, most) * units.usual if length else np.int64(0)


@njit(nogil=True, cache=True)
def weigh_shingles(units: Any, document: Any, shingles: Any, usual: Any) -> Any:
    """What weighs how much before each shingle of a document, and up to the end of the one before.

    So shingles i to j - 1 weigh sums[j, 1] - sums[i, 0]. Of a document with the usual weights it is
    empty where `usual` is 0; otherwise that is taken for each.
    """
    first = units.first[document]
    if first < 0 and usual == 0:
        return np.empty((0, 2), dtype=np.int64)
    sums = np.zeros((shingles + 1, 2), dtype=np.int64)
    weight = np.int64(0)
    for unit in range(units.units[document]):
        if unit <= shingles:
            sums[unit, 0] = weight
        weight += usual if first < 0 else np.int64(units.weights[first + unit])
        if unit + 2 > units.k:
            sums[min(unit + 2 - units.k, shingles), 1] = weight
    sums[shingles, 1] = weight
    return sums


@njit(nogil=True, cache=True)
def longest_by_diagonals(
    other: Any,
    places: Any,
    run: Any,
    run_at: Any,
    read: Any,
    sums: Any,
) -> Any:
    """The length of the longest common run, and what it weighs; without weights its length again.

    Args:
        other: The shingles of one text.
        places: Those of the other (see `core.evidence.places`).
        run: int32, by place: the length of the match that ends there; of place 0 it is 0.
        run_at: int64, by place: where in `other` that match ends, counted from `read`, so that
            what an earlier partner left behind is behind.
        read: More than was read of all partners before.
        sums: What shingles weigh (see `weigh_shingles`); may be empty.
    """
    keys, last, _, earlier = places
    best, heaviest = np.int64(0), np.int64(0)
    for index in range(len(other)):
        place = last[find_slot(keys, last, other[index])]
        while place:
            length = 1
            if run_at[place - 1] == read + index - 1:
                length += run[place - 1]
            run[place] = length
            run_at[place] = read + index
            weight = np.int64(length)
            if len(sums):
                weight = sums[place, 1] - sums[place - length, 0]
            if weight > heaviest or (weight == heaviest and length > best):
                best, heaviest = np.int64(length), weight
            place = earlier[place - 1]
    return best, heaviest


@njit(nogil=True, cache=True)
def longest_of_repetitive(own: Any, other: Any, units: Any, x: Any, y: Any) -> Any:
    """Longest common run: along the diagonals of stretches where these are few, or by bisection."""
    alike = units.first[x] < 0 and units.first[y] < 0
    usual = np.int64(1) if alike else units.usual
    sums = weigh_shingles(units, x, len(own), usual)
    other_sums = weigh_shingles(units, y, len(other), usual)
    values, lengths = _stretches(own)
    other_values, other_lengths = _stretches(other)
    if len(values) * len(other_values) > MATCHES_PER_SHINGLE * (len(own) + len(other)):
        length, weight = _longest_by_bisection(own, other, sums, other_sums)
    else:
        length, weight = _longest_of_stretches(values, lengths, other_values, other_lengths, sums)
    return length, weight * units.usual if alike else weight


@njit(nogil=True, cache=True)
def _stretches(values: Any) -> Any:
    """A text as stretches of one repeated shingle: these, and how often each stands there."""
    starts = np.empty(len(values) + 1, dtype=np.int64)
    count = 0
    for index in range(len(values)):
        if index == 0 or values[index] != values[index - 1]:
            starts[count] = index
            count += 1
    starts[count] = len(values)
    return values[starts[:count]], starts[1 : count + 1] - starts[:count]


@njit(nogil=True, cache=True)
def _longest_of_stretches(
    values: Any,
    lengths: Any,
    other_values: Any,
    other_lengths: Any,
    sums: Any,
) -> Any:
    """Longest common run of two texts of stretches: its length and weight.

    A run that goes on from one stretch to the next does so at the same shingle in both texts; it
    goes on after a pair of stretches only where both end together, so where they are equally long
    or it begins in the longer one.
    """
    best, heaviest = np.int64(0), np.int64(0)
    run = np.zeros(len(values), dtype=np.int64)  # that ends where a stretch and the other's end
    for index in range(len(other_values)):
        before = np.int64(0)
        start = np.int64(0)  # of the stretch, in shingles
        for place in range(len(values)):
            joined, before = before, run[place]
            run[place] = 0
            if values[place] == other_values[index]:
                both = min(lengths[place], other_lengths[index])
                length, end = joined + both, start + both
                weight = sums[end, 1] - sums[end - length, 0]
                if weight > heaviest or (weight == heaviest and length > best):
                    best, heaviest = length, weight
                same = lengths[place] == other_lengths[index]
                run[place] = length if same else both
            start += lengths[place]
    return best, heaviest


@njit(nogil=True, cache=True)
def _longest_by_bisection(own: Any, other: Any, sums: Any, other_sums: Any) -> Any:
    """Longest common run: one of some weight has, inside it, runs of all smaller weights."""
    low, high = np.int64(1), min(sums[-1, 1], other_sums[-1, 1])
    length = _share_run(own, other, sums, other_sums, low)
    while low < high:
        middle = (low + high + 1) // 2
        found = _share_run(own, other, sums, other_sums, middle)
        if found:
            low, length = middle, found
        else:
            high = middle - 1
    return length, low


@njit(nogil=True, cache=True)
def _share_run(own: Any, other: Any, sums: Any, other_sums: Any, wanted: Any) -> Any:
    """The length of the longest run that stands in both and is just heavy enough; 0 for none.

    Runs are known by their polynomial mod 2^61 - 1: modulo a power of two, those of regular texts
    collide (Thue-Morse sequences do).
    """
    powers = np.ones(max(len(own), len(other)) + 1, dtype=np.uint64)
    for place in range(1, len(powers)):
        powers[place] = affine(WINDOW_FACTOR, powers[place - 1], np.uint64(0))
    slots = slots_for(len(own))
    keys = np.empty(slots, dtype=np.uint64)
    used = np.zeros(slots, dtype=np.bool_)
    best = np.int64(0)
    for turn in range(2):
        values = own if turn == 0 else other
        own_sums = sums if turn == 0 else other_sums
        rolling = np.uint64(0)
        end = 0
        for start in range(len(values)):
            while end < len(values) and (
                end == start or own_sums[end, 1] - own_sums[start, 0] < wanted
            ):
                rolling = affine(WINDOW_FACTOR, rolling, values[end] % MERSENNE_61)
                end += 1
            if own_sums[end, 1] - own_sums[start, 0] < wanted:
                break
            slot = find_slot(keys, used, rolling)
            if turn == 0:
                keys[slot] = rolling
                used[slot] = True
            elif used[slot]:
                best = max(best, np.int64(end - start))
            gone = values[start] % MERSENNE_61
            rolling = affine(powers[end - start - 1], (MERSENNE_61 - gone) % MERSENNE_61, rolling)
    return best
