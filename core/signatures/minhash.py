"""Classic MinHash: K values whose agreement estimates the resemblance.

Broder 1997: each is the minimum of a universal hash (a x + b) mod 2^61 - 1 (Carter and Wegman 1979)
of all shingles, in exact arithmetic.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.arrays import UInt32Array
from core.base.compiling import njit
from core.base.hashing import LOW_32, MERSENNE_61, affine
from core.settings import ScanSettings
from core.signatures.document_frequencies import Rarity
from core.signatures.repeats import elements
from core.text.shingling import Shingles

EMPTY = np.uint64(2**64 - 1)


def sign(shingles: Shingles, settings: ScanSettings, _rarity: Rarity | None = None) -> UInt32Array:
    """See `core.signatures.method.sign`; uint32 (n, K)."""
    rng = np.random.default_rng(settings.seed)
    size = settings.signature_size
    factors = rng.integers(1, int(MERSENNE_61), size=size, dtype=np.uint64)
    terms = rng.integers(0, int(MERSENNE_61), size=size, dtype=np.uint64)
    hashes = elements(shingles, settings)
    return _minhash(hashes, shingles.offsets, factors, terms)  # type: ignore[no-any-return]


@njit(nogil=True, cache=True)
def _minhash(hashes: Any, offsets: Any, factors: Any, terms: Any) -> Any:
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
