"""Which of the spans that two texts share are their passages: the strongest, each word once.

Where a phrase stands several times in both texts, each of its places meets all others. So of the
spans, the strongest first, one counts if at least half of it is in no stronger one, in both texts.
Neighbours in both texts are one passage: of a passage of which much was changed, parts are found.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.compiling import njit
from core.evidence.common_words import AT_A_GAP

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
    return _taken(rows, bits, _by_place(rows))


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
    return _taken(rows, bits, firsts)


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
def _taken(rows: Any, bits: Any, order: Any) -> Any:
    """Some rows in this order."""
    return rows[order], bits[order]
