"""One file to its documents. Whatever goes wrong with one becomes a `Problem`; nothing is raised.

Plain text is read here, on the thread that asks. Every other format is read in a process of its
own (`core.documents.isolation`), because its file may be made to do harm.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import xxhash

from core.documents.extraction import Failure, Piece, failure_of, read_piece
from core.documents.isolation import ReaderProcesses
from core.documents.model import Document, FoundFile, Problem, ReadDocument
from core.documents.names import printable_name
from core.documents.opening import read_bytes
from core.documents.problems import from_os_error, not_a_file
from core.documents.readers import UnreadableError
from core.documents.readers.picture import unasked
from core.documents.recognition import name_remark, recognise, refuse_archive
from core.progress import Cancelled, never

__all__ = ["NOTHING_KNOWN", "read_file"]

NOTHING_KNOWN: Mapping[tuple[str, str], Document] = MappingProxyType({})

Result = ReadDocument | Document | Problem


def read_file(
    found: FoundFile,
    processes: ReaderProcesses,
    *,
    known: Mapping[tuple[str, str], Document] = NOTHING_KNOWN,
    unchanged: Sequence[Document] = (),
    cancelled: Cancelled = never,
) -> Iterator[Result]:
    """Read a file as it is now: the text of every document in it, and what is known of each.

    Safe to call from several threads at a time.

    Args:
        found: The file.
        processes: Read what is no plain text, and know the limits.
        known: Documents whose text is known, by the hash of their bytes and the kind of their
            reader. A file that is one of them becomes a `Document` without its text.
        unchanged: The documents in a container that is as it was; given back unless it is an
            archive that is not opened any more.
        cancelled: Polled while a process reads.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    try:
        yield from _read(found, processes, known, unchanged, cancelled)
    except UnreadableError as error:
        yield Problem(found.name, error.code, error.detail)
    except OSError as error:
        if error.errno == errno.ENXIO:  # what opening a socket gives
            yield not_a_file(found.name, stat.S_IFSOCK)
        else:
            yield from_os_error(found.name, error)
    except MemoryError as error:
        yield _problem(found, failure_of(error, ""))


def _read(
    found: FoundFile,
    processes: ReaderProcesses,
    known: Mapping[tuple[str, str], Document],
    unchanged: Sequence[Document],
    cancelled: Cancelled,
) -> Iterator[Result]:
    """Read a file, or raise."""
    settings = processes.settings
    data, modified_ns = read_bytes(found.location, settings.limits)
    suffix = suffix_of(found.location)
    reader = recognise(data, suffix)
    if reader.is_archive and not settings.archives:
        refuse_archive(reader, inside=False)
    if reader.is_picture and not settings.ocr:
        raise unasked()  # before a process reads it
    if unchanged:
        yield from unchanged
        return
    file = FoundFile(found.location, found.name, len(data), modified_ns)
    file_hash = xxhash.xxh3_128_hexdigest(data)
    if reader.parts is None and (file_hash, reader.kind) in known:
        yield _renamed(known[file_hash, reader.kind], file, suffix)
        return
    results: Iterable[Piece | Failure]
    if reader.isolated:
        may_be_scanned = reader.kind == "pdf" or reader.is_picture or reader.parts is not None
        results = processes.read(data, suffix, file_hash, cancelled, may_be_scanned=may_be_scanned)
    else:
        results = (read_piece(data, reader, processes.reading(suffix), file_hash=file_hash),)
    for result in results:
        yield _document(file, result) if isinstance(result, Piece) else _problem(file, result)


def suffix_of(location: str) -> str:
    """The lower-case suffix of a file's name, as `Path.suffix`, which takes longer."""
    name = location[max(location.rfind("/"), location.rfind(os.sep)) + 1 :]
    dot = name.rfind(".")
    return name[dot:].lower() if 0 < dot < len(name) - 1 else ""


def _renamed(known: Document, file: FoundFile, suffix: str) -> Document:
    """A known document, which may be a part of a file, as another file with the same bytes."""
    before = name_remark(known.kind, suffix_of(known.part or str(known.path)))
    return replace(
        known,
        path=file.path,
        name=file.name,
        size=file.size,
        modified_ns=file.modified_ns,
        part="",
        remarks=(*name_remark(known.kind, suffix), *known.remarks[len(before) :]),
    )


def _document(file: FoundFile, piece: Piece) -> ReadDocument:
    document = Document(
        path=file.path,
        name=_name(file, piece.part),
        size=file.size,
        modified_ns=file.modified_ns,
        file_hash=piece.file_hash,
        kind=piece.kind,
        encoding=piece.encoding,
        characters=len(piece.text),
        part=piece.part,
        remarks=piece.remarks,
    )
    return ReadDocument(document, piece.text)


def _problem(file: FoundFile, failure: Failure) -> Problem:
    return Problem(_name(file, failure.part), failure.code, failure.detail)


def _name(file: FoundFile, part: str) -> str:
    """What the user sees of a document, or of a part of one."""
    return f"{file.name}/{printable_name(part)}" if part else file.name
