"""From a corpus to what is known of its pairs, for the forecast of what bands miss."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int16Array, Int64Array, UInt64Array
from core.base.progress import Cancelled, never
from core.candidates.agreement import NO_BAND, band_met
from core.candidates.all_pairs import AllPairs
from core.candidates.forecast import LEVELS, KnownPairs, Levels, level_of
from core.candidates.references import count_pairs, pairs_of
from core.candidates.scurve import candidate_probability
from core.errors import StorageError, TooManyCandidatesError
from core.evidence.pairs import split_codes
from core.scan.affordable_pairs import affordable_pairs
from core.scan.corpus import Corpus
from core.scan.duplicates import COPIES_SPELLED_OUT
from core.settings import ScanSettings

LOOKED_AT = 1 << 19  # pairs below the threshold; a second on one core


class MeasuredPairs(NamedTuple):
    """Pairs of different documents that reach the threshold.

    Attributes:
        codes: uint64, ascending.
        x: First documents.
        y: Second documents.
        resemblance: Exact.
        counts: As how many listed pairs each counts: its documents may have copies.
    """

    codes: UInt64Array
    x: Int64Array
    y: Int64Array
    resemblance: Float64Array
    counts: Float64Array


def known_pairs(corpus: Corpus, settings: ScanSettings, cancelled: Cancelled = never) -> KnownPairs:
    """What is known of the pairs of a corpus, by a list under these settings and those before it.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    every = every_pair(corpus, settings, cancelled)
    rows = corpus.distinct()
    pairs = count_pairs(corpus.reviewed(), rows)
    background = corpus.background_pairs(cancelled)
    measured = measured_pairs(corpus, settings, every)
    sampled = None if every else _best_choice(corpus, settings)
    share = 1.0 if every or not pairs else background.share
    tried = corpus.tried.get(settings.choice) if settings.choice else None
    extra = tried.below(settings.min_resemblance) if tried else None
    if every and settings.choice:
        extra = _met_below(corpus, settings, every)
    return KnownPairs(
        choice=settings.choice,
        floor=settings.min_resemblance,
        all_pairs=pairs,
        complete=every is not None,
        sampled=sampled,
        share=share,
        is_listed=tried is not None and not tried.crowded,
        extra_candidates=extra,
        identical=identical_pairs(corpus),
        levels=_levels(corpus, settings, measured, sampled, certain=share == 1),
        every=None if every is None else _spread(every.resemblance, pairs),
        apart=0 if every is None else pairs - len(every.resemblance),
    )


def _met_below(corpus: Corpus, settings: ScanSettings, every: AllPairs) -> int | None:
    """How many pairs of different texts meet in a band below the threshold; None of very many."""
    pairs = measured_pairs(corpus, settings.with_changes(min_resemblance=0.0), every)
    below = (pairs.resemblance > 0) & (pairs.resemblance < settings.min_resemblance)
    if np.count_nonzero(below) > LOOKED_AT:
        return None
    return int(corpus.search(settings).meets(pairs.x[below], pairs.y[below]).sum())


def every_pair(corpus: Corpus, settings: ScanSettings, cancelled: Cancelled) -> AllPairs | None:
    """All pairs, where they were compared, else None."""
    try:
        return affordable_pairs(corpus, settings, cancelled)
    except (TooManyCandidatesError, StorageError):
        return None  # the list says so


def measured_pairs(corpus: Corpus, settings: ScanSettings, every: AllPairs | None) -> MeasuredPairs:
    """The pairs from the threshold on: of all that were compared, else of those measured so far."""
    if every is None:
        codes, resemblance = corpus.evidence.reaching(settings.min_resemblance)
    else:
        reach = every.resemblance >= settings.min_resemblance
        codes, resemblance = every.codes[reach], every.resemblance[reach]
    x, y = split_codes(codes)
    copies, own = _copies(corpus)
    # What was measured before documents came, went or were references may be of copies now, or of
    # two references.
    different = (x != y) & (copies[x] > 0) & (copies[y] > 0)
    different &= (own[x] > 0) | (own[y] > 0)
    codes, x, y = codes[different], x[different], y[different]
    few = copies <= COPIES_SPELLED_OUT
    spread, others = np.where(few, copies, 1), np.where(few, copies - own, own == 0)
    counts = (spread[x] * spread[y] - others[x] * others[y]).astype(np.float64)
    return MeasuredPairs(codes, x, y, resemblance[different], counts)


def _copies(corpus: Corpus) -> tuple[Int64Array, Int64Array]:
    """For the first of equal documents how many there are, and how many of them are to review."""
    first, count = corpus.representatives(), len(corpus)
    own = np.bincount(first[corpus.to_review], minlength=count)
    return np.bincount(first, minlength=count), own


def identical_pairs(corpus: Corpus) -> int:
    """Number of listed pairs of documents with the same words."""
    copies, own = (count[corpus.signed.units > 0] for count in _copies(corpus))
    few = copies <= COPIES_SPELLED_OUT
    return int(pairs_of(own, copies)[few].sum() + (copies[~few] - 1)[own[~few] > 0].sum())


def _best_choice(corpus: Corpus, settings: ScanSettings) -> tuple[int, int] | None:
    """Of the bands and rows whose candidates were all compared, those that find most."""
    choices = {choice for choice, tried in corpus.tried.items() if not tried.crowded}
    if corpus.evidence.forgets:
        choices &= {(settings.bands, settings.rows)}
    floor = max(settings.min_resemblance, 0.05)
    return max(
        choices, key=lambda choice: (float(candidate_probability(floor, *choice)), choice),
        default=None,
    )  # fmt: skip


def _levels(
    corpus: Corpus,
    settings: ScanSettings,
    pairs: MeasuredPairs,
    sampled: tuple[int, int] | None,
    *,
    certain: bool,
) -> Levels:
    """Count pairs by what made them known.

    Args:
        corpus: Their documents.
        settings: Decide which are met.
        pairs: All that are known.
        sampled: The b and r whose candidates are the sample.
        certain: Whether chance made no pair known.
    """
    met = corpus.search(settings).meets(pairs.x, pairs.y)
    shares = sharing_a_passage(corpus, settings, pairs)
    sure = np.ones(len(pairs.x), dtype=np.bool_) if certain else shares
    sole = only_band(corpus, pairs, sampled)
    by_chance = np.isin(pairs.codes, corpus.background_pairs().codes)
    drawn = ~sure & ((sole != NO_BAND) | by_chance)
    level, squares = level_of(pairs.resemblance), pairs.counts**2

    def count(which: BoolArray, values: Float64Array = pairs.counts) -> Float64Array:
        return _counted(level[which], values[which], LEVELS + 1)

    return Levels(
        resemblance=_means(pairs.resemblance, level),
        met=count(met),
        missed=count(~met & ~shares),
        passages=count(~met & shares),
        sharing=count(shares),
        certain=count(sure),
        drawn=count(drawn),
        squares=count(drawn, squares),
        drawn_only=count(drawn & (sole == NO_BAND), squares),
        sole=_by_band(pairs, sole, drawn & (sole >= 0) & ~by_chance, sampled),
    )


def sharing_a_passage(corpus: Corpus, settings: ScanSettings, pairs: MeasuredPairs) -> BoolArray:
    """Which pairs are listed for a passage, whatever the bands."""
    shares = np.isin(pairs.codes, corpus.shared_passages().codes, assume_unique=True)
    if settings.reworked != "off":
        shares |= np.isin(pairs.codes, corpus.reworked.found(settings.reworked))
    return shares


def only_band(corpus: Corpus, pairs: MeasuredPairs, sampled: tuple[int, int] | None) -> Int16Array:
    """The band of the sample in which each pair meets, as `band_met` tells it."""
    if sampled is None:
        return np.full(len(pairs.x), NO_BAND, dtype=np.int16)
    return band_met(corpus.signed.signatures, pairs.x, pairs.y, *sampled)


def _means(resemblance: Float64Array, level: Int64Array) -> Float64Array:
    """The mean of each level, of an empty one its lower end."""
    number = np.bincount(level, minlength=LEVELS + 1)
    sums = np.bincount(level, resemblance, minlength=LEVELS + 1)
    return np.where(number, sums / np.maximum(number, 1), np.arange(LEVELS + 1) / LEVELS)


def _by_band(
    pairs: MeasuredPairs, band: Int16Array, which: BoolArray, sampled: tuple[int, int] | None
) -> Float64Array:
    """Some pairs counted by level and by the only band of the sample in which they meet."""
    bands = sampled[0] if sampled else 0
    places = level_of(pairs.resemblance[which]) * bands + band[which]
    counts = _counted(places, pairs.counts[which], (LEVELS + 1) * bands)
    return counts.reshape(LEVELS + 1, bands)


def _counted(places: Int64Array, values: Float64Array, length: int) -> Float64Array:
    return np.bincount(places, values, minlength=length).astype(np.float64)


def _spread(resemblance: Float64Array, pairs: int) -> Float64Array:
    """Number of all pairs in each thousandth; those that share nothing are in the first."""
    spread = np.bincount(level_of(resemblance), minlength=LEVELS + 1).astype(np.float64)
    spread[0] += pairs - len(resemblance)
    return spread
