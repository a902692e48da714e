"""The guided tour: what was chosen in it, and what the engine makes of it.

a step is opened, something is moved ─▶ TOUR ─▶ a `Shown`
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.settings import ScanSettings, Unit
from neardup_gui.jobs.tasks import TaskKind, Tasks, sentence_of
from neardup_gui.models.tour.steps import Knob, Shown, Step, TourState, TourTexts

if TYPE_CHECKING:
    from collections.abc import Callable


class TourSession(QObject):
    """Reads the sample once, and computes the step in front whenever something is moved.

    Signals:
        changed: A `TourState`: something else was chosen.
        computed: A `Step` and what it shows, a `Shown`.
        failed: A sentence: why there is nothing to show.
        unexpected_error: An unexpected exception.
    """

    changed = Signal(object)
    computed = Signal(object, object)
    failed = Signal(str)
    unexpected_error = Signal(object)

    def __init__(self, tasks: Tasks, sample: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._sample = sample
        self._texts: TourTexts | None = None
        self.step = Step.SHINGLES
        self.state = TourState()

    def begin(self, state: TourState) -> None:
        """Begin with this; the sample is read when it has not been."""
        self._take(state)
        if self._texts is None and not self._tasks.is_busy(TaskKind.TOUR):
            self._run(partial(read_texts, self._sample), self._on_read)

    def open_step(self, step: Step) -> None:
        """Another step is in front."""
        self.step = step
        self._take(self.state)

    def move(self, knob: Knob, value: float) -> None:
        """Another number."""
        self._take(self.state.with_value(knob, value))

    def choose_unit(self, unit: Unit) -> None:
        """Shingles of words or of characters."""
        self._take(self.state.with_unit(unit))

    def type_text(self, text: str) -> None:
        """The user's own text."""
        self._take(self.state.with_text(text))

    def _take(self, state: TourState) -> None:
        self.state = state
        self.changed.emit(state)
        self._compute()

    def _on_read(self, texts: TourTexts) -> None:
        self._texts = texts
        self._compute()

    def _compute(self) -> None:
        if self._texts is not None:
            work = partial(compute_step, self.step, self.state, self._texts)
            self._run(work, partial(self.computed.emit, self.step))

    def _run(self, work: Callable[[], object], done: Callable[..., object]) -> None:
        self._tasks.run(TaskKind.TOUR, work, done, stopped=self._on_stopped)

    def _on_stopped(self, error: Exception | None) -> None:
        if error is None:
            return
        sentence = sentence_of(error)
        if sentence:
            self.failed.emit(sentence)
        else:
            self.unexpected_error.emit(error)


def read_texts(sample: Path) -> TourTexts:
    """Read the sample corpus as a scan does."""
    from core.program import preparation
    from core.scan.flow import scan

    preparation.wait()
    scanned = scan([sample], ScanSettings())
    try:
        names = tuple(document.name for document in scanned.documents)
        return TourTexts(names, tuple(scanned.texts))
    finally:
        scanned.close()


def compute_step(step: Step, state: TourState, texts: TourTexts) -> Shown:
    """Compute what a step shows under what was chosen."""
    from neardup_gui.models.tour import list_steps

    shows: dict[Step, Callable[[TourState, TourTexts], Shown]] = {
        Step.SHINGLES: list_steps.show_shingles,
        Step.RESEMBLANCE: list_steps.show_resemblance,
        Step.SIGNATURES: list_steps.show_signatures,
        Step.BANDS: list_steps.show_bands,
        Step.CURVE: list_steps.show_curve,
        Step.THRESHOLD: list_steps.show_threshold,
        Step.PASSAGES: list_steps.show_passages,
    }
    return shows[step](state, texts)
