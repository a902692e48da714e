"""What was set aside: how much of each document, why, and the passages chosen by hand."""

from __future__ import annotations

from collections.abc import Iterator

from core.aside.rules import Phrase
from core.aside.shares import AsideShare
from core.base.wording import counted, excerpt, listed, share
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
from core.reports.model import Report
from core.reports.sections.names import cell, document_line, number_cell
from core.reports.set_aside import aside_in_words, rules_in_words, told_phrases

LONGEST = 400  # characters of chosen text that a report for people shows


def aside(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """What was set aside; nothing where nothing was to be."""
    if report.aside or report.rules:
        yield Section("set-aside", "Set aside", _blocks(report, limits), "Set aside")


def _blocks(report: Report, limits: ReportLimits) -> Iterator[Block]:
    if report.aside:
        yield Prose((line(aside_in_words(report)),))
        yield _shares(report, limits)
    else:
        rules = listed(rules_in_words(report.rules))
        yield Prose((line(f"Nothing was found to set aside: {rules}."),))
    phrases = told_phrases(report)[: limits.groups]
    if phrases:
        yield Table(
            "Passages that were set aside wherever they stand",
            (Column("Passage", weight=1), Column("Why")),
            ([_phrase(report, phrase) for phrase in phrases],),
        )


def _shares(report: Report, limits: ReportLimits) -> Table:
    most_first = sorted(report.aside, key=lambda one: (-one.share, one.document))
    rows = [
        Row(
            (
                Cell((document_line(report, one.document),)),
                number_cell(one.share, share(one.share)),
                cell(_reasons(one)),
            )
        )
        for one in most_first[: limits.table_rows]
    ]
    return Table(
        "How much of the text of each document was set aside, and why. Where reasons overlap, "
        "their parts are more than the whole.",
        (Column("Document", weight=1), Column("Set aside", Align.NUMBER), Column("Why", weight=1)),
        (rows,),
    )


def _reasons(one: AsideShare) -> str:
    return ", ".join(
        f"{reason} {share(number / max(one.length, 1))}" for reason, number in one.reasons.items()
    )


def _phrase(report: Report, phrase: Phrase) -> Row:
    if report.choice.passages:
        shown = cell(Span(excerpt(phrase.text, LONGEST), SpanKind.QUOTE))
    else:
        shown = cell(counted(len(phrase.text), "character"))
    return Row((shown, cell(phrase.reason)))
