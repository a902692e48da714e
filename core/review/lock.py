"""Who may save a review: one program at a time.

Beside NAME.neardup lies NAME.neardup-lock while somebody has the review open to save it. What
counts is a lock of the system on that file, which ends with its process however that ends; the file
itself, and the name in it, say only who it is. One that a killed process left blocks no other.

How the system locks a file is in `core.base.files`. Not the review itself is locked:
SQLite's own locks on it are for moments, and opening a file twice would lose them.
"""

from __future__ import annotations

import errno
import getpass
import os
import platform
import stat
import time
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Self

from core.base.files import is_at, is_taken, lock, remove_locked, tidy
from core.base.wording import printable_name
from core.errors import ReviewError
from core.review.database import may_write
from core.review.refusals import explained, shown

ENDING = "-lock"
NOWHERE = (errno.ENOENT, errno.ENOTDIR)
MOST = 1000  # bytes of the name of the holder
TRIES = 20  # somebody else may remove the file between opening and locking it
LOOKS = 3  # who only looks whether it is taken, or tidies up, has the lock for a moment
MOMENT = 0.01  # seconds


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
        file, self._file = self._file, None
        remove_locked(file, _lock_path(self.path))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _who(self) -> str:
        return f" ({self.holder})" if self.holder else ""

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
