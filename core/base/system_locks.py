"""Locks of the system on open files: they end with their process, however that ends.

The lock is flock(2), on Windows a range of bytes. Both are kept by file servers too: SMB, and NFS
with Linux clients since 2.6.12, which turn it into a lock of the server. It holds between
containers that share a folder, where numbers of processes say nothing.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_TAKEN = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
_FAR = 1 << 30  # on Windows a locked range cannot be read: one far behind what a file holds


def lock(file: int) -> None:
    """Lock an open file, or raise at once.

    Raises:
        OSError: It is taken, see `is_taken`, or locks are not kept here.
    """
    if sys.platform == "win32":
        os.lseek(file, _FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_taken(error: OSError) -> bool:
    """Whether somebody else has the lock; otherwise none can be had here."""
    return error.errno in _TAKEN


def is_at(file: int, path: Path) -> bool:
    """Whether an open file is still the one at a path: the last holder of its lock removes it."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(file), path.stat(follow_symlinks=False))
    return False


def remove_locked(file: int, path: Path) -> None:
    """Remove a file whose lock we have, and close it.

    What cannot be removed stays: nobody holds it any more, so the next process can do it.
    """
    if sys.platform != "win32":  # there an open file cannot be removed, here it must be ours
        with suppress(OSError):
            path.unlink()
    os.close(file)
    if sys.platform == "win32":
        with suppress(OSError):  # somebody else has opened it
            path.unlink()
