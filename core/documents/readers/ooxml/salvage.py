"""What can be had of a ZIP file without its directory: it stands at the end and is lost first."""

from __future__ import annotations

import zlib

from core.base.wording import readable_size
from core.documents.model import ProblemCode
from core.documents.readers.reader import Reading
from core.documents.readers.shared.zip_directory import DEFLATED, STORED, ZipMember, local_members
from core.documents.readers.shared.zip_package import check_ratio
from core.documents.unreadable import UnreadableError

_ENCRYPTED = 1


class SalvagedPackage:
    """The parts of a damaged ZIP file, each as far as it can be unpacked."""

    def __init__(self, data: bytes, reading: Reading) -> None:
        self._data = data
        self._reading = reading
        self._left = reading.limits.unpacked_bytes
        self._members: dict[str, ZipMember] = {}
        for member in local_members(data, self._left):
            self._add(member)
            if len(self._members) >= reading.limits.members:
                break
        self.names = list(self._members)

    def _add(self, member: ZipMember) -> None:
        """Note a part that can be read; the first of a name counts."""
        self._reading.step()
        if member.method in {STORED, DEFLATED} and not member.flags & _ENCRYPTED:
            self._members.setdefault(member.name.decode("utf-8", "replace"), member)

    def read(self, name: str) -> bytes:
        """A part, to where it breaks; empty where it is missing.

        Raises:
            UnreadableError: TOO_BIG_UNPACKED.
        """
        member = self._members.get(name)
        if member is None:
            return b""
        self._reading.step()
        start = member.start
        if member.method == STORED:
            return self._data[start : start + max(member.size, 0)]
        most = self._reading.limits.part_bytes
        limit = min(most, self._left)
        unpacked = _inflate(memoryview(self._data)[start:], limit + 1)
        packed = member.size if member.size > 0 else len(self._data) - start
        check_ratio(len(unpacked), packed, self._reading.limits)
        self._left -= len(unpacked)
        if len(unpacked) > limit:
            raise UnreadableError(
                ProblemCode.TOO_BIG_UNPACKED,
                f"This file unpacks to more than {readable_size(limit)}. If you trust it, raise "
                f"the limit in the settings.",
                "part_bytes" if limit == most else "unpacked_bytes",
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
