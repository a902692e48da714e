"""Units of a text: the words or characters that shingles are made of, each with a 64-bit value.

A word is hashed by a non-linear xor-multiply-shift chain over its folded characters: a polynomial
alone collides on long regular words (Thue-Morse strings). The value of a character is its folded
code point. The beginning of a word is hashed by a sum of its few letters, each times the factor of
its position, which waits for no letter before it; and then mixed, because sums of such sums are
equal for "cat" and "dog" and for "cot" and "dag".
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt16Array, UInt32Array, UInt64Array, indices_from
from core.base.compiling import njit
from core.base.hashing import mix
from core.settings import ScanSettings
from core.text.characters import (
    ALONE,
    DELETE,
    FOLDED,
    IGNORED,
    KIND_BITS,
    LETTER,
    MARK,
    POINTS,
    SPACE,
    Alphabet,
    alphabet,
)

WORD_SEED = np.uint64(0x243F6A8885A308D3)
WORD_FACTOR = np.uint64(0xD6E8FEB86659FD93)
LINE_END = 10
# Vowel points count nothing, but are seen: what is marked of a word has those of its last letter.
# Of what else is ignored among these, nothing is seen.
FIRST_POINT, LAST_POINT = np.uint64(ord(min(POINTS))), np.uint64(ord(max(POINTS)))
BEGINNING = np.uint64(6)  # letters of a word that its beginning has
UNSPACED = np.uint64(5)  # letters that a word of one letter counts in a script without spaces
LETTER_BITS = np.uint64(7)  # of the value of a beginning: how many letters it counts
# Fractional digits of pi; letters beyond the beginning count nothing.
POSITION_FACTORS = np.array([
    0x243F6A8885A308D3, 0x13198A2E03707345, 0xA4093822299F31D1, 0x082EFA98EC4E6C89,
    0x452821E638D01377, 0xBE5466CF34E90C6D, 0,
], dtype=np.uint64)  # fmt: skip
NO_SPANS = np.empty((0, 2), dtype=np.int64)
EIGHT, LOW_8 = np.uint64(8), np.uint64(255)  # letters in 64 bits, and bits of one
MASKS = np.array([(1 << 8 * letters) - 1 for letters in range(9)], dtype=np.uint64)
AT_ONCE = np.uint64(512)  # words that are hashed side by side
LOOK = np.uint64(256)  # characters that are tested together for being letters or spaces
OTHER_KINDS = np.uint32(0xFE << int(KIND_BITS))  # than a space or a letter
PLAIN = np.uint32(LETTER << int(KIND_BITS) | 255)  # bits of a space, or of a letter of 8 bits


class Units(NamedTuple):
    """The units of several texts, one after the other.

    Attributes:
        values: uint64, in reading order.
        offsets: int64, text i has `values[offsets[i]:offsets[i + 1]]`.
        spans: int64 (units, 2), the characters of each unit as offsets in its text; (0, 2) when
            not requested.
        weights: uint16, what each counts (see `core.text.word_counts`); None where all have the
            usual weight.
    """

    values: UInt64Array
    offsets: Int64Array
    spans: Int64Array
    weights: UInt16Array | None = None


def find_units(
    codes: UInt32Array,
    bounds: Int64Array,
    settings: ScanSettings,
    *,
    spans: bool,
    beginnings: bool = False,
) -> Units:
    """The units of normalised texts.

    Args:
        codes: The code points of all texts.
        bounds: Text i has those from `bounds[i]` to `bounds[i + 1]`.
        settings: Decide what a unit is.
        spans: Whether their spans are wanted.
        beginnings: Whether words are cut to their first `BEGINNING` letters; the low bits of their
            values (`LETTER_BITS`) are how many that are then, and `UNSPACED` for a letter that is
            a word.
    """
    if beginnings or settings.unit == "word":
        words, starts = find_words(codes, bounds, settings, spans=spans, beginnings=beginnings)
        return words._replace(values=starts) if beginnings else words
    out_spans = _room_for(codes, spans)
    collapse = settings.white_space == "collapse"
    values, offsets = _characters(codes, bounds, alphabet(settings).both, collapse, out_spans)
    return Units(values, offsets, out_spans[: len(values)].copy() if spans else NO_SPANS)


def find_words(
    codes: UInt32Array,
    bounds: Int64Array,
    settings: ScanSettings,
    *,
    spans: bool,
    beginnings: bool = True,
) -> tuple[Units, UInt64Array]:
    """The words of normalised texts, and the values of their beginnings."""
    out_spans = _room_for(codes, spans)
    table = alphabet(settings)
    values, starts, offsets = _find_words(
        codes, bounds, table.both, table.is_usual, beginnings, out_spans
    )
    return Units(values, offsets, out_spans[: len(values)].copy() if spans else NO_SPANS), starts


def _room_for(codes: UInt32Array, spans: bool) -> Int64Array:  # noqa: FBT001
    """The array for spans; an empty one rather than None: kernels are compiled for each type."""
    return np.empty((len(codes) + 1 if spans else 0, 2), dtype=np.int64)


@njit(nogil=True, cache=True, inline="always")
def _extend(value: Any, character: Any) -> Any:
    value = (value ^ np.uint64(character)) * WORD_FACTOR
    return value ^ (value >> np.uint64(32))


@njit(nogil=True, cache=True)
def _find_words(
    codes: Any, bounds: Any, table: Any, is_usual: Any, beginnings: Any, spans: Any
) -> Any:
    """Values of the words, of their beginnings where they are wanted, and offsets.

    Most texts have letters of 8 bits and spaces only. For these, a first loop notes where words
    begin and end; then many words are hashed side by side, their first 8 letters in loops without a
    branch, for which a processor has wide instructions.

    In all others, where words end is as good as random to a processor, so nothing branches on it:
    the values of the word so far are written at every character, and the index to write to moves on
    where another word begins or a space follows.
    """
    values = np.empty(len(codes) + 1, dtype=np.uint64)
    starts = np.empty(len(codes) + 1, dtype=np.uint64)
    offsets = np.zeros(len(bounds), dtype=np.int64)
    traced = len(spans) > 0
    none, one = np.uint64(0), np.uint64(1)  # an index that cannot be negative is found faster
    longest = np.int64(0)
    for text in range(len(bounds) - 1):
        longest = max(longest, bounds[text + 1] - bounds[text])
    packed = np.empty(longest // 8 + 2, dtype=np.uint64)
    folded = packed.view(np.uint8)  # each character, 0 where it is a space
    edges = np.empty(longest + 1, dtype=np.uint32)  # where words begin and end, in turn
    letters8, sizes, longer_words = np.empty((3, AT_ONCE), dtype=np.uint64)
    unit = none
    for text in range(len(bounds) - 1):
        origin, end = np.uint64(bounds[text]), np.uint64(bounds[text + 1])
        other_bits = np.uint32(0)  # of characters that are neither spaces nor letters of 8 bits
        looked = none
        while looked < end - origin and not other_bits:
            last = min(looked + LOOK, end - origin)
            highest = np.uint32(0)
            for at in range(looked, last):
                highest = max(highest, codes[origin + at])
            is_ascii = is_usual and highest < DELETE
            for at in range(looked, last if is_ascii else looked):
                code = codes[origin + at]
                lower = code | np.uint32(32)
                is_caseless = (code - np.uint32(48) < np.uint32(10)) | (code == np.uint32(95))
                caseless = code if is_caseless else np.uint32(0)
                folded[at] = lower if lower - np.uint32(97) < np.uint32(26) else caseless
            for at in range(last if is_ascii else looked, last):
                entry = table[codes[origin + at]]
                letter = entry if entry >> KIND_BITS == LETTER else entry & OTHER_KINDS
                other_bits |= letter & ~PLAIN
                folded[at] = letter
            looked = last
        if not other_bits:
            count = inside = none  # inside is 1 in a word
            for at in range(end - origin):
                is_letter = np.uint64(folded[at] != 0)
                edges[count] = at
                count += is_letter ^ inside
                inside = is_letter
            edges[count] = end - origin
            words = (count + one) // np.uint64(2)
            for first in range(none, words, AT_ONCE):
                number = min(AT_ONCE, words - first)
                for word in range(number):
                    edge = (first + word) * np.uint64(2)
                    begin, stop = np.uint64(edges[edge]), np.uint64(edges[edge + one])
                    block, shift = begin >> np.uint64(3), (begin & np.uint64(7)) << np.uint64(3)
                    rest = packed[block + one] << (np.uint64(63) - shift) << one
                    letters = packed[block] >> shift | rest
                    letters8[word] = letters & MASKS[min(stop - begin, EIGHT)]
                    sizes[word] = stop - begin
                    if traced:
                        spans[unit + word, 0], spans[unit + word, 1] = begin, stop
                for word in range(number):
                    value: Any = WORD_SEED
                    for letter in range(8):
                        code = letters8[word] >> np.uint64(8 * letter) & LOW_8
                        longer = np.uint64(_extend(value, code))
                        value = longer if np.uint64(letter) < sizes[word] else value
                    values[unit + word] = value
                for word in range(number if beginnings else none):
                    start: Any = none
                    for letter in range(6):
                        code = letters8[word] >> np.uint64(8 * letter) & LOW_8
                        start += code * POSITION_FACTORS[letter]
                    letters = min(sizes[word], BEGINNING)
                    mixed = mix(start << np.uint64(3) | letters)
                    starts[unit + word] = mixed & ~LETTER_BITS | letters
                count = none
                for word in range(number):
                    longer_words[count] = word
                    count += np.uint64(sizes[word] > EIGHT)
                for word in longer_words[:count]:
                    begin = np.uint64(edges[(first + word) * np.uint64(2)])
                    value = values[unit + word]
                    for at in range(begin + EIGHT, begin + sizes[word]):
                        value = np.uint64(_extend(value, folded[at]))
                    values[unit + word] = value
                unit += number
            offsets[text + 1] = unit
            continue
        value = WORD_SEED
        start = letters = inside = none
        open_end = none  # 1 where letters may continue it, not only marks
        for offset in range(origin, end):
            entry = table[codes[offset]]
            kind, letter = entry >> KIND_BITS, np.uint64(entry & FOLDED)
            if kind >= MARK:
                if kind == IGNORED:
                    if traced and inside and FIRST_POINT <= letter <= LAST_POINT:
                        spans[unit, 1] = offset - origin + one
                    continue
                goes_on = inside
                open_end |= one - inside
            else:
                is_letter = np.uint64(kind == LETTER)
                goes_on = is_letter & open_end
                open_end = is_letter
            values[unit] = value
            starts[unit] = start << np.uint64(3) | letters
            unit += inside & ~goes_on
            inside = np.uint64(kind != SPACE)
            value = np.uint64(_extend(value if goes_on else WORD_SEED, letter))
            letters = letters if goes_on else none
            start = (start if goes_on else none) + letter * POSITION_FACTORS[letters]
            letters = min(BEGINNING, letters + (UNSPACED if kind == ALONE else one))
            if traced:
                spans[unit, 1] = offset - origin + one
                if not goes_on:
                    spans[unit, 0] = offset - origin
        values[unit] = value
        starts[unit] = start << np.uint64(3) | letters
        unit += inside
        for word in range(np.uint64(offsets[text]), unit if beginnings else none):
            starts[word] = mix(starts[word]) & ~LETTER_BITS | starts[word] & LETTER_BITS
        offsets[text + 1] = unit
    return values[:unit].copy(), starts[: unit if beginnings else none].copy(), offsets


@njit(nogil=True, cache=True)
def _characters(codes: Any, bounds: Any, table: Any, collapse: Any, spans: Any) -> Any:
    values = np.empty(len(codes), dtype=np.uint64)
    offsets = np.zeros(len(bounds), dtype=np.int64)
    traced = len(spans) > 0
    unit = 0
    for text in range(len(bounds) - 1):
        origin = bounds[text]
        first = unit
        pending = -1  # offset of a space that counts once another character follows
        for offset in range(origin, bounds[text + 1]):
            entry = table[codes[offset]]
            kind = entry >> KIND_BITS
            if kind == IGNORED:
                letter, at = np.uint64(entry & FOLDED), offset - origin
                is_point = FIRST_POINT <= letter <= LAST_POINT
                if is_point and traced and unit > first and spans[unit - 1, 1] == at:
                    spans[unit - 1, 1] = at + 1
                continue
            if kind == SPACE:
                if collapse and unit > first and pending < 0:
                    pending = offset
                continue
            if pending >= 0:
                values[unit] = np.uint64(32)
                if traced:
                    spans[unit, 0], spans[unit, 1] = pending - origin, pending - origin + 1
                unit += 1
                pending = -1
            values[unit] = np.uint64(entry & FOLDED)
            if traced:
                spans[unit, 0], spans[unit, 1] = offset - origin, offset - origin + 1
            unit += 1
        offsets[text + 1] = unit
    return values[:unit].copy(), offsets


def spell_lines(codes: UInt32Array, spans: Int64Array, table: Alphabet) -> list[str]:
    """Words as strings of the characters that are hashed; `spans` are offsets in `codes`."""
    lengths = spans[:, 1] - spans[:, 0]
    entries = table.both[codes[indices_from(spans[:, 0], lengths)]]
    lines = np.full(len(entries) + len(spans), LINE_END, dtype=np.uint32)
    before = np.repeat(np.arange(len(spans)), lengths)  # a line end after each
    targets = np.arange(len(entries)) + before
    lines[targets] = entries & FOLDED
    counts = np.ones(len(lines), dtype=np.bool_)
    counts[targets] = entries >> KIND_BITS != IGNORED
    return lines[counts].astype("<u4").tobytes().decode("utf-32-le", "replace").split("\n")[:-1]


def hash_lines(words: list[str]) -> UInt64Array:
    """The values of words given as strings, character by character as they are."""
    codes = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    sizes = np.array([len(word) for word in words], dtype=np.int64)
    bounds = np.append(0, np.cumsum(sizes))
    values = np.full(len(words), WORD_SEED)
    words_of, _, _ = _find_words(codes.copy(), bounds, _as_they_are(), False, False, NO_SPANS)
    values[sizes > 0] = words_of
    return values


@cache
def _as_they_are() -> UInt32Array:
    """A table in which every character is a letter, and none is folded.

    But for NUL, which is folded to a letter that no text has: 0 would be white space.
    """
    codes = np.arange(sys.maxunicode + 1, dtype=np.uint32)
    codes[0] = sys.maxunicode
    return codes | np.uint32(LETTER) << KIND_BITS
