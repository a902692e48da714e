"""From a corpus to what every choice of bands and rows would do there."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.arrays import BoolArray, Float64Array
from core.base.progress import Cancelled, never
from core.candidates.agreement import NO_BAND
from core.candidates.forecast import KnownPairs
from core.candidates.plane import Plane, make_plane
from core.candidates.plane_counts import FoundPairs
from core.candidates.plane_values import Lists
from core.evidence.pairs import split_codes
from core.scan.corpus import Corpus
from core.scan.measured_pairs import (
    LOOKED_AT,
    MeasuredPairs,
    every_pair,
    known_pairs,
    measured_pairs,
    only_band,
    sharing_a_passage,
)
from core.settings import ScanSettings
from core.text.word_counts import are_passages


def measured_plane(
    corpus: Corpus,
    settings: ScanSettings,
    cancelled: Cancelled = never,
    *,
    is_part_of_run: bool = False,
) -> Plane | None:
    """What every b and r would do, from all that was measured; None where there are no bands.

    Lists of a part of a run have only pairs of it: how many other bands list is not told.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    if settings.choice is None:
        return None
    known = known_pairs(corpus, settings, cancelled)
    pace, apart = corpus.pace, _sharing_no_shingle(corpus, settings)
    lists = Lists(settings.list_passages, pace.a_band, pace.a_pair, apart, not is_part_of_run)
    pairs = _found_pairs(corpus, settings, known, cancelled)
    tried = [choice for choice, compared in corpus.tried.items() if not compared.crowded]
    if corpus.evidence.forgets:
        tried = [choice for choice in tried if choice == known.sampled]
    signatures, in_bands = corpus.signed.signatures, corpus.pairs_in_bands(cancelled)
    return make_plane(signatures, known, pairs, in_bands, tried, lists, cancelled)


def _sharing_no_shingle(corpus: Corpus, settings: ScanSettings) -> int:
    """How many pairs are listed for a reworked passage that have no shingle in common."""
    if settings.reworked == "off":
        return 0
    x, y = split_codes(corpus.reworked.found(settings.reworked))
    return int((corpus.evidence.measured(x, y).shared == 0).sum())


def _found_pairs(
    corpus: Corpus, settings: ScanSettings, known: KnownPairs, cancelled: Cancelled
) -> FoundPairs:
    """All known pairs, and what made each known."""
    every = every_pair(corpus, settings, cancelled)
    pairs = measured_pairs(corpus, settings.with_changes(min_resemblance=0.0), every)
    # Those that share nothing, which only the random sample holds, meet nowhere.
    columns: Any = (column[pairs.resemblance > 0] for column in pairs)
    pairs = MeasuredPairs(*columns)
    sharing = sharing_a_passage(corpus, settings, pairs)
    kept, stands_for = _thinned(pairs, sharing, known.floor, settings.seed)
    columns = (column[kept] for column in pairs)
    pairs = MeasuredPairs(*columns)
    sharing, stands_for = sharing[kept], stands_for[kept]
    band = only_band(corpus, pairs, known.sampled)
    by_chance = np.isin(pairs.codes, corpus.background_pairs(cancelled).codes)
    drawn = ~sharing & ((band != NO_BAND) | by_chance) & (not known.is_certain)
    otherwise = ~sharing & ~drawn & (not known.is_certain)
    return FoundPairs(
        pairs.x,
        pairs.y,
        pairs.resemblance,
        pairs.counts,
        stands_for,
        sharing,
        _listed_anyway(corpus, settings, pairs, sharing),
        drawn,
        otherwise,
        np.where(drawn & ~by_chance, band, NO_BAND).astype(np.int16),
        drawn & by_chance & (band == NO_BAND),
    )


def _thinned(
    pairs: MeasuredPairs, sharing: BoolArray, floor: float, seed: int
) -> tuple[BoolArray, Float64Array]:
    """Which pairs are looked at, and as how many each counts: of those not listed not too many."""
    below = (pairs.resemblance < floor) & ~sharing
    number = int(below.sum())
    kept, stands_for = np.ones(len(below), dtype=np.bool_), np.ones(len(below))
    if number > LOOKED_AT:
        share = LOOKED_AT / number
        kept[below] = np.random.default_rng(seed).random(number) < share
        stands_for[below] = 1 / share
    return kept, stands_for


def _listed_anyway(
    corpus: Corpus, settings: ScanSettings, pairs: MeasuredPairs, sharing: BoolArray
) -> BoolArray:
    """Which pairs are listed for what they share, also below the threshold."""
    anyway = np.zeros(len(sharing), dtype=np.bool_)
    words = corpus.evidence.measured(pairs.x[sharing], pairs.y[sharing]).words
    anyway[sharing] = are_passages(words, settings)
    if settings.reworked != "off":
        anyway |= np.isin(pairs.codes, corpus.reworked.found(settings.reworked))
    return anyway
