"""Fingerprints to pairs: an inverted index from each fingerprint to the documents that hold it.

A fingerprint in very many documents is common text, a form or a licence: it makes no pairs, because
its pairs would bury all others, but it is counted and can be shown. What stands beside common text
gets other fingerprints in `core.candidates.rewinnowing`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int32Array, Int64Array, UInt64Array
from core.base.compiling import njit
from core.base.growable_array import grown
from core.base.hashing import mix
from core.candidates.limits import DOCUMENT_LIMIT
from core.candidates.references import pairs_of, pairs_of_all, reviewed_in_runs
from core.candidates.sorted_keys import distinct
from core.text.fingerprints import Fingerprints

FINGERPRINTS_AT_ONCE = 1 << 16  # up to 3 million pairs
PAIRS_PENDING = 1 << 23
FEWEST_BITS = 24
SORTED_AT_ONCE = 1 << 25  # of more fingerprints, one range of hashes after the other is paired


class CommonFingerprints(NamedTuple):
    """Fingerprints that stand in more documents than pairs are made of.

    Attributes:
        keys: uint64, ascending: what `keys_of` makes of them.
        documents: int64, in how many documents each stands.
        holders: int32, these documents, ascending; those of one key after those of the other.
        bits: How many bits of a key belong to the document.
    """

    keys: UInt64Array
    documents: Int64Array
    holders: Int32Array
    bits: np.uint64

    @property
    def first(self) -> Int32Array:
        """The first document that holds each."""
        firsts: Int32Array = self.holders[np.cumsum(self.documents) - self.documents]
        return firsts


class SharedPassages(NamedTuple):
    """What fingerprints say about a collection.

    Attributes:
        codes: uint64, ascending: pairs of documents x < y as x << 32 | y that share a fingerprint
            which is not common.
        common: Common fingerprints.
    """

    codes: UInt64Array
    common: CommonFingerprints


def pair_by_fingerprints(
    fingerprints: Fingerprints,
    taking_part: BoolArray,
    more: UInt64Array | None = None,
    *,
    to_review: BoolArray | None = None,
) -> SharedPassages:
    """The pairs of documents that share a fingerprint.

    Args:
        fingerprints: Of all documents.
        taking_part: By document; of identical documents only one should.
        more: Further fingerprints of these documents, as sorted keys.
        to_review: By document; two others are no pair. All when left out.
    """
    reviewed = np.ones(len(taking_part), dtype=np.bool_) if to_review is None else to_review
    bits = document_bits(len(fingerprints.counts))
    ranges = 1 << (len(fingerprints.values) // SORTED_AT_ONCE).bit_length()

    def keys_of_ranges() -> Iterator[UInt64Array]:
        for number in range(ranges):
            keys = _pack(*fingerprints, taking_part, bits, number, ranges)
            if more is not None:
                keys = np.concatenate([keys, _in_range(more, number, ranges)])
            keys.sort()
            yield keys

    return pair_keys(keys_of_ranges(), bits, reviewed)


def pair_keys(
    ranges: Iterable[UInt64Array], bits: np.uint64, to_review: BoolArray
) -> SharedPassages:
    """The pairs of documents whose sorted keys agree above the bits that name the document.

    Args:
        ranges: The keys, of one range of hashes after the other.
        bits: How many bits of a key belong to the document.
        to_review: By document.
    """
    gathered = _FingerprintPairs()
    for keys in ranges:
        for part in _whole_runs(keys, bits):
            gathered.add(*_pair_runs(keys[part], bits, to_review, DOCUMENT_LIMIT))
    return gathered.result(bits)


class _FingerprintPairs:
    """What runs of equal fingerprints give, collected."""

    def __init__(self) -> None:
        self._pairs = np.empty(0, dtype=np.uint64)
        self._pending: list[UInt64Array] = []
        self._pending_pairs = 0
        self._holders = [np.empty(0, dtype=np.int32)]
        self._common: list[UInt64Array] = [np.empty((0, 2), dtype=np.uint64)]

    def add(self, pairs: UInt64Array, holders: Int32Array, common: UInt64Array) -> None:
        self._pending.append(pairs)
        self._pending_pairs += len(pairs)
        self._holders.append(holders)
        self._common.append(common)
        # Near-copies share hundreds of fingerprints, each of which gives the same pairs again.
        if self._pending_pairs > max(len(self._pairs), PAIRS_PENDING):
            self._merge()

    def result(self, bits: np.uint64) -> SharedPassages:
        self._merge()
        keys, documents = np.concatenate(self._common).T
        return SharedPassages(
            self._pairs,
            CommonFingerprints(
                keys.copy(), documents.astype(np.int64), np.concatenate(self._holders), bits
            ),
        )

    def _merge(self) -> None:
        self._pairs = distinct([self._pairs, *self._pending])
        self._pending, self._pending_pairs = [], 0


def sorted_fingerprints(
    fingerprints: Fingerprints, taking_part: BoolArray, bits: np.uint64
) -> UInt64Array:
    """All fingerprints as sorted keys: the mixed hash above, in the low bits the document."""
    keys: UInt64Array = _pack(*fingerprints, taking_part, bits, 0, 1)
    keys.sort()
    return keys


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


def document_bits(documents: int) -> np.uint64:
    """How many low bits of a key name one of so many documents; those above are of its hash.

    As many for one document as for 16.7 million: which hashes count as equal is the same then.
    """
    return np.uint64(max(FEWEST_BITS, (documents - 1).bit_length()))


def common_keys(keys: UInt64Array, bits: np.uint64, to_review: BoolArray) -> UInt64Array:
    """Which fingerprints are common among sorted keys, all different, as `keys_of` makes them."""
    documents = (keys & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64)
    return common_among(keys >> bits, documents, to_review)


def common_among(own: UInt64Array, documents: Int64Array, to_review: BoolArray) -> UInt64Array:
    """The same of ascending keys and the document beside each, of which no two are the same."""
    starts = np.flatnonzero(np.concatenate([own[:1] == own[:1], own[1:] != own[:-1]]))
    sizes = np.diff(np.append(starts, len(own)))
    reviewed = reviewed_in_runs(to_review, documents, starts)
    return own[starts[pairs_of(reviewed, sizes) > pairs_of_all(DOCUMENT_LIMIT)]]


def _in_range(keys: UInt64Array, number: int, ranges: int) -> UInt64Array:
    """Those of sorted keys that belong to one of several ranges of hashes."""
    first = (number << 64) // ranges
    last = ((number + 1 << 64) // ranges) - 1
    start = np.searchsorted(keys, np.uint64(first))
    return keys[start : np.searchsorted(keys, np.uint64(last), side="right")]


@njit(nogil=True, cache=True)
def keys_of(values: Any, bits: Any) -> Any:
    """Fingerprints as they are compared: mixed, less the bits that name the document.

    Hashes are mixed again, because the smallest of a window all begin with zeros.
    """
    keys = np.empty(len(values), dtype=np.uint64)
    for index in range(len(values)):
        keys[index] = mix(values[index]) >> bits
    return keys


@njit(nogil=True, cache=True)
def _pack(
    values: Any,
    counts: Any,
    taking_part: Any,
    bits: Any,
    number: Any,
    ranges: Any,
) -> Any:
    """One number for each fingerprint of each document: its hash above, the document below.

    40 bits of the hash stay: a chance agreement costs one pair to verify, of 30 million different
    fingerprints 400 pairs. Of several ranges of hashes, a power of two, one is packed.
    """
    keys = np.empty(len(values) // ranges + 16, dtype=np.uint64)
    place = count = 0
    for document in range(len(counts)):
        for _ in range(counts[document]):
            if taking_part[document]:
                value = mix(values[place])
                if (
                    np.int64(((value >> np.uint64(32)) * np.uint64(ranges)) >> np.uint64(32))
                    == number
                ):
                    if count == len(keys):
                        keys = grown(keys, count, 2 * count)
                    keys[count] = (value >> bits << bits) | np.uint64(document)
                    count += 1
            place += 1
    return keys[:count]


@njit(nogil=True, cache=True)
def _pair_runs(keys: Any, bits: Any, to_review: Any, limit: Any) -> Any:
    """Runs of one fingerprint: the pairs of documents within them; of too long runs what they are.

    Returns pairs, the documents that hold long runs, and each such run's key and number of them.
    """
    pairs = np.empty(1 << 16, dtype=np.uint64)
    common = np.empty(len(keys), dtype=np.int32)  # then the documents of the run that is read
    runs = np.empty((len(keys) // limit + 1, 2), dtype=np.uint64)
    mask = (np.uint64(1) << bits) - np.uint64(1)
    most = limit * (limit - 1) // 2
    count = commons = long_runs = start = 0
    while start < len(keys):
        end, different, reviewed = start, 0, 0
        while end < len(keys) and keys[end] >> bits == keys[start] >> bits:
            if end == start or keys[end] != keys[end - 1]:
                common[commons + different] = np.int32(keys[end] & mask)
                reviewed += to_review[common[commons + different]]
                different += 1
            end += 1
        wanted = reviewed * (2 * different - reviewed - 1) // 2
        if wanted > most:
            runs[long_runs, 0] = keys[start] >> bits
            runs[long_runs, 1] = np.uint64(different)
            long_runs += 1
            commons += different
        else:
            if count + wanted > len(pairs):
                pairs = grown(pairs, count, 2 * len(pairs) + most)
            last = commons + different
            for one in range(commons, last):
                x = common[one]
                if not to_review[x]:
                    continue
                for other in range(one + 1 if reviewed == different else commons, last):
                    y = common[other]
                    if other > one or not to_review[y]:
                        pairs[count] = np.uint64(min(x, y)) << np.uint64(32) | np.uint64(max(x, y))
                        count += 1
        start = end
    return pairs[:count].copy(), common[:commons].copy(), runs[:long_runs].copy()
