"""In which bands two signatures agree, for every number of rows: one pass tells of all b × r.

With r rows the bands begin at 0, r, 2r, ... whatever b is. So b bands of r rows meet a pair if the
first band that agrees is one of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import Float64Array, Int64Array, UInt32Array
from core.base.compiling import njit


def choices_within(signature_size: int) -> tuple[Int64Array, Int64Array]:
    """All b and r with b · r up to K, in order of rows, then bands; int64 (n,) each."""
    most = signature_size // np.arange(1, signature_size + 1)
    rows = np.repeat(np.arange(1, signature_size + 1), most)
    bands = np.arange(len(rows)) - np.repeat(np.cumsum(most) - most, most) + 1
    return bands, rows


class Meetings(NamedTuple):
    """How many pairs each b × r meets, for the choices of `choices_within`.

    Attributes:
        met: float64 (kinds, classes, n), pairs that meet in a band.
        again: float64 (kinds, n), of all classes the bands beyond the first in which they meet.
        squares: float64 (kinds, n), the squares of the numbers of these bands.
    """

    met: Float64Array
    again: Float64Array
    squares: Float64Array


def met_by_choice(
    signatures: UInt32Array,
    x: Int64Array,
    y: Int64Array,
    classes: Int64Array,
    weights: Float64Array,
    number: int,
) -> Meetings:
    """Count the pairs that each b × r meets, by class.

    Args:
        signatures: uint32 (documents, K).
        x: int64 (pairs,), first documents.
        y: Second documents.
        classes: int64 (pairs,), the class of each pair.
        weights: float64 (pairs, kinds), as how many a pair counts, of each kind.
        number: How many classes there are.
    """
    size = signatures.shape[1]
    most = size // np.arange(1, size + 1)
    starts = np.cumsum(most) - most
    met = np.zeros((weights.shape[1], number, int(most.sum())))
    again = np.zeros((2, weights.shape[1], int(most.sum())))
    _count(signatures, x, y, classes, weights, starts, met, again)
    for start, bands in zip(starts, most, strict=True):
        for counted in (met, again):
            own = counted[..., start : start + bands]
            np.cumsum(own, axis=-1, out=own)
    return Meetings(met, again[0], again[1])


@njit(nogil=True, cache=True)
def _count(
    signatures: Any,
    x: Any,
    y: Any,
    classes: Any,
    weights: Any,
    starts: Any,
    met: Any,
    again: Any,
) -> None:
    """Add the weights of each pair where its bands are that agree: the first, and all others.

    Of these their number, and what each adds to its square.
    """
    size = signatures.shape[1]
    runs = np.zeros(size, dtype=np.int64)  # so many values agree from here on
    for pair in range(len(x)):
        one, other = x[pair], y[pair]
        run = longest = 0
        for place in range(size - 1, -1, -1):
            run = run + 1 if signatures[one, place] == signatures[other, place] else 0
            runs[place] = run
            longest = max(longest, run)
        for rows in range(1, longest + 1):
            before = 0
            for band in range(size // rows):
                if runs[band * rows] >= rows:
                    cell = starts[rows - 1] + band
                    for kind in range(weights.shape[1]):
                        if before:
                            again[0, kind, cell] += weights[pair, kind]
                            again[1, kind, cell] += (2 * before - 1) * weights[pair, kind]
                        else:
                            met[kind, classes[pair], cell] += weights[pair, kind]
                    before += 1
