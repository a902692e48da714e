"""The beginning of a Word 97 to 2003 document, which says where everything is ([MS-DOC] 2.5)."""

from __future__ import annotations

import struct
from typing import NamedTuple

from core.documents.model import ProblemCode
from core.documents.unreadable import UnreadableError

WORD_97 = 0x00C1  # the first version of this layout
_WORD_2 = 0xA5DB
_IDENTS = {0xA5EC, 0xA5DC}
_COMPLEX, _ENCRYPTED, _TABLE_1 = 0x0004, 0x0100, 0x0200
_OLD_PIECES = 0x160  # where Word 6 and 95 tell the place of the table of pieces
_TABLES = {
    "styles": 1,
    "headings": 11,
    "characters": 12,
    "paragraphs": 13,
    "fonts": 15,
    "pieces": 33,
    "shapes": 40,
    "boxes": 56,
}


class StoryLengths(NamedTuple):
    """Lengths of the stories, which follow each other in the text."""

    body: int
    footnotes: int
    headings: int
    macros: int
    comments: int
    endnotes: int
    boxes: int
    heading_boxes: int


class Fib(NamedTuple):
    """What the beginning says.

    Attributes:
        version: Of the format.
        language: The code of Windows for the language of the program.
        table_stream: The stream with the tables.
        start: Where the text begins, if it is in one piece.
        end: Where it ends.
        stories: Lengths in characters.
        tables: Place and length of tables by their names.
    """

    version: int
    language: int
    is_encrypted: bool
    table_stream: str
    start: int
    end: int
    stories: StoryLengths
    tables: dict[str, tuple[int, int]]


def damaged(what: str) -> UnreadableError:
    """The error for a file in which something is missing."""
    return UnreadableError(
        ProblemCode.DAMAGED,
        f"This file is damaged: {what}. Get another copy, or open it in the program it was made "
        f"with and save it again.",
    )


def fib_of(stream: bytes) -> Fib:
    """Read the beginning of the stream "WordDocument".

    Raises:
        UnreadableError: DAMAGED; UNSUPPORTED for Word 2.
    """
    if len(stream) < 0x80:
        raise damaged("its beginning is missing")
    ident, version, language, flags = struct.unpack_from("<HH2xH2xH", stream)
    if ident == _WORD_2:
        raise UnreadableError(
            ProblemCode.UNSUPPORTED, "Files of Word 2 are not read. Save it as docx, or as PDF."
        )
    if ident not in _IDENTS:
        raise damaged("it does not begin like a Word document")
    start, end = struct.unpack_from("<II", stream, 0x18)
    is_old = version < WORD_97
    counts = struct.unpack_from("<8I", stream.ljust(0x6C, b"\0"), 0x34 if is_old else 0x4C)
    return Fib(
        version,
        language,
        bool(flags & _ENCRYPTED),
        "WordDocument" if is_old else "1Table" if flags & _TABLE_1 else "0Table",
        start,
        end,
        StoryLengths(*counts),
        _old_tables(stream, flags) if is_old else _tables(stream),
    )


def _old_tables(stream: bytes, flags: int) -> dict[str, tuple[int, int]]:
    """Of Word 6 and 95 only the pieces are of the same form, and of use only in a fast save."""
    if not flags & _COMPLEX or len(stream) < _OLD_PIECES + 8:
        return {}
    return {"pieces": struct.unpack_from("<II", stream, _OLD_PIECES)}


def _tables(stream: bytes) -> dict[str, tuple[int, int]]:
    places = {}
    for name, index in _TABLES.items():
        at = 0x9A + 8 * index
        if at + 8 <= len(stream):
            places[name] = struct.unpack_from("<II", stream, at)
    return places


def table(data: bytes, size: int) -> tuple[list[int], list[bytes]]:
    """A table ("Plc", 2.2.2): n + 1 ascending positions, then n entries of a size."""
    count = max((len(data) - 4) // (size + 4), 0)
    if not count:
        return [], []
    positions = [0]
    for position in struct.unpack_from(f"<{count + 1}I", data):
        positions.append(max(position, positions[-1]))  # what goes back is damage
    start = 4 * (count + 1)
    return positions[1:], [data[start + size * i : start + size * (i + 1)] for i in range(count)]
