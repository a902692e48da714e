"""How often unrelated texts of a folder reach the score of a reworked passage.

The best scores of unrelated texts fall off exponentially (Karlin and Altschul, PNAS 1990), in every
folder at its own rate: one of jokes otherwise than one of contracts. The rate is fitted to the best
scores of random pairs. Some of these are related, and have the highest scores; so only the lowest
quarter of those that have a passage at all is looked at.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from core.base.arrays import Float32Array
from core.evidence.passage_spans import FLOOR

__all__ = ["ChanceOfScore"]

QUARTER = 0.25  # of the pairs that have a passage
LEAST_PAIRS = 20  # with a passage, for a rate to be fitted
USUAL_SCALE = 10.0  # bits; of the corpora that were measured 6 to 16
SCALES = (3.0, 25.0)
ODDS = (10, 100, 1_000, 10_000, 100_000, 1_000_000)


class ChanceOfScore(NamedTuple):
    """The chance that two unrelated texts have a passage of some score.

    Attributes:
        share: Of random pairs, those that have a passage at all.
        scale: Bits by which the score grows while the chance falls to a 2.718th.
        pairs: Random pairs that were measured; 0 where there was no folder.
    """

    share: float
    scale: float
    pairs: int

    @staticmethod
    def unknown() -> ChanceOfScore:
        """Without a folder: as if every pair had a passage, at the usual rate."""
        return ChanceOfScore(1.0, USUAL_SCALE, 0)

    @staticmethod
    def fitted(best: Float32Array) -> ChanceOfScore:
        """Fitted to the bits of the strongest passages of random pairs, 0 where there is none."""
        if not len(best):
            return ChanceOfScore.unknown()
        excess = np.sort(best[best > 0]).astype(np.float64) - FLOOR
        share = (len(excess) + 1) / (len(best) + 2)
        scale = USUAL_SCALE
        if len(excess) >= LEAST_PAIRS:
            low = float(excess[int(QUARTER * len(excess))])
            scale = min(max(low / -math.log1p(-QUARTER), SCALES[0]), SCALES[1])
        return ChanceOfScore(share, scale, len(best))

    def is_possible(self) -> bool:
        """Whether it can have been fitted."""
        return 0 < self.share <= 1 and SCALES[0] <= self.scale <= SCALES[1]

    def probability(self, score: float) -> float:
        """The share of unrelated pairs that reach a score, at most 1."""
        return min(1.0, self.share * math.exp(-(score - FLOOR) / self.scale))

    def threshold(self, probability: float, bounds: tuple[float, float]) -> float:
        """The score, within bounds, that such a share of unrelated pairs reaches."""
        score = FLOOR + self.scale * math.log(self.share / probability)
        return min(max(score, bounds[0]), bounds[1])

    def words(self, score: float) -> str:
        """The chance of a score in words: "fewer than 1 in 10,000 unrelated pairs"."""
        chance = self.probability(score)
        rarest = max((odds for odds in ODDS if chance < 1 / odds), default=0)
        if not rarest:
            return "1 in 10 unrelated pairs, or more"
        return f"fewer than 1 in {rarest:,} unrelated pairs"
