"""The pipe through which a reader process answers."""

from __future__ import annotations

import io
import os
import select
import sys
import threading
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer as Buffer

_POLL = 50  # milliseconds between two looks at whether anybody still waits
_BUFFER = 1 << 16


def answers_from(stream: IO[bytes], gone: threading.Event) -> IO[bytes]:
    """The same stream, which also ends as soon as the process is gone.

    What the process started may have left its group and hold the pipe open for ever.

    Args:
        stream: The reading end of the pipe.
        gone: Set when the process has been killed.
    """
    if sys.platform == "win32":  # nothing there waits for a pipe for a while only
        return stream
    return io.BufferedReader(_Pipe(stream.fileno(), gone), _BUFFER)


class _Pipe(io.RawIOBase):
    """Reads while there is anybody who waits."""

    def __init__(self, descriptor: int, gone: threading.Event) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._gone = gone
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        """Fill a buffer as far as there is something; 0 at the end."""
        while not self._gone.is_set():
            if self._poll.poll(_POLL):
                return os.readv(self._descriptor, [buffer])
        return 0
