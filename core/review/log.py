"""The log of a review that is open: what is decided is in the file before it is said to be saved.

One program appends, who has the `ReviewLock`; each decision is a transaction of its own, beside the
save of a whole scan. Others read what was appended when they ask for it.

    decide ─▶ one entry, flushed to the disk, in the one file      undo, redo ─▶ one entry more
    entries_since ─▶ what another program has appended
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from core.base.progress import never
from core.review import decisions, schema
from core.review.database import check_version, connect
from core.review.header import load_facts, next_state, save_facts, state_of
from core.review.log_rows import insert_entries, load_entries
from core.review.refusals import DAMAGE, changed, explained, gone, undamaged, unreadable
from core.review.sqlite_bounds import watched
from core.review.target import commit, database_to_save
from core.review.verifying import note_saved
from core.scan.history import Command, HistoryEntry, entry_after, renumbered
from core.scan.judgements import Judgements


class Appended(NamedTuple):
    """What came to a log.

    Attributes:
        entries: Those that another program appended meanwhile, and the own one.
        notes: What there is to say of a save that succeeded, in sentences.
    """

    entries: tuple[HistoryEntry, ...]
    notes: tuple[str, ...] = ()


class ReviewLog:
    """The log of a review that this program may save; used by one thread at a time.

    Attributes:
        path: The review, which is there.
        entries: What it holds, as far as is known.
    """

    def __init__(self, path: Path, entries: Sequence[HistoryEntry] = ()) -> None:
        self.path = Path(os.path.realpath(path))
        self.entries = tuple(entries)

    def append(self, command: Command, inverse: Command | None, *, who: str = "") -> Appended:
        """Decide something; it is in the file when this returns.

        Args:
            command: What is done.
            inverse: What undoes it, None where nothing does.
            who: Who decides it; the user of the system when left out.

        Raises:
            ReviewError: It was not saved, and the file is as it was; the sentence says why.
        """
        return self._append(lambda entries: [entry_after(entries, command, inverse, who=who)])

    def extend(self, entries: Sequence[HistoryEntry]) -> Appended:
        """Append entries that were made after those that are known, in one transaction.

        Those of them that are in the file already, as a save of the whole scan puts them there, are
        not appended again. What another program has appended comes before the others, which are
        numbered behind it.

        Raises:
            ReviewError: As from `append`.
        """

        def fresh(there: Sequence[HistoryEntry]) -> Sequence[HistoryEntry]:
            others = there[known:]
            same = sum(1 for _ in takewhile(_are_equal, zip(others, entries, strict=False)))
            return renumbered(entries[same:], after=len(there))

        known = len(self.entries)
        return self._append(fresh)

    def undo(self, *, who: str = "") -> Appended:
        """Undo what was decided last and not undone; nothing is appended where there is nothing.

        Raises:
            ReviewError: As from `append`.
        """
        return self._append(lambda entries: _listed(decisions.undo(entries, who)))

    def redo(self, *, who: str = "") -> Appended:
        """Redo what was undone last.

        Raises:
            ReviewError: As from `append`.
        """
        return self._append(lambda entries: _listed(decisions.redo(entries, who)))

    def _append(self, make: Callable[[Sequence[HistoryEntry]], Sequence[HistoryEntry]]) -> Appended:
        path, notes = self.path, list[str]()
        with explained(path, "saved"):
            if not path.exists():
                raise gone(path)
            with database_to_save(path, notes) as connection:
                connection.execute("BEGIN IMMEDIATE")
                schema.migrate(connection)
                with undamaged(path):
                    facts, before = load_facts(connection), state_of(connection).number
                    others = _entries_behind(path, connection, facts.log, self.entries)
                known = (*self.entries, *others)
                fresh = make(known)
                if not fresh:
                    connection.execute("ROLLBACK")
                    self.entries = known
                    return Appended(tuple(others), tuple(notes))
                insert_entries(connection, fresh)
                _require_readable(path, connection, fresh)
                facts = replace(facts, state=next_state(before), log=fresh[-1].id)
                save_facts(connection, facts)
                after = state_of(connection).number
                notes += filter(None, [commit(path, connection)])
        note_saved(path, before, after)
        self.entries = (*known, *fresh)
        return Appended((*others, *fresh), tuple(notes))


def _require_readable(
    path: Path, connection: sqlite3.Connection, entries: Sequence[HistoryEntry]
) -> None:
    """Read entries that were appended as they are read when the review is opened.

    Raises:
        ReviewError: They could not be read.
    """
    try:
        there = load_entries(connection, entries[-1].id, after=entries[0].id - 1)
        decisions.judged(Judgements(), there)
    except DAMAGE as error:
        raise unreadable(path) from error


def _listed(entry: HistoryEntry | None) -> Sequence[HistoryEntry]:
    return () if entry is None else (entry,)


def _are_equal(two: tuple[HistoryEntry, HistoryEntry]) -> bool:
    return two[0] == two[1]


def entries_since(path: Path, entries: Sequence[HistoryEntry]) -> tuple[HistoryEntry, ...]:
    """What was appended to a review since; nothing is written.

    Args:
        path: The review.
        entries: What is known of its log.

    Raises:
        ReviewError: It cannot be read, or is another review by now.
    """
    path = Path(os.path.realpath(path))
    with (
        explained(path, "opened"),
        undamaged(path),
        closing(connect(path, write=False)) as connection,
    ):
        check_version(connection, path)
        if schema.version_of(connection) < len(schema.MIGRATIONS):
            return ()
        connection.execute("BEGIN")
        with watched(connection, never):
            facts = load_facts(connection)
            return tuple(_entries_behind(path, connection, facts.log, entries))


def _entries_behind(
    path: Path, connection: sqlite3.Connection, count: int, known: Sequence[HistoryEntry]
) -> list[HistoryEntry]:
    """The entries after those that are known.

    Raises:
        ReviewError: The last that is known is not there: it is another review.
    """
    last = max(len(known) - 1, 0)
    if count < len(known):
        raise changed(path)
    there = load_entries(connection, count, after=last)
    if known and there[0] != known[-1]:
        raise changed(path)
    return there[len(known) - last :]
