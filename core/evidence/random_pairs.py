"""How strong the passages are that pairs of a folder share, whichever pairs these are.

The strongest passages of some pairs are measured: of all pairs in a small folder, of a random
sample in any other. What is said of a score counts these pairs and goes no further: beyond what was
measured nobody knows how fast scores fall off. Measured on ten corpora, an exponential tail that
was fitted to their bulk (as Karlin and Altschul, PNAS 1990, have it for unrelated sequences)
promised one pair in a million where 1,600 to 10,000 in a million reached the score.

Where to begin a list is a choice and not a promise, and follows such a tail within bounds: in each
folder scores fall off at another rate, news otherwise than laws, which share their formulas.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from core.base.arrays import Float32Array
from core.base.wording import count
from core.evidence.passage_spans import FLOOR

MOST_PAIRS = 1000
FEWEST_PAIRS = 20  # from which the rate of a folder can be told
UNRELATED = 2 / 3  # of the pairs, those taken for unrelated: the others may answer one question
SCALES = (6.0, 25.0)  # bits
MOST_BITS = 1e9


class RandomPairs(NamedTuple):
    """The strongest passages of some pairs of a folder.

    Attributes:
        scores: float32, ascending: the bits of the strongest passage of each, 0 for none.
        are_all: Whether these are all pairs of different texts, and whole texts.
    """

    scores: Float32Array
    are_all: bool

    @staticmethod
    def none() -> RandomPairs:
        """Without a folder."""
        return RandomPairs(np.empty(0, dtype=np.float32), are_all=False)

    def is_possible(self) -> bool:
        """Whether this can have been measured."""
        within = (self.scores >= 0) & (self.scores <= MOST_BITS)
        ascends = self.scores[1:] >= self.scores[:-1]
        return len(self.scores) <= MOST_PAIRS and bool(within.all()) and bool(ascends.all())

    def threshold(self, share: float, bounds: tuple[float, float], for_few: float) -> float:
        """The bits, within bounds, that about such a share of unrelated pairs may reach.

        Few pairs may all be related: then it is `for_few`.
        """
        if len(self.scores) < FEWEST_PAIRS:
            return for_few
        middle, start = np.maximum(np.quantile(self.scores, (0.5, UNRELATED)), FLOOR).tolist()
        scale = (start - middle) / math.log(0.5 / (1 - UNRELATED))
        scale = min(max(scale, SCALES[0]), SCALES[1])
        reached = (self._count(start) + 1) / (len(self.scores) + 2)
        score = start + scale * math.log(reached / share)
        return float(min(max(score, bounds[0]), bounds[1]))

    def words(self, score: float) -> str:
        """How many pairs have a passage of such a score: "no other of the 45 pairs of ...".

        Copies count as one text, and texts of a reference folder count too. Empty where no other
        pair was measured, or too few.

        Args:
            score: The bits of a passage of two different texts of the review.
        """
        pairs, reached = len(self.scores), self._count(score)
        if self.are_all:
            reached -= 1  # the pair itself is among them
            if pairs < 2:  # copies of one text are no pair of texts
                return ""
            of = f"of the {count(pairs)} pairs of different texts"
            who = "no other" if reached < 1 else f"{count(reached)} other"
        else:
            if pairs < FEWEST_PAIRS:
                return ""
            of = f"of {count(pairs)} pairs of different texts drawn at random"
            who = count(reached) if reached else "none"
        return f"{who} {of} {'have' if reached > 1 else 'has'} as strong a passage"

    def _count(self, score: float) -> int:
        """How many of the pairs reach a score."""
        return len(self.scores) - int(np.searchsorted(self.scores, np.float32(score)))
