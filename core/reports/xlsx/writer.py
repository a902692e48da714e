"""The workbook: summary, pairs, groups, passages, documents, problems, settings.

The sheets that are read: what the report for people says in sentences and small tables.

They are made of the same sections, so that all formats say the same; a heading or a label stands to
the left of what belongs to it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC
from functools import singledispatchmethod
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from xlsxwriter import Workbook
from xlsxwriter.exceptions import FileCreateError, XlsxWriterException
from xlsxwriter.image import Image

from core.base.files import replaced_bytes, scratch_folder
from core.base.messages import N_, as_shown, gettext, language, ngettext, pgettext
from core.base.tasks import Progress, ignore, stop_if_cancelled
from core.base.wording import count
from core.documents.problems import cite_place
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
from core.reports.choice import media_type
from core.reports.limits import ReportLimits
from core.reports.model import Report
from core.reports.sections import contents, head_of
from core.reports.sections.summary import TITLES, summary
from core.reports.shown_text import Withheld, shown_pieces
from core.reports.xlsx import book as cells
from core.reports.xlsx.book import (
    LINE_HEIGHT,
    Book,
    CellText,
    Column,
    FileLinks,
    Kind,
    Sheet,
    Value,
    lines_of,
    write_cell_text,
)
from core.reports.xlsx.tables import (
    write_documents,
    write_groups,
    write_judged,
    write_pairs,
    write_problems,
)
from core.scan.judgements import VERDICTS
from core.text.line_ends import run_on

if TYPE_CHECKING:
    from core.evidence.passage import Passage

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
        lines = max(lines_of(word, width) for word, width in zip(words, WIDTHS, strict=False))
        if lines > 1 or kind in HEIGHTS:
            self._sheet.set_row(self._row, HEIGHTS.get(kind, LINE_HEIGHT * lines))
        for place, word in enumerate(words):
            if word:
                text = CellText.of(word).text
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
            digits = words.replace(language().group, "")
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
        for line in lines:
            self.line(1, _text(line))


def _words(cell: Cell) -> str:
    return "\n".join(map(_text, cell.lines))


def _text(line: Line) -> str:
    return "".join(span.text for span in line)


class SummarySheet(_WordSheet):
    """What came out: begun first, written last, when it is known what the sheets could not hold."""

    def __init__(self, book: Book) -> None:
        super().__init__(book, gettext("Summary"))

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
        self.line(0, gettext("Verdicts"), Kind.HEADING)
        for verdict, number in zip(VERDICTS, report.verdict_counts, strict=True):
            self.number(gettext(TITLES[verdict]), number)

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
        self._sheet.insert_image(0, 2, image, {**scales, "description": gettext("Logo")})

    def _not_held(self) -> None:
        """What a spreadsheet has no room for."""
        for name, number in self._book.cut.items():
            sentence = ngettext(
                "{sheet}: {n} text of more than {most} characters is shortened, as a cell holds no "
                "more.",
                "{sheet}: {n} texts of more than {most} characters are shortened, as a cell holds "
                "no more.",
                number,
                sheet=name,
                most=count(cells.LONGEST_CELL),
            )
            self.line(1, sentence)
        for name, number in self._book.unlinked.items():
            sentence = ngettext(
                "{sheet}: {n} name is no link to a file, as a sheet holds {most} links.",
                "{sheet}: {n} names are no links to files, as a sheet holds {most} links.",
                number,
                sheet=name,
                most=count(cells.MOST_LINKS),
            )
            self.line(1, sentence)
        for name, number in self._book.sheets.items():
            if number > 1:
                sentence = ngettext(
                    "{sheet} goes on in {n} more sheet, as a sheet holds {most} rows.",
                    "{sheet} goes on in {n} more sheets, as a sheet holds {most} rows.",
                    number - 1,
                    sheet=name,
                    most=count(cells.MOST_ROWS),
                )
                self.line(1, sentence)


class SettingsSheet(_WordSheet):
    """How the documents were compared, and all else that is said in sentences."""

    def __init__(self, book: Book) -> None:
        super().__init__(book, gettext("Settings"))

    def write(self, report: Report) -> None:
        """Write it."""
        for section in contents(report, WORKBOOK_LIMITS):
            if section.id not in IN_SHEETS:
                self.section(section)


TEXT_WIDTH = 60  # characters
COLUMNS = (
    Column("#", 6, Kind.WHOLE),
    Column(N_("A"), 28),
    Column(N_("B"), 28),
    Column(N_("Passage"), 9, Kind.WHOLE),
    Column(N_("Words"), 8, Kind.WHOLE),
    Column(N_("The same"), 11, Kind.WHOLE),
    Column(N_("In another form"), 9, Kind.WHOLE),
    Column(N_("Exchanged"), 11, Kind.WHOLE),
    Column(N_("Longest run"), 9, Kind.WHOLE),
    Column(N_("Moved"), 8),
    Column(N_("Bits"), 8, Kind.BITS),
    Column(N_("In other pairs"), 26, Kind.WORDS),
)
OF_A_SIDE = (
    Column(N_("Words in {document}"), 11, Kind.WHOLE),
    Column(N_("Where in {document}"), 12),
    Column(N_("From in {document}"), 10, Kind.WHOLE),
    Column(N_("To in {document}"), 10, Kind.WHOLE),
)


class _Side(NamedTuple):
    """A passage in one of the documents."""

    document: int
    start: int
    end: int
    words: int


class _Document(NamedTuple):
    """A document of a pair: its text with the lines running on, and what is withheld of it."""

    text: str
    kind: str
    withheld: Sequence[Withheld]

    @staticmethod
    def of(report: Report, document: int) -> _Document:
        """One of the report."""
        text = run_on(report.text_of(document))
        return _Document(text, report.documents[document].kind, report.withheld_in(document))

    def where(self, side: _Side) -> tuple[Value, ...]:
        """Words, pages, and the offsets of a passage."""
        pages = cite_place(self.text, self.kind, side.start, side.end)
        return side.words, pages, side.start, side.end

    def shown(self, side: _Side) -> str:
        """The text of a passage, which may not be shown as it is."""
        [piece] = shown_pieces(self.text, (side.start, side.end), self.withheld)
        return piece.replace("\f", "\n")


def write_passages_sheet(book: Book, report: Report, count: int, progress: Progress) -> None:
    """The passages of the first pairs, in the order of A; offsets count code points."""
    sides = [column._replace(document=letter) for letter in "AB" for column in OF_A_SIDE]
    with_texts = report.choice.shows_text
    text = Column(N_("Text in {document}"), TEXT_WIDTH, Kind.LONG)
    last = [text._replace(document=letter) for letter in "AB" if with_texts]
    sheet = Sheet(book, gettext("Passages"), (*COLUMNS, *sides, *last), fixed=4)
    for row, a, b in report.rows(count, progress):
        names = (report.rank_of(row), report.name_of(a), report.name_of(b))
        documents = {number: _Document.of(report, number) for number in (a, b)}
        for number, passage in enumerate(report.passages_of(a, b).passages, 1):
            places = (
                _Side(a, passage.a_start, passage.a_end, passage.a_tokens or passage.tokens),
                _Side(b, passage.b_start, passage.b_end, passage.b_tokens or passage.tokens),
            )
            where = [value for side in places for value in documents[side.document].where(side)]
            shown = [documents[side.document].shown(side) for side in places] if with_texts else []
            values = (*names, number, *_numbers(passage), *where, *shown)
            sheet.write(values)
    sheet.close()


def _numbers(passage: Passage) -> tuple[Value, ...]:
    moved = pgettext("passage", "moved") if passage.moved else ""
    return (
        passage.length,
        passage.tokens,
        passage.near,
        passage.exchanged,
        passage.longest_run,
        moved,
        round(passage.bits, 1),
        as_shown(passage.chance),
    )


OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
}


@contextmanager
def new_book(file: BinaryIO, report: Report) -> Iterator[Book]:
    """A workbook that is written to a file when the block ends.

    Raises:
        OSError: The file, or a temporary one, could not be written.
    """
    with scratch_folder() as folder:
        target = _PolledFile(file)
        workbook = Workbook(target, {**OPTIONS, "tmpdir": str(folder)})
        try:
            workbook.set_properties(_properties(report))
            yield Book(workbook, report)
            workbook.close()
        except FileCreateError as error:
            [reason] = error.args
            raise reason from error
        finally:
            target.is_over = True
            for sheet in workbook.worksheets():
                sheet.row_data_fh.close()


def _properties(report: Report) -> dict[str, object]:
    """What the file says of itself; the time is that of the report."""
    said = {
        "title": report.words.title,
        "company": report.choice.institution,
        "comments": f"Neardup {report.version}",
    }
    created = report.created.astimezone(UTC).replace(tzinfo=None, microsecond=0)
    return {**{key: CellText.of(value).text for key, value in said.items()}, "created": created}


class _PolledFile:
    """A file that asks before each piece whether to go on, and takes no more once it is given up.

    An archive that is given up writes its end all the same when it is forgotten.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.is_over = False

    def write(self, data: bytes) -> int:
        if self.is_over:
            return len(data)
        stop_if_cancelled()
        return self._file.write(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        return 0 if self.is_over else self._file.seek(offset, whence)

    def tell(self) -> int:
        return 0 if self.is_over else self._file.tell()

    def flush(self) -> None:
        if not self.is_over:
            self._file.flush()


def write_xlsx(path: Path, report: Report, *, progress: Progress = ignore) -> None:
    """Write the report as a workbook.

    Args:
        path: Where; an existing file is replaced.
        report: What to write.
        progress: Told the number of pairs that are written, then of those whose passages are.

    Raises:
        ExportError: The file could not be written.
    """
    links = FileLinks(report)
    with replaced_bytes(path) as file, new_book(file, report) as book:
        summary = SummarySheet(book)
        write_pairs(book, report, links, progress)
        write_groups(book, report)
        passages = min(len(report.pairs), report.choice.most_passages)
        write_passages_sheet(book, report, passages, progress)
        write_documents(book, report, links)
        if report.judged_passages:
            write_judged(book, report)
        write_problems(book, report)
        SettingsSheet(book).write(report)
        summary.write(report)
