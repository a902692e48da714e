"""The skip-grams of a folder that stand in several documents, and which documents hold each.

Most skip-grams stand in one document alone and are of no use. Of the others it is known where the
documents stand that hold it, and how many of them come before its own: so who walks through these
waits for nothing but them. They are found by sorting, one range of hashes after the other, so that
no more than two ranges are in memory beside the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int32Array, Int64Array, UInt64Array
from core.base.compiling import njit
from core.base.growable_array import GrowingArray
from core.base.parallel import results_of
from core.base.progress import Cancelled
from core.candidates.references import pairs_of, reviewed_in_runs
from core.signatures.skip_grams import PLACE_BITS
from core.text.fingerprints import Fingerprints

SORTED_AT_ONCE = 1 << 21  # skip-grams of one range of hashes, which all caches together can keep
MOST_RANGE_BITS = 7
NO_RANGE = np.uint8(255)
OCCURRENCES = 4  # of a gram in a document, those that count
NO_GRAM = np.int64(-1)


class SkipGramIndex(NamedTuple):
    """Which skip-grams stand in several documents.

    Attributes:
        values: uint64, the skip-grams of all documents (see `core.signatures.skip_grams`).
        bounds: int64, document i has `values[bounds[i]:bounds[i + 1]]`.
        held: int64, by skip-gram: where the documents begin that hold its hash, in the upper 32
            bits, and in the lower ones how many of them come before its own; or -1 where no other
            document holds it, where its document holds it four times before, or does not take
            part.
        starts: int64, where the documents of each hash begin, and the end of the last ones.
        holders: int32, the documents of each hash, ascending.
    """

    values: UInt64Array
    bounds: Int64Array
    held: Int64Array
    starts: Int64Array
    holders: Int32Array

    def pairs(self, to_review: BoolArray) -> Int64Array:
        """How many pairs each hash makes, of which a document is to review."""
        sizes = np.diff(self.starts)
        if to_review.all():
            return np.asarray(sizes * (sizes - 1) // 2)
        return pairs_of(reviewed_in_runs(to_review, self.holders, self.starts[:-1]), sizes)

    def forget(self, forgotten: BoolArray, pool: ThreadPoolExecutor, cancelled: Cancelled) -> None:
        """Let some hashes be held by no skip-gram any more, in place.

        Raises:
            ScanCancelledError: `cancelled` said so.
        """
        at_place = np.zeros(len(self.holders), dtype=np.bool_)
        at_place[self.starts[:-1][forgotten]] = True
        parts = (
            self.held[start : start + SORTED_AT_ONCE]
            for start in range(0, len(self.held), SORTED_AT_ONCE)
        )
        tasks = (pool.submit(_forget, part, at_place) for part in parts)
        for _ in results_of(tasks, cancelled):
            pass


def index_skip_grams(
    skip_grams: Fingerprints,
    taking_part: BoolArray,
    pool: ThreadPoolExecutor,
    cancelled: Cancelled,
) -> SkipGramIndex:
    """Find the skip-grams that several documents hold.

    Args:
        skip_grams: Of all documents.
        taking_part: By document; of identical documents only one should.
        pool: Threads to sort with.
        cancelled: Polled while they work.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    bounds = np.concatenate([[0], np.cumsum(skip_grams.counts)]).astype(np.int64)
    held = np.full(len(skip_grams.values), NO_GRAM, dtype=np.int64)
    counted, holders = GrowingArray(np.int64), GrowingArray(np.int32)
    begun = _ranges(skip_grams, bounds, taking_part, pool)
    for part in results_of(begun, cancelled, ahead=2):
        _spread(held, part.grams, part.held, np.int64(len(holders)))
        counted.append(part.sizes)
        holders.append(part.holders)
    starts = np.concatenate([[0], np.cumsum(counted.rows)]).astype(np.int64)
    return SkipGramIndex(skip_grams.values, bounds, held, starts, np.asarray(holders.rows))


class _Range(NamedTuple):
    """The skip-grams of one range of hashes: which they are, and the index of these alone."""

    grams: Int64Array
    held: Int64Array
    sizes: Int64Array
    holders: Int32Array


def _ranges(
    skip_grams: Fingerprints, bounds: Int64Array, taking_part: BoolArray, pool: ThreadPoolExecutor
) -> Iterator[Future[_Range]]:
    values = skip_grams.values
    range_bits = min(MOST_RANGE_BITS, max(1, (len(values) // SORTED_AT_ONCE).bit_length()))
    numbers = np.empty(len(values), dtype=np.uint8)
    np.right_shift(values, np.uint64(64 - range_bits), out=numbers, casting="unsafe")
    if not taking_part.all():
        numbers[np.repeat(~taking_part, skip_grams.counts)] = NO_RANGE

    def make(number: int) -> _Range:
        grams = np.flatnonzero(numbers == number)
        bits = np.uint64(max(int(PLACE_BITS), len(grams).bit_length()))
        keys, documents = _pack(values, grams, bounds, bits)
        keys.sort()
        return _Range(grams, *_hold(keys, bits, documents))

    return (pool.submit(make, number) for number in range(1 << range_bits))


@njit(nogil=True, cache=True)
def _pack(values: Any, grams: Any, bounds: Any, bits: Any) -> Any:
    """Ascending skip-grams as keys (see `_hold`), and the document of each, int32."""
    keys = np.empty(len(grams), dtype=np.uint64)
    documents = np.empty(len(grams), dtype=np.int32)
    document = 0
    for place in range(len(grams)):
        while bounds[document + 1] <= grams[place]:
            document += 1
        documents[place] = document
        keys[place] = values[grams[place]] >> bits << bits | np.uint64(place)
    return keys, documents


@njit(nogil=True, cache=True)
def _hold(keys: Any, bits: Any, documents: Any) -> Any:
    """Find the hashes of sorted keys that several documents hold.

    Args:
        keys: The hash above; in the low bits which gram of those with `documents` it is.
        bits: How many.
        documents: int32, of each gram.

    Returns:
        As in `SkipGramIndex`, of these grams alone: `held`, how many documents hold each, which.
    """
    held = np.full(len(keys), NO_GRAM, dtype=np.int64)
    sizes = np.empty(len(keys) // 2 + 1, dtype=np.int64)
    holders = np.empty(len(keys), dtype=np.int32)
    mask = (np.uint64(1) << bits) - np.uint64(1)
    runs = total = start = 0
    while start < len(keys):
        end = start + 1
        while end < len(keys) and keys[end] >> bits == keys[start] >> bits:
            end += 1
        # Of one document alone, only the last and the first need to be looked at.
        if documents[np.int64(keys[end - 1] & mask)] != documents[np.int64(keys[start] & mask)]:
            size, repeated, last = 0, 0, -1
            for place in range(start, end):
                gram = np.int64(keys[place] & mask)
                document = documents[gram]
                repeated = repeated + 1 if document == last else 0
                if not repeated:
                    holders[total + size] = document
                    size += 1
                if repeated < OCCURRENCES:
                    held[gram] = total << 32 | size - 1
                last = document
            sizes[runs] = size
            total += size
            runs += 1
        start = end
    return held, sizes[:runs].copy(), holders[:total].copy()


@njit(nogil=True, cache=True)
def _spread(held: Any, grams: Any, own: Any, first: Any) -> None:
    """Write what is known of some grams to the places of these; `first` holders came before."""
    for place in range(len(grams)):
        if own[place] >= 0:
            held[grams[place]] = own[place] + (first << 32)


@njit(nogil=True, cache=True)
def _forget(held: Any, forgotten: Any) -> None:
    for gram in range(len(held)):
        if held[gram] >= 0 and forgotten[held[gram] >> 32]:
            held[gram] = NO_GRAM
