"""What the files tell besides their texts, where the report is asked for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.base.messages import gettext
from core.base.wording import count
from core.reports.blocks import Align, Block, Cell, Column, Prose, Row, Section, Table, line
from core.reports.choice import CAUTION
from core.reports.limits import ReportLimits
from core.reports.model import Report
from core.reports.order_picture import COLUMNS, ROWS, order_picture
from core.reports.properties_words import NOTHING_SHARED, in_words, order_in_words, shared_in_words
from core.reports.sections.pairs import names_cell
from core.reports.sections.summary import document_line, number_cell
from core.scan.file_order import FileOrder, order_trees, tree_parts


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
        yield from _orders(report, limits)
    yield Table(
        gettext("What the file of each document tells."),
        (Column(gettext("Document"), weight=1), Column(gettext("File properties"), weight=1)),
        (_document_rows(report, limits),),
    )


def _orders(report: Report, limits: ReportLimits) -> Iterator[Block]:
    """Each tree with what speaks for its lines below it, then what is known of other files."""
    caption = gettext(
        "Files in a group that point to a common origin, and what suggests their order. This is "
        "not proof."
    )
    yield Prose((line(caption),), quiet=True)
    orders = report.file_orders[: limits.table_rows]
    numbers = {order: number for number, order in enumerate(orders, 1)}
    left = dict(numbers)
    for tree in order_trees(orders):
        for part in tree_parts(tree, ROWS, COLUMNS):
            yield order_picture(part, numbers, report.name_of)
        members = {*tree.documents}
        rows = [order for order in left if order.a in members and order.b in members]
        yield _order_table(report, {order: left.pop(order) for order in rows})
    if left:
        yield _order_table(report, left)


def _order_table(report: Report, numbers: Mapping[FileOrder, int]) -> Table:
    rows = []
    for order, number in numbers.items():
        lines = tuple(map(line, order_in_words(order, report.name_of)))
        both = names_cell(report, order.a, order.b)
        rows.append(Row((number_cell(number, count(number)), both, Cell(lines, main=len(lines)))))
    columns = (
        Column("#", Align.NUMBER),
        Column(gettext("Documents A and B"), weight=1),
        Column(gettext("File properties"), weight=1),
    )
    return Table("", columns, (rows,))


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


def _document_rows(report: Report, limits: ReportLimits) -> Iterator[Row]:
    for number in report.involved[: limits.table_rows]:
        if properties := report.properties_of(number):
            lines = tuple(map(line, in_words(properties, names=report.choice.names)))
            yield Row(
                (Cell((document_line(report, number),)), Cell(lines, main=len(lines))), heads=True
            )
