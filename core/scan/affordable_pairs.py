"""Whether all pairs of a folder are compared, or only those that a search finds."""

from __future__ import annotations

from core.base.progress import Cancelled, never
from core.candidates.all_pairs import FEASIBLE, MODERATE, AllPairs
from core.candidates.references import count_pairs
from core.candidates.scurve import expected_candidates
from core.errors import StorageError, TooManyCandidatesError
from core.scan.comparing_all import cost_of_all_pairs
from core.scan.corpus import Corpus
from core.settings import ScanSettings

__all__ = ["affordable_pairs"]


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
    if settings.compare == "bands":
        return None
    asked = settings.compare == "all"
    try:
        every = corpus.all_pairs(MODERATE, cancelled)
        if every is None and not asked and _bands_cost_more(corpus, settings, cancelled):
            every = corpus.all_pairs(FEASIBLE, cancelled)
        if every and len(every.reaching(settings.min_resemblance)) <= MODERATE.listed:
            return every
        every = corpus.all_pairs(FEASIBLE, cancelled) if asked else None
    except StorageError:
        if asked:
            raise
        return None
    if every and len(every.reaching(settings.min_resemblance)) <= FEASIBLE.listed:
        return every
    if asked:
        raise TooManyCandidatesError(
            f"More than {FEASIBLE.pairs:,} pairs of these documents share a shingle: that is too "
            "much to compare all pairs. Compare those that meet in a band."
        )
    return None


def _bands_cost_more(corpus: Corpus, settings: ScanSettings, cancelled: Cancelled) -> bool:
    """Whether comparing the candidates of the bands takes longer than comparing all pairs.

    To measure a candidate is to look at all shingles of both documents.
    """
    rows = corpus.distinct()
    pairs = count_pairs(corpus.reviewed(), rows)
    if settings.choice is None or pairs > FEASIBLE.pairs:
        return False
    cost = cost_of_all_pairs(corpus, cancelled)
    background = corpus.background(cancelled)
    candidates = expected_candidates(background, pairs, *settings.choice)
    return cost.shingles_and_steps < candidates.low * 2 * cost.shingles / len(rows)
