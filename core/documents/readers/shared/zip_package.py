"""ZIP packages of office documents and e-books, opened under limits."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from typing import IO

from core.base.wording import readable_size
from core.documents.model import ProblemCode
from core.documents.readers.reader import Reading
from core.documents.readers.shared.zip_directory import beginning_of, directory_of, entry_names
from core.documents.reading_settings import ReadingLimits
from core.documents.unreadable import UnreadableError

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
_HEADER = struct.Struct("<4s5H3I2H")  # APPNOTE.TXT 4.3.7, local file header
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
