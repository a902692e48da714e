"""One run of work, and the worker that does it off the UI thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from core.base.tasks import Cancelled, Progress, throttled
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
    PLANE = "plane of settings"
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
