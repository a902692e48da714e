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

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from core.base.arrays import AnyArray, BoolArray, DocumentRows, Int64Array, UInt16Array, UInt32Array
from core.settings import LETTERS_A_WORD, ScanSettings, Unit

WORD = 1680  # the weight of a word: divisible so that all others are whole numbers
UNITS_A_WORD: dict[float, tuple[tuple[int, int], ...]] = {
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
FIRST_UNSPACED = 0x0E00  # Thai; from here on letters may be words
FIRST_LOOK = 1000  # characters
_SYLLABLES_A_WORD = ((0x0F40, 0x0FBC, 1.4),)  # Tibetan


class UnitWeights(NamedTuple):
    """The weights of the units of documents, for kernels.

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


def joined_weights(
    parts: Iterable[tuple[UInt16Array | None, int]], unit: Unit
) -> UInt16Array | None:
    """The weights of parts with so many units each; None where all units have the usual one."""
    weights = list(parts)
    if all(weighed is None for weighed, _ in weights):
        return None
    usual = np.uint16(usual_weight(unit))
    each = (np.broadcast_to(usual if own is None else own, count) for own, count in weights)
    return np.concatenate(list(each))


def weights_of(
    rows: DocumentRows, documents: Int64Array, counts: Int64Array, unit: Unit
) -> UInt16Array | None:
    """As `joined_weights`, of documents with so many units, of which some have rows of weights."""
    firsts = rows.first_rows(documents)
    if (firsts < 0).all():
        return None
    parts = zip(firsts.tolist(), counts.tolist(), strict=True)
    all_rows = rows.rows
    return joined_weights(
        ((None if first < 0 else all_rows[first : first + count], count) for first, count in parts),
        unit,
    )


def are_letters_only(units: int, words: int) -> bool:
    """Whether these words can be these letters of one script without spaces, in word units."""
    weights = (round(WORD / letters) for letters in UNITS_A_WORD)
    return words < units and words in {units * weight // WORD for weight in weights}


@cache
def weight_table(unit: Unit) -> UInt16Array:
    """The weight of the unit that begins with each code point; 0 for the usual one."""
    table = np.zeros(0x110000, dtype=np.uint16)
    for units, blocks in UNITS_A_WORD.items():
        for first, last in blocks:
            table[first : last + 1] = round(WORD / units)
    if unit == "word":
        for first, last, syllables in _SYLLABLES_A_WORD:
            table[first : last + 1] = round(WORD / syllables)
    return table


def are_passages(words: AnyArray, settings: ScanSettings) -> BoolArray:
    """Which shared runs, by their number of whole words, are long enough for a passage."""
    return np.asarray(words >= settings.passage_length)


def has_unspaced(texts: Sequence[str], codes: UInt32Array, settings: ScanSettings) -> bool:
    """Whether texts have a character whose unit has another weight than the usual.

    Args:
        texts: The texts, which tell at once when all is ASCII.
        codes: Their code points.
        settings: Decide what a unit is.
    """
    if all(map(str.isascii, texts)) or codes.max(initial=0) < FIRST_UNSPACED:
        return False
    table = weight_table(settings.unit)
    # In such a script the first characters show it; in any other, few characters are to be tested.
    return bool(table[codes[:FIRST_LOOK]].any() or table[codes[codes >= FIRST_UNSPACED]].any())
