"""The history of the user's decisions on a scan, entry by entry, and what can be undone.

A decision is a command with the one that undoes it. Undoing appends that one, with the number of
the entry that it reverses, and so does redoing: nothing is ever taken out of a history.

    1 remove a, b      2 remove c      3 bring back c (reverses 2)      4 remove c (reverses 3)
"""

from __future__ import annotations

import getpass
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any, NamedTuple

# Commands on documents that are not there (see `core.review.folder_roles`).
REMOVES, BRINGS_BACK, DELETES = "remove", "bring back", "delete removed"
Key = tuple[str, ...]
MOST_OF_NAME = 200  # characters of who decided
MOST_OF_KEY = 64  # characters of the key of a text


class Command(NamedTuple):
    """A change to a review; `core.review.decisions` carries it out.

    Attributes:
        kind: Its name.
        data: Its arguments, as JSON has them.
    """

    kind: str
    data: Mapping[str, Any]


class HistoryEntry(NamedTuple):
    """A command that was carried out.

    Attributes:
        id: 1, 2, 3 and so on.
        reverses: The entry that it undoes or redoes, 0 for none.
        time: When, ISO 8601 in UTC; clocks may jump, so the order is that of the ids.
        who: Who decided it.
        command: The command.
        inverse: The command that undoes it; None where none does.
    """

    id: int
    reverses: int
    time: str
    who: str
    command: Command
    inverse: Command | None


def entry_after(
    entries: Sequence[HistoryEntry],
    command: Command,
    inverse: Command | None,
    *,
    reverses: int = 0,
    who: str = "",
) -> HistoryEntry:
    """The next entry of a history, made now; `who` is the user of the system when left out."""
    time = datetime.now(UTC).isoformat(timespec="milliseconds")
    return HistoryEntry(
        len(entries) + 1, reverses, time, (who or system_user())[:MOST_OF_NAME], command, inverse
    )


def text_keys(keys: Iterable[Any]) -> list[str]:
    """The keys of texts in the data of a command, as it was stored.

    Raises:
        TypeError, ValueError: They are none.
    """
    texts = list(keys)
    if not all(type(text) is str and 0 < len(text) <= MOST_OF_KEY for text in texts):
        raise ValueError("The key of a text is none.")
    return texts


class UndoStacks:
    """What can be undone and redone, followed entry by entry.

    Documents that were taken off the list and then deleted cannot be put on it again: entries that
    would do only that are left out.
    """

    def __init__(self, entries: Iterable[HistoryEntry] = ()) -> None:
        self._done: list[HistoryEntry] = []
        self._undone: list[HistoryEntry] = []
        self._off: set[Key] = set()  # the list
        self._deleted: set[Key] = set()
        for entry in entries:
            self.add(entry)

    def add(self, entry: HistoryEntry) -> None:
        """Follow the next entry of the history."""
        self._follow_documents(entry.command)
        if entry.inverse is not None:
            self._push(entry)
        for entries in (self._done, self._undone):
            while entries and self._is_void(entries[-1].command):
                entries.pop()

    def _push(self, entry: HistoryEntry) -> None:
        done, undone = self._done, self._undone
        if done and entry.reverses == done[-1].id:
            done.pop()
            undone.append(entry)
        elif undone and entry.reverses == undone[-1].id:
            undone.pop()
            done.append(entry)
        else:
            done.append(entry)
            undone.clear()

    def _follow_documents(self, command: Command) -> None:
        if command.kind == REMOVES:
            documents = _documents(command)
            self._off |= documents
            self._deleted -= documents  # they are there, so they have come again
        elif command.kind == BRINGS_BACK:
            self._off -= _documents(command)
        elif command.kind == DELETES:
            self._deleted |= self._off
            self._off = set()

    def _is_void(self, command: Command) -> bool:
        """Whether all documents that a command is about are deleted."""
        about = command.kind in {REMOVES, BRINGS_BACK}
        return about and bool(self._deleted) and _documents(command) <= self._deleted

    @property
    def to_undo(self) -> HistoryEntry | None:
        """The entry that is undone next; None where there is none."""
        return self._done[-1] if self._done else None

    @property
    def to_redo(self) -> HistoryEntry | None:
        """The entry that is redone next, itself one that reverses another."""
        return self._undone[-1] if self._undone else None


def _documents(command: Command) -> set[Key]:
    """The documents that a command is about; none of a stored one that is damaged."""
    try:
        listed = command.data.get("documents")
    except (TypeError, ValueError):
        return set()
    keys = listed if isinstance(listed, list) else []
    return {tuple(map(str, key)) for key in keys if isinstance(key, list)}


def common_beginning(first: Sequence[HistoryEntry], second: Sequence[HistoryEntry]) -> int:
    """How many entries two histories begin with that are the same."""
    both = zip(first, second, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))


def renumbered(entries: Sequence[HistoryEntry], after: int) -> list[HistoryEntry]:
    """Consecutive entries, numbered as they are after so many others."""
    first = entries[0].id if entries else 0
    shift = after + 1 - first
    return [
        entry._replace(
            id=entry.id + shift,
            reverses=entry.reverses + shift if entry.reverses >= first else entry.reverses,
        )
        for entry in entries
    ]


def system_user() -> str:
    """Who a verdict is signed with where no reviewer is named; "" if the system knows no users."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
