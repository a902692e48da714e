"""Which documents hold skip-grams of another one, enough of them close together.

Weights are added up for one stretch of a document after the other, in all documents before it that
hold its grams (ScanCount: Li, Lu, Lu 2008). Where the sum suffices, the places in both decide.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.compiling import njit
from core.base.growable_array import grown
from core.base.hashing import mix
from core.candidates.skip_gram_index import OCCURRENCES
from core.settings.reworked_search import NEAR, NEEDED
from core.signatures.skip_grams import LAST_PLACE

NEEDED_WEIGHT = 33  # which three have at least
BASE = 64  # what the sums of one document are told from those of the next by
NOWHERE = np.int32(-1)
LOW = (1 << 32) - 1
FIRST_TRY = 32  # agreements from which on it is tried whether they are enough
STRETCH, OVERLAP = 480, 2 * NEAR  # words of a document in which weights are added up first


@njit(nogil=True, cache=True)
def count_pairs(index: Any, weights: Any, to_review: Any, first: Any, last: Any) -> Any:
    """The candidates among the documents from `first` to `last` and those before each."""
    bounds = index.bounds
    codes = np.empty(1024, dtype=np.uint64)
    count = 0
    met = np.zeros((2, last), dtype=np.int32)
    others = np.empty(last + 1, dtype=np.int32)
    table = np.empty(_slots(bounds, first, last), dtype=np.int32)
    following = np.empty(len(table), dtype=np.int32)
    agreed = np.empty((3, 1024), dtype=np.int64)
    base = np.int32(0)
    for document in range(first, last):
        base = _meet(index, weights, to_review, document, base, met, others)
        if not others[0]:
            continue
        own = table[: _slots(bounds, document, document + 1)]
        _fill(own, following, index, document)
        for other in others[1 : 1 + others[0]]:
            room = OCCURRENCES * (bounds[other + 1] - bounds[other])
            if room > agreed.shape[1]:
                agreed = np.empty((3, 2 * room), dtype=np.int64)
            if _agree_nearby(index, weights, own, following, document, other, agreed):
                if count == len(codes):
                    codes = grown(codes, count, 2 * count)
                codes[count] = np.uint64(other) << np.uint64(32) | np.uint64(document)
                count += 1
    return codes[:count].copy()


@njit(nogil=True, cache=True)
def _slots(bounds: Any, first: Any, last: Any) -> Any:
    """How many slots a table for the grams of any of these documents has, a power of two."""
    longest = np.int64(0)
    for document in range(first, last):
        longest = max(longest, bounds[document + 1] - bounds[document])
    slots = np.int64(16)
    while slots < 2 * longest:
        slots *= 2
    return slots


@njit(nogil=True, cache=True, inline="always")
def _slot(table: Any, held: Any, start: Any, hash_: Any) -> Any:
    """The slot of a hash in the table of a document, or the empty one where it belongs.

    Here and below, a hash goes by where the documents begin that hold it.
    """
    last = np.uint64(len(table) - 1)
    slot = mix(np.uint64(hash_)) & last
    while table[slot] != NOWHERE and held[start + table[slot]] >> 32 != hash_:
        slot = (slot + np.uint64(1)) & last
    return slot


@njit(nogil=True, cache=True)
def _fill(table: Any, following: Any, index: Any, document: Any) -> None:
    """Put the grams of a document into a table: the last with each hash, then those before."""
    table[:] = NOWHERE
    held = index.held
    start = index.bounds[document]
    for gram in range(start, index.bounds[document + 1]):
        if held[gram] >= 0:
            slot = _slot(table, held, start, held[gram] >> 32)
            following[gram - start] = table[slot]
            table[slot] = np.int32(gram - start)


@njit(nogil=True, cache=True)
def _meet(
    index: Any, weights: Any, to_review: Any, document: Any, base: Any, met: Any, others: Any
) -> Any:
    """Find the documents before this one that hold enough of a stretch of it; the base then.

    `met` has for each document a base, which grows from stretch to stretch, with the sum of the
    weights in the stretch, up to what is needed; and for which document it is among the others. A
    gram that is repeated counts again here: the places decide later. `others` begins with how many
    there are.
    """
    values, held, holders = index.values, index.held, index.holders
    gram, end = index.bounds[document], index.bounds[document + 1]
    others[0] = 0
    first, begin = gram, np.int64(0)
    while gram < end:
        base += np.int32(BASE)
        gram, behind, begin = first, end, begin + STRETCH - OVERLAP
        while gram < end and np.int64(values[gram] & LAST_PLACE) < begin + OVERLAP:
            if behind == end and np.int64(values[gram] & LAST_PLACE) >= begin:
                behind = gram
            own = held[gram]
            gram += 1
            if own >= 0:
                # Not a slice: to make one takes longer than to walk through it.
                those = own >> 32, (own >> 32) + (own & LOW)
                _add(holders, those, document, weights[own >> 32], to_review, base, met, others)
        first = min(gram, behind)
    return base


@njit(nogil=True, cache=True, inline="always")
def _add(
    holders: Any,
    those: Any,
    document: Any,
    weight: Any,
    to_review: Any,
    base: Any,
    met: Any,
    others: Any,
) -> None:
    """Add the weight of a gram for those documents that hold it."""
    enough = base + np.int32(NEEDED_WEIGHT)
    wanted = to_review[document]
    for place in range(those[0], those[1]):
        other = holders[place]
        if not (wanted or to_review[other]):
            continue
        met[0, other] = min(max(met[0, other], base) + np.int32(weight), enough)
        if met[0, other] == enough and met[1, other] != document:
            met[1, other] = document
            others[0] += 1
            others[others[0]] = other


@njit(nogil=True, cache=True)
def _agree_nearby(
    index: Any,
    weights: Any,
    table: Any,
    following: Any,
    document: Any,
    other: Any,
    agreed: Any,
) -> Any:
    """Whether grams of a document with its table agree close together with those of another one.

    `agreed` is room for where they agree: the places in both texts, and the hash.
    """
    values, bounds, held = index.values, index.bounds, index.held
    start = bounds[document]
    seen = np.empty((2, 2 * NEAR + 1), dtype=np.bool_)
    count, tried = 0, FIRST_TRY
    for gram in range(bounds[other], bounds[other + 1]):
        if held[gram] < 0:
            continue
        at = table[_slot(table, held, start, held[gram] >> 32)]
        while at != NOWHERE:
            agreed[0, count] = np.int64(values[start + at] & LAST_PLACE)
            agreed[1, count] = np.int64(values[gram] & LAST_PLACE)
            agreed[2, count] = held[gram] >> 32
            count += 1
            at = following[at]
        if count >= tried:  # long texts that have much in common agree early
            tried = 2 * count
            if are_enough(agreed, weights, count, seen):
                return True
    return are_enough(agreed, weights, count, seen)


@njit(nogil=True, cache=True)
def are_enough(agreed: Any, weights: Any, count: Any, seen: Any) -> Any:
    """Whether enough agrees around one of the agreements.

    Args:
        agreed: int64 (3, n), the places in both texts, and the hash; by the second place.
        weights: uint8, by hash.
        count: How many agreements there are.
        seen: bool (2, 2 * NEAR + 1), room.
    """
    centre = 0
    while centre < count and not _is_enough(agreed, weights, centre, count, seen):
        centre += 1
    return centre < count


@njit(nogil=True, cache=True)
def _is_enough(agreed: Any, weights: Any, centre: Any, count: Any, seen: Any) -> Any:
    """Whether what agrees around one agreement has enough places in both texts, and weight."""
    counted = np.empty(NEEDED_WEIGHT, dtype=np.int64)  # the hashes whose weights are in the sum
    several, weight = 0, np.int64(0)
    seen[:] = False
    places = np.zeros(2, dtype=np.int64)
    one = centre
    while one > 0 and agreed[1, centre] - agreed[1, one - 1] <= NEAR:
        one -= 1
    while one < count and agreed[1, one] - agreed[1, centre] <= NEAR:
        if abs(agreed[0, one] - agreed[0, centre]) <= NEAR:
            for text in range(2):
                place = agreed[text, one] - agreed[text, centre] + NEAR
                places[text] += not seen[text, place]
                seen[text, place] = True
            known = 0
            while known < several and counted[known] != agreed[2, one]:
                known += 1
            if known == several and weight < NEEDED_WEIGHT:
                counted[several] = agreed[2, one]
                several += 1
                weight += weights[agreed[2, one]]
            if weight >= NEEDED_WEIGHT and places.min() >= NEEDED:
                return True
        one += 1
    return False
