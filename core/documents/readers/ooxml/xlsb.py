"""Binary workbooks (xlsb), [MS-XLSB]: the parts of an xlsx, those with cells as records."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import suppress

from core.documents.readers.ooxml.package import OfficeFile, Relation, drawings
from core.documents.readers.shared.cells import (
    ERRORS,
    CellFormats,
    SheetLines,
    packed_number,
    shown_number,
)
from core.documents.readers.shared.remarks import Tally

# Numbers of records (2.3.2).
_ROW, _COLUMNS, _STRING, _FORMAT, _STYLE = 0, 60, 19, 44, 47
_BEGIN_STYLES, _END_STYLES = 617, 618
_WORKBOOK, _SHEET = 153, 156
# Cells, in the full form and in the one that follows the cell before.
_PACKED, _ERROR, _BOOLEAN, _REAL, _TEXT, _SHARED, _RICH = 2, 3, 4, 5, 6, 7, 62
_FORMULAS = {8: _TEXT, 9: _REAL, 10: _BOOLEAN, 11: _ERROR}
_BLANK, _SHORT_BLANK, _SHORT_LAST = 1, 12, 18
_HIDDEN_ROW = 0x10
_STEP = 1 << 12  # records


def _records(data: bytes, file: OfficeFile) -> Iterator[tuple[int, bytes]]:
    """The number and content of each, to where they break off."""
    at = count = 0
    while at < len(data):
        kind, at = _number(data, at, 2)
        size, at = _number(data, at, 4)
        if at + size > len(data):
            file.is_damaged = True
            return
        yield kind, data[at : at + size]
        at += size
        count += 1
        if not count % _STEP:
            file.step()


def _number(data: bytes, at: int, most: int) -> tuple[int, int]:
    """Seven bits in a byte, the lowest first (2.1.4)."""
    number = 0
    for place in range(most):
        byte = data[at] if at < len(data) else 0
        at += 1
        number |= (byte & 0x7F) << 7 * place
        if byte < 0x80:
            break
    return number, at


def _text(record: bytes, at: int) -> str:
    """A string with its length before it (2.5.168)."""
    size = 2 * int.from_bytes(record[at : at + 4], "little")
    return record[at + 4 : at + 4 + size].decode("utf-16-le", "replace")


class Book:
    """A workbook, as that of an xlsx."""

    def __init__(self, file: OfficeFile, main: str, lines: SheetLines, tally: Tally) -> None:
        self._file = file
        self._lines = lines
        self._tally = tally
        self._relations = file.relations(main)
        self._from_1904 = False
        self._sheets: list[tuple[bool, str]] = []  # whether it is hidden, its relation
        for kind, record in self._part(main):
            if kind == _WORKBOOK:
                self._from_1904 = bool(record[:1] and record[0] & 1)
            elif kind == _SHEET:
                is_hidden = int.from_bytes(record[:4], "little") & 3 != 0
                self._sheets.append((is_hidden, _text(record, 8)))
        self._strings: list[str] = []
        self._formats = CellFormats()
        for relation in self._relations.values():
            if relation.kind == "sharedStrings" and not relation.is_external:
                records = self._part(relation.target)
                self._strings += [_text(it, 1) for kind, it in records if kind == _STRING]
            elif relation.kind == "styles" and not relation.is_external:
                self._read_styles(relation.target)

    def _part(self, name: str) -> Iterator[tuple[int, bytes]]:
        return _records(self._file.read(name) or b"", self._file)

    def _read_styles(self, name: str) -> None:
        is_cell = False
        for kind, record in self._part(name):
            if kind == _FORMAT:
                self._formats.name(int.from_bytes(record[:2], "little"), _text(record, 2))
            elif kind == _STYLE and is_cell:
                self._formats.add(int.from_bytes(record[2:4], "little"))
            elif kind in {_BEGIN_STYLES, _END_STYLES}:
                is_cell = kind == _BEGIN_STYLES

    def pages(self) -> list[str]:
        """The sheets; a hidden one is an empty page."""
        pages = []
        for is_hidden, identifier in self._sheets:
            relation = self._relations.get(identifier)
            self._tally.hidden_sheets += is_hidden
            shows = relation is not None and not relation.is_external and not is_hidden
            pages.append(self._sheet(relation) if relation and shows else "")
        return pages

    def _sheet(self, relation: Relation) -> str:
        column = 0
        for kind, record in self._part(relation.target):
            if kind == _ROW:
                self._lines.end_row()
                self._lines.start_row(is_hidden=len(record) > 11 and bool(record[11] & _HIDDEN_ROW))
            elif kind == _COLUMNS and len(record) >= 18:
                if record[16] & 1:
                    first, last = struct.unpack_from("<II", record)
                    self._lines.hide_columns(first + 1, last + 1)
            elif _SHORT_BLANK <= kind <= _SHORT_LAST:
                column += 1
                self._add(column, kind - _SHORT_BLANK + _BLANK, record)
            elif _BLANK <= kind < _SHORT_BLANK or kind == _RICH:
                column = int.from_bytes(record[:4], "little")
                self._add(column, _FORMULAS.get(kind, kind), record[4:])
        text, hidden = self._lines.take()
        self._tally.hidden_rows += hidden
        return "\n\n".join(text for text in (text, *drawings(self._file, relation.target)) if text)

    def _add(self, column: int, kind: int, record: bytes) -> None:
        """A cell: its style in three bytes, one of flags, its value."""
        with suppress(struct.error, IndexError):
            style = int.from_bytes(record[:3], "little")
            self._lines.add(column + 1, self._shown(kind, style, record))

    def _shown(self, kind: int, style: int, record: bytes) -> str:
        if kind == _SHARED:
            (place,) = struct.unpack_from("<I", record, 4)
            return self._strings[place] if place < len(self._strings) else ""
        if kind in {_TEXT, _RICH}:
            return _text(record, 5 if kind == _RICH else 4)
        if kind == _BOOLEAN:
            return "TRUE" if record[4] else "FALSE"
        if kind == _ERROR:
            return ERRORS.get(record[4], "")
        if kind == _PACKED:
            number = packed_number(struct.unpack_from("<I", record, 4)[0])
        elif kind == _REAL:
            (number,) = struct.unpack_from("<d", record, 4)
        else:
            return ""
        return shown_number(number, self._formats.kind(style), from_1904=self._from_1904)
