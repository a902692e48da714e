"""The documents that were compared: what each is, and the hashes that it is known by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from core.base.wording import count, counted, listed, readable_size, resemblance
from core.documents.model import Document, Problem
from core.documents.problems import ProblemGroup, group_problems, page_words
from core.documents.readers import reader_of
from core.reports.blocks import (
    Align,
    Block,
    Cell,
    Column,
    Line,
    Row,
    Section,
    Span,
    SpanKind,
    Table,
    line,
)
from core.reports.limits import ReportLimits
from core.reports.list_words import moment_in_words, unread
from core.reports.model import Report
from core.reports.rows import GroupNumbers, group_numbers
from core.reports.sections.summary import cell, document_line, joined, name, number_cell
from core.scan.groups import Group
from core.scan.judgements import VERDICTS
from core.text.language_names import language_name

GROUP_COLUMNS = (
    Column("Group", Align.NUMBER),
    Column("Document", weight=1),
    Column("Resemblance", Align.BAR),
)


def groups(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """Every group with its centre first, and exact copies in the row of the first of them."""
    if report.groups:
        yield Section("groups", "Groups", _blocks(report, limits), "Groups")


def _blocks(report: Report, limits: ReportLimits) -> Iterator[Block]:
    shown = report.groups[: limits.groups]
    numbered = zip(range(1, len(shown) + 1), shown, group_numbers(report), strict=False)
    yield Table(
        "Each member with its resemblance to the centre of its group, which stands first.",
        GROUP_COLUMNS,
        (_rows(report, number, group, told, limits) for number, group, told in numbered),
        "groups",
    )


def _rows(
    report: Report, number: int, group: Group, told: GroupNumbers, limits: ReportLimits
) -> Iterator[Row]:
    reason = "chosen as the centre" if group.is_chosen else "most central"
    centre, *marks = document_line(report, group.centre)
    yield Row(
        (
            number_cell(number, f"{number:,}"),
            Cell(
                (
                    (centre._replace(kind=SpanKind.MAIN), *marks),
                    *_copies(report, group.copies, limits),
                )
            ),
            Cell(
                (
                    line(Span(f"{reason} of {counted(group.size, 'document')}", SpanKind.QUIET)),
                    *map(line, _in_words(told)),
                )
            ),
        ),
        heads=True,
    )
    for member in group.members[: limits.members - 1]:
        names = (document_line(report, member.document), *_copies(report, member.copies, limits))
        alike = number_cell(member.resemblance, resemblance(member.resemblance))
        yield Row((Cell(()), Cell(names), alike))


def _in_words(told: GroupNumbers) -> Iterator[str]:
    """How many pairs are between its documents, and what was judged of them."""
    yield f"{counted(told.pairs, 'pair')} between them"
    judged = zip(VERDICTS[1:], told.verdicts[1:], strict=True)
    words = [f"{count(number)} {verdict}" for verdict, number in judged if number]
    if words:
        yield listed(words)


def _copies(report: Report, copies: Sequence[int], limits: ReportLimits) -> Iterator[Line]:
    """What stands below a name: "and 3 exact copies: a.txt, b.txt, c.txt"."""
    if not copies:
        return
    shown = joined([document_line(report, copy) for copy in copies[: limits.members]])
    words = f"and {counted(len(copies), 'exact copy', 'exact copies')}: "
    more = ", …" if len(copies) > limits.members else ""
    yield line(words, *shown, more)


def missing(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """The documents that were compared with the text of an earlier scan."""
    if not report.missing:
        return
    rows = (
        _problems_row(one.name, one.absence.in_words if one.absence else "")
        for one in report.missing[: limits.problems]
    )
    table = Table(
        "Documents that were not there at the last scan, or could not be read. They were compared "
        "with the text of an earlier one.",
        _columns("State"),
        (rows,),
    )
    yield Section("missing", "Gone or not read", (table,), "Gone")


def problems(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """The files that gave no text, by what happened to them."""
    if not report.problems:
        return
    noun = unread(is_part_of_run=report.is_part_of_run)
    table = Table(
        f"{noun.capitalize()}s that gave no text and were not compared.",
        _columns("Reason", noun),
        _groups(report, limits, noun),
    )
    yield Section("problems", "Problems", (table,), "Problems")


def remarks(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """What is not in the texts that were compared, or not sure."""
    if not report.remarked:
        return
    rows = (
        _problems_row(one.name, " ".join(one.remarks)) for one in report.remarked[: limits.problems]
    )
    table = Table(
        "Documents that were compared, and what is not in their text or not sure.",
        _columns("Remark"),
        (rows,),
    )
    yield Section("remarks", "Remarks", (table,), "Remarks")


def _columns(second: str, noun: str = "file") -> tuple[Column, Column]:
    return (Column(noun.capitalize(), weight=2), Column(second, weight=3))


def _problems_row(file: str, words: str) -> Row:
    return Row((cell(name(file)), cell(words)))


def _groups(report: Report, limits: ReportLimits, noun: str) -> Iterator[Iterator[Row]]:
    """A part of the table for everything that happened, while the limit lasts."""
    left = limits.problems
    for group in group_problems(report.problems):
        if left <= 0:
            return
        yield _group(group, group.problems[:left], noun)
        left -= len(group.problems)


def _group(group: ProblemGroup, shown: Sequence[Problem], noun: str) -> Iterator[Row]:
    count = counted(len(group.problems), noun)
    advice = Span(f" ({count}). {group.kind.advice}", SpanKind.QUIET)
    yield Row((cell(group.kind.heading, advice),), heads=True)
    for problem in shown:
        yield _problems_row(problem.name, problem.detail)


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
PAGE_MARK = "\f"
CAPTION = (
    "The documents of these pairs, each with the hashes by which its file and its text can be told "
    "from all others."
)
WITHHELD = " They are made with the secret in the key: without it they tell nobody the file."
OTHERS = " The record that this file carries has {others}."
DOCUMENT_COLUMNS = (
    Column("Document", weight=1),
    Column("Pairs", Align.NUMBER),
    Column("Language"),
)


def documents(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """Every document of its pairs; nothing where there is none."""
    if report.involved:
        blocks: Iterator[Block] = iter((_table(report, limits),))
        yield Section("documents", "Documents", blocks, "Documents")


def _table(report: Report, limits: ReportLimits) -> Table:
    both = np.concatenate((report.pairs.a, report.pairs.b))
    pairs = np.bincount(both, minlength=len(report.documents)).tolist()
    rows = (
        _row(report, number, pairs[number], limits)
        for number in report.involved[: limits.table_rows]
    )
    others = len(report.about) - len(report.involved)
    caption = (
        CAPTION,
        "" if report.choice.names else WITHHELD,
        OTHERS.format(others=counted(others, "other document")) if others else "",
    )
    return Table("".join(caption), DOCUMENT_COLUMNS, (rows,))


def _row(report: Report, number: int, pairs: int, limits: ReportLimits) -> Row:
    document = report.documents[number]
    names = (
        document_line(report, number),
        line(_file(report, number)),
        *_members(report, document, limits),
        *_hashes(report, document),
    )
    language = report.languages[number]
    return Row(
        (
            Cell(tuple(one for one in names if one)),
            number_cell(pairs, count(pairs)),
            cell(language_name(language) if language else ""),
        ),
        id=f"document-{number + 1}",
        heads=True,
    )


def _file(report: Report, number: int) -> str:
    """What its file is: "a PDF file, 12 pages, 34,120 characters, 35 kB, last changed ..."."""
    document = report.documents[number]
    reader = reader_of(document.kind)
    told = (
        reader.label if reader else document.kind,
        document.encoding,
        _pages(report.text_of(number), document.kind),
        counted(document.characters, "character"),
        readable_size(document.size),
        _changed(document.modified_ns),
    )
    return ", ".join(one for one in told if one)


def _pages(text: str, kind: str) -> str:
    """How many pages, slides or sheets there are; "" where a text is not parted into any."""
    marks, words = text.count(PAGE_MARK), page_words(kind)
    return counted(marks + 1, words.singular, words.plural) if marks else ""


def _changed(modified_ns: int) -> str:
    """When the file was changed last, by the clock of the world: the same everywhere."""
    try:
        moment = EPOCH + timedelta(microseconds=modified_ns // 1000)
    except OverflowError:
        return ""
    return f"last changed {moment_in_words(moment.isoformat())}"


def _members(report: Report, document: Document, limits: ReportLimits) -> Iterator[Line]:
    """The files of a submission, each with its hash."""
    members = document.members
    if members:
        more = (
            f", of which {count(limits.members)} are named" if len(members) > limits.members else ""
        )
        yield line(f"{counted(len(members), 'file')}{more}:")
    for one in members[: limits.members]:
        yield line(name(one.name), *_hash(report, " SHA-256 ", one.sha256))


def _hashes(report: Report, document: Document) -> Iterator[Line]:
    """Those of the file, and of its text."""
    yield _hash(report, "SHA-256 ", document.sha256) or _hash(report, "XXH3 ", document.file_hash)
    yield _hash(report, "XXH3 of the text ", document.text_hash)


def _hash(report: Report, what: str, digest: str) -> Line:
    """Nothing where it is not known: older versions took none."""
    return line(what, Span(report.hash_of(digest), SpanKind.CODE)) if digest else ()
