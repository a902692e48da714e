"""Where a Word 97 to 2003 document keeps the properties of its text: pages of 512 bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from core.documents.readers.doc.fib import table
from core.documents.readers.doc.pieces import Ranges
from core.documents.readers.doc.properties import Character, Paragraph, character_of, paragraph_of

_PAGE = 512
_PLAIN = Character()


def characters(stream: bytes, places: bytes, hidden_styles: frozenset[int]) -> Ranges[Character]:
    """The stretches with characters out of the ordinary ([MS-DOC] 2.9.33, ChpxFkp)."""
    found = []
    for page, count in _pages(stream, places):
        bounds = struct.unpack_from(f"<{count + 1}I", page)
        for i in range(count):
            at = 2 * page[4 * (count + 1) + i]
            changes = page[at + 1 : at + 1 + page[at]]
            look = character_of(changes, hidden_styles) if at else _PLAIN
            if look != _PLAIN and bounds[i] < bounds[i + 1]:
                found.append((bounds[i], bounds[i + 1], look))
    return Ranges(found)


def paragraphs(stream: bytes, places: bytes) -> Ranges[Paragraph]:
    """The stretches that are paragraphs in tables ([MS-DOC] 2.9.174, PapxFkp)."""
    found = []
    for page, count in _pages(stream, places):
        bounds = struct.unpack_from(f"<{count + 1}I", page)
        for i in range(count):
            at = 2 * page[min(4 * (count + 1) + 13 * i, _PAGE - 1)]
            if at and (paragraph := paragraph_of(_changes(page, at))).in_table:
                found.append((bounds[i], bounds[i + 1], paragraph))
    return Ranges(found)


def hiding_paragraphs(stream: bytes, places: bytes, hidden_styles: frozenset[int]) -> Ranges[bool]:
    """The stretches that are paragraphs of a style that hides."""
    found = []
    for page, count in _pages(stream, places) if hidden_styles else ():
        bounds = struct.unpack_from(f"<{count + 1}I", page)
        for i in range(count):
            at = 2 * page[min(4 * (count + 1) + 13 * i, _PAGE - 1)]
            if (_style(page, at) if at else 0) in hidden_styles:
                found.append((bounds[i], bounds[i + 1], True))
    return Ranges(found)


def _style(page: bytes, at: int) -> int:
    """The number of the style of a paragraph, which stands before its list of changes."""
    start = at + 1 if page[at] else at + 2
    return int.from_bytes(page[start : start + 2], "little")


def _changes(page: bytes, at: int) -> bytes:
    """The list of changes of a paragraph, after its length and style."""
    if page[at]:
        return page[at + 3 : at + 2 * page[at]]
    return page[at + 4 : at + 2 + 2 * page[min(at + 1, _PAGE - 1)]]


def _pages(stream: bytes, places: bytes) -> Iterator[tuple[bytes, int]]:
    """Every page the table names, and for how many stretches it speaks; each once."""
    seen = set()
    for entry in table(places, 4)[1]:
        number = int.from_bytes(entry, "little") & 0x3FFFFF
        page = stream[number * _PAGE : (number + 1) * _PAGE]
        if len(page) == _PAGE and number not in seen and page[-1] <= 101:
            seen.add(number)
            yield page, page[-1]
