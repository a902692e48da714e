"""One file to text. Whatever goes wrong with it becomes a `Problem`; nothing is raised."""

from __future__ import annotations

import errno
import logging
import os
import stat
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import xxhash

from core.documents.formats import refuse_foreign
from core.documents.limits import DEFAULT_LIMITS, Limits
from core.documents.model import Document, FoundFile, Problem, ProblemCode, ReadDocument
from core.documents.names import readable_count, readable_size
from core.documents.problems import from_os_error, not_a_file
from core.documents.readers import Reading, UnreadableError, reader_for

__all__ = ["read_document"]

_logger = logging.getLogger(__name__)

# Opening never waits (for the writer of a named pipe) and never takes over a terminal.
_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_BLOCK = 1 << 20
NOTHING_KNOWN: Mapping[tuple[str, str], Document] = MappingProxyType({})


def read_document(
    found: FoundFile,
    limits: Limits = DEFAULT_LIMITS,
    *,
    known: Mapping[tuple[str, str], Document] = NOTHING_KNOWN,
) -> ReadDocument | Document | Problem:
    """Read a file as it is now: its text, its identity, and what is known of it.

    Safe to call from several threads at a time.

    Args:
        found: The file.
        limits: What is too big to be read.
        known: Documents whose text is known, by the hash of their bytes and the kind of their
            reader. A file that is one of them becomes a `Document` without its text.
    """
    try:
        return _read(found, limits, known)
    except UnreadableError as error:
        return Problem(found.name, error.code, error.detail)
    except OSError as error:
        if error.errno == errno.ENXIO:  # what opening a socket gives
            return not_a_file(found.name, stat.S_IFSOCK)
        return from_os_error(found.name, error)
    except MemoryError:
        detail = "There was not enough memory to read this file. Close other programs and retry."
        return Problem(found.name, ProblemCode.FAILED, detail)
    except Exception as error:  # a fault in a parser must cost one document only
        _logger.warning("Reading %s failed", found.name, exc_info=True)
        detail = f"This file could not be read: its reader failed with {type(error).__name__}."
        return Problem(found.name, ProblemCode.FAILED, detail)


def _read(
    found: FoundFile, limits: Limits, known: Mapping[tuple[str, str], Document]
) -> ReadDocument | Document | Problem:
    """Read a file, or raise."""
    descriptor = os.open(found.location, _OPEN_FLAGS)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return not_a_file(found.name, status.st_mode)
        data = _bytes(descriptor, status.st_size, limits)
    finally:
        os.close(descriptor)
    if not data:
        raise UnreadableError(ProblemCode.EMPTY, "This file is empty: it has 0 bytes.")
    file_hash = xxhash.xxh3_128_hexdigest(data)
    refuse_foreign(data)
    reader = reader_for(data, found.path.suffix.lower())
    if (file_hash, reader.kind) in known:
        return replace(
            known[file_hash, reader.kind],
            path=found.path,
            name=found.name,
            modified_ns=status.st_mtime_ns,
        )
    if reader.read is None:
        raise UnreadableError(ProblemCode.UNSUPPORTED, f"This is {reader.label}.")
    text, encoding, remarks = reader.read(data, Reading(limits=limits))
    _check_text(text, limits)
    document = Document(
        path=found.path,
        name=found.name,
        size=len(data),
        modified_ns=status.st_mtime_ns,
        file_hash=file_hash,
        kind=reader.kind,
        encoding=encoding,
        characters=len(text),
        remarks=remarks,
    )
    return ReadDocument(document, text)


def _bytes(descriptor: int, size: int, limits: Limits) -> bytes:
    """All bytes of an open file; it may grow or shrink meanwhile."""
    if size > limits.file_bytes:
        raise _too_big(size, limits)
    data = os.read(descriptor, size + 1)  # at once: joining blocks would hold the GIL
    if len(data) == size:
        return data
    blocks = [data]
    length = len(data)
    while block := os.read(descriptor, _BLOCK):
        blocks.append(block)
        length += len(block)
        if length > limits.file_bytes:
            raise _too_big(length, limits)
    return b"".join(blocks)


def _too_big(size: int, limits: Limits) -> UnreadableError:
    limit = readable_size(limits.file_bytes)
    detail = f"This file is {readable_size(size)}. Files over {limit} are not read."
    return UnreadableError(ProblemCode.TOO_BIG, detail)


def _check_text(text: str, limits: Limits) -> None:
    """Raise for a text that is too long, or none."""
    if len(text) > limits.characters:
        count, limit = readable_count(len(text)), readable_count(limits.characters)
        detail = f"This text has {count} characters. Texts over {limit} are not read: split it."
        raise UnreadableError(ProblemCode.TOO_BIG, detail)
    if not text or text.isspace():
        detail = "There is no text in this file, only white space or markup."
        raise UnreadableError(ProblemCode.EMPTY, detail)
