"""A report is checked against the folders that are open.

a report is chosen ─▶ CHECK ─▶ a `CheckedReport`
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.errors import NeardupError
from core.program.startup import lacking
from neardup_gui.jobs.checks import check_report
from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.queue import JobQueue
from neardup_gui.models.words.progress import ProgressLines

if TYPE_CHECKING:
    from core.base.tasks import ProgressReport


class CheckSession(QObject):
    """It has a thread of its own, begun with the first check: all files are read again.

    Signals:
        checked: A `CheckedReport`.
        progressed: A `ProgressLine`.
        failed: A sentence: why nothing could be checked.
        broke: An unexpected exception.
    """

    checked = Signal(object)
    progressed = Signal(object)
    failed = Signal(str)
    broke = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines = ProgressLines()
        self._queue = JobQueue("checking", self)
        self._queue.progressed.connect(self._on_progressed)
        self._queue.cancelled.connect(self._on_cancelled)
        self._queue.failed.connect(self._on_failed)

    def check(
        self, report: Path, folders: tuple[Path, ...], review: Path | None, key: Path | None
    ) -> None:
        """Check a report; another one that is being checked is given up.

        See `neardup_gui.jobs.checks.check_report`.
        """
        self._lines = ProgressLines()
        work = check_report(report, folders, review, key)
        self._queue.submit(JobKind.CHECK, work, self.checked.emit)

    def cancel(self) -> None:
        """Check it no further."""
        self._queue.cancel(JobKind.CHECK)

    def stop(self) -> None:
        """End the thread."""
        self._queue.stop()

    @Slot(object, object)
    def _on_progressed(self, _kind: JobKind, report: ProgressReport) -> None:
        self.progressed.emit(self._lines.line_for(report))

    @Slot(object)
    def _on_cancelled(self, _kind: JobKind) -> None:
        self.failed.emit("The check was cancelled.")

    @Slot(object, object)
    def _on_failed(self, _kind: JobKind, error: Exception) -> None:
        sentence = str(error) if isinstance(error, NeardupError) else lacking(error)
        self.failed.emit(sentence or "The report could not be checked.")
        if not sentence:
            self.broke.emit(error)
