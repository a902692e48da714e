"""Unicode normalization data as tables by code point, from that of the running Python.

The kernels of `core.text.nfkc` read them; they are built when first needed, in less than a
tenth of a second.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from threading import Lock
from typing import Literal, NamedTuple

import numpy as np

from core.base.arrays import Int32Array, UInt8Array, UInt16Array, UInt32Array
from core.text.characters import ASSIGNED_END, CODE_POINTS

WORD_END_MARKS = "™℠"
NEUTRAL_MARK = "®"
SHARP_S = {"ß": "ss", "ẞ": "SS"}
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"  # in the order of their values

# What a character does when a text is normalised.
PLAIN = 0  # begins a cluster and stands for itself
CHANGES = 1  # begins a cluster and becomes something else
ORDERED = 2  # continues a cluster as it is, if the combining classes are in order
COMPOSES = 3  # continues a cluster and may be joined to what is before it, or change

LENGTH_BITS = 5  # of a spelling; the longest has 18 characters
SYLLABLE, LEADING, VOWEL, TRAILING = 0xAC00, 0x1100, 0x1161, 0x11A7  # Hangul; UAX #15, 16
LEADINGS, VOWELS, TRAILINGS = 19, 21, 28
SYLLABLES = LEADINGS * VOWELS * TRAILINGS


class Forms(NamedTuple):
    """The Unicode data that the loops read, by code point unless said otherwise.

    Attributes:
        role: uint8, one of the four above.
        rank: uint8, canonical combining class.
        apart: int32, the full decomposition as place in `spelling` << 5 | length; 0 for itself.
        whole: int32, the normal form of the character alone, likewise.
        spelling: uint32, the characters of both, one spelling after the other.
        first: uint16, row in `pairs` of characters that compose with a later one, else 0.
        second: uint8, column in `pairs` of characters that compose with an earlier one, else 0.
        pairs: uint32 (firsts, seconds), what two characters compose to, or 0.
    """

    role: UInt8Array
    rank: UInt8Array
    apart: Int32Array
    whole: Int32Array
    spelling: UInt32Array
    first: UInt16Array
    second: UInt8Array
    pairs: UInt32Array


_building = Lock()


def forms() -> Forms:
    """The tables; built when first needed, by one thread."""
    with _building:
        return _build()


@cache
def _build() -> Forms:
    decomposable = [c for c in range(ASSIGNED_END) if unicodedata.decomposition(chr(c))]
    codes = [*decomposable, *map(ord, SHARP_S), *range(SYLLABLE, SYLLABLE + SYLLABLES)]
    spelling: list[str] = [" "]  # so that no entry is 0
    apart, apart_forms = _spellings("NFKD", codes, spelling)
    whole, whole_forms = _spellings("NFKC", codes, spelling)
    rank = np.zeros(CODE_POINTS, dtype=np.uint8)
    rank[:ASSIGNED_END] = [unicodedata.combining(chr(code)) for code in range(ASSIGNED_END)]
    first, second, pairs = _compositions(decomposable)
    role = np.zeros(CODE_POINTS, dtype=np.uint8)
    role[rank > 0] = ORDERED
    role[second > 0] = COMPOSES
    role[VOWEL : VOWEL + VOWELS] = COMPOSES
    role[TRAILING + 1 : TRAILING + TRAILINGS] = COMPOSES
    for code, parts, normal in zip(codes, apart_forms, whole_forms, strict=True):
        if role[ord(parts[0])] >= ORDERED:
            role[code] = COMPOSES
        elif normal != chr(code):
            role[code] = CHANGES
    characters = np.array([ord(character) for character in "".join(spelling)], dtype=np.uint32)
    return Forms(role, rank, apart, whole, characters, first, second, pairs)


def _spellings(
    form: Literal["NFKC", "NFKD"], codes: Iterable[int], spelling: list[str]
) -> tuple[Int32Array, list[str]]:
    """Table of these characters' forms, which are appended to the spelling; and the forms."""
    table = np.zeros(CODE_POINTS, dtype=np.int32)
    place = sum(map(len, spelling))
    found = []
    for code in codes:
        character = NEUTRAL_MARK if chr(code) in WORD_END_MARKS else chr(code)
        character = SHARP_S.get(character, character)
        stays = character in SUPERSCRIPTS
        found.append(character if stays else unicodedata.normalize(form, character))
        if found[-1] != chr(code):
            table[code] = place << LENGTH_BITS | len(found[-1])
            place += len(found[-1])
            spelling.append(found[-1])
    return table, found


def _compositions(
    codes: Iterable[int],
) -> tuple[UInt16Array, UInt8Array, UInt32Array]:
    """Rows and columns of the characters that compose, and what they compose to."""
    composed: dict[tuple[int, int], int] = {}
    for code in codes:
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and parts[0][0] != "<":
            one, other = (chr(int(part, 16)) for part in parts)
            if unicodedata.normalize("NFC", one + other) == chr(code):
                composed[ord(one), ord(other)] = code
    rows = {code: row for row, code in enumerate(sorted({one for one, _ in composed}), 1)}
    columns = {code: row for row, code in enumerate(sorted({other for _, other in composed}), 1)}
    first = np.zeros(CODE_POINTS, dtype=np.uint16)
    second = np.zeros(CODE_POINTS, dtype=np.uint8)
    first[list(rows)] = list(rows.values())
    second[list(columns)] = list(columns.values())
    pairs = np.zeros((len(rows) + 1, len(columns) + 1), dtype=np.uint32)
    for (row, column), code in composed.items():
        pairs[rows[row], columns[column]] = code
    return first, second, pairs
