"""Seeds of reworked passages: a few words that stand close together in two texts, in any order.

Many pairs are read as one: of each pair the text that is read first is in A, the other in B, with
gaps between the texts that no seed and no cluster of seeds spans.

The words that both texts of a pair have are numbered, and runs of them are anchored at four words
in a row that each text has once. A run goes as far as the texts agree: so of near-duplicates nearly
all is matched in one pass, before anything is searched for.

A word that both texts use again and again tells less in this pair than in the folder: no more than
its frequency in the two says, the geometric mean, with the folder as prior (Dirichlet smoothing:
Zhai and Lafferty, SIGIR 2001). So texts in a language that few documents have are no pair for its
frequent words, nor texts on one subject for its terms.

Elsewhere three different words within six make a skip-gram (Guthrie, Allison, Liu, Guthrie and
Wilks, LREC 2006), and its words are sorted: where words were exchanged, left out, put in or moved,
others of the grams over the same words are as they were. Only grams whose words carry at least 24
bits count, which two places of unrelated texts share once in 16 million; more in texts of over
65,000 words.

Of a gram with many places in A, each place in B meets one: the first the first. So texts of one
repeated sentence, or with a refrain, have as many seeds as words.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import (
    BoolArray,
    Float32Array,
    Int32Array,
    Int64Array,
    UInt32Array,
    UInt64Array,
    grown,
)
from core.base.compiling import njit
from core.base.hashing import find_place, find_slot, mix, slots_for
from core.base.tasks import stop_if_cancelled
from core.text.set_aside import GAP

NOT_SHARED = -1  # instead of the number of a word that only one text has
AT_A_GAP = -2  # instead of the number where text was set aside, and between texts
CELL = 20  # words: texts begin at multiples, so that a pair is cut into the same cells as alone
GAP_WORDS = 41  # between texts, at least: one more than seeds of one cluster are apart
LEAST_RUN = 6  # words; shorter runs are found by their skip-grams
LEAST_BITS = 24.0
ANCHOR = 4  # words
NUMBER_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd: of a number below 65,536 16 bits are enough
ANCHORS_AT_ONCE = 1 << 20  # of a text in one table: a table of all would not fit in memory
UPPER = np.uint64(44)  # bits of a key below those that say in which part it is
NO_KEY = np.uint64(0)
REPEATED = -1  # instead of the only place of an anchor
WINDOW = 6  # words from the first to the last of a gram
NUMBER = np.uint64(21)  # bits of the number of a word where a gram's part is chosen
BITS_OF_LONG = 8.0  # and log2 of the words: fewer chance seeds than words, however long
MARKS_A_SLOT = 4  # so that a gram that is not in B has a mark of another seldom
MOST_PLACES = 8  # of a gram in A that all meet each of its places in B
BLOCK = np.uint64(1 << 9)  # words whose grams are looked at together, and grams that are matched
SEEDS_A_BLOCK = MOST_PLACES * int(BLOCK)  # at most, of grams that are matched
PIECE = 16  # words of a run in one seed
PARTS_AT_ONCE = 16  # of a long text: the grams of two million words take 80 MB
# The shape of a gram: which of the words behind its first one are its second and its third.
SHAPE_BITS = np.uint64(4)
LAST_SHAPE = np.uint64(15)
SECOND, THIRD = np.uint64(0x4332221111), np.uint64(0x5545435432)  # by shape, in four bits
SHAPES = np.uint64(10)
GRAMS_A_BLOCK = int(SHAPES * BLOCK)  # at most, of words that are looked at together
OWN_TIMES = 2  # that a word may stand in both texts because they share a passage
PRIOR_WORDS = 1000.0  # of the folder that count as if each text had them too
FAR_AWAY = np.int64(1 << 30)  # the place of a gap


class Side(NamedTuple):
    """The texts of one side of some pairs.

    Attributes:
        numbers: int32, by place: the number of a word that both texts of its pair have.
        here: float32, the information of each word where it stands, in bits.
        anywhere: float32, the same wherever it stands in the two texts.
        starts: int64, by pair: where its text begins.
        ends: int64, where it ends.
    """

    numbers: Int32Array
    here: Float32Array
    anywhere: Float32Array
    starts: Int64Array
    ends: Int64Array


def both_sides(
    words: UInt64Array,
    here: Float32Array,
    anywhere: Float32Array,
    bounds: Int64Array,
    x: Int64Array,
    y: Int64Array,
) -> tuple[Side, Side, BoolArray]:
    """Both sides of pairs of documents, and whether the second document is in A.

    The longer text is read first, of texts of one length the one whose words are greater where they
    first differ: so the order of a pair makes no difference.
    """
    in_x, in_y = (bounds[documents + 1] - bounds[documents] for documents in (x, y))
    a, b = _side(np.maximum(in_x, in_y)), _side(np.minimum(in_x, in_y))
    swapped = np.zeros(len(x), dtype=np.bool_)
    _number_words(words, here, anywhere, bounds, x, y, a, b, swapped)
    return a, b, swapped


def _side(sizes: Int64Array) -> Side:
    room = (sizes + (GAP_WORDS + CELL - 1)) // CELL * CELL
    starts = np.cumsum(room) - room
    ends = starts + sizes
    words = int(ends[-1])
    numbers = np.full(words, AT_A_GAP, dtype=np.int32)
    here, anywhere = np.zeros((2, words), dtype=np.float32)
    return Side(numbers, here, anywhere, starts, ends)


@njit(nogil=True, cache=True)
def _number_words(
    words: Any,
    here: Any,
    anywhere: Any,
    bounds: Any,
    x: Any,
    y: Any,
    a: Any,
    b: Any,
    swapped: Any,
) -> None:
    """Fill both sides, and say which pairs are swapped."""
    for pair in range(len(x)):
        first, other = bounds[x[pair]], bounds[y[pair]]
        size, other_size = bounds[x[pair] + 1] - first, bounds[y[pair] + 1] - other
        if size == other_size:
            place = 0
            while place < size - 1 and words[first + place] == words[other + place]:
                place += 1
            swapped[pair] = size > 0 and words[first + place] < words[other + place]
        else:
            swapped[pair] = size < other_size
        if swapped[pair]:
            first, other, size, other_size = other, first, other_size, size
        slots = slots_for(size)
        keys = np.empty(slots, dtype=np.uint64)
        numbers = np.zeros(slots, dtype=np.int32)  # counted from 1
        times = np.zeros((size, 2), dtype=np.int32)  # that a word stands in A, and in B, by number
        most_bits = np.zeros(size, dtype=np.float32)  # that it can carry in this pair
        count = np.int32(0)
        start, other_start = a.starts[pair], b.starts[pair]
        for place in range(size):
            word = words[first + place]
            a.here[start + place] = here[first + place]
            a.anywhere[start + place] = anywhere[first + place]
            if word != GAP:
                key = mix(word)
                slot = find_slot(keys, numbers, key)
                if not numbers[slot]:
                    count += np.int32(1)
                    numbers[slot] = count
                    keys[slot] = key
                number = numbers[slot] - np.int32(1)
                a.numbers[start + place] = number
                times[number, 0] += 1
                most_bits[number] = anywhere[first + place]
        for place in range(other_size):
            word = words[other + place]
            b.here[other_start + place] = here[other + place]
            b.anywhere[other_start + place] = anywhere[other + place]
            if word != GAP:
                number = numbers[find_slot(keys, numbers, mix(word))] - np.int32(1)
                b.numbers[other_start + place] = number
                if number != NOT_SHARED:
                    times[number, 1] += 1
        for number in range(count):
            if min(times[number, 0], times[number, 1]) > OWN_TIMES:
                known = PRIOR_WORDS * 2.0 ** -most_bits[number]
                in_a = (times[number, 0] - OWN_TIMES + known) / (size + PRIOR_WORDS)
                in_b = (times[number, 1] - OWN_TIMES + known) / (other_size + PRIOR_WORDS)
                most_bits[number] = min(most_bits[number], -np.log2(in_a * in_b) / 2)
        for place in range(start, start + size):
            number = a.numbers[place]
            if number >= 0 and not times[number, 1]:
                a.numbers[place] = NOT_SHARED
            elif number >= 0:
                a.here[place] = min(a.here[place], most_bits[number])
                a.anywhere[place] = most_bits[number]
        for place in range(other_start, other_start + other_size):
            number = b.numbers[place]
            if number >= 0:
                b.here[place] = min(b.here[place], most_bits[number])
                b.anywhere[place] = most_bits[number]


@njit(nogil=True, cache=True)
def find_runs(a: Any, b: Any, anchors_at_once: Any) -> Any:
    """Runs of words that both texts of a pair have: int64 (n, 3), place in A, place in B, words.

    In the order of B. With them int32, by place of A and of B: where the run ends in which it is, 0
    where it is in none.
    """
    keys_a = np.zeros(len(a.numbers), dtype=np.uint64)  # of the anchor that begins there
    keys_b = np.zeros(len(b.numbers), dtype=np.uint64)
    for side in range(2):
        numbers, keys = (a.numbers, keys_a) if side == 0 else (b.numbers, keys_b)
        shared, last = 0, np.uint64(0)  # the words of an anchor, each in 16 bits of its own
        for place in range(len(numbers)):
            shared = shared + 1 if numbers[place] >= 0 else 0
            last = (last << np.uint64(16)) + np.uint64(numbers[place] + 1) * NUMBER_FACTOR
            if shared >= ANCHOR:
                keys[place - ANCHOR + 1] = mix(last)
    anchors = np.full(len(b.numbers), np.int32(-1))  # by place of B: where it begins in A
    for pair in range(len(a.starts)):
        parts = np.uint64(1 + (a.ends[pair] - a.starts[pair]) // anchors_at_once)
        for part in range(parts):
            _find_anchors(a, b, pair, keys_a, keys_b, np.uint64(part), parts, anchors)
    runs = np.empty((len(b.numbers) // LEAST_RUN + 1, 3), dtype=np.int64)
    ends_a = np.zeros(len(a.numbers), dtype=np.int32)
    ends_b = np.zeros(len(b.numbers), dtype=np.int32)
    count = reached = y = 0
    while y < len(b.numbers):
        begin_a, begin_b = np.int64(anchors[y]), y
        y += 1
        if begin_a < 0:
            continue
        while begin_a > 0 and begin_b > reached and b.numbers[begin_b - 1] >= 0:
            if a.numbers[begin_a - 1] != b.numbers[begin_b - 1]:
                break
            begin_a -= 1
            begin_b -= 1
        words, bits = 0, 0.0
        while begin_a + words < len(a.numbers) and begin_b + words < len(b.numbers):
            number = b.numbers[begin_b + words]
            if number < 0 or a.numbers[begin_a + words] != number:
                break
            bits += b.anywhere[begin_b + words]
            words += 1
        if words >= LEAST_RUN and bits >= LEAST_BITS:
            runs[count, 0], runs[count, 1], runs[count, 2] = begin_a, begin_b, words
            count += 1
            reached = begin_b + words
            for step in range(words):
                end = max(np.int64(ends_a[begin_a + step]), begin_a + words)
                ends_a[begin_a + step] = end
                ends_b[begin_b + step] = reached
        y = max(y, begin_b + words)
    return runs[:count], ends_a, ends_b


@njit(nogil=True, cache=True)
def _find_anchors(
    a: Any, b: Any, pair: Any, keys_a: Any, keys_b: Any, part: Any, parts: Any, anchors: Any
) -> None:
    """Note the anchors of a pair whose keys are of one part, and which each text has once."""
    count = 0
    for place in range(a.starts[pair], a.ends[pair]):
        key = keys_a[place]
        count += key != NO_KEY and (parts == 1 or (key >> UPPER) % parts == part)
    slots = slots_for(count)
    table = np.empty(slots, dtype=np.uint64)
    places_a = np.zeros(slots, dtype=np.int32)  # by slot, counted from 1
    places_b = np.zeros(slots, dtype=np.int32)
    for side in range(2):
        keys, text, places = (keys_a, a, places_a) if side == 0 else (keys_b, b, places_b)
        for place in range(text.starts[pair], text.ends[pair]):
            key = keys[place]
            if key != NO_KEY and (parts == 1 or (key >> UPPER) % parts == part):
                slot = find_slot(table, places_a, key)
                if side == 0:
                    table[slot] = key
                places[slot] = REPEATED if places[slot] else place + 1
    for slot in range(slots):
        if places_a[slot] > 0 and places_b[slot] > 0:
            anchors[places_b[slot] - 1] = places_a[slot] - 1


class Grams(NamedTuple):
    """The skip-grams of a text of a pair, by their hashes in parts.

    Attributes:
        words: uint64, hashes of the words that both texts have.
        places: int32, where each stands.
        grams: uint32 (n, parts), in reading order: the first word, in the lowest bits the shape.
        counts: uint64, by part, how many there are.
    """

    words: UInt64Array
    places: Int32Array
    grams: UInt32Array
    counts: UInt64Array


def find_seeds(
    a: Side, b: Side, runs: Int64Array, ends_a: Int32Array, ends_b: Int32Array, words_at_once: int
) -> Int64Array:
    """The seeds of some pairs.

    Args:
        a: One side of the pairs.
        b: The other.
        runs: The runs of all pairs; what follows is where they end, as `find_runs` says.
        ends_a: By place of A.
        ends_b: By place of B.
        words_at_once: The grams of a longer text are matched in parts, by their hashes, of which
            there is one more than the text has so many words.

    Returns:
        int64 (n, 4), a row is a seed: its first place in A, the one in B, and which of the places
        from there on belong to it, as bits, in A and in B.
    """
    seeds: Int64Array = np.empty((len(b.numbers), 4), dtype=np.int64)
    seeds, used = _add_seeds(a, b, runs, ends_a, ends_b, words_at_once, seeds)
    sizes = a.ends - a.starts
    for pair in np.flatnonzero(sizes >= words_at_once).tolist():
        parts = 1 + int(sizes[pair]) // words_at_once
        for first in range(0, parts, PARTS_AT_ONCE):
            some = min(PARTS_AT_ONCE, parts - first)
            stop_if_cancelled()
            in_b = _find_grams(b, pair, ends_b, int(sizes[pair]), parts, first, some)
            stop_if_cancelled()
            in_a = _find_grams(a, pair, ends_a, int(sizes[pair]), parts, first, some)
            for part in range(some):
                stop_if_cancelled()
                seeds, used = _match(in_a, in_b, part, seeds, used)
    return seeds[:used]


@njit(nogil=True, cache=True)
def _add_seeds(
    a: Any, b: Any, runs: Any, ends_a: Any, ends_b: Any, words_at_once: Any, seeds: Any
) -> Any:
    """The runs of all pairs as seeds, and those of skip-grams of texts that are not too long."""
    run = used = 0
    for pair in range(len(a.starts)):
        while run < len(runs) and runs[run, 1] < b.ends[pair]:
            for begin in range(0, runs[run, 2], PIECE):
                if used == len(seeds):
                    seeds = grown(seeds, used, 2 * used + SEEDS_A_BLOCK)
                seeds[used, 0], seeds[used, 1] = runs[run, 0] + begin, runs[run, 1] + begin
                mask = (np.int64(1) << min(PIECE, runs[run, 2] - begin)) - 1
                seeds[used, 2] = seeds[used, 3] = mask
                used += 1
            run += 1
        words = a.ends[pair] - a.starts[pair]
        if words < words_at_once:
            in_b = _find_grams(b, pair, ends_b, words, 1, 0, 1)
            if in_b.counts[0]:
                in_a = _find_grams(a, pair, ends_a, words, 1, 0, 1)
                seeds, used = _match(in_a, in_b, 0, seeds, used)
    return seeds, used


@njit(nogil=True, cache=True)
def _find_grams(
    text: Any, pair: Any, run_ends: Any, longest: Any, parts: Any, first_part: Any, some: Any
) -> Any:
    """The skip-grams of a text of some parts.

    Grams within a run are left out, and those with less than the least bits, which are as many as
    the longer text of the pair asks for.
    """
    least = max(LEAST_BITS, np.log2(longest + 1.0) + BITS_OF_LONG)
    zero, one_more = np.uint64(0), np.uint64(1)  # a place that cannot be negative is found faster
    start, end = np.uint64(text.starts[pair]), np.uint64(text.ends[pair])
    # The words that both texts have, behind a gap so far on that no window reaches over it.
    size = end - start + np.uint64(WINDOW)
    numbers = np.empty(size if parts > 1 else zero, dtype=np.uint64)
    words, places = np.empty(size, dtype=np.uint64), np.empty(size, dtype=np.int32)
    apart, reached = np.empty(size, dtype=np.uint32), np.empty(size, dtype=np.uint32)
    bits = np.empty(size, dtype=np.float32)
    count, shift = zero, np.uint32(0)
    for place in range(start, end):
        number = text.numbers[place]
        words[count], places[count] = mix(np.uint64(number)), place
        apart[count], reached[count] = place + shift, run_ends[place] + shift
        bits[count] = text.anywhere[place]
        if parts > 1:
            numbers[count] = number
        count += np.uint64(number >= 0)
        shift += np.uint32(WINDOW) * np.uint32(number == AT_A_GAP)
    for behind in range(count, count + np.uint64(WINDOW)):
        apart[behind], bits[behind] = FAR_AWAY, 0
    room = count * SHAPES // np.uint64(parts) + BLOCK * SHAPES
    if parts > 1:
        room += room >> np.uint64(3)
    grams = np.empty((room, some), dtype=np.uint32)
    counts = np.zeros(some, dtype=np.uint64)
    shapes = np.empty(BLOCK, dtype=np.uint16)  # which grams begin with each word, as bits
    for block in range(zero, count, BLOCK):
        size = min(BLOCK, count - block)
        shapes[:] = 0
        for shape in range(SHAPES):
            four_bits = np.uint64(shape) << np.uint64(2)
            second, third = SECOND >> four_bits & LAST_SHAPE, THIRD >> four_bits & LAST_SHAPE
            for at in range(size):  # without a branch, for several words at a time
                one = block + at
                two, three = one + second, one + third
                is_gram = bits[three] >= least - bits[one] - bits[two]
                is_gram &= apart[three] - apart[one] < np.uint32(WINDOW)
                is_gram &= apart[three] >= reached[one]
                is_gram &= (words[one] != words[two]) & (words[two] != words[three])
                is_gram &= words[one] != words[three]
                shapes[at] |= np.uint16(is_gram) << np.uint16(shape)
        filled = np.int64(0)
        for of_part in counts:
            filled = max(filled, np.int64(of_part))
        if filled + GRAMS_A_BLOCK > len(grams):
            grams = grown(grams, filled, 2 * len(grams) + GRAMS_A_BLOCK)
        for at in range(size):
            if not shapes[at]:
                continue
            for shape in range(SHAPES):
                gram = (block + at) << SHAPE_BITS | shape
                is_gram = np.uint64(shapes[at]) >> shape & one_more
                part = zero
                if parts > 1:
                    if not is_gram:
                        continue
                    x, y, z = _words_of(numbers, gram)
                    low, high = min(x, y, z), max(x, y, z)
                    key = mix((low << NUMBER | (x ^ y ^ z ^ low ^ high)) << NUMBER | high)
                    part = (key >> UPPER) % np.uint64(parts) - np.uint64(first_part)
                    if part >= np.uint64(some):
                        continue
                grams[counts[part], part] = gram
                counts[part] += is_gram
    return Grams(words, places, grams, counts)


@njit(nogil=True, cache=True)
def _match(in_a: Any, in_b: Any, part: Any, seeds: Any, used: Any) -> Any:
    """Add the seeds of the grams of a part to the first `used` rows; and how many there are."""
    count_a, count_b = in_a.counts[part], in_b.counts[part]
    keys_b = np.empty(count_b, dtype=np.uint64)
    # Of A only those grams are needed that may be in B, mostly few, and of B likewise.
    marks = np.zeros(MARKS_A_SLOT * slots_for(np.int64(count_b)), dtype=np.bool_)
    last_mark = np.uint64(len(marks) - 1)
    for gram in range(count_b):
        one, two, three = _words_of(in_b.words, in_b.grams[gram, part])
        keys_b[gram] = one + two + three  # of hashes: the sum is the same in any order
        marks[keys_b[gram] & last_mark] = True
    keys_a = np.empty(count_a, dtype=np.uint64)
    grams_a = np.empty(count_a, dtype=np.uint32)
    count = np.uint64(0)
    for gram in range(count_a):
        grams_a[count] = in_a.grams[gram, part]
        one, two, three = _words_of(in_a.words, grams_a[count])
        keys_a[count] = one + two + three
        count += np.uint64(marks[keys_a[count] & last_mark])
    # A table of the first gram with each key, counted from 1. By gram: the next one with the
    # same key, how many there are from it on, and of first ones which is matched next in turn.
    heads = np.zeros(slots_for(np.int64(count)), dtype=np.int32)
    behind = np.empty(np.int64(count) + 1, dtype=np.int32)
    counts = np.empty(len(behind), dtype=np.int32)
    upcoming = np.empty(len(behind), dtype=np.int32)
    counts[0] = upcoming[0] = 0
    for gram in range(count, 0, -1):
        slot = find_place(keys_a, heads, keys_a[gram - 1], keys_a[gram - 1])
        behind[gram] = heads[slot]
        counts[gram] = counts[heads[slot]] + 1
        heads[slot] = upcoming[gram] = gram
    marks[:] = False
    for gram in range(count):
        marks[keys_a[gram] & last_mark] = True
    needed = np.empty(BLOCK, dtype=np.uint32)
    for first in range(np.uint64(0), count_b, BLOCK):
        # Room for all of a block: a loop in which an array may be replaced takes twice as long.
        if used + SEEDS_A_BLOCK > len(seeds):
            seeds = grown(seeds, used, 2 * len(seeds) + SEEDS_A_BLOCK)
        number = np.uint64(0)
        for gram in range(first, min(first + BLOCK, count_b)):
            needed[number] = gram
            number += np.uint64(marks[keys_b[gram] & last_mark])
        for gram in needed[:number]:
            head = heads[find_place(keys_a, heads, keys_b[gram], keys_b[gram])]
            other = upcoming[head]
            if not other:
                continue
            y, second, third = _words_of(in_b.places, in_b.grams[gram, part])
            mask_b = np.int64(1) | np.int64(1) << (second - y) | np.int64(1) << (third - y)
            while other > 0:
                x, second, third = _words_of(in_a.places, grams_a[other - 1])
                mask_a = np.int64(1) | np.int64(1) << (second - x) | np.int64(1) << (third - x)
                row = used - 1
                lowest = max(used - MOST_PLACES, 0)
                while row >= lowest and seeds[row, 1] == y and seeds[row, 0] != x:
                    row -= 1
                if row < lowest or seeds[row, 1] != y:
                    row = used
                    used += 1
                    seeds[row, 0], seeds[row, 1], seeds[row, 2], seeds[row, 3] = x, y, 0, 0
                seeds[row, 2] |= mask_a
                seeds[row, 3] |= mask_b
                if counts[head] > MOST_PLACES:
                    upcoming[head] = behind[other]
                    break
                other = behind[other]
    return seeds, used


@njit(nogil=True, cache=True, inline="always")
def _words_of(values: Any, gram: Any) -> Any:
    """What some values are of the three words of a gram."""
    one, shift = np.uint64(gram) >> SHAPE_BITS, (np.uint64(gram) & LAST_SHAPE) << np.uint64(2)
    second, third = SECOND >> shift & LAST_SHAPE, THIRD >> shift & LAST_SHAPE
    return values[one], values[one + second], values[one + third]
