"""What the program needs of the system, asked before anything large is loaded.

Libraries in C do not raise where memory or threads are missing: OpenBLAS writes a line and ends the
process, LLVM and Qt abort. So the start looks first, and says what is missing.
"""

from __future__ import annotations

import errno
import os
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

from core.base.messages import N_, gettext
from core.base.wording import count
from core.errors import FolderError, StorageError

LEAST_MEMORY = 1 << 30  # bytes of address space; Numba, NumPy and Qt map much
THREADS = 6  # at once: those that watch, and two that work
# Nothing here multiplies matrices, so threads for that would only take memory and be counted.
POOLS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # OMP_NUM_THREADS is Tesseract's as well
UNMAPPED = ("failed to map segment", "Cannot allocate memory")  # as the loader of Linux says
NO_MEMORY = N_("There is not enough memory. Close other programs, and try again.")
NO_PLACE = N_(
    "The current folder does not exist any more. Change to another one or write whole paths, "
    "and try again."
)
NO_THREAD = N_(
    "The system lets this user start no more processes and threads. Close other programs, or "
    "raise the limit (ulimit -u), and try again."
)


def spare_threads() -> None:
    """Keep the libraries of NumPy from starting threads; to be called before it is imported."""
    for variable in POOLS:
        os.environ.setdefault(variable, "1")


def require(given: Iterable[Path] = ()) -> None:
    """Raise where the program could not even load.

    Args:
        given: The paths to work on.

    Raises:
        StorageError: The limit of this process is lower, or threads cannot be started.
        FolderError: A path is relative to the current folder, and that is gone.
    """
    most = _address_space()
    if most is not None and most < LEAST_MEMORY:
        raise StorageError(
            "This process may use {most} MB of address space, and Neardup needs "
            "{least} MB. Raise the limit (ulimit -v), and try again.",
            most=count(most >> 20),
            least=count(LEAST_MEMORY >> 20),
        )
    _leave_removed_folder(given)
    if not _can_start(THREADS):
        raise StorageError(NO_THREAD)


def lacking(error: BaseException) -> str:
    """What the system did not give, as a sentence; "" for any other error.

    There is no exception of its own for a thread that cannot be started, nor for a library that
    cannot be mapped.
    """
    words = str(error)
    if isinstance(error, RuntimeError) and "start new thread" in words:
        return gettext(NO_THREAD)
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return gettext(NO_MEMORY)
    maps = isinstance(error, ImportError) and any(part in words for part in UNMAPPED)
    return gettext(NO_MEMORY) if maps or isinstance(error, MemoryError) else ""


def _leave_removed_folder(given: Iterable[Path]) -> None:
    """Leave a current folder that was removed: Numba asks for one when it compiles."""
    try:
        Path.cwd()
    except OSError:
        if not all(path.is_absolute() for path in given):
            raise FolderError(NO_PLACE) from None
        sys.path[:] = [path for path in sys.path if path]  # "" is the current folder
        os.chdir(os.sep)


def _address_space() -> int | None:
    """The limit of this process in bytes; None without one."""
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 - of POSIX

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else int(limit)


def _can_start(count: int) -> bool:
    release = threading.Event()
    threads: list[threading.Thread] = []
    try:
        for _ in range(count):
            thread = threading.Thread(target=release.wait, name="neardup-probe")
            thread.start()
            threads.append(thread)
    except RuntimeError:
        return False
    finally:
        release.set()
        for thread in threads:
            thread.join()
    return True
