"""The rows of the list of groups: which of them are open, which are unfolded, which are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from core.base.arrays import BoolArray
from core.scan.groups import Group
from neardup_gui.models.scan_result import DocumentNames

MANY = 12  # documents above which a group is closed at first


class RowKind(IntEnum):
    """What a row is."""

    GROUP = 0  # the centre, with the whole group
    MEMBER = 1
    FOLD = 2  # "and 3 exact copies"
    COPY = 3


class GroupRow(NamedTuple):
    """A row.

    Attributes:
        kind: What it is.
        group: The number of the group, from 0.
        document: The number of the document; of a fold the one that the copies are of.
        copies: Of a fold how many there are.
    """

    kind: RowKind
    group: int
    document: int
    copies: int = 0


class Opened:
    """What the user opened and closed; it holds while groups are made again, by their centre.

    Attributes:
        turned: The centres of groups that are not as they were at first.
        unfolded: The documents whose copies are shown.
    """

    def __init__(self) -> None:
        self.turned: set[int] = set()
        self.unfolded: set[int] = set()

    def is_open(self, group: Group) -> bool:
        """Whether the members of a group are shown."""
        return (group.size <= MANY) is not (group.centre in self.turned)

    def follow(self, before: DocumentNames, after: DocumentNames) -> None:
        """Stay so in another list, where documents have other numbers."""
        if after is before:
            return

        def moved(documents: set[int]) -> set[int]:
            keys = (before.key(number, number).a for number in documents)
            found = (after.documents.successor_of(key, before.documents) for key in keys)
            return {number for number in found if number is not None}

        self.turned, self.unfolded = moved(self.turned), moved(self.unfolded)


def rows_of(
    groups: Sequence[Group], opened: Opened, wanted: BoolArray | None = None
) -> list[GroupRow]:
    """All rows that are shown.

    Args:
        groups: In their order.
        opened: What is open.
        wanted: By document, whether its name is looked for: then only groups that have one are
            shown, and of a group whose centre is none only these members. None for everything.
    """
    return [
        row for number, one in enumerate(groups) for row in rows_in(number, one, opened, wanted)
    ]


def rows_in(
    number: int, group: Group, opened: Opened, wanted: BoolArray | None
) -> Iterator[GroupRow]:
    """The rows of one group, which has a number."""
    if wanted is not None and wanted[[group.centre, *group.copies]].any():
        wanted = None
    if wanted is not None and not wanted[list(group.documents)].any():
        return
    yield GroupRow(RowKind.GROUP, number, group.centre)
    if wanted is None and not opened.is_open(group):
        return
    if wanted is None:
        yield from _copies(number, group.centre, group.copies, opened)
    for document, _, copies in group.members:
        if wanted is None or wanted[[document, *copies]].any():
            yield GroupRow(RowKind.MEMBER, number, document)
            yield from _copies(number, document, copies, opened)


def _copies(
    number: int, document: int, copies: Sequence[int], opened: Opened
) -> Iterator[GroupRow]:
    if copies:
        yield GroupRow(RowKind.FOLD, number, document, copies=len(copies))
        if document in opened.unfolded:
            for copy in copies:
                yield GroupRow(RowKind.COPY, number, copy)
