"""How the documents were compared: in sentences, settings and the meaning of the numbers."""

from __future__ import annotations

from collections.abc import Iterator

from core.reports.blocks import (
    Align,
    Block,
    Cell,
    Column,
    Prose,
    Row,
    Section,
    Span,
    SpanKind,
    Table,
    line,
)
from core.reports.limits import ReportLimits
from core.reports.measures import EXACT_DUPLICATE
from core.reports.model import Report
from core.reports.sections.names import cell, pair_measures
from core.reports.settings_words import (
    found_in_words,
    setting_rows,
    settings_in_words,
)

FACTS = (Column("", Align.TEXT), Column("", Align.TEXT, 1))


def method(report: Report, _limits: ReportLimits) -> Iterator[Section]:
    """How they were compared."""
    yield Section("method", "How they were compared", _blocks(report), "Method")


def _blocks(report: Report) -> Iterator[Block]:
    settings = report.settings
    sentences = (
        *settings_in_words(settings, report.compared, reworked_complete=report.reworked_complete),
        found_in_words(report.pairs),
    )
    yield Prose(tuple(map(line, sentences)))
    told = [Row((cell(label), cell(value)), heads=True) for label, value in setting_rows(settings)]
    yield Table("Settings", FACTS, (told,), "facts")
    numbers = (*pair_measures(report), EXACT_DUPLICATE)
    meanings = [
        Row((cell(one.name), _meaning(one.meaning, one.formula)), heads=True) for one in numbers
    ]
    yield Table("What the numbers mean", FACTS, (meanings,), "facts")


def _meaning(words: str, formula: str) -> Cell:
    said = f"{words} " if formula else words
    return cell(said, Span(formula, SpanKind.CODE))
