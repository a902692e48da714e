"""Which share of the skip-grams of a folder's passages counts, for the promise of its curve."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from core.base.arrays import BoolArray, Int64Array
from core.base.parallel import worker_count
from core.base.progress import Cancelled, never
from core.candidates.reworked import HEAVIEST, weights_of
from core.candidates.reworked_curve import Kept
from core.candidates.skip_gram_index import index_skip_grams
from core.candidates.skip_gram_meetings import NEEDED_WEIGHT
from core.settings.reworked_search import NEEDED
from core.signatures.skip_grams import GRAMS_A_WORD, places_of
from core.text.fingerprints import Fingerprints

__all__ = ["measure_kept"]

PASSAGE = 60  # words
RARE = min(HEAVIEST, -(-NEEDED_WEIGHT // NEEDED))  # the weight from which on three grams suffice


def measure_kept(
    skip_grams: Fingerprints, taking_part: BoolArray, one_in: int, cancelled: Cancelled = never
) -> Kept | None:
    """The share of grams that are kept and rare, of all passages of 60 words; None without any.

    Args:
        skip_grams: Of all documents.
        taking_part: By document.
        one_in: Of so many grams one is sampled.
        cancelled: Polled while the work goes on.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    with ThreadPoolExecutor(worker_count(), thread_name_prefix="neardup-engine") as pool:
        index = index_skip_grams(skip_grams, taking_part, pool, cancelled)
    weights = weights_of(index, int(np.count_nonzero(taking_part)))
    is_rare = index.held < 0  # no other document has it
    is_rare[~is_rare] = weights[index.held[~is_rare] >> 32] >= RARE
    counts = _by_passage(places_of(skip_grams.values), skip_grams.counts, is_rare)
    if not len(counts):
        return None
    all_grams = PASSAGE * GRAMS_A_WORD / one_in
    mean = float(counts.mean())
    # What the sampling alone varies is no difference between passages.
    spread = float(np.sqrt(max(0.0, counts.var() - mean)))
    return Kept(min(1.0, mean / all_grams), spread / all_grams)


def _by_passage(places: Int64Array, counts: Int64Array, counted: BoolArray) -> Int64Array:
    """How many grams begin in each passage; what is left at the end of a document is none."""
    passages = places // PASSAGE
    has_grams = counts > 0
    lasts = np.cumsum(counts)[has_grams] - 1
    whole = passages[lasts]
    bounds = np.concatenate([[0], np.cumsum(whole)])
    documents = np.repeat(np.arange(len(lasts)), counts[has_grams])
    inside = passages < whole[documents]
    own = (bounds[documents] + passages)[inside & counted]
    return np.bincount(own, minlength=int(bounds[-1])).astype(np.int64)
