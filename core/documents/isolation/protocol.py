"""What goes over the pipes between Neardup and its reader processes.

A frame is a head in JSON and a body, each after its length: the bytes of a file on the way to a
process, a text in UTF-8 on the way back. Never pickled: a reader that was taken over by the file
it reads must not be able to send code.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from dataclasses import asdict
from typing import IO, Any, NamedTuple

from core.documents.reading_settings import ReadingLimits, ReadingSettings

MAX_HEAD = 1 << 20  # bytes
_LENGTHS = struct.Struct("<QQ")
_BLOCK = 1 << 20
Read = Callable[[int], bytes]

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
