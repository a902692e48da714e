"""Grams of words as hashes, and how often each stands in two texts; whole arrays at a time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt64Array

FACTOR = np.uint64(0x9E3779B97F4A7C15)


class GramGroups(NamedTuple):
    """The places of two texts by what stands there.

    Attributes:
        places: int64, places of A, and of B counted on from the end of A: those of one group
            together, and in order.
        starts: int64, where each group begins in `places`.
        in_a: int64, how many places of A each group has.
        in_b: int64, how many of B.
    """

    places: Int64Array
    starts: Int64Array
    in_a: Int64Array
    in_b: Int64Array


def group(a: UInt64Array, b: UInt64Array) -> GramGroups:
    """The places of equal hashes in two arrays that are not both empty.

    Hash and place are sorted as one number. So the lowest bits of the hashes are lost: of a
    million places, two different ones agree by chance with a probability of .03.
    """
    count = len(a) + len(b)
    bits = np.uint64(count.bit_length())
    keys = np.concatenate([a, b])
    keys >>= bits
    keys <<= bits
    keys |= np.arange(count, dtype=np.uint64)
    keys.sort()
    index = (keys & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64)
    keys >>= bits
    new = np.ones(count, dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    starts = np.flatnonzero(new)
    sizes = np.diff(np.append(starts, count))
    in_a = np.add.reduceat(index < len(a), starts, dtype=np.int64)
    return GramGroups(index, starts, in_a, sizes - in_a)


def make_grams(values: UInt64Array, length: int) -> UInt64Array:
    """The hash of the words at every place; there are length - 1 fewer than words."""
    count = max(0, len(values) - length + 1)
    grams = _mix(values[:count])
    for shift in range(1, length):
        grams = _mix(grams + values[shift : count + shift])
    return grams


def join_grams(grams: UInt64Array, length: int) -> UInt64Array:
    """Grams of twice the length."""
    return _mix(grams[: max(0, len(grams) - length)] * FACTOR + grams[length:])


def _mix(values: UInt64Array) -> UInt64Array:
    """A bijection of 64-bit integers in whose upper bits all others count."""
    values = (values ^ (values >> np.uint64(32))) * FACTOR
    return values ^ (values >> np.uint64(29))
