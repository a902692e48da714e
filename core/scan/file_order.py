"""Which of two files came from the other, as far as their properties show it.

A file that is passed on and edited has the editing sessions of the one before, and its own; it was
saved later; and whoever made the first saved only that one. Each of these is an indication, each
can be wrong: a clock, a name that was changed, two files of one form. So an order is only said
where the sessions speak for it, another indication agrees and none contradicts. The sessions must:
nothing else tells a file that came from another from one that came from the same third file.

That a file has no session of its own says something only of Word, and of LibreOffice in its own
format: both draw one whenever a file is opened and saved, also where nothing is typed (LibreOffice
7.4 was tried). Other programs keep what is there and add nothing, as LibreOffice does in DOCX.

Whether one text is within the other says no order: text is added as well as left out. A Word file
lists all its sessions (ECMA-376 part 1, 17.15.1.72). That it gets one each time it is saved, keeps
the earlier ones, and that they do not grow in time, as the standard wants, was found by
D. Spennemann and C. Singh (The Generation of Revision Identifier (rsid) Numbers in MS Word,
International Journal of Digital Curation 18, 2024). A file of LibreOffice has the first and the
last, and those whose words are still there: where a later one has lost some, no order is said.

A PDF file has an identifier in two parts (ISO 32000-2, 14.4), the same in a file that was written
once; whoever saves it again keeps the first part and changes the second. (pypdf keeps both; then
the dates, the versions in the file, or that it begins otherwise than files of the program which it
names, tell that it was saved again.) So a file that has as its
own what another has as an earlier identifier is the earlier one; the history of XMP (part 2, 1.2)
tells the same. A program that only adds to a file (7.5.6) leaves the version before in it, byte for
byte: that is no indication but a proof, and is enough where nothing contradicts. That a file which
names no date of change was last saved when it was created is our own assumption.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from core.base.patterns import lazy_pattern
from core.documents.properties import (
    CREATED,
    CREATED_BY,
    EARLIER_IDS,
    FILE_IDS,
    PROGRAM,
    SAVED,
    SAVED_BY,
    SESSIONS,
    UNSURE,
    VERSIONS,
    Properties,
    PropertyKind,
    is_possible,
    joins,
    moment_of,
)

if TYPE_CHECKING:
    from core.scan.properties import FolderProperties

_LIBREOFFICE = lazy_pattern(r"LibreOffice/\S+ LibreOffice_project/\S+")


class Indication(NamedTuple):
    """Evidence of one kind of property for the order of two files.

    Attributes:
        kind: `SESSIONS`, `VERSIONS`, `EARLIER_IDS`, `SAVED` or `SAVED_BY`.
        earlier: The document that it speaks for; None where it speaks against both.
    """

    kind: PropertyKind
    earlier: int | None


class FileOrder(NamedTuple):
    """The evidence of the properties of two files for their order.

    Attributes:
        a: The number of one document.
        b: That of the other.
        indications: What speaks for an order and against it, dates and people last.
    """

    a: int
    b: int
    indications: Sequence[Indication]

    @property
    def earlier(self) -> int | None:
        """The document from which the other may have come; None where that is not sure enough."""
        directions = {indication.earlier for indication in self.indications}
        is_enough = len(self.indications) > 1 or self.indications[0].kind is VERSIONS
        return directions.pop() if is_enough and len(directions) == 1 else None

    @property
    def later(self) -> int | None:
        """The other one; None as for `earlier`."""
        return None if self.earlier is None else self.a + self.b - self.earlier


class TreeEdge(NamedTuple):
    """A line between two rows of a tree.

    Attributes:
        order: What is known of both documents.
        above: The row where it begins: of an order that is known that of the earlier document.
        below: The row where it ends.
        column: In which column beside the rows it leads round them, from 1; 0 where the row where
            it ends stands further in for it. Lines that begin in one row share a column.
    """

    order: FileOrder
    above: int
    below: int
    column: int


class OrderTree(NamedTuple):
    """Files that came from each other, as a tree that is read from above.

    Attributes:
        documents: The number of the document of each row, the earliest first.
        depths: How far in each row stands, from 0.
        edges: Only direct ones; where no order is known, one for what nothing else joins.
    """

    documents: Sequence[int]
    depths: Sequence[int]
    edges: Sequence[TreeEdge]


def orders_within(folder: FolderProperties, documents: Sequence[int]) -> Sequence[FileOrder]:
    """What is known of the order of documents that share text, such as a group.

    Only of files that share editing sessions or identifiers which no file besides these has, so no
    template.
    """
    orders = {
        (a, b): FileOrder(a, b, (indication, *_indications(folder, a, b)))
        for a, b in folder.linked(SESSIONS, documents)
        for indication in _of_sessions(folder, a, b)
    }
    for a, b in folder.linked(FILE_IDS, documents):
        if of_pdf := [*_of_versions(folder, a, b), *_of_identifiers(folder, a, b)]:
            order = FileOrder(a, b, (*of_pdf, *_indications(folder, a, b)))
            orders.setdefault((a, b), order)
    return [order for _, order in sorted(orders.items())]


def direct_origins(orders: Sequence[FileOrder]) -> Mapping[int, Sequence[int]]:
    """By document those from which it may come directly: not by way of another of them."""
    before: dict[int, set[int]] = {}
    for order in orders:
        if order.earlier is not None and order.later is not None:
            before.setdefault(order.later, set()).add(order.earlier)
    return {
        document: sorted(
            all_before.difference(*(before.get(earlier, ()) for earlier in all_before))
        )
        for document, all_before in before.items()
    }


def order_trees(orders: Sequence[FileOrder]) -> Sequence[OrderTree]:
    """The trees of these orders; none of files of which no order is known."""
    origins = direct_origins(orders)
    unknown = [order for order in orders if order.earlier is None]
    direct = [
        order
        for order in orders
        if order.later is not None and order.earlier in origins[order.later]
    ]
    root_of = {document: document for order in orders for document in (order.a, order.b)}

    def root(document: int) -> int:
        while root_of[document] != document:
            document = root_of[document]
        return document

    drawn = []
    for order in (*direct, *unknown):
        a, b = root(order.a), root(order.b)
        if order.earlier is not None or a != b:
            root_of[max(a, b)] = min(a, b)
            drawn.append(order)
    trees: dict[int, list[FileOrder]] = {}
    for order in drawn:
        trees.setdefault(root(order.a), []).append(order)
    return [
        _tree(of_tree, origins)
        for of_tree in trees.values()
        if any(order.earlier is not None for order in of_tree)
    ]


def tree_parts(tree: OrderTree, rows: int, columns: int) -> Iterator[OrderTree]:
    """A tree in parts of at most so many rows and columns; what joins two stands in both."""
    part: list[TreeEdge] = []
    for edge in sorted(tree.edges, key=lambda edge: edge.below):
        ends = {end for drawn in (*part, edge) for end in (drawn.above, drawn.below)}
        beside = {drawn.above for drawn in (*part, edge) if drawn.column}
        if len(ends) > rows or len(beside) > columns:
            yield _part(part)
            part = []
        part.append(edge)
    yield _part(part)


def _part(edges: Sequence[TreeEdge]) -> OrderTree:
    orders = [edge.order for edge in edges]
    return _tree(orders, direct_origins(orders))


def _tree(orders: Sequence[FileOrder], origins: Mapping[int, Sequence[int]]) -> OrderTree:
    """A tree of the orders that are drawn; each document stands below the first it came from."""
    documents = sorted({document for order in orders for document in (order.a, order.b)})
    depths: dict[int, int] = {}
    stems = set[tuple[int, int]]()
    # Properties that contradict themselves can lead round: then one begins anywhere.
    for first in sorted(documents, key=lambda document: document in origins):
        left = [] if first in depths else [(first, first)]
        while left:
            before, document = left.pop()
            if document in depths:
                continue
            depths[document] = depths[before] + 1 if before != document else 0
            stems.add((before, document))
            left += (
                (document, order.later)
                for order in reversed(orders)
                if order.earlier == document and order.later is not None
            )
    row = {document: number for number, document in enumerate(depths)}
    ends = [
        (order.a, order.b)
        if order.earlier is None or order.later is None
        else (order.earlier, order.later)
        for order in orders
    ]
    columns = _columns(
        (row[above], row[below]) for above, below in ends if (above, below) not in stems
    )
    edges = [
        TreeEdge(
            order, row[above], row[below], 0 if (above, below) in stems else columns[row[above]]
        )
        for order, (above, below) in zip(orders, ends, strict=True)
    ]
    return OrderTree([*depths], [*depths.values()], edges)


def _columns(lines: Iterable[tuple[int, int]]) -> Mapping[int, int]:
    """By the row where lines begin the innermost column, from 1, in which they meet no others."""
    rows: dict[int, list[int]] = {}
    for above, below in lines:
        rows.setdefault(above, [above]).append(below)
    column_of: dict[int, int] = {}
    taken: list[list[tuple[int, int]]] = []
    spans = sorted((max(ends) - min(ends), min(ends), above) for above, ends in rows.items())
    for length, first, above in spans:
        last = first + length
        free = (all(last < start or end < first for start, end in column) for column in taken)
        column = next((number for number, is_free in enumerate(free) if is_free), len(taken))
        if column == len(taken):
            taken.append([])
        taken[column].append((first, last))
        column_of[above] = column + 1
    return column_of


def _of_sessions(folder: FolderProperties, a: int, b: int) -> Iterator[Indication]:
    """Which file has all sessions of the other; nothing where its program draws none."""
    yield from (
        indication
        for indication in _of_values(folder, SESSIONS, a, b)
        if indication.earlier is None
        or _draws_sessions(folder.documents[indication.earlier].properties)
    )


def _of_versions(folder: FolderProperties, a: int, b: int) -> Iterator[Indication]:
    """Which file begins with the bytes of the other; nothing where both begin differently."""
    if _set_of(folder, VERSIONS, a) & _set_of(folder, VERSIONS, b):
        yield from _of_values(folder, VERSIONS, a, b)


def _of_values(
    folder: FolderProperties, kind: PropertyKind, a: int, b: int
) -> Iterator[Indication]:
    of_a, of_b = _set_of(folder, kind, a), _set_of(folder, kind, b)
    if of_a != of_b:
        yield Indication(kind, b if of_a > of_b else a if of_a < of_b else None)


def _of_identifiers(folder: FolderProperties, a: int, b: int) -> Iterator[Indication]:
    """Which file has a present identifier that is an earlier one of the other."""
    earlier = [_set_of(folder, EARLIER_IDS, number) for number in (a, b)]
    newest = [
        _set_of(folder, FILE_IDS, number) - earlier[side] for side, number in enumerate((a, b))
    ]
    is_first = bool(newest[0] & earlier[1]), bool(newest[1] & earlier[0])
    if is_first[0] is not is_first[1]:
        yield Indication(EARLIER_IDS, a if is_first[0] else b)


def _set_of(folder: FolderProperties, kind: PropertyKind, document: int) -> set[str]:
    return {*folder.documents[document].properties.get(kind.code, ())}


def _indications(folder: FolderProperties, a: int, b: int) -> Iterator[Indication]:
    """The evidence of dates and people."""
    files = [folder.documents[number].properties for number in (a, b)]
    saved = [_saved(file) for file in files]
    if saved[0] is not None and saved[1] is not None:
        (first, first_zone), (second, second_zone) = saved[0], saved[1]
        least = timedelta() if first_zone and second_zone else UNSURE
        if abs(first - second) > least:
            yield Indication(SAVED, b if second < first else a)
    makers, savers = ([_only(file, kind) for file in files] for kind in (CREATED_BY, SAVED_BY))
    is_same = makers[0] == makers[1] and joins(CREATED_BY, makers[0])
    if is_same and makers[0] in savers and savers[0] != savers[1] and all(savers):
        yield Indication(SAVED_BY, (a, b)[savers.index(makers[0])])


def _draws_sessions(properties: Properties) -> bool:
    """Whether its program draws a session each time; that of a DOCX file has a version, too."""
    program = _only(properties, PROGRAM)
    return " Word" in program or bool(_LIBREOFFICE.fullmatch(program))


def _saved(properties: Properties) -> tuple[datetime, bool] | None:
    """When a file was saved last, and whether its time zone is known; None for what cannot be."""
    created, saved = _only(properties, CREATED), _only(properties, SAVED)
    if not saved and VERSIONS.code in properties:
        saved = created
    moment = moment_of(saved) if is_possible(SAVED, saved) else None
    made = moment_of(created)
    if moment is None or (made is not None and made > moment):
        return None
    return moment, datetime.fromisoformat(saved).tzinfo is not None


def _only(properties: Properties, kind: PropertyKind) -> str:
    """The value of a kind; "" where there is none, or several in the files of a submission."""
    values = properties.get(kind.code, ())
    return values[0] if len(values) == 1 else ""
