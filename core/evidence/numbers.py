"""The numbers of pairs, from what was counted of them: the only place where they are computed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int32Array, Int64Array, IntegerArray
from core.evidence.overlap import Overlap, count_distinct, measure_shingles
from core.evidence.pairs import PairFigures
from core.settings import ScanSettings
from core.text.shingling import Shingles


class PairNumbers(NamedTuple):
    """The exact numbers of pairs, as columns of `core.evidence.pairs.Pairs`.

    Attributes:
        resemblance: |A ∩ B| / |A ∪ B|.
        containment_a: |A ∩ B| / |A|.
        containment_b: |A ∩ B| / |B|.
        longest_run: Units of the longest shared run.
        shared_shingles: |A ∩ B|.
        run_words: Whole words of the longest shared run.
    """

    resemblance: Float64Array
    containment_a: Float64Array
    containment_b: Float64Array
    longest_run: Int32Array
    shared_shingles: Int32Array
    run_words: Int32Array

    def take(self, rows: BoolArray) -> PairNumbers:
        """Those where a mask is true."""
        return PairNumbers._make(column[rows] for column in self)

    def figures(self, row: int) -> PairFigures:
        """The numbers of one pair."""
        return PairFigures(*(column[row].item() for column in self))


def numbers_of(
    overlap: Overlap,
    sizes: Int64Array,
    units: Int64Array,
    x: IntegerArray,
    y: IntegerArray,
    k: int,
) -> PairNumbers:
    """The numbers of pairs.

    Args:
        overlap: What was counted of them.
        sizes: By document, how many shingles count.
        units: By document, how many units it has.
        x: First documents.
        y: Second documents.
        k: Units in a shingle.
    """
    shared = overlap.shared.astype(np.float64)
    # Consecutive shingles are k - 1 more units; a text shorter than k is one shingle.
    most = np.minimum(units[x], units[y])
    run = np.where(overlap.longest > 0, np.minimum(overlap.longest + (k - 1), most), 0)
    return PairNumbers(
        resemblance_of(overlap.shared, sizes, x, y),
        shared / np.maximum(sizes[x], 1),
        shared / np.maximum(sizes[y], 1),
        run.astype(np.int32),
        overlap.shared,
        overlap.words,
    )


def resemblance_of(
    shared: Int32Array, sizes: Int64Array, x: IntegerArray, y: IntegerArray
) -> Float64Array:
    """|A ∩ B| / |A ∪ B| of pairs; 0 of two documents without shingles."""
    both = shared.astype(np.float64)
    resemblance: Float64Array = both / np.maximum(sizes[x] + sizes[y] - both, 1)
    return resemblance


def numbers_of_shingles(
    shingles: Shingles, x: IntegerArray, y: IntegerArray, settings: ScanSettings
) -> PairNumbers:
    """The numbers of pairs of texts that were shingled together, with these settings."""
    overlap = measure_shingles(shingles, x, y, settings)
    sizes = sizes_of(shingles, bag=settings.bag)
    return numbers_of(overlap, sizes, shingles.units, x, y, settings.k)


def sizes_of(shingles: Shingles, *, bag: bool) -> Int64Array:
    """How many shingles of each text count: all, or of repeated ones one."""
    shingles = shingles.counting()
    if bag:
        return np.diff(shingles.offsets)
    starts, ends = shingles.offsets[:-1], shingles.offsets[1:]
    sizes: Int64Array = count_distinct(shingles.hashes, starts, ends)
    return sizes
