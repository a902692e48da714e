"""Write a file completely or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from core.documents.names import printable_name
from core.errors import ExportError

__all__ = ["replaced_file"]

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


@contextmanager
def replaced_file(path: Path, *, encoding: str = "utf-8") -> Iterator[TextIO]:
    """A text file that takes the place of `path` when the block ends without an exception.

    It is written beside the target, so that replacing is one step of the file system; until then,
    and after any failure, the file that was there before is untouched. Lines end as they are
    written. Lone surrogates, which no encoding has, are written as their escapes.

    Raises:
        ExportError: The file could not be written; the sentence says why.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            raise ExportError(
                f"“{_shown(path)}” is a folder or a device, so no file can be written there."
            )
        temporary = target.with_name(f".neardup-{secrets.token_hex(8)}.tmp")
        try:
            with temporary.open("x", encoding=encoding, errors="backslashreplace", newline="") as f:
                yield f
                f.flush()
                os.fsync(f.fileno())
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise ExportError(_sentence(path, error)) from error


def _sentence(path: Path, error: OSError) -> str:
    name = printable_name(path.name)
    folder = path.parent
    if error.errno in FULL:
        return f"“{name}” could not be written: the disk is full or the file too large."
    if not folder.exists():
        return f"“{name}” could not be written: the folder “{_shown(folder)}” does not exist."
    if not folder.is_dir():
        return f"“{name}” could not be written: “{_shown(folder)}” is not a folder."
    if error.errno in FORBIDDEN:
        return (
            f"“{name}” could not be written: no permission to write in “{_shown(folder)}”, "
            "or the file is open in another program."
        )
    return f"“{name}” could not be written: {error.strerror or error}."


def _shown(path: Path) -> str:
    return printable_name(path.as_posix())
