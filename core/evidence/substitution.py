"""Which words of two short stretches stand for each other, where many were exchanged.

Global alignment with affine gaps (Gotoh, Journal of Molecular Biology 1982): words that are the
same, or forms of one word, earn as much as they have letters; a word in the place of another costs
little, and a stretch that one text has alone costs most for its first word. So a sentence that was
put in stays in one piece, and a common word pairs with another like it only where that breaks
nothing up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.arrays import Int64Array, UInt8Array, UInt64Array
from core.base.compiling import njit
from core.base.progress import Cancelled, stop_if
from core.evidence.order import heaviest_rising

MOST_CELLS = 400_000  # of a gap; a larger one is parted at words that both sides have once
AT_ONCE = 8_000_000  # cells between two looks at whether to stop
HEAVIEST = 8  # letters of a word that count
EXCHANGED, OPENED, EXTENDED = -2, -4, -1
NEVER = -(1 << 40)
PAIR, ONLY_A, ONLY_B = 0, 1, 2  # what a cell ends with: two bits of it for each, in this order
NO_PAIRS = np.empty((0, 2), dtype=np.int64)


def pair_in_gaps(
    a: UInt64Array,
    b: UInt64Array,
    letters: UInt8Array,
    gaps: Int64Array,
    cancelled: Cancelled,
) -> Int64Array:
    """Pair the words of some gaps that are alike, each gap by itself.

    Args:
        a: uint64, values of the words of a text, equal where words are alike.
        b: Those of another one.
        letters: uint8, of each word of `a`, `HEAVIEST` at most.
        gaps: int64 (n, 4), first word and end in `a`, the same in `b`; ascending, apart.
        cancelled: Polled between some gaps.

    Returns:
        int64 (n, 2), places in `a` and in `b`, ascending in both.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    sizes = (gaps[:, 1] - gaps[:, 0]) * (gaps[:, 3] - gaps[:, 2])
    found, small = [NO_PAIRS], [gaps[(sizes > 0) & (sizes <= MOST_CELLS)]]
    for gap in gaps[sizes > MOST_CELLS]:
        stop_if(cancelled)
        held = _met_once(a, b, gap)
        found.append(held)
        small.append(_between(held, gap))
    left = np.concatenate(small)
    sizes = (left[:, 1] - left[:, 0]) * (left[:, 3] - left[:, 2])
    ways = np.empty(int(sizes.max(initial=0)), dtype=np.uint8)
    turns = np.cumsum(sizes) // AT_ONCE
    for turn in range(int(turns[-1]) + 1 if len(turns) else 0):
        stop_if(cancelled)
        first, end = np.searchsorted(turns, (turn, turn + 1))
        found.append(_pair(a, b, letters, np.ascontiguousarray(left[first:end]), ways))
    pairs = np.concatenate(found)
    return pairs[np.argsort(pairs[:, 0], kind="stable")]


def _met_once(a: UInt64Array, b: UInt64Array, gap: Int64Array) -> Int64Array:
    """Words that stand once on each side of a gap, in order (patience diff, Bram Cohen)."""
    once = []
    for values, first, end in ((a, gap[0], gap[1]), (b, gap[2], gap[3])):
        order = np.argsort(values[first:end], kind="stable")
        ordered = values[first:end][order]
        new = np.concatenate([[True], ordered[1:] != ordered[:-1], [True]])
        alone = new[1:] & new[:-1]
        once.append((ordered[alone], order[alone] + first))
    _, in_a, in_b = np.intersect1d(once[0][0], once[1][0], True, return_indices=True)
    pairs = np.stack([once[0][1][in_a], once[1][1][in_b]], axis=1)
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    kept: Int64Array = pairs[heaviest_rising(pairs[:, 1], np.ones(len(pairs), dtype=np.int64))]
    return kept


def _between(held: Int64Array, gap: Int64Array) -> Int64Array:
    """What lies between some pairs of a gap, where it is small enough."""
    befores = np.concatenate([[[gap[0], gap[2]]], held + 1])
    behinds = np.concatenate([held, [[gap[1], gap[3]]]])
    parts = np.stack([befores[:, 0], behinds[:, 0], befores[:, 1], behinds[:, 1]], axis=1)
    sizes = (parts[:, 1] - parts[:, 0]) * (parts[:, 3] - parts[:, 2])
    small: Int64Array = parts[(sizes > 0) & (sizes <= MOST_CELLS)]
    return small


@njit(nogil=True, cache=True, inline="always")
def _fill(a: Any, b: Any, letters: Any, ways: Any) -> Any:
    """For every pair of words what each ending comes from, row by row; the best ending of all."""
    columns = len(b)
    above = np.full((columns + 1, 3), NEVER, dtype=np.int64)
    above[0, PAIR] = 0
    for column in range(1, columns + 1):
        above[column, ONLY_B] = OPENED + column * EXTENDED
    for row in range(len(a)):
        corner, from_corner = _best(above[0, PAIR], above[0, ONLY_A], above[0, ONLY_B])
        pair, own_a, own_b = NEVER, OPENED + (row + 1) * EXTENDED, NEVER
        above[0, PAIR], above[0, ONLY_A], above[0, ONLY_B] = pair, own_a, own_b
        for column in range(columns):
            earned = letters[row] + 1 if a[row] == b[column] else EXCHANGED
            way = from_corner
            left = _best(pair + OPENED, own_a + OPENED, own_b)
            pair = corner + earned
            over = above[column + 1, PAIR], above[column + 1, ONLY_A], above[column + 1, ONLY_B]
            corner, from_corner = _best(over[0], over[1], over[2])
            before = _best(over[0] + OPENED, over[1], over[2] + OPENED)
            own_a, own_b = before[0] + EXTENDED, left[0] + EXTENDED
            ways[row * columns + column] = way | before[1] << 2 | left[1] << 4
            above[column + 1, PAIR] = pair
            above[column + 1, ONLY_A] = own_a
            above[column + 1, ONLY_B] = own_b
    return _best(above[columns, PAIR], above[columns, ONLY_A], above[columns, ONLY_B])[1]


@njit(nogil=True, cache=True, inline="always")
def _best(pair: Any, own_a: Any, own_b: Any) -> Any:
    """The best of three scores, and which it is."""
    if pair >= own_a and pair >= own_b:
        return pair, PAIR
    if own_a >= own_b:
        return own_a, ONLY_A
    return own_b, ONLY_B


@njit(nogil=True, cache=True)
def _pair(a: Any, b: Any, letters: Any, gaps: Any, ways: Any) -> Any:
    room = 0
    for gap in range(len(gaps)):
        room += min(gaps[gap, 1] - gaps[gap, 0], gaps[gap, 3] - gaps[gap, 2])
    pairs = np.empty((room, 2), dtype=np.int64)
    count = 0
    for gap in range(len(gaps)):
        first_a, end_a, first_b, end_b = gaps[gap]
        columns = end_b - first_b
        ending = _fill(a[first_a:end_a], b[first_b:end_b], letters[first_a:end_a], ways)
        row, column = end_a - first_a - 1, columns - 1
        while row >= 0 and column >= 0:
            way = ways[row * columns + column] >> (2 * ending) & 3
            if ending == PAIR and a[first_a + row] == b[first_b + column]:
                pairs[count, 0], pairs[count, 1] = first_a + row, first_b + column
                count += 1
            row -= ending != ONLY_B
            column -= ending != ONLY_A
            ending = way
    return pairs[:count].copy()
