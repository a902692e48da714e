"""Fingerprints that find shared passages: what resemblance cannot see, a page in a long report.

Winnowing (Schleimer, Wilkerson, Aiken, SIGMOD 2003) keeps, of every window of w consecutive grams
of g units, the one with the smallest hash. A run of t = g + w - 1 units that stands in two
documents fills a window in both, and both keep the same gram of it: so every shared run of at
least t units gives a shared fingerprint. Of random text 2 / (w + 1) of the grams are kept. A gram
is a third of t and longer than a shingle, because three words in common mean nothing and every
pair has to be verified.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from core.growing import grown
from core.settings import ScanSettings
from core.shingling import MULTIPLIER, Shingles, mix

__all__ = [
    "BLANK",
    "Fingerprints",
    "Grams",
    "blank",
    "choose",
    "choose_places",
    "find_grams",
    "gram_length",
    "winnow",
    "winnow_places",
]

Int64Array = npt.NDArray[np.int64]
UInt64Array = npt.NDArray[np.uint64]

BLANK = np.uint64(0xFFFFFFFFFFFFFFFF)  # the hash of a gram that is not to be chosen


class Fingerprints(NamedTuple):
    """The fingerprints of several texts: uint64 values, and how many each text has (int64)."""

    values: UInt64Array
    counts: Int64Array

    def take(self, rows: npt.NDArray[np.bool_] | npt.NDArray[np.integer]) -> Fingerprints:
        """Those of the texts where a mask is true, or with these numbers in this order."""
        if rows.dtype == np.bool_:
            return Fingerprints(self.values[np.repeat(rows, self.counts)], self.counts[rows])
        counts = self.counts[rows]
        ends = np.cumsum(self.counts)
        shift = ends[rows] - np.cumsum(counts)
        places = np.arange(int(counts.sum())) + np.repeat(shift, counts)
        return Fingerprints(self.values[places], counts)

    @staticmethod
    def join(parts: Sequence[Fingerprints]) -> Fingerprints:
        """Those of several batches of texts, one after the other."""
        if not parts:
            return Fingerprints(np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64))
        return Fingerprints(
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.counts for part in parts]),
        )


class Grams(NamedTuple):
    """All grams of several texts.

    Attributes:
        hashes: uint64, in reading order; text i has `hashes[offsets[i]:offsets[i + 1]]`.
        offsets: int64.
        window: w, the number of consecutive grams of which one is kept.
    """

    hashes: UInt64Array
    offsets: Int64Array
    window: int

    def around(self, places: Int64Array, texts: Int64Array) -> tuple[Grams, Int64Array]:
        """The stretches of grams in windows with one of some grams, as texts of their own.

        Args:
            places: These grams, ascending.
            texts: The text of each.

        Returns:
            A copy of the stretches, and which of the grams is the first of each.
        """
        starts = np.maximum(self.offsets[texts], places - self.window + 1)
        ends = np.minimum(self.offsets[texts + 1], places + self.window)
        fresh = np.ones(len(places), dtype=np.bool_)
        fresh[1:] = (starts[1:] > ends[:-1]) | (texts[1:] != texts[:-1])
        first = np.flatnonzero(fresh)
        starts, ends = starts[first], ends[np.append(first[1:], len(places)) - 1]
        offsets = np.append(0, np.cumsum(ends - starts))
        taken = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], ends - starts)
        return Grams(self.hashes[taken], offsets, self.window), first


def winnow(shingles: Shingles, settings: ScanSettings) -> Fingerprints:
    """The fingerprints of some texts; a text shorter than a passage has none."""
    return choose(find_grams(shingles, settings))


def winnow_places(shingles: Shingles, settings: ScanSettings) -> tuple[UInt64Array, Int64Array]:
    """The fingerprints of one text, and at which of its units each begins."""
    grams = find_grams(shingles, settings)
    places, _ = choose_places(grams)
    return grams.hashes[places], places


def find_grams(shingles: Shingles, settings: ScanSettings) -> Grams:
    """The grams of some texts, of which fingerprints are chosen."""
    gram = gram_length(settings)
    hashes, offsets = _grams(shingles.hashes, shingles.offsets, gram - settings.k + 1)
    return Grams(hashes, offsets, settings.passage_length - gram + 1)


def choose(grams: Grams) -> Fingerprints:
    """Of every window the gram with the smallest hash; of windows of blank ones none."""
    places, counts = choose_places(grams)
    return Fingerprints(grams.hashes[places], counts)


def choose_places(grams: Grams) -> tuple[Int64Array, Int64Array]:
    """The places of these grams, and how many each text has."""
    return _winnow(*grams)  # type: ignore[no-any-return]


def blank(grams: Grams, keys: UInt64Array, bits: np.uint64) -> None:
    """Let no window choose the grams with these keys (see `core.inverted_index`), in place."""
    _blank(grams.hashes, keys, bits)


def gram_length(settings: ScanSettings) -> int:
    """g, the number of units a fingerprint is made of."""
    return max(settings.k, settings.passage_length // 3)


@njit(nogil=True, cache=True)
def _grams(hashes: Any, offsets: Any, length: Any) -> Any:  # noqa: ANN401
    """Hashes of `length` consecutive shingles, by their polynomial mod 2^64."""
    starts = np.zeros_like(offsets)
    for text in range(len(offsets) - 1):
        starts[text + 1] = starts[text] + max(0, offsets[text + 1] - offsets[text] - length + 1)
    grams = np.empty(starts[-1], dtype=np.uint64)
    leaving = np.uint64(1)
    for _ in range(length):
        leaving *= MULTIPLIER
    for text in range(len(offsets) - 1):
        rolling = np.uint64(0)
        first = offsets[text]
        for place in range(first, offsets[text + 1]):
            rolling = rolling * MULTIPLIER + hashes[place]
            if place - first >= length:
                rolling -= hashes[place - length] * leaving
            if place - first >= length - 1:
                grams[starts[text] + place - first - length + 1] = mix(rolling)
    return grams, starts


@njit(nogil=True, cache=True)
def _winnow(hashes: Any, offsets: Any, window: Any) -> Any:  # noqa: ANN401
    count = len(offsets) - 1
    kept = np.empty(2 * len(hashes) // (window + 1) + count + 16, dtype=np.int64)
    counts = np.zeros(count, dtype=np.int64)
    total = 0
    for text in range(count):
        first, last = offsets[text], offsets[text + 1]
        lowest = -1
        for end in range(first + window, last + 1):
            start = end - window
            chosen = lowest
            if lowest < start:  # fell out of the window: look through all of it
                lowest = start
                for place in range(start + 1, end):
                    if hashes[place] <= hashes[lowest]:
                        lowest = place
            elif hashes[end - 1] <= hashes[lowest]:
                lowest = end - 1
            if lowest != chosen and hashes[lowest] != BLANK:
                if total == len(kept):
                    kept = grown(kept, total, 2 * total)
                kept[total] = lowest
                total += 1
                counts[text] += 1
    return kept[:total].copy(), counts


@njit(nogil=True, cache=True)
def _blank(hashes: Any, keys: Any, bits: Any) -> None:  # noqa: ANN401
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
