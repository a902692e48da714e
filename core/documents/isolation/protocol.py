"""What goes over the pipes between Neardup and its reader processes, and what of it is believed.

A frame is a head in JSON and a body, each after its length: the bytes of a file on the way to a
process, a text in UTF-8 on the way back. Never pickled: a reader that was taken over by the file
it reads must not be able to send code. Its answer is believed only as far as a reader could give
it, and whatever no reader says is taken for a crash.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from typing import IO, Any, NamedTuple, TypeVar

from core.base.patterns import lazy_pattern
from core.documents.extraction import (
    MAX_PART,
    MAX_REMARKS,
    MAX_SENTENCE,
    DocumentProperties,
    Failure,
    Piece,
)
from core.documents.model import ProblemCode, UnreadableError
from core.documents.properties import MOST_BYTES, checked
from core.documents.readers import Reader, whole_characters
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.documents.recognition import reader_of

MAX_HEAD = 1 << 20  # bytes
_LENGTHS = struct.Struct("<QQ")
_BLOCK = 1 << 20
Read = Callable[[int], bytes]
_Result = TypeVar("_Result")

# Said to the program of a process that may start Tesseract; said by any other of a file for that.
SCANS = "scans"


class Task(NamedTuple):
    """A file to read. Where it is the process is not told: it never opens a file of the user's.

    Attributes:
        number: At random; answers repeat it. A process that was taken over by a file cannot answer
            for another one before that is there.
        suffix: Lower-case suffix of its name; bytes that are no UTF-8 are surrogates, which JSON
            can carry.
        settings: How to read it.
        properties: What the file tells besides its text is wanted, not its text.
    """

    number: str
    suffix: str
    settings: ReadingSettings
    properties: bool = False

    def values(self) -> dict[str, Any]:
        """The task as JSON values."""
        return {**self._asdict(), "settings": asdict(self.settings)}

    @staticmethod
    def from_values(values: dict[str, Any]) -> Task:
        """The task again."""
        settings = dict(values["settings"])
        settings["limits"] = ReadingLimits(**settings["limits"])
        settings["passwords"] = tuple(settings["passwords"])
        return Task(**{**values, "settings": ReadingSettings(**settings)})


class Frame(NamedTuple):
    """A message: what it says, and the file or the text that it brings."""

    head: dict[str, Any]
    body: bytes | bytearray = b""


def packed_head(frame: Frame) -> bytes:
    """A message without its body, which follows."""
    head = json.dumps(frame.head).encode("ascii")
    return _LENGTHS.pack(len(head), len(frame.body)) + head


def write_frame(stream: IO[bytes], frame: Frame) -> None:
    """Send a message."""
    stream.write(packed_head(frame))
    stream.write(frame.body)
    stream.flush()


def read_frame(read: Read, max_body: int) -> Frame | None:
    """The next message; None at the end of the stream.

    Args:
        read: Gives some bytes, at most so many; none at the end.
        max_body: Most bytes of a body; a longer one is refused.

    Raises:
        ValueError: This is no message; RecursionError and TypeError also mean that.
    """
    begun = read_head(read, max_body, MAX_HEAD)
    if begun is None:
        return None
    head, size = begun
    body = _exactly(read, size)
    return None if body is None else Frame(head, body)


def read_head(read: Read, max_body: int, max_head: int) -> tuple[dict[str, Any], int] | None:
    """What the next message says, and the bytes of its body, which follows; None at the end.

    Raises:
        ValueError: As of `read_frame`.
    """
    lengths = _exactly(read, _LENGTHS.size)
    if lengths is None:
        return None
    head_size, body_size = _LENGTHS.unpack(lengths)
    if head_size > max_head or body_size > max_body:
        raise ValueError("A reader process sent a message that is too long.")
    head = _exactly(read, head_size)
    if head is None:
        return None
    values = json.loads(head)
    if not isinstance(values, dict):
        raise TypeError("A reader process sent a message without a head.")
    return values, body_size


def read_body(stream: IO[bytes], size: int) -> bytes | None:
    """The body of a message from a trusted sender; None where the stream ends early.

    Raises:
        MemoryError: There is no room for it; it was skipped.
    """
    try:
        body = stream.read(size)  # at once, so that it is there only once
    except MemoryError:
        while size and (block := stream.read(min(size, _BLOCK))):
            size -= len(block)
        raise
    return body if len(body) == size else None


def _exactly(read: Read, size: int) -> bytearray | None:
    """This many bytes, allocated as they arrive; None where the stream ends early."""
    data = bytearray()
    while len(data) < size:
        block = read(min(size - len(data), _BLOCK))
        if not block:
            return None
        data += block
    return data


def answer_of(result: Piece | DocumentProperties | Failure) -> Frame:
    """What a process sends of a document."""
    values = result._asdict()
    if isinstance(result, DocumentProperties):
        body = json.dumps(values.pop("properties"))
        return Frame({"is": "properties", **values}, body.encode())
    if isinstance(result, Piece):
        body = values.pop("text")
        return Frame({"is": "piece", **values}, body.encode())
    return Frame({"is": "failure", **values})


_PIECE = frozenset({"is", "task", "part", "kind", "encoding", "file_hash", "remarks"})
_FAILURE = frozenset({"is", "task", "part", "code", "detail", "limit"})
# Of files, and of processes: nothing that a reader finds out.
_UNSAID = frozenset(
    {
        *(ProblemCode.TIMEOUT, ProblemCode.CRASH, ProblemCode.NOT_A_FILE, ProblemCode.NO_WORDS),
        *(ProblemCode.NO_PERMISSION, ProblemCode.VANISHED),
    }
)
_LIMITS = {"", *(limit.name for limit in fields(ReadingLimits))}
_CODES = {str(code): code for code in ProblemCode if code not in _UNSAID}
_ENCODING = lazy_pattern(r"[A-Za-z0-9_.:+-]{0,40}(?: \(damaged\))?")
_HASH = lazy_pattern(r"[0-9a-f]{32}")
# What is no part of a sentence: it could move the cursor of a terminal, or turn round what follows.
_UNPRINTABLE = lazy_pattern(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def nonsense() -> UnreadableError:
    """The failure of a file whose reader violated the protocol."""
    return UnreadableError(
        ProblemCode.CRASH,
        "This file could not be read: its reader gave a nonsensical answer. Save the file again.",
    )


def reader_named(kind: object) -> Reader:
    """The reader of a kind.

    Raises:
        UnreadableError: CRASH: there is none.
    """
    reader = reader_of(kind) if isinstance(kind, str) else None
    if reader is None:
        raise nonsense()
    return reader


def believed(frame: Frame, take: Callable[[Frame], _Result]) -> _Result | Failure:
    """The document that a process sent, as `take` has it, or why there is none.

    Raises:
        UnreadableError: CRASH: no reader could say that.
    """
    try:
        return _failure(frame) if frame.head["is"] == "failure" else take(frame)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise nonsense() from error


def _failure(frame: Frame) -> Failure:
    values = frame.head
    _check(values.keys() == _FAILURE and not frame.body)
    _check(values["limit"] in _LIMITS)
    code, detail = _CODES[values["code"]], _sentence(values["detail"])
    return Failure(_part(values), code, detail, values["limit"])


def piece_in(frame: Frame, limits: ReadingLimits) -> Piece:
    """The text of a document; raises what `believed` takes for nonsense."""
    values = frame.head
    _check(values.keys() == _PIECE and values["is"] == "piece")
    remarks = values["remarks"]
    _check(isinstance(remarks, list) and len(remarks) <= MAX_REMARKS)
    _check(reader_named(values["kind"]).read is not None)
    _check(_HASH.fullmatch(values["file_hash"]) is not None)
    _check(_ENCODING.fullmatch(values["encoding"]) is not None)
    text = frame.body.decode()
    _check(0 < len(text) <= limits.characters)
    return Piece(
        part=_part(values),
        kind=values["kind"],
        encoding=values["encoding"],
        file_hash=_bound(values["file_hash"], frame.body),
        text=text,
        remarks=tuple(map(_sentence, remarks)),
    )


def properties_in(frame: Frame) -> DocumentProperties:
    """The properties of a document; raises as `piece_in`."""
    _check(frame.head.keys() == {"is", "task", "part"} and frame.head["is"] == "properties")
    _check(len(frame.body) <= MOST_BYTES)
    return DocumentProperties(_part(frame.head), checked(json.loads(frame.body)))


def _bound(claimed: str, text: bytes | bytearray) -> str:
    """What stands for the bytes of a part, which only the process has seen.

    It depends on the text as well: a process that names the bytes of another document and gives
    another text for them must not have that text taken for that document's.
    """
    bound = hashlib.blake2b(bytes.fromhex(claimed), digest_size=16)
    bound.update(text)
    return bound.hexdigest()


def _part(values: Mapping[str, Any]) -> str:
    """Path inside the file: it leads nowhere else."""
    part = values["part"]
    _check(isinstance(part, str) and len(part) <= MAX_PART)
    _check(".." not in part.split("/") and "\0" not in part and whole_characters(part) == part)
    return str(part)


def _sentence(value: object) -> str:
    """A sentence for the user, on one line."""
    if not isinstance(value, str) or len(value) > MAX_SENTENCE:
        raise TypeError("no sentence")
    return _UNPRINTABLE.sub("\ufffd", value)


def _check(holds: object) -> None:
    if not holds:
        raise ValueError("no reader says that")
