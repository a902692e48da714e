"""Integers sorted by radix: the same as NumPy's sort, whatever their bits."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.base.sorting import AT_ONCE, PART_BITS, order_of, sort_keys

SIZES = (0, 1, 2, 3, 48, 49, 1000, (1 << PART_BITS) - 1, 1 << PART_BITS, 100_000)


def drawn(size, seed=1):
    return np.random.default_rng(seed).integers(0, 2**64, size, dtype=np.uint64)


KINDS = {
    "hashes": drawn,
    "equal": lambda size: np.full(size, 2**64 - 1, dtype=np.uint64),
    "few different": lambda size: drawn(size) % np.uint64(3),
    "only the highest bit differs": lambda size: drawn(size) >> np.uint64(63) << np.uint64(63),
    "ascending": lambda size: np.arange(size, dtype=np.uint64),
    "descending": lambda size: np.arange(size, dtype=np.uint64)[::-1].copy(),
    "pairs of numbers": lambda size: (
        (drawn(size) & np.uint64(0xFF)) << np.uint64(32) | drawn(size, 2) & np.uint64(0xFFFF)
    ),
    # So that thousands agree in all bits by which they are sorted first.
    "far below a few large ones": lambda size: np.append(
        drawn(size)[2:] >> np.uint64(50), drawn(size)[:2]
    ),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", SIZES)
def test_integers_ascend_and_none_is_lost(kind, size):
    keys = KINDS[kind](size)
    assert np.array_equal(sort_keys(keys), np.sort(keys))


@pytest.mark.parametrize("kind", KINDS)
def test_threads_share_the_parts(kind):
    keys = KINDS[kind](3 * AT_ONCE)
    with ThreadPoolExecutor(2) as pool:
        assert np.array_equal(sort_keys(keys, pool), np.sort(keys))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", SIZES)
def test_equal_integers_keep_their_order(kind, size):
    keys = KINDS[kind](size)
    assert np.array_equal(order_of(keys), np.argsort(keys, kind="stable"))
