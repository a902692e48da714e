"""Signatures to the sorted keys of each band, computed ahead on other threads.

Per band every document is one 64-bit key, mixed band hash in the high bits and document number in
the low ones; sorted, documents that agree in the whole band stand side by side.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.base.compiling import njit
from core.base.hashing import mix
from core.base.parallel import result_of, worker_count
from core.base.progress import Cancelled, stop_if
from core.signatures.minhash import SignatureMatrix

__all__ = ["band_keys", "sorted_bands"]


# Bands are taken several at a time: the values of a row lie side by side, and to fetch them from
# memory takes longer than to mix them.
KEYS_AT_ONCE = 1 << 22
BANDS_AT_ONCE = 8
ROWS_WORTH_A_THREAD = 5000


def sorted_bands(
    signatures: SignatureMatrix,
    rows_in_use: Int64Array,
    bands: int,
    rows: int,
    bits: np.uint64,
    cancelled: Cancelled,
) -> Iterator[UInt64Array]:
    """The sorted keys of each band, in order.

    Args:
        signatures: uint32 (n, K) with bands times rows at most K.
        rows_in_use: Indices of the rows that take part.
        bands: b.
        rows: r.
        bits: How many low bits of a key name the row.
        cancelled: Polled between bands, and while threads work.
    """

    def keys_from(first: int) -> UInt64Array:
        last = min(first + step, bands)
        keys: UInt64Array = _band_keys(signatures, rows_in_use, first, last, rows, bits)
        keys.sort(axis=1)
        return keys

    step = max(1, min(BANDS_AT_ONCE, KEYS_AT_ONCE // max(1, len(rows_in_use))))
    firsts = range(0, bands, step)
    if len(rows_in_use) < ROWS_WORTH_A_THREAD:
        for first in firsts:
            stop_if(cancelled)
            yield from keys_from(first)
        return
    with ThreadPoolExecutor(worker_count(), thread_name_prefix="neardup-bands") as pool:
        waiting = deque(pool.submit(keys_from, first) for first in firsts[: worker_count() + 1])
        upcoming = iter(firsts[len(waiting) :])
        try:
            while waiting:
                stop_if(cancelled)
                keys = result_of(waiting.popleft(), cancelled)
                waiting.extend(pool.submit(keys_from, first) for first in _next(upcoming))
                yield from keys
        finally:
            pool.shutdown(cancel_futures=True)


def band_keys(
    signatures: SignatureMatrix, row: int, bands: int, rows: int, bits: np.uint64
) -> UInt64Array:
    """The keys of one row, uint64 (bands, 1)."""
    use = np.array([row], dtype=np.int64)
    return _band_keys(signatures, use, 0, bands, rows, bits)  # type: ignore[no-any-return]


def _next(upcoming: Iterator[int]) -> Iterator[int]:
    """The next one, if there is any."""
    for one in upcoming:
        yield one
        return


@njit(nogil=True, cache=True)
def _band_keys(
    signatures: Any,  # noqa: ANN401
    use: Any,  # noqa: ANN401
    first: Any,  # noqa: ANN401
    last: Any,  # noqa: ANN401
    rows: Any,  # noqa: ANN401
    bits: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    keys = np.empty((last - first, len(use)), dtype=np.uint64)
    for index in range(len(use)):
        row = use[index]
        for band in range(first, last):
            value = np.uint64(band + 1)
            for place in range(band * rows, band * rows + rows):
                value = mix(value ^ np.uint64(signatures[row, place]))
            keys[band - first, index] = (value >> bits << bits) | np.uint64(row)
    return keys
