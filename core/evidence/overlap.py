"""The exact evidence of candidate pairs: shared shingles and the longest shared run.

For every document a hash table of its shingles is built once and its partners are looked up in it,
so the cost of a pair is that of reading the partner, which should be the shorter one.

The longest run of shingles that two texts share: the stretch in both with the most words.

Runs are found along the diagonals of matching positions. Texts that repeat themselves have too many
of these: if they are stretches of a repeated shingle, like "la la la", there are few diagonals of
stretches, and otherwise the weight of the longest run is found by bisection.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import (
    BoolArray,
    Float64Array,
    Int32Array,
    Int64Array,
    IntegerArray,
    UInt64Array,
    begins_run,
)
from core.base.compiling import njit
from core.base.hashing import (
    MERSENNE_61,
    affine,
    different_of_each,
    find_index_slot,
    find_slot,
    slots_for,
)
from core.base.tasks import left_when_cancelled, stop_if_cancelled
from core.evidence.pairs import PairFigures
from core.settings import ScanSettings
from core.text.characters import has_long
from core.text.set_aside import SetAside, merged
from core.text.shingling import NO_SHINGLE, Shingles, shingle
from core.text.word_counts import WORD, UnitWeights, usual_weight

# If a pair has more matching positions than this for each of its shingles, its longest run is not
# sought along the diagonals (see `longest_of_repetitive`), nor along those of stretches.
MATCHES_PER_SHINGLE = 64
WINDOW_FACTOR = np.uint64(0x1E3779B97F4A7C15)
LOWERING = np.uint64(
    pow(0x1E3779B97F4A7C15, -1, 2**61 - 1)
)  # from a power of it to the next lower one


def longest_of_repetitive(
    a: UInt64Array, b: UInt64Array, units: UnitWeights, x: int, y: int
) -> tuple[int, int]:
    """Longest common run and its weight: along stretches if these are few, or by bisection."""
    alike = units.first[x] < 0 and units.first[y] < 0
    if alike:  # the same row serves both
        counts = units.units[x], units.units[y]
        row = np.arange(max(counts) + 1)
        before_a, before_b = (row[: count + 1] for count in counts)
    else:
        before_a, before_b = _weigh_units(units, x), _weigh_units(units, y)
    new_a, new_b = begins_run(a), begins_run(b)
    matches = np.count_nonzero(new_a) * np.count_nonzero(new_b)
    if matches > MATCHES_PER_SHINGLE * (len(a) + len(b)):
        del new_a, new_b
        if len(a) < len(b):  # the shorter one last, whose windows are held in a table
            a, b, before_a, before_b = b, a, before_b, before_a
        length, weight = _longest_by_bisection(a, b, before_a, before_b, units.k)
    else:
        stretches = *_stretches(a, new_a), *_stretches(b, new_b)
        length, weight = _longest_of_stretches(*stretches, before_a, units.k)
    return length, weight * units.usual if alike else weight


def _weigh_units(units: UnitWeights, document: int) -> Int64Array:
    """The weight of the units before each unit of a document, and before its end."""
    first, count = int(units.first[document]), int(units.units[document])
    if first < 0:
        return np.arange(0, units.usual * count + 1, units.usual)
    before = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(units.weights[first : first + count], out=before[1:])
    return before


def _stretches(values: UInt64Array, new: BoolArray) -> tuple[UInt64Array, Int64Array]:
    """The shingles of a text's stretches, and how often each occurs there in a row."""
    starts = np.flatnonzero(new)
    return values[starts], np.diff(np.append(starts, len(values)))


@njit(nogil=True, cache=True)
def _longest_of_stretches(
    values_a: Any, lengths_a: Any, values_b: Any, lengths_b: Any, before: Any, k: Any
) -> Any:
    """Longest common run of two texts of stretches: its length and weight.

    A run continues from a stretch to the next at the same shingle in both texts. So it continues
    after a pair of stretches only if both end together: if they are equally long, or the run begins
    inside the longer one.
    """
    best, heaviest = np.int64(0), np.int64(0)
    run = np.zeros(len(values_a), dtype=np.int64)  # that ends where a stretch and the other's end
    for index_b in range(len(values_b)):
        last = np.int64(0)
        start = np.int64(0)  # of the stretch, in shingles
        for index_a in range(len(values_a)):
            joined, last = last, run[index_a]
            run[index_a] = 0
            if values_a[index_a] == values_b[index_b]:
                both = min(lengths_a[index_a], lengths_b[index_b])
                length, end = joined + both, start + both
                weight = before[min(end + k - 1, len(before) - 1)] - before[end - length]
                if weight > heaviest or (weight == heaviest and length > best):
                    best, heaviest = length, weight
                same = lengths_a[index_a] == lengths_b[index_b]
                run[index_a] = length if same else both
            start += lengths_a[index_a]
    return best, heaviest


def _longest_by_bisection(
    a: UInt64Array, b: UInt64Array, before_a: Int64Array, before_b: Int64Array, k: int
) -> tuple[int, int]:
    """Longest common run: a run of a weight contains runs of all smaller weights."""
    low, high = 1, int(min(before_a[-1], before_b[-1]))
    keys = np.empty(slots_for(len(b)), dtype=np.uint64)
    length = _share_run(a, b, before_a, before_b, k, low, keys)
    while low < high:
        stop_if_cancelled()
        middle = (low + high + 1) // 2
        run = _share_run(a, b, before_a, before_b, k, middle, keys)
        if run:
            low, length = middle, run
        else:
            high = middle - 1
    return length, low


@njit(nogil=True, cache=True)
def _share_run(a: Any, b: Any, before_a: Any, before_b: Any, k: Any, wanted: Any, keys: Any) -> Any:
    """The length of the longest run that is in both and just heavy enough; 0 for none.

    Runs are identified by their polynomial mod 2^61 - 1: modulo a power of two, those of regular
    texts collide (Thue-Morse sequences do). `keys` is an array for a table of the runs of b.
    """
    keys[:] = 0  # for none; a polynomial is one less than its key
    best = np.int64(0)
    for turn in range(2):
        values = b if turn == 0 else a
        before = before_b if turn == 0 else before_a
        rolling, power, raised = np.uint64(0), np.uint64(1), 0
        end, last = 0, len(before) - 1
        for start in range(len(values)):
            enough = before[start] + wanted  # for the weight of the units before the run's end
            while end < len(values) and (end == start or before[min(end + k - 1, last)] < enough):
                rolling = affine(WINDOW_FACTOR, rolling, values[end] % MERSENNE_61)
                end += 1
            if before[min(end + k - 1, last)] < enough:
                break
            key = rolling + np.uint64(1)
            slot = find_slot(keys, keys, key)
            if turn == 0:
                keys[slot] = key
            elif keys[slot]:
                best = max(best, np.int64(end - start))
            while raised < end - start - 1:
                power = affine(WINDOW_FACTOR, power, np.uint64(0))
                raised += 1
            while raised > end - start - 1:
                power = affine(LOWERING, power, np.uint64(0))
                raised -= 1
            gone = values[start] % MERSENNE_61
            rolling = affine(power, (MERSENNE_61 - gone) % MERSENNE_61, rolling)
    return best


SECOND_GAP = NO_SHINGLE - np.uint64(1)  # a gap of the second text, which matches none of the first
REPETITIVE = -1  # instead of the longest run of such a pair, until it is sought


class Overlap(NamedTuple):
    """Numbers of what pairs share, all int32.

    Attributes:
        shared: Shingles.
        longest: Consecutive shingles, in the stretch of most words.
        words: Whole words of that stretch (see `core.text.word_counts`).
    """

    shared: Int32Array
    longest: Int32Array
    words: Int32Array

    def take(self, rows: IntegerArray | BoolArray) -> Overlap:
        """The pairs with these indices, in this order, or those where a mask is true."""
        return Overlap._make(column[rows] for column in self)


def measure_overlap(
    hashes: UInt64Array,
    starts: Int64Array,
    ends: Int64Array,
    x: IntegerArray,
    y: IntegerArray,
    *,
    bag: bool,
    weights: UnitWeights | None = None,
) -> Overlap:
    """Count what pairs share.

    Args:
        hashes: Shingles in reading order, gaps too; document i has `hashes[starts[i]:ends[i]]`.
        starts: int64, by document.
        ends: int64, by document.
        x: First documents of the pairs; fastest when equal ones are neighbours.
        y: Second documents of the pairs.
        bag: Count every occurrence (the smaller number of the two), not every shingle once.
        weights: The weights of the units of the documents; each shingle as a word when left out.
    """
    if weights is None:
        none = np.full(len(starts), -1, dtype=np.int64)
        weights = UnitWeights(1, WORD, ends - starts, np.empty(0, dtype=np.uint16), none)
    # One type, so that the kernel is compiled once.
    x, y = x.astype(np.int64, copy=False), y.astype(np.int64, copy=False)
    results = Overlap(*(np.zeros(len(x), dtype=np.int32) for _ in Overlap._fields))
    _measure(hashes, starts, ends, weights, x, y, bag, MATCHES_PER_SHINGLE, results)
    for pair in np.flatnonzero(results.longest == REPETITIVE):
        a, b = x[pair], y[pair]
        stop_if_cancelled()
        partner = hashes[starts[b] : ends[b]]
        gaps = partner == NO_SHINGLE
        if gaps.any():
            partner = np.where(gaps, SECOND_GAP, partner)
        shingles = hashes[starts[a] : ends[a]]
        results.longest[pair], weight = longest_of_repetitive(shingles, partner, weights, a, b)
        results.words[pair] = weight // WORD
    return results


def measure_shingles(
    shingles: Shingles, x: IntegerArray, y: IntegerArray, settings: ScanSettings
) -> Overlap:
    """Count what pairs of texts share that were shingled together with these settings."""
    first, weights = np.full(len(shingles.units), -1, dtype=np.int64), shingles.weights
    if weights is not None:
        first = np.cumsum(shingles.units) - shingles.units
    else:
        weights = np.empty(0, dtype=np.uint16)
    usual = usual_weight(settings.unit)
    counted = UnitWeights(settings.k, usual, shingles.units, weights, first)
    starts, ends = shingles.offsets[:-1], shingles.offsets[1:]
    return measure_overlap(shingles.hashes, starts, ends, x, y, bag=settings.bag, weights=counted)


@njit(nogil=True, cache=True)
def _measure(
    hashes: Any,
    starts: Any,
    ends: Any,
    units: Any,
    x: Any,
    y: Any,
    bag: Any,
    matches_per_shingle: Any,
    results: Any,
) -> None:
    """Measure pairs; neighbours with the same first document share the table of its shingles."""
    pair = 0
    while pair < len(x):
        first = x[pair]
        shingles = hashes[starts[first] : ends[first]]
        # Positions of shingles are counted from 1; 0 is none.
        slots = slots_for(len(shingles))
        last = np.zeros(slots, dtype=np.int32)  # by slot: the last position of a shingle
        counts = np.zeros(len(shingles) + 1, dtype=np.int32)  # by last position: its occurrences
        earlier = np.empty(len(shingles), dtype=np.int32)  # by position less 1: the previous one
        for index in range(len(shingles)):
            if shingles[index] != NO_SHINGLE:
                slot = find_index_slot(shingles, last, shingles[index], shingles[index])
                earlier[index] = last[slot]
                counts[index + 1] = counts[last[slot]] + 1
                last[slot] = index + 1
        weighs = units.first[first] >= 0
        before = np.zeros((units.units[first] if weighs else 0) + 1, dtype=np.int64)
        for unit in range(len(before) - 1):  # the weight of all units before
            before[unit + 1] = before[unit] + units.weights[units.first[first] + unit]
        taken = np.zeros(len(shingles) + 1, dtype=np.int32)  # by last position: how many counted
        # By position: the length of the match that ends there, and its end among all shingles of
        # partners that were read so far, so that entries of an earlier partner are out of reach.
        run = np.zeros(len(shingles) + 1, dtype=np.int32)
        run_at = np.zeros(len(shingles) + 1, dtype=np.int64)
        read = np.int64(1)
        while pair < len(x) and x[pair] == first:
            partner = hashes[starts[y[pair]] : ends[y[pair]]]
            positions = np.empty(len(partner), dtype=np.int32)  # the last one of each shingle
            shared = matches = 0
            for index in range(len(partner)):
                position = last[find_index_slot(shingles, last, partner[index], partner[index])]
                positions[index] = position
                matches += counts[position]
                if taken[position] < (counts[position] if bag else min(counts[position], 1)):
                    taken[position] += 1
                    shared += 1
            results.shared[pair] = shared
            longest, heaviest = np.int64(0), np.int64(0)
            if matches > matches_per_shingle * (len(shingles) + len(partner)):
                longest = np.int64(REPETITIVE)
            elif matches:
                for index in range(len(partner)):
                    position = positions[index]
                    while position:
                        length = np.int64(1)
                        if run_at[position - 1] == read + index - 1:
                            length += run[position - 1]
                        run[position] = length
                        run_at[position] = read + index
                        weight = length
                        if weighs:
                            end = min(position + units.k - 1, len(before) - 1)
                            weight = before[end] - before[position - length]
                        if weight > heaviest or (weight == heaviest and length > longest):
                            longest, heaviest = length, weight
                        position = earlier[position - 1]
                if not weighs and longest:
                    most = min(units.units[first], units.units[y[pair]])
                    heaviest = min(longest + units.k - 1, most) * units.usual
            results.longest[pair], results.words[pair] = longest, heaviest // WORD
            for index in range(len(partner)):
                taken[positions[index]] = 0
            read += len(partner) + 1  # one between any two partners
            pair += 1


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
        """The pairs where a mask is true."""
        return PairNumbers._make(column[rows] for column in self)

    def figures(self, row: int) -> PairFigures:
        """The numbers of a pair."""
        return PairFigures(**{name: column[row].item() for name, column in self._asdict().items()})


def numbers_of(
    overlap: Overlap, sizes: Int64Array, units: Int64Array, x: IntegerArray, y: IntegerArray, k: int
) -> PairNumbers:
    """The numbers of pairs.

    Args:
        overlap: The counts of the pairs.
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
    """The numbers of pairs of texts that were shingled together with these settings."""
    overlap = measure_shingles(shingles, x, y, settings)
    sizes = sizes_of(shingles, bag=settings.bag)
    return numbers_of(overlap, sizes, shingles.units, x, y, settings.k)


def sizes_of(shingles: Shingles, *, bag: bool) -> Int64Array:
    """The number of shingles of each text that count: all, or the different ones."""
    shingles = shingles.counting()
    if bag:
        return np.diff(shingles.offsets)
    _, starts = different_of_each(shingles.hashes, shingles.offsets)
    return np.asarray(np.diff(starts))


TOLERANCE = 1e-6


def figures_of(
    text_a: str,
    text_b: str,
    settings: ScanSettings,
    set_aside: tuple[Sequence[SetAside], Sequence[SetAside]] = ((), ()),
) -> PairFigures:
    """The numbers of two texts by the settings, as in a list of pairs."""

    def measure() -> PairFigures:
        gaps = {text: merged(spans) for text, spans in enumerate(set_aside) if spans}
        shingles = shingle([text_a, text_b], settings, set_aside=gaps)
        stop_if_cancelled()
        a, b = np.array([0]), np.array([1])
        if len(text_a) >= len(text_b):
            return numbers_of_shingles(shingles, a, b, settings).figures(0)
        # The longer one first, as for a list: every shingle of the shorter one is looked up.
        return numbers_of_shingles(shingles, b, a, settings).figures(0).turned()

    if has_long((text_a, text_b)):
        return left_when_cancelled(measure)
    return measure()


def are_same(first: PairFigures, second: PairFigures) -> bool:
    """Whether two measurements of a pair are equal.

    The longest run is that of most words; of several such runs any may be measured, so its units
    do not count.
    """
    names = ("resemblance", "containment_a", "containment_b", "shared_shingles", "run_words")
    return all(abs(getattr(first, name) - getattr(second, name)) <= TOLERANCE for name in names)
