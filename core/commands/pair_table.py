"""The ranked table of pairs as it is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.reports.model import Report

__all__ = ["print_pairs"]


def print_pairs(report: Report, show: int) -> None:
    """The ranked table, names last because they are long."""
    from core.reports.pair_words import measures, passage_heading

    pairs, settings = report.pairs, report.settings
    shown = min(len(pairs), max(0, show))
    if not shown:
        return
    names = "  ".join(measure.name for measure in measures(settings.unit, bag=settings.bag))
    print(f"   #  {names}  Document A | Document B")
    below = report.list_counts.similar  # the first row that only its passage lists
    for row in range(shown):
        if row == below:
            print(f"      {passage_heading(settings)}")
        print(_pair_line(report, row))
    if shown < len(pairs):
        print(f"… and {len(pairs) - shown:,} more pairs; --show N prints more, --pairs writes all.")
    print()


def _pair_line(report: Report, row: int) -> str:
    from core.base.wording import count, resemblance, share

    figures = report.pairs.figures(row)
    names = (
        report.documents[int(column[row])].marked_name
        for column in (report.pairs.a, report.pairs.b)
    )
    return (
        f"{row + 1:4}  {resemblance(figures.resemblance):>11}  "
        f"{share(figures.containment_a):>6}  {share(figures.containment_b):>6}  "
        f"{count(figures.longest_run):>11}  {count(figures.shared_shingles):>6}  "
        f"{' | '.join(names)}"
    )
