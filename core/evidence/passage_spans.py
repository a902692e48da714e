"""From clusters of seeds to passages: where the words that match outweigh those that do not.

Along each text a word of a seed counts its information, any other word costs `PRICE` bits, and a
passage is a span with the highest sum (the maximal scoring segments of Ruzzo and Tompa, ISMB 1999;
as in BLAST a span ends where the sum has fallen by `DROP`). What lies outside the span in one text
is taken from the other, until nothing changes. No span runs over a gap of text that is set aside.

The words that two texts share, numbered, and the runs of them that stand in both texts once.

A run is anchored at four words in a row that each text has once, and goes as far as the texts
agree: so of near-duplicates nearly all is matched in one pass, before anything is searched for.

Seeds: a few words that stand close together in two texts, in whatever order.

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
from core.settings import PRICE
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
        count += _common_words_is_of(key, part)
    slots = slots_for(count)
    table = np.empty(slots, dtype=np.uint64)
    places_a, places_b = np.zeros(slots, dtype=np.int32), np.zeros(slots, dtype=np.int32)
    for place in range(len(keys_a)):
        if _common_words_is_of(keys_a[place], part):
            slot = find_slot(table, places_a, keys_a[place])
            places_a[slot] = REPEATED if places_a[slot] else place + 1
            table[slot] = keys_a[place]
    for place in range(len(keys_b)):
        if _common_words_is_of(keys_b[place], part):
            slot = find_slot(table, places_a, keys_b[place])
            places_b[slot] = REPEATED if places_b[slot] else place + 1
    for slot in range(slots):
        if places_a[slot] > 0 and places_b[slot] > 0:
            anchors[places_b[slot] - 1] = places_a[slot] - 1


@njit(nogil=True, cache=True, inline="always")
def _common_words_is_of(key: Any, part: Any) -> Any:
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


WINDOW = 6  # words from the first to the last of a gram
GRAMS_A_WORD = (WINDOW - 1) * (WINDOW - 2) // 2
BITS_OF_LONG = 8.0  # and log2 of the words: fewer chance seeds than words, however long
MOST_PLACES = 8  # of a gram in A that all meet each of its places in B
PIECE = 16  # words of a run in one seed
NUMBER = np.uint64(21)  # bits of the number of a word in a key
COLUMNS = 4  # of seeds
NO_GRAM = -1
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
                if key != NO_KEY and _seeds_is_of(key, part):
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
def _seeds_is_of(key: Any, part: Any) -> Any:
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


DROP = 60.0  # bits: 40 words that do not match
FLOOR = 10.0  # bits: less is not looked at
MOST_TURNS = 16


@njit(nogil=True, cache=True)
def find_spans(seeds: Any, labels: Any, clusters: Any, a: Any, b: Any) -> Any:
    """The passages of all clusters: rows and bits, as in `ReworkedPassages`, in no order.

    Args:
        seeds: As `core.evidence.passage_spans` makes them.
        labels: int32, the cluster of each.
        clusters: How many there are.
        a: Of text A the numbers of its words (see `number_words`) and their information, float32.
        b: The same of text B.
    """
    orders, bounds = _order(seeds, labels, clusters, a, b)
    room = len(orders[0])
    marks = (np.zeros(len(a[0]), dtype=np.int32), np.zeros(len(b[0]), dtype=np.int32))
    part_of = np.empty(len(seeds), dtype=np.int32)
    spans, sums = np.empty((room, 3), dtype=np.int64), np.empty(room, dtype=np.float64)
    stack, height = _first_groups(bounds, room)
    rows, bits = np.empty((room, 6), dtype=np.int64), np.empty(room, dtype=np.float32)
    found = 0
    stamp = np.int32(0)
    while height > 0:
        height -= 1
        start, end = stack[height, 0], stack[height, 1]
        side, turn = stack[height, 2], stack[height, 3]
        bits[found], whole = np.inf, 0
        while 0 <= whole < 2:
            own, text = orders[side, start:end], a if side == 0 else b
            stamp += np.int32(1)
            count = _sum_up(seeds, own, side, text, marks[side], stamp, spans, sums)
            kept = _part(seeds, own, side, spans, count, part_of)
            if count == 1 and (kept == len(own) or turn >= MOST_TURNS):
                _note(rows, bits, found, side, spans, sums)
                whole += 1
            else:
                group = (start, end, 1 - side, turn + 1)
                height = _split(orders, group, part_of, count, stack, height)
                whole = -1
            side = 1 - side
        found += whole > 0
    return rows[:found].copy(), bits[:found].copy()


@njit(nogil=True, cache=True)
def _order(seeds: Any, labels: Any, clusters: Any, a: Any, b: Any) -> Any:
    """The seeds of each cluster in the order of A and in that of B, and where each cluster begins.

    Without those of clusters that cannot have enough bits.
    """
    bounds = _promising(seeds, labels, clusters, a[1], b[1])
    orders = np.empty((2, bounds[clusters]), dtype=np.int32)
    for side in range(2):
        firsts = np.zeros((len(a[0]) if side == 0 else len(b[0])) + 1, dtype=np.int32)
        for seed in range(len(seeds)):
            firsts[seeds[seed, side] + 1] += 1
        for place in range(1, len(firsts)):
            firsts[place] += firsts[place - 1]
        by_place = np.empty(len(seeds), dtype=np.int32)
        for seed in range(len(seeds)):
            by_place[firsts[seeds[seed, side]]] = seed
            firsts[seeds[seed, side]] += 1
        filled = bounds[:-1].copy()
        for index in range(len(seeds)):
            cluster = labels[by_place[index]]
            if bounds[cluster + 1] > bounds[cluster]:
                orders[side, filled[cluster]] = by_place[index]
                filled[cluster] += 1
    return orders, bounds


@njit(nogil=True, cache=True)
def _promising(seeds: Any, labels: Any, clusters: Any, info_a: Any, info_b: Any) -> Any:
    """Where each cluster begins, int64, as if those with less than the least bits had no seed."""
    bits = np.zeros((2, clusters), dtype=np.float64)
    sizes = np.zeros(clusters, dtype=np.int64)
    for seed in range(len(seeds)):
        sizes[labels[seed]] += 1
        for side in range(2):
            info = info_a if side == 0 else info_b
            place, places = seeds[seed, side], seeds[seed, 2 + side]
            while places:
                if places & 1:
                    bits[side, labels[seed]] += info[place]
                places >>= 1
                place += 1
    bounds = np.zeros(clusters + 1, dtype=np.int64)
    for cluster in range(clusters):
        enough = min(bits[0, cluster], bits[1, cluster]) >= FLOOR
        bounds[cluster + 1] = bounds[cluster] + (sizes[cluster] if enough else 0)
    return bounds


@njit(nogil=True, cache=True)
def _first_groups(bounds: Any, room: Any) -> Any:
    """A stack of groups of seeds: start and end in the orders, text to begin with, turn."""
    stack = np.empty((room + 1, 4), dtype=np.int64)
    height = 0
    for cluster in range(len(bounds) - 1):
        if bounds[cluster + 1] > bounds[cluster]:
            stack[height, 0], stack[height, 1] = bounds[cluster], bounds[cluster + 1]
            stack[height, 2] = stack[height, 3] = 0
            height += 1
    return stack, height


@njit(nogil=True, cache=True)
def _note(rows: Any, bits: Any, row: Any, side: Any, spans: Any, sums: Any) -> None:
    rows[row, 2 * side], rows[row, 2 * side + 1] = spans[0, 0], spans[0, 1]
    rows[row, 4 + side] = spans[0, 2]
    bits[row] = min(bits[row], sums[0])


@njit(nogil=True, cache=True)
def _sum_up(
    seeds: Any, own: Any, side: Any, text: Any, marks: Any, stamp: Any, spans: Any, sums: Any
) -> Any:
    """Find the best spans of some seeds along one text; how many there are."""
    numbers, info = text
    end = _mark(seeds, own, side, marks, stamp)
    count = upcoming = 0
    place = seeds[own[0], side]
    while place < end:
        if marks[place] != stamp:
            place, upcoming = _next_marked(seeds, own, side, marks, stamp, place, end, upcoming)
            continue
        first = last = place
        total = best = 0.0
        words = best_words = 0
        while place < end and total >= max(0.0, best - DROP) and numbers[place] != AT_A_GAP:
            if marks[place] == stamp:
                words += 1
                total += info[place]
            else:
                total -= PRICE
            place += 1
            if total > best:
                best, last, best_words = total, place, words
        if best >= FLOOR:
            spans[count, 0], spans[count, 1], spans[count, 2] = first, last, best_words
            sums[count] = best
            count += 1
            place = last
    return count


@njit(nogil=True, cache=True)
def _mark(seeds: Any, own: Any, side: Any, marks: Any, stamp: Any) -> Any:
    """Mark the words of some seeds; where the last of them ends."""
    end = np.int64(0)
    for index in range(len(own)):
        place, places = seeds[own[index], side], seeds[own[index], 2 + side]
        while places:
            if places & 1:
                marks[place] = stamp
            places >>= 1
            place += 1
        end = max(end, place)
    return end


@njit(nogil=True, cache=True)
def _next_marked(
    seeds: Any, own: Any, side: Any, marks: Any, stamp: Any, place: Any, end: Any, upcoming: Any
) -> Any:
    """The next word that is marked, without a look at long stretches where none is."""
    looked_at = 0
    while place < end and marks[place] != stamp:
        place += 1
        looked_at += 1
        if looked_at >= PIECE:
            while upcoming < len(own) and seeds[own[upcoming], side] < place:
                upcoming += 1
            if upcoming < len(own):
                place = max(place, seeds[own[upcoming], side])
            looked_at = 0
    return place, upcoming


@njit(nogil=True, cache=True)
def _part(seeds: Any, own: Any, side: Any, spans: Any, count: Any, part_of: Any) -> Any:
    """Note in which span each seed is, -1 for none; how many are in one."""
    kept = span = 0
    for index in range(len(own)):
        seed = own[index]
        first, places = seeds[seed, side], seeds[seed, 2 + side]
        last = first
        while places > 1:
            places >>= 1
            last += 1
        while span < count and spans[span, 1] <= first:
            span += 1
        inside = span < count and first >= spans[span, 0] and last < spans[span, 1]
        part_of[seed] = span if inside else -1
        kept += inside
    return kept


@njit(nogil=True, cache=True)
def _split(orders: Any, group: Any, part_of: Any, count: Any, stack: Any, height: Any) -> Any:
    """Put the seeds of each span together in both orders, and on the stack; its new height."""
    start, end, side, turn = group
    bounds = np.zeros(count + 1, dtype=np.int64)
    for index in range(start, end):
        bounds[part_of[orders[0, index]] + 1] += 1
    bounds[0] = start
    for span in range(count):
        bounds[span + 1] += bounds[span]
        if bounds[span + 1] > bounds[span]:
            stack[height, 0], stack[height, 1] = bounds[span], bounds[span + 1]
            stack[height, 2], stack[height, 3] = side, turn
            height += 1
    for text in range(2):
        filled, old = bounds.copy(), orders[text, start:end].copy()
        for index in range(len(old)):
            part = part_of[old[index]]
            if part >= 0:
                orders[text, filled[part]] = old[index]
                filled[part] += 1
    return height
