"""What two signatures say of the resemblance of their texts: by equal values, or by equal bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.arrays import Float32Array, Int32Array, IntegerArray, UInt32Array, UInt64Array
from core.base.compiling import njit

BITS = 64


def share_of_equal_values(
    signatures: UInt32Array, a: IntegerArray, b: IntegerArray
) -> Float32Array:
    """Share of equal signature values of pairs of rows, float32."""
    # One type, so that the kernel is compiled once.
    a, b = a.astype(np.int64, copy=False), b.astype(np.int64, copy=False)
    return _agreement(signatures, a, b)  # type: ignore[no-any-return]


@njit(nogil=True, cache=True)
def _agreement(signatures: Any, a: Any, b: Any) -> Any:
    size = signatures.shape[1]
    shares = np.empty(len(a), dtype=np.float32)
    for pair in range(len(a)):
        equal = 0
        for place in range(size):
            equal += signatures[a[pair], place] == signatures[b[pair], place]
        shares[pair] = equal / size
    return shares


def join_halves(signatures: UInt32Array) -> UInt64Array:
    """Rows of two 32-bit halves as one 64-bit number each."""
    low, high = signatures[:, 0].astype(np.uint64), signatures[:, 1].astype(np.uint64)
    return np.asarray(low | high << np.uint64(32))


def hamming_distance(signatures: UInt32Array, a: IntegerArray, b: IntegerArray) -> Int32Array:
    """Number of bits in which pairs of rows differ, int32, 0 to 64."""
    return np.asarray(
        np.bitwise_count(signatures[a] ^ signatures[b]).sum(axis=1, dtype=np.int32), dtype=np.int32
    )


def resemblance_by_distance(
    signatures: UInt32Array, a: IntegerArray, b: IntegerArray
) -> Float32Array:
    """The resemblance that the distance of pairs of rows suggests, float32.

    A distance of H bits suggests the angle πH/64, the cosine of it, and for sets of equal size
    s = c / (2 - c); half of the bits and more suggest nothing in common. The first bit is a step
    of 0.002, at s = 0.5 one is 0.04.
    """
    return np.asarray(_RESEMBLANCE[hamming_distance(signatures, a, b)], dtype=np.float32)


def _resemblance_of_distances() -> Float32Array:
    angle = np.arange(BITS + 1) * (np.pi / BITS)
    cosine = np.where(angle < np.pi / 2, np.cos(angle), 0.0)
    return np.asarray(cosine / (2 - cosine), dtype=np.float32)


_RESEMBLANCE = _resemblance_of_distances()
