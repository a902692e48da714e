"""The processor time of this process as the system counts it against a limit.

Linux keeps two sums. `time.process_time` reads the exact one; RLIMIT_CPU is held against user and
system time, which may run ahead of it on a busy virtual machine. A limit that is set by the wrong
clock can be over before it began, and the system ends the process.
"""

from __future__ import annotations

import contextlib
import sys
import time

_USER_AND_SYSTEM = -8  # CPUCLOCK_PROF of this process: ~0 << 3 (include/linux/posix-timers.h)


def counted_seconds() -> float:
    """Seconds that RLIMIT_CPU has counted of this process, or a little more; never less."""
    seconds = time.process_time()
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # a system that only resembles Linux may lack the clock
            seconds = max(seconds, time.clock_gettime(_USER_AND_SYSTEM))
    return seconds
