"""What the files tell besides their texts, where the report is asked for it."""

from __future__ import annotations

from collections.abc import Iterator

from core.base.messages import gettext
from core.base.wording import count
from core.reports.blocks import Align, Block, Cell, Column, Prose, Row, Section, Table, line
from core.reports.choice import CAUTION
from core.reports.limits import ReportLimits
from core.reports.model import Report
from core.reports.properties_words import NOTHING_SHARED, in_words, order_in_words, shared_in_words
from core.reports.sections.pairs import names_cell
from core.reports.sections.summary import document_line, number_cell


def file_properties(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """The pairs that share a rare property, then what each file tells."""
    if report.file_properties is not None:
        title = gettext("File properties")
        yield Section("file-properties", title, _blocks(report, limits), title)


def _blocks(report: Report, limits: ReportLimits) -> Iterator[Block]:
    rows = [*_pair_rows(report, limits)]
    yield Prose((line(gettext(CAUTION)), *([] if rows else [line(gettext(NOTHING_SHARED))])))
    if rows:
        number = count(report.file_properties.rare_most) if report.file_properties else ""
        yield Table(
            gettext(
                "Pairs of this report that share a rare property: one that at most {number} files "
                "have.",
                number=number,
            ),
            (
                Column("#", Align.NUMBER),
                Column(gettext("Documents A and B"), weight=1),
                Column(gettext("Shared"), weight=1),
            ),
            (rows,),
        )
    if report.file_orders:
        yield Table(
            gettext(
                "Files of one group that share editing sessions, and what suggests an order. It is "
                "no proof."
            ),
            (
                Column(gettext("Documents A and B"), weight=1),
                Column(gettext("File properties"), weight=1),
            ),
            (_order_rows(report, limits),),
        )
    yield Table(
        gettext("What the file of each document tells."),
        (Column(gettext("Document"), weight=1), Column(gettext("File properties"), weight=1)),
        (_document_rows(report, limits),),
    )


def _pair_rows(report: Report, limits: ReportLimits) -> Iterator[Row]:
    for row in range(min(len(report.pairs), limits.table_rows)):
        if properties := report.shared_properties(row):
            rank, names = report.rank_of(row), report.choice.names
            shared = tuple(
                line(shared_in_words(shared_property, names=names))
                for shared_property in properties
            )
            both = names_cell(report, int(report.pairs.a[row]), int(report.pairs.b[row]))
            yield Row((number_cell(rank, count(rank)), both, Cell(shared, main=len(shared))))


def _order_rows(report: Report, limits: ReportLimits) -> Iterator[Row]:
    for order in report.file_orders[: limits.table_rows]:
        lines = tuple(map(line, order_in_words(order, report.name_of)))
        yield Row((names_cell(report, order.a, order.b), Cell(lines, main=len(lines))))


def _document_rows(report: Report, limits: ReportLimits) -> Iterator[Row]:
    for number in report.involved[: limits.table_rows]:
        if properties := report.properties_of(number):
            lines = tuple(map(line, in_words(properties, names=report.choice.names)))
            yield Row(
                (Cell((document_line(report, number),)), Cell(lines, main=len(lines))), heads=True
            )
