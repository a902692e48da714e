"""Numbers made again from the texts, where what a review says of them may not be so."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from core.base.parallel import batches, results_of, worker_count
from core.base.progress import Cancelled, Progress, ProgressReport, Stage, ignore, never
from core.evidence.overlap import count_distinct, measure_shingles, units_of_runs
from core.evidence.pairs import PairFigures
from core.evidence.store import Evidence
from core.scan.state import ScanState
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts, sign_texts
from core.text.shingling import shingle

__all__ = ["are_same", "figures_of", "measured_again"]

TOLERANCE = 1e-6


def figures_of(text_a: str, text_b: str, settings: ScanSettings) -> PairFigures:
    """What two texts share under some settings, as a list of pairs would say it."""
    shingles = shingle([text_a, text_b], settings)
    offsets = shingles.offsets
    sizes = np.diff(offsets)
    if not settings.bag:
        sizes = count_distinct(shingles.hashes, offsets[:-1], offsets[1:])
    first, second = np.array([0]), np.array([1])
    if len(text_b) > len(text_a):
        first, second = second, first
    overlap = measure_shingles(shingles, first, second, settings)
    run = units_of_runs(overlap.longest, shingles.units, first, second, settings.k)
    shared, (in_a, in_b) = int(overlap.shared[0]), sizes.tolist()
    return PairFigures(
        resemblance=shared / max(in_a + in_b - shared, 1),
        containment_a=shared / max(in_a, 1),
        containment_b=shared / max(in_b, 1),
        longest_run=int(run[0]),
        shared_shingles=shared,
        run_words=int(overlap.words[0]),
    )


def are_same(one: PairFigures, other: PairFigures) -> bool:
    """Whether two measurements of a pair are one.

    The longest run is that of most words; of several, each may be it, so its units do not count.
    """
    names = ("resemblance", "containment_a", "containment_b", "shared_shingles", "run_words")
    return all(abs(getattr(one, name) - getattr(other, name)) <= TOLERANCE for name in names)


def measured_again(
    state: ScanState, *, progress: Progress = ignore, cancelled: Cancelled = never
) -> ScanState:
    """A scan with signatures made again from its texts, in which nothing is known of pairs.

    Raises:
        ReviewError: A text cannot be read.
        ScanCancelledError: `cancelled` said so.
    """

    def signed(part: slice) -> SignedTexts:
        return sign_texts(state.texts[part], state.settings)

    parts = list(batches([one.characters for one in state.documents]))
    made = [sign_texts([], state.settings)]
    with ThreadPoolExecutor(worker_count(), thread_name_prefix="neardup-engine") as pool:
        tasks = [pool.submit(signed, part) for part in parts]
        for part, result in zip(parts, results_of(tasks, cancelled), strict=True):
            made.append(result)
            progress(ProgressReport(Stage.COMPARE, part.stop, len(state.documents)))
    evidence = Evidence.none(len(state.documents))
    return state._replace(signed=SignedTexts.join(made), evidence=evidence)
