"""The text of a Word 97 to 2003 document: pieces of two kinds, put together by a table."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

from core.documents.model import ProblemCode, UnreadableError

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


_OPERANDS = (1, 1, 2, 4, 2, 2, 0, 3)  # bytes, by the upper three bits of the code; 0: it says
_DELETED, _VANISH, _SPECIAL_VANISH, _SYMBOL = 0x0800, 0x083C, 0x0818, 0x6A09
_SIZE, _COLOUR_INDEX, _COLOUR = 0x4A43, 0x2A42, 0x6870
_SHADES = frozenset({0x4866, 0xCA71, 0x2A0C})
_CHARACTER_STYLE = 0x4A30
_IN_TABLE, _ROW_END, _INNER_CELL, _INNER_ROW_END = 0x2416, 0x2417, 0x244B, 0x244C
_TABLE_DEFINITION, _TABS = 0xD608, 0xC615
_WHITE_INDEX, _WHITE = 8, 0x00FFFFFF
_ON = frozenset({1, 0x81})
_AS_STYLE, _UNLIKE_STYLE = (
    0x80,
    0x81,
)  # of a property that styles have, too (2.9.327, ToggleOperand)
# Changes of whole pieces are shortened to one byte ([MS-DOC] 2.9.215, Prm0).
_SHORT = {0x41: _DELETED, 0x5C: _VANISH}


class Character(NamedTuple):
    """What is out of the ordinary with some characters.

    Attributes:
        is_hidden: They are, in a paragraph whose style does not hide.
        follows_style: A style of the paragraph that hides turns `is_hidden` round.
        is_faint: They are white, or too small to be seen.
        is_tiny: They are too small to be seen.
        symbol: They stand for another one: its place in a font, above the number of the font.
    """

    is_deleted: bool = False
    is_hidden: bool = False
    follows_style: bool = True
    is_faint: bool = False
    is_tiny: bool = False
    symbol: int = 0


class Paragraph(NamedTuple):
    """The part of a paragraph in a table."""

    in_table: bool = False
    ends_row: bool = False
    ends_inner_cell: bool = False


def _operands(changes: bytes) -> dict[int, int]:
    """The code of each change and the number it comes with; of two of a kind the last counts."""
    found = {}
    at = 0
    while at + 3 <= len(changes):
        code = changes[at] | changes[at + 1] << 8
        at += 2
        size = _OPERANDS[code >> 13]
        if not size:
            size = changes[at] + 1
            if code == _TABLE_DEFINITION:
                size = int.from_bytes(changes[at : at + 2], "little") + 1
            elif code == _TABS and changes[at] == 255:
                break
        found[code] = int.from_bytes(changes[at : at + size], "little") if size <= 4 else 0
        at += size
    return found


def character_of(changes: bytes, hidden_styles: frozenset[int] = frozenset()) -> Character:
    """What a list of changes says of characters; with the styles of characters that hide."""
    found = _operands(changes)
    is_hidden, follows_style = _hiding(
        found, is_style_hidden=found.get(_CHARACTER_STYLE) in hidden_styles
    )
    is_tiny = found.get(_SIZE, 20) <= 2
    is_white = found.get(_COLOUR_INDEX) == _WHITE_INDEX or found.get(_COLOUR) == _WHITE
    return Character(
        is_deleted=found.get(_DELETED, 0) in _ON,
        is_hidden=is_hidden,
        follows_style=follows_style,
        is_faint=is_tiny or (is_white and found.keys().isdisjoint(_SHADES)),
        is_tiny=is_tiny,
        symbol=found.get(_SYMBOL, 0),
    )


def style_hides(changes: bytes, *, based_on_hidden: bool) -> bool:
    """Whether a style hides, by its list of changes and the style it is based on."""
    is_hidden, follows_style = _hiding(_operands(changes), is_style_hidden=False)
    return is_hidden ^ (based_on_hidden and follows_style)


def _hiding(found: dict[int, int], *, is_style_hidden: bool) -> tuple[bool, bool]:
    """Whether characters are hidden, and whether a style that hides would turn that round."""
    if found.get(_SPECIAL_VANISH, 0) in _ON:
        return True, False
    operand = found.get(_VANISH, _AS_STYLE)
    if operand in {_AS_STYLE, _UNLIKE_STYLE}:
        return is_style_hidden ^ (operand == _UNLIKE_STYLE), True
    return operand == 1, False


def paragraph_of(changes: bytes) -> Paragraph:
    """What a list of changes says of a paragraph."""
    found = _operands(changes)
    return Paragraph(
        in_table=bool(found.get(_IN_TABLE)),
        ends_row=bool(found.get(_ROW_END) or found.get(_INNER_ROW_END)),
        ends_inner_cell=bool(found.get(_INNER_CELL)),
    )


def short_property(prm: int, lists: list[bytes]) -> Character:
    """What a piece says of all its characters: one short change, or the number of a list."""
    if prm & 1:
        number = prm >> 1
        return character_of(lists[number]) if number < len(lists) else Character()
    code = _SHORT.get(prm >> 1 & 0x7F)
    return character_of(struct.pack("<HB", code, prm >> 8)) if code else Character()


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
