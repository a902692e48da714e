"""The pairs that bands and rows, or a largest distance of bits, find and miss in a folder.

Bands: from every pair that was measured there. Pairs become known in three ways, each with a
probability that is known too:

- All pairs were compared, or a pair shares a passage: certain, whatever the bands.
- It collides in a band of a banding (b, r) that was tried: P(s), the S-curve.
- It is in the random sample of pairs: the same share of all pairs, whatever s.

So a pair that is known only by chance, with probability p, stands for 1/p pairs (Horvitz and
Thompson 1952), of which 1/p - 1 are not known. For every known pair the signatures show whether it
collides in the present bands. The unknown pairs and the known ones that do not collide are together
what the bands miss; without pairs that share a passage, what a list by bands and passages misses.

Two estimators stand behind a forecast of bands, and neither can replace the other. `KnownPairs` has
no signatures, only how many pairs of each resemblance are known, and of other bands than the list's
takes the chance of each to collide: that is all that a list that was kept, and signatures that do
not exist yet, can tell. `core.candidates.parameter_grid` counts which known pairs collide: in 360
made-up folders its intervals for such bands held the true number 98 to 100 times of 100, those by
chance 70 to 100 times for missed pairs and 10 to 100 for extra candidates. Of the list's own bands
both say the same.

Of several bandings that were tried the one that finds most is the sample; their pairs overlap, as
all bands are cut from the same signatures, so that the chances of several do not multiply.

The interval allows for three things. Where few pairs were found, those that are hardest to find may
be missing altogether (Fay and Feuer, Statistics in Medicine 16, 1997, for weighted sums of Poisson
numbers). Bands decide about many pairs at once, because documents that resemble one another are
found or missed together: the variance is at least the jackknife variance over the bands (Efron and
Stein 1981). And pairs that are known to be missed are counted exactly.

Bits are compared in full, so how many pairs differ in how many bits is counted, in a large folder
on documents drawn at random. Which of them are alike is known

- of all pairs, where all were compared;
- else of all that differ in at most H bits, where H is d or more: so many were measured;
- of all pairs that share a passage, whatever their bits.

Up to H, what every d misses is a count. Of pairs beyond H one that was measured with the cosine c
stands for P(> H | c) / P(<= H | c) (`core.candidates.scurve`). The cosine is that of the
containments, so lengths may differ as they will. Weights make the angle another one, of each pair:
those of occurrences scatter it, those of rarity stretch it besides, so that the distance is
beta-binomial (Skellam 1948). By how much is fitted to the distances of the pairs that were
measured, by maximum likelihood of beta-binomials cut off at H; a few pairs are not enough for that.
In the interval, bits play the part of bands: without a bit all pairs within H - 1 of the 63 others
are known.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.base.arrays import (
    NORMAL_95,
    BoolArray,
    Estimate,
    Float64Array,
    Int64Array,
    UInt64Array,
    around,
)
from core.candidates.bands import dispersion
from core.candidates.scurve import BITS, candidate_probability, differing_share, expected_candidates
from core.settings import MAX_DISTANCE

# A pair found with a lower probability would stand for more than fifty: nothing is estimated there.
MIN_PROBABILITY = 0.02
# One whole pair of the greatest weight, as Fay and Feuer add, held the truth in 99.7 % of the
# settings in which something was missed; this part of it in 97 % (tests/bench/estimate.py).
PART_OF_HARDEST = 0.15
LEAST_MEAN = 1e-100  # no number of pairs is so small, and its square is no zero
FLATTEST = 0.75  # 1 / 9k of the smallest shape k for which the quantile is near enough
LEVELS = 1000  # pairs are counted in steps of a thousandth
HUNDREDTHS = 100  # steps of the resemblances that are named to the user


def level_of(resemblance: npt.ArrayLike) -> Int64Array:
    """The thousandth of each resemblance."""
    return np.floor(np.asarray(resemblance) * LEVELS + 1e-6).astype(np.int64)


def means_of_levels(resemblance: Float64Array, level: Int64Array) -> Float64Array:
    """The mean of each level, float64 (1001,); of an empty one its lower end."""
    number = np.bincount(level, minlength=LEVELS + 1)
    sums = np.bincount(level, resemblance, minlength=LEVELS + 1)
    return np.where(number, sums / np.maximum(number, 1), np.arange(LEVELS + 1) / LEVELS)


UNKNOWN = Estimate(math.nan, math.nan, math.nan)


class Forecast(NamedTuple):
    """The pairs that a banding or a distance finds and misses, and its cost; nan where unknown.

    Attributes:
        least: The resemblance from which on missed pairs are counted: that of the list, or the
            first above it where enough is known.
        total: How many pairs of different documents there are from there on, found and missed.
        missed_by_bands: How many of them the bands, or the bits, alone miss.
        missed: How many bands and shared passages together miss.
        certain: Whether all of these were counted and nothing estimated.
        extra: Candidates below the threshold of the list: they are compared and not listed.
        candidates: All pairs that are compared.
        seconds: About how long making the list takes where nothing was compared before.
        listed: How many pairs the list would have.
        extra_counted: Whether `extra` was counted for these very signatures, not estimated.
    """

    least: float = math.nan
    total: float = math.nan
    missed_by_bands: Estimate = UNKNOWN
    missed: Estimate = UNKNOWN
    certain: bool = False
    extra: Estimate = UNKNOWN
    candidates: Estimate = UNKNOWN
    seconds: float = math.nan
    listed: float = math.nan
    extra_counted: bool = False

    @property
    def is_known(self) -> bool:
        """Whether enough is known to say what is missed."""
        return not math.isnan(self.total)


class Estimates(NamedTuple):
    """Estimated numbers of pairs with their 95 % intervals, float64 (n,); nan where unknown."""

    expected: Float64Array
    low: Float64Array
    high: Float64Array

    def at(self, index: int) -> Estimate:
        """One estimate."""
        return Estimate(*(float(column[index]) for column in self))

    def times(self, number: float) -> Estimates:
        """Multiply all by a number."""
        return Estimates(*(column * number for column in self))

    def at_least(self, number: Float64Array | float) -> Estimates:
        """Raise all to at least a number."""
        return Estimates(*(np.maximum(column, number) for column in self))

    def taken_from(self, number: Float64Array) -> Estimates:
        """Subtract all from a number."""
        return Estimates(number - self.expected, number - self.high, number - self.low)

    def where(self, wanted: BoolArray, otherwise: Estimates) -> Estimates:
        """These where a mask is true, else those of `otherwise`."""
        both = zip(self, otherwise, strict=True)
        return Estimates(*(np.where(wanted, *columns) for columns in both))

    def plus(self, number: Float64Array) -> Estimates:
        """Add a number, which may be negative; nothing falls below zero."""
        return Estimates(*(np.maximum(0.0, column + number) for column in self))

    def with_variance(self, variance: Float64Array) -> Estimates:
        """Widen the intervals for an independent error with this variance."""
        expected, low, high = self
        more = NORMAL_95**2 * variance
        return Estimates(
            expected,
            np.maximum(0.0, expected - np.sqrt((expected - low) ** 2 + more)),
            expected + np.sqrt((high - expected) ** 2 + more),
        )


class GridForecast(NamedTuple):
    """A `Forecast` of every banding, if pairs were listed from the same resemblance on.

    All arrays have one entry for each banding, in order of rows, then bands.

    Attributes:
        bands: b, int64 (n,).
        rows: r, int64 (n,).
        efficient: Whether no other banding misses fewer, in whole pairs, for as few candidates, or
            as few for fewer candidates.
    """

    bands: Int64Array
    rows: Int64Array
    missed: Estimates
    missed_by_bands: Estimates
    extra: Estimates
    candidates: Estimates
    seconds: Float64Array
    listed: Float64Array
    efficient: BoolArray
    least: float
    total: float
    certain: bool

    def at(self, index: int) -> Forecast:
        """The forecast of one banding."""
        return Forecast(
            self.least, self.total, self.missed_by_bands.at(index), self.missed.at(index),
            self.certain, self.extra.at(index), self.candidates.at(index),
            float(self.seconds[index]), float(self.listed[index]),
            bool(self.extra.low[index] == self.extra.high[index]),
        )  # fmt: skip

    def index_of(self, bands: int, rows: int) -> int | None:
        """The index of a banding; None where b · r exceeds K."""
        indices = np.flatnonzero((self.bands == bands) & (self.rows == rows))
        return int(indices[0]) if len(indices) else None


def are_efficient(missed: Float64Array, candidates: Float64Array) -> BoolArray:
    """Which bandings no other one dominates: in missed pairs, rounded, and in candidates.

    False where the number of missed pairs is not known.
    """
    rounded = np.round(missed)
    order = np.lexsort((candidates, rounded))
    fewest = np.minimum.accumulate(np.append(math.inf, candidates[order]))[:-1]
    efficient = np.zeros(len(missed), dtype=np.bool_)
    efficient[order] = (candidates[order] < fewest) & ~np.isnan(rounded[order])
    return efficient


class LargerSignature(NamedTuple):
    """Bands and rows that need a signature of more values, and what they would do."""

    bands: int
    rows: int
    signature_size: int
    forecast: Forecast


def poisson_intervals(
    mean: Float64Array, variance: Float64Array, heaviest: Float64Array
) -> Estimates:
    """Intervals of weighted sums of rare events; an unseen event may weigh as much as any."""
    part = PART_OF_HARDEST * heaviest
    low = _gamma_quantiles(mean, variance, -NORMAL_95)
    high = _gamma_quantiles(mean + part, variance + part * (heaviest + 1), NORMAL_95)
    return Estimates(mean, np.minimum(low, mean), np.maximum(high, mean))


def poisson_interval(mean: float, variance: float, hardest: float) -> Estimate:
    """The interval of one such sum; an event may weigh 1/p - 1, p the lowest probability."""
    heaviest = (1 - hardest) / hardest
    return poisson_intervals(*(np.array([number]) for number in (mean, variance, heaviest))).at(0)


def _gamma_quantiles(mean: Float64Array, variance: Float64Array, normal: float) -> Float64Array:
    """Quantiles of gamma distributions from a normal quantile (Wilson and Hilferty 1931)."""
    is_positive = mean >= LEAST_MEAN
    squares = np.where(is_positive, mean, 1.0) ** 2
    ninth = np.minimum(variance / squares / 9, FLATTEST)
    root = np.maximum(0.0, 1 - ninth + normal * np.sqrt(ninth))
    return np.where(is_positive, mean * root**3, 0.0)


def least_estimable(
    threshold: float, chances: Callable[[Float64Array], Float64Array]
) -> float | None:
    """The resemblance from which pairs are found often enough to estimate how many are missed."""
    above = np.arange(math.ceil(round(threshold * HUNDREDTHS, 6)), HUNDREDTHS + 1) / HUNDREDTHS
    resemblances = np.append(threshold, above)
    is_likely = chances(resemblances) >= MIN_PROBABILITY
    return float(resemblances[is_likely.argmax()]) if is_likely.any() else None


def levels_from(least: float, threshold: float) -> slice:
    """The thousandths from a resemblance on; all where it is the threshold of the list."""
    return slice(0 if least == threshold else round(least * LEVELS), None)


class Levels(NamedTuple):
    """Known pairs from the list's threshold on, counted by thousandths of resemblance.

    A pair counts as often as its documents have copies. All arrays are float64 (1001,) but `sole`.

    Attributes:
        resemblance: The mean of each.
        collided: Pairs that collide in the present bands.
        missed: Pairs that do not collide and share no passage.
        passages: Pairs that do not collide but share a passage.
        sharing: Pairs that share a passage, colliding or not.
        certain: Pairs that did not become known by chance.
        drawn: Of the other pairs, those found by the sampled bands or drawn at random.
        squares: Of these, the squares of how often each counts.
        drawn_only: Of these squares, those of pairs that only the random sample holds.
        sole: (1001, b) pairs of `drawn` that only this band found, and nothing else.
    """

    resemblance: Float64Array
    collided: Float64Array
    missed: Float64Array
    passages: Float64Array
    sharing: Float64Array
    certain: Float64Array
    drawn: Float64Array
    squares: Float64Array
    drawn_only: Float64Array
    sole: Float64Array


@dataclass(frozen=True, eq=False, kw_only=True)
class KnownPairs:
    """Measurements of the pairs of a folder, for forecasts.

    Attributes:
        banding: The present b and r; None where there are no bands.
        threshold: The resemblance from which pairs are listed.
        all_pairs: Number of pairs of different documents.
        complete: Whether all of them were compared.
        sampled: The b and r whose candidates are the sample; None where none were compared.
        share: The probability that a pair is in the random sample.
        is_listed: Whether all candidates of the present bands were compared.
        extra_candidates: Those of them below the threshold; None where that was not counted.
        identical: Listed pairs of documents with the same words, which need no bands.
        levels: The known pairs.
        every: The number of all pairs, by thousandths; None where not all were compared.
        apart: How many of them share nothing.
        background: float64 (n,), the resemblances of pairs drawn at random.
    """

    banding: tuple[int, int] | None
    threshold: float
    all_pairs: int
    complete: bool
    sampled: tuple[int, int] | None
    share: float
    is_listed: bool
    extra_candidates: int | None
    identical: int
    levels: Levels
    every: Float64Array | None = None
    apart: int = 0
    background: Float64Array = field(default_factory=partial(np.zeros, 0))

    def to_bytes(self) -> bytes:
        """The bytes that a review stores, without `background`; `from_bytes` reads them."""
        plain = dict(vars(self))
        del plain["background"]
        levels, every = plain.pop("levels"), plain.pop("every")
        arrays = [*levels] if every is None else [*levels, every]
        layout = {"bands": levels.sole.shape[1], "every": every is not None}
        head = json.dumps(layout | plain).encode()
        return b"\n".join([head, b"".join(array.astype("<f8").tobytes() for array in arrays)])

    @staticmethod
    def from_bytes(data: bytes) -> KnownPairs:
        """Read what `to_bytes` wrote.

        Raises:
            KeyError, TypeError, ValueError: `to_bytes` does not write such bytes.
        """
        head, _, body = data.partition(b"\n")
        plain = json.loads(head)
        bands, has_every = plain.pop("bands"), plain.pop("every")
        widths = [1] * (len(Levels._fields) - 1) + [bands] + [1] * has_every
        values = np.frombuffer(body, dtype="<f8").astype(np.float64)
        ends = np.cumsum(widths) * (LEVELS + 1)
        if len(values) != ends[-1]:
            raise ValueError("A forecast has the wrong size.")
        arrays = np.split(values, ends[:-1])
        every = arrays.pop() if has_every else None
        arrays[-1] = arrays[-1].reshape(LEVELS + 1, bands)
        for name in ("banding", "sampled"):
            plain[name] = plain[name] and tuple(plain[name])
        return KnownPairs(**plain, levels=Levels._make(arrays), every=every)

    def forecast(
        self, threshold: float, banding: tuple[int, int] | None = None, together: float = 1.0
    ) -> Forecast:
        """What bands find and miss from a resemblance on.

        Args:
            threshold: The resemblance; pairs below the list's are not known.
            banding: Other b and r than the present ones; then only the probability that a pair
                collides in them is known.
            together: Their dispersion, where more is known of it than what the found pairs tell.
        """
        banding = banding or self.banding
        least = self.least(max(threshold, self.threshold))
        if least is None:
            forecast = Forecast()
        elif banding is None or (banding == self.banding and (self.is_listed or self.is_certain)):
            forecast = self._of_present(least)
        else:
            forecast = self._of_other_banding(least, banding, together)
        if banding is None:
            return forecast
        counted = self._collided_below(threshold, banding)
        if counted is not None:
            return forecast._replace(extra=around(counted, 0.0), extra_counted=True)
        if not len(self.background):
            return forecast
        below = np.where(self.background < threshold, self.background, 0.0)
        return forecast._replace(extra=expected_candidates(below, self.all_pairs, *banding))

    @property
    def is_certain(self) -> bool:
        """Whether every pair is known."""
        return self.complete or self.share == 1

    def _collided_below(self, threshold: float, banding: tuple[int, int]) -> float | None:
        """How many candidates are below a resemblance, if they were counted."""
        present = (banding, threshold) == (self.banding, self.threshold)
        if present and self.extra_candidates is not None:
            return float(self.extra_candidates)
        if self.every is None:
            return None
        below = np.arange(LEVELS + 1) < round(threshold * LEVELS)
        middle = (np.arange(LEVELS + 1) + 0.5) / LEVELS
        collided = self.every * candidate_probability(middle, *banding)
        # Pairs that share nothing never collide, and are by far the most.
        collided[0] *= 1 - self.apart / max(self.every[0], 1)
        return float(collided[below].sum())

    def least(self, threshold: float) -> float | None:
        """The resemblance from which pairs are found often enough to estimate the missed ones."""
        return threshold if self.is_certain else least_estimable(threshold, self.chances)

    def chances(self, resemblance: Float64Array, bands_less: int = 0) -> Float64Array:
        """The probability that a pair which shares no passage is known."""
        collided = np.zeros_like(resemblance)
        if self.sampled and self.sampled[0] > bands_less:
            bands, rows = self.sampled
            collided = candidate_probability(resemblance, bands - bands_less, rows)
        return 1 - (1 - collided) * (1 - self.share)

    def _of_present(self, least: float) -> Forecast:
        levels, rows = self.levels, levels_from(least, self.threshold)
        listed, passages = levels.missed[rows].sum(), levels.passages[rows].sum()
        total = listed + passages + levels.collided[rows].sum()
        unknown = Estimate(0.0, 0.0, 0.0) if self.is_certain else self._unknown(least, rows)
        return Forecast(
            least,
            float(total) + unknown.expected + self.identical,
            more(unknown, float(listed + passages)),
            more(unknown, float(listed)),
            self.is_certain,
        )

    def _unknown(self, least: float, rows: slice) -> Estimate:
        """The number of pairs that are not known in any way."""
        levels = self.levels
        p = np.maximum(self.chances(levels.resemblance[rows]), MIN_PROBABILITY)
        mean = float((levels.drawn[rows] * (1 - p) / p).sum())
        variance = self._variance(rows, np.ones_like(p), (1 - p) / p**2)
        otherwise = (
            levels.collided + levels.missed + levels.passages - levels.certain - levels.drawn
        )
        hardest = float(self.chances(np.array([least]))[0])
        bound = poisson_interval(mean, variance, hardest)
        return more(bound, -float(otherwise[rows].sum()))

    def _variance(self, rows: slice, share: Float64Array, of_pair: Float64Array) -> float:
        """The variance of the estimated number of pairs; `share` of each level counts."""
        levels = self.levels
        alone = float((levels.squares[rows] * of_pair).sum())
        bands = levels.sole.shape[1]
        if bands < 2:
            return alone
        less = self.chances(levels.resemblance[rows], 1)
        lost = (share / np.maximum(less, np.finfo(float).tiny)) @ levels.sole[rows]
        drawn = float((levels.drawn_only[rows] * of_pair).sum())
        return float(max(alone, (bands - 1) * lost.var() + drawn))

    def _of_other_banding(
        self, least: float, banding: tuple[int, int], together: float
    ) -> Forecast:
        """The forecast of bands that no list was made with, by each pair's chance to collide."""
        levels, rows = self.levels, levels_from(least, self.threshold)
        together = max(together, dispersion(levels.sole[rows].sum(axis=0)))
        caught = candidate_probability(levels.resemblance[rows], *banding)
        missed = 1 - caught
        sure = levels.certain[rows]
        p = self.chances(levels.resemblance[rows])
        weight = levels.drawn[rows] / np.maximum(p, np.finfo(float).tiny)
        both = np.minimum(p, caught) - p * caught
        with np.errstate(divide="ignore", invalid="ignore"):
            chance = missed**2 * (1 - p) / p + 2 * missed * both / p
            of_pair = (chance + together * caught * missed) / p
        of_pair = np.where(levels.drawn[rows] > 0, of_pair, 0.0)
        variance = self._variance(rows, missed, of_pair)
        heaviest = 0.0  # the most pairs that a known one may stand for
        if not self.is_certain:
            lowest = np.array([least])
            known = self.chances(lowest)
            unknown = (1 - candidate_probability(lowest, *banding)) * (1 - known) / known
            heaviest = float(unknown[0])
        # Pairs that share a passage are listed all the same.
        alone, unshared = (
            poisson_intervals(
                np.array([((weight + counted) * missed).sum()]),
                np.array([variance + together * (counted * caught * missed).sum()]),
                np.array([heaviest]),
            ).at(0)
            for counted in (sure, sure - levels.sharing[rows])
        )
        total = float(sure.sum() + weight.sum()) + self.identical
        return Forecast(least, total, alone, unshared, certain=False)


def more(estimate: Estimate, number: float) -> Estimate:
    """Add a number, which may be negative, to an estimate; nothing falls below zero."""
    return Estimate(*(max(0.0, value + number) for value in estimate))


ANGLES = 512  # classes of the share of bits that differ, from 0 to a half
BINOMIAL = 1e9  # a + b of a beta distribution with no scatter
SCATTERS = (BINOMIAL, 400.0, 200.0, 100.0, 50.0, 25.0, 12.0, 6.0, 3.0)  # that are tried
STRETCHES = np.exp(np.linspace(0, math.log(2), 15))  # of angles that are tried
TINY = np.finfo(float).tiny


class Angles(NamedTuple):
    """How the share of bits that differ follows from the angle of the sets.

    Attributes:
        stretch: How many times the angle it is on average.
        scatter: a + b of the beta distribution of the share of a pair: large, it hardly varies.
    """

    stretch: float
    scatter: float

    def within(self, bits: int = BITS) -> Float64Array:
        """The probability that at most so many bits differ, (513, bits + 1), by class of angle."""
        # Half a class, where sets are all but equal: a bit of such a pair can differ all the same.
        share = np.maximum(np.arange(ANGLES + 1) / (2 * ANGLES), 0.25 / ANGLES)
        share = np.minimum(share * self.stretch, 0.5)[:, None]
        steps = np.arange(bits)
        start = np.zeros((ANGLES + 1, 1))
        differ = np.cumsum(np.log(share * self.scatter + steps), axis=1)
        agree = np.cumsum(np.log((1 - share) * self.scatter + steps), axis=1)
        logs = np.hstack([start, differ]) + np.hstack([start, agree])[:, ::-1]
        choose = np.log([float(math.comb(bits, differing)) for differing in range(bits + 1)])
        chance = np.exp(logs + choose - np.log(self.scatter + steps).sum())
        return np.asarray(np.minimum(np.cumsum(chance, axis=1), 1.0))


def class_of_angle(rest: Float64Array) -> Int64Array:
    """The class of the angle of the cosine 1 - rest."""
    share = differing_share(np.clip(rest, 0.0, 1.0))
    return np.rint(share * 2 * ANGLES).astype(np.int64)


SETS = Angles(1.0, BINOMIAL)


def fit_angles(
    cosine: Float64Array, distance: Int64Array, reach: int, stretches: Float64Array
) -> Angles:
    """The most likely angles, from pairs that are known only up to the distance `reach`.

    Args:
        cosine: Of the sets of each pair.
        distance: Bits that differ, at most `reach`.
        reach: The largest distance that is known.
        stretches: The values of `Angles.stretch` to try.
    """
    number = np.bincount(class_of_angle(1 - cosine) * (BITS + 1) + distance)
    used = np.flatnonzero(number)
    angle, bits = np.divmod(used, BITS + 1)
    best, most = SETS, -math.inf
    for stretch in stretches.tolist():
        for scatter in SCATTERS:
            within = Angles(stretch, scatter).within()
            chance = np.diff(within, axis=1, prepend=0.0)[angle, bits] / within[angle, reach]
            likely = float((number[used] * np.log(np.maximum(chance, TINY))).sum())
            if likely > most:
                best, most = Angles(stretch, scatter), likely
    return best


DISTANCES = BITS + 1  # 0 to 64
FEWEST_FITTED = 100  # pairs


class BitSample(NamedTuple):
    """Known pairs of different documents from the list's threshold on, one row each.

    Attributes:
        resemblance: float64, exact.
        cosine: float64, of their sets.
        distance: int64, bits that differ.
        differing: uint64, which.
        counts: float64, as how many listed pairs each counts.
        shares: bool, whether it shares a passage.
    """

    resemblance: Float64Array
    cosine: Float64Array
    distance: Int64Array
    differing: UInt64Array
    counts: Float64Array
    shares: BoolArray


class BitLevels:
    """Known pairs by thousandths of resemblance, float64; copies count but in `once`.

    Attributes:
        without: (1001, 65) pairs that share no passage, by distance; none beyond H where not all
            pairs are known.
        passages: (1001, 65) pairs that share one.
        once: (1001, 65) pairs of both kinds, of different texts.
        beyond: (1001, 9) how many pairs that share no passage and are not known lie beyond the
            distance d, for d = 0 to 8; where d is below H, beyond H.
        squares: (1001,) variance of what lies beyond H where every pair is found on its own.
        edge: (1001, 64) part of what lies beyond H that without this bit comes from pairs at H.
        chances: (513,) probability to lie within H, by classes of the angle of the sets.
    """

    def __init__(self, pairs: BitSample, reach: int, *, weighted: bool, by_rarity: bool) -> None:
        """Count known pairs.

        Args:
            pairs: All that are known.
            reach: H, up to which all are known; 64 for all there are.
            weighted: Whether shingles do not count alike.
            by_rarity: Whether their rarity decides too.
        """
        cell = level_of(pairs.resemblance) * DISTANCES + pairs.distance

        def count(values: Float64Array) -> Float64Array:
            length = (LEVELS + 1) * DISTANCES
            counted = np.bincount(cell, values, minlength=length).astype(np.float64)
            return counted.reshape(LEVELS + 1, DISTANCES)

        near = pairs.distance <= reach
        angles = SETS
        if weighted and reach < BITS and near.any():
            stretches = STRETCHES if by_rarity else STRETCHES[:1]
            angles = fit_angles(pairs.cosine[near], pairs.distance[near], reach, stretches)
        alone = near & ~pairs.shares
        self.without = count(pairs.counts * alone)
        self.passages = count(pairs.counts * pairs.shares)
        self.once = count(np.asarray(alone | pairs.shares, dtype=np.float64))
        self.beyond, self.squares, self.edge = _beyond(pairs, alone, reach, angles)
        self.chances = angles.within()[:, reach]


def can_be_fitted(pairs: BitSample, reach: int) -> bool:
    """Whether enough pairs are known up to H to fit angles that rarity stretches."""
    enough = np.count_nonzero(pairs.distance <= reach) >= FEWEST_FITTED
    return reach == BITS or (reach > MAX_DISTANCE and bool(enough))


@dataclass(frozen=True, eq=False, kw_only=True)
class KnownBits:
    """What is known of the pairs of a folder and their bits.

    Attributes:
        signature: The method of the signatures.
        threshold: The resemblance from which pairs are listed.
        complete: Whether all pairs were compared.
        reach: H, up to which all pairs were measured; 64 where all were.
        at_distance: float64 (65,), how many pairs of different documents differ in so many bits.
        spread: float64 (65,), standard error of how many differ in at most so many; 0 if counted.
        identical: Listed pairs of documents with the same words.
        levels: The known pairs.
    """

    signature: str
    threshold: float
    complete: bool
    reach: int
    at_distance: Float64Array
    spread: Float64Array
    identical: int
    levels: BitLevels

    def forecast(self, threshold: float, distance: int) -> Forecast:
        """What a distance finds and misses from a resemblance on; none below is known."""
        least = max(threshold, self.threshold)
        extra = UNKNOWN if threshold < self.threshold else self._extra(threshold, distance)
        counted = distance <= self.reach and extra.low == extra.high
        if not self.complete:
            estimable = least_estimable(least, self._chances)
            if estimable is None:
                return Forecast(extra=extra, extra_counted=counted)
            least = estimable
        rows, levels = levels_from(least, self.threshold), self.levels
        without, passages = levels.without[rows], levels.passages[rows]
        missed = float(without[:, distance + 1 :].sum())
        shared = float(passages[:, distance + 1 :].sum())
        unknown = self._unknown(least, distance)
        return Forecast(
            least=least,
            total=float(without.sum() + passages.sum()) + self._expected(rows, 0) + self.identical,
            missed_by_bands=more(unknown, missed + shared),
            missed=more(unknown, missed),
            certain=self.complete,
            extra=extra,
            extra_counted=counted,
        )

    def candidates(self, distance: int) -> Estimate:
        """How many pairs differ in at most so many bits."""
        return around(float(self.at_distance[: distance + 1].sum()), float(self.spread[distance]))

    def _extra(self, threshold: float, distance: int) -> Estimate:
        """How many candidates below a resemblance are compared and not listed."""
        rows = slice(round(threshold * LEVELS), None) if threshold > self.threshold else slice(None)
        alike = float(self.levels.once[rows, : distance + 1].sum())
        if distance > self.reach:
            alike += self._expected(rows, self.reach) - self._expected(rows, distance)
        return more(self.candidates(distance), -alike)

    def _chances(self, resemblance: Float64Array) -> Float64Array:
        """The least probability that a pair is within H, which documents of equal length have."""
        return self.levels.chances[class_of_angle((1 - resemblance) / (1 + resemblance))]

    def _expected(self, rows: slice, distance: int) -> float:
        return float(self.levels.beyond[rows, min(distance, MAX_DISTANCE)].sum())

    def _unknown(self, least: float, distance: int) -> Estimate:
        """The unknown pairs beyond H and d that share no passage."""
        if self.complete:
            return Estimate(0.0, 0.0, 0.0)
        rows = levels_from(least, self.threshold)
        mean = self._expected(rows, 0)
        apart = self.levels.edge[rows].sum(axis=0)
        variance = max(float(self.levels.squares[rows].sum()), (BITS - 1) * float(apart.var()))
        hardest = float(self._chances(np.array([least]))[0])
        beyond = poisson_interval(mean, variance, hardest)
        if distance <= self.reach:
            return beyond
        # Any part of the pairs that no known pair stands for may lie beyond d.
        part = self._expected(rows, distance) / mean if mean else 1.0
        return Estimate(part * mean, part * beyond.low, beyond.high)


def _beyond(
    pairs: BitSample, which: BoolArray, reach: int, angles: Angles
) -> tuple[Float64Array, Float64Array, Float64Array]:
    """The pairs beyond each distance, the variance beyond H, and `BitLevels.edge`."""
    level, counts = level_of(pairs.resemblance[which]), pairs.counts[which]
    angle = class_of_angle(1 - pairs.cosine[which])
    chances = angles.within()
    within = np.maximum(chances[angle, reach], MIN_PROBABILITY)
    rest = 1 - chances[angle, reach]

    def total(values: Float64Array) -> Float64Array:
        return np.bincount(level, values, minlength=LEVELS + 1).astype(np.float64)

    distances = [max(distance, reach) for distance in range(MAX_DISTANCE + 1)]
    tails = {d: total(counts * (1 - chances[angle, d]) / within) for d in set(distances)}
    beyond = np.stack([tails[distance] for distance in distances], axis=1)
    edge = np.zeros((LEVELS + 1, BITS))
    if 0 < reach < BITS:
        at = pairs.distance[which] == reach
        less = np.maximum(angles.within(BITS - 1)[angle[at], reach - 1], MIN_PROBABILITY)
        weights, differing = counts[at] * rest[at] / less, pairs.differing[which][at]
        for bit in range(BITS):
            has = (differing >> np.uint64(bit)) & np.uint64(1) > 0
            edge[:, bit] = np.bincount(level[at][has], weights[has], minlength=LEVELS + 1)
    return beyond, total(counts**2 * rest / within**2), edge
