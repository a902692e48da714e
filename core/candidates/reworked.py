"""Skip-grams to pairs of documents that may share a reworked passage.

Two documents are a candidate when skip-grams of both agree close together: at three positions of
either text or more, within 60 words of one of them, and rare enough together. A skip-gram in two of
D documents weighs 1, in n of them log(D / n) / log(D / 2): in most of the folder nearly nothing.
Together they must weigh more than 2.

A gram in very many documents is part of a form, a licence or a common phrase, and would make more
pairs than all others together. How many pairs there may be follows from how many grams there are,
so that the work grows with the folder and not with its square; the grams that make most are left
out, counted, and can be reported; in small folders none is. More are left out where so many pairs
are found that it would take too long to compare them: then a gram may make half as many pairs, then
half of that, and so on. Rare text in a folder of often copied paragraphs still finds its pairs.

The share of grams of a folder that count is measured too, for the promise of
`core.candidates.reworked_curve`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array, UInt8Array, UInt64Array
from core.base.hashing import LOW_32
from core.base.sorting import sort_keys
from core.base.tasks import (
    Progress,
    ProgressReport,
    Stage,
    WorkerPool,
    ignore,
    results_of,
    stop_if_cancelled,
)
from core.candidates.reworked_curve import KeptShare
from core.candidates.skip_gram_index import (
    NEEDED_WEIGHT,
    NUMBER,
    SharedSkipGrams,
    count_pairs,
    find_shared,
    index_by_document,
)
from core.settings import NEEDED, NEIGHBOURS
from core.signatures.signing import LAST_POSITION, MOST_LETTERS, positions_of
from core.text.shingling import Fingerprints, WordBeginnings

FEWEST_DOCUMENTS = 200  # in smaller folders, weights are as in one of so many
HEAVIEST = 16  # the weight of a skip-gram in two documents
PAIRS_A_GRAM = 1  # pairs of documents that are counted, for each skip-gram of the folder
FEWEST_PAIRS = 1 << 22  # that are counted in any case: some tenths of a second
FEWEST_COMPARED = 1 << 26  # skip-grams of candidates, which are compared in any case: some seconds
NO_CODES = np.empty(0, dtype=np.uint64)
# Skip-grams of a piece of work that counts pairs: there are so many pieces that all cores have some
# and progress can be shown, but none is so small that starting it costs more than its work.
PIECES = 32
LEAST_AT_ONCE, MOST_AT_ONCE = 1 << 14, 1 << 20


class CommonSkipGrams(NamedTuple):
    """Skip-grams in too many documents, which made no pairs.

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
        """No common skip-grams: all made pairs."""
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
    progress: Progress = ignore,
    *,
    among: int | None = None,
) -> ReworkedCandidates:
    """The pairs of documents of which three skip-grams agree close together.

    Args:
        skip_grams: Of all documents.
        taking_part: By document; of identical documents only one should.
        to_review: By document; two references are no pair.
        progress: Receives the number of documents done; starts again where there were too many
            pairs.
        among: How many documents the rarity of a gram is measured in: all that take part when left
            out, more where only some of them are given.
    """
    documents = int(np.count_nonzero(taking_part)) if among is None else among
    progress(ProgressReport(Stage.MEET, 0, len(taking_part)))
    with WorkerPool() as pool:
        shared = find_shared(skip_grams, taking_part, pool)
        weights = weights_of(shared, documents)
        stop_if_cancelled()
        limit, pairs = _limit(shared, to_review, len(skip_grams.values))
        most_common = _most_common(shared, pairs, limit, skip_grams)
        weights[shared.starts[pairs > limit]] = 0
        index = index_by_document(shared, weights, skip_grams, pool)
        shared = shared._replace(shared=NO_CODES)  # frees eight bytes a gram
        common, codes = CommonSkipGrams.none(), None
        while codes is None or (limit > 1 and _are_too_many(codes, skip_grams)):
            limit = limit if codes is None else limit // 2
            is_common = pairs > limit
            weights[shared.starts[is_common]] = 0
            parts = list(_parts(index.bounds))
            tasks = (pool.submit(count_pairs, index, weights, to_review, *part) for part in parts)
            code_parts = [NO_CODES]
            for (_, end), pairs_of_part in zip(parts, results_of(tasks), strict=True):
                if len(code_parts) == 1 and is_common.any():  # while the others count
                    holds = shared.holding(is_common, len(taking_part))
                    common = most_common._replace(
                        grams=int(np.count_nonzero(is_common)),
                        documents=int(np.count_nonzero(holds)),
                    )
                code_parts.append(pairs_of_part)
                progress(ProgressReport(Stage.MEET, end, len(taking_part)))
            codes = np.concatenate(code_parts)
    return ReworkedCandidates(sort_keys(codes), common, limit)


def weights_of(shared: SharedSkipGrams, documents: int) -> UInt8Array:
    """Weights of skip-grams, 1 to `HEAVIEST`, uint8, at the starts of their `holders`."""
    weights = np.zeros(len(shared.holders), dtype=np.uint8)
    by_size = weigh(np.arange(1, shared.sizes.max(initial=1) + 1), documents)
    weights[shared.starts] = by_size[shared.sizes - 1]
    return weights


def weigh(sizes: Int64Array, documents: int) -> UInt8Array:
    """Weights of skip-grams, 1 to `HEAVIEST`, uint8, by how many of all documents hold them."""
    among = max(documents, FEWEST_DOCUMENTS)
    share = np.log2(among / sizes) / np.log2(among / 2)
    return np.asarray(np.clip(np.rint(HEAVIEST * share), 1, HEAVIEST), dtype=np.uint8)


def most_pairs(grams: int) -> int:
    """How many pairs all skip-grams of a folder with this many may make together."""
    return max(FEWEST_PAIRS, PAIRS_A_GRAM * grams)


def most_compared(grams: int) -> int:
    """How many skip-grams of candidates are compared at most, in a folder with so many."""
    return max(FEWEST_COMPARED, grams)


def limit_within(ordered: Int64Array, sums: Int64Array, budget: int) -> int:
    """The most pairs that a gram may make so that all together stay within a budget.

    Args:
        ordered: int64, how many pairs grams make, ascending.
        sums: int64, for each of these how many pairs the grams up to it make together.
        budget: How many pairs all may make.
    """
    fitting = int(np.searchsorted(sums, budget, side="right"))
    if fitting == len(ordered):
        return int(ordered[-1]) if len(ordered) else 0
    below = int(np.searchsorted(ordered, ordered[fitting]))  # equal ones are left out together
    return int(ordered[below - 1]) if below else 0


def _limit(shared: SharedSkipGrams, to_review: BoolArray, grams: int) -> tuple[int, Int64Array]:
    """The limit of a folder with this many skip-grams, and how many pairs each hash makes."""
    pairs, budget = shared.pairs(to_review), most_pairs(grams)
    # Grams with no more than an equal share of the budget are within the limit: no need to sort.
    each = budget // max(1, len(pairs))
    larger = np.sort(pairs[pairs > each])
    ordered = np.concatenate([[pairs.max(initial=0, where=pairs <= each)], larger])
    sums = pairs.sum() - larger.sum() + np.concatenate([[0], np.cumsum(larger)])
    return limit_within(ordered, sums, budget), pairs


def _are_too_many(codes: UInt64Array, skip_grams: Fingerprints) -> bool:
    """Whether it takes too long to compare these pairs, by the skip-grams of their documents."""
    x, y = codes >> np.uint64(32), codes & LOW_32
    counts = skip_grams.counts
    return int(counts[x].sum() + counts[y].sum()) > most_compared(len(skip_grams.values))


def _most_common(
    shared: SharedSkipGrams, pairs: Int64Array, limit: int, skip_grams: Fingerprints
) -> CommonSkipGrams:
    """The most common of the hashes that make no pairs when first any does not.

    Args:
        shared: All shared skip-grams, in the order of hashes.
        pairs: How many pairs each hash makes.
        limit: How many it may make; half of that, and so on, where too many pairs are found.
        skip_grams: Of all documents.
    """
    while limit > 1 and pairs.max(initial=0) <= limit:
        limit //= 2
    is_common = pairs > limit
    if not is_common.any():
        return CommonSkipGrams.none()
    hash_ = int(np.argmax(np.where(is_common, shared.sizes, 0)))
    gram = skip_grams.values[shared.first_gram(hash_)]
    return CommonSkipGrams.none()._replace(
        most=int(shared.sizes[hash_]),
        document=int(shared.holders[shared.starts[hash_]]),
        word=int(gram & LAST_POSITION),
    )


def _parts(bounds: Int64Array) -> Iterator[tuple[int, int]]:
    """The documents whose pairs are counted in each piece of work: the first, and the end.

    Args:
        bounds: Which skip-grams each document has, int64.
    """
    documents = len(bounds) - 1
    at_once = min(max(LEAST_AT_ONCE, int(bounds[-1]) // PIECES), MOST_AT_ONCE)
    first = 0
    while first < documents:
        end = np.searchsorted(bounds, bounds[first] + at_once)
        last = min(documents, max(first + 1, int(end)))
        yield first, last
        first = last


PASSAGE = 30  # words: the shortest that a promise is made for; longer ones vary less
RARE = min(HEAVIEST, -(-NEEDED_WEIGHT // NEEDED))  # the weight from which three grams suffice


def measure_kept(skip_grams: Fingerprints, taking_part: BoolArray, one_in: int) -> KeptShare | None:
    """The share of grams that are kept and rare, of all passages of 30 words; None without any.

    Args:
        skip_grams: Of all documents.
        taking_part: By document.
        one_in: One of so many grams is sampled.
    """
    with WorkerPool() as pool:
        shared = find_shared(skip_grams, taking_part, pool)
    weights = weights_of(shared, int(np.count_nonzero(taking_part)))
    is_rare = np.ones(len(skip_grams.values), dtype=np.bool_)  # where no other document has it
    starts = (shared.shared & LOW_32) >> np.uint64(1)
    is_rare[shared.shared >> NUMBER] = weights[starts] >= RARE
    counts = _by_passage(positions_of(skip_grams.values), skip_grams.counts, is_rare)
    if not len(counts):
        return None
    all_grams = PASSAGE * NEIGHBOURS / one_in
    mean = float(counts.mean())
    # The variance of the sampling is no difference between passages.
    spread = float(np.sqrt(max(0.0, counts.var() - mean)))
    return KeptShare(min(1.0, mean / all_grams), spread / all_grams)


def share_kept_in_both(words: WordBeginnings) -> KeptShare:
    """The share of a text's kept grams that another text keeps too, by their letters.

    Pairs of adjacent words stand for all grams of a text.

    Args:
        words: Of a sample of the documents.
    """
    texts = [
        letters[letters > 0].astype(np.int64)
        for letters in np.split(words.letters, words.offsets[1:-1])
    ]
    texts = [letters for letters in texts if len(letters) > 1]
    if len(texts) < 2:
        return KeptShare(1.0, 0.0)
    least = np.array([min(MOST_LETTERS, round(float(text.mean()))) for text in texts])
    tails = np.array([_with_letters(np.minimum(text[:-1], text[1:])) for text in texts])
    rows, needed = np.arange(len(texts))[:, None], np.maximum(least[:, None], least)
    shares = tails[rows, needed] / np.maximum(tails[rows, least[:, None]], 1e-9)
    pair_shares = shares[~np.eye(len(texts), dtype=np.bool_)]
    return KeptShare(float(pair_shares.mean()), float(pair_shares.std()))


def _with_letters(letters: Int64Array) -> Float64Array:
    """The share of grams of words with 0, 1, ... `MOST_LETTERS` letters and more, float64."""
    counts = np.bincount(np.minimum(letters, MOST_LETTERS), minlength=MOST_LETTERS + 1)
    return np.cumsum(counts[::-1])[::-1] / len(letters)


def _by_passage(positions: Int64Array, counts: Int64Array, counted: BoolArray) -> Int64Array:
    """The number of grams in each passage; the rest at the end of a document is no passage."""
    passages = positions // PASSAGE
    has_grams = counts > 0
    lasts = np.cumsum(counts)[has_grams] - 1
    passage_counts = passages[lasts]
    bounds = np.concatenate([[0], np.cumsum(passage_counts)])
    documents = np.repeat(np.arange(len(lasts)), counts[has_grams])
    inside = passages < passage_counts[documents]
    numbers = (bounds[documents] + passages)[inside & counted]
    return np.bincount(numbers, minlength=int(bounds[-1])).astype(np.int64)
