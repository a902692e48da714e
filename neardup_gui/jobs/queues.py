"""The threads of a window: each kind of work has its own place, and all are heard in one."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from neardup_gui.jobs.job import Done, JobKind, Work
from neardup_gui.jobs.queue import JobQueue

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
    JobKind.PLANE: "counting",
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
