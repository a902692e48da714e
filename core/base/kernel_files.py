"""Files with the machine code of kernels: each is checked as a whole before anything of it is used.

They lie beside the sources or, where that cannot be written, in the user's cache folder; or in the
folder that the environment variable NUMBA_CACHE_DIR names. A file begins with a digest of its
key and of all that follows: what is truncated, altered or belongs to another kernel counts as not
there, and is written again. The digest is no proof of who wrote the file. So none is loaded that
others than the owner of the sources, the user and the administrator can have written.
"""

from __future__ import annotations

import glob
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import xxhash

from core.base.files import unfinished, user_folder

MAGIC = b"neardup kernel 1\n"
DIGEST = 16  # bytes of XXH3-128
LARGEST = 1 << 26  # bytes; the largest kernel takes some hundred thousand
ROOM = 1 << 24  # bytes that all of them take, with some to spare
FOLDER = "NUMBA_CACHE_DIR"
ENDING = ".kernel"
_BINARY = getattr(os, "O_BINARY", 0)  # Windows


class KernelFiles:
    """The folders that may hold the kernels of one folder of sources, the best first."""

    def __init__(self, sources: Path) -> None:
        self.sources = sources
        self.folders = tuple(_folders(sources))

    def read(self, name: str) -> Iterator[bytes]:
        """The contents of the files of this name, as far as they can be read and trusted."""
        for folder in self.folders:
            with suppress(OSError):
                yield self._read(folder / name)

    def write(self, name: str, data: bytes) -> bool:
        """Write a file in the first folder that can be written; returns whether there was one.

        Other programs see the earlier file or this one, and never a part of it.
        """
        for folder in self.folders:
            with suppress(OSError), _written_beside(folder, name, data) as temporary:
                temporary.replace(folder / name)
                return True
        return False

    def drop_outdated(self, beginning: str, kept: str) -> None:
        """Remove the files whose names start with `beginning`, but not with the longer `kept`."""
        for folder in self.folders:
            with suppress(OSError):
                for path in folder.glob(f"{glob.escape(beginning)}*{ENDING}"):
                    if not path.name.startswith(kept):
                        path.unlink()

    def can_keep(self) -> bool:
        """Whether there seems to be a folder that can hold all kernels."""
        for folder in self.folders:
            with suppress(OSError), _written_beside(folder, f"room{ENDING}", b""):
                if shutil.disk_usage(folder).free >= ROOM:
                    return True
        return False

    def _read(self, path: Path) -> bytes:
        """The bytes of a file."""
        # What is no file, as a pipe, must not hold the program up.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _BINARY)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
                raise OSError
            if not self._is_trusted(status):
                raise OSError
            return file.read(status.st_size)

    def _is_trusted(self, status: os.stat_result) -> bool:
        """Whether only those can have written a file who could have written the sources."""
        if sys.platform == "win32":
            return True  # the folders inherit who may write there
        sources = self.sources.stat()
        extra_bits = (status.st_mode & ~sources.st_mode) & (stat.S_IWGRP | stat.S_IWOTH)
        return not extra_bits and status.st_uid in (0, os.geteuid(), sources.st_uid)


def load(files: KernelFiles, name: str, key: bytes) -> bytes | None:
    """The machine code that was saved for a key; None where there is none that is intact."""
    body = len(MAGIC) + DIGEST
    for data in files.read(name):
        code = data[body:]
        if data[:body] == MAGIC + _digest(key, code):
            return code
    return None


def save(files: KernelFiles, name: str, key: bytes, code: bytes) -> bool:
    """Keep machine code for a key; returns whether a folder could be written."""
    return files.write(name, MAGIC + _digest(key, code) + code)


def _digest(key: bytes, code: bytes) -> bytes:
    digest = xxhash.xxh3_128(len(key).to_bytes(8, "little"))
    digest.update(key)
    digest.update(code)
    return digest.digest()


@contextmanager
def _written_beside(folder: Path, name: str, data: bytes) -> Iterator[Path]:
    """A file beside the one that it may replace."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with unfinished(folder / name, ".new") as temporary:
        # Its mode, and not what the user's mask leaves of 0666: others must not write it.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY
        with os.fdopen(os.open(temporary, flags, 0o644), "wb") as file:
            file.write(data)
        yield temporary


def _folders(sources: Path) -> Iterator[Path]:
    below = f"{sources.name}-{xxhash.xxh3_64_hexdigest(os.fsencode(sources))}"
    chosen = os.environ.get(FOLDER)
    if chosen:
        with suppress(OSError):  # a current folder that is gone
            yield Path(chosen).absolute() / below
        return
    yield sources / "__pycache__"
    if cache := user_folder("Caches", "XDG_CACHE_HOME", ".cache"):
        yield cache / below


KERNEL_FILES = KernelFiles(Path(__file__).parents[1])
