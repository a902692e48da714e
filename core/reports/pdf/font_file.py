"""Which letters a font has, read from its file: TrueType, OpenType and collections of them.

Only the tables that tell are read (ISO/IEC 14496-22, "cmap" and "OS/2"). Whatever is damaged has no
letters.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, NamedTuple

_MAY_NOT_BE_EMBEDDED = 2  # fsType: restricted licence
_MOST = 50_000_000  # bytes of a table; more is none
_FULL = ((3, 10), (0, 4), (0, 6))  # platform and encoding of all of Unicode
_BASIC = ((3, 1), (0, 3), (0, 2), (0, 1), (0, 0))  # and of its first 65,536


class _Segments(NamedTuple):
    """Runs of letters: last of each, first of each, and what its glyphs are found by."""

    ends: tuple[int, ...]
    starts: tuple[int, ...]
    deltas: tuple[int, ...]
    offsets: tuple[int, ...]
    table: bytes
    offsets_at: int

    def has(self, letter: int) -> bool:
        """Whether a letter has a glyph."""
        place = bisect_left(self.ends, letter)
        if place == len(self.ends) or self.starts[place] > letter:
            return False
        if not self.offsets or not self.offsets[place]:
            return not self.deltas or (letter + self.deltas[place]) & 0xFFFF != 0
        at = self.offsets_at + 2 * place + self.offsets[place] + 2 * (letter - self.starts[place])
        return self.table[at : at + 2] not in (b"", b"\0\0")


def letters_in(path: Path, index: int, wanted: Iterable[str]) -> set[str]:
    """Those of the wanted letters that a font has and that may be embedded in a document.

    Args:
        path: The file.
        index: Of the font, where the file is a collection.
        wanted: Single characters.
    """
    try:
        with path.open("rb") as file:
            tables = _tables(file, index)
            if _is_restricted(file, tables):
                return set()
            segments = _segments(_read(file, *tables[b"cmap"]))
            return {letter for letter in wanted if segments.has(ord(letter))}
    except (OSError, struct.error, KeyError, IndexError, ValueError):
        return set()


def _tables(file: BinaryIO, index: int) -> dict[bytes, tuple[int, int]]:
    """Where the tables stand and how long they are, by their names."""
    start = 0
    if _read(file, 0, 4) == b"ttcf":
        (start,) = struct.unpack(">L", _read(file, 12 + 4 * index, 4))
    (count,) = struct.unpack(">H", _read(file, start + 4, 2))
    entries = struct.iter_unpack(">4sLLL", _read(file, start + 12, 16 * count))
    return {name: (at, length) for name, _, at, length in entries}


def _is_restricted(file: BinaryIO, tables: dict[bytes, tuple[int, int]]) -> bool:
    if b"OS/2" not in tables:
        return False
    rights = int.from_bytes(_read(file, tables[b"OS/2"][0] + 8, 2), "big")
    return rights & 0xF == _MAY_NOT_BE_EMBEDDED


def _segments(cmap: bytes) -> _Segments:
    """The table of the letters that reaches farthest."""
    (count,) = struct.unpack_from(">H", cmap, 2)
    places = {
        (platform, encoding): at
        for platform, encoding, at in struct.iter_unpack(">HHL", cmap[4 : 4 + 8 * count])
    }
    for kind in (*_FULL, *_BASIC):
        at = places.get(kind)
        if at is None:
            continue
        (form,) = struct.unpack_from(">H", cmap, at)
        if form in _FORMS:
            return _FORMS[form](cmap[at:])
    raise ValueError("no table of Unicode letters")


def _by_segments(table: bytes) -> _Segments:
    """Format 4."""
    (doubled,) = struct.unpack_from(">H", table, 6)
    count = doubled // 2
    numbers = f">{count}H"
    ends = struct.unpack_from(numbers, table, 14)
    starts = struct.unpack_from(numbers, table, 16 + doubled)
    deltas = struct.unpack_from(numbers, table, 16 + 2 * doubled)
    offsets = struct.unpack_from(numbers, table, 16 + 3 * doubled)
    return _Segments(ends, starts, deltas, offsets, table, 16 + 3 * doubled)


def _by_groups(table: bytes) -> _Segments:
    """Format 12."""
    (count,) = struct.unpack_from(">L", table, 12)
    groups = list(struct.iter_unpack(">LLL", table[16 : 16 + 12 * count]))
    starts, ends, _ = zip(*groups, strict=True) if groups else ((), (), ())
    return _Segments(ends, starts, (), (), b"", 0)


_FORMS = {4: _by_segments, 12: _by_groups}


def _read(file: BinaryIO, at: int, length: int) -> bytes:
    if length > _MOST:
        raise ValueError("a table is too large")
    file.seek(at)
    return file.read(length)
