"""ZIP packages of office documents and e-books, opened under limits.

What is in a ZIP file: by its directory, or by the headers of its parts where that is lost.

Nothing but the directory counts as long as there is one: a part that is a ZIP file itself and is
stored as it is, as Office does with the workbook behind a chart, has headers and a directory of its
own among the bytes of the file (APPNOTE.TXT 4.3).
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, NamedTuple

from core.base.wording import readable_size
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers.reader import Reading
from core.documents.reading_settings import ReadingLimits

STORED, DEFLATED = 0, 8
_LOCAL, _ZIP_DIRECTORY_ENTRY, _END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
_END_64, _LOCATOR_64 = b"PK\x06\x06", b"PK\x06\x07"
_AFTER_MEMBER = (_LOCAL, _ZIP_DIRECTORY_ENTRY, b"PK\x07\x08", b"PK\x06\x08")
_HEADER = struct.Struct("<4s5H3I2H")  # 4.3.7, local file header
_ENTRY_LENGTHS = struct.Struct("<4s24x3H12x")  # 4.3.12, of name, extra field and comment
_ENTRY_PLACE = struct.Struct("<8x2H8xI18xI")  # of the same: flags, method, packed size, offset
_END_BYTES = 22 + 65_535  # of the end of the directory with its comment
_LONGEST_NAME = 4_096  # bytes that are looked at
_ZIP_DIRECTORY_LOCKED = 0x1
_SIZE_LATER = 0x8
_UNKNOWN = 0xFFFFFFFF
_ZIP_DIRECTORY_BLOCK = 1 << 16
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
        if magic != _ZIP_DIRECTORY_ENTRY:
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
    if member is None or flags & _ZIP_DIRECTORY_LOCKED:
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
        block = unpacker.unconsumed_tail or data[at : at + _ZIP_DIRECTORY_BLOCK]
        at += 0 if unpacker.unconsumed_tail else len(block)
        try:
            unpacked += len(unpacker.decompress(block, _ZIP_DIRECTORY_BLOCK))
        except zlib.error:
            break
        if unpacker.eof:
            return at - len(unpacker.unused_data), unpacked
    return member.start, unpacked


_BLOCK = 1 << 18
_SMALL = 10_000_000  # bytes: so much may be packed however tightly


class Package:
    """The parts of a ZIP file by their names; a declared size is never believed.

    Raises:
        UnreadableError: DAMAGED for what is no ZIP file, TOO_MANY_MEMBERS.
    """

    def __init__(self, data: bytes, reading: Reading) -> None:
        self._limits = reading.limits
        self._step = reading.step
        self._unpacked = 0
        start, end = directory_of(data)
        if not end:
            raise _damaged()
        # Before Python's ZIP reader makes an object of each.
        _check_count(data.count(_ENTRY, start, end), reading)
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            raise _damaged() from error
        self.infos = self._archive.infolist()
        _check_count(len(self.infos), reading)  # the directory may not be where it seemed
        _check_places(self.infos)
        self.names = [info.filename for info in self.infos]
        self._by_name = {info.filename: info for info in self.infos}

    @property
    def unpacked(self) -> int:
        """Bytes unpacked so far."""
        return self._unpacked

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def read(self, name: str | zipfile.ZipInfo, password: bytes | None = None) -> bytes:
        """One part, unpacked.

        Raises:
            UnreadableError: DAMAGED, TOO_BIG_UNPACKED, or ENCRYPTED where the password is wrong or
                missing.
            KeyError: There is no part of that name.
        """
        info = self._by_name[name] if isinstance(name, str) else name
        self._step()
        if info.compress_type not in _METHODS:
            raise UnreadableError(ProblemCode.UNSUPPORTED, _METHOD)
        try:
            with self._archive.open(info, pwd=password) as part:
                return self._unpack(part, info.compress_size)
        except NotImplementedError as error:
            raise UnreadableError(ProblemCode.UNSUPPORTED, _METHOD) from error
        except RuntimeError as error:  # what zipfile raises for a password
            raise UnreadableError(ProblemCode.ENCRYPTED, _LOCKED) from error
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, IndexError) as error:
            raise _damaged() from error

    def _unpack(self, part: IO[bytes], packed: int) -> bytes:
        blocks = []
        length = 0
        while block := part.read(_BLOCK):
            self._step()
            blocks.append(block)
            length += len(block)
            self._unpacked += len(block)
            check_ratio(length, packed, self._limits)
            check_part(length, self._limits)
            _check_length(self._unpacked, self._limits, "unpacked_bytes", "This file")
        return b"".join(blocks)


# Others unpack a block at a time, and a block may be gigabytes.
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENTRY = b"PK\x01\x02"
_HEADER_BYTES = 30  # of a part, before its name (APPNOTE.TXT 4.3.7)
_MISTAKES = 3
_METHOD = "This file is packed in a way that is not supported. Pack it again as usual ZIP."
_LOCKED = "Locked with a password. Enter it, or save a copy without one."


def _check_count(count: int, reading: Reading) -> None:
    if count > reading.limits.members:
        raise UnreadableError(
            ProblemCode.TOO_MANY_MEMBERS,
            f"This file is packed and has {count:,} parts; at most {reading.limits.members:,} are "
            f"unpacked. The limit can be raised in the settings.",
            "members",
        )


def _check_places(infos: list[zipfile.ZipInfo]) -> None:
    """Raise where parts share their packed bytes: so a small file has very many large ones.

    Fifield, "A better zip bomb" (WOOT 2019). Two entries of one part are a mistake that happens.

    Raises:
        UnreadableError: DAMAGED.
    """
    end = again = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        again += info.compress_size > 0 and info.header_offset < end
        end = max(end, info.header_offset + _HEADER_BYTES + info.compress_size)
    if again > _MISTAKES:
        raise UnreadableError(
            ProblemCode.DAMAGED,
            f"This file is packed, and {again:,} of its parts lie on top of others, as in a file "
            f"made to fill the memory. It is not unpacked.",
        )


def check_ratio(length: int, packed: int, limits: ReadingLimits) -> None:
    """Raise for what was packed more tightly than any document is.

    Args:
        length: Bytes unpacked so far.
        packed: Bytes it is packed in.
        limits: Of which `ratio` counts.

    Raises:
        UnreadableError: TOO_BIG_UNPACKED.
    """
    if length > _SMALL and length > limits.ratio * packed:
        raise UnreadableError(
            ProblemCode.TOO_BIG_UNPACKED,
            f"A part of this file is more than {limits.ratio:,} times as large as it is packed, as "
            f"in a file made to fill the memory. If you trust it, raise the limit in the settings.",
            "ratio",
        )


def check_part(length: int, limits: ReadingLimits) -> None:
    """Raise for a part of more bytes than may be unpacked.

    Raises:
        UnreadableError: TOO_BIG_UNPACKED.
    """
    _check_length(length, limits, "part_bytes", "A part of this file")


def _check_length(length: int, limits: ReadingLimits, limit: str, what: str) -> None:
    most = getattr(limits, limit)
    if length > most:
        raise UnreadableError(
            ProblemCode.TOO_BIG_UNPACKED,
            f"{what} unpacks to more than {readable_size(most)}. If you trust it, raise the limit "
            f"in the settings.",
            limit,
        )


def _damaged() -> UnreadableError:
    return UnreadableError(
        ProblemCode.DAMAGED,
        "This file is damaged: it cannot be unpacked. Get another copy, or open it in the program "
        "it was made with and save it again.",
    )


_ZIP = b"PK\x03\x04"
_LOOK = 1 << 16  # bytes of the list of parts that are looked at
_LONGEST = 100
_MANIFEST = b"META-INF/manifest.xml"
_ROOT = re.compile(
    rb"<(?:\w{1,20}:)?file-entry\b(?=[^<>]{0,999}\bfull-path=[\"']/[\"'])"
    rb"[^<>]{0,999}\bmedia-type=[\"']([\w./+-]{1,100})"
)


def media_type(data: bytes) -> str:
    """The media type of a package, "" where it has none or is none; never raises.

    ODF and EPUB have it as their first part, stored as it is, named "mimetype". Where it was lost
    by packing the file again, the manifest of ODF has it too, and EPUB is known by its container.
    """
    if not data.startswith(_ZIP) or len(data) < _HEADER.size:
        return ""
    return _first_part(data) or _by_parts(data)


def _first_part(data: bytes) -> str:
    _, _, _, method, _, _, _, size, _, name_length, extra_length = _HEADER.unpack_from(data)
    if method or data[_HEADER.size : _HEADER.size + name_length] != b"mimetype":
        return ""
    start = _HEADER.size + name_length + extra_length
    value = data[start : start + (min(size, _LONGEST) or _LONGEST)]
    return value.partition(b"PK")[0].decode("ascii", "replace").strip()


def _by_parts(data: bytes) -> str:
    names = set(entry_names(data))
    if b"META-INF/container.xml" in names and any(name.endswith(b".opf") for name in names):
        return "application/epub+zip"
    if _MANIFEST not in names or b"content.xml" not in names:
        return ""
    found = _ROOT.search(beginning_of(data, _MANIFEST, _LOOK))
    return found[1].decode("ascii", "replace") if found else ""
