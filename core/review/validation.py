"""Range checks for the rows of a review: impossible values are refused.

Checksums show damage, not intent: somebody who forges a review gives it the right ones.
Names and sentences are made printable once more, as they are shown and printed as they are.

Named tuples of plain values as JSON, and from JSON, where nothing is believed but the types.

A missing field has its default; an unknown one is not read.

Also limits on the cost of reading a review: a forged file may demand anything.

Sizes are known before a value is read: SQLite finds them at the beginning of a row. Values that
are stored without compression cannot be more, all together, than the file they are in. Statements
are counted in steps of SQLite's machine, so that none runs without end.
"""

from __future__ import annotations

import json
import math
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

from core.base.arrays import AnyArray, Int64Array, UInt64Array
from core.base.memory import available_memory
from core.base.patterns import lazy_pattern
from core.base.tasks import is_cancelled, stop_if_cancelled
from core.base.wording import reprinted_name
from core.evidence.pairs import FoundBy, split_codes

LARGEST_ID = 2**32 - 1  # pairs are kept by such numbers
MOST_OF_ROW = 1 << 20  # bytes of a row about a file: names, remarks
MOST_OF_MEMBERS = 1 << 26  # and of the files of a submission, which take about 200 each
ALWAYS_FREE = 1 << 24  # bytes: without them nothing would run
LOOK_EVERY = 10_000  # steps: under a millisecond
FIRST_STEPS = 20_000  # to look at the schema, which takes a few hundred
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
# Names of `sqlite3` since Python 3.12, and their values.
CONFIGURATION = {
    "SQLITE_DBCONFIG_DEFENSIVE": True,
    "SQLITE_DBCONFIG_TRUSTED_SCHEMA": False,
    "SQLITE_DBCONFIG_ENABLE_VIEW": False,
    "SQLITE_DBCONFIG_ENABLE_TRIGGER": False,
    "SQLITE_DBCONFIG_DQS_DDL": False,
    "SQLITE_DBCONFIG_DQS_DML": False,
}


def harden(connection: sqlite3.Connection) -> None:
    """Allow a new connection only what we need; runs no statement.

    Until `let_go` its statements are stopped after `FIRST_STEPS` steps.
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
    """Within it, statements end when the work is cancelled, and when they read beyond the file.

    Raises:
        ValueError: They took longer than reading the entire file does.
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
    """Within it no larger row or value is read.

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
    """How much may still be read: no more than the file has, nor than fits in memory.

    The system is asked for its memory only where the file is large: asking takes .4 ms.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._left = size_of(connection)
        self._memory = available_memory() if self._left > ALWAYS_FREE else ALWAYS_FREE

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
        query: Selects the numbers, then blobs, and a checksum.
        numbers: How many numbers.
        most: Bytes of a row.

    Raises:
        ValueError: The numbers are out of order.
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
    """Bytes of a database, with its journal."""
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


MOST_BYTES = 1 << 53  # of a file
MOST_CHARACTERS = 1 << 36
LARGEST = 2**63 - 1
RANGES = (
    (1, LARGEST_ID),
    (0, LARGEST_ID),
    (0, MOST_BYTES),
    (-LARGEST, LARGEST),
    (0, MOST_CHARACTERS),
    (1, LARGEST),
    (1, LARGEST),
    (0, LARGEST),
    (-1, 2**40),
    (0, LARGEST),
)
ROOTS = ("/", os.sep)
HASH = lazy_pattern(b"([0-9a-f]{32})?")
LANGUAGE = lazy_pattern(b"([a-z]{2,3})?")
WORD = lazy_pattern(b"[ -~]{0,64}")  # a kind, a hash, an encoding
STEPS = lazy_pattern(r"[/\\]" if os.sep == "\\" else "/")


def check_numbers(numbers: Int64Array) -> None:
    """Raise unless the first columns of documents are possible.

    Args:
        numbers: int64 (n, 10): id, folder, size, time, characters, text, signed, checksum,
            shingles, place.

    Raises:
        ValueError: A number is out of its range.
    """
    low, high = np.array(RANGES, dtype=np.int64).T
    if not ((numbers >= low) & (numbers <= high)).all():
        raise ValueError("A number of a document cannot be so.")


def check_path(path: str, *, inside: bool) -> None:
    """Raise unless a path may be that of a document.

    Args:
        path: As it is stored.
        inside: Whether it is relative to a folder: then it must not lead out of it.

    Raises:
        ValueError: It leads elsewhere, or the system cannot have such a path.
    """
    if "\0" in path:
        raise ValueError("There is a null in a path.")
    if inside and (path[:1] in ROOTS or leads_up(path)):
        raise ValueError("A path leads out of its folder.")


def leads_up(path: str) -> bool:
    """Whether a step of a path leads to the folder above."""
    return ".." in path and ".." in STEPS.split(path)


def check_folder(given: bytes, absolute: bytes) -> None:
    """Raise unless these may be the paths of a folder.

    Raises:
        ValueError: They cannot.
    """
    if b"\0" in given + absolute or not given or not absolute:
        raise ValueError("A folder cannot have such a path.")


def json_of(data: bytes) -> Any:  # noqa: ANN401
    """A stored value.

    Raises:
        ValueError: It is not JSON, or lists stand in lists without end.
    """
    try:
        return json.loads(data)
    except RecursionError as error:
        raise ValueError("A value is too deep.") from error


def sentence_of(value: object) -> str:
    """A stored name or sentence, on one line that can be shown.

    Raises:
        TypeError: It is not text.
    """
    if not isinstance(value, str):
        raise TypeError("A sentence is no text.")
    return reprinted_name(value)


def word_of(data: bytes, form: re.Pattern[bytes] = WORD) -> str:
    """A stored word of a form, by default any of plain letters: "utf-8 (damaged)".

    Raises:
        ValueError: It is something else.
    """
    if not form.fullmatch(data):
        raise ValueError("A word is not of its form.")
    return data.decode("ascii")


def check_run_pairs(codes: UInt64Array, ways: AnyArray, estimate: AnyArray) -> None:
    """Raise unless a run may have listed these pairs, found in these ways.

    Raises:
        ValueError: It cannot.
    """
    check_ways(codes, ways)
    if not ((estimate >= 0) & (estimate <= 1)).all():
        raise ValueError("A pair of a run cannot be so.")


def check_ways(codes: UInt64Array, ways: AnyArray) -> None:
    """Raise unless these pairs may be listed, found in these ways.

    Raises:
        ValueError: They cannot.
    """
    x, y = split_codes(codes)
    if not ((x < y) & (ways > 0) & (ways <= sum(FoundBy))).all():
        raise ValueError("A pair of a list cannot be so.")


LARGEST_INTEGER = 1 << 53  # of a whole number
LONGEST = 1 << 16  # characters of a text, and things in a list

Tuple = TypeVar("Tuple", bound=tuple[Any, ...])


def plain_values(value: Any) -> Any:  # noqa: ANN401 - any value of a named tuple
    """A value of a named tuple as JSON has it: named tuples as objects, enums by their names."""
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return {
                name: plain_values(part) for name, part in zip(value._fields, value, strict=True)
            }
        return [plain_values(part) for part in value]
    return value.item() if isinstance(value, np.generic) else value


def typed_values(kind: type[Tuple], value: object) -> Tuple:
    """A named tuple from the plain values that `plain_values` gives.

    Args:
        kind: Its class; its fields are numbers, texts, enums, None, named tuples, tuples of these,
            and JSON objects.
        value: Any JSON value.

    Raises:
        TypeError, ValueError: It is not such a tuple.
    """
    if not isinstance(value, dict):
        raise TypeError("A value with names is no JSON object.")
    fields, defaults = _fields(kind), getattr(kind, "_field_defaults", {})
    values = {
        name: _typed(of, value[name])
        for name, of in fields.items()
        if name in value or name not in defaults
    }
    return kind(**values)


@cache
def _fields(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _typed(kind: Any, value: object) -> Any:  # noqa: ANN401
    if get_origin(kind) is UnionType:
        return None if value is None else _typed(get_args(kind)[0], value)
    if get_origin(kind) is tuple:
        return _several(get_args(kind), value)
    if get_origin(kind) is dict:
        if not isinstance(value, dict):
            raise TypeError("A value is no JSON object.")
        return value
    if issubclass(kind, Enum):
        return _enum(kind, value)
    if issubclass(kind, tuple):
        return typed_values(kind, value)
    return _plain(kind, value)


def _several(kinds: tuple[Any, ...], value: object) -> tuple[Any, ...]:
    if not isinstance(value, list) or len(value) > LONGEST:
        raise TypeError("Values are no list, or too many.")
    if kinds[-1] is Ellipsis:
        return tuple(_typed(kinds[0], part) for part in value)
    return tuple(_typed(kind, part) for kind, part in zip(kinds, value, strict=True))


def _enum(kind: type[Enum], value: object) -> Enum:
    if not isinstance(value, str) or value not in kind.__members__:
        raise ValueError("A value is none of those that there are.")
    return kind[value]


def _plain(kind: type, value: object) -> object:
    if kind is str:
        text = sentence_of(value)
        if len(text) > LONGEST:
            raise ValueError("A text is too long.")
        return text
    if kind is bool:
        if type(value) is not bool:
            raise TypeError("A value is neither true nor false.")
        return value
    if type(value) not in ({int} if kind is int else {int, float}):
        raise TypeError("A value is no number.")
    number = float(value)  # type: ignore[arg-type]
    if not math.isfinite(number) or not 0 <= number <= LARGEST_INTEGER:
        raise ValueError("A number cannot be so.")
    return value if kind is int else number
