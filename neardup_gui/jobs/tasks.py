"""Work off the window's thread: four lanes, and one object that receives the results.

A window hands work to `Tasks.run`. Which lane a kind of work takes says what it never waits for:
reading a pair and saving wait for no scan, report or audit.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer, Signal, Slot

from core.base.memory import give_back_free_memory
from core.base.tasks import Progress, WorkerPool, cancelled_by, ignore, throttled
from core.errors import NeardupError, ScanCancelledError
from core.program.startup import lacking

if TYPE_CHECKING:
    from core.base.tasks import ProgressReport

PROGRESS_INTERVAL = 0.05  # seconds: more than 20 reports a second cannot be seen
LONGEST_PAUSE = 0.2  # seconds
# Seconds after which a working thread lets the window have the interpreter; 5 ms by default, and
# with several workers the window would wait for each of them. Sooner while it shows what came.
SWITCH_INTERVAL, WHILE_SHOWING = 0.001, 0.0001
BEHIND_PAINTING = -1000  # the priority of an event that comes once all is laid out and painted
TURNS = 4  # of the event loop: a list is painted first, then a row is chosen and scrolled to
COLLECTED_EVERY = 250  # milliseconds
# How many objects are new, and collections were made of these and of younger ones, before the
# collector looks through them, through younger ones and through all: looking through all held the
# window up for 80 ms each time while 50,000 documents were scanned again.
COLLECTED_AFTER = 700, 10, 1000


MINUTES = "minutes"  # how long work of a kind may last


class Lane(Enum):
    """A queue of work with its own threads.

    The value is how many threads take from it, and how far these, with all threads and processes
    that they begin, give way to the window and to who reads: the niceness that is added. On Linux,
    where each thread has its own: a scan on all cores had made the window wait for one for 90 ms.
    """

    ENGINE = "engine", 1, 5  # what makes lists: one at a time, as they share a scan
    READING = "reading", 1, 0  # texts that the user waits to read
    SAVING = "saving", 1, 0  # decisions; the window closes after the last save
    BACKGROUND = "background", 4, 5  # all else; one thread takes no work that lasts for minutes

    def __init__(self, title: str, threads: int, niceness: int) -> None:
        self.title = title
        self.threads = threads
        self.niceness = niceness


class TaskKind(Enum):
    """The purpose of work: new work of a kind replaces the work before."""

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

    @property
    def uses_types(self) -> bool:
        """Whether the work makes objects of Qt, or imports what does."""
        return self.lane is Lane.READING or self is TaskKind.GRID


@cache
def complete_types() -> None:
    """Create Qt's types now, on the window's thread.

    PySide6 makes a type when its name is first asked for, and not under a lock: while a thread asks
    for some, painting would meet halves of them ("QGradient has no attribute 'Preset'").
    """
    for module in (QtCore, QtGui, QtWidgets):
        for name in dir(module):
            getattr(module, name, None)


@dataclass(frozen=True, slots=True)
class Task:
    """How running work reports to the window; cancelling needs no reference to it."""

    progress: Progress = ignore
    preview: Callable[[Any], None] = ignore
    announce: Callable[[Any], None] = ignore
    pool: Callable[[], ThreadPoolExecutor | None] = lambda: None


_SILENT = Task()
_CURRENT: ContextVar[Task] = ContextVar("task", default=_SILENT)


def current_task() -> Task:
    """The task of this thread; one without effect on a thread of no lane."""
    return _CURRENT.get()


@contextmanager
def running(task: Task) -> Iterator[None]:
    """Make a task the current one, within a context."""
    token = _CURRENT.set(task)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def sentence_of(error: Exception) -> str:
    """Why a task failed; "" for an error that nobody expected."""
    return str(error) if isinstance(error, NeardupError) else lacking(error)


def _unheard(_news: object) -> None:
    """Does nothing: nobody waits for this work."""


@dataclass(eq=False, slots=True)
class _Job:
    """One run of work: waits, can be cancelled, runs at most once."""

    kind: TaskKind
    work: Callable[[], Any]
    done: Callable[[Any], object]
    progressed: Callable[[ProgressReport], object]
    previewed: Callable[[Any], object]
    stopped: Callable[[Exception | None], object]
    stop: threading.Event = field(default_factory=threading.Event)
    _first: threading.Lock = field(default_factory=threading.Lock)

    def cancel(self) -> bool:
        """Ask the work to stop; True if it had not begun, and never will."""
        self.stop.set()
        return self.claim()

    def claim(self) -> bool:
        """True for the first caller: the thread that runs it, or the one that cancels it."""
        return self._first.acquire(blocking=False)


def _niceness() -> int:
    """The niceness of this thread; 0 on systems where threads have none."""
    return os.nice(0) if sys.platform == "linux" else 0


def _give_way(niceness: int) -> None:
    """Raise the niceness of this thread, and of all that it starts, to at least this."""
    if sys.platform == "linux":
        os.nice(max(0, niceness - _niceness()))  # niceness cannot be lowered


class _Threads:
    """The threads of a lane, each started when no other is free for waiting work."""

    def __init__(self, lane: Lane, run: Callable[[_Job], object]) -> None:
        self._lane = lane
        self._run = run
        self._changed = threading.Condition()
        self._waiting: list[_Job] = []
        self._threads: list[threading.Thread] = []
        self._idle = 0
        self._long = 0  # how many threads do work that may last for minutes
        self._is_closing = False

    def put(self, job: _Job) -> None:
        """Queue work behind that queued before."""
        with self._changed:
            self._waiting.append(job)
            if len(self._waiting) > self._idle and len(self._threads) < self._lane.threads:
                # A daemon: the program can end although a window was never closed.
                name = f"neardup-{self._lane.title}"
                self._threads.append(
                    threading.Thread(target=self._take_all, name=name, daemon=True)
                )
                self._threads[-1].start()
            self._changed.notify_all()

    def close(self) -> None:
        """Wait until all work is done, and end the threads."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _take_all(self) -> None:
        _give_way(_niceness() + self._lane.niceness)
        while (job := self._take()) is not None:
            self._run(job)
            was_long = job.kind.is_long
            job = None  # and the list that it worked on: this thread may wait for long now
            with self._changed:
                self._long -= was_long
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
        """The work that waited longest, but no long work if all other threads do such."""
        may_be_long = self._long < max(self._lane.threads - 1, 1)
        return next((job for job in self._waiting if may_be_long or not job.kind.is_long), None)


def _collect_garbage() -> None:
    """Collect what is due, unless the collector is paused."""
    counts = zip(gc.get_count(), COLLECTED_AFTER, strict=True)
    due = [generation for generation, (count, most) in enumerate(counts) if count > most]
    if due and gc.isenabled():
        gc.collect(due[-1])


class Tasks(QObject):
    """Runs work on its lane; of each kind only the newest is reported.

    While the window shows what came of some work, other work pauses where it asks whether to stop,
    and in between lets the window have the interpreter sooner. Else threads that keep taking it in
    turns made .05 s of the window's work .3 s.

    Work that began ends in exactly one of finished, cancelled and failed. Signals are emitted, and
    functions called, on the window's thread, and only for the newest work of a kind.

    Garbage is collected on the window's thread alone, until `stop`. A thread that frees Qt's
    objects holds a lock of theirs and waits for the interpreter, which the window's thread has
    while it waits for that lock.

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
        self._is_idle = threading.Event()  # the window has shown what it was given
        self._is_idle.set()
        self._turns = 0  # of the event loop until then
        gc.set_threshold(0)
        self._collecting = QTimer(self, interval=COLLECTED_EVERY)
        self._collecting.timeout.connect(_collect_garbage)
        self._collecting.start()

    def run(
        self,
        kind: TaskKind,
        work: Callable[[], Any],
        done: Callable[[Any], object] = _unheard,
        *,
        progressed: Callable[[ProgressReport], object] = _unheard,
        previewed: Callable[[Any], object] = _unheard,
        stopped: Callable[[Exception | None], object] = _unheard,
    ) -> None:
        """Queue work on its lane; older work of the kind is dropped.

        After `stop` no work is accepted.

        Args:
            kind: The purpose of the work.
            work: Called on another thread; it finds its task in `current_task`.
            done: Gets the result.
            progressed: Gets what the work reports.
            previewed: Gets the previews of the work.
            stopped: Gets the reason for no result: the exception, or None if it was cancelled.
        """
        if self._is_stopped:
            return
        if kind.uses_types:  # if nothing was idle before; the first list does not wait for that
            complete_types()
        if kind in (TaskKind.SCAN, TaskKind.OPEN):
            gc.collect()  # what is left of a scan before would be frozen with the new list
        self.drop(kind)
        job = _Job(kind, work, done, progressed, previewed, stopped)
        self._newest[kind] = job
        self._open.add(job)
        self._lanes[kind.lane].put(job)

    def cancel(self, *kinds: TaskKind) -> None:
        """Ask the work of these kinds to stop, if there is any."""
        for kind in kinds:
            job = self._newest.get(kind)
            if job is not None and job.cancel():
                self._end(job, ScanCancelledError(""))

    def drop(self, *kinds: TaskKind) -> None:
        """Ask the work of these kinds to stop, and report nothing more of it."""
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
        self._go_on()
        last = self._newest.get(TaskKind.SAVE)
        self._newest.clear()
        for job in self._open:
            if job is not last:
                job.cancel()
        for threads in self._lanes.values():
            threads.close()
        self._open.clear()
        self._collecting.stop()
        gc.set_threshold(*COLLECTED_AFTER)
        if self._made_pool is not None:  # without waiting for the end of a long document
            self._made_pool.shutdown(wait=False, cancel_futures=True)

    # On a thread of a lane

    def _work(self, job: _Job) -> None:
        if not job.claim():
            return
        try:
            self._pause()
            with cancelled_by(partial(self._is_to_stop, job)), running(self._task_of(job)):
                result = job.work()
        except Exception as error:  # noqa: BLE001 - the window must get any exception
            self._called.emit(partial(self._end, job, error))
        else:
            self._called.emit(partial(self._finish, job, result))
        if job.kind.is_long or job.kind.lane is Lane.ENGINE:
            give_back_free_memory()

    def _pause(self) -> None:
        """Wait until the window is idle, but not for ever: it may have work all the time."""
        if not self._is_idle.is_set():
            self._is_idle.wait(LONGEST_PAUSE)

    def _is_to_stop(self, job: _Job) -> bool:
        # The user waits for what is read: that pauses only before it begins.
        if not job.stop.is_set() and job.kind.lane is not Lane.READING:
            self._pause()
        return job.stop.is_set()

    def _pool(self) -> ThreadPoolExecutor:
        """The threads on which all scans of the window work.

        Scans borrow them: even after a scan fails, what it listed can be listed again.
        """
        with self._pool_lock:
            if self._made_pool is None:
                # Its threads have the same niceness, whichever lane starts them.
                nice = partial(_give_way, self._niceness + Lane.ENGINE.niceness)
                self._made_pool = WorkerPool(initializer=nice)
            return self._made_pool

    def _task_of(self, job: _Job) -> Task:
        def on_ui_thread(deliver: Callable[[_Job, Any], None]) -> Callable[[Any], None]:
            return lambda value: self._called.emit(partial(deliver, job, value))

        return Task(
            throttled(on_ui_thread(self._emit_progress), PROGRESS_INTERVAL),
            on_ui_thread(self._emit_preview),
            on_ui_thread(self._announce),
            self._pool,
        )

    # On the window's thread

    @Slot(object)
    def _call(self, function: Callable[[], object]) -> None:
        if not self._is_stopped:
            self._is_idle.clear()
            sys.setswitchinterval(WHILE_SHOWING)
            if not self._turns:
                self._await_idle()
            self._turns = TURNS
        function()

    def _await_idle(self) -> None:
        QCoreApplication.postEvent(self, QEvent(QEvent.Type.User), BEHIND_PAINTING)

    def customEvent(self, _event: QEvent) -> None:
        """Let work go on, if the window has shown by now what it was given."""
        self._turns -= 1
        if self._turns:
            QTimer.singleShot(0, self, self._await_idle)
        else:
            self._go_on()

    def _go_on(self) -> None:
        sys.setswitchinterval(SWITCH_INTERVAL)
        self._is_idle.set()

    def _is_newest(self, job: _Job) -> bool:
        return self._newest.get(job.kind) is job

    def _emit_progress(self, job: _Job, report: ProgressReport) -> None:
        if self._is_newest(job):
            job.progressed(report)
            self.progressed.emit(job.kind, report)

    def _emit_preview(self, job: _Job, value: object) -> None:
        if self._is_newest(job):
            job.previewed(value)

    def _announce(self, job: _Job, sentence: str) -> None:
        if self._is_newest(job):
            self.announced.emit(job.kind, sentence)

    def _forget(self, job: _Job) -> bool:
        """Forget work that ended; True if it was the newest of its kind."""
        self._open.discard(job)
        is_newest = self._is_newest(job)
        if is_newest:
            del self._newest[job.kind]
        return is_newest

    def _finish(self, job: _Job, result: object) -> None:
        if self._forget(job):
            job.done(result)
            self.finished.emit(job.kind)

    def _end(self, job: _Job, error: Exception) -> None:
        if not self._forget(job):
            return
        was_cancelled = isinstance(error, ScanCancelledError)
        job.stopped(None if was_cancelled else error)
        if was_cancelled:
            self.cancelled.emit(job.kind)
        else:
            self.failed.emit(job.kind, error)
