"""The documents that were compared: what each is, and the hashes that it is known by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

import numpy as np

from core.base.language_names import language_name
from core.base.messages import as_shown, gettext, ngettext
from core.base.wording import count, in_a_row, listed, readable_size, share
from core.documents.model import Document, Problem
from core.documents.problems import ProblemGroup, group_problems, page_words
from core.documents.readers import reader_of
from core.evidence.measures import length_in_words
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
from core.reports.list_words import moment_in_words, unread_in_words, verdicts_in_words
from core.reports.model import Report
from core.reports.rows import GroupNumbers, group_numbers
from core.reports.sections.summary import cell, document_line, name, number_cell, row_of
from core.scan.groups import Group
from core.scan.judgements import VERDICTS


def groups(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """Every group with its centre first, and exact copies in the row of the first of them."""
    if report.groups:
        title = gettext("Groups")
        yield Section("groups", title, _blocks(report, limits), title)


def _blocks(report: Report, limits: ReportLimits) -> Iterator[Block]:
    shown = report.groups[: limits.groups]
    numbered = zip(range(1, len(shown) + 1), shown, group_numbers(report), strict=False)
    yield Table(
        gettext("Each member with its overlap with the centre of its group, which stands first."),
        (
            Column(gettext("Group"), Align.NUMBER),
            Column(gettext("Document"), weight=1),
            Column(gettext("Overlap"), Align.BAR),
        ),
        (_rows(report, number, group, numbers, limits) for number, group, numbers in numbered),
        "groups",
    )


def _rows(
    report: Report, number: int, group: Group, numbers: GroupNumbers, limits: ReportLimits
) -> Iterator[Row]:
    reason = ngettext("most central of {n} document", "most central of {n} documents", group.size)
    if group.is_chosen:
        reason = ngettext(
            "chosen as the centre of {n} document",
            "chosen as the centre of {n} documents",
            group.size,
        )
    centre, *marks = document_line(report, group.centre)
    yield Row(
        (
            number_cell(number, count(number)),
            Cell(
                (
                    (centre._replace(kind=SpanKind.MAIN), *marks),
                    *_copies(report, group.copies, limits),
                )
            ),
            Cell(
                (
                    line(Span(reason, SpanKind.QUIET)),
                    *map(line, _in_words(numbers)),
                )
            ),
        ),
        heads=True,
    )
    for member in group.members[: limits.members - 1]:
        names = (document_line(report, member.document), *_copies(report, member.copies, limits))
        alike = number_cell(member.score, share(member.score))
        yield Row((Cell(()), Cell(names), alike))


def _in_words(numbers: GroupNumbers) -> Iterator[str]:
    """How many pairs are between its documents, and what was judged of them."""
    yield ngettext("{n} pair between them", "{n} pairs between them", numbers.pairs)
    judged = zip(VERDICTS[1:], numbers.verdicts[1:], strict=True)
    words = [verdicts_in_words(number, verdict) for verdict, number in judged if number]
    if words:
        yield listed(words)


def _copies(report: Report, copies: Sequence[int], limits: ReportLimits) -> Iterator[Line]:
    """What stands below a name: "and 3 exact copies: a.txt, b.txt, c.txt"."""
    if not copies:
        return
    shown = row_of([document_line(report, copy) for copy in copies[: limits.members]])
    words = ngettext("and {n} exact copy:", "and {n} exact copies:", len(copies))
    more = ", …" if len(copies) > limits.members else ""
    yield line(f"{words} ", *shown, more)


def missing(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """The documents that were compared with the text of an earlier scan."""
    if not report.missing:
        return
    rows = (
        _problems_row(document.name, document.absence.in_words if document.absence else "")
        for document in report.missing[: limits.problems]
    )
    table = Table(
        gettext(
            "Documents that were not there at the last scan, or could not be read. They were "
            "compared with the text of an earlier one."
        ),
        _columns(gettext("File"), gettext("State")),
        (rows,),
    )
    yield Section("missing", gettext("Gone or not read"), (table,), gettext("Gone"))


def problems(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """The files that gave no text, by what happened to them."""
    if not report.problems:
        return
    caption, first = gettext("Files that gave no text and were not compared."), gettext("File")
    if report.is_part_of_run:
        caption = gettext("Documents that gave no text and were not compared.")
        first = gettext("Document")
    table = Table(caption, _columns(first, gettext("Reason")), _groups(report, limits))
    title = gettext("Problems")
    yield Section("problems", title, (table,), title)


def remarks(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """What is not in the texts that were compared, or not sure."""
    if not report.remarked:
        return
    rows = (
        _problems_row(document.name, " ".join(map(as_shown, document.remarks)))
        for document in report.remarked[: limits.problems]
    )
    table = Table(
        gettext("Documents that were compared, and what is not in their text or not sure."),
        _columns(gettext("File"), gettext("Remark")),
        (rows,),
    )
    title = gettext("Remarks")
    yield Section("remarks", title, (table,), title)


def _columns(first: str, second: str) -> tuple[Column, Column]:
    return (Column(first, weight=2), Column(second, weight=3))


def _problems_row(file: str, words: str) -> Row:
    return Row((cell(name(file)), cell(words)))


def _groups(report: Report, limits: ReportLimits) -> Iterator[Iterator[Row]]:
    """A part of the table for everything that happened, while the limit lasts."""
    left = limits.problems
    for group in group_problems(report.problems):
        if left <= 0:
            return
        yield _group(report, group, group.problems[:left])
        left -= len(group.problems)


def _group(report: Report, group: ProblemGroup, shown: Sequence[Problem]) -> Iterator[Row]:
    files = unread_in_words(len(group.problems), is_part_of_run=report.is_part_of_run)
    advice = Span(f" ({files}). {group.kind.advice}", SpanKind.QUIET)
    yield Row((cell(group.kind.heading, advice),), heads=True)
    for problem in shown:
        yield _problems_row(problem.name, as_shown(problem.detail))


def documents(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """Every document of its pairs; nothing where there is none."""
    if report.involved:
        blocks: Iterator[Block] = iter((_table(report, limits),))
        title = gettext("Documents")
        yield Section("documents", title, blocks, title)


def _table(report: Report, limits: ReportLimits) -> Table:
    both = np.concatenate((report.pairs.a, report.pairs.b))
    pairs = np.bincount(both, minlength=len(report.documents)).tolist()
    rows = (
        _row(report, number, pairs[number], limits)
        for number in report.involved[: limits.table_rows]
    )
    others = len(report.about) - len(report.involved)
    caption = [
        gettext(
            "The documents of these pairs, each with the hashes by which its file and its text can "
            "be told from all others."
        )
    ]
    if not report.choice.names:
        caption.append(
            gettext(
                "They are made with the secret in the key: without it they tell nobody the file."
            )
        )
    if others:
        caption.append(
            ngettext(
                "The record that this file carries has {n} other document.",
                "The record that this file carries has {n} other documents.",
                others,
            )
        )
    columns = (
        Column(gettext("Document"), weight=1),
        Column(gettext("Pairs"), Align.NUMBER),
        Column(gettext("Language")),
    )
    return Table(" ".join(caption), columns, (rows,))


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
            Cell(tuple(text_line for text_line in names if text_line)),
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
    facts = (
        gettext(reader.label) if reader else document.kind,
        document.encoding,
        _pages(report.text_of(number), document.kind),
        length_in_words(document.characters, "char"),
        readable_size(document.size),
        _changed(document.modified),
    )
    return in_a_row(facts)


def _pages(text: str, kind: str) -> str:
    """How many pages, slides or sheets there are; "" where a text is not parted into any."""
    marks = text.count("\f")
    return page_words(kind).number(marks + 1) if marks else ""


def _changed(modified: datetime | None) -> str:
    if modified is None:
        return ""
    return gettext("last changed {time}", time=moment_in_words(modified.isoformat()))


def _members(report: Report, document: Document, limits: ReportLimits) -> Iterator[Line]:
    """The files of a submission, each with its hash."""
    members = document.members
    if len(members) > limits.members:
        yield line(
            gettext(
                "{number} files, of which {named} are named:",
                number=count(len(members)),
                named=count(limits.members),
            )
        )
    elif members:
        yield line(ngettext("{n} file:", "{n} files:", len(members)))
    for member in members[: limits.members]:
        yield line(name(member.name), *_hash(report, " SHA-256 ", member.sha256))


def _hashes(report: Report, document: Document) -> Iterator[Line]:
    """Those of the file, and of its text."""
    yield _hash(report, "SHA-256 ", document.sha256) or _hash(report, "XXH3 ", document.file_hash)
    yield _hash(report, gettext("XXH3 of the text") + " ", document.text_hash)


def _hash(report: Report, what: str, digest: str) -> Line:
    """Nothing where it is not known, as of some runs on a cluster."""
    return line(what, Span(report.hash_of(digest), SpanKind.CODE)) if digest else ()
