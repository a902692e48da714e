"""The sentences for what can go wrong with a review file."""

from __future__ import annotations

import errno
import sqlite3
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.base.wording import printable_name
from core.errors import ReviewError
from core.review.companions import has_pending, wal_of

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


def unreadable(path: Path) -> ReviewError:
    """The error for a save that nobody could open again: it was taken back."""
    return ReviewError(
        f"{shown(path)} could not be saved: with what was to be saved it could not be opened "
        "again. It is as it was before."
    )


def gone(path: Path) -> ReviewError:
    """The error for a file that was open and is not there."""
    return ReviewError(f"{shown(path)} could not be saved: it is not there any more.")


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


def why_incomplete(path: Path, error: sqlite3.Error | None) -> str:
    """The sentence for a save that is safe and not in the one file; no error: somebody reads it."""
    reason = "another program is using it."
    if error is not None and code_of(error) not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        reason = REASONS[sqlite3.SQLITE_IOERR].format(error=error)
        if code_of(error) == sqlite3.SQLITE_FULL:
            reason = "the disk is full."
    return (
        f"The save of {shown(path)} is safe, but not complete in the one file yet: {reason} "
        f"Until it is saved or opened once more, {shown(wal_of(path))} beside it belongs to it."
    )


def about_stray(path: Path, stray: Path) -> str:
    """The sentence for what lay beside a file and was put aside."""
    return (
        f"Beside {shown(path)} lay unfinished changes of another file. They were not used, and are "
        f"now in {shown(stray)}."
    )


def code_of(error: sqlite3.Error) -> int:
    """The primary result code of SQLite; 0 where Python itself raised."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _from_sqlite(path: Path, what: str, error: sqlite3.Error) -> ReviewError:
    code = code_of(error)
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
    if not path.exists():
        return "it is not there any more."
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
