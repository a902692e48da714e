"""What could not be compared, or not as it should: files that are gone, problems, remarks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.base.wording import counted
from core.documents.model import Problem
from core.documents.problem_groups import ProblemGroup, group_problems
from core.reports.blocks import Column, Row, Section, Span, SpanKind, Table
from core.reports.limits import ReportLimits
from core.reports.list_words import unread
from core.reports.model import Report
from core.reports.sections.names import cell, name


def missing(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """The documents that were compared with the text of an earlier scan."""
    if not report.missing:
        return
    rows = (
        _row(one.name, one.absence.in_words if one.absence else "")
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
    rows = (_row(one.name, " ".join(one.remarks)) for one in report.remarked[: limits.problems])
    table = Table(
        "Documents that were compared, and what is not in their text or not sure.",
        _columns("Remark"),
        (rows,),
    )
    yield Section("remarks", "Remarks", (table,), "Remarks")


def _columns(second: str, noun: str = "file") -> tuple[Column, Column]:
    return (Column(noun.capitalize(), weight=2), Column(second, weight=3))


def _row(file: str, words: str) -> Row:
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
        yield _row(problem.name, problem.detail)
