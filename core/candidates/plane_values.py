"""What is said of choices of bands and rows: of all of them, or of one.

Intervals of weighted sums of rare events, for many sums at once.

As `core.candidates.forecast` makes them: by the gamma distribution with the mean and the variance
of the sum, where one event more that was not seen may weigh as much as the heaviest (Fay and Feuer,
Statistics in Medicine 16, 1997).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from core.base.arrays import NORMAL_95, BoolArray, Estimate, Float64Array, Int64Array
from core.candidates.forecast import FLATTEST, LEAST_MEAN, PART_OF_HARDEST


class Estimates(NamedTuple):
    """Estimated numbers of pairs with their 95 % intervals, float64 (n,); nan where unknown."""

    expected: Float64Array
    low: Float64Array
    high: Float64Array

    def one(self, place: int) -> Estimate | None:
        """One of them; None where it is unknown."""
        value = Estimate(*(float(column[place]) for column in self))
        return None if math.isnan(value.expected) else value

    def times(self, number: float) -> Estimates:
        """So many times as many."""
        return Estimates(*(column * number for column in self))

    def at_least(self, number: Float64Array | float) -> Estimates:
        """None of it below so many."""
        return Estimates(*(np.maximum(column, number) for column in self))

    def taken_from(self, number: Float64Array) -> Estimates:
        """What is left of so many."""
        return Estimates(number - self.expected, number - self.high, number - self.low)

    def where(self, wanted: BoolArray, others: Estimates) -> Estimates:
        """These where a mask is true, else the others."""
        both = zip(self, others, strict=True)
        return Estimates(*(np.where(wanted, *columns) for columns in both))

    def plus(self, number: Float64Array) -> Estimates:
        """So many more, or fewer; none of it below zero."""
        return Estimates(*(np.maximum(0.0, column + number) for column in self))


def intervals_of_rare(
    mean: Float64Array, variance: Float64Array, heaviest: Float64Array
) -> Estimates:
    """Of weighted sums of rare events; one that was not seen may weigh as much as the heaviest."""
    part = PART_OF_HARDEST * heaviest
    low = _gamma_quantiles(mean, variance, -NORMAL_95)
    high = _gamma_quantiles(mean + part, variance + part * (heaviest + 1), NORMAL_95)
    return Estimates(mean, np.minimum(low, mean), np.maximum(high, mean))


def _gamma_quantiles(mean: Float64Array, variance: Float64Array, normal: float) -> Float64Array:
    """Quantiles of gamma distributions by that of the normal one (Wilson and Hilferty 1931)."""
    there = mean >= LEAST_MEAN
    squares = np.where(there, mean, 1.0) ** 2
    ninth = np.minimum(variance / squares / 9, FLATTEST)
    root = np.maximum(0.0, 1 - ninth + normal * np.sqrt(ninth))
    return np.where(there, mean * root**3, 0.0)


def wider(estimates: Estimates, variance: Float64Array) -> Estimates:
    """The intervals of numbers to which another one was added, with this variance of its own."""
    expected, low, high = estimates
    more = NORMAL_95**2 * variance
    return Estimates(
        expected,
        np.maximum(0.0, expected - np.sqrt((expected - low) ** 2 + more)),
        expected + np.sqrt((high - expected) ** 2 + more),
    )


class Lists(NamedTuple):
    """How lists of the folder are made.

    Attributes:
        with_passages: Whether they have pairs that share a passage below the floor.
        a_band: How long a band takes, in seconds; nan where nothing tells it.
        a_pair: How long comparing a pair takes that was not compared before.
        apart: How many pairs of these share no shingle, only reworked text.
        has_all: Whether they have all pairs that are found; else how many is not known.
    """

    with_passages: bool = True
    a_band: float = math.nan
    a_pair: float = math.nan
    apart: int = 0
    has_all: bool = True

    def seconds(self, bands: Int64Array | int, candidates: Float64Array) -> Float64Array:
        """About how long lists take that compare so many candidates."""
        return self.a_band * bands + self.a_pair * candidates


class PlaneAt(NamedTuple):
    """What each b × r would do, if pairs were listed from one resemblance on.

    All arrays have one entry for each choice, in order of rows, then bands.

    Attributes:
        bands: b, int64 (n,).
        rows: r, int64 (n,).
        missed: Pairs from `least` on that neither the bands meet nor a passage leads to.
        missed_by_bands: Pairs from there on that the bands do not meet.
        extra: Candidates below the floor: they are compared and not listed.
        candidates: All pairs that meet in a band.
        seconds: About how long making this list takes where nothing was compared before, float64;
            nan where nothing was compared here that tells it.
        listed: Pairs that the list would have, float64; nan where that is not known.
        efficient: Whether no other choice misses fewer, in whole pairs, for as few candidates, or
            as few for fewer candidates.
        least: The resemblance from which pairs are counted: the floor, or the first above it where
            enough is known; nan where that is nowhere.
        there: How many pairs there are from there on, missed or not; nan where unknown.
        certain: Whether what is missed was counted and not estimated.
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
    there: float
    certain: bool


class SettingForecast(NamedTuple):
    """What one choice would do, as `PlaneAt` says it; None where it is not known."""

    bands: int
    rows: int
    signature_size: int
    missed: Estimate | None
    missed_by_bands: Estimate | None
    extra: Estimate | None
    candidates: Estimate | None
    seconds: float | None
    listed: float | None
    efficient: bool
    least: float
    there: float
    certain: bool


def forecast_of(at: PlaneAt, place: int, signature_size: int) -> SettingForecast:
    """What is said of one of all choices."""
    seconds, listed = float(at.seconds[place]), float(at.listed[place])
    return SettingForecast(
        int(at.bands[place]), int(at.rows[place]), signature_size, at.missed.one(place),
        at.missed_by_bands.one(place), at.extra.one(place), at.candidates.one(place),
        None if math.isnan(seconds) else seconds, None if math.isnan(listed) else listed,
        bool(at.efficient[place]), at.least, at.there, at.certain,
    )  # fmt: skip


def are_efficient(missed: Float64Array, candidates: Float64Array) -> BoolArray:
    """Which are not beaten: of those that miss as few whole pairs, the one with fewest candidates.

    None where what is missed is not known.
    """
    whole = np.round(missed)
    order = np.lexsort((candidates, whole))
    fewest = np.minimum.accumulate(np.append(math.inf, candidates[order]))[:-1]
    efficient = np.zeros(len(missed), dtype=np.bool_)
    efficient[order] = (candidates[order] < fewest) & ~np.isnan(whole[order])
    return efficient
