"""How much all pairs of documents share, counted through an inverted index of their shingles.

Most pairs of most folders share little, so that counting along the documents of each shingle costs
far less than comparing every two documents (Bayardo, Ma, Srikant, "Scaling up all pairs similarity
search", WWW 2007; but without a threshold, so that nothing is left out).

    shingles ─▶ sorted keys ─▶ postings: documents of each shingle ─▶ for each document the
                               later documents in its postings, counted

The cost is known before it is paid: the shingles to sort, then one step for every two documents of
a shingle. Both are counted, not timed, so that the same folder is always answered the same way.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import (
    AnyArray,
    Float64Array,
    Int32Array,
    Int64Array,
    UInt64Array,
    equal_parts,
    grown,
)
from core.base.compiling import njit
from core.base.hashing import count_ones
from core.base.tasks import result_of, results_of
from core.candidates.shared_fingerprints import document_bits, sorted_keys

DOCUMENT, WEIGHT, END = range(3)  # columns of postings
STEPS_PER_TASK = 1 << 22  # hundredths of a second, and at most so many pairs


# To make a shingle and to sort it takes as long as this many steps. On two cores 7.9 million
# shingles took 0.8 s, 420 million steps 1.0 s.
STEPS_PER_SHINGLE = 32


class Cost(NamedTuple):
    """The cost of counting: shingles of all documents, and for each the pairs that share it."""

    shingles: int
    steps: int

    @property
    def shingles_and_steps(self) -> int:
        """The cost of both, in steps."""
        return STEPS_PER_SHINGLE * self.shingles + self.steps


class AllPairsLimits(NamedTuple):
    """Limits of what counting may cost.

    Attributes:
        steps: Pairs of documents in the postings of each shingle; a shingle counts as 32 more.
        pairs: Pairs that share something, all of which are kept: 16 bytes each.
        listed: Pairs that reach the threshold.
    """

    steps: int
    pairs: int
    listed: int

    def allow(self, shingles: int, steps: int = 0) -> bool:
        """Whether these numbers of shingles and steps are within the limits."""
        return Cost(shingles, steps).shingles_and_steps <= self.steps


MODERATE = AllPairsLimits(400_000_000, 1 << 23, 1_000_000)  # about a second on two cores
FEASIBLE = AllPairsLimits(1 << 62, 20_000_000, 20_000_000)  # where all pairs are requested


class AllPairs(NamedTuple):
    """The comparison of every two documents of a collection.

    Attributes:
        pairs: How many are compared, also of those that share nothing.
        codes: uint64 x << 32 | y with x < y, ascending: the pairs that share a shingle.
        resemblance: float64, of these.
    """

    pairs: int
    codes: UInt64Array
    resemblance: Float64Array

    def reaching(self, min_resemblance: float) -> UInt64Array:
        """The codes of the pairs from a resemblance on."""
        return self.codes[self.resemblance >= min_resemblance]

    def reach(self, min_resemblance: float) -> int:
        """How many pairs reach a resemblance."""
        return int(np.count_nonzero(self.resemblance >= min_resemblance))


class SharedCounts(NamedTuple):
    """The pairs that share a shingle: uint64 x << 32 | y with x < y, ascending; int32 how many."""

    codes: UInt64Array
    shared: Int32Array


def count_shared(
    hashes: UInt64Array,
    starts: Int64Array,
    ends: Int64Array,
    *,
    bag: bool,
    to_review: int | None = None,
    limits: AllPairsLimits,
    pool: ThreadPoolExecutor,
) -> SharedCounts | None:
    """Count what every two documents share.

    Args:
        hashes: Shingles, gaps too, repeated ones as often as they occur; document i has
            `hashes[starts[i]:ends[i]]`.
        starts: int64, by document.
        ends: int64, by document.
        bag: Count every occurrence (the smaller number of the two), not every shingle once.
        to_review: Number of documents to review, which come first; two references are no pair.
            All documents when left out.
        limits: What it may cost.
        pool: Threads.

    Returns:
        The counts, a few too large by one (see `postings_of`); None where they cost too much.
    """
    task = pool.submit(postings_of, hashes, starts, ends, bag)
    postings, shingles = result_of(task)
    count = len(starts)
    steps = postings.steps()[: count if to_review is None else to_review]
    if not limits.allow(shingles, int(steps.sum())):
        return None
    tasks = (
        pool.submit(_count, *postings, span.start, span.stop, count)
        for span in equal_parts(steps, STEPS_PER_TASK)
    )
    counts = [(np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int32))]
    pairs = 0
    for part in results_of(tasks):
        counts.append(part)
        pairs += len(part[0])
        if pairs > limits.pairs:
            return None
    codes, shared = zip(*counts, strict=True)
    return SharedCounts(np.concatenate(codes), np.concatenate(shared))


class Postings(NamedTuple):
    """The documents of each shingle that several documents hold.

    Attributes:
        entries: int32 (n, 3), shingle after shingle: the document, ascending within each; how often
            it counts with this shingle; where the entries of the shingle end.
        order: int64, the entries ordered by document.
        starts: int64, by document: where it begins in `order`; one more at the end.
    """

    entries: Int32Array
    order: Int64Array
    starts: Int64Array

    def steps(self) -> Int64Array:
        """For each document how many entries follow its own in their shingles."""
        following = self.entries[:, END] - np.arange(len(self.entries), dtype=np.int64) - 1
        sums = np.concatenate([[0], np.cumsum(following[self.order])])
        return np.diff(sums[self.starts])


def postings_of(
    hashes: UInt64Array,
    starts: Int64Array,
    ends: Int64Array,
    bag: bool,  # noqa: FBT001 - a thread's task
) -> tuple[Postings, int]:
    """The postings of the shingles given to `count_shared`, and the number of shingles."""
    count = len(starts)
    # 40 bits of a hash are left in a key: a chance agreement of two shingles (in one of 10^6 pairs
    # of documents of a thousand words) counts, so a pair is a candidate until it is measured.
    bits = document_bits(count)
    keys = sorted_keys(hashes, starts, ends, np.ones(count, dtype=np.bool_), bits)
    entries = _postings(keys, bits, bag)
    documents = entries[:, DOCUMENT]
    # Short numbers are sorted by their digits, in linear time.
    narrow: AnyArray = documents.astype(np.uint16) if count <= 1 << 16 else documents
    order = np.argsort(narrow, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(documents, minlength=count))])
    return Postings(entries, order, first.astype(np.int64)), len(keys)


@njit(nogil=True, cache=True)
def _postings(keys: Any, bits: Any, bag: Any) -> Any:
    """The entries of `Postings`, from sorted keys: only shingles that several documents hold."""
    entries = np.empty((len(keys), 3), dtype=np.int32)
    mask = (np.uint64(1) << bits) - np.uint64(1)
    count = first = 0
    for index in range(len(keys)):
        key = keys[index]
        if index and key == keys[index - 1]:
            entries[count - 1, WEIGHT] += 1 if bag else 0
            continue
        if index and key >> bits != keys[index - 1] >> bits:
            if count - first < 2:
                count = first
            entries[first:count, END] = count
            first = count
        entries[count, DOCUMENT], entries[count, WEIGHT] = key & mask, 1
        count += 1
    if count - first < 2:
        count = first
    entries[first:count, END] = count
    return entries[:count].copy()


@njit(nogil=True, cache=True)
def _count(entries: Any, order: Any, starts: Any, first: Any, last: Any, number: Any) -> Any:
    """Pairs of the documents `first` to `last` with later documents, and how much they share."""
    counts = np.zeros(number, dtype=np.int32)
    seen = np.zeros((number >> 6) + 1, dtype=np.uint64)  # one bit for each
    one, six, last_bit = np.uint64(1), np.uint64(6), np.uint64(63)
    codes = np.empty(1 << 12, dtype=np.uint64)
    shared = np.empty(1 << 12, dtype=np.int32)
    pairs: Any = 0
    for x in range(first, last):
        highest: Any = np.int64(x)
        most = 0  # documents that may share something
        for index in range(starts[x], starts[x + 1]):
            entry = order[index]
            weight, end = entries[entry, WEIGHT], entries[entry, END]
            for later in range(entry + 1, end):
                y = np.uint64(entries[later, DOCUMENT])
                counts[y] += min(weight, entries[later, WEIGHT])
                seen[y >> six] |= one << (y & last_bit)
            most += end - entry - 1
            highest = max(highest, np.int64(entries[end - 1, DOCUMENT]))
        most = min(most, highest - x)
        if pairs + most > len(codes):
            size = 2 * (pairs + most)
            codes, shared = grown(codes, pairs, size), grown(shared, pairs, size)
        for word in range(np.uint64(x) >> six, (np.uint64(highest) >> six) + one):
            bits = seen[word]
            seen[word] = 0
            while bits:
                lowest = np.uint64(count_ones(~bits & (bits - one)))  # bit that is set
                y = word << six | lowest
                codes[pairs] = np.uint64(x) << np.uint64(32) | y
                shared[pairs] = counts[y]
                counts[y] = 0
                pairs += 1
                bits &= bits - one
    return codes[:pairs].copy(), shared[:pairs].copy()
