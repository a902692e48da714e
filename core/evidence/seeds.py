"""Seeds: a few words that stand close together in two texts, in whatever order.

Three different words within six make a skip-gram (Guthrie, Allison, Liu, Guthrie and Wilks, LREC
2006), and its words are sorted: where words were exchanged, left out, put in or moved, others of
the grams over the same place are as they were. Only grams whose words carry at least 24 bits count,
which two places of unrelated texts share once in 16 million; more in texts of over 65,000 words.

Of a gram with many places in A, each place in B meets one: the first the first. So texts of one
repeated sentence, or with a refrain, have as many seeds as words.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.compiling import njit
from core.base.growable_array import grown
from core.base.hashing import find_slot, mix, slots_for
from core.evidence.common_words import AT_A_GAP, NOT_SHARED

WINDOW = 6  # words from the first to the last of a gram
GRAMS_A_WORD = (WINDOW - 1) * (WINDOW - 2) // 2
LEAST_BITS = 24.0  # of the words of a gram
BITS_OF_LONG = 8.0  # and log2 of the words: fewer chance seeds than words, however long
MOST_PLACES = 8  # of a gram in A that all meet each of its places in B
PIECE = 16  # words of a run in one seed
NUMBER = np.uint64(21)  # bits of the number of a word in a key
UPPER = np.uint64(44)
COLUMNS = 4  # of seeds
NO_GRAM = -1
NO_KEY = np.uint64(0)  # of words that are not different; mixed, three numbers are never 0
FAR_AWAY = np.int64(1 << 30)  # the place of a gap


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
            where the run ends in which each is (see `run_ends`); grams of one run are left out.
        b: The same of text B.
        part: Of the grams those of this part only, and of how many parts: for texts so long that
            not all fit in memory.
        seeds: As `new_seeds` makes them.
        used: How many there are.
    """
    least = max(LEAST_BITS, np.log2(len(a[0]) + 1.0) + BITS_OF_LONG)
    keys_a, firsts_a, places_a = _grams(a, part, least)
    keys_b, firsts_b, places_b = _grams(b, part, least)
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
def _shared_words(text: Any) -> Any:
    """The words that both texts have, with gaps: places, numbers and bits; and the most bits."""
    numbers, bits, _ = text
    places = np.empty(len(numbers), dtype=np.int32)
    words = np.empty(len(numbers), dtype=np.int32)
    information = np.empty(len(numbers), dtype=np.float32)
    count, most = 0, np.float32(0)
    for place in range(len(numbers)):
        if numbers[place] != NOT_SHARED:
            places[count] = place if numbers[place] != AT_A_GAP else FAR_AWAY
            words[count], information[count] = numbers[place], bits[place]
            count, most = count + 1, max(most, bits[place])
    return places[:count], words[:count], information[:count], most


@njit(nogil=True, cache=True)
def _grams(text: Any, part: Any, least: Any) -> Any:
    """The skip-grams of a text, in reading order: keys, first places, and all places as bits."""
    places, words, bits, most = _shared_words(text)
    run_ends = text[2]
    keys = np.empty(len(places) * GRAMS_A_WORD // part[1] + GRAMS_A_WORD, dtype=np.uint64)
    firsts = np.empty(len(keys), dtype=np.int32)
    masks = np.empty(len(keys), dtype=np.int32)
    used = 0
    for one in range(len(places)):
        first = np.int64(places[one])
        if first == FAR_AWAY or run_ends[first] - first >= WINDOW:
            continue
        keys, firsts, masks = _with_room_for_a_word(keys, firsts, masks, used)
        for two in range(one + 1, len(places)):
            needed = least - bits[one] - bits[two]
            if places[two] - first >= WINDOW - 1:
                break
            if needed > most:
                continue
            for three in range(two + 1, len(places)):
                third = np.int64(places[three])
                if third - first >= WINDOW:
                    break
                if bits[three] < needed or third < run_ends[first]:
                    continue
                key = _key(np.int64(words[one]), np.int64(words[two]), np.int64(words[three]))
                if key != NO_KEY and _is_of(key, part):
                    keys[used], firsts[used] = key, first
                    masks[used] = 1 | 1 << (np.int64(places[two]) - first) | 1 << (third - first)
                    used += 1
    return keys[:used], firsts[:used], masks[:used]


@njit(nogil=True, cache=True)
def _with_room_for_a_word(keys: Any, firsts: Any, masks: Any, used: Any) -> Any:
    if used + GRAMS_A_WORD <= len(keys):
        return keys, firsts, masks
    room = 2 * len(keys) + GRAMS_A_WORD
    return grown(keys, used, room), grown(firsts, used, room), grown(masks, used, room)


@njit(nogil=True, cache=True, inline="always")
def _is_of(key: Any, part: Any) -> Any:
    return part[1] == 1 or np.int64((key >> UPPER) % np.uint64(part[1])) == part[0]


@njit(nogil=True, cache=True, inline="always")
def _key(x: Any, y: Any, z: Any) -> Any:
    """The hash of three different words in whatever order; of up to two million words its own."""
    low, high = min(x, y, z), max(x, y, z)
    middle = x ^ y ^ z ^ low ^ high
    if middle in (low, high):
        return NO_KEY
    key = ((np.uint64(low) << NUMBER | np.uint64(middle)) << NUMBER) | np.uint64(high)
    return mix(key)
