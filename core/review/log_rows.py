"""The rows of `log`: what was decided, each with a checksum in which all before it have a part."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from sys import intern
from typing import Any

from core.base.collector import collector_paused
from core.base.memory import require_memory
from core.review.believable import json_of, sentence_of
from core.review.packing import decoded, encoded, row_checksum
from core.review.sqlite_bounds import at_most, size_of
from core.review.stored_data import StoredData
from core.scan.history import Command, HistoryEntry

BYTES_IN_MEMORY = 16  # of a byte of JSON, at most
MOST_OF_WORD = 64  # characters of a kind, and of a time
MOST_OF_REST = 1000  # bytes of the other columns

# As `_packed` writes it; then nothing more is read now.
BEGINNING = re.compile(rb'\{"kind":"([^"\\]{1,64})","version":([0-9]{1,9})[,}]')

Row = tuple[int, int, bytes, bytes, bytes, bytes]


def load_entries(
    connection: sqlite3.Connection, count: int, *, after: int = 0
) -> list[HistoryEntry]:
    """The entries of a review, or those after a number.

    Args:
        connection: The review, in a transaction.
        count: How many it says that it has.
        after: The last that is known.

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
        BYTES_IN_MEMORY * size, "The log of this review", "Close other programs and retry."
    )
    with at_most(connection, size + MOST_OF_REST), collector_paused():
        rows = list(_verified(connection, after))
        if [row[0] for row in rows] != list(range(after + 1, count + 1)):
            raise ValueError("Entries of the log are missing.")
        return [_entry(row) for row in rows]


def insert_entries(connection: sqlite3.Connection, entries: Sequence[HistoryEntry]) -> None:
    """Append entries, whose ids go on from those that are there."""
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
    found = connection.execute("SELECT checksum FROM log WHERE id = ?", (number,)).fetchone()
    return int(found[0]) if found else 0


def _checksum(row: Sequence[Any], before: int) -> int:
    return row_checksum((*row[:2], before), row[2:])


def _row(entry: HistoryEntry) -> Row:
    inverse = b"" if entry.inverse is None else _packed(entry.inverse)
    time, who = encoded(entry.time), encoded(entry.who)
    return entry.id, entry.reverses, time, who, _packed(entry.command), inverse


def _packed(command: Command) -> bytes:
    if isinstance(command.data, StoredData):
        return command.data.packed
    whole = {"kind": command.kind, "version": command.version, **command.data}
    return json.dumps(whole, separators=(",", ":")).encode("ascii")


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
    """A stored command; its data is read where it is carried out, and most are never undone.

    Raises:
        TypeError, ValueError: It is none.
    """
    beginning = BEGINNING.match(data)
    if beginning:
        return Command(intern(_word(decoded(beginning[1]))), StoredData(data), int(beginning[2]))
    whole = json_of(data)
    if not isinstance(whole, dict):
        raise TypeError("A command is no JSON object.")
    kind, version = whole.get("kind"), whole.get("version")
    if not isinstance(version, int) or isinstance(version, bool):
        raise TypeError("The version of a command is no number.")
    return Command(intern(_word(kind)), StoredData(data), version)


def _word(value: object) -> str:
    if not isinstance(value, str) or len(value) > MOST_OF_WORD or not value.isprintable():
        raise ValueError("A word in the log is none.")
    return value
