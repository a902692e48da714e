"""Skip-grams to pairs of documents that may share a reworked passage.

Two documents are a candidate when skip-grams of both agree close together: at three places of
either text or more, within 60 words of one of them, and rare enough together. One that stands in
two of D documents weighs 1, in n of them log(D / n) / log(D / 2): in most of the folder nearly
nothing. Together they must weigh more than 2.

Measured on six folders of real texts with rewording planted: without weights 969 of 1,181 passages
of 30 to 400 words with 10 to 60 % changed are found, among 147,000 pairs; with them 950, among
59,000.

A gram in very many documents is part of a form, a licence or a common phrase, and would make more
pairs than all others together. How many pairs there may be follows from how many grams there are,
so that the work grows with the folder and not with its square; the grams that make most are left
out, counted, and can be told. In small folders none is. More are left out where so many pairs are
found that it would take too long to compare them: then half as many may be made of one gram, and
half of that. What is rare in a folder of paragraphs that many copy finds its pairs all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt8Array, UInt64Array
from core.base.hashing import LOW_32
from core.base.parallel import results_of, worker_count
from core.base.progress import Cancelled, never, stop_if
from core.candidates.skip_gram_index import SkipGramIndex, index_skip_grams
from core.candidates.skip_gram_meetings import count_pairs
from core.signatures.skip_grams import places_of
from core.text.fingerprints import Fingerprints

FEWEST_DOCUMENTS = 200  # in smaller folders, weights are as in one of so many
HEAVIEST = 16  # the weight of a skip-gram in two documents
PAIRS_A_GRAM = 1  # pairs of documents that are counted, for each skip-gram of the folder
FEWEST_PAIRS = 20_000_000  # that are counted in any case: some hundredths of a second
FEWEST_COMPARED = 1 << 26  # skip-grams of candidates, which are compared in any case: some seconds
NO_CODES = np.empty(0, dtype=np.uint64)
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
    *,
    among: int | None = None,
) -> ReworkedCandidates:
    """The pairs of documents of which three skip-grams agree close together.

    Args:
        skip_grams: Of all documents.
        taking_part: By document; of identical documents only one should.
        to_review: By document; two others are no pair.
        cancelled: Polled while the work goes on.
        among: How many documents the rarity of a gram is seen by: all that take part when left
            out, more where only some of them are here.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    documents = int(np.count_nonzero(taking_part)) if among is None else among
    with ThreadPoolExecutor(worker_count(), thread_name_prefix="neardup-engine") as pool:
        index = index_skip_grams(skip_grams, taking_part, pool, cancelled)
        weights = weights_of(index, documents)
        stop_if(cancelled)
        limit, pairs = _limit(index, to_review)
        common, codes = CommonSkipGrams.none(), None
        while codes is None or (limit > 1 and _are_too_many(codes, skip_grams)):
            limit = limit if codes is None else limit // 2
            is_common = pairs > limit
            if is_common.any():
                common = _told(index, is_common, common)
                index.forget(is_common, pool, cancelled)
            begun = _begin(index, weights, to_review, pool)
            codes = np.concatenate([NO_CODES, *results_of(begun, cancelled)])
    codes.sort()
    return ReworkedCandidates(codes, common, limit)


def weights_of(index: SkipGramIndex, documents: int) -> UInt8Array:
    """What skip-grams weigh, 1 to `HEAVIEST`, where the documents begin that hold them, uint8."""
    weights = np.zeros(len(index.holders), dtype=np.uint8)
    weights[index.starts[:-1]] = weigh(np.diff(index.starts), documents)
    return weights


def weigh(sizes: Int64Array, documents: int) -> UInt8Array:
    """What skip-grams weigh, 1 to `HEAVIEST`, that stand in so many of all documents, uint8."""
    among = max(documents, FEWEST_DOCUMENTS)
    share = np.log2(among / sizes) / np.log2(among / 2)
    return np.asarray(np.clip(np.rint(HEAVIEST * share), 1, HEAVIEST), dtype=np.uint8)


def most_pairs(grams: int) -> int:
    """How many pairs all skip-grams of a folder with so many may make together."""
    return max(FEWEST_PAIRS, PAIRS_A_GRAM * grams)


def most_compared(grams: int) -> int:
    """How many skip-grams of candidates are compared at most, in a folder with so many."""
    return max(FEWEST_COMPARED, grams)


def limit_within(ordered: Int64Array, sums: Int64Array, budget: int) -> int:
    """How many pairs a gram may make so that all make no more than there may be.

    Args:
        ordered: int64, how many pairs grams make, ascending.
        sums: int64, how many all make that make no more than each of these, in this order.
        budget: How many there may be.
    """
    fitting = int(np.searchsorted(sums, budget, side="right"))
    if fitting == len(ordered):
        return int(ordered[-1]) if len(ordered) else 0
    below = int(np.searchsorted(ordered, ordered[fitting]))  # of those with as many, all go
    return int(ordered[below - 1]) if below else 0


def _limit(index: SkipGramIndex, to_review: BoolArray) -> tuple[int, Int64Array]:
    """The limit of a folder, and how many pairs each hash makes."""
    pairs = index.pairs(to_review)
    ordered = np.sort(pairs)
    return limit_within(ordered, np.cumsum(ordered), most_pairs(len(index.values))), pairs


def _are_too_many(codes: UInt64Array, skip_grams: Fingerprints) -> bool:
    """Whether it takes too long to compare these pairs, by the skip-grams of their documents."""
    x, y = codes >> np.uint64(32), codes & LOW_32
    counts = skip_grams.counts
    return int(counts[x].sum() + counts[y].sum()) > most_compared(len(skip_grams.values))


def _told(index: SkipGramIndex, is_common: BoolArray, before: CommonSkipGrams) -> CommonSkipGrams:
    """What is told of some hashes that make no pairs, one at least; some were told of before."""
    sizes = np.diff(index.starts)
    holds = np.zeros(len(index.bounds) - 1, dtype=np.bool_)
    holds[index.holders[np.repeat(is_common, sizes)]] = True
    told = before._replace(
        grams=int(np.count_nonzero(is_common)), documents=int(np.count_nonzero(holds))
    )
    if before.grams:
        return told
    first = int(np.argmax(np.where(is_common, sizes, 0)))
    document = int(index.holders[index.starts[first]])
    own = slice(*index.bounds[document : document + 2].tolist())
    gram = own.start + int(np.argmax(index.held[own] >> 32 == index.starts[first]))
    word = int(places_of(index.values[gram : gram + 1])[0])
    return told._replace(most=int(sizes[first]), document=document, word=word)


def _begin(
    index: SkipGramIndex, weights: UInt8Array, to_review: BoolArray, pool: ThreadPoolExecutor
) -> Iterator[Future[UInt64Array]]:
    """Count the pairs of the documents, some at a time."""
    documents = len(index.bounds) - 1
    first = 0
    while first < documents:
        behind = np.searchsorted(index.bounds, index.bounds[first] + GRAMS_AT_ONCE)
        last = min(documents, max(first + 1, int(behind)))
        yield pool.submit(count_pairs, index, weights, to_review, first, last)
        first = last
