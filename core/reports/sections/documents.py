"""The documents that were compared: what each is, and the hashes that identify it.

The properties of the files, where the report is to have them.

Which files came from which, as SVG: a tree of boxes that is read from above.

An arrow leads from a file to one that may have come from it. A line without an arrow joins files
of which only is known that they have a common origin. As in the picture of the curve, nothing has
its own colour.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TypeAlias
from unicodedata import east_asian_width
from xml.etree import ElementTree as ET

import numpy as np

from core.base.messages import N_, as_shown, gettext, language, ngettext
from core.base.wording import (
    comma_list,
    count,
    isolated,
    language_name,
    listed,
    readable_size,
    share,
)
from core.documents.model import Document, Problem
from core.documents.problems import ProblemGroup, group_problems, page_words
from core.documents.recognition import reader_of
from core.evidence.measures import FLAGS, length_in_words
from core.reports.blocks import (
    Align,
    Block,
    Cell,
    Column,
    Line,
    Picture,
    Prose,
    Row,
    Span,
    SpanKind,
    Table,
    line,
)
from core.reports.limits import ReportLimits
from core.reports.list_words import moment_in_words, unread_in_words, verdicts_in_words
from core.reports.model import Report
from core.reports.properties_words import NOTHING_SHARED, in_words, order_in_words, shared_in_words
from core.reports.report_choice import CAUTION
from core.reports.rows import group_verdicts
from core.reports.sections.pairs import names_cell
from core.reports.sections.summary import cell, document_line, name, number_cell, row_of, section_of
from core.reports.shown_text import visible
from core.scan.file_order import FileOrder, OrderTree, TreeEdge, order_trees, tree_parts
from core.scan.groups import Group
from core.scan.judgements import VERDICTS


@section_of("groups", N_("Groups"), when=lambda report: report.groups)
def groups(report: Report, limits: ReportLimits) -> Iterator[Block]:
    """Every group with its centre first, and exact copies in the row of the first of them."""
    shown = report.groups[: limits.groups]
    numbered = zip(range(1, len(shown) + 1), shown, group_verdicts(report), strict=False)
    yield Table(
        gettext("Each member with its overlap with the centre of its group, which stands first."),
        (
            Column(gettext("Group"), Align.NUMBER),
            Column(gettext("Document"), weight=1),
            Column(gettext("Overlap"), Align.BAR),
        ),
        (_rows(report, number, group, counts, limits) for number, group, counts in numbered),
        "groups",
    )


def _rows(
    report: Report, number: int, group: Group, counts: Sequence[int], limits: ReportLimits
) -> Iterator[Row]:
    reason = ngettext("most central of {n} document", "most central of {n} documents", group.size)
    if group.is_chosen:
        reason = ngettext(
            "chosen as the centre of {n} document",
            "chosen as the centre of {n} documents",
            group.size,
        )
    centre, *marks = document_line(report, group.centre)
    yield Row(
        (
            number_cell(number, count(number)),
            Cell(
                (
                    (centre._replace(kind=SpanKind.MAIN), *marks),
                    *_copies(report, group.copies, limits),
                )
            ),
            Cell((line(Span(reason, SpanKind.QUIET)), *map(line, _in_words(counts)))),
        ),
        has_row_heading=True,
    )
    for member in group.members[: limits.members - 1]:
        names = (document_line(report, member.document), *_copies(report, member.copies, limits))
        alike = number_cell(member.score, share(member.score))
        yield Row((Cell(()), Cell(names), alike))


def _in_words(counts: Sequence[int]) -> Iterator[str]:
    """How many pairs are between its documents, and their verdicts."""
    if not any(counts):
        yield gettext(FLAGS["weak_trace"])  # which are left out of this report
        return
    yield ngettext("{n} pair between them", "{n} pairs between them", sum(counts))
    judged = zip(VERDICTS[1:], counts[1:], strict=True)
    words = [verdicts_in_words(number, verdict) for verdict, number in judged if number]
    if words:
        yield listed(words)


def _copies(report: Report, copies: Sequence[int], limits: ReportLimits) -> Iterator[Line]:
    """The line below a name: "and 3 exact copies: a.txt, b.txt, c.txt"."""
    if not copies:
        return
    shown = row_of([document_line(report, copy) for copy in copies[: limits.members]])
    words = ngettext("and {n} exact copy:", "and {n} exact copies:", len(copies))
    more = ", …" if len(copies) > limits.members else ""
    yield line(f"{words} ", *shown, more)


@section_of("missing", N_("Gone or not read"), N_("Gone"), when=lambda report: report.missing)
def missing(report: Report, limits: ReportLimits) -> Iterator[Block]:
    """The documents that were compared with the text of an earlier scan."""
    caption = gettext(
        "Documents that were not there at the last scan, or could not be read. They were "
        "compared with the text of an earlier one."
    )
    shown = report.missing[: limits.problems]
    words = (document.absence.in_words if document.absence else "" for document in shown)
    yield _of_documents(caption, gettext("State"), shown, words)


@section_of("problems", N_("Problems"), when=lambda report: report.problems)
def problems(report: Report, limits: ReportLimits) -> Iterator[Block]:
    """The files that gave no text, by what happened to them."""
    caption, first = gettext("Files that gave no text and were not compared."), gettext("File")
    if report.is_part_of_run:
        caption = gettext("Documents that gave no text and were not compared.")
        first = gettext("Document")
    yield Table(caption, _columns(first, gettext("Reason")), _groups(report, limits))


@section_of("remarks", N_("Remarks"), when=lambda report: report.remarked)
def remarks(report: Report, limits: ReportLimits) -> Iterator[Block]:
    """Remarks on what is missing from the compared texts, or not sure."""
    caption = gettext("Documents that were compared, and what is not in their text or not sure.")
    shown = report.remarked[: limits.problems]
    words = (" ".join(map(as_shown, document.remarks)) for document in shown)
    yield _of_documents(caption, gettext("Remark"), shown, words)


def _of_documents(
    caption: str, title: str, documents: Sequence[Document], words: Iterable[str]
) -> Table:
    names = (document.name for document in documents)
    rows = map(_problems_row, names, words)
    return Table(caption, _columns(gettext("File"), title), (rows,))


def _columns(first: str, second: str) -> tuple[Column, Column]:
    return (Column(first, weight=2), Column(second, weight=3))


def _problems_row(file: str, words: str) -> Row:
    return Row((cell(name(file)), cell(words)))


def _groups(report: Report, limits: ReportLimits) -> Iterator[Iterator[Row]]:
    """A part of the table for everything that happened, while the limit lasts."""
    left = limits.problems
    for group in group_problems(report.problems):
        if left <= 0:
            return
        yield _group(report, group, group.problems[:left])
        left -= len(group.problems)


def _group(report: Report, group: ProblemGroup, shown: Sequence[Problem]) -> Iterator[Row]:
    files = unread_in_words(len(group.problems), is_part_of_run=report.is_part_of_run)
    advice = Span(f" ({files}). {group.kind.advice}", SpanKind.QUIET)
    yield Row((cell(group.kind.heading, advice),), has_row_heading=True)
    for problem in shown:
        yield _problems_row(problem.name, as_shown(problem.detail))


@section_of("documents", N_("Documents"), when=lambda report: report.involved)
def documents(report: Report, limits: ReportLimits) -> Iterator[Block]:
    """Every document of its pairs; nothing where there are no pairs."""
    both = np.concatenate((report.pairs.a, report.pairs.b))
    pairs = np.bincount(both, minlength=len(report.documents)).tolist()
    rows = (
        _row(report, number, pairs[number], limits)
        for number in report.involved[: limits.table_rows]
    )
    omitted = len(report.about) - len(report.involved)
    caption = [
        gettext(
            "The documents of these pairs, each with the hashes by which its file and its text can "
            "be told from all others."
        )
    ]
    if not report.choice.names:
        caption.append(
            gettext(
                "They are made with the secret in the key: without it they tell nobody the file."
            )
        )
    if omitted:
        caption.append(
            ngettext(
                "The record that this file carries has {n} other document.",
                "The record that this file carries has {n} other documents.",
                omitted,
            )
        )
    columns = (
        Column(gettext("Document"), weight=1),
        Column(gettext("Pairs"), Align.NUMBER),
        Column(gettext("Language")),
    )
    yield Table(" ".join(caption), columns, (rows,))


def _row(report: Report, number: int, pairs: int, limits: ReportLimits) -> Row:
    document = report.documents[number]
    names = (
        document_line(report, number),
        line(_file(report, number)),
        *_members(report, document, limits),
        _hash(report, "SHA-256 ", document.sha256) or _hash(report, "XXH3 ", document.file_hash),
        _hash(report, gettext("XXH3 of the text") + " ", document.text_hash),
    )
    language = report.languages[number]
    return Row(
        (
            Cell(tuple(text_line for text_line in names if text_line)),
            number_cell(pairs, count(pairs)),
            cell(language_name(language) if language else ""),
        ),
        id=f"document-{number + 1}",
        has_row_heading=True,
    )


def _file(report: Report, number: int) -> str:
    """What its file is: "a PDF file, 12 pages, 34,120 characters, 35 kB, last changed ..."."""
    document = report.documents[number]
    reader = reader_of(document.kind)
    facts = (
        gettext(reader.label) if reader else document.kind,
        document.encoding,
        _pages(report.text_of(number), document.kind),
        length_in_words(document.characters, "char"),
        readable_size(document.size),
        _changed(document.modified),
    )
    return comma_list(facts)


def _pages(text: str, kind: str) -> str:
    """How many pages, slides or sheets there are; "" where a text is not parted into any."""
    marks = text.count("\f")
    return page_words(kind).number(marks + 1) if marks else ""


def _changed(modified: datetime | None) -> str:
    if modified is None:
        return ""
    return gettext("last changed {time}", time=moment_in_words(modified.isoformat()))


def _members(report: Report, document: Document, limits: ReportLimits) -> Iterator[Line]:
    """The files of a submission, each with its hash."""
    members = document.members
    if len(members) > limits.members:
        yield line(
            gettext(
                "{number} files, of which {named} are named:",
                number=count(len(members)),
                named=count(limits.members),
            )
        )
    elif members:
        yield line(ngettext("{n} file:", "{n} files:", len(members)))
    for member in members[: limits.members]:
        yield line(name(member.name), *_hash(report, " SHA-256 ", member.sha256))


def _hash(report: Report, label: str, digest: str) -> Line:
    """A hash with its label; empty where it is not known, as of some runs on a cluster."""
    return line(label, Span(report.hash_of(digest), SpanKind.CODE)) if digest else ()


WIDTH = 640.0  # of a page
ROWS, COLUMNS = 24, 8  # of a picture: they fit on a page, and leave room for names
EDGE = 2.0
ROW, BOX = 34.0, 24.0  # from row to row, and how high a box is
STEP = 34.0  # indent of a row below the row it came from; less where there are many
NAME = 150.0  # the least that is left for a box
BESIDE = 26.0  # between columns of lines that lead round the rows
PADDING = 9.0  # of a box, at both sides
HEAD = 5.0  # of an arrow
SIZE = 11.5  # of the words
LETTER, CAPITAL, WIDE = 6.2, 8.6, 12.0  # widths of characters at that size
_LINE = {"fill": "none", "stroke": "currentColor"}
_FRAME = {"fill": "none", "stroke": "currentColor", "stroke-opacity": "0.45", "rx": "3"}


def order_picture(
    tree: OrderTree, numbers: Mapping[FileOrder, int], name_of: Callable[[int], str]
) -> Picture:
    """The picture, and in words what it shows.

    Args:
        tree: What is drawn, of at most `ROWS` rows and `COLUMNS` columns.
        numbers: The label at the line of each order: its number in the table beside.
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
    for row, shown_name in enumerate(shown):
        drawing.box(starts[row], ends[row], row, isolated(shown_name))
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
        position = {"x": f"{left:.1f}", "y": f"{EDGE + ROW * row:.1f}"}
        size = {"width": f"{end - start:.1f}", "height": f"{BOX:g}"}
        ET.SubElement(self._root, "rect", _FRAME | position | size)
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
        position = {"x": f"{self._x(x):.1f}", "y": f"{y:.1f}", "text-anchor": anchor}
        ET.SubElement(self._root, "text", position | {"fill": "currentColor"}).text = words


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


@section_of("file-properties", N_("File properties"), when=lambda report: report.file_properties)
def file_properties(report: Report, limits: ReportLimits) -> Iterator[Block]:
    """The pairs that share a rare property, then the properties of each file."""
    sharing = [*_sharing(report, limits)]
    yield Prose((line(gettext(CAUTION)), *([] if sharing else [line(gettext(NOTHING_SHARED))])))
    if sharing:
        number = count(report.file_properties.rare_most) if report.file_properties else ""
        caption = gettext(
            "Pairs of this report that share a rare property: one that at most {number} files "
            "have.",
            number=number,
        )
        yield _pair_table(report, caption, gettext("Shared"), sharing)
    if report.file_orders:
        yield from _orders(report, limits)
    yield Table(
        gettext("What the file of each document tells."),
        (Column(gettext("Document"), weight=1), Column(gettext("File properties"), weight=1)),
        (_document_rows(report, limits),),
    )


def _orders(report: Report, limits: ReportLimits) -> Iterator[Block]:
    """Each tree with the indications for its lines below it, then those on other files."""
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
    orders = (
        (number, order.a, order.b, order_in_words(order, report.name_of))
        for order, number in numbers.items()
    )
    return _pair_table(report, "", gettext("File properties"), orders)


PairWords: TypeAlias = tuple[int, int, int, Iterable[str]]  # its number, A, B, what is said of it


def _sharing(report: Report, limits: ReportLimits) -> Iterator[PairWords]:
    """The pairs whose files share a rare property, and which."""
    a, b, names = report.pairs.a, report.pairs.b, report.choice.names
    for row in range(min(len(report.pairs), limits.table_rows)):
        if properties := report.shared_properties(row):
            words = [shared_in_words(of, names=names) for of in properties]
            yield report.rank_of(row), int(a[row]), int(b[row]), words


def _pair_table(report: Report, caption: str, title: str, pairs: Iterable[PairWords]) -> Table:
    rows = []
    for number, a, b, words in pairs:
        lines = tuple(map(line, words))
        cells = (names_cell(report, a, b), Cell(lines, main=len(lines)))
        rows.append(Row((number_cell(number, count(number)), *cells)))
    both = Column(gettext("Documents A and B"), weight=1)
    return Table(caption, (Column("#", Align.NUMBER), both, Column(title, weight=1)), (rows,))


def _document_rows(report: Report, limits: ReportLimits) -> Iterator[Row]:
    for number in report.involved[: limits.table_rows]:
        if properties := report.properties_of(number):
            lines = tuple(map(line, in_words(properties, names=report.choice.names)))
            yield Row(
                (Cell((document_line(report, number),)), Cell(lines, main=len(lines))),
                has_row_heading=True,
            )
