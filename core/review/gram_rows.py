"""Skip-grams of documents to the bytes of a column and back.

Of a gram the hash has five bytes, which nothing makes smaller; its place is near that of the gram
before it, so that the difference is kept, in one byte wherever all of a document fit in it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.signatures.skip_grams import PLACE_BITS, places_of
from core.text.fingerprints import Fingerprints

HASH = 5  # bytes
NARROW, WIDE = 1, 3  # bytes of a difference; the first byte of a column says which
LARGEST_PLACE = (1 << 24) - 1


def pack_grams(grams: Fingerprints) -> list[bytes]:
    """The column of each document; nothing for one without grams."""
    ends = np.cumsum(grams.counts)
    steps = places_of(grams.values)
    steps[1:] -= steps[:-1].copy()
    first = (ends - grams.counts)[grams.counts > 0]
    steps[first] = places_of(grams.values[first])
    hashes = (grams.values >> PLACE_BITS).astype("<u8").view(np.uint8).reshape(-1, 8)
    packed = hashes[:, :HASH].tobytes()
    narrow, wide = (_steps(steps, width) for width in (NARROW, WIDE))
    largest = np.zeros(len(ends), dtype=np.int64)
    largest[grams.counts > 0] = np.maximum.reduceat(steps, first) if len(first) else 0
    columns, start = [], 0
    for end, most in zip(ends.tolist(), largest.tolist(), strict=True):
        width, own = (NARROW, narrow) if most < 1 << 8 else (WIDE, wide)
        column = bytes([width]) + packed[HASH * start : HASH * end]
        columns.append(column + own[width * start : width * end] if end > start else b"")
        start = end
    return columns


def unpack_grams(columns: Sequence[bytes]) -> Fingerprints:
    """The grams again.

    Raises:
        ValueError: These are no such columns.
    """
    counts = np.array([_count(column) for column in columns], dtype=np.int64)
    parts = [np.empty(0, dtype=np.int64)]
    for column, count in zip(columns, counts.tolist(), strict=True):
        if count:
            parts.append(_unpacked(column[1 + HASH * count :], column[0]))
    steps = np.concatenate(parts)
    hashes = b"".join(
        column[1 : 1 + HASH * count] for column, count in zip(columns, counts.tolist(), strict=True)
    )
    values = np.zeros((len(steps), 8), dtype=np.uint8)
    values[:, :HASH] = np.frombuffer(hashes, dtype=np.uint8).reshape(-1, HASH)
    places = _summed(steps, counts)
    if len(places) and int(places.max()) > LARGEST_PLACE:
        raise ValueError("A skip-gram stands behind the end of any text.")
    whole: UInt64Array = values.view("<u8").ravel().astype(np.uint64) << PLACE_BITS
    return Fingerprints(whole | places.astype(np.uint64), counts)


def _steps(steps: Int64Array, width: int) -> bytes:
    """All differences in so many bytes each; those that need more are cut."""
    return steps.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :width].tobytes()


def _count(column: bytes) -> int:
    if not column:
        return 0
    count, rest = divmod(len(column) - 1, HASH + column[0])
    if column[0] not in {NARROW, WIDE} or rest or not count:
        raise ValueError("The skip-grams of a document have the wrong size.")
    return count


def _unpacked(data: bytes, width: int) -> Int64Array:
    steps = np.zeros((len(data) // width, 4), dtype=np.uint8)
    steps[:, :width] = np.frombuffer(data, dtype=np.uint8).reshape(-1, width)
    return steps.view("<u4").ravel().astype(np.int64)


def _summed(steps: Int64Array, counts: Int64Array) -> Int64Array:
    """The sums of the differences up to each, of every document from its first one."""
    sums = np.concatenate([[0], np.cumsum(steps)])
    starts = np.cumsum(counts) - counts
    places: Int64Array = sums[1:] - np.repeat(sums[starts], counts)
    return places
