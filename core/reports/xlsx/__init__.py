"""The report as a workbook for Excel, LibreOffice and all that reads their files.

Its sheets are summary, pairs, groups, passages, documents, problems and settings.

The sheets to read: the sentences and small tables of the report for people.

They are made of the same sections, so that all formats say the same; a heading or a label stands to
the left of what belongs to it.

The sheets that are filtered and computed with: a row for each pair, document and so on.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC
from functools import cache
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeAlias

import numpy as np
from xlsxwriter import Workbook
from xlsxwriter.exceptions import FileCreateError, XlsxWriterException
from xlsxwriter.image import Image

from core.base.files import replaced_bytes, scratch_folder
from core.base.messages import N_, as_shown, gettext, language, ngettext, pgettext
from core.base.tasks import Progress, ignore, stop_if_cancelled
from core.base.wording import count
from core.documents.problems import cite_location, group_of
from core.evidence.measures import EXACT_DIGITS, Measure, NumberKind, ShownIn, found_by, measures_in
from core.reports import blocks
from core.reports.limits import ReportLimits
from core.reports.model import Report
from core.reports.pair_words import mark_in_list
from core.reports.properties_words import shared_in_words
from core.reports.report_choice import media_type
from core.reports.rows import judged_values
from core.reports.sections import contents, head_of
from core.reports.sections.pairs import Document as PairDocument
from core.reports.sections.summary import TITLES, summary
from core.reports.shown_text import shown_pieces
from core.reports.xlsx import book as cells
from core.reports.xlsx.book import (
    LINE_HEIGHT,
    Book,
    CellText,
    Column,
    Kind,
    Sheet,
    Value,
    file_link,
    lines_of,
    moment,
    write_cell_text,
)
from core.scan.groups import Group
from core.scan.judgements import VERDICTS, Verdict

KINDS = {
    NumberKind.RESEMBLANCE: Kind.RESEMBLANCE,
    NumberKind.SHARE: Kind.SHARE,
    NumberKind.COUNT: Kind.INTEGER,
}
NUMBERS = measures_in(ShownIn.SHEET)
NUMBER_WIDTHS = {"exact_duplicate": 11, "found_by": 26, "weak_trace": 8}
NAME_WIDTH = 34
PAIR_COLUMNS = (
    Column("#", 6, Kind.INTEGER),
    Column(N_("A"), NAME_WIDTH),
    Column(N_("B"), NAME_WIDTH),
    *(
        Column(
            measure.name, NUMBER_WIDTHS.get(measure.column, 13), KINDS.get(measure.kind, Kind.TEXT)
        )
        for measure in NUMBERS
    ),
    Column(N_("Listed for"), 15),
)
JUDGED_COLUMNS = (
    Column(N_("Verdict"), 14),
    Column(N_("Note"), 40, Kind.LONG),
    Column(N_("By"), 16),
    Column(N_("Judged (UTC)"), 17, Kind.TIME),
    Column(N_("Changed since"), 11, Kind.SHARE),
)


Links: TypeAlias = Callable[[int], str]  # the address of the file of a document; "" for none


def write_pairs(book: Book, report: Report, link: Links, progress: Progress) -> None:
    """Every pair in the order of the report, with its numbers and judgement."""
    settings, pairs = report.settings, report.pairs
    properties = [Column(N_("File properties"), 50, Kind.LONG)] if report.file_properties else []
    columns = (*PAIR_COLUMNS, *properties, *JUDGED_COLUMNS)
    sheet = Sheet(book, gettext("Pairs"), columns, fixed=3)
    for row, a, b in report.rows(len(pairs), progress):
        value, ways = float(pairs.resemblance[row]), int(pairs.found_by[row])
        sheet.write(
            (
                report.rank_of(row),
                report.name_of(a),
                report.name_of(b),
                *(
                    _number(measure, getattr(pairs, measure.column)[row].item())
                    for measure in NUMBERS
                ),
                mark_in_list(value, ways, settings),
                *("\n".join(_shared(report, row)) for _ in properties),
                *_judged(report, row),
            ),
            {1: link(a), 2: link(b)},
        )
    sheet.close()


def _number(measure: Measure, value: float) -> Value:
    """A number as the other tables have it; nothing where it was not measured."""
    if measure.kind is NumberKind.WAYS:
        return found_by(int(value))
    if measure.kind is NumberKind.FLAG:
        return gettext("yes") if value else ""
    return round(value, measure.decimals) if value >= 0 else None


def _shared(report: Report, row: int) -> Iterator[str]:
    """The properties that the files of a pair share besides text, a line each."""
    for shared_property in report.shared_properties(row):
        yield shared_in_words(shared_property, names=report.choice.names)


def _judged(report: Report, row: int) -> tuple[Value, ...]:
    """Verdict, note, who, when, and how much of the text is changed since."""
    judged = report.judgement_of(row)
    if judged is None:
        return (gettext(Verdict.NOT_REVIEWED),)
    verdict, note, who, time, changed = judged_values(judged)
    return gettext(str(verdict)), note, who, moment(str(time)), changed


def write_groups(book: Book, report: Report) -> None:
    """A row for each document of each group, the centre first."""
    columns = (
        Column(N_("Group"), 8, Kind.INTEGER),
        Column(N_("Documents in it"), 12, Kind.INTEGER),
        Column(N_("Place"), 18),
        Column(N_("Document"), NAME_WIDTH),
        Column(N_("Overlap with the centre"), 15, Kind.SHARE),
        Column(N_("Same words as"), NAME_WIDTH),
    )
    sheet = Sheet(book, gettext("Groups"), columns, fixed=1)
    for number, group in enumerate(report.groups, 1):
        for position, document, overlap, same in _members(group):
            stop_if_cancelled()
            original = "" if same is None else report.name_of(same)
            name = report.name_of(document)
            sheet.write((number, group.size, position, name, overlap, original))
    sheet.close()


def _members(group: Group) -> Iterator[tuple[str, int, Value, int | None]]:
    """Position, document, overlap with the centre, and the document that it is a copy of."""
    centre = gettext("centre, chosen") if group.is_chosen else gettext("centre")
    yield centre, group.centre, None, None
    for copy in group.copies:
        yield gettext("exact copy"), copy, 1.0, group.centre
    for member in group.members:
        overlap = round(member.score, EXACT_DIGITS)
        yield gettext("member"), member.document, overlap, None
        for copy in member.copies:
            yield gettext("exact copy"), copy, overlap, member.document


def write_documents(book: Book, report: Report, link: Links) -> None:
    """Every document that the report is about, with what is known of its file."""
    documents = report.documents
    both = np.concatenate((report.pairs.a, report.pairs.b))
    pairs = np.bincount(both, minlength=len(documents)).tolist()
    excluded = {share.document: share.share for share in report.excluded_shares}

    def changed(number: int) -> Value:
        modified = documents[number].modified
        return modified and moment(modified)

    def gone(number: int) -> str:
        absence = documents[number].absence
        return absence.in_words if absence else ""

    def hashed(name: str) -> Callable[[int], str]:
        """A hash that identifies the file; "" where names are withheld."""
        return lambda number: getattr(documents[number], name) if report.choice.names else ""

    columns = (
        Column(N_("Document"), NAME_WIDTH + 8, of=report.name_of),
        Column(N_("For"), 11, of=lambda number: gettext(documents[number].role)),
        Column(N_("Pairs"), 8, Kind.INTEGER, of=pairs.__getitem__),
        Column(N_("Group"), 8, Kind.INTEGER, of=report.group_of.get),
        Column(N_("Bytes"), 12, Kind.INTEGER, of=lambda number: documents[number].size),
        Column(N_("File changed (UTC)"), 17, Kind.TIME, of=changed),
        Column(N_("Kind"), 11, of=lambda number: documents[number].kind),
        Column(N_("Encoding"), 12, of=lambda number: documents[number].encoding),
        Column(N_("Language"), 10, of=report.languages.__getitem__),
        Column(N_("Characters"), 12, Kind.INTEGER, of=lambda number: documents[number].characters),
        Column(N_("Set aside"), 10, Kind.SHARE, of=excluded.get),
        Column(N_("Gone"), 24, of=gone),
        Column(N_("Remarks"), 50, Kind.LONG, of=lambda n: _in_lines(documents[n].remarks)),
        Column(N_("SHA-256 of the file"), 70, Kind.CODE, of=hashed("sha256")),
        Column(N_("XXH3 of the file"), 36, Kind.CODE, of=hashed("file_hash")),
        Column(N_("XXH3 of the text"), 36, Kind.CODE, of=hashed("text_hash")),
    )
    sheet = Sheet(book, gettext("Documents"), columns, fixed=1)
    sheet.fill(report.about, lambda number: {0: link(number)})


def _in_lines(sentences: Sequence[str]) -> str:
    return "\n".join(map(as_shown, sentences))


def write_problems(book: Book, report: Report) -> None:
    """Every file that gave no text, and what can be done about it."""
    calm, problem = gettext("other file"), gettext("problem")
    name = N_("Document") if report.is_part_of_run else N_("File")
    columns = (
        Column(name, NAME_WIDTH + 8, of=lambda file: file.name),
        Column(N_("What happened"), 28, of=lambda file: group_of(file).heading),
        Column(N_("In a sentence"), 54, Kind.LONG, of=lambda file: as_shown(file.detail)),
        Column(N_("What can be done"), 40, Kind.WORDS, of=lambda file: group_of(file).advice),
        Column(N_("Counts as"), 12, of=lambda file: calm if group_of(file).is_calm else problem),
        Column(N_("Code"), 18, of=lambda file: file.code.value),
    )
    Sheet(book, gettext("Problems"), columns, fixed=1).fill(report.problems)


def write_judged(book: Book, report: Report) -> None:
    """Every judged passage."""
    shows_text = report.choice.shows_text
    columns = (
        Column(N_("Judged as"), 18, of=lambda passage: gettext(passage.judgement.meaning)),
        Column(N_("Words"), 8, Kind.INTEGER, of=lambda passage: passage.words),
        Column(
            N_("Documents"), 11, Kind.INTEGER, of=lambda passage: len(passage.spans_by_document)
        ),
        Column(N_("Passage"), 70, Kind.LONG, of=lambda p: p.judgement.text if shows_text else ""),
        Column(
            N_("Stands in"),
            50,
            Kind.LONG,
            of=lambda p: "\n".join(map(report.name_of, p.spans_by_document)),
        ),
        Column(N_("By"), 16, of=lambda passage: passage.judgement.who),
        Column(N_("Judged (UTC)"), 17, Kind.TIME, of=lambda p: moment(p.judgement.time)),
    )
    Sheet(book, gettext("Judged passages"), columns, fixed=1).fill(report.judged_passages)


WIDTHS = (30, 84, 24, 24, 24)
SHOWN_LOGOS = ("image/png", "image/jpeg")
WIDEST_LOGO, HIGHEST_LOGO, DPI = 240, 60, 96  # pixels, and those of an inch
HEIGHTS = {Kind.TITLE: 26, Kind.HEADING: 20}  # points
WORKBOOK_LIMITS = ReportLimits(*[10**9] * 4)  # sheets hold all
# These have sheets of their own.
IN_SHEETS = {"pairs", "groups", "judged-passages", "missing", "problems", "remarks", "passages"}
IN_SHEETS |= {"documents"}


class WordSheet:
    """A sheet of headings, labels and sentences."""

    def __init__(self, book: Book, name: str) -> None:
        self._book = book
        self._sheet = book.begin(name)
        self._row = 0
        self._sheet.fit_to_pages(1, 0)
        for column, width in enumerate(WIDTHS):
            self._sheet.set_column(column, column, width, book.format(Kind.WORDS))

    def line(self, column: int, words: str, kind: Kind = Kind.WORDS) -> None:
        """Write words on a line of their own."""
        self.row([""] * column + [words], kind)

    def row(self, words: Sequence[str], kind: Kind = Kind.WORDS) -> None:
        """Write words side by side."""
        lines = max(lines_of(word, width) for word, width in zip(words, WIDTHS, strict=False))
        if lines > 1 or kind in HEIGHTS:
            self._sheet.set_row(self._row, HEIGHTS.get(kind, LINE_HEIGHT * lines))
        for column, word in enumerate(words):
            if word:
                text = CellText.of(word).text
                write_cell_text(self._sheet, self._row, column, text, self._book.format(kind))
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

    def section(self, section: blocks.Section) -> None:
        """Write all of a section."""
        self.gap()
        self.line(0, section.title, Kind.HEADING)
        for block in section.blocks:
            self.block(block)

    def block(self, block: blocks.Block) -> None:
        """Write a block; those of pairs stand in sheets of their own."""
        match block:
            case blocks.Heading(words):
                self.gap()
                self.line(0, words, Kind.LABEL)
            case blocks.Prose(lines) | blocks.ItemList(lines):
                self.lines(lines)
            case blocks.Picture():
                self.line(1, block.words)
            case blocks.Figures(items):
                for label, words in items:
                    digits = words.replace(language().group, "")
                    if digits.isdecimal():
                        self.number(label, int(digits))
                    else:
                        self.row((label, words))
            case blocks.Table():
                self._table(block)

    def _table(self, table: blocks.Table) -> None:
        self.gap()
        self.line(int(len(table.caption) > WIDTHS[0]), table.caption, Kind.LABEL)
        titles = [column.title for column in table.columns]
        if any(titles):
            self.row(titles, Kind.LABEL)
        for row in chain.from_iterable(table.parts):
            self.row(["\n".join(map(_text, cell.lines)) for cell in row.cells])
            if row.note:
                self.line(1, row.note)

    def lines(self, lines: Iterable[blocks.Line]) -> None:
        """Write lines to the right of the labels."""
        for line in lines:
            self.line(1, _text(line))

    def logo(self, picture: bytes) -> None:
        """Show a logo to the right of the head, if it is one that spreadsheets know."""
        if media_type(picture) not in SHOWN_LOGOS:
            return
        try:
            image = Image(BytesIO(picture))
        except (XlsxWriterException, struct.error):
            return
        scale = min(WIDEST_LOGO / image.width, HIGHEST_LOGO / image.height)
        scales = {"x_scale": scale * image.x_dpi / DPI, "y_scale": scale * image.y_dpi / DPI}
        self._sheet.insert_image(0, 2, image, {**scales, "description": gettext("Logo")})


def _text(line: blocks.Line) -> str:
    """The text of a line, with its marks set apart."""
    words = ""
    for span in line:
        words += " " * (span.kind is blocks.SpanKind.TAG and bool(words)) + span.text
    return words


def write_summary(sheet: WordSheet, book: Book, report: Report) -> None:
    """Write the summary, and what the other sheets, which are written by then, could not hold."""
    head = head_of(report)
    sheet.logo(report.choice.logo)
    if head.institution:
        sheet.line(0, head.institution, Kind.HEADING)
    sheet.line(0, head.title, Kind.TITLE)
    sheet.lines(head.lines)
    for section in summary(report, WORKBOOK_LIMITS):
        sheet.section(section)
    for sentence in _not_held(book):
        sheet.line(1, sentence)
    sheet.gap()
    sheet.line(0, gettext("Verdicts"), Kind.HEADING)
    for verdict, number in zip(VERDICTS, report.verdict_counts, strict=True):
        sheet.number(gettext(TITLES[verdict]), number)


def _not_held(book: Book) -> Iterator[str]:
    """Sentences on what a spreadsheet has no room for."""
    for name, number in book.cut.items():
        yield ngettext(
            "{sheet}: {n} text of more than {most} characters is shortened, as a cell holds no "
            "more.",
            "{sheet}: {n} texts of more than {most} characters are shortened, as a cell holds "
            "no more.",
            number,
            sheet=name,
            most=count(cells.LONGEST_CELL),
        )
    for name, number in book.unlinked.items():
        yield ngettext(
            "{sheet}: {n} name is no link to a file, as a sheet holds {most} links.",
            "{sheet}: {n} names are no links to files, as a sheet holds {most} links.",
            number,
            sheet=name,
            most=count(cells.MOST_LINKS),
        )
    for name, number in book.sheets.items():
        if number > 1:
            yield ngettext(
                "{sheet} goes on in {n} more sheet, as a sheet holds {most} rows.",
                "{sheet} goes on in {n} more sheets, as a sheet holds {most} rows.",
                number - 1,
                sheet=name,
                most=count(cells.MOST_ROWS),
            )


def write_settings(sheet: WordSheet, report: Report) -> None:
    """Write how the documents were compared, and all other sections of sentences."""
    for section in contents(report, WORKBOOK_LIMITS):
        if section.id not in IN_SHEETS:
            sheet.section(section)


class PassageSide(NamedTuple):
    """A passage in one of its documents."""

    document: PairDocument
    start: int
    end: int
    words: int

    @property
    def location(self) -> str:
        """The pages on which it stands."""
        return cite_location(self.document.text, self.document.kind, self.start, self.end)

    @property
    def shown(self) -> str:
        """Its text, which may not be shown as it is."""
        cuts = (self.start, self.end)
        [piece] = shown_pieces(self.document.text, cuts, self.document.withheld)
        return piece.replace("\f", "\n")


OF_PAIR = (
    Column("#", 6, Kind.INTEGER),
    Column(N_("A"), 28),
    Column(N_("B"), 28),
    Column(N_("Passage"), 9, Kind.INTEGER),
)
OF_PASSAGE = (
    Column(N_("Words"), 8, Kind.INTEGER, of=lambda passage: passage.length),
    Column(N_("The same"), 11, Kind.INTEGER, of=lambda passage: passage.tokens),
    Column(N_("In another form"), 9, Kind.INTEGER, of=lambda passage: passage.near),
    Column(N_("Exchanged"), 11, Kind.INTEGER, of=lambda passage: passage.exchanged),
    Column(N_("Longest run"), 9, Kind.INTEGER, of=lambda passage: passage.longest_run),
    Column(N_("Moved"), 8, of=lambda p: pgettext("passage", "moved") if p.moved else ""),
    Column(N_("Bits"), 8, Kind.BITS, of=lambda passage: round(passage.bits, 1)),
    Column(N_("In other pairs"), 26, Kind.WORDS, of=lambda passage: as_shown(passage.chance)),
)
OF_A_SIDE = (
    Column(N_("Words in {document}"), 11, Kind.INTEGER, of=lambda side: side.words),
    Column(N_("Where in {document}"), 12, of=lambda side: side.location),
    Column(N_("From in {document}"), 10, Kind.INTEGER, of=lambda side: side.start),
    Column(N_("To in {document}"), 10, Kind.INTEGER, of=lambda side: side.end),
)
TEXT = Column(N_("Text in {document}"), 60, Kind.LONG, of=lambda side: side.shown)


def write_passages_sheet(book: Book, report: Report, count: int, progress: Progress) -> None:
    """The passages of the first pairs, in the order of A; offsets count code points."""
    parts = (OF_A_SIDE, (TEXT,)) if report.choice.shows_text else (OF_A_SIDE,)
    of_sides = [(column, letter) for part in parts for letter in "AB" for column in part]
    sides = [column._replace(document=letter) for column, letter in of_sides]
    sheet = Sheet(book, gettext("Passages"), (*OF_PAIR, *OF_PASSAGE, *sides), fixed=4)
    for row, a, b in report.rows(count, progress):
        names = (report.rank_of(row), report.name_of(a), report.name_of(b))
        in_a, in_b = PairDocument.of(report, a), PairDocument.of(report, b)
        for number, passage in enumerate(report.passages_of(a, b).passages, 1):
            a_words, b_words = (
                passage.a_tokens or passage.tokens,
                passage.b_tokens or passage.tokens,
            )
            side_of = {
                "A": PassageSide(in_a, passage.a_start, passage.a_end, a_words),
                "B": PassageSide(in_b, passage.b_start, passage.b_end, b_words),
            }
            numbers = (column.of(passage) for column in OF_PASSAGE)
            values = (column.of(side_of[column.document]) for column in sides)
            sheet.write((*names, number, *numbers, *values))
    sheet.close()


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
    """The properties of the file; the time is that of the report."""
    texts = {
        "title": report.words.title,
        "company": report.choice.institution,
        "comments": f"Neardup {report.version}",
    }
    created = report.created.astimezone(UTC).replace(tzinfo=None, microsecond=0)
    return {**{key: CellText.of(value).text for key, value in texts.items()}, "created": created}


class _PolledFile:
    """A file that asks before each piece whether to go on, and takes no more once it is given up.

    An archive that is given up writes its end all the same when it is forgotten.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._offset = 0  # of the archive, once it is given up
        self.is_over = False

    def write(self, data: bytes) -> int:
        if self.is_over:
            self._offset += len(data)
            return len(data)
        stop_if_cancelled()
        return self._file.write(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        self._offset = offset  # an archive seeks from the beginning
        return offset if self.is_over else self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._offset if self.is_over else self._file.tell()

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
    link = cache(lambda number: file_link(report.documents[number]) if report.choice.names else "")
    with replaced_bytes(path) as file, new_book(file, report) as book:
        summary_sheet = WordSheet(book, gettext("Summary"))  # it stands first
        write_pairs(book, report, link, progress)
        write_groups(book, report)
        passages = min(len(report.pairs), report.choice.most_passages)
        write_passages_sheet(book, report, passages, progress)
        write_documents(book, report, link)
        if report.judged_passages:
            write_judged(book, report)
        write_problems(book, report)
        write_settings(WordSheet(book, gettext("Settings")), report)
        write_summary(summary_sheet, book, report)
