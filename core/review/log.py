"""The log of an open review: decisions are in the file before they are reported as saved.

One program appends, the holder of the `ReviewLock`; a decision is a transaction, apart from the
save of a complete scan. Others read the appended entries on request.

    decide ─▶ one entry, flushed to the disk, in the one file      undo, redo ─▶ one entry more
    entries_since ─▶ entries of another program
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple

from core.base.memory import CLOSE_PROGRAMS, collector_paused, require_memory
from core.base.messages import gettext
from core.base.patterns import lazy_pattern
from core.base.tasks import until_done
from core.review import decisions, sidecar_files
from core.review.database import check_version, connect
from core.review.decisions import StoredData
from core.review.header import load_facts, next_state, save_facts, state_of
from core.review.integrity import is_verified, note_verified
from core.review.lock import commit, database_to_save
from core.review.packing import decoded, encoded, row_checksum
from core.review.validation import at_most, json_of, sentence_of, size_of, watched
from core.scan.history import Command, HistoryEntry, common_beginning, renumbered
from core.scan.judgements import Judgements

BYTES_IN_MEMORY = 16  # of a byte of JSON, at most
MOST_OF_WORD = 64  # characters of a kind, and of a time
MOST_OF_REST = 1000  # bytes of the other columns

# As `_packed` writes it; then nothing more is read now.
BEGINNING = lazy_pattern(rb'\{"kind":"([^"\\]{1,64})"[,}]')

Row = tuple[int, int, bytes, bytes, bytes, bytes]


def load_entries(
    connection: sqlite3.Connection, count: int, *, after: int = 0
) -> list[HistoryEntry]:
    """The entries of a review, or those after a number.

    Args:
        connection: The review, in a transaction.
        count: How many it claims to have.
        after: The number of the last known entry.

    Raises:
        ValueError: They are damaged, or not so many.
        StorageError: There is no memory for so many.
    """
    size = connection.execute(
        "SELECT ifnull(sum(length(time) + length(who) + length(command) + length(inverse)), 0) "
        "FROM log WHERE id > ?",
        (after,),
    ).fetchone()[0]
    if size > size_of(connection):
        raise ValueError("The log is larger than the file it is in.")
    require_memory(
        BYTES_IN_MEMORY * size, gettext("The log of this review"), gettext(CLOSE_PROGRAMS)
    )
    with at_most(connection, size + MOST_OF_REST), collector_paused():
        rows = list(_verified(connection, after))
        if len(rows) != count - after or any(
            row[0] != number for number, row in enumerate(rows, after + 1)
        ):
            raise ValueError("Entries of the log are missing.")
        return [_entry(row) for row in rows]


def insert_entries(connection: sqlite3.Connection, entries: Sequence[HistoryEntry]) -> None:
    """Append entries, whose ids go on from the existing ones."""
    before = _last_checksum(connection, entries[0].id - 1) if entries else 0
    for entry in entries:
        row = _row(entry)
        before = _checksum(row, before)
        connection.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", (*row, before))


def _verified(connection: sqlite3.Connection, after: int) -> Iterator[Row]:
    before = _last_checksum(connection, after)
    query = (
        "SELECT id, reverses, time, who, command, inverse, checksum FROM log WHERE id > ? "
        "ORDER BY id"
    )
    for *columns, checksum in connection.execute(query, (after,)):
        if _checksum(columns, before) != checksum:
            raise ValueError("An entry of the log is damaged.")
        before = checksum
        yield tuple(columns)


def _last_checksum(connection: sqlite3.Connection, number: int) -> int:
    row = connection.execute("SELECT checksum FROM log WHERE id = ?", (number,)).fetchone()
    return int(row[0]) if row else 0


def _checksum(row: Sequence[Any], before: int) -> int:
    return row_checksum((*row[:2], before), row[2:])


def _row(entry: HistoryEntry) -> Row:
    inverse = b"" if entry.inverse is None else _packed(entry.inverse)
    time, who = encoded(entry.time), encoded(entry.who)
    return entry.id, entry.reverses, time, who, _packed(entry.command), inverse


def _packed(command: Command) -> bytes:
    if isinstance(command.data, StoredData):
        return command.data.packed
    content = {"kind": command.kind, **command.data}
    return json.dumps(content, separators=(",", ":")).encode("ascii")


def _entry(row: Row) -> HistoryEntry:
    number, reverses, time, who, command, inverse = row
    if not 0 <= reverses < number:
        raise ValueError("An entry reverses one that comes later.")
    return HistoryEntry(
        number,
        reverses,
        _word(decoded(time)),
        intern(sentence_of(decoded(who))),
        _command(command),
        _command(inverse) if inverse else None,
    )


def _command(data: bytes) -> Command:
    """A stored command; its data is read where it is carried out, and most are never undone."""
    beginning = BEGINNING.match(data)
    if beginning:
        return Command(intern(_word(decoded(beginning[1]))), StoredData(data))
    content = json_of(data)
    if not isinstance(content, dict):
        raise TypeError("A command is no JSON object.")
    return Command(intern(_word(content.get("kind"))), StoredData(data))


def _word(value: object) -> str:
    if not isinstance(value, str) or len(value) > MOST_OF_WORD or not value.isprintable():
        raise ValueError("A word in the log is none.")
    return value


class Appended(NamedTuple):
    """Entries that came to a log.

    Attributes:
        entries: Those that another program appended meanwhile, then those of this program.
        notes: Sentences on a save that succeeded.
    """

    entries: tuple[HistoryEntry, ...]
    notes: tuple[str, ...] = ()


@until_done()
def extend_log(
    path: Path, known: Sequence[HistoryEntry], entries: Sequence[HistoryEntry]
) -> Appended:
    """Append entries to the log of a review, in one transaction; then they are in the file.

    Entries that are in the file already, from a save of the complete scan, are not
    appended again. Entries of another program come first, and the others are numbered
    after them.

    Args:
        path: The review, which exists, and which this program may save.
        known: The known entries of its log.
        entries: Those decided after that.

    Raises:
        ReviewError: They were not saved, and the file is as it was; the sentence says why.
    """
    path, notes = Path(os.path.realpath(path)), list[str]()
    with sidecar_files.explained(path, "saved"):
        if not path.exists():
            raise sidecar_files.gone(path)
        with database_to_save(path, notes) as connection:
            connection.execute("BEGIN IMMEDIATE")
            with sidecar_files.undamaged(path):
                facts, before = load_facts(connection), state_of(connection)
                was_verified = is_verified(path, before)
                foreign = _entries_after(path, connection, facts.log, known)
            fresh = entries[common_beginning(foreign, entries) :]
            fresh = renumbered(fresh, after=len(known) + len(foreign))
            if not fresh:
                connection.execute("ROLLBACK")
                return Appended(tuple(foreign), tuple(notes))
            insert_entries(connection, fresh)
            _require_readable(path, connection, fresh)
            facts = facts._replace(state=next_state(before), log=fresh[-1].id)
            save_facts(connection, facts)
            after = state_of(connection)
            notes += filter(None, [commit(path, connection)])
    if was_verified:
        note_verified(path, after)
    return Appended((*foreign, *fresh), tuple(notes))


def _require_readable(
    path: Path, connection: sqlite3.Connection, entries: Sequence[HistoryEntry]
) -> None:
    """Read entries that were appended as they are read when the review is opened."""
    try:
        stored = load_entries(connection, entries[-1].id, after=entries[0].id - 1)
        decisions.judged(Judgements(), stored)
    except sidecar_files.DAMAGE as error:
        raise sidecar_files.unreadable(path) from error


@until_done()
def entries_since(path: Path, entries: Sequence[HistoryEntry]) -> tuple[HistoryEntry, ...]:
    """The entries appended to a review since; nothing is written.

    Args:
        path: The review.
        entries: The known entries of its log.

    Raises:
        ReviewError: It cannot be read, or is another review by now.
    """
    path = Path(os.path.realpath(path))
    with (
        sidecar_files.explained(path, "opened"),
        sidecar_files.undamaged(path),
        closing(connect(path, write=False)) as connection,
    ):
        check_version(connection, path)
        connection.execute("BEGIN")
        with watched(connection):
            facts = load_facts(connection)
            return tuple(_entries_after(path, connection, facts.log, entries))


def _entries_after(
    path: Path, connection: sqlite3.Connection, count: int, known: Sequence[HistoryEntry]
) -> list[HistoryEntry]:
    """The entries after the known ones."""
    last = max(len(known) - 1, 0)
    if count < len(known):
        raise sidecar_files.changed(path)
    stored = load_entries(connection, count, after=last)
    if known and stored[0] != known[-1]:
        raise sidecar_files.changed(path)
    return stored[len(known) - last :]
