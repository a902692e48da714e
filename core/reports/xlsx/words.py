"""The sheets that are read: what the report for people says in sentences and small tables.

They are made of the same sections, so that all formats say the same; a heading or a label stands to
the left of what belongs to it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from functools import singledispatchmethod
from io import BytesIO

from xlsxwriter.exceptions import XlsxWriterException
from xlsxwriter.image import Image

from core.base.wording import counted
from core.reports.blocks import (
    Block,
    Cell,
    Figures,
    Heading,
    ItemList,
    Line,
    Picture,
    Prose,
    Section,
    Table,
)
from core.reports.limits import ReportLimits
from core.reports.logo import media_type
from core.reports.model import Report
from core.reports.sections import contents, head_of
from core.reports.sections.summary import summary
from core.reports.xlsx import cells
from core.reports.xlsx.book import LINE_HEIGHT, Book, lines_of, write_cell_text
from core.reports.xlsx.cells import CellText
from core.reports.xlsx.looks import Kind
from core.scan.judgements import VERDICTS

WIDTHS = (30, 84, 24, 24, 24)
SHOWN_LOGOS = ("image/png", "image/jpeg")
WIDEST_LOGO, HIGHEST_LOGO, DPI = 240, 60, 96  # pixels, and those of an inch
HEIGHTS = {Kind.TITLE: 26, Kind.HEADING: 20}  # points
WORKBOOK_LIMITS = ReportLimits(*[10**9] * 4)  # sheets hold all
# These have sheets of their own.
IN_SHEETS = {"pairs", "groups", "judged-passages", "missing", "problems", "remarks", "passages"}
IN_SHEETS |= {"documents"}


class _WordSheet:
    """A sheet of headings, labels and sentences."""

    def __init__(self, book: Book, name: str) -> None:
        self._book = book
        self._sheet = book.begin(name)
        self._row = 0
        self._sheet.fit_to_pages(1, 0)
        for place, width in enumerate(WIDTHS):
            self._sheet.set_column(place, place, width, book.format(Kind.WORDS))

    def line(self, place: int, words: str, kind: Kind = Kind.WORDS) -> None:
        """Write some words on a line of their own."""
        self.row([""] * place + [words], kind)

    def row(self, words: Sequence[str], kind: Kind = Kind.WORDS) -> None:
        """Write words side by side."""
        lines = max(lines_of(one, width) for one, width in zip(words, WIDTHS, strict=False))
        if lines > 1 or kind in HEIGHTS:
            self._sheet.set_row(self._row, HEIGHTS.get(kind, LINE_HEIGHT * lines))
        for place, one in enumerate(words):
            if one:
                text = CellText.of(one).text
                write_cell_text(self._sheet, self._row, place, text, self._book.format(kind))
        self._row += 1

    def number(self, label: str, number: int) -> None:
        """Write a number with what it counts."""
        look = self._book.format(Kind.WORDS)
        write_cell_text(self._sheet, self._row, 0, CellText.of(label).text, look)
        self._sheet.write_number(self._row, 1, number, self._book.format(Kind.FIGURE))
        self._row += 1

    def gap(self) -> None:
        """Leave a line empty."""
        self._row += 1

    def section(self, section: Section) -> None:
        """Write all of a section."""
        self.gap()
        self.line(0, section.title, Kind.HEADING)
        for block in section.blocks:
            self.block(block)

    @singledispatchmethod
    def block(self, block: Block) -> None:
        """Write a block; those of pairs stand in sheets of their own."""

    @block.register
    def _(self, block: Heading) -> None:
        self.gap()
        self.line(0, block.words, Kind.LABEL)

    @block.register
    def _(self, block: Prose) -> None:
        self._lines(block.lines)

    @block.register
    def _(self, block: ItemList) -> None:
        self._lines(block.items)

    @block.register
    def _(self, block: Picture) -> None:
        self.line(1, block.words)

    @block.register
    def _(self, block: Figures) -> None:
        for label, words in block.items:
            digits = words.replace(",", "")
            if digits.isdecimal():
                self.number(label, int(digits))
            else:
                self.row((label, words))

    @block.register
    def _(self, block: Table) -> None:
        self.gap()
        self.line(int(len(block.caption) > WIDTHS[0]), block.caption, Kind.LABEL)
        titles = [column.title for column in block.columns]
        if any(titles):
            self.row(titles, Kind.LABEL)
        for part in block.parts:
            for row in part:
                self.row([_words(cell) for cell in row.cells])
                if row.note:
                    self.line(1, row.note)

    def _lines(self, lines: Iterable[Line]) -> None:
        for one in lines:
            self.line(1, _text(one))


def _words(cell: Cell) -> str:
    return "\n".join(map(_text, cell.lines))


def _text(line: Line) -> str:
    return "".join(span.text for span in line)


class SummarySheet(_WordSheet):
    """What came out: begun first, written last, when it is known what the sheets could not hold."""

    def __init__(self, book: Book) -> None:
        super().__init__(book, "Summary")

    def write(self, report: Report) -> None:
        """Write it."""
        head = head_of(report)
        self._logo(report.choice.logo)
        if head.institution:
            self.line(0, head.institution, Kind.HEADING)
        self.line(0, head.title, Kind.TITLE)
        self._lines(head.lines)
        for section in summary(report, WORKBOOK_LIMITS):
            self.section(section)
        self._not_held()
        self.gap()
        self.line(0, "Verdicts", Kind.HEADING)
        for verdict, number in zip(VERDICTS, report.verdict_counts, strict=True):
            self.number(verdict.capitalize(), number)

    def _logo(self, picture: bytes) -> None:
        """Show the logo to the right of the head, if it is one that spreadsheets know."""
        if media_type(picture) not in SHOWN_LOGOS:
            return
        try:
            image = Image(BytesIO(picture))
        except (XlsxWriterException, struct.error):
            return
        scale = min(WIDEST_LOGO / image.width, HIGHEST_LOGO / image.height)
        scales = {"x_scale": scale * image.x_dpi / DPI, "y_scale": scale * image.y_dpi / DPI}
        self._sheet.insert_image(0, 2, image, {**scales, "description": "Logo"})

    def _not_held(self) -> None:
        """What a spreadsheet has no room for."""
        for name, number in self._book.cut.items():
            self.line(
                1,
                f"{name}: {counted(number, 'text')} of more than {cells.LONGEST:,} characters "
                "are shortened, as a cell holds no more.",
            )
        for name, number in self._book.unlinked.items():
            self.line(
                1,
                f"{name}: {counted(number, 'name')} are no links to files, as a sheet holds "
                f"{cells.MOST_LINKS:,} links.",
            )
        for name, number in self._book.sheets.items():
            if number > 1:
                self.line(
                    1,
                    f"{name} goes on in {counted(number - 1, 'more sheet')}, as a sheet holds "
                    f"{cells.MOST_ROWS:,} rows.",
                )


class SettingsSheet(_WordSheet):
    """How the documents were compared, and all else that is said in sentences."""

    def __init__(self, book: Book) -> None:
        super().__init__(book, "Settings")

    def write(self, report: Report) -> None:
        """Write it."""
        for section in contents(report, WORKBOOK_LIMITS):
            if section.id not in IN_SHEETS:
                self.section(section)
