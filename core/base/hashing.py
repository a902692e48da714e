"""Compiled functions that hash 64-bit integers, and the table that finds them again."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.compiling import njit

MERSENNE_61 = np.uint64(2**61 - 1)
LOW_32 = np.uint64(0xFFFFFFFF)
ONE, THREE, SEVEN = np.uint8(1), np.uint64(3), np.uint64(7)  # of a bit in a table of bytes
SPARSE = 1 << 16  # slots: a table that stays in a cache is emptier


@njit(nogil=True, cache=True, inline="always")
def mix(value: Any) -> Any:
    """The splitmix64 finaliser: a bijection of 64-bit integers without visible structure."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@njit(nogil=True, cache=True, inline="always")
def affine(a: Any, x: Any, b: Any) -> Any:
    """(a x + b) mod 2^61 - 1 for a, x, b below it, exactly, in 64-bit arithmetic.

    With a = a1 2^32 + a0 and x = x1 2^32 + x0: 2^64 is 8 and 2^61 is 1 modulo the prime.
    """
    a1, a0 = a >> np.uint64(32), a & LOW_32
    x1, x0 = x >> np.uint64(32), x & LOW_32
    middle = a1 * x0 + a0 * x1  # below 2^62
    low = a0 * x0
    total = (a1 * x1 << np.uint64(3)) + (middle >> np.uint64(29))
    total += (middle & np.uint64((1 << 29) - 1)) << np.uint64(32)
    total += (low >> np.uint64(61)) + (low & MERSENNE_61)
    total += b
    total = (total >> np.uint64(61)) + (total & MERSENNE_61)
    return total - MERSENNE_61 if total >= MERSENNE_61 else total


@njit(nogil=True, cache=True, inline="always")
def find_slot(keys: Any, used: Any, key: Any) -> Any:
    """The slot of a key in an open-addressing table, or the empty one where it belongs.

    Args:
        keys: uint64, a power of two of them, not all used (see `slots_for`).
        used: By slot: not 0 where there is a key.
        key: A hash: the search begins where its low bits say, and goes on slot by slot.
    """
    last = np.uint64(len(keys) - 1)  # unsigned: an index that cannot be negative is found faster
    slot = key & last
    while used[slot] and keys[slot] != key:
        slot = (slot + np.uint64(1)) & last
    return slot


@njit(nogil=True, cache=True, inline="always")
def find_index_slot(values: Any, indices: Any, value: Any, hash_: Any) -> Any:
    """As `find_slot` where the keys are in `values`: slots hold their indices, from 1 on; or 0."""
    last = np.uint64(len(indices) - 1)
    slot = hash_ & last
    while indices[slot] and values[indices[slot] - 1] != value:
        slot = (slot + np.uint64(1)) & last
    return slot


@njit(nogil=True, cache=True)
def may_be_among(keys: Any, others: Any) -> Any:
    """Which keys may be among others: all that are, and of the rest one in three or fewer; bool.

    The low bits of a key choose its bit in a table, which is read much faster than one of keys (a
    Bloom filter of one hash: Bloom, CACM 1970).
    """
    marks = np.zeros(slots_for(4 * len(others)) >> np.int64(3), dtype=np.uint8)
    last = np.uint64(len(marks) - 1)
    for key in others:
        marks[key >> THREE & last] |= ONE << np.uint8(key & SEVEN)
    among = np.empty(len(keys), dtype=np.bool_)
    for index in range(len(keys)):
        key = keys[index]
        among[index] = marks[key >> THREE & last] >> np.uint8(key & SEVEN) & ONE
    return among


@njit(nogil=True, cache=True, inline="always")
def count_ones(value: Any) -> Any:
    """Number of ones in 64 bits: the form that LLVM turns into the processor's own instruction."""
    value -= (value >> np.uint64(1)) & np.uint64(0x5555555555555555)
    value = (value & np.uint64(0x3333333333333333)) + (
        (value >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    value = (value + (value >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((value * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(nogil=True, cache=True, inline="always")
def root_of(parents: Any, member: Any) -> Any:
    """The root of a member in a forest of disjoint sets (Tarjan, JACM 1975); halves the way."""
    while parents[member] != member:
        parents[member] = parents[parents[member]]
        member = np.int64(parents[member])
    return member


@njit(nogil=True, cache=True)
def find_slots(values: Any, keys: Any, slots: Any) -> Any:
    """Fill in the slot of each value; new ones get one, and their indices are returned.

    A key of 0 is none (see `find_slot`).
    """
    fresh = np.empty(len(values), dtype=np.int64)
    count = 0
    for index in range(len(values)):
        slot = find_slot(keys, keys, values[index])
        if not keys[slot]:
            keys[slot] = values[index]
            fresh[count] = index
            count += 1
        slots[index] = slot
    return fresh[:count]


@njit(nogil=True, cache=True)
def slots_for(keys: Any) -> Any:
    """The number of slots for this many keys: a power of two, at least two for each.

    Of a few keys four or more: fuller, and half of the searches would go on by chance, which costs
    more than the slots do.
    """
    slots = np.int64(16)
    while slots < 2 * keys or slots < min(4 * keys, SPARSE):
        slots *= 2
    return slots


@njit(nogil=True, cache=True)
def different_of_each(values: Any, offsets: Any) -> Any:
    """The different values of each text in the order of their first occurrence, and offsets."""
    most = np.int64(0)
    for text in range(len(offsets) - 1):
        most = max(most, offsets[text + 1] - offsets[text])
    slots = slots_for(most)
    keys = np.empty(slots, dtype=np.uint64)
    used = np.zeros(slots, dtype=np.bool_)
    kept = np.empty(len(values), dtype=np.uint64)
    starts = np.zeros(len(offsets), dtype=np.int64)
    total = np.int64(0)
    for text in range(len(offsets) - 1):
        slots = slots_for(offsets[text + 1] - offsets[text])
        text_keys, text_used = keys[:slots], used[:slots]
        text_used[:] = False
        for index in range(offsets[text], offsets[text + 1]):
            value = values[index]
            slot = find_slot(text_keys, text_used, value)
            if not text_used[slot]:
                text_used[slot] = True
                text_keys[slot] = value
                kept[total] = value
                total += 1
        starts[text + 1] = total
    return kept[:total].copy(), starts
