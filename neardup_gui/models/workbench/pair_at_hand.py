"""The pair at hand on the curve: where it lies, and what it is called."""

from __future__ import annotations

from typing import NamedTuple

from core.candidates.scurve import cosine_of_containments, probability_at_cosine
from core.reports.curve.state import ThresholdState

NEARLY_NONE = 1e-9  # the least chance of a pair that is told: one that has any never reads as none


class PairAtHand(NamedTuple):
    """A pair of documents that the curve shows by a mark.

    Attributes:
        resemblance: Exact, from 0 to 1.
        names: Of its documents, as they are shown; they are no markup.
        containments: The shares of A in B and of B in A, which bits depend on; None where these
            are not known.
    """

    resemblance: float
    names: tuple[str, str]
    containments: tuple[float, float] | None = None

    def chance(self, state: ThresholdState) -> float:
        """The probability that the signatures of a setting lead to such a pair, 0 to 1."""
        if state.distance is None or self.containments is None:
            chance = state.probability(self.resemblance)
        else:
            cosine = cosine_of_containments(*self.containments)
            chance = float(probability_at_cosine(cosine, state.distance))
        if not 0 < self.resemblance < 1:
            return chance
        return min(max(chance, NEARLY_NONE), 1 - NEARLY_NONE)
