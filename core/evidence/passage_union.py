"""Reworked passages and those that are word for word the same, put together.

A chain of runs (`core.evidence.passage_selection`) counts where it would list the pair (a run that
is long enough) or is most of a short text: what else two texts have in common, a few words here and
there, is chance. It belongs to a reworked passage when at least half of one of the two is within
the other, in both texts; the passage then reaches to the ends of both. All others begin and end
where they were measured, so that their words are those that the list counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float32Array, Int64Array
from core.evidence.passage_selection import PassageCriteria

WITHIN = 0.5
NO_RUNS = np.empty((0, 3), dtype=np.int64)


class FoundPassage(NamedTuple):
    """A passage before its words are compared.

    Attributes:
        box: int64 (4), its first word and end in A, the same in B.
        bits: Of the strongest reworked passage in it; 0 where there is none.
        reworked_words: Of the reworked passages in it, the words in the text where each has fewer.
        chain: int64 (n, 3), the runs it is made of; none where it was reworked.
        chance: How often unrelated documents reach its score, in words; empty where not known.
    """

    box: Int64Array
    bits: float
    reworked_words: int
    chain: Int64Array
    chance: str = ""


class ReworkedSpans(NamedTuple):
    """The reworked passages of a pair.

    Attributes:
        boxes: int64 (n, 4), first word and end in A, the same in B.
        bits: float32, the score of each.
        words: int64, the words of each in the text where it has fewer, as lists of pairs count.
        chance: How often unrelated documents reach such a score, in words.
    """

    boxes: Int64Array
    bits: Float32Array
    words: Int64Array
    chance: list[str]


def unite(
    reworked: ReworkedSpans, chains: list[Int64Array], worth: PassageCriteria
) -> list[FoundPassage]:
    """All passages of a pair, in no order.

    Args:
        reworked: The reworked ones.
        chains: Chains of runs that tell something, int64 (runs, 3) each.
        worth: Says which of them are passages by themselves.
    """
    boxes, owners = reworked.boxes.copy(), np.arange(len(reworked.boxes))
    alone = []
    for chain in filter(worth.stands_alone, chains):
        box = box_of(chain)
        joined = _are_one(boxes, box)
        if joined.any():
            own = np.isin(owners, owners[joined])
            owners[own] = owners[joined][0]
            low = np.minimum(boxes[joined].min(axis=0), box)
            high = np.maximum(boxes[joined].max(axis=0), box)
            boxes[own] = low[0], high[1], low[2], high[3]
        else:
            alone.append(FoundPassage(box, 0.0, 0, chain))
    found = []
    for one in np.flatnonzero(owners == np.arange(len(owners))).tolist():
        own = owners == one
        best = int(np.argmax(np.where(own, reworked.bits, 0)))
        bits, words = float(reworked.bits[best]), int(reworked.words[own].sum())
        found.append(FoundPassage(boxes[one], bits, words, NO_RUNS, reworked.chance[best]))
    return found + alone


def box_of(chain: Int64Array) -> Int64Array:
    """From the first word of a chain to its end, in A and in B."""
    (first_a, first_b, _), (last_a, last_b, words) = chain[0].tolist(), chain[-1].tolist()
    return np.array([first_a, last_a + words, first_b, last_b + words])


def _are_one(boxes: Int64Array, box: Int64Array) -> BoolArray:
    """Which of some boxes hold half of another one, or are held by it, in both texts."""
    holds, held = np.ones(len(boxes), np.bool_), np.ones(len(boxes), np.bool_)
    for first, end in ((0, 1), (2, 3)):
        common = np.minimum(boxes[:, end], box[end]) - np.maximum(boxes[:, first], box[first])
        holds &= common >= max(WITHIN * (box[end] - box[first]), 1)
        held &= common >= np.maximum(WITHIN * (boxes[:, end] - boxes[:, first]), 1)
    are_one: BoolArray = holds | held
    return are_one
