"""The guided tour: what was chosen in it, and what the engine makes of it.

a step is opened, something is moved ─▶ TOUR ─▶ a `Shown`
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.errors import NeardupError
from core.program.startup import lacking
from core.settings import Unit
from neardup_gui.jobs.tasks import JobKind, JobQueue
from neardup_gui.jobs.tour import compute_step, read_texts
from neardup_gui.models.tour.steps import Knob, Step, TourState

if TYPE_CHECKING:
    from neardup_gui.models.tour.steps import Shown, TourTexts


class TourSession(QObject):
    """Reads the sample once, and computes the step in front whenever something is moved.

    It has a thread of its own, begun with the first tour: moving must not wait for a scan.

    Signals:
        changed: A `TourState`: something else was chosen.
        computed: A `Step` and what it shows, a `Shown`.
        failed: A sentence: why there is nothing to show.
        broke: An unexpected exception.
    """

    changed = Signal(object)
    computed = Signal(object, object)
    failed = Signal(str)
    broke = Signal(object)

    def __init__(self, sample: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sample = sample
        self._texts: TourTexts | None = None
        self._queue = JobQueue("touring", self)
        self._queue.failed.connect(self._on_failed)
        self.step = Step.SHINGLES
        self.state = TourState()

    def begin(self, state: TourState) -> None:
        """Begin with this; the sample is read when it has not been."""
        self._take(state)
        if self._texts is None and not self._queue.is_busy(JobKind.TOUR):
            self._queue.submit(JobKind.TOUR, read_texts(self._sample), self._on_read)

    def open_step(self, step: Step) -> None:
        """Another step is in front."""
        self.step = step
        self._compute()

    def move(self, knob: Knob, value: float) -> None:
        """Another number."""
        self._take(self.state.with_value(knob, value))

    def choose_unit(self, unit: Unit) -> None:
        """Shingles of words or of characters."""
        self._take(self.state.with_unit(unit))

    def type_text(self, text: str) -> None:
        """The user's own text."""
        self._take(self.state.with_text(text))

    def stop(self) -> None:
        """End the thread."""
        self._queue.stop()

    def _take(self, state: TourState) -> None:
        self.state = state
        self.changed.emit(state)
        self._compute()

    def _on_read(self, texts: TourTexts) -> None:
        self._texts = texts
        self._compute()

    def _compute(self) -> None:
        if self._texts is None:
            return
        step = self.step

        def tell(shown: Shown) -> None:
            self.computed.emit(step, shown)

        self._queue.submit(JobKind.TOUR, compute_step(step, self.state, self._texts), tell)

    @Slot(object, object)
    def _on_failed(self, _kind: JobKind, error: Exception) -> None:
        sentence = str(error) if isinstance(error, NeardupError) else lacking(error)
        if sentence:
            self.failed.emit(sentence)
        else:
            self.broke.emit(error)
