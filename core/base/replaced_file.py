"""Write a file completely or not at all: what was there before stays whole until then.

Everything that Neardup gives out goes through here. Reviews are databases and keep themselves whole
(`core.review`); of the user's settings Qt writes a new file in the same way.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO

from core.base.unfinished import flush_folder, unfinished
from core.base.wording import printable_name
from core.errors import ExportError

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


@contextmanager
def replaced_file(path: Path, *, encoding: str = "utf-8") -> Iterator[TextIO]:
    """A text file that takes the place of `path` when the block ends without an exception.

    See `replaced_bytes`. Lines end as they are written. Lone surrogates, which no encoding has, are
    written as their escapes.

    Raises:
        ExportError: The file could not be written; the sentence says why.
    """
    with replaced_bytes(path) as file:
        text = TextIOWrapper(file, encoding=encoding, errors="backslashreplace", newline="")
        try:
            yield text
            text.flush()
        finally:
            with suppress(OSError, ValueError):  # what is left of a text that is given up
                text.detach()


@contextmanager
def replaced_bytes(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` when the block ends without an exception.

    It is written beside the target, so that replacing is one step of the file system; until then,
    and after any failure, the file that was there before is untouched.

    Raises:
        ExportError: The file could not be written; the sentence says why.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            raise ExportError(
                f"“{_shown(path)}” is a folder or a device, so no file can be written there."
            )
        with unfinished(target, ".tmp") as temporary:
            with temporary.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            temporary.replace(target)
            flush_folder(target.parent)
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
