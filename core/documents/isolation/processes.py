"""Reader processes as Neardup sees them: started when needed, given files, watched, killed.

As many as files are read at a time. What one answers is believed as `protocol` says.
"""

from __future__ import annotations

import contextlib
import os
import queue
import secrets
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from core.base.memory import give_back_free_memory
from core.base.messages import N_, in_english, stored
from core.base.tasks import LARGE, ROOM, Claim, cancelled_by, stop_if_cancelled
from core.base.wording import readable_count, readable_size
from core.documents.extraction import CRASHED, DocumentProperties, Failure, Piece
from core.documents.isolation.protocol import (
    SCANS,
    Frame,
    Task,
    believed,
    nonsense,
    packed_head,
    piece_in,
    properties_in,
    read_frame,
    reader_named,
)
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Reading, reading_of
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.errors import ScanCancelledError
from core.program.startup import python_command

_Result = TypeVar("_Result")

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
        raise UnreadableError(ProblemCode.CRASH, CRASHED)

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


_LARGE = 1 << 24  # bytes of a file that only a fresh process is given, so as not to keep it
_TEXTS = 3  # times as long as one text may be: all texts of a file
_LEAST = 1_500  # characters that a document counts for, however short


class ReaderProcesses:
    """Reads files of foreign formats; safe to use from several threads, each has its process.

    Attributes:
        settings: How files are read.
        start: The Python program that a process runs.
    """

    def __init__(self, settings: ReadingSettings, start: str = START) -> None:
        self.settings = settings
        self.start = start
        self._idle: dict[bool, list[ReaderProcess]] = {False: [], True: []}  # by reads_scans
        self._busy: set[ReaderProcess] = set()
        self._readings: dict[str, Reading] = {}
        self._lock = threading.Lock()
        self._closed = False

    def start_ahead(self) -> None:
        """Start a process before there is a file for it: it takes .1 s to be ready.

        Where the system starts none, the first file says so.
        """
        with self._lock, contextlib.suppress(UnreadableError):
            self._idle[False].append(self._started(reads_scans=False))

    def reading(self, suffix: str) -> Reading:
        """How a file with this suffix is read on the spot."""
        known = self._readings.get(suffix)
        if known is None:
            known = self._readings[suffix] = reading_of(self.settings, suffix)
        return known

    def read(self, data: bytes, suffix: str, file_hash: str) -> Iterator[Piece | Failure]:
        """The documents of a file, as they come.

        A process that crashes, or does not begin, may have been harmed by a file before: unless it
        was fresh, or has answered, a fresh one is asked.

        Args:
            data: Its bytes, which the process is given: it opens no file itself.
            suffix: Lower-case suffix of its name.
            file_hash: XXH3-128 of its bytes in hexadecimal.
        """
        take = partial(piece_in, limits=self.settings.limits)
        results = self._results(data, suffix, take, properties=False)
        del data  # it may be large, and there is only one of it
        # Many documents fill the memory just as a long one does.
        most = left = _TEXTS * self.settings.limits.characters
        try:
            with closing(results):
                for result in results:
                    left -= max(_LEAST, _length(result))
                    if left < 0:
                        raise _too_much(most)
                    if isinstance(result, Piece) and not result.part:
                        yield result._replace(file_hash=file_hash)  # it is the file itself
                    else:
                        yield result
        except UnreadableError as error:
            self._stop_if_closed()
            yield Failure("", error.code, error.detail, error.limit)

    def properties(self, data: bytes, suffix: str) -> list[DocumentProperties | Failure]:
        """What the documents of a file tell besides their texts; as `read`."""
        most = _TEXTS * self.settings.limits.characters // _LEAST  # more have no text either
        results = self._results(data, suffix, properties_in, properties=True)
        try:
            with closing(results):
                return [*islice(results, most)]
        except UnreadableError as error:
            self._stop_if_closed()
            return [Failure("", error.code, error.detail, error.limit)]

    def _results(
        self, data: bytes, suffix: str, take: Callable[[Frame], _Result], *, properties: bool
    ) -> Generator[_Result | Failure]:
        """What processes answer, or why there is no more."""
        answered = reads_scans = False
        fresh = len(data) > _LARGE
        while True:
            process = self._take(fresh=fresh, reads_scans=reads_scans)
            fresh = fresh or process.is_fresh
            task = Task(secrets.token_hex(8), suffix, self.settings, properties)
            frames = process.read(task, data)
            if fresh and reads_scans == self.settings.ocr:
                data = b""  # nobody else will be asked
            is_passed_on = False
            try:
                with closing(frames):
                    for frame in frames:
                        if is_passed_on:
                            raise nonsense()
                        # It is one for a process that may start Tesseract.
                        is_passed_on = frame.head.get("is") == SCANS and self.settings.ocr
                        is_passed_on = is_passed_on and not answered and not reads_scans
                        if not is_passed_on:
                            result = believed(frame, take)
                            answered = True
                            yield result
            except UnreadableError as error:
                is_of_file = process.has_recognised and error.code != ProblemCode.CRASH
                if fresh or answered or is_of_file:
                    raise
                fresh = True
            else:
                if not is_passed_on:
                    return
                reads_scans, fresh = True, len(data) > _LARGE
            finally:
                self._give_back(process)

    def _take(self, *, fresh: bool, reads_scans: bool) -> ReaderProcess:
        """A process that can read, for one thread alone; one that died meanwhile is put away."""
        with self._lock:
            self._stop_if_closed()
            idle = self._idle[reads_scans]
            # Else there would be one more for every large file.
            replaced = idle.pop() if fresh and idle else None
            while idle and not fresh:
                process = idle.pop()
                if process.is_usable:
                    break
                process.kill()
            else:
                process = self._started(reads_scans=reads_scans)
            self._busy.add(process)
        if replaced is not None:
            replaced.kill()  # waits for its end, and others need the lock meanwhile
        return process

    def _started(self, *, reads_scans: bool) -> ReaderProcess:
        characters = self.settings.limits.characters
        try:
            return ReaderProcess(characters, self.start, reads_scans=reads_scans)
        except OSError as error:
            raise UnreadableError(
                ProblemCode.FAILED,
                "The process that reads such files could not be started: {reason}. Close other "
                "programs and scan again.",
                reason=error.strerror or type(error).__name__,
            ) from error

    def _stop_if_closed(self) -> None:
        """Raise on a thread that reads on after its caller has stopped waiting."""
        if self._closed:
            raise ScanCancelledError("The scan was cancelled.")

    def _give_back(self, process: ReaderProcess) -> None:
        with self._lock:
            self._busy.discard(process)
            usable = process.is_usable and not self._closed
            if usable:
                self._idle[process.reads_scans].append(process)
        if not usable:
            process.kill()

    def close(self) -> None:
        """End all processes, also busy ones; threads that wait for them are released."""
        with self._lock:
            self._closed = True
            processes = [*self._idle[False], *self._idle[True], *self._busy]
            self._idle = {False: [], True: []}
        for process in processes:
            process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _length(result: Piece | Failure) -> int:
    words = (*result.remarks, result.text) if isinstance(result, Piece) else (result.detail,)
    return len(result.part) + sum(map(len, words))


@in_english()
def _too_much(most: int) -> UnreadableError:
    return UnreadableError(
        ProblemCode.TOO_BIG_UNPACKED,
        "The documents in this file have more than {characters} characters, or are more than "
        "{documents}; what comes after them was not read. If you trust it, raise the limit in the "
        "settings.",
        "characters",
        characters=readable_count(most),
        documents=readable_count(most // _LEAST),
    )
