"""Reworked passages of a pair: what two texts share though words were exchanged, dropped or moved.

Seeds are found (`core.evidence.seeds`), put together to clusters and cut to passages
(`core.evidence.reworked_spans`): the work is linear in the words.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from core.base.arrays import Float32Array, Int32Array, Int64Array, IntegerArray, UInt64Array
from core.base.tasks import Cancelled, never, stop_if
from core.evidence.reworked_spans import find_spans, label_clusters, order_seeds, select_spans
from core.evidence.seeds import ANCHORS_AT_ONCE, add_seeds, both_sides, find_runs
from core.evidence.word_model import Information, WordModel
from core.text.set_aside import GAP

WORDS_AT_ONCE = 1 << 17  # of pairs read as one; the grams of longer texts are matched in parts
PARTS = 1024.0  # of a bit, in sums
WORDS_A_PAIR = 16  # what a pair costs besides
COUNTED = 0.01  # the share of unrelated pairs that is aimed at, with a passage that counts
LEAST_BITS = (30.0, 60.0)
LEAST_BITS_OF_FEW = 45.0  # in a folder of too few pairs to count what unrelated texts share


class ReworkedPassages(NamedTuple):
    """The passages of a pair, in the order of A.

    Attributes:
        spans: int64 (n, 6): first word and end in A, the same in B, words that match in A, in B.
        bits: float32 (n), the score: the information of the words that match, less a price for
            each that does not; of the two texts the lower.
    """

    spans: Int64Array
    bits: Float32Array


class ReworkedNumbers(NamedTuple):
    """What was measured of pairs.

    Attributes:
        words: int32, of all passages that count, of each the words in the text where it has fewer.
        bits: float32, of the strongest passage; 0 where there is none.
        share: float32, the mean of both texts' shares of information that these have.
    """

    words: Int32Array
    bits: Float32Array
    share: Float32Array

    @staticmethod
    def none(pairs: int) -> ReworkedNumbers:
        """Those of pairs that share nothing."""
        words, bits = np.zeros(pairs, dtype=np.int32), np.zeros(pairs, dtype=np.float32)
        return ReworkedNumbers(words, bits, bits.copy())


def least_bits(model: WordModel) -> float:
    """The bits from which a passage counts: for the numbers of a pair, and to be shown."""
    return model.pairs.threshold(COUNTED, LEAST_BITS, LEAST_BITS_OF_FEW)


def reworked_passages(
    a: UInt64Array,
    b: UInt64Array,
    in_a: Information,
    in_b: Information,
    cancelled: Cancelled = never,
) -> ReworkedPassages:
    """The reworked passages of two texts.

    Args:
        a: The words of a text, with `GAP` where something is set aside.
        b: Those of the other.
        in_a: The information of the words of A; that of a word anywhere is the same in both texts.
        in_b: Of the words of B.
        cancelled: Polled between the parts of long texts.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    information = Information(
        np.concatenate([in_a.here, in_b.here]), np.concatenate([in_a.anywhere, in_b.anywhere])
    )
    bounds = np.array([0, len(a), len(a) + len(b)])
    x, y = np.array([0]), np.array([1])
    words = np.concatenate([a, b])
    _, spans, bits = _find_passages(words, information, bounds, x, y, cancelled)
    return ReworkedPassages(spans, bits)


def measure_reworked(
    words: UInt64Array,
    offsets: Int64Array,
    x: IntegerArray,
    y: IntegerArray,
    model: WordModel,
    cancelled: Cancelled = never,
) -> ReworkedNumbers:
    """Measure the reworked passages of pairs of documents, on this thread.

    Args:
        words: The words of all documents, one after the other, with gaps.
        offsets: Document i has `words[offsets[i]:offsets[i + 1]]`.
        x: First documents of the pairs.
        y: Second documents.
        model: What the words of the folder tell.
        cancelled: Polled between the steps of blocks of pairs, and between parts of long texts.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    numbers, totals = ReworkedNumbers.none(len(x)), np.zeros(len(x))
    words, bounds, x, y = _documents_of(words, offsets, x, y)
    information, least = model.information(words, bounds), np.float32(least_bits(model))
    sizes = np.diff(bounds)
    for block in equal_parts(sizes[x] + sizes[y] + WORDS_A_PAIR, WORDS_AT_ONCE):
        pairs, spans, bits = _find_passages(
            words, information, bounds, x[block], y[block], cancelled
        )
        pairs += block.start
        np.maximum.at(numbers.bits, pairs, bits)
        enough = bits >= least
        pairs, spans, bits = pairs[enough], spans[enough], bits[enough]
        shorter = np.minimum(spans[:, 1] - spans[:, 0], spans[:, 3] - spans[:, 2])
        np.add.at(numbers.words, pairs, shorter.astype(np.int32))
        np.add.at(totals, pairs, np.rint(bits * PARTS))
    # Whole numbers have the same sum in any order.
    parts = np.rint(information.here * PARTS, dtype=np.float64)
    parts[words == GAP] = 0
    sums = np.concatenate([[0.0], np.cumsum(parts)])
    in_document = np.maximum(sums[bounds[1:]] - sums[bounds[:-1]], 1)
    in_x, in_y = (np.minimum(totals / in_document[side], 1) for side in (x, y))
    return numbers._replace(share=((in_x + in_y) / 2).astype(np.float32))


def _documents_of(
    words: UInt64Array, offsets: Int64Array, x: IntegerArray, y: IntegerArray
) -> tuple[UInt64Array, Int64Array, Int64Array, Int64Array]:
    """The words of the documents of some pairs, where each document begins, and their numbers."""
    used = np.zeros(len(offsets) - 1, dtype=np.bool_)
    used[x] = used[y] = True
    if used.all():
        return words, offsets, x.astype(np.int64), y.astype(np.int64)
    documents, numbers = np.flatnonzero(used), np.cumsum(used, dtype=np.int64) - 1
    sizes = np.diff(offsets)[documents]
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    places = np.arange(bounds[-1]) + np.repeat(offsets[documents] - bounds[:-1], sizes)
    return words[places], bounds, numbers[x], numbers[y]


def equal_parts(work: Int64Array, at_once: int) -> Iterator[slice]:
    """Cut rows into slices of about so much work; a row of more ends one."""
    filled = np.cumsum(work) // at_once
    cuts = [0, *(np.flatnonzero(np.diff(filled)) + 1).tolist(), len(work)]
    yield from (slice(start, end) for start, end in pairwise(cuts) if start < end)


def _find_passages(
    words: UInt64Array,
    information: Information,
    bounds: Int64Array,
    x: Int64Array,
    y: Int64Array,
    cancelled: Cancelled,
) -> tuple[Int64Array, Int64Array, Float32Array]:
    """The passages of some pairs: the pair of each, ascending, its spans and bits."""
    stop_if(cancelled)
    a, b, swapped = both_sides(words, *information, bounds, x, y)
    runs, ends_a, ends_b = find_runs(a, b, ANCHORS_AT_ONCE)
    seeds: Int64Array = np.empty((len(b.numbers), 4), dtype=np.int64)
    used = 0
    for part in range(1 + int((a.ends - a.starts).max()) // WORDS_AT_ONCE):
        stop_if(cancelled)
        seeds, used = add_seeds(a, b, runs, ends_a, ends_b, part, WORDS_AT_ONCE, seeds, used)
    stop_if(cancelled)
    seeds = seeds[:used]
    labels, clusters = label_clusters(seeds)
    stop_if(cancelled)
    orders, begins = order_seeds(seeds, labels, clusters, a, b)
    stop_if(cancelled)
    spans, bits = find_spans(seeds, orders, begins, a, b)
    stop_if(cancelled)
    spans, bits = select_spans(spans, bits, a, b)
    pairs = np.searchsorted(a.starts, spans[:, 0], side="right") - 1
    spans[:, :2] -= a.starts[pairs, None]
    spans[:, 2:4] -= b.starts[pairs, None]
    turned = swapped[pairs]
    spans[turned] = spans[turned][:, (2, 3, 0, 1, 5, 4)]
    order = np.lexsort((spans[:, 2], spans[:, 0], pairs))
    return pairs[order], spans[order], bits[order]
