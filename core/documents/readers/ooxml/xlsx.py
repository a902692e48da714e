"""Workbooks (xlsx, xlsm, xltx), ECMA-376 part 1, SpreadsheetML."""

from __future__ import annotations

from core.base.messages import N_
from core.base.patterns import lazy_pattern
from core.documents.readers.ooxml import xlsb
from core.documents.readers.ooxml.package import (
    Ends,
    OfficeFile,
    PartHandler,
    Relation,
    Starts,
    drawings,
    names_of,
    office_kind,
    relation_id,
)
from core.documents.readers.reader import SHEETS, Extracted, Reader, Reading
from core.documents.readers.shared.cells import CellFormats, SheetLines, shown
from core.documents.readers.shared.remarks import Tally

_ON = frozenset({"1", "true"})


def whole(text: str) -> int:
    """A number that counts something, -1 for what is none."""
    return int(text) if text.isdecimal() and len(text) < 10 else -1


_SHEET, _WORKBOOK_PROPERTIES = names_of("x:sheet"), names_of("x:workbookPr")


class Formats(PartHandler):
    """Reads what the styles of cells make of numbers."""

    def __init__(self) -> None:
        self.styles = CellFormats()
        self._is_cell = False
        super().__init__(
            {
                "x:numFmt": self._name,
                "x:cellXfs": lambda _: self._count(is_cell=True),
                "x:xf": self._add,
            },
            {"x:cellXfs": lambda: self._count(is_cell=False)},
        )

    def _name(self, attributes: dict[str, str]) -> None:
        self.styles.name(whole(attributes.get("numFmtId", "")), attributes.get("formatCode", ""))

    def _count(self, *, is_cell: bool) -> None:
        self._is_cell = is_cell

    def _add(self, attributes: dict[str, str]) -> None:
        if self._is_cell:
            self.styles.add(whole(attributes.get("numFmtId", "0")))


class _XlsxText(PartHandler):
    """Collects the characters of some elements; how they are pronounced is not shown."""

    def __init__(self, elements: str, starts: Starts, ends: Ends) -> None:
        self._pieces: list[str] = []
        self._reads = False
        self._is_phonetic = False
        pronounced = {"x:rPh": lambda _: self._pronounce(is_phonetic=True)}
        shown_again = {"x:rPh": lambda: self._pronounce(is_phonetic=False)}
        super().__init__(
            {**starts, elements: lambda _: self._read(), **pronounced},
            {**ends, elements: self._stop, **shown_again},
        )

    def text(self, text: str) -> None:
        """Characters, in pieces of any length."""
        if self._reads:
            self._pieces.append(text)

    def _read(self) -> None:
        self._reads = not self._is_phonetic

    def _stop(self) -> None:
        self._reads = False

    def _pronounce(self, *, is_phonetic: bool) -> None:
        self._is_phonetic = is_phonetic


class Strings(_XlsxText):
    """Reads the strings that cells share."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        super().__init__("x:t", {}, {"x:si": self._end_string})

    def _end_string(self) -> None:
        self.strings.append("".join(self._pieces))
        self._pieces.clear()


_LETTERS = lazy_pattern("[A-Z]{1,3}")
_BOOLEANS = {"0": "FALSE", "1": "TRUE"}


class SheetReader(_XlsxText):
    """Reads the cells."""

    def __init__(
        self, strings: list[str], formats: CellFormats, lines: SheetLines, *, from_1904: bool
    ) -> None:
        self._strings = strings
        self._formats = formats
        self._lines = lines
        self._from_1904 = from_1904
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
            first, last = (whole(attributes.get(name, "")) for name in ("min", "max"))
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
            place = whole(value.strip())
            return self._strings[place] if 0 <= place < len(self._strings) else ""
        if self._kind == "n":
            kind = self._formats.kind(whole(self._style))
            return shown(value, kind, from_1904=self._from_1904) if value else ""
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
    tally = Tally()
    book = xlsb.Book if main.endswith(".bin") else _XlsxBook
    pages = book(file, main, SheetLines(reading.limits.characters), tally).pages()
    return file.extracted("\f".join(pages), tally.remarks())


class _XlsxBook:
    def __init__(self, file: OfficeFile, main: str, lines: SheetLines, tally: Tally) -> None:
        self._file = file
        self._lines = lines
        self._tally = tally
        self._relations = file.relations(main)
        workbook = file.elements(main)
        self._sheets = [sheet for name, sheet in workbook if name in _SHEET]
        properties = [it for name, it in workbook if name in _WORKBOOK_PROPERTIES]
        self._from_1904 = bool(properties) and properties[-1].get("date1904") in _ON
        self._strings = Strings()
        self._formats = Formats()
        for relation in self._relations.values():
            if relation.kind == "sharedStrings" and not relation.is_external:
                file.parse(relation.target, self._strings)
            elif relation.kind == "styles" and not relation.is_external:
                file.parse(relation.target, self._formats)

    def pages(self) -> list[str]:
        pages = []
        for sheet in self._sheets:
            relation = self._relations.get(relation_id(sheet))
            is_hidden = sheet.get("state", "visible") != "visible"
            self._tally.hidden_sheets += is_hidden
            shows = relation is not None and not relation.is_external and not is_hidden
            pages.append(self._sheet(relation) if relation and shows else "")
        return pages

    def _sheet(self, relation: Relation) -> str:
        """The cells of a sheet, then the words in its drawings."""
        reader = SheetReader(
            self._strings.strings, self._formats.styles, self._lines, from_1904=self._from_1904
        )
        self._file.parse(relation.target, reader)
        text, hidden = self._lines.take()
        self._tally.hidden_rows += hidden
        drawn = drawings(self._file, relation.target)
        return "\n\n".join(text for text in (text, *drawn) if text)


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
