"""The documents that were compared: what each is, and the hashes that it is known by."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np

from core.base.wording import count, counted, readable_size
from core.documents.model import Document
from core.documents.page_marks import page_words
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
from core.reports.model import Report
from core.reports.sections.names import cell, document_line, joined, name, number_cell
from core.reports.verdict_words import moment_in_words
from core.text.language_names import language_name

__all__ = ["documents"]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
PAGE_MARK = "\f"
CAPTION = (
    "Each document with the number of its pairs in this report, and with the hashes by which its "
    "file and its text can be told from all others: XXH3 of 128 bits, in hexadecimal."
)
COLUMNS = (
    Column("Document", weight=1),
    Column("Pairs", Align.NUMBER),
    Column("Language"),
    Column("Characters", Align.NUMBER),
)


def documents(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """Every document that the report is about; nothing where there is none."""
    if report.about:
        blocks: Iterator[Block] = iter((_table(report, limits),))
        yield Section("documents", "Documents", blocks, "Documents")


def _table(report: Report, limits: ReportLimits) -> Table:
    both = np.concatenate((report.pairs.a, report.pairs.b))
    pairs = np.bincount(both, minlength=len(report.documents)).tolist()
    rows = (
        _row(report, number, pairs[number], limits)
        for number in report.in_order[: limits.table_rows]
    )
    return Table(CAPTION, COLUMNS, (rows,))


def _row(report: Report, number: int, pairs: int, limits: ReportLimits) -> Row:
    document = report.documents[number]
    names = (
        document_line(report, number),
        line(_file(report, number)),
        *_members(document, limits),
        *_hashes(report, document),
    )
    language = report.languages[number]
    return Row(
        (
            Cell(tuple(one for one in names if one)),
            number_cell(pairs, count(pairs)),
            cell(language_name(language) if language else ""),
            number_cell(document.characters, count(document.characters)),
        ),
        id=f"document-{number + 1}",
        heads=True,
    )


def _file(report: Report, number: int) -> str:
    """What its file is: "a PDF file, 12 pages, 35 kB, last changed 2026-11-22 12:00 UTC"."""
    document = report.documents[number]
    reader = reader_of(document.kind)
    told = (
        reader.label if reader else document.kind,
        document.encoding,
        _pages(report.text_of(number), document.kind),
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


def _members(document: Document, limits: ReportLimits) -> Iterator[Line]:
    """The files of a submission: "2 files: essay.docx, notes.txt"."""
    members = document.members
    if members:
        shown = joined([line(name(one.name)) for one in members[: limits.members]])
        more = ", …" if len(members) > limits.members else ""
        yield line(f"{counted(len(members), 'file')}: ", *shown, more)


def _hashes(report: Report, document: Document) -> Iterator[Line]:
    """Not where names are withheld: who has the files would know them by these."""
    told = (("file", document.file_hash), ("text", document.text_hash))
    for what, digest in told if report.choice.names else ():
        if digest:
            yield line(f"{what} ", Span(digest, SpanKind.CODE))
