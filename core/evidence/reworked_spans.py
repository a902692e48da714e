"""From seeds to reworked passages: clusters of seeds, their best spans, the strongest spans.

Clusters are found by single linkage: neighbours are at most `REACH` words apart in either text,
whatever the order of their parts. Cells of the plane (index in A, index in B) are linked, by the
rectangle that the seeds in them fill: so the work is linear in the seeds, and most of it in the few
cells.

Along each text a word of a seed counts its information, any other word costs `PRICE` bits, and a
passage is a span with the highest sum (the maximal scoring segments of Ruzzo and Tompa, ISMB 1999;
as in BLAST a span ends where the sum has fallen by `DROP`). A word that occurs more often in one
text counts there, in equal shares, as often as in the other, and for the rest as no match: if one
text says "everyone has the right to" in each article, and the other has copied three of these,
those are what both share. On planted passages of udhr precision is .82, and .73 if each occurrence
counts; of bills .94 and .91. Seeds outside the span in one text are removed from the other, until
nothing changes. No span crosses a gap of text set aside.

In long texts fewer words are seeds. There words that both texts have at the same distance from a
seed count as the same, too, until more than `DIFFERING` words in a row differ; a span has no more
bits for them.

If a phrase occurs several times in both texts, each occurrence matches all those of the other text.
So of the spans, the strongest first, one counts if at least half of it is in no stronger one, in
both texts. Neighbours in both texts are one passage: of a passage with many changes, parts are
found. Passages that would be shown each by itself are joined over a longer gap. If they are out of
order, as shuffled sentences are, they must adjoin in one of the texts, and the gap in the other has
at most half as many words as both. No pair is listed because of that, and no words between them
count as the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.arrays import Float32Array, Int64Array
from core.base.compiling import njit
from core.base.hashing import root_of
from core.evidence.seeds import AT_A_GAP, CELL, GAP_WORDS, LONG, PIECE, Side
from core.settings import PRICE

REACH = GAP_WORDS - 1  # words between two seeds of a cluster, in either text: two cells
AROUND = REACH // CELL
DROP = 60.0  # bits: 40 words that do not match
FLOOR = 10.0  # bits: spans with less are ignored
MOST_TURNS = 16
DIFFERING = 3  # words next to each other in both texts, between words that are the same
APART = 40  # words between two parts of a passage, in either text
NEARBY = 100  # words between two passages that a reader sees as one, in either text
ADJOINING = 10  # words between two sentences that were moved apart, in one of the texts
JOINING = 12.0  # bits: by chance, two parts are so near each other once in 4,000 positions
STEPS = -1024.0  # in a bit; negative, to sort the most bits first


@njit(nogil=True, cache=True)
def label_clusters(seeds: Any, words_a: Any, words_b: Any) -> Any:
    """The cluster of each seed, int32, counted from 0, and the number of clusters.

    Also the seeds in the order of A and in that of B, int32 (2, n).
    """
    orders = np.empty((2, len(seeds)), dtype=np.int32)
    for side in range(2):
        starts = np.zeros((words_a if side == 0 else words_b) + 1, dtype=np.int32)
        for seed in range(len(seeds)):
            starts[seeds[seed, side] + 1] += 1
        for index in range(1, len(starts)):
            starts[index] += starts[index - 1]
        for seed in range(len(seeds)):
            orders[side, starts[seeds[seed, side]]] = seed
            starts[seeds[seed, side]] += 1
    # The seeds by the rows of cells, and in a row in the order of A.
    firsts = np.zeros(words_b // CELL + AROUND + 2, dtype=np.int32)
    for seed in range(len(seeds)):
        firsts[seeds[seed, 1] // CELL + 1] += 1
    for later in range(1, len(firsts)):
        firsts[later] += firsts[later - 1]
    by_row = np.empty(len(seeds), dtype=np.int32)
    for ordered in orders[0]:
        seed_row = seeds[ordered, 1] // CELL
        by_row[firsts[seed_row]] = ordered
        firsts[seed_row] += 1
    cell_of = np.empty(len(seeds), dtype=np.int32)
    columns = np.empty(len(seeds), dtype=np.int32)  # of cells
    boxes = np.empty((len(seeds), 4), dtype=np.int32)  # filled by the seeds of each cell
    firsts[:] = 0  # from now on the first cell of each row
    cells = np.int32(0)
    row = column = np.int64(-1)
    for ordered in by_row:
        x, y = seeds[ordered, 0], seeds[ordered, 1]
        if y // CELL != row or x // CELL != column:
            column = x // CELL
            while row < y // CELL:
                row += 1
                firsts[row] = cells
            columns[cells] = column
            boxes[cells, 0], boxes[cells, 1], boxes[cells, 2], boxes[cells, 3] = x, x, y, y
            cells += np.int32(1)
        last = cells - 1
        boxes[last, 1] = x
        boxes[last, 2], boxes[last, 3] = min(boxes[last, 2], y), max(boxes[last, 3], y)
        cell_of[ordered] = cells - 1
    firsts[row + 1 :] = cells
    # A forest of disjoint sets: a cell points to an earlier one of its cluster, a root to itself.
    parents = np.empty(cells, dtype=np.int32)
    for cell in range(cells):
        parents[cell] = cell
    for low in range(len(firsts) - AROUND - 1):
        for up in range(AROUND + 1):
            first_near, end = np.int64(firsts[low + up]), firsts[low + up + 1]
            for cell in range(firsts[low], firsts[low + 1]):
                while first_near < end and columns[first_near] < columns[cell] - AROUND:
                    first_near += 1
                near = first_near if up else cell + 1
                while near < end and columns[near] <= columns[cell] + AROUND:
                    is_near = True
                    for axis in range(0, 4, 2):
                        is_near &= boxes[cell, axis] - boxes[near, axis + 1] <= REACH
                        is_near &= boxes[near, axis] - boxes[cell, axis + 1] <= REACH
                    if is_near:
                        root_a, root_b = root_of(parents, cell), root_of(parents, near)
                        parents[max(root_a, root_b)] = min(root_a, root_b)
                    near += 1
    labels = np.full(cells, np.int32(-1))
    clusters = np.int32(0)
    for seed in range(len(seeds)):
        first = root_of(parents, cell_of[seed])
        if labels[first] < 0:
            labels[first] = clusters
            clusters += np.int32(1)
        cell_of[seed] = labels[first]
    return cell_of, clusters, orders


@njit(nogil=True, cache=True)
def order_seeds(seeds: Any, labels: Any, clusters: Any, by_start: Any, a: Any, b: Any) -> Any:
    """The seeds of each cluster in the order of A and in that of B, and the start of each cluster.

    Clusters that cannot have enough bits are left out, as if they had no seeds.
    """
    bits = np.zeros((2, clusters), dtype=np.float64)
    sizes = np.zeros(clusters, dtype=np.int64)
    for seed in range(len(seeds)):
        sizes[labels[seed]] += 1
        for side in range(2):
            information = a.in_context if side == 0 else b.in_context
            word, mask = seeds[seed, side], seeds[seed, 2 + side]
            while mask:
                if mask & 1:
                    bits[side, labels[seed]] += information[word]
                mask >>= 1
                word += 1
    bounds = np.zeros(clusters + 1, dtype=np.int64)
    for cluster in range(clusters):
        enough = min(bits[0, cluster], bits[1, cluster]) >= FLOOR
        bounds[cluster + 1] = bounds[cluster] + (sizes[cluster] if enough else 0)
    orders = np.empty((2, bounds[clusters]), dtype=np.int32)
    for side in range(2):
        for cluster in range(clusters):
            sizes[cluster] = bounds[cluster]  # from now on the next index in the order
        for seed in by_start[side]:
            cluster = labels[seed]
            if bounds[cluster + 1] > bounds[cluster]:
                orders[side, sizes[cluster]] = seed
                sizes[cluster] += 1
    return orders, bounds


@njit(nogil=True, cache=True)
def find_spans(seeds: Any, orders: Any, bounds: Any, a: Any, b: Any, words: Any) -> Any:
    """The spans of all clusters: rows and bits, as in `ReworkedPassages`, in no order.

    `words` is more than every number of a word.
    """
    room = orders.shape[1]
    # Groups of seeds: start and end in the orders, the text to search first, the turn.
    stack = np.empty((room + 1, 4), dtype=np.int64)
    height = 0
    for cluster in range(len(bounds) - 1):
        if bounds[cluster + 1] > bounds[cluster]:
            stack[height, 0], stack[height, 1] = bounds[cluster], bounds[cluster + 1]
            stack[height, 2] = stack[height, 3] = 0
            height += 1
    marks_a = np.zeros(len(a.numbers), dtype=np.int32)
    marks_b = np.zeros(len(b.numbers), dtype=np.int32)
    stamp = np.int32(0)
    times = np.zeros((words, 2), dtype=np.int32)  # occurrences of a word of a group in A, and in B
    counted = np.zeros(words, dtype=np.int32)
    span_of = np.empty(len(seeds), dtype=np.int32)
    spans, sums = np.empty((room, 3), dtype=np.int64), np.empty(room, dtype=np.float64)
    begins, filled = np.empty(room + 1, dtype=np.int64), np.empty(room + 1, dtype=np.int64)
    old = np.empty(room, dtype=np.int32)
    rows, bits = np.empty((room, 6), dtype=np.int64), np.empty(room, dtype=np.float32)
    has_long = (a.ends - a.starts).max() >= LONG
    row = 0
    while height > 0:
        height -= 1
        start, end = stack[height, 0], stack[height, 1]
        side, turn = stack[height, 2], stack[height, 3]
        bits[row], settled = np.inf, 0
        stamp += np.int32(1)
        for index in range(start, end):
            for of in range(2):
                numbers, marks = (a.numbers, marks_a) if of == 0 else (b.numbers, marks_b)
                word, mask = seeds[orders[0, index], of], seeds[orders[0, index], 2 + of]
                while mask:
                    if mask & 1 and marks[word] != stamp:
                        marks[word] = stamp
                        number = numbers[word]
                        if counted[number] != stamp:
                            counted[number] = stamp
                            times[number, 0] = times[number, 1] = 0
                        times[number, of] += 1
                    mask >>= 1
                    word += 1
        while 0 <= settled < 2:
            text, marks = (a, marks_a) if side == 0 else (b, marks_b)
            order = orders[side, start:end]
            count = _best_spans(seeds, order, side, text, marks, stamp, times, spans, sums)
            within = span = 0
            for index in range(len(order)):
                seed = order[index]
                first = last = seeds[seed, side]
                mask = seeds[seed, 2 + side]
                while mask > 1:
                    mask >>= 1
                    last += 1
                while span < count and spans[span, 1] <= first:
                    span += 1
                inside = span < count and first >= spans[span, 0] and last < spans[span, 1]
                span_of[seed] = span if inside else -1
                within += inside
            if count == 1 and (within == end - start or turn >= MOST_TURNS):
                rows[row, 2 * side], rows[row, 2 * side + 1] = spans[0, 0], spans[0, 1]
                rows[row, 4 + side] = spans[0, 2]
                bits[row] = min(bits[row], sums[0])
                settled += 1
                side = 1 - side
                continue
            settled = -1
            # The seeds of each span become a group, which is searched in the other text first.
            for span in range(count + 1):
                begins[span] = 0
            for index in range(start, end):
                begins[span_of[orders[0, index]] + 1] += 1
            begins[0] = start
            for span in range(count):
                begins[span + 1] += begins[span]
                if begins[span + 1] > begins[span]:
                    stack[height, 0], stack[height, 1] = begins[span], begins[span + 1]
                    stack[height, 2], stack[height, 3] = 1 - side, turn + 1
                    height += 1
            for ordered in range(2):
                for span in range(count):
                    filled[span] = begins[span]
                for index in range(start, end):
                    old[index] = orders[ordered, index]
                for index in range(start, end):
                    span_number = span_of[old[index]]
                    if span_number >= 0:
                        orders[ordered, filled[span_number]] = old[index]
                        filled[span_number] += 1
        if settled > 0 and has_long:
            pair = np.searchsorted(a.starts, rows[row, 0], side="right") - 1
            if a.ends[pair] - a.starts[pair] >= LONG:
                order = orders[0, start:end]
                _count_between(seeds, order, a, b, marks_a, marks_b, stamp, rows[row])
        row += settled > 0
    return rows[:row].copy(), bits[:row].copy()


@njit(nogil=True, cache=True, inline="always")
def _best_spans(
    seeds: Any,
    order: Any,
    side: Any,
    text: Any,
    marks: Any,
    stamp: Any,
    times: Any,
    spans: Any,
    sums: Any,
) -> Any:
    """Find the best spans of seeds along a text; returns how many there are."""
    end = np.int64(0)
    for index in range(len(order)):
        word, mask = seeds[order[index], side], seeds[order[index], 2 + side]
        while mask:
            mask >>= 1
            word += 1
        end = max(end, word)
    count = upcoming = skipped = 0
    word = seeds[order[0], side]
    while word < end:
        if marks[word] != stamp:
            word += 1
            skipped += 1
            if skipped == PIECE:  # skip a long stretch without a mark, up to the next seed
                while upcoming < len(order) and seeds[order[upcoming], side] < word:
                    upcoming += 1
                if upcoming < len(order):
                    word = max(word, seeds[order[upcoming], side])
                skipped = 0
            continue
        skipped = 0
        first = last = word
        total = best = 0.0
        words = best_words = 0
        while word < end and total >= max(0.0, best - DROP) and text.numbers[word] != AT_A_GAP:
            if marks[word] == stamp:
                words += 1
                number = text.numbers[word]
                share = min(times[number, 1 - side] / times[number, side], 1.0)
                total += share * (text.in_context[word] + PRICE) - PRICE
            else:
                total -= PRICE
            word += 1
            if total > best:
                best, last, best_words = total, word, words
        if best >= FLOOR:
            spans[count, 0], spans[count, 1], spans[count, 2] = first, last, best_words
            sums[count] = best
            count += 1
            word = last
    return count


@njit(nogil=True, cache=True, inline="always")
def _count_between(
    seeds: Any, order: Any, a: Any, b: Any, marks_a: Any, marks_b: Any, stamp: Any, row: Any
) -> None:
    """Count the words of a span that both texts have at the same distance from a seed."""
    for seed in order:
        for step in (1, -1):
            x, y = seeds[seed, 0] + step, seeds[seed, 1] + step
            differing = 0
            while row[0] <= x < row[1] and row[2] <= y < row[3] and differing <= DIFFERING:
                differing += 1
                if a.numbers[x] >= 0 and a.numbers[x] == b.numbers[y]:
                    if marks_a[x] == stamp and marks_b[y] == stamp:
                        break
                    row[4] += marks_a[x] != stamp
                    row[5] += marks_b[y] != stamp
                    marks_a[x] = marks_b[y] = stamp
                    differing = 0
                x += step
                y += step


def select_spans(
    rows: Int64Array, bits: Float32Array, a: Side, b: Side, least: float
) -> tuple[Int64Array, Float32Array]:
    """The strongest spans, without repetitions, neighbours joined; in the order of A, then of B.

    Spans of `least` bits are passages by themselves, and are joined over a longer gap.
    """
    by_bits = np.argsort((bits * STEPS).astype(np.int64), kind="stable")
    by_start = by_bits[np.argsort(_starts(rows[by_bits]), kind="stable")]
    stretches = np.empty((len(rows), 2), dtype=np.int64)  # number of gaps before, in each text
    for side, text in enumerate((a, b)):
        gaps = np.flatnonzero(text.numbers == AT_A_GAP)
        stretches[:, side] = np.searchsorted(gaps, rows[:, 2 * side])
    taken_a, taken_b = (np.zeros(len(side.numbers), dtype=np.bool_) for side in (a, b))
    kept = _strongest(rows, by_bits, taken_a, taken_b)
    _join(rows, bits, kept, by_start, stretches, False)
    if least < np.inf:
        weak = kept & (bits < least)
        kept &= bits >= least
        while _join(rows, bits, kept, by_start, stretches, True):
            pass
        kept |= weak
    chosen = by_start[kept[by_start]]
    order = chosen[np.argsort(_starts(rows[chosen]), kind="stable")]
    return rows[order], bits[order]


def _starts(rows: Int64Array) -> Int64Array:
    """Where spans start in A and then in B, in one number."""
    return rows[:, 0] << 32 | rows[:, 2]


@njit(nogil=True, cache=True)
def _strongest(rows: Any, by_bits: Any, taken_a: Any, taken_b: Any) -> Any:
    """Which rows are kept: stronger ones take at most half of their words, in both texts."""
    kept = np.zeros(len(rows), dtype=np.bool_)
    for row in by_bits:
        is_new = True
        for side in range(2):
            taken = taken_a if side == 0 else taken_b
            known = 0
            for word in range(rows[row, 2 * side], rows[row, 2 * side + 1]):
                known += taken[word]
            is_new &= 2 * known <= rows[row, 2 * side + 1] - rows[row, 2 * side]
        if is_new:
            kept[row] = True
            for word in range(rows[row, 0], rows[row, 1]):
                taken_a[word] = True
            for word in range(rows[row, 2], rows[row, 3]):
                taken_b[word] = True
    return kept


@njit(nogil=True, cache=True)
def _join(rows: Any, bits: Any, kept: Any, by_start: Any, stretches: Any, are_passages: Any) -> Any:
    """Join neighbours to the first of them; returns whether there were any.

    Parts of a passage are at most `APART` words away from each other, in any order: their bits add
    up. Passages that are joined have the bits of the strongest. A joined passage reaches further
    and may have new neighbours, so passages are joined until there are none. Neighbours are those
    that are near before any are joined: if they were joined one by one, in the order of A, the same
    two texts would have other passages when B is the longer one.
    """
    joined_to = np.arange(len(by_start))  # by index in the order: an earlier one, or itself
    reach = NEARBY if are_passages else APART
    for index in range(len(by_start)):
        row = by_start[index]
        if not kept[row]:
            continue
        for later_index in range(index + 1, len(by_start)):
            later = by_start[later_index]
            if not kept[later]:
                continue
            between_a = rows[later, 0] - rows[row, 1]
            if between_a > reach or stretches[later, 0] > stretches[row, 0]:
                break
            between_b = max(rows[later, 2] - rows[row, 3], rows[row, 2] - rows[later, 3])
            is_near = between_b <= reach and stretches[later, 1] == stretches[row, 1]
            in_order = rows[later, 1] >= rows[row, 1]
            in_order &= rows[later, 2] >= rows[row, 2] and rows[later, 3] >= rows[row, 3]
            if are_passages and not in_order:
                in_a = rows[row, 1] - rows[row, 0] + rows[later, 1] - rows[later, 0]
                in_b = rows[row, 3] - rows[row, 2] + rows[later, 3] - rows[later, 2]
                is_near &= 2 * between_a <= in_a and 2 * between_b <= in_b
                is_near &= min(between_a, between_b) <= ADJOINING
            if is_near:
                root_a, root_b = root_of(joined_to, index), root_of(joined_to, later_index)
                joined_to[max(root_a, root_b)] = min(root_a, root_b)
    are_joined = False
    for index in range(len(by_start)):
        row, first = by_start[index], by_start[root_of(joined_to, index)]
        if kept[row] and row != first:
            kept[row] = False
            are_joined = True
            for side in range(0, 4, 2):
                rows[first, side] = min(rows[first, side], rows[row, side])
                rows[first, side + 1] = max(rows[first, side + 1], rows[row, side + 1])
            rows[first, 4] += rows[row, 4]
            rows[first, 5] += rows[row, 5]
            if are_passages:
                bits[first] = max(bits[first], bits[row])
            else:
                bits[first] += bits[row] - JOINING
    for row in by_start:
        rows[row, 4] = min(rows[row, 4], rows[row, 1] - rows[row, 0])
        rows[row, 5] = min(rows[row, 5], rows[row, 3] - rows[row, 2])
    return are_joined
