"""How rare the passages of the open pair are, counted while the words on it are open.

the words are open, a pair is read ─▶ EXPLAIN ─▶ sentences
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.pairs import OpenedPair
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.jobs.why import explain
from neardup_gui.presenter.current import Current


class WhySession(QObject):
    """Counts for one pair at a time, and only where somebody wants to know.

    Signals:
        told: Sentences on the pair that is open.
    """

    told = Signal(object)

    def __init__(self, queues: JobQueues, current: Current, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._is_open = False
        self._opened: OpenedPair | None = None
        self._counted: OpenedPair | None = None

    def set_open(self, is_open: bool) -> None:
        """The words on the pair are read from now on, or not any more."""
        self._is_open = is_open
        self._count()

    def take(self, opened: OpenedPair | None) -> None:
        """Another pair is read, or none."""
        self._opened = opened
        self._queues.drop(JobKind.EXPLAIN)
        self._count()

    def _count(self) -> None:
        result, opened = self._current.result, self._opened
        if not self._is_open:
            self._queues.drop(JobKind.EXPLAIN)
            return
        if opened is None or result is None or not result.complete or opened is self._counted:
            return

        def tell(sentences: tuple[str, ...]) -> None:
            self._counted = opened
            self.told.emit(sentences)

        work = explain(result, opened.documents, opened.passages)
        self._queues.submit(JobKind.EXPLAIN, work, tell)
