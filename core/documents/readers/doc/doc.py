"""Word 97 to 2003 documents (doc, dot), [MS-DOC]; of Word 6 and 95 their plain text."""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import NamedTuple

from core.base.wording import readable_count
from core.documents.model import ProblemCode
from core.documents.readers.doc.fib import WORD_97, Fib, damaged, fib_of, table
from core.documents.readers.doc.pieces import DocPiece, pieces_of
from core.documents.readers.doc.properties import Character, style_hides
from core.documents.readers.doc.property_pages import characters, hiding_paragraphs, paragraphs
from core.documents.readers.doc.text import StoryReader, segments
from core.documents.readers.reader import Extracted, Reader, Reading
from core.documents.readers.shared.compound_file import OleFile, is_ole, root_names
from core.documents.readers.shared.office_lock import unlocked
from core.documents.readers.shared.remarks import Tally
from core.documents.unreadable import UnreadableError

_NONE = 0xFFF
_LISTS_BEFORE = {1: 1, 2: 0, 3: 2}  # of a style, before that of characters, by its kind


class _Style(NamedTuple):
    """A style: the number of the one it is based on, and its changes of characters."""

    base: int
    changes: bytes


def hidden_styles(sheet: bytes) -> frozenset[int]:
    """The numbers of the styles that hide, from the table of styles (2.9.271, STSH)."""
    if len(sheet) < 6:
        return frozenset()
    at, base_size = 2 + int.from_bytes(sheet[:2], "little"), int.from_bytes(sheet[4:6], "little")
    styles: list[_Style] = []
    while at + 2 <= len(sheet):
        size = int.from_bytes(sheet[at : at + 2], "little")
        styles.append(_style(sheet[at + 2 : at + 2 + size], base_size))
        at += 2 + size + size % 2
    if not any(style.changes for style in styles):
        return frozenset()
    return frozenset(number for number in range(len(styles)) if _hides(styles, number))


def _style(data: bytes, base_size: int) -> _Style:
    """One style (2.9.258, STD); an empty one has no properties."""
    if len(data) < max(base_size, 10) + 2:
        return _Style(_NONE, b"")
    kind_and_base, count_and_next = struct.unpack_from("<HH", data, 2)
    at = base_size + 4 + 2 * int.from_bytes(data[base_size : base_size + 2], "little")
    before = _LISTS_BEFORE.get(kind_and_base & 0xF, -1)
    for number in range(count_and_next & 0xF):
        size = int.from_bytes(data[at : at + 2], "little")
        if number == before:
            return _Style(kind_and_base >> 4, data[at + 2 : at + 2 + size])
        at += 2 + size + size % 2
    return _Style(kind_and_base >> 4, b"")


def _hides(styles: list[_Style], number: int) -> bool:
    chain: list[_Style] = []
    while number < len(styles) and len(chain) < len(styles):
        chain.append(styles[number])
        number = styles[number].base
    hides = False
    for style in reversed(chain):
        hides = style_hides(style.changes, based_on_hidden=hides)
    return hides


_CHINESE = 0x04
_SIMPLIFIED = frozenset({0x0804, 0x1004})
_PAGES = {
    "cp874": (0x1E,),
    "cp932": (0x11,),
    "cp949": (0x12,),
    "cp1250": (0x05, 0x0E, 0x15, 0x18, 0x1A, 0x1B, 0x1C, 0x24),
    "cp1251": (0x02, 0x19, 0x22, 0x23, 0x2F),
    "cp1253": (0x08,),
    "cp1254": (0x1F, 0x2C),
    "cp1255": (0x0D,),
    "cp1256": (0x01, 0x20, 0x29),
    "cp1257": (0x25, 0x26, 0x27),
    "cp1258": (0x2A,),
}
_BY_LANGUAGE = {language: page for page, languages in _PAGES.items() for language in languages}


def code_page(language: int) -> str:
    """The encoding of a text in a language and country."""
    primary = language & 0x3FF
    if primary == _CHINESE:
        return "cp936" if language in _SIMPLIFIED else "cp950"
    return _BY_LANGUAGE.get(primary, "cp1252")


_SUFFIXES = frozenset({".doc", ".dot"})
_HEADERS = frozenset({0, 1, 4})  # of the six stories of a section: even, odd, first page
_SEPARATORS = 6  # stories before those, which separate notes from the text
_FONTS_START, _FONT_NAME = 4, 40  # bytes before the first font, and of a font before its name


def _recognises(data: bytes, suffix: str) -> bool:
    """By the stream of the text; a damaged file by its name."""
    if not is_ole(data):
        return False
    names = root_names(data)
    return "WORDDOCUMENT" in names or (not names and suffix in _SUFFIXES)


def _read(data: bytes, reading: Reading) -> Extracted:
    """Headers, body, notes and footers: each once, the running ones apart from the text."""
    file = _file(data)
    fib = fib_of(file.stream("WordDocument"))
    if "\tDRMCONTENT" in file.streams:
        raise UnreadableError(
            ProblemCode.ENCRYPTED,
            "Locked by rights management. Save a copy without it, or as PDF.",
        )
    if fib.is_encrypted:
        file = _file(unlocked(data, reading))
        fib = fib_of(file.stream("WordDocument"))
    reading.step()
    document = _DocDocument(file, fib, reading)
    text = document.text()
    return Extracted(text, remarks=document.tally.remarks())


def _file(data: bytes) -> OleFile:
    if len(data) < 512:
        raise damaged("it ends within its first lines")
    return OleFile(data)


class _DocDocument:
    def __init__(self, file: OleFile, fib: Fib, reading: Reading) -> None:
        self._stream = file.stream("WordDocument")
        self._fib = fib
        self._reading = reading
        self._tables = file.stream(fib.table_stream)
        self._encoding = "cp1252" if fib.version >= WORD_97 else code_page(fib.language)
        self._pieces = self._all_pieces()
        hidden = hidden_styles(self._table("styles"))
        self._characters = characters(self._stream, self._table("characters"), hidden)
        self._paragraphs = paragraphs(self._stream, self._table("paragraphs"))
        self._hiding = hiding_paragraphs(self._stream, self._table("paragraphs"), hidden)
        self._fonts = _font_names(self._table("fonts"))
        self._boxes: dict[int, str] = {}
        self._anchors: dict[int, int] = {}
        self.tally = Tally()

    def _table(self, name: str) -> bytes:
        start, length = self._fib.tables.get(name, (0, 0))
        return self._tables[start : start + length]

    def _all_pieces(self) -> list[DocPiece]:
        """The table of pieces; older files are one piece, unless they were saved in a hurry.

        Raises:
            UnreadableError: DAMAGED where there is no text, TOO_BIG.
        """
        fib = self._fib
        is_old = fib.version < WORD_97
        pieces = pieces_of(self._table("pieces"), is_old=is_old)
        if not pieces and is_old:
            pieces = [DocPiece(0, fib.end - fib.start, fib.start, 1, Character())]
        if not pieces or pieces[0].start >= len(self._stream):
            raise damaged("its text was not found")
        if pieces[-1].last > self._reading.limits.characters:
            limit = readable_count(self._reading.limits.characters)
            raise UnreadableError(
                ProblemCode.TOO_BIG,
                f"The text of this document has more than {limit} characters. Split it.",
                "characters",
            )
        return pieces

    def text(self) -> str:
        stories = self._fib.stories
        starts = [0]
        for length in stories:
            starts.append(starts[-1] + length)
        bounds = dict(zip(stories._fields, pairwise(starts), strict=True))
        headers, footers = self._headings(*bounds["headings"])
        self._prepare_boxes(bounds["boxes"][0])
        body = self._story(*bounds["body"])
        notes = [self._story(*bounds["footnotes"]), self._story(*bounds["endnotes"])]
        headers.append(self._story(*bounds["heading_boxes"], is_box=True))
        parts = (*headers, body, *self._boxes.values(), *notes, *footers)
        return self.tally.faint.after("\n\n".join(part for part in parts if part))

    def _story(self, first: int, last: int, *, is_box: bool = False) -> str:
        self._reading.step()
        if first >= last:
            return ""
        box = None if is_box else self._box
        reader = StoryReader(self._paragraphs, self._hiding, self.tally, self._font, box)
        return reader.read(
            segments(self._stream, self._pieces, self._characters, first, last, self._encoding)
        )

    def _headings(self, first: int, last: int) -> tuple[list[str], list[str]]:
        """Headers and footers, each text once; a page number is none."""
        headers: dict[str, None] = {}
        footers: dict[str, None] = {}
        positions = table(self._table("headings"), 0)[0]
        for number, (start, end) in enumerate(pairwise(positions)):
            if number >= _SEPARATORS and start < end <= last - first:
                text = self._story(first + start, first + end)
                if any(map(str.isalpha, text)):
                    (headers if number % 6 in _HEADERS else footers)[text] = None
        return list(headers), list(footers)

    def _prepare_boxes(self, first: int) -> None:
        """Read the text boxes, by the number of their shape."""
        positions, entries = table(self._table("boxes"), 22)
        for (start, end), entry in zip(pairwise(positions), entries, strict=True):
            text = self._story(first + start, first + end, is_box=True)
            if text:
                self._boxes[int.from_bytes(entry[14:18], "little")] = text
        shapes, entries = table(self._table("shapes"), 26)
        self._anchors = {
            position: int.from_bytes(entry[:4], "little")
            for position, entry in zip(shapes, entries, strict=False)
        }

    def _box(self, position: int) -> str:
        return self._boxes.pop(self._anchors.get(position, 0), "")

    def _font(self, number: int) -> str:
        return self._fonts[number] if number < len(self._fonts) else ""


def _font_names(data: bytes) -> list[str]:
    """The names of the fonts in their order ([MS-DOC] 2.9.286, SttbfFfn)."""
    names = []
    at = _FONTS_START
    while at < len(data):
        size = data[at] + 1
        name = data[at + _FONT_NAME : at + size].decode("utf-16-le", "replace")
        names.append(name.partition("\0")[0])
        at += size
    return names


READER = Reader(
    "doc",
    "a Word 97 to 2003 document (doc)",
    "Word (doc)",
    _SUFFIXES,
    _recognises,
    _read,
    libraries=("msoffcrypto",),
)
