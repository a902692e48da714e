"""How many words a stretch of text has, in scripts with spaces between words and without.

A unit of a scan is a word, or a character; where a script has no spaces between words, each letter
is a unit (see `core.text.characters`). People count words all the same, so lengths of passages are
measured in words: every unit counts as a part of a word that depends on its script, and these parts
are added up. The parts are averages, in units, not code points: a vowel sign belongs to its letter.

    script       units a word   from
    Han          1.6            1.58 and 1.66 in 84,000 and 56,000 words of translated programs,
                                simplified and traditional, 1.76 in 723,000 words of laws
    Hiragana     1.6            with Han 1.6 and Katakana 4 as many words as there are in 145,000
    Katakana     4              words of Japanese (programs), 9 % too many in a declaration
    Thai         3              2.96 in 31,000 words of programs; Lao and Tai letters are alike
    Khmer        2.8            2.80 in 18,000 words of programs
    Burmese      2              1.76 in 28,000 words of programs, 2.20 in 2,800 of a declaration
    Tibetan      1.4            syllables: 93.66 million in 67.21 million words (Liu, Nuo, Wu 2014,
                                Zipf's Law and Statistical Data on Modern Tibetan, COLING)

Words were found by the dictionaries of ICU 72. In shingles of characters, a character of any other
script is a fifth of a word: English has 4.7 letters a word, and punctuation counts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import AnyArray, BoolArray, Int64Array, UInt16Array, UInt64Array
from core.base.compiling import njit
from core.base.hashing import find_slot
from core.settings import LETTERS_A_WORD, ScanSettings, Unit

UNUSED = np.uint64(0)
FEWEST_SLOTS = 1 << 18
MOST_SLOTS = 1 << 22  # 64 MiB for two million words; when they are too few, it begins again
BLOCK = 1 << 15  # words looked up at once; as many may be new


class WordMemory:
    """The words met so far and a 64-bit meaning of each; any thread may ask."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._words = 0
        self._forget(FEWEST_SLOTS)

    def __len__(self) -> int:
        return self._words

    def meanings(
        self, words: UInt64Array, learn: Callable[[Int64Array], UInt64Array]
    ) -> UInt64Array:
        """The meaning of each word.

        Args:
            words: Their values, which are hashes.
            learn: Is given the places in `words` of some that are new, all different, and answers
                what they mean; by one thread at a time.
        """
        found = np.empty_like(words)
        for start in range(0, len(words), BLOCK):
            block = slice(start, start + BLOCK)
            with self._lock:
                found[block] = self._look_up(words[block], start, learn)
        return found

    def _look_up(
        self, words: UInt64Array, start: int, learn: Callable[[Int64Array], UInt64Array]
    ) -> UInt64Array:
        """The meanings of some words, of which the first has the place `start`."""
        if 2 * (self._words + len(words)) > len(self._keys):
            self._grow()
        slots = np.empty(len(words), dtype=np.int64)
        fresh = _find_slots(words, self._keys, slots)
        if len(fresh):
            try:
                self._meanings[slots[fresh]] = learn(fresh + start)
            except BaseException:
                self._forget(FEWEST_SLOTS)  # it holds words without a meaning now
                raise
        self._words += len(fresh)
        return self._meanings[slots]

    def _grow(self) -> None:
        keys, meanings = self._keys, self._meanings
        if len(keys) >= MOST_SLOTS:
            self._forget(MOST_SLOTS)
            return
        words = self._words
        self._forget(2 * len(keys))
        used = keys != UNUSED
        slots = np.empty(words, dtype=np.int64)
        _find_slots(keys[used], self._keys, slots)
        self._meanings[slots] = meanings[used]
        self._words = words

    def _forget(self, slots: int) -> None:
        self._keys = np.full(slots, UNUSED, dtype=np.uint64)
        self._meanings = np.zeros(slots, dtype=np.uint64)
        self._words = 0


@njit(nogil=True, cache=True)
def _find_slots(values: Any, keys: Any, slots: Any) -> Any:
    """Fill in the slot of each value; new ones get one and their places return."""
    fresh = np.empty(len(values), dtype=np.int64)
    count = 0
    for place in range(len(values)):
        slot = find_slot(keys, keys, values[place])
        if keys[slot] == UNUSED:
            keys[slot] = values[place]
            fresh[count] = place
            count += 1
        slots[place] = slot
    return fresh[:count]


WORD = 1680  # the weight of a word: divisible so that all others are whole numbers
_UNITS_A_WORD: dict[float, tuple[tuple[int, int], ...]] = {
    1.6: (
        (0x2E80, 0x2FDF),  # radicals
        (0x3005, 0x3007),
        (0x3021, 0x3029),
        (0x3040, 0x309F),  # Hiragana
        (0x3100, 0x312F),  # Bopomofo
        (0x31A0, 0x31BF),
        (0x3400, 0x4DBF),  # Han
        (0x4E00, 0x9FFF),
        (0xA000, 0xA4CF),  # Yi
        (0xF900, 0xFAFF),
        (0x16FE0, 0x18DFF),  # Tangut, Khitan
        (0x1B000, 0x1B2FF),  # old Kana, Nushu
        (0x20000, 0x323AF),
    ),
    4.0: ((0x30A0, 0x30FF), (0x31F0, 0x31FF)),  # Katakana
    3.0: ((0x0E00, 0x0EFF), (0x1950, 0x19DF), (0x1A20, 0x1AAF)),  # Thai, Lao; Tai
    2.8: ((0x1780, 0x17FF),),
    2.0: ((0x1000, 0x109F),),
}
FIRST_UNSPACED = 0x0E00  # Thai
FIRST_LOOK = 1000  # characters
_SYLLABLES_A_WORD = ((0x0F40, 0x0FBC, 1.4),)  # Tibetan


class UnitWeights(NamedTuple):
    """What the units of some documents count, for kernels.

    Attributes:
        k: Units in a shingle.
        usual: Weight of a unit where `first` is -1.
        units: int64, by document: how many it has.
        weights: uint16, of the units of documents with others than the usual weight.
        first: int64, by document: where its weights begin, or -1.
    """

    k: int
    usual: int
    units: Int64Array
    weights: UInt16Array
    first: Int64Array


def usual_weight(unit: Unit) -> int:
    """The weight of a unit of a script with spaces between words."""
    return WORD if unit == "word" else WORD // LETTERS_A_WORD


def are_letters_only(units: int, words: int) -> bool:
    """Whether so many words can be so many letters of one script without spaces, in word units."""
    weights = (round(WORD / letters) for letters in _UNITS_A_WORD)
    return words < units and words in {units * weight // WORD for weight in weights}


@cache
def weight_table(unit: Unit) -> UInt16Array:
    """The weight of the unit that begins with each code point; 0 for the usual one."""
    table = np.zeros(0x110000, dtype=np.uint16)
    for units, blocks in _UNITS_A_WORD.items():
        for first, last in blocks:
            table[first : last + 1] = round(WORD / units)
    if unit == "word":
        for first, last, syllables in _SYLLABLES_A_WORD:
            table[first : last + 1] = round(WORD / syllables)
    return table


def are_passages(words: AnyArray, settings: ScanSettings) -> BoolArray:
    """Which shared runs, of so many whole words, are long enough to be called a passage."""
    return np.asarray(words >= settings.passage_length)


def has_unspaced(codes: AnyArray, settings: ScanSettings) -> bool:
    """Whether there is a character among these code points whose unit has another weight."""
    if codes.dtype == np.uint8:
        return False
    table = weight_table(settings.unit)
    # Of a text in such a script the first characters tell, of any other that there are few.
    return bool(table[codes[:FIRST_LOOK]].any() or table[codes[codes >= FIRST_UNSPACED]].any())
