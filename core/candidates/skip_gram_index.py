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

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int32Array, Int64Array, UInt8Array, UInt64Array, grown
from core.base.compiling import njit
from core.base.hashing import mix, slots_for
from core.base.tasks import Cancelled, results_of
from core.candidates.references import pairs_of, reviewed_in_runs
from core.settings import NEAR, NEEDED
from core.signatures.skip_grams import PLACE_BITS, places_of
from core.text.shingling import Fingerprints

SORTED_AT_ONCE = 1 << 21  # skip-grams of one range of hashes: 16 MiB
OCCURRENCES = 4  # of a gram in a document, those that count
NO_GRAM = np.int32(-1)
AT_ONCE = 2  # ranges, so that not many are in memory
NEAR_BITS = 6


class SkipGramIndex(NamedTuple):
    """The skip-grams that stand in several documents.

    Attributes:
        places: int32, the first words of the skip-grams (see `core.signatures.skip_grams`) whose
            hash another document holds, too, of documents that take part; of one that stands in
            its document more than four times, the first four.
        bounds: int64, document i has `places[bounds[i]:bounds[i + 1]]`.
        held: int32, by skip-gram: where the documents begin that hold its hash; or -1 where it is
            forgotten.
        starts: int64, where the documents of each hash begin, and the end of the last ones.
        holders: int32, the documents of each hash, ascending.
        numbers: int64, which of all skip-grams these are.
        grams: How many skip-grams all documents have.
    """

    places: Int32Array
    bounds: Int64Array
    held: Int32Array
    starts: Int64Array
    holders: Int32Array
    numbers: Int64Array
    grams: int

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
        known = np.flatnonzero(self.held >= 0)
        self.held[known[at_place[self.held[known]]]] = NO_GRAM


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
    bounds = np.concatenate([[0], np.cumsum(skip_grams.counts)])
    parts = [_Range.none()]
    total = 0
    ranges = _ranges(skip_grams.values, bounds, taking_part, pool)
    for part in results_of(ranges, cancelled, AT_ONCE):
        part.grams[:] += total
        parts.append(part)
        total += len(part.holders)
    del part
    grams = np.concatenate([part.grams for part in parts])
    holders = np.concatenate([part.holders for part in parts])
    starts = np.cumsum(np.concatenate([part.sizes for part in parts]))
    del parts
    grams.sort()
    held = (grams & LOW).astype(np.int32)
    grams >>= 32
    places = places_of(skip_grams.values[grams]).astype(np.int32)
    bounds = np.searchsorted(grams, bounds)
    return SkipGramIndex(places, bounds, held, starts, holders, grams, len(skip_grams.values))


class _Range(NamedTuple):
    """The skip-grams of one range of hashes that several documents hold.

    Attributes:
        grams: int64, the number of each in the upper 32 bits; in the lower ones where the documents
            begin in `holders` that hold its hash.
        sizes: int64, how many documents hold each hash.
        holders: int32, these documents.
    """

    grams: Int64Array
    sizes: Int64Array
    holders: Int32Array

    @staticmethod
    def none() -> _Range:
        """Before the first one: where its documents begin."""
        no_grams = np.empty(0, dtype=np.int64)
        return _Range(no_grams, np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.int32))


def _ranges(
    values: UInt64Array, bounds: Int64Array, taking_part: BoolArray, pool: ThreadPoolExecutor
) -> Iterator[Future[_Range]]:
    range_bits = max(1, (len(values) // SORTED_AT_ONCE).bit_length())
    size = (len(values) >> range_bits) * 9 // 8 + 64
    rooms = [np.empty(size, dtype=np.uint64) for _ in range(AT_ONCE)]  # to be used again and again

    def make(number: int) -> _Range:
        room = rooms.pop()
        keys = _keys_of_range(values, bounds, taking_part, number, range_bits, room)
        keys.sort()
        found = _Range(*_hold(keys, PLACE_BITS + np.uint64(range_bits), bounds))
        rooms.append(room)
        return found

    return (pool.submit(make, number) for number in range(1 << range_bits))


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
            keys = grown(keys, count, 2 * len(keys) + bounds[document + 1] - bounds[document])
        for gram in range(np.uint64(bounds[document]), np.uint64(bounds[document + 1])):
            keys[count] = values[gram] << bits >> low << low | gram
            count += np.uint64(values[gram] >> behind == np.uint64(number))
    return keys[:count]


@njit(nogil=True, cache=True)
def _hold(keys: Any, bits: Any, bounds: Any) -> Any:
    """Find the hashes of sorted keys that several documents hold; what returns is a `_Range`.

    Args:
        keys: The hash above; in the low bits the number of the gram.
        bits: How many.
        bounds: Which grams each document has.
    """
    near = np.empty((bounds[-1] >> NEAR_BITS) + 1, dtype=np.int32)  # documents of every 64th gram
    owner = 0
    for place in range(len(near)):
        while bounds[owner + 1] <= place << NEAR_BITS and owner < len(bounds) - 2:
            owner += 1
        near[place] = owner
    grams = np.empty(len(keys), dtype=np.int64)
    sizes = np.empty(len(keys) // 2 + 1, dtype=np.int64)
    holders = np.empty(len(keys), dtype=np.int32)
    mask = (np.uint64(1) << bits) - np.uint64(1)
    count = runs = total = start = 0
    while start < len(keys):
        end = start + 1
        while end < len(keys) and (keys[end] ^ keys[start]) <= mask:
            end += 1
        # Of one document alone, only the last and the first need to be looked at.
        if end - start > 1 and _document(near, bounds, keys[start] & mask) != _document(
            near, bounds, keys[end - 1] & mask
        ):
            size, repeated, last = 0, 0, -1
            for place in range(start, end):
                gram = np.int64(keys[place] & mask)
                document = _document(near, bounds, gram)
                repeated = repeated + 1 if document == last else 0
                if not repeated:
                    holders[total + size] = document
                    size += 1
                if repeated < OCCURRENCES:
                    grams[count] = gram << 32 | total
                    count += 1
                last = document
            sizes[runs] = size
            total += size
            runs += 1
        start = end
    return grams[:count].copy(), sizes[:runs].copy(), holders[:total].copy()


@njit(nogil=True, cache=True, inline="always")
def _document(near: Any, bounds: Any, gram: Any) -> Any:
    """The document that has a gram."""
    document = np.int64(near[np.int64(gram) >> NEAR_BITS])
    while bounds[document + 1] <= np.int64(gram):
        document += 1
    return document


NEEDED_WEIGHT = 33  # which three have at least
BASE = 64  # what the sums of one document are told from those of the next by
NOWHERE = np.int32(-1)
LOW = (1 << 32) - 1
FIRST_TRY = 32  # agreements from which on it is tried whether they are enough
STRETCH, OVERLAP = 480, 2 * NEAR  # words of a document in which weights are added up first


@njit(nogil=True, cache=True)
def count_pairs(index: Any, weights: Any, to_review: Any, first: Any, last: Any) -> Any:
    """The candidates among the documents from `first` to `last` and those before each."""
    bounds = index.bounds
    codes = np.empty(1024, dtype=np.uint64)
    count = 0
    met = np.zeros((2, last), dtype=np.int32)
    others = np.empty(last + 1, dtype=np.int32)
    longest = (bounds[first + 1 : last + 1] - bounds[first:last]).max()
    table = np.empty(slots_for(longest), dtype=np.int32)
    following = np.empty(len(table), dtype=np.int32)
    agreed = np.empty((3, 1024), dtype=np.int64)
    base = np.int32(0)
    for document in range(first, last):
        base = _meet(index, weights, to_review, document, base, met, others)
        if not others[0]:
            continue
        # The last gram with each hash, then those before.
        start, end = bounds[document], bounds[document + 1]
        own = table[: slots_for(end - start)]
        own[:] = NOWHERE
        for gram in range(start, end):
            if index.held[gram] >= 0:
                slot = _slot(own, index.held, start, index.held[gram])
                following[gram - start] = own[slot]
                own[slot] = np.int32(gram - start)
        for other in others[1 : 1 + others[0]]:
            room = OCCURRENCES * (bounds[other + 1] - bounds[other])
            if room > agreed.shape[1]:
                agreed = np.empty((3, 2 * room), dtype=np.int64)
            if _agree_nearby(index, weights, own, following, document, other, agreed):
                if count == len(codes):
                    codes = grown(codes, count, 2 * count)
                codes[count] = np.uint64(other) << np.uint64(32) | np.uint64(document)
                count += 1
    return codes[:count].copy()


@njit(nogil=True, cache=True, inline="always")
def _slot(table: Any, held: Any, start: Any, hash_: Any) -> Any:
    """The slot of a hash in the table of a document, or the empty one where it belongs.

    Here and below, a hash goes by where the documents begin that hold it.
    """
    last = np.uint64(len(table) - 1)
    slot = mix(np.uint64(hash_)) & last
    while table[slot] != NOWHERE and held[start + table[slot]] != hash_:
        slot = (slot + np.uint64(1)) & last
    return slot


@njit(nogil=True, cache=True)
def _meet(
    index: Any, weights: Any, to_review: Any, document: Any, base: Any, met: Any, others: Any
) -> Any:
    """Find the documents before this one that hold enough of a stretch of it; the base then.

    `met` has for each document a base, which grows from stretch to stretch, with the sum of the
    weights in the stretch, up to what is needed; and for which document it is among the others. A
    gram that is repeated counts again here: the places decide later. `others` begins with how many
    there are.
    """
    places, held, holders = index.places, index.held, index.holders
    gram, end = index.bounds[document], index.bounds[document + 1]
    others[0] = 0
    first, begin = gram, np.int64(0)
    while gram < end:
        base += np.int32(BASE)
        gram, behind, begin = first, end, begin + STRETCH - OVERLAP
        while gram < end and np.int64(places[gram]) < begin + OVERLAP:
            if behind == end and np.int64(places[gram]) >= begin:
                behind = gram
            holder = held[gram]
            gram += 1
            if holder < 0:
                continue
            weight, other = np.int32(weights[holder]), holders[holder]
            while other < document:  # those before its own that hold it
                if to_review[document] or to_review[other]:
                    enough = base + np.int32(NEEDED_WEIGHT)
                    met[0, other] = min(max(met[0, other], base) + weight, enough)
                    if met[0, other] == enough and met[1, other] != document:
                        met[1, other] = document
                        others[0] += 1
                        others[others[0]] = other
                holder += 1
                other = holders[holder]
        first = min(gram, behind)
    return base


@njit(nogil=True, cache=True)
def _agree_nearby(
    index: Any,
    weights: Any,
    table: Any,
    following: Any,
    document: Any,
    other: Any,
    agreed: Any,
) -> Any:
    """Whether grams of a document with its table agree close together with those of another one.

    `agreed` is room for where they agree: the places in both texts, and the hash.
    """
    places, bounds, held = index.places, index.bounds, index.held
    start = bounds[document]
    seen = np.empty((2, 2 * NEAR + 1), dtype=np.bool_)
    count, tried = 0, FIRST_TRY
    for gram in range(bounds[other], bounds[other + 1]):
        if held[gram] < 0:
            continue
        at = table[_slot(table, held, start, held[gram])]
        while at != NOWHERE:
            agreed[0, count] = np.int64(places[start + at])
            agreed[1, count] = np.int64(places[gram])
            agreed[2, count] = held[gram]
            count += 1
            at = following[at]
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
        one = centre
        while one > first and agreed[1, centre] - agreed[1, one - 1] <= NEAR:
            one -= 1
        while one < end and agreed[1, one] - agreed[1, centre] <= NEAR:
            if abs(agreed[0, one] - agreed[0, centre]) <= NEAR:
                for text in range(2):
                    place = agreed[text, one] - agreed[text, centre] + NEAR
                    places[text] += not seen[text, place]
                    seen[text, place] = True
                known = 0
                while known < several and counted[known] != agreed[2, one]:
                    known += 1
                if known == several and weight < NEEDED_WEIGHT:
                    counted[several] = agreed[2, one]
                    several += 1
                    weight += weights[agreed[2, one]]
                if weight >= NEEDED_WEIGHT and min(places[0], places[1]) >= NEEDED:
                    return True
            one += 1
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
    enough: BoolArray = _find_enough(bounds, np.ascontiguousarray(agreed[:, order]), weights)
    return enough


@njit(nogil=True, cache=True)
def _find_enough(bounds: Any, agreed: Any, weights: Any) -> Any:
    enough = np.zeros(len(bounds) - 1, dtype=np.bool_)
    seen = np.empty((2, 2 * NEAR + 1), dtype=np.bool_)
    for pair in range(len(enough)):
        enough[pair] = are_enough(agreed, weights, bounds[pair], bounds[pair + 1], seen)
    return enough
