"""The right to save a review, which one program at a time has.

Beside NAME.neardup lies NAME.neardup-lock while somebody has the review open to save it. What
counts is a lock of the system on that file, which ends with its process however that ends; the file
itself, and the name in it, say only who it is. A file that a killed process left blocks nobody.

How the system locks a file is in `core.base.files`. Not the review itself is locked:
SQLite's own locks on it are for moments, and opening a file twice would lose them.
"""

from __future__ import annotations

import errno
import getpass
import os
import platform
import sqlite3
import stat
import tempfile
import time
from collections.abc import Iterator, MutableSequence
from contextlib import closing, contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from threading import Lock
from typing import Self

from core.base.files import flush_folder, is_at, is_taken, lock, remove_locked, tidy, unfinished
from core.base.tasks import WorkerPool, result_of, until_done
from core.base.wording import printable_name
from core.errors import ReviewError
from core.review.database import check_version, configure, connect, may_write, refuse_foreign
from core.review.sidecar_files import (
    explained,
    has_pending,
    remove_companions,
    shown,
    why_incomplete,
)

PAGE_SIZE = 8192
WAIT = 100  # milliseconds to wait for readers of the file, before the user can decide more
# Of file systems without hard links.
NO_LINKS = (errno.EPERM, errno.ENOSYS, errno.ENOTSUP, errno.EMLINK, errno.EXDEV, errno.EACCES)


# Within this program saves wait for one another as long as needed, and not only for the moments
# after which SQLite takes the file for one of another program.
_save_lock = Lock()


@contextmanager
def database_to_save(path: Path, notes: MutableSequence[str]) -> Iterator[sqlite3.Connection]:
    """The review at a path, or a new one that gets its name when the block ends without exception.

    Args:
        path: The file.
        notes: Gets a sentence for companions of another file that lay beside it.

    Raises:
        ReviewError: It is no review, or was replaced meanwhile.
        sqlite3.Error, OSError: It cannot be opened or made.
    """
    with _save_lock, _new_database(path) if _is_free(path) else _opened(path, notes) as connection:
        yield connection


@contextmanager
def _opened(path: Path, notes: MutableSequence[str]) -> Iterator[sqlite3.Connection]:
    refuse_foreign(path)
    if not may_write(path):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    status = path.stat()
    with closing(connect(path, write=True, notes=notes)) as connection:
        if status.st_nlink > 1:
            # Locks of a WAL lie beside a name. A program that saves under another name of the
            # same file has others, so the file itself is locked for as long.
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        check_version(connection, path)
        # Another program may have taken it out of this mode; some file systems do not have it.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(
            "PRAGMA wal_autocheckpoint = 0"
        )  # `commit` sees to it that there is room
        yield connection
    if not path.exists() or not os.path.samestat(status, path.stat()):
        raise ReviewError(
            "{name} was replaced by another program while it was saved: what is there now is "
            "not what was saved. Save again under another name.",
            name=shown(path),
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

    A program that is opening the file may read it for many seconds. Waiting for it would
    delay the next decisions, which would be lost with the process.
    """
    try:
        connection.execute(f"PRAGMA busy_timeout = {WAIT}")
        row = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error as error:
        return why_incomplete(path, error)
    return why_incomplete(path, None) if row[0] else ""


@until_done()
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
    """Give a file its name, if that is still free: another file of the name is kept."""
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
            "{name} was created by another program in the meantime, so nothing was saved "
            "there. Save under another name, or scan again to bring that file up to date.",
            name=shown(path),
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
    """Flush a file to the disk; a busy disk takes seconds, in which work can be cancelled."""

    def flush(descriptor: int) -> None:
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    pool = WorkerPool(1, "neardup-flush")
    flushed = pool.submit(flush, os.open(path, os.O_RDWR))
    try:
        result_of(flushed)
    finally:
        pool.shutdown(wait=flushed.done())


ENDING = "-lock"
NOWHERE = (errno.ENOENT, errno.ENOTDIR)
MOST = 1000  # bytes of the name of the holder
TRIES = 20  # somebody else may remove the file between opening and locking it
LOOKS = 3  # who only looks whether it is taken, or tidies up, has the lock for a moment
MOMENT = 0.01  # seconds


class Access(StrEnum):
    """The access of a program to a review."""

    WRITE = "write"
    UNGUARDED = "unguarded"  # it may be saved, and nothing keeps others from it
    TAKEN = "taken"  # another program may save it
    FORBIDDEN = "forbidden"  # nothing can be written there


class ReviewLock:
    """The right to save a review, or the reason why there is none; close it when it is not needed.

    Attributes:
        path: The review; links are followed.
        access: The access of this program to it.
        holder: Who holds it, where it is taken: "ann on library-3"; "" where that is not known.
    """

    def __init__(self, path: Path) -> None:
        """Try to get the right; the review need not exist yet.

        Raises:
            ReviewError: There is no such folder.
        """
        self.path = Path(os.path.realpath(path))
        self.holder = ""
        self._file: int | None = None
        self._error: OSError = PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        with explained(self.path, "saved"):
            self.access = self._acquire()

    @property
    def may_save(self) -> bool:
        """Whether the review may be saved."""
        return self.access in {Access.WRITE, Access.UNGUARDED}

    def require(self) -> None:
        """Raise unless the review may be saved.

        Raises:
            ReviewError: The sentence says who has it.
        """
        if self.access is Access.TAKEN:
            if self.holder:
                raise ReviewError(
                    "{name} is open in another Neardup ({who}), which may save it. Close it "
                    "there and retry, or choose another file.",
                    name=shown(self.path),
                    who=self.holder,
                )
            raise ReviewError(
                "{name} is open in another Neardup, which may save it. Close it there and "
                "retry, or choose another file.",
                name=shown(self.path),
            )
        if self.access is Access.FORBIDDEN:
            with explained(self.path, "saved"):
                raise self._error

    def close(self) -> None:
        """Let others save; may be called twice."""
        if self._file is None:
            return
        file, self._file = self._file, None
        remove_locked(file, _lock_path(self.path))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _acquire(self) -> Access:
        if self.path.exists() and not may_write(self.path):
            return Access.FORBIDDEN
        path = _lock_path(self.path)
        for attempt in range(TRIES):
            try:
                file = _open(path, self.path, create=True)
            except OSError as error:
                if error.errno in NOWHERE:
                    raise
                self._error = error
                return Access.FORBIDDEN
            access = self._try(file)
            if access is Access.WRITE and is_at(file, path):
                self._file = file
                _write_holder(file)
                tidy(self.path.parent)
                return access
            os.close(file)
            if access is Access.UNGUARDED or (access is Access.TAKEN and attempt >= LOOKS):
                return access
            time.sleep(MOMENT)
        return Access.TAKEN

    def _try(self, file: int) -> Access:
        """Lock an open file, if the system lets us."""
        try:
            lock(file)
        except OSError as error:
            if is_taken(error):
                self.holder = _holder(file)
                return Access.TAKEN
            with suppress(OSError):
                _lock_path(self.path).unlink()
            return Access.UNGUARDED
        return Access.WRITE


def is_free(path: Path) -> bool:
    """Whether no process has the right to save a review at this moment; nothing is created.

    Raises:
        OSError: The folder cannot be reached.
    """
    path = Path(os.path.realpath(path))
    try:
        file = _open(_lock_path(path), path, create=False)
    except FileNotFoundError:
        return True
    try:
        lock(file)
    except OSError as error:
        return not is_taken(error)
    else:
        return True
    finally:
        os.close(file)


def _lock_path(path: Path) -> Path:
    return path.with_name(path.name + ENDING)


def _open(lock: Path, review: Path, *, create: bool) -> int:
    """The descriptor of a lock file; who may write the review may write it."""
    flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    if create:
        flags |= os.O_CREAT
    try:
        file = os.open(lock, os.O_RDWR | flags, 0o666)
    except PermissionError:
        if not lock.exists():
            raise
        # Left by somebody else, whose files are not to be written.
        return os.open(lock, os.O_RDONLY | flags & ~os.O_CREAT)
    with suppress(OSError):
        if hasattr(os, "fchmod"):
            os.fchmod(file, stat.S_IMODE(review.stat().st_mode) & 0o666)
    return file


def _write_holder(file: int) -> None:
    """Say who has the lock; not needed, so it may fail."""
    with suppress(OSError, KeyError, ImportError):
        who = f"{getpass.getuser()} on {platform.node()}".encode()
        os.ftruncate(file, 0)
        os.lseek(file, 0, os.SEEK_SET)
        os.write(file, who[:MOST])


def _holder(file: int) -> str:
    with suppress(OSError):
        os.lseek(file, 0, os.SEEK_SET)
        return printable_name(os.read(file, MOST).decode("utf-8", "replace"))
    return ""
