"""What bands and rows miss in a folder, from every pair that was measured there.

Pairs become known in three ways, each with a probability that is known too:

- All pairs were compared, or a pair shares a passage: certain, whatever the bands.
- It met in a band of a choice of b and r that was tried: P(s), the S-curve.
- It is in the random sample of pairs: the same share of all pairs, whatever s.

So of the pairs that nothing certain leads to, one that was found with probability p stands for 1/p
(Horvitz and Thompson 1952), of which 1/p - 1 are not known. For every known pair its signatures say
whether the present bands meet it. Both together are what the bands miss; less the pairs that share
a passage, it is what a list by bands and passages misses.

Of several choices that were tried the one that finds most is the sample; their pairs overlap, since
all bands are cut from the same signatures, so that the chances of several do not multiply.

The interval allows for three things. Where few were found, those that are hardest to find may be
missing altogether (Fay and Feuer, Statistics in Medicine 16, 1997, for weighted sums of Poisson
numbers). Bands decide about many pairs at once, because documents that resemble one another are
found or missed together: the variance is at least the one that leaving out each band shows (Efron
and Stein 1981). And what is known to be missed is no estimate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.base.arrays import Float64Array, Int64Array
from core.base.intervals import NORMAL_95, Estimate, around
from core.candidates.scurve import candidate_probability

# A pair that was found with less than this would stand for more than fifty: nothing is said there.
MIN_PROBABILITY = 0.02
# One whole pair of the greatest weight, as Fay and Feuer add, held the truth in 99.7 % of the
# settings in which something was missed; this part of it in 97 % (tests/bench/estimate.py).
PART_OF_HARDEST = 0.15
LEAST_MEAN = 1e-100  # no number of pairs is so small, and its square is no zero
FLATTEST = 0.75  # 1 / 9k of the smallest shape k for which the quantile is near enough
LEVELS = 1000  # pairs are counted in steps of a thousandth
FLOORS = 100  # resemblances that are spoken of, in steps of a hundredth


def level_of(resemblance: npt.ArrayLike) -> Int64Array:
    """The thousandth of each resemblance."""
    return np.floor(np.asarray(resemblance) * LEVELS + 1e-6).astype(np.int64)


class Forecast(NamedTuple):
    """What a choice of bands and rows finds and misses among different documents.

    Attributes:
        least: The resemblance from which on pairs are counted: that of the list, or the first
            above it where enough is known.
        there: How many pairs there are, found and missed.
        by_bands: How many of them the bands alone miss.
        listed: How many bands and shared passages together miss.
        certain: Whether all of it was counted and nothing estimated.
    """

    least: float
    there: float
    by_bands: Estimate
    listed: Estimate
    certain: bool


class Levels(NamedTuple):
    """Known pairs from the list's threshold on, counted by thousandths of resemblance.

    A pair counts as often as its documents have copies. All arrays are float64 (1001,) but `sole`.

    Attributes:
        resemblance: The mean of each.
        met: Pairs that the present bands meet.
        missed: Those that they do not, and that share no passage.
        passages: Those that they do not, and that share one.
        sharing: Pairs that share a passage, met or not.
        certain: Pairs that nothing of chance made known.
        drawn: Of the other pairs, those found by the sampled bands or drawn at random.
        squares: Of these, the squares of how often each counts.
        drawn_only: Of these squares, those of pairs that only the random sample holds.
        sole: (1001, b) pairs of `drawn` that only this band found, and nothing else.
    """

    resemblance: Float64Array
    met: Float64Array
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
    """All that was measured of the pairs of a folder, as far as a forecast needs it.

    Attributes:
        choice: The present b and r; None where there are no bands.
        floor: The resemblance from which pairs are listed.
        all_pairs: Number of pairs of different documents.
        complete: Whether all of them were compared.
        sampled: The b and r whose candidates are the sample; None where none were compared.
        share: The probability that a pair is in the random sample.
        is_listed: Whether all candidates of the present bands were compared.
        extra_candidates: Those of them below the threshold; None where that was not counted.
        identical: Listed pairs of documents with the same words, which need no bands.
        levels: The known pairs.
        every: Of all pairs, by thousandths; None where not all were compared.
        apart: How many of them share nothing.
    """

    choice: tuple[int, int] | None
    floor: float
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

    def forecast(self, floor: float, choice: tuple[int, int] | None = None) -> Forecast | None:
        """What bands miss from a resemblance on; None where too little is known anywhere.

        Args:
            floor: The resemblance; pairs below the list's are not known.
            choice: Other b and r than the present ones. What they will meet is not known of any
                pair then, but with which probability.
        """
        least = self.least(max(floor, self.floor))
        if least is None:
            return None
        rows = self._from(least)
        choice = choice or self.choice
        if choice is None or (choice == self.choice and (self.is_listed or self.is_certain)):
            return self._of_present(least, rows)
        return self._of_others(least, rows, choice)

    @property
    def is_certain(self) -> bool:
        """Whether every pair is known."""
        return self.complete or self.share == 1

    def extra_below(self, floor: float, choice: tuple[int, int] | None = None) -> float | None:
        """How many candidates below a resemblance are compared and not listed, if that is known."""
        wanted = choice or self.choice
        if (wanted, floor) == (self.choice, self.floor) and self.extra_candidates is not None:
            return float(self.extra_candidates)
        if self.every is not None and wanted is not None:
            below = np.arange(LEVELS + 1) < round(floor * LEVELS)
            middle = (np.arange(LEVELS + 1) + 0.5) / LEVELS
            met = self.every * candidate_probability(middle, *wanted)
            # Pairs that share nothing never meet, and are by far the most.
            met[0] *= 1 - self.apart / max(self.every[0], 1)
            return float(met[below].sum())
        return None

    def least(self, floor: float) -> float | None:
        """From where on a pair is found often enough to tell how many are not."""
        if self.is_certain:
            return floor
        above = np.arange(math.ceil(round(floor * FLOORS, 6)), FLOORS + 1) / FLOORS
        places = np.append(floor, above)
        told = self.chances(places) >= MIN_PROBABILITY
        return float(places[told.argmax()]) if told.any() else None

    def chances(self, resemblance: Float64Array, bands_less: int = 0) -> Float64Array:
        """The probability that a pair which shares no passage is known."""
        met = np.zeros_like(resemblance)
        if self.sampled and self.sampled[0] > bands_less:
            bands, rows = self.sampled
            met = candidate_probability(resemblance, bands - bands_less, rows)
        return 1 - (1 - met) * (1 - self.share)

    def _from(self, least: float) -> slice:
        return slice(0 if least == self.floor else round(least * LEVELS), None)

    def _of_present(self, least: float, rows: slice) -> Forecast:
        levels = self.levels
        listed, passages = levels.missed[rows].sum(), levels.passages[rows].sum()
        there = listed + passages + levels.met[rows].sum()
        unknown = Estimate(0.0, 0.0, 0.0) if self.is_certain else self._unknown(least, rows)
        return Forecast(
            least,
            float(there) + unknown.expected + self.identical,
            more(unknown, float(listed + passages)),
            more(unknown, float(listed)),
            self.is_certain,
        )

    def _unknown(self, least: float, rows: slice) -> Estimate:
        """How many pairs nothing has met; those known in other ways are not among them."""
        levels = self.levels
        p = np.maximum(self.chances(levels.resemblance[rows]), MIN_PROBABILITY)
        mean = float((levels.drawn[rows] * (1 - p) / p).sum())
        variance = self._variance(rows, np.ones_like(p), (1 - p) / p**2)
        otherwise = levels.met + levels.missed + levels.passages - levels.certain - levels.drawn
        hardest = float(self.chances(np.array([least]))[0])
        bound = interval_of_rare(mean, variance, hardest)
        return more(bound, -float(otherwise[rows].sum()))

    def _variance(self, rows: slice, share: Float64Array, of_one: Float64Array) -> float:
        """That of the estimated number of pairs, of which a share counts at each level."""
        levels = self.levels
        alone = float((levels.squares[rows] * of_one).sum())
        bands = levels.sole.shape[1]
        if bands < 2:
            return alone
        less = self.chances(levels.resemblance[rows], 1)
        lost = (share / np.maximum(less, np.finfo(float).tiny)) @ levels.sole[rows]
        drawn = float((levels.drawn_only[rows] * of_one).sum())
        return float(max(alone, (bands - 1) * lost.var() + drawn))

    def _of_others(self, least: float, rows: slice, choice: tuple[int, int]) -> Forecast:
        """For bands that no list was made with: with the chance of each pair to be met."""
        levels = self.levels
        caught = candidate_probability(levels.resemblance[rows], *choice)
        missed = 1 - caught
        sure = levels.certain[rows]
        p = self.chances(levels.resemblance[rows])
        weight = levels.drawn[rows] / np.maximum(p, np.finfo(float).tiny)
        both = np.minimum(p, caught) - p * caught
        with np.errstate(divide="ignore", invalid="ignore"):
            of_one = (missed**2 * (1 - p) / p + caught * missed + 2 * missed * both / p) / p
        of_one = np.where(levels.drawn[rows] > 0, of_one, 0.0)
        variance = self._variance(rows, missed, of_one)
        # Pairs that share a passage are listed all the same.
        alone, both_ways = (
            around(
                float(((weight + counted) * missed).sum()),
                math.sqrt(variance + float((counted * caught * missed).sum())),
            )
            for counted in (sure, sure - levels.sharing[rows])
        )
        there = float(sure.sum() + weight.sum()) + self.identical
        return Forecast(least, there, alone, both_ways, certain=False)


def more(estimate: Estimate, number: float) -> Estimate:
    """An estimate with so many more, or fewer; none of it below zero."""
    return Estimate(*(max(0.0, value + number) for value in estimate))


def interval_of_rare(mean: float, variance: float, hardest: float) -> Estimate:
    """The interval of a weighted sum of rare events; one may weigh 1/p - 1 for the hardest p."""
    low = _gamma_quantile(mean, variance, -NORMAL_95)
    part = PART_OF_HARDEST * (1 - hardest) / hardest
    high = _gamma_quantile(mean + part, variance + part / hardest, NORMAL_95)
    return Estimate(mean, min(low, mean), max(high, mean))


def _gamma_quantile(mean: float, variance: float, normal: float) -> float:
    """The quantile of a gamma distribution by that of the normal one (Wilson and Hilferty 1931)."""
    if mean < LEAST_MEAN:
        return 0.0
    ninth = min(variance / mean**2 / 9, FLATTEST)
    return mean * max(0.0, 1 - ninth + normal * math.sqrt(ninth)) ** 3
