"""Fingerprints that find shared passages: what resemblance cannot see, a page in a long report.

Winnowing (Schleimer, Wilkerson, Aiken, SIGMOD 2003) keeps, of every window of w consecutive grams
of g units, the one with the smallest hash. A run of t = g + w - 1 units that stands in two
documents fills a window in both, and both keep the same gram of it: so every shared run of at
least t units gives a shared fingerprint. Of random text 2 / (w + 1) of the grams are kept. A gram
is a third of t and longer than a shingle, because three words in common mean nothing and every
pair has to be verified.

Here t and g are words: see `core.signatures.grams`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.base.compiling import njit
from core.base.growable_array import grown
from core.base.hashing import mix
from core.settings import ScanSettings
from core.signatures.grams import BLANK, Grams, find_grams
from core.text.fingerprints import Fingerprints
from core.text.shingling import Shingles


def winnow(shingles: Shingles, settings: ScanSettings) -> Fingerprints:
    """The fingerprints of some texts; a text shorter than a passage has none."""
    return choose(find_grams(shingles, settings))


def choose(grams: Grams) -> Fingerprints:
    """Of every window the gram with the smallest hash; of windows of blank ones none."""
    places, counts = choose_places(grams)
    return Fingerprints(grams.hashes[places], counts)


def choose_places(grams: Grams) -> tuple[Int64Array, Int64Array]:
    """The places of these grams, and how many each text has."""
    return _winnow(*grams)  # type: ignore[no-any-return]


def blank(grams: Grams, keys: UInt64Array, bits: np.uint64) -> None:
    """Let no window choose the grams with these keys, in place.

    See `core.candidates.shared_fingerprints`.
    """
    _blank(grams.hashes, keys, bits)


@njit(nogil=True, cache=True)
def _winnow(hashes: Any, offsets: Any, window: Any, stops: Any) -> Any:
    count = len(offsets) - 1
    kept = np.empty(2 * len(hashes) // (window + 1) + count + 16, dtype=np.int64)
    counts = np.zeros(count, dtype=np.int64)
    total = 0
    for text in range(count):
        last = offsets[text + 1]
        lowest, seen = -1, -1
        for start in range(offsets[text], last):
            end = start + window if stops is None else stops[start]
            if end > last:
                break
            chosen = lowest
            if lowest < start:  # fell out of the window: look through all of it
                lowest, seen = start, start + 1
            for place in range(seen, end):
                if hashes[place] <= hashes[lowest]:
                    lowest = place
            seen = end
            if lowest != chosen and hashes[lowest] != BLANK:
                if total == len(kept):
                    kept = grown(kept, total, 2 * total)
                kept[total] = lowest
                total += 1
                counts[text] += 1
    return kept[:total].copy(), counts


@njit(nogil=True, cache=True)
def _blank(hashes: Any, keys: Any, bits: Any) -> None:
    """Set the hashes that have one of these keys to the value that is never chosen."""
    slots = np.int64(16)
    while slots < 4 * len(keys):
        slots *= 2
    last = np.uint64(slots - 1)
    table = np.full(slots, BLANK, dtype=np.uint64)  # no key has all bits
    for key in keys:
        slot = key & last
        while table[slot] != BLANK:
            slot = (slot + np.uint64(1)) & last
        table[slot] = key
    for place in range(len(hashes)):
        key = mix(hashes[place]) >> bits
        slot = key & last
        while table[slot] != key and table[slot] != BLANK:
            slot = (slot + np.uint64(1)) & last
        if table[slot] == key:
            hashes[place] = BLANK
