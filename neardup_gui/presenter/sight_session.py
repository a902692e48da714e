"""How full the buckets of the list are, and what passages list, counted while somebody looks.

the page is in sight, a list ─▶ a moment later ─▶ BUCKETS or LENGTHS ─▶ numbers
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from neardup_gui.jobs.job import JobKind, Work
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.presenter.current import Current

LATER = 300  # milliseconds: who drags is not held up


class SightSession(QObject):
    """Has something of the newest list counted while its page is in sight.

    Signals:
        told: What was counted; None where there is no list.
        began: It is being counted.
    """

    told = Signal(object)
    began = Signal()

    def __init__(
        self,
        queues: JobQueues,
        current: Current,
        kind: JobKind,
        look: Callable[[ScanResult], Work],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._kind = kind
        self._look = look
        self._queues = queues
        self._current = current
        self._is_open = False
        self._told_of: ScanResult | None = None
        self._later = QTimer(self, singleShot=True, interval=LATER)
        self._later.timeout.connect(self._count)

    def set_open(self, is_open: bool) -> None:
        """The page is in sight from now on, or not any more."""
        self._is_open = is_open
        if is_open:
            self._later.start(0)
        else:
            self._later.stop()
            self._queues.drop(self._kind)

    @Slot(object)
    def take(self, result: ScanResult) -> None:
        """Another list is shown."""
        self._queues.drop(self._kind)
        if self._told_of is not None and self._told_of.scan is not result.scan:
            self.forget()
        self._later.start(LATER)

    @Slot()
    def forget(self) -> None:
        """Other folders are shown."""
        self._later.stop()
        self._queues.drop(self._kind)
        self._told_of = None
        self.told.emit(None)

    @Slot()
    def _count(self) -> None:
        result = self._current.result
        if not self._is_open or result is None or not result.complete or result is self._told_of:
            return

        def tell(numbers: object) -> None:
            self._told_of = result
            self.told.emit(numbers)

        self.began.emit()
        self._queues.submit(self._kind, self._look(result), tell)
