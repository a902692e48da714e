"""How much memory there is, asked before it is used."""

from __future__ import annotations

import os
import shutil

import psutil

from core.base.control_groups import address_space_left, memory_left_to_groups
from core.base.spool import temporary_folder
from core.base.wording import readable_size
from core.errors import StorageError

LEFT_ALONE = 4  # a quarter of what is free may be texts
MOST_TEXT = 128_000_000  # bytes of texts in memory: from a file they are read nearly as fast


def available_memory() -> int:
    """Bytes this process can take without another one being paged out."""
    free = [_free_of_system(), *memory_left_to_groups()]
    addresses = address_space_left()
    return min(free if addresses is None else [*free, addresses])


def _free_of_system() -> int:
    """Bytes that the system could give; without /proc, as in some jails, those that are unused."""
    try:
        return int(psutil.virtual_memory().available)
    except OSError:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def text_memory() -> int:
    """Bytes of texts that are kept in memory; what is more goes to a temporary file."""
    return min(MOST_TEXT, available_memory() // LEFT_ALONE)


def check_room(file_bytes: int) -> str:
    """What is to be said before files of this size are read; empty where they fit in memory.

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
            f"These documents need about {readable_size(needed)} for temporary files in "
            f"“{folder}”, where {readable_size(free)} are free. Free some space there, or name "
            "another folder in the environment variable TMPDIR. Nothing was read."
        )
    return (
        f"These documents ({readable_size(file_bytes)}) are more than fits in memory beside all "
        f"else: while they are compared, about {readable_size(needed)} of their text are kept in "
        "a temporary file."
    )


def require_memory(needed: int, what: str, remedy: str) -> None:
    """Raise before memory is taken that is not there.

    Args:
        needed: Bytes.
        what: What needs them, as the beginning of a sentence.
        remedy: A sentence on what the user can do.

    Raises:
        StorageError: So many bytes are not free.
    """
    free = available_memory()
    if needed > free:
        raise StorageError(
            f"{what} needs about {readable_size(needed)} of memory; {readable_size(free)} are "
            f"free. {remedy}"
        )
