"""Sorted numbers, and keys with a hash in the high bits and a document in the low bits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt64Array, begins_run
from core.base.sorting import sort_keys

# Up to this many documents a bucket gives all its pairs; a fuller one is a large bucket.
BUCKET_LIMIT = 1000
# A fingerprint in more documents than this is common text: it makes no pairs. Where some documents
# are references, it may be in more, as long as it makes no more pairs.
DOCUMENT_LIMIT = 100


def holders(keys: UInt64Array, wanted: UInt64Array, bits: np.uint64) -> Int64Array:
    """The documents of those sorted keys that have the hash of a wanted key."""
    mask = (np.uint64(1) << bits) - np.uint64(1)
    starts = np.searchsorted(keys, wanted & ~mask)
    ends = np.searchsorted(keys, wanted | mask, side="right")
    both = zip(starts.tolist(), ends.tolist(), strict=True)
    documents = [keys[:0], *(keys[start:end] & mask for start, end in both)]
    return np.concatenate(documents).astype(np.int64)


def members(known: UInt64Array, values: UInt64Array) -> BoolArray:
    """Which values are among the known ones, which ascend."""
    if not len(known):
        return np.zeros(len(values), dtype=np.bool_)
    index = np.minimum(np.searchsorted(known, values), len(known) - 1)
    return np.equal(known[index], values)


def distinct(parts: Sequence[UInt64Array]) -> UInt64Array:
    """The different values of all parts, ascending."""
    values = sort_keys(np.concatenate(parts))
    return np.compress(begins_run(values), values)
