"""One reader process as Neardup sees it: started, given a file, watched, killed.

A file may have taken the process over: an answer is believed only as far as a reader could give it,
and whatever no reader says is taken for a crash.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import queue
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from core.base.memory import give_back_free_memory
from core.base.messages import N_, in_english, stored
from core.base.patterns import lazy_pattern
from core.base.tasks import LARGE, ROOM, Claim, cancelled_by, stop_if_cancelled
from core.base.wording import readable_size
from core.documents import extraction
from core.documents.isolation.protocol import SCANS, Frame, Task, packed_head, read_frame
from core.documents.model import ProblemCode, UnreadableError
from core.documents.properties import MOST_BYTES, checked
from core.documents.readers import reader_of
from core.documents.readers.reader import Reader, whole_characters
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.program.startup import python_command

_PIECE = frozenset({"is", "task", "part", "kind", "encoding", "file_hash", "remarks"})
_FAILURE = frozenset({"is", "task", "part", "code", "detail", "limit"})
# Of files, and of processes: nothing that a reader finds out.
_UNSAID = frozenset(
    {
        *(ProblemCode.TIMEOUT, ProblemCode.CRASH, ProblemCode.NOT_A_FILE, ProblemCode.NO_WORDS),
        *(ProblemCode.NO_PERMISSION, ProblemCode.VANISHED, ProblemCode.CHANGED),
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


def result_of_answer(frame: Frame, limits: ReadingLimits) -> extraction.Piece | extraction.Failure:
    """The document that a process sent, or why there is none.

    Raises:
        UnreadableError: CRASH: no reader could say that.
    """
    try:
        if frame.head["is"] == "failure":
            return _failure(frame)
        return _piece(frame, limits)
    except (KeyError, TypeError, ValueError) as error:
        raise nonsense() from error


def properties_of_answer(frame: Frame) -> extraction.DocumentProperties | extraction.Failure:
    """The properties of a document as a reader process gives them, or why it gives none.

    Raises:
        UnreadableError: CRASH: no reader could say that.
    """
    try:
        if frame.head["is"] == "failure":
            return _failure(frame)
        _check(frame.head.keys() == {"is", "task", "part"} and frame.head["is"] == "properties")
        _check(len(frame.body) <= MOST_BYTES)
        return extraction.DocumentProperties(_part(frame.head), checked(json.loads(frame.body)))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise nonsense() from error


def _failure(frame: Frame) -> extraction.Failure:
    values = frame.head
    _check(values.keys() == _FAILURE and not frame.body)
    _check(values["limit"] in _LIMITS)
    code, detail = _CODES[values["code"]], _sentence(values["detail"])
    return extraction.Failure(_part(values), code, detail, values["limit"])


def _piece(frame: Frame, limits: ReadingLimits) -> extraction.Piece:
    values = frame.head
    _check(values.keys() == _PIECE and values["is"] == "piece")
    remarks = values["remarks"]
    _check(isinstance(remarks, list) and len(remarks) <= extraction.MAX_REMARKS)
    _check(reader_named(values["kind"]).read is not None)
    _check(_HASH.fullmatch(values["file_hash"]) is not None)
    _check(_ENCODING.fullmatch(values["encoding"]) is not None)
    text = frame.body.decode()
    _check(0 < len(text) <= limits.characters)
    return extraction.Piece(
        part=_part(values),
        kind=values["kind"],
        encoding=values["encoding"],
        file_hash=_bound(values["file_hash"], frame.body),
        text=text,
        remarks=tuple(map(_sentence, remarks)),
    )


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
    _check(isinstance(part, str) and len(part) <= extraction.MAX_PART)
    _check(".." not in part.split("/") and "\0" not in part and whole_characters(part) == part)
    return str(part)


def _sentence(value: object) -> str:
    """A sentence for the user, on one line."""
    if not isinstance(value, str) or len(value) > extraction.MAX_SENTENCE:
        raise TypeError("no sentence")
    return _UNPRINTABLE.sub("\ufffd", value)


def _check(holds: object) -> None:
    if not holds:
        raise ValueError("no reader says that")


ADVICE: Final = N_(
    "It was stopped. If you trust the file, raise the limit in the settings and retry."
)
START_SECONDS = 60  # a busy machine may take long to start a process
# A file may wait for a processor for so many times as long as it may take: a reader that a file
# has taken over could keep itself waiting with threads of its own.
WAIT_TIMES = 10
_SCAN_TIMES = 360  # as much time has a file whose pages may be recognised, which takes seconds each


class Watch:
    """The clock of one file, and the messages that only say how far its process is.

    Attributes:
        has_recognised: The process has told what the file is.
    """

    def __init__(self, settings: ReadingSettings, *, starting: bool) -> None:
        self._limits = settings.limits
        self._ocr = settings.ocr
        self._seconds = settings.limits.seconds
        self._wait_left: float = WAIT_TIMES * settings.limits.seconds
        self._starting = starting
        self._began = time.monotonic()
        self._last = self._began + (START_SECONDS if starting else 0)
        self.has_recognised = False

    def takes(self, head: dict[str, Any], number: str) -> bool:
        """Whether a message only says how far the process is; the time it took is counted.

        Raises:
            UnreadableError: TIMEOUT; CRASH where it is not about this file, or makes no sense.
        """
        starting, self._starting = self._starting, False
        self._last = time.monotonic()
        if starting:
            self._began = self._last
        self.check()
        if starting and head == {"is": "ready"}:
            return True
        if head.get("task") != number:
            raise nonsense()
        if head.get("is") == "step":
            return True
        if head.get("is") != "recognised":
            return False
        if self.has_recognised:
            raise nonsense()
        self.has_recognised = True
        if reader_named(head.get("kind")).may_be_scanned and self._ocr:
            self._seconds *= _SCAN_TIMES
        return True

    def add_pause(self, seconds: float) -> None:
        """The process was stopped for a while: that does not count."""
        self._last += seconds
        self._began += seconds

    def add_wait(self, seconds: float) -> None:
        """Others had the processor for a while: up to a limit that does not count, either."""
        waited = min(max(seconds, 0), self._wait_left)
        self._wait_left -= waited
        self.add_pause(waited)

    def check(self) -> None:
        """Raise when a limit of time is over."""
        now, stall = time.monotonic(), self._limits.stall_seconds
        what = ""
        if now - self._last > stall:
            what = stored("Reading this file got nowhere for {number} seconds.", number=stall)
        elif not self._starting and now - self._began > self._seconds:
            what = stored(
                "Reading this file took longer than {number} seconds.", number=f"{self._seconds:,}"
            )
        if what:
            raise UnreadableError(ProblemCode.TIMEOUT, f"{what} {ADVICE}", "seconds")


def waited_for_processor(process: int) -> float:
    """Seconds for which a process was runnable but others ran; 0 where the system does not say.

    A busy computer takes nothing from the time that a file has (Documentation/scheduler/
    sched-stats.rst of Linux).
    """
    try:
        return int(Path(f"/proc/{process}/schedstat").read_text("ascii").split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


OWN_BYTES = 64_000_000  # what a process that reads a usual document has, most of it before it does


def allow_growth(process: int, used: int, claim: Claim) -> float:
    """Let a process go on that has come to use so much memory, when there is room for it.

    Meanwhile it stands still: otherwise several at once would swell to their limit.

    Args:
        process: Its number.
        used: Bytes that it has.
        claim: Grows to what it has beyond `OWN_BYTES`.

    Returns:
        Seconds for which it stood still.
    """
    beyond = used - OWN_BYTES
    if beyond // LARGE > claim.size // LARGE:
        give_back_free_memory()  # what this process let go makes room for it
    if claim.try_to_grow(beyond):
        return 0.0
    import psutil  # noqa: PLC0415 - plain texts are read without a process

    began = time.monotonic()
    with contextlib.suppress(psutil.Error):
        psutil.Process(process).suspend()
    try:
        claim.grow(beyond)
    finally:
        with contextlib.suppress(psutil.Error):
            psutil.Process(process).resume()
    return time.monotonic() - began


# Where programs, libraries and languages of Tesseract are; the language and the time zone.
_NEEDED = frozenset({"PATH", "LD_LIBRARY_PATH", "TESSDATA_PREFIX", "LANG", "LANGUAGE", "TZ"})
_NEEDED_STARTS = ("LC_", "PYTHON")


def needed_environment() -> dict[str, str]:
    """The variables that Python and Tesseract need: no display, no agent of keys, no tokens.

    Only Linux can keep a process from finding out the others, so elsewhere all are given: Windows
    and macOS start no process without some of theirs.
    """
    if sys.platform != "linux":
        return dict(os.environ)
    return {
        name: value
        for name, value in os.environ.items()
        if name in _NEEDED or name.startswith(_NEEDED_STARTS)
    }


START = "from core.documents.isolation.worker import main; main()"
_POLL = 0.05  # seconds between two looks at a process that reads
_GRACE = 2.0  # seconds in which what it sent before it exited arrives
_BYTES_PER_CHARACTER = 4  # at most, in UTF-8
_SWOLLEN = 0.6  # of its memory: a process that ends by itself then has probably run out of it
_WORN = 0.3  # of its memory, left from one file: too little is there for the next
_BLOCK = 1 << 20
_TIRED = 200  # files, after which a process is replaced: libraries leak


class ReaderProcess:
    """A process that reads one file at a time.

    Args:
        max_characters: Of a text; more than that is not taken from it.
        start: The Python program that it runs.
        reads_scans: It may start Tesseract; any other is not able to start a program.

    Attributes:
        has_recognised: It has told what the file is that it was given last.

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
        self._given: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()
        # One at a time: a process must not fill the memory of the one that it answers.
        self._messages: queue.Queue[Frame | None] = queue.Queue(1)
        self._gone = threading.Event()
        self._files = 0
        self._largest = 0
        self._is_worn = False
        self.has_recognised = False
        self._ending = threading.Lock()
        if self._process.stdin is None or self._process.stdout is None:
            raise TypeError("A reader process has no pipes.")
        self._pipes = self._process.stdin, self._process.stdout
        if sys.platform != "win32":  # there, waiting for a pipe ends when the process is killed
            os.set_blocking(self._process.stdin.fileno(), False)
        self._thread = threading.Thread(
            target=self._converse,
            args=(_BYTES_PER_CHARACTER * max_characters,),
            daemon=True,
            name="neardup-reader",
        )
        self._thread.start()

    @property
    def is_fresh(self) -> bool:
        """Whether it has never been given a file."""
        return not self._files

    @property
    def is_usable(self) -> bool:
        """Whether it can be given another file: it is alive, not used up, and not swollen."""
        is_alive = not self._gone.is_set() and self._thread.is_alive() and not self._has_exited()
        return is_alive and not self._is_worn and self._files < _TIRED

    def read(self, task: Task, data: bytes) -> Generator[Frame]:
        """Have a file read; gives the documents, or why there are none, as they come.

        A process that does not end in order is killed.

        Args:
            task: How to read it.
            data: Its bytes.

        Raises:
            UnreadableError: TIMEOUT, OUT_OF_MEMORY or CRASH; the process is gone.
        """
        self._files += 1
        self._largest = 0
        self.has_recognised = False
        in_order = False
        try:
            self._given.put(Frame(task.values(), data))
            del data  # it may be large
            with ROOM.claim() as claim:
                for frame in self._answers(task, claim):
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
        with self._ending:
            if self._process.returncode is None:  # until it is waited for, its number is its own
                _kill_all(self._process)
                self._process.wait()
        self._given.put(None)
        until = time.monotonic() + START_SECONDS  # on Windows it may take a while to see the end
        while self._thread.is_alive() and time.monotonic() < until:
            with contextlib.suppress(queue.Empty):
                self._messages.get_nowait()
            self._thread.join(_POLL)
        if not self._thread.is_alive():
            for pipe in self._pipes:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _converse(self, max_body: int) -> None:
        """Pass tasks on and take the answers on a thread, so that no caller blocks on a pipe."""
        with contextlib.suppress(Exception):  # whatever it is, it is no message
            while (frame := self._given.get()) is not None:
                self._write(packed_head(frame))
                self._write(frame.body)
                frame = None  # it may be large
                while (answer := read_frame(self._read, max_body)) is not None:
                    self._messages.put(answer)
                    if answer.head.get("is") == "end":
                        break
                else:
                    break
        self._messages.put(None)

    def _read(self, size: int) -> bytes:
        """At most this many bytes of its answer; none at the end."""
        descriptor = self._pipes[1].fileno()
        return os.read(descriptor, size) if self._is_ready(descriptor, for_writing=False) else b""

    def _write(self, data: bytes | bytearray) -> None:
        """Have it read something."""
        descriptor = self._pipes[0].fileno()
        rest = memoryview(data)
        while rest and self._is_ready(descriptor, for_writing=True):
            with contextlib.suppress(BlockingIOError):
                rest = rest[os.write(descriptor, rest[:_BLOCK]) :]

    def _is_ready(self, descriptor: int, *, for_writing: bool) -> bool:
        """Wait for a pipe; false once the process was killed.

        What it started may have left its group and hold the pipe open for ever.
        """
        if sys.platform != "win32":  # nothing there waits for a pipe for a while only
            waiting = select.poll()
            waiting.register(descriptor, select.POLLOUT if for_writing else select.POLLIN)
            while not self._gone.is_set() and not waiting.poll(1000 * _POLL):
                pass
        return not self._gone.is_set()

    def _answers(self, task: Task, claim: Claim) -> Iterator[Frame]:
        """Messages about a file, within the limits; None is the end of the pipe."""
        limits = task.settings.limits
        watch = Watch(task.settings, starting=self._files == 1)
        looked = time.monotonic()
        silent = 0.0
        waited = waited_for_processor(self._process.pid)

        while not self._gone.is_set():
            if time.monotonic() - looked >= _POLL:
                stop_if_cancelled()
                used = self._checked_memory(limits)
                with cancelled_by(self._gone.is_set):
                    watch.add_pause(allow_growth(self._process.pid, used, claim))
                before, waited = waited, waited_for_processor(self._process.pid)
                watch.add_wait(waited - before)
                looked = time.monotonic()
            try:
                message = self._messages.get(timeout=_POLL)
            except queue.Empty:
                watch.check()
                silent = silent + _POLL if self._has_exited() else 0
                if silent > _GRACE:
                    break
                continue
            if message is None:
                break
            is_answer = not watch.takes(message.head, task.number)
            self.has_recognised = watch.has_recognised
            if is_answer:
                yield message
        if self._largest > _SWOLLEN * limits.memory_bytes:
            raise _out_of_memory(limits)
        raise UnreadableError(ProblemCode.CRASH, extraction.CRASHED)

    def _has_exited(self) -> bool:
        """Whether the process has ended, even if another one holds its pipes; does not wait."""
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
        import psutil  # noqa: PLC0415 - as above

        try:
            return int(psutil.Process(self._process.pid).memory_info().rss)
        except psutil.Error:
            return 0


@in_english()
def _out_of_memory(limits: ReadingLimits) -> UnreadableError:
    what = stored(
        "Reading this file took more than {size} of memory.",
        size=readable_size(limits.memory_bytes),
    )
    return UnreadableError(ProblemCode.OUT_OF_MEMORY, f"{what} {ADVICE}", "memory_bytes")


def _kill_all(process: subprocess.Popen[bytes]) -> None:
    """Kill a process, its group, and what it started outside of that."""
    import psutil  # noqa: PLC0415 - as above

    children: list[psutil.Process] = []
    with contextlib.suppress(psutil.Error):
        children = psutil.Process(process.pid).children(recursive=True)
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    for child in children:
        with contextlib.suppress(psutil.Error):
            child.kill()
