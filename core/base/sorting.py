"""Sorting 64-bit integers by radix: an array in place, or the order of a few.

NumPy's sort takes 6 to 15 ns for each of a million integers or more; where a processor has AVX-512
but is slow to write compressed vectors (AMD Zen 4), 50 to 100 ns. These take 7 to 12 ns on any.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from core.base.arrays import UInt64Array, equal_parts
from core.base.compiling import njit
from core.base.tasks import mapped

ONE = np.uint64(1)
LAST_BYTE = np.uint64(0xFF)
FEW = np.uint64(48)  # integers, which are sorted by insertion
PART_BITS = 14  # so many integers, 128 KiB, and what is needed to sort them stay in a cache
MOST_PART_BITS = np.uint64(
    12
)  # with more parts at once, each integer that is moved waits for the memory
SPARE_BITS = np.uint64(3)  # beyond those that tell the integers of a part apart: few agree in all
SORTED_AT_ONCE = 1 << 19  # integers, by one thread


def sort_keys(keys: UInt64Array, pool: ThreadPoolExecutor | None = None) -> None:
    """Sort integers in place: best for hashes, right for all.

    Args:
        keys: uint64 (n,).
        pool: Threads to work with; None for the calling thread.
    """
    bounds, high = _divide(keys)

    def sort(parts: slice) -> None:
        _sort_parts(keys, bounds[parts.start : parts.stop + 1], high)

    for _ in mapped(pool, sort, equal_parts(np.diff(bounds), SORTED_AT_ONCE)):
        pass


@njit(nogil=True, cache=True)
def _divide(keys: Any) -> Any:
    """Permute 64-bit integers into parts by the highest bits that differ, the parts in order.

    "American flag sort": McIlroy, Bostic, McIlroy, Computing Systems 6 (1), 1993.

    Returns:
        int64, part i is `keys[bounds[i]:bounds[i + 1]]`; and uint64, the bit from which upwards
        the integers of a part agree.
    """
    differing = np.uint64(0)
    for key in keys:
        differing |= key ^ keys[0]
    high = np.uint64(0)
    while high < np.uint64(64) and differing >> high:
        high += ONE
    bits = np.uint64(0)
    while bits < min(high, MOST_PART_BITS) and len(keys) >> np.int64(bits) > 1 << PART_BITS:
        bits += ONE
    shift, mask = high - bits, (ONE << bits) - ONE
    bounds = np.zeros((1 << np.int64(bits)) + 1, dtype=np.int64)
    if not bits:
        bounds[1] = len(keys)
        return bounds, high
    for key in keys:
        bounds[(key >> shift & mask) + ONE] += 1
    bounds = np.cumsum(bounds)
    free = bounds.astype(np.uint64)
    for part in range(np.uint64(len(bounds) - 1)):
        for index in range(free[part], np.uint64(bounds[part + ONE])):
            key = keys[index]
            belongs = key >> shift & mask
            while belongs != part:
                place = free[belongs]
                free[belongs] = place + ONE
                keys[place], key = key, keys[place]
                belongs = key >> shift & mask
            keys[index] = key
    return bounds, shift


@njit(nogil=True, cache=True)
def _sort_parts(keys: Any, bounds: Any, high: Any) -> None:
    """Sort parts in place, each by itself.

    Args:
        keys: uint64.
        bounds: int64, part i is `keys[bounds[i]:bounds[i + 1]]`.
        high: The integers of a part agree in this bit and all above it.
    """
    room = np.empty(np.diff(bounds).max(), dtype=np.uint64)
    for part in range(len(bounds) - 1):
        part_keys = keys[bounds[part] : bounds[part + 1]]
        bits = SPARE_BITS
        while ONE << bits - SPARE_BITS < np.uint64(len(part_keys)):
            bits += ONE
        bits = min(bits, np.uint64(high))
        shift = np.uint64(high) - bits
        _sort_two_digits(part_keys, room, shift, bits)
        # What agrees in both digits.
        for index in range(ONE, np.uint64(len(part_keys))):
            key, free = part_keys[index], np.uint64(index)
            while free and part_keys[free - ONE] > key and index - free < FEW:
                part_keys[free] = part_keys[free - ONE]
                free -= ONE
            part_keys[free] = key
            if index - free == FEW:
                start, end = free, np.uint64(index)
                while start and part_keys[start - ONE] >> shift == key >> shift:
                    start -= ONE
                while end < len(part_keys) and part_keys[end] >> shift == key >> shift:
                    end += ONE
                _sort_bytes(part_keys[start:end], room)


@njit(nogil=True, cache=True)
def _sort_two_digits(keys: Any, room: Any, shift: Any, bits: Any) -> None:
    """Sort by `bits` bits from `shift` on, in halves, the lower first; `room` is for as many."""
    middle = shift + (bits >> ONE)
    lower, upper = (ONE << middle - shift) - ONE, (ONE << shift + bits - middle) - ONE
    counts = np.zeros((2, np.int64(upper) + 1), dtype=np.uint32)
    of_lower, of_upper = counts
    for key in keys:
        of_lower[key >> shift & lower] += np.uint32(1)
        of_upper[key >> middle & upper] += np.uint32(1)
    for of_digit in counts:
        before = np.uint32(0)
        for digit in range(len(of_digit)):
            before, of_digit[digit] = before + of_digit[digit], before
    for key in keys:
        digit = key >> shift & lower
        room[of_lower[digit]] = key
        of_lower[digit] += np.uint32(1)
    for key in room[: len(keys)]:
        digit = key >> middle & upper
        keys[of_upper[digit]] = key
        of_upper[digit] += np.uint32(1)


@njit(nogil=True, cache=True)
def _sort_bytes(keys: Any, room: Any) -> None:
    """Sort by the bytes that differ, the lowest first; `room` is for as many integers."""
    differing = np.uint64(0)
    for key in keys:
        differing |= key ^ keys[0]
    for byte in range(8):
        shift = np.uint64(8 * byte)
        if not differing >> shift & LAST_BYTE:
            continue
        starts = np.zeros(257, dtype=np.int64)
        for key in keys:
            starts[(key >> shift & LAST_BYTE) + ONE] += 1
        for digit in range(1, 257):
            starts[digit] += starts[digit - 1]
        for key in keys:
            bucket = key >> shift & LAST_BYTE
            room[starts[bucket]] = key
            starts[bucket] += 1
        keys[:] = room[: len(keys)]


@njit(nogil=True, cache=True)
def order_of(keys: Any) -> Any:
    """The stable order of 64-bit integers, int64: by radix, on the bytes that differ."""
    order = np.arange(len(keys))
    if len(keys) < FEW:
        for index in range(1, len(keys)):
            free = index
            while free and keys[order[free - 1]] > keys[index]:
                order[free] = order[free - 1]
                free -= 1
            order[free] = index
        return order
    differing = np.uint64(0)
    for key in keys:
        differing |= key ^ keys[0]
    buffer = np.empty_like(order)
    for byte in range(8):
        shift = np.uint64(8 * byte)
        if not differing >> shift & LAST_BYTE:
            continue
        starts = np.zeros(257, dtype=np.int64)
        for key in keys:
            starts[(key >> shift & LAST_BYTE) + np.uint64(1)] += 1
        for digit in range(1, 257):
            starts[digit] += starts[digit - 1]
        for number in order:
            bucket = keys[number] >> shift & LAST_BYTE
            buffer[starts[bucket]] = number
            starts[bucket] += 1
        order, buffer = buffer, order
    return order
