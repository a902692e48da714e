"""Shingle hashes to 64-bit SimHash fingerprints: texts alike in angle differ in few bits.

Charikar (STOC 2002): a text is the vector of its shingles' weights; every bit of the fingerprint
says on which side of a random hyperplane that vector lies. Two vectors at the angle θ differ in a
bit with probability θ/π. The hyperplanes have coordinates ±1, taken from the bits of the shingles'
hashes, so a fingerprint needs no table: bit j is 1 where the shingles whose hash has a 1 there
weigh more than the others (Manku, Jain, Das Sarma, WWW 2007).

Weights are "unweighted": what the resemblance counts, each different shingle once (with bags, the
n-th repetition is an element of its own); "tf": occurrences; "tf-idf": occurrences times the
rarity of the shingle in the folder (`core.signatures.document_frequencies`). The last two count
occurrences as they are, whether bags or sets are compared.

Where both sides weigh the same, a coin decides that texts alike throw alike: a bit of the smallest
of the shingles' hashes, each times an odd number of that bit, which two texts have in common as
often as their resemblance says (Broder 1997). A fixed bit would make unlike texts seem alike, and
one coin for all bits would tie them together: of sets of 20 shingles a sixth of all bits are ties.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.arrays import UInt32Array
from core.base.compiling import njit
from core.base.hashing import mix
from core.settings import ScanSettings
from core.signatures.document_frequencies import Rarity, distinct, weigh
from core.signatures.estimates import BITS
from core.signatures.repeats import elements
from core.text.shingling import Shingles

BLOCK = 255  # what eight bits can count, and 32 bits can sum of weights below 2^23
FIRST_FACTOR = np.uint64(0x9E3779B97F4A7C15)
EACH_BYTE = np.uint64(0x0101010101010101)


def sign(shingles: Shingles, settings: ScanSettings, rarity: Rarity | None = None) -> UInt32Array:
    """The fingerprints of several texts.

    Args:
        shingles: Of the texts.
        settings: `weights`, `bag` and `seed` matter.
        rarity: Document frequencies of the whole folder; needed for tf-idf.

    Returns:
        uint32 (n, 2): bits 0 to 31 and 32 to 63. Rows of texts without shingles mean nothing: they
        must not be compared.

    Raises:
        ValueError: tf-idf was asked for without document frequencies.
    """
    hashes, offsets = shingles.hashes, shingles.offsets
    seed = np.random.default_rng(settings.seed).integers(0, 2**64, dtype=np.uint64)
    if settings.weights == "tf-idf":
        if rarity is None:
            raise ValueError("Weights by tf-idf need the document frequencies of the folder.")
        weights = weigh(hashes, rarity.cells, rarity.weights)
        return _weighted(hashes, weights, offsets, seed)  # type: ignore[no-any-return]
    if settings.weights == "unweighted":
        if settings.bag:
            hashes = elements(shingles, settings)
        else:
            hashes, offsets = distinct(hashes, offsets)
    return _counted(hashes, offsets, seed)  # type: ignore[no-any-return]


@njit(nogil=True, cache=True)
def _counted(hashes: Any, offsets: Any, seed: Any) -> Any:
    """Fingerprints where every entry weighs the same."""
    count = len(offsets) - 1
    signatures = np.zeros((count, 2), dtype=np.uint32)
    mixed = np.empty(BLOCK, dtype=np.uint64)
    ones = np.empty(BITS, dtype=np.int64)
    for text in range(count):
        own = hashes[offsets[text] : offsets[text + 1]]
        ones[:] = 0
        for first in range(0, len(own), BLOCK):
            size = min(BLOCK, len(own) - first)
            for index in range(size):
                mixed[index] = mix(own[first + index] ^ seed)
            _count_ones(mixed[:size], ones)
        _write(ones, len(own), own, seed, signatures[text])
    return signatures


@njit(nogil=True, cache=True)
def _weighted(hashes: Any, weights: Any, offsets: Any, seed: Any) -> Any:
    """Fingerprints with a weight below 2^23 for every entry."""
    count = len(offsets) - 1
    signatures = np.zeros((count, 2), dtype=np.uint32)
    low = np.empty(BLOCK, dtype=np.uint32)
    high = np.empty(BLOCK, dtype=np.uint32)
    ones = np.empty(BITS, dtype=np.int64)
    for text in range(count):
        own = hashes[offsets[text] : offsets[text + 1]]
        own_weights = weights[offsets[text] : offsets[text + 1]]
        ones[:] = 0
        total = np.int64(0)
        for first in range(0, len(own), BLOCK):
            size = min(BLOCK, len(own) - first)
            for index in range(size):
                value = mix(own[first + index] ^ seed)
                low[index] = np.uint32(value & np.uint64(0xFFFFFFFF))
                high[index] = np.uint32(value >> np.uint64(32))
                total += np.int64(own_weights[first + index])
            block = own_weights[first : first + size]
            _sum_weights(low[:size], block, ones[:32])
            _sum_weights(high[:size], block, ones[32:])
        _write(ones, total, own, seed, signatures[text])
    return signatures


@njit(nogil=True, cache=True)
def _count_ones(values: Any, ones: Any) -> None:
    """Add up the 64 bits of at most 255 values, eight counters of a byte in one number."""
    for shift in range(8):
        total = np.uint64(0)
        for index in range(len(values)):
            total += (values[index] >> np.uint64(shift)) & EACH_BYTE
        for byte in range(8):
            ones[8 * byte + shift] += np.int64((total >> np.uint64(8 * byte)) & np.uint64(255))


@njit(nogil=True, cache=True)
def _sum_weights(values: Any, weights: Any, ones: Any) -> None:
    """Add to each of 32 bits the weights of at most 255 values that have it."""
    for bit in range(32):
        place = np.uint32(1) << np.uint32(bit)
        total = np.uint32(0)  # cast below, or Numba would go on in 64 bits, half as fast
        for index in range(len(values)):
            total = np.uint32(total + (weights[index] if values[index] & place else np.uint32(0)))
        ones[bit] += np.int64(total)


@njit(nogil=True, cache=True)
def _write(ones: Any, total: Any, own: Any, seed: Any, signature: Any) -> None:
    """The fingerprint from the weight that has a one in each bit."""
    fingerprint = np.uint64(0)
    for bit in range(BITS):
        place = np.uint64(1) << np.uint64(bit)
        if 2 * ones[bit] > total or (2 * ones[bit] == total and _coin(own, bit, seed) & place):
            fingerprint |= place
    signature[0] = np.uint32(fingerprint & np.uint64(0xFFFFFFFF))
    signature[1] = np.uint32(fingerprint >> np.uint64(32))


@njit(nogil=True, cache=True)
def _coin(own: Any, bit: Any, seed: Any) -> Any:
    """What decides a tie of one bit; 64 random bits, one of which counts."""
    factor = FIRST_FACTOR + np.uint64(2 * bit)
    smallest = np.uint64(2**64 - 1)
    for index in range(len(own)):
        smallest = min(smallest, own[index] * factor)
    return mix(smallest ^ seed)
