"""Skip-grams to pairs of documents that may share a reworked passage.

Two documents are a candidate when three of their skip-grams agree close together: at three places
of either text, no two of which are more than 60 words apart. For each document the others are
counted that hold its grams (ScanCount: Li, Lu, Lu 2008); where three are met, their places decide.

A gram in very many documents is part of a form, a licence or a common phrase, and would make more
pairs than all others together. How many pairs there may be follows from how many grams there are,
so that the work grows with the folder and not with its square; the grams that make most are left
out, counted, and can be told. In small folders none is.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import BoolArray, UInt64Array
from core.base.compiling import njit
from core.base.growable_array import grown
from core.base.hashing import mix
from core.base.parallel import results_of, worker_count
from core.base.progress import Cancelled, never, stop_if
from core.candidates.skip_gram_index import OCCURRENCES, SkipGramIndex, index_skip_grams
from core.signatures.skip_grams import LAST_PLACE, places_of
from core.text.fingerprints import Fingerprints

__all__ = ["CommonSkipGrams", "ReworkedCandidates", "pair_by_skip_grams"]

NEEDED = 3  # skip-grams that agree
NEAR = 60  # words
PAIRS_A_GRAM = 10  # pairs of documents that are counted, for each skip-gram of the folder
FEWEST_PAIRS = 20_000_000  # that are counted in any case: some hundredths of a second
NOWHERE = np.int32(-1)
GRAMS_AT_ONCE = 1 << 18  # of the documents whose pairs are counted in one piece of work


class CommonSkipGrams(NamedTuple):
    """Skip-grams in so many documents that no pairs were made of them.

    Attributes:
        grams: How many.
        documents: How many documents hold one of them.
        most: How many documents hold the most common one.
        document: The first of these, or -1.
        word: Which word of it the gram begins with, gaps counted, or -1.
    """

    grams: int
    documents: int
    most: int
    document: int
    word: int

    @staticmethod
    def none() -> CommonSkipGrams:
        """Where pairs were made of all."""
        return CommonSkipGrams(0, 0, 0, -1, -1)


class ReworkedCandidates(NamedTuple):
    """Pairs that may share a reworked passage.

    Attributes:
        codes: uint64, ascending: pairs of documents x < y as x << 32 | y.
        common: The skip-grams that made no pairs.
        limit: How many pairs one skip-gram could make.
    """

    codes: UInt64Array
    common: CommonSkipGrams
    limit: int


def pair_by_skip_grams(
    skip_grams: Fingerprints,
    taking_part: BoolArray,
    to_review: BoolArray,
    cancelled: Cancelled = never,
) -> ReworkedCandidates:
    """The pairs of documents of which three skip-grams agree close together.

    Args:
        skip_grams: Of all documents.
        taking_part: By document; of identical documents only one should.
        to_review: By document; two others are no pair.
        cancelled: Polled while the work goes on.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    with ThreadPoolExecutor(worker_count(), thread_name_prefix="neardup-engine") as pool:
        index = index_skip_grams(skip_grams, taking_part, pool, cancelled)
        limit, common = _leave_out_common(index, to_review)
        stop_if(cancelled)
        found = list(results_of(_begin(index, to_review, pool), cancelled))
    codes = np.concatenate([np.empty(0, dtype=np.uint64), *found])
    codes.sort()
    return ReworkedCandidates(codes, common, limit)


def _leave_out_common(index: SkipGramIndex, to_review: BoolArray) -> tuple[int, CommonSkipGrams]:
    """How many pairs a gram may make so that all make no more than there may be; the others go."""
    pairs = index.pairs(to_review)
    budget = max(FEWEST_PAIRS, PAIRS_A_GRAM * len(index.values))
    ordered = np.sort(pairs)
    fitting = int(np.searchsorted(np.cumsum(ordered), budget, side="right"))
    limit = int(ordered[-1]) if len(ordered) else 0
    if fitting < len(ordered):
        limit = int(ordered[fitting]) - 1
    is_common = pairs > limit
    if not is_common.any():
        return limit, CommonSkipGrams.none()
    sizes = np.diff(index.starts)
    holds = np.zeros(len(index.bounds) - 1, dtype=np.bool_)
    holds[index.holders[np.repeat(is_common, sizes)]] = True
    first = int(np.argmax(np.where(is_common, sizes, 0)))
    document = int(index.holders[index.starts[first]])
    own = slice(*index.bounds[document : document + 2].tolist())
    gram = own.start + int(np.argmax(index.numbers[own] == first))
    word = int(places_of(index.values[gram : gram + 1])[0])
    index.forget(is_common)
    count = int(np.count_nonzero(is_common))
    return limit, CommonSkipGrams(count, int(holds.sum()), int(sizes[first]), document, word)


def _begin(
    index: SkipGramIndex, to_review: BoolArray, pool: ThreadPoolExecutor
) -> Iterator[Future[UInt64Array]]:
    """Count the pairs of the documents, some at a time."""
    documents = len(index.bounds) - 1
    first = 0
    while first < documents:
        behind = np.searchsorted(index.bounds, index.bounds[first] + GRAMS_AT_ONCE)
        last = min(documents, max(first + 1, int(behind)))
        yield pool.submit(_count_pairs, *index, to_review, first, last)
        first = last


@njit(nogil=True, cache=True)
def _count_pairs(
    values: Any,
    bounds: Any,
    numbers: Any,
    starts: Any,
    holders: Any,
    to_review: Any,
    first: Any,
    last: Any,
) -> Any:
    """The candidates among the documents from `first` to `last` and those before each."""
    codes = np.empty(1024, dtype=np.uint64)
    count = 0
    met = np.zeros(last, dtype=np.int32)
    others = np.empty(last, dtype=np.int32)
    table = np.empty(_slots(bounds, first, last), dtype=np.int32)
    following = np.empty(len(table), dtype=np.int32)
    places = np.empty((2, 1024), dtype=np.int64)
    for document in range(first, last):
        start, end = bounds[document], bounds[document + 1]
        own = table[: _slots(bounds, document, document + 1)]
        own[:] = NOWHERE
        base = np.int32(NEEDED + 1) * np.int32(document - first + 1)
        several = 0
        for gram in range(start, end):
            if numbers[gram] >= 0 and _put(own, following, numbers, start, gram):
                holding = holders[starts[numbers[gram]] : starts[numbers[gram] + 1]]
                several = _count(holding, document, to_review, base, met, others, several)
        for other in others[:several]:
            room = OCCURRENCES * (bounds[other + 1] - bounds[other])
            if room > places.shape[1]:
                places = np.empty((2, 2 * room), dtype=np.int64)
            if _agree_nearby(values, bounds, numbers, own, following, start, other, places):
                if count == len(codes):
                    codes = grown(codes, count, 2 * count)
                codes[count] = np.uint64(other) << np.uint64(32) | np.uint64(document)
                count += 1
    return codes[:count].copy()


@njit(nogil=True, cache=True, inline="always")
def _count(
    holding: Any,
    document: Any,
    to_review: Any,
    base: Any,
    met: Any,
    others: Any,
    several: Any,
) -> Any:
    """Count a gram for the documents that hold it, before this one, of which one is to review.

    `met` has for each document the base of the one that it was last met with, and how many agree,
    up to 3; `others` are those of which 3 do, which become `several`.
    """
    for other in holding:
        if other >= document:
            break
        if to_review[document] or to_review[other]:
            agree = max(met[other], base) + np.int32(1)
            met[other] = min(agree, base + NEEDED)
            others[several] = other
            several += agree == base + NEEDED
    return several


@njit(nogil=True, cache=True)
def _slots(bounds: Any, first: Any, last: Any) -> Any:
    """How many slots a table for the grams of any of these documents has, a power of two."""
    longest = np.int64(0)
    for document in range(first, last):
        longest = max(longest, bounds[document + 1] - bounds[document])
    slots = np.int64(16)
    while slots < 2 * longest:
        slots *= 2
    return slots


@njit(nogil=True, cache=True, inline="always")
def _slot(table: Any, numbers: Any, start: Any, number: Any) -> Any:
    """The slot of a number in the table of a document, or the empty one where it belongs."""
    last = np.uint64(len(table) - 1)
    slot = mix(np.uint64(number)) & last
    while table[slot] != NOWHERE and numbers[start + table[slot]] != number:
        slot = (slot + np.uint64(1)) & last
    return slot


@njit(nogil=True, cache=True, inline="always")
def _put(table: Any, following: Any, numbers: Any, start: Any, gram: Any) -> Any:
    """Put a gram of a document into its table; whether it is the first one with its number."""
    slot = _slot(table, numbers, start, numbers[gram])
    following[gram - start] = table[slot]
    is_first = table[slot] == NOWHERE
    table[slot] = np.int32(gram - start)
    return is_first


@njit(nogil=True, cache=True)
def _agree_nearby(
    values: Any,
    bounds: Any,
    numbers: Any,
    table: Any,
    following: Any,
    start: Any,
    other: Any,
    places: Any,
) -> Any:
    """Whether three grams agree close together of a document with its table and of another.

    `places` is room for where grams agree, in both.
    """
    count = 0
    for gram in range(bounds[other], bounds[other + 1]):
        if numbers[gram] < 0:
            continue
        at = table[_slot(table, numbers, start, numbers[gram])]
        while at != NOWHERE:
            places[0, count] = np.int64(values[start + at] & LAST_PLACE)
            places[1, count] = np.int64(values[gram] & LAST_PLACE)
            if _two_are_near(places, count):
                return True
            count += 1
            at = following[at]
    return False


@njit(nogil=True, cache=True)
def _two_are_near(places: Any, last: Any) -> Any:
    """Whether two earlier ones of some agreements are near the last, and each other."""
    for second in range(last - 1, -1, -1):
        if places[1, last] - places[1, second] > NEAR:
            return False
        if not _is_near(places, last, second):
            continue
        for third in range(second - 1, -1, -1):
            if places[1, last] - places[1, third] > NEAR:
                break
            if _is_near(places, last, third) and _is_near(places, second, third):
                return True
    return False


@njit(nogil=True, cache=True, inline="always")
def _is_near(places: Any, a: Any, b: Any) -> Any:
    """Whether two agreements are at other places of both texts, at most 60 words apart."""
    across, along = abs(places[0, a] - places[0, b]), abs(places[1, a] - places[1, b])
    return (across > 0) & (across <= NEAR) & (along > 0) & (along <= NEAR)
