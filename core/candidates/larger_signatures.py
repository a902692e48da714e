"""What larger signatures would buy: bands and rows that need a new scan.

Of signatures that were not made nothing is known but the chance of each pair to be met, by its
resemblance. So pairs are counted by resemblance alone, each that chance made known as 1/p.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.base.arrays import Float64Array, Int64Array
from core.base.intervals import Estimate
from core.candidates.forecast import KnownPairs
from core.candidates.plane_counts import FoundPairs, row_of, steps_of_pairs
from core.candidates.rare_events import intervals_of_rare
from core.candidates.scurve import candidate_probability

STEPS = 1000
COARSE = 100


class PairsByResemblance(NamedTuple):
    """All pairs of a folder, known or not, by thousandths of resemblance; float64 (1001,) each.

    Attributes:
        resemblance: The mean of each step.
        listed: As listed pairs, with their copies.
        unshared: Those of them that share no passage.
        compared: As pairs to compare.
        squares: The variance of `listed`, as far as it is estimated.
        compared_squares: That of `compared`.
        floor: The resemblance from which pairs are listed.
    """

    resemblance: Float64Array
    listed: Float64Array
    unshared: Float64Array
    compared: Float64Array
    squares: Float64Array
    compared_squares: Float64Array
    floor: float

    def missed(self, pairs: Float64Array, least: float, bands: int, rows: int) -> Estimate:
        """How many of some pairs from a resemblance on bands and rows would miss."""
        since = np.arange(STEPS + 1) >= row_of(least, self.floor, STEPS)
        return self._sum(pairs * since, self.squares * since, bands, rows, met=False)

    def candidates(self, bands: int, rows: int, below: float | None = None) -> Estimate:
        """How many bands and rows would compare, of all or of those below a resemblance."""
        wanted = np.ones(STEPS + 1, dtype=np.bool_)
        if below is not None:
            wanted = np.arange(STEPS + 1) < row_of(below, self.floor, STEPS)
        return self._sum(
            self.compared * wanted, self.compared_squares * wanted, bands, rows, met=True
        )

    def _sum(
        self, pairs: Float64Array, squares: Float64Array, bands: int, rows: int, *, met: bool
    ) -> Estimate:
        p = candidate_probability(self.resemblance, bands, rows)
        share = p if met else 1 - p
        variance = float((squares * share**2 + pairs * p * (1 - p)).sum())
        heaviest = np.divide(squares, pairs, out=np.zeros_like(pairs), where=pairs > 0) * share
        sums = np.array([[(pairs * share).sum()], [variance], [heaviest.max()]])
        made = intervals_of_rare(*sums).one(0)
        return made or Estimate(0.0, 0.0, 0.0)


def count_by_resemblance(known: KnownPairs, pairs: FoundPairs) -> PairsByResemblance:
    """Count all pairs, each known one as often as its chance to be known says."""
    step = steps_of_pairs(pairs.resemblance, known.floor, STEPS)
    p = np.where(pairs.drawn, known.chances(pairs.resemblance), 1.0)
    # Those that are known otherwise are among those for which the drawn ones stand.
    weight = pairs.stands_for * ~pairs.otherwise / p

    def count(values: Float64Array) -> Float64Array:
        return np.bincount(step, values, STEPS + 1).astype(np.float64)

    number = np.bincount(step, minlength=STEPS + 1)
    spread = weight * (weight - 1)
    return PairsByResemblance(
        np.where(
            number,
            np.bincount(step, pairs.resemblance, STEPS + 1) / np.maximum(number, 1),
            np.arange(STEPS + 1) / STEPS,
        ),
        count(pairs.counts * weight),
        count(pairs.counts * weight * ~pairs.sharing),
        count(weight),
        count(pairs.counts**2 * spread),
        count(spread),
        known.floor,
    )


class Affordable(NamedTuple):
    """The most bands of each number of rows that compare no more than so many candidates.

    Attributes:
        bands: int64 (choices,).
        rows: int64 (choices,).
        found: float64 (101, choices), the share of pairs that they meet, by hundredths.
    """

    bands: Int64Array
    rows: Int64Array
    found: Float64Array

    def least_missed(self, pairs: PairsByResemblance, least: float) -> tuple[int, int] | None:
        """The b and r that miss fewest pairs from a resemblance on; None where there are none."""
        if not len(self.bands):
            return None
        wanted = pairs.unshared.copy()
        wanted[: row_of(least, pairs.floor, STEPS)] = 0
        best = int((_merged(wanted) @ self.found).argmax())
        return int(self.bands[best]), int(self.rows[best])


def affordable(pairs: PairsByResemblance, signature_size: int, candidates: float) -> Affordable:
    """For each number of rows the bands, b · r up to K, that compare no more candidates.

    Args:
        pairs: All pairs.
        signature_size: K.
        candidates: How many may be compared.
    """
    compared = _merged(pairs.compared)
    s = np.divide(
        _merged(pairs.resemblance * pairs.compared), compared,
        out=np.arange(COARSE + 1) / COARSE, where=compared > 0,
    )  # fmt: skip
    rows = np.arange(1, signature_size + 1)
    # The logarithm of the chance to be missed by a band, of texts that are alike nearly none.
    missed = np.log1p(-np.minimum(s[:, None] ** rows, 1 - 1e-16))
    low, high = np.zeros_like(rows), signature_size // rows
    while (low < high).any():
        middle = (low + high + 1) // 2
        fits = compared @ -np.expm1(middle * missed) <= candidates
        low, high = np.where(fits, middle, low), np.where(fits, high, middle - 1)
    some = low > 0
    found = -np.expm1(low[some] * missed[:, some])
    return Affordable(low[some], rows[some], found)


def _merged(values: Float64Array) -> Float64Array:
    """The sums of each hundredth."""
    block = np.arange(STEPS + 1) * COARSE // STEPS
    return np.bincount(block, values).astype(np.float64)
