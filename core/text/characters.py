"""Characters: code points, case and the classes that decide where words end.

Normalised texts are read code point by code point through two tables, one for simple (1:1) case
folding and one for the class of the character, so that every normalised character keeps its offset
in the text that is shown.
"""

from __future__ import annotations

import sys
import unicodedata
from functools import cache
from threading import Lock
from typing import NamedTuple

import numpy as np

from core.base.arrays import UInt8Array, UInt32Array
from core.settings import ScanSettings

# Classes as the kernels see them, after the settings have been applied.
SPACE = 0  # separates words: white space, and whatever the settings drop
LETTER = 1  # part of a word
ALONE = 2  # a word of its own: an ideograph, a raised figure, a punctuation mark that counts
MARK = 3  # a combining mark: continues the word before it
IGNORED = 4  # neither counts nor separates: soft hyphen, joiners, direction marks

# Classes that the settings turn into one of those above.
_DIGIT = 5
_PUNCTUATION = 6
_KINDS = {
    **dict.fromkeys(("Lu", "Ll", "Lt", "Lm", "Lo"), LETTER),
    **dict.fromkeys(("Nd", "Nl", "No"), _DIGIT),
    **dict.fromkeys(("Mn", "Mc", "Me"), MARK),
    **dict.fromkeys(("Zs", "Zl", "Zp"), SPACE),
    "Cf": IGNORED,
}

CODE_POINTS = sys.maxunicode + 1
ASSIGNED_END = 0x32400  # beyond lie private use and the variation selectors of plane 14
VARIATION_SELECTORS = slice(0xFE00, 0xFE10)
PLANE_14 = slice(0xE0000, 0xE1000)  # default ignorable, as far as they are assigned or not

# Scripts written without spaces between words: each letter counts as a word.
NO_SPACES = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x1950, 0x19DF),  # Tai Le, New Tai Lue
    (0x1A20, 0x1AAF),  # Tai Tham
    (0x2E80, 0x2FDF),  # radicals
    (0x3005, 0x3007),
    (0x3021, 0x3029),
    (0x3040, 0x312F),  # Hiragana, Katakana, Bopomofo
    (0x31A0, 0x31BF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xA000, 0xA4CF),  # Yi
    (0xF900, 0xFAFF),
    (0x16FE0, 0x18DFF),  # Tangut, Khitan
    (0x1B000, 0x1B2FF),
    (0x20000, 0x323AF),
)
EXCEPTIONS = {
    "_": LETTER,
    "〇〡〢〣〤〥〦〧〨〩": LETTER,  # numbers to Unicode, but read and written like ideographs
    "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85": SPACE,  # white space among the control characters
    "\u200b": SPACE,  # the zero width space
    "\x7f": IGNORED,  # see `FILLER`
}
SUPERSCRIPTS = [ord(character) for character in "⁰¹²³⁴⁵⁶⁷⁸⁹"]
FILLER = "\x7f"  # a control character: stands where something does not count
CHUNK = 1 << 18  # code points treated in one call, so that no call holds the interpreter long


class Alphabet(NamedTuple):
    """The two tables of a kernel, indexed by code point."""

    fold: UInt32Array
    kind: UInt8Array


_building = Lock()


def alphabet(settings: ScanSettings) -> Alphabet:
    """The tables for these settings; computed once, by one thread, and shared."""
    with _building:
        return _alphabet(
            ignore_case=settings.ignore_case,
            keep_punctuation=bool(settings.keep_punctuation),
            keep_digits=settings.keep_digits,
        )


@cache
def _alphabet(*, ignore_case: bool, keep_punctuation: bool, keep_digits: bool) -> Alphabet:
    fold, kind = _unicode_tables()
    kind = kind.copy()
    kind[kind == _DIGIT] = LETTER if keep_digits else SPACE
    kind[kind == _PUNCTUATION] = ALONE if keep_punctuation else SPACE
    fold = fold.copy() if ignore_case else np.arange(CODE_POINTS, dtype=np.uint32)
    # A footnote's mark is no part of the word before it, nor is an exponent of its number.
    fold[SUPERSCRIPTS] = range(ord("0"), ord("0") + len(SUPERSCRIPTS))
    kind[SUPERSCRIPTS] = ALONE if keep_digits else SPACE
    return Alphabet(fold, kind)


@cache
def _unicode_tables() -> tuple[UInt32Array, UInt8Array]:
    """Simple case folding and class of every code point."""
    fold = np.arange(CODE_POINTS, dtype=np.uint32)
    for code in range(ASSIGNED_END):
        if chr(code).casefold() != chr(code):
            fold[code] = _fold(chr(code))
    kind = np.full(CODE_POINTS, _PUNCTUATION, dtype=np.uint8)
    kind[:ASSIGNED_END] = [
        _KINDS.get(unicodedata.category(chr(code)), _PUNCTUATION) for code in range(ASSIGNED_END)
    ]
    for characters, what in EXCEPTIONS.items():
        kind[[ord(character) for character in characters]] = what
    for first, last in NO_SPACES:
        block = kind[first : last + 1]
        block[block == LETTER] = ALONE
    kind[VARIATION_SELECTORS] = IGNORED
    kind[PLANE_14] = IGNORED
    return fold, kind


def _fold(character: str) -> int:
    if character == "İ":
        return ord("i")
    for folded in (character.casefold(), character.lower()):
        if len(folded) == 1:
            return ord(folded)
    return ord(character)


def code_points(text: str) -> UInt8Array | UInt32Array:
    """The code points of a text: uint8 when all are ASCII, else uint32."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    codes = np.empty(len(text), dtype=np.uint32)
    for start in range(0, len(text), CHUNK):
        piece = text[start : start + CHUNK].encode("utf-32-le", "surrogatepass")
        codes[start : start + CHUNK] = np.frombuffer(piece, dtype="<u4")
    return codes


def characters(codes: UInt32Array) -> str:
    """The text of these code points."""
    return codes.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")
