"""Workbooks (xlsx, xlsm, xltx), ECMA-376 part 1, SpreadsheetML.

Binary workbooks (xlsb), [MS-XLSB]: the parts of an xlsx, those with cells as records.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress

from core.base.messages import N_
from core.base.patterns import lazy_pattern
from core.documents.readers import SHEETS, Extracted, Reader, Reading
from core.documents.readers.ooxml import OfficeFile, drawings, office_kind
from core.documents.readers.shared.cells import ERRORS, Cells, SheetLines, Workbook, packed_number
from core.documents.readers.shared.xml import ElementHandler, Ends, Starts, attribute, names_of

# Numbers of records (2.3.2).
_ROW, _COLUMNS, _STRING, _FORMAT, _STYLE = 0, 60, 19, 44, 47
_BEGIN_STYLES, _END_STYLES = 617, 618
_WORKBOOK, _SHEET_RECORD = 153, 156
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
    for byte_index in range(most):
        byte = data[at] if at < len(data) else 0
        at += 1
        number |= (byte & 0x7F) << 7 * byte_index
        if byte < 0x80:
            break
    return number, at


def _text(record: bytes, at: int) -> str:
    """A string with its length before it (2.5.168)."""
    size = 2 * int.from_bytes(record[at : at + 4], "little")
    return record[at + 4 : at + 4 + size].decode("utf-16-le", "replace")


_ON = frozenset({"1", "true"})


def integer(text: str) -> int:
    """A number that counts something, -1 for what is none."""
    return int(text) if text.isdecimal() and len(text) < 10 else -1


_SHEET, _WORKBOOK_PROPERTIES = names_of("x:sheet"), names_of("x:workbookPr")


class _XlsxText(ElementHandler):
    """Collects the characters of some elements; how they are pronounced is not shown."""

    def __init__(self, elements: str, starts: Starts, ends: Ends) -> None:
        self._pieces: list[str] = []
        self._reads = False
        super().__init__(
            starts | {elements: self._set(_reads=True), "x:rPh": self._skip},
            ends | {elements: self._set(_reads=False)},
        )

    def text(self, text: str) -> None:
        """Characters, in pieces of any length."""
        if self._reads:
            self._pieces.append(text)


class Strings(_XlsxText):
    """Reads the strings that cells share."""

    def __init__(self, strings: list[str]) -> None:
        self._strings = strings
        super().__init__("x:t", {}, {"x:si": self._end_string})

    def _end_string(self) -> None:
        self._strings.append("".join(self._pieces))
        self._pieces.clear()


_LETTERS = lazy_pattern("[A-Z]{1,3}")
_BOOLEANS = {"0": "FALSE", "1": "TRUE"}


class SheetReader(_XlsxText):
    """Reads the cells."""

    def __init__(self, cells: Cells, lines: SheetLines) -> None:
        self._cells = cells
        self._lines = lines
        self._kind = "n"
        self._style = ""
        self._column = 0
        super().__init__(
            "x:v x:t",
            {"x:col": self._start_column, "x:row": self._start_row, "x:c": self._start_cell},
            {"x:row": lines.end_row, "x:c": self._end_cell},
        )

    def _start_column(self, attributes: dict[str, str]) -> None:
        if attributes.get("hidden") in _ON:
            first, last = (integer(attributes.get(name, "")) for name in ("min", "max"))
            self._lines.hide_columns(first, last)

    def _start_row(self, attributes: dict[str, str]) -> None:
        self._lines.start_row(is_hidden=attributes.get("hidden") in _ON)
        self._column = 0

    def _start_cell(self, attributes: dict[str, str]) -> None:
        self._kind = attributes.get("t", "n")
        self._style = attributes.get("s", "0")
        self._pieces.clear()
        self._column += 1
        if self._lines.hides_columns and (letters := _LETTERS.match(attributes.get("r", ""))):
            self._column = _column_number(letters[0])

    def _end_cell(self) -> None:
        self._lines.add(self._column, self._shown("".join(self._pieces)))

    def _shown(self, value: str) -> str:
        if self._kind == "s":
            return self._cells.string(integer(value.strip()))
        if self._kind == "n":
            return self._cells.number(value, integer(self._style)) if value else ""
        return _BOOLEANS.get(value, value) if self._kind == "b" else value


def _column_number(letters: str) -> int:
    """1 for "A", 27 for "AA"."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


_SUFFIXES = frozenset({".xlsx", ".xlsm", ".xltx", ".xltm", ".xlsb"})


def _read(data: bytes, reading: Reading) -> Extracted:
    """Sheet by sheet; one that is hidden is an empty page."""
    file = OfficeFile(data, reading)
    main = file.main_part("xl/workbook.xml")
    book = (_BinaryWorkbook if main.endswith(".bin") else _Workbook)(file, main, reading)
    pages = book.pages()
    return file.extracted("\f".join(pages), book.tally.remarks())


class CellStyles(ElementHandler):
    """Reads what the styles of cells make of numbers."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._is_cell = False
        super().__init__(
            {
                "x:numFmt": self._name_format,
                "x:cellXfs": self._set(_is_cell=True),
                "x:xf": self._add_style,
            },
            {"x:cellXfs": self._set(_is_cell=False)},
        )

    def _name_format(self, attributes: dict[str, str]) -> None:
        number = integer(attributes.get("numFmtId", ""))
        self._cells.name_format(number, attributes.get("formatCode", ""))

    def _add_style(self, attributes: dict[str, str]) -> None:
        if self._is_cell:
            self._cells.add_style(integer(attributes.get("numFmtId", "0")))


class _Workbook(Workbook[str]):
    """A workbook, its parts in XML; a sheet is where its relation leads."""

    def __init__(self, file: OfficeFile, main: str, reading: Reading) -> None:
        super().__init__(reading)
        self._file = file
        self._relations = file.relations(main)
        self._read_main(main)
        for relation in self._relations.values():
            if relation.kind == "sharedStrings":
                self._read_strings(relation.target)
            elif relation.kind == "styles":
                self._read_styles(relation.target)

    def _read_sheet(self, place: str) -> Iterable[str]:
        relation = self._relations.get(place)
        if relation is None:
            return ()
        self._read_rows(relation.target)
        return drawings(self._file, relation.target)

    def _read_main(self, part: str) -> None:
        for name, attributes in self._file.elements(part):
            if name in _SHEET:
                is_hidden = attributes.get("state", "visible") != "visible"
                self._sheets.append((attribute(attributes, "r:id"), is_hidden))
            elif name in _WORKBOOK_PROPERTIES:
                self._cells.from_1904 = attributes.get("date1904") in _ON

    def _read_strings(self, part: str) -> None:
        self._file.parse(part, Strings(self._cells.strings))

    def _read_styles(self, part: str) -> None:
        self._file.parse(part, CellStyles(self._cells))

    def _read_rows(self, part: str) -> None:
        self._file.parse(part, SheetReader(self._cells, self._lines))


class _BinaryWorkbook(_Workbook):
    """One with the same parts as records."""

    def _records(self, part: str) -> Iterator[tuple[int, bytes]]:
        return _records(self._file.read(part) or b"", self._file)

    def _read_main(self, part: str) -> None:
        for kind, record in self._records(part):
            if kind == _WORKBOOK:
                self._cells.from_1904 = bool(record[:1] and record[0] & 1)
            elif kind == _SHEET_RECORD:
                is_hidden = int.from_bytes(record[:4], "little") & 3 != 0
                self._sheets.append((_text(record, 8), is_hidden))

    def _read_strings(self, part: str) -> None:
        self._cells.strings += [_text(it, 1) for kind, it in self._records(part) if kind == _STRING]

    def _read_styles(self, part: str) -> None:
        is_cell = False
        for kind, record in self._records(part):
            if kind == _FORMAT:
                self._cells.name_format(int.from_bytes(record[:2], "little"), _text(record, 2))
            elif kind == _STYLE and is_cell:
                self._cells.add_style(int.from_bytes(record[2:4], "little"))
            elif kind in {_BEGIN_STYLES, _END_STYLES}:
                is_cell = kind == _BEGIN_STYLES

    def _read_rows(self, part: str) -> None:
        column = 0
        for kind, record in self._records(part):
            if kind == _ROW:
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

    def _add(self, column: int, kind: int, record: bytes) -> None:
        """A cell: its style in three bytes, one of flags, its value."""
        with suppress(struct.error, IndexError):
            style = int.from_bytes(record[:3], "little")
            self._lines.add(column + 1, self._shown(kind, style, record))

    def _shown(self, kind: int, style: int, record: bytes) -> str:
        if kind == _SHARED:
            return self._cells.string(*struct.unpack_from("<I", record, 4))
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
        return self._cells.number(number, style)


READER = Reader(
    "xlsx",
    N_("a workbook (xlsx)"),
    N_("spreadsheet (xlsx)"),
    _SUFFIXES,
    lambda data, _suffix: office_kind(data) == "xlsx",
    _read,
    never_text=True,
    pages=SHEETS,
)
