"""The bytes of a file to its documents: the file itself, its attachments, its members."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from typing import NamedTuple, TypeVar

import xxhash

from core.base.messages import N_, in_english, stored
from core.base.wording import readable_count
from core.documents.backwards import seen_forwards
from core.documents.model import ProblemCode, UnreadableError
from core.documents.properties import Properties
from core.documents.readers import Part, Reader, Reading, whole_characters
from core.documents.readers.properties import properties_of
from core.documents.reading_settings import ReadingLimits
from core.documents.recognition import name_remark, recognise, refuse_archive

_logger = logging.getLogger(__name__)

_DEPTH = 5  # a mail in a mail in a mailbox in an archive
_NAME = 1_000  # characters of the name of a part
_NAME_END = 99
_REMARKS = 20  # on one document
MAX_SENTENCE = 1_000  # characters, of a remark or a reason
MAX_REMARKS = _REMARKS + 1  # with the one that counts the others
CRASHED = N_(
    "This file could not be read: its reader crashed. The file is probably damaged. "
    "Open it in the program that made it and save it again, or save it as PDF or text."
)
MAX_PART = (_DEPTH + 1) * (_NAME + 20)  # characters of a path, with the numbers of equal names


class Piece(NamedTuple):
    """A document that was read; `part` is "" for the file itself."""

    part: str
    kind: str
    encoding: str
    file_hash: str
    text: str
    remarks: tuple[str, ...]


class Failure(NamedTuple):
    """A document that gave no text, and why."""

    part: str
    code: ProblemCode
    detail: str
    limit: str = ""


class DocumentProperties(NamedTuple):
    """The properties of a document; `part` as that of a `Piece`."""

    part: str
    properties: Properties


_Result = TypeVar("_Result")
_Take = Callable[[bytes, Reader, Reading, str], _Result]


def extract(
    data: bytes, reading: Reading, reader: Reader | None = None
) -> Iterator[Piece | Failure]:
    """Read everything in a file. Whatever goes wrong becomes a `Failure`; nothing is raised.

    Args:
        data: The bytes of the file.
        reading: How to read it, with the suffix of its name.
        reader: The one that recognises it, if that is known.
    """
    return _each(data, reading, read_piece, reader)


def extract_properties(
    data: bytes, reading: Reading, reader: Reader | None = None
) -> Iterator[DocumentProperties | Failure]:
    """The properties of each document of a file; as `extract`."""
    return _each(data, reading, _read_properties, reader)


def _each(
    data: bytes,
    reading: Reading,
    take: _Take[_Result],
    reader: Reader | None = None,
    part: str = "",
    *,
    depth: int = 0,
    archived: int = 0,
) -> Iterator[_Result | Failure]:
    """What is made of the document itself, and of those inside it.

    Args:
        data: The bytes of the file, or of a part of it.
        reading: How to read it, with the suffix of its name.
        take: What to make of each.
        reader: The one that recognises it, if that is known.
        part: Path inside the file.
        depth: In how many files it is.
        archived: In how many archives it is.
    """
    try:
        reader = reader or recognise(data, reading.suffix)
        _check_nesting(reader, reading, depth=depth, archived=archived)
    except Exception as error:  # noqa: BLE001 - a fault in a reader must cost one file only
        yield failure_of(error, part)
        return
    file_result: _Result | Failure | None = None
    is_empty = reader.read is None
    if reader.read is not None:
        file_result = take(data, reader, reading, part)
        yield file_result
    # Attachments count also where the mail itself has no text.
    for inner in _parts_of(data, reader, reading, part):
        is_empty = False
        for result in _inside(inner, reading, take, depth + 1, archived + reader.is_archive):
            if result != file_result:  # what neither can be read of is said once
                yield result
    if is_empty:
        yield Failure(part, ProblemCode.EMPTY, N_("There is no document in this file."))


def read_piece(
    data: bytes, reader: Reader, reading: Reading, part: str = "", *, file_hash: str = ""
) -> Piece | Failure:
    """Read one document, not those inside it; nothing is raised.

    Args:
        data: Its bytes.
        reader: The reader that recognises it, which has `read`.
        reading: How to read it, with the suffix of its name.
        part: Path inside the file.
        file_hash: XXH3-128 of its bytes in hexadecimal, if that is known.
    """
    try:
        text, encoding, remarks = reader.extracted(data, reading)
        if reader.isolated:
            text = whole_characters(text)
        text, turned = seen_forwards(text)
        check_text(text, reading.limits)
        remarks = (*name_remark(reader.kind, reading.suffix, data), *turned, *remarks)
        remarks = _bounded(remarks)
        file_hash = file_hash or xxhash.xxh3_128_hexdigest(data)
        return Piece(part, reader.kind, encoding, file_hash, text, remarks)
    except Exception as error:  # noqa: BLE001 - a fault in a parser must cost one document only
        return failure_of(error, part)


def _read_properties(
    data: bytes, reader: Reader, reading: Reading, part: str
) -> DocumentProperties | Failure:
    """The properties of one document; raises nothing."""
    try:
        return DocumentProperties(part, properties_of(reader.kind, data, reading))
    except Exception as error:  # noqa: BLE001 - as above
        return failure_of(error, part)


def _check_nesting(reader: Reader, reading: Reading, *, depth: int, archived: int) -> None:
    """Raise for archives that may not be opened here and for documents nested too deep."""
    # What a learning platform gives out is an archive, in which persons have put theirs.
    most = 2 if reading.submissions else 1
    if reader.is_archive and (archived >= most or not reading.archives):
        refuse_archive(reader, inside=archived > 0)
    if depth > _DEPTH:
        raise UnreadableError(
            ProblemCode.TOO_DEEP,
            "This is inside more than {number} files, one in another.",
            number=_DEPTH,
        )


def _bounded(remarks: tuple[str, ...]) -> tuple[str, ...]:
    """Remarks that a person could read, though the file may have a million occasions for one."""
    kept = tuple(_shortened(remark) for remark in remarks[:_REMARKS])
    if more := len(remarks) - len(kept):
        kept += (stored("There are {number} more remarks like these.", number=f"{more:,}"),)
    return kept


def _shortened(sentence: str) -> str:
    return sentence if len(sentence) <= MAX_SENTENCE else sentence[: MAX_SENTENCE - 1] + "…"


def check_text(text: str, limits: ReadingLimits) -> None:
    """Raise for a text that is too long, or none.

    Raises:
        UnreadableError: TOO_BIG or EMPTY.
    """
    if len(text) > limits.characters:
        raise _too_long(len(text), limits)
    if not text or text.isspace():
        raise UnreadableError(
            ProblemCode.EMPTY, "This file has no text, only white space or markup."
        )


@in_english()
def _too_long(characters: int, limits: ReadingLimits) -> UnreadableError:
    return UnreadableError(
        ProblemCode.TOO_BIG,
        "This text has {number} characters. Texts over {most} are not read: split it.",
        "characters",
        number=readable_count(characters),
        most=readable_count(limits.characters),
    )


def _inside(
    inner: Part, reading: Reading, take: _Take[_Result], depth: int, archived: int
) -> Iterator[_Result | Failure]:
    """What is made of a document in a file, and of those inside it."""
    if isinstance(inner.data, UnreadableError):
        yield failure_of(inner.data, inner.name)
    else:
        read_so = replace(reading, suffix=PurePosixPath(inner.name).suffix.lower())
        yield from _each(inner.data, read_so, take, part=inner.name, depth=depth, archived=archived)


def _parts_of(data: bytes, reader: Reader, reading: Reading, part: str) -> Iterator[Part]:
    """The parts of a file by their paths; what goes wrong on the way becomes the last of them."""
    taken: dict[str, int] = {}
    try:
        for inner in reader.parts(data, reading) if reader.parts else ():
            name = _unique(_inner_path(inner.name), taken)
            yield Part(f"{part}/{name}" if part and name else part or name, inner.data)
            reading.step()
    except Exception as error:  # noqa: BLE001 - as above
        failure = failure_of(error, "")
        yield Part(part, UnreadableError(failure.code, failure.detail, failure.limit))


def _inner_path(name: str) -> str:
    """The path of a part, which leads out of no folder, is encodable as UTF-8, and not too long."""
    name = whole_characters(name).replace("\0", "\ufffd")
    if ".." in name:
        name = "/".join(step for step in name.split("/") if step != "..")
    return name if len(name) <= _NAME else f"{name[: _NAME - 1 - _NAME_END]}…{name[-_NAME_END:]}"


def _unique(name: str, taken: dict[str, int]) -> str:
    """A name that no other part has: "a.txt", "a (2).txt".

    `taken` has for each the number it has come to: of many alike, none is tried again.
    """
    folder, slash, last = name.rpartition("/")
    stem, dot, suffix = last.rpartition(".")
    number, unique = taken.get(name, 1), name
    while unique in taken:
        number += 1
        numbered = f"{stem} ({number}).{suffix}" if stem and dot else f"{last} ({number})"
        unique = folder + slash + numbered
    taken[name] = number
    taken.setdefault(unique, 1)
    return unique


def failure_of(error: Exception, part: str) -> Failure:
    """What an exception of a reader means for the document."""
    if isinstance(error, UnreadableError):
        return Failure(part, error.code, _shortened(error.detail), error.limit)
    if isinstance(error, MemoryError):
        detail = N_(
            "There was not enough memory to read this file. If you trust it, raise the limit "
            "in the settings, or close other programs, and retry."
        )
        return Failure(part, ProblemCode.OUT_OF_MEMORY, detail, "memory_bytes")
    if isinstance(error, RecursionError):
        return Failure(
            part, ProblemCode.TOO_DEEP, N_("The elements of this file are nested too deeply.")
        )
    _logger.warning("Reading failed", exc_info=error)
    return Failure(part, ProblemCode.FAILED, CRASHED)
