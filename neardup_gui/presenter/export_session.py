"""Reports of what the table shows, and pictures of the curve."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from neardup_gui.jobs.exports import SavedReport, save_bytes, save_report
from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.models.pairs.outdated import report_sentence
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.words import sentences
from neardup_gui.presenter.current import Current

__all__ = ["ExportSession"]


class ExportSession(QObject):
    """Writes files that nothing reads again.

    Signals:
        submitted: A report is being written.
        said: A `Message` for the message bar.
    """

    submitted = Signal()
    said = Signal(object)

    def __init__(
        self, queues: JobQueues, current: Current, pairs: PairsModel, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._pairs = pairs

    def save(self, path: Path) -> None:
        """Write what the table shows; the ending of the file says how."""
        result = self._current.result
        if result is None:
            return
        words = sentences.shown(self._pairs.filter, self._pairs.order_in_words)
        shown = " ".join(filter(None, (words, report_sentence(self._current.changes_since))))
        rows = self._pairs.shown_rows()
        work = save_report(path, result, rows, shown, self._current.judgements)
        self._queues.submit(JobKind.EXPORT, work, self._saved)
        self.submitted.emit()

    def save_picture(self, path: Path, picture: bytes) -> None:
        """Write a picture that was drawn."""
        self._queues.submit(JobKind.PICTURE, save_bytes(path, picture), self._picture_saved)

    def save_settings(self, path: Path, table: bytes) -> None:
        """Write the table of settings."""
        self._queues.submit(JobKind.TABLE, save_bytes(path, table), self._table_saved)

    def _table_saved(self, path: Path) -> None:
        self.said.emit(sentences.table_saved(path))

    def _saved(self, report: SavedReport) -> None:
        outdated = report_sentence(self._current.changes_since)
        self.said.emit(sentences.saved(report.path, report.pairs, outdated))

    def _picture_saved(self, path: Path) -> None:
        self.said.emit(sentences.picture_saved(path))
