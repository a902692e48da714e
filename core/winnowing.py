"""Fingerprints that find shared passages: what resemblance cannot see, a page in a long report.

Winnowing (Schleimer, Wilkerson, Aiken, SIGMOD 2003) keeps, of every window of w consecutive grams
of g units, the one with the smallest hash. A run of t = g + w - 1 units that stands in two
documents fills a window in both, and both keep the same gram of it: so every shared run of at
least t units gives a shared fingerprint. Of random text 2 / (w + 1) of the grams are kept. A gram
is a third of t and longer than a shingle, because three words in common mean nothing and every
pair has to be verified.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from core.settings import ScanSettings
from core.shingling import MULTIPLIER, Shingles, mix

__all__ = ["DOCUMENT_LIMIT", "Fingerprints", "SharedPassages", "pair_by_fingerprints", "winnow"]

Int32Array = npt.NDArray[np.int32]
UInt64Array = npt.NDArray[np.uint64]

# A fingerprint that stands in more documents than this is common text: it pairs nobody.
DOCUMENT_LIMIT = 100
FINGERPRINTS_AT_ONCE = 1 << 16  # up to 3 million pairs
PAIRS_PENDING = 1 << 23


class Fingerprints(NamedTuple):
    """The fingerprints of several texts: uint64 values, and how many each text has (int64)."""

    values: UInt64Array
    counts: npt.NDArray[np.int64]

    def take(self, rows: npt.NDArray[np.bool_]) -> Fingerprints:
        """Those of the texts where the mask is true."""
        return Fingerprints(self.values[np.repeat(rows, self.counts)], self.counts[rows])

    @staticmethod
    def join(parts: Sequence[Fingerprints]) -> Fingerprints:
        """Those of several batches of texts, one after the other."""
        if not parts:
            return Fingerprints(np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64))
        return Fingerprints(
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.counts for part in parts]),
        )


class SharedPassages(NamedTuple):
    """What fingerprints say about a collection.

    Attributes:
        codes: uint64, ascending: pairs of documents x < y as x << 32 | y that share a fingerprint
            which is not common.
        common: int64, ascending: documents that hold common text.
        most: Number of documents that hold the most common text; 0 when none is.
    """

    codes: UInt64Array
    common: npt.NDArray[np.int64]
    most: int


def winnow(shingles: Shingles, settings: ScanSettings) -> Fingerprints:
    """The fingerprints of some texts; a text shorter than a passage has none."""
    gram = max(settings.k, settings.passage_length // 3)
    grams, offsets = _grams(shingles.hashes, shingles.offsets, gram - settings.k + 1)
    return Fingerprints(*_winnow(grams, offsets, settings.passage_length - gram + 1))


def pair_by_fingerprints(
    fingerprints: Fingerprints, taking_part: npt.NDArray[np.bool_]
) -> SharedPassages:
    """The pairs of documents that share a fingerprint.

    Args:
        fingerprints: Of all documents.
        taking_part: By document; of identical documents only one should.
    """
    bits = np.uint64(max(1, int(len(fingerprints.counts) - 1).bit_length()))
    keys = _pack(fingerprints.values, fingerprints.counts, taking_part, bits)
    keys.sort()
    distinct = np.empty(0, dtype=np.uint64)
    pending: list[UInt64Array] = []
    shared = np.zeros(len(fingerprints.counts), dtype=np.bool_)
    most = 0
    for part in _whole_runs(keys, bits):
        pairs, common, holders = _pair_runs(keys[part], bits, DOCUMENT_LIMIT)
        pending.append(pairs)
        shared[common] = True
        most = max(most, int(holders))
        # Near-copies share hundreds of fingerprints, each of which gives the same pairs again.
        if sum(map(len, pending)) > max(len(distinct), PAIRS_PENDING):
            distinct, pending = _distinct([distinct, *pending]), []
    return SharedPassages(_distinct([distinct, *pending]), np.flatnonzero(shared), most)


def _whole_runs(keys: UInt64Array, bits: np.uint64) -> Iterator[slice]:
    """Cut sorted keys into slices that do not divide equal fingerprints."""
    start = 0
    while start < len(keys):
        end = start + FINGERPRINTS_AT_ONCE
        if end < len(keys):
            last = keys[end] | ((np.uint64(1) << bits) - np.uint64(1))
            end = int(np.searchsorted(keys, last, side="right"))
        yield slice(start, end)
        start = end


def _distinct(parts: list[UInt64Array]) -> UInt64Array:
    """The different ones among some numbers, ascending."""
    values = np.concatenate(parts)
    values.sort()
    fresh = np.ones(len(values), dtype=np.bool_)
    fresh[1:] = values[1:] != values[:-1]
    return np.compress(fresh, values)


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
    kept = np.empty(2 * len(hashes) // (window + 1) + count + 16, dtype=np.uint64)
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
                    grown = np.empty(2 * total, dtype=np.uint64)
                    grown[:total] = kept
                    kept = grown
                kept[total] = hashes[lowest]
                total += 1
                counts[text] += 1
    return kept[:total].copy(), counts


@njit(nogil=True, cache=True)
def _pack(values: Any, counts: Any, taking_part: Any, bits: Any) -> Any:  # noqa: ANN401
    """One number for each fingerprint of each document: its hash above, the document below.

    Hashes are mixed again, because the smallest of a window all begin with zeros. With 400,000
    documents 45 bits of them stay: a chance agreement costs one pair to verify.
    """
    keys = np.empty(len(values), dtype=np.uint64)
    place = count = 0
    for document in range(len(counts)):
        for _ in range(counts[document]):
            if taking_part[document]:
                keys[count] = (mix(values[place]) >> bits << bits) | np.uint64(document)
                count += 1
            place += 1
    return keys[:count].copy()


@njit(nogil=True, cache=True)
def _pair_runs(keys: Any, bits: Any, limit: Any) -> Any:  # noqa: ANN401
    """All pairs of documents within runs of one fingerprint; of too long runs the documents."""
    pairs = np.empty(1 << 16, dtype=np.uint64)
    common = np.empty(len(keys), dtype=np.int32)
    holders = np.empty(limit, dtype=np.uint64)
    mask = (np.uint64(1) << bits) - np.uint64(1)
    count = commons = most = 0
    start = 0
    while start < len(keys):
        end = start
        different = 0
        while end < len(keys) and keys[end] >> bits == keys[start] >> bits:
            if end == start or keys[end] != keys[end - 1]:
                if different < limit:
                    holders[different] = keys[end] & mask
                different += 1
            end += 1
        if different > limit:
            most = max(most, different)
            for place in range(start, end):
                common[commons] = np.int32(keys[place] & mask)
                commons += 1
        else:
            if count + different * different > len(pairs):
                grown = np.empty(2 * len(pairs) + limit * limit, dtype=np.uint64)
                grown[:count] = pairs[:count]
                pairs = grown
            for one in range(different):
                for other in range(one + 1, different):
                    pairs[count] = holders[one] << np.uint64(32) | holders[other]
                    count += 1
        start = end
    return pairs[:count].copy(), common[:commons].copy(), most
