"""Reworked passages of a pair: what two texts share though words were exchanged, dropped or moved.

Seeds are found (`core.evidence.seeds`), put together to clusters and cut to passages
(`core.evidence.reworked_spans`): the work is linear in the words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from core.base.arrays import (
    AnyArray,
    BoolArray,
    Float32Array,
    Int64Array,
    IntegerArray,
    UInt16Array,
    UInt64Array,
)
from core.base.tasks import stop_if_cancelled
from core.evidence.passage_selection import MOST_OF_A_TEXT
from core.evidence.reworked_spans import find_spans, label_clusters, order_seeds, select_spans
from core.evidence.seeds import ANCHORS_AT_ONCE, both_sides, find_runs, find_seeds
from core.evidence.shared_words import NO_SPANS, SharedWords, WholeWords, measure_shared
from core.evidence.word_model import Information, WordModel
from core.text.shingling import WordBeginnings
from core.text.word_counts import WORD

WORDS_AT_ONCE = 1 << 17  # of pairs read as one; the grams of longer texts are matched in parts
SEEDS_AT_ONCE = 1 << 20  # whose spans are found between two looks at whether to stop
WORDS_A_PAIR = 16  # what a pair costs besides
COUNTED = 0.01  # the share of unrelated pairs that is aimed at, with a passage that counts
NO_BITS = np.empty(0, dtype=np.float32)
LEAST_BITS = (30.0, 60.0)
LEAST_BITS_OF_FEW = 45.0  # in a folder of too few pairs to count what unrelated texts share
# Letters of scripts without spaces that are a passage make so many words: a few of them in another
# order tell as many bits as words do, and convince nobody.
LEAST_WORDS = 15


class ReworkedPassages(NamedTuple):
    """The passages of a pair, in the order of A.

    Attributes:
        spans: int64 (n, 6): first word and end in A, the same in B, words that match in A, in B.
        bits: float32 (n), the score: the information of the words that match, less a price for
            each that does not; of the two texts the lower.
    """

    spans: Int64Array
    bits: Float32Array


class PassageNumbers(NamedTuple):
    """What was measured of the passages of pairs.

    Attributes:
        bits: float32, of the strongest reworked passage; 0 where there is none.
        shared: How much of the texts stands in passages; known of pairs with reworked passages
            that count, if it was asked for.
    """

    bits: Float32Array
    shared: SharedWords

    @staticmethod
    def none(pairs: int) -> PassageNumbers:
        """Those of pairs that share nothing reworked."""
        return PassageNumbers(np.zeros(pairs, dtype=np.float32), SharedWords.none(pairs))

    @staticmethod
    def join(parts: Sequence[PassageNumbers]) -> PassageNumbers:
        """Those of several parts of pairs."""
        shared = (
            np.concatenate(columns)
            for columns in zip(*(part.shared for part in parts), strict=True)
        )
        return PassageNumbers(np.concatenate([part.bits for part in parts]), SharedWords(*shared))

    @property
    def columns(self) -> dict[str, AnyArray]:
        """As columns of `core.evidence.pairs.Pairs`."""
        return {"reworked_bits": self.bits, **self.shared._asdict()}


def least_bits(model: WordModel) -> float:
    """The bits from which a passage counts: for the numbers of a pair, and to be shown."""
    return model.pairs.threshold(COUNTED, LEAST_BITS, LEAST_BITS_OF_FEW)


def reworked_passages(
    a: UInt64Array,
    b: UInt64Array,
    in_a: Information,
    in_b: Information,
    least: float = np.inf,
    weights: UInt16Array | None = None,
) -> ReworkedPassages:
    """The reworked passages of two texts.

    Args:
        a: The words of a text, with `GAP` where something is set aside.
        b: Those of the other.
        in_a: The information of the words of A; that of a word anywhere is the same in both texts.
        in_b: Of the words of B.
        least: Bits from which on a passage counts: neighbours that count are one passage.
        weights: What the words of A and then of B count (see `core.text.word_counts`); None where
            there are spaces between all.
    """
    information = Information(
        np.concatenate([in_a.here, in_b.here]), np.concatenate([in_a.anywhere, in_b.anywhere])
    )
    bounds = np.array([0, len(a), len(a) + len(b)])
    x, y = np.array([0]), np.array([1])
    words = np.concatenate([a, b])
    found = _find_passages(words, _summed(weights), information, bounds, x, y, least)
    return ReworkedPassages(*found[1:])


def measure_reworked(
    documents: WordBeginnings,
    x: IntegerArray,
    y: IntegerArray,
    model: WordModel,
    wholes: WholeWords | None = None,
    information: Information | None = None,
) -> PassageNumbers:
    """Measure the reworked passages of pairs of documents, on this thread.

    Args:
        documents: The words of all documents, with gaps. Where it is known what they count, letters
            that make too few words are no passage.
        x: First documents of the pairs.
        y: Second documents.
        model: What the words of the folder tell.
        wholes: The words as they are compared word for word, where it is asked how much the texts
            share.
        information: Of all words; what the model tells of them when left out.
    """
    numbers = PassageNumbers.none(len(x))
    places, bounds, x, y = _documents_of(documents.offsets, x, y)
    words, weights = documents.values[places], documents.weights
    before = _summed(None if weights is None else weights[places])
    wholes = wholes and wholes._replace(values=wholes.values[places])
    if information is None:
        information = model.information(words, bounds)
    else:
        information = Information(*(bits[places] for bits in information))
    least = least_bits(model)
    sizes = np.diff(bounds)
    for block in equal_parts(sizes[x] + sizes[y] + WORDS_A_PAIR, WORDS_AT_ONCE):
        pairs, spans, bits = _find_passages(
            words, before, information, bounds, x[block], y[block], least
        )
        pairs += block.start
        np.maximum.at(numbers.bits, pairs, bits)
        stop_if_cancelled()
        if wholes is not None:
            enough = bits >= np.float32(least)
            owners = pairs[enough] - block.start
            shared = measure_shared(wholes, bounds, x[block], y[block], spans[enough], owners)
            numbers.shared.put(block, shared)
    return numbers


def _documents_of(
    offsets: Int64Array, x: IntegerArray, y: IntegerArray
) -> tuple[Int64Array | slice, Int64Array, Int64Array, Int64Array]:
    """The places of the words of the documents of some pairs, their bounds, and their numbers."""
    used = np.zeros(len(offsets) - 1, dtype=np.bool_)
    used[x] = used[y] = True
    if used.all():
        return slice(None), offsets, x.astype(np.int64), y.astype(np.int64)
    documents, numbers = np.flatnonzero(used), np.cumsum(used, dtype=np.int64) - 1
    sizes = np.diff(offsets)[documents]
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    places = np.arange(bounds[-1]) + np.repeat(offsets[documents] - bounds[:-1], sizes)
    return places, bounds, numbers[x], numbers[y]


def equal_parts(work: Int64Array, at_once: int) -> Iterator[slice]:
    """Cut rows into slices of about so much work; a row of more ends one."""
    filled = np.cumsum(work) // at_once
    cuts = [0, *(np.flatnonzero(np.diff(filled)) + 1).tolist(), len(work)]
    yield from (slice(start, end) for start, end in pairwise(cuts) if start < end)


def _find_passages(
    words: UInt64Array,
    before: Int64Array | None,
    information: Information,
    bounds: Int64Array,
    x: Int64Array,
    y: Int64Array,
    least: float,
) -> tuple[Int64Array, Int64Array, Float32Array]:
    """The passages of some pairs: the pair of each, ascending, its spans and bits.

    `before` is what the words before each count, as `_summed` says.
    """
    stop_if_cancelled()
    a, b, swapped = both_sides(words, *information, bounds, x, y)
    runs, ends_a, ends_b = find_runs(a, b, ANCHORS_AT_ONCE)
    stop_if_cancelled()
    seeds = find_seeds(a, b, runs, ends_a, ends_b, WORDS_AT_ONCE)
    stop_if_cancelled()
    labels, clusters, by_place = label_clusters(seeds, len(a.numbers), len(b.numbers))
    stop_if_cancelled()
    orders, begins = order_seeds(seeds, labels, clusters, by_place, a, b)
    stop_if_cancelled()
    results = []
    for part in reversed(list(equal_parts(np.diff(begins), SEEDS_AT_ONCE))):
        stop_if_cancelled()
        results.append(find_spans(seeds, orders, begins[part.start : part.stop + 1], a, b))
    spans, bits = map(np.concatenate, zip((NO_SPANS, NO_BITS), *results, strict=True))
    stop_if_cancelled()
    spans, bits = select_spans(spans, bits, a, b, least)
    pairs = np.searchsorted(a.starts, spans[:, 0], side="right") - 1
    spans[:, :2] -= a.starts[pairs, None]
    spans[:, 2:4] -= b.starts[pairs, None]
    turned = swapped[pairs]
    spans[turned] = spans[turned][:, (2, 3, 0, 1, 5, 4)]
    order = np.lexsort((spans[:, 2], spans[:, 0], pairs))
    if before is not None:
        texts = np.stack([x[pairs], y[pairs]])
        order = order[_are_long_enough(spans, before, bounds, texts)[order]]
    return pairs[order], spans[order], bits[order]


def _summed(weights: UInt16Array | None) -> Int64Array | None:
    """What the words before each count, and at the end all; None where all are between spaces."""
    return None if weights is None else np.concatenate([[0], np.cumsum(weights, dtype=np.int64)])


def _are_long_enough(
    spans: Int64Array, before: Int64Array, bounds: Int64Array, texts: Int64Array
) -> BoolArray:
    """Which passages with letters that are words make enough words, or most of the shorter text.

    A passage is as long as in the text where it is longer. `texts` are int64 (2, n), the documents
    of each.
    """
    ends = bounds[texts] + spans[:, 1:4:2].T
    words = before[ends] - before[bounds[texts] + spans[:, 0:4:2].T]
    shorter = (before[bounds[texts + 1]] - before[bounds[texts]]).min(axis=0)
    have_spaces = (words == WORD * (spans[:, 1:4:2] - spans[:, 0:4:2]).T).all(axis=0)
    least = np.minimum(WORD * LEAST_WORDS, MOST_OF_A_TEXT * shorter)
    return np.asarray(have_spaces | (words.max(axis=0) >= least))
