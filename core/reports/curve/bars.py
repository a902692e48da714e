"""The pairs of a folder in classes of resemblance, as bars."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.base.arrays import Float64Array, Int64Array
from core.candidates.forecast import LEVELS

BINS = 20
FINE_BINS = 100  # where a part of the curve is looked at closely
LEAST_BAR = 0.5  # pairs; where a logarithmic bar begins
MOST_TICKS = 4


@dataclass(frozen=True, slots=True)
class Bars:
    """Numbers of pairs in equal classes of resemblance, float64 (classes,)."""

    found: Float64Array
    everywhere: Float64Array  # at least those found; else a random sample, scaled to all pairs

    def heights(self, *, logarithmic: bool) -> tuple[Float64Array, Float64Array]:
        """Both as shares of the tallest bar."""
        if not logarithmic:
            return self.found / self._tallest, self.everywhere / self._tallest
        return self._log_share(self.found), self._log_share(self.everywhere)

    def ticks(self, *, logarithmic: bool) -> list[tuple[float, float]]:
        """Heights as shares of the tallest bar, each with a round number of pairs."""
        tallest = self._tallest
        if not logarithmic:
            unit = 10.0 ** math.floor(math.log10(tallest))
            step = next(one for one in (unit, 2 * unit, 5 * unit) if tallest / one <= MOST_TICKS)
            numbers = [step * times for times in range(1, math.floor(tallest / step) + 1)]
            return [(number / tallest, number) for number in numbers]
        powers = math.floor(math.log10(tallest))
        step = max(1, math.ceil((powers + 1) / MOST_TICKS))
        pairs = np.array([10.0**power for power in range(0, powers + 1, step)])
        return list(zip(self._log_share(pairs).tolist(), pairs.tolist(), strict=True))

    @property
    def _tallest(self) -> float:
        return max(float(self.everywhere.max()), 1.0)

    def _log_share(self, pairs: Float64Array) -> Float64Array:
        tallest = math.log(self._tallest / LEAST_BAR)
        return np.asarray(np.log(np.maximum(pairs, LEAST_BAR) / LEAST_BAR) / tallest)


def class_of(resemblance: npt.ArrayLike, classes: int = BINS) -> Int64Array:
    """The class of each resemblance; 1 belongs to the last one."""
    place = np.floor(np.asarray(resemblance) * classes + 1e-9).astype(np.int64)
    return np.minimum(place, classes - 1)


def count_pairs(
    found: Float64Array,
    background: Float64Array,
    all_pairs: float,
    every: Float64Array | None,
    classes: int = BINS,
) -> Bars:
    """Count pairs by class.

    Args:
        found: Resemblances of the pairs that are listed.
        background: Of pairs drawn at random, which stand for all.
        all_pairs: How many those are.
        every: All pairs by thousandths, where all were compared.
        classes: Number of classes.
    """
    listed = _classes(found, classes)
    if every is None:
        scaled = _classes(background, classes) * (all_pairs / max(len(background), 1))
        return Bars(listed, np.maximum(scaled, listed))
    place = class_of((np.arange(len(every)) + 0.5) / LEVELS, classes)
    return Bars(listed, np.maximum(np.bincount(place, every, minlength=classes), listed))


def _classes(resemblances: Float64Array, classes: int) -> Float64Array:
    place = class_of(resemblances, classes)
    return np.bincount(place, minlength=classes).astype(np.float64)
