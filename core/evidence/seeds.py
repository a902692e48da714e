"""Seeds: a few words that stand close together in two texts, in whatever order.

Three different words within six make a skip-gram (Guthrie, Allison, Liu, Guthrie and Wilks, LREC
2006), and its words are sorted: where words were exchanged, left out, put in or moved, others of
the grams over the same place are as they were. Only grams whose words carry at least 24 bits count,
which two places of unrelated texts share once in 16 million.

Of a gram with many places in A, each place in B meets one: the first the first. So texts of one
repeated sentence, or with a refrain, have as many seeds as words.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.compiling import njit
from core.base.growable_array import grown
from core.base.hashing import find_slot, mix, slots_for
from core.evidence.common_words import AT_A_GAP

__all__ = ["GRAMS_A_WORD", "WINDOW", "add_grams", "add_runs", "new_seeds"]

WINDOW = 6  # words from the first to the last of a gram
GRAMS_A_WORD = (WINDOW - 1) * (WINDOW - 2) // 2
LEAST_BITS = 24.0  # of the words of a gram
MOST_PLACES = 8  # of a gram in A that all meet each of its places in B
PIECE = 16  # words of a run in one seed
NUMBER = np.uint64(21)  # bits of the number of a word in a key
UPPER = np.uint64(44)
COLUMNS = 4  # of seeds
NO_GRAM = -1


@njit(nogil=True, cache=True)
def new_seeds(rows: Any) -> Any:
    """Room for some seeds: those of B in the order in which it is read.

    A row is a seed, int64: its first place in A, the one in B, and which of the places from there
    on belong to it, as bits, in A and in B.
    """
    return np.empty((rows, COLUMNS), dtype=np.int64)


@njit(nogil=True, cache=True)
def add_runs(runs: Any, seeds: Any, used: Any) -> Any:
    """Add runs of equal words to the first `used` seeds; the seeds, and how many there are."""
    for run in range(len(runs)):
        for begin in range(0, runs[run, 2], PIECE):
            places = (np.int64(1) << min(PIECE, runs[run, 2] - begin)) - 1
            seeds = _with_room(seeds, used)
            seeds[used, 0], seeds[used, 1] = runs[run, 0] + begin, runs[run, 1] + begin
            seeds[used, 2] = seeds[used, 3] = places
            used += 1
    return seeds, used


@njit(nogil=True, cache=True)
def add_grams(a: Any, b: Any, part: Any, seeds: Any, used: Any) -> Any:
    """Add the shared skip-grams to the first `used` seeds; the seeds, and how many there are.

    Args:
        a: Of text A the numbers of its words (see `number_words`), their information (float32) and
            whether each is in a run; grams within runs are left out.
        b: The same of text B.
        part: Of the grams those of this part only, and of how many parts: for texts so long that
            not all fit in memory.
        seeds: As `new_seeds` makes them.
        used: How many there are.
    """
    keys_a, firsts_a, places_a = _grams(a[0], a[1], a[2], part)
    keys_b, firsts_b, places_b = _grams(b[0], b[1], b[2], part)
    keys, counts, heads, behind = _places_by_gram(keys_a)
    for gram in range(len(keys_b)):
        slot = find_slot(keys, counts, keys_b[gram])
        if not counts[slot]:
            continue
        other = heads[slot]
        if counts[slot] > MOST_PLACES:
            if other != NO_GRAM:
                heads[slot] = behind[other]
                seeds, used = _add(
                    seeds, used, firsts_a[other], firsts_b[gram], places_a[other], places_b[gram]
                )
            continue
        while other != NO_GRAM:
            seeds, used = _add(
                seeds, used, firsts_a[other], firsts_b[gram], places_a[other], places_b[gram]
            )
            other = behind[other]
    return seeds, used


@njit(nogil=True, cache=True)
def _places_by_gram(grams: Any) -> Any:
    """A table of grams with how many there are of each, the first, and by gram the next one."""
    slots = slots_for(len(grams))
    keys = np.empty(slots, dtype=np.uint64)
    counts, heads = np.zeros(slots, dtype=np.int32), np.empty(slots, dtype=np.int32)
    behind = np.empty(len(grams), dtype=np.int32)
    for gram in range(len(grams) - 1, -1, -1):
        slot = find_slot(keys, counts, grams[gram])
        behind[gram] = heads[slot] if counts[slot] else NO_GRAM
        keys[slot] = grams[gram]
        heads[slot] = gram
        counts[slot] += 1
    return keys, counts, heads, behind


@njit(nogil=True, cache=True)
def _add(seeds: Any, used: Any, x: Any, y: Any, places_a: Any, places_b: Any) -> Any:
    """Add a seed, or its places to the one that begins at the same places."""
    row = used - 1
    while row >= 0 and row >= used - MOST_PLACES and seeds[row, 1] == y:
        if seeds[row, 0] == x:
            seeds[row, 2] |= places_a
            seeds[row, 3] |= places_b
            return seeds, used
        row -= 1
    seeds = _with_room(seeds, used)
    seeds[used, 0], seeds[used, 1], seeds[used, 2], seeds[used, 3] = x, y, places_a, places_b
    return seeds, used + 1


@njit(nogil=True, cache=True)
def _with_room(seeds: Any, used: Any) -> Any:
    if used < len(seeds):
        return seeds
    larger = new_seeds(2 * used + 64)
    for row in range(used):
        for column in range(COLUMNS):
            larger[row, column] = seeds[row, column]
    return larger


@njit(nogil=True, cache=True)
def _shared_places(numbers: Any) -> Any:
    """Where the words stand that both texts have, and -1 for each gap between them."""
    places = np.empty(len(numbers), dtype=np.int32)
    count = 0
    for place in range(len(numbers)):
        if numbers[place] >= 0:
            places[count] = place
            count += 1
        elif numbers[place] == AT_A_GAP:
            places[count] = -1
            count += 1
    return places[:count]


@njit(nogil=True, cache=True)
def _grams(numbers: Any, bits: Any, in_run: Any, part: Any) -> Any:
    """The skip-grams of a text, in reading order: keys, first places, and all places as bits."""
    places = _shared_places(numbers)
    keys = np.empty(len(places) * GRAMS_A_WORD // part[1] + GRAMS_A_WORD, dtype=np.uint64)
    firsts = np.empty(len(keys), dtype=np.int32)
    masks = np.empty(len(keys), dtype=np.int32)
    used = 0
    for one in range(len(places)):
        first = places[one]
        if used + GRAMS_A_WORD > len(keys):
            room = 2 * len(keys) + GRAMS_A_WORD
            keys, firsts = grown(keys, used, room), grown(firsts, used, room)
            masks = grown(masks, used, room)
        for two in range(one + 1, len(places)):
            second = places[two]
            if first < 0 or second < 0 or second - first >= WINDOW - 1:
                break
            for three in range(two + 1, len(places)):
                third = places[three]
                if third < 0 or third - first >= WINDOW:
                    break
                if not _counts(numbers, bits, in_run, first, second, third):
                    continue
                key = _key(numbers[first], numbers[second], numbers[third])
                if (key >> UPPER) % np.uint64(part[1]) == np.uint64(part[0]):
                    keys[used], firsts[used] = key, first
                    masks[used] = 1 | 1 << (second - first) | 1 << (third - first)
                    used += 1
    return keys[:used], firsts[:used], masks[:used]


@njit(nogil=True, cache=True, inline="always")
def _counts(numbers: Any, bits: Any, in_run: Any, one: Any, two: Any, three: Any) -> Any:
    """Whether three words are different, have enough bits, and are not all in runs."""
    return (
        bits[one] + bits[two] + bits[three] >= LEAST_BITS
        and numbers[one] != numbers[two]
        and numbers[two] != numbers[three]
        and numbers[one] != numbers[three]
        and not (in_run[one] and in_run[two] and in_run[three])
    )


@njit(nogil=True, cache=True, inline="always")
def _key(x: Any, y: Any, z: Any) -> Any:
    """The hash of three words in whatever order; of up to two million different words its own."""
    if x > y:
        x, y = y, x
    if y > z:
        y, z = z, y
    if x > y:
        x, y = y, x
    return mix(((np.uint64(x) << NUMBER | np.uint64(y)) << NUMBER) | np.uint64(z))
