"""Who judged what and when, and with which versions it was compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.base.wording import count, counted
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
from core.reports.sections.names import cell, name, number_cell
from core.reports.verdict_words import earlier_in_words, moment_in_words
from core.reports.versions import versions
from core.scan.judgements import VERDICTS, Found, Judgement

NOBODY = "not known"
PEOPLE = (
    Column("Who", weight=1),
    *(Column(str(verdict).capitalize(), Align.NUMBER) for verdict in VERDICTS[1:]),
    Column("Notes", Align.NUMBER),
    Column("When"),
)
LOG = (Column("When"), Column("Who", weight=1), Column("Pair", Align.NUMBER), Column("Verdict"))


class _Said(NamedTuple):
    """What was said of a row of the report."""

    row: int
    found: Found

    @property
    def judgement(self) -> Judgement:
        return self.found.judgement


def who(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """Who and when, as far as this is known."""
    yield Section("who", "Who and when", _blocks(report, limits), "Who")


def _blocks(report: Report, limits: ReportLimits) -> Iterator[Block]:
    made = f"{report.created:%Y-%m-%d %H:%M} {report.created.isoformat()[-6:]}"
    told = ", ".join(f"{one} {number}" for one, number in versions().items())
    key = "" if report.choice.names else "; it needs the key to the names"
    yield Prose(
        (
            line(f"This report was made on {made} with Neardup {report.version}, {told}."),
            line(
                "Files were read and compared then, or earlier if it was made of a saved review, "
                "and their hashes tell of which bytes it is."
            ),
            line(
                "This file carries a record of what it says. “neardup verify REPORT FOLDER” reads "
                f"the documents anew and says what of it agrees and what does not{key}."
            ),
        )
    )
    said = list(_said(report))
    if not said:
        yield Prose((line("Nothing was judged of the pairs in this report."),))
        return
    yield Table("Who judged how many of the pairs in this report", PEOPLE, (_people(said),))
    yield _log(report, said, limits)


def _said(report: Report) -> Iterator[_Said]:
    """What was said of the pairs, in the order of time; of the same time in that of the list."""
    rows = ((row, report.found_of(row)) for row in report.judged_rows)
    said = (_Said(row, found) for row, found in rows if found is not None)
    yield from sorted(said, key=lambda one: (one.judgement.time, one.row))


def _people(said: Sequence[_Said]) -> Iterator[Row]:
    by_person: dict[str, list[_Said]] = {}
    for one in said:
        by_person.setdefault(one.judgement.who, []).append(one)
    for person, theirs in sorted(by_person.items()):
        given = [one.judgement for one in theirs]
        counted_ones = [one.judgement.verdict for one in theirs if one.found.earlier is None]
        numbers = [counted_ones.count(verdict) for verdict in VERDICTS[1:]]
        numbers.append(sum(bool(one.note) for one in given))
        yield Row(
            (
                cell(name(person) if person else Span(NOBODY, SpanKind.QUIET)),
                *(number_cell(number, count(number)) for number in numbers),
                _when(given[0].time, given[-1].time),
            ),
            heads=True,
        )


def _when(first: str, last: str) -> Cell:
    """From the first verdict to the last."""
    to = (line(f"to {moment_in_words(last)}"),) if first != last else ()
    return Cell((line(moment_in_words(first)), *to))


def _log(report: Report, said: Sequence[_Said], limits: ReportLimits) -> Table:
    """The verdicts that stand, in the order in which they were given."""
    shown = said[-limits.groups :]
    which = "all" if len(shown) == len(said) else f"the last {count(len(shown))}"
    caption = f"The verdicts that stand, in the order of time: {which} of {_pairs(len(said))}."
    return Table(caption, LOG, ((_entry(report, one, limits) for one in shown),))


def _pairs(number: int) -> str:
    return counted(number, "pair")


def _entry(report: Report, one: _Said, limits: ReportLimits) -> Row:
    number, judgement = report.rank_of(one.row), one.judgement
    is_there = one.row < min(len(report.pairs), limits.table_rows)
    marks = [earlier_in_words(one.found), "with a note" if judgement.note else ""]
    return Row(
        (
            cell(moment_in_words(judgement.time)),
            cell(name(judgement.who) if judgement.who else Span(NOBODY, SpanKind.QUIET)),
            Cell((line(Span(f"{number:,}", target=f"row-{number}" if is_there else "")),), number),
            Cell((line(str(judgement.verdict)), *(line(mark) for mark in marks if mark))),
        )
    )
