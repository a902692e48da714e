"""Who may save a review: one program at a time.

Beside NAME.neardup lies NAME.neardup-lock while somebody has the review open to save it. What
counts is a lock of the system on that file, which ends with its process however that ends; the file
itself, and the name in it, say only who it is. One that a killed process left blocks nobody.

The lock is flock(2), on Windows a range of bytes. Both are kept by file servers too: SMB, and NFS
with Linux clients since 2.6.12, which turn it into a lock of the server. Not the review itself is
locked: SQLite's own locks on it are for moments, and opening a file twice would lose them.
"""

from __future__ import annotations

import errno
import getpass
import os
import platform
import stat
import sys
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Self

from core.documents.names import printable_name
from core.errors import ReviewError
from core.review.database import explained, may_write, shown

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = ["Access", "ReviewLock", "is_free"]

ENDING = "-lock"
TAKEN = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
NOWHERE = (errno.ENOENT, errno.ENOTDIR)
FAR = 1 << 30  # on Windows a locked range cannot be read: one far behind the name of the holder
MOST = 1000  # bytes of the name of the holder
TRIES = 20  # somebody else may remove the file between opening and locking it


class Access(StrEnum):
    """What a program may do with a review."""

    WRITE = "write"
    UNGUARDED = "unguarded"  # it may be saved, and nothing keeps others from it
    TAKEN = "taken"  # another program may save it
    FORBIDDEN = "forbidden"  # nothing can be written there


class ReviewLock:
    """The right to save a review, or the reason why there is none; close it when it is not needed.

    Attributes:
        path: The review; links are followed.
        access: What may be done with it.
        holder: Who has it, where it is taken: "ann on library-3"; empty where that is not known.
    """

    def __init__(self, path: Path) -> None:
        """Try to get the right; the review need not be there yet.

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
            raise ReviewError(
                f"{shown(self.path)} is open in another Neardup{self._who()}, which may save it. "
                "Close it there and retry, or choose another file."
            )
        if self.access is Access.FORBIDDEN:
            with explained(self.path, "saved"):
                raise self._error

    def close(self) -> None:
        """Let others save; may be called twice."""
        if self._file is None:
            return
        lock = _lock_path(self.path)
        if sys.platform != "win32":  # there an open file cannot be removed, here it must be ours
            with suppress(OSError):
                lock.unlink()
        os.close(self._file)
        self._file = None
        if sys.platform == "win32":
            with suppress(OSError):  # somebody else has opened it
                lock.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _who(self) -> str:
        return f" ({self.holder})" if self.holder else ""

    def _acquire(self) -> Access:
        if self.path.exists() and not may_write(self.path):
            return Access.FORBIDDEN
        lock = _lock_path(self.path)
        for _ in range(TRIES):
            try:
                file = _open(lock, self.path, create=True)
            except OSError as error:
                if error.errno in NOWHERE:
                    raise
                self._error = error
                return Access.FORBIDDEN
            access = self._try(file)
            if access is not Access.WRITE:
                os.close(file)
                return access
            if _is_at(file, lock):
                self._file = file
                _write_holder(file)
                return access
            os.close(file)
        return Access.TAKEN

    def _try(self, file: int) -> Access:
        """Lock an open file, if the system lets us."""
        try:
            _lock(file)
        except OSError as error:
            if error.errno in TAKEN:
                self.holder = _holder(file)
                return Access.TAKEN
            with suppress(OSError):
                _lock_path(self.path).unlink()
            return Access.UNGUARDED
        return Access.WRITE


def is_free(path: Path) -> bool:
    """Whether nobody has the right to save a review at this moment; nothing is created.

    Raises:
        OSError: The folder cannot be reached.
    """
    path = Path(os.path.realpath(path))
    try:
        file = _open(_lock_path(path), path, create=False)
    except FileNotFoundError:
        return True
    try:
        _lock(file)
    except OSError as error:
        return error.errno not in TAKEN
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


def _lock(file: int) -> None:
    """Lock an open file, or raise at once.

    Raises:
        OSError: It is taken, or locks are not kept here.
    """
    if sys.platform == "win32":
        os.lseek(file, FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_at(file: int, path: Path) -> bool:
    """Whether a file is still the one at a path: its last holder removes it."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(file), path.stat(follow_symlinks=False))
    return False


def _write_holder(file: int) -> None:
    """Say who has the lock; not needed, so it may fail."""
    with suppress(OSError, KeyError, ImportError):
        who = f"{getpass.getuser()} on {platform.node()}".encode()
        os.ftruncate(file, 0)
        os.lseek(file, 0, os.SEEK_SET)
        os.write(file, who[:MOST])


def _holder(file: int) -> str:
    """Who has the lock, as it says."""
    with suppress(OSError):
        os.lseek(file, 0, os.SEEK_SET)
        return printable_name(os.read(file, MOST).decode("utf-8", "replace"))
    return ""
