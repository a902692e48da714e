"""The threads on which all scans of a window do their work."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal, Slot

from core.base.tasks import Cancelled, Progress, throttled, worker_count
from core.errors import ScanCancelledError

PROGRESS_INTERVAL = 0.05  # seconds: 20 reports a second are as many as an eye can use


class JobKind(StrEnum):
    """What a job is for; a new job of a kind takes the place of the one before."""

    WARM_UP = "warm up"
    COMPILE = "compile"
    SCAN = "scan"
    OPEN = "open"
    LIST = "list"
    GROUP = "group"
    PASSAGES = "passages"
    LOOK_UP = "look up"
    JUDGE_PASSAGE = "judge passage"
    COUNT = "count"
    ALONE = "read alone"
    COMPARE = "compare"
    FIND_CHANGES = "find changes"
    READ_AHEAD = "read ahead"
    THUMBNAILS = "thumbnails"
    EXPORT = "export"
    PREVIEW = "preview of a report"
    CHECK = "check of a report"
    PICTURE = "picture"
    TABLE = "table of settings"
    SAVE_SETTINGS = "save settings"
    LOAD_SETTINGS = "load settings"
    SAVE = "save"
    APPEND = "append"
    WATCH = "watch"
    COMPLETE = "complete"
    CHANGE_LIST = "change list"
    EXPLAIN = "explain"
    WEIGH = "weigh verdicts"
    SIGNATURES = "compare signatures"
    AUDIT = "audit"
    GRID = "grid of settings"
    TOUR = "tour"
    BUCKETS = "buckets"
    LENGTHS = "lengths of passages"


@dataclass(frozen=True, slots=True)
class Reports:
    """How running work speaks to the window and hears from it."""

    progress: Progress
    preview: Callable[[object], None]
    announce: Callable[[str], None]
    cancelled: Cancelled


Work = Callable[[Reports], object]
Done = Callable[[Any], object]  # takes the result of the work, on the UI thread


class Job:
    """One run of work: waits, may be told to stop, runs at most once."""

    def __init__(self, kind: JobKind, work: Work, done: Done | None = None) -> None:
        self.kind = kind
        self.work = work
        self.done = done
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._claimed = False

    def cancel(self) -> bool:
        """Ask the work to stop; True when it had not begun, and never will."""
        self._stop.set()
        return self.claim()

    def is_cancelled(self) -> bool:
        """Whether the work shall stop."""
        return self._stop.is_set()

    def claim(self) -> bool:
        """True for the one who comes first: the thread that runs it, or who cancels it before."""
        with self._lock:
            first = not self._claimed
            self._claimed = True
        return first


class Worker(QObject):
    """Runs jobs on the thread it lives on.

    Of each job that began it emits exactly one of finished, cancelled and failed; every signal
    carries the job first.
    """

    progressed = Signal(object, object)
    previewed = Signal(object, object)
    announced = Signal(object, str)
    finished = Signal(object, object)
    cancelled = Signal(object)
    failed = Signal(object, object)

    @Slot(object)
    def run(self, job: Job) -> None:
        """Do the work of a job, unless it was cancelled while it waited."""
        if not job.claim():
            return
        try:
            result = job.work(self._reports(job))
        except ScanCancelledError:
            self.cancelled.emit(job)
        except Exception as error:  # noqa: BLE001 - whatever it is, the window must hear of it
            self.failed.emit(job, error)
        else:
            self.finished.emit(job, result)

    def _reports(self, job: Job) -> Reports:
        return Reports(
            progress=throttled(lambda report: self.progressed.emit(job, report), PROGRESS_INTERVAL),
            preview=lambda value: self.previewed.emit(job, value),
            announce=lambda sentence: self.announced.emit(job, sentence),
            cancelled=job.is_cancelled,
        )


class JobQueue(QObject):
    """Owns a thread and its jobs; of each kind only the newest is heard.

    All signals are emitted on the thread of the queue (the UI thread) and only for the job that is
    the newest of its kind: what an older one still had to say is dropped.
    """

    progressed = Signal(object, object)  # Kind, ProgressReport
    previewed = Signal(object, object)  # Kind, value
    announced = Signal(object, str)  # Kind, sentence
    finished = Signal(object, object)  # Kind, result
    cancelled = Signal(object)  # Kind
    failed = Signal(object, object)  # Kind, Exception

    _submitted = Signal(object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._newest: dict[JobKind, Job] = {}
        self._open: set[Job] = set()
        self._stopped = False
        self._thread = QThread(self)
        self._thread.setObjectName(name)
        self._worker = Worker()
        self._worker.moveToThread(self._thread)
        self._submitted.connect(self._worker.run)
        self._worker.progressed.connect(self._on_progressed)
        self._worker.previewed.connect(self._on_previewed)
        self._worker.announced.connect(self._on_announced)
        self._worker.finished.connect(self._on_finished)
        self._worker.cancelled.connect(self._on_cancelled)
        self._worker.failed.connect(self._on_failed)

    def submit(self, kind: JobKind, work: Work, done: Done | None = None) -> None:
        """Run the work after what was submitted before; an older job of the kind is cancelled.

        `done` gets the result, before `finished` is emitted, unless the job is not the newest of
        its kind any more. Once the queue was stopped nothing is taken any more.
        """
        if self._stopped:
            return
        self.drop(kind)
        job = Job(kind, work, done)
        self._newest[kind] = job
        self._open.add(job)
        if not self._thread.isRunning():
            self._thread.start()
        self._submitted.emit(job)

    def cancel(self, kind: JobKind) -> None:
        """Ask the job of this kind to stop, if there is one."""
        job = self._newest.get(kind)
        if job is not None:
            self._cancel(job)

    def drop(self, kind: JobKind) -> None:
        """Ask the job of this kind to stop, if there is one; it is not heard of any more."""
        job = self._newest.pop(kind, None)
        if job is not None:
            self._cancel(job)

    def is_busy(self, kind: JobKind) -> bool:
        """Whether a job of this kind waits or runs."""
        return kind in self._newest

    def stop(self, *, unless: JobKind | None = None) -> None:
        """Cancel everything and wait for the thread to end; the newest job of a kind may finish."""
        self._stopped = True
        last = self._newest.get(unless) if unless else None
        self._newest.clear()
        for job in tuple(self._open):
            if job is not last:
                self._cancel(job)
        self._thread.quit()
        self._thread.wait()
        if last is not None:
            self._worker.run(last)  # does nothing when the thread has come to it
        self._open.clear()

    def _cancel(self, job: Job) -> None:
        if job.cancel():
            self._on_cancelled(job)

    def _ended(self, job: Job) -> bool:
        """Forget a job that ended; True when it was the newest of its kind."""
        self._open.discard(job)
        if self._newest.get(job.kind) is not job:
            return False
        del self._newest[job.kind]
        return True

    @Slot(object, object)
    def _on_progressed(self, job: Job, report: object) -> None:
        if self._newest.get(job.kind) is job:
            self.progressed.emit(job.kind, report)

    @Slot(object, object)
    def _on_previewed(self, job: Job, value: object) -> None:
        if self._newest.get(job.kind) is job:
            self.previewed.emit(job.kind, value)

    @Slot(object, str)
    def _on_announced(self, job: Job, sentence: str) -> None:
        if self._newest.get(job.kind) is job:
            self.announced.emit(job.kind, sentence)

    @Slot(object, object)
    def _on_finished(self, job: Job, result: object) -> None:
        if self._ended(job):
            if job.done is not None:
                job.done(result)
            self.finished.emit(job.kind, result)

    @Slot(object)
    def _on_cancelled(self, job: Job) -> None:
        if self._ended(job):
            self.cancelled.emit(job.kind)

    @Slot(object, object)
    def _on_failed(self, job: Job, error: Exception) -> None:
        if self._ended(job):
            self.failed.emit(job.kind, error)


# Reading a pair must not wait for a scan, nor a scan for a long report; files are read while the
# engine is prepared.
THREADS = {
    JobKind.WARM_UP: "preparing",
    JobKind.COMPILE: "preparing",
    JobKind.SCAN: "engine",
    JobKind.OPEN: "engine",
    JobKind.LIST: "engine",
    JobKind.GROUP: "counting",
    JobKind.PASSAGES: "passages",
    JobKind.LOOK_UP: "passages",
    JobKind.JUDGE_PASSAGE: "engine",
    JobKind.COUNT: "counting",
    JobKind.GRID: "counting",
    JobKind.BUCKETS: "counting",
    JobKind.LENGTHS: "counting",
    JobKind.ALONE: "measuring",
    JobKind.CHANGE_LIST: "engine",
    JobKind.COMPARE: "reading",
    JobKind.EXPLAIN: "explaining",
    JobKind.WEIGH: "explaining",
    JobKind.SIGNATURES: "explaining",
    JobKind.FIND_CHANGES: "reading",
    JobKind.READ_AHEAD: "reading",
    JobKind.THUMBNAILS: "thumbnails",
    JobKind.AUDIT: "auditing",
    JobKind.EXPORT: "writing",
    JobKind.PREVIEW: "previewing",
    JobKind.PICTURE: "writing",
    JobKind.TABLE: "writing",
    JobKind.SAVE_SETTINGS: "writing",
    JobKind.LOAD_SETTINGS: "reading",
    JobKind.SAVE: "saving",
    JobKind.APPEND: "saving",
    JobKind.COMPLETE: "saving",
    JobKind.WATCH: "watching",
}


class JobQueues(QObject):
    """Hands work to the queue of its kind; says of all queues what each says of its own jobs."""

    progressed = Signal(object, object)  # Kind, ProgressReport
    previewed = Signal(object, object)  # Kind, value
    announced = Signal(object, str)  # Kind, sentence
    finished = Signal(object, object)  # Kind, result
    cancelled = Signal(object)  # Kind
    failed = Signal(object, object)  # Kind, Exception

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queues = {name: JobQueue(name, self) for name in sorted(set(THREADS.values()))}
        for queue in self._queues.values():
            queue.progressed.connect(self.progressed)
            queue.previewed.connect(self.previewed)
            queue.announced.connect(self.announced)
            queue.finished.connect(self.finished)
            queue.cancelled.connect(self.cancelled)
            queue.failed.connect(self.failed)

    def submit(self, kind: JobKind, work: Work, done: Done | None = None) -> None:
        """Run work as soon as its thread is free; an older one of the kind is cancelled.

        `done` gets the result.
        """
        self._queues[THREADS[kind]].submit(kind, work, done)

    def cancel(self, *kinds: JobKind) -> None:
        """Ask the jobs of these kinds to stop."""
        for kind in kinds:
            self._queues[THREADS[kind]].cancel(kind)

    def drop(self, *kinds: JobKind) -> None:
        """Ask the jobs of these kinds to stop; they are not heard of any more."""
        for kind in kinds:
            self._queues[THREADS[kind]].drop(kind)

    def is_busy(self, *kinds: JobKind) -> bool:
        """Whether a job of one of these kinds waits or runs."""
        return any(self._queues[THREADS[kind]].is_busy(kind) for kind in kinds)

    def stop(self) -> None:
        """Cancel everything but what is being saved, and wait for all threads to end."""
        for queue in self._queues.values():
            queue.stop(unless=JobKind.SAVE)


class EngineThreads:
    """One pool, made when it is first asked for, closed by the window that made it.

    Scans only borrow it. Whatever becomes of a scan, cancelled, failed or replaced by another, what
    it listed can be listed again under other bands: none of them closes what the others work with.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None

    def pool(self) -> ThreadPoolExecutor:
        """The pool; may be asked for on any thread."""
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(worker_count(), thread_name_prefix="neardup-engine")
            return self._pool

    def close(self) -> None:
        """End the threads, without waiting for one in the midst of a long document.

        To be called when no job runs any more.
        """
        with self._lock:
            if self._pool is not None:
                self._pool.shutdown(wait=False, cancel_futures=True)
