"""Stretches widened to passages, and which of these say something that no wider shared one says.

A passage is a run that several documents hold, just long enough for one, widened as far as the same
runs stand before and behind it at all of its places. So the documents of a passage are all that
hold its rarest run; it is within a longer one where fewer documents go on in the same way.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt16Array
from core.base.compiling import njit
from core.base.progress import Cancelled, never, stop_if
from core.passages.stretches import Stretches

PLACES_AT_ONCE = 1 << 20


class Widened(NamedTuple):
    """Passages, each known by a stretch in it.

    Attributes:
        stretch: int64, the stretch at whose places the passage stands.
        before: int64, how many stretches before it belong to the passage.
        behind: int64, how many behind it.
    """

    stretch: Int64Array
    before: Int64Array
    behind: Int64Array

    def take(self, rows: Int64Array | BoolArray) -> Widened:
        """Some of them."""
        return Widened(*(column[rows] for column in self))


class Units(NamedTuple):
    """The units of all stretches in a row, each unit of a document once.

    Attributes:
        firsts: int64, by place of a stretch: where it begins in the row.
        ends: int64, where it ends.
        weights: uint16, of each unit in the row; one number where all weigh the same.
        total: How many there are.
    """

    firsts: Int64Array
    ends: Int64Array
    weights: UInt16Array
    total: int

    def weight(self, firsts: Int64Array, ends: Int64Array) -> Int64Array:
        """What spans of the row weigh."""
        if len(self.weights) == 1:
            return (ends - firsts) * int(self.weights[0])
        sums = np.append(0, np.cumsum(self.weights, dtype=np.int64))
        return np.asarray(sums[ends] - sums[firsts])


def widen(stretches: Stretches, cancelled: Cancelled = never) -> Widened:
    """The passages of some stretches, each once.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    count = len(stretches.starts) - 1
    before, behind = np.full(count, -1, dtype=np.int64), np.zeros(count, dtype=np.int64)
    done = np.zeros(count, dtype=np.bool_)
    for part in _parts(np.diff(stretches.starts)):
        stop_if(cancelled)
        _widen(stretches, part, done, before, behind)
    found = np.flatnonzero(before >= 0)
    return Widened(found, before[found], behind[found])


def choose(
    stretches: Stretches,
    widened: Widened,
    units: Units,
    least: int,
    cancelled: Cancelled = never,
) -> BoolArray:
    """Which passages say something new.

    The first is asked first: at one of its places units must be left, as heavy as the shortest
    passage, that no passage before it shows.

    Args:
        stretches: Of the passages.
        widened: The passages, in the order in which they are asked.
        units: Of the stretches.
        least: What the shortest passage weighs.
        cancelled: Polled now and then.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    chosen = np.zeros(len(widened.stretch), dtype=np.bool_)
    hidden = np.arange(units.total + 1, dtype=np.int64)
    for part in _parts(np.diff(stretches.starts)[widened.stretch]):
        stop_if(cancelled)
        _choose(stretches, widened, units, part, least, hidden, chosen)
    return chosen


def _parts(places: Int64Array) -> list[tuple[int, int]]:
    """Cut rows with so many places each into parts, between which work can be stopped."""
    filled = np.cumsum(places) // PLACES_AT_ONCE
    return list(pairwise([0, *(np.flatnonzero(np.diff(filled)) + 1).tolist(), len(places)]))


@njit(nogil=True, cache=True)
def _widen(stretches: Any, part: Any, done: Any, before: Any, behind: Any) -> None:
    """How many stretches all places of each have in common on either side.

    One that is met in this way and stands as often gives the same passage: it is done.
    """
    starts = stretches.starts
    for own in range(part[0], part[1]):
        if done[own]:
            continue
        before[own] = 0
        for side in (-1, 1):
            found = _next_in_common(stretches, own, 0, side)
            steps = 0
            while found >= 0:
                steps += 1
                done[found] |= starts[found + 1] - starts[found] == starts[own + 1] - starts[own]
                found = _next_in_common(stretches, own, side * steps, side)
            if side < 0:
                before[own] = steps
            else:
                behind[own] = steps


@njit(nogil=True, cache=True)
def _next_in_common(stretches: Any, own: Any, steps: Any, side: Any) -> Any:
    """The stretch beside that which is some steps from all places of a stretch; -1 for several."""
    common = np.int64(-1)
    first = stretches.starts[own]
    for index in range(first, stretches.starts[own + 1]):
        place = stretches.order[index] + steps
        joint = place if side > 0 else place - 1
        if joint < 0 or not stretches.goes_on[joint]:
            return np.int64(-1)
        there = stretches.stretch[place + side]
        if index > first and there != common:
            return np.int64(-1)
        common = there
    return common


@njit(nogil=True, cache=True, inline="always")
def _next_fresh(hidden: Any, unit: Any) -> Any:
    """The first unit from one on that no passage shows; halves the way for others."""
    while hidden[unit] != unit:
        hidden[unit] = hidden[hidden[unit]]
        unit = hidden[unit]
    return unit


@njit(nogil=True, cache=True)
def _choose(
    stretches: Any, widened: Any, units: Any, part: Any, least: Any, hidden: Any, chosen: Any
) -> None:
    """Choose, in place; `hidden` leads from each unit towards the next that is not shown.

    That is a forest of disjoint sets (Tarjan, JACM 1975): what is shown is never walked again.
    """
    weights = units.weights
    for row in range(part[0], part[1]):
        own = widened.stretch[row]
        first, last = stretches.starts[own], stretches.starts[own + 1]
        for index in range(first, last):
            place = stretches.order[index]
            unit = _next_fresh(hidden, units.firsts[place - widened.before[row]])
            end = units.ends[place + widened.behind[row]]
            fresh = np.int64(0)
            while unit < end and fresh < least:
                fresh += weights[unit if len(weights) > 1 else 0]
                unit = _next_fresh(hidden, unit + 1)
            chosen[row] |= fresh >= least
            if chosen[row]:
                break
        for index in range(first, last if chosen[row] else first):
            place = stretches.order[index]
            unit = _next_fresh(hidden, units.firsts[place - widened.before[row]])
            end = units.ends[place + widened.behind[row]]
            while unit < end:
                hidden[unit] = unit + 1
                unit = _next_fresh(hidden, unit + 1)
