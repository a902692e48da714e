"""How many pairs agree in each band, for every number of rows: counted in the buckets."""

from __future__ import annotations

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array, UInt32Array
from core.base.progress import Cancelled
from core.candidates.bands import sorted_buckets
from core.candidates.references import pairs_of, reviewed_in_runs

ENOUGH = 8  # bands that tell how much their numbers of pairs vary


def pairs_in_bands(
    signatures: UInt32Array, rows_in_use: Int64Array, to_review: BoolArray, cancelled: Cancelled
) -> Float64Array:
    """The pairs in all bands of each b × r, so that one that meets in two of them counts twice.

    Args:
        signatures: uint32 (documents, K).
        rows_in_use: The documents that take part.
        to_review: By document; two others are no pair.
        cancelled: Polled between bands.

    Returns:
        float64 (n,), for the choices of `core.candidates.first_meetings.choices_within`.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    size = signatures.shape[1]
    found = []
    for rows in range(1, size + 1):
        in_bands = [
            pairs_of(
                reviewed_in_runs(to_review, buckets.members, buckets.starts[:-1]), buckets.sizes
            ).sum()
            for buckets in sorted_buckets(signatures, rows_in_use, size // rows, rows, cancelled)
        ]
        found.append(np.cumsum(in_bands, dtype=np.float64))
    return np.concatenate(found)


def met_together(in_bands: Float64Array, signature_size: int) -> Float64Array:
    """How many times as much the pairs in a band vary from band to band as if each met alone.

    Documents that have a rare shingle in common meet in the same band, all of them or none. Where
    there are too few bands of so many rows, what is true of fewer rows holds.

    Args:
        in_bands: float64 (n,), of `pairs_in_bands`.
        signature_size: K.

    Returns:
        float64 (n,), at least 1.
    """
    told, start, so_far = [], 0, 1.0
    for rows in range(1, signature_size + 1):
        bands = signature_size // rows
        numbers = np.diff(in_bands[start : start + bands], prepend=0.0)
        start += bands
        if bands >= ENOUGH:
            so_far = max(1.0, float(numbers.var(ddof=1) / max(numbers.mean(), 1.0)))
        told.append(np.full(bands, so_far))
    return np.concatenate(told)
