"""Collects what is known of the pairs of a corpus, for forecasts of what a search finds.

Of what bands miss; and of what another least length of passages would list. A pair that shares a
run of t words is found whatever the bands, so for a longer run what is listed is counted. For a
shorter one those pairs are known that were measured for something else; how many more there are is
estimated from pairs drawn at random (`core.scan.corpus`), with the score interval (Wilson 1927).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from core.base.arrays import (
    BoolArray,
    Estimate,
    Float64Array,
    Int32Array,
    Int64Array,
    UInt64Array,
    around,
    wilson,
)
from core.base.tasks import stop_if_cancelled
from core.base.wording import count
from core.candidates import forecast
from core.candidates.all_pairs import FEASIBLE, MODERATE, AllPairs, AllPairsLimits
from core.candidates.bands import NO_BAND, only_agreeing_band
from core.candidates.hamming import EQUAL_LIMIT, HammingSearch
from core.candidates.parameter_grid import FoundPairs, Lists, ParameterGrid
from core.candidates.references import are_compared, count_pairs, pairs_of
from core.candidates.scurve import (
    candidate_probability,
    cosine_of_containments,
    expected_candidates,
)
from core.errors import StorageError, TooManyCandidatesError
from core.evidence.overlap import numbers_of
from core.evidence.pairs import FoundBy, Pairs, pair_codes, split_codes
from core.scan.copies import COPIES_SPELLED_OUT
from core.scan.corpus import Corpus, cost_of_all_pairs
from core.settings import ScanSettings
from core.signatures.methods import BITS, hamming_distance, join_halves
from core.text.word_counts import are_passages


def affordable_pairs(corpus: Corpus, settings: ScanSettings) -> AllPairs | None:
    """All pairs of a corpus, where the settings ask for them; None where a search is to be made.

    The decision rests on counts, never on times: it is always the same for a folder, unless memory
    does not suffice.

    Raises:
        TooManyCandidatesError: All pairs were requested, and they are too many.
        StorageError: All pairs were requested, and there is not enough memory.
    """
    return affordable(settings, corpus.all_pairs, partial(_bands_cost_more, corpus, settings))


class AllCompared(Protocol):
    """All pairs, compared."""

    def reach(self, min_resemblance: float) -> int:
        """How many have this resemblance or more."""


ComparedPairs = TypeVar("ComparedPairs", bound=AllCompared)


def affordable(
    settings: ScanSettings,
    all_pairs: Callable[[AllPairsLimits], ComparedPairs | None],
    bands_cost_more: Callable[[], bool],
) -> ComparedPairs | None:
    """All pairs of documents as `affordable_pairs` returns them, which also says what is raised.

    Args:
        settings: Say what is requested.
        all_pairs: Compares all, or returns None where that costs more than allowed.
        bands_cost_more: Whether it costs more to compare the candidates of the bands.
    """
    if settings.compare == "bands":
        return None
    requested = settings.compare == "all"
    try:
        every = all_pairs(MODERATE)
        if every is None and not requested and bands_cost_more():
            every = all_pairs(FEASIBLE)
        if every and every.reach(settings.min_resemblance) <= MODERATE.listed:
            return every
        every = all_pairs(FEASIBLE) if requested else None
    except StorageError:
        if requested:
            raise
        return None
    if every and every.reach(settings.min_resemblance) <= FEASIBLE.listed:
        return every
    if requested:
        raise TooManyCandidatesError(
            "More than {number} pairs of these documents share a shingle: that is too much to "
            "compare all pairs. Compare those that meet in a band.",
            number=count(FEASIBLE.pairs),
        )
    return None


def _bands_cost_more(corpus: Corpus, settings: ScanSettings) -> bool:
    """Whether comparing the candidates of the bands takes longer than comparing all pairs.

    Measuring a candidate reads all shingles of both documents.
    """
    rows = corpus.distinct()
    pairs = count_pairs(corpus.reviewed(), rows)
    if settings.banding is None or pairs > FEASIBLE.pairs:
        return False
    cost = cost_of_all_pairs(corpus)
    candidates = expected_candidates(corpus.background(), pairs, *settings.banding)
    return cost.shingles_and_steps < candidates.low * 2 * cost.shingles / len(rows)


MOST_EXAMINED = 1 << 19  # pairs below the threshold that are examined; a second on one core


def known_pairs(corpus: Corpus, settings: ScanSettings) -> forecast.KnownPairs:
    """What is known of the pairs of a corpus, by a list under these settings and earlier ones."""
    every = every_pair(corpus, settings)
    rows = corpus.distinct()
    pairs = count_pairs(corpus.reviewed(), rows)
    # The random pairs are measured first: they count among the measured ones.
    share = 1.0 if every or not pairs else corpus.background_pairs().share
    measured = measured_pairs(corpus, settings, every)
    sampled = None if every else _best_banding(corpus, settings)
    origins = _with_origins(corpus, measured, sampled, certain=share == 1)
    collided = corpus.search(settings).collides(measured.x, measured.y)
    tried = corpus.tried.get(settings.banding) if settings.banding else None
    extra = tried.below(settings.min_resemblance) if tried else None
    if every and settings.banding:
        extra = _collided_below(corpus, settings, every)
    return forecast.KnownPairs(
        banding=settings.banding,
        threshold=settings.min_resemblance,
        all_pairs=pairs,
        complete=every is not None,
        sampled=sampled,
        share=share,
        is_listed=tried is not None and not tried.crowded,
        extra_candidates=extra,
        identical=identical_pairs(corpus),
        levels=count_levels(collided, origins, sampled, certain=share == 1),
        every=None if every is None else _spread(every.resemblance, pairs),
        apart=0 if every is None else pairs - len(every.resemblance),
    )


def _collided_below(corpus: Corpus, settings: ScanSettings, every: AllPairs) -> int | None:
    """How many pairs of different texts collide below the threshold; None of very many."""
    pairs = _different_pairs(corpus, 0.0, every)
    below = (pairs.resemblance > 0) & (pairs.resemblance < settings.min_resemblance)
    if np.count_nonzero(below) > MOST_EXAMINED:
        return None
    return int(corpus.search(settings).collides(pairs.x[below], pairs.y[below]).sum())


def every_pair(corpus: Corpus, settings: ScanSettings) -> AllPairs | None:
    """All pairs, where they were compared, else None."""
    try:
        return affordable_pairs(corpus, settings)
    except (TooManyCandidatesError, StorageError):
        return None  # the list says so


def measured_pairs(corpus: Corpus, settings: ScanSettings, every: AllPairs | None) -> FoundPairs:
    """The pairs from the threshold on, and which of them share a passage."""
    pairs = _different_pairs(corpus, settings.min_resemblance, every)
    sharing = np.isin(pairs.codes, corpus.shared_passages().codes, assume_unique=True)
    if settings.reworked != "off":
        reworked = corpus.reworked.pair_codes(settings.reworked)
        sharing |= np.isin(pairs.codes, reworked, assume_unique=True)
    return pairs._replace(sharing=sharing)


def _different_pairs(corpus: Corpus, threshold: float, every: AllPairs | None) -> FoundPairs:
    """The pairs from a resemblance on: of all that were compared, else of those measured so far."""
    if every is None:
        codes, resemblance = corpus.evidence.reaching(threshold)
    else:
        reach = every.resemblance >= threshold
        codes, resemblance = every.codes[reach], every.resemblance[reach]
    x, y = split_codes(codes)
    copies, reviewed = _copies(corpus)
    # What was measured before documents came, went or were references may be of copies now, or of
    # two references.
    different = (x != y) & (copies[x] > 0) & (copies[y] > 0)
    different &= (reviewed[x] > 0) | (reviewed[y] > 0)
    counts = _spelled_out(copies, reviewed, x[different], y[different])
    return FoundPairs.measured(codes[different], resemblance[different], counts)


def _spelled_out(
    copies: Int64Array, reviewed: Int64Array, x: Int64Array, y: Int64Array
) -> Float64Array:
    """As how many pairs of documents each pair of texts is listed."""
    few = copies <= COPIES_SPELLED_OUT
    spread, references = np.where(few, copies, 1), np.where(few, copies - reviewed, reviewed == 0)
    counts: Int64Array = spread[x] * spread[y] - references[x] * references[y]
    return counts.astype(np.float64)


def _copies(corpus: Corpus) -> tuple[Int64Array, Int64Array]:
    """By the first of equal documents: how many these are, and how many of them are to review."""
    first, count = corpus.representatives(), len(corpus)
    reviewed = np.bincount(first[corpus.to_review], minlength=count)
    return np.bincount(first, minlength=count), reviewed


def identical_pairs(corpus: Corpus) -> int:
    """Number of listed pairs of documents with the same words."""
    copies, reviewed = (count[corpus.signed.units > 0] for count in _copies(corpus))
    few = copies <= COPIES_SPELLED_OUT
    return int(pairs_of(reviewed, copies)[few].sum() + (copies[~few] - 1)[reviewed[~few] > 0].sum())


def _best_banding(corpus: Corpus, settings: ScanSettings) -> tuple[int, int] | None:
    """Of the bandings whose candidates were all compared, the one that finds most."""
    bandings = {banding for banding, tried in corpus.tried.items() if not tried.crowded}
    if corpus.evidence.forgets:
        bandings &= {(settings.bands, settings.rows)}
    threshold = max(settings.min_resemblance, 0.05)
    return max(
        bandings, key=lambda banding: (float(candidate_probability(threshold, *banding)), banding),
        default=None,
    )  # fmt: skip


def count_levels(
    collided: BoolArray, pairs: FoundPairs, sampled: tuple[int, int] | None, *, certain: bool
) -> forecast.Levels:
    """Count pairs by how they became known.

    Args:
        collided: Which of them collide in the present bands.
        pairs: All that are known.
        sampled: The b and r whose candidates are the sample.
        certain: Whether no pair became known by chance.
    """
    level, squares = forecast.level_of(pairs.resemblance), pairs.counts**2
    sharing, bands = pairs.sharing, sampled[0] if sampled else 0

    def count(which: BoolArray, values: Float64Array = pairs.counts) -> Float64Array:
        return _counted(level[which], values[which], forecast.LEVELS + 1)

    sole = pairs.only_band >= 0
    cells = level[sole] * bands + pairs.only_band[sole]
    return forecast.Levels(
        resemblance=forecast.means_of_levels(pairs.resemblance, level),
        collided=count(collided),
        missed=count(~collided & ~sharing),
        passages=count(~collided & sharing),
        sharing=count(sharing),
        certain=count(sharing | certain),
        drawn=count(pairs.drawn),
        squares=count(pairs.drawn, squares),
        drawn_only=count(pairs.by_chance, squares),
        sole=_counted(cells, pairs.counts[sole], (forecast.LEVELS + 1) * bands).reshape(
            forecast.LEVELS + 1, bands
        ),
    )


def _with_origins(
    corpus: Corpus, pairs: FoundPairs, sampled: tuple[int, int] | None, *, certain: bool
) -> FoundPairs:
    """How each of these pairs became known; where none did by chance, all are certain."""
    band = np.full(len(pairs.x), NO_BAND, dtype=np.int16)
    if sampled is not None:
        band = only_agreeing_band(corpus.signed.signatures, pairs.x, pairs.y, *sampled)
    by_chance = np.zeros(len(pairs.x), dtype=np.bool_)
    if not certain:
        by_chance = np.isin(pairs.codes, corpus.background_pairs().codes)
    drawn = ~pairs.sharing & ((band != NO_BAND) | by_chance) & (not certain)
    return pairs._replace(
        drawn=drawn,
        otherwise=~pairs.sharing & ~drawn & (not certain),
        only_band=np.where(drawn & ~by_chance, band, NO_BAND).astype(np.int16),
        by_chance=drawn & by_chance & (band == NO_BAND),
    )


def _counted(cells: Int64Array, values: Float64Array, length: int) -> Float64Array:
    return np.bincount(cells, values, minlength=length).astype(np.float64)


def _spread(resemblance: Float64Array, pairs: int) -> Float64Array:
    """Number of all pairs in each thousandth; those that share nothing are in the first."""
    spread = np.bincount(forecast.level_of(resemblance), minlength=forecast.LEVELS + 1).astype(
        np.float64
    )
    spread[0] += pairs - len(resemblance)
    return spread


NONE = -1  # distance that was compared
COUNTED_PAIRS = 1 << 27  # whose bits are compared: half a second
ROWS_AT_ONCE = 64  # with all others in a near cache
SEARCHED_PAIRS = 1 << 28  # of a folder in which more is measured than was listed
MEASURED_MORE = 20_000  # pairs
MEASURED_CHARACTERS = 1 << 26  # of their documents, which are read again


def known_bits(corpus: Corpus, settings: ScanSettings) -> forecast.KnownBits | None:
    """What is known after a list under these settings, whose signatures are bits.

    None where too little is known: very many documents have the same signature, so that not all
    candidates were compared; or weights are by rarity, and too few pairs show the angles.
    """
    corpus.complete_signatures()
    every = every_pair(corpus, settings)
    rows = corpus.distinct()
    if every is None and (corpus.evidence.forgets or _has_large_bucket(corpus, rows)):
        return None
    at_distance, spread = _at_distances(corpus, rows, settings.seed)
    reach = BITS if every else _measure_more(corpus, rows, at_distance)
    if reach == NONE:
        return None
    sample = _sample(corpus, measured_pairs(corpus, settings, every), every)
    weighted = settings.weights != "unweighted"
    if settings.depends_on_all and not forecast.can_be_fitted(sample, reach):
        return None
    return forecast.KnownBits(
        signature=settings.signature,
        threshold=settings.min_resemblance,
        complete=every is not None,
        reach=reach,
        at_distance=at_distance,
        spread=spread,
        identical=identical_pairs(corpus),
        levels=forecast.BitLevels(
            sample, reach, weighted=weighted, by_rarity=settings.depends_on_all
        ),
    )


def _has_large_bucket(corpus: Corpus, rows: Int64Array) -> bool:
    values = np.sort(join_halves(corpus.signed.signatures[rows]))
    return bool((values[EQUAL_LIMIT:] == values[:-EQUAL_LIMIT]).any())


def _sample(corpus: Corpus, pairs: FoundPairs, every: AllPairs | None) -> forecast.BitSample:
    values = join_halves(corpus.signed.signatures)
    differing = values[pairs.x] ^ values[pairs.y]
    cosine = np.ones(len(pairs.x))
    if every is None:
        shared, sizes = corpus.evidence.measured(pairs.x, pairs.y).shared, corpus.evidence.sizes()
        cosine = cosine_of_containments(
            shared / np.maximum(sizes[pairs.x], 1), shared / np.maximum(sizes[pairs.y], 1)
        )
    return forecast.BitSample(
        pairs.resemblance,
        cosine,
        np.bitwise_count(differing).astype(np.int64),
        differing,
        pairs.counts,
        pairs.sharing,
    )


def _at_distances(corpus: Corpus, rows: Int64Array, seed: int) -> tuple[Float64Array, Float64Array]:
    """How many pairs differ in so many bits; and the standard error of those up to each.

    Of all pairs, or of documents drawn at random with all others; counted once for a corpus.
    """
    counted = corpus.at_distances
    if counted is None:
        reviewed = corpus.reviewed()[rows]
        # Documents to review come first: then two others are never met.
        values = join_halves(corpus.signed.signatures[rows[np.argsort(~reviewed, kind="stable")]])
        review_count = int(np.count_nonzero(reviewed))
        if review_count * len(rows) <= COUNTED_PAIRS:
            counted = _every_distance(values, review_count), np.zeros(forecast.DISTANCES)
        else:
            counted = _drawn_distances(values, review_count, seed)
        corpus.at_distances = counted
    return counted


def _every_distance(values: UInt64Array, review_count: int) -> Float64Array:
    """Every pair of which the first is one of the first documents."""
    total = np.zeros(forecast.DISTANCES)
    for start in range(0, review_count, ROWS_AT_ONCE):
        stop_if_cancelled()
        part = values[start : min(start + ROWS_AT_ONCE, review_count)]
        distance = np.bitwise_count(part[:, None] ^ values[start:])
        inside, outside = distance[:, : len(part)].ravel(), distance[:, len(part) :].ravel()
        twice = np.bincount(inside, minlength=forecast.DISTANCES)
        twice[0] -= len(part)  # each with itself
        total += twice / 2 + np.bincount(outside, minlength=forecast.DISTANCES)
    return total


def _drawn_distances(
    values: UInt64Array, review_count: int, seed: int
) -> tuple[Float64Array, Float64Array]:
    """Of drawn ones of the first documents with all: pairs that may be drawn twice count half."""
    rng = np.random.default_rng(seed)
    number = min(review_count, max(2, COUNTED_PAIRS // len(values)))
    drawn = np.sort(rng.choice(review_count, number, replace=False))
    half = np.empty((number, forecast.DISTANCES))
    for row, document in enumerate(drawn.tolist()):
        stop_if_cancelled()
        distance = np.bitwise_count(values[document] ^ values)
        inside = np.bincount(distance[:review_count], minlength=forecast.DISTANCES)
        inside[0] -= 1  # itself
        half[row] = inside / 2 + np.bincount(distance[review_count:], minlength=forecast.DISTANCES)
    until = np.cumsum(half, axis=1)
    spread = (
        review_count * until.std(axis=0, ddof=1) * np.sqrt((1 - number / review_count) / number)
    )
    return half.sum(axis=0) * review_count / number, spread


def _measure_more(corpus: Corpus, rows: Int64Array, at_distance: Float64Array) -> int:
    """Measure pairs that no list has compared; returns up to which distance all are known then."""
    tried = corpus.tried_distances.items()
    listed = max((distance for distance, compared in tried if not compared.crowded), default=NONE)
    if len(rows) * len(rows) // 2 > SEARCHED_PAIRS:
        return listed
    further = np.cumsum(at_distance) - at_distance[: listed + 1].sum()
    reach = max(listed, int(np.searchsorted(further, MEASURED_MORE, side="right")) - 1)
    while reach > listed:
        x, y = _between(corpus, rows, listed, reach)
        if int(corpus.texts.lengths[np.union1d(x, y)].sum()) <= MEASURED_CHARACTERS:
            corpus.evidence.measured(x, y)
            return reach
        reach -= 1 + (reach - listed) // 2
    return listed


def _between(
    corpus: Corpus, rows: Int64Array, above: int, most: int
) -> tuple[Int64Array, Int64Array]:
    """The pairs that differ in more than `above` and at most `most` bits."""
    signed, reviewed = corpus.signed, corpus.reviewed()
    search = HammingSearch(signed.signatures, signed.digests, rows, most)
    codes = [np.zeros(0, dtype=np.uint64)]
    for chunk in search.pairs():
        wanted = are_compared(reviewed, chunk.x, chunk.y)
        wanted &= hamming_distance(signed.signatures, chunk.x, chunk.y) > above
        codes.append(pair_codes(chunk.x[wanted], chunk.y[wanted]))
    return split_codes(np.concatenate(codes))


def measured_grid(
    corpus: Corpus, settings: ScanSettings, *, weak: int = 0, is_part_of_run: bool = False
) -> ParameterGrid | None:
    """What every b and r would do, from all that was measured; None where there are no bands.

    Of lists the weak traces are not counted: `weak` is how many the present list has. Lists of a
    part of a run have only pairs of it: how many other bands list is not known.
    """
    if settings.banding is None:
        return None
    known = replace(known_pairs(corpus, settings), background=corpus.background())
    throughput, apart = corpus.throughput, _sharing_no_shingle(corpus, settings)
    has_all = not is_part_of_run
    lists = Lists(
        settings.list_passages, throughput.a_band, throughput.a_pair, apart, has_all, weak
    )
    pairs = _all_known(corpus, settings, known)
    tried = [banding for banding, compared in corpus.tried.items() if not compared.crowded]
    if corpus.evidence.forgets:
        tried = [banding for banding in tried if banding == known.sampled]
    signatures, in_bands = corpus.signed.signatures, corpus.pairs_in_bands()
    return ParameterGrid(signatures, known, pairs, in_bands, tried, lists)


def _sharing_no_shingle(corpus: Corpus, settings: ScanSettings) -> int:
    """How many pairs are listed for a reworked passage that have no shingle in common."""
    if settings.reworked == "off":
        return 0
    x, y = split_codes(corpus.reworked.pair_codes(settings.reworked))
    apart = corpus.evidence.measured(x, y).shared == 0
    return int(_spelled_out(*_copies(corpus), x[apart], y[apart]).sum())


def _all_known(corpus: Corpus, settings: ScanSettings, known: forecast.KnownPairs) -> FoundPairs:
    """All known pairs, of very many below the threshold a sample, and how each became known."""
    of_all = settings.with_changes(min_resemblance=0.0)
    pairs = measured_pairs(corpus, of_all, every_pair(corpus, settings))
    # Those that share nothing, which only the random sample holds, collide nowhere.
    pairs = _thinned(pairs.take(pairs.resemblance > 0), known.threshold, settings.seed)
    pairs = _with_origins(corpus, pairs, known.sampled, certain=known.is_certain)
    return pairs._replace(for_passage=_listed_for_passage(corpus, settings, pairs))


def _thinned(pairs: FoundPairs, threshold: float, seed: int) -> FoundPairs:
    """The pairs that are examined: of those not listed not too many, each for several."""
    below = (pairs.resemblance < threshold) & ~pairs.sharing
    number = int(below.sum())
    if number <= MOST_EXAMINED:
        return pairs
    share, kept = MOST_EXAMINED / number, ~below
    kept[below] = np.random.default_rng(seed).random(number) < share
    return pairs._replace(stands_for=np.where(below, 1 / share, 1.0)).take(kept)


def _listed_for_passage(corpus: Corpus, settings: ScanSettings, pairs: FoundPairs) -> BoolArray:
    """Which pairs are listed for what they share, also below the threshold."""
    listed, sharing = np.zeros(len(pairs.x), dtype=np.bool_), pairs.sharing
    words = corpus.evidence.measured(pairs.x[sharing], pairs.y[sharing]).words
    listed[sharing] = are_passages(words, settings)
    if settings.reworked != "off":
        reworked = corpus.reworked.pair_codes(settings.reworked)
        listed |= np.isin(pairs.codes, reworked, assume_unique=True)
    return listed


LENGTHS = (10, 15, 20, 30, 40, 60, 100, 200, 400)  # words
PAIRS_AT_ONCE = 1 << 20


class OtherLength(NamedTuple):
    """Pairs below the threshold that share so many words in a row.

    Attributes:
        words: How many.
        pairs: How many pairs there are; counted where nothing is estimated.
        is_shorter: Whether passages are shorter than those of the list, so that not all are known.
    """

    words: int
    pairs: Estimate
    is_shorter: bool


def other_lengths(corpus: Corpus, listed: Pairs, settings: ScanSettings) -> list[OtherLength]:
    """What other least lengths of a passage than that of the settings would list.

    Args:
        corpus: The documents.
        listed: Every pair of the list, with those that share a passage.
        settings: Those of the list.
    """
    listed_runs, lengths = below_by_passage(listed, settings), []
    shorter = [
        words for words in LENGTHS if settings.least_passage <= words < settings.passage_length
    ]
    if shorter:
        measured, _ = corpus.evidence.reaching(0.0)
        background = corpus.background_pairs().codes
        known, drawn = (_runs_below(corpus, codes, settings) for codes in (measured, background))
        every = count_pairs(corpus.reviewed(), corpus.distinct())
        for words in shorter:
            least = max(int(np.count_nonzero(known >= words)), len(listed_runs))
            hits = int(np.count_nonzero(drawn >= words))
            pairs = _estimated(float(least), hits, len(background), every)
            lengths.append(OtherLength(words, pairs, is_shorter=True))
    for words in LENGTHS:
        if words > settings.passage_length:
            pairs = around(float(np.count_nonzero(listed_runs >= words)), 0.0)
            lengths.append(OtherLength(words, pairs, is_shorter=False))
    return lengths


def below_by_passage(listed: Pairs, settings: ScanSettings) -> Int32Array:
    """The words of the longest run of each pair below the threshold that shares a passage."""
    below = listed.resemblance < settings.min_resemblance
    shared = (listed.found_by & FoundBy.PASSAGE) > 0
    return listed.run_words[below & shared]


def _estimated(known: float, hits: int, drawn: int, every: int) -> Estimate:
    """Estimates pairs from those that are known and those among pairs drawn at random."""
    if not drawn or drawn >= every:
        return around(max(known, float(hits)), 0.0)
    share = wilson(hits, drawn)
    return Estimate(
        max(known, share.value * every),
        max(known, share.low * every),
        max(known, float(math.ceil(share.high * every))),
    )


def _runs_below(corpus: Corpus, codes: UInt64Array, settings: ScanSettings) -> Int32Array:
    """The words of the longest run, of the pairs among these that are below the threshold."""
    x, y = split_codes(codes)
    x, y = x[x != y], y[x != y]
    runs = [np.zeros(0, dtype=np.int32)]
    for start in range(0, len(x), PAIRS_AT_ONCE):
        part = slice(start, start + PAIRS_AT_ONCE)
        overlap = corpus.evidence.measured(x[part], y[part])
        sizes, units = corpus.evidence.sizes(), corpus.signed.units
        numbers = numbers_of(overlap, sizes, units, x[part], y[part], settings.k)
        resemblance: Float64Array = numbers.resemblance
        runs.append(numbers.run_words[resemblance < settings.min_resemblance])
    return np.concatenate(runs)
