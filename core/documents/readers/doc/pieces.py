"""The text of a Word 97 to 2003 document: pieces of two kinds, put together by a table."""

from __future__ import annotations

import struct
from bisect import bisect_right
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

from core.documents.readers.doc.fib import table
from core.documents.readers.doc.properties import Character, short_property

_ANSI = 0x40000000
_LISTS, _PIECES = 1, 2
_Value = TypeVar("_Value")


class DocPiece(NamedTuple):
    """Characters from `first` to `last` are in the stream from `start` on, `width` bytes each."""

    first: int
    last: int
    start: int
    width: int
    look: Character


def pieces_of(data: bytes, *, is_old: bool = False) -> list[DocPiece]:
    """Read the table of pieces ([MS-DOC] 2.8.35, 2.9.38).

    In Word 6 and 95 all characters are bytes, and the lists of changes are in a form of their own.
    """
    lists = []
    at = 0
    while at + 3 <= len(data) and data[at] == _LISTS:
        length = int.from_bytes(data[at + 1 : at + 3], "little")
        lists.append(data[at + 3 : at + 3 + length])
        at += 3 + length
    if data[at : at + 1] != bytes([_PIECES]):
        return []
    positions, entries = table(data[at + 5 :], 8)
    pieces: list[DocPiece] = []
    for (first, last), entry in zip(pairwise(positions), entries, strict=True):
        place, prm = struct.unpack_from("<2xIH", entry)
        width = 1 if is_old or place & _ANSI else 2
        start = (place & ~_ANSI) // 2 if place & _ANSI and not is_old else place
        if first < last and (not pieces or first >= pieces[-1].last):
            pieces.append(
                DocPiece(first, last, start, width, short_property(prm, [] if is_old else lists))
            )
    return pieces


def units(data: bytes, width: int, encoding: str = "cp1252") -> str:
    """Characters as the format counts them: those beyond U+FFFF are two."""
    if width == 1:
        return data.decode(encoding, "replace")
    text = data.decode("utf-16-le", "surrogatepass")
    if 2 * len(text) == len(data):
        return text
    return "".join(map(chr, struct.unpack(f"<{len(data) // 2}H", data[: len(data) & ~1])))


class Ranges(Generic[_Value]):
    """Values of stretches of the stream; in between there is none."""

    def __init__(self, stretches: list[tuple[int, int, _Value]]) -> None:
        self._stretches: list[tuple[int, int, _Value]] = []
        end = 0
        for first, last, value in sorted(stretches, key=lambda stretch: stretch[:2]):
            if last > max(first, end):  # what overlaps is damage
                self._stretches.append((max(first, end), last, value))
                end = last
        self._starts = [stretch[0] for stretch in self._stretches]

    def at(self, place: int) -> _Value | None:
        """The value at a place."""
        found = bisect_right(self._starts, place) - 1
        if found < 0:
            return None
        _, end, value = self._stretches[found]
        return value if place < end else None

    def between(self, start: int, end: int) -> list[tuple[int, int, _Value]]:
        """All values from one place to another."""
        found = []
        at = max(bisect_right(self._starts, start) - 1, 0)
        while at < len(self._stretches) and self._stretches[at][0] < end:
            first, last, value = self._stretches[at]
            if last > start:
                found.append((max(first, start), min(last, end), value))
            at += 1
        return found
