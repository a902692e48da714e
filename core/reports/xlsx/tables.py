"""The sheets that are filtered and computed with: a row for each pair, document and so on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np

from core.base.tasks import Cancelled, Progress, stop_if
from core.documents.model import Document
from core.documents.problems import group_of
from core.evidence.measures import (
    EXACT_DIGITS,
    Measure,
    NumberKind,
    Where,
    found_by,
    measures_in,
)
from core.reports.list_words import unread
from core.reports.model import Report
from core.reports.pair_words import mark_in_list
from core.reports.rows import NOT_JUDGED, judged_values
from core.reports.xlsx.book import Book, Column, FileLinks, Kind, Sheet, Value, moment
from core.scan.groups import Group

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
KINDS = {
    NumberKind.RESEMBLANCE: Kind.RESEMBLANCE,
    NumberKind.SHARE: Kind.SHARE,
    NumberKind.COUNT: Kind.WHOLE,
}
NUMBERS = measures_in(Where.SHEET)
WIDTHS = {"exact_duplicate": 11, "found_by": 26, "weak_trace": 8}
NAME_WIDTH = 34
YES = "yes"
DOCUMENT_COLUMNS = (
    Column("Document", NAME_WIDTH + 8),
    Column("For", 11),
    Column("Pairs", 8, Kind.WHOLE),
    Column("Group", 8, Kind.WHOLE),
    Column("Bytes", 12, Kind.WHOLE),
    Column("File changed (UTC)", 17, Kind.TIME),
    Column("Kind", 11),
    Column("Encoding", 12),
    Column("Language", 10),
    Column("Characters", 12, Kind.WHOLE),
    Column("Set aside", 10, Kind.SHARE),
    Column("Gone", 24),
    Column("Remarks", 50, Kind.LONG),
    Column("SHA-256 of the file", 70, Kind.CODE),
    Column("XXH3 of the file", 36, Kind.CODE),
    Column("XXH3 of the text", 36, Kind.CODE),
)

PAIR_COLUMNS = (
    Column("#", 6, Kind.WHOLE),
    Column("A", NAME_WIDTH),
    Column("B", NAME_WIDTH),
    *(
        Column(one.name, WIDTHS.get(one.column, 13), KINDS.get(one.kind, Kind.TEXT))
        for one in NUMBERS
    ),
    Column("Listed for", 15),
    Column("Verdict", 14),
    Column("Note", 40, Kind.LONG),
    Column("By", 16),
    Column("Judged (UTC)", 17, Kind.TIME),
    Column("Changed since", 11, Kind.SHARE),
)


def write_pairs(
    book: Book, report: Report, links: FileLinks, progress: Progress, cancelled: Cancelled
) -> None:
    """Every pair in the order of the report, with its numbers and what was judged."""
    settings, pairs = report.settings, report.pairs
    sheet = Sheet(book, "Pairs", PAIR_COLUMNS, fixed=3)
    for row, a, b in report.rows(len(pairs), progress, cancelled):
        value, ways = float(pairs.resemblance[row]), int(pairs.found_by[row])
        sheet.write(
            (
                report.rank_of(row),
                report.name_of(a),
                report.name_of(b),
                *(_number(one, getattr(pairs, one.column)[row].item()) for one in NUMBERS),
                mark_in_list(value, ways, settings),
                *_judged(report, row),
            ),
            {1: links.of(a), 2: links.of(b)},
        )
    sheet.close()


def _number(measure: Measure, value: float) -> Value:
    """A number as the other tables have it; nothing where it was not measured."""
    if measure.kind is NumberKind.WAYS:
        return found_by(int(value))
    if measure.kind is NumberKind.FLAG:
        return YES if value else ""
    return round(value, measure.decimals) if value >= 0 else None


def _judged(report: Report, row: int) -> tuple[Value, ...]:
    """Verdict, note, who, when, and how much of the text is changed since."""
    found = report.found_of(row)
    if found is None:
        return NOT_JUDGED[:1]
    verdict, note, who, time, changed = judged_values(found)
    return verdict, note, who, moment(str(time)), changed


def write_groups(book: Book, report: Report, cancelled: Cancelled) -> None:
    """A row for each document of each group, the centre first."""
    columns = (
        Column("Group", 8, Kind.WHOLE),
        Column("Documents in it", 12, Kind.WHOLE),
        Column("Place", 18),
        Column("Document", NAME_WIDTH),
        Column("Resemblance to the centre", 15, Kind.RESEMBLANCE),
        Column("Same words as", NAME_WIDTH),
    )
    sheet = Sheet(book, "Groups", columns, fixed=1)
    for number, group in enumerate(report.groups, 1):
        for place, document, resemblance, same in _members(group):
            stop_if(cancelled)
            as_other = "" if same is None else report.name_of(same)
            name = report.name_of(document)
            sheet.write((number, group.size, place, name, resemblance, as_other))
    sheet.close()


def _members(group: Group) -> Iterator[tuple[str, int, Value, int | None]]:
    """Place, document, resemblance to the centre, and the document that it is a copy of."""
    yield "centre, chosen" if group.is_chosen else "centre", group.centre, None, None
    for copy in group.copies:
        yield "exact copy", copy, 1.0, group.centre
    for member in group.members:
        resemblance = round(member.resemblance, EXACT_DIGITS)
        yield "member", member.document, resemblance, None
        for copy in member.copies:
            yield "exact copy", copy, resemblance, member.document


def write_documents(book: Book, report: Report, links: FileLinks, cancelled: Cancelled) -> None:
    """Every document that the report is about, with what is known of its file."""
    pairs = np.bincount(np.concatenate((report.pairs.a, report.pairs.b)), minlength=1)
    groups = {one: place for place, of in enumerate(report.groups, 1) for one in of.documents}
    aside = {one.document: one.share for one in report.aside}
    sheet = Sheet(book, "Documents", DOCUMENT_COLUMNS, fixed=1)
    for number in report.in_order:
        document = report.documents[number]
        stop_if(cancelled)
        sheet.write(
            (
                report.name_of(number),
                str(document.role),
                int(pairs[number]) if number < len(pairs) else 0,
                groups.get(number),
                *_file(document),
                report.languages[number],
                document.characters,
                aside.get(number),
                document.absence.in_words if document.absence else "",
                "\n".join(document.remarks),
                *_hashes(report, document),
            ),
            {0: links.of(number)},
        )
    sheet.close()


def _file(document: Document) -> tuple[Value, ...]:
    """Size, time of the last change, kind, encoding."""
    seconds, rest = divmod(document.modified_ns, 10**9)
    changed = EPOCH + timedelta(seconds=seconds, microseconds=rest // 1000)
    return document.size, moment(changed), document.kind, document.encoding


def _hashes(report: Report, document: Document) -> tuple[Value, ...]:
    """What tells the file from all others; nothing where names are withheld."""
    hashes = (document.sha256, document.file_hash, document.text_hash)
    return hashes if report.choice.names else ()


def write_problems(book: Book, report: Report, cancelled: Cancelled) -> None:
    """Every file that gave no text, and what can be done about it."""
    columns = (
        Column(unread(is_part_of_run=report.is_part_of_run).capitalize(), NAME_WIDTH + 8),
        Column("What happened", 28),
        Column("In a sentence", 54, Kind.LONG),
        Column("What can be done", 40, Kind.WORDS),
        Column("Counts as", 12),
        Column("Code", 18),
    )
    sheet = Sheet(book, "Problems", columns, fixed=1)
    for problem in report.problems:
        stop_if(cancelled)
        kind = group_of(problem)
        counts_as = "other file" if kind.is_calm else "problem"
        said = (kind.heading, problem.detail, kind.advice, counts_as, problem.code.value)
        sheet.write((problem.name, *said))
    sheet.close()


def write_judged(book: Book, report: Report, cancelled: Cancelled) -> None:
    """Every passage of which was said what it is."""
    columns = (
        Column("Judged as", 18),
        Column("Words", 8, Kind.WHOLE),
        Column("Documents", 11, Kind.WHOLE),
        Column("Passage", 70, Kind.LONG),
        Column("Stands in", 50, Kind.LONG),
        Column("By", 16),
        Column("Judged (UTC)", 17, Kind.TIME),
    )
    sheet = Sheet(book, "Judged passages", columns, fixed=1)
    for passage in report.judged_passages:
        stop_if(cancelled)
        said = passage.judgement
        names = "\n".join(map(report.name_of, passage.places))
        text = said.text if report.choice.passages else ""
        numbers = (passage.words, len(passage.places))
        sheet.write((said.meaning.value, *numbers, text, names, said.who, moment(said.time)))
    sheet.close()
