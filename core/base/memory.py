"""Measures free memory before it is used.

How much memory the system leaves to this process: control groups of Linux, address space.

Containers, services and batch systems bound memory by control groups, of which there are two
versions (kernel documentation: admin-guide/cgroup-v1/memory.rst, admin-guide/cgroup-v2.rst), and a
group may stand in others with smaller limits. What a group holds of files that nobody uses counts
as free: the kernel lets go of it first.

The processor time of this process as the system counts it against a limit.

Linux keeps two sums. `time.process_time` reads the exact one; RLIMIT_CPU is held against user and
system time, which may run ahead of it on a busy virtual machine. A limit that is set by the wrong
clock can be over before it began, and the system ends the process.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from core.base.files import temporary_folder
from core.base.messages import N_, gettext, in_english
from core.base.wording import readable_size
from core.errors import StorageError


@contextmanager
def collector_paused() -> Iterator[None]:
    """Collect no cycles within; also where threads do this at the same time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def give_back_free_memory() -> None:
    """Give the system what was freed in the midst of this process's memory; takes milliseconds.

    The allocator of Linux keeps it otherwise, as it gives back only what is free at the end. Where
    there is another one, nothing happens.
    """
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError):  # musl has none
            ctypes.CDLL(None).malloc_trim(0)


LARGE_ARRAY = 1 << 22  # bytes from which the system gives memory for an array alone
KEPT_FREE = 1 << 24  # bytes that may be free at the end of a thread's memory
TAKEN_AT_ONCE = 1 << 20
# Parameters of mallopt (3).
_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3


@cache
def reuse_freed_memory() -> None:
    """Have what small arrays took used again, and what large ones took given back at once.

    By itself the allocator of Linux learns from the sizes that are freed: until then each batch of
    texts takes new pages from the system, then large arrays are kept, too. 50,000 texts took 200 to
    207 MB and take 194 (`python tests/bench/find_pairs.py --documents 50000`).
    """
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError):  # musl has none
            set_parameter = ctypes.CDLL(None).mallopt
            set_parameter(_MMAP_THRESHOLD, LARGE_ARRAY)
            set_parameter(_TRIM_THRESHOLD, KEPT_FREE)
            set_parameter(_TOP_PAD, TAKEN_AT_ONCE)


_USER_AND_SYSTEM = -8  # CPUCLOCK_PROF of this process: ~0 << 3 (include/linux/posix-timers.h)


def counted_seconds() -> float:
    """Seconds that RLIMIT_CPU has counted of this process, or a little more; never less."""
    seconds = time.process_time()
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # a system that only resembles Linux may lack the clock
            seconds = max(seconds, time.clock_gettime(_USER_AND_SYSTEM))
    return seconds


GROUPS = Path("/sys/fs/cgroup")
PROCESS_GROUPS = Path("/proc/self/cgroup")
PROCESS_PAGES = Path("/proc/self/statm")


class _GroupVersion(NamedTuple):
    """Where a version keeps its groups, and the files of each."""

    mounts: tuple[str, ...]
    limit: str
    used: str
    unused_files: str


VERSION_1 = _GroupVersion(
    ("memory",), "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"
)
VERSION_2 = _GroupVersion(("", "unified"), "memory.max", "memory.current", "inactive_file")


def memory_left_to_groups() -> list[int]:
    """Bytes that are left to each group with a limit that this process is in."""
    try:
        lines = PROCESS_GROUPS.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []  # not Linux
    left: list[int] = []
    for line in lines:
        _, _, rest = line.partition(":")
        controllers, _, name = rest.partition(":")
        if not controllers:
            left += _left(VERSION_2, name)
        elif "memory" in controllers.split(","):
            left += _left(VERSION_1, name)
    return left


def _left(version: _GroupVersion, name: str) -> Iterator[int]:
    for mount in version.mounts:
        root = GROUPS / mount
        group = root / name.lstrip("/")
        for folder in (group, *group.parents):
            try:
                limit = (folder / version.limit).read_text(encoding="utf-8").strip()
                used = int((folder / version.used).read_text(encoding="utf-8"))
            except (OSError, ValueError):
                continue  # in a container the names of the groups outside lead nowhere
            if limit.isdigit():
                unused = min(used, _unused_files(folder, version))
                yield max(0, int(limit) - used + unused)
            if folder == root:
                break


def _unused_files(folder: Path, version: _GroupVersion) -> int:
    """Bytes of cached files that a group holds and that no process uses."""
    try:
        lines = (folder / "memory.stat").read_text(encoding="utf-8").splitlines()
        values = dict(line.split(maxsplit=1) for line in lines)
        return int(values.get(version.unused_files, 0))
    except (OSError, ValueError):
        return 0


def address_space_left() -> int | None:
    """Bytes of addresses this process may still reserve; None where that is not limited or known.

    More is reserved than used, so that this is more than it can take.
    """
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 - only Unix has it

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return None
    try:
        pages = int(PROCESS_PAGES.read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return None
    return max(0, limit - pages * resource.getpagesize())


LEFT_ALONE = 4  # a quarter of what is free may be texts
MOST_TEXT = 64_000_000  # bytes of texts in memory: from a file they are read nearly as fast


def available_memory() -> int:
    """Bytes this process can take without another one being paged out."""
    free = [_free_of_system(), *memory_left_to_groups()]
    addresses = address_space_left()
    return min(free if addresses is None else [*free, addresses])


SYSTEM_MEMORY = Path("/proc/meminfo")


def _free_of_system() -> int:
    """Bytes that the system could give; without /proc, as in some jails, those that are unused.

    Linux says it in a line of its own, which is read without importing psutil.
    """
    with contextlib.suppress(OSError, ValueError):
        _, _, rest = SYSTEM_MEMORY.read_bytes().partition(b"\nMemAvailable:")
        number, unit = rest.partition(b"\n")[0].split()
        if unit == b"kB":
            return int(number) << 10
    import psutil  # noqa: PLC0415 - the window is there before anybody asks

    try:
        return int(psutil.virtual_memory().available)
    except OSError:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def text_memory() -> int:
    """Bytes of texts that are kept in memory; what is more goes to a temporary file."""
    return min(MOST_TEXT, available_memory() // LEFT_ALONE)


def check_room(file_bytes: int) -> str:
    """A note before files of this size are read; empty unless the memory is short.

    Raises:
        StorageError: Their texts fit neither in memory nor on the disk.
    """
    memory = text_memory()
    if file_bytes <= memory:
        return ""
    folder = temporary_folder()
    needed, free = file_bytes - memory, shutil.disk_usage(folder).free
    if needed > free:
        raise StorageError(
            "These documents need about {needed} for temporary files in “{folder}”, where "
            "{free} are free. Free some space there, or name another folder in the environment "
            "variable TMPDIR. Nothing was read.",
            needed=readable_size(needed),
            folder=folder,
            free=readable_size(free),
        )
    if memory == MOST_TEXT:  # there would be room for more
        return ""
    with in_english():  # a note, which is stored
        return gettext(
            "These documents ({size}) are more than fits in memory beside all else: while they are "
            "compared, about {needed} of their text are kept in a temporary file.",
            size=readable_size(file_bytes),
            needed=readable_size(needed),
        )


CLOSE_PROGRAMS = N_("Close other programs and retry.")


def require_memory(needed: int, task: str, remedy: str) -> None:
    """Raise before memory is taken that is not free.

    Args:
        needed: Bytes.
        task: What needs them, as the beginning of a sentence.
        remedy: A sentence on what the user can do.

    Raises:
        StorageError: So many bytes are not free.
    """
    free = available_memory()
    if needed > free:
        raise StorageError(
            "{what} needs about {needed} of memory; {free} are free. {remedy}",
            what=task,
            needed=readable_size(needed),
            free=readable_size(free),
            remedy=remedy,
        )
