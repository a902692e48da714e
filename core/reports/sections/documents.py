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
from core.reports.sections.names import cell, document_line, name, number_cell
from core.reports.verdict_words import moment_in_words
from core.text.language_names import language_name

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
PAGE_MARK = "\f"
CAPTION = (
    "Each document with the number of its pairs in this report, and with the hashes by which its "
    "file and its text can be told from all others, in hexadecimal."
)
WITHHELD = " They are made with the secret in the key: without it they tell nobody the file."
COLUMNS = (
    Column("Document", weight=1),
    Column("Pairs", Align.NUMBER),
    Column("Language"),
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
    return Table(CAPTION + ("" if report.choice.names else WITHHELD), COLUMNS, (rows,))


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
    text = _hash(report, ", of the text ", document.text_hash)
    yield _hash(report, "SHA-256 ", document.sha256)
    yield (*_hash(report, "XXH3 ", document.file_hash), *text)


def _hash(report: Report, what: str, digest: str) -> Line:
    """Nothing where it is not known: older versions took none."""
    return line(what, Span(report.hash_of(digest), SpanKind.CODE)) if digest else ()
