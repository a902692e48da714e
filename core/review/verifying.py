"""Whether a review is whole: asked before a save builds upon what is there and is not read.

A save keeps the texts, signatures and pairs that it does not write again. One of them that is
damaged would be found when it is needed, long after the save was said to have succeeded.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from core.base.tasks import Cancelled, stop_if
from core.review.header import load_facts, state_of
from core.review.packing import SignedRow, checksum_of
from core.review.pair_chunks import OVERLAP, REWORKED, verify_pairs
from core.review.rows import RUN_PAIRS, verify_model
from core.review.sqlite_bounds import ReadBudget, at_most, size_of

SOUND = [(b"ok",)]
# Which state of which file this process has seen whole, or has made of one that was.
_whole: dict[Path, str] = {}


def verify_once(
    path: Path, connection: sqlite3.Connection, cancelled: Cancelled, *, is_loaded: bool = False
) -> None:
    """Look at a review as a whole, unless this process has looked at this state before.

    Args:
        path: The file.
        connection: In a transaction, and watched.
        cancelled: Polled between tables.
        is_loaded: Whether signatures and pairs were read already, and so were verified.

    Raises:
        ValueError: Something is not as it was written.
        ScanCancelledError: `cancelled` said so.
    """
    state = state_of(connection)
    if _whole.get(path) != state:
        verify_whole(connection, cancelled, is_loaded=is_loaded)
        _whole[path] = state


def verify_whole(
    connection: sqlite3.Connection, cancelled: Cancelled, *, is_loaded: bool = False
) -> None:
    """Look at everything a review has but its documents; arguments and errors as `verify_once`."""
    with at_most(connection, size_of(connection)):
        _texts(connection)
        _aside(connection)
        if not is_loaded:
            _signed(connection)
    if not is_loaded:
        facts = load_facts(connection)
        verify_pairs(connection, OVERLAP, facts.documents, facts.pairs)
        verify_pairs(connection, REWORKED, facts.documents, facts.reworked)
        verify_pairs(connection, RUN_PAIRS, facts.documents, facts.run_pairs)
        verify_model(connection)
    stop_if(cancelled)
    if connection.execute("PRAGMA integrity_check(1)").fetchall() != SOUND:
        raise ValueError("The structure of the database is damaged.")


def note_saved(path: Path, before: str, state: str) -> None:
    """A state that was whole was made another one."""
    if not before or _whole.get(path) == before:
        _whole[path] = state


def _texts(connection: sqlite3.Connection) -> None:
    """The texts as they are stored, without making them longer again."""
    needed = _numbers(connection, "SELECT DISTINCT text FROM documents")
    room = ReadBudget(connection)
    for number, checksum, data in connection.execute("SELECT id, checksum, data FROM texts"):
        room.take(len(data))
        if checksum_of(data, seed=number) != checksum:
            raise ValueError("A text is damaged.")
        needed.discard(number)
    if needed:
        raise ValueError("A text is missing.")


def _aside(connection: sqlite3.Connection) -> None:
    room = ReadBudget(connection)
    for number, checksum, data in connection.execute("SELECT id, checksum, data FROM aside"):
        room.take(len(data))
        if checksum_of(data, seed=number) != checksum:
            raise ValueError("What is set aside is damaged.")


def _signed(connection: sqlite3.Connection) -> None:
    needed = dict(connection.execute("SELECT signed, signed_checksum FROM documents"))
    room = ReadBudget(connection)
    for number, *columns in connection.execute("SELECT id, data, skip_grams FROM signed"):
        row = SignedRow._make(columns)
        room.take(sum(map(len, row)))
        if needed.pop(number, None) != row.checksum:
            raise ValueError("Signatures are damaged.")
    if needed:
        raise ValueError("Signatures are missing.")


def _numbers(connection: sqlite3.Connection, query: str) -> set[int]:
    return {number for (number,) in connection.execute(query)}
