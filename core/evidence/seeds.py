"""Seeds of reworked passages: a few words that are close together in two texts, in any order.

Many pairs are read as one: A holds the first text of each pair, B the second, with gaps between the
texts that no seed and no cluster of seeds spans.

The words that both texts of a pair have are numbered, and runs of them are anchored at four words
in a row that each text has once. A run reaches as far as the texts agree: so nearly all of
near-duplicates is matched in one pass, before anything is searched for.

A word that both texts use again and again has less information in this pair than in the folder: at
most that of its frequency in the two, the geometric mean, with the folder as prior (Dirichlet
smoothing: Zhai and Lafferty, SIGIR 2001). So texts in a language of few documents are no pair
because of its frequent words, nor texts on a subject because of its terms.

Elsewhere three different words within six make a skip-gram (Guthrie, Allison, Liu, Guthrie and
Wilks, LREC 2006), and its words are sorted: where words were exchanged, left out, inserted or
moved, other grams of the same words are unchanged. Only grams whose words carry at least 24 bits
count, which two positions of unrelated texts share once in 16 million; more bits in texts of over
65,000 words.

In texts of that length many stretches have neither an anchor nor a gram that counts. There a run
goes on after a few words that were replaced by as many others.

If a gram occurs often in A, each occurrence in B matches only one, in turn: the first with the
first. So texts of a repeated sentence, or with a refrain, have as many seeds as words.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import (
    BoolArray,
    Float32Array,
    Int32Array,
    Int64Array,
    UInt8Array,
    UInt16Array,
    UInt32Array,
    UInt64Array,
    grown,
)
from core.base.compiling import njit
from core.base.hashing import (
    ONE,
    SEVEN,
    THREE,
    count_ones,
    find_index_slot,
    find_slot,
    may_be_among,
    mix,
    slots_for,
)
from core.base.tasks import stop_if_cancelled
from core.evidence.shared_words import compare_texts
from core.text.set_aside import GAP

NOT_SHARED = -1  # instead of the number of a word that only one text has
AT_A_GAP = -2  # instead of the number where text is set aside, and between texts
CELL = 20  # words: texts begin at multiples, so that a pair is cut into the same cells as alone
GAP_WORDS = 41  # between texts, at least: one more than seeds of a cluster are apart
LEAST_RUN = 6  # words; shorter runs are found by their skip-grams
LEAST_BITS = 24.0
ANCHOR = 4  # words
NUMBER_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd: of a number below 65,536 16 bits are enough
ANCHORS_AT_ONCE = 1 << 20  # of a text in one table: a table of all would not fit in memory
UPPER = np.uint64(44)  # bits of a key below those that choose its part
NO_KEY = np.uint64(0)
REPEATED = -1  # instead of the only position of an anchor
WINDOW = 6  # words from the first to the last of a gram
NUMBER = np.uint64(21)  # bits of the number of a word when a gram's part is chosen
BITS_OF_LONG = 8.0  # and log2 of the words: fewer chance seeds than words, however long
LONG = int(2 ** (LEAST_BITS - BITS_OF_LONG))  # words from which on grams need more bits
REPLACED = 8  # words that may be replaced after a run of a long text before it goes on
MARKS_A_SLOT = 4  # so that a gram that is not in B seldom has the mark of another
MOST_OCCURRENCES = 8  # of a gram in A, of which each matches every occurrence in B
BLOCK = np.uint64(1 << 9)  # words whose grams are made together, and grams that are matched
SEEDS_A_BLOCK = MOST_OCCURRENCES * int(BLOCK)  # at most, of grams that are matched
PIECE = 16  # words of a run in one seed
DIFFERENT_PAIRS = 64  # possible ones for each word of a text, from which on few are near in both
PARTS_AT_ONCE = 16  # of a long text: the grams of two million words take 80 MB
# The shape of a gram: which of the words after its first one are its second and its third.
SHAPE_BITS = np.uint64(4)
LAST_SHAPE = np.uint64(15)
SECOND, THIRD = np.uint64(0x4332221111), np.uint64(0x5545435432)  # by shape, in four bits
SHAPES = np.uint64(10)
GRAMS_A_BLOCK = int(SHAPES * BLOCK)  # at most, of words whose grams are made together
SHARED_TIMES = 2  # occurrences of a word in both texts that a shared passage may explain
PRIOR_WORDS = 1000.0  # of the folder that count as if each text had them too
FAR_AWAY = np.int64(1 << 30)  # the position of a gap


class Side(NamedTuple):
    """The texts of side A or B of pairs.

    Attributes:
        numbers: int32, by index: the number of a word that both texts of its pair have.
        in_context: float32, the information of each word at its position, in bits.
        anywhere: float32, the same at any position of the two texts.
        starts: int64, by pair: where its text begins.
        ends: int64, where it ends.
    """

    numbers: Int32Array
    in_context: Float32Array
    anywhere: Float32Array
    starts: Int64Array
    ends: Int64Array


def both_sides(
    words: UInt64Array,
    in_context: Float32Array,
    anywhere: Float32Array,
    bounds: Int64Array,
    x: Int64Array,
    y: Int64Array,
) -> tuple[Side, Side, BoolArray]:
    """Both sides of pairs of documents, and whether the second document is in A.

    The longer text is the first; of texts of equal length the one whose words are greater where
    they first differ: so the order of a pair makes no difference.
    """
    in_x, in_y = (bounds[documents + 1] - bounds[documents] for documents in (x, y))
    a, b = _side(np.maximum(in_x, in_y)), _side(np.minimum(in_x, in_y))
    swapped = np.zeros(len(x), dtype=np.bool_)
    _number_words(words, in_context, anywhere, bounds, x, y, a, b, swapped)
    return a, b, swapped


def _side(sizes: Int64Array) -> Side:
    room = (sizes + (GAP_WORDS + CELL - 1)) // CELL * CELL
    starts = np.cumsum(room) - room
    ends = starts + sizes
    words = int(ends[-1])
    numbers = np.full(words, AT_A_GAP, dtype=np.int32)
    in_context, anywhere = np.empty((2, words), dtype=np.float32)  # filled but for the gaps
    return Side(numbers, in_context, anywhere, starts, ends)


@njit(nogil=True, cache=True)
def _number_words(
    words: Any,
    in_context: Any,
    anywhere: Any,
    bounds: Any,
    x: Any,
    y: Any,
    a: Any,
    b: Any,
    swapped: Any,
) -> None:
    """Fill both sides, and `swapped`."""
    for pair in range(len(x)):
        first_a, first_b = bounds[x[pair]], bounds[y[pair]]
        size_a, size_b = bounds[x[pair] + 1] - first_a, bounds[y[pair] + 1] - first_b
        text_a, text_b = words[first_a : first_a + size_a], words[first_b : first_b + size_b]
        swapped[pair] = compare_texts(text_a, text_b) < 0
        if swapped[pair]:
            first_a, first_b, size_a, size_b = first_b, first_a, size_b, size_a
        slots = slots_for(size_a)
        keys = np.empty(slots, dtype=np.uint64)
        # Here numbers are counted from 1, and 0 is that of words of B that are not in A.
        numbers = np.zeros(slots, dtype=np.int32)
        times = np.zeros((size_a + 1, 2), dtype=np.int32)  # of a word in A, and in B, by number
        most_bits = np.empty(size_a + 1, dtype=np.float32)  # that it can carry in this pair
        count = np.int32(0)
        for side in range(2):
            text, first, size = (a, first_a, size_a) if side == 0 else (b, first_b, size_b)
            start = text.starts[pair]
            for index in range(size):
                word = words[first + index]
                if word != GAP:
                    key = mix(word)
                    slot = find_slot(keys, numbers, key)
                    if side == 0 and not numbers[slot]:
                        count += np.int32(1)
                        numbers[slot], keys[slot] = count, key
                        most_bits[count] = anywhere[first + index]
                    text.numbers[start + index] = numbers[slot] - np.int32(1)
                    times[numbers[slot], side] += 1
        for number in range(1, count + 1):
            if min(times[number, 0], times[number, 1]) > SHARED_TIMES:
                known = PRIOR_WORDS * 2.0 ** -most_bits[number]
                in_a = (times[number, 0] - SHARED_TIMES + known) / (size_a + PRIOR_WORDS)
                in_b = (times[number, 1] - SHARED_TIMES + known) / (size_b + PRIOR_WORDS)
                most_bits[number] = min(most_bits[number], -np.log2(in_a * in_b) / 2)
        for side in range(2):
            text, first, size = (a, first_a, size_a) if side == 0 else (b, first_b, size_b)
            start = text.starts[pair]
            for index in range(size):
                number = text.numbers[start + index] + 1
                bits, every = in_context[first + index], anywhere[first + index]
                if number > 0 and times[number, 1]:
                    every = most_bits[number]
                    bits = min(bits, every)
                elif number > 0:
                    text.numbers[start + index] = NOT_SHARED
                text.in_context[start + index], text.anywhere[start + index] = bits, every


@njit(nogil=True, cache=True)
def find_runs(a: Any, b: Any, anchors_at_once: Any) -> Any:
    """Runs of words that both texts of a pair have: int64 (n, 3), index in A, index in B, words.

    In the order of B. Also int32, by index in A and in B: the end of the run that holds it, 0 if it
    is in none.
    """
    keys_a = np.zeros(len(a.numbers), dtype=np.uint64)  # of the anchor that begins there
    keys_b = np.zeros(len(b.numbers), dtype=np.uint64)
    for side in range(2):
        numbers, keys = (a.numbers, keys_a) if side == 0 else (b.numbers, keys_b)
        shared, last = 0, np.uint64(0)  # the words of an anchor, 16 bits each
        for index in range(len(numbers)):
            shared = shared + 1 if numbers[index] >= 0 else 0
            last = (last << np.uint64(16)) + np.uint64(numbers[index] + 1) * NUMBER_FACTOR
            if shared >= ANCHOR:
                keys[index - ANCHOR + 1] = mix(last)
    anchors = np.full(len(b.numbers), np.int32(-1))  # by index in B: the index in A
    for pair in range(len(a.starts)):
        keys = keys_a[a.starts[pair] : a.ends[pair]]
        if len(keys) >= LONG:  # most anchors are in one text only
            keys *= may_be_among(keys, keys_b[b.starts[pair] : b.ends[pair]])
        parts = np.uint64(1 + len(keys) // anchors_at_once)
        for part in range(parts):
            _find_anchors(a, b, pair, keys_a, keys_b, np.uint64(part), parts, anchors)
    runs = np.empty((len(b.numbers) // LEAST_RUN + 1, 3), dtype=np.int64)
    ends_a = np.zeros(len(a.numbers), dtype=np.int32)
    ends_b = np.zeros(len(b.numbers), dtype=np.int32)
    count = reached = upcoming = of_pair = y = 0
    shift = np.int64(0)
    while y < len(b.numbers):
        begin_a, begin_b = np.int64(anchors[y]), y
        if begin_a < 0 and y < upcoming and y + shift < len(a.numbers):
            begin_a = y + shift
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
            while b.ends[of_pair] < reached:
                of_pair += 1
            if a.ends[of_pair] - a.starts[of_pair] >= LONG:
                upcoming, shift = reached + REPLACED, begin_a - begin_b
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
    """Find the anchors of a pair whose keys are of a part, and which each text has once."""
    count = 0
    for index in range(a.starts[pair], a.ends[pair]):
        key = keys_a[index]
        count += key != NO_KEY and (parts == 1 or (key >> UPPER) % parts == part)
    slots = slots_for(count)
    table = np.empty(slots, dtype=np.uint64)
    positions_a = np.zeros(slots, dtype=np.int32)  # by slot, counted from 1
    positions_b = np.zeros(slots, dtype=np.int32)
    for side in range(2):
        keys, text, positions = (keys_a, a, positions_a) if side == 0 else (keys_b, b, positions_b)
        for index in range(text.starts[pair], text.ends[pair]):
            key = keys[index]
            if key != NO_KEY and (parts == 1 or (key >> UPPER) % parts == part):
                slot = find_slot(table, positions_a, key)
                if side == 0:
                    table[slot] = key
                positions[slot] = REPEATED if positions[slot] else index + 1
    for slot in range(slots):
        if positions_a[slot] > 0 and positions_b[slot] > 0:
            anchors[positions_b[slot] - 1] = positions_a[slot] - 1


class CommonWords(NamedTuple):
    """The words of a text of a pair that the other has too, and padding of `WINDOW` words.

    Attributes:
        hashes: uint64, of the words.
        indices: int32, the index of each in the text.
        apart: uint32, the same, but so far on after a gap that no window crosses it.
        reached: uint32, where the run that holds it ends, on the scale of `apart`.
        bits: float32, the information of each.
        numbers: uint64, those of the words; of long texts only.
        near: uint8, of long texts only, as bits: which of the next words, the next one in the
            lowest, may be within a window with this one in the other text, too.
    """

    hashes: UInt64Array
    indices: Int32Array
    apart: UInt32Array
    reached: UInt32Array
    bits: Float32Array
    numbers: UInt64Array
    near: UInt8Array


class Grams(NamedTuple):
    """The skip-grams of a text of a pair, by their hashes in parts.

    Attributes:
        words: uint64, hashes of the words that both texts have.
        indices: int32, the index of each in the text.
        grams: uint32 (n, parts), in reading order: the first word, in the lowest bits the shape.
        counts: uint64, by part, how many there are.
    """

    words: UInt64Array
    indices: Int32Array
    grams: UInt32Array
    counts: UInt64Array


def find_seeds(
    a: Side, b: Side, runs: Int64Array, ends_a: Int32Array, ends_b: Int32Array, words_at_once: int
) -> Int64Array:
    """The seeds of pairs.

    Args:
        a: Side A of the pairs.
        b: Side B of the pairs.
        runs: The runs of all pairs, as `find_runs` gives them.
        ends_a: By index in A, where runs end.
        ends_b: By index in B.
        words_at_once: The grams of a longer text are matched in parts, by their hashes: one part
            for every so many words, and one more.

    Returns:
        int64 (n, 4), a row is a seed: its first index in A, the one in B, and which of the words
        from there on belong to it, as bits, in A and in B.
    """
    seeds: Int64Array = np.empty((len(b.numbers), 4), dtype=np.int64)
    seeds, used = _add_seeds(a, b, runs, ends_a, ends_b, words_at_once, seeds)
    sizes = a.ends - a.starts
    for pair in np.flatnonzero(sizes >= words_at_once).tolist():
        size = int(sizes[pair])
        parts = 1 + size // words_at_once
        stop_if_cancelled()
        common_b = _common_words(b, pair, ends_b, True)
        stop_if_cancelled()
        common_a = _common_words(a, pair, ends_a, True)
        # Of few different words, as letters are, nearly all pairs are in both texts.
        if (int(b.numbers.max()) + 1) ** 2 > DIFFERENT_PAIRS * size:
            for sides in ((common_a, common_b), (common_b, common_a)):
                stop_if_cancelled()
                _find_near(*sides)
        for first in range(0, parts, PARTS_AT_ONCE):
            part_count = min(PARTS_AT_ONCE, parts - first)
            stop_if_cancelled()
            in_b = _find_grams(common_b, size, parts, first, part_count)
            stop_if_cancelled()
            in_a = _find_grams(common_a, size, parts, first, part_count)
            for part in range(part_count):
                stop_if_cancelled()
                seeds, used = _match(in_a, in_b, part, seeds, used)
    return seeds[:used]


@njit(nogil=True, cache=True)
def _add_seeds(
    a: Any, b: Any, runs: Any, ends_a: Any, ends_b: Any, words_at_once: Any, seeds: Any
) -> Any:
    """The runs of all pairs as seeds, and seeds of skip-grams of texts that are not too long."""
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
            in_b = _find_grams(_common_words(b, pair, ends_b, False), words, 1, 0, 1)
            if in_b.counts[0]:
                in_a = _find_grams(_common_words(a, pair, ends_a, False), words, 1, 0, 1)
                seeds, used = _match(in_a, in_b, 0, seeds, used)
    return seeds, used


@njit(nogil=True, cache=True)
def _common_words(text: Any, pair: Any, run_ends: Any, is_long: Any) -> Any:
    """The words of a text that both have, as `CommonWords`: all that are near each other may be."""
    zero = np.uint64(0)  # unsigned indices are found faster
    start, end = np.uint64(text.starts[pair]), np.uint64(text.ends[pair])
    size = end - start + np.uint64(WINDOW)
    numbers = np.empty(size if is_long else zero, dtype=np.uint64)
    hashes, indices = np.empty(size, dtype=np.uint64), np.empty(size, dtype=np.int32)
    apart, reached = np.empty(size, dtype=np.uint32), np.empty(size, dtype=np.uint32)
    bits = np.empty(size, dtype=np.float32)
    count, shift = zero, np.uint32(0)
    for index in range(start, end):
        number = text.numbers[index]
        hashes[count], indices[count] = mix(np.uint64(number)), index
        apart[count], reached[count] = index + shift, run_ends[index] + shift
        bits[count] = text.anywhere[index]
        if is_long:
            numbers[count] = number
        count += np.uint64(number >= 0)
        shift += np.uint32(WINDOW) * np.uint32(number == AT_A_GAP)
    size = count + np.uint64(WINDOW)
    for padding in range(count, size):
        apart[padding], bits[padding] = FAR_AWAY, 0
    near = np.full(size if is_long else zero, np.uint8((1 << (WINDOW - 1)) - 1))
    return CommonWords(
        hashes[:size], indices[:size], apart[:size], reached[:size], bits[:size], numbers, near
    )


def _near_shapes() -> UInt16Array:
    """Which shapes may be in the other text, by step and by `near` of the word so many words on."""
    shapes = np.full((WINDOW - 1, 1 << (WINDOW - 1)), (1 << int(SHAPES)) - 1, dtype=np.uint16)
    for shape in range(int(SHAPES)):
        second, third = (int(steps) >> 4 * shape & 15 for steps in (SECOND, THIRD))
        for first, last in ((0, second), (0, third), (second, third)):
            is_missing = np.arange(shapes.shape[1]) >> (last - first - 1) & 1 == 0
            shapes[first, is_missing] &= ~np.uint16(1 << shape)
    return shapes


NEAR_SHAPES = _near_shapes()


@njit(nogil=True, cache=True)
def _find_near(text: Any, other: Any) -> None:
    """Fill in `near` of a text: so most of its grams need not be looked up in the other.

    All pairs of words of a gram that both texts have are within a window in both.
    """
    marks = np.zeros(slots_for(2 * WINDOW * len(other.hashes)) >> np.int64(3), dtype=np.uint8)
    last_mark = np.uint64(len(marks) - 1)  # a table of bits, as in `may_be_among`
    text.near[:] = 0
    for turn in range(2):
        words = other if turn == 0 else text
        for index in range(len(words.hashes) - WINDOW):
            for step in range(1, WINDOW):
                if words.apart[index + step] - words.apart[index] >= np.uint32(WINDOW):
                    break
                key = words.hashes[index] + words.hashes[index + step]
                byte, bit = key >> THREE & last_mark, np.uint8(key & SEVEN)
                if turn == 0:
                    marks[byte] |= ONE << bit
                else:
                    text.near[index] |= (marks[byte] >> bit & ONE) << np.uint8(step - 1)


@njit(nogil=True, cache=True)
def _find_grams(common: Any, longest: Any, parts: Any, first_part: Any, part_count: Any) -> Any:
    """The skip-grams of `part_count` parts of a text.

    Grams within a run are left out, and those with less than the least bits, which depend on the
    longer text of the pair.
    """
    least = max(LEAST_BITS, np.log2(longest + 1.0) + BITS_OF_LONG)
    zero, lowest_bit = np.uint64(0), np.uint64(1)  # unsigned indices are found faster
    words, indices, apart, reached, bits, numbers, near = common
    count = np.uint64(len(words)) - np.uint64(WINDOW)
    room = count * SHAPES // np.uint64(parts) + BLOCK * SHAPES
    if parts > 1:
        room >>= np.uint64(2)
    grams = np.empty((room, part_count), dtype=np.uint32)
    counts = np.zeros(part_count, dtype=np.uint64)
    shapes = np.empty(BLOCK, dtype=np.uint16)  # which grams begin with each word, as bits
    for block in range(zero, count, BLOCK):
        size = min(BLOCK, count - block)
        shapes[:] = 0
        for shape in range(SHAPES):
            four_bits = np.uint64(shape) << np.uint64(2)
            second, third = SECOND >> four_bits & LAST_SHAPE, THIRD >> four_bits & LAST_SHAPE
            for at in range(size):  # without a branch, for several words at a time
                i = block + at
                j, k = i + second, i + third
                is_gram = bits[k] >= least - bits[i] - bits[j]
                is_gram &= apart[k] - apart[i] < np.uint32(WINDOW)
                is_gram &= apart[k] >= reached[i]
                is_gram &= (words[i] != words[j]) & (words[j] != words[k])
                is_gram &= words[i] != words[k]
                shapes[at] |= np.uint16(is_gram) << np.uint16(shape)
        if parts > 1:
            for at in range(size):
                for step in range(len(NEAR_SHAPES)):
                    shapes[at] &= NEAR_SHAPES[step, near[block + at + np.uint64(step)]]
        filled = np.int64(0)
        for of_part in counts:
            filled = max(filled, np.int64(of_part))
        if filled + GRAMS_A_BLOCK > len(grams):
            grams = grown(grams, filled, 2 * len(grams) + GRAMS_A_BLOCK)
        for at in range(size):
            if not shapes[at]:
                continue
            if parts == 1:
                for shape in range(SHAPES):
                    grams[counts[zero], zero] = (block + at) << SHAPE_BITS | shape
                    counts[zero] += np.uint64(shapes[at]) >> shape & lowest_bit
                continue
            left = np.uint64(shapes[at])
            while left:
                shape = count_ones(~left & (left - lowest_bit))  # that of the lowest bit
                left &= left - lowest_bit
                gram = (block + at) << SHAPE_BITS | shape
                x, y, z = _words_of(numbers, gram)
                low, high = min(x, y, z), max(x, y, z)
                key = mix((low << NUMBER | (x ^ y ^ z ^ low ^ high)) << NUMBER | high)
                part = (key >> UPPER) % np.uint64(parts) - np.uint64(first_part)
                if part < np.uint64(part_count):
                    grams[counts[part], part] = gram
                    counts[part] += lowest_bit
    return Grams(words, indices, grams, counts)


@njit(nogil=True, cache=True)
def _match(in_a: Any, in_b: Any, part: Any, seeds: Any, used: Any) -> Any:
    """Add the seeds of the grams of a part after the first `used` rows; returns both anew."""
    count_a, count_b = in_a.counts[part], in_b.counts[part]
    keys_b = np.empty(count_b, dtype=np.uint64)
    # Only the grams of A that may be in B are needed, mostly few, and the other way round.
    marks = np.zeros(MARKS_A_SLOT * slots_for(np.int64(count_b)), dtype=np.bool_)
    last_mark = np.uint64(len(marks) - 1)
    for gram in range(count_b):
        hash_1, hash_2, hash_3 = _words_of(in_b.words, in_b.grams[gram, part])
        keys_b[gram] = hash_1 + hash_2 + hash_3  # of hashes: the sum is the same in any order
        marks[keys_b[gram] & last_mark] = True
    keys_a = np.empty(count_a, dtype=np.uint64)
    grams_a = np.empty(count_a, dtype=np.uint32)
    count = np.uint64(0)
    for gram in range(count_a):
        grams_a[count] = in_a.grams[gram, part]
        hash_1, hash_2, hash_3 = _words_of(in_a.words, grams_a[count])
        keys_a[count] = hash_1 + hash_2 + hash_3
        count += np.uint64(marks[keys_a[count] & last_mark])
    # A table of the first gram with each key, counted from 1. By gram: the next one with the same
    # key, how many there are from it on, and for first ones the one that is matched next in turn.
    heads = np.zeros(slots_for(np.int64(count)), dtype=np.int32)
    following = np.empty(np.int64(count) + 1, dtype=np.int32)
    counts = np.empty(len(following), dtype=np.int32)
    upcoming = np.empty(len(following), dtype=np.int32)
    counts[0] = upcoming[0] = 0
    for gram in range(count, 0, -1):
        slot = find_index_slot(keys_a, heads, keys_a[gram - 1], keys_a[gram - 1])
        following[gram] = heads[slot]
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
            head = heads[find_index_slot(keys_a, heads, keys_b[gram], keys_b[gram])]
            gram_a = upcoming[head]
            if not gram_a:
                continue
            y, second, third = _words_of(in_b.indices, in_b.grams[gram, part])
            mask_b = np.int64(1) | np.int64(1) << (second - y) | np.int64(1) << (third - y)
            while gram_a > 0:
                x, second, third = _words_of(in_a.indices, grams_a[gram_a - 1])
                mask_a = np.int64(1) | np.int64(1) << (second - x) | np.int64(1) << (third - x)
                row = used - 1
                lowest = max(used - MOST_OCCURRENCES, 0)
                while row >= lowest and seeds[row, 1] == y and seeds[row, 0] != x:
                    row -= 1
                if row < lowest or seeds[row, 1] != y:
                    row = used
                    used += 1
                    seeds[row, 0], seeds[row, 1], seeds[row, 2], seeds[row, 3] = x, y, 0, 0
                seeds[row, 2] |= mask_a
                seeds[row, 3] |= mask_b
                if counts[head] > MOST_OCCURRENCES:
                    upcoming[head] = following[gram_a]
                    break
                gram_a = following[gram_a]
    return seeds, used


@njit(nogil=True, cache=True, inline="always")
def _words_of(values: Any, gram: Any) -> Any:
    """The values of the three words of a gram."""
    first, shift = np.uint64(gram) >> SHAPE_BITS, (np.uint64(gram) & LAST_SHAPE) << np.uint64(2)
    second, third = SECOND >> shift & LAST_SHAPE, THIRD >> shift & LAST_SHAPE
    return values[first], values[first + second], values[first + third]
