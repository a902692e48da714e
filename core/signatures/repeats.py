"""Bags as sets: what the resemblance of two texts counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.arrays import UInt64Array
from core.base.compiling import njit
from core.base.hashing import find_slot, mix, slots_for
from core.settings import ScanSettings
from core.text.shingling import Shingles

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def elements(shingles: Shingles, settings: ScanSettings) -> UInt64Array:
    """The hashes of texts' shingles; with bags each repetition has one of its own."""
    if not settings.bag:
        return shingles.hashes
    return count_repeats(shingles.hashes, shingles.offsets)  # type: ignore[no-any-return]


@njit(nogil=True, cache=True)
def count_repeats(hashes: Any, offsets: Any) -> Any:
    """Make a bag a set: the n-th repetition of a shingle gets a hash of its own.

    The first occurrence keeps its hash. Jaccard resemblance of the results is the weighted
    resemblance, sum of minima over sum of maxima, of the bags.
    """
    out = np.empty_like(hashes)
    for text in range(len(offsets) - 1):
        first, last = offsets[text], offsets[text + 1]
        slots = slots_for(last - first)
        keys = np.empty(slots, dtype=np.uint64)
        seen = np.zeros(slots, dtype=np.int64)
        for index in range(first, last):
            value = hashes[index]
            slot = find_slot(keys, seen, value)
            keys[slot] = value
            out[index] = mix(value + np.uint64(seen[slot]) * GOLDEN) if seen[slot] else value
            seen[slot] += 1
    return out
