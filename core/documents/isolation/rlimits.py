"""Limits that the operating system enforces, below those that Neardup watches itself.

They hold where a process swells faster than it is looked at, or outlives who started it. Only Unix
has them; elsewhere watching is all there is.
"""

from __future__ import annotations

import contextlib
import os
import sys
from functools import cache

from core.base.processor_time import counted_seconds

if sys.platform != "win32":
    import resource

_SPARE = 256 << 20  # bytes of addresses that are reserved and not used
_SPARE_SECONDS = 10
_LINE = 200  # bytes at most


def limit_process(memory_bytes: int) -> None:
    """Bound the addresses of this process to those in use and so many more; write no core."""
    if sys.platform == "win32":
        return
    _lower(resource.RLIMIT_CORE, 0)
    if sys.platform != "linux":  # macOS reserves what it never uses
        return
    with contextlib.suppress(OSError):  # a container may have no /proc
        pages = int(os.pread(_own_sizes(), _LINE, 0).split()[0])
        _lower(resource.RLIMIT_AS, pages * resource.getpagesize() + memory_bytes + _SPARE)


@cache
def _own_sizes() -> int:
    """Where Linux tells the sizes of this process; a confined one can open nothing there."""
    return os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)


def limit_cpu(seconds: int) -> None:
    """Bound the processor time of this process to that of now and so many seconds more."""
    if sys.platform == "win32":
        return
    _lower(resource.RLIMIT_CPU, int(counted_seconds()) + seconds + _SPARE_SECONDS)


def _lower(which: int, value: int) -> None:
    """Set the soft limit; the hard one stays, so that it can be set again for the next file."""
    hard = resource.getrlimit(which)[1]
    soft = min(value, sys.maxsize if hard == resource.RLIM_INFINITY else hard)
    resource.setrlimit(which, (soft, hard))
