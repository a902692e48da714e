"""Whether all pairs of a folder are compared, or only those that a search finds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from core.base.arrays import Float64Array
from core.base.progress import Cancelled, never
from core.candidates.all_pairs import FEASIBLE, MODERATE, AllPairs, AllPairsLimits, Cost
from core.candidates.references import count_pairs
from core.candidates.scurve import expected_candidates
from core.errors import StorageError, TooManyCandidatesError
from core.scan.comparing_all import cost_of_all_pairs
from core.scan.corpus import Corpus
from core.settings import ScanSettings


def affordable_pairs(
    corpus: Corpus, settings: ScanSettings, cancelled: Cancelled = never
) -> AllPairs | None:
    """All pairs of a corpus, where the settings ask for them; None where a search is to be made.

    What decides is counted, never timed: the answer for a folder is always the same.

    Raises:
        TooManyCandidatesError: All pairs were asked for, and they are too many.
        ScanCancelledError: `cancelled` said so.
        StorageError: All pairs were asked for, and there is not enough memory.
    """

    def bands_cost_more_here() -> bool:
        return _bands_cost_more(corpus, settings, cancelled)

    return affordable(
        settings, lambda limits: corpus.all_pairs(limits, cancelled), bands_cost_more_here
    )


class Every(Protocol):
    """All pairs, compared."""

    def reach(self, min_resemblance: float) -> int:
        """How many have this resemblance or more."""


SomePairs = TypeVar("SomePairs", bound=Every)


def affordable(
    settings: ScanSettings,
    all_pairs: Callable[[AllPairsLimits], SomePairs | None],
    bands_cost_more: Callable[[], bool],
) -> SomePairs | None:
    """All pairs of some documents, as `affordable_pairs`; it says, too, what is raised.

    Args:
        settings: Say what is asked for.
        all_pairs: Compares all, or returns None where that costs more than allowed.
        bands_cost_more: Whether it costs more to compare the candidates of the bands.
    """
    if settings.compare == "bands":
        return None
    asked = settings.compare == "all"
    try:
        every = all_pairs(MODERATE)
        if every is None and not asked and bands_cost_more():
            every = all_pairs(FEASIBLE)
        if every and every.reach(settings.min_resemblance) <= MODERATE.listed:
            return every
        every = all_pairs(FEASIBLE) if asked else None
    except StorageError:
        if asked:
            raise
        return None
    if every and every.reach(settings.min_resemblance) <= FEASIBLE.listed:
        return every
    if asked:
        raise TooManyCandidatesError(
            f"More than {FEASIBLE.pairs:,} pairs of these documents share a shingle: that is too "
            "much to compare all pairs. Compare those that meet in a band."
        )
    return None


def _bands_cost_more(corpus: Corpus, settings: ScanSettings, cancelled: Cancelled) -> bool:
    rows = corpus.distinct()
    pairs = count_pairs(corpus.reviewed(), rows)
    if settings.choice is None or pairs > FEASIBLE.pairs:
        return False
    cost = cost_of_all_pairs(corpus, cancelled)
    background = corpus.background(cancelled)
    return bands_cost_more(cost, background, pairs, len(rows), settings.choice)


def bands_cost_more(
    cost: Cost, background: Float64Array, pairs: int, documents: int, choice: tuple[int, int]
) -> bool:
    """Whether comparing the candidates of the bands takes longer than comparing all pairs.

    To measure a candidate is to look at all shingles of both documents.

    Args:
        cost: Of comparing all pairs.
        background: Resemblances of random pairs.
        pairs: How many there are in all.
        documents: Of which they are.
        choice: Bands and rows.
    """
    candidates = expected_candidates(background, pairs, *choice)
    return cost.shingles_and_steps < candidates.low * 2 * cost.shingles / documents
