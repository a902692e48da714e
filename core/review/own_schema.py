"""Whether the tables of a file are those of a review and nothing else, before any is read.

A review may come from anybody. A view in place of a table, a trigger, a generated column or a
default that is an expression would be a program that runs when we read or save. So the text of
everything in the schema must be what our own migrations write for the version of the file.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from functools import cache

from core.base.wording import printable_name
from core.review import schema
from core.review.sqlite_bounds import at_most

COMMENT = re.compile("--[^\n]*")
SPACES = re.compile("[ \t\n\f\r]+")
LONGEST_NAME = 40  # characters of a name in a sentence
MOST_BYTES = 20_000  # of a line of the schema; ours have under 2,000
KINDS = ("view", "trigger", "index", "table")
MORE = "holds more than a review of Neardup:"
COUNTED = ("documents", "folders")  # tables whose numbers are never given again

Entry = tuple[str, str, str]  # kind, table, normalised text


def foreign_part(connection: sqlite3.Connection) -> str:
    """What a database has or lacks that makes it no review of its version, in words; or nothing.

    The version must be one of ours. The schema is asked for by the name `sqlite_master`, which
    nothing in a file can have; asking runs nothing of it.

    Raises:
        ValueError: A line of it is longer than any of ours.
        sqlite3.Error: It cannot be read.
    """
    own = _own_schema(schema.version_of(connection))
    missing = dict(own)
    roots: set[object] = set()
    with at_most(connection, MOST_BYTES):
        for row in connection.execute(
            "SELECT type, tbl_name, sql, name, rootpage FROM main.sqlite_master LIMIT ?",
            (len(own) + 1,),
        ):
            kind, table, text, name = map(_word, row[:4])
            if missing.pop(name, None) != (kind, table, _normalised(text)) or row[4] in roots:
                what = kind if kind in KINDS else "entry"
                return f"{MORE} the {what} {_named(name)}"
            roots.add(row[4])
        if missing:
            return f"is no whole review of Neardup: “{next(iter(missing))}” is not in it"
        return _foreign_count(connection)


@cache
def _own_schema(version: int) -> dict[str, Entry]:
    """What our migrations make up to a version, by name."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for migration in schema.MIGRATIONS[:version]:
            migration(connection)
        rows = connection.execute("SELECT name, type, tbl_name, sql FROM sqlite_master").fetchall()
    return {name: (kind, table, _normalised(text or "")) for name, kind, table, text in rows}


def _foreign_count(connection: sqlite3.Connection) -> str:
    """The table SQLite itself keeps, of the last numbers that were given."""
    for name, last in connection.execute("SELECT name, seq FROM sqlite_sequence LIMIT 3"):
        if _word(name) not in COUNTED or not isinstance(last, int) or last < 0:
            return f"{MORE} a last number of {_named(_word(name))}"
    return ""


def _normalised(text: str) -> str:
    """The text of a table without comments, and with single spaces.

    Ours have no quotes in which either could stand, so nothing can hide in what is left out.
    """
    return SPACES.sub(" ", COMMENT.sub(" ", text)).strip()


def _word(value: object) -> str:
    """A value of the schema as text; in a file that was made by hand it may be of any type."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def _named(name: str) -> str:
    short = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
    return f"“{printable_name(short)}”"
