"""The thread that jobs run on, one after the other."""

from __future__ import annotations

from PySide6.QtCore import QObject, QThread, Signal, Slot

from neardup_gui.jobs.job import Done, Job, JobKind, Work, Worker


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
