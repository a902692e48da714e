"""Work off the window's thread: four lanes, and one place that hears what comes of it.

A window hands work to `Tasks.run`. Which lane a kind of work takes says what it never waits for:
reading a pair and saving wait for no scan, report or audit.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from core.base.memory import give_back_free_memory
from core.base.tasks import Progress, WorkerPool, cancelled_by, ignore, throttled
from core.errors import ScanCancelledError

if TYPE_CHECKING:
    from core.base.tasks import ProgressReport

PROGRESS_INTERVAL = 0.05  # seconds: 20 reports a second are as many as an eye can use


MINUTES = "minutes"  # that work of a kind may last


class Lane(Enum):
    """A line in which work waits.

    The value is how many threads take from it, and how far these, with all threads and processes
    that they begin, give way to the window and to who reads: the niceness that is added. On Linux,
    where each thread has its own: a scan on all cores had made the window wait for one for 90 ms.
    """

    ENGINE = "engine", 1, 5  # what makes a list: one after the other, as they share a scan
    READING = "reading", 1, 0  # what somebody waits for who reads
    SAVING = "saving", 1, 0  # what was decided; the last of it is finished when the window closes
    BACKGROUND = "background", 4, 5  # all else; one thread takes no work that lasts for minutes

    def __init__(self, title: str, threads: int, niceness: int) -> None:
        self.title = title
        self.threads = threads
        self.niceness = niceness


class TaskKind(Enum):
    """What work is for: new work of a kind takes the place of the work before."""

    SCAN = "scan", Lane.ENGINE
    OPEN = "open", Lane.ENGINE
    LIST = "list", Lane.ENGINE
    CHANGE_LIST = "change list", Lane.ENGINE
    JUDGE_PASSAGE = "judge passage", Lane.ENGINE
    COMPARE = "compare", Lane.READING
    FIND_CHANGES = "find changes", Lane.READING
    READ_AHEAD = "read ahead", Lane.READING
    LOAD_SETTINGS = "load settings", Lane.READING
    TOUR = "tour", Lane.READING
    SAVE = "save", Lane.SAVING
    APPEND = "append", Lane.SAVING
    COMPLETE = "complete", Lane.SAVING
    GROUP = "group", Lane.BACKGROUND
    COUNT = "count", Lane.BACKGROUND
    LOOK_UP = "look up", Lane.BACKGROUND
    SEARCH = "search texts", Lane.BACKGROUND
    THUMBNAILS = "thumbnails", Lane.BACKGROUND
    EXPLAIN = "explain", Lane.BACKGROUND
    PROPERTIES = "properties of files", Lane.BACKGROUND, MINUTES
    OVERLAPS = "overlaps of the list", Lane.BACKGROUND, MINUTES
    WEIGH = "weigh verdicts", Lane.BACKGROUND
    SIGNATURES = "compare signatures", Lane.BACKGROUND
    GRID = "grid of settings", Lane.BACKGROUND
    BUCKETS = "buckets", Lane.BACKGROUND
    LENGTHS = "lengths of passages", Lane.BACKGROUND
    PREVIEW = "preview of a report", Lane.BACKGROUND
    PICTURE = "picture", Lane.BACKGROUND
    TABLE = "table of settings", Lane.BACKGROUND
    SAVE_SETTINGS = "save settings", Lane.BACKGROUND
    WATCH = "watch", Lane.BACKGROUND
    WARM_UP = "warm up", Lane.BACKGROUND, MINUTES
    COMPILE = "compile", Lane.BACKGROUND, MINUTES
    PASSAGES = "passages", Lane.BACKGROUND, MINUTES
    ALONE = "read alone", Lane.BACKGROUND, MINUTES
    AUDIT = "audit", Lane.BACKGROUND, MINUTES
    EXPORT = "export", Lane.BACKGROUND, MINUTES
    CHECK = "check of a report", Lane.BACKGROUND, MINUTES

    def __init__(self, title: str, lane: Lane, lasts: str = "") -> None:
        self.title = title
        self.lane = lane
        self.is_long = lasts == MINUTES


@dataclass(frozen=True, slots=True)
class Task:
    """How running work speaks to the window; that it is cancelled, all work hears anyway."""

    progress: Progress = ignore
    preview: Callable[[Any], None] = ignore
    announce: Callable[[Any], None] = ignore
    pool: Callable[[], ThreadPoolExecutor | None] = lambda: None


_SILENT = Task()
_CURRENT: ContextVar[Task] = ContextVar("task", default=_SILENT)


def current_task() -> Task:
    """That of the thread at work; one that says nothing where no lane runs it."""
    return _CURRENT.get()


@contextmanager
def running(task: Task) -> Iterator[None]:
    """Within it, the task is the current one."""
    token = _CURRENT.set(task)
    try:
        yield
    finally:
        _CURRENT.reset(token)


@dataclass(eq=False, slots=True)
class _Job:
    """One run of work: waits, may be told to stop, runs at most once."""

    kind: TaskKind
    work: Callable[[], Any]
    done: Callable[[Any], object] | None = None
    progressed: Callable[[ProgressReport], object] | None = None
    previewed: Callable[[Any], object] | None = None
    stopped: Callable[[Exception | None], object] | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    _first: threading.Lock = field(default_factory=threading.Lock)

    def cancel(self) -> bool:
        """Ask the work to stop; True when it had not begun, and never will."""
        self.stop.set()
        return self.claim()

    def claim(self) -> bool:
        """True for whoever comes first: the thread that runs it, or who cancels it before."""
        return self._first.acquire(blocking=False)


def _niceness() -> int:
    """Of this thread; 0 where threads have none of their own."""
    return os.nice(0) if sys.platform == "linux" else 0


def _give_way(niceness: int) -> None:
    """Give this thread, and all that it begins, a niceness, if it is not as nice already."""
    if sys.platform == "linux":
        os.nice(max(0, niceness - _niceness()))  # nobody may become less nice


class _Threads:
    """The threads of a lane, each begun when there is work that no other can take."""

    def __init__(self, lane: Lane, run: Callable[[_Job], object]) -> None:
        self._lane = lane
        self._run = run
        self._changed = threading.Condition()
        self._waiting: list[_Job] = []
        self._threads: list[threading.Thread] = []
        self._idle = 0
        self._long = 0  # how many of them do what may last for minutes
        self._is_closing = False

    def put(self, job: _Job) -> None:
        """Have work done after what was put before."""
        with self._changed:
            self._waiting.append(job)
            if len(self._waiting) > self._idle and len(self._threads) < self._lane.threads:
                # A daemon: a window that was never closed does not keep the program from ending.
                name = f"neardup-{self._lane.title}"
                self._threads.append(
                    threading.Thread(target=self._take_all, name=name, daemon=True)
                )
                self._threads[-1].start()
            self._changed.notify_all()

    def close(self) -> None:
        """Wait until everything is done, and end the threads."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _take_all(self) -> None:
        _give_way(_niceness() + self._lane.niceness)
        while (job := self._take()) is not None:
            self._run(job)
            with self._changed:
                self._long -= job.kind.is_long
                self._changed.notify_all()

    def _take(self) -> _Job | None:
        with self._changed:
            while (job := self._next()) is None:
                if self._is_closing and not self._waiting:
                    return None
                self._idle += 1
                self._changed.wait()
                self._idle -= 1
            self._waiting.remove(job)
            self._long += job.kind.is_long
            return job

    def _next(self) -> _Job | None:
        """What has waited longest, but for long work where all other threads do such."""
        may_be_long = self._long < max(self._lane.threads - 1, 1)
        return next((job for job in self._waiting if may_be_long or not job.kind.is_long), None)


class Tasks(QObject):
    """Runs work on its lane; of each kind only the newest is heard.

    Work that began ends in exactly one of finished, cancelled and failed. Signals are emitted, and
    functions called, on the window's thread, and only for the newest of a kind: what older work
    still had to say is dropped.

    Signals:
        progressed: A `TaskKind` and a `ProgressReport`.
        announced: A `TaskKind` and a sentence.
        finished: A `TaskKind`; its result was handed over.
        cancelled: A `TaskKind`.
        failed: A `TaskKind` and the exception.
    """

    progressed = Signal(object, object)
    announced = Signal(object, str)
    finished = Signal(object)
    cancelled = Signal(object)
    failed = Signal(object, object)

    _called = Signal(object)  # a function to be called on the window's thread

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._newest: dict[TaskKind, _Job] = {}
        self._open: set[_Job] = set()
        self._is_stopped = False
        self._lanes = {lane: _Threads(lane, self._work) for lane in Lane}
        self._pool_lock = threading.Lock()
        self._made_pool: ThreadPoolExecutor | None = None
        self._niceness = _niceness()
        self._called.connect(self._call)

    def run(
        self,
        kind: TaskKind,
        work: Callable[[], Any],
        done: Callable[[Any], object] | None = None,
        *,
        progressed: Callable[[ProgressReport], object] | None = None,
        previewed: Callable[[Any], object] | None = None,
        stopped: Callable[[Exception | None], object] | None = None,
    ) -> None:
        """Do work after what its lane was given before; older work of the kind is dropped.

        Once all was stopped, nothing is taken any more.

        Args:
            kind: What it is for.
            work: Called on another thread; it finds its task in `current_task`.
            done: Gets the result.
            progressed: Gets what the work reports.
            previewed: Gets what it shows before it ends.
            stopped: Gets why there is no result: the exception, or None where it was cancelled.
        """
        if self._is_stopped:
            return
        self.drop(kind)
        job = _Job(kind, work, done, progressed, previewed, stopped)
        self._newest[kind] = job
        self._open.add(job)
        self._lanes[kind.lane].put(job)

    def cancel(self, *kinds: TaskKind) -> None:
        """Ask the work of these kinds to stop, where there is some."""
        for kind in kinds:
            job = self._newest.get(kind)
            if job is not None and job.cancel():
                self._end(job, ScanCancelledError(""))

    def drop(self, *kinds: TaskKind) -> None:
        """Ask the work of these kinds to stop; it is not heard of any more."""
        for kind in kinds:
            job = self._newest.pop(kind, None)
            if job is not None and job.cancel():
                self._open.discard(job)

    def is_busy(self, *kinds: TaskKind) -> bool:
        """Whether work of one of these kinds waits or runs."""
        return any(kind in self._newest for kind in kinds)

    def stop(self) -> None:
        """Cancel everything but the newest save, and wait for all threads to end."""
        self._is_stopped = True
        last = self._newest.get(TaskKind.SAVE)
        self._newest.clear()
        for job in self._open:
            if job is not last:
                job.cancel()
        for threads in self._lanes.values():
            threads.close()
        self._open.clear()
        if self._made_pool is not None:  # without waiting for the midst of a long document
            self._made_pool.shutdown(wait=False, cancel_futures=True)

    # On a thread of a lane

    def _work(self, job: _Job) -> None:
        if not job.claim():
            return
        try:
            with cancelled_by(job.stop.is_set), running(self._task_of(job)):
                result = job.work()
        except Exception as error:  # noqa: BLE001 - whatever it is, the window must hear of it
            self._called.emit(partial(self._end, job, error))
        else:
            self._called.emit(partial(self._finish, job, result))
        if job.kind.is_long or job.kind.lane is Lane.ENGINE:
            give_back_free_memory()

    def _pool(self) -> ThreadPoolExecutor:
        """The threads on which all scans of the window do their work.

        Scans borrow them: whatever becomes of one, what it listed can be listed again.
        """
        with self._pool_lock:
            if self._made_pool is None:
                # Its threads are as nice, whichever lane begins them.
                nice = partial(_give_way, self._niceness + Lane.ENGINE.niceness)
                self._made_pool = WorkerPool(initializer=nice)
            return self._made_pool

    def _task_of(self, job: _Job) -> Task:
        def teller(tell: Callable[[_Job, Any], None]) -> Callable[[Any], None]:
            return lambda value: self._called.emit(partial(tell, job, value))

        return Task(
            throttled(teller(self._tell_progress), PROGRESS_INTERVAL),
            teller(self._tell_preview),
            teller(self._announce),
            self._pool,
        )

    # On the window's thread

    @Slot(object)
    def _call(self, function: Callable[[], object]) -> None:
        function()

    def _is_newest(self, job: _Job) -> bool:
        return self._newest.get(job.kind) is job

    def _tell_progress(self, job: _Job, report: ProgressReport) -> None:
        if self._is_newest(job):
            if job.progressed is not None:
                job.progressed(report)
            self.progressed.emit(job.kind, report)

    def _tell_preview(self, job: _Job, value: object) -> None:
        if self._is_newest(job) and job.previewed is not None:
            job.previewed(value)

    def _announce(self, job: _Job, sentence: str) -> None:
        if self._is_newest(job):
            self.announced.emit(job.kind, sentence)

    def _forget(self, job: _Job) -> bool:
        """Forget work that ended; True when it was the newest of its kind."""
        self._open.discard(job)
        is_newest = self._is_newest(job)
        if is_newest:
            del self._newest[job.kind]
        return is_newest

    def _finish(self, job: _Job, result: object) -> None:
        if self._forget(job):
            if job.done is not None:
                job.done(result)
            self.finished.emit(job.kind)

    def _end(self, job: _Job, error: Exception) -> None:
        if not self._forget(job):
            return
        was_cancelled = isinstance(error, ScanCancelledError)
        if job.stopped is not None:
            job.stopped(None if was_cancelled else error)
        if was_cancelled:
            self.cancelled.emit(job.kind)
        else:
            self.failed.emit(job.kind, error)
