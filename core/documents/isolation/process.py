"""One reader process as Neardup sees it: started, given a file, watched, killed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator
from typing import IO

import psutil

from core.base.memory_claims import ROOM, Claim
from core.base.progress import Cancelled, stop_if
from core.base.wording import readable_size
from core.documents.isolation.answer_pipe import answers_from
from core.documents.isolation.environment import needed_environment
from core.documents.isolation.growth import allow_growth
from core.documents.isolation.inbox import Inbox
from core.documents.isolation.protocol import SCANS, Frame, Task, read_frame
from core.documents.isolation.task_pipe import TaskPipe
from core.documents.isolation.watch import ADVICE, START_SECONDS, Watch
from core.documents.model import ProblemCode
from core.documents.readers import UnreadableError
from core.documents.reading_settings import ReadingLimits
from core.program.python_process import python_command

START = "from core.documents.isolation.worker import main; main()"
_POLL = 0.05  # seconds between two looks at a process that reads
_GRACE = 2.0  # seconds in which what it sent before it exited arrives
_BYTES_PER_CHARACTER = 4  # at most, in UTF-8
_SWOLLEN = 0.6  # of its memory: a process that ends by itself then has probably run out of it
_WORN = 0.3  # of its memory, left from one file: too little is there for the next
_TIRED = 200  # files, after which a process is replaced: libraries leak


class ReaderProcess:
    """A process that reads one file at a time.

    Args:
        max_characters: Of a text; more than that is not taken from it.
        start: The Python program that it runs.
        reads_scans: It may start Tesseract; any other is not able to start a program.

    Attributes:
        has_begun: It has told what the file is that it was given last.

    Raises:
        OSError: The system starts no process.
    """

    def __init__(self, max_characters: int, start: str, *, reads_scans: bool) -> None:
        self.reads_scans = reads_scans
        self._process = subprocess.Popen(
            python_command(start, *([SCANS] if reads_scans else ())),
            env=needed_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            process_group=0,  # of its own: with all that it starts, and out of the reach of Ctrl-C
        )
        self._messages = Inbox()
        self._gone = threading.Event()
        self._files = 0
        self._largest = 0
        self._is_worn = False
        self.has_begun = False
        self._ending = threading.Lock()
        if self._process.stdin is None or self._process.stdout is None:
            raise TypeError("A reader process has no pipes.")
        self._output = self._process.stdout
        self._listener = threading.Thread(
            target=self._listen,
            args=(answers_from(self._output, self._gone), _BYTES_PER_CHARACTER * max_characters),
            daemon=True,
            name="neardup-reader",
        )
        self._listener.start()
        self._tasks = TaskPipe(self._process.stdin)

    @property
    def is_fresh(self) -> bool:
        """Whether it has never been given a file."""
        return not self._files

    @property
    def is_usable(self) -> bool:
        """Whether it can be given another file: it is alive, not used up, and not swollen."""
        is_alive = not self._gone.is_set() and self._listener.is_alive()
        return is_alive and not self._is_worn and self._files < _TIRED

    def read(self, task: Task, data: bytes, cancelled: Cancelled) -> Generator[Frame]:
        """Have a file read; gives the documents, or why there are none, as they come.

        A process that does not end in order is killed.

        Args:
            task: How to read it.
            data: Its bytes.
            cancelled: Polled while the process reads.

        Raises:
            UnreadableError: TIMEOUT, OUT_OF_MEMORY or CRASH; the process is gone.
            ScanCancelledError: `cancelled` said so; the process is gone.
        """
        self._files += 1
        self._largest = 0
        self.has_begun = False
        in_order = False
        try:
            self._tasks.send(Frame(task.values(), data))
            del data  # it may be large
            with ROOM.claim() as claim:
                for frame in self._answers(task, claim, cancelled):
                    if frame.head.get("is") == "end":
                        self._is_worn = self._memory() > _WORN * task.settings.limits.memory_bytes
                        in_order = True
                        return
                    yield frame
        finally:
            if not in_order:
                self.kill()

    def kill(self) -> None:
        """End it, whatever it does, and everything it started."""
        self._gone.set()
        self._messages.close()
        with self._ending:
            if self._process.returncode is None:  # until it is waited for, its number is its own
                _kill_all(self._process)
                self._process.wait()
        self._tasks.close()
        self._listener.join(START_SECONDS)
        if not self._listener.is_alive():
            self._output.close()

    def _listen(self, stream: IO[bytes], max_body: int) -> None:
        """Take messages from the pipe, on a thread of its own: Windows cannot wait for a pipe."""
        with contextlib.suppress(Exception):  # whatever it is, it is no message
            while not self._gone.is_set() and (frame := read_frame(stream, max_body)) is not None:
                self._messages.put(frame)
        self._messages.put(None)

    def _answers(self, task: Task, claim: Claim, cancelled: Cancelled) -> Iterator[Frame]:
        """Messages about a file, within the limits; None in the inbox is the end of the pipe."""
        limits = task.settings.limits
        watch = Watch(task.settings, starting=self._files == 1)
        looked = time.monotonic()
        silent = 0.0

        def is_over() -> bool:
            return self._gone.is_set() or cancelled()

        while not self._gone.is_set():
            if time.monotonic() - looked >= _POLL:
                stop_if(cancelled)
                used = self._checked_memory(limits)
                watch.add_pause(allow_growth(self._process.pid, used, claim, is_over))
                looked = time.monotonic()
            try:
                message = self._messages.get(_POLL)
            except TimeoutError:
                watch.check()
                silent = silent + _POLL if self._has_exited() else 0
                if silent > _GRACE:
                    break
                continue
            if message is None:
                break
            is_answer = not watch.takes(message.head, task.number)
            self.has_begun = watch.has_begun
            if is_answer:
                yield message
        raise self._crash(limits)

    def _has_exited(self) -> bool:
        """Whether it is gone, although somebody else may hold its pipes; it is not waited for."""
        if sys.platform == "win32" or not hasattr(os, "waitid"):  # macOS has it since Python 3.13
            return False
        ended = os.WEXITED | os.WNOHANG | os.WNOWAIT
        try:
            return os.waitid(os.P_PID, self._process.pid, ended) is not None
        except ChildProcessError:  # another thread has killed it
            return True

    def _checked_memory(self, limits: ReadingLimits) -> int:
        """Bytes of memory that it has, when these are not too many."""
        used = self._memory()
        self._largest = max(self._largest, used)
        if used > limits.memory_bytes:
            raise _out_of_memory(limits)
        return used

    def _memory(self) -> int:
        try:
            return int(psutil.Process(self._process.pid).memory_info().rss)
        except psutil.Error:
            return 0

    def _crash(self, limits: ReadingLimits | None = None) -> UnreadableError:
        """Why the process is gone, as far as can be told."""
        if limits and self._largest > _SWOLLEN * limits.memory_bytes:
            return _out_of_memory(limits)
        return UnreadableError(
            ProblemCode.CRASH,
            "Reading this file made its reader crash: the file is probably damaged. Open it in "
            "the program it was made with and save it again, or save it as PDF or text.",
        )


def _out_of_memory(limits: ReadingLimits) -> UnreadableError:
    return UnreadableError(
        ProblemCode.OUT_OF_MEMORY,
        f"Reading this file took more than {readable_size(limits.memory_bytes)} of memory. "
        f"{ADVICE}",
        "memory_bytes",
    )


def _kill_all(process: subprocess.Popen[bytes]) -> None:
    """Kill a process, its group, and what it started outside of that."""
    children = _children(process.pid)
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    for child in children:
        with contextlib.suppress(psutil.Error):
            child.kill()


def _children(process: int) -> list[psutil.Process]:
    try:
        return list(psutil.Process(process).children(recursive=True))
    except psutil.Error:
        return []
