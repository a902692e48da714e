"""How full the buckets of the list are, counted while somebody looks at them.

the buckets are in sight, a list ─▶ a moment later ─▶ BUCKETS ─▶ numbers
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from neardup_gui.jobs.buckets import look_at_buckets
from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.presenter.current import Current

__all__ = ["BucketSession"]

LATER = 300  # milliseconds: who drags is not held up


class BucketSession(QObject):
    """Has the buckets of the newest list counted.

    Signals:
        told: A `BucketNumbers`; None where there is no list.
        began: They are being counted.
    """

    told = Signal(object)
    began = Signal()

    def __init__(self, queues: JobQueues, current: Current, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._is_open = False
        self._told_of: ScanResult | None = None
        self._later = QTimer(self, singleShot=True, interval=LATER)
        self._later.timeout.connect(self._count)

    def set_open(self, is_open: bool) -> None:
        """The buckets are in sight from now on, or not any more."""
        self._is_open = is_open
        if is_open:
            self._later.start(0)
        else:
            self._later.stop()
            self._queues.drop(JobKind.BUCKETS)

    @Slot(object)
    def take(self, result: ScanResult) -> None:
        """Another list is shown."""
        self._queues.drop(JobKind.BUCKETS)
        if self._told_of is not None and self._told_of.scan is not result.scan:
            self.forget()
        self._later.start(LATER)

    @Slot()
    def forget(self) -> None:
        """Other folders are shown."""
        self._later.stop()
        self._queues.drop(JobKind.BUCKETS)
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
        self._queues.submit(JobKind.BUCKETS, look_at_buckets(result), tell)
