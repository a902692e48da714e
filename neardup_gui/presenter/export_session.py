"""Reports: what they will look like, and their files; pictures of the curve.

A report is checked against the folders that are open.

a report is chosen ─▶ CHECK ─▶ a `CheckedReport`
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.base.tasks import ProgressReport
from core.errors import NeardupError
from core.program.startup import lacking
from neardup_gui.jobs.exports import (
    ReportOrder,
    SavedReport,
    check_report,
    preview_report,
    save_bytes,
    save_report,
)
from neardup_gui.jobs.tasks import JobKind, JobQueue, JobQueues
from neardup_gui.models.pairs.table import PairsModel, report_sentence
from neardup_gui.models.reports import ReportPreview, ReportWish
from neardup_gui.models.words import progress, sentences
from neardup_gui.models.words.progress import ProgressLines
from neardup_gui.models.words.sentences import Message
from neardup_gui.presenter.current import Current

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

        See `neardup_gui.jobs.exports.check_report`.
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


USUAL = ReportWish()


class ExportSession(QObject):
    """Writes files that nothing reads again.

    Signals:
        submitted: A report is being written.
        said: A `Message` for the message bar.
        previewed: A `ReportPreview`: the beginning of a report, then the same with its size.
        progressed: A `ProgressLine` of the report that is being written.
        ended: A `Message`: the report was written, given up, or could not be written.
    """

    submitted = Signal()
    said = Signal(object)
    previewed = Signal(object)
    progressed = Signal(object)
    ended = Signal(object)

    def __init__(
        self, queues: JobQueues, current: Current, pairs: PairsModel, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._pairs = pairs
        self._lines = ProgressLines()
        queues.previewed.connect(self._on_previewed)
        queues.progressed.connect(self._on_progressed)
        queues.cancelled.connect(self._on_cancelled)
        queues.failed.connect(self._on_failed)

    @property
    def is_writing(self) -> bool:
        """Whether a report is being written."""
        return self._queues.is_busy(JobKind.EXPORT)

    def preview(self, wish: ReportWish) -> None:
        """Make the beginning of a report, and measure it."""
        order = self._order(wish)
        if order is not None and not self.is_writing:
            self._queues.submit(JobKind.PREVIEW, preview_report(order), self.previewed.emit)

    def drop_preview(self) -> None:
        """Nobody looks any more."""
        self._queues.drop(JobKind.PREVIEW)

    def save(self, path: Path, wish: ReportWish = USUAL, key: Path | None = None) -> None:
        """Write a report, by default what the table shows; the ending of the file says how.

        `key` is where the key to withheld names is kept.
        """
        order = self._order(wish, key)
        if order is None:
            return
        self.drop_preview()
        self._lines = ProgressLines()
        self._queues.submit(JobKind.EXPORT, save_report(path, order), self._saved)
        self.submitted.emit()

    def cancel(self) -> None:
        """Write no report after all."""
        self._queues.cancel(JobKind.EXPORT)

    def save_picture(self, path: Path, picture: bytes) -> None:
        """Write a picture that was drawn."""
        self._queues.submit(JobKind.PICTURE, save_bytes(path, picture), self._picture_saved)

    def save_settings(self, path: Path, table: bytes) -> None:
        """Write the table of settings."""
        self._queues.submit(JobKind.TABLE, save_bytes(path, table), self._table_saved)

    def _order(self, wish: ReportWish, key: Path | None = None) -> ReportOrder | None:
        """A report of the list as it is now; None where there is none."""
        result = self._current.result
        if result is None:
            return None
        words = sentences.shown(self._pairs.filter, self._pairs.order_in_words)
        outdated = report_sentence(self._current.changes_since)
        return ReportOrder(
            wish=wish,
            result=result,
            rows=self._pairs.shown_rows(),
            shown=words,
            outdated=outdated,
            judgements=self._current.judgements,
            log=self._current.log,
            key=key,
        )

    def _table_saved(self, path: Path) -> None:
        self.said.emit(sentences.table_saved(path))

    def _saved(self, report: SavedReport) -> None:
        outdated = report_sentence(self._current.changes_since)
        said = progress.saved(report, outdated)
        self.said.emit(said)
        self.ended.emit(said)

    def _picture_saved(self, path: Path) -> None:
        self.said.emit(sentences.picture_saved(path))

    def _on_previewed(self, kind: JobKind, preview: ReportPreview) -> None:
        if kind is JobKind.PREVIEW:
            self.previewed.emit(preview)

    def _on_progressed(self, kind: JobKind, report: ProgressReport) -> None:
        if kind is JobKind.EXPORT:
            self.progressed.emit(progress.saving(self._lines.line_for(report)))

    def _on_cancelled(self, kind: JobKind) -> None:
        if kind is JobKind.EXPORT:
            self.ended.emit(Message(progress.CANCELLED))

    def _on_failed(self, kind: JobKind, error: Exception) -> None:
        if kind is JobKind.EXPORT:
            known = isinstance(error, NeardupError)
            self.ended.emit(Message(str(error) if known else progress.NOT_WRITTEN, warning=True))
