"""Pairs of documents drawn at random: how alike documents of a folder are without being copies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.base.arrays import Float64Array, Int32Array, Int64Array, UInt64Array

__all__ = ["BACKGROUND_PAIRS", "Background", "DrawnPairs", "draw_pairs"]

BACKGROUND_PAIRS = 2000
# Long documents are sampled less: reading some hundred megabytes for a forecast takes too long.
BACKGROUND_CHARACTERS = 1 << 25
BACKGROUND_DOCUMENTS = 64


class Background(NamedTuple):
    """Pairs of different documents, drawn at random.

    Attributes:
        codes: uint64 x << 32 | y with x < y, as they were drawn.
        resemblance: float64, exact.
        share: The probability that a pair is among them; 1 where all are.
        shared: int32, shingles that each shares.
    """

    codes: UInt64Array
    resemblance: Float64Array
    share: float
    shared: Int32Array


class DrawnPairs(NamedTuple):
    """Pairs x < y of documents; `share` is the probability that a pair is among them."""

    x: Int64Array
    y: Int64Array
    share: float


def draw_pairs(rows: Int64Array, lengths: Int64Array, seed: int) -> DrawnPairs:
    """About 2,000 pairs of these documents, or all where there are fewer.

    Args:
        rows: int64, the documents.
        lengths: int64, characters of each document of the folder.
        seed: Of the draw.
    """
    rng = np.random.default_rng(seed)
    x, y = _random_pairs(_sample(rows, lengths, rng), rng)
    return DrawnPairs(x, y, _share_drawn(len(x), len(rows) * (len(rows) - 1) // 2))


def _share_drawn(drawn: int, pairs: int) -> float:
    """The probability that a pair is among those drawn, with replacement where there are more."""
    return 1.0 if drawn >= pairs else 1 - (1 - 1 / pairs) ** drawn


def _sample(rows: Int64Array, lengths: Int64Array, rng: np.random.Generator) -> Int64Array:
    """So many of these documents, drawn at random, as can be read in a moment."""
    if int(lengths[rows].sum()) <= BACKGROUND_CHARACTERS:
        return rows
    drawn = rng.permutation(rows)
    count = int(np.searchsorted(np.cumsum(lengths[drawn]), BACKGROUND_CHARACTERS))
    return drawn[: max(count, BACKGROUND_DOCUMENTS)]


def _random_pairs(rows: Int64Array, rng: np.random.Generator) -> tuple[Int64Array, Int64Array]:
    """Pairs x < y of these documents: all where there are few, else a sample."""
    count = len(rows)
    if count * (count - 1) // 2 <= BACKGROUND_PAIRS:
        one, other = np.triu_indices(count, 1)
    else:
        one = rng.integers(0, count, BACKGROUND_PAIRS)
        other = (one + rng.integers(1, count, BACKGROUND_PAIRS)) % count
    one, other = rows[one], rows[other]
    return np.minimum(one, other), np.maximum(one, other)
