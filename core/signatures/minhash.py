"""Shingle hashes to signatures: K values whose agreement estimates the resemblance.

Two methods with the same shape. Fast Similarity Sketching (Dahlgaard, Knudsen, Thorup, FOCS 2017)
throws every shingle into one of K bins per round until no bin is empty, and in rounds K to 2K into
each bin in turn: unbiased, follows the S-curve, its variance never above that of MinHash, and its
time nearly independent of K. Classic MinHash (Broder 1997) takes the minimum of K universal hashes
(a x + b) mod 2^61 - 1 (Carter and Wegman 1979) in exact arithmetic.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.arrays import Float32Array, IntegerArray, UInt32Array
from core.base.compiling import njit
from core.base.hashing import LOW_32, MERSENNE_61, affine, find_slot, mix, slots_for
from core.settings import ScanSettings
from core.text.shingling import Shingles

__all__ = ["count_repeats", "estimate_resemblance", "sign"]

SignatureMatrix = UInt32Array

# Longer texts that leave a bin empty may be made of a few shingles only: see `_few`.
SHINGLES_PER_BIN = 8
LOW_40 = np.uint64((1 << 40) - 1)
EMPTY = np.uint64(2**64 - 1)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def sign(shingles: Shingles, settings: ScanSettings) -> SignatureMatrix:
    """The signatures of several texts.

    Returns:
        uint32 (n, K). Rows of texts without shingles mean nothing: they must not be compared.
    """
    hashes, offsets = shingles.hashes, shingles.offsets
    if settings.bag:
        hashes = count_repeats(hashes, offsets)
    rng = np.random.default_rng(settings.seed)
    size = settings.signature_size
    if settings.signature == "fss":
        seeds = rng.integers(0, 2**64, size=2 * size, dtype=np.uint64)
        return _fast_similarity_sketch(hashes, offsets, seeds)  # type: ignore[no-any-return]
    factors = rng.integers(1, int(MERSENNE_61), size=size, dtype=np.uint64)
    terms = rng.integers(0, int(MERSENNE_61), size=size, dtype=np.uint64)
    return _minhash(hashes, offsets, factors, terms)  # type: ignore[no-any-return]


def estimate_resemblance(
    signatures: SignatureMatrix, a: IntegerArray, b: IntegerArray
) -> Float32Array:
    """Share of equal signature values of pairs of rows, float32."""
    # One type, so that the kernel is compiled once.
    a, b = a.astype(np.int64, copy=False), b.astype(np.int64, copy=False)
    return _agreement(signatures, a, b)  # type: ignore[no-any-return]


@njit(nogil=True, cache=True)
def _fast_similarity_sketch(hashes: Any, offsets: Any, seeds: Any) -> Any:  # noqa: ANN401
    size = len(seeds) // 2
    count = len(offsets) - 1
    signatures = np.empty((count, size), dtype=np.uint32)
    best = np.empty(size, dtype=np.uint64)
    open_bin = np.empty(size, dtype=np.bool_)
    for text in range(count):
        own = hashes[offsets[text] : offsets[text + 1]]
        for place in range(size):
            best[place] = EMPTY
        for index in range(len(own)):
            value = mix(own[index] ^ seeds[0])
            place = ((value >> np.uint64(40)) * np.uint64(size)) >> np.uint64(24)
            best[place] = min(best[place], value & LOW_40)
        turn = 1
        while turn < 2 * size and len(own):
            missing = 0
            for place in range(size):
                open_bin[place] = best[place] == EMPTY
                missing += open_bin[place]
            if missing == 0:
                break
            if turn == 1 and len(own) > SHINGLES_PER_BIN * size:
                own = _few(own, SHINGLES_PER_BIN * size)
            _fill_round(own, seeds[turn], turn - size, open_bin, best)
            turn += 1
        for place in range(size):
            signatures[text, place] = np.uint32(best[place] & LOW_32)
    return signatures


@njit(nogil=True, cache=True)
def _few(own: Any, limit: Any) -> Any:  # noqa: ANN401
    """Every shingle of a text once where they are `limit` at most, else the text as it is.

    A word repeated a million times would be read in every round; a minimum needs it once.
    """
    slots = slots_for(limit)
    keys = np.empty(slots, dtype=np.uint64)
    used = np.zeros(slots, dtype=np.bool_)
    different = np.empty(limit, dtype=np.uint64)
    count = 0
    for index in range(len(own)):
        slot = find_slot(keys, used, own[index])
        if not used[slot]:
            if count == limit:
                return own
            keys[slot] = different[count] = own[index]
            used[slot] = True
            count += 1
    return different[:count]


@njit(nogil=True, cache=True)
def _fill_round(own: Any, seed: Any, fixed: Any, open_bin: Any, best: Any) -> None:  # noqa: ANN401
    """One later round: bins filled before keep their value; `fixed` >= 0 names the only bin."""
    size = len(best)
    if fixed >= 0 and not open_bin[fixed]:
        return
    for index in range(len(own)):
        value = mix(own[index] ^ seed)
        place = np.int64(((value >> np.uint64(40)) * np.uint64(size)) >> np.uint64(24))
        if fixed >= 0:
            place = fixed
        if open_bin[place]:
            best[place] = min(best[place], value & LOW_40)


@njit(nogil=True, cache=True)
def _minhash(hashes: Any, offsets: Any, factors: Any, terms: Any) -> Any:  # noqa: ANN401
    size = len(factors)
    count = len(offsets) - 1
    signatures = np.empty((count, size), dtype=np.uint32)
    best = np.empty(size, dtype=np.uint64)
    for text in range(count):
        for place in range(size):
            best[place] = EMPTY
        for index in range(offsets[text], offsets[text + 1]):
            value = hashes[index] % MERSENNE_61
            for place in range(size):
                best[place] = min(best[place], affine(factors[place], value, terms[place]))
        for place in range(size):
            signatures[text, place] = np.uint32(best[place] & LOW_32)
    return signatures


@njit(nogil=True, cache=True)
def count_repeats(hashes: Any, offsets: Any) -> Any:  # noqa: ANN401
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


@njit(nogil=True, cache=True)
def _agreement(signatures: Any, a: Any, b: Any) -> Any:  # noqa: ANN401
    size = signatures.shape[1]
    shares = np.empty(len(a), dtype=np.float32)
    for pair in range(len(a)):
        equal = 0
        for place in range(size):
            equal += signatures[a[pair], place] == signatures[b[pair], place]
        shares[pair] = equal / size
    return shares
