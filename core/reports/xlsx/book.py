"""A workbook of sheets with columns, written row by row: what is written is not kept in memory.

XlsxWriter writes each row to a temporary file when the next begins. Where a sheet is full, another
one goes on. No string becomes a formula, a number or a link by what it looks like.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from math import ceil
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from xlsxwriter import Workbook

from core.reports.choice import Paper
from core.reports.model import Report
from core.reports.xlsx import cells
from core.reports.xlsx.cells import CellText, Value
from core.reports.xlsx.looks import FORMATS, LINK, Column, Kind

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

PAPERS = {Paper.A4: 9, Paper.LETTER: 1}  # ECMA-376, part 1, 18.3.1.63
LONGEST_FOOT = 60  # characters; with all that a foot holds, 255 are the most
HEAD_HEIGHT = 33  # points: two lines
LINE_HEIGHT = 15  # points
LETTERS = 1.1  # in the width of a figure, by which columns are measured
MOST_LINES = 12  # of a row; the rest of a longer text is read in the cell
PAGE_WIDTH = 190  # characters that are still read on a page


class Book:
    """A workbook while it is written. Sheets stand in the order in which they are begun.

    Attributes:
        cut: How many texts were too long for their cell, by sheet.
        unlinked: How many links had no room, by sheet.
        sheets: In how many sheets each table stands.
    """

    def __init__(self, workbook: Workbook, report: Report) -> None:
        self._workbook = workbook
        self._paper = PAPERS[report.choice.paper]
        self._foot = _foot(report.choice.institution)
        self._formats: dict[str, Format] = {
            name: workbook.add_format(values) for name, values in FORMATS.items()
        }
        self.cut: dict[str, int] = {}
        self.unlinked: dict[str, int] = {}
        self.sheets: dict[str, int] = {}

    def format(self, name: str) -> Format:
        """How cells of a kind look."""
        return self._formats[name]

    def begin(self, name: str) -> Worksheet:
        """Begin a sheet."""
        sheet = self._workbook.add_worksheet(name)
        sheet.set_paper(self._paper)
        sheet.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
        sheet.set_footer(self._foot)
        return sheet


def _foot(institution: str) -> str:
    """Institution, sheet and page; "&" begins a command there, and a line ends what is shown."""
    named = CellText.of(institution).text.replace("\n", " ")[:LONGEST_FOOT].replace("&", "&&")
    return f"&L{named}&C&A&R&P / &N" if named else "&L&A&R&P / &N"


class Sheet:
    """A table that goes on in other sheets where one is full."""

    def __init__(self, book: Book, name: str, columns: Sequence[Column], fixed: int = 0) -> None:
        """Begin it.

        Args:
            book: The workbook.
            name: Of the sheet.
            columns: What stands in it.
            fixed: How many columns stay while the others are scrolled.
        """
        self._book, self._name, self._columns, self._fixed = book, name, columns, fixed
        self._begin()

    def _begin(self) -> None:
        number = self._book.sheets[self._name] = self._book.sheets.get(self._name, 0) + 1
        self._sheet = self._book.begin(self._name if number == 1 else f"{self._name} {number}")
        self._sheet.set_landscape()
        self._sheet.freeze_panes(1, self._fixed)
        self._sheet.repeat_rows(0)
        self._sheet.set_row(0, HEAD_HEIGHT)
        if self._fixed:
            self._sheet.repeat_columns(0, self._fixed - 1)
        width = sum(column.width for column in self._columns)
        self._sheet.fit_to_pages(ceil(width / PAGE_WIDTH), 0)
        self._row, self._links = 0, 0
        for place, column in enumerate(self._columns):
            self._sheet.set_column(place, place, column.width, self._book.format(column.kind))
            self._sheet.write_string(0, place, column.title, self._book.format(column.head))

    def write(self, values: Sequence[Value], links: Mapping[int, str] | None = None) -> None:
        """Write a row.

        Args:
            values: One for each column; None leaves the cell empty.
            links: The addresses of some of them, by place; "" for none.
        """
        if self._row + 1 >= cells.MOST_ROWS:
            self._end()
            self._begin()
        self._row += 1
        lines = self._lines(values)
        if lines > 1:
            self._sheet.set_row(self._row, LINE_HEIGHT * min(lines, MOST_LINES))
        for place, value in enumerate(values):
            address = links.get(place, "") if links else ""
            if value is not None and value != "":
                self._write(place, value, address)

    def _lines(self, values: Sequence[Value]) -> int:
        """How many lines the longest of the long texts needs."""
        texts = [
            lines_of(value, column.width)
            for value, column in zip(values, self._columns, strict=False)
            if column.kind in (Kind.LONG, Kind.WORDS) and isinstance(value, str)
        ]
        return max(texts, default=1)

    def _write(self, place: int, value: Value, address: str) -> None:
        if isinstance(value, str):
            self._write_text(place, value, address)
        elif isinstance(value, datetime):
            self._sheet.write_datetime(self._row, place, value.replace(tzinfo=None))
        elif value is not None:
            self._sheet.write_number(self._row, place, value)

    def _write_text(self, place: int, value: str, address: str) -> None:
        text, is_cut = CellText.of(value)
        if is_cut:
            self._book.cut[self._name] = self._book.cut.get(self._name, 0) + 1
        if address and self._links >= cells.MOST_LINKS:
            self._book.unlinked[self._name] = self._book.unlinked.get(self._name, 0) + 1
            address = ""
        if address and not _looks_rich(text):
            self._links += 1
            self._sheet.write_url(self._row, place, address, self._book.format(LINK), text)
        else:
            write_cell_text(self._sheet, self._row, place, text)

    def close(self) -> None:
        """Let all rows be filtered, where there are any."""
        self._end()

    def _end(self) -> None:
        if self._row:
            self._sheet.autofilter(0, 0, self._row, len(self._columns) - 1)


def lines_of(text: str, width: float) -> int:
    """About how many lines a text needs; not all programs measure it when they open a file."""
    start = text[: int(MOST_LINES * width)]
    wide = 0 if start.isascii() else sum(east_asian_width(letter) in "WF" for letter in start)
    return min(start.count("\n"), MOST_LINES) + ceil((len(start) + wide) / (width * LETTERS))


def write_cell_text(
    sheet: Worksheet, row: int, place: int, text: str, look: Format | None = None
) -> None:
    """Write a text as nothing but text."""
    if not _looks_rich(text):
        sheet.write_string(row, place, text, look)
        return
    # XlsxWriter takes what looks like its own marked text for that; in parts it escapes them.
    parts = (text[:1], text[1:2], text[2:])
    sheet.write_rich_string(row, place, *parts, *([look] if look else []))


def _looks_rich(text: str) -> bool:
    return text.startswith("<r>") and text.endswith("</r>")
