"""The groups: which documents belong together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.base.wording import count, counted, listed, resemblance
from core.reports.blocks import (
    Align,
    Block,
    Cell,
    Column,
    Line,
    Row,
    Section,
    Span,
    SpanKind,
    Table,
    line,
)
from core.reports.group_numbers import GroupNumbers, group_numbers
from core.reports.limits import ReportLimits
from core.reports.model import Report
from core.reports.sections.names import document_line, joined, number_cell
from core.scan.groups import Group
from core.scan.judgements import VERDICTS

COLUMNS = (
    Column("Group", Align.NUMBER),
    Column("Document", weight=1),
    Column("Resemblance", Align.BAR),
)


def groups(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """Every group with its centre first, and exact copies in the row of the first of them."""
    if report.groups:
        yield Section("groups", "Groups", _blocks(report, limits), "Groups")


def _blocks(report: Report, limits: ReportLimits) -> Iterator[Block]:
    shown = report.groups[: limits.groups]
    numbered = zip(range(1, len(shown) + 1), shown, group_numbers(report), strict=False)
    yield Table(
        "Each member with its resemblance to the centre of its group, which stands first.",
        COLUMNS,
        (_rows(report, number, group, told, limits) for number, group, told in numbered),
        "groups",
    )


def _rows(
    report: Report, number: int, group: Group, told: GroupNumbers, limits: ReportLimits
) -> Iterator[Row]:
    reason = "chosen as the centre" if group.is_chosen else "most central"
    centre, *marks = document_line(report, group.centre)
    yield Row(
        (
            number_cell(number, f"{number:,}"),
            Cell(
                (
                    (centre._replace(kind=SpanKind.MAIN), *marks),
                    *_copies(report, group.copies, limits),
                )
            ),
            Cell(
                (
                    line(Span(f"{reason} of {counted(group.size, 'document')}", SpanKind.QUIET)),
                    *map(line, _in_words(told)),
                )
            ),
        ),
        heads=True,
    )
    for member in group.members[: limits.members - 1]:
        names = (document_line(report, member.document), *_copies(report, member.copies, limits))
        alike = number_cell(member.resemblance, resemblance(member.resemblance))
        yield Row((Cell(()), Cell(names), alike))


def _in_words(told: GroupNumbers) -> Iterator[str]:
    """How many pairs are between its documents, and what was judged of them."""
    yield f"{counted(told.pairs, 'pair')} between them"
    judged = zip(VERDICTS[1:], told.verdicts[1:], strict=True)
    words = [f"{count(number)} {verdict}" for verdict, number in judged if number]
    if words:
        yield listed(words)


def _copies(report: Report, copies: Sequence[int], limits: ReportLimits) -> Iterator[Line]:
    """What stands below a name: "and 3 exact copies: a.txt, b.txt, c.txt"."""
    if not copies:
        return
    shown = joined([document_line(report, copy) for copy in copies[: limits.members]])
    words = f"and {counted(len(copies), 'exact copy', 'exact copies')}: "
    more = ", …" if len(copies) > limits.members else ""
    yield line(words, *shown, more)
