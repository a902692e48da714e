"""The skip-grams of a folder that several documents hold, and which documents hold each.

Most skip-grams are in one document alone and are of no use: the others are found by sorting the
hashes range by range, with the numbers of the grams in the same 64 bits, so that no more than two
ranges are in memory beside the result. Those in too many documents are left out; the rest is put in
the order of documents. For each gram it is stored where the list of the documents with its hash
starts, and whether its own document is the first of them, so a walk through the lists reads nothing
else.

Also which earlier documents hold skip-grams of a document, enough of them close together.

Weights are added up for each stretch of a document, for all earlier documents that hold its grams
(ScanCount: Li, Lu, Lu 2008). Where the sum suffices, the positions in both documents decide.

`find_enough` does the same for pairs whose agreements are already grouped, as on a cluster.
"""

from __future__ import annotations

from bisect import bisect_left
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import (
    BoolArray,
    Int32Array,
    Int64Array,
    UInt8Array,
    UInt64Array,
    equal_parts,
    grown,
    indices_from,
    leave_memory,
)
from core.base.compiling import njit
from core.base.hashing import LOW_32, count_ones, find_index_slot, mix, slots_for
from core.base.sorting import sort_keys
from core.base.tasks import mapped, results_of
from core.candidates.references import pairs_of
from core.settings import NEAR, NEEDED
from core.signatures.signing import LAST_POSITION, POSITION_BITS
from core.text.shingling import Fingerprints

SORTED_AT_ONCE = 1 << 23  # skip-grams of one range of hashes at most: 64 MiB
FEWEST_RANGE_BITS = 2
BLOCK = 1 << 22  # skip-grams that are read from a file at once: 32 MiB
PLACED_AT_ONCE = 1 << 18  # skip-grams that get their positions at once, in 2 MiB
OCCURRENCES = 4  # at most so many of a gram in a document count
NUMBER = np.uint64(32)  # bits below the number, or the position, of a shared skip-gram
AT_ONCE = 2  # ranges, so that not many are in memory


class SharedSkipGrams(NamedTuple):
    """The skip-grams of a range of hashes, or of all, that several documents hold.

    Attributes:
        shared: uint64, these skip-grams in the order of hashes, those of a hash in the order of
            documents and of the text. The high 32 bits are the number of the gram among all of the
            folder; then 31 bits say where the documents of its hash start in `holders`, and the
            lowest is set in the first of these documents, which cannot resemble an earlier one by
            it. Of more than four grams of a document with the same hash, four are here.
        holders: int32, the documents of each hash, ascending; of all hashes, and one value more.
        starts: int32, where the documents of each hash start in `holders`.
        sizes: int32, the number of these documents.
    """

    shared: UInt64Array
    holders: Int32Array
    starts: Int32Array
    sizes: Int32Array

    def pairs(self, to_review: BoolArray) -> Int64Array:
        """The number of pairs of each hash of which a document is to review."""
        if to_review.all():
            return np.asarray(np.square(self.sizes, dtype=np.int64) - self.sizes >> 1)
        runs = np.stack([self.starts, self.starts + self.sizes], axis=1).ravel()
        reviewed = np.add.reduceat(to_review[self.holders], runs, dtype=np.int64)[::2]
        return pairs_of(reviewed, self.sizes)

    def holding(self, hashes: BoolArray, documents: int) -> BoolArray:
        """Which of so many documents hold any of these hashes."""
        holds = np.zeros(documents, dtype=np.bool_)
        starts, sizes = (of[hashes].astype(np.int64) for of in (self.starts, self.sizes))
        for part in equal_parts(sizes, PLACED_AT_ONCE):
            holds[self.holders[indices_from(starts[part], sizes[part])]] = True
        return holds

    def first_gram(self, hash_: int) -> int:
        """The number of the first gram with a hash."""

        def start(index: int) -> int:
            return int(self.shared[index] & LOW_32) >> 1

        first = bisect_left(range(len(self.shared)), int(self.starts[hash_]), key=start)
        return int(self.shared[first] >> NUMBER)


class SkipGramIndex(NamedTuple):
    """The skip-grams by which documents may resemble others.

    Attributes:
        shared: uint64, as those of `SharedSkipGrams`, but in the order of documents and of the
            text, and with the position in the document instead of the number.
        bounds: int64, document i has `shared[bounds[i]:bounds[i + 1]]`.
        holders: int32, the documents of each hash, ascending; and one value after the last.
    """

    shared: UInt64Array
    bounds: Int64Array
    holders: Int32Array


def find_shared(
    skip_grams: Fingerprints, taking_part: BoolArray, pool: ThreadPoolExecutor
) -> SharedSkipGrams:
    """Find the skip-grams that several documents hold.

    Args:
        skip_grams: Of all documents.
        taking_part: By document; of identical documents only one should.
        pool: Threads to sort with.
    """
    grams, bounds = skip_grams.values, _bounds(skip_grams)
    owners = _rank_owners(bounds)
    blocks = [*np.searchsorted(bounds, range(0, len(grams), BLOCK)).tolist(), len(taking_part)]
    range_bits = max(FEWEST_RANGE_BITS, (len(grams) // SORTED_AT_ONCE).bit_length())
    size = (len(grams) >> range_bits) * 9 // 8 + 64
    rooms = [np.empty(size, dtype=np.uint64) for _ in range(AT_ONCE)]  # to be used again and again
    # Linux and macOS give memory only where these are written.
    shared = np.empty(len(grams), dtype=np.uint64)
    holders = np.empty(len(grams) + 1, dtype=np.int32)

    def find(number: int) -> SharedSkipGrams:
        keys, count = rooms[number % AT_ONCE], 0
        for first, end in pairwise(blocks):
            documents = first, end
            keys, count = _add_keys_of_range(
                grams, bounds, taking_part, documents, number, range_bits, keys, count
            )
            leave_memory(grams[bounds[first] : bounds[end]])
        keys = sort_keys(keys[:count])
        bits = POSITION_BITS + np.uint64(range_bits)
        return SharedSkipGrams(*_find_shared(keys, bits, *owners))

    starts, sizes = [np.empty(0, dtype=np.int32)], [np.empty(0, dtype=np.int32)]
    count = filled = 0
    finding = (pool.submit(find, number) for number in range(1 << range_bits))
    for part in results_of(finding, AT_ONCE):  # a room is free again when the next one is begun
        end = count + len(part.shared)
        np.add(part.shared, np.uint64(filled << 1), out=shared[count:end])
        starts.append(part.starts + np.int32(filled))
        sizes.append(part.sizes)
        holders[filled : filled + len(part.holders)] = part.holders
        count, filled = end, filled + len(part.holders)
    holders[filled] = 0
    return SharedSkipGrams(
        shared[:count], holders[: filled + 1], np.concatenate(starts), np.concatenate(sizes)
    )


def index_by_document(
    found: SharedSkipGrams, weights: UInt8Array, skip_grams: Fingerprints, pool: ThreadPoolExecutor
) -> SkipGramIndex:
    """Put the shared skip-grams with a weight in the order of documents and of their texts.

    Args:
        found: All shared skip-grams; `found.shared` is overwritten.
        weights: uint8, at the starts of the documents of a hash.
        skip_grams: Of all documents.
        pool: Threads to work with.
    """
    shared, grams = found.shared, skip_grams.values

    def weighty(first: int) -> UInt64Array:
        part = shared[first : first + PLACED_AT_ONCE]
        kept: UInt64Array = part[weights[(part & LOW_32) >> np.uint64(1)] > 0]
        return kept

    def put(first: int) -> None:
        part = shared[first : first + PLACED_AT_ONCE]
        numbers = part >> NUMBER
        positions = grams[numbers] & LAST_POSITION
        leave_memory(grams[int(numbers[0]) : int(numbers[-1]) + 1])
        part &= LOW_32
        part |= positions << NUMBER

    count = 0
    for kept in mapped(pool, weighty, range(0, len(shared), PLACED_AT_ONCE), 2 * AT_ONCE):
        shared[count : count + len(kept)] = kept  # never beyond what has been looked at
        count += len(kept)
    shared = sort_keys(shared[:count], pool)
    bounds = np.searchsorted(shared, _bounds(skip_grams).astype(np.uint64) << NUMBER)
    for _ in mapped(pool, put, range(0, count, PLACED_AT_ONCE)):
        pass
    return SkipGramIndex(shared, bounds, found.holders)


def _bounds(skip_grams: Fingerprints) -> Int64Array:
    """Document i has the grams from the value i, int64, to the next."""
    return np.concatenate([[0], np.cumsum(skip_grams.counts)])


def _rank_owners(bounds: Int64Array) -> tuple[UInt64Array, Int32Array]:
    """Maps a skip-gram to its document: a bit vector with ranks (Jacobson 1989).

    Returns:
        uint64 (n, 2), for each 64 grams the bits where a document begins, and the number of those
        before; and int32, the documents that have grams.
    """
    documents = np.flatnonzero(np.diff(bounds)).astype(np.int32)
    begins = bounds[documents].astype(np.uint64)
    ranks = np.zeros(((int(bounds[-1]) >> 6) + 1, 2), dtype=np.uint64)
    np.bitwise_or.at(ranks[:, 0], begins >> np.uint64(6), np.uint64(1) << (begins & np.uint64(63)))
    ranks[1:, 1] = np.cumsum(np.bitwise_count(ranks[:-1, 0]), dtype=np.uint64)
    return ranks, documents


@njit(nogil=True, cache=True)
def _add_keys_of_range(
    values: Any,
    bounds: Any,
    taking_part: Any,
    documents: Any,
    number: Any,
    range_bits: Any,
    keys: Any,
    count: Any,
) -> Any:
    """Add the keys of the skip-grams of a range: the rest of the hash, above the gram's number.

    The high bits of the hash, which are the number of the range, make room for the number of the
    gram. `keys` has `count` keys, and is replaced if it is too small for those of these documents,
    which are given by the first and the end. Returns it, and the number of its keys.
    """
    bits = np.uint64(range_bits)
    shift, low = np.uint64(64) - bits, POSITION_BITS + bits
    count = np.uint64(count)  # an index that cannot be negative is found faster
    for document in range(documents[0], documents[1]):
        if not taking_part[document]:
            continue
        if np.int64(count) + bounds[document + 1] - bounds[document] > len(keys):
            size = 2 * len(keys) + bounds[document + 1] - bounds[document]
            keys = grown(keys, np.int64(count), size)
        for gram in range(np.uint64(bounds[document]), np.uint64(bounds[document + 1])):
            keys[count] = values[gram] << bits >> low << low | gram
            count += np.uint64(values[gram] >> shift == np.uint64(number))
    return keys, count


@njit(nogil=True, cache=True)
def _find_shared(keys: Any, bits: Any, ranks: Any, documents: Any) -> Any:
    """Find the hashes of sorted keys that several documents hold. See `SharedSkipGrams`.

    Args:
        keys: The hash above; in the low bits the number of the gram. Overwritten.
        bits: The number of low bits.
        ranks: Tells the document of a gram, with `documents` (see `_rank_owners`).
        documents: Those that have grams.
    """
    six, last_bit = np.uint64(6), np.uint64(63)
    mask = (np.uint64(1) << bits) - np.uint64(1)
    # First drop what is alone; then find all owners, which no step of a loop has to wait for.
    ends = np.empty(len(keys) // 2 + 1, dtype=np.int32)
    runs, count = np.uint64(0), np.uint64(0)
    is_same: Any = False
    for index in range(np.uint64(len(keys))):
        following = index + np.uint64(1)
        is_next_same = following < len(keys) and keys[index] ^ keys[following] <= mask
        keys[count] = keys[index] & mask
        count += np.uint64(is_same or is_next_same)
        ends[runs] = count
        runs += np.uint64(is_same and not is_next_same)
        is_same = is_next_same
    holders = np.empty(count, dtype=np.int32)
    for index in range(count):
        slot, bit = keys[index] >> six, keys[index] & last_bit
        before = ranks[slot, 0] << last_bit - bit
        rank = ranks[slot, 1] + np.uint64(count_ones(before))
        holders[index] = documents[rank - np.uint64(1)]
    starts = np.empty(runs, dtype=np.int32)
    sizes = np.empty(runs, dtype=np.int32)
    count = filled = start = hashes = np.uint64(0)
    for end in ends[:runs]:
        first, last, repeated = holders[start], np.int32(-1), 0
        first_count, first_filled = count, filled
        for index in range(start, np.uint64(end)):
            document = holders[index]
            repeated = repeated + 1 if document == last else 0
            holders[filled] = document
            filled += np.uint64(not repeated)
            is_first = np.uint64(document == first)
            keys[count] = keys[index] << NUMBER | first_filled << np.uint64(1) | is_first
            count += np.uint64(repeated < OCCURRENCES)
            last = document
        if last == first:  # of one document alone
            count, filled = first_count, first_filled
        else:
            starts[hashes], sizes[hashes] = first_filled, filled - first_filled
            hashes += np.uint64(1)
        start = np.uint64(end)
    return keys[:count], holders[:filled], starts[:hashes], sizes[:hashes]


NEEDED_WEIGHT = 33  # of three grams together, at least
BASE = 64  # added for each stretch, so that its sums are above those of the stretch before
FIRST_TRY = 32  # agreements, after which it is first checked whether they are enough
STRETCH, OVERLAP = 480, 2 * NEAR  # words of a document in which weights are added up first
POSITION, HELD, HOLDER, WEIGHT, AHEAD = range(5)  # columns: grams of a document that others hold
# Half of the lists of holders reach into another line of the cache. That is read early, into the
# column AHEAD, so that nothing waits for the memory when the list is walked through.
FETCHED = np.uint64(12)
SUMS = 1 << 12  # of weights, by the low bits of the number of a document: they stay in a cache


@njit(nogil=True, cache=True)
def count_pairs(index: Any, weights: Any, to_review: Any, first: Any, last: Any) -> Any:
    """The candidates among the documents `first` to `last`, each with the documents before it.

    Skip-grams of weight zero make none.
    """
    shared, bounds, holders = index.shared, index.bounds, index.holders
    last_holder = np.uint64(len(holders) - 1)
    codes = np.empty(1024, dtype=np.uint64)
    count = 0
    reached = np.zeros((2, last), dtype=np.int32)
    sums = np.empty(SUMS, dtype=np.int32)
    candidates = np.empty(last + 1, dtype=np.int32)
    longest = np.int64(0)
    for document in range(first, last):
        longest = max(longest, bounds[document + 1] - bounds[document])
    of_document = np.empty(longest + 1, dtype=np.uint64)
    rows = np.empty((longest, 5), dtype=np.int32)
    table = np.empty(slots_for(longest), dtype=np.int32)
    following = np.empty(len(table), dtype=np.int32)
    agreed = np.empty((3, 1024), dtype=np.int64)
    base = np.int32(0)
    for document in range(first, last):
        # Each step reads only what its own gram points to, so that no step waits for another.
        grams = later = np.uint64(0)
        for gram in range(bounds[document], bounds[document + 1]):
            of_document[later] = shared[gram]
            later += np.uint64(shared[gram] & np.uint64(1) == 0)
        for gram in of_document[:later]:
            holder = (gram & LOW_32) >> np.uint64(1)
            rows[grams, POSITION] = gram >> NUMBER
            rows[grams, HELD] = holder
            rows[grams, HOLDER] = holders[holder]
            rows[grams, AHEAD] = holders[min(holder + FETCHED, last_holder)]
            rows[grams, WEIGHT] = weights[holder]
            grams += np.uint64(weights[holder] > 0)
        gram_rows = rows[:grams]
        base = np.int32(
            _find_candidates(
                gram_rows, holders, to_review, document, base, reached, sums, candidates
            )
        )
        if not candidates[0]:
            continue
        # The last gram with each hash, then those before.
        slots = table[: slots_for(grams)]
        slots[:] = 0
        for gram in range(grams):
            hash_ = gram_rows[gram, HELD]
            slot = find_index_slot(gram_rows[:, HELD], slots, hash_, mix(np.uint64(hash_)))
            following[gram] = slots[slot]
            slots[slot] = np.int32(gram) + np.int32(1)
        for candidate in candidates[1 : 1 + candidates[0]]:
            room = OCCURRENCES * (bounds[candidate + 1] - bounds[candidate])
            if room > agreed.shape[1]:
                agreed = np.empty((3, 2 * room), dtype=np.int64)
            if _agree_nearby(index, weights, gram_rows, slots, following, candidate, agreed):
                if count == len(codes):
                    codes = grown(codes, count, 2 * count)
                codes[count] = np.uint64(candidate) << np.uint64(32) | np.uint64(document)
                count += 1
    return codes[:count].copy()


@njit(nogil=True, cache=True, inline="always")
def _find_candidates(
    gram_rows: Any,
    holders: Any,
    to_review: Any,
    document: Any,
    base: Any,
    reached: Any,
    sums: Any,
    candidates: Any,
) -> Any:
    """Find earlier documents that hold enough grams of a stretch of this one; returns the new base.

    Weights are added up by the low bits of the document numbers, and by the full numbers only where
    such a sum is enough, which is rare. `reached` has for each document the base, which grows from
    stretch to stretch, plus the sum of the weights in the stretch, up to the needed weight; and the
    last document for which it became a candidate. A repeated gram counts again here: the positions
    decide later. `candidates` begins with their number.
    """
    candidates[0] = 0
    gram, end = np.uint64(0), np.uint64(len(gram_rows))
    first, begin = gram, np.int64(0)
    while gram < end:
        gram, next_first, begin = first, end, begin + STRETCH - OVERLAP
        sums[:] = 0
        highest = np.int32(0)
        while gram < end and gram_rows[gram, POSITION] < begin + OVERLAP:
            if next_first == end and gram_rows[gram, POSITION] >= begin:
                next_first = gram
            holder, earlier = np.uint64(gram_rows[gram, HELD]), gram_rows[gram, HOLDER]
            while earlier < document:
                slot = np.uint64(earlier) % np.uint64(SUMS)
                sums[slot] += gram_rows[gram, WEIGHT]
                highest = max(highest, sums[slot])
                holder += np.uint64(1)
                earlier = holders[holder]
            gram += np.uint64(1)
        base += np.int32(BASE)
        enough = base + np.int32(NEEDED_WEIGHT)
        for again in range(first, gram if highest >= NEEDED_WEIGHT else first):
            holder, earlier = np.uint64(gram_rows[again, HELD]), gram_rows[again, HOLDER]
            while earlier < document:
                is_pair = to_review[document] or to_review[earlier]
                if is_pair and sums[np.uint64(earlier) % np.uint64(SUMS)] >= NEEDED_WEIGHT:
                    reached[0, earlier] = min(
                        max(reached[0, earlier], base) + gram_rows[again, WEIGHT], enough
                    )
                    if reached[0, earlier] == enough and reached[1, earlier] != document:
                        reached[1, earlier] = document
                        candidates[0] += 1
                        candidates[candidates[0]] = earlier
                holder += np.uint64(1)
                earlier = holders[holder]
        first = min(gram, next_first)
    return base


@njit(nogil=True, cache=True, inline="always")
def _agree_nearby(
    index: Any,
    weights: Any,
    gram_rows: Any,
    table: Any,
    following: Any,
    candidate: Any,
    agreed: Any,
) -> Any:
    """Whether enough grams of a document, in `table`, agree close together with a candidate's.

    `agreed` is an array to fill: the positions of each agreement in both texts, and the hash.
    """
    shared, bounds = index.shared, index.bounds
    seen = np.empty((2, 2 * NEAR + 1), dtype=np.bool_)
    count, tried = 0, FIRST_TRY
    for gram in range(bounds[candidate], bounds[candidate + 1]):
        hash_ = np.int32((shared[gram] & LOW_32) >> np.uint64(1))
        at = table[find_index_slot(gram_rows[:, HELD], table, hash_, mix(np.uint64(hash_)))]
        while at:
            agreed[0, count] = gram_rows[at - 1, POSITION]
            agreed[1, count] = shared[gram] >> NUMBER
            agreed[2, count] = hash_
            count += 1
            at = following[at - 1]
        if count >= tried:  # long texts that have much in common agree early
            tried = 2 * count
            if are_enough(agreed, weights, 0, count, seen):
                return True
    return are_enough(agreed, weights, 0, count, seen)


@njit(nogil=True, cache=True)
def are_enough(agreed: Any, weights: Any, first: Any, end: Any, seen: Any) -> Any:
    """Whether around some agreement enough agrees: positions in both texts, and weight.

    Args:
        agreed: int64 (3, n), the positions in both texts, and the hash; by the second position.
        weights: uint8, by hash.
        first: The first agreement.
        end: The end of the agreements.
        seen: bool (2, 2 * NEAR + 1), working space.
    """
    counted = np.empty(NEEDED_WEIGHT, dtype=np.int64)  # the hashes whose weights are in the sum
    position_counts = np.empty(2, dtype=np.int64)
    for centre in range(first, end):
        several, weight = 0, np.int64(0)
        for text in range(2):
            position_counts[text] = 0
            for offset in range(2 * NEAR + 1):
                seen[text, offset] = False
        near = centre
        while near > first and agreed[1, centre] - agreed[1, near - 1] <= NEAR:
            near -= 1
        while near < end and agreed[1, near] - agreed[1, centre] <= NEAR:
            if abs(agreed[0, near] - agreed[0, centre]) <= NEAR:
                for text in range(2):
                    offset = agreed[text, near] - agreed[text, centre] + NEAR
                    position_counts[text] += not seen[text, offset]
                    seen[text, offset] = True
                known = 0
                while known < several and counted[known] != agreed[2, near]:
                    known += 1
                if known == several and weight < NEEDED_WEIGHT:
                    counted[several] = agreed[2, near]
                    several += 1
                    weight += weights[agreed[2, near]]
                if (
                    weight >= NEEDED_WEIGHT
                    and min(position_counts[0], position_counts[1]) >= NEEDED
                ):
                    return True
            near += 1
    return False


def find_enough(bounds: Int64Array, agreed: Int64Array, weights: UInt8Array) -> BoolArray:
    """Which pairs have enough agreements close together, bool by pair.

    The stretches that `count_pairs` uses do not change the result: agreements that are close enough
    together lie within one of them.

    Args:
        bounds: int64, pair i has the agreements from `bounds[i]` to `bounds[i + 1]`.
        agreed: int64 (3, n), the positions in both documents, and the number of the hash.
        weights: uint8, by number of the hash.
    """
    pairs = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    order = np.lexsort((agreed[1], pairs))
    agreed, seen = np.ascontiguousarray(agreed[:, order]), np.empty((2, 2 * NEAR + 1), np.bool_)
    starts = pairwise(bounds.tolist())
    return np.array([are_enough(agreed, weights, *pair, seen) for pair in starts], np.bool_)
