"""A workbook of sheets with columns, written row by row: what is written is not kept in memory.

XlsxWriter writes each row to a temporary file when the next begins. Where a sheet is full, another
one goes on. No string becomes a formula, a number or a link by what it looks like.

What a cell may hold: text that is nothing but text, and numbers and times as such.

Limits are those of Excel 2007 and later: ECMA-376, part 1, 18.3.1.96 and 18.4.12 for the text of a
cell, and "Excel specifications and limits" for how much there may be.

Links from a workbook to the files of the documents.

A review that somebody sent can name any file of the computer it is opened on. So a link leads only
to a file that is there now, of the size and date that the document had, on this computer; never to
a program, and nowhere where names are withheld. It is a file URL (RFC 8089) with letters beyond
ASCII as they are, as Excel writes them.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from unicodedata import east_asian_width

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from core.base.files import is_program
from core.base.messages import gettext, ngettext
from core.base.patterns import lazy_pattern
from core.base.tasks import stop_if_cancelled
from core.base.wording import printable_path
from core.documents.model import Document, modified_ns
from core.reports.model import Report
from core.reports.report_choice import Paper
from core.reports.shown_text import visible

Value: TypeAlias = str | int | float | datetime | None

LONGEST_CELL = 32_767  # units of UTF-16 in a cell
MOST_ROWS = 1_048_576  # of a sheet, the head included
MOST_LINKS = 65_530  # of a sheet
LONGEST_NAME = 26  # characters of the name of a sheet, with room for a number; 31 are the most
_UNNAMABLE = lazy_pattern(r"[\[\]:*?/\\']")
ROOM = 80  # units for the words about the omitted text
EARLIEST = datetime(1900, 3, 1, tzinfo=UTC)  # before it the days of Excel are not those of others


class CellText(NamedTuple):
    """A text as a cell holds it, and whether that is not all of it."""

    text: str
    is_cut: bool

    @staticmethod
    def of(value: str) -> CellText:
        """Characters that XML cannot have become visible; too long texts end with a mark."""
        value = visible(value)
        if len(value) <= LONGEST_CELL // 2 or units(value) <= LONGEST_CELL:
            return CellText(value, is_cut=False)
        kept = value.encode("utf-16-le")[: 2 * (LONGEST_CELL - ROOM)].decode("utf-16-le", "ignore")
        number = len(value) - len(kept)
        left_out = ngettext("{n} character left out", "{n} characters left out", number)
        return CellText(f"{kept} [… {left_out}]", is_cut=True)


def units(value: str) -> int:
    """Length in units of UTF-16, in which spreadsheets count."""
    return len(value.encode("utf-16-le")) // 2


def moment(time: str | datetime) -> Value:
    """A time as cells hold it, in UTC without a zone; other texts stay as they are."""
    try:
        given = datetime.fromisoformat(time) if isinstance(time, str) else time
    except ValueError:
        return str(time)
    if given.tzinfo is None:
        return given.isoformat() if isinstance(time, datetime) else time
    try:
        in_utc = given.astimezone(UTC)
    except OverflowError:
        return given.isoformat()
    return in_utc if in_utc >= EARLIEST else in_utc.isoformat(timespec="seconds")


LONGEST_ADDRESS = 2_000  # units of UTF-16 of an address; Excel takes 2,079
_UNSAFE = lazy_pattern(r"[^A-Za-z0-9/._~\u00a0-\U0010ffff-]")


def file_link(document: Document) -> str:
    """The address of a file that is unchanged since it was read, of a part its file; else ""."""
    path = Path(os.path.abspath(document.path))
    written = path.as_posix()
    # To look at a file of another computer would tell that computer who is looking.
    if document.absence or written.startswith("//") or is_program(path):
        return ""
    if printable_path(path) != str(path) or not _is_as_read(path, document):
        return ""
    rest = _UNSAFE.sub(_coded, written.removeprefix(path.drive).lstrip("/"))
    # XlsxWriter takes "file:" for a path of Windows; a scheme is the same in either case.
    address = f"File:///{path.drive}{'/' if path.drive else ''}{rest}"
    return address if units(address) <= LONGEST_ADDRESS else ""


def _is_as_read(path: Path, document: Document) -> bool:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return False
    if document.members:
        return stat.S_ISDIR(status.st_mode)
    is_same = (status.st_size, modified_ns(status)) == (document.size, document.modified_ns)
    return stat.S_ISREG(status.st_mode) and is_same


def _coded(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode())


LINK = "link"
HEAD = "head"
NUMBER_HEAD = "number head"


class Kind(StrEnum):
    """The kind of values in a column, or the look of a line."""

    TEXT = "text"
    LONG = "long"  # text that is broken to the width of its column
    INTEGER = "whole"
    SHARE = "share"
    RESEMBLANCE = "resemblance"
    BITS = "bits"
    TIME = "time"
    CODE = "code"
    TITLE = "title"
    HEADING = "heading"
    WORDS = "words"  # of ours, broken to the width of their column
    LABEL = "label"  # a smaller heading
    FIGURE = "figure"  # a number with a label


_TOP = {"valign": "top"}
_WORDS = {**_TOP, "align": "left", "indent": 1}
_SHADED = {"bold": True, "text_wrap": True, "bg_color": "#eef1f4", "bottom": 1}
FORMATS: Mapping[str, dict[str, Any]] = {
    Kind.TEXT: _WORDS,
    Kind.LONG: {**_TOP, "indent": 1, "text_wrap": True},
    Kind.INTEGER: {**_TOP, "num_format": "#,##0"},
    Kind.SHARE: {**_TOP, "num_format": "0.0%"},
    Kind.RESEMBLANCE: {**_TOP, "num_format": "0.000"},
    Kind.BITS: {**_TOP, "num_format": "#,##0.0"},
    Kind.TIME: {**_WORDS, "num_format": "yyyy-mm-dd hh:mm"},
    Kind.CODE: {**_WORDS, "font_name": "Courier New", "font_size": 9},
    Kind.TITLE: {**_WORDS, "bold": True, "font_size": 16},
    Kind.HEADING: {**_WORDS, "bold": True, "font_size": 12},
    Kind.WORDS: {**_WORDS, "text_wrap": True},
    Kind.LABEL: {**_WORDS, "bold": True, "text_wrap": True},
    Kind.FIGURE: {**_WORDS, "num_format": "#,##0"},
    LINK: {**_WORDS, "font_color": "#0b57a4", "underline": 1},
    HEAD: {**_SHADED, "align": "left", "indent": 1},
    NUMBER_HEAD: {**_SHADED, "align": "right"},
}


_OF_WORDS = (Kind.TEXT, Kind.LONG, Kind.WORDS, Kind.TIME, Kind.CODE)


class Column(NamedTuple):
    """A column of a sheet.

    Attributes:
        title: A message, in which {document} stands for A or B.
        width: In characters.
        kind: The kind of its values.
        document: A or B; "" where it is about both or none.
        of: Its value for a thing that has a row; not used where whole rows are written.
    """

    title: str
    width: float
    kind: Kind = Kind.TEXT
    document: str = ""
    of: Callable[[Any], Value] = lambda _thing: None

    @property
    def head(self) -> str:
        """How its title looks: above numbers it stands to the right, as they do."""
        return HEAD if self.kind in _OF_WORDS else NUMBER_HEAD


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
        """Begin a sheet; its name without the signs that names of sheets may not have."""
        sheet = self._workbook.add_worksheet(_UNNAMABLE.sub(" ", name))
        sheet.set_paper(self._paper)
        sheet.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
        sheet.set_footer(self._foot)
        return sheet


def _foot(institution: str) -> str:
    """Institution, sheet and page; "&" begins a command in it, and a line end cuts it off."""
    named = CellText.of(institution).text.replace("\n", " ")[:LONGEST_FOOT].replace("&", "&&")
    return f"&L{named}&C&A&R&P / &N" if named else "&L&A&R&P / &N"


class Sheet:
    """A table that goes on in other sheets where one is full."""

    def __init__(self, book: Book, name: str, columns: Sequence[Column], fixed: int = 0) -> None:
        """Begin it.

        Args:
            book: The workbook.
            name: Of the sheet.
            columns: Its columns.
            fixed: How many columns stay while the rest are scrolled.
        """
        self._book, self._name, self._columns, self._fixed = book, name, columns, fixed
        self._begin()

    def _begin(self) -> None:
        number = self._book.sheets[self._name] = self._book.sheets.get(self._name, 0) + 1
        name = self._name[:LONGEST_NAME]
        self._sheet = self._book.begin(name if number == 1 else f"{name} {number}")
        self._sheet.set_landscape()
        self._sheet.freeze_panes(1, self._fixed)
        self._sheet.repeat_rows(0)
        self._sheet.set_row(0, HEAD_HEIGHT)
        if self._fixed:
            self._sheet.repeat_columns(0, self._fixed - 1)
        width = sum(column.width for column in self._columns)
        self._sheet.fit_to_pages(ceil(width / PAGE_WIDTH), 0)
        self._row, self._links = 0, 0
        for index, column in enumerate(self._columns):
            self._sheet.set_column(index, index, column.width, self._book.format(column.kind))
            title = gettext(column.title, document=column.document)
            self._sheet.write_string(0, index, title, self._book.format(column.head))

    def write(self, values: Sequence[Value], links: Mapping[int, str] | None = None) -> None:
        """Write a row.

        Args:
            values: One for each column; None leaves the cell empty.
            links: Addresses for values, by column; "" for none.
        """
        if self._row + 1 >= MOST_ROWS:
            self.close()
            self._begin()
        self._row += 1
        lines = self._lines(values)
        if lines > 1:
            self._sheet.set_row(self._row, LINE_HEIGHT * min(lines, MOST_LINES))
        for index, value in enumerate(values):
            if isinstance(value, str):
                self._write_text(index, value, links.get(index, "") if links else "")
            elif isinstance(value, datetime):
                self._sheet.write_datetime(self._row, index, value.replace(tzinfo=None))
            elif value is not None:
                self._sheet.write_number(self._row, index, value)

    def fill(
        self, things: Iterable[Any], links: Callable[[Any], Mapping[int, str] | None] | None = None
    ) -> None:
        """Write a row for each thing, as the columns say, and close the sheet."""
        for thing in things:
            stop_if_cancelled()
            self.write([column.of(thing) for column in self._columns], links and links(thing))
        self.close()

    def _lines(self, values: Sequence[Value]) -> int:
        """How many lines the longest of the long texts needs."""
        texts = [
            lines_of(value, column.width)
            for value, column in zip(values, self._columns, strict=False)
            if column.kind in (Kind.LONG, Kind.WORDS) and isinstance(value, str)
        ]
        return max(texts, default=1)

    def _write_text(self, column: int, value: str, address: str) -> None:
        if not value:
            return
        text, is_cut = CellText.of(value)
        if is_cut:
            self._book.cut[self._name] = self._book.cut.get(self._name, 0) + 1
        if address and self._links >= MOST_LINKS:
            self._book.unlinked[self._name] = self._book.unlinked.get(self._name, 0) + 1
            address = ""
        if address and not _looks_rich(text):
            self._links += 1
            self._sheet.write_url(self._row, column, address, self._book.format(LINK), text)
        else:
            write_cell_text(self._sheet, self._row, column, text)

    def close(self) -> None:
        """Let all rows be filtered, where there are any."""
        if self._row:
            self._sheet.autofilter(0, 0, self._row, len(self._columns) - 1)


def lines_of(text: str, width: float) -> int:
    """About how many lines a text needs; not all programs measure it when they open a file."""
    start = text[: int(MOST_LINES * width)]
    wide = 0 if start.isascii() else sum(east_asian_width(letter) in "WF" for letter in start)
    return min(start.count("\n"), MOST_LINES) + ceil((len(start) + wide) / (width * LETTERS))


def write_cell_text(
    sheet: Worksheet, row: int, column: int, text: str, look: Format | None = None
) -> None:
    """Write a text as nothing but text."""
    if not _looks_rich(text):
        sheet.write_string(row, column, text, look)
        return
    # XlsxWriter takes text that looks like its own markup for that; in parts it escapes it.
    parts = (text[:1], text[1:2], text[2:])
    sheet.write_rich_string(row, column, *parts, *([look] if look else []))


def _looks_rich(text: str) -> bool:
    return text.startswith("<r>") and text.endswith("</r>")
