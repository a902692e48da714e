"""Connections to a review file, and the sentences for what can go wrong with one.

Reviews are in WAL mode: others can read while somebody saves. Whoever saves puts everything into
the one file before he says so, and nobody keeps a transaction or a connection when he has read what
he wanted; the last connection that is closed removes the companions (-wal, -shm). A commit is
flushed to the disk (synchronous = FULL): there is one for a whole save, so that costs a few
milliseconds, and a power cut takes back nothing.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
import struct
import zlib
from collections.abc import Iterator, MutableSequence
from contextlib import contextmanager
from pathlib import Path

from core.documents.names import printable_name
from core.errors import ReviewError
from core.review import schema
from core.review.companions import file_uri, has_pending, put_aside, remove_empty, wal_of
from core.review.limits import harden, let_go
from core.review.own_schema import foreign_part

__all__ = [
    "changed",
    "check_version",
    "configure",
    "connect",
    "connect_as_it_is",
    "damaged",
    "explained",
    "is_lock_free",
    "may_write",
    "refuse_foreign",
    "shown",
    "undamaged",
    "why_incomplete",
]

PATIENCE = 5.0  # seconds to wait for somebody else's save
CACHE_KIB = 65_536
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
# What reading a file whose bytes were changed can raise, besides errors of SQLite.
DAMAGE = (
    ValueError,
    TypeError,
    OverflowError,
    IndexError,
    KeyError,
    RecursionError,
    struct.error,
    zlib.error,
)
BUSY = "another Neardup has it open and is writing to it. Close it there and retry."
REASONS = {
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_PROTOCOL: BUSY,
    sqlite3.SQLITE_FULL: "the disk is full. It is as it was before.",
    sqlite3.SQLITE_TOOBIG: "a text is larger than a review file can hold.",
    sqlite3.SQLITE_IOERR: "the disk failed ({error}).",
}
NO_ROOM_CODES = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PROTOCOL,
)
READ_ONLY_CODES = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN)


def shown(path: Path) -> str:
    """The name of a file in a sentence."""
    return f"“{printable_name(path.name or str(path))}”"


def damaged(path: Path) -> ReviewError:
    """The error for a file that was written by Neardup and is not as it was written."""
    return ReviewError(
        f"{shown(path)} is damaged: what it holds is not what was written. Use a copy of it, or "
        "scan the folder again and save under another name."
    )


def changed(path: Path) -> ReviewError:
    """The error for a file that does not have any more what was opened."""
    return ReviewError(
        f"{shown(path)} was changed by another program since it was opened. Open it again."
    )


@contextmanager
def explained(path: Path, what: str) -> Iterator[None]:
    """Turn what SQLite and the system raise into a sentence.

    Args:
        path: The review.
        what: What could not be done, "opened" or "saved".

    Raises:
        ReviewError: Instead of those.
    """
    try:
        yield
    except ReviewError:
        raise
    except sqlite3.Error as error:
        raise _from_sqlite(path, what, error) from error
    except OSError as error:
        raise ReviewError(_from_system(path, what, error)) from error
    except MemoryError as error:
        raise ReviewError(
            f"{shown(path)} could not be {what}: there is not enough memory. Close other programs "
            "and retry."
        ) from error


@contextmanager
def undamaged(path: Path) -> Iterator[None]:
    """Turn what is raised by rows that are not as they were written into a sentence.

    Raises:
        ReviewError: Instead.
    """
    try:
        yield
    except DAMAGE as error:
        raise damaged(path) from error


def connect(
    path: Path, *, write: bool, notes: MutableSequence[str] | None = None
) -> sqlite3.Connection:
    """Open a file that is there; nothing is created.

    What lies beside it and belongs to another file is put aside first. Where nothing may be
    written, or the disk is full, SQLite cannot keep the shared index of a WAL: then the file alone
    is read, as `connect_as_it_is` does, unless saves are beside it.

    Args:
        path: The file.
        write: Whether it will be written; otherwise only what a killed process left is tidied up.
        notes: Given a sentence for what was put aside.

    Raises:
        sqlite3.Error: It cannot be opened.
        OSError: What lies beside it is not of it, and cannot be put aside.
    """
    if not write and not may_write(path):
        return _connect(path, "mode=ro") if has_pending(path) else connect_as_it_is(path)
    for stray in put_aside(path):
        if notes is not None:
            notes.append(_about_stray(path, stray))
    is_alone = not wal_of(path).exists()
    try:
        return _connect(path, "mode=rw")
    except sqlite3.Error as error:
        if is_alone:
            remove_empty(path)
        if write or _code(error) not in NO_ROOM_CODES or has_pending(path):
            raise
        return connect_as_it_is(path)


def connect_as_it_is(path: Path) -> sqlite3.Connection:
    """Open the one file without locks, whatever lies beside it.

    It may change under the connection, which may then see a mixture, or see what was there before:
    who reads must check what he gets.

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
        file_uri(path, mode),
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
    """What holds for every connection."""
    connection.text_factory = bytes
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")  # a file may come from anywhere
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0")  # what is not as it was written stays a sentence
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
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "a device"
        raise ReviewError(f"{shown(path)} is {kind}, not a review of Neardup.")
    if not status.st_size:
        raise ReviewError(f"{shown(path)} is empty: it is no review of Neardup.")


def check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Raise unless a database is a review of this version or an older one; it is only read.

    Nothing else may be asked of a file before: what it has instead of our tables may be a program.

    Raises:
        ReviewError: It is not; the sentence says what it is instead.
        sqlite3.Error: It cannot be read.
    """
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = schema.version_of(connection)
    if application != schema.APPLICATION_ID:
        raise ReviewError(
            f"{shown(path)} is the database of another program, not a review of Neardup."
        )
    if version > len(schema.MIGRATIONS):
        raise ReviewError(
            f"{shown(path)} was written by a newer version of Neardup. Open it with that version; "
            "this one leaves it as it is."
        )
    if version < 1:
        raise damaged(path)
    with undamaged(path):
        foreign = foreign_part(connection)
    if foreign:
        raise ReviewError(f"{shown(path)} {foreign}. Nothing of it was used.")
    let_go(connection)


def may_write(path: Path) -> bool:
    """Whether a file and its companions can be written."""
    effective = os.access in os.supports_effective_ids
    return os.access(path, os.W_OK, effective_ids=effective) and os.access(
        path.parent, os.W_OK | os.X_OK, effective_ids=effective
    )


def why_incomplete(path: Path, error: sqlite3.Error | None) -> str:
    """The sentence for a save that is safe and not in the one file; no error: somebody reads it."""
    reason = "another program is using it."
    if error is not None and _code(error) not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        reason = REASONS[sqlite3.SQLITE_IOERR].format(error=error)
        if _code(error) == sqlite3.SQLITE_FULL:
            reason = "the disk is full."
    return (
        f"{shown(path)} was saved, but it is not complete in the one file yet: {reason} Until it "
        f"was saved or opened once more, {shown(wal_of(path))} beside it belongs to it."
    )


def _about_stray(path: Path, stray: Path) -> str:
    return (
        f"Beside {shown(path)} lay unfinished changes of another file. They were not used, and are "
        f"now in {shown(stray)}."
    )


def _code(error: sqlite3.Error) -> int:
    """The primary result code of SQLite; 0 where Python itself raised."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _from_sqlite(path: Path, what: str, error: sqlite3.Error) -> ReviewError:
    code = _code(error)
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_SHMSIZE:
        code = sqlite3.SQLITE_FULL  # no room for the index of a WAL
    if code == sqlite3.SQLITE_NOTADB:
        return ReviewError(f"{shown(path)} is not a review of Neardup.")
    if code in READ_ONLY_CODES:
        reason = _why_forbidden(path, what)
    else:
        reason = REASONS.get(code, "").format(error=error)
    if not reason:
        return damaged(path)
    return ReviewError(f"{shown(path)} could not be {what}: {reason}")


def _why_forbidden(path: Path, what: str) -> str:
    if not path.parent.is_dir():
        return f"there is no folder “{printable_name(str(path.parent))}”."
    if what == "saved":
        return f"there is no permission to write in “{printable_name(str(path.parent))}”."
    if has_pending(path):
        return (
            f"its last changes are in {shown(wal_of(path))} beside it, and "
            "nothing may be written there. Copy both files to a folder of your own."
        )
    return "there is no permission to read it."


def _from_system(path: Path, what: str, error: OSError) -> str:
    start = f"{shown(path)} could not be {what}:"
    if error.errno in FULL:
        return f"{start} the disk is full or the file too large."
    folder = printable_name(str(path.parent))
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        if not path.parent.is_dir():
            return f"{start} there is no folder “{folder}”."
        return f"{start} it is not there."
    if error.errno in FORBIDDEN:
        access = "read" if what == "opened" else "write"
        return f"{start} there is no permission to {access} in “{folder}”."
    return f"{start} {error.strerror or error}."
