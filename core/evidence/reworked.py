"""Reworked passages of a pair: what two texts share though words were exchanged, dropped or moved.

Seeds are found (`core.evidence.passage_spans`), put together to clusters (`core.evidence.reworked`)
and cut to passages (`core.evidence.passage_spans`): the work is linear in the words. The result
does not depend on which text comes first: the longer one is always read first, of texts of one
length the one whose words are greater where they first differ.

Seeds near each other in both texts: one cluster, whatever the order of its parts.

Single linkage with at most `REACH` words between neighbours in either text. What is linked are
cells of the plane (place in A, place in B), by the rectangle that the seeds in them fill: so the
work is linear in the seeds, and most of it in the few cells.

Which of the spans that two texts share are their passages: the strongest, each word once.

Where a phrase stands several times in both texts, each of its places meets all others. So of the
spans, the strongest first, one counts if at least half of it is in no stronger one, in both texts.
Neighbours in both texts are one passage: of a passage of which much was changed, parts are found.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import (
    Float32Array,
    Int32Array,
    Int64Array,
    IntegerArray,
    UInt64Array,
)
from core.base.compiling import njit
from core.base.hashing import find_slot, mix, slots_for
from core.base.tasks import Cancelled, never, stop_if
from core.evidence.passage_spans import (
    AT_A_GAP,
    add_grams,
    add_runs,
    find_runs,
    find_spans,
    new_seeds,
    number_words,
    run_ends,
)
from core.evidence.word_model import Information, WordModel
from core.text.set_aside import GAP

APART = 40  # words between two parts of a passage, in either text
JOINING = 12.0  # bits: of chance, two parts so near each other stand in one of 4,000 places
NO_ROW = -1
PLACES = np.int64(1 << 31)  # more than a text has words
STEPS = -1024.0  # of a bit, the most bits first


@njit(nogil=True, cache=True)
def select_spans(rows: Any, bits: Any, a: Any, b: Any, swapped: Any) -> Any:
    """The passages in the order of A.

    Args:
        rows: int64 (n, 6), as `find_spans` makes them; they are changed.
        bits: float32 (n); changed too.
        a: The numbers of the words of text A (see `number_words`).
        b: Those of text B.
        swapped: Whether to call the texts B and A.
    """
    if len(rows) == 0:
        return rows, bits
    kept = _strongest(rows, bits, len(a), len(b))
    rows, bits = _join(rows, bits, kept, _stretches(a), _stretches(b))
    if swapped:
        for row in range(len(rows)):
            for column, other in ((0, 2), (1, 3), (4, 5)):
                value = rows[row, column]
                rows[row, column] = rows[row, other]
                rows[row, other] = value
    return _span_selection_taken(rows, bits, _by_place(rows))


@njit(nogil=True, cache=True)
def _strongest(rows: Any, bits: Any, words_a: Any, words_b: Any) -> Any:
    """The rows of which half is new in both texts, the strongest first."""
    taken_a, taken_b = np.zeros(words_a, dtype=np.bool_), np.zeros(words_b, dtype=np.bool_)
    kept = np.empty(len(rows), dtype=np.int64)
    count = 0
    for row in _ascending((bits * STEPS).astype(np.int64)):
        old_a, old_b = taken_a[rows[row, 0] : rows[row, 1]], taken_b[rows[row, 2] : rows[row, 3]]
        if _is_new(old_a) and _is_new(old_b):
            old_a[:] = True
            old_b[:] = True
            kept[count] = row
            count += 1
    return kept[:count]


@njit(nogil=True, cache=True)
def _is_new(taken: Any) -> Any:
    count = 0
    for place in range(len(taken)):
        count += taken[place]
    return 2 * count <= len(taken)


@njit(nogil=True, cache=True)
def _stretches(numbers: Any) -> Any:
    """How many gaps of text that is set aside lie before each word, int32."""
    stretches = np.zeros(len(numbers), dtype=np.int32)
    for place in range(1, len(numbers)):
        stretches[place] = stretches[place - 1] + (numbers[place] == AT_A_GAP)
    return stretches


@njit(nogil=True, cache=True)
def _join(rows: Any, bits: Any, kept: Any, in_a: Any, in_b: Any) -> Any:
    """Join neighbours of one stretch among the rows that are kept; what is left."""
    order = kept[_by_place(rows[kept])]
    joined_to = np.full(len(rows), NO_ROW, dtype=np.int64)
    for index in range(len(order)):
        row = order[index]
        for later in order[index + 1 :]:
            if rows[later, 0] - rows[row, 1] > APART or in_a[rows[later, 0]] > in_a[rows[row, 0]]:
                break
            apart = max(rows[later, 2] - rows[row, 3], rows[row, 2] - rows[later, 3])
            if apart <= APART and in_b[rows[later, 2]] == in_b[rows[row, 2]]:
                one, two = _first_of(joined_to, row), _first_of(joined_to, later)
                if one != two:
                    joined_to[two] = one
    for row in order:
        first = _first_of(joined_to, row)
        if first != row:
            _add_to(rows, bits, first, row)
    firsts = order[joined_to[order] == NO_ROW]
    return _span_selection_taken(rows, bits, firsts)


@njit(nogil=True, cache=True, inline="always")
def _first_of(joined_to: Any, row: Any) -> Any:
    while joined_to[row] != NO_ROW:
        row = joined_to[row]
    return row


@njit(nogil=True, cache=True, inline="always")
def _add_to(rows: Any, bits: Any, row: Any, other: Any) -> None:
    """Make a row the smallest one that holds both."""
    for side in range(2):
        rows[row, 2 * side] = min(rows[row, 2 * side], rows[other, 2 * side])
        rows[row, 2 * side + 1] = max(rows[row, 2 * side + 1], rows[other, 2 * side + 1])
        length = rows[row, 2 * side + 1] - rows[row, 2 * side]
        rows[row, 4 + side] = min(length, rows[row, 4 + side] + rows[other, 4 + side])
    bits[row] += bits[other] - JOINING


@njit(nogil=True, cache=True)
def _by_place(rows: Any) -> Any:
    """Which row comes first, second, ...: by their places in A, then in B."""
    return _ascending(rows[:, 0] * PLACES + rows[:, 2])


@njit(nogil=True, cache=True)
def _ascending(keys: Any) -> Any:
    """Which key comes first, second, ...; of equal ones the first (Shell, CACM 1959).

    NumPy's own sort in a kernel takes as long to compile as all else here.
    """
    order = np.arange(len(keys))
    gap = len(keys) // 2
    while gap > 0:
        for index in range(gap, len(order)):
            one, place = order[index], index
            while place >= gap and _comes_before(keys, one, order[place - gap]):
                order[place] = order[place - gap]
                place -= gap
            order[place] = one
        gap = gap * 5 // 11 if gap != 2 else 1
    return order


@njit(nogil=True, cache=True, inline="always")
def _comes_before(keys: Any, one: Any, two: Any) -> Any:
    return keys[one] < keys[two] or (keys[one] == keys[two] and one < two)


@njit(nogil=True, cache=True)
def _span_selection_taken(rows: Any, bits: Any, order: Any) -> Any:
    """Some rows in this order."""
    return rows[order], bits[order]


REACH = 40  # words between two seeds of a cluster, in either text
CELL = 20  # words along each text; a half of the reach, so that no cell but those around is asked
AROUND = 2
UPPER_HALF = np.uint64(32)


@njit(nogil=True, cache=True)
def label_clusters(seeds: Any) -> Any:
    """The cluster of each seed, int32, counted from 0 on, and how many there are."""
    cell_of, cells, boxes, table = _make_cells(seeds)
    parents = _link(cells, boxes, table)
    labels = np.full(len(parents), -1, dtype=np.int32)
    count = np.int32(0)
    for seed in range(len(seeds)):
        root = _root(parents, cell_of[seed])
        if labels[root] < 0:
            labels[root] = count
            count += np.int32(1)
        cell_of[seed] = labels[root]
    return cell_of, count


@njit(nogil=True, cache=True, inline="always")
def _cell_key(x: Any, y: Any) -> Any:
    return (np.uint64(x) << UPPER_HALF) | np.uint64(y)


@njit(nogil=True, cache=True)
def _make_cells(seeds: Any) -> Any:
    """The cell of each seed, where each cell is, and the rectangle that its seeds fill."""
    cell_of = np.empty(len(seeds), dtype=np.int32)
    slots = slots_for(len(seeds))
    keys = np.empty(slots, dtype=np.uint64)
    numbers = np.zeros(slots, dtype=np.int32)
    cells = np.empty((len(seeds), 2), dtype=np.int32)
    boxes = np.empty((len(seeds), 4), dtype=np.int32)
    count = np.int32(0)
    cell = np.int32(-1)
    for seed in range(len(seeds)):
        x, y = seeds[seed, 0], seeds[seed, 1]
        if cell < 0 or cells[cell, 0] != x // CELL or cells[cell, 1] != y // CELL:
            key = mix(_cell_key(x // CELL, y // CELL))
            slot = find_slot(keys, numbers, key)
            if not numbers[slot]:
                cells[count, 0], cells[count, 1] = x // CELL, y // CELL
                boxes[count, 0] = boxes[count, 1] = x
                boxes[count, 2] = boxes[count, 3] = y
                keys[slot] = key
                count += np.int32(1)
                numbers[slot] = count
            cell = numbers[slot] - np.int32(1)
        boxes[cell, 0], boxes[cell, 1] = min(boxes[cell, 0], x), max(boxes[cell, 1], x)
        boxes[cell, 2], boxes[cell, 3] = min(boxes[cell, 2], y), max(boxes[cell, 3], y)
        cell_of[seed] = cell
    return cell_of, cells[:count], boxes[:count], (keys, numbers)


@njit(nogil=True, cache=True)
def _link(cells: Any, boxes: Any, table: Any) -> Any:
    """By cell one that is in the same cluster; itself, if it stands for the cluster."""
    keys, numbers = table
    parents = np.arange(len(cells)).astype(np.int32)
    for cell in range(len(cells)):
        for right in range(AROUND + 1):
            for up in range(-AROUND if right else 1, AROUND + 1):
                x, y = cells[cell, 0] + right, cells[cell, 1] + up
                if y < 0:
                    continue
                other = numbers[find_slot(keys, numbers, mix(_cell_key(x, y)))] - np.int32(1)
                if other >= 0 and _near(boxes, cell, other):
                    one, two = _root(parents, cell), _root(parents, other)
                    parents[max(one, two)] = min(one, two)
    return parents


@njit(nogil=True, cache=True, inline="always")
def _near(boxes: Any, one: Any, two: Any) -> Any:
    apart_a = max(boxes[one, 0] - boxes[two, 1], boxes[two, 0] - boxes[one, 1])
    apart_b = max(boxes[one, 2] - boxes[two, 3], boxes[two, 2] - boxes[one, 3])
    return apart_a <= REACH and apart_b <= REACH


@njit(nogil=True, cache=True, inline="always")
def _root(parents: Any, cell: Any) -> Any:
    while parents[cell] != cell:
        parents[cell] = parents[parents[cell]]
        cell = parents[cell]
    return cell


WORDS_AT_ONCE = 1 << 17  # of pairs in one call; of longer texts the grams of so many in one step
PARTS = 1024.0  # of a bit, in sums
WORDS_A_PAIR = 16  # what a pair costs besides
COUNTED = 0.01  # the share of unrelated pairs that is aimed at, with a passage that counts
LEAST_BITS = (30.0, 60.0)
LEAST_BITS_OF_FEW = 45.0  # in a folder of too few pairs to count what unrelated texts share

Text = tuple[UInt64Array, Float32Array, Float32Array]  # words, their information here, anywhere


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
    info_a: Float32Array,
    info_b: Float32Array,
    seeds_a: Float32Array,
    seeds_b: Float32Array,
    cancelled: Cancelled = never,
) -> ReworkedPassages:
    """The reworked passages of two texts.

    Args:
        a: The words of a text, with `GAP` where something is set aside.
        b: Those of the other.
        info_a: The information of each word of A in its place, in bits (see `WordModel`).
        info_b: Of each word of B.
        seeds_a: The information of each word of A wherever it stands, in bits.
        seeds_b: Of each word of B; of the same word the same as in A.
        cancelled: Polled between the parts of long texts.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    one, other = (a, info_a, seeds_a), (b, info_b, seeds_b)
    if len(a) + len(b) <= WORDS_AT_ONCE:
        return ReworkedPassages(*_find_passages(one, other))
    return ReworkedPassages(*_find_in_parts(one, other, cancelled))


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
        cancelled: Polled between blocks of pairs, and between the parts of long texts.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    numbers, totals = ReworkedNumbers.none(len(x)), np.zeros(len(x))
    own, bounds, x, y = _taken(words, offsets, x, y)
    info, least = model.information(own, bounds), np.float32(least_bits(model))
    work = np.diff(bounds)[x] + np.diff(bounds)[y]
    short = np.flatnonzero(work <= WORDS_AT_ONCE)
    for block in _blocks(work[short]):
        stop_if(cancelled)
        rows = short[block]
        measured = _measure(own, info.here, info.anywhere, bounds, x[rows], y[rows], least)
        numbers.words[rows], numbers.bits[rows], totals[rows] = measured
    for pair in np.flatnonzero(work > WORDS_AT_ONCE).tolist():
        one = _document(own, info, bounds, x[pair])
        found = _find_in_parts(one, _document(own, info, bounds, y[pair]), cancelled)
        numbers.words[pair], numbers.bits[pair], totals[pair] = _sum_of(*found, least)
    own_bits = np.maximum(_information_of(own, info.here, bounds), 1)
    in_x, in_y = (np.minimum(totals / own_bits[side], 1) for side in (x, y))
    return numbers._replace(share=((in_x + in_y) / 2).astype(np.float32))


@njit(nogil=True, cache=True)
def _information_of(words: Any, here: Any, bounds: Any) -> Any:
    """The information of all words of each document, in parts of a bit.

    Whole numbers have the same sum in any order.
    """
    totals = np.zeros(len(bounds) - 1)
    for document in range(len(totals)):
        for place in range(bounds[document], bounds[document + 1]):
            if words[place] != GAP:
                totals[document] += np.rint(here[place] * PARTS)
    return totals


def _taken(
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


def _document(words: UInt64Array, info: Information, bounds: Int64Array, number: int) -> Text:
    part = slice(bounds[number], bounds[number + 1])
    return words[part], info.here[part], info.anywhere[part]


def _blocks(work: Int64Array) -> list[slice]:
    """Cut pairs into blocks of about equal work, a tenth of a second."""
    filled = np.cumsum(work + WORDS_A_PAIR) // WORDS_AT_ONCE
    cuts = [0, *(np.flatnonzero(np.diff(filled)) + 1).tolist(), len(work)]
    return [slice(start, end) for start, end in pairwise(cuts) if start < end]


def _find_in_parts(one: Text, other: Text, cancelled: Cancelled) -> tuple[Int64Array, Float32Array]:
    """The passages of two long texts, whose grams are matched part by part."""
    stop_if(cancelled)
    swapped = bool(_comes_later(one[0], other[0]))
    a, b = (other, one) if swapped else (one, other)
    numbers_a, numbers_b = number_words(a[0], b[0])
    runs = find_runs(numbers_a, numbers_b, b[2])
    seeds, used = add_runs(runs, new_seeds(len(numbers_b)), 0)
    in_a = (numbers_a, a[2], run_ends(runs, len(numbers_a), 0))
    in_b = (numbers_b, b[2], run_ends(runs, len(numbers_b), 1))
    parts = 1 + len(numbers_a) // WORDS_AT_ONCE
    for part in range(parts):
        stop_if(cancelled)
        seeds, used = add_grams(in_a, in_b, (part, parts), seeds, used)
    stop_if(cancelled)
    labels, clusters = label_clusters(seeds[:used])
    stop_if(cancelled)
    rows, bits = find_spans(seeds[:used], labels, clusters, (numbers_a, a[1]), (numbers_b, b[1]))
    stop_if(cancelled)
    found: tuple[Int64Array, Float32Array]
    found = select_spans(rows, bits, numbers_a, numbers_b, swapped)
    return found


@njit(nogil=True, cache=True)
def _comes_later(a: Any, b: Any) -> Any:
    """Whether text A is read after text B, so that the order of a pair makes no difference."""
    if len(a) != len(b):
        return len(a) < len(b)
    for place in range(len(a)):
        if a[place] != b[place]:
            return a[place] < b[place]
    return False


@njit(nogil=True, cache=True)
def _find_passages(one: Any, other: Any) -> Any:
    """The passages of two texts: of each its words, and their information here and anywhere."""
    swapped = _comes_later(one[0], other[0])
    a, b = (other, one) if swapped else (one, other)
    numbers_a, numbers_b = number_words(a[0], b[0])
    runs = find_runs(numbers_a, numbers_b, b[2])
    seeds, used = add_runs(runs, new_seeds(len(numbers_b)), 0)
    in_a = (numbers_a, a[2], run_ends(runs, len(numbers_a), 0))
    in_b = (numbers_b, b[2], run_ends(runs, len(numbers_b), 1))
    seeds, used = add_grams(in_a, in_b, (0, 1), seeds, used)
    labels, clusters = label_clusters(seeds[:used])
    rows, bits = find_spans(seeds[:used], labels, clusters, (numbers_a, a[1]), (numbers_b, b[1]))
    return select_spans(rows, bits, numbers_a, numbers_b, swapped)


@njit(nogil=True, cache=True)
def _measure(words: Any, here: Any, anywhere: Any, bounds: Any, x: Any, y: Any, least: Any) -> Any:
    found = np.zeros(len(x), dtype=np.int32)
    best = np.zeros(len(x), dtype=np.float32)
    totals = np.zeros(len(x))
    for pair in range(len(x)):
        start, end = bounds[x[pair]], bounds[x[pair] + 1]
        one = (words[start:end], here[start:end], anywhere[start:end])
        start, end = bounds[y[pair]], bounds[y[pair] + 1]
        other = (words[start:end], here[start:end], anywhere[start:end])
        rows, bits = _find_passages(one, other)
        found[pair], best[pair], totals[pair] = _sum_of(rows, bits, least)
    return found, best, totals


@njit(nogil=True, cache=True)
def _sum_of(rows: Any, bits: Any, least: Any) -> Any:
    words, most, total = 0, np.float32(0), 0.0
    for row in range(len(rows)):
        if bits[row] >= least:
            words += min(rows[row, 1] - rows[row, 0], rows[row, 3] - rows[row, 2])
            total += np.rint(bits[row] * PARTS)
        most = max(most, bits[row])
    return words, most, total
