"""Numba's `njit`, with our cache of machine code, for modules that are imported without Numba.

Importing Numba takes longer than many a command does, so it waits until a kernel is called.

Files with the machine code of kernels: each is checked as a whole before anything of it is used.
They lie beside the sources or, where that cannot be written, in the user's cache folder; or in the
folder that the environment variable NUMBA_CACHE_DIR names. A file begins with a digest of its
key and of all that follows: what is truncated, altered or belongs to another kernel counts as not
there, and is written again. The digest is no proof of who wrote the file. So none is loaded that
others than the owner of the sources, the user and the administrator can have written.
"""

from __future__ import annotations

import functools
import gc
import glob
import inspect
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial, update_wrapper
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import xxhash

from core.base.files import unfinished, user_folder

if TYPE_CHECKING:
    from numba.core.dispatcher import Dispatcher

Kernel = TypeVar("Kernel", bound=Callable[..., object])

_lock = RLock()


@functools.cache
def source_digest(path: str) -> str:
    """The digest of a source, read once: while it is imported, before an upgrade replaces it."""
    return xxhash.xxh3_128_hexdigest(Path(path).read_bytes())


def njit(
    *, nogil: bool, cache: bool, inline: Literal["never", "always"] = "never"
) -> Callable[[Kernel], Dispatcher[Kernel]]:
    """`numba.njit`, whose `cache` is `core.base.kernel_cache`."""

    def compiled(function: Kernel) -> Dispatcher[Kernel]:
        source_digest(inspect.getfile(function))
        waiting = _WaitingKernel(function, {"nogil": nogil, "inline": inline}, cache=cache)
        kernel = waiting.dispatcher() if "numba" in sys.modules else waiting
        return cast("Dispatcher[Kernel]", kernel)

    return compiled


def load_numba() -> None:
    """Import Numba and its types; the half a million objects are never looked at for garbage."""
    if "numba" in sys.modules:
        return
    from core.base.memory import collector_paused  # noqa: PLC0415 - commands start without it

    with collector_paused():
        import numba  # noqa: F401, PLC0415 - see above

        gc.freeze()


class _WaitingKernel:
    """Stands for a kernel until it is first called, and passes calls on to it.

    Attributes:
        py_func: The function that will be compiled.
    """

    def __init__(self, function: Callable[..., Any], options: Any, *, cache: bool) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._options = options
        self._cache = cache
        self._dispatcher: Any = None

    def __call__(self, *arguments: Any) -> Any:
        return (self._dispatcher or self.dispatcher())(*arguments)

    def dispatcher(self) -> Any:
        """Numba's dispatcher, made once."""
        with _lock:
            if self._dispatcher is None:
                self._dispatcher = self._make_dispatcher()
            return self._dispatcher

    def _make_dispatcher(self) -> Any:
        load_numba()
        import numba  # noqa: PLC0415 - see above

        from core.base.kernel_cache import KernelCache  # noqa: PLC0415

        # Numba compiles kernels that a kernel calls by the names of its module.
        names = self.py_func.__globals__
        for name in self.py_func.__code__.co_names:
            if isinstance(names.get(name), _WaitingKernel):
                names[name] = names[name].dispatcher()
        made = numba.njit(**self._options)(self.py_func)
        if made is not self.py_func:  # as it is where Numba is switched off
            # None has a public place. Extensions are looked for in all installed packages.
            vars(made)["_compilation_chain_init_hook"] = lambda: None
            vars(made)["get_call_template"] = partial(_call_template, made)
            if self._cache:
                vars(made)["_cache"] = KernelCache(self.py_func)
        return made


def _call_template(dispatcher: Any, arguments: Any, keywords: Any) -> Any:
    """Numba's typing of a call within a kernel, in which a literal number is any number.

    A kernel would be compiled once more for each such number, and for those that variables begin
    with.
    """
    from numba.core import types  # noqa: PLC0415 - commands start without it

    kind_of: Any = types.unliteral  # Numba has no annotations
    arguments = tuple(map(kind_of, arguments))
    keywords = {name: kind_of(argument) for name, argument in keywords.items()}
    return type(dispatcher).get_call_template(dispatcher, arguments, keywords)


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
