r"""Sorting 64-bit integers by radix: many, or the order of a few.

NumPy's sort takes 6 to 15 ns for each of a million integers or more; where a processor has AVX-512
but is slow to write compressed vectors (AMD Zen 4), 50 to 100 ns. These took 6 to 9 ns there:

    python -m timeit -s "import numpy as np; from core.base.sorting import sort_keys" \
        -s "keys = np.random.default_rng(1).integers(0, 2**64, 5_000_000, dtype=np.uint64)" \
        "sort_keys(keys)"  # and np.sort(keys)
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
MOST_PART_BITS = 11  # into more parts at once, and each integer that is placed waits for memory
SPARE_BITS = np.uint64(3)  # beyond those that tell the integers of a part apart: few agree in all
AT_ONCE = 1 << 19  # integers, by one thread


def sort_keys(keys: UInt64Array, pool: ThreadPoolExecutor | None = None) -> UInt64Array:
    """The integers in order, in a new array: fastest for hashes, and never much slower.

    Args:
        keys: uint64 (n,).
        pool: Threads to work with; None for the calling thread.
    """
    if len(keys) < 1 << PART_BITS:
        return np.sort(keys)
    differing = int(np.bitwise_or.reduce(keys)) ^ int(np.bitwise_and.reduce(keys))
    high = differing.bit_length()
    bits = min(high, MOST_PART_BITS, (len(keys) >> PART_BITS).bit_length())
    shift, parts = high - bits, 1 << bits
    at_once = len(keys) if pool is None else AT_ONCE
    blocks = [keys[first : first + at_once] for first in range(0, len(keys), at_once)]

    # Into parts by the highest bits that differ: how many of each block, and where in each part.
    counted = [*mapped(pool, lambda block: _count_parts(block, shift, parts), blocks)]
    counts = np.array(counted).T
    ends = np.cumsum(counts).reshape(counts.shape)
    free = np.ascontiguousarray((ends - counts).T)
    bounds = np.append(0, ends[:, -1])
    ordered = np.empty_like(keys)
    tasks = zip(blocks, free, strict=True)
    for _ in mapped(pool, lambda task: _place(task[0], shift, task[1], ordered), tasks):
        pass

    def sort(part: slice) -> None:
        _sort_parts(ordered, bounds[part.start : part.stop + 1], shift)

    for _ in mapped(pool, sort, equal_parts(np.diff(bounds), AT_ONCE)):
        pass
    return ordered


@njit(nogil=True, cache=True)
def _count_parts(keys: Any, shift: Any, parts: Any) -> Any:
    """How many integers belong to each part, by their bits from `shift` on; int64 (parts,)."""
    shift, mask = np.uint64(shift), np.uint64(parts - 1)
    counts = np.zeros(parts, dtype=np.int64)
    for key in keys:
        counts[key >> shift & mask] += 1
    return counts


@njit(nogil=True, cache=True)
def _place(keys: Any, shift: Any, free: Any, ordered: Any) -> None:
    """Put integers into their parts of `ordered`: `free` is where the next one of each goes."""
    shift, mask = np.uint64(shift), np.uint64(len(free) - 1)
    for key in keys:
        part = key >> shift & mask
        ordered[free[part]] = key
        free[part] += 1


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
                run = part_keys[start:end]
                run[:] = run[order_of(run)]


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
