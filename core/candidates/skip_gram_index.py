"""The skip-grams of a folder that stand in several documents, and which documents hold each.

Most skip-grams stand in one document alone and are of no use. Of the others it is known where the
documents stand that hold it, and how many of them come before its own: so who walks through these
waits for nothing but them. They are found by sorting one range of hashes after the other, with the
numbers of the grams in the same 64 bits: no more than two ranges are in memory beside the result.

Which documents hold skip-grams of another one, enough of them close together.

Weights are added up for one stretch of a document after the other, in all documents before it that
hold its grams (ScanCount: Li, Lu, Lu 2008). Where the sum suffices, the places in both decide.

`find_enough` finds the same of pairs whose agreements were brought together, as on a cluster.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int32Array, Int64Array, UInt8Array, UInt64Array, grown
from core.base.compiling import njit
from core.base.hashing import find_place, mix, slots_for
from core.base.tasks import results_of
from core.candidates.references import pairs_of
from core.settings import NEAR, NEEDED
from core.signatures.signing import LAST_PLACE, PLACE_BITS
from core.text.shingling import Fingerprints

SORTED_AT_ONCE = 1 << 22  # skip-grams of one range of hashes at most: 32 MiB
OCCURRENCES = 4  # of a gram in a document, those that count
Runs = tuple[Int32Array, Int32Array]  # where the documents of each hash begin, and how many
NO_GRAM = np.int32(-(1 << 31))
AT_ONCE = 2  # ranges, so that not many are in memory
NEAR_BITS = 6


class SkipGramIndex(NamedTuple):
    """The skip-grams that stand in several documents.

    Attributes:
        grams: uint64, all skip-grams (see `core.signatures.signing`).
        bounds: int64, document i has `grams[bounds[i]:bounds[i + 1]]`.
        held: int32, by skip-gram: where the documents begin that hold its hash; the complement of
            that, which is negative, in the first of them, which none before it can resemble by it;
            or `NO_GRAM` where no other document holds it, of those that take part, or where four
            before it in its own document have the same.
        starts: int32, where the documents of each hash begin.
        sizes: int32, how many they are.
        holders: int32, the documents of each hash, ascending; and one value behind the last.
    """

    grams: UInt64Array
    bounds: Int64Array
    held: Int32Array
    starts: Int32Array
    sizes: Int32Array
    holders: Int32Array

    def begins_of(self) -> Int32Array:
        """By skip-gram that others hold, too: where the documents begin that hold its hash."""
        held = self.held[self.held != NO_GRAM]
        return np.asarray(np.maximum(held, ~held))

    def pairs(self, to_review: BoolArray) -> Int64Array:
        """How many pairs each hash makes, of which a document is to review."""
        if to_review.all():
            return np.asarray(np.square(self.sizes, dtype=np.int64) - self.sizes >> 1)
        runs = np.stack([self.starts, self.starts + self.sizes], axis=1).ravel()
        reviewed = np.add.reduceat(to_review[self.holders], runs, dtype=np.int64)[::2]
        return pairs_of(reviewed, self.sizes)

    def documents_of(self, hashes: BoolArray) -> Int32Array:
        """The documents that hold some hashes, int32: as often as they hold one."""
        begins_and_ends = np.zeros(len(self.holders) + 1, dtype=np.int8)
        begins_and_ends[self.starts[hashes]] = 1
        begins_and_ends[(self.starts + self.sizes)[hashes]] -= 1  # one may end where one begins
        is_of_them = np.cumsum(begins_and_ends[:-1], dtype=np.int8).view(np.bool_)
        return self.holders[is_of_them]


def index_skip_grams(
    skip_grams: Fingerprints, taking_part: BoolArray, pool: ThreadPoolExecutor
) -> SkipGramIndex:
    """Find the skip-grams that several documents hold.

    Args:
        skip_grams: Of all documents.
        taking_part: By document; of identical documents only one should.
        pool: Threads to sort with.
    """
    grams, bounds = skip_grams.values, np.concatenate([[0], np.cumsum(skip_grams.counts)])
    held = np.full(len(grams), NO_GRAM, dtype=np.int32)
    holders = np.zeros(len(grams) + 1, dtype=np.int32)  # not in use where a range has fewer
    range_bits = max(1, (len(grams) // SORTED_AT_ONCE).bit_length())
    size = (len(grams) >> range_bits) * 9 // 8 + 64
    rooms = [np.empty(size, dtype=np.uint64) for _ in range(AT_ONCE)]  # to be used again and again

    def sort(number: int, room: UInt64Array) -> UInt64Array:
        keys: UInt64Array = _keys_of_range(grams, bounds, taking_part, number, range_bits, room)
        keys.sort()
        return keys

    def find(keys: UInt64Array, first: int) -> Runs:
        bits = PLACE_BITS + np.uint64(range_bits)
        runs: Runs = _hold(keys, bits, bounds, first, held, holders)
        return runs

    runs, first = [(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32))], 0
    for number in range(0, 1 << range_bits, AT_ONCE):
        sorting = [pool.submit(sort, number + place, room) for place, room in enumerate(rooms)]
        ranges = list(results_of(sorting))
        firsts = list(accumulate(map(len, ranges), initial=first))
        runs += results_of(
            [pool.submit(find, *range_) for range_ in zip(ranges, firsts, strict=False)]
        )
        first = firsts[-1]
    starts, sizes = map(np.concatenate, zip(*runs, strict=True))
    return SkipGramIndex(grams, bounds, held, starts, sizes, holders[: first + 1])


@njit(nogil=True, cache=True)
def _keys_of_range(
    values: Any, bounds: Any, taking_part: Any, number: Any, range_bits: Any, keys: Any
) -> Any:
    """The skip-grams whose hashes begin with these bits: the rest of the hash, above their number.

    The bits that the range says make room for the number, of which there are never more. `keys` is
    room for them, which is left if it is too little.
    """
    bits = np.uint64(range_bits)
    behind, low = np.uint64(64) - bits, PLACE_BITS + bits
    count = np.uint64(0)  # an index that cannot be negative is found faster
    for document in range(len(taking_part)):
        if not taking_part[document]:
            continue
        if np.int64(count) + bounds[document + 1] - bounds[document] > len(keys):
            size = 2 * len(keys) + bounds[document + 1] - bounds[document]
            keys = grown(keys, np.int64(count), size)
        for gram in range(np.uint64(bounds[document]), np.uint64(bounds[document + 1])):
            keys[count] = values[gram] << bits >> low << low | gram
            count += np.uint64(values[gram] >> behind == np.uint64(number))
    return keys[:count]


@njit(nogil=True, cache=True)
def _hold(keys: Any, bits: Any, bounds: Any, first: Any, held: Any, holders: Any) -> Any:
    """Find the hashes of sorted keys that several documents hold: where each begins, how many.

    Args:
        keys: The hash above; in the low bits the number of the gram.
        bits: How many.
        bounds: Which grams each document has.
        first: Where the documents begin that hold them.
        held: By gram: filled in.
        holders: The documents: filled in.
    """
    near = np.empty((bounds[-1] >> NEAR_BITS) + 1, dtype=np.int32)  # documents of every 64th gram
    owner = 0
    for place in range(len(near)):
        while bounds[owner + 1] <= place << NEAR_BITS and owner < len(bounds) - 2:
            owner += 1
        near[place] = owner
    starts = np.empty(len(keys) // 2 + 1, dtype=np.int32)
    sizes = np.empty(len(keys) // 2 + 1, dtype=np.int32)
    mask = (np.uint64(1) << bits) - np.uint64(1)
    runs = start = 0
    behind = np.uint64(first)
    while start < len(keys):
        end = start + 1
        while end < len(keys) and (keys[end] ^ keys[start]) <= mask:
            end += 1
        starts[runs] = behind
        repeated, last, last_gram = 0, np.int64(-1), np.int64(keys[end - 1] & mask)
        for place in range(start, end if end - start > 1 else start):
            gram = np.int64(keys[place] & mask)
            document = np.int64(near[gram >> NEAR_BITS])
            while bounds[document + 1] <= gram:
                document += 1
            if last < 0 and last_gram < bounds[document + 1]:  # of one document alone
                break
            repeated = repeated + 1 if document == last else 0
            if not repeated:
                holders[behind] = document
                behind += np.uint64(1)
            if repeated < OCCURRENCES:
                is_first = document == holders[starts[runs]]
                held[gram] = ~starts[runs] if is_first else starts[runs]
            last = document
        if last >= 0:
            sizes[runs] = np.int64(behind) - starts[runs]
            runs += 1
        start = end
    return starts[:runs].copy(), sizes[:runs].copy()


NEEDED_WEIGHT = 33  # which three have at least
BASE = 64  # what the sums of one document are told from those of the next by
FIRST_TRY = 32  # agreements from which on it is tried whether they are enough
STRETCH, OVERLAP = 480, 2 * NEAR  # words of a document in which weights are added up first
PLACE, HELD, HOLDER, WEIGHT = range(4)  # of the grams of a document that others hold, too
SUMS = 1 << 12  # of weights, by the low bits of the number of a document: they stay in a cache


@njit(nogil=True, cache=True)
def count_pairs(index: Any, weights: Any, to_review: Any, first: Any, last: Any) -> Any:
    """The candidates among the documents from `first` to `last` and those before each.

    Skip-grams that weigh nothing make none.
    """
    bounds, held, holders = index.bounds, index.held, index.holders
    codes = np.empty(1024, dtype=np.uint64)
    count = 0
    met = np.zeros((2, last), dtype=np.int32)
    sums = np.empty(SUMS, dtype=np.int32)
    others = np.empty(last + 1, dtype=np.int32)
    longest = np.int64(0)
    for document in range(first, last):
        longest = max(longest, bounds[document + 1] - bounds[document])
    shared = np.empty((longest, 4), dtype=np.int32)
    table = np.empty(slots_for(longest), dtype=np.int32)
    following = np.empty(len(table), dtype=np.int32)
    agreed = np.empty((3, 1024), dtype=np.int64)
    base = np.int32(0)
    for document in range(first, last):
        # Nothing in this loop waits for memory but for its own gram.
        grams = np.uint64(0)
        for gram in range(bounds[document], bounds[document + 1]):
            holder = np.uint64(max(held[gram], np.int32(0)))
            shared[grams, PLACE] = index.grams[gram] & LAST_PLACE
            shared[grams, HELD] = holder
            shared[grams, HOLDER] = holders[holder]
            shared[grams, WEIGHT] = weights[holder]
            grams += np.uint64((held[gram] >= 0) & (weights[holder] > 0))
        gram_rows = shared[:grams]
        base = np.int32(_meet(gram_rows, holders, to_review, document, base, met, sums, others))
        if not others[0]:
            continue
        # The last gram with each hash, then those before.
        slots = table[: slots_for(grams)]
        slots[:] = 0
        for gram in range(grams):
            hash_ = gram_rows[gram, HELD]
            slot = find_place(gram_rows[:, HELD], slots, hash_, mix(np.uint64(hash_)))
            following[gram] = slots[slot]
            slots[slot] = np.int32(gram) + np.int32(1)
        for other in others[1 : 1 + others[0]]:
            room = OCCURRENCES * (bounds[other + 1] - bounds[other])
            if room > agreed.shape[1]:
                agreed = np.empty((3, 2 * room), dtype=np.int64)
            if _agree_nearby(index, weights, gram_rows, slots, following, other, agreed):
                if count == len(codes):
                    codes = grown(codes, count, 2 * count)
                codes[count] = np.uint64(other) << np.uint64(32) | np.uint64(document)
                count += 1
    return codes[:count].copy()


@njit(nogil=True, cache=True, inline="always")
def _meet(
    gram_rows: Any,
    holders: Any,
    to_review: Any,
    document: Any,
    base: Any,
    met: Any,
    sums: Any,
    others: Any,
) -> Any:
    """Find the documents before this one that hold enough of a stretch of it; the base then.

    Weights are added up by the low bits of the numbers of documents, and by the whole numbers only
    where such a sum is enough, as few are. `met` has for each document a base, which grows from
    stretch to stretch, with the sum of the weights in the stretch, up to what is needed; and for
    which document it is among the others. A gram that is repeated counts again here: the places
    decide later. `others` begins with how many there are.
    """
    others[0] = 0
    gram, end = np.uint64(0), np.uint64(len(gram_rows))
    first, begin = gram, np.int64(0)
    while gram < end:
        gram, behind, begin = first, end, begin + STRETCH - OVERLAP
        sums[:] = 0
        highest = np.int32(0)
        while gram < end and gram_rows[gram, PLACE] < begin + OVERLAP:
            if behind == end and gram_rows[gram, PLACE] >= begin:
                behind = gram
            holder, other = np.uint64(gram_rows[gram, HELD]), gram_rows[gram, HOLDER]
            while other < document:  # those before its own that hold it
                slot = np.uint64(other) % np.uint64(SUMS)
                sums[slot] += gram_rows[gram, WEIGHT]
                highest = max(highest, sums[slot])
                holder += np.uint64(1)
                other = holders[holder]
            gram += np.uint64(1)
        base += np.int32(BASE)
        enough = base + np.int32(NEEDED_WEIGHT)
        for again in range(first, gram if highest >= NEEDED_WEIGHT else first):
            holder, other = np.uint64(gram_rows[again, HELD]), gram_rows[again, HOLDER]
            while other < document:
                is_pair = to_review[document] or to_review[other]
                if is_pair and sums[np.uint64(other) % np.uint64(SUMS)] >= NEEDED_WEIGHT:
                    met[0, other] = min(max(met[0, other], base) + gram_rows[again, WEIGHT], enough)
                    if met[0, other] == enough and met[1, other] != document:
                        met[1, other] = document
                        others[0] += 1
                        others[others[0]] = other
                holder += np.uint64(1)
                other = holders[holder]
        first = min(gram, behind)
    return base


@njit(nogil=True, cache=True, inline="always")
def _agree_nearby(
    index: Any,
    weights: Any,
    gram_rows: Any,
    table: Any,
    following: Any,
    other: Any,
    agreed: Any,
) -> Any:
    """Whether grams of a document with its table agree close together with those of another one.

    `agreed` is room for where they agree: the places in both texts, and the hash.
    """
    bounds, held = index.bounds, index.held
    seen = np.empty((2, 2 * NEAR + 1), dtype=np.bool_)
    count, tried = 0, FIRST_TRY
    for gram in range(bounds[other], bounds[other + 1]):
        if held[gram] == NO_GRAM:
            continue
        hash_ = max(held[gram], ~held[gram])
        at = table[find_place(gram_rows[:, HELD], table, hash_, mix(np.uint64(hash_)))]
        while at:
            agreed[0, count] = gram_rows[at - 1, PLACE]
            agreed[1, count] = index.grams[gram] & LAST_PLACE
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
    """Whether around one of some agreements enough agrees: in places of both texts, and in weight.

    Args:
        agreed: int64 (3, n), the places in both texts, and the hash; by the second place.
        weights: uint8, by hash.
        first: The first of the agreements.
        end: The end of the last one.
        seen: bool (2, 2 * NEAR + 1), room.
    """
    counted = np.empty(NEEDED_WEIGHT, dtype=np.int64)  # the hashes whose weights are in the sum
    places = np.empty(2, dtype=np.int64)
    for centre in range(first, end):
        several, weight = 0, np.int64(0)
        for text in range(2):
            places[text] = 0
            for place in range(2 * NEAR + 1):
                seen[text, place] = False
        near = centre
        while near > first and agreed[1, centre] - agreed[1, near - 1] <= NEAR:
            near -= 1
        while near < end and agreed[1, near] - agreed[1, centre] <= NEAR:
            if abs(agreed[0, near] - agreed[0, centre]) <= NEAR:
                for text in range(2):
                    place = agreed[text, near] - agreed[text, centre] + NEAR
                    places[text] += not seen[text, place]
                    seen[text, place] = True
                known = 0
                while known < several and counted[known] != agreed[2, near]:
                    known += 1
                if known == several and weight < NEEDED_WEIGHT:
                    counted[several] = agreed[2, near]
                    several += 1
                    weight += weights[agreed[2, near]]
                if weight >= NEEDED_WEIGHT and min(places[0], places[1]) >= NEEDED:
                    return True
            near += 1
    return False


def find_enough(bounds: Int64Array, agreed: Int64Array, weights: UInt8Array) -> BoolArray:
    """Which pairs have enough agreements close together, bool by pair.

    The stretches in which weights are added up first on one machine decide nothing: what is enough
    close together is within one of them.

    Args:
        bounds: int64, pair i has the agreements from `bounds[i]` to `bounds[i + 1]`.
        agreed: int64 (3, n), the places in both documents, and the number of the hash.
        weights: uint8, by number of the hash.
    """
    pairs = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    order = np.lexsort((agreed[1], pairs))
    agreed, seen = np.ascontiguousarray(agreed[:, order]), np.empty((2, 2 * NEAR + 1), np.bool_)
    starts = pairwise(bounds.tolist())
    return np.array([are_enough(agreed, weights, *pair, seen) for pair in starts], np.bool_)
