"""The exact evidence of candidate pairs: shared shingles and the longest shared run.

For every document a hash table of its shingles is built once and its partners are looked up in it,
so the cost of a pair is that of reading the partner: let that be the shorter one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import Int32Array, Int64Array, IntegerArray, UInt64Array
from core.base.compiling import njit
from core.base.hashing import find_slot, slots_for
from core.evidence.longest_run import (
    MATCHES_PER_SHINGLE,
    longest_by_diagonals,
    longest_of_repetitive,
    weigh_shingles,
    weight_of_usual,
)
from core.evidence.places import find_places
from core.settings import ScanSettings
from core.text.shingling import NO_SHINGLE, Shingles
from core.text.word_counts import WORD, UnitWeights, usual_weight

OTHER_GAP = NO_SHINGLE - np.uint64(1)  # a gap, in one of two texts, is not as one in the other
REPETITIVE = -1  # in the place of the longest run of such a pair, until it is sought
CLEARED_AT_ONCE = 16  # slots of a table, for each shingle of a partner


class Overlap(NamedTuple):
    """What pairs share, all int32.

    Attributes:
        shared: Shingles.
        longest: Consecutive shingles, in the stretch of most words.
        words: Whole words of that stretch (see `core.text.word_counts`).
    """

    shared: Int32Array
    longest: Int32Array
    words: Int32Array


def measure_overlap(
    hashes: UInt64Array,
    starts: Int64Array,
    ends: Int64Array,
    x: IntegerArray,
    y: IntegerArray,
    *,
    bag: bool,
    weights: UnitWeights | None = None,
) -> Overlap:
    """Count what pairs share.

    Args:
        hashes: Shingles in reading order, gaps too; document i has `hashes[starts[i]:ends[i]]`.
        starts: int64, by document.
        ends: int64, by document.
        x: First documents of the pairs; fastest when equal ones are neighbours.
        y: Second documents of the pairs.
        bag: Count every occurrence (the smaller number of the two), not every shingle once.
        weights: What the units of the documents count; each shingle as a word when left out.
    """
    if weights is None:
        none = np.full(len(starts), -1, dtype=np.int64)
        weights = UnitWeights(1, WORD, ends - starts, np.empty(0, dtype=np.uint16), none)
    # One type, so that the kernel is compiled once.
    x, y = x.astype(np.int64, copy=False), y.astype(np.int64, copy=False)
    results = Overlap(*(np.zeros(len(x), dtype=np.int32) for _ in Overlap._fields))
    _measure(hashes, starts, ends, weights, x, y, bag, results)
    for pair in np.flatnonzero(results.longest == REPETITIVE):
        one, other = x[pair], y[pair]
        partner = hashes[starts[other] : ends[other]]
        results.longest[pair], weight = longest_of_repetitive(
            hashes[starts[one] : ends[one]],
            np.where(partner == NO_SHINGLE, OTHER_GAP, partner),
            weights,
            one,
            other,
        )
        results.words[pair] = weight // WORD
    return results


def measure_shingles(
    shingles: Shingles,
    x: IntegerArray,
    y: IntegerArray,
    settings: ScanSettings,
) -> Overlap:
    """Count what pairs of texts share that were shingled together, with these settings."""
    first, weights = np.full(len(shingles.units), -1, dtype=np.int64), shingles.weights
    if weights is not None:
        first = np.cumsum(shingles.units) - shingles.units
    else:
        weights = np.empty(0, dtype=np.uint16)
    usual = usual_weight(settings.unit)
    counted = UnitWeights(settings.k, usual, shingles.units, weights, first)
    starts, ends = shingles.offsets[:-1], shingles.offsets[1:]
    return measure_overlap(shingles.hashes, starts, ends, x, y, bag=settings.bag, weights=counted)


@njit(nogil=True, cache=True)
def count_distinct(hashes: Any, starts: Any, ends: Any) -> Any:
    """Number of different shingles of every document, int64."""
    counts = np.zeros(len(starts), dtype=np.int64)
    for document in range(len(starts)):
        own = hashes[starts[document] : ends[document]]
        slots = slots_for(len(own))
        keys = np.empty(slots, dtype=np.uint64)
        used = np.zeros(slots, dtype=np.bool_)
        for index in range(len(own)):
            slot = find_slot(keys, used, own[index])
            if not used[slot]:
                used[slot] = True
                keys[slot] = own[index]
                counts[document] += 1
    return counts


@njit(nogil=True, cache=True)
def _measure(
    hashes: Any,
    starts: Any,
    ends: Any,
    units: Any,
    x: Any,
    y: Any,
    bag: Any,
    results: Any,
) -> None:
    """Neighbours with one first document share its table."""
    pair = 0
    while pair < len(x):
        first = x[pair]
        own = hashes[starts[first] : ends[first]]
        places = find_places(own)
        taken = np.zeros(len(places.keys), dtype=np.int32)
        sums = weigh_shingles(units, first, len(own), np.int64(0))
        run = np.zeros(len(own) + 1, dtype=np.int32)
        run_at = np.zeros(len(own) + 1, dtype=np.int64)
        read = np.int64(1)  # shingles of partners read so far, and one between any two of them
        while pair < len(x) and x[pair] == first:
            other = hashes[starts[y[pair]] : ends[y[pair]]]
            results.shared[pair], matches = _count_shared(other, places, taken, bag)
            if matches > MATCHES_PER_SHINGLE * (len(own) + len(other)):
                results.longest[pair] = REPETITIVE
            else:
                length, weight = longest_by_diagonals(other, places, run, run_at, read, sums)
                if len(sums) == 0:
                    weight = weight_of_usual(length, units, first, y[pair])
                results.longest[pair], results.words[pair] = length, weight // WORD
            read += len(other) + 1
            pair += 1
            if pair < len(x) and x[pair] == first:
                _clear(taken, other, places)


@njit(nogil=True, cache=True)
def _count_shared(other: Any, places: Any, taken: Any, bag: Any) -> Any:
    """How many shingles of one text the other has, and at how many pairs of places.

    `taken` holds, by slot, how many of each were counted.
    """
    keys, last, counts, _ = places
    shared = matches = 0
    for index in range(len(other)):
        slot = find_slot(keys, last, other[index])
        if last[slot] == 0:
            continue
        matches += counts[slot]
        if taken[slot] < (counts[slot] if bag else 1):
            taken[slot] += 1
            shared += 1
    return shared, matches


@njit(nogil=True, cache=True)
def _clear(taken: Any, other: Any, places: Any) -> None:
    """Forget a partner, without going through the table of a book for every sentence."""
    if len(taken) <= CLEARED_AT_ONCE * len(other):
        for slot in range(len(taken)):
            taken[slot] = 0
        return
    for index in range(len(other)):
        taken[find_slot(places.keys, places.last, other[index])] = 0
