"""The exact evidence of candidate pairs: shared shingles and the longest shared run.

For every document a hash table of its shingles is built once and its partners are looked up in it,
so the cost of a pair is that of reading the partner: let that be the shorter one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from core.minhash import MERSENNE_61, affine

__all__ = ["Overlap", "count_distinct", "measure_overlap"]

Int32Array = npt.NDArray[np.int32]

# Where a pair has more matching positions than this for each of its shingles (long repetitive
# texts), its longest run is not sought along the diagonals: see `_longest_of_repetitive`.
MATCHES_PER_SHINGLE = 64
REPETITIVE = -1  # in the place of the longest run of such a pair, until it is sought
CLEARED_AT_ONCE = 16  # slots of a table, for each shingle of a partner
WINDOW_FACTOR = np.uint64(0x1E3779B97F4A7C15)


class Overlap(NamedTuple):
    """What pairs share: int32 numbers of shingles, and of consecutive shingles in both."""

    shared: Int32Array
    longest: Int32Array


def measure_overlap(
    hashes: npt.NDArray[np.uint64],
    starts: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    x: npt.NDArray[np.integer],
    y: npt.NDArray[np.integer],
    *,
    bag: bool,
) -> Overlap:
    """Count what pairs share.

    Args:
        hashes: Shingles in reading order; document i has `hashes[starts[i]:ends[i]]`.
        starts: int64, by document.
        ends: int64, by document.
        x: First documents of the pairs; fastest when equal ones are neighbours.
        y: Second documents of the pairs.
        bag: Count every occurrence (the smaller number of the two), not every shingle once.

    Returns:
        For each pair the number of shared shingles and the length of the longest run of
        consecutive shingles that stand in both documents, in shingles.
    """
    shared = np.zeros(len(x), dtype=np.int32)
    longest = np.zeros(len(x), dtype=np.int32)
    # One type, so that the kernel is compiled once.
    x, y = x.astype(np.int64, copy=False), y.astype(np.int64, copy=False)
    _measure(hashes, starts, ends, x, y, bag, shared, longest)
    for pair in np.flatnonzero(longest == REPETITIVE):
        own = hashes[starts[x[pair]] : ends[x[pair]]]
        other = hashes[starts[y[pair]] : ends[y[pair]]]
        longest[pair] = _longest_of_repetitive(own, other)
    return Overlap(shared, longest)


@njit(nogil=True, cache=True)
def count_distinct(hashes: Any, starts: Any, ends: Any) -> Any:  # noqa: ANN401
    """Number of different shingles of every document, int64."""
    counts = np.zeros(len(starts), dtype=np.int64)
    for document in range(len(starts)):
        own = hashes[starts[document] : ends[document]]
        slots = _slots(len(own))
        keys = np.empty(slots, dtype=np.uint64)
        used = np.zeros(slots, dtype=np.bool_)
        for index in range(len(own)):
            slot = np.int64(own[index] & np.uint64(slots - 1))
            while used[slot] and keys[slot] != own[index]:
                slot = (slot + 1) & (slots - 1)
            if not used[slot]:
                used[slot] = True
                keys[slot] = own[index]
                counts[document] += 1
    return counts


@njit(nogil=True, cache=True)
def _slots(count: Any) -> Any:  # noqa: ANN401
    slots = np.int64(16)
    while slots < 2 * count:
        slots *= 2
    return slots


@njit(nogil=True, cache=True)
def _measure(
    hashes: Any,  # noqa: ANN401
    starts: Any,  # noqa: ANN401
    ends: Any,  # noqa: ANN401
    x: Any,  # noqa: ANN401
    y: Any,  # noqa: ANN401
    bag: Any,  # noqa: ANN401
    shared: Any,  # noqa: ANN401
    longest: Any,  # noqa: ANN401
) -> None:
    pair = 0
    while pair < len(x):
        own = hashes[starts[x[pair]] : ends[x[pair]]]
        slots = _slots(len(own))
        keys = np.empty(slots, dtype=np.uint64)
        heads = _unused(slots)  # last position with this shingle
        counts = np.zeros(slots, dtype=np.int32)
        earlier = np.empty(len(own), dtype=np.int32)  # position before it with the same shingle
        for index in range(len(own)):
            slot = _find(keys, heads, own[index])
            keys[slot] = own[index]
            earlier[index] = heads[slot]
            heads[slot] = index
            counts[slot] += 1
        taken = np.zeros(slots, dtype=np.int32)
        run = np.zeros(len(own), dtype=np.int32)
        run_at = np.zeros(len(own), dtype=np.int64)
        read = np.int64(1)  # shingles of partners read so far, and one between any two of them
        first = pair
        while pair < len(x) and x[pair] == x[first]:
            other = hashes[starts[y[pair]] : ends[y[pair]]]
            matches = 0
            for index in range(len(other)):
                slot = _find(keys, heads, other[index])
                if heads[slot] < 0:
                    continue
                matches += counts[slot]
                if taken[slot] < (counts[slot] if bag else 1):
                    taken[slot] += 1
                    shared[pair] += 1
            if matches > MATCHES_PER_SHINGLE * (len(own) + len(other)):
                longest[pair] = REPETITIVE
            elif matches:
                longest[pair] = _longest_by_diagonals(
                    other, keys, heads, earlier, run, run_at, read
                )
            read += len(other) + 1
            pair += 1
            if pair < len(x) and x[pair] == x[first]:
                _clear(taken, other, keys, heads)


@njit(nogil=True, cache=True)
def _unused(slots: Any) -> Any:  # noqa: ANN401
    heads = np.empty(slots, dtype=np.int32)
    for slot in range(slots):
        heads[slot] = -1
    return heads


@njit(nogil=True, cache=True, inline="always")
def _find(keys: Any, heads: Any, value: Any) -> Any:  # noqa: ANN401
    """The slot of a shingle, or the empty one where it belongs."""
    mask = len(keys) - 1
    slot = np.int64(value & np.uint64(mask))
    while heads[slot] >= 0 and keys[slot] != value:
        slot = (slot + 1) & mask
    return slot


@njit(nogil=True, cache=True)
def _clear(taken: Any, other: Any, keys: Any, heads: Any) -> None:  # noqa: ANN401
    """Forget a partner, without going through the table of a book for every sentence."""
    if len(taken) <= CLEARED_AT_ONCE * len(other):
        for slot in range(len(taken)):
            taken[slot] = 0
        return
    for index in range(len(other)):
        taken[_find(keys, heads, other[index])] = 0


@njit(nogil=True, cache=True)
def _longest_by_diagonals(
    other: Any,  # noqa: ANN401
    keys: Any,  # noqa: ANN401
    heads: Any,  # noqa: ANN401
    earlier: Any,  # noqa: ANN401
    run: Any,  # noqa: ANN401
    run_at: Any,  # noqa: ANN401
    read: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """Longest common run: run[i] is the length of the match that ends at own i and run_at[i].

    Places in `other` are counted from `read`, so that what an earlier partner left behind in
    `run_at` is behind.
    """
    best = 0
    for index in range(len(other)):
        place = heads[_find(keys, heads, other[index])]
        while place >= 0:
            length = 1
            if place > 0 and run_at[place - 1] == read + index - 1:
                length += run[place - 1]
            run[place] = length
            run_at[place] = read + index
            best = max(best, length)
            place = earlier[place]
    return best


@njit(nogil=True, cache=True)
def _longest_of_repetitive(own: Any, other: Any) -> Any:  # noqa: ANN401
    """Longest common run: along the diagonals of stretches where these are few, or by bisection."""
    values, lengths = _stretches(own)
    other_values, other_lengths = _stretches(other)
    if len(values) * len(other_values) > MATCHES_PER_SHINGLE * (len(own) + len(other)):
        return _longest_by_bisection(own, other)
    return _longest_of_stretches(values, lengths, other_values, other_lengths)


@njit(nogil=True, cache=True)
def _stretches(values: Any) -> Any:  # noqa: ANN401
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
    values: Any,  # noqa: ANN401
    lengths: Any,  # noqa: ANN401
    other_values: Any,  # noqa: ANN401
    other_lengths: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """Longest common run of two texts of stretches.

    A run that goes on from one stretch to the next does so at the same shingle in both texts; it
    goes on after a pair of stretches only where both end together, so where they are equally long
    or it begins in the longer one.
    """
    best = 0
    run = np.zeros(len(values), dtype=np.int64)  # that ends where a stretch and the other's end
    for index in range(len(other_values)):
        before = 0
        for place in range(len(values)):
            joined, before = before, run[place]
            run[place] = 0
            if values[place] == other_values[index]:
                both = min(lengths[place], other_lengths[index])
                best = max(best, joined + both)
                same = lengths[place] == other_lengths[index]
                run[place] = joined + both if same else both
    return best


@njit(nogil=True, cache=True)
def _longest_by_bisection(own: Any, other: Any) -> Any:  # noqa: ANN401
    """Longest common run: a run of some length has, inside it, runs of all smaller lengths."""
    low, high = 1, min(len(own), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if _share_window(own, other, middle):
            low = middle
        else:
            high = middle - 1
    return low


@njit(nogil=True, cache=True)
def _share_window(own: Any, other: Any, length: Any) -> Any:  # noqa: ANN401
    """Whether a window of this many shingles stands in both; by its polynomial mod 2^61 - 1.

    Modulo a power of two, windows of regular texts collide (Thue-Morse sequences do).
    """
    leaving = np.uint64(1)
    for _ in range(length):
        leaving = affine(WINDOW_FACTOR, leaving, np.uint64(0))
    slots = _slots(len(own))
    keys = np.empty(slots, dtype=np.uint64)
    heads = _unused(slots)
    rolling = np.uint64(0)
    for index in range(len(own)):
        rolling = _roll(rolling, own, index, length, leaving)
        if index >= length - 1:
            slot = _find(keys, heads, rolling)
            keys[slot] = rolling
            heads[slot] = 0
    rolling = np.uint64(0)
    for index in range(len(other)):
        rolling = _roll(rolling, other, index, length, leaving)
        if index >= length - 1 and heads[_find(keys, heads, rolling)] >= 0:
            return True
    return False


@njit(nogil=True, cache=True, inline="always")
def _roll(rolling: Any, values: Any, index: Any, length: Any, leaving: Any) -> Any:  # noqa: ANN401
    """The polynomial of the window of this length that ends at an index."""
    rolling = affine(WINDOW_FACTOR, rolling, values[index] % MERSENNE_61)
    if index >= length:
        gone = values[index - length] % MERSENNE_61
        rolling = affine(leaving, (MERSENNE_61 - gone) % MERSENNE_61, rolling)
    return rolling
