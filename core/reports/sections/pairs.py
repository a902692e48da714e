"""The ranked table of pairs."""

from __future__ import annotations

from collections.abc import Iterator

from core.reports.blocks import Align, Block, Cell, Column, Prose, Row, Section, Span, Table, line
from core.reports.blocks import SpanKind as Kind
from core.reports.limits import ReportLimits
from core.reports.model import Report
from core.reports.sections.names import cell, document_line, number_cell, pair_measures, tags
from core.reports.verdict_words import earlier_in_words, who_and_when


def pairs(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """All pairs with their numbers, as the user ordered them."""
    yield Section("pairs", "Pairs", _blocks(report, limits), "Pairs")


def _blocks(report: Report, limits: ReportLimits) -> Iterator[Block]:
    if len(report.pairs) == 0:
        listed = report.list_counts.listed
        yield Prose((line("No pair is shown." if listed else "No pairs are listed."),), quiet=True)
        return
    yield Table(
        "A and B are the two documents of a pair. All numbers are exact.",
        tuple(_columns(report)),
        (_rows(report, limits),),
        "pairs",
        searchable=True,
    )


def _columns(report: Report) -> Iterator[Column]:
    """The names of the numbers; the first stands at the left, beside its bar."""
    yield Column("#", Align.NUMBER)
    yield Column("Document A", weight=1)
    yield Column("Document B", weight=1)
    first, *others = (one.name for one in pair_measures(report))
    yield Column(first, Align.BAR)
    for title in others:
        yield Column(title, Align.NUMBER)
    if report.has_judgements:
        yield Column("Verdict")


def _rows(report: Report, limits: ReportLimits) -> Iterator[Row]:
    with_section = limits.pairs_with_sections(report)
    for row in range(min(len(report.pairs), limits.table_rows)):
        yield _row(report, row, linked=row < with_section)


def _row(report: Report, row: int, *, linked: bool) -> Row:
    listed, number = report.pairs, report.rank_of(row)
    target = f"pair-{number}" if linked else ""
    found = report.found_of(row)
    return Row(
        (
            Cell((line(Span(f"{number:,}", target=target)),), number),
            Cell((document_line(report, int(listed.a[row])),)),
            Cell((document_line(report, int(listed.b[row])),)),
            *_numbers(report, row),
            *_verdict(report, row),
        ),
        id=f"row-{number}",
        heads=True,
        note=found.judgement.note if found else "",
    )


def _numbers(report: Report, row: int) -> Iterator[Cell]:
    for place, measure in enumerate(pair_measures(report)):
        value = getattr(report.pairs, measure.column)[row].item()
        shown = number_cell(value, measure.shown(value))
        if place == 0:
            marks = (line(Span(words, Kind.TAG)) for words in tags(report, row))
            shown = shown._replace(lines=(*shown.lines, *marks))
        yield shown


def _verdict(report: Report, row: int) -> Iterator[Cell]:
    """What was judged, by whom and when, where anything was judged."""
    if not report.has_judgements:
        return
    found = report.found_of(row)
    if found is None:
        yield cell(Span("not reviewed", Kind.QUIET))
        return
    said = (*who_and_when(found), earlier_in_words(found))
    marks = (line(Span(words, Kind.TAG)) for words in said if words)
    yield Cell((line(found.judgement.verdict), *marks))
