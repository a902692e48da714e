"""Word 97 to 2003 documents (doc, dot), [MS-DOC]; of Word 6 and 95 their plain text."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, islice, pairwise
from operator import attrgetter
from typing import Generic, NamedTuple, TypeVar

from core.base.messages import N_, stored
from core.base.patterns import lazy_pattern
from core.base.wording import readable_count
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Extracted, Reader, Reading, joined_halves
from core.documents.readers.shared.packed_files import OleFile, is_ole, root_names, unlocked
from core.documents.readers.shared.story import Fields, OmissionCounts, Tally, WordStory, symbols

WORD_97 = 0x00C1  # the first version of this layout
_WORD_2 = 0xA5DB
_IDENTS = {0xA5EC, 0xA5DC}
_COMPLEX, _ENCRYPTED, _TABLE_1 = 0x0004, 0x0100, 0x0200
# Tables by their numbers (2.5.6, FibRgFcLcb97): place and length of each stand in a row.
_TABLES_AT = 0x9A
_TABLES = {
    "styles": 1,
    "headings": 11,
    "characters": 12,
    "paragraphs": 13,
    "fonts": 15,
    "pieces": 33,
    "commenters": 36,
    "shapes": 40,
    "revisers": 51,
    "boxes": 56,
}
# Of Word 6 and 95 only the pieces are of the same form, and of use only in a fast save.
_OLD_TABLES_AT = 0x160
_OLD_TABLES = {"pieces": 0}


# The stories, which follow each other in the text.
_STORIES = (
    *("body", "footnotes", "headings", "macros"),
    *("comments", "endnotes", "boxes", "heading_boxes"),
)


class Fib(NamedTuple):
    """What the beginning says.

    Attributes:
        version: Of the format.
        language: The code of Windows for the language of the program.
        table_stream: The stream with the tables.
        start: Where the text begins, if it is in one piece.
        end: Where it ends.
        stories: Lengths in characters, in the order of `_STORIES`.
        tables: Place and length of tables by their names.
    """

    version: int
    language: int
    is_encrypted: bool
    table_stream: str
    start: int
    end: int
    stories: tuple[int, ...]
    tables: dict[str, tuple[int, int]]


def damaged(what: str) -> UnreadableError:
    """The error for a file in which something is missing."""
    return UnreadableError(
        ProblemCode.DAMAGED,
        "This file is damaged: {what}. Get another copy, or open it in the program it was "
        "made with and save it again.",
        what=what,
    )


def fib_of(stream: bytes) -> Fib:
    """Read the beginning of the stream "WordDocument".

    Raises:
        UnreadableError: DAMAGED; UNSUPPORTED for Word 2.
    """
    if len(stream) < 0x80:
        raise damaged(N_("its beginning is missing"))
    ident, version, language, flags = struct.unpack_from("<HH2xH2xH", stream)
    if ident == _WORD_2:
        raise UnreadableError(
            ProblemCode.UNSUPPORTED, "Files of Word 2 are not read. Save it as docx, or as PDF."
        )
    if ident not in _IDENTS:
        raise damaged(N_("it does not begin like a Word document"))
    start, end = struct.unpack_from("<II", stream, 0x18)
    is_old = version < WORD_97
    counts = struct.unpack_from("<8I", stream.ljust(0x6C, b"\0"), 0x34 if is_old else 0x4C)
    tables_at, tables = _TABLES_AT, _TABLES
    if is_old:
        tables_at, tables = _OLD_TABLES_AT, _OLD_TABLES if flags & _COMPLEX else {}
    return Fib(
        version,
        language,
        bool(flags & _ENCRYPTED),
        "WordDocument" if is_old else "1Table" if flags & _TABLE_1 else "0Table",
        start,
        end,
        counts,
        {
            name: struct.unpack_from("<II", stream, at)
            for name, index in tables.items()
            if (at := tables_at + 8 * index) + 8 <= len(stream)
        },
    )


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
_WHITE_INDEX, _PALE = 8, 240  # of 255 in each part of a colour
_ON = frozenset({1, 0x81})
# Of a property that styles have, too (2.9.327, ToggleOperand).
_AS_STYLE, _UNLIKE_STYLE = 0x80, 0x81
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
    operands = {}
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
        operands[code] = int.from_bytes(changes[at : at + size], "little") if size <= 4 else 0
        at += size
    return operands


def character_of(changes: bytes, hidden_styles: frozenset[int] = frozenset()) -> Character:
    """What a list of changes says of characters; with the styles of characters that hide."""
    operands = _operands(changes)
    is_hidden, follows_style = _hiding(
        operands, is_style_hidden=operands.get(_CHARACTER_STYLE) in hidden_styles
    )
    is_tiny = operands.get(_SIZE, 20) <= 2
    is_white = (
        operands.get(_COLOUR_INDEX) == _WHITE_INDEX
        or min(operands.get(_COLOUR, 0).to_bytes(4, "little")[:3]) >= _PALE
    )
    return Character(
        is_deleted=operands.get(_DELETED, 0) in _ON,
        is_hidden=is_hidden,
        follows_style=follows_style,
        is_faint=is_tiny or (is_white and operands.keys().isdisjoint(_SHADES)),
        is_tiny=is_tiny,
        symbol=operands.get(_SYMBOL, 0),
    )


def _hiding(operands: dict[int, int], *, is_style_hidden: bool) -> tuple[bool, bool]:
    """Whether characters are hidden, and whether a style that hides would turn that round."""
    if operands.get(_SPECIAL_VANISH, 0) in _ON:
        return True, False
    operand = operands.get(_VANISH, _AS_STYLE)
    if operand in {_AS_STYLE, _UNLIKE_STYLE}:
        return is_style_hidden ^ (operand == _UNLIKE_STYLE), True
    return operand == 1, False


def paragraph_of(changes: bytes) -> Paragraph:
    """What a list of changes says of a paragraph."""
    operands = _operands(changes)
    return Paragraph(
        in_table=bool(operands.get(_IN_TABLE)),
        ends_row=bool(operands.get(_ROW_END) or operands.get(_INNER_ROW_END)),
        ends_inner_cell=bool(operands.get(_INNER_CELL)),
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
        offset, prm = struct.unpack_from("<2xIH", entry)
        width = 1 if is_old or offset & _ANSI else 2
        start = (offset & ~_ANSI) // 2 if offset & _ANSI and not is_old else offset
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

    def at(self, offset: int) -> _Value | None:
        """The value at a place."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return None
        _, end, value = self._stretches[index]
        return value if offset < end else None

    def between(self, start: int, end: int) -> list[tuple[int, int, _Value]]:
        """All values from one place to another."""
        stretches = []
        at = max(bisect_right(self._starts, start) - 1, 0)
        while at < len(self._stretches) and self._stretches[at][0] < end:
            first, last, value = self._stretches[at]
            if last > start:
                stretches.append((max(first, start), min(last, end), value))
            at += 1
        return stretches


_PAGE = 512
_PLAIN = Character()


def characters(stream: bytes, bin_table: bytes, hidden_styles: frozenset[int]) -> Ranges[Character]:
    """The stretches with characters out of the ordinary ([MS-DOC] 2.9.33, ChpxFkp)."""
    looks = (
        (first, last, character_of(page[at + 1 : at + 1 + page[at]], hidden_styles))
        for first, last, page, at in _runs(stream, bin_table, 1)
        if at and first < last
    )
    return Ranges([stretch for stretch in looks if stretch[2] != _PLAIN])


def paragraphs(stream: bytes, bin_table: bytes) -> Ranges[Paragraph]:
    """The stretches that are paragraphs in tables ([MS-DOC] 2.9.174, PapxFkp)."""
    known = (
        (first, last, paragraph_of(_changes(page, at)))
        for first, last, page, at in _runs(stream, bin_table, 13)
        if at
    )
    return Ranges([stretch for stretch in known if stretch[2].in_table])


def hiding_paragraphs(
    stream: bytes, bin_table: bytes, hidden_styles: frozenset[int]
) -> Ranges[bool]:
    """The stretches that are paragraphs of a style that hides."""
    runs = _runs(stream, bin_table, 13) if hidden_styles else ()
    return Ranges(
        [
            (first, last, True)
            for first, last, page, at in runs
            if (_style_number(page, at) if at else 0) in hidden_styles
        ]
    )


def _runs(stream: bytes, bin_table: bytes, width: int) -> Iterator[tuple[int, int, bytes, int]]:
    """Where each run of a table begins and ends, its page, and what is said of it there, or 0."""
    for page, count in _pages(stream, bin_table):
        bounds = struct.unpack_from(f"<{count + 1}I", page)
        for i in range(count):
            at = 2 * page[min(4 * (count + 1) + width * i, _PAGE - 1)]
            yield bounds[i], bounds[i + 1], page, at


def _style_number(page: bytes, at: int) -> int:
    """The number of the style of a paragraph, which stands before its list of changes."""
    start = at + 1 if page[at] else at + 2
    return int.from_bytes(page[start : start + 2], "little")


def _changes(page: bytes, at: int) -> bytes:
    """The list of changes of a paragraph, after its length and style."""
    if page[at]:
        return page[at + 3 : at + 2 * page[at]]
    return page[at + 4 : at + 2 + 2 * page[min(at + 1, _PAGE - 1)]]


def _pages(stream: bytes, bin_table: bytes) -> Iterator[tuple[bytes, int]]:
    """Every page the table names, and for how many stretches it speaks; each once."""
    seen = set()
    for entry in table(bin_table, 4)[1]:
        number = int.from_bytes(entry, "little") & 0x3FFFFF
        page = stream[number * _PAGE : (number + 1) * _PAGE]
        if len(page) == _PAGE and number not in seen and page[-1] <= 101:
            seen.add(number)
            yield page, page[-1]


_TOKENS = lazy_pattern("[\x00-\x08\x0a-\x1f]|[^\x00-\x08\x0a-\x1f]+")
_COMMENT, _CELL, _BOX = "\x05", "\x07", "\x08"
_FIELDS = {"\x13": "begin", "\x14": "separate", "\x15": "end"}
_STRUCTURE = {*_FIELDS, _CELL}
_TEXTS = {"\x0a": "\n", "\x0b": "\n", "\x1e": "\u2011"}
_PARAGRAPH_ENDS = frozenset({"\r", "\x0c", "\x0e"})


class Segment(NamedTuple):
    """Characters that look alike, from a position in the text, at a place in the stream."""

    position: int
    offset: int
    width: int
    text: str
    look: Character


def _stretches(
    characters: Ranges[Character], offset: int, stop: int, of_piece: Character
) -> Iterator[tuple[int, int, Character]]:
    """The whole way from one place to another, in stretches that look alike."""
    for low, high, look in characters.between(offset, stop):
        if low > offset:
            yield offset, low, of_piece
        if high > low:
            yield low, high, _with_changes(look, of_piece)
        offset = max(offset, high)
    if offset < stop:
        yield offset, stop, of_piece


def _with_changes(look: Character, of_piece: Character) -> Character:
    """A look with what was changed in the whole piece afterwards."""
    if of_piece.is_hidden or not of_piece.follows_style:
        look = look._replace(is_hidden=of_piece.is_hidden, follows_style=of_piece.follows_style)
    return look._replace(is_deleted=look.is_deleted or of_piece.is_deleted)


class StoryReader:
    """Puts one story together from its segments."""

    def __init__(self, document: _DocDocument, *, is_box: bool) -> None:
        """In a text box there are no others, and what is behind the text is not known."""
        self._document = document
        self._is_box = is_box
        self._tally = document.tally
        self._story = WordStory()
        self._fields = Fields()
        self._begins = True
        self._in_table = False
        self._in_cell = False
        self._left_out = OmissionCounts(document.tally)

    def read(self, stretches: Iterator[Segment]) -> str:
        """The text of the story."""
        hiding = self._document.hiding
        for segment in stretches:
            look = segment.look
            for match in _TOKENS.finditer(segment.text):
                offset = segment.offset + match.start() * segment.width
                # The style of the paragraph may turn that round; none joins two paragraphs.
                has_style = look.follows_style and match[0] not in _PARAGRAPH_ENDS
                is_hidden = look.is_hidden ^ (has_style and hiding.at(offset) is not None)
                if not (look.is_deleted or is_hidden) or match[0] in _STRUCTURE:
                    self._take(match[0], offset, segment.position + match.start(), look)
                else:
                    self._left_out.add("deletions" if look.is_deleted else "hidden", match[0])
        return joined_halves(self._story.text())

    def _take(self, text: str, offset: int, position: int, look: Character) -> None:
        """Act on a mark, or add characters."""
        if text in _FIELDS:
            if shown := self._fields.change(_FIELDS[text]):
                self._story.pieces.append(shown)
            return
        if self._begins:
            self._begin_paragraph(offset)
        if text == _CELL:
            self._end_cell(offset)
        elif text in _PARAGRAPH_ENDS:
            self._end_paragraph(offset)
        elif self._fields.in_code:
            self._fields.add(text)
        else:
            self._add(text, position, look)

    def _add(self, text: str, position: int, look: Character) -> None:
        if text == _BOX:
            self._story.add_box("" if self._is_box else self._document.box(position))
        elif text == _COMMENT:
            self._tally.comments += 1
        elif text < " " and text[0] != "\t":
            self._story.pieces.append(_TEXTS.get(text, ""))
        else:
            self._left_out.add("", text)
            if look.symbol:
                font = self._document.font(look.symbol & 0xFFFF)
                text = symbols(chr(look.symbol >> 16), font) * len(text)
            self._story.pieces.append(self._seen(text, look))

    def _seen(self, text: str, look: Character) -> str:
        """What a reader sees of characters; what is behind those in a table is not known."""
        if look.is_faint and not self._in_table and not self._is_box:
            return self._tally.faint.add(text, is_tiny=look.is_tiny)
        self._tally.faint.end()
        return text

    def _begin_paragraph(self, offset: int) -> None:
        """See whether it is in a table."""
        self._begins = False
        self._tally.faint.end()
        paragraph = self._document.paragraphs.at(offset)
        if paragraph is None:
            if self._in_table:
                self._close_cell()
                self._story.end_table()
            self._in_table = False
            return
        if not self._in_table:
            self._in_table = True
            self._story.start_table()
        if not paragraph.ends_row and not self._in_cell:
            self._in_cell = True
            self._story.start_cell()

    def _close_cell(self) -> None:
        if self._in_cell:
            self._story.end_cell()
        self._in_cell = False

    def _end_cell(self, offset: int) -> None:
        self._begins = True
        paragraph = self._document.paragraphs.at(offset)
        if paragraph is None and not self._in_cell:
            self._story.end_loose_cell()
            return
        self._close_cell()
        if paragraph is not None and paragraph.ends_row:
            self._story.end_row()

    def _end_paragraph(self, offset: int) -> None:
        """Of a table in a cell, cells and rows end with paragraphs."""
        self._begins = True
        self._story.end_paragraph()
        paragraph = self._document.paragraphs.at(offset) if self._in_cell else None
        if paragraph is not None and paragraph.ends_inner_cell:
            self._story.end_cell()
            self._story.start_cell()
        elif paragraph is not None and paragraph.ends_row:
            self._story.end_row()


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
        is_hidden, follows_base = _hiding(_operands(style.changes), is_style_hidden=False)
        hides = is_hidden ^ (hides and follows_base)
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
    if "\tDRMCONTENT" in file.names:
        raise UnreadableError(
            ProblemCode.ENCRYPTED, "Locked by rights management. Save a copy without it, or as PDF."
        )
    if fib.is_encrypted:
        file = _file(unlocked(data, reading))
        fib = fib_of(file.stream("WordDocument"))
    reading.step()
    document = _DocDocument(file, fib, reading)
    text = document.text()
    return Extracted(text, remarks=document.tally.remarks())


def people_in(file: OleFile, stream: bytes) -> Iterator[str]:
    """Who commented, and who changed something that was tracked (GrpXstAtnOwners, SttbfRMark).

    Args:
        file: Of a document; nobody is told where it is locked.
        stream: "WordDocument" in it.

    Raises:
        UnreadableError: DAMAGED or UNSUPPORTED.
    """
    fib = fib_of(stream)
    tables = b"" if fib.is_encrypted else file.stream(fib.table_stream)
    # Changes have a head of three numbers before them, and nobody's name as the first.
    for name, head, nobody in (("commenters", 0, 0), ("revisers", 6, 1)):
        start, length = fib.tables.get(name, (0, 0))
        yield from islice(_strings(tables[start + head : start + length]), nobody, None)


def _strings(data: bytes) -> Iterator[str]:
    """Strings one after the other, each with its number of characters before it."""
    at = 0
    while at + 2 <= len(data):
        end = at + 2 + 2 * int.from_bytes(data[at : at + 2], "little")
        yield data[at + 2 : end].decode("utf-16-le", "replace")
        at = end


def _file(data: bytes) -> OleFile:
    if len(data) < 512:
        raise damaged(N_("it ends within its first lines"))
    return OleFile(data)


class _DocDocument:
    """A document, its tables at hand.

    Attributes:
        paragraphs: Those in tables.
        hiding: Those of a style that hides.
        tally: What is not in the text.
    """

    def __init__(self, file: OleFile, fib: Fib, reading: Reading) -> None:
        self._stream = file.stream("WordDocument")
        self._fib = fib
        self._reading = reading
        self._tables = file.stream(fib.table_stream)
        self._encoding = "cp1252" if fib.version >= WORD_97 else code_page(fib.language)
        self._pieces = self._all_pieces()
        hidden = hidden_styles(self._table("styles"))
        self._characters = characters(self._stream, self._table("characters"), hidden)
        self.paragraphs = paragraphs(self._stream, self._table("paragraphs"))
        self.hiding = hiding_paragraphs(self._stream, self._table("paragraphs"), hidden)
        self._fonts = _font_names(self._table("fonts"))
        self._boxes: dict[int, str] = {}
        self._anchors: dict[int, int] = {}
        self.tally = Tally()

    def _table(self, name: str) -> bytes:
        start, length = self._fib.tables.get(name, (0, 0))
        return self._tables[start : start + length]

    def _all_pieces(self) -> list[DocPiece]:
        """The table of pieces; older files are one piece, unless they were saved in a hurry."""
        fib = self._fib
        is_old = fib.version < WORD_97
        pieces = pieces_of(self._table("pieces"), is_old=is_old)
        if not pieces and is_old:
            pieces = [DocPiece(0, fib.end - fib.start, fib.start, 1, Character())]
        if not pieces or pieces[0].start >= len(self._stream):
            raise damaged(N_("its text was not found"))
        if pieces[-1].last > self._reading.limits.characters:
            limit = readable_count(self._reading.limits.characters)
            raise UnreadableError(
                ProblemCode.TOO_BIG,
                stored(
                    "The text of this document has more than {limit} characters. Split it.",
                    limit=limit,
                ),
                "characters",
            )
        return pieces

    def text(self) -> str:
        starts = accumulate(self._fib.stories, initial=0)
        bounds = dict(zip(_STORIES, pairwise(starts), strict=True))
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
        return StoryReader(self, is_box=is_box).read(self._segments(first, last))

    def _segments(self, first: int, last: int) -> Iterator[Segment]:
        """The text from one position to another."""
        for piece in self._pieces[bisect_right(self._pieces, first, key=attrgetter("last")) :]:
            start, end = max(piece.first, first), min(piece.last, last)
            if start >= end:
                return
            offset = piece.start + (start - piece.first) * piece.width
            stop = piece.start + (end - piece.first) * piece.width
            stop = min(stop, len(self._stream))
            for low, high, look in _stretches(self._characters, offset, stop, piece.look):
                position = start + (low - offset) // piece.width
                text = units(self._stream[low:high], piece.width, self._encoding)
                yield Segment(position, low, piece.width, text, look)

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

    def box(self, position: int) -> str:
        """The text box that is anchored somewhere, each once."""
        return self._boxes.pop(self._anchors.get(position, 0), "")

    def font(self, number: int) -> str:
        """The name of a font."""
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
    N_("a Word 97 to 2003 document (doc)"),
    "Word (doc)",
    _SUFFIXES,
    _recognises,
    _read,
    libraries=("msoffcrypto", "olefile"),
)
