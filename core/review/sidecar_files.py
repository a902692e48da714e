"""Sidecar files of a review (WAL, journal), and the messages for what can go wrong with a review.

Sidecar files must belong to it, or SQLite would write those of another file
into it.

SQLite goes by names alone: NAME.neardup-wal is written into whatever is NAME.neardup by now, also
when that is a backup that was put back, or another review that was moved there. So every save gives
the file a new state, a random number in its row about itself, together with the state
it was made from (see `core.review.header`). A WAL has the rows of its saves in it:

    made from the state of the file  ─▶ its next save
    makes the state of the file      ─▶ a save on its way into the file
    anything else                    ─▶ of another file: renamed, never written into this one

The formats are those of https://www.sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
import struct
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import quote

from core.base.messages import N_, gettext
from core.base.wording import printable_name, quoted
from core.errors import ReviewChangedError, ReviewError
from core.review.header import state_of, states_in
from core.review.validation import harden

ENDINGS = ("-wal", "-shm", "-journal")
WAL_HEAD, FRAME_HEAD = 32, 24
WAL_MAGIC = (0x377F0682, 0x377F0683)
PAGE_SIZES = tuple(1 << power for power in range(9, 17))
LEAF = 13  # the first byte of a page with rows
JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
JOURNAL_HEAD = 28
RECORD_ENDS = 8  # bytes of the number of a page before it and of the checksum after it
DATABASE_HEAD = 100
COUNTER = slice(24, 28)  # of the changes of a database
PAGES = slice(28, 32)
WAL_MODE = slice(18, 20)
LOOKS = 5  # somebody may be saving between two looks
MOMENT = 0.05  # seconds


class Wal(NamedTuple):
    """The saves in a WAL that were finished: the states they make, and that of the first before."""

    made: frozenset[str]
    made_from: str


def no_file_beside(path: Path) -> Path | None:
    """A path with the name of a companion that is no file, but a folder, a pipe or a link."""
    for ending in ENDINGS:
        companion = path.with_name(path.name + ending)
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(companion.lstat().st_mode):
                return companion
    return None


def quarantine(path: Path) -> list[Path]:
    """Rename companions of another file beside a review, so that SQLite does not take them.

    Returns:
        The new names.

    Raises:
        OSError: It cannot be renamed.
    """
    quarantined = []
    for ending, is_stranger in (("-wal", _is_strange_wal), ("-journal", _is_strange_journal)):
        companion = path.with_name(path.name + ending)
        if is_stranger(path, companion):
            quarantined.append(_renamed(path, companion, ending))
            with suppress(OSError):  # the index of that WAL; SQLite makes it again
                path.with_name(f"{path.name}-shm").unlink()
    return quarantined


def remove_companions(path: Path) -> None:
    """Remove the companions of a review that is gone; its lock must be held.

    Raises:
        OSError: It cannot be removed.
    """
    for ending in ENDINGS:
        path.with_name(path.name + ending).unlink(missing_ok=True)


def remove_empty(path: Path) -> None:
    """Remove companions that SQLite could not finish on a full disk."""
    with suppress(OSError):
        if not wal_of(path).stat().st_size:
            wal_of(path).unlink()
            path.with_name(f"{path.name}-shm").unlink()


def wal_of(path: Path) -> Path:
    """Where SQLite keeps saves that are not in the file yet."""
    return path.with_name(f"{path.name}-wal")


def has_pending(path: Path) -> bool:
    """Whether saves of this file are beside it, not in it."""
    wal, journal = wal_of(path), path.with_name(f"{path.name}-journal")
    if _finished(wal) is not None and not _is_strange_wal(path, wal):
        return True
    return _is_journal(journal) and not _is_strange_journal(path, journal)


def _renamed(path: Path, companion: Path, ending: str) -> Path:
    """Rename a companion to a name that is of no review; files with its ending are not scanned."""
    number = 1
    while True:
        name = f"{path.stem}.stray{number}{path.suffix}{ending}"
        target = path.with_name(name)
        if not target.exists():
            companion.rename(target)
            return target
        number += 1


def file_state(path: Path) -> str | None:
    """The state that the one file has, without its companions.

    Returns:
        None where it cannot be read, as while it takes in its WAL; "" where the file is
        no review.
    """
    try:
        with _lone_file(path) as connection:
            # A view of this name would run before the schema is compared with ours.
            query = "SELECT type FROM main.sqlite_master WHERE name = 'review' COLLATE NOCASE"
            is_table = connection.execute(query).fetchall() == [("table",)]
            return state_of(connection) if is_table else ""
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        is_foreign = code in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}
        return "" if is_foreign else None
    except (ValueError, TypeError, KeyError):
        return None


def application_of(path: Path) -> int | None:
    """The application id of the one file, without its companions; None where it is unreadable.

    Raises:
        sqlite3.Error: It is no database.
    """
    try:
        with _lone_file(path) as connection:
            return int(connection.execute("PRAGMA application_id").fetchone()[0])
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_NOTADB:
            raise
        return None


@contextmanager
def _lone_file(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that reads the one file, without locks and without leaving files."""
    uri = file_uri(path, "mode=ro&immutable=1")
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        harden(connection)
        if sys.version_info >= (3, 12):
            connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, False)
        connection.execute("PRAGMA trusted_schema = OFF")
        # While a WAL is taken in, the header promises more pages than are there.
        connection.execute("PRAGMA writable_schema = ON")
        yield connection


def file_uri(path: Path, mode: str) -> str:
    """The name under which SQLite opens a file, links and all."""
    return f"file:{quote(os.fsencode(os.path.abspath(path)))}?{mode}"


def _is_strange_wal(path: Path, wal: Path) -> bool:
    """Whether a WAL has saves in it that are not of this file.

    Another program may be saving meanwhile: only a stable state counts.
    """
    for _ in range(LOOKS):
        seen = file_state(path), _finished(wal)
        if _belongs(*seen):
            return False
        time.sleep(MOMENT)
        if seen == (file_state(path), _finished(wal)):
            return True
    return False


def _belongs(state: str | None, finished: Wal | None) -> bool:
    if finished is None or state is None:
        return True
    return state in finished.made or state == finished.made_from


def _finished(wal: Path) -> Wal | None:
    """The saves in a WAL, or None where none was finished: SQLite ignores such a file."""
    with suppress(FileNotFoundError), wal.open("rb", buffering=0) as file:
        head = file.read(WAL_HEAD)
        magic, page_size = (int.from_bytes(head[start : start + 4]) for start in (0, 8))
        if len(head) < WAL_HEAD or magic not in WAL_MAGIC or page_size not in PAGE_SIZES:
            return None
        return _saves(file, page_size, salt=head[16:24])
    return None


def _saves(file: BinaryIO, page_size: int, salt: bytes) -> Wal | None:
    states: list[tuple[str, str]] = []
    waiting: list[tuple[str, str]] = []
    finished = False
    size = os.fstat(file.fileno()).st_size
    frame = FRAME_HEAD + page_size
    for start in range(WAL_HEAD, size - frame + 1, frame):
        file.seek(start)
        head = file.read(FRAME_HEAD + 1)
        if head[8:16] != salt or not any(head[:4]):  # of an earlier round, or of no page
            break
        if head[FRAME_HEAD] == LEAF:
            file.seek(start + FRAME_HEAD)
            waiting += states_in(file.read(page_size))
        if any(head[4:8]):  # the end of a transaction
            finished = True
            states += waiting
            waiting = []
    if not finished:
        return None
    return Wal(frozenset(made for made, _ in states), states[0][1] if states else "")


def _is_strange_journal(path: Path, journal: Path) -> bool:
    """Whether SQLite would undo changes in this file that were made to another one.

    We keep reviews in WAL mode; another program may have taken one out of it. Then its journal says
    how many pages there were, and has the first page as soon as that is written.
    """
    with suppress(FileNotFoundError), journal.open("rb") as file, path.open("rb") as review:
        head = file.read(JOURNAL_HEAD)
        if not head.startswith(JOURNAL_MAGIC):
            return False
        mine = review.read(DATABASE_HEAD)
        before = _first_page(file, head)
        if mine[WAL_MODE] == b"\2\2":
            return True
        if not before:
            return mine[PAGES] != head[16:20]
        changes = int.from_bytes(mine[COUNTER]) - int.from_bytes(before[COUNTER])
        return changes not in {0, 1} or mine[56:72] != before[56:72]
    return False


def _is_journal(journal: Path) -> bool:
    """Whether SQLite would take a file for changes to undo; it empties the head of others."""
    with suppress(OSError), journal.open("rb") as file:
        return file.read(len(JOURNAL_MAGIC)) == JOURNAL_MAGIC
    return False


def _first_page(journal: BinaryIO, head: bytes) -> bytes:
    """The head of the first page of the database, from a journal; nothing where it is missing."""
    sector, page_size = (int.from_bytes(head[start : start + 4]) for start in (20, 24))
    if page_size not in PAGE_SIZES:
        return b""
    journal.seek(sector)
    while len(record := journal.read(RECORD_ENDS + page_size)) == RECORD_ENDS + page_size:
        number = int.from_bytes(record[:4])
        if number == 1:
            return record[4 : 4 + DATABASE_HEAD]
        if not number:  # the end, for SQLite too: a hole in a file may go on for terabytes
            break
    return b""


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
# Errors that reading a file whose bytes were changed can raise, besides those of SQLite.
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
BUSY = N_("another Neardup has it open and is writing to it. Close it there and retry.")
REASONS = {
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_PROTOCOL: BUSY,
    sqlite3.SQLITE_FULL: N_("the disk is full. It is as it was before."),
    sqlite3.SQLITE_TOOBIG: N_("a text is larger than a review file can hold."),
    sqlite3.SQLITE_IOERR: N_("the disk failed ({error})."),
}
NOT_DONE = {
    "opened": N_("{name} could not be opened: {why}"),
    "saved": N_("{name} could not be saved: {why}"),
    "read": N_("{name} could not be read: {why}"),
}
READ_ONLY_CODES = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN)


def shown(path: Path) -> str:
    """The name of a file in a sentence."""
    return quoted(printable_name(path.name or str(path)))


def damaged(path: Path) -> ReviewError:
    """The error for a file of Neardup that is not as it was written."""
    return ReviewError(
        "{name} is damaged: what it holds is not what was written. Use a copy of it, or scan "
        "the folder again and save under another name.",
        name=shown(path),
    )


def unreadable(path: Path) -> ReviewError:
    """The error for a save that nobody could open again: it was taken back."""
    if not path.exists():
        return ReviewError(
            "{name} could not be saved: with what was to be saved it could not be opened again. "
            "No file was made.",
            name=shown(path),
        )
    return ReviewError(
        "{name} could not be saved: with what was to be saved it could not be opened again. It "
        "is as it was before.",
        name=shown(path),
    )


def gone(path: Path) -> ReviewError:
    """The error for a file that was open and is gone."""
    return ReviewError("{name} could not be saved: it is not there any more.", name=shown(path))


def changed(path: Path) -> ReviewChangedError:
    """The error for a file that changed since it was opened."""
    return ReviewChangedError(
        "{name} was changed by another program since it was opened. Open it again.",
        name=shown(path),
    )


@contextmanager
def explained(path: Path, action: str) -> Iterator[None]:
    """Turn errors of SQLite and the system into a sentence.

    Args:
        path: The review.
        action: What could not be done, "opened" or "saved".

    Raises:
        ReviewError: Instead of those.
    """
    try:
        yield
    except ReviewError:
        raise
    except sqlite3.Error as error:
        raise _from_sqlite(path, action, error) from error
    except UnicodeDecodeError as error:  # SQLite quotes what is damaged
        raise damaged(path) from error
    except OSError as error:
        raise ReviewError(_from_system(path, action, error)) from error
    except MemoryError as error:
        why = gettext("there is not enough memory. Close other programs and retry.")
        raise ReviewError(_not_done(path, action, why)) from error


@contextmanager
def undamaged(path: Path) -> Iterator[None]:
    """Turn errors of rows that are not as they were written into a sentence.

    Raises:
        ReviewError: Instead.
    """
    try:
        yield
    except DAMAGE as error:
        raise damaged(path) from error


def why_incomplete(path: Path, error: sqlite3.Error | None) -> str:
    """The sentence for a save that is safe and not in the one file; None: others read it."""
    reason = gettext("another program is using it.")
    if error is not None and code_of(error) not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        reason = gettext(REASONS[sqlite3.SQLITE_IOERR], error=error)
        if code_of(error) == sqlite3.SQLITE_FULL:
            reason = gettext("the disk is full.")
    return gettext(
        "The save of {name} is safe, but not complete in the one file yet: {why} Until it is saved "
        "or opened once more, {beside} beside it belongs to it.",
        name=shown(path),
        why=reason,
        beside=shown(wal_of(path)),
    )


def about_stray(path: Path, stray: Path) -> str:
    """The sentence for a renamed companion of another file."""
    return gettext(
        "Beside {name} lay unfinished changes of another file. They were not used, and are now in "
        "{stray}.",
        name=shown(path),
        stray=shown(stray),
    )


def code_of(error: sqlite3.Error) -> int:
    """The primary result code of SQLite; 0 where Python itself raised."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _from_sqlite(path: Path, action: str, error: sqlite3.Error) -> ReviewError:
    code = code_of(error)
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_SHMSIZE:
        code = sqlite3.SQLITE_FULL  # no room for the index of a WAL
    if code == sqlite3.SQLITE_NOTADB:
        return ReviewError("{name} is not a review of Neardup.", name=shown(path))
    if code in READ_ONLY_CODES:
        reason = _why_forbidden(path, action)
    else:
        reason = REASONS.get(code, "") and gettext(REASONS[code], error=error)
    if code == sqlite3.SQLITE_FULL and not path.exists():
        reason = gettext("the disk is full. No file was made.")
    if not reason:
        return damaged(path)
    return ReviewError(_not_done(path, action, reason))


def _not_done(path: Path, action: str, why: str) -> str:
    return gettext(NOT_DONE[action], name=shown(path), why=why)


def _why_forbidden(path: Path, action: str) -> str:
    folder = printable_name(str(path.parent))
    if not path.parent.is_dir():
        return gettext("there is no folder “{folder}”.", folder=folder)
    if not path.exists():
        return gettext("it is not there any more.")
    if action == "saved":
        return _why_not_written(path)
    if has_pending(path):
        return gettext(
            "its last changes are in {name} beside it, and nothing may be written there. Copy both "
            "files to a folder of your own.",
            name=shown(wal_of(path)),
        )
    return gettext("there is no permission to read it.")


def _from_system(path: Path, action: str, error: OSError) -> str:
    folder = printable_name(str(path.parent))
    why = f"{error.strerror or error}."
    if error.errno in FULL:
        why = gettext("the disk is full or the file too large.")
    elif isinstance(error, FileNotFoundError | NotADirectoryError):
        why = gettext("it is not there.")
        if not path.parent.is_dir():
            why = gettext("there is no folder “{folder}”.", folder=folder)
    elif error.errno in FORBIDDEN and action == "opened":
        why = gettext("there is no permission to read in “{folder}”.", folder=folder)
    elif error.errno in FORBIDDEN:
        why = _why_not_written(path)
    return _not_done(path, action, why)


def _why_not_written(path: Path) -> str:
    effective = os.access in os.supports_effective_ids
    if path.exists() and not os.access(path, os.W_OK, effective_ids=effective):
        return gettext("there is no permission to write to it.")
    folder = printable_name(str(path.parent))
    return gettext("there is no permission to write in “{folder}”.", folder=folder)
