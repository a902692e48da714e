"""Which words of two short stretches of text stand for each other: what a person would pair.

The words in common of two sequences, in order, with the greatest weight (longest common
subsequence: Wagner and Fischer 1974), found cell by cell. A word weighs as many letters as it has,
up to some, and one more where the word before it is paired too, so that neighbours stay together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.arrays import Int64Array, UInt8Array, UInt64Array
from core.base.compiling import njit
from core.base.progress import Cancelled, stop_if

MOST_CELLS = 400_000  # of a gap: two pages each; beyond, what is alike would be by chance
AT_ONCE = 20_000_000  # cells between two looks at whether to stop
MATCH, UP, LEFT, STEP, GOES_ON = 1, 2, 3, 3, 4  # two bits for the way, one for the pair before


def align_gaps(
    a: UInt64Array,
    b: UInt64Array,
    weights: UInt8Array,
    gaps: Int64Array,
    cancelled: Cancelled,
) -> Int64Array:
    """Pair the words of some gaps, each by itself.

    Args:
        a: Values of the words of a text.
        b: Those of another one.
        weights: uint8, of each word of `a`.
        gaps: int64 (n, 4), first word and end in `a`, the same in `b`; ascending, apart. Of those
            with more than `MOST_CELLS` cells only what is the same at both ends is paired.
        cancelled: Polled between some gaps.

    Returns:
        int64 (n, 2), places in `a` and in `b`, ascending in both.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    found = []
    ways = np.empty(MOST_CELLS, dtype=np.uint8)
    cells = np.minimum((gaps[:, 1] - gaps[:, 0]) * (gaps[:, 3] - gaps[:, 2]), MOST_CELLS)
    turns = (np.cumsum(cells) // AT_ONCE) if len(gaps) else cells
    for turn in range(int(turns[-1]) + 1 if len(turns) else 0):
        stop_if(cancelled)
        first, end = np.searchsorted(turns, (turn, turn + 1))
        found.append(_align(a, b, weights, np.ascontiguousarray(gaps[first:end]), ways))
    return np.concatenate([np.empty((0, 2), dtype=np.int64), *found])


@njit(nogil=True, cache=True, inline="always")
def _fill(a: Any, b: Any, weights: Any, ways: Any) -> None:
    """For every pair of words the way to the best pairs before them, row by row."""
    columns = len(b)
    best = np.zeros(columns + 1, dtype=np.int64)
    ending = np.full(columns + 1, -1, dtype=np.int64)  # with this pair; none below 0
    for row in range(len(a)):
        corner, corner_ending = np.int64(0), np.int64(-1)
        for column in range(columns):
            above, above_ending = best[column + 1], ending[column + 1]
            way = UP if above >= best[column] else LEFT
            value, here, goes_on = max(above, best[column]), np.int64(-1), 0
            if a[row] == b[column]:
                here = corner + weights[row]
                if corner_ending >= 0 and corner_ending + 1 >= corner:
                    here, goes_on = corner_ending + weights[row] + 1, GOES_ON
                if here >= value:
                    value, way = here, MATCH
            ways[row * columns + column] = way + goes_on
            corner, corner_ending = above, above_ending
            best[column + 1], ending[column + 1] = value, here


@njit(nogil=True, cache=True, inline="always")
def _walk_back(rows: Any, columns: Any, ways: Any, pairs: Any) -> Any:
    """Write the best pairs, the last one first; how many there are."""
    count, row, column = 0, rows - 1, columns - 1
    is_pair = False
    while row >= 0 and column >= 0:
        way = ways[row * columns + column]
        if is_pair or way & STEP == MATCH:
            pairs[count, 0], pairs[count, 1] = row, column
            count += 1
            is_pair = way >= GOES_ON
            row -= 1
            column -= 1
        elif way & STEP == UP:
            row -= 1
        else:
            column -= 1
    return count


@njit(nogil=True, cache=True)
def _align(a: Any, b: Any, weights: Any, gaps: Any, ways: Any) -> Any:
    room = 1
    for gap in range(len(gaps)):
        room += min(gaps[gap, 1] - gaps[gap, 0], gaps[gap, 3] - gaps[gap, 2])
    pairs = np.empty((room, 2), dtype=np.int64)
    count = 0
    for gap in range(len(gaps)):
        first_a, end_a, first_b, end_b = gaps[gap]
        while first_a < end_a and first_b < end_b and a[first_a] == b[first_b]:
            pairs[count, 0], pairs[count, 1] = first_a, first_b
            first_a, first_b, count = first_a + 1, first_b + 1, count + 1
        same = 0
        while first_a < end_a and first_b < end_b and a[end_a - 1] == b[end_b - 1]:
            end_a, end_b, same = end_a - 1, end_b - 1, same + 1
        rows, columns = end_a - first_a, end_b - first_b
        if 0 < rows * columns <= len(ways):
            _fill(a[first_a:end_a], b[first_b:end_b], weights[first_a:end_a], ways)
            met = _walk_back(rows, columns, ways, pairs[count:])
            backwards = pairs[count : count + met][::-1].copy()
            pairs[count : count + met, 0] = backwards[:, 0] + first_a
            pairs[count : count + met, 1] = backwards[:, 1] + first_b
            count += met
        for place in range(same):
            pairs[count, 0], pairs[count, 1] = end_a + place, end_b + place
            count += 1
    return pairs[:count].copy()
