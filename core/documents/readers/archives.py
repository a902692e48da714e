"""Tar archives, also packed with gzip, bzip2 or xz, and single files packed so.

The headers are read one after the other, so that nothing is held but the file at hand.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import stat
import struct
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from core.base.wording import readable_size
from core.documents.encoding import detect_encoding
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers.reader import Part, Reader, Reading
from core.documents.readers.shared.tar_magic import has_tar_magic
from core.documents.readers.shared.zip_package import Package, check_ratio, entry_names

_DRIVE = re.compile(r"^[A-Za-z]:(?=[\\/])")


def name_encoding(names: Iterable[bytes], usual: str) -> str:
    """The encoding of names that do not tell it.

    UTF-8 is sure. The usual one is kept as long as it makes Latin letters of everything beyond
    ASCII; else all names together are a sample for the detector.
    """
    joined = b"\n".join(names)
    for encoding in ("utf-8", usual):
        try:
            text = joined.decode(encoding)
        except ValueError:
            continue
        if encoding == "utf-8" or all(map(_is_latin, filter("\x7f".__lt__, text))):
            return encoding
    return detect_encoding(joined) or usual


def _is_latin(character: str) -> bool:
    return character.isalpha() and "LATIN" in unicodedata.name(character, "")


def tidy_name(name: str) -> str:
    """A path inside an archive with "/", without what leads out of it."""
    folders = _DRIVE.sub("", name).replace("\\", "/").split("/")
    return "/".join(folder for folder in folders if folder not in {"", ".", ".."})


def is_hidden(name: str) -> bool:
    """Whether a tidy path leads through something hidden, or through what macOS adds to archives.

    As in a folder, such files are no documents.
    """
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))


_SUFFIXES = frozenset({".zip"})
_MAGIC = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08PK\x03\x04")
# What is packed like an archive, and is one document.
_DOCUMENT_PARTS = frozenset(
    {
        b"[Content_Types].xml",
        b"mimetype",
        b"META-INF/container.xml",
        b"Index/Document.iwa",
        b"buildVersionHistory.plist",  # Pages, Numbers and Keynote until 2009
    }
)
_UTF8 = 0x800
_LOCKED = 0x1
_UNICODE_PATH = 0x7075
_AES = 99


def _recognises(data: bytes, _suffix: str) -> bool:
    """By its first bytes, unless its directory has a name that makes it a document."""
    return data.startswith(_MAGIC) and _DOCUMENT_PARTS.isdisjoint(entry_names(data))


def _parts(data: bytes, reading: Reading) -> Iterator[Part]:
    """The files in their order, until they are too much together."""
    package = Package(data, reading)
    files = [(name, info) for info, name in _named(package.infos) if name and not is_hidden(name)]
    for index, (name, info) in enumerate(files):
        part = Part(name, _zip_archive_content(package, info, reading))
        if package.unpacked > reading.limits.unpacked_bytes:
            raise too_big_together(len(files) - index, reading)
        yield part


def _named(infos: list[zipfile.ZipInfo]) -> Iterator[tuple[zipfile.ZipInfo, str]]:
    """The files, without folders and links, by names in the right encoding."""
    old = {id(info): _raw_name(info) for info in infos if not info.flag_bits & _UTF8}
    encoding = name_encoding(old.values(), "cp437")
    for info in infos:
        is_folder = info.filename.endswith("/")  # is_dir() fails on a name that is empty
        if not is_folder and not stat.S_ISLNK(info.external_attr >> 16):
            raw = old.get(id(info))
            name = info.filename if raw is None else raw.decode(encoding, "replace")
            yield info, tidy_name(_unicode_path(info, raw) or name)


def _raw_name(info: zipfile.ZipInfo) -> bytes:
    """The bytes that zipfile took for code page 437."""
    return info.orig_filename.encode("cp437", "replace")


def _unicode_path(info: zipfile.ZipInfo, raw: bytes | None) -> str:
    """The name in UTF-8 that some programs add to the old one (APPNOTE 4.6.9)."""
    extra = info.extra
    while raw is not None and len(extra) >= 9:
        kind, length = struct.unpack_from("<HH", extra)
        if kind == _UNICODE_PATH and int.from_bytes(extra[5:9], "little") == zlib.crc32(raw):
            return extra[9 : 4 + length].decode("utf-8", "replace")
        extra = extra[4 + length :]
    return ""


def _zip_archive_content(
    package: Package, info: zipfile.ZipInfo, reading: Reading
) -> bytes | UnreadableError:
    """One file, with the first password that opens it."""
    if info.compress_type == _AES:
        return UnreadableError(
            ProblemCode.ENCRYPTED,
            "Locked with a password and AES, which is not opened here. Unpack the archive to a "
            "folder and scan that.",
        )
    if not info.flag_bits & _LOCKED:
        return _try(package, info, None)
    failure = UnreadableError(
        ProblemCode.ENCRYPTED, "Locked with a password. Enter it, or unpack the archive."
    )
    for password in reading.passwords:
        for encoding in ("utf-8", "cp437"):
            content = _try(package, info, password.encode(encoding, "replace"))
            if isinstance(content, bytes):
                return content
            if content.code == ProblemCode.TOO_BIG_UNPACKED:
                return content
            if password.isascii():
                break
    return failure


def _try(
    package: Package, info: zipfile.ZipInfo, password: bytes | None
) -> bytes | UnreadableError:
    try:
        return package.read(info, password)
    except UnreadableError as error:
        return error


def too_big_together(left: int, reading: Reading) -> UnreadableError:
    """What is told when the files of an archive are too much together."""
    limit = readable_size(reading.limits.unpacked_bytes)
    files = "The last file was" if left == 1 else f"The last {left:,} files were"
    return UnreadableError(
        ProblemCode.TOO_BIG_UNPACKED,
        f"This archive unpacks to more than {limit}. {files} not read. If you trust it, raise the "
        f"limit in the settings.",
        "unpacked_bytes",
    )


READER = Reader("zip", "a ZIP archive", "", _SUFFIXES, _recognises, parts=_parts, is_archive=True)


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


# Not `tarfile`: before Python 3.11.10 and 3.12.6 it takes 15 s for 64 kB of digits in an extended
# header, four times that for twice as many (here a millisecond), and a broken header for the end.


_BLOCK = tarfile.BLOCKSIZE
_MOST_HEADER = 1 << 20  # bytes of a long name or of extended fields
_ZEROS = bytes(_BLOCK)
_LONG_NAME = tarfile.GNUTYPE_LONGNAME
_LONG_LINK = tarfile.GNUTYPE_LONGLINK
_EXTENDED = frozenset({tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE})
_NO_CONTENT = frozenset(
    {tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE}
)
_RECORD = re.compile(rb"(\d{1,9}) ([^=\n]{1,99})=")
_BZIP2 = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")


class _TarMember(NamedTuple):
    name: bytes
    size: int
    is_sparse: bool


def _recognises_tar(data: bytes, suffix: str) -> bool:
    """By the magic of its first header; of an old one without, by the name and its checksum."""
    if len(data) < _BLOCK:
        return False
    return has_tar_magic(data) or (suffix == ".tar" and _header(data[:_BLOCK]) is not None)


def _header(block: bytes) -> tarfile.TarInfo | None:
    try:
        return tarfile.TarInfo.frombuf(block, "latin-1", "strict")
    except (tarfile.HeaderError, ValueError, OverflowError):
        return None


def _tar_parts(data: bytes, reading: Reading) -> Iterator[Part]:
    """The files of an archive that is not packed: it cannot become bigger than it is."""
    return _files(UnpackedBytes(io.BytesIO(data), None, reading), reading)


def _files(source: UnpackedBytes, reading: Reading) -> Iterator[Part]:
    """The files of an archive, as far as they are whole and not too much."""
    encoding, count = "", 0
    try:
        for member in _members(source, reading):
            encoding = _encoding(member.name, encoding)
            name = tidy_name(member.name.decode(encoding or "utf-8", "replace"))
            if not name or is_hidden(name):
                source.skip(_padded(member.size))
                continue
            yield Part(name, _content(source, member, reading))
            count += 1
    except UnpackedTooMuchError:
        raise _too_much(count, reading) from None


def _encoding(name: bytes, before: str) -> str:
    """The encoding of a name that does not tell it; all names of an archive have the same."""
    return before or ("" if name.isascii() else name_encoding([name], "cp1252"))


def _members(source: UnpackedBytes, reading: Reading) -> Iterator[_TarMember]:
    """The files in an archive; the caller must read or skip the padded content of each."""
    name, size, count = b"", -1, 0
    while (block := source.read(_BLOCK)) and block != _ZEROS:
        info = _header(block) if len(block) == _BLOCK else None
        if info is None or info.size < 0:
            raise damaged()
        if info.type == _LONG_NAME:
            name = _extra(source, info.size).partition(b"\0")[0]
        elif info.type in _EXTENDED:
            name, size = _extended(_extra(source, info.size), name, size)
        elif info.type in {_LONG_LINK, tarfile.XGLTYPE}:
            source.skip(_padded(info.size))
        else:
            count += 1
            _check_count(count, reading)
            raw, length = name or info.name.encode("latin-1"), info.size if size < 0 else size
            name, size = b"", -1
            if info.isreg() and not raw.endswith(b"/"):
                _skip_map(source, info, block)
                yield _TarMember(raw, length, info.type == tarfile.GNUTYPE_SPARSE)
            elif info.type not in _NO_CONTENT:
                source.skip(_padded(length))


def _skip_map(source: UnpackedBytes, info: tarfile.TarInfo, block: bytes) -> None:
    """Pass over the rest of the map of holes that goes before the content of a sparse file."""
    goes_on = info.type == tarfile.GNUTYPE_SPARSE and block[482]
    while goes_on and (block := source.read(_BLOCK)):
        goes_on = len(block) == _BLOCK and block[504]


def _extra(source: UnpackedBytes, size: int) -> bytes:
    """What stands in a header that goes before another."""
    if size > _MOST_HEADER:
        raise damaged()
    data = source.read(_padded(size))
    return data[:size]


def _extended(data: bytes, name: bytes, size: int) -> tuple[bytes, int]:
    """The name and size in extended fields, "LENGTH KEY=VALUE" (POSIX pax), else those before."""
    at = 0
    while (record := _RECORD.match(data, at)) and int(record[1]) > len(record[0]):
        end = at + int(record[1])
        value = data[record.end() : end - 1]
        if record[2] == b"path":
            name = value
        elif record[2] == b"size" and value.isdigit() and len(value) < 20:
            size = int(value)
        at = end
    return name, size


def _content(
    source: UnpackedBytes, member: _TarMember, reading: Reading
) -> bytes | UnreadableError:
    """The content of a file; one that is too big is passed over."""
    limit = reading.limits.part_bytes
    if member.is_sparse:
        source.skip(_padded(member.size))
        return UnreadableError(
            ProblemCode.UNSUPPORTED,
            "This file was packed without its holes (sparse), which is not read. Unpack the "
            "archive to a folder and scan that.",
        )
    if member.size > limit:
        source.skip(_padded(member.size))
        return UnreadableError(
            ProblemCode.TOO_BIG_UNPACKED,
            f"This file unpacks to {readable_size(member.size)}; over {readable_size(limit)} it is "
            f"not read. If you trust it, raise the limit in the settings.",
            "part_bytes",
        )
    data = source.read(member.size)
    if len(data) < member.size:
        raise damaged()
    source.skip(_padded(member.size) - member.size)
    return data


def _padded(size: int) -> int:
    return size + -size % _BLOCK


def _check_count(count: int, reading: Reading) -> None:
    if count > reading.limits.members:
        raise UnreadableError(
            ProblemCode.TOO_MANY_MEMBERS,
            f"This archive has more than {reading.limits.members:,} files and folders. Those "
            f"after that were not read. The limit can be raised in the settings.",
            "members",
        )


def _recognises_packed(data: bytes, _suffix: str) -> bool:
    return data.startswith((b"\x1f\x8b\x08", b"\xfd7zXZ\x00")) or _BZIP2.match(data) is not None


def _packed_parts(data: bytes, reading: Reading) -> Iterator[Part]:
    """The files of a packed tar archive, or the one file that is packed."""
    head = UnpackedBytes(_opened(data), None, reading).read(_BLOCK)
    if _recognises_tar(head, ".tar"):
        source = UnpackedBytes(_opened(data), reading.limits.unpacked_bytes, reading, len(data))
        yield from _files(source, reading)
        return
    limit = min("part_bytes", "unpacked_bytes", key=partial(getattr, reading.limits))
    most = getattr(reading.limits, limit)
    content = UnpackedBytes(_opened(data), None, reading, len(data)).read(most + 1)
    if len(content) > most:
        raise UnreadableError(
            ProblemCode.TOO_BIG_UNPACKED,
            f"This file unpacks to more than {readable_size(most)}. If you trust it, raise the "
            f"limit in the settings.",
            limit,
        )
    yield Part(_packed_name(data), content)


def _opened(data: bytes) -> Stream:
    """A packed file, unpacked as it is read."""
    stream = io.BytesIO(data)
    if data.startswith(b"BZh"):
        return bz2.BZ2File(stream)
    if data.startswith(b"\xfd"):
        return lzma.LZMAFile(stream)
    return gzip.GzipFile(fileobj=stream)


def _packed_name(data: bytes) -> str:
    """The name that gzip notes (RFC 1952), "unpacked" without one."""
    flags, at = data[3], 10
    if not data.startswith(b"\x1f\x8b") or not flags & 8:
        return "unpacked"
    if flags & 4:
        at += 2 + int.from_bytes(data[10:12], "little")
    raw = data[at : at + 1024].partition(b"\0")[0]
    name = tidy_name(raw.decode(name_encoding([raw], "latin-1"), "replace"))
    return name.rpartition("/")[2] or "unpacked"


def _too_much(count: int, reading: Reading) -> UnreadableError:
    limit = readable_size(reading.limits.unpacked_bytes)
    if count == 0:
        read = "none of its files was read"
    else:
        read = "only its first " + ("file was read" if count == 1 else f"{count:,} files were read")
    return UnreadableError(
        ProblemCode.TOO_BIG_UNPACKED,
        f"This archive unpacks to more than {limit}: {read}. If you trust it, raise the limit in "
        "the settings.",
        "unpacked_bytes",
    )


TAR = Reader(
    "tar",
    "a tar archive",
    "",
    frozenset({".tar"}),
    _recognises_tar,
    parts=_tar_parts,
    is_archive=True,
)
COMPRESSED = Reader(
    "compressed",
    "a compressed file (gzip, bzip2 or xz)",
    "",
    frozenset({".gz", ".tgz", ".bz2", ".tbz", ".tbz2", ".xz", ".txz"}),
    _recognises_packed,
    parts=_packed_parts,
    is_archive=True,
)
