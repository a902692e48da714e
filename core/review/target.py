"""The file that a save goes to: one that is there, or one that is made beside its place."""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
from collections.abc import Iterator, MutableSequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock

from core.base.files import flush_folder, unfinished
from core.errors import ReviewError
from core.review.database import check_version, configure, connect, may_write, refuse_foreign
from core.review.refusals import has_pending, remove_companions, shown, why_incomplete

PAGE_SIZE = 8192
MOMENT = 100  # milliseconds to wait for who reads the file, before others may decide something
# Of file systems without hard links.
NO_LINKS = (errno.EPERM, errno.ENOSYS, errno.ENOTSUP, errno.EMLINK, errno.EXDEV, errno.EACCES)


# Within this program saves wait for one another as long as they take, and not only for the moments
# after which SQLite takes the file for one of another program.
_one_save = Lock()


@contextmanager
def database_to_save(path: Path, notes: MutableSequence[str]) -> Iterator[sqlite3.Connection]:
    """The review at a path, or a new one that gets there when the block ends without exception.

    Args:
        path: The file.
        notes: Given a sentence for what lay beside the file and was of another one.

    Raises:
        ReviewError: It is no review, or was replaced meanwhile.
        sqlite3.Error, OSError: It cannot be opened or made.
    """
    with _one_save, _database(path, notes) as connection:
        yield connection


@contextmanager
def _database(path: Path, notes: MutableSequence[str]) -> Iterator[sqlite3.Connection]:
    if _is_free(path):
        with _new_database(path) as connection:
            yield connection
        return
    refuse_foreign(path)
    if not may_write(path):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    place = path.stat()
    with closing(connect(path, write=True, notes=notes)) as connection:
        if place.st_nlink > 1:
            # Locks of a WAL lie beside a name. Who saves under another name of the same file has
            # others, so the file itself is locked for as long.
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        check_version(connection, path)
        # Another program may have taken it out of this mode; some file systems do not have it.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(
            "PRAGMA wal_autocheckpoint = 0"
        )  # `commit` sees to it that there is room
        yield connection
    if not path.exists() or not os.path.samestat(place, path.stat()):
        raise ReviewError(
            f"{shown(path)} was replaced by another program while it was saved: what is there now "
            "is not what was saved. Save again under another name."
        )


def commit(path: Path, connection: sqlite3.Connection) -> str:
    """Commit, and put everything into the one file; a sentence where that must wait.

    Raises:
        sqlite3.Error, OSError: It was not committed: there is no room for it.
    """
    with _room_kept(path, connection):
        connection.execute("COMMIT")
    return _complete(path, connection)


@contextmanager
def _room_kept(path: Path, connection: sqlite3.Connection) -> Iterator[None]:
    """Keep the room on the disk by which the one file will grow.

    A disk that is full when half of a save is in the one file leaves it unreadable without its WAL.
    """
    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (page_size,) = connection.execute("PRAGMA page_size").fetchone()
    growth = pages * page_size - path.stat().st_size if mode == b"wal" else 0
    if growth <= 0:
        yield
        return
    with tempfile.TemporaryFile(dir=path.parent, buffering=0) as file:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, growth)
        else:
            for _ in range(-(-growth // page_size)):
                file.write(bytes(page_size))
        yield


def _complete(path: Path, connection: sqlite3.Connection) -> str:
    """Put everything into the one file; a sentence where that must wait.

    A program that is opening the file may read it for many seconds. Whoever waited for it would
    keep back what is decided next, and that is what a kill costs.
    """
    try:
        connection.execute(f"PRAGMA busy_timeout = {MOMENT}")
        row = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error as error:
        return why_incomplete(path, error)
    return why_incomplete(path, None) if row[0] else ""


def finish(path: Path) -> bool:
    """Complete a file that could not be completed when it was saved, if nobody uses it by now.

    Returns:
        Whether it is complete.
    """
    with suppress(ReviewError, sqlite3.Error, OSError):
        if has_pending(path):
            with closing(connect(path, write=True)) as connection:
                check_version(connection, path)
                _complete(path, connection)
        return not has_pending(path)
    return False


def _is_free(path: Path) -> bool:
    return not path.exists() or (path.is_file() and not path.stat().st_size)


@contextmanager
def _new_database(path: Path) -> Iterator[sqlite3.Connection]:
    """A file that appears when it is complete; it needs no journal until then."""
    with unfinished(path, ".new") as temporary:
        with closing(sqlite3.connect(temporary, isolation_level=None)) as connection:
            configure(connection)
            connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            yield connection
            with suppress(sqlite3.OperationalError):  # where there can be no WAL
                connection.execute("PRAGMA journal_mode = WAL")
        _flush(temporary)
        if _is_free(path):
            remove_companions(path)
        _put(temporary, path)
        flush_folder(path.parent)


def _put(temporary: Path, path: Path) -> None:
    """Give a file its name, if that is still free; who has a file open there must keep it.

    Raises:
        ReviewError: Another program has put a file there.
    """
    if path.exists() and _is_free(path):
        temporary.replace(path)
        return
    try:
        if os.name == "nt":
            temporary.rename(path)
        else:
            _link(temporary, path)
    except FileExistsError as error:
        raise ReviewError(
            f"{shown(path)} was created by another program in the meantime, so nothing was saved "
            "there. Save under another name, or scan again to bring that file up to date."
        ) from error


def _link(temporary: Path, path: Path) -> None:
    """Rename, but never over another file."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno not in NO_LINKS or path.exists():
            raise
        temporary.replace(path)


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
