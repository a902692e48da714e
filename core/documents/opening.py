"""The bytes of a file as it is now, without ever waiting for a writer or taking over a terminal."""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from core.base.wording import readable_size
from core.documents.model import ProblemCode, modified_ns
from core.documents.problems import REPLACED, why_not_a_file
from core.documents.readers import UnreadableError
from core.documents.reading_settings import ReadingLimits

_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_BLOCK = 1 << 20


class OpenedFile(NamedTuple):
    """What is in a file, and since when."""

    data: bytes
    modified_ns: int


def read_bytes(location: str, limits: ReadingLimits, real: str = "") -> OpenedFile:
    """All bytes of a file; it may grow or shrink meanwhile.

    Args:
        location: Where it is.
        limits: How large it may be.
        real: The path without links that it must have; "" where that does not matter.

    Raises:
        UnreadableError: NOT_A_FILE or TOO_BIG.
        OSError: It cannot be read.
    """
    descriptor = os.open(location, _OPEN_FLAGS)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableError(ProblemCode.NOT_A_FILE, why_not_a_file(status.st_mode))
        if real and not _is_at(descriptor, status, location, real):
            raise UnreadableError(ProblemCode.NOT_A_FILE, REPLACED)
        return OpenedFile(_bytes(descriptor, status.st_size, limits), modified_ns(status))
    finally:
        os.close(descriptor)


def _is_at(descriptor: int, status: os.stat_result, location: str, real: str) -> bool:
    """Whether an open file has this path without links.

    On Linux the system says what it opened, whatever is there by now; it says so too of a file that
    another one has replaced meanwhile.
    """
    try:
        opened = os.readlink(f"/proc/self/fd/{descriptor}")  # noqa: PTH115 - as fast as it goes
    except OSError:
        return os.path.realpath(location) == real and os.path.samestat(status, os.lstat(real))
    return opened.removesuffix(" (deleted)") == real.removesuffix(" (deleted)")


def _bytes(descriptor: int, size: int, limits: ReadingLimits) -> bytes:
    """All bytes of an open file; it may grow or shrink meanwhile."""
    if size > limits.file_bytes:
        raise too_big(size, limits)
    data = os.read(descriptor, size + 1)  # at once: joining blocks would hold the GIL
    if len(data) == size:
        return data
    blocks = [data]
    length = len(data)
    while block := os.read(descriptor, _BLOCK):
        blocks.append(block)
        length += len(block)
        if length > limits.file_bytes:
            raise too_big(length, limits)
    return b"".join(blocks)


def too_big(size: int, limits: ReadingLimits) -> UnreadableError:
    """What is raised for a file of more bytes than the limits allow."""
    limit = readable_size(limits.file_bytes)
    detail = f"This file is {readable_size(size)}. Files over {limit} are not read."
    return UnreadableError(ProblemCode.TOO_BIG, detail, "file_bytes")
