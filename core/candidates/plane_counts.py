"""The known pairs of a folder, counted by resemblance and by which b × r meet them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int16Array, Int64Array, UInt32Array
from core.base.progress import Cancelled, stop_if
from core.candidates.first_meetings import choices_within, met_by_choice

FINE, COARSE, MOST_FINE = 1000, 200, 2000  # steps of resemblance; for so many choices the fine ones
PAIRS_AT_ONCE = 1 << 20  # a second, after which it is asked whether to go on
# Of what pairs are counted, see `_weights`.
LISTED, UNSHARED, ANYWAY, COMPARED, OTHER_LISTED, OTHER_COMPARED, SQUARES = range(7)


class FoundPairs(NamedTuple):
    """All known pairs of different documents, also those below the threshold of the list.

    Attributes:
        x: First documents, int64.
        y: Second documents.
        resemblance: Exact.
        counts: As how many listed pairs each counts: its documents may have copies.
        stands_for: As how many known pairs like it each counts, where only some are looked at.
        sharing: Those that share a passage, and so are known whatever the bands.
        anyway: Those of them that are listed below the threshold too.
        drawn: Those that chance made known: the sampled bands, or the random sample.
        otherwise: Those that are known in neither way, nor for certain.
        only_band: int16, of the drawn ones the only sampled band that found them, and nothing else;
            below zero for all others.
        by_chance: Drawn ones that only the random sample holds.
    """

    x: Int64Array
    y: Int64Array
    resemblance: Float64Array
    counts: Float64Array
    stands_for: Float64Array
    sharing: BoolArray
    anyway: BoolArray
    drawn: BoolArray
    otherwise: BoolArray
    only_band: Int16Array
    by_chance: BoolArray

    def take(self, wanted: BoolArray) -> FoundPairs:
        """Those where a mask is true."""
        columns: Any = (column[wanted] for column in self)
        return FoundPairs(*columns)


def steps_of(signature_size: int) -> int:
    """In how many steps of resemblance pairs are counted."""
    return FINE if len(choices_within(signature_size)[0]) <= MOST_FINE else COARSE


def row_of(resemblance: float, floor: float, steps: int) -> int:
    """The step that begins with a resemblance; of the list's own floor the one it is in."""
    if resemblance == floor:
        return int(floor * steps + 1e-6)
    return round(resemblance * steps)


def steps_of_pairs(resemblance: Float64Array, floor: float, steps: int) -> Int64Array:
    """The step of each pair; none below the floor is in one with those above it."""
    own = np.floor(resemblance * steps + 1e-6).astype(np.int64)
    first = row_of(floor, floor, steps)
    return np.where(resemblance >= floor, np.maximum(own, first), np.minimum(own, first - 1))


class Counted(NamedTuple):
    """Known pairs from each of some steps of resemblance on, and after the last one none.

    Attributes:
        steps: int64 (m,), ascending.
        met: float64 (kinds, m + 1, n), that each choice meets; of each kind of `_weights`.
        again: float64 (kinds, n), the bands beyond the first in which each choice meets them.
        squares: float64 (n,), the variance of these bands, of pairs to compare, where only some
            were looked at.
        there: float64 (kinds, m + 1), met or not.
    """

    steps: Int64Array
    met: Float64Array
    again: Float64Array
    squares: Float64Array
    there: Float64Array

    def since(self, row: int) -> Float64Array:
        """Pairs from a step on, float64 (kinds,)."""
        return self.there[:, np.searchsorted(self.steps, row)]

    def met_since(self, row: int, which: Int64Array) -> Float64Array:
        """Those that some choices meet, float64 (kinds, choices)."""
        return self.met[:, np.searchsorted(self.steps, row), which]


def count_met(
    signatures: UInt32Array, pairs: FoundPairs, floor: float, cancelled: Cancelled
) -> Counted:
    """Count the known pairs that each choice meets.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    size = signatures.shape[1]
    own = steps_of_pairs(pairs.resemblance, floor, steps_of(size))
    steps = np.flatnonzero(np.bincount(own, minlength=1))
    classes = np.searchsorted(steps, own)
    weights = _weights(pairs)
    choices = len(choices_within(size)[0])
    met = np.zeros((weights.shape[1], len(steps) + 1, choices))
    again, squares = (np.zeros((weights.shape[1], choices)) for _ in range(2))
    for start in range(0, len(own), PAIRS_AT_ONCE):
        stop_if(cancelled)
        part = slice(start, start + PAIRS_AT_ONCE)
        both = met_by_choice(
            signatures, pairs.x[part], pairs.y[part], classes[part], weights[part], len(steps) + 1
        )
        met += both.met
        again += both.again
        squares += both.squares
    number = len(steps) + 1
    there = np.array([np.bincount(classes, kind, number) for kind in weights.T], dtype=np.float64)
    return Counted(steps, since(met, 1), again, squares[SQUARES], since(there, 1))


def _weights(pairs: FoundPairs) -> Float64Array:
    """As how many each pair counts, float64 (pairs, kinds), in the order of the names above.

    As listed pairs, with copies; those of them that share no passage, and those that share one that
    is listed; as pairs to compare; as listed ones and as pairs to compare of those that nothing of
    the sample knows; and the variance of pairs to compare where only some pairs were looked at.
    """
    listed = pairs.counts * pairs.stands_for
    return np.stack(
        [
            listed,
            listed * ~pairs.sharing,
            listed * pairs.anyway,
            pairs.stands_for,
            listed * pairs.otherwise,
            pairs.stands_for * pairs.otherwise,
            pairs.stands_for * (pairs.stands_for - 1),
        ],
        axis=1,
    )


def since(values: Float64Array, axis: int) -> Float64Array:
    """The sums from each place to the end."""
    return np.flip(np.cumsum(np.flip(values, axis), axis), axis)
