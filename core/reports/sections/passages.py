"""The passages of the pairs: a section for each pair, below one that tells how to read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.base.progress import Cancelled, Progress
from core.reports.blocks import (
    Block,
    Line,
    PairHead,
    PassageList,
    Prose,
    Section,
    Span,
    SpanKind,
    line,
)
from core.reports.choice import Scope
from core.reports.limits import ReportLimits
from core.reports.measures import facts
from core.reports.model import Report
from core.reports.pair_words import chance_in_words, no_passage_in_words
from core.reports.sections.extents import Document, shown_passage
from core.reports.sections.kept_text import LONGEST_PASSAGE
from core.reports.sections.names import document_line, tags
from core.reports.verdict_words import by_in_words, earlier_in_words
from core.reports.worked_numbers import worked_numbers

MOST_PASSAGES = 40  # of one pair


def passages(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """What the sections of the pairs show."""
    if limits.pairs_with_sections(report):
        yield Section("passages", "Passages", (_introduction(report),), "Passages")


def _introduction(report: Report) -> Prose:
    moved = "a moved passage stands elsewhere in B than its neighbours."
    chance = (
        "What two texts of their length, with words as common as theirs, share by chance is no "
        "passage."
    )
    most = (
        f"Of a pair with more than {MOST_PASSAGES} passages the longest {MOST_PASSAGES} are shown."
    )
    what = "What the two documents of a pair share, in the order of A."
    if not report.choice.passages:
        places = f"{what} This report tells where it stands and shows no text; {moved} {chance}"
        return Prose((line(places), line(most)), quiet=True)
    marked = "Underlined words are the same in both, words without a line differ;"
    cut = (
        f"Passages longer than {LONGEST_PASSAGE:,} characters, or half as many in scripts without "
        "spaces, are shortened in the middle, where a mark says by how much."
    )
    ends = "Lines that were broken to a fixed width run on."
    return Prose(
        (line(f"{what} {marked} {moved} {chance}"), line(f"{cut} {most} {ends}")), quiet=True
    )


def pair_sections(
    report: Report, limits: ReportLimits, progress: Progress, cancelled: Cancelled
) -> Iterator[Section]:
    """A section for each pair, from the top of the table.

    Args:
        report: What the pairs are of.
        limits: Says how many.
        progress: Told how many pairs are done.
        cancelled: Polled before each.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    for row, a, b in report.rows(limits.pairs_with_sections(report), progress, cancelled):
        names = f"{report.name_of(a)} and {report.name_of(b)}"
        yield Section(f"pair-{report.rank_of(row)}", names, _blocks(report, row, a, b), level=3)


def _blocks(report: Report, row: int, a: int, b: int) -> Iterator[Block]:
    sides = (Document.of(report, a), Document.of(report, b))
    found, floor = report.passages_of(a, b)
    across, down = (1 / max(len(side.text), 1) for side in sides)
    # Where the report is of this pair alone, all texts may be read to count its passages in them.
    counted = found if report.choice.scope is Scope.PAIR else ()
    judged = report.found_of(row)
    yield PairHead(
        number=report.rank_of(row),
        a=document_line(report, a),
        b=document_line(report, b),
        facts=tuple(_facts(report, row)),
        tags=tags(report, row),
        verdict=_verdict(report, row),
        note=judged.judgement.note if judged else "",
        reasons=_reasons(report.reasons_of(row, counted)),
        plot=tuple(
            (one.a_start * across, one.a_end * across, one.b_start * down, one.b_end * down)
            for one in found
        ),
    )
    if not found:
        yield Prose((line(no_passage_in_words(floor.tokens, floor.unit)),), quiet=True)
        return
    longest = sorted(range(len(found)), key=lambda place: -found[place].tokens)
    shown = sorted(longest[:MOST_PASSAGES])
    lines = [line(chance_in_words(floor.tokens, floor.unit))]
    if len(shown) < len(found):
        lines.append(
            line(
                f"The {len(shown)} longest of {len(found):,} passages are shown; numbers count all "
                "of them."
            )
        )
    yield Prose(tuple(lines), quiet=True)
    yield PassageList(shown_passage(place + 1, found[place], *sides) for place in shown)


def _reasons(sentences: Sequence[str]) -> tuple[Line, ...]:
    """Why the pair is listed, in one paragraph."""
    if not sentences:
        return ()
    return (line(Span("Why it is listed:", SpanKind.STRONG), f" {' '.join(sentences)}"),)


def _facts(report: Report, row: int) -> Iterator[tuple[str, str]]:
    """The numbers of a pair, each with what it is computed from."""
    figures, settings = report.pairs.figures(row), report.settings
    worked = worked_numbers(figures)
    for fact in facts(figures, settings.unit, bag=settings.bag):
        of = worked.get(fact.column)
        yield fact.name, f"{fact.value} ({of})" if of else fact.value


def _verdict(report: Report, row: int) -> tuple[Span, ...]:
    """The verdict with who gave it and when."""
    found = report.found_of(row)
    if found is None:
        return ()
    given = Span(found.judgement.verdict.capitalize(), SpanKind.STRONG)
    said = (by_in_words(found), earlier_in_words(found))
    return line(given, *(f"; {words}" for words in said if words))
