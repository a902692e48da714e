"""The passages that were judged: what they are, who said so, and the documents that hold them."""

from __future__ import annotations

from collections.abc import Iterator

from core.base.wording import counted
from core.reports.blocks import Block, Cell, Column, Line, Row, Section, Span, SpanKind, Table, line
from core.reports.limits import ReportLimits
from core.reports.model import Report
from core.reports.pair_words import run_in_words
from core.reports.sections.names import document_line, joined, name
from core.scan.judged_passages import JudgedPassage

LONGEST = 2_000  # characters of a passage that a report for people shows


def judged(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """Every judged passage."""
    if report.judged_passages:
        blocks = _blocks(report, limits)
        yield Section("judged-passages", "Judged passages", blocks, "Judged passages")


def _blocks(report: Report, limits: ReportLimits) -> Iterator[Block]:
    yield Table(
        "Passages of which was said what they are. Text of the assignment and standard clauses are "
        "set aside in all documents: they count in no number.",
        (Column("Judged as"), Column("Passage", weight=2), Column("Documents", weight=1)),
        ((_row(report, passage, limits),) for passage in report.judged_passages[: limits.groups]),
        "groups",
    )


def _row(report: Report, passage: JudgedPassage, limits: ReportLimits) -> Row:
    judgement = passage.judgement
    said = (line(name(judgement.who), f", {judgement.time[:10]}"),) if judgement.who else ()
    length = line(run_in_words(passage.units, passage.words, report.settings.unit))
    text = line(Span(_shortened(judgement.text), SpanKind.QUOTE))
    return Row(
        (
            Cell((line(judgement.meaning), *said)),
            Cell((text, length) if report.choice.passages else (length,)),
            Cell(_documents(report, passage, limits)),
        ),
        heads=True,
    )


def _shortened(passage: str) -> str:
    if len(passage) <= LONGEST:
        return passage
    left_out = counted(len(passage) - LONGEST, "character")
    half = LONGEST // 2
    return f"{passage[:half]} [… {left_out} …] {passage[-half:]}"


def _documents(report: Report, passage: JudgedPassage, limits: ReportLimits) -> tuple[Line, ...]:
    shown = [document_line(report, number) for number in list(passage.places)[: limits.members]]
    more = len(passage.places) - len(shown)
    others = f", and {counted(more, 'other')}" if more else ""
    return (line(counted(len(passage.places), "document")), line(*joined(shown), others))
