"""What the guided tour shows: the sample read once, each step computed by the engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from core.base.tasks import Cancelled
from neardup_gui.jobs.tasks import Reports, Work
from neardup_gui.models.tour.steps import Shown, Step, TourState

if TYPE_CHECKING:
    from neardup_gui.models.tour.steps import TourTexts


def read_texts(sample: Path) -> Work:
    """Read the sample corpus as a scan does."""

    def work(reports: Reports) -> TourTexts:
        from core.program import preparation
        from core.scan.flow import scan
        from core.settings import ScanSettings
        from neardup_gui.models.tour.steps import TourTexts

        preparation.wait(reports.cancelled)
        scanned = scan([sample], ScanSettings(), cancelled=reports.cancelled)
        try:
            names = tuple(document.name for document in scanned.documents)
            return TourTexts(names, tuple(scanned.texts))
        finally:
            scanned.close()

    return work


def compute_step(step: Step, state: TourState, texts: TourTexts) -> Work:
    """Compute what a step shows under what was chosen: a `Shown`."""

    def work(reports: Reports) -> Shown:
        return _shows(step)(state, texts, reports.cancelled)

    return work


def _shows(step: Step) -> Callable[[TourState, TourTexts, Cancelled], Shown]:
    from neardup_gui.models.tour import list_steps

    return {
        Step.SHINGLES: list_steps.show_shingles,
        Step.RESEMBLANCE: list_steps.show_resemblance,
        Step.SIGNATURES: list_steps.show_signatures,
        Step.BANDS: list_steps.show_bands,
        Step.CURVE: list_steps.show_curve,
        Step.THRESHOLD: list_steps.show_threshold,
        Step.PASSAGES: list_steps.show_passages,
    }[step]
