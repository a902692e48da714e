"""Fast Similarity Sketching: K values whose agreement estimates the resemblance.

Dahlgaard, Knudsen, Thorup, FOCS 2017: every shingle is thrown into one of K bins per round until no
bin is empty, and in rounds K to 2K into each bin in turn. Unbiased, follows the S-curve, its
variance never above that of MinHash, and its time nearly independent of K.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.arrays import UInt32Array
from core.base.compiling import njit
from core.base.hashing import LOW_32, find_slot, mix, slots_for
from core.settings import ScanSettings
from core.signatures.document_frequencies import Rarity
from core.signatures.repeats import elements
from core.text.shingling import Shingles

# Longer texts that leave a bin empty may be made of a few shingles only: see `_without_repeats`.
SHINGLES_PER_BIN = 8
LOW_40 = np.uint64((1 << 40) - 1)
EMPTY = np.uint64(2**64 - 1)


def sign(shingles: Shingles, settings: ScanSettings, _rarity: Rarity | None = None) -> UInt32Array:
    """See `core.signatures.method.sign`; uint32 (n, K)."""
    rng = np.random.default_rng(settings.seed)
    seeds = rng.integers(0, 2**64, size=2 * settings.signature_size, dtype=np.uint64)
    hashes = elements(shingles, settings)
    return _fast_similarity_sketch(hashes, shingles.offsets, seeds)  # type: ignore[no-any-return]


@njit(nogil=True, cache=True)
def _fast_similarity_sketch(hashes: Any, offsets: Any, seeds: Any) -> Any:
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
                own = _without_repeats(own, SHINGLES_PER_BIN * size)
            _fill_round(own, seeds[turn], turn - size, open_bin, best)
            turn += 1
        for place in range(size):
            signatures[text, place] = np.uint32(best[place] & LOW_32)
    return signatures


@njit(nogil=True, cache=True)
def _without_repeats(own: Any, limit: Any) -> Any:
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
def _fill_round(own: Any, seed: Any, fixed: Any, open_bin: Any, best: Any) -> None:
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
