"""A reader process gives up what it does not need, before it sees the first byte of a file.

Whoever takes it over by a file that was made for that must not be able to do what its user can.
Two parts of the Linux kernel hold it, one where the other is missing: Landlock refuses files,
seccomp refuses calls. Other systems have nothing of the kind for an ordinary program.
"""

from __future__ import annotations

import ctypes
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from core.documents.isolation.landlock import forbid_other_files, landlock_version
from core.documents.isolation.needed_files import files_for_programs, files_to_read, programs
from core.documents.isolation.seccomp import install_filter, offers_filters

_SET_DUMPABLE, _SET_NO_NEW_PRIVILEGES = 4, 38  # of prctl


class Confinement(NamedTuple):
    """What holds a reader process.

    Attributes:
        landlock: The version of Landlock; 0 where there is none.
        seccomp: Whether its calls are filtered.
    """

    landlock: int
    seccomp: bool

    def sentence(self) -> str:
        """What a file can do that was made to take over its reader, for the user."""
        if self.landlock and self.seccomp:
            return (
                f"Files are read by processes that Landlock {self.landlock} and seccomp confine: "
                f"a file that takes one over reaches no other file of yours and no network."
            )
        if self.landlock:
            return (
                f"Files are read by processes that Landlock {self.landlock} confines, without "
                f"seccomp: a file that takes one over reaches no other file of yours, but perhaps "
                f"the network."
            )
        if self.seccomp:
            return (
                "Files are read by processes that seccomp confines, without Landlock: a file that "
                "takes one over can read your other files, but change and send nothing."
            )
        return (
            "Files are read by processes that this system does not confine: a file that takes one "
            "over can do what you can."
        )


def confinement_here() -> Confinement:
    """What this system has; tried, because a kernel may have what a container does not let it do.

    What is tried holds one thread only, which does nothing else.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_tried).result()


def _tried() -> Confinement:
    if sys.platform != "linux":
        return Confinement(0, seccomp=False)
    ctypes.CDLL(None, use_errno=True).prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    version = landlock_version()
    return Confinement(version if forbid_other_files((), ()) else 0, offers_filters())


def confine(*, runs_programs: bool) -> None:
    """Hold this process, and all that it starts, for ever, with what the system has.

    No other thread may run yet.

    Args:
        runs_programs: It reads scans, and may start Tesseract for that.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    libc.prctl(_SET_DUMPABLE, 0, 0, 0, 0)  # another reader cannot look into it, no core is written
    readable, started = files_to_read(), programs() if runs_programs else []
    if started:
        readable += files_for_programs()
        signal.signal(signal.SIGUSR1, _unmoved)
    forbid_other_files(readable, started)
    install_filter(runs_programs=bool(started))


def _unmoved(number: int, frame: object) -> None:
    """This process goes on; what it started, which has no such handler, ends by the signal."""
