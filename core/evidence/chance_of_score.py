"""How often unrelated texts of a folder reach the score of a reworked passage.

The best scores of unrelated texts fall off exponentially (Karlin and Altschul, PNAS 1990), in each
folder at its own rate: news otherwise than laws, which share their formulas. The rate is fitted to
the best scores of random pairs. Some of these are related, or answer one question, and have the
highest scores: so only the lower two thirds are looked at. Measured, bits by which the score grows
while the chance falls to a 2.718th: bills 8, licences 11, terms of service 14, Chinese laws 18.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from core.base.arrays import Float32Array
from core.evidence.passage_spans import FLOOR

__all__ = ["ChanceOfScore"]

UNRELATED = 2 / 3  # of random pairs, those taken for unrelated
SCALES = (6.0, 25.0)  # bits
MOST = 1e9  # bits of any score
USUAL = (1 / 3, 10.0)  # share and scale where nothing was measured
ODDS = (10, 100, 1_000, 10_000, 100_000, 1_000_000)


class ChanceOfScore(NamedTuple):
    """The chance that two unrelated texts have a passage of some score.

    Attributes:
        share: Of random pairs, those that reach `start`.
        start: Bits.
        scale: Bits by which the score grows from there on while the chance falls to a 2.718th.
        pairs: Random pairs that were measured; 0 where there was no folder.
    """

    share: float
    start: float
    scale: float
    pairs: int

    @staticmethod
    def unknown() -> ChanceOfScore:
        """Without a folder."""
        return ChanceOfScore(USUAL[0], FLOOR, USUAL[1], 0)

    @staticmethod
    def fitted(best: Float32Array) -> ChanceOfScore:
        """Fitted to the bits of the strongest passages of random pairs, 0 where there is none."""
        if not len(best):
            return ChanceOfScore.unknown()
        middle, start = np.maximum(np.quantile(best, (0.5, UNRELATED)), FLOOR).tolist()
        scale = (start - middle) / math.log(0.5 / (1 - UNRELATED))
        share = (int((best >= start).sum()) + 1) / (len(best) + 2)
        return ChanceOfScore(share, start, min(max(scale, SCALES[0]), SCALES[1]), len(best))

    def is_possible(self) -> bool:
        """Whether it can have been fitted."""
        in_bounds = FLOOR <= self.start <= MOST and SCALES[0] <= self.scale <= SCALES[1]
        return in_bounds and 0 < self.share <= 1

    def probability(self, score: float) -> float:
        """The share of unrelated pairs that reach a score; the most that is known for low ones."""
        return min(1.0, self.share * math.exp((self.start - score) / self.scale))

    def threshold(self, probability: float, bounds: tuple[float, float]) -> float:
        """The score, within bounds, that such a share of unrelated pairs reaches."""
        score = self.start + self.scale * math.log(self.share / probability)
        return min(max(score, bounds[0]), bounds[1])

    def words(self, score: float) -> str:
        """The chance of a score in words: "fewer than 1 in 10,000 unrelated pairs"."""
        chance = self.probability(score)
        rarest = max((odds for odds in ODDS if chance < 1 / odds), default=0)
        if not rarest:
            return "1 in 10 unrelated pairs, or more"
        return f"fewer than 1 in {rarest:,} unrelated pairs"
