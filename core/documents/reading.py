"""One file to its documents. Whatever goes wrong with one becomes a `Problem`; nothing is raised.

What is plain text at first sight is read here, on the thread that asks, unless its encoding is to
be guessed. Every other file is told and read in a process of its own (`core.documents.isolation`),
because it may be made to do harm.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import xxhash

from core.base.messages import in_english, stored
from core.base.wording import printable_name, readable_size
from core.documents import recognition
from core.documents.encoding import may_be_detected
from core.documents.extraction import Failure, Piece, failure_of, read_piece
from core.documents.isolation.processes import ReaderProcesses
from core.documents.model import (
    Document,
    FoundFile,
    Problem,
    ProblemCode,
    ReadDocument,
    UnreadableError,
    modified_ns,
)
from core.documents.problems import REPLACED, from_os_error, not_a_file, why_not_a_file
from core.documents.readers import plain
from core.documents.reading_settings import ReadingLimits
from core.documents.recognition import READERS

_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_BLOCK = 1 << 20


def read_bytes(location: str, limits: ReadingLimits, real: str) -> tuple[bytes, int]:
    """All bytes of a file, and since when; it may grow or shrink meanwhile.

    Args:
        location: Where it is.
        limits: How large it may be.
        real: The path without links that it must have; "" where that does not matter.

    Raises:
        UnreadableError: NOT_A_FILE or TOO_BIG.
        OSError: It cannot be read.
    """
    descriptor = os.open(location, _OPEN_FLAGS)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableError(ProblemCode.NOT_A_FILE, why_not_a_file(status.st_mode))
        if real and not _is_at(descriptor, status, location, real):
            os.lstat(location)  # raises where it was moved away meanwhile, and no link is there
            raise UnreadableError(ProblemCode.NOT_A_FILE, REPLACED)
        return _bytes(descriptor, status.st_size, limits), modified_ns(status)
    finally:
        os.close(descriptor)


def with_either_line_ends(data: bytes) -> Iterator[bytes]:
    """A file as it is, and with each kind of line ends: version control and mail change them."""
    yield data
    lines = data.replace(b"\r\n", b"\n")
    yield lines
    yield lines.replace(b"\n", b"\r\n")


def _is_at(descriptor: int, status: os.stat_result, location: str, real: str) -> bool:
    """Whether an open file has this path without links.

    On Linux the system says what it opened, whatever is there by now; it says so too of a file that
    another one has replaced meanwhile.
    """
    try:
        opened = os.readlink(f"/proc/self/fd/{descriptor}")  # noqa: PTH115 - as fast as it goes
    except OSError:
        return os.path.realpath(location) == real and os.path.samestat(status, os.lstat(real))
    return opened.removesuffix(" (deleted)") == real.removesuffix(" (deleted)")


def _bytes(descriptor: int, size: int, limits: ReadingLimits) -> bytes:
    """All bytes of an open file; it may grow or shrink meanwhile."""
    if size > limits.file_bytes:
        raise too_big(size, limits)
    data = os.read(descriptor, size + 1)  # at once: joining blocks would hold the GIL
    if len(data) == size:
        return data
    blocks = [data]
    length = len(data)
    while block := os.read(descriptor, _BLOCK):
        blocks.append(block)
        length += len(block)
        if length > limits.file_bytes:
            raise too_big(length, limits)
    return b"".join(blocks)


@in_english()
def too_big(size: int, limits: ReadingLimits) -> UnreadableError:
    """What is raised for a file of more bytes than the limits allow."""
    limit = readable_size(limits.file_bytes)
    detail = stored(
        "This file is {size}. Files over {limit} are not read.",
        size=readable_size(size),
        limit=limit,
    )
    return UnreadableError(ProblemCode.TOO_BIG, detail, "file_bytes")


NOTHING_KNOWN: Mapping[tuple[str, str], Document] = MappingProxyType({})

Result = ReadDocument | Document | Problem

_ALONE = tuple(reader for reader in READERS if reader.read and reader.parts is None)


def read_file(
    found: FoundFile,
    processes: ReaderProcesses,
    *,
    known: Mapping[tuple[str, str], Document] = NOTHING_KNOWN,
    unchanged: Sequence[Document] = (),
) -> Iterator[Result]:
    """Read a file as it is now: the text of every document in it, and what is known of each.

    Safe to call from several threads at a time.

    Args:
        found: The file.
        processes: Read what is not plain text at first sight, and know the limits.
        known: Documents whose text is known, by the hash of their bytes and the kind of their
            reader. A file that is one of them becomes a `Document` without its text.
        unchanged: The documents in a container that is as it was; given back unless it is an
            archive that is not opened any more.
    """
    file = found
    try:
        data, modified_ns = read_bytes(found.location, processes.settings.limits, found.real)
        sha256 = hashlib.sha256(data).hexdigest()
        file = FoundFile(found.location, found.name, len(data), modified_ns, sha256)
        results = _documents_in(data, file, processes, known, unchanged)
        del data
        yield from results
    except UnreadableError as error:
        yield Problem(file.name, error.code, error.detail, error.limit, file.sha256)
    except OSError as error:
        if error.errno == errno.ENXIO:  # what opening a socket gives
            yield not_a_file(file.name, stat.S_IFSOCK)
        else:
            yield from_os_error(file.name, error)
    except MemoryError as error:
        yield _result(file, failure_of(error, ""))


def _documents_in(
    data: bytes,
    file: FoundFile,
    processes: ReaderProcesses,
    known: Mapping[tuple[str, str], Document],
    unchanged: Sequence[Document],
) -> Iterator[Result]:
    """The documents in the bytes of a file, or raise."""
    recognition.refuse_empty(data)
    settings, suffix = processes.settings, suffix_of(file.location)
    if recognition.is_plain_text(data, suffix):
        yield from _plain_text(data, file, suffix, processes, known)
        return
    recognition.reject_by_signature(data, suffix, ocr=settings.ocr)
    if unchanged:
        archive = None if settings.archives else recognition.archive_by_signature(data, suffix)
        if archive is not None:
            recognition.refuse_archive(archive, inside=False)
        yield from (document._replace(sha256=file.sha256) for document in unchanged)
        return
    file_hash = xxhash.xxh3_128_hexdigest(data)
    before = _known_alone(known, file_hash, suffix, ocr=settings.ocr)
    if before is not None:
        yield _renamed(before, file, suffix, data)
        return
    results = processes.read(data, suffix, file_hash)
    del data  # it is kept only as long as the process may have to be given it again
    for result in results:
        yield _result(file, result)


def _plain_text(
    data: bytes,
    file: FoundFile,
    suffix: str,
    processes: ReaderProcesses,
    known: Mapping[tuple[str, str], Document],
) -> Iterator[Result]:
    """A file that is nothing but text: there is nothing in it that could do harm.

    Where its encoding is guessed, a process does that: the detector keeps the interpreter, for .1 s
    the first time.
    """
    file_hash = xxhash.xxh3_128_hexdigest(data)
    before = known.get((file_hash, plain.TEXT.kind))
    if before is not None:
        yield _renamed(before, file, suffix, data)
    elif len(data) <= _BLOCK and may_be_detected(data):
        yield from (_result(file, piece) for piece in processes.read(data, suffix, file_hash))
    else:
        reading = processes.reading(suffix)
        yield _result(file, read_piece(data, plain.TEXT, reading, file_hash=file_hash))


def _known_alone(
    known: Mapping[tuple[str, str], Document], file_hash: str, suffix: str, *, ocr: bool
) -> Document | None:
    """A known document with the same bytes, if it is sure that the same reader would take it.

    That depends on the bytes and the suffix. Of what has parts, all are read again.
    """
    for reader in _ALONE if known else ():
        before = known.get((file_hash, reader.kind))
        if before is not None and suffix_of(before.part or before.location) == suffix:
            return before if ocr or not reader.is_picture else None
    return None


def suffix_of(location: str) -> str:
    """The lower-case suffix of a file's name, as `Path.suffix`, which takes longer."""
    name = location[max(location.rfind("/"), location.rfind(os.sep)) + 1 :]
    dot = name.rfind(".")
    return name[dot:].lower() if 0 < dot < len(name) - 1 else ""


def _renamed(known: Document, file: FoundFile, suffix: str, data: bytes) -> Document:
    """A known document, which may be a part of a file, as another file with the same bytes."""
    before = recognition.name_remark(known.kind, suffix_of(known.part or known.location), data)
    has_them = known.remarks[: len(before)] == before  # an older version may have had fewer
    remarks = known.remarks[len(before) :] if has_them else known.remarks
    return known._replace(
        location=file.location,
        name=file.name,
        size=file.size,
        modified_ns=file.modified_ns,
        part="",
        sha256=file.sha256,
        remarks=(*recognition.name_remark(known.kind, suffix, data), *remarks),
    )


def _result(file: FoundFile, piece: Piece | Failure) -> ReadDocument | Problem:
    name = f"{file.name}/{printable_name(piece.part)}" if piece.part else file.name
    if isinstance(piece, Failure):
        return Problem(name, *piece[1:], sha256=file.sha256)
    document = Document(
        location=file.location,
        name=name,
        size=file.size,
        modified_ns=file.modified_ns,
        file_hash=piece.file_hash,
        kind=piece.kind,
        encoding=piece.encoding,
        characters=len(piece.text),
        part=piece.part,
        remarks=piece.remarks,
        sha256=file.sha256,
    )
    return ReadDocument(document, piece.text)
