"""One run of work off the UI thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, Qt, Signal, Slot

from core.errors import ScanCancelledError
from core.progress import Cancelled, Progress
from neardup_gui.jobs.throttle import throttled

__all__ = ["Job", "Kind", "Reports", "Work"]


class Kind(StrEnum):
    """What a job is for; a new job of a kind takes the place of the one before."""

    WARM_UP = "warm up"
    SCAN = "scan"
    LIST = "list"
    COMPARE = "compare"
    EXPORT = "export"


@dataclass(frozen=True, slots=True)
class Reports:
    """How running work speaks to the window and hears from it."""

    progress: Progress
    preview: Callable[[object], None]
    cancelled: Cancelled


Work = Callable[[Reports], object]


class Job(QObject):
    """A worker for one run: emits exactly one of finished, cancelled and failed.

    Every signal carries the job itself first. A job that was cancelled before it began says so at
    once and never runs.
    """

    progressed = Signal(object, object)
    previewed = Signal(object, object)
    finished = Signal(object, object)
    cancelled = Signal(object)
    failed = Signal(object, object)
    _begun = Signal()

    def __init__(self, kind: Kind, work: Work) -> None:
        super().__init__()
        self.kind = kind
        self._work = work
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._claimed = False
        self._begun.connect(self.run, Qt.ConnectionType.QueuedConnection)

    def begin(self) -> None:
        """Run on the thread this job was moved to, when its turn comes."""
        self._begun.emit()

    def cancel(self) -> None:
        """Ask the work to stop; called from the UI thread."""
        self._stop.set()
        if self._claim():
            self.cancelled.emit(self)

    @Slot()
    def run(self) -> None:
        """Do the work; called on the worker thread."""
        if not self._claim():
            return
        try:
            result = self._work(self._reports())
        except ScanCancelledError:
            self.cancelled.emit(self)
        except Exception as error:  # noqa: BLE001 - whatever it is, the window must hear of it
            self.failed.emit(self, error)
        else:
            self.finished.emit(self, result)

    def _reports(self) -> Reports:
        return Reports(
            progress=throttled(lambda report: self.progressed.emit(self, report)),
            preview=lambda value: self.previewed.emit(self, value),
            cancelled=self._stop.is_set,
        )

    def _claim(self) -> bool:
        """True for the one who comes first: the run, or a cancel before it."""
        with self._lock:
            first = not self._claimed
            self._claimed = True
        return first
