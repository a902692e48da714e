"""Connections to a review file.

Reviews are in WAL mode: others can read while a program saves, and a decision need not wait for
readers, as it would with a rollback journal. A program that saves puts everything into
the one file before it says so, and none keeps a transaction or a connection once it has read what
it needs; the last connection that is closed removes the companions (-wal, -shm). A commit is
flushed to the disk (synchronous = FULL): there is one for an entire save, so that costs a few
milliseconds, and a power cut takes back nothing.

Whether the tables of a file are those of a review and nothing else, before any is read.

A review may come from anybody. A view instead of a table, a trigger, a generated column or a
default that is an expression would be a program that runs when we read or save. So the text of
everything in the schema must be what our own statements write.

The tables of a review file, which `schema.sql` makes.

`PRAGMA application_id` distinguishes a review from other databases, `PRAGMA user_version` gives the
version of its tables. A review of other tables is refused (`core.review.database`): while no
version was released, nothing reads what an earlier commit wrote.

Text is stored as UTF-8 bytes in which lone surrogates are allowed, because paths have them (bytes
that are no UTF-8) and texts may; SQLite's own TEXT could not hold them. Verdicts, notes and roles
can refer to `documents.id`, which stays with a file that is renamed and is never given again, and
to `documents.file_hash`, which stays with the bytes.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import MutableSequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

from core.base.messages import N_, gettext
from core.base.patterns import lazy_pattern
from core.base.wording import printable_name, quoted
from core.errors import ReviewError
from core.review import sidecar_files
from core.review.validation import at_most, harden, let_go

COMMENT = lazy_pattern("--[^\n]*")
SPACES = lazy_pattern("[ \t\n\f\r]+")
LONGEST_NAME = 40  # characters of a name in a sentence
MOST_BYTES = 20_000  # of a line of the schema; ours have under 2,000
FOREIGN = {
    "view": N_("It holds more than a review of Neardup: the view {name}."),
    "trigger": N_("It holds more than a review of Neardup: the trigger {name}."),
    "index": N_("It holds more than a review of Neardup: the index {name}."),
    "table": N_("It holds more than a review of Neardup: the table {name}."),
}
FOREIGN_ENTRY = N_("It holds more than a review of Neardup: the entry {name}.")
COUNTED = ("documents", "folders")  # tables whose numbers are never given again

Entry = tuple[str, str, str]  # kind, table, normalised text


def foreign_part(connection: sqlite3.Connection) -> str:
    """A sentence on what a database has or lacks that makes it no review; "" for a review.

    The schema is read by the name `sqlite_master`, which
    nothing in a file can have; reading it runs nothing in it.

    Raises:
        ValueError: A line of it is longer than any of ours.
        sqlite3.Error: It cannot be read.
    """
    schema = _review_schema()
    missing = dict(schema)
    roots: set[object] = set()
    with at_most(connection, MOST_BYTES):
        for row in connection.execute(
            "SELECT type, tbl_name, sql, name, rootpage FROM main.sqlite_master LIMIT ?",
            (len(schema) + 1,),
        ):
            kind, table, text, name = map(_word, row[:4])
            if missing.pop(name, None) != (kind, table, _normalised(text)) or row[4] in roots:
                message = FOREIGN.get(kind, FOREIGN_ENTRY)
                return gettext(message, name=_named(name))
            roots.add(row[4])
        if missing:
            return gettext(
                "It is no whole review of Neardup: “{name}” is not in it.", name=next(iter(missing))
            )
        return _foreign_count(connection)


@cache
def _review_schema() -> dict[str, Entry]:
    """Our tables and indices, by name."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        create(connection)
        rows = connection.execute("SELECT name, type, tbl_name, sql FROM sqlite_master").fetchall()
    return {name: (kind, table, _normalised(text or "")) for name, kind, table, text in rows}


def _foreign_count(connection: sqlite3.Connection) -> str:
    """The table SQLite itself keeps, of the last numbers that were given."""
    for name, last in connection.execute("SELECT name, seq FROM sqlite_sequence LIMIT 3"):
        if _word(name) not in COUNTED or not isinstance(last, int) or last < 0:
            return gettext(
                "It holds more than a review of Neardup: a last number of {name}.",
                name=_named(_word(name)),
            )
    return ""


def _normalised(text: str) -> str:
    """The text of a table without comments, and with single spaces.

    Ours have no quotes in which either could stand, so nothing can hide in the omitted parts.
    """
    return SPACES.sub(" ", COMMENT.sub(" ", text)).strip()


def _word(value: object) -> str:
    """A value of the schema as text; in a file that was made by hand it may be of any type."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def _named(name: str) -> str:
    short = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
    return quoted(printable_name(short))


PATIENCE = 5.0  # seconds to wait for somebody else's save
CACHE_KIB = 65_536
NO_ROOM_CODES = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PROTOCOL,
)


def connect(
    path: Path, *, write: bool, notes: MutableSequence[str] | None = None
) -> sqlite3.Connection:
    """Open an existing file; nothing is created.

    A database of another program is left alone: it is not locked, and nothing beside it is touched.
    Companions of another file beside a review are renamed first. Where nothing may be
    written, or the disk is full, SQLite cannot keep the shared index of a WAL: then the file alone
    is read, as `connect_as_it_is` does, unless saves are beside it.

    Args:
        path: The file.
        write: Whether it will be written; otherwise only leftovers of killed processes are removed.
        notes: Gets a sentence for each renamed companion.

    Raises:
        ReviewError: It is of another program, or a companion is no file.
        sqlite3.Error: It cannot be opened.
        OSError: A companion of another file cannot be renamed.
    """
    if sidecar_files.application_of(path) not in {APPLICATION_ID, None}:
        raise _foreign(path)
    _refuse_beside(path)
    if not write and not may_write(path):
        return (
            _connect(path, "mode=ro") if sidecar_files.has_pending(path) else connect_as_it_is(path)
        )
    for stray in sidecar_files.quarantine(path):
        if notes is not None:
            notes.append(sidecar_files.about_stray(path, stray))
    is_alone = not sidecar_files.wal_of(path).exists()
    try:
        return _connect(path, "mode=rw")
    except sqlite3.Error as error:
        if is_alone:
            sidecar_files.remove_empty(path)
        if (
            write
            or sidecar_files.code_of(error) not in NO_ROOM_CODES
            or sidecar_files.has_pending(path)
        ):
            raise
        return connect_as_it_is(path)


def _refuse_beside(path: Path) -> None:
    """Raise for a pipe or a link beside a review: SQLite would wait for it, or follow it."""
    in_the_way = sidecar_files.no_file_beside(path)
    if in_the_way is not None:
        raise ReviewError(
            "{name} beside {review} is no file of Neardup, and has the name of one. Move it "
            "away and retry.",
            name=sidecar_files.shown(in_the_way),
            review=sidecar_files.shown(path),
        )


def connect_as_it_is(path: Path) -> sqlite3.Connection:
    """Open the one file without locks and without its companions.

    It may change under the connection, which may then see a mixture, or its earlier content:
    callers must check what they read.

    Raises:
        sqlite3.Error: It cannot be opened.
    """
    return _connect(path, "mode=ro&immutable=1", _LockFree)


def is_lock_free(connection: sqlite3.Connection) -> bool:
    """Whether a connection is one of `connect_as_it_is`."""
    return isinstance(connection, _LockFree)


class _LockFree(sqlite3.Connection):
    """A connection that reads one file without locks."""


def _connect(
    path: Path, mode: str, kind: type[sqlite3.Connection] = sqlite3.Connection
) -> sqlite3.Connection:
    connection = sqlite3.connect(
        sidecar_files.file_uri(path, mode),
        uri=True,
        timeout=PATIENCE,
        isolation_level=None,  # transactions are begun by hand
        check_same_thread=False,
        factory=kind,
    )
    try:
        harden(connection)
        configure(connection)
        connection.execute("PRAGMA application_id").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def configure(connection: sqlite3.Connection) -> None:
    """Set what holds for every connection."""
    connection.text_factory = bytes
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")  # a file may come from anywhere
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0")  # so damage stays a sentence
    connection.execute("PRAGMA synchronous = FULL")
    # Undoing one statement needs a journal for a moment: in a file it costs twenty times the save.
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")


def refuse_foreign(path: Path) -> None:
    """Raise unless a path is that of a file with something in it.

    Raises:
        ReviewError: It is a folder, a device, or empty.
        OSError: It is not there.
    """
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        if stat.S_ISDIR(status.st_mode):
            raise ReviewError(
                "{name} is a folder, not a review of Neardup.", name=sidecar_files.shown(path)
            )
        raise ReviewError(
            "{name} is a device, not a review of Neardup.", name=sidecar_files.shown(path)
        )
    if not status.st_size:
        raise ReviewError(
            "{name} is empty: it is not a Neardup review.", name=sidecar_files.shown(path)
        )


def check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Raise unless a database is a review of this format; it is only read.

    No other query may run before: what a file has instead of our tables may be a program.

    Raises:
        ReviewError: It is none; the sentence says what it is instead.
        sqlite3.Error: It cannot be read.
    """
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = format_of(connection)
    if application != APPLICATION_ID:
        raise _foreign(path)
    if version > FORMAT:
        raise ReviewError(
            "{name} was written by a newer version of Neardup (format {format}); this one "
            "knows {known} and leaves it as it is. Open it with that version.",
            name=sidecar_files.shown(path),
            format=version,
            known=FORMAT,
        )
    if version < 1:
        raise sidecar_files.damaged(path)
    if version < FORMAT:
        raise ReviewError(
            "{name} was written before the first release of Neardup (format {format}); this "
            "one reads format {known} only and leaves it as it is. Scan its folders again, "
            "into another review.",
            name=sidecar_files.shown(path),
            format=version,
            known=FORMAT,
        )
    with sidecar_files.undamaged(path):
        foreign = foreign_part(connection)
    if foreign:
        raise ReviewError(
            "{name} is not a review. {why} Nothing in it was used.",
            name=sidecar_files.shown(path),
            why=foreign,
        )
    let_go(connection)


def _foreign(path: Path) -> ReviewError:
    return ReviewError(
        "{name} is the database of another program, not a review of Neardup.",
        name=sidecar_files.shown(path),
    )


def may_write(path: Path) -> bool:
    """Whether a file and its companions can be written."""
    effective = os.access in os.supports_effective_ids
    return os.access(path, os.W_OK, effective_ids=effective) and os.access(
        path.parent, os.W_OK | os.X_OK, effective_ids=effective
    )


APPLICATION_ID = 0x4E656172  # "Near"
FORMAT = 17  # raised whenever the tables change


def format_of(connection: sqlite3.Connection) -> int:
    """The version of the tables of a file; 0 for a new file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def create(connection: sqlite3.Connection) -> None:
    """Make the tables, all of them or, when anything fails, none.

    Inside a transaction this is part of it.
    """
    connection.execute("SAVEPOINT tables")
    try:
        for statement in _statements():
            connection.execute(statement)
        # Pragmas take no parameters.
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {FORMAT}")
    except BaseException:
        with suppress(sqlite3.Error):  # without memory or room, SQLite has undone more already
            connection.execute("ROLLBACK TO tables")
            connection.execute("RELEASE tables")
        raise
    connection.execute("RELEASE tables")


def _statements() -> list[str]:
    script = Path(__file__).with_name("schema.sql").read_text("utf-8")
    return [statement for statement in script.split("\n\n") if not statement.startswith("--")]
