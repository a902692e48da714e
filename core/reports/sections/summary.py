"""The summary: the counts of everything, and what is not shown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from core.base.messages import N_, gettext, language, ngettext
from core.base.wording import comma_list, count, quoted
from core.evidence.measures import MEASURE, Measure, ShownIn, measures
from core.reports import list_words
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
from core.reports.limits import ReportLimits, exclusions_sentence, left_out, shown_in_words
from core.reports.model import Report
from core.reports.pair_words import are_alike, mark_in_list
from core.reports.scopes import MOST_NAMED
from core.reports.settings_words import (
    all_compared,
    found_in_words,
    list_size_in_words,
    nothing_found,
    setting_rows,
    settings_in_words,
)
from core.reports.shown_text import versions
from core.scan.judgements import VERDICTS, PairJudgement, Verdict
from core.scan.pair_list import DocumentCounts


def name(words: str) -> Span:
    """A name, which has its own writing direction."""
    return Span(words, SpanKind.NAME)


def document_line(report: Report, document: int) -> Line:
    """The name of a document, with its marks: that it is a reference, since when it is gone."""
    marks = comma_list(report.documents[document].marks)
    return line(name(report.name_of(document)), Span(marks, SpanKind.TAG))


def row_of(lines: Sequence[Line]) -> Line:
    """Lines joined in one: "a, b, c"."""
    return tuple(
        span
        for index, spans in enumerate(lines)
        for span in (*(line(", ") if index else ()), *spans)
    )


def joined(lines: Sequence[Line]) -> Line:
    """The same with a word before the last: "a, b and c"."""
    if len(lines) < 2:
        return row_of(lines)
    words = gettext("{all_but_last} and {last}", all_but_last="{all_but_last}", last="{last}")
    return filled(words, all_but_last=row_of(lines[:-1]), last=lines[-1])


def filled(message: str, **lines: Line) -> Line:
    """A message in which lines replace "{name}"."""
    parts = re.split(r"{(\w+)}", message)
    return tuple(
        span
        for index, part in enumerate(parts)
        for span in (lines[part] if index % 2 else line(part))
    )


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
    return tuple(measure for measure in pair_measures(report) if ShownIn.OVERVIEW in measure.where)


def tags(report: Report, row: int) -> tuple[str, ...]:
    """The marks of a pair: that it is a duplicate, or listed for a passage."""
    pairs = report.pairs
    value, found_by = float(pairs.resemblance[row]), int(pairs.found_by[row])
    words = (
        MEASURE["exact_duplicate"].shown(pairs.exact_duplicate[row]),
        mark_in_list(value, found_by, report.settings),
    )
    return tuple(word for word in words if word)


def head_of(report: Report) -> Head:
    """The head of a report."""
    documents = gettext(
        "{documents} in {folders}.",
        documents=list_words.documents_in_words(report.document_counts),
        folders="{folders}",
    )
    folders = joined([line(name(folder)) for folder in report.named_folders])
    lead = (*filled(documents, folders=folders), *line(" ", _made(report)))
    words = report.words
    return Head(
        title=words.title,
        subject=f"{words.title}: {words.names or ', '.join(report.folders)}",
        institution=report.choice.institution,
        lines=(*_about(report), lead, *(() if report.is_partial else _languages(report))),
        created=report.created.isoformat(timespec="seconds"),
        version=report.version,
        language=language().code,
    )


def _languages(report: Report) -> Iterator[Line]:
    """In which languages the documents are that the report is about."""
    languages = list_words.languages_in_words([report.languages[number] for number in report.about])
    if languages:
        yield line(gettext("Languages: {languages}.", languages=languages))


def _made(report: Report) -> str:
    return gettext(
        "This report was made on {time} with Neardup {version}.",
        time=f"{report.created:%Y-%m-%d %H:%M} {report.created.isoformat()[-6:]}",
        version=report.version,
    )


def _about(report: Report) -> Iterator[Line]:
    """The documents that it is about; each name by itself, as some run from right to left."""
    documents = report.choice.documents if report.subject else ()
    before, after = quoted("\0").split("\0")
    names = [
        line(before, name(report.name_of(document)), after) for document in documents[:MOST_NAMED]
    ]
    more = len(documents) - len(names)
    if names:
        yield joined([*names, line(ngettext("{n} other", "{n} others", more))] if more else names)


Blocks: TypeAlias = Callable[[Report, ReportLimits], Iterable[Block]]
Part: TypeAlias = Callable[[Report, ReportLimits], Iterator[Section]]


def section_of(
    section: str, title: str, label: str = "", *, when: Callable[[Report], object] | None = None
) -> Callable[[Blocks], Part]:
    """Make a section of the blocks that a function gives.

    Args:
        section: Its id.
        title: Of the section.
        label: In the list of contents, where that differs.
        when: Which reports have it; None for all.
    """

    def made(blocks: Blocks) -> Part:
        def sections(report: Report, limits: ReportLimits) -> Iterator[Section]:
            if when is None or when(report):
                named = gettext(label or title)
                yield Section(section, gettext(title), blocks(report, limits), named)

        return sections

    return made


FACTS = (Column("", Align.TEXT), Column("", Align.TEXT, 1))


@section_of("method", N_("How they were compared"), N_("Method"))
def method(report: Report, _limits: ReportLimits) -> Iterator[Block]:
    """How they were compared."""
    settings = report.settings
    sentences = (
        *settings_in_words(settings, report.compared, reworked_complete=report.reworked_complete),
        list_size_in_words(report),
        found_in_words(report.pairs),
    )
    yield Prose(tuple(map(line, filter(None, sentences))))
    rows = [
        Row((cell(label), cell(value)), has_row_heading=True)
        for label, value in setting_rows(settings)
    ]
    yield Table(gettext("Settings"), FACTS, (rows,), "facts")
    numbers = (*pair_measures(report), MEASURE["exact_duplicate"])
    meanings = [
        Row(
            (cell(gettext(number.name)), _meaning(gettext(number.meaning), number.formula)),
            has_row_heading=True,
        )
        for number in numbers
    ]
    yield Table(gettext("What the numbers mean"), FACTS, (meanings,), "facts")


def _meaning(words: str, formula: str) -> Cell:
    spaced = f"{words} " if formula else words
    return cell(spaced, Span(formula, SpanKind.CODE))


NOBODY = N_("not known")
TITLES = {
    Verdict.NOT_REVIEWED: N_("Not reviewed"),
    Verdict.CONFIRMED: N_("Confirmed"),
    Verdict.SUSPICIOUS: N_("Suspicious"),
    Verdict.NOT_A_MATCH: N_("Not a match"),
}


JudgedRow: TypeAlias = tuple[int, PairJudgement]  # a row of the report, and how it was judged


@section_of("who", N_("Who and when"), N_("Who"))
def who(report: Report, limits: ReportLimits) -> Iterator[Block]:
    """Who and when, as far as this is known."""
    used = ", ".join(f"{package} {number}" for package, number in versions().items())
    verify = gettext(
        "This file carries a record of what it says. “neardup verify REPORT FOLDER” reads the "
        "documents anew and says what of it agrees and what does not."
    )
    if not report.choice.names:
        verify += " " + gettext("It needs the key to the names.")
    made = f"{_made(report)} " + gettext("It uses {libraries}.", libraries=used)
    read = gettext(
        "Files were read and compared then, or earlier if it was made of a saved review, and their "
        "hashes tell of which bytes it is."
    )
    yield Prose((line(made), line(read), line(verify)))
    judged = report.judged_rows
    if not judged:
        yield Prose((line(gettext("Nothing was judged of the pairs in this report.")),))
        return
    people = (
        Column(gettext("Who"), weight=1),
        *(Column(gettext(TITLES[verdict]), Align.NUMBER) for verdict in VERDICTS[1:]),
        Column(gettext("Notes"), Align.NUMBER),
        Column(gettext("When")),
    )
    caption = gettext("Who judged how many of the pairs in this report")
    yield Table(caption, people, (_people(judged),))
    yield _log(report, judged, limits)


def _people(judged: Sequence[JudgedRow]) -> Iterator[Row]:
    by_person: dict[str, list[PairJudgement]] = {}
    for _, assessment in judged:
        by_person.setdefault(assessment.judgement.who, []).append(assessment)
    for person, theirs in sorted(by_person.items()):
        given = [assessment.judgement for assessment in theirs]
        in_force = [
            assessment.judgement.verdict for assessment in theirs if assessment.earlier is None
        ]
        numbers = [in_force.count(verdict) for verdict in VERDICTS[1:]]
        numbers.append(sum(bool(judgement.note) for judgement in given))
        yield Row(
            (
                cell(name(person) if person else Span(gettext(NOBODY), SpanKind.QUIET)),
                *(number_cell(number, count(number)) for number in numbers),
                _when(given[0].time, given[-1].time),
            ),
            has_row_heading=True,
        )


def _when(first: str, last: str) -> Cell:
    """From the first verdict to the last."""
    if first == last:
        return Cell((line(list_words.moment_in_words(first)),))
    to = gettext("to {time}", time=list_words.moment_in_words(last))
    return Cell((line(list_words.moment_in_words(first)), line(to)))


def _log(report: Report, judged: Sequence[JudgedRow], limits: ReportLimits) -> Table:
    """The verdicts that stand, in the order in which they were given."""
    shown = judged[-limits.groups :]
    caption = ngettext(
        "The verdicts that stand, in the order of time: all of {n} pair.",
        "The verdicts that stand, in the order of time: all of {n} pairs.",
        len(judged),
    )
    if len(shown) < len(judged):
        caption = gettext(
            "The verdicts that stand, in the order of time: the last {shown} of {number} pairs.",
            shown=count(len(shown)),
            number=count(len(judged)),
        )
    columns = (
        Column(gettext("When")),
        Column(gettext("Who"), weight=1),
        Column(gettext("Pair"), Align.NUMBER),
        Column(gettext("Verdict")),
    )
    return Table(
        caption, columns, ((_entry(report, row, assessment, limits) for row, assessment in shown),)
    )


def _entry(report: Report, row: int, assessment: PairJudgement, limits: ReportLimits) -> Row:
    number, judgement = report.rank_of(row), assessment.judgement
    is_shown = row < min(len(report.pairs), limits.table_rows)
    marks = [
        list_words.earlier_in_words(assessment),
        gettext("with a note") if judgement.note else "",
    ]
    return Row(
        (
            cell(list_words.moment_in_words(judgement.time)),
            cell(name(judgement.who) if judgement.who else Span(gettext(NOBODY), SpanKind.QUIET)),
            Cell((line(Span(count(number), target=f"row-{number}" if is_shown else "")),), number),
            Cell((line(gettext(judgement.verdict)), *(line(mark) for mark in marks if mark))),
        )
    )


CAUTION = N_(
    "Shared text does not say who wrote it first, or why both have it. A quotation, a form or a "
    "common source can explain it. Read the passages before you decide."
)
# How much of one document appears in the other, from which share on.
AMOUNTS = (
    (0.9, N_("in {number}, nearly all of one document (90% or more) appears in the other")),
    (0.5, N_("in {number}, half or more of one")),
    (0.0, N_("in {number}, less than half of either")),
)
SHARES = ("overlap", "overlap_a", "overlap_b")


def summary(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """What was compared, what was found, and who judged what."""
    yield Section("summary", gettext("Finding"), _blocks(report, limits))


def _blocks(report: Report, limits: ReportLimits) -> Iterator[Block]:
    yield Figures(tuple((label, count(value)) for label, value in _figures(report).items()))
    facts = {
        gettext("Compared"): _compared(report),
        gettext("Found"): _pairs_found(report),
        gettext("Judged"): _judged(report),
        gettext("In this report"): _shown(report),
    }
    rows = ((label, tuple(lines)) for label, lines in facts.items())
    table = (
        Row((cell(label), Cell(lines, main=len(lines))), has_row_heading=True)
        for label, lines in rows
        if lines
    )
    yield Table("", FACTS, (table,), "finding")
    if len(report.pairs):
        yield Prose((line(gettext(CAUTION)),))
    not_shown = tuple(line(sentence) for sentence in left_out(report, limits))
    if not_shown:
        yield Heading(gettext("What is not shown"))
        yield ItemList(not_shown)


def _figures(report: Report) -> dict[str, int]:
    """How many documents were compared, pairs were found, and how many are in the report."""
    pairs, traces = report.list_counts.pairs, report.list_counts.weak
    verdicts = zip(VERDICTS[1:], report.verdict_counts[1:], strict=True)
    is_part = len(report.pairs) < pairs or report.nothing_found_count > 0
    return {
        **_documents(report.document_counts),
        **({gettext("Gone or not read"): len(report.missing)} if report.missing else {}),
        gettext("Pairs found"): pairs,
        **({gettext("Weak traces"): traces} if traces else {}),
        **({gettext("In this report"): len(report.pairs)} if is_part else {}),
        **{gettext(TITLES[verdict]): number for verdict, number in verdicts if number},
    }


def _documents(counts: DocumentCounts) -> dict[str, int]:
    """How many documents there are, by kind where some are not to review."""
    not_reviewed = {
        gettext("References"): counts.references,
        gettext("Templates"): counts.templates,
    }
    if not any(not_reviewed.values()):
        return {gettext("Documents"): counts.present}
    not_reviewed = {label: number for label, number in not_reviewed.items() if number}
    return {gettext("To review"): counts.to_review, **not_reviewed}


def _compared(report: Report) -> Iterator[Line]:
    counts = report.document_counts
    documents, pairs = list_words.documents_in_words(counts), report.compared
    if pairs and counts.to_review == counts.present + counts.missing:
        documents = gettext("{documents}, each with every other", documents=documents)
    yield line(documents)
    if pairs and counts.to_review < counts.present and not counts.missing:
        yield line(all_compared(pairs))
    if report.excluded_shares and not report.is_partial:
        yield line(exclusions_sentence(report))


def _pairs_found(report: Report) -> Iterator[Line]:
    """How many pairs were found; where there are none, what that means."""
    if report.list_counts.listed:
        yield line(list_words.listed_in_words(report.list_counts))
    unlisted = len(report.unlisted) + report.nothing_found_count
    if unlisted and report.list_counts.listed and report.is_of_few and not report.is_partial:
        yield line(list_words.empty_pairs_in_words(unlisted))
    yield from map(line, nothing_found(report))


def _shown(report: Report) -> Iterator[Line]:
    """Which of the pairs are in the report, and how much they share."""
    shown = shown_in_words(report)
    if shown:
        yield line(shown)
    number = len(report.pairs)
    amounts = "; ".join(_amounts(report))
    if number > 1 and amounts:
        yield line(
            gettext("Of these {number} pairs: {amounts}.", number=count(number), amounts=amounts)
        )
    if report.is_partial:  # beside all documents that were compared it would seem to be of these
        yield from _languages(report)
        if report.excluded_shares:
            yield line(exclusions_sentence(report))


def _amounts(report: Report) -> Iterator[str]:
    """How many pairs share how much, as each says it."""
    overlap, in_a, in_b = (getattr(report.pairs, name) for name in SHARES)
    shares = np.where(are_alike(overlap, in_a, in_b), overlap, np.maximum(in_a, in_b))
    above = np.inf
    for least, words in AMOUNTS:
        pairs = int(np.count_nonzero((shares >= least) & (shares > 0) & (shares < above)))
        if pairs:
            yield gettext(words, number=count(pairs))
        above = least
    if nothing := int(np.count_nonzero(shares == 0)):
        yield gettext("in {number}, no passage", number=count(nothing))
    unmeasured = int(np.count_nonzero(shares < 0))
    if unmeasured:
        yield gettext("in {number}, it was not measured how much", number=count(unmeasured))


def _judged(report: Report) -> Iterator[Line]:
    """How many pairs of the list were judged, and who judged those of the report."""
    counts, earlier = report.list_verdicts
    if not any(counts[1:]) and not earlier and not report.has_judgements:
        if len(report.pairs):
            yield line(
                gettext("No pair: this is what the search found, not what a person decided.")
            )
        return
    yield line(list_words.judged_in_words(counts, earlier))
    judgements = [judged.judgement for _, judged in report.judged_rows]
    people = Counter(it.who for it in judgements if it.verdict is not Verdict.NOT_REVIEWED)
    known = [line(name(who), f" ({count(pairs)})") for who, pairs in people.items() if who]
    if known:
        sentence = gettext("Those in this report were judged by {people}.", people="{people}")
        yield filled(sentence, people=joined(known))
