"""A reader process: it reads one file after the other, as it is told through a pipe.

It must not load more than readers need: nothing here may import NumPy or the engine.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from typing import IO, Any, NoReturn

import xxhash

from core.documents.extraction import Failure, Piece, extract, failure_of
from core.documents.isolation.frames import Frame, read_frame, write_frame
from core.documents.isolation.rlimits import limit_cpu, limit_process
from core.documents.isolation.tasks import Task
from core.documents.model import ProblemCode
from core.documents.opening import read_bytes
from core.documents.problems import from_os_error
from core.documents.readers import UnreadableError
from core.documents.readers.base import reading_of

__all__ = ["main"]

_STEP_SECONDS = 0.25  # between two signs of life


def main() -> None:
    """Read files until the pipe closes."""
    answers = _private_output()
    tasks = sys.stdin.buffer
    write_frame(answers, Frame({"is": "ready"}))
    pending = _Pending(tasks)
    while True:
        _serve(pending.next(), answers)


def _end() -> NoReturn:
    """End this process and what it started, whatever they do."""
    if sys.platform != "win32" and os.getpgrp() == os.getpid():  # a group of its own
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _private_output() -> IO[bytes]:
    """The pipe to Neardup, out of the reach of libraries that print to standard output."""
    private = os.dup(sys.stdout.fileno())
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return os.fdopen(private, "wb")


class _Pending:
    """Tasks from the pipe, read on a thread, so that its end ends this process at any time.

    Whoever started this process may be killed; a reader that hangs would stay for ever.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._arrived = threading.Condition()
        self._tasks: list[Task] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def next(self) -> Task:
        """The next task; waits for it."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._tasks)
            return self._tasks.pop(0)

    def _listen(self) -> None:
        with contextlib.suppress(Exception):
            # Neardup is believed, and passwords may be many.
            while (frame := read_frame(self._stream, 0, sys.maxsize)) is not None:
                with self._arrived:
                    self._tasks.append(Task.from_values(frame.head))
                    self._arrived.notify()
        _end()


class _Answers:
    """Sends documents and signs of life."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._last = time.monotonic()

    def step(self) -> None:
        """Tell that the reader has got on."""
        now = time.monotonic()
        if now - self._last >= _STEP_SECONDS:
            self._last = now
            self.send({"is": "step"})

    def give(self, result: Piece | Failure) -> None:
        """Send a document, or why there is none."""
        values = result._asdict()
        if isinstance(result, Piece):
            self.send({"is": "piece", **values, "text": ""}, result.text)
        else:
            self.send({"is": "failure", **values})

    def send(self, head: dict[str, Any], text: str = "") -> None:
        """Send a message."""
        write_frame(self._stream, Frame(head, text))


def _serve(task: Task, stream: IO[bytes]) -> None:
    """Read one file and send its documents."""
    answers = _Answers(stream)
    limits = task.settings.limits
    limit_process(limits.memory_bytes)
    if not task.settings.ocr:  # where pages take seconds each, only standing still is limited
        limit_cpu(limits.seconds)
    reading = reading_of(task.settings, task.suffix, answers.step)
    try:
        data = _unchanged_bytes(task)
        for result in extract(data, reading):
            answers.give(result)
    except OSError as error:
        problem = from_os_error("", error)
        answers.give(Failure("", problem.code, problem.detail))
    except (UnreadableError, MemoryError) as error:
        answers.give(failure_of(error, ""))
    answers.send({"is": "end"})


def _unchanged_bytes(task: Task) -> bytes:
    """The bytes that were to be read."""
    data = read_bytes(task.location, task.settings.limits).data
    if xxhash.xxh3_128_hexdigest(data) != task.file_hash:
        detail = "This file changed while it was read. Scan again."
        raise UnreadableError(ProblemCode.CHANGED, detail)
    return data
