"""ZIP archives, opened like folders. Nothing is written to disk."""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator

from core.base.wording import readable_size
from core.documents.model import ProblemCode
from core.documents.readers.archives.member_names import is_hidden, name_encoding, tidy_name
from core.documents.readers.reader import Part, Reader, Reading
from core.documents.readers.shared.zip_directory import entry_names
from core.documents.readers.shared.zip_package import Package
from core.documents.unreadable import UnreadableError

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
        part = Part(name, _content(package, info, reading))
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


def _content(package: Package, info: zipfile.ZipInfo, reading: Reading) -> bytes | UnreadableError:
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
