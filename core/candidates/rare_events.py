"""Intervals of weighted sums of rare events, for many sums at once.

As `core.candidates.forecast` makes them: by the gamma distribution with the mean and the variance
of the sum, where one event more that was not seen may weigh as much as the heaviest (Fay and Feuer,
Statistics in Medicine 16, 1997).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array
from core.base.intervals import NORMAL_95, Estimate
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
