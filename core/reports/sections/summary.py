"""The summary: how many there are of everything, and what is not shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.base.wording import count, counted
from core.evidence.measures import MEASURE, Measure, measures
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
from core.reports.limits import ReportLimits, aside_in_words, left_out
from core.reports.list_words import (
    MISSING,
    documents_in_words,
    earlier_in_words,
    judged_in_words,
    languages_in_words,
    moment_in_words,
)
from core.reports.model import Report
from core.reports.pair_words import ListedFor, listed_for
from core.reports.settings_words import (
    found_in_words,
    result_in_words,
    setting_rows,
    settings_in_words,
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


def tags(report: Report, row: int) -> tuple[str, ...]:
    """What is to be marked about a pair: that it is a duplicate, or listed for a passage."""
    pairs = report.pairs
    value, found_by = float(pairs.resemblance[row]), int(pairs.found_by[row])
    words = (
        MEASURE["exact_duplicate"].shown(pairs.exact_duplicate[row]),
        listed_for(ListedFor.of(value, found_by, report.settings)),
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
    about = (line(name(report.subject)),) if report.subject else ()
    return Head(
        title=report.title,
        subject=f"{report.title}: {report.subject or ', '.join(report.folders)}",
        institution=report.choice.institution,
        lines=(*about, lead, *((line(f"Languages: {languages}."),) if languages else ())),
        created=report.created.isoformat(timespec="seconds"),
        version=report.version,
    )


FACTS = (Column("", Align.TEXT), Column("", Align.TEXT, 1))


def method(report: Report, _limits: ReportLimits) -> Iterator[Section]:
    """How they were compared."""
    yield Section("method", "How they were compared", _method_blocks(report), "Method")


def _method_blocks(report: Report) -> Iterator[Block]:
    settings = report.settings
    sentences = (
        *settings_in_words(settings, report.compared, reworked_complete=report.reworked_complete),
        found_in_words(report.pairs),
    )
    yield Prose(tuple(map(line, sentences)))
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


def summary(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """What came out, in numbers and sentences."""
    yield Section("summary", "Summary", _blocks(report, limits))


def _blocks(report: Report, limits: ReportLimits) -> Iterator[Block]:
    yield Figures(tuple((label, f"{value:,}") for label, value in _figures(report).items()))
    sentences = result_in_words(report)
    if report.has_judgements:
        sentences.append(f"{judged_in_words(report.verdict_counts, report.earlier_count)}.")
    if report.aside:
        sentences.append(aside_in_words(report))
    yield Prose(tuple(map(line, sentences)))
    not_shown = tuple(line(sentence) for sentence in left_out(report, limits))
    if not_shown:
        yield Heading("What is not shown")
        yield ItemList(not_shown)
    else:
        shown = " and all pairs are shown" if len(report.pairs) else ""
        yield Prose((line(f"All documents were compared{shown}."),), quiet=True)


def _figures(report: Report) -> dict[str, int]:
    counts = report.problem_counts
    return {
        **_documents(report.document_counts),
        **({MISSING.capitalize(): len(report.missing)} if report.missing else {}),
        "Pairs": len(report.pairs),
        "Groups": len(report.groups),
        "Problems": counts.problems,
        **({"Other files": counts.others} if counts.others else {}),
    }


def _documents(counts: DocumentCounts) -> dict[str, int]:
    """How many documents there are, where some are not to review each kind by itself."""
    others = {"References": counts.references, "Templates": counts.templates}
    if not any(others.values()):
        return {"Documents": counts.present}
    return {"To review": counts.to_review, **{label: of for label, of in others.items() if of}}
