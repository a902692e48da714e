"""The summary: how many there are of everything, and what is not shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from core.base.wording import count, counted
from core.evidence.measures import MEASURE, Measure, Where, measures
from core.reports.blocks import (
    Align,
    Block,
    Cell,
    Column,
    Figures,
    Head,
    Heading,
    ItemList,
    Line,
    Prose,
    Row,
    Section,
    Span,
    SpanKind,
    Table,
    line,
)
from core.reports.limits import ReportLimits, aside_in_words, left_out, shown_in_words
from core.reports.list_words import (
    MISSING,
    documents_in_words,
    earlier_in_words,
    judged_in_words,
    languages_in_words,
    listed_in_words,
    moment_in_words,
)
from core.reports.model import Report
from core.reports.pair_words import mark_in_list
from core.reports.scopes import MOST_NAMED
from core.reports.settings_words import (
    found_in_words,
    nothing_found,
    setting_rows,
    settings_in_words,
    whole_in_words,
)
from core.reports.shown_text import versions
from core.scan.judgements import VERDICTS, Found, Judgement
from core.scan.pair_list import DocumentCounts


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
    return Cell((line(words),), max(value, 0))


def pair_measures(report: Report) -> Sequence[Measure]:
    """The numbers that every pair of the report has."""
    settings = report.settings
    return measures(settings.unit, bag=settings.bag)


def overview_measures(report: Report) -> Sequence[Measure]:
    """Those of them that stand in the table of pairs."""
    return tuple(one for one in pair_measures(report) if Where.OVERVIEW in one.where)


def tags(report: Report, row: int) -> tuple[str, ...]:
    """What is to be marked about a pair: that it is a duplicate, or listed for a passage."""
    pairs = report.pairs
    value, found_by = float(pairs.resemblance[row]), int(pairs.found_by[row])
    words = (
        MEASURE["exact_duplicate"].shown(pairs.exact_duplicate[row]),
        mark_in_list(value, found_by, report.settings),
    )
    return tuple(word for word in words if word)


def head_of(report: Report) -> Head:
    """The head of a report."""
    moment = f"{report.created:%Y-%m-%d %H:%M} {report.created.isoformat()[-6:]}"
    lead = line(
        f"{documents_in_words(report.document_counts)} in ",
        *joined([line(name(folder)) for folder in report.named_folders], " and "),
        f". This report was made on {moment} with Neardup {report.version}.",
    )
    languages = languages_in_words([report.languages[number] for number in report.about])
    return Head(
        title=report.title,
        subject=f"{report.title}: {report.subject or ', '.join(report.folders)}",
        institution=report.choice.institution,
        lines=(*_about(report), lead, *((line(f"Languages: {languages}."),) if languages else ())),
        created=report.created.isoformat(timespec="seconds"),
        version=report.version,
    )


def _about(report: Report) -> Iterator[Line]:
    """The documents that it is about; each name by itself, as some run from right to left."""
    documents = report.choice.documents if report.subject else ()
    names = [line("“", name(report.name_of(one)), "”") for one in documents[:MOST_NAMED]]
    more = len(documents) - len(names)
    if names:
        yield joined([*names, line(counted(more, "other"))] if more else names, " and ")


FACTS = (Column("", Align.TEXT), Column("", Align.TEXT, 1))


def method(report: Report, _limits: ReportLimits) -> Iterator[Section]:
    """How they were compared."""
    yield Section("method", "How they were compared", _method_blocks(report), "Method")


def _method_blocks(report: Report) -> Iterator[Block]:
    settings = report.settings
    sentences = (
        *settings_in_words(settings, report.compared, reworked_complete=report.reworked_complete),
        whole_in_words(report),
        found_in_words(report.pairs),
    )
    yield Prose(tuple(map(line, filter(None, sentences))))
    told = [Row((cell(label), cell(value)), heads=True) for label, value in setting_rows(settings)]
    yield Table("Settings", FACTS, (told,), "facts")
    numbers = (*pair_measures(report), MEASURE["exact_duplicate"])
    meanings = [
        Row((cell(one.name), _meaning(one.meaning, one.formula)), heads=True) for one in numbers
    ]
    yield Table("What the numbers mean", FACTS, (meanings,), "facts")


def _meaning(words: str, formula: str) -> Cell:
    said = f"{words} " if formula else words
    return cell(said, Span(formula, SpanKind.CODE))


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
    yield Section("who", "Who and when", _who_blocks(report, limits), "Who")


def _who_blocks(report: Report, limits: ReportLimits) -> Iterator[Block]:
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


CAUTION = (
    "Shared text does not say who wrote it first, or why both have it. A quotation, a form or a "
    "common source can explain it. Read the passages before you decide."
)
# How much of one document appears in the other, from which share on.
AMOUNTS = (
    (0.9, "nearly all of one document (90% or more) appears in the other"),
    (0.5, "half or more of one"),
    (0.0, "less than half of either"),
)


def summary(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """What was compared, what was found, and who judged what."""
    yield Section("summary", "Finding", _blocks(report, limits))


def _blocks(report: Report, limits: ReportLimits) -> Iterator[Block]:
    yield Figures(tuple((label, f"{value:,}") for label, value in _figures(report).items()))
    told = {
        "Compared": _compared(report),
        "Found": _found(report),
        "Judged": _judged(report),
        "In this report": _shown(report),
    }
    rows = ((label, tuple(lines)) for label, lines in told.items())
    table = (
        Row((cell(label), Cell(lines, main=len(lines))), heads=True)
        for label, lines in rows
        if lines
    )
    yield Table("", FACTS, (table,), "finding")
    if len(report.pairs):
        yield Prose((line(CAUTION),))
    not_shown = tuple(line(sentence) for sentence in left_out(report, limits))
    if not_shown:
        yield Heading("What is not shown")
        yield ItemList(not_shown)


def _figures(report: Report) -> dict[str, int]:
    """How many documents were compared, pairs were found, and how many are in the report."""
    pairs, traces = report.list_counts.pairs, report.list_counts.weak
    verdicts = zip(VERDICTS[1:], report.verdict_counts[1:], strict=True)
    is_part = len(report.pairs) < pairs
    return {
        **_documents(report.document_counts),
        **({MISSING.capitalize(): len(report.missing)} if report.missing else {}),
        "Pairs found": pairs,
        **({"Weak traces": traces} if traces else {}),
        **({"In this report": len(report.pairs)} if is_part or report.nothing_found_count else {}),
        **{str(verdict).capitalize(): number for verdict, number in verdicts if number},
    }


def _documents(counts: DocumentCounts) -> dict[str, int]:
    """How many documents there are, where some are not to review each kind by itself."""
    others = {"References": counts.references, "Templates": counts.templates}
    if not any(others.values()):
        return {"Documents": counts.present}
    return {"To review": counts.to_review, **{label: of for label, of in others.items() if of}}


def _compared(report: Report) -> Iterator[Line]:
    counts = report.document_counts
    every = ", each with every other" if report.compared else ""
    yield line(f"{documents_in_words(counts)}{every}")
    if report.aside:
        yield line(aside_in_words(report))


def _found(report: Report) -> Iterator[Line]:
    """How many pairs were found; of a report without any what that means."""
    if report.list_counts.listed:
        words = listed_in_words(report.list_counts)
        yield line(f"{words[0].upper()}{words[1:]}")
    others = len(report.unlisted) + report.nothing_found_count
    if others and report.list_counts.listed and not report.is_partial:
        yield line(f"Nothing was found in {counted(others, 'other pair')}")
    yield from map(line, nothing_found(report))


def _shown(report: Report) -> Iterator[Line]:
    """Which of the pairs are in the report, and how much they share."""
    shown = shown_in_words(report)
    if shown:
        yield line(shown)
    number = len(report.pairs)
    if number > 1:
        yield line(f"Of these {count(number)} pairs: {'; '.join(_amounts(report))}.")


def _amounts(report: Report) -> Iterator[str]:
    """In how many pairs how much of one document appears in the other."""
    shares = np.maximum(report.pairs.overlap_a, report.pairs.overlap_b)
    above = np.inf
    for least, words in AMOUNTS:
        pairs = int(np.count_nonzero((shares >= least) & (shares < above)))
        if pairs:
            yield f"in {count(pairs)}, {words}"
        above = least
    unmeasured = int(np.count_nonzero(shares < 0))
    if unmeasured:
        yield f"in {count(unmeasured)}, it was not measured how much"


def _judged(report: Report) -> Iterator[Line]:
    """How many pairs of the list were judged, and who judged those of the report."""
    counts, earlier = report.list_verdicts
    if not any(counts[1:]) and not earlier and not report.has_judgements:
        if len(report.pairs):
            yield line("No pair: this is what the search found, not what a person decided.")
        return
    yield line(f"{judged_in_words(counts, earlier)}.")
    people = Counter(one.judgement.who for one in _said(report))
    known = [line(name(who), f" ({count(pairs)})") for who, pairs in people.items() if who]
    if known:
        yield line("Those in this report were judged by ", *joined(known, " and "), ".")
