"""What reading a review may cost: a file that somebody made on purpose may ask for anything.

Sizes are known before a value is read: SQLite finds them at the beginning of a row. Values that
are stored without compression cannot be more, all together, than the file they are in. Statements
are counted in steps of SQLite's machine, so that none runs without end.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from core.base.memory import available_memory
from core.base.tasks import is_cancelled, stop_if_cancelled

LARGEST_ID = 2**32 - 1  # pairs are kept by such numbers
MOST_OF_ROW = 1 << 20  # bytes of a row about a file: names, remarks
MOST_OF_MEMBERS = 1 << 26  # and of the files of a submission, which take some 200 each
LOOK_EVERY = 10_000  # steps: under a millisecond
FIRST_STEPS = 20_000  # to look at the schema, which takes some hundreds
LEAST_STEPS = 1_000_000
# To read all rows once: a row takes a few dozen steps and is longer than that.
STEPS_OF_BYTE = 10
LIMITS = {
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 20_000,  # our longest statement has 1,200 characters
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 50,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 10,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 10,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 100,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 100,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
# Names of `sqlite3` since Python 3.12, and what they are set to.
CONFIGURATION = {
    "SQLITE_DBCONFIG_DEFENSIVE": True,
    "SQLITE_DBCONFIG_TRUSTED_SCHEMA": False,
    "SQLITE_DBCONFIG_ENABLE_VIEW": False,
    "SQLITE_DBCONFIG_ENABLE_TRIGGER": False,
    "SQLITE_DBCONFIG_DQS_DDL": False,
    "SQLITE_DBCONFIG_DQS_DML": False,
}


def harden(connection: sqlite3.Connection) -> None:
    """Allow a connection that was just opened only what we need; runs no statement.

    Until `let_go` its statements are stopped after some thousand steps.
    """
    for kind, most in LIMITS.items():
        connection.setlimit(kind, most)
    setconfig = getattr(connection, "setconfig", None)
    for name, value in CONFIGURATION.items():
        if setconfig and hasattr(sqlite3, name):
            setconfig(getattr(sqlite3, name), value)
    _stop_after(connection, FIRST_STEPS, lambda: False)


def let_go(connection: sqlite3.Connection) -> None:
    """Count no steps any more: the schema is known to be ours."""
    connection.set_progress_handler(None, 0)


@contextmanager
def watched(connection: sqlite3.Connection) -> Iterator[None]:
    """Within it, statements end when the work is cancelled, and when they read more than there is.

    Raises:
        ValueError: They went on for longer than reading the whole file takes.
    """
    steps = LEAST_STEPS + STEPS_OF_BYTE * size_of(connection)
    _stop_after(connection, steps, is_cancelled)
    try:
        yield
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_INTERRUPT:
            raise
        stop_if_cancelled()
        raise ValueError("A statement does not end.") from error
    finally:
        let_go(connection)


@contextmanager
def at_most(connection: sqlite3.Connection, size: int) -> Iterator[None]:
    """Within it no row and no value of more bytes is read.

    Raises:
        ValueError: There is one.
    """
    before = connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, size)
    try:
        yield
    except sqlite3.DataError as error:
        raise ValueError("A value is longer than it can be.") from error
    finally:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, before)


class ReadBudget:
    """How much may still be read: not more than there is in the file, nor than fits in memory."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._left = size_of(connection)
        self._memory = available_memory()

    def take(self, size: int) -> None:
        """Read so many bytes.

        Raises:
            ValueError: So many are not in the file: rows share their bytes.
            MemoryError: They do not fit in memory.
        """
        self._left -= size
        self._memory -= size
        if size < 0 or self._left < 0:
            raise ValueError("The rows are larger than the file they are in.")
        if self._memory < 0:
            raise MemoryError


def rows_of(
    connection: sqlite3.Connection, query: str, numbers: int, most: int = MOST_OF_ROW
) -> Iterator[tuple[Any, ...]]:
    """Rows with ascending numbers in the first column, together not larger than the file.

    Args:
        connection: The review.
        query: Selects so many numbers, blobs, and a checksum.
        numbers: How many.
        most: Bytes of a row.

    Raises:
        ValueError: There are others.
        MemoryError: They do not fit in memory.
    """
    room, last = ReadBudget(connection), 0
    with at_most(connection, most):
        for row in connection.execute(query):
            if not last < row[0] <= LARGEST_ID:
                raise ValueError("Rows are not in their order.")
            last = row[0]
            room.take(sum(map(len, row[numbers:-1])))
            yield row


def size_of(connection: sqlite3.Connection) -> int:
    """Bytes of a database, with what is in its journal."""
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    return int(pages * connection.execute("PRAGMA page_size").fetchone()[0])


def _stop_after(connection: sqlite3.Connection, steps: int, stop: Callable[[], bool]) -> None:
    every = min(LOOK_EVERY, steps // 20)
    left = steps // every

    def look() -> bool:
        nonlocal left
        left -= 1
        return left < 0 or stop()

    connection.set_progress_handler(look, every)
