"""The small pictures of the pairs on the screen: drawn off the UI thread, those in sight first.

rows in sight ─▶ those without a picture ─▶ THUMBNAILS ─▶ one after the other into the model
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.jobs.thumbnails import DrawnThumbnail, draw_thumbnail
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.pairs.thumbnails import DocumentPair
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.presenter.current import Current

MOST = 200  # rows of a screen


class ThumbnailSession(QObject):
    """Has the pictures drawn that are in sight; other rows have no work done for them.

    Signals:
        drawn: A picture came into the model.
    """

    drawn = Signal()

    def __init__(
        self, queues: JobQueues, current: Current, pairs: PairsModel, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._pairs = pairs
        self._wanted: list[DocumentPair] = []

    @Slot(int, int)
    def show_rows(self, first: int, end: int) -> None:
        """These rows are in sight; what was still to be drawn of others is not wanted any more."""
        result = self._current.result
        self._queues.drop(JobKind.THUMBNAILS)
        self._wanted = []
        if result is None or not result.complete or result.names is not self._pairs.names:
            return
        rows = range(first, min(end, first + MOST, self._pairs.rowCount()))
        listed = self._pairs.pairs_in(list(reversed(rows)))
        pairs = zip(result.pairs.a[listed].tolist(), result.pairs.b[listed].tolist(), strict=True)
        self._wanted = [pair for pair in pairs if pair not in self._pairs.thumbnails]
        self._draw_next(result)

    def _draw_next(self, result: ScanResult) -> None:
        if self._wanted:
            work = draw_thumbnail(self._current.up_to_date(result), self._wanted.pop())
            self._queues.submit(JobKind.THUMBNAILS, work, partial(self._add, result))

    def _add(self, result: ScanResult, drawn: DrawnThumbnail) -> None:
        if result.names is self._pairs.names:
            self._pairs.thumbnails.add(drawn.pair, drawn.thumbnail)
            self.drawn.emit()
            self._draw_next(result)
