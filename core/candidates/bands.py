"""Signatures to buckets: the documents that agree in a whole band, made ahead on other threads.

A band is sorted by numbers: a hash of its values in the high bits, the document in the low ones.
How many bits of the hash are left depends on how many documents there are, so the hash decides
nothing: a bucket holds the documents whose values are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import numpy as np

from core.base.arrays import BoolArray, Int32Array, Int64Array, UInt32Array, UInt64Array
from core.base.compiling import njit
from core.base.hashing import mix
from core.base.parallel import results_of, worker_count
from core.base.progress import Cancelled, stop_if
from core.candidates.agreement import agree

Result = TypeVar("Result")

# Bands are taken several at a time: the values of a row lie side by side, and to fetch them from
# memory takes longer than to mix them.
KEYS_AT_ONCE = 1 << 22
BANDS_AT_ONCE = 8
ROWS_WORTH_A_THREAD = 5000


class Buckets(NamedTuple):
    """Documents that agree in a band: two or more in each bucket.

    Attributes:
        members: int32, rows of the signatures, bucket after bucket.
        starts: int64, where each bucket begins in `members`; one more at the end.
    """

    members: Int32Array
    starts: Int64Array

    @property
    def sizes(self) -> Int64Array:
        """How many documents each has."""
        return np.diff(self.starts)

    def take(self, wanted: BoolArray) -> Buckets:
        """Those where a mask is true."""
        sizes = self.sizes
        starts = np.concatenate([[0], np.cumsum(sizes[wanted])])
        return Buckets(self.members[np.repeat(wanted, sizes)], starts)

    def each(self) -> Iterator[Int32Array]:
        """The members of one after the other."""
        yield from map(self.members.__getitem__, map(slice, self.starts[:-1], self.starts[1:]))


def sorted_buckets(
    signatures: UInt32Array,
    rows_in_use: Int64Array,
    bands: int,
    rows: int,
    cancelled: Cancelled,
) -> Iterator[Buckets]:
    """The buckets of each band, in order of the bands; members ascend.

    Args:
        signatures: uint32 (n, K) with bands times rows at most K.
        rows_in_use: Indices of the rows that take part.
        bands: b.
        rows: r.
        cancelled: Polled between bands, and while threads work.
    """
    bits = np.uint64(max(1, (len(signatures) - 1).bit_length()))

    def work(first: int, last: int) -> list[Buckets]:
        keys = _sorted_keys(signatures, rows_in_use, first, last, rows, bits)
        numbered = zip(range(first, last), keys, strict=True)
        return [Buckets(*_buckets(own, bits, signatures, band, rows)) for band, own in numbered]

    return _by_band(work, bands, len(rows_in_use), cancelled)


def sorted_bands(
    signatures: UInt32Array,
    rows_in_use: Int64Array,
    bands: int,
    rows: int,
    bits: np.uint64,
    cancelled: Cancelled,
) -> Iterator[UInt64Array]:
    """The sorted keys of each band, in order; `bits` is how many low ones name the row."""

    def work(first: int, last: int) -> UInt64Array:
        return _sorted_keys(signatures, rows_in_use, first, last, rows, bits)

    return _by_band(work, bands, len(rows_in_use), cancelled)


def band_keys(
    signatures: UInt32Array, row: int, bands: int, rows: int, bits: np.uint64
) -> UInt64Array:
    """The keys of one row, uint64 (bands, 1)."""
    use = np.array([row], dtype=np.int64)
    return _band_keys(signatures, use, 0, bands, rows, bits)  # type: ignore[no-any-return]


def band_hashes(signatures: UInt32Array, band: int, rows: int) -> UInt64Array:
    """All 64 bits of a hash of one band, uint64 (n): equal where the band agrees.

    They differ where it does not, and from those of other bands, but for chance: 2^-64 a pair.
    """
    value = mix.py_func(np.full(len(signatures), band + 1, dtype=np.uint64))
    for place in range(band * rows, band * rows + rows):
        value = mix.py_func(value ^ signatures[:, place].astype(np.uint64))
    return np.asarray(value)


def _by_band(
    work: Callable[[int, int], Iterable[Result]], bands: int, documents: int, cancelled: Cancelled
) -> Iterator[Result]:
    """What is made of each band, of several at a time and ahead where that is worth a thread."""
    step = max(1, min(BANDS_AT_ONCE, KEYS_AT_ONCE // max(1, documents)))
    parts = [(first, min(first + step, bands)) for first in range(0, bands, step)]
    if documents < ROWS_WORTH_A_THREAD:
        for part in parts:
            stop_if(cancelled)
            yield from work(*part)
        return
    with ThreadPoolExecutor(worker_count(), thread_name_prefix="neardup-bands") as pool:
        begun = (pool.submit(work, *part) for part in parts)
        for made in results_of(begun, cancelled, worker_count() + 1):
            yield from made


def _sorted_keys(
    signatures: UInt32Array,
    rows_in_use: Int64Array,
    first: int,
    last: int,
    rows: int,
    bits: np.uint64,
) -> UInt64Array:
    keys: UInt64Array = _band_keys(signatures, rows_in_use, first, last, rows, bits)
    keys.sort(axis=1)
    return keys


@njit(nogil=True, cache=True)
def _band_keys(
    signatures: Any,
    use: Any,
    first: Any,
    last: Any,
    rows: Any,
    bits: Any,
) -> Any:
    keys = np.empty((last - first, len(use)), dtype=np.uint64)
    for index in range(len(use)):
        row = use[index]
        for band in range(first, last):
            value = np.uint64(band + 1)
            for place in range(band * rows, band * rows + rows):
                value = mix(value ^ np.uint64(signatures[row, place]))
            keys[band - first, index] = (value >> bits << bits) | np.uint64(row)
    return keys


@njit(nogil=True, cache=True)
def _buckets(keys: Any, bits: Any, signatures: Any, band: Any, rows: Any) -> Any:
    """The members and starts of the buckets in the sorted keys of a band, which are reordered."""
    members = np.empty(len(keys), dtype=np.int32)
    starts = np.empty(len(keys) // 2 + 1, dtype=np.int64)
    mask = (np.uint64(1) << bits) - np.uint64(1)
    filled = buckets = place = 0
    while place < len(keys):
        end = place + 1
        while end < len(keys) and keys[end] >> bits == keys[place] >> bits:
            end += 1
        if end > place + 1:
            end = _agreeing(keys, place, end, mask, signatures, band, rows)
        if end > place + 1:
            starts[buckets] = filled
            buckets += 1
            for index in range(place, end):
                members[filled] = np.int32(keys[index] & mask)
                filled += 1
        place = end
    starts[buckets] = filled
    return members[:filled].copy(), starts[: buckets + 1].copy()


@njit(nogil=True, cache=True)
def _agreeing(
    keys: Any,
    place: Any,
    end: Any,
    mask: Any,
    signatures: Any,
    band: Any,
    rows: Any,
) -> Any:
    """Move those of some keys to their front whose rows agree with the first; where they end."""
    same = place + 1
    for index in range(place + 1, end):
        if agree(signatures, keys[place] & mask, keys[index] & mask, band, rows):
            key = keys[index]
            for later in range(index, same, -1):  # none, unless two hashes begin alike
                keys[later] = keys[later - 1]
            keys[same] = key
            same += 1
    return same
