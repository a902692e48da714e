"""The sheets that are filtered and computed with: a row for each pair, document and so on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np

from core.base.messages import N_, as_shown, gettext
from core.base.tasks import Progress, stop_if_cancelled
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
from core.reports.model import Report
from core.reports.pair_words import mark_in_list
from core.reports.properties_words import shared_in_words
from core.reports.rows import judged_values
from core.reports.xlsx.book import Book, Column, FileLinks, Kind, Sheet, Value, moment
from core.scan.groups import Group
from core.scan.judgements import Verdict

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
KINDS = {
    NumberKind.RESEMBLANCE: Kind.RESEMBLANCE,
    NumberKind.SHARE: Kind.SHARE,
    NumberKind.COUNT: Kind.WHOLE,
}
NUMBERS = measures_in(Where.SHEET)
WIDTHS = {"exact_duplicate": 11, "found_by": 26, "weak_trace": 8}
NAME_WIDTH = 34
DOCUMENT_COLUMNS = (
    Column(N_("Document"), NAME_WIDTH + 8),
    Column(N_("For"), 11),
    Column(N_("Pairs"), 8, Kind.WHOLE),
    Column(N_("Group"), 8, Kind.WHOLE),
    Column(N_("Bytes"), 12, Kind.WHOLE),
    Column(N_("File changed (UTC)"), 17, Kind.TIME),
    Column(N_("Kind"), 11),
    Column(N_("Encoding"), 12),
    Column(N_("Language"), 10),
    Column(N_("Characters"), 12, Kind.WHOLE),
    Column(N_("Set aside"), 10, Kind.SHARE),
    Column(N_("Gone"), 24),
    Column(N_("Remarks"), 50, Kind.LONG),
    Column(N_("SHA-256 of the file"), 70, Kind.CODE),
    Column(N_("XXH3 of the file"), 36, Kind.CODE),
    Column(N_("XXH3 of the text"), 36, Kind.CODE),
)

PAIR_COLUMNS = (
    Column("#", 6, Kind.WHOLE),
    Column(N_("A"), NAME_WIDTH),
    Column(N_("B"), NAME_WIDTH),
    *(
        Column(measure.name, WIDTHS.get(measure.column, 13), KINDS.get(measure.kind, Kind.TEXT))
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


def write_pairs(book: Book, report: Report, links: FileLinks, progress: Progress) -> None:
    """Every pair in the order of the report, with its numbers and what was judged."""
    settings, pairs = report.settings, report.pairs
    asked_for = [Column(N_("File properties"), 50, Kind.LONG)] if report.file_properties else []
    columns = (*PAIR_COLUMNS, *asked_for, *JUDGED_COLUMNS)
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
                *("\n".join(_shared(report, row)) for _ in asked_for),
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
        return gettext("yes") if value else ""
    return round(value, measure.decimals) if value >= 0 else None


def _shared(report: Report, row: int) -> Iterator[str]:
    """What the files of a pair share besides text, a line each."""
    for shared_property in report.shared_properties(row):
        yield shared_in_words(shared_property, names=report.choice.names)


def _judged(report: Report, row: int) -> tuple[Value, ...]:
    """Verdict, note, who, when, and how much of the text is changed since."""
    judged = report.found_of(row)
    if judged is None:
        return (gettext(Verdict.NOT_REVIEWED),)
    verdict, note, who, time, changed = judged_values(judged)
    return gettext(str(verdict)), note, who, moment(str(time)), changed


def write_groups(book: Book, report: Report) -> None:
    """A row for each document of each group, the centre first."""
    columns = (
        Column(N_("Group"), 8, Kind.WHOLE),
        Column(N_("Documents in it"), 12, Kind.WHOLE),
        Column(N_("Place"), 18),
        Column(N_("Document"), NAME_WIDTH),
        Column(N_("Overlap with the centre"), 15, Kind.SHARE),
        Column(N_("Same words as"), NAME_WIDTH),
    )
    sheet = Sheet(book, gettext("Groups"), columns, fixed=1)
    for number, group in enumerate(report.groups, 1):
        for place, document, overlap, same in _members(group):
            stop_if_cancelled()
            as_other = "" if same is None else report.name_of(same)
            name = report.name_of(document)
            sheet.write((number, group.size, place, name, overlap, as_other))
    sheet.close()


def _members(group: Group) -> Iterator[tuple[str, int, Value, int | None]]:
    """Place, document, overlap with the centre, and the document that it is a copy of."""
    centre = gettext("centre, chosen") if group.is_chosen else gettext("centre")
    yield centre, group.centre, None, None
    for copy in group.copies:
        yield gettext("exact copy"), copy, 1.0, group.centre
    for member in group.members:
        overlap = round(member.score, EXACT_DIGITS)
        yield gettext("member"), member.document, overlap, None
        for copy in member.copies:
            yield gettext("exact copy"), copy, overlap, member.document


def write_documents(book: Book, report: Report, links: FileLinks) -> None:
    """Every document that the report is about, with what is known of its file."""
    pairs = np.bincount(np.concatenate((report.pairs.a, report.pairs.b)), minlength=1)
    groups = {member: place for place, of in enumerate(report.groups, 1) for member in of.documents}
    aside = {share.document: share.share for share in report.aside}
    sheet = Sheet(book, gettext("Documents"), DOCUMENT_COLUMNS, fixed=1)
    for number in report.in_order:
        document = report.documents[number]
        stop_if_cancelled()
        sheet.write(
            (
                report.name_of(number),
                gettext(document.role),
                int(pairs[number]) if number < len(pairs) else 0,
                groups.get(number),
                *_file(document),
                report.languages[number],
                document.characters,
                aside.get(number),
                document.absence.in_words if document.absence else "",
                "\n".join(map(as_shown, document.remarks)),
                *_hashes(report, document),
            ),
            {0: links.of(number)},
        )
    sheet.close()


def _file(document: Document) -> tuple[Value, ...]:
    """Size, time of the last change, kind, encoding."""
    seconds, rest = divmod(document.modified_ns, 10**9)
    changed = EPOCH + timedelta(seconds=seconds, microseconds=rest // 1000)
    modified = moment(changed) if document.modified_ns else None
    return document.size, modified, document.kind, document.encoding


def _hashes(report: Report, document: Document) -> tuple[Value, ...]:
    """What tells the file from all others; nothing where names are withheld."""
    hashes = (document.sha256, document.file_hash, document.text_hash)
    return hashes if report.choice.names else ()


def write_problems(book: Book, report: Report) -> None:
    """Every file that gave no text, and what can be done about it."""
    columns = (
        Column(N_("Document") if report.is_part_of_run else N_("File"), NAME_WIDTH + 8),
        Column(N_("What happened"), 28),
        Column(N_("In a sentence"), 54, Kind.LONG),
        Column(N_("What can be done"), 40, Kind.WORDS),
        Column(N_("Counts as"), 12),
        Column(N_("Code"), 18),
    )
    sheet = Sheet(book, gettext("Problems"), columns, fixed=1)
    for problem in report.problems:
        stop_if_cancelled()
        kind = group_of(problem)
        counts_as = gettext("other file") if kind.is_calm else gettext("problem")
        detail = as_shown(problem.detail)
        said = (kind.heading, detail, kind.advice, counts_as, problem.code.value)
        sheet.write((problem.name, *said))
    sheet.close()


def write_judged(book: Book, report: Report) -> None:
    """Every passage of which was said what it is."""
    columns = (
        Column(N_("Judged as"), 18),
        Column(N_("Words"), 8, Kind.WHOLE),
        Column(N_("Documents"), 11, Kind.WHOLE),
        Column(N_("Passage"), 70, Kind.LONG),
        Column(N_("Stands in"), 50, Kind.LONG),
        Column(N_("By"), 16),
        Column(N_("Judged (UTC)"), 17, Kind.TIME),
    )
    sheet = Sheet(book, gettext("Judged passages"), columns, fixed=1)
    for passage in report.judged_passages:
        stop_if_cancelled()
        said = passage.judgement
        names = "\n".join(map(report.name_of, passage.places))
        text = said.text if report.choice.shows_text else ""
        numbers = (passage.words, len(passage.places))
        meaning = gettext(said.meaning)
        sheet.write((meaning, *numbers, text, names, said.who, moment(said.time)))
    sheet.close()
