"""Packed files: ZIP packages of office documents and e-books, and how a tar archive begins.

Compound files, the container of Microsoft Office 97 to 2003 ([MS-CFB]): its streams by name.
"""

from __future__ import annotations

import binascii
import io
import string
import struct
import zipfile
import zlib
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, lru_cache
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING

from core.base.messages import N_
from core.base.patterns import lazy_pattern
from core.base.wording import readable_size
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Reading
from core.documents.reading_settings import ReadingLimits

if TYPE_CHECKING:
    import olefile

LOCAL = b"PK\x03\x04"
HEADER = struct.Struct("<4s5H3I2H")  # of a part (APPNOTE.TXT 4.3.7)
_BLOCK = 1 << 18
_DEFLATED_BLOCK = 1 << 12  # one that breaks is lost as a whole
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, IndexError, struct.error)
METHOD = N_("This file is packed in a way that is not supported. Pack it again as usual ZIP.")
LOCKED = N_("Locked with a password. Enter it, or save a copy without one.")
LOCKED_BY_AES = N_(
    "Locked with a password and AES, which is not opened here. Unpack the archive to a folder and "
    "scan that."
)


_BASE64 = string.ascii_letters + string.digits + "+/"
_NOT_BASE64 = bytes(set(range(256)) - set(_BASE64.encode()))


def base64_content(data: bytes) -> bytes:
    """What is written in base 64, as far as it is whole."""
    clean = data.translate(None, _NOT_BASE64)
    whole = clean[: len(clean) - (len(clean) % 4 == 1)]
    return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))


def has_tar_magic(data: bytes) -> bool:
    """Whether the first header of a tar archive has its magic.

    Five letters alone do not tell: a text has them at this place by chance. What follows them
    in an archive is a NUL, or a space and another one and a NUL.
    """
    return data[257:263] == b"ustar\0" or data[257:265] == b"ustar  \0"


def open_zip(data: bytes) -> zipfile.ZipFile | None:
    """A ZIP file by its directory; None where that is damaged, missing or empty.

    A file that broke off behind a part that is a ZIP file itself, as Office stores the workbook
    behind a chart, ends with the directory of that part, whose places are not counted from the
    start of the file.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (*_BROKEN, NotImplementedError):
        return None
    places = [info.header_offset for info in archive.infolist()]
    if not places or (data.startswith(LOCAL) and min(places) >= HEADER.size):
        return None
    return archive


def names_in(data: bytes) -> list[str]:
    """The names in the directory of a ZIP file; none where it has no directory."""
    archive = open_zip(data)
    return archive.namelist() if archive else []


def beginning_of(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """At most so many first bytes of a part, b"" where they cannot be had."""
    with (
        suppress(KeyError, NotImplementedError, RuntimeError, *_BROKEN),
        archive.open(name) as part,
    ):
        return part.read(most)
    return b""


class Package:
    """The parts of a ZIP file by their names; a declared size is never believed.

    Raises:
        UnreadableError: DAMAGED for what is no ZIP file.
    """

    def __init__(self, data: bytes, reading: Reading) -> None:
        self._limits = reading.limits
        self._step = reading.step
        archive = open_zip(data)
        if archive is None:
            raise damaged_file()
        self._archive = archive
        self.infos = archive.infolist()
        self.names = archive.namelist()
        self._by_name = {info.filename: info for info in self.infos}

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def read(self, name: str | zipfile.ZipInfo, password: bytes | None = None) -> bytes:
        """One part, unpacked.

        Raises:
            UnreadableError: DAMAGED, TOO_BIG_UNPACKED, UNSUPPORTED, or ENCRYPTED where the password
                is wrong or missing.
            KeyError: There is no part of that name.
        """
        info = self._by_name[name] if isinstance(name, str) else name
        content = bytearray()
        try:
            with self._archive.open(info, pwd=password) as part:
                while block := part.read(_BLOCK):
                    self._step()
                    content += block
                    check_part(len(content), self._limits)
        except NotImplementedError as error:
            raise UnreadableError(ProblemCode.UNSUPPORTED, METHOD) from error
        except RuntimeError as error:  # what zipfile raises for a password
            raise UnreadableError(ProblemCode.ENCRYPTED, LOCKED) from error
        except _BROKEN as error:
            raise damaged_file() from error
        return bytes(content)


def inflated(
    data: bytes, start: int, most: int, window: int = -zlib.MAX_WBITS
) -> tuple[bytes, int]:
    """At most so many bytes of a deflated part, to where it ends or breaks, and where it ends.

    Args:
        data: A file with the part in it.
        start: Where the part begins; also the answer to where it ends if that is not met.
        most: How many bytes.
        window: As of `zlib`, which also tells whether there is a header before the part.
    """
    unpacker = zlib.decompressobj(window)
    content = bytearray()
    for at in range(start, len(data), _DEFLATED_BLOCK):
        block = data[at : at + _DEFLATED_BLOCK]
        try:
            content += unpacker.decompress(block, max(most - len(content), 1))
        except zlib.error:
            break
        if unpacker.eof:
            return bytes(content), at + len(block) - len(unpacker.unused_data)
        if len(content) >= most:
            break
    return bytes(content), start


def check_part(length: int, limits: ReadingLimits) -> None:
    """Raise for a part of more bytes than may be unpacked.

    Raises:
        UnreadableError: TOO_BIG_UNPACKED.
    """
    if length > limits.part_bytes:
        raise UnreadableError(
            ProblemCode.TOO_BIG_UNPACKED,
            "A part of this file unpacks to more than {part_bytes}, an eighth of the memory "
            "that a reader may take. If you trust it, raise that limit in the settings.",
            "memory_bytes",
            part_bytes=readable_size(limits.part_bytes),
        )


def damaged_file() -> UnreadableError:
    """The error for a file that is not what was packed."""
    return UnreadableError(
        ProblemCode.DAMAGED,
        "This file is damaged: it cannot be unpacked. Get another copy, or open it in the "
        "program it was made with and save it again.",
    )


def without_text() -> UnreadableError:
    """The error for a damaged file of which nothing could be read."""
    return UnreadableError(
        ProblemCode.DAMAGED, "This file is damaged: no text was found in it. Get another copy."
    )


_LOOK = 1 << 16  # bytes of the list of parts that are looked at
_LONGEST = 100
_MANIFEST = "META-INF/manifest.xml"
_ROOT = lazy_pattern(
    rb"<(?:\w{1,20}:)?file-entry\b(?=[^<>]{0,999}\bfull-path=[\"']/[\"'])"
    rb"[^<>]{0,999}\bmedia-type=[\"']([\w./+-]{1,100})"
)


def media_type(data: bytes) -> str:
    """The media type of a package, "" where it has none or is none; never raises.

    ODF and EPUB have it as their first part, stored as it is, named "mimetype". Where it was lost
    by packing the file again, the manifest of ODF has it too, and EPUB is known by its container.
    """
    if not data.startswith(LOCAL) or len(data) < HEADER.size:
        return ""
    return _first_part(data) or _by_parts(data)


def _first_part(data: bytes) -> str:
    _, _, _, method, _, _, _, size, _, name_length, extra_length = HEADER.unpack_from(data)
    if method or data[HEADER.size : HEADER.size + name_length] != b"mimetype":
        return ""
    start = HEADER.size + name_length + extra_length
    value = data[start : start + (min(size, _LONGEST) or _LONGEST)]
    return value.partition(b"PK")[0].decode("ascii", "replace").strip()


def _by_parts(data: bytes) -> str:
    archive = open_zip(data)
    names = archive.namelist() if archive else []
    if "META-INF/container.xml" in names and any(name.endswith(".opf") for name in names):
        return "application/epub+zip"
    if archive is None or _MANIFEST not in names or "content.xml" not in names:
        return ""
    match = _ROOT.search(beginning_of(archive, _MANIFEST, _LOOK))
    return match[1].decode("ascii", "replace") if match else ""


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
    raise UnreadableError(ProblemCode.ENCRYPTED, LOCKED)


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


@cache
def _library() -> ModuleType:
    """The library, which keeps what it unlocked in memory: it must not come onto the disk."""
    _ole_library()  # by which it reads
    import msoffcrypto
    from msoffcrypto.format import doc97, ppt97, xls97
    from msoffcrypto.method.ecma376_agile import ECMA376Agile

    for module in (doc97, ppt97, xls97):
        module.tempfile = SimpleNamespace(TemporaryFile=io.BytesIO)
    # 100,000 hashes, which it wants twice, to check a password and to use it.
    derived = lru_cache(maxsize=2)(ECMA376Agile._derive_iterated_hash_from_password)  # noqa: SLF001
    ECMA376Agile._derive_iterated_hash_from_password = staticmethod(derived)  # noqa: SLF001
    return msoffcrypto  # type: ignore[no-any-return]


@cache
def _ole_library() -> ModuleType:
    """The library of compound files, which reads no stream beyond what the file has sectors for.

    Where a sector is said to follow itself it would go on until a stream has the size that is
    declared, whatever that is.
    """
    from olefile import olefile

    read = olefile.OleStream.__init__

    def read_within(
        stream: object,
        *,
        size: int,
        sectorsize: int,
        fat: Sequence[int],
        filesize: int,
        **declared: object,
    ) -> None:
        if size != olefile.UNKNOWN_SIZE:
            size = min(size, len(fat) * sectorsize, filesize)
        read(stream, size=size, sectorsize=sectorsize, fat=fat, filesize=filesize, **declared)

    olefile.OleStream.__init__ = read_within
    return olefile  # type: ignore[no-any-return]


_FAULTS = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError),
    struct.error,
)


def is_ole(data: bytes) -> bool:
    """Whether a file begins like a compound file."""
    return data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")


def root_names(data: bytes) -> frozenset[str]:
    """The upper-case names at the top of a compound file; none where it is damaged, or none."""
    return OleFile(data).names if is_ole(data) else frozenset()


class OleFile:
    """The streams and storages of a compound file; what cannot be had is empty.

    Attributes:
        names: Of the streams and storages at its top, in upper case.
    """

    def __init__(self, data: bytes) -> None:
        self._file: olefile.OleFileIO | None = None
        self._storages: list[list[str]] = []
        self.names: frozenset[str] = frozenset()
        with suppress(*_FAULTS):
            self._file = _ole_library().OleFileIO(io.BytesIO(data))
            paths = self._file.listdir(streams=True, storages=True)
            self.names = frozenset(path[0].upper() for path in paths if len(path) == 1)
            self._storages = self._file.listdir(streams=False, storages=True)

    def stream(self, *path: str) -> bytes:
        """A stream by its name after those of the storages it is in; empty where there is none."""
        if self._file is None:
            return b""
        try:
            return bytes(self._file.openstream(list(path)).read())
        except _FAULTS:
            return b""

    def metadata(self) -> olefile.OleMetadata | None:
        """Its properties ([MS-OLEPS]); None where it is damaged, or nothing is in it."""
        return self._file.get_metadata() if self._file is not None and self.names else None

    def storages(self, *path: str) -> list[str]:
        """The names of the storages directly in another one, or at the top."""
        depth = len(path)
        inside = (it for it in self._storages if len(it) == depth + 1 and it[:depth] == [*path])
        return [it[-1] for it in inside]
