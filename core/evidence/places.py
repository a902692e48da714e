"""Where the shingles of one document stand, to look those of others up."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import Int32Array, UInt64Array
from core.base.compiling import njit
from core.base.hashing import find_slot, slots_for
from core.text.shingling import NO_SHINGLE


class ShinglePlaces(NamedTuple):
    """The places of each shingle in one document, counted from 1; 0 stands for none.

    Attributes:
        keys: uint64, by slot: the shingle.
        last: int32, by slot: its last place.
        counts: int32, by slot: how many places.
        earlier: int32, by place less 1: the place before it with the same shingle.
    """

    keys: UInt64Array
    last: Int32Array
    counts: Int32Array
    earlier: Int32Array


@njit(nogil=True, cache=True)
def find_places(own: Any) -> Any:
    """The places of the shingles of a document that count: no other is ever found."""
    slots = slots_for(len(own))
    keys = np.empty(slots, dtype=np.uint64)
    last = np.zeros(slots, dtype=np.int32)
    counts = np.zeros(slots, dtype=np.int32)
    earlier = np.empty(len(own), dtype=np.int32)
    for index in range(len(own)):
        if own[index] == NO_SHINGLE:
            continue
        slot = find_slot(keys, last, own[index])
        keys[slot] = own[index]
        earlier[index] = last[slot]
        last[slot] = index + 1
        counts[slot] += 1
    return ShinglePlaces(keys, last, counts, earlier)
