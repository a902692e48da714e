"""Where a reworked passage begins and ends in each text, once its words are paired.

Grams of a passage of one text may stand in the other several times, as set phrases do: then the
passage of the other reaches too far. Of a text, the stretch counts in which words that have their
counterpart outweigh those that have none (the maximal scoring segment: Bentley 1984).
"""

from __future__ import annotations

import numpy as np

from core.base.arrays import Int64Array
from core.evidence.passage_words import ComparedWords

__all__ = ["trimmed"]

PAIRED, ALONE = 8, -1  # what a word counts


def trimmed(box: Int64Array, words: ComparedWords) -> Int64Array:
    """A passage, first word and end in A and in B, without ends that have no counterpart."""
    kept = box.copy()
    for side in (0, 1):
        first, end = box[2 * side], box[2 * side + 1]
        counts = np.full(end - first, ALONE, dtype=np.int64)
        runs = np.concatenate(
            [words.same, np.column_stack([words.near, np.ones(len(words.near), np.int64)])]
        )
        steps = np.arange(runs[:, 2].sum()) - np.repeat(
            np.cumsum(runs[:, 2]) - runs[:, 2], runs[:, 2]
        )
        counts[np.repeat(runs[:, side], runs[:, 2]) + steps - first] = PAIRED
        sums = np.append(0, np.cumsum(counts))
        last = int(np.argmax(sums - np.minimum.accumulate(sums)))
        start = int(np.argmin(sums[: last + 1]))
        if last > start:
            kept[2 * side], kept[2 * side + 1] = first + start, first + last
    return kept
