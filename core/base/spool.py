"""Temporary files for what does not fit in memory; they vanish with the process in any case."""

from __future__ import annotations

import errno
import os
import tempfile
import threading
import weakref
from pathlib import Path

from core.errors import StorageError

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# Where /tmp is kept in memory, a file there would save none; /var/tmp is on a disk (FHS 3.0, 5.15).
ON_DISK = Path("/var/tmp")  # noqa: S108 - files there are made by `tempfile`
AT_ONCE = 1 << 26  # bytes in one call


def temporary_folder() -> Path:
    """Where temporary files are made: TMPDIR where it is set."""
    if not os.environ.get("TMPDIR") and os.access(ON_DISK, os.W_OK | os.X_OK):
        return ON_DISK
    return Path(tempfile.gettempdir())


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
            raise StorageError(_sentence(error)) from error
        weakref.finalize(self, os.close, self.descriptor)
        self.size = 0
        self._lock = threading.Lock()  # for systems without pread

    def append(self, data: bytes | memoryview) -> None:
        """Write at the end."""
        view = memoryview(data).cast("B")
        try:
            with self._lock:
                if not hasattr(os, "pread"):
                    os.lseek(self.descriptor, self.size, os.SEEK_SET)
                while len(view):
                    written = os.write(self.descriptor, view[:AT_ONCE])
                    view = view[written:]
                    self.size += written
        except OSError as error:
            raise StorageError(_sentence(error)) from error

    def read(self, start: int, length: int) -> bytes:
        """Some bytes that were written before."""
        if hasattr(os, "pread"):
            return os.pread(self.descriptor, length, start)
        with self._lock:
            os.lseek(self.descriptor, start, os.SEEK_SET)
            return os.read(self.descriptor, length)


def _sentence(error: OSError) -> str:
    folder = temporary_folder()
    if error.errno in FULL:
        return (
            f"The disk with the temporary files, “{folder}”, is full. Free some space there, or "
            "name another folder in the environment variable TMPDIR. Nothing was changed."
        )
    return f"No temporary file can be written in “{folder}”: {error.strerror or error}."
