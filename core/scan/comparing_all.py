"""All pairs of a corpus compared, where that costs no more than is allowed.

Documents to review come first in the numbering that is counted with: so a pair of references, of
which the first would be one, is never come to.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int32Array, Int64Array, UInt64Array
from core.candidates.references import count_pairs
from core.evidence.overlap import resemblance_of
from core.evidence.pairs import pair_codes
from core.evidence.store import EvidenceStore

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


def measured(drawn: DrawnPairs, evidence: EvidenceStore) -> Background:
    """What pairs share that were drawn.

    Raises:
        StorageError: There is no room for the shingles.
    """
    shared = evidence.measured(drawn.x, drawn.y).shared
    resemblance = resemblance_of(shared, evidence.sizes(), drawn.x, drawn.y)
    return Background(pair_codes(drawn.x, drawn.y), resemblance, drawn.share, shared)


def draw_pairs(
    rows: Int64Array, to_review: BoolArray, lengths: Int64Array, seed: int
) -> DrawnPairs:
    """About 2,000 of the pairs of these documents that are compared, or all of fewer.

    Args:
        rows: int64, the documents.
        to_review: By document of the folder; two others are no pair.
        lengths: int64, characters of each document of the folder.
        seed: Of the draw.
    """
    rng = np.random.default_rng(seed)
    if to_review[rows].all():
        x, y = _random_pairs(_sample(rows, lengths, rng), rng)
    else:
        reviewed, others = (rows[to_review[rows] == is_own] for is_own in (True, False))
        x, y = _pairs_with_references(
            _sample(reviewed, lengths, rng), _sample(others, lengths, rng), rng
        )
    return DrawnPairs(x, y, _share_drawn(len(x), count_pairs(to_review, rows)))


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
    return _ordered(rows[one], rows[other])


def _pairs_with_references(
    reviewed: Int64Array, others: Int64Array, rng: np.random.Generator
) -> tuple[Int64Array, Int64Array]:
    """The same of documents to review, with each other and with references."""
    inside, across = len(reviewed) * (len(reviewed) - 1) // 2, len(reviewed) * len(others)
    if inside + across <= BACKGROUND_PAIRS:
        one, other = np.triu_indices(len(reviewed), 1)
        x = np.concatenate([reviewed[one], np.repeat(reviewed, len(others))])
        return _ordered(x, np.concatenate([reviewed[other], np.tile(others, len(reviewed))]))
    is_inside = rng.random(BACKGROUND_PAIRS) < inside / (inside + across)
    one = rng.integers(0, len(reviewed), BACKGROUND_PAIRS)
    beside = (one + rng.integers(1, max(2, len(reviewed)), BACKGROUND_PAIRS)) % len(reviewed)
    outside = rng.integers(0, len(others), BACKGROUND_PAIRS)
    return _ordered(reviewed[one], np.where(is_inside, reviewed[beside], others[outside]))


def _ordered(one: Int64Array, other: Int64Array) -> tuple[Int64Array, Int64Array]:
    return np.minimum(one, other), np.maximum(one, other)


def steps_of(background: Background) -> int:
    """How many shingles all pairs share together, as random pairs tell it."""
    pairs = len(background.codes) / max(background.share, 1e-12)
    return int(background.shared.mean() * pairs) if len(background.codes) else 0
