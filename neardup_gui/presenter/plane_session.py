"""What every setting of bands and rows would do in the folder that is shown.

the page of the curve is open, a list ─▶ a moment later ─▶ PLANE ─▶ a plane
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.planes import make_plane
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.presenter.current import Current

LATER = 300  # milliseconds: who drags is not held up


class PlaneSession(QObject):
    """Has the plane of the newest list made, once somebody has looked at the page.

    Signals:
        told: A `Plane`; None where there is none, or while that of other documents is made.
    """

    told = Signal(object)

    def __init__(self, queues: JobQueues, current: Current, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._was_open = False
        self._told_of: ScanResult | None = None
        self._later = QTimer(self, singleShot=True, interval=LATER)
        self._later.timeout.connect(self._make)

    @Slot()
    def open(self) -> None:
        """Somebody looks at the page, and from now on may look at it again."""
        self._was_open = True
        self._later.start(0)

    @Slot(object)
    def take(self, result: ScanResult) -> None:
        """Another list is shown."""
        self._queues.drop(JobKind.PLANE)
        before = self._told_of
        if before is None or before.scan is not result.scan:
            self.forget()
        self._later.start(LATER)

    @Slot()
    def forget(self) -> None:
        """Other folders are shown."""
        self._later.stop()
        self._queues.drop(JobKind.PLANE)
        self._told_of = None
        self.told.emit(None)

    @Slot()
    def _make(self) -> None:
        result = self._current.result
        if not self._was_open or result is None or not result.complete or result is self._told_of:
            return

        def tell(plane: object) -> None:
            self._told_of = result
            self.told.emit(plane)

        self._queues.submit(JobKind.PLANE, make_plane(result), tell)
