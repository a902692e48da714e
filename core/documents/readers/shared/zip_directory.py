"""What is in a ZIP file: by its directory, or by the headers of its parts where that is lost.

Nothing but the directory counts as long as there is one: a part that is a ZIP file itself and is
stored as it is, as Office does with the workbook behind a chart, has headers and a directory of its
own among the bytes of the file (APPNOTE.TXT 4.3).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

STORED, DEFLATED = 0, 8
_LOCAL, _ENTRY, _END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
_END_64, _LOCATOR_64 = b"PK\x06\x06", b"PK\x06\x07"
_AFTER_MEMBER = (_LOCAL, _ENTRY, b"PK\x07\x08", b"PK\x06\x08")
_HEADER = struct.Struct("<4s5H3I2H")  # 4.3.7, local file header
_ENTRY_LENGTHS = struct.Struct("<4s24x3H12x")  # 4.3.12, of name, extra field and comment
_ENTRY_PLACE = struct.Struct("<8x2H8xI18xI")  # of the same: flags, method, packed size, offset
_END_BYTES = 22 + 65_535  # of the end of the directory with its comment
_LONGEST_NAME = 4_096  # bytes that are looked at
_LOCKED = 0x1
_SIZE_LATER = 0x8
_UNKNOWN = 0xFFFFFFFF
_BLOCK = 1 << 16
MOST_ENTRIES = 10_000  # that are looked at to tell what a file is


class ZipMember(NamedTuple):
    """A part by its own header; its `size` is -1 where the header does not tell it."""

    name: bytes
    start: int
    method: int
    flags: int
    size: int


def directory_of(data: bytes) -> tuple[int, int]:
    """Where the directory of a ZIP file begins and ends; both 0 where it has none.

    A file that broke off behind a part that is a ZIP file itself ends with the directory of that
    part: its places are counted from there, and not from the start of the file.
    """
    start, end, _ = _directory(data)
    return start, end


def _directory(data: bytes) -> tuple[int, int, int]:
    """The same, and how many bytes stand before the first from which places are counted."""
    end = data.rfind(_END, max(0, len(data) - _END_BYTES))
    if end < 0 or len(data) < end + 22:
        return 0, 0, 0
    size, offset = struct.unpack_from("<II", data, end + 12)
    if data[max(0, end - 20) : end].startswith(_LOCATOR_64):
        size, offset, end = _large_directory(data, end)
    start = end - size
    if start < 0 or (data.startswith(_LOCAL) and start - offset >= _HEADER.size):
        return 0, 0, 0
    return start, end, start - offset


def _large_directory(data: bytes, end: int) -> tuple[int, int, int]:
    """Size, offset and end of a directory in the form for files over 4 GB (4.3.14)."""
    at = data.rfind(_END_64, max(0, end - 4096), end)
    if at < 0 or len(data) < at + 56:
        return _UNKNOWN, 0, 0
    size, offset = struct.unpack_from("<QQ", data, at + 40)
    return size, offset, at


def entry_names(data: bytes) -> Iterator[bytes]:
    """The names in the directory of a ZIP file, as they are written there."""
    return (name for name, _ in _entries(data, *directory_of(data)))


def _entries(data: bytes, at: int, end: int) -> Iterator[tuple[bytes, int]]:
    """The names in a directory, each with the place of its entry."""
    for _ in range(MOST_ENTRIES):
        if at + _ENTRY_LENGTHS.size > end:
            return
        magic, name, extra, comment = _ENTRY_LENGTHS.unpack_from(data, at)
        if magic != _ENTRY:
            return
        start = at + _ENTRY_LENGTHS.size
        yield data[start : start + min(name, _LONGEST_NAME)], at
        at = start + name + extra + comment


def beginning_of(data: bytes, part: bytes, most: int) -> bytes:
    """The first bytes of a part that is stored or deflated, b"" where they cannot be had.

    Other ways of packing unpack a block at a time, and a block may be gigabytes.

    Args:
        data: A ZIP file.
        part: The name of the part, as it is written in the directory; of equal ones the last.
        most: Bytes that may be unpacked.
    """
    start, end, before = _directory(data)
    places = [place for name, place in _entries(data, start, end) if name == part]
    if not places:
        return b""
    flags, method, size, offset = _ENTRY_PLACE.unpack_from(data, places[-1])
    at = offset + before
    member = _member(data, at) if at >= 0 and data.startswith(_LOCAL, at) else None
    if member is None or flags & _LOCKED:
        return b""
    packed = data[member.start : member.start + min(size, 2 * most + _HEADER.size)]
    if method == STORED:
        return packed[:most]
    if method != DEFLATED:
        return b""
    try:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, most)
    except zlib.error:
        return b""


def local_members(data: bytes, most: int) -> Iterator[ZipMember]:
    """The parts of a ZIP file by their own headers, without what is inside of them.

    Args:
        data: The file.
        most: Bytes that may be unpacked to find where parts end that do not tell their size.
    """
    at = data.find(_LOCAL)
    while at >= 0:
        member = _member(data, at)
        if member is None:
            return
        yield member
        end, unpacked = _end_of(data, member, most)
        most -= unpacked
        if end > len(data):
            return
        if not data.startswith(_AFTER_MEMBER, end):  # its size is a lie
            end = at + len(_LOCAL)
        at = data.find(_LOCAL, end)


def _member(data: bytes, at: int) -> ZipMember | None:
    """The part whose header is at a place."""
    if len(data) < at + _HEADER.size:
        return None
    _, _, flags, method, _, _, _, size, _, name, extra = _HEADER.unpack_from(data, at)
    start = at + _HEADER.size + name
    is_known = size not in {0, _UNKNOWN} or not flags & _SIZE_LATER
    name_end = min(start, at + _HEADER.size + _LONGEST_NAME)
    return ZipMember(
        data[at + _HEADER.size : name_end], start + extra, method, flags, size if is_known else -1
    )


def _end_of(data: bytes, member: ZipMember, most: int) -> tuple[int, int]:
    """Where the bytes of a part end, and how many were unpacked to know."""
    if member.size >= 0:
        return member.start + member.size, 0
    unpacker, at, unpacked = zlib.decompressobj(-zlib.MAX_WBITS), member.start, 0
    while member.method == DEFLATED and at < len(data) and unpacked < most:
        block = unpacker.unconsumed_tail or data[at : at + _BLOCK]
        at += 0 if unpacker.unconsumed_tail else len(block)
        try:
            unpacked += len(unpacker.decompress(block, _BLOCK))
        except zlib.error:
            break
        if unpacker.eof:
            return at - len(unpacker.unused_data), unpacked
    return member.start, unpacked
