"""Which pairs of documents are candidates by where their skip-grams agree, and for how long.

The same as `core.candidates.skip_gram_meetings` finds, for pairs whose agreements were brought
together. How many pairs one skip-gram may make is halved where there are too many candidates: so it
is told of each how often that may be done before too few of its skip-grams are left.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.compiling import njit
from core.candidates.skip_gram_meetings import are_enough
from core.settings.reworked_search import NEAR

NO_CANDIDATE = -1


@njit(nogil=True, cache=True)
def count_halvings(bounds: Any, agreed: Any, weights: Any, lasting: Any) -> Any:
    """How many halvings each pair survives, int64; -1 where it is no candidate at all.

    The stretches in which weights are added up first on one machine decide nothing: what is enough
    close together is within one of them.

    Args:
        bounds: int64, pair i has the agreements from `bounds[i]` to `bounds[i + 1]`.
        agreed: int64 (3, n), the places in both documents, and the number of the hash.
        weights: uint8, by number of the hash.
        lasting: int64, by number of the hash, how many halvings it survives.
    """
    halvings = np.full(len(bounds) - 1, NO_CANDIDATE, dtype=np.int64)
    seen = np.empty((2, 2 * NEAR + 1), dtype=np.bool_)
    for pair in range(len(bounds) - 1):
        order = np.argsort(agreed[1, bounds[pair] : bounds[pair + 1]])
        own = agreed[:, bounds[pair] + order]
        known = lasting[own[2]]
        low, high = np.int64(NO_CANDIDATE), np.int64(0)  # most are no candidate at all
        while low < high:
            middle = (low + high + 1) // 2
            left = np.ascontiguousarray(own[:, np.flatnonzero(known >= middle)])
            if are_enough(left, weights, left.shape[1], seen):
                low = middle
                high = max(high, known.max()) if low == 0 else high
            else:
                high = middle - 1
        halvings[pair] = low
    return halvings
