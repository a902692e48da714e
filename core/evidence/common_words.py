"""The words that two texts share, numbered, and the runs of them that stand in both texts once.

A run is anchored at four words in a row that each text has once, and goes as far as the texts
agree: so of near-duplicates nearly all is matched in one pass, before anything is searched for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.compiling import njit
from core.base.hashing import find_slot, mix, slots_for
from core.text.set_aside import GAP

NOT_SHARED = -1  # in the place of the number of a word that only one text has
AT_A_GAP = -2  # in the place of the number where text was set aside
LEAST_RUN = 6  # words; shorter ones are found by their skip-grams
LEAST_BITS = 24.0
ANCHOR = 4  # words
ANCHORS_AT_ONCE = 1 << 20  # of a text in one table
UPPER = np.uint64(44)  # bits below those that say in which table a key is
NO_KEY = np.uint64(0)
REPEATED = -1  # in the place of the one place of an anchor


@njit(nogil=True, cache=True)
def number_words(a: Any, b: Any) -> Any:
    """The numbers of the words of two texts, int32, counted from 0 on."""
    numbers_a = np.empty(len(a), dtype=np.int32)
    numbers_b = np.empty(len(b), dtype=np.int32)
    slots = slots_for(len(a))
    keys = np.empty(slots, dtype=np.uint64)
    numbers = np.zeros(slots, dtype=np.int32)
    count = np.int32(0)
    for place in range(len(a)):
        numbers_a[place] = AT_A_GAP
        if a[place] != GAP:
            key = mix(a[place])
            slot = find_slot(keys, numbers, key)
            if not numbers[slot]:
                count += np.int32(1)
                numbers[slot] = count
                keys[slot] = key
            numbers_a[place] = numbers[slot] - np.int32(1)
    in_b = np.zeros(count, dtype=np.bool_)
    for place in range(len(b)):
        numbers_b[place] = AT_A_GAP
        if b[place] != GAP:
            number = numbers[find_slot(keys, numbers, mix(b[place]))] - np.int32(1)
            numbers_b[place] = number
            if number >= 0:
                in_b[number] = True
    for place in range(len(a)):
        if numbers_a[place] >= 0 and not in_b[numbers_a[place]]:
            numbers_a[place] = NOT_SHARED
    return numbers_a, numbers_b


@njit(nogil=True, cache=True)
def _anchor_keys(numbers: Any) -> Any:
    """By place the hash of the shared words that begin there, 0 where there are too few."""
    keys = np.zeros(len(numbers), dtype=np.uint64)
    shared = 0
    for place in range(len(numbers)):
        shared = shared + 1 if numbers[place] >= 0 else 0
        if shared >= ANCHOR:
            key = np.uint64(0)
            for word in range(place - ANCHOR + 1, place + 1):
                key = mix(key + np.uint64(numbers[word]) + np.uint64(1))
            keys[place - ANCHOR + 1] = key
    return keys


@njit(nogil=True, cache=True)
def _anchors(numbers_a: Any, numbers_b: Any) -> Any:
    """By place of B, int32, where the same words begin in A, if each text has them once; or -1."""
    keys_a, keys_b = _anchor_keys(numbers_a), _anchor_keys(numbers_b)
    anchors = np.full(len(numbers_b), np.int32(-1))
    parts = np.uint64(1 + len(keys_a) // ANCHORS_AT_ONCE)
    for part in range(parts):
        _find_anchors(keys_a, keys_b, (np.uint64(part), parts), anchors)
    return anchors


@njit(nogil=True, cache=True)
def _find_anchors(keys_a: Any, keys_b: Any, part: Any, anchors: Any) -> None:
    """Note the anchors whose keys are of one part: a table of all would not fit in memory."""
    count = 0
    for key in keys_a:
        count += _is_of(key, part)
    slots = slots_for(count)
    table = np.empty(slots, dtype=np.uint64)
    places_a, places_b = np.zeros(slots, dtype=np.int32), np.zeros(slots, dtype=np.int32)
    for place in range(len(keys_a)):
        if _is_of(keys_a[place], part):
            slot = find_slot(table, places_a, keys_a[place])
            places_a[slot] = REPEATED if places_a[slot] else place + 1
            table[slot] = keys_a[place]
    for place in range(len(keys_b)):
        if _is_of(keys_b[place], part):
            slot = find_slot(table, places_a, keys_b[place])
            places_b[slot] = REPEATED if places_b[slot] else place + 1
    for slot in range(slots):
        if places_a[slot] > 0 and places_b[slot] > 0:
            anchors[places_b[slot] - 1] = places_a[slot] - 1


@njit(nogil=True, cache=True, inline="always")
def _is_of(key: Any, part: Any) -> Any:
    return key != NO_KEY and (part[1] == 1 or (key >> UPPER) % part[1] == part[0])


@njit(nogil=True, cache=True)
def find_runs(numbers_a: Any, numbers_b: Any, bits_b: Any) -> Any:
    """Runs of shared words, int64 (n, 3): place in A, place in B, words; in the order of B."""
    anchors = _anchors(numbers_a, numbers_b)
    runs = np.empty((len(numbers_b) // LEAST_RUN + 1, 3), dtype=np.int64)
    found = reached = place = 0
    while place < len(numbers_b):
        x, y = np.int64(anchors[place]), place
        if x < 0:
            place += 1
            continue
        while x > 0 and y > reached and numbers_b[y - 1] >= 0:
            if numbers_a[x - 1] != numbers_b[y - 1]:
                break
            x -= 1
            y -= 1
        length, bits = 0, 0.0
        while x + length < len(numbers_a) and y + length < len(numbers_b):
            if numbers_b[y + length] < 0 or numbers_a[x + length] != numbers_b[y + length]:
                break
            bits += bits_b[y + length]
            length += 1
        if length >= LEAST_RUN and bits >= LEAST_BITS:
            runs[found, 0], runs[found, 1], runs[found, 2] = x, y, length
            found += 1
            reached = y + length
        place = max(place + 1, y + length)
    return runs[:found]


@njit(nogil=True, cache=True)
def run_ends(runs: Any, words: Any, column: Any) -> Any:
    """Where the run ends in which each word is, int32, 0 for none; column 0 of the runs is A."""
    ends = np.zeros(words, dtype=np.int32)
    for run in range(len(runs)):
        end = runs[run, column] + runs[run, 2]
        for place in range(runs[run, column], end):
            ends[place] = max(np.int64(ends[place]), end)
    return ends
