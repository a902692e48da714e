"""A reader process gives up what it does not need, before it sees the first byte of a file.

Whoever takes it over by a file that was made for that must not be able to do what its user can.
Two parts of the Linux kernel hold it, one where the other is missing: Landlock refuses files,
seccomp refuses calls. Other systems have nothing of the kind for an ordinary program.

Which files a process may touch, for ever: rules of the Linux kernel (Landlock).

Whatever is not named is refused: files, TCP, devices, abstract sockets, signals, each where the
kernel knows it. Source: the kernel's Documentation/userspace-api/landlock.rst, linux/landlock.h.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import stat
import struct
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from core.documents.isolation.needed_files import files_for_programs, files_to_read, programs
from core.documents.isolation.seccomp import install_filter, offers_filters

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same on every processor
_TELL_VERSION = 1
_PATH_BENEATH = 1

_EXECUTE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 2, 1 << 3
# What each version can refuse: rights on files, on TCP, and what stays within the own domain.
_FILES = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
_TCP = {4: 0b11}
_SCOPES = {6: 0b11}


def landlock_version() -> int:
    """The version of Landlock that the kernel has; 0 where it has none, or keeps it off."""
    if sys.platform != "linux":
        return 0
    return max(0, int(_libc().syscall(_CREATE, None, 0, _TELL_VERSION)))


def forbid_other_files(readable: Iterable[Path], executable: Iterable[Path]) -> bool:
    """Refuse this thread, and those it starts, all files but some; none can be written.

    It must be without a way to new privileges (`PR_SET_NO_NEW_PRIVS`).

    Args:
        readable: Files, and folders with all that is in them; what is missing is left out.
        executable: Files that may be started as programs, and read.

    Returns:
        Whether it is in force.
    """
    version = landlock_version()
    if not version:
        return False
    handled = [_known(rights, version) for rights in (_FILES, _TCP, _SCOPES)]
    attributes = struct.pack("=QQQ", *handled)  # an older kernel takes a longer one with zeros
    libc = _libc()
    rules = libc.syscall(_CREATE, attributes, ctypes.c_size_t(len(attributes)), 0)
    if rules < 0:
        return False
    try:
        for path in readable:
            _allow(rules, path, _READ_FILE | _READ_FOLDER)
        for path in executable:
            _allow(rules, path, _READ_FILE | _EXECUTE)
        return not libc.syscall(_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _known(rights: dict[int, int], version: int) -> int:
    return sum(bits for since, bits in rights.items() if since <= version)


def _allow(rules: int, path: Path, rights: int) -> None:
    with contextlib.suppress(OSError):
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(place).st_mode):
                rights &= ~_READ_FOLDER
            _libc().syscall(_ADD, rules, _PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
        finally:
            os.close(place)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


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
