"""Characters: compatibility forms, case and the classes that decide where words end.

Texts are normalised to NFKC and then read code point by code point through two tables, one for
simple (1:1) case folding and one for the class of the character, so that every normalised
character keeps its offset in the text that is shown.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.settings import ScanSettings

__all__ = [
    "ALONE",
    "IGNORED",
    "LETTER",
    "MARK",
    "SPACE",
    "Alphabet",
    "Normalised",
    "alphabet",
    "code_points",
    "normalise",
    "normalise_with_offsets",
]

# Classes as the kernels see them, after the settings have been applied.
SPACE = 0  # separates words: white space, and whatever the settings drop
LETTER = 1  # part of a word
ALONE = 2  # a word of its own: an ideograph, or a punctuation mark that counts
MARK = 3  # a combining mark: continues the word before it
IGNORED = 4  # neither counts nor separates: soft hyphen, joiners, direction marks

# Classes that the settings turn into one of those above.
_DIGIT = 5
_PUNCTUATION = 6

CODE_POINTS = sys.maxunicode + 1
ASSIGNED_END = 0x32400  # beyond lie private use and the variation selectors of plane 14
PLANE_14 = slice(0xE0000, 0xE0200)

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
# NFKC would make "Acme™" the word "AcmeTM" and "text¹", a footnote, the word "text1".
WORD_END_MARKS = "™℠¹²³"
NEUTRAL_MARK = "®"
# Numbers to Unicode, but read and written like the ideographs beside them.
IDEOGRAPHIC_NUMBERS = "〇〡〢〣〤〥〦〧〨〩"
CHUNK = 1 << 18  # code points treated in one call, so that no call holds the interpreter long
PIECE = 1 << 10  # code points that are followed one by one when normalising changes one of them


class Alphabet(NamedTuple):
    """The two tables of a kernel, indexed by code point."""

    fold: npt.NDArray[np.uint32]
    kind: npt.NDArray[np.uint8]


def alphabet(settings: ScanSettings) -> Alphabet:
    """The tables for these settings; computed once and shared."""
    return _alphabet(settings.ignore_case, bool(settings.keep_punctuation), settings.keep_digits)


@cache
def _alphabet(ignore_case: bool, keep_punctuation: bool, keep_digits: bool) -> Alphabet:  # noqa: FBT001
    fold, kind = _unicode_tables()
    kind = kind.copy()
    kind[kind == _DIGIT] = LETTER if keep_digits else SPACE
    kind[kind == _PUNCTUATION] = ALONE if keep_punctuation else SPACE
    if not ignore_case:
        fold = np.arange(CODE_POINTS, dtype=np.uint32)
    return Alphabet(fold, kind)


@cache
def _unicode_tables() -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint8]]:
    """Simple case folding and class of every code point."""
    fold = np.arange(CODE_POINTS, dtype=np.uint32)
    kind = np.full(CODE_POINTS, _PUNCTUATION, dtype=np.uint8)
    kind[:ASSIGNED_END] = [_kind(chr(code)) for code in range(ASSIGNED_END)]
    fold[:ASSIGNED_END] = [_fold(chr(code)) for code in range(ASSIGNED_END)]
    for first, last in NO_SPACES:
        block = kind[first : last + 1]
        block[block == LETTER] = ALONE
    kind[PLANE_14] = IGNORED
    return fold, kind


def _kind(character: str) -> int:
    category = unicodedata.category(character)
    if category[0] == "L" or character == "_" or character in IDEOGRAPHIC_NUMBERS:
        return LETTER
    if category[0] == "N":
        return _DIGIT
    if category[0] == "M":
        return IGNORED if "\ufe00" <= character <= "\ufe0f" else MARK
    if category == "Cf" and character != "\u200b":
        return IGNORED
    return SPACE if character.isspace() or category == "Cf" else _PUNCTUATION


def _fold(character: str) -> int:
    if character == "İ":
        return ord("i")
    for folded in (character.casefold(), character.lower()):
        if len(folded) == 1:
            return ord(folded)
    return ord(character)


def code_points(text: str) -> npt.NDArray[np.uint8] | npt.NDArray[np.uint32]:
    """The code points of a text: uint8 when all are ASCII, else uint32."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    codes = np.empty(len(text), dtype=np.uint32)
    for start in range(0, len(text), CHUNK):
        piece = text[start : start + CHUNK].encode("utf-32-le", "surrogatepass")
        codes[start : start + CHUNK] = np.frombuffer(piece, dtype="<u4")
    return codes


def normalise(text: str) -> str:
    """NFKC of a text, but marks set at the end of a word do not become part of it."""
    if text.isascii():
        return text
    if len(text) <= CHUNK:
        return _nfkc(text)
    return "".join(_nfkc(text[start:end]) for start, end in _pieces(text, CHUNK))


def _nfkc(text: str) -> str:
    for mark in WORD_END_MARKS:
        text = text.replace(mark, NEUTRAL_MARK)
    return unicodedata.normalize("NFKC", text)


def _pieces(text: str, size: int) -> Iterator[tuple[int, int]]:
    """Spans of about this size that normalise independently of each other."""
    start = 0
    while start < len(text):
        end = min(start + size, len(text))
        while end < len(text) and not _begins_cluster(text[end]):
            end += 1
        yield start, end
        start = end


class Normalised(NamedTuple):
    """A normalised text and where each of its characters comes from.

    `starts[i]` and `ends[i]` are the span, in the original, of the cluster of characters that the
    i-th normalised character comes from; both are None when nothing changed.
    """

    text: str
    starts: npt.NDArray[np.int64] | None
    ends: npt.NDArray[np.int64] | None


def normalise_with_offsets(text: str) -> Normalised:
    """NFKC of a text with the way back to the original."""
    if text.isascii():
        return Normalised(text, None, None)
    parts: list[str] = []
    starts: list[npt.NDArray[np.int64]] = []
    ends: list[npt.NDArray[np.int64]] = []
    for first, last in _pieces(text, PIECE):
        piece = text[first:last]
        parts.append(_nfkc(piece))
        if parts[-1] == piece:
            starts.append(np.arange(first, last))
            ends.append(np.arange(first + 1, last + 1))
        else:
            spans = np.array(list(_clusters(piece)), dtype=np.int64) + first
            counts = [len(_nfkc(text[start:end])) for start, end in spans.tolist()]
            starts.append(np.repeat(spans[:, 0], counts))
            ends.append(np.repeat(spans[:, 1], counts))
    normal = "".join(parts)
    if normal == text:
        return Normalised(text, None, None)
    return Normalised(normal, np.concatenate(starts), np.concatenate(ends))


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Spans that normalise independently of each other."""
    start = 0
    for index, character in enumerate(text):
        if index > start and _begins_cluster(character):
            yield start, index
            start = index
    if text:
        yield start, len(text)


@cache
def _begins_cluster(character: str) -> bool:
    """Whether normalisation never joins this character to the one before it."""
    if character.isascii():
        return True
    first = unicodedata.normalize("NFKD", character)[0]
    return unicodedata.combining(first) == 0 and first not in _composing_starters()


@cache
def _composing_starters() -> frozenset[str]:
    """Characters of combining class 0 that still compose with the character before them."""
    found = {chr(code) for code in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}
    for code in range(ASSIGNED_END):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            second = chr(int(parts[1], 16))
            if unicodedata.combining(second) == 0:
                found.add(second)
    return frozenset(found)
