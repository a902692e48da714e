"""Names of documents and marks of pairs, as every section writes them."""

from __future__ import annotations

from collections.abc import Sequence

from core.reports.blocks import Cell, Line, Span, SpanKind, line
from core.reports.measures import EXACT_DUPLICATE, Measure, measures
from core.reports.model import Report
from core.reports.pair_words import ListedFor, listed_for


def name(words: str) -> Span:
    """A name, whose writing direction is its own."""
    return Span(words, SpanKind.NAME)


def document_line(report: Report, document: int) -> Line:
    """The name of a document, with a mark where it is not there any more."""
    return line(name(report.name_of(document)), Span(report.mark_of(document), SpanKind.TAG))


def joined(lines: Sequence[Line], last: str = ", ") -> Line:
    """Lines in a row on one: "a, b, c", or with `last` as " and ": "a, b and c"."""
    return tuple(
        span
        for place, spans in enumerate(lines)
        for span in (*_between(place, len(lines), last), *spans)
    )


def _between(place: int, count: int, last: str) -> Line:
    if place == 0:
        return ()
    return line(last if place == count - 1 else ", ")


def cell(*parts: str | Span) -> Cell:
    """A cell with one line."""
    return Cell((line(*parts),))


def number_cell(value: float, words: str) -> Cell:
    """A cell with a number, by which it is sorted, in words."""
    return Cell((line(words),), value)


def pair_measures(report: Report) -> Sequence[Measure]:
    """The numbers that every pair of the report has."""
    settings = report.settings
    return measures(settings.unit, bag=settings.bag, reworked=settings.reworked != "off")


def tags(report: Report, row: int) -> tuple[str, ...]:
    """What is to be marked about a pair: that it is a duplicate, or listed for a passage."""
    pairs = report.pairs
    value, found_by = float(pairs.resemblance[row]), int(pairs.found_by[row])
    words = (
        EXACT_DUPLICATE.shown(pairs.exact_duplicate[row]),
        listed_for(ListedFor.of(value, found_by, report.settings)),
    )
    return tuple(word for word in words if word)
