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

from core.settings import ScanSettings
from core.shingling import MULTIPLIER, Shingles, mix

__all__ = ["Fingerprints", "gram_length", "winnow", "winnow_places"]

Int64Array = npt.NDArray[np.int64]
UInt64Array = npt.NDArray[np.uint64]


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


def winnow(shingles: Shingles, settings: ScanSettings) -> Fingerprints:
    """The fingerprints of some texts; a text shorter than a passage has none."""
    grams, places, counts = _winnowed(shingles, settings)
    return Fingerprints(grams[places], counts)


def winnow_places(shingles: Shingles, settings: ScanSettings) -> tuple[UInt64Array, Int64Array]:
    """The fingerprints of one text, and at which of its units each begins."""
    grams, places, _ = _winnowed(shingles, settings)
    return grams[places], places


def gram_length(settings: ScanSettings) -> int:
    """g, the number of units a fingerprint is made of."""
    return max(settings.k, settings.passage_length // 3)


def _winnowed(
    shingles: Shingles, settings: ScanSettings
) -> tuple[UInt64Array, Int64Array, Int64Array]:
    """All grams of some texts, the places of those that are kept, and how many each text has."""
    gram = gram_length(settings)
    grams, offsets = _grams(shingles.hashes, shingles.offsets, gram - settings.k + 1)
    places, counts = _winnow(grams, offsets, settings.passage_length - gram + 1)
    return grams, places, counts


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
            if lowest != chosen:
                if total == len(kept):
                    grown = np.empty(2 * total, dtype=np.int64)
                    grown[:total] = kept
                    kept = grown
                kept[total] = lowest
                total += 1
                counts[text] += 1
    return kept[:total].copy(), counts
