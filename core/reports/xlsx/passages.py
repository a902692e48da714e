"""The sheet of passages: where each stands, its numbers, and both texts side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from core.base.progress import Cancelled, Progress
from core.documents.page_marks import cite_place
from core.reports.model import Report
from core.reports.shown_text import Withheld, shown_pieces
from core.reports.xlsx.book import Book, Sheet
from core.reports.xlsx.cells import Value
from core.reports.xlsx.looks import Column, Kind
from core.text.line_ends import run_on

if TYPE_CHECKING:
    from core.evidence.passage import Passage

TEXT_WIDTH = 60  # characters
COLUMNS = (
    Column("#", 6, Kind.WHOLE),
    Column("A", 28),
    Column("B", 28),
    Column("Passage", 9, Kind.WHOLE),
    Column("Words", 8, Kind.WHOLE),
    Column("The same", 11, Kind.WHOLE),
    Column("In another form", 9, Kind.WHOLE),
    Column("Exchanged", 11, Kind.WHOLE),
    Column("Longest run", 9, Kind.WHOLE),
    Column("Moved", 8),
    Column("Bits", 8, Kind.BITS),
    Column("In other pairs", 26, Kind.WORDS),
)
OF_A_SIDE = (
    Column("Words in", 11, Kind.WHOLE),
    Column("Where in", 12),
    Column("From in", 10, Kind.WHOLE),
    Column("To in", 10, Kind.WHOLE),
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


def write_passages_sheet(
    book: Book, report: Report, count: int, progress: Progress, cancelled: Cancelled
) -> None:
    """The passages of the first pairs, in the order of A; offsets count code points."""
    sides = [column._replace(title=f"{column.title} {one}") for one in "AB" for column in OF_A_SIDE]
    with_texts = report.choice.passages
    last = [Column(f"Text in {one}", TEXT_WIDTH, Kind.LONG) for one in "AB" if with_texts]
    sheet = Sheet(book, "Passages", (*COLUMNS, *sides, *last), fixed=4)
    for row, a, b in report.rows(count, progress, cancelled):
        names = (report.rank_of(row), report.name_of(a), report.name_of(b))
        documents = {number: _Document.of(report, number) for number in (a, b)}
        for number, one in enumerate(report.passages_of(a, b).passages, 1):
            places = (
                _Side(a, one.a_start, one.a_end, one.a_tokens or one.tokens),
                _Side(b, one.b_start, one.b_end, one.b_tokens or one.tokens),
            )
            where = [value for one in places for value in documents[one.document].where(one)]
            shown = [documents[one.document].shown(one) for one in places] if with_texts else []
            values = (*names, number, *_numbers(one), *where, *shown)
            sheet.write(values)
    sheet.close()


def _numbers(passage: Passage) -> tuple[Value, ...]:
    moved = "moved" if passage.moved else ""
    return (
        passage.length,
        passage.tokens,
        passage.near,
        passage.exchanged,
        passage.longest_run,
        moved,
        round(passage.bits, 1),
        passage.chance,
    )
