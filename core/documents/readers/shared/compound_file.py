"""Compound files, the container of Microsoft Office 97 to 2003 ([MS-CFB]): its streams by name.

Small enough to be run on the first look at a file: every chain is followed at most as far as the
file is long, so none of them can go round for ever.
"""

from __future__ import annotations

import io
import struct
from types import ModuleType, SimpleNamespace
from typing import NamedTuple

from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers.reader import Reading

# What Office itself tries: it locks so what is only protected against changes.
_NO_PASSWORD = "VelvetSweatshop"  # noqa: S105 - known to everybody


def unlocked(data: bytes, reading: Reading) -> bytes:
    """The document without its lock.

    Raises:
        UnreadableError: ENCRYPTED where no password fits, or the lock is of an unknown make.
    """
    for password in (_NO_PASSWORD, *reading.passwords):
        reading.step()
        if document := _unlocked_with(data, password):
            return document
    raise UnreadableError(
        ProblemCode.ENCRYPTED, "Locked with a password. Enter it, or save a copy without one."
    )


def _unlocked_with(data: bytes, password: str) -> bytes:
    """The document, empty where the password does not fit."""
    document = io.BytesIO()
    try:
        file = _library().OfficeFile(io.BytesIO(data))
        if file.format == "ooxml":
            file.load_key(password=password, verify_password=True)
        else:
            file.load_key(password=password)
        file.decrypt(document)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - the library fails in many ways on what it does not know
        return b""
    return document.getvalue()


def _library() -> ModuleType:
    """The library, which keeps what it unlocked in memory: it must not come onto the disk."""
    import msoffcrypto
    from msoffcrypto.format import doc97, ppt97, xls97

    for module in (doc97, ppt97, xls97):
        module.tempfile = SimpleNamespace(TemporaryFile=io.BytesIO)
    return msoffcrypto  # type: ignore[no-any-return]


# Not olefile: it compares each stream with all before it (2 s for 16,000 in 2 MB, 13 s for 50,000,
# here under 0.1 s), and of 528 damaged files it lost the text of three that are read here, and
# found that of one more.


_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HEADER = 512
_ENTRY = 128
_MOST_ENTRIES = 1 << 14
_NOBODY = 0xFFFFFFFF
_LAST = 0xFFFFFFFA  # what is not below is no sector


class _DirectoryEntry(NamedTuple):
    """A stream or a storage, and its place in the tree of its neighbours."""

    name: str
    left: int
    right: int
    child: int
    start: int
    size: int


def is_ole(data: bytes) -> bool:
    """Whether a file begins like a compound file."""
    return data.startswith(_MAGIC)


def root_names(data: bytes) -> frozenset[str]:
    """The upper-case names at the top of a compound file; none where it is damaged, or none."""
    if not is_ole(data) or len(data) < _HEADER:
        return frozenset()
    return frozenset(OleFile(data).streams)


class OleFile:
    """The streams at the top of a compound file of at least 512 bytes; never raises.

    Attributes:
        streams: Names in upper case, with what the directory says of them.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        shift, mini_shift = struct.unpack_from("<HH", data, 0x1E)
        self._sector = 1 << min(max(shift, 7), 20)
        self._mini_sector = 1 << min(max(mini_shift, 4), 12)
        self._most = len(data) // self._sector + 1
        directory, self._cutoff, self._mini_start = struct.unpack_from("<I4xII", data, 0x30)
        self._fats = self._fat_sectors()
        entries = self._entries(directory)
        self.streams = {entry.name.upper(): entry for entry in _neighbours(entries)}
        self._root = entries[0] if entries else None
        self._mini_fat = self._mini_stream = b""

    def stream(self, name: str) -> bytes:
        """A stream, as far as it can be had; empty where there is none of that name."""
        entry = self.streams.get(name.upper())
        if entry is None:
            return b""
        if entry.size >= self._cutoff:
            return self._chain(entry.start, entry.size)
        return self._mini_chain(entry.start, entry.size)

    def _at(self, sector: int) -> bytes:
        start = (sector + 1) * self._sector
        return self._data[start : start + self._sector]

    def _fat_sectors(self) -> list[int]:
        """The sectors with the table of sectors: the first are in the header, the rest chained."""
        found = [fat for fat in struct.unpack_from("<109I", self._data, 0x4C) if fat < _LAST]
        (more,) = struct.unpack_from("<I", self._data, 0x44)
        count = self._sector // 4
        for _ in range(self._most):
            sector = self._at(more) if more < _LAST else b""
            if len(sector) < self._sector or len(found) > self._most:
                break
            *fats, more = struct.unpack(f"<{count}I", sector)
            found += [fat for fat in fats if fat < _LAST]
        return found

    def _next(self, sector: int) -> int:
        place, at = divmod(sector * 4, self._sector)
        if place >= len(self._fats):
            return _NOBODY
        start = (self._fats[place] + 1) * self._sector + at
        return int.from_bytes(self._data[start : start + 4].ljust(4, b"\xff"), "little")

    def _chain(self, sector: int, size: int) -> bytes:
        """At most so many bytes of a chain of sectors."""
        blocks = []
        for _ in range(min(self._most, -(-size // self._sector))):
            if sector >= self._most:
                break
            blocks.append(self._at(sector))
            sector = self._next(sector)
        return b"".join(blocks)[:size]

    def _mini_chain(self, sector: int, size: int) -> bytes:
        """The same of a small stream, which is in small sectors in a stream of their own."""
        if not self._mini_stream and self._root:
            self._mini_fat = self._chain(self._mini_start, self._most * self._sector)
            self._mini_stream = self._chain(self._root.start, self._root.size)
        blocks = []
        for _ in range(min(len(self._mini_fat) // 4, -(-size // self._mini_sector))):
            start = sector * self._mini_sector
            if start >= len(self._mini_stream) or sector * 4 + 4 > len(self._mini_fat):
                break
            blocks.append(self._mini_stream[start : start + self._mini_sector])
            (sector,) = struct.unpack_from("<I", self._mini_fat, sector * 4)
        return b"".join(blocks)[:size]

    def _entries(self, directory: int) -> list[_DirectoryEntry]:
        """The directory; its first entry is the root."""
        data = self._chain(directory, _MOST_ENTRIES * _ENTRY)
        return [_entry(data, start) for start in range(0, len(data) - _ENTRY + 1, _ENTRY)]


def _entry(data: bytes, start: int) -> _DirectoryEntry:
    length, left, right, child, first, size = struct.unpack_from("<64xH2xIII36xII", data, start)
    name = data[start : start + min(max(length - 2, 0), 62)].decode("utf-16-le", "replace")
    return _DirectoryEntry(name, left, right, child, first, size)


def _neighbours(entries: list[_DirectoryEntry]) -> list[_DirectoryEntry]:
    """What is in the root: a tree of entries, which a damaged file may have tied in a knot."""
    found = []
    pending = [entries[0].child] if entries else []
    seen = set()
    while pending:
        place = pending.pop()
        if place < len(entries) and place not in seen:
            seen.add(place)
            entry = entries[place]
            found.append(entry)
            pending += [entry.left, entry.right]
    return found
