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
from core.base.growable_array import GrowingArray, grown
from core.base.parallel import results_of
from core.base.progress import Cancelled
from core.candidates.references import pairs_of, reviewed_in_runs
from core.signatures.skip_grams import PLACE_BITS
from core.text.fingerprints import Fingerprints

__all__ = ["SkipGramIndex", "index_skip_grams"]

SORTED_AT_ONCE = 1 << 22  # skip-grams of one range of hashes
BLOCK_BITS = 6  # of so many grams, 64, it is known in which document the first one stands
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

    def forget(self, forgotten: BoolArray) -> None:
        """Let some hashes be held by no skip-gram any more, in place."""
        at_place = np.zeros(len(self.holders), dtype=np.bool_)
        at_place[self.starts[:-1][forgotten]] = True
        _forget(self.held, at_place)


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
    values, counts = skip_grams
    bounds = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    bits = np.uint64(max(int(PLACE_BITS), (max(len(values), 1) - 1).bit_length()))
    held = np.full(len(values), NO_GRAM, dtype=np.int64)
    blocks = _first_documents(bounds)
    counted, holders = GrowingArray(np.int64), GrowingArray(np.int32)
    begun = _sorted_ranges(values, bounds, taking_part, bits, pool)
    for keys in results_of(begun, cancelled, ahead=2):
        sizes, found = _hold(keys, bits, bounds, blocks, held, np.int64(len(holders)))
        counted.append(sizes)
        holders.append(found)
    starts = np.concatenate([[0], np.cumsum(counted.rows)]).astype(np.int64)
    return SkipGramIndex(values, bounds, held, starts, np.asarray(holders.rows))


def _sorted_ranges(
    values: UInt64Array,
    bounds: Int64Array,
    taking_part: BoolArray,
    bits: np.uint64,
    pool: ThreadPoolExecutor,
) -> Iterator[Future[UInt64Array]]:
    range_bits = (len(values) // SORTED_AT_ONCE).bit_length()

    def make(number: int) -> UInt64Array:
        keys: UInt64Array = _pack(values, bounds, taking_part, bits, number, np.int64(range_bits))
        keys.sort()
        return keys

    return (pool.submit(make, number) for number in range(1 << range_bits))


@njit(nogil=True, cache=True)
def _pack(
    values: Any, bounds: Any, taking_part: Any, bits: Any, number: Any, range_bits: Any
) -> Any:
    """The skip-grams of one range of hashes: the hash above, in the low bits which one it is."""
    keys = np.empty((len(values) >> range_bits) + 1024, dtype=np.uint64)
    count = 0
    wanted = np.uint64(number)
    shift = np.uint64(63 - range_bits)
    for document in range(len(bounds) - 1):
        if not taking_part[document]:
            continue
        for place in range(bounds[document], bounds[document + 1]):
            value = values[place]
            if value >> np.uint64(1) >> shift == wanted:
                if count == len(keys):
                    keys = grown(keys, count, 2 * count)
                keys[count] = value >> bits << bits | np.uint64(place)
                count += 1
    return keys[:count].copy()


@njit(nogil=True, cache=True)
def _first_documents(bounds: Any) -> Any:
    """The document of the first of each 64 skip-grams."""
    blocks = np.empty((bounds[-1] >> BLOCK_BITS) + 1, dtype=np.int32)
    document = 0
    for block in range(len(blocks)):
        while document < len(bounds) - 2 and bounds[document + 1] <= block << BLOCK_BITS:
            document += 1
        blocks[block] = document
    return blocks


@njit(nogil=True, cache=True)
def _hold(keys: Any, bits: Any, bounds: Any, blocks: Any, held: Any, first: Any) -> Any:
    """Find the hashes of sorted keys that several documents hold; `first` holders came before.

    Returns how many documents hold each, and which.
    """
    sizes = np.empty(len(keys) // 2 + 1, dtype=np.int64)
    holders = np.empty(len(keys), dtype=np.int32)
    mask = (np.uint64(1) << bits) - np.uint64(1)
    runs = total = start = 0
    while start < len(keys):
        end = start + 1
        while end < len(keys) and keys[end] >> bits == keys[start] >> bits:
            end += 1
        if end > start + 1:
            size, repeated, last = 0, 0, -1
            for place in range(start, end):
                gram = np.int64(keys[place] & mask)
                document = blocks[gram >> BLOCK_BITS]
                while bounds[document + 1] <= gram:
                    document += 1
                repeated = repeated + 1 if document == last else 0
                if not repeated:
                    holders[total + size] = document
                    size += 1
                if repeated < OCCURRENCES:
                    held[gram] = first + total << 32 | size - 1
                last = document
            if size > 1:
                sizes[runs] = size
                total += size
                runs += 1
            else:
                for place in range(start, end):
                    held[np.int64(keys[place] & mask)] = NO_GRAM
        start = end
    return sizes[:runs].copy(), holders[:total].copy()


@njit(nogil=True, cache=True)
def _forget(held: Any, forgotten: Any) -> None:
    for gram in range(len(held)):
        if held[gram] >= 0 and forgotten[held[gram] >> 32]:
            held[gram] = NO_GRAM
