"""From clusters of seeds to passages: where the words that match outweigh those that do not.

Along each text a word of a seed counts its information, any other word costs `PRICE` bits, and a
passage is a span with the highest sum (the maximal scoring segments of Ruzzo and Tompa, ISMB 1999;
as in BLAST a span ends where the sum has fallen by `DROP`). What lies outside the span in one text
is taken from the other, until nothing changes. No span runs over a gap of text that is set aside.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.compiling import njit
from core.evidence.common_words import AT_A_GAP
from core.evidence.seeds import PIECE
from core.settings.reworked_search import PRICE

DROP = 60.0  # bits: 40 words that do not match
FLOOR = 10.0  # bits: less is not looked at
MOST_TURNS = 16


@njit(nogil=True, cache=True)
def find_spans(seeds: Any, labels: Any, clusters: Any, a: Any, b: Any) -> Any:
    """The passages of all clusters: rows and bits, as in `ReworkedPassages`, in no order.

    Args:
        seeds: As `core.evidence.seeds` makes them.
        labels: int32, the cluster of each.
        clusters: How many there are.
        a: Of text A the numbers of its words (see `number_words`) and their information, float32.
        b: The same of text B.
    """
    orders, bounds = _order(seeds, labels, clusters, a, b)
    room = len(orders[0])
    marks = (np.zeros(len(a[0]), dtype=np.int32), np.zeros(len(b[0]), dtype=np.int32))
    part_of = np.empty(len(seeds), dtype=np.int32)
    spans, sums = np.empty((room, 3), dtype=np.int64), np.empty(room, dtype=np.float64)
    stack, height = _first_groups(bounds, room)
    rows, bits = np.empty((room, 6), dtype=np.int64), np.empty(room, dtype=np.float32)
    found = 0
    stamp = np.int32(0)
    while height > 0:
        height -= 1
        start, end = stack[height, 0], stack[height, 1]
        side, turn = stack[height, 2], stack[height, 3]
        bits[found], whole = np.inf, 0
        while 0 <= whole < 2:
            own, text = orders[side, start:end], a if side == 0 else b
            stamp += np.int32(1)
            count = _sum_up(seeds, own, side, text, marks[side], stamp, spans, sums)
            kept = _part(seeds, own, side, spans, count, part_of)
            if count == 1 and (kept == len(own) or turn >= MOST_TURNS):
                _note(rows, bits, found, side, spans, sums)
                whole += 1
            else:
                group = (start, end, 1 - side, turn + 1)
                height = _split(orders, group, part_of, count, stack, height)
                whole = -1
            side = 1 - side
        found += whole > 0
    return rows[:found].copy(), bits[:found].copy()


@njit(nogil=True, cache=True)
def _order(seeds: Any, labels: Any, clusters: Any, a: Any, b: Any) -> Any:
    """The seeds of each cluster in the order of A and in that of B, and where each cluster begins.

    Without those of clusters that cannot have enough bits.
    """
    bounds = _promising(seeds, labels, clusters, a[1], b[1])
    orders = np.empty((2, bounds[clusters]), dtype=np.int32)
    for side in range(2):
        firsts = np.zeros((len(a[0]) if side == 0 else len(b[0])) + 1, dtype=np.int32)
        for seed in range(len(seeds)):
            firsts[seeds[seed, side] + 1] += 1
        for place in range(1, len(firsts)):
            firsts[place] += firsts[place - 1]
        by_place = np.empty(len(seeds), dtype=np.int32)
        for seed in range(len(seeds)):
            by_place[firsts[seeds[seed, side]]] = seed
            firsts[seeds[seed, side]] += 1
        filled = bounds[:-1].copy()
        for index in range(len(seeds)):
            cluster = labels[by_place[index]]
            if bounds[cluster + 1] > bounds[cluster]:
                orders[side, filled[cluster]] = by_place[index]
                filled[cluster] += 1
    return orders, bounds


@njit(nogil=True, cache=True)
def _promising(seeds: Any, labels: Any, clusters: Any, info_a: Any, info_b: Any) -> Any:
    """Where each cluster begins, int64, as if those with less than the least bits had no seed."""
    bits = np.zeros((2, clusters), dtype=np.float64)
    sizes = np.zeros(clusters, dtype=np.int64)
    for seed in range(len(seeds)):
        sizes[labels[seed]] += 1
        for side in range(2):
            info = info_a if side == 0 else info_b
            place, places = seeds[seed, side], seeds[seed, 2 + side]
            while places:
                if places & 1:
                    bits[side, labels[seed]] += info[place]
                places >>= 1
                place += 1
    bounds = np.zeros(clusters + 1, dtype=np.int64)
    for cluster in range(clusters):
        enough = min(bits[0, cluster], bits[1, cluster]) >= FLOOR
        bounds[cluster + 1] = bounds[cluster] + (sizes[cluster] if enough else 0)
    return bounds


@njit(nogil=True, cache=True)
def _first_groups(bounds: Any, room: Any) -> Any:
    """A stack of groups of seeds: start and end in the orders, text to begin with, turn."""
    stack = np.empty((room + 1, 4), dtype=np.int64)
    height = 0
    for cluster in range(len(bounds) - 1):
        if bounds[cluster + 1] > bounds[cluster]:
            stack[height, 0], stack[height, 1] = bounds[cluster], bounds[cluster + 1]
            stack[height, 2] = stack[height, 3] = 0
            height += 1
    return stack, height


@njit(nogil=True, cache=True)
def _note(rows: Any, bits: Any, row: Any, side: Any, spans: Any, sums: Any) -> None:
    rows[row, 2 * side], rows[row, 2 * side + 1] = spans[0, 0], spans[0, 1]
    rows[row, 4 + side] = spans[0, 2]
    bits[row] = min(bits[row], sums[0])


@njit(nogil=True, cache=True)
def _sum_up(
    seeds: Any, own: Any, side: Any, text: Any, marks: Any, stamp: Any, spans: Any, sums: Any
) -> Any:
    """Find the best spans of some seeds along one text; how many there are."""
    numbers, info = text
    end = _mark(seeds, own, side, marks, stamp)
    count = upcoming = 0
    place = seeds[own[0], side]
    while place < end:
        if marks[place] != stamp:
            place, upcoming = _next_marked(seeds, own, side, marks, stamp, place, end, upcoming)
            continue
        first = last = place
        total = best = 0.0
        words = best_words = 0
        while place < end and total >= max(0.0, best - DROP) and numbers[place] != AT_A_GAP:
            if marks[place] == stamp:
                words += 1
                total += info[place]
            else:
                total -= PRICE
            place += 1
            if total > best:
                best, last, best_words = total, place, words
        if best >= FLOOR:
            spans[count, 0], spans[count, 1], spans[count, 2] = first, last, best_words
            sums[count] = best
            count += 1
            place = last
    return count


@njit(nogil=True, cache=True)
def _mark(seeds: Any, own: Any, side: Any, marks: Any, stamp: Any) -> Any:
    """Mark the words of some seeds; where the last of them ends."""
    end = np.int64(0)
    for index in range(len(own)):
        place, places = seeds[own[index], side], seeds[own[index], 2 + side]
        while places:
            if places & 1:
                marks[place] = stamp
            places >>= 1
            place += 1
        end = max(end, place)
    return end


@njit(nogil=True, cache=True)
def _next_marked(
    seeds: Any, own: Any, side: Any, marks: Any, stamp: Any, place: Any, end: Any, upcoming: Any
) -> Any:
    """The next word that is marked, without a look at long stretches where none is."""
    looked_at = 0
    while place < end and marks[place] != stamp:
        place += 1
        looked_at += 1
        if looked_at >= PIECE:
            while upcoming < len(own) and seeds[own[upcoming], side] < place:
                upcoming += 1
            if upcoming < len(own):
                place = max(place, seeds[own[upcoming], side])
            looked_at = 0
    return place, upcoming


@njit(nogil=True, cache=True)
def _part(seeds: Any, own: Any, side: Any, spans: Any, count: Any, part_of: Any) -> Any:
    """Note in which span each seed is, -1 for none; how many are in one."""
    kept = span = 0
    for index in range(len(own)):
        seed = own[index]
        first, places = seeds[seed, side], seeds[seed, 2 + side]
        last = first
        while places > 1:
            places >>= 1
            last += 1
        while span < count and spans[span, 1] <= first:
            span += 1
        inside = span < count and first >= spans[span, 0] and last < spans[span, 1]
        part_of[seed] = span if inside else -1
        kept += inside
    return kept


@njit(nogil=True, cache=True)
def _split(orders: Any, group: Any, part_of: Any, count: Any, stack: Any, height: Any) -> Any:
    """Put the seeds of each span together in both orders, and on the stack; its new height."""
    start, end, side, turn = group
    bounds = np.zeros(count + 1, dtype=np.int64)
    for index in range(start, end):
        bounds[part_of[orders[0, index]] + 1] += 1
    bounds[0] = start
    for span in range(count):
        bounds[span + 1] += bounds[span]
        if bounds[span + 1] > bounds[span]:
            stack[height, 0], stack[height, 1] = bounds[span], bounds[span + 1]
            stack[height, 2], stack[height, 3] = side, turn
            height += 1
    for text in range(2):
        filled, old = bounds.copy(), orders[text, start:end].copy()
        for index in range(len(old)):
            part = part_of[old[index]]
            if part >= 0:
                orders[text, filled[part]] = old[index]
                filled[part] += 1
    return height
