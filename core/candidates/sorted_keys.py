"""Sorted numbers, and keys that have a hash above and a document in the low bits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt64Array, begins_run

# Up to this many documents a bucket gives all its pairs; a fuller one is a crowd.
BUCKET_LIMIT = 1000
# A fingerprint that stands in more documents than this is common text: it makes no pairs. Where
# some are references, it may stand in more, as long as it makes no more pairs.
DOCUMENT_LIMIT = 100


def holders(keys: UInt64Array, asked: UInt64Array, bits: np.uint64) -> Int64Array:
    """The documents beside the hashes of some keys in sorted keys."""
    mask = (np.uint64(1) << bits) - np.uint64(1)
    starts = np.searchsorted(keys, asked & ~mask)
    ends = np.searchsorted(keys, asked | mask, side="right")
    both = zip(starts.tolist(), ends.tolist(), strict=True)
    documents = [keys[:0], *(keys[start:end] & mask for start, end in both)]
    return np.concatenate(documents).astype(np.int64)


def members(known: UInt64Array, asked: UInt64Array) -> BoolArray:
    """Which numbers are among some that ascend."""
    if not len(known):
        return np.zeros(len(asked), dtype=np.bool_)
    place = np.minimum(np.searchsorted(known, asked), len(known) - 1)
    return np.equal(known[place], asked)


def distinct(parts: Sequence[UInt64Array]) -> UInt64Array:
    """The different ones among some numbers, ascending."""
    values = np.concatenate(parts)
    values.sort()
    return np.compress(begins_run(values), values)
