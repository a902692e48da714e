"""The mathematics of signatures of bits: which pairs differ in at most d of the 64.

Two texts at the angle θ differ in a bit with probability θ/π, and independently in every bit
(Charikar, STOC 2002), so the distance is binomial, and a pair is a candidate with probability
P = sum over i <= d of C(64, i) p^i (1 - p)^(64 - i), p = θ/π. It is the counterpart of the S-curve.

The angle is that of the texts' weights. For sets its cosine is |A ∩ B| / sqrt(|A| |B|), the
geometric mean of the containments; for sets of equal size that is c = 2s / (1 + s) of the
resemblance s. Where sizes differ, c is larger at the same s, up to sqrt(s) where one set holds the
other. Weights by occurrence or rarity shift it either way.

θ/π stands for random planes in all directions; those of signs ±1 come close to it where the
shingles that differ are many. Where they are few, it matters whether their number is odd: their
signs cannot cancel then, and more bits differ. So the curve holds for sets of equal size in which
many shingles differ. At d = 3, in sets of 100, it is up to 4 points off where five or more differ,
in both together; where one is replaced .74 are found and the curve says .67; where one is added
.75 and the curve says .85 (`tests/bench/simhash.py` compares with the exact share). The bits are
independent at any size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.base.arrays import Float64Array

BITS = 64
STEPS = 60  # of bisection: more than a float has bits


@dataclass(frozen=True, slots=True)
class BitCurve:
    """The curve of the largest distance d, for sets of equal size.

    Attributes:
        distance: d, how many of the 64 bits may differ.
    """

    distance: int

    def probability(self, resemblance: npt.ArrayLike) -> Float64Array:
        """P for every resemblance of sets in which many shingles differ, 0 to 1.

        1 - c = (1 - s) / (1 + s), so nothing cancels near s = 1.
        """
        s = np.clip(np.asarray(resemblance, dtype=np.float64), 0.0, 1.0)
        return bits_within(differing_share((1 - s) / (1 + s)), self.distance)

    def probability_contained(self, resemblance: npt.ArrayLike) -> Float64Array:
        """P where one set holds the other, so that c = sqrt(s); other sets lie between the two."""
        s = np.clip(np.asarray(resemblance, dtype=np.float64), 0.0, 1.0)
        return probability_at_cosine(np.sqrt(s), self.distance)

    @property
    def midpoint(self) -> float:
        """The resemblance at which half of the pairs are candidates."""
        low, high = 0.0, 1.0
        for _ in range(STEPS):
            middle = (low + high) / 2
            if self.probability(middle) < 0.5:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    @property
    def steepest(self) -> float:
        """The resemblance where the curve rises fastest.

        The slope has one summit, found by ternary search; with d = 0 and 1 it lies at s = 1.
        """
        if self.distance <= 1:
            return 1.0
        low, high = 0.0, 1.0
        for _ in range(STEPS):
            one, other = low + (high - low) / 3, high - (high - low) / 3
            if _log_slope(one, self.distance) < _log_slope(other, self.distance):
                low = one
            else:
                high = other
        return (low + high) / 2


def probability_at_cosine(cosine: npt.ArrayLike, distance: int) -> Float64Array:
    """P for every cosine, 0 to 1: exact where the cosine of the weights is known."""
    c = np.clip(np.asarray(cosine, dtype=np.float64), 0.0, 1.0)
    return bits_within(differing_share(1 - c), distance)


def cosine_of_containments(in_a: npt.ArrayLike, in_b: npt.ArrayLike) -> Float64Array:
    """The cosine of two sets from the share of each that the other holds; float64.

    |A ∩ B| / sqrt(|A| |B|) is the geometric mean of |A ∩ B| / |A| and |A ∩ B| / |B|.
    """
    return np.asarray(np.sqrt(np.asarray(in_a, dtype=np.float64) * np.asarray(in_b)))


def _log_slope(s: float, distance: int) -> float:
    """Logarithm of dP/ds, without what does not depend on s.

    dP/dp is -64 C(63, d) p^d (1 - p)^(63 - d), and dp/ds = -2 / (π (1 + s) sqrt((1 - s)(1 + 3s))).
    """
    p = float(differing_share(np.asarray((1 - s) / (1 + s))))
    binomial = distance * math.log(p) + (BITS - 1 - distance) * math.log1p(-p)
    return binomial - math.log1p(s) - (math.log1p(-s) + math.log1p(3 * s)) / 2


def differing_share(rest: Float64Array) -> Float64Array:
    """θ/π of the cosine 1 - rest: without the loss of digits that arccos has near 1."""
    return np.asarray(2 / np.pi * np.arcsin(np.sqrt(rest / 2)))


def bits_within(share: Float64Array, distance: int, bits: int = BITS) -> Float64Array:
    """Probability that at most so many bits differ, each with probability `share`."""
    total = np.zeros_like(share)
    for differing in range(distance + 1):
        total += math.comb(bits, differing) * share**differing * (1 - share) ** (bits - differing)
    return np.minimum(total, 1.0)
