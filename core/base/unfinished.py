"""Files that are being written beside the place they will take, and temporary folders.

Each has an owner, the file .neardup-NAME.lock beside it, on which its process holds a lock of the
system. Where nobody holds that lock, the process was killed, and what it had begun is removed by
the next process that writes there. The lock lies on a file of its own because SQLite has locks on
what it writes, and because Windows renames no file that is open.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.base.spool import temporary_folder
from core.base.system_locks import is_at, is_taken, lock, remove_locked

ABANDONED = 24 * 60 * 60  # seconds after which a file is removed whose owner cannot be asked
OURS = re.compile(r"(\.neardup-[0-9a-f]{16})\.(lock|scratch|(tmp|new)(-wal|-shm|-journal)?)")
SCRATCH = ".scratch"  # what the name of a temporary folder ends with
REVIEW_LOCK = ".neardup-lock"  # what the name of the lock of a review ends with
COMPANIONS = ("", "-wal", "-shm", "-journal")  # of a database
TRIES = 20  # who tidies up may have a new owner's lock for a moment
# A file system that cannot flush a folder has nothing to flush, or does it by itself.
UNKNOWN = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EACCES, errno.EPERM, errno.EBADF)


@contextmanager
def unfinished(target: Path, ending: str) -> Iterator[Path]:
    """A new path beside a file; what lies there and was not renamed is removed at the end.

    Before that, what killed processes left in the folder is removed.

    Args:
        target: The file whose place will be taken.
        ending: What the name ends with, ".tmp", ".new" or `SCRATCH`.

    Raises:
        OSError: Nothing can be written there.
    """
    tidy(target.parent)
    with _owner(target.parent) as name:
        path = target.with_name(name + ending)
        try:
            yield path
        finally:
            for companion in COMPANIONS:
                with suppress(OSError):  # or the next who writes here removes it
                    _remove(path.with_name(path.name + companion))


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder for temporary files with names, which may hold texts of documents.

    It is removed at the end; where the process is killed, by the next one that makes such a folder.

    Raises:
        OSError: It cannot be made.
    """
    with unfinished(temporary_folder() / "any", SCRATCH) as path:
        path.mkdir(mode=0o700)
        yield path


@contextmanager
def _owner(folder: Path) -> Iterator[str]:
    """A new name, ours while the block runs."""
    for _ in range(TRIES):
        name = f".neardup-{secrets.token_hex(8)}"
        path = folder / f"{name}.lock"
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            lock(file)
            ours = is_at(file, path)
        except OSError as error:
            ours = not is_taken(error)  # no locks are kept here: age must do
        if ours:
            break
        os.close(file)
    else:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    try:
        yield name
    finally:
        remove_locked(file, path)


def tidy(folder: Path) -> None:
    """Remove what killed processes left of files they wrote, and the locks of their reviews.

    What belongs to a living process stays, on whatever computer or in whatever container that runs,
    as far as the folder keeps locks.
    """
    unfinished_files: dict[str, list[Path]] = {}
    with suppress(OSError), os.scandir(folder) as entries:
        for name in [entry.name for entry in entries]:
            if name.endswith(REVIEW_LOCK):
                _remove_if_left(folder / name, [])
            elif found := OURS.fullmatch(name):
                unfinished_files.setdefault(found[1], []).append(folder / name)
    for name, files in unfinished_files.items():
        owner = folder / f"{name}.lock"
        if owner in files:
            files.remove(owner)
            _remove_if_left(owner, files)
        else:
            for path in files:
                _remove_if_old(path)


def _remove_if_left(owner: Path, files: list[Path]) -> None:
    """Remove files and their owner unless its process lives."""
    flags = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    with suppress(OSError):
        file = os.open(owner, flags)
        try:
            lock(file)
            if not is_at(file, owner):
                raise FileNotFoundError(owner)  # its process has removed it, with its files
        except OSError as error:
            os.close(file)
            if not is_taken(error) and not isinstance(error, FileNotFoundError):
                for path in (*files, owner):
                    _remove_if_old(path)
            return
        for path in files:
            with suppress(OSError):
                _remove(path)
        remove_locked(file, owner)


def _remove_if_old(path: Path) -> None:
    with suppress(OSError):
        if time.time() - path.stat(follow_symlinks=False).st_mtime > ABANDONED:
            _remove(path)


def _remove(path: Path) -> None:
    """Remove a file, or a temporary folder with what it holds.

    Raises:
        OSError: It is not there, is something else, or cannot be removed.
    """
    if path.name.endswith(SCRATCH):
        shutil.rmtree(path)
    else:
        path.unlink()


def flush_folder(folder: Path) -> None:
    """See to it that names in a folder are on the disk, where the system can do that.

    Raises:
        OSError: The disk failed.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno not in UNKNOWN:
            raise
