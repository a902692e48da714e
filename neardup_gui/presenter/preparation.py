"""Makes the engine ready while nothing else is to do, and says so."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.preparation import compile_other_kernels, warm_up
from neardup_gui.jobs.queues import JobQueues


class Preparation(QObject):
    """Runs once, at the start of a window.

    Signals:
        told: A sentence on the preparation of the engine, empty when it is done.
    """

    told = Signal(str)

    def __init__(self, queues: JobQueues, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queues = queues
        queues.announced.connect(self._on_announced)
        queues.failed.connect(self._on_failed)

    def begin(self) -> None:
        """Prepare everything."""
        self.told.emit("Preparing the engine")
        self._queues.submit(JobKind.WARM_UP, warm_up(), self._prepared)

    def _prepared(self, _result: object) -> None:
        self.told.emit("")
        self._queues.submit(JobKind.COMPILE, compile_other_kernels())

    @Slot(object, str)
    def _on_announced(self, kind: JobKind, sentence: str) -> None:
        if kind is JobKind.WARM_UP:
            self.told.emit(sentence)

    @Slot(object, object)
    def _on_failed(self, kind: JobKind, _error: Exception) -> None:
        if kind is JobKind.WARM_UP:
            self.told.emit("")
