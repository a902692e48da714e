"""What goes over the pipe between Neardup and its reader processes.

A frame is a head in JSON and a text in UTF-8, each after its length. Never pickled: a reader that
was taken over by the file it reads must not be able to send code.
"""

from __future__ import annotations

import json
import struct
from typing import IO, Any, NamedTuple

__all__ = ["MAX_HEAD", "Frame", "read_frame", "write_frame"]

MAX_HEAD = 1 << 20  # bytes
_LENGTHS = struct.Struct("<QQ")
_BLOCK = 1 << 20


class Frame(NamedTuple):
    """A message: what it says, and the text of a document where it brings one."""

    head: dict[str, Any]
    text: str = ""


def write_frame(stream: IO[bytes], frame: Frame) -> None:
    """Send a message."""
    head = json.dumps(frame.head).encode("ascii")
    text = frame.text.encode("utf-8", "surrogatepass")
    stream.write(_LENGTHS.pack(len(head), len(text)))
    stream.write(head)
    stream.write(text)
    stream.flush()


def read_frame(stream: IO[bytes], max_text: int, max_head: int = MAX_HEAD) -> Frame | None:
    """The next message; None at the end of the stream.

    Args:
        stream: Where it comes from.
        max_text: Bytes of a text; whoever sends more is not believed.
        max_head: Bytes of a head, as above.

    Raises:
        ValueError: This is no message; RecursionError and TypeError also mean that.
    """
    lengths = _exactly(stream, _LENGTHS.size)
    if lengths is None:
        return None
    head_size, text_size = _LENGTHS.unpack(lengths)
    if head_size > max_head or text_size > max_text:
        raise ValueError("A reader process sent a message that is too long.")
    head, text = _exactly(stream, head_size), _exactly(stream, text_size)
    if head is None or text is None:
        return None
    values = json.loads(head)
    if not isinstance(values, dict):
        raise TypeError("A reader process sent a message without a head.")
    return Frame(values, text.decode("utf-8", "surrogatepass"))


def _exactly(stream: IO[bytes], size: int) -> bytes | None:
    """So many bytes; None where the stream ends before."""
    blocks = []
    while size:
        block = stream.read(min(size, _BLOCK))
        if not block:
            return None
        blocks.append(block)
        size -= len(block)
    return b"".join(blocks)
