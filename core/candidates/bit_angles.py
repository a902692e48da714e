"""How many bits differ where shingles are weighed: angles that scatter about those of the sets.

The share of bits that differ is the angle over π (`core.candidates.bit_curve`). Weights make the
angle another one for each pair. On average it is stretched; about that it scatters as a beta
distribution, so that the distance is beta-binomial (Skellam 1948).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from core.base.arrays import Float64Array, Int64Array
from core.candidates.bit_curve import BITS, differing_share

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
        """(513, bits + 1): how likely at most so many differ, by classes of the angle."""
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
    """The most likely angles of pairs, of which only those are known that are within `reach`.

    Args:
        cosine: Of their sets.
        distance: Bits that differ, at most `reach`.
        reach: The largest distance that is known.
        stretches: What is tried.
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
