"""A reader process that does what its file says: it hangs, swells, exits, floods and lies.

It takes the place of the true one, speaks the same frames, and reads no file: the bytes that it is
given are the name of what it does with them, in `ORDERS`, or are sent back as their own text.
"""

import json
import os
import struct
import sys
import time
from collections.abc import Callable
from typing import Any

import xxhash

INPUT, OUTPUT = sys.stdin.buffer, sys.stdout.buffer
DONE = "done"
COPIED = b"The lamp was lit at dusk, and put out at dawn."  # what is in somebody else's file
KNOWN = {"part": "", "kind": "rtf", "encoding": "", "file_hash": "0" * 32, "remarks": []}
REFUSED = {"part": "", "code": "damaged", "detail": "It is.", "limit": ""}
TASK = {"task": ""}  # of the file that is read
KEPT: list[bytearray] = []


def send(head: object, body: bytes = b"", *, sizes: tuple[int, int] | None = None) -> None:
    """Send a message, whatever it is."""
    raw = head if isinstance(head, bytes) else json.dumps(head).encode()
    OUTPUT.write(struct.pack("<QQ", *(sizes or (len(raw), len(body)))) + raw + body)
    OUTPUT.flush()


def piece(text: bytes = b"text", **values: Any) -> None:
    """Send a document, in which some things are not as they should be."""
    send({"is": "piece", **TASK, **KNOWN, **values}, text)


def failure(**values: Any) -> None:
    """Send why there is no document, likewise."""
    send({"is": "failure", **TASK, **REFUSED, **values})


def step() -> None:
    """Send a sign of life."""
    send({"is": "step", **TASK})


def end() -> None:
    """Send that this file has no more parts."""
    send({"is": "end", **TASK})


def hang() -> None:
    """Do nothing any more."""
    time.sleep(3600)


def swell() -> None:
    """Take all memory."""
    while True:
        KEPT.append(bytearray(os.urandom(1 << 20)) * 8)
        time.sleep(0.01)


def forever(send_piece: Callable[[], object]) -> Callable[[], None]:
    """Send messages without an end."""

    def flood() -> None:
        while True:
            send_piece()

    return flood


def exit_within(written: bytes) -> Callable[[], None]:
    """Exit in the middle of a message."""

    def leave() -> None:
        OUTPUT.write(written)
        OUTPUT.flush()
        os._exit(0)

    return leave


def leave_a_child() -> None:
    """Exit, and leave somebody who holds the pipes, in a group of nobody's."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
    os._exit(0)


def close_output() -> None:
    """Go on without ever answering again."""
    os.close(OUTPUT.fileno())
    hang()


def after_end(send_piece: Callable[[], object]) -> Callable[[], None]:
    """Read this file as asked, and send something more."""

    def go_on() -> None:
        piece(DONE.encode())
        end()
        send_piece()

    return go_on


def be_deaf() -> None:
    """Read this file as asked, and never take another."""
    piece(DONE.encode())
    end()
    hang()


def forge() -> None:
    """Give a part with the hash of another user's file a different text."""
    file_hash = xxhash.xxh3_128_hexdigest(COPIED)
    piece(COPIED[::-1], part="a.txt", kind="text", encoding="utf-8", file_hash=file_hash)


ESCAPE = "leave a child"
FORGE = "say that a part is another file"
ORDERS: dict[str, Callable[[], object]] = {
    ESCAPE: leave_a_child,
    FORGE: forge,
    "hang": hang,
    "swell": swell,
    "exit": lambda: os._exit(3),
    "exit in the lengths": exit_within(b"\x10\0\0"),
    "exit in the head": exit_within(struct.pack("<QQ", 100, 0) + b'{"is": '),
    "exit in the text": exit_within(struct.pack("<QQ", 2, 1 << 20) + b"{}abc"),
    "close its output": close_output,
    "flood signs of life": forever(step),
    "flood documents": forever(lambda: piece(part="a.txt")),
    "flood problems": forever(lambda: failure(part="a.txt")),
    "flood texts": forever(lambda: piece(b"word " * 200_000, part="a.txt")),
    "flood unknown messages": forever(lambda: send({"is": "nothing", **TASK})),
    "say ready again": lambda: send({"is": "ready"}),
    "huge head": lambda: send(b"", sizes=(1 << 62, 0)),
    "huge text": lambda: send(b"{}", sizes=(2, 1 << 62)),
    "negative lengths": lambda: send(b"", sizes=((1 << 64) - 1, (1 << 64) - 1)),
    "deep JSON": lambda: send(b"[" * 900_000),
    "deep objects": lambda: send(b'{"is":' * 150_000),
    "huge number": lambda: send(b'{"is": ' + b"9" * 900_000 + b"}"),
    "no object": lambda: send([1, 2, 3]),
    "no JSON": lambda: send(b"\xff\xfe\0"),
    "empty object": lambda: send({}),
    "unknown message": lambda: send({"is": "nothing", **TASK}),
    "message without a task": lambda: send({"is": "piece", **KNOWN}, b"text"),
    "message of another task": lambda: piece(task="0" * 16),
    "unknown kind recognised": lambda: send({"is": "recognised", **TASK, "kind": "exe"}),
    "recognised again": lambda: send({"is": "recognised", **TASK, "kind": "rtf"}),
    "list as the kind recognised": lambda: send({"is": "recognised", **TASK, "kind": []}),
    "unknown kind": lambda: piece(kind="exe"),
    "kind that has no text": lambda: piece(kind="zip"),
    "number as kind": lambda: piece(kind=7),
    "object as kind": lambda: piece(kind={}),
    "unknown code": lambda: failure(code="fine"),
    "code of the main process": lambda: failure(code="no_permission"),
    "list as code": lambda: failure(code=["damaged"]),
    "nothing as detail": lambda: failure(detail=None),
    "endless detail": lambda: failure(detail="No. " * 10_000),
    "unknown limit": lambda: failure(code="too_big", limit="passwords"),
    "list as limit": lambda: failure(code="too_big", limit=["seconds"]),
    "text with a problem": lambda: send({"is": "failure", **TASK, **REFUSED}, b"text"),
    "part that leads out": lambda: piece(part="../../etc/passwd"),
    "part that leads out inside": lambda: piece(part="a/../../b.txt"),
    "part with NUL": lambda: piece(part="a\0b"),
    "part with half a character": lambda: piece(part="\ud800"),
    "endless part": lambda: piece(part="a" * 100_000),
    "number as part": lambda: piece(part=-1),
    "encoding with a command": lambda: piece(encoding="\x1b[2J"),
    "endless encoding": lambda: piece(encoding="a" * 1000),
    "false hash": lambda: piece(file_hash="../x"),
    "negative hash": lambda: piece(file_hash=-1),
    "text as remarks": lambda: piece(remarks="It is."),
    "number as a remark": lambda: piece(remarks=[1]),
    "too many remarks": lambda: piece(remarks=["It is."] * 1000),
    "endless remark": lambda: piece(remarks=["It is. " * 10_000]),
    "more than is known": lambda: piece(path="/etc/passwd"),
    "length of the text": lambda: piece(characters=-1),
    "less than is known": lambda: send({"is": "piece", **TASK, "part": ""}, b"text"),
    "no UTF-8": lambda: piece(b"\xff\xff"),
    "half a character": lambda: piece("\ud800".encode("utf-8", "surrogatepass")),
    "no text": lambda: piece(b""),
    "long text": lambda: piece(b"a" * 2_000_001),
    "end twice": after_end(end),
    "document after the end": after_end(piece),
    "text for the next file": after_end(lambda: piece(b"lie", task="next")),
    "nonsense after the end": after_end(lambda: send(b"[")),
    "lengths after the end": after_end(exit_within(b"\x10\0\0")),
    "deaf after the end": be_deaf,
    "exit after the end": after_end(lambda: os._exit(1)),
    "commands in a remark": lambda: (piece(DONE.encode(), remarks=["\x1b[2J\u202eIt is."]), end()),
    "commands in a detail": lambda: (failure(detail="\x1b]0;x\x07It is.\nYes."), end()),
}


def main(before: bytes = b"") -> None:
    """Do what files say until there are no more.

    Args:
        before: What is sent before the first task has come.
    """
    send({"is": "ready"})
    if before:
        OUTPUT.write(before)
        OUTPUT.flush()
    while lengths := INPUT.read(16):
        head, body = struct.unpack("<QQ", lengths)
        TASK["task"] = json.loads(INPUT.read(head))["number"]
        data = INPUT.read(body)
        send({"is": "recognised", **TASK, "kind": "rtf"})
        if order := ORDERS.get(data[:100].decode("utf-8", "replace").strip()):
            order()
        else:
            piece(data)
        end()
