"""What the files tell besides their texts, where the report is asked for it.

Which files came from which, as SVG: a tree of boxes that is read from above.

An arrow leads from a file to one that may have come from it. A line without an arrow joins files
of which only is known that they are of one origin. As in the picture of the curve, nothing has a
colour of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from unicodedata import east_asian_width
from xml.etree import ElementTree as ET

from core.base.messages import gettext, language
from core.base.wording import count, isolated
from core.reports.blocks import (
    Align,
    Block,
    Cell,
    Column,
    Picture,
    Prose,
    Row,
    Section,
    Table,
    line,
)
from core.reports.choice import CAUTION
from core.reports.limits import ReportLimits
from core.reports.model import Report
from core.reports.properties_words import NOTHING_SHARED, in_words, order_in_words, shared_in_words
from core.reports.sections.pairs import names_cell
from core.reports.sections.summary import document_line, number_cell
from core.reports.shown_text import visible
from core.scan.file_order import FileOrder, OrderTree, TreeEdge, order_trees, tree_parts

WIDTH = 640.0  # of a page
ROWS, COLUMNS = 24, 8  # of a picture: they fit on a page, and leave room for names
EDGE = 2.0
ROW, BOX = 34.0, 24.0  # from row to row, and how high a box is
STEP = 34.0  # that a row stands further in than the one it came from; less where there are many
NAME = 150.0  # the least that is left for a box
BESIDE = 26.0  # between columns of lines that lead round the rows
PADDING = 9.0  # of a box, at both sides
HEAD = 5.0  # of an arrow
SIZE = 11.5  # of the words
LETTER, CAPITAL, WIDE = 6.2, 8.6, 12.0  # how much room one takes at that size
_LINE = {"fill": "none", "stroke": "currentColor"}
_FRAME = {"fill": "none", "stroke": "currentColor", "stroke-opacity": "0.45", "rx": "3"}


def order_picture(
    tree: OrderTree, numbers: Mapping[FileOrder, int], name_of: Callable[[int], str]
) -> Picture:
    """The picture, and in words what it shows.

    Args:
        tree: What is drawn, of at most `ROWS` rows and `COLUMNS` columns.
        numbers: What stands at the line of each order: its number in the table beside.
        name_of: The name of a document as the report shows it.
    """
    names = [name_of(document) for document in tree.documents]
    beside = BESIDE * max(edge.column for edge in tree.edges)
    most = WIDTH - 2 * EDGE - beside
    step = min(STEP, (most - NAME) / max(1, *tree.depths))
    starts = [EDGE + step * depth for depth in tree.depths]
    shown = [
        _shortened(visible(name), EDGE + most - start - 2 * PADDING)
        for name, start in zip(names, starts, strict=True)
    ]
    ends = [start + _room(name) + 2 * PADDING for name, start in zip(shown, starts, strict=True)]
    width = max(ends) + beside + EDGE
    height = ROW * len(names) - (ROW - BOX) + 2 * EDGE
    drawing = _Drawing(width, height)
    for row, name in enumerate(shown):
        drawing.box(starts[row], ends[row], row, isolated(name))
    for edge in tree.edges:
        number = count(numbers[edge.order])
        if edge.column:
            drawing.line_beside(ends, max(ends) + BESIDE * edge.column, edge, number)
        else:
            drawing.stem(starts[edge.above] + step / 4, starts[edge.below], edge, number)
    words = " ".join(
        [*order_in_words(edge.order, name_of)][-1 if edge.order.later is not None else 0]
        for edge in tree.edges
    )
    return Picture(drawing.svg, words, width / WIDTH)


class _Drawing:
    """An SVG, mirrored where one reads from right to left."""

    def __init__(self, width: float, height: float) -> None:
        self._width, self._mirrored = width, language().runs_from_right
        size = {"width": f"{width:g}", "height": f"{height:g}"}
        size |= {"viewBox": f"0 0 {width:g} {height:g}", "font-size": f"{SIZE:g}"}
        self._root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg"} | size)
        self._root.set("direction", "ltr")

    @property
    def svg(self) -> str:
        return ET.tostring(self._root, encoding="unicode")

    def box(self, start: float, end: float, row: int, name: str) -> None:
        left = min(self._x(start), self._x(end))
        place = {"x": f"{left:.1f}", "y": f"{EDGE + ROW * row:.1f}"}
        size = {"width": f"{end - start:.1f}", "height": f"{BOX:g}"}
        ET.SubElement(self._root, "rect", _FRAME | place | size)
        self._write(start + PADDING, _middle(row) + 4, name, "start")

    def stem(self, start: float, end: float, edge: TreeEdge, number: str) -> None:
        above, below = EDGE + ROW * edge.above + BOX, _middle(edge.below)
        self._path(f"M{self._x(start):.1f} {above:.1f}V{below:.1f}H{self._x(end):.1f}")
        self._head(end, below, -HEAD)
        self._write((start + end) / 2, below - 4, number, "middle")

    def line_beside(self, ends: list[float], beside: float, edge: TreeEdge, number: str) -> None:
        above, below = _middle(edge.above), _middle(edge.below)
        start, x, end = (self._x(at) for at in (ends[edge.above], beside, ends[edge.below]))
        self._path(f"M{start:.1f} {above:.1f}H{x:.1f}V{below:.1f}H{end:.1f}")
        if edge.order.earlier is not None:
            self._head(ends[edge.below], below, HEAD)
        self._write(beside - BESIDE / 2, below - 4, number, "middle")

    def _x(self, x: float) -> float:
        return self._width - x if self._mirrored else x

    def _path(self, data: str) -> None:
        ET.SubElement(self._root, "path", _LINE | {"d": data})

    def _head(self, x: float, y: float, back: float) -> None:
        base = self._x(x + back)
        data = f"M{self._x(x):.1f} {y:.1f}L{base:.1f} {y - 3.5:.1f}V{y + 3.5:.1f}Z"
        ET.SubElement(self._root, "path", {"fill": "currentColor", "d": data})

    def _write(self, x: float, y: float, words: str, anchor: str) -> None:
        if self._mirrored and anchor == "start":
            anchor = "end"
        place = {"x": f"{self._x(x):.1f}", "y": f"{y:.1f}", "text-anchor": anchor}
        ET.SubElement(self._root, "text", place | {"fill": "currentColor"}).text = words


def _middle(row: int) -> float:
    return EDGE + ROW * row + BOX / 2


def _room(text: str) -> float:
    """The room that a text needs, in whatever letters a reader has."""
    return sum(
        WIDE if east_asian_width(letter) in "WF" else CAPITAL if letter.isupper() else LETTER
        for letter in text
    )


def _shortened(name: str, room: float) -> str:
    """A name without its middle where it needs more room: its end tells versions apart."""
    if _room(name) <= room:
        return name
    left = len(name)
    while left > 2 and _room(name[: left // 2] + "…" + name[-(left - left // 2) :]) > room:
        left -= 1
    return f"{name[: left // 2]}…{name[-(left - left // 2) :]}"


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
