"""The bytes of an archive from front to back, unpacked under limits."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib

from core.documents.model import ProblemCode
from core.documents.readers.reader import Reading
from core.documents.readers.shared.zip_package import check_ratio
from core.documents.unreadable import UnreadableError

_CHUNK = 1 << 18
_FAULTS = (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError)

Stream = io.BytesIO | gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile


class UnpackedBytes:
    """The bytes of an archive from front to back, counted where they are unpacked."""

    def __init__(
        self, stream: Stream, limit: int | None, reading: Reading, packed: int = 0
    ) -> None:
        self._stream = stream
        self._limit = limit
        self._limits = reading.limits
        self._packed = packed  # bytes that it is packed in
        self._step = reading.step
        self._count = 0

    def read(self, size: int) -> bytes:
        """The next bytes; fewer at the end.

        Raises:
            UnpackedTooMuchError: The archive unpacks to more than is allowed.
            UnreadableError: DAMAGED.
        """
        blocks = []
        while size > 0:
            block = self._next(min(size, _CHUNK))
            if not block:
                break
            size -= len(block)
            blocks.append(block)
        return b"".join(blocks)

    def skip(self, size: int) -> None:
        """Pass over bytes, or to the end."""
        if self._limit is None:
            self._stream.seek(size, io.SEEK_CUR)
            return
        while size > 0 and (block := self._next(min(size, _CHUNK))):
            size -= len(block)

    def _next(self, size: int) -> bytes:
        self._step()
        try:
            block = self._stream.read(size)
        except _FAULTS as error:
            raise damaged() from error
        self._count += len(block)
        if self._packed:
            check_ratio(self._count, self._packed, self._limits)
        if self._limit is not None and self._count > self._limit:
            raise UnpackedTooMuchError
        return block


class UnpackedTooMuchError(Exception):
    """More was unpacked than is allowed."""


def damaged() -> UnreadableError:
    """What is told of an archive that cannot be unpacked to its end."""
    return UnreadableError(
        ProblemCode.DAMAGED,
        "This archive is damaged: what comes after the files that are listed could not be "
        "unpacked. Get another copy.",
    )
