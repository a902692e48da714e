"""Workbooks (xlsx, xlsm, xltx), ECMA-376 part 1, SpreadsheetML."""

from __future__ import annotations

import re

from core.base.wording import first_read, readable_count
from core.documents.model import ProblemCode
from core.documents.readers.ooxml.graphics import graphic_text
from core.documents.readers.ooxml.names import Ends, Starts, named
from core.documents.readers.ooxml.package import OfficeFile, Relation, office_kind
from core.documents.readers.ooxml.xlsx_numbers import shown, whole
from core.documents.readers.ooxml.xlsx_parts import Formats, Strings, Workbook
from core.documents.readers.reader import SHEETS, Extracted, Reader, Reading
from core.documents.readers.shared.remarks import Tally
from core.documents.unreadable import UnreadableError

_ON = frozenset({"1", "true"})
_LETTERS = re.compile("[A-Z]{1,3}")
_BLANKS = re.compile(r"\s+")
_BOOLEANS = {"0": "FALSE", "1": "TRUE"}
_MOST_COLUMNS = 16_384


class SheetReader:
    """Reads the cells.

    Attributes:
        lines: Rows, their cells separated by tabs.
        hidden: How many rows and columns with something in them are not shown.
        length: Characters of all lines.
    """

    def __init__(self, strings: list[str], formats: Formats, *, from_1904: bool, most: int) -> None:
        """With at most so many characters."""
        self._strings = strings
        self._formats = formats
        self._from_1904 = from_1904
        self._most = most
        self.lines: list[str] = []
        self.length = 0
        self._hidden_columns: set[int] = set()
        self._last_column = 0
        self._met_columns: set[int] = set()
        self._hidden_rows = 0
        self._cells: list[str] = []
        self._row_hides = False
        self._column = 0
        self._kind = "n"
        self._style = ""
        self._pieces: list[str] = []
        self._reads = False
        self._is_phonetic = False
        self._starts: Starts = named(
            {
                "x:col": self._start_column,
                "x:row": self._start_row,
                "x:c": self._start_cell,
                "x:v x:t": lambda _: self._read(),
                "x:rPh": lambda _: self._pronounce(is_phonetic=True),
            }
        )
        self._ends: Ends = named(
            {
                "x:row": self._end_row,
                "x:c": self._end_cell,
                "x:v x:t": self._stop,
                "x:rPh": lambda: self._pronounce(is_phonetic=False),
            }
        )

    @property
    def hidden(self) -> int:
        """How many rows and columns with something in them are not shown."""
        return self._hidden_rows + len(self._met_columns)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if action := self._starts.get(name):
            action(attributes)

    def end(self, name: str) -> None:
        """An element ends."""
        if action := self._ends.get(name):
            action()

    def text(self, text: str) -> None:
        """Characters, in pieces of any length."""
        if self._reads:
            self._pieces.append(text)

    def _start_column(self, attributes: dict[str, str]) -> None:
        first, last = whole(attributes.get("min", "")), whole(attributes.get("max", ""))
        if attributes.get("hidden") in _ON and 0 < first <= last <= _MOST_COLUMNS:
            start = max(first, self._last_column + 1)  # they do not overlap
            self._hidden_columns.update(range(start, last + 1))
            self._last_column = max(last, self._last_column)

    def _start_row(self, attributes: dict[str, str]) -> None:
        self._row_hides = attributes.get("hidden") in _ON
        self._column = 0

    def _start_cell(self, attributes: dict[str, str]) -> None:
        self._kind = attributes.get("t", "n")
        self._style = attributes.get("s", "0")
        self._pieces.clear()
        self._column += 1
        if self._hidden_columns and (letters := _LETTERS.match(attributes.get("r", ""))):
            self._column = _column_number(letters[0])

    def _read(self) -> None:
        self._reads = not self._is_phonetic

    def _stop(self) -> None:
        self._reads = False

    def _pronounce(self, *, is_phonetic: bool) -> None:
        self._is_phonetic = is_phonetic

    def _end_cell(self) -> None:
        """What a cell shows is one field of a line; an empty one leaves nothing."""
        text = _BLANKS.sub(" ", self._shown("".join(self._pieces))).strip()
        if not text:
            return
        if self._column in self._hidden_columns:
            self._met_columns.add(self._column)
            return
        self._cells.append(text)
        self.length += len(text) + 1
        if self.length > self._most:
            raise UnreadableError(
                ProblemCode.TOO_BIG,
                f"This workbook has more than {readable_count(self._most)} characters. Split it.",
                "characters",
            )

    def _shown(self, value: str) -> str:
        if self._kind == "s":
            place = whole(value.strip())
            return self._strings[place] if 0 <= place < len(self._strings) else ""
        if self._kind == "n":
            kind = self._formats.kind(self._style)
            return shown(value, kind, from_1904=self._from_1904) if value else ""
        return _BOOLEANS.get(value, value) if self._kind == "b" else value

    def _end_row(self) -> None:
        if self._cells and self._row_hides:
            self._hidden_rows += 1
        elif self._cells:
            self.lines.append("\t".join(self._cells))
        self._cells.clear()


def _column_number(letters: str) -> int:
    """1 for "A", 27 for "AA"."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


_SUFFIXES = frozenset({".xlsx", ".xlsm", ".xltx", ".xltm"})


def _recognises(data: bytes, _suffix: str) -> bool:
    return office_kind(data) == "xlsx"


def _read(data: bytes, reading: Reading) -> Extracted:
    """Sheet by sheet; one that is hidden is an empty page."""
    file = OfficeFile(data, reading)
    main = file.main_part("officeDocument", "xl/workbook.xml")
    if main.endswith(".bin"):
        raise UnreadableError(
            ProblemCode.UNSUPPORTED,
            "Binary workbooks (xlsb) are not read. Save it as xlsx, or as PDF.",
        )
    book = _XlsxBook(file, main, reading)
    text = "\f".join(book.sheets())
    return file.extracted(text, book.tally.remarks() + book.remarks)


class _XlsxBook:
    def __init__(self, file: OfficeFile, main: str, reading: Reading) -> None:
        self._file = file
        self._left = reading.limits.characters
        self._most = reading.limits.pages
        self._relations = file.relations(main)
        self._workbook = Workbook()
        file.parse(main, self._workbook)
        self._strings = Strings()
        self._formats = Formats()
        for relation in self._relations.values():
            if relation.kind == "sharedStrings" and not relation.is_external:
                file.parse(relation.target, self._strings)
            elif relation.kind == "styles" and not relation.is_external:
                file.parse(relation.target, self._formats)
        self.tally = Tally()
        self.remarks: tuple[str, ...] = ()

    def sheets(self) -> list[str]:
        sheets = self._workbook.sheets
        if len(sheets) > self._most:
            self.remarks = (first_read(self._most, len(sheets), "sheets"),)
        pages = []
        for sheet in sheets[: self._most]:
            relation = self._relations.get(sheet.relation)
            if sheet.is_hidden:
                self.tally.hidden_sheets += 1
            shows = relation is not None and not relation.is_external and not sheet.is_hidden
            pages.append(self._sheet(relation) if relation and shows else "")
        return pages

    def _sheet(self, relation: Relation) -> str:
        """The cells of a sheet, then the words in its drawings."""
        reader = SheetReader(
            self._strings.strings,
            self._formats,
            from_1904=self._workbook.from_1904,
            most=self._left,
        )
        self._file.parse(relation.target, reader)
        self._left -= reader.length
        self.tally.hidden_rows += reader.hidden
        texts = ["\n".join(reader.lines)]
        for drawing in self._file.relations(relation.target).values():
            if drawing.kind == "drawing" and not drawing.is_external:
                texts.append(graphic_text(self._file, drawing))
                charts = self._file.relations(drawing.target).values()
                texts += [graphic_text(self._file, chart) for chart in charts]
        return "\n\n".join(text for text in texts if text)


READER = Reader(
    "xlsx",
    "a workbook (xlsx)",
    "spreadsheet (xlsx)",
    _SUFFIXES,
    _recognises,
    _read,
    never_text=True,
    pages=SHEETS,
)
