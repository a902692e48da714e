"""Workbooks of Excel 97 to 2003 (xls, xlt), [MS-XLS]; those of Excel 5 and 95, too."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from core.base.messages import N_
from core.documents.readers import SHEETS, Extracted, Reader, Reading
from core.documents.readers.rtf import codec_of_page
from core.documents.readers.shared.cells import ERRORS, Workbook, packed_number
from core.documents.readers.shared.packed_files import OleFile, root_names, unlocked, without_text
from core.documents.readers.shared.story import as_far_as_whole

# Numbers of records (2.3.2).
_BEGIN, _END, _CONTINUE, _LOCK = 0x809, 0x0A, 0x3C, 0x2F
_CODE_PAGE, _DATES, _SHEET, _STRINGS, _FORMAT, _STYLE = 0x42, 0x22, 0x85, 0xFC, 0x41E, 0xE0
_ROW, _COLUMNS, _OBJECT, _BOX, _SERIES_TEXT = 0x208, 0x7D, 0x5D, 0x1B6, 0x100D
_SHARED, _LABEL, _RICH, _REAL, _PACKED, _PACKED_ROW = 0xFD, 0x204, 0xD6, 0x203, 0x27E, 0xBD
_FORMULA, _FORMULA_TEXT, _BOOLEAN_OR_ERROR = 0x06, 0x207, 0x205
_CELLS = frozenset(
    {_SHARED, _LABEL, _RICH, _REAL, _PACKED, _PACKED_ROW, _FORMULA, _BOOLEAN_OR_ERROR}
)
_EXCEL_97 = 0x600
_HIDDEN_ROW, _HIDDEN_COLUMN = 0x20, 0x1
_MODULE = 6  # of macros, among the sheets
_NOTE = b"\x19\0"  # among the objects: a comment
_WIDE, _EAST_ASIAN, _FORMATTED = 0x1, 0x4, 0x8  # flags of a string
_STEP = 1 << 12  # records


class _Record(NamedTuple):
    """Its number, and its content in one or more pieces."""

    kind: int
    pieces: list[bytes]

    @property
    def data(self) -> bytes:
        return self.pieces[0]


class _Text:
    """Goes through strings in a record, which may be cut anywhere (2.5.293, 2.5.294).

    A piece that goes on with characters begins with their width.
    """

    def __init__(self, pieces: list[bytes], at: int, codec: str) -> None:
        """With the encoding of characters without a width, in Excel 5 and 95; else ""."""
        self._pieces = pieces
        self._codec = codec
        self._piece, self._at = 0, at

    @property
    def is_over(self) -> bool:
        """Whether nothing is left."""
        return self._piece >= len(self._pieces) - 1 and self._left == 0

    @property
    def _left(self) -> int:
        return max(0, len(self._pieces[self._piece]) - self._at)

    def _next_piece(self) -> bool:
        if self._piece + 1 >= len(self._pieces):
            return False
        self._piece, self._at = self._piece + 1, 0
        return True

    def bytes(self, count: int) -> bytes:
        """As many as there are."""
        taken = []
        while count and (self._left or self._next_piece()):
            part = self._pieces[self._piece][self._at : self._at + count]
            self._at += len(part)
            count -= len(part)
            taken.append(part)
        return b"".join(taken)

    def number(self, size: int) -> int:
        return int.from_bytes(self.bytes(size), "little")

    def string(self, size: int = 2) -> str:
        """A string with its length before it, in so many bytes."""
        length = self.number(size)
        if self._codec:
            return self.bytes(length).decode(self._codec, "replace")
        flags = self.number(1)
        runs = self.number(2) if flags & _FORMATTED else 0
        phonetic = self.number(4) if flags & _EAST_ASIAN else 0
        text = self.characters(length, flags)
        self.bytes(4 * runs + phonetic)
        return text

    def characters(self, length: int, flags: int) -> str:
        texts = []
        while length:
            if not self._left:
                if not self._next_piece():
                    break
                flags = self.number(1)
            width = 2 if flags & _WIDE else 1
            part = self._pieces[self._piece][self._at : self._at + length * width]
            self._at += len(part)
            length -= -(-len(part) // width)
            texts.append(part.decode("utf-16-le" if width == 2 else "latin-1", "replace"))
        return "".join(texts)


@dataclass(slots=True)
class _Sheet:
    """A sheet while it is read: the cell at hand, and what else was met."""

    row: int = -1
    column: int = 0
    is_note: bool = False
    hidden_rows: set[int] = field(default_factory=set)
    drawn: list[str] = field(default_factory=list)


class _Book(Workbook[int]):
    """What stands before the sheets, and the sheets, each from where it begins."""

    def __init__(self, stream: bytes, reading: Reading) -> None:
        super().__init__(reading)
        self._stream = stream
        self._codec = ""
        self.is_damaged = False
        self.is_locked = False
        self._globals()

    def _records(self, at: int) -> Iterator[_Record]:
        """From a place on, to where they break off."""
        stream = self._stream
        count = 0
        record: _Record | None = None
        while at + 4 <= len(stream):
            kind, size = struct.unpack_from("<HH", stream, at)
            content = stream[at + 4 : at + 4 + size]
            at += 4 + size
            if kind == _CONTINUE and record is not None:
                record.pieces.append(content)
                continue
            if record is not None:
                yield record
            record = _Record(kind, [content])
            count += 1
            if not count % _STEP:
                self._reading.step()
        if record is not None:
            yield record
        self.is_damaged = True  # the end is a record, after which nobody reads on

    def _globals(self) -> None:
        is_old = False
        for record in self._records(0):
            kind, data = record
            if kind == _BEGIN:
                is_old = int.from_bytes(data[0][:2], "little") < _EXCEL_97
                self._codec = "cp1252" if is_old else ""
            elif kind == _LOCK:
                self.is_locked = True
                return
            elif kind == _END:
                return
            elif kind == _CODE_PAGE and is_old:
                self._codec = codec_of_page(int.from_bytes(record.data[:2], "little")) or "cp1252"
            else:
                self._take_global(record)

    def _take_global(self, record: _Record) -> None:
        kind, data = record.kind, record.data
        if kind == _DATES:
            self._cells.from_1904 = data[:1] == b"\x01"
        elif kind == _FORMAT:
            code = _Text(record.pieces, 2, self._codec).string(1 if self._codec else 2)
            self._cells.name_format(int.from_bytes(data[:2], "little"), code)
        elif kind == _STYLE:
            self._cells.add_style(int.from_bytes(data[2:4], "little"))
        elif kind == _SHEET and len(data) >= 6 and data[5] != _MODULE:
            self._sheets.append((int.from_bytes(data[:4], "little"), data[4] & 3 != 0))
        elif kind == _STRINGS:
            text = _Text(record.pieces, 8, "")
            while not text.is_over:
                self._cells.strings.append(text.string())

    def _read_sheet(self, place: int) -> Iterable[str]:
        sheet = _Sheet()
        depth = 0
        for record in self._records(place):
            depth += (record.kind == _BEGIN) - (record.kind == _END)
            if depth <= 0:
                break
            if record.kind == _SERIES_TEXT:
                sheet.drawn.append(_Text(record.pieces, 2, self._codec).string(1))
            elif depth == 1:  # below it is a chart among the cells
                self._take(record, sheet)
        return ("\n".join(dict.fromkeys(it.strip() for it in sheet.drawn if it.strip())),)

    def _take(self, record: _Record, sheet: _Sheet) -> None:
        kind, data = record.kind, record.data
        if kind == _FORMULA_TEXT:
            self._lines.add(sheet.column + 1, _Text(record.pieces, 0, self._codec).string())
        elif kind in _CELLS and len(data) >= 6:
            row, sheet.column = struct.unpack_from("<HH", data)
            if row != sheet.row:
                sheet.row = row
                self._lines.start_row(is_hidden=row in sheet.hidden_rows)
            self._add(sheet.column, record)
        elif kind == _ROW and len(data) >= 14 and data[12] & _HIDDEN_ROW:
            sheet.hidden_rows.add(int.from_bytes(data[:2], "little"))
        elif kind == _COLUMNS and len(data) >= 10 and data[8] & _HIDDEN_COLUMN:
            first, last = struct.unpack_from("<HH", data)
            self._lines.hide_columns(first + 1, last + 1)
        elif kind == _OBJECT:
            sheet.is_note = data[4:6] == _NOTE
        elif kind == _BOX and sheet.is_note:
            self.tally.comments += 1
        elif kind == _BOX:
            length = int.from_bytes(data[10:12], "little")
            sheet.drawn.append(_Text(record.pieces, len(data), "").characters(length, 0))

    def _add(self, column: int, record: _Record) -> None:
        """A cell, or a row of them."""
        data = record.data
        with suppress(struct.error, IndexError):
            if record.kind == _PACKED_ROW:
                for number, at in enumerate(range(4, len(data) - 7, 6)):
                    style, value = struct.unpack_from("<HI", data, at)
                    self._lines.add(
                        column + number + 1, self._cells.number(packed_number(value), style)
                    )
            else:
                self._lines.add(column + 1, self._shown(record, data))

    def _shown(self, record: _Record, data: bytes) -> str:
        (style,) = struct.unpack_from("<H", data, 4)
        if record.kind == _SHARED:
            return self._cells.string(*struct.unpack_from("<I", data, 6))
        if record.kind in {_LABEL, _RICH}:
            return _Text(record.pieces, 6, self._codec).string()
        if record.kind == _BOOLEAN_OR_ERROR:
            return ERRORS.get(data[6], "") if data[7] else _BOOLEANS[data[6] != 0]
        if record.kind == _FORMULA and data[12:14] == b"\xff\xff":
            kind = data[6]  # of a result that is no number: a text follows, 1 a truth, 2 an error
            return _BOOLEANS[data[8] != 0] if kind == 1 else ERRORS.get(data[8], "") * (kind == 2)
        if record.kind == _PACKED:
            return self._cells.number(packed_number(struct.unpack_from("<I", data, 6)[0]), style)
        return self._cells.number(struct.unpack_from("<d", data, 6)[0], style)


_BOOLEANS = ("FALSE", "TRUE")


def _opened(data: bytes, reading: Reading) -> _Book:
    file = OleFile(data)
    stream = file.stream("Workbook") or file.stream("Book")
    if stream[:2] != struct.pack("<H", _BEGIN):
        raise without_text()
    return _Book(stream, reading)


def _read(data: bytes, reading: Reading) -> Extracted:
    """Sheet by sheet."""
    book = _opened(data, reading)
    if book.is_locked:
        book = _opened(unlocked(data, reading), reading)
    text = "\f".join(book.pages())
    return as_far_as_whole(text, book.tally.remarks(), is_damaged=book.is_damaged)


READER = Reader(
    "xls",
    N_("a workbook of Excel 97 to 2003 (xls)"),
    N_("spreadsheet (xls)"),
    frozenset({".xls", ".xlt"}),
    lambda data, _suffix: not root_names(data).isdisjoint({"WORKBOOK", "BOOK"}),
    _read,
    pages=SHEETS,
    libraries=("msoffcrypto", "olefile"),
)
