"""What keeps its order in two texts, and what was moved."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from core.base.arrays import BoolArray, Int64Array


def heaviest_rising(places_b: Int64Array, weights: Int64Array) -> BoolArray:
    """Of parts in the order of A, those of most weight together that keep their order in B.

    Args:
        places_b: int64, where each part begins in B.
        weights: int64, what each counts.
    """
    kept = np.ones(len(places_b), dtype=np.bool_)
    if (np.diff(places_b) > 0).all():
        return kept
    kept[:] = False
    kept[heaviest_rising_places(places_b.tolist(), weights.tolist())] = True
    return kept


def heaviest_rising_places(start: Sequence[int], weight: Sequence[int]) -> list[int]:
    """The numbers of the same parts, ascending (heaviest increasing subsequence)."""
    best: list[int] = []
    before: list[int] = []
    ends: list[tuple[int, int]] = []  # start and place: the heavier ones, each further on in B
    for place, (here, own) in enumerate(zip(start, weight, strict=True)):
        index = bisect_left(ends, (here, -1))
        before.append(ends[index - 1][1] if index else -1)
        best.append(own + (best[before[-1]] if index else 0))
        last = index
        while last < len(ends) and best[ends[last][1]] <= best[place]:
            last += 1
        ends[index:last] = [(here, place)]
    in_order: list[int] = []
    place = best.index(max(best)) if best else -1
    while place >= 0:
        in_order.append(place)
        place = before[place]
    return in_order[::-1]
