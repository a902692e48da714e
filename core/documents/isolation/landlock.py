"""Which files a process may touch, for ever: rules of the Linux kernel (Landlock).

Whatever is not named is refused: files, TCP, devices, abstract sockets, signals, each where the
kernel knows it. Source: the kernel's Documentation/userspace-api/landlock.rst, linux/landlock.h.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

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
