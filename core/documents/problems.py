"""The sentences for what can go wrong with a file: what happened, and what can be done."""

from __future__ import annotations

import errno
import stat

from core.documents.model import Problem, ProblemCode

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISCHR, "a device"),
)


OUTSIDE = (
    "This is a link to a file outside of the folders that were chosen. It is not followed: to "
    "compare that file, put a copy of it here, or choose its folder as well."
)
REPLACED = (
    "After this file was found, a link took its place or that of a folder it is in. It is not "
    "followed. Rescan."
)
# What network shares and failing disks answer.
_UNREACHABLE = frozenset(
    getattr(errno, name, None)
    for name in ("EIO", "ESTALE", "ENOTCONN", "EHOSTDOWN", "EHOSTUNREACH", "ETIMEDOUT", "ENODEV")
)
_IN_USE = frozenset({errno.EBUSY, errno.EAGAIN, errno.EDEADLK})
_SHARING_VIOLATIONS = frozenset({32, 33})  # ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION


def from_os_error(name: str, error: OSError, *, what: str = "file") -> Problem:
    """The problem of a file, folder or link that the operating system refuses."""
    if error.errno in _IN_USE or getattr(error, "winerror", None) in _SHARING_VIOLATIONS:
        detail = f"Another program holds this {what} and lets nobody read it. Close it there."
        return Problem(name, ProblemCode.NO_PERMISSION, detail)
    if error.errno in _UNREACHABLE:
        detail = (
            f"The disk or network share of this {what} does not answer "
            f"({error.strerror}). Connect it again and rescan."
        )
        return Problem(name, ProblemCode.VANISHED, detail)
    if isinstance(error, PermissionError):
        detail = f"This {what} may not be read. Check its permissions."
        return Problem(name, ProblemCode.NO_PERMISSION, detail)
    if isinstance(error, FileNotFoundError):
        detail = f"This {what} was there when the scan began and is gone now."
        if what == "link":
            detail = "This is a link to a file that does not exist."
        return Problem(name, ProblemCode.VANISHED, detail)
    reason = error.strerror or type(error).__name__
    return Problem(name, ProblemCode.FAILED, f"This {what} could not be read: {reason}.")


def not_a_file(name: str, mode: int, *, link: bool = False) -> Problem:
    """The problem of what is no regular file, or a link that leads nowhere new."""
    return Problem(name, ProblemCode.NOT_A_FILE, why_not_a_file(mode, link=link))


def why_not_a_file(mode: int, *, link: bool = False) -> str:
    """What something is that is no regular file, in a sentence."""
    kind = next((kind for is_kind, kind in _KINDS if is_kind(mode)), "something unknown")
    if not link:
        return f"This is {kind}, not a file."
    if stat.S_ISDIR(mode):
        return "This is a link to a folder. Links to folders are not followed."
    if stat.S_ISREG(mode):
        return "This is a link to a file that is read under its own name."
    return f"This is a link to {kind}, not to a file."
