"""What can be had of a ZIP file without its directory: it stands at the end and is lost first."""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

from core.documents.model import ProblemCode
from core.documents.names import readable_size
from core.documents.readers.base import Reading, UnreadableError

__all__ = ["SalvagedPackage"]

_SIGNATURE = b"PK\x03\x04"
_HEADER = struct.Struct("<4s5H3I2H")  # APPNOTE.TXT 4.3.7, local file header
_ENCRYPTED = 1
_STORED, _DEFLATED = 0, 8


class _Member(NamedTuple):
    start: int
    method: int
    size: int


class SalvagedPackage:
    """The parts of a damaged ZIP file, each as far as it can be unpacked."""

    def __init__(self, data: bytes, reading: Reading) -> None:
        self._data = data
        self._reading = reading
        self._left = reading.limits.unpacked_bytes
        self._members: dict[str, _Member] = {}
        position = data.find(_SIGNATURE)
        while position >= 0 and len(self._members) < reading.limits.members:
            self._add(position)
            position = data.find(_SIGNATURE, position + 4)
        self.names = list(self._members)

    def _add(self, position: int) -> None:
        """Note the member whose header is at a position."""
        header = self._data[position : position + _HEADER.size]
        if len(header) < _HEADER.size:
            return
        _, _, flags, method, _, _, _, size, _, name_length, extra_length = _HEADER.unpack(header)
        start = position + _HEADER.size + name_length
        name = self._data[position + _HEADER.size : start].decode("utf-8", "replace")
        if method in {_STORED, _DEFLATED} and not flags & _ENCRYPTED:
            self._members.setdefault(name, _Member(start + extra_length, method, size))

    def read(self, name: str) -> bytes:
        """A part, to where it breaks; empty where it is missing.

        Raises:
            UnreadableError: TOO_BIG_UNPACKED.
        """
        member = self._members.get(name)
        if member is None:
            return b""
        self._reading.step()
        start, method, size = member
        if method == _STORED:
            return self._data[start : start + size]
        limit = min(self._reading.limits.part_bytes, self._left)
        unpacked = _inflate(memoryview(self._data)[start:], limit + 1)
        self._left -= len(unpacked)
        if len(unpacked) > limit:
            raise UnreadableError(
                ProblemCode.TOO_BIG_UNPACKED,
                f"This file unpacks to more than {readable_size(limit)}. If you trust it, raise "
                f"the limit in the settings.",
            )
        return unpacked


def _inflate(packed: memoryview, limit: int) -> bytes:
    """At most so many bytes of a deflated stream, to where it ends or breaks."""
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    blocks = []
    for start in range(0, len(packed), 4096):  # a block that breaks is lost as a whole
        try:
            blocks.append(unpacker.decompress(packed[start : start + 4096], max(limit, 1)))
        except zlib.error:
            break
        limit -= len(blocks[-1])
        if unpacker.eof or limit <= 0:
            break
    return b"".join(blocks)
