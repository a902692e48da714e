"""Archives, opened like folders: ZIP, tar, also packed with gzip, bzip2 or xz, single packed files.

The files are unpacked one after the other, so that nothing is held but the one at hand.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import struct
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Literal, Self

from core.base.messages import N_
from core.base.patterns import lazy_pattern
from core.documents.encoding import detect_encoding
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Part, Reader, Reading
from core.documents.readers.shared.packed_files import (
    LOCKED_BY_AES,
    Package,
    check_part,
    has_tar_magic,
    names_in,
)

_DRIVE = lazy_pattern(r"^[A-Za-z]:(?=[\\/])")


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


_MAGIC = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08PK\x03\x04")
# What is packed like an archive, and is one document.
_DOCUMENT_PARTS = frozenset(
    {
        "[Content_Types].xml",
        "mimetype",
        "META-INF/container.xml",
        "Index/Document.iwa",
        "buildVersionHistory.plist",  # Pages, Numbers and Keynote until 2009
    }
)
_UTF8 = 0x800
_LOCKED = 0x1
_UNICODE_PATH = 0x7075
_AES = 99


def _zip_parts(data: bytes, reading: Reading) -> Iterator[Part]:
    package = Package(data, reading)
    for info, name in _named(package.infos):
        if name and not is_hidden(name):
            yield Part(name, _zip_content(package, info, reading))


def _named(infos: list[zipfile.ZipInfo]) -> Iterator[tuple[zipfile.ZipInfo, str]]:
    """The files, without folders and links, by names in the right encoding."""
    # The bytes that zipfile took for code page 437.
    old = {
        id(info): info.orig_filename.encode("cp437", "replace")
        for info in infos
        if not info.flag_bits & _UTF8
    }
    encoding = name_encoding(old.values(), "cp437")
    for info in infos:
        is_folder = info.filename.endswith("/")  # is_dir() fails on a name that is empty
        if not is_folder and not stat.S_ISLNK(info.external_attr >> 16):
            raw = old.get(id(info))
            name = info.filename if raw is None else raw.decode(encoding, "replace")
            yield info, tidy_name(_unicode_path(info, raw) or name)


def _unicode_path(info: zipfile.ZipInfo, raw: bytes | None) -> str:
    """The name in UTF-8 that some programs add to the old one (APPNOTE 4.6.9)."""
    extra = info.extra
    while raw is not None and len(extra) >= 9:
        kind, length = struct.unpack_from("<HH", extra)
        if kind == _UNICODE_PATH and int.from_bytes(extra[5:9], "little") == zlib.crc32(raw):
            return extra[9 : 4 + length].decode("utf-8", "replace")
        extra = extra[4 + length :]
    return ""


def _zip_content(
    package: Package, info: zipfile.ZipInfo, reading: Reading
) -> bytes | UnreadableError:
    """One file, with the first password that opens it."""
    if info.compress_type == _AES:
        return UnreadableError(ProblemCode.ENCRYPTED, LOCKED_BY_AES)
    passwords: list[bytes | None] = [None]
    if info.flag_bits & _LOCKED:
        written = ((word.encode(), word.encode("cp437", "replace")) for word in reading.passwords)
        passwords = [*dict.fromkeys(chain.from_iterable(written))]
    failure = UnreadableError(
        ProblemCode.ENCRYPTED, "Locked with a password. Enter it, or unpack the archive."
    )
    for password in passwords:
        try:
            return package.read(info, password)
        except UnreadableError as error:
            if password is None or error.code == ProblemCode.TOO_BIG_UNPACKED:
                return error
    return failure


READER = Reader(
    "zip",
    N_("a ZIP archive"),
    "",
    frozenset({".zip"}),
    # By its first bytes, unless its directory has a name that makes it a document.
    lambda data, _suffix: data.startswith(_MAGIC) and _DOCUMENT_PARTS.isdisjoint(names_in(data)),
    parts=_zip_parts,
    is_archive=True,
)


_BLOCK = tarfile.BLOCKSIZE
_PACKED = lazy_pattern(rb"\x1f\x8b\x08|\xfd7zXZ\x00|BZh[1-9](?:1AY&SY|\x17rE8P\x90)")
_FAULTS = (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError, tarfile.TarError)


class _Header(tarfile.TarInfo):
    """A header that is damaged is an error: `tarfile` would take it for the end."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        try:
            return super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if buf.strip(b"\0"):
                raise tarfile.ReadError(str(error)) from error
            raise


def _recognises_tar(data: bytes, suffix: str) -> bool:
    """By the magic of its first header; of an old one without, by the name and its checksum."""
    if len(data) < _BLOCK:
        return False
    return has_tar_magic(data) or (suffix == ".tar" and _is_header(data[:_BLOCK]))


def _is_header(block: bytes) -> bool:
    try:
        tarfile.TarInfo.frombuf(block, "latin-1", "strict")
    except (tarfile.HeaderError, ValueError, OverflowError):
        return False
    return True


def _files(stream: io.BufferedIOBase, reading: Reading) -> Iterator[Part]:
    """The files of an archive, as far as they are whole."""
    encoding = ""
    mode: Literal["r:", "r|"] = "r:" if isinstance(stream, io.BytesIO) else "r|"
    try:
        with tarfile.open(
            fileobj=stream, mode=mode, bufsize=_BLOCK, tarinfo=_Header, encoding="utf-8"
        ) as archive:
            while (member := archive.next()) is not None:
                archive.members.clear()  # type: ignore[attr-defined]  # it would keep all headers
                reading.step()
                raw = member.name.encode("utf-8", "surrogateescape")
                if not encoding and not raw.isascii():  # all names of an archive have the same
                    encoding = name_encoding([raw], "cp1252")
                name = tidy_name(raw.decode(encoding or "utf-8", "replace"))
                if member.isreg() and name and not is_hidden(name):
                    yield Part(name, _tar_content(archive, member, reading))
    except _FAULTS as error:
        raise damaged() from error


def _tar_content(
    archive: tarfile.TarFile, member: tarfile.TarInfo, reading: Reading
) -> bytes | UnreadableError:
    try:
        check_part(member.size, reading.limits)
    except UnreadableError as error:
        return error
    content = archive.extractfile(member)
    return content.read() if content else b""


def damaged() -> UnreadableError:
    """The error for an archive of which no more can be unpacked."""
    return UnreadableError(
        ProblemCode.DAMAGED,
        "This archive is damaged: what comes after the files that are listed could not be "
        "unpacked. Get another copy.",
    )


def _packed_parts(data: bytes, reading: Reading) -> Iterator[Part]:
    """The files of a packed tar archive, or the one file that is packed."""
    try:
        is_tar = _recognises_tar(_opened(data).read(_BLOCK), ".tar")
        content = b"" if is_tar else _opened(data).read(reading.limits.part_bytes + 1)
    except _FAULTS as error:
        raise damaged() from error
    if is_tar:
        yield from _files(_opened(data), reading)
    else:
        check_part(len(content), reading.limits)
        yield Part(_packed_name(data), content)


def _opened(data: bytes) -> io.BufferedIOBase:
    """A packed file, unpacked as it is read."""
    stream = io.BytesIO(data)
    if data.startswith(b"BZh"):
        return bz2.open(stream)
    if data.startswith(b"\xfd"):
        return lzma.open(stream)
    return gzip.open(stream)


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


TAR = Reader(
    "tar",
    N_("a tar archive"),
    "",
    frozenset({".tar"}),
    _recognises_tar,
    parts=lambda data, reading: _files(io.BytesIO(data), reading),
    is_archive=True,
)
COMPRESSED = Reader(
    "compressed",
    N_("a compressed file (gzip, bzip2 or xz)"),
    "",
    frozenset({".gz", ".tgz", ".bz2", ".tbz", ".tbz2", ".xz", ".txz"}),
    lambda data, _suffix: _PACKED.match(data) is not None,
    parts=_packed_parts,
    is_archive=True,
)
