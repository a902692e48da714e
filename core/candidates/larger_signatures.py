"""What larger signatures would buy: bands and rows that need a new scan.

Of signatures that were not made nothing is known but the chance of each pair to be met, by its
resemblance. So pairs are counted by resemblance alone, each that chance made known as 1/p.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from core.base.arrays import Float64Array, Int64Array
from core.base.intervals import Estimate
from core.candidates.forecast import KnownPairs
from core.candidates.plane_counts import FoundPairs, row_of, steps_of_pairs
from core.candidates.rare_events import intervals_of_rare
from core.candidates.scurve import candidate_probability

__all__ = ["PairsByResemblance", "count_by_resemblance", "least_missed"]

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


def least_missed(
    pairs: PairsByResemblance, signature_size: int, least: float, candidates: float
) -> tuple[int, int]:
    """The b and r with b · r up to K that miss fewest pairs from a resemblance on.

    Of those that compare no more than so many candidates; one row more finds fewer of them, so
    that for each number of rows there is a largest number of bands.

    Args:
        pairs: All pairs.
        signature_size: K.
        least: The resemblance.
        candidates: How many may be compared.
    """
    block = np.arange(STEPS + 1) * COARSE // STEPS

    def merged(values: Float64Array) -> Float64Array:
        return np.bincount(block, values).astype(np.float64)

    compared, wanted = pairs.compared, pairs.unshared.copy()
    wanted[: row_of(least, pairs.floor, STEPS)] = 0
    all_compared = merged(compared)
    s = np.divide(
        merged(pairs.resemblance * compared), all_compared,
        out=np.arange(COARSE + 1) / COARSE, where=all_compared > 0,
    )  # fmt: skip
    rows = np.arange(1, signature_size + 1)
    bands = _most_bands(signature_size, s, all_compared, candidates)
    found = candidate_probability(s[:, None], bands, rows)
    fits = all_compared @ found <= candidates
    # The last number of rows finds hardly a pair, and so compares hardly one.
    best = int(np.where(fits, merged(wanted) @ found, -1.0).argmax()) if fits.any() else -1
    return int(bands[best]), int(rows[best])


def _most_bands(
    signature_size: int, s: Float64Array, pairs: Float64Array, candidates: float
) -> Int64Array:
    """For each number of rows how many bands compare no more candidates than that; one at least."""
    rows = np.arange(1, signature_size + 1)
    low, high = np.ones_like(rows), signature_size // rows
    for _ in range(math.ceil(math.log2(signature_size)) + 1):
        middle = (low + high + 1) // 2
        fits = pairs @ candidate_probability(s[:, None], middle, rows) <= candidates
        low, high = np.where(fits, middle, low), np.where(fits, high, np.maximum(low, middle - 1))
    return low
