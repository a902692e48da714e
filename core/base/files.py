"""Files that are written beside the ones they will replace, and temporary folders.

Each has an owner, the file .neardup-NAME.lock beside it, on which its process holds a lock of the
system. Where nobody holds that lock, the process was killed, and what it had begun is removed by
the next process that writes there. The lock is on a separate file because SQLite has locks on
what it writes, and because Windows renames no file that is open.

Locks of the system on open files: they end with their process, however that ends.

The lock is flock(2), on Windows a range of bytes. Both are kept by file servers too: SMB, and NFS
with Linux clients since 2.6.12, which turn it into a lock of the server. It holds between
containers that share a folder, where numbers of processes say nothing.

Write a file completely or not at all: what was there before stays whole until then.

Everything that Neardup gives out goes through here. Reviews are databases and keep themselves whole
(`core.review`); of the user's settings Qt writes a new file in the same way.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import shutil
import stat
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path, PurePath
from typing import BinaryIO, TextIO

from core.base.messages import N_, gettext
from core.base.patterns import lazy_pattern
from core.base.wording import printable_name
from core.errors import ExportError, NeardupError, StorageError

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# Where /tmp is kept in memory, a file there would save none; /var/tmp is on a disk (FHS 3.0, 5.15).
ON_DISK = Path("/var/tmp")  # noqa: S108 - files there are made by `tempfile`
AT_ONCE = 1 << 26  # bytes in one call


def temporary_folder() -> Path:
    """Where temporary files are made: TMPDIR where it is set."""
    if not os.environ.get("TMPDIR") and os.access(ON_DISK, os.W_OK | os.X_OK):
        return ON_DISK
    return Path(tempfile.gettempdir())


def user_folder(mac: str, variable: str, below_home: str) -> Path | None:
    """Where a user's programs keep files of a kind (XDG Base Directory Specification).

    Args:
        mac: The folder within ~/Library, on macOS.
        variable: What names the folder, on Linux.
        below_home: The folder in the user's home, on Linux where that is not set.

    Returns:
        The folder of Neardup in it, which need not be there; None where there is no home.
    """
    try:
        if sys.platform == "win32":
            folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        elif sys.platform == "darwin":
            folder = Path.home() / "Library" / mac
        else:
            folder = Path(os.environ.get(variable) or Path.home() / below_home)
    except RuntimeError:  # no home
        return None
    return folder / "neardup" if folder.is_absolute() else None


class TemporaryFile:
    """A file without a name that is only appended to, read from any thread.

    Raises:
        StorageError: From every method that writes: the disk is full, or no file can be made.
    """

    def __init__(self) -> None:
        try:
            with tempfile.TemporaryFile(dir=temporary_folder(), buffering=0) as file:
                self.descriptor = os.dup(file.fileno())
        except OSError as error:
            raise StorageError(_spool_sentence(error)) from error
        weakref.finalize(self, os.close, self.descriptor)
        self.size = 0
        self._lock = threading.Lock()  # for systems without pread

    def append(self, data: bytes | memoryview) -> None:
        """Write at the end."""
        view, begin = memoryview(data).cast("B"), self.size
        try:
            with self._lock:
                if not hasattr(os, "pread"):
                    os.lseek(self.descriptor, self.size, os.SEEK_SET)
                while len(view):
                    written = os.write(self.descriptor, view[:AT_ONCE])
                    view = view[written:]
                    self.size += written
        except OSError as error:
            with suppress(OSError):  # what was written of it is no part
                os.ftruncate(self.descriptor, begin)
                os.lseek(self.descriptor, begin, os.SEEK_SET)
            self.size = begin
            raise StorageError(_spool_sentence(error)) from error

    def read(self, start: int, length: int) -> bytes:
        """Bytes that were written before."""
        if hasattr(os, "pread"):
            return os.pread(self.descriptor, length, start)
        with self._lock:
            os.lseek(self.descriptor, start, os.SEEK_SET)
            return os.read(self.descriptor, length)


def _spool_sentence(error: OSError) -> str:
    folder = temporary_folder()
    if error.errno in FULL:
        return gettext(
            "The disk with the temporary files, “{folder}”, is full. Free some space there, or "
            "name another folder in the environment variable TMPDIR. Nothing was changed.",
            folder=folder,
        )
    return gettext(
        "No temporary file can be written in “{folder}”: {reason}.",
        folder=folder,
        reason=error.strerror or error,
    )


if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_TAKEN = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
_FAR = 1 << 30  # on Windows a locked range cannot be read: one far after what a file holds


def lock(file: int) -> None:
    """Lock an open file, or raise at once.

    Raises:
        OSError: It is taken, see `is_taken`, or locks are not kept here.
    """
    if sys.platform == "win32":
        os.lseek(file, _FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_taken(error: OSError) -> bool:
    """Whether another process has the lock; otherwise there can be no lock here."""
    return error.errno in _TAKEN


def is_at(file: int, path: Path) -> bool:
    """Whether an open file is still the one at a path: the last holder of its lock removes it."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(file), path.stat(follow_symlinks=False))
    return False


def remove_locked(file: int, path: Path) -> None:
    """Remove a file whose lock we have, and close it.

    What cannot be removed stays: nobody holds it any more, so the next process can do it.
    """
    if sys.platform != "win32":  # there an open file cannot be removed, here it must be ours
        with suppress(OSError):
            path.unlink()
    os.close(file)
    if sys.platform == "win32":
        with suppress(OSError):  # somebody else has opened it
            path.unlink()


ABANDONED = 24 * 60 * 60  # seconds after which a file is removed whose owner cannot be asked
OURS = lazy_pattern(r"(\.neardup-[0-9a-f]{16})\.(lock|scratch|(tmp|new)(-wal|-shm|-journal)?)")
SCRATCH = ".scratch"  # what the name of a temporary folder ends with
REVIEW_LOCK = ".neardup-lock"  # what the name of the lock of a review ends with
COMPANIONS = ("", "-wal", "-shm", "-journal")  # of a database
TRIES = 20  # another process that tidies up may hold a new owner's lock for a moment
# A file system that cannot flush a folder has nothing to flush, or does it by itself.
UNKNOWN = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EACCES, errno.EPERM, errno.EBADF)


@contextmanager
def unfinished(target: Path, ending: str) -> Iterator[Path]:
    """A new path beside a file; a file there that was not renamed is removed at the end.

    Before that, what killed processes left in the folder is removed.

    Args:
        target: The file that will be replaced.
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
                with suppress(OSError):  # or the next process that writes here removes it
                    _remove(path.with_name(path.name + companion))


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder for temporary files with names, which may hold texts of documents.

    It is removed at the end; where the process is killed, by the next one that tidies up.

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

    That is what lies in the folder, and their temporary files, which may hold texts of documents.
    What belongs to a living process stays, on whatever computer or in whatever container that runs,
    as far as the folder keeps locks.
    """
    unfinished_files: dict[str, list[Path]] = {}
    folders = {folder}
    with suppress(OSError):  # there may be none
        folders.add(temporary_folder())
    for searched in folders:
        with suppress(OSError), os.scandir(searched) as entries:
            for name in [entry.name for entry in entries]:
                if name.endswith(REVIEW_LOCK):
                    _remove_if_left(searched / name, [])
                elif match := OURS.fullmatch(name):
                    unfinished_files.setdefault(match[1], []).append(searched / name)
    for name, files in unfinished_files.items():
        owner = files[0].with_name(f"{name}.lock")
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
    """Remove a file, or a temporary folder with what it holds."""
    if path.name.endswith(SCRATCH):
        shutil.rmtree(path)
    else:
        path.unlink()


def beginning_of(path: Path, most: int) -> bytes:
    """At most so many bytes of a file, -1 for all; a pipe that nobody writes has none at once.

    Raises:
        OSError: It cannot be read.
    """
    with open(path, "rb", opener=_at_once) as file:
        return file.read(most)


def _at_once(path: str, flags: int) -> int:
    file = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if sys.platform != "win32":
        os.set_blocking(file, True)  # who writes a pipe may take his time
    return file


def flush_folder(folder: Path) -> None:
    """Write the names in a folder to the disk, where the system can do that.

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


FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


@contextmanager
def replaced_file(path: Path, *, encoding: str = "utf-8") -> Iterator[TextIO]:
    """A text file that takes the place of `path` when the block ends without an exception.

    See `replaced_bytes`. Lines end as they are written. Lone surrogates, which no encoding has, are
    written as their escapes.

    Raises:
        ExportError: The file could not be written; the sentence says why.
    """
    with replaced_bytes(path) as file:
        text = TextIOWrapper(file, encoding=encoding, errors="backslashreplace", newline="")
        try:
            yield text
            text.flush()
        finally:
            with suppress(OSError, ValueError):  # what is left of a text that is given up
                text.detach()


def write_json(path: Path, value: object, indent: int = 2) -> None:
    """Write a value as JSON for people and programs. Raises as `replaced_file`."""
    with replaced_file(path) as file:
        json.dump(value, file, ensure_ascii=False, indent=indent)
        file.write("\n")


@contextmanager
def replaced_bytes(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` when the block ends without an exception.

    It is written beside the target, so that replacing is one step of the file system; until then,
    and after any failure, the file that was there before is untouched.

    Raises:
        ExportError: The file could not be written; the sentence says why.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            raise ExportError(
                "“{path}” is a folder or a device, so no file can be written there.",
                path=_shown(path),
            )
        with unfinished(target, ".tmp") as temporary:
            with temporary.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            temporary.replace(target)
            flush_folder(target.parent)
    except OSError as error:
        raise ExportError(_replaced_file_sentence(path, error)) from error


def _replaced_file_sentence(path: Path, error: OSError) -> str:
    names = {"file": printable_name(path.name), "folder": _shown(path.parent)}
    if error.errno in FULL:
        message = N_("“{file}” could not be written: the disk is full or the file too large.")
    elif not path.parent.exists():
        message = N_("“{file}” could not be written: the folder “{folder}” does not exist.")
    elif not path.parent.is_dir():
        message = N_("“{file}” could not be written: “{folder}” is not a folder.")
    elif error.errno in FORBIDDEN:
        message = N_(
            "“{file}” could not be written: no permission to write in “{folder}”, or the file is "
            "open in another program."
        )
    else:
        message = N_("“{file}” could not be written: {reason}.")
    return gettext(message, reason=error.strerror or error, **names)


def _shown(path: Path) -> str:
    return printable_name(path.as_posix())


@contextmanager
def raised_as(error: type[NeardupError], message: str, **values: object) -> Iterator[None]:
    """Within it an error of the system becomes one of ours, whose message has its reason: {why}."""
    try:
        yield
    except OSError as failure:
        raise error(message, why=failure.strerror or failure, **values) from failure


# Files that the systems run, or follow to somewhere else, when they are opened.
ENDINGS = """
    action app appimage application appref-ms bash bat chm cmd com command cpl csh desktop diagcab
    exe fileloc gadget hta inetloc inf jar js jse library-ms lnk msc msi msp out pif pl ps1 psm1 py
    pyw rb reg run scf scpt scr sct search-ms settingcontent-ms sh terminal tool url vb vbe vbs
    webloc website workflow wsf wsh zsh
"""
PROGRAMS = frozenset(f".{ending}" for ending in ENDINGS.split())


def is_program(path: PurePath) -> bool:
    """Whether opening a file may run it, by its name."""
    name = path.name.rstrip(". ")  # Windows leaves these out
    return PurePath(name).suffix.lower() in PROGRAMS
