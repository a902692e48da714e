"""The pipe through which a reader process is given files."""

from __future__ import annotations

import contextlib
import os
import queue
import select
import sys
import threading
from typing import IO

from core.documents.isolation.protocol import Frame, packed_head

_BLOCK = 1 << 20
_POLL = 50  # milliseconds between two looks at whether anybody still waits
_END_SECONDS = 60  # for a thread of Windows to see that the process is gone


class TaskPipe:
    """Writes to a process, on a thread of its own: one that does not read holds up no other.

    What is written is not copied, and not kept once it is written.

    Args:
        stream: The writing end of the pipe.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._descriptor = stream.fileno()
        self._frames: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()
        self._closed = threading.Event()
        if sys.platform != "win32":  # where writing ends as soon as the process is killed
            os.set_blocking(self._descriptor, False)
        self._thread = threading.Thread(target=self._run, daemon=True, name="neardup-tasks")
        self._thread.start()

    def send(self, frame: Frame) -> None:
        """Have a message written; whether it arrives is seen from the answers."""
        self._frames.put(frame)

    def close(self) -> None:
        """Stop writing, also in the middle of a message. The process has been killed before."""
        self._closed.set()
        self._frames.put(None)
        self._thread.join(_END_SECONDS)
        if not self._thread.is_alive():
            with contextlib.suppress(OSError):
                self._stream.close()

    def _run(self) -> None:
        with contextlib.suppress(OSError):  # the process is gone, as its answers tell as well
            while self._pass_on(self._frames.get()):
                pass

    def _pass_on(self, frame: Frame | None) -> bool:
        if frame is not None:
            self._write(packed_head(frame))
            self._write(frame.body)
        return frame is not None and not self._closed.is_set()

    def _write(self, data: bytes | bytearray) -> None:
        rest = memoryview(data)
        while rest and not self._closed.is_set():
            try:
                rest = rest[os.write(self._descriptor, rest[:_BLOCK]) :]
            except BlockingIOError:
                self._wait()

    def _wait(self) -> None:
        if sys.platform != "win32":
            room = select.poll()
            room.register(self._descriptor, select.POLLOUT)
            room.poll(_POLL)
