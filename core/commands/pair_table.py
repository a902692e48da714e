"""The ranked table of pairs as it is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.reports.measures import Measure
    from core.reports.model import Report
    from core.reports.pair_words import ListedFor
    from core.settings import ScanSettings


def print_pairs(report: Report, show: int) -> None:
    """The ranked table, names last because they are long."""
    from core.reports.measures import measures
    from core.reports.pair_words import listed_for

    pairs, settings = report.pairs, report.settings
    shown = min(len(pairs), max(0, show))
    if not shown:
        return
    numbers = measures(settings.unit, bag=settings.bag, reworked=settings.reworked != "off")
    print(f"   #  {'  '.join(one.name for one in numbers)}  Document A | Document B")
    reasons = [_reason(report, row) for row in range(shown)]
    for row, reason in enumerate(reasons):
        mark = f"  [{listed_for(reason)}]" if listed_for(reason) else ""
        print(f"{_pair_line(report, row, numbers)}{mark}")
    print_reasons(reasons, settings)
    if shown < len(pairs):
        print(f"… and {len(pairs) - shown:,} more pairs; --show N prints more, --pairs writes all.")
    print()


def print_reasons(reasons: Sequence[ListedFor], settings: ScanSettings) -> None:
    """What the marks of a list say, below it."""
    from core.reports.pair_words import ListedFor, listed_for, passage_heading

    for reason in ListedFor:
        if listed_for(reason) and reason in reasons:
            print(f"      {passage_heading(settings, reason)}")


def _reason(report: Report, row: int) -> ListedFor:
    from core.reports.pair_words import ListedFor

    pairs = report.pairs
    return ListedFor.of(float(pairs.resemblance[row]), int(pairs.found_by[row]), report.settings)


def _pair_line(report: Report, row: int, numbers: Sequence[Measure]) -> str:
    figures = report.pairs.figures(row)
    cells = (f"{one.shown(getattr(figures, one.column)):>{len(one.name)}}" for one in numbers)
    names = (
        report.documents[int(column[row])].marked_name
        for column in (report.pairs.a, report.pairs.b)
    )
    return f"{row + 1:4}  {'  '.join(cells)}  {' | '.join(names)}"
