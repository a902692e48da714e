"""Whether a review is intact: checked before a save builds on rows that it does not read.

A save keeps the texts, signatures and pairs that it does not write again. A damaged one would be
noticed when it is needed, long after the save was reported as successful.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

from core.base.tasks import stop_if_cancelled, stoppable
from core.review.header import load_facts, state_of
from core.review.packing import checksum_of
from core.review.stored_pairs import LISTED, OVERLAP, REWORKED, verify_pairs, verify_values
from core.review.stored_signatures import SignedRow
from core.review.validation import ReadBudget, at_most, size_of

SOUND = [(b"ok",)]
# The state in which this process has verified each file, or that it made of a verified one, with
# what the system says of the file: another program may damage it and leave its state.
_verified: dict[Path, tuple[str, int, int, int]] = {}


def verify_once(path: Path, connection: sqlite3.Connection, *, is_loaded: bool = False) -> None:
    """Verify all of a review, unless this process has verified this state before.

    Args:
        path: The file.
        connection: In a transaction, and watched.
        is_loaded: Whether signatures and pairs were read already, and so were verified.

    Raises:
        ValueError: Something is not as it was written.
    """
    state = state_of(connection)
    if not is_verified(path, state):
        verify_all(connection, is_loaded=is_loaded)
        note_verified(path, state)


def is_verified(path: Path, state: str) -> bool:
    """Whether this process has verified a file in this state, and nobody wrote to it since."""
    return _verified.get(path) == (state, *_stamp(path))


def note_verified(path: Path, state: str) -> None:
    """Note that a file was verified, or that this state was made of a verified one."""
    with suppress(OSError):  # moved away at this moment: then another is verified
        _verified[path] = (state, *_stamp(path))


def _stamp(path: Path) -> tuple[int, int, int]:
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns


def verify_all(connection: sqlite3.Connection, *, is_loaded: bool = False) -> None:
    """Verify all of a review but its documents; arguments and errors as `verify_once`."""
    with at_most(connection, size_of(connection)):
        needed = stoppable(connection.execute("SELECT DISTINCT text FROM documents"))
        if {number for (number,) in needed} - _checked(connection, "texts"):
            raise ValueError("A text is missing.")
        _checked(connection, "aside")
        if not is_loaded:
            _signed(connection)
    if not is_loaded:
        facts = load_facts(connection)
        verify_pairs(connection, OVERLAP, facts.documents, facts.pairs)
        verify_pairs(connection, REWORKED, facts.documents, facts.reworked)
        verify_pairs(connection, LISTED, facts.documents, facts.listed)
        verify_values(connection)
    stop_if_cancelled()
    if connection.execute("PRAGMA integrity_check(1)").fetchall() != SOUND:
        raise ValueError("The structure of the database is damaged.")


def _checked(connection: sqlite3.Connection, table: str) -> set[int]:
    """The numbers of the rows, which are looked at as they are stored, without unpacking."""
    room, numbers = ReadBudget(connection), set[int]()
    rows = connection.execute(f"SELECT id, checksum, data FROM {table}")
    for number, checksum, data in stoppable(rows):
        room.take(len(data))
        if checksum_of(data, seed=number) != checksum:
            raise ValueError(f"A row of {table} is damaged.")
        numbers.add(number)
    return numbers


def _signed(connection: sqlite3.Connection) -> None:
    needed = dict(connection.execute("SELECT signed, signed_checksum FROM documents"))
    room = ReadBudget(connection)
    rows = connection.execute("SELECT id, data, skip_grams FROM signed")
    for number, data, grams in stoppable(rows):
        room.take(len(data) + len(grams))
        if needed.pop(number, None) != SignedRow(data, grams).checksum:
            raise ValueError("Signatures are damaged.")
    if needed:
        raise ValueError("Signatures are missing.")
