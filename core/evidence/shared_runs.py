"""The maximal runs of words that two texts share, in nearly linear time.

Seeds are runs of three words that stand in both texts. Where such a seed is frequent in both, as
nearly all are in Chinese, whose words are single characters, longer seeds are looked for at its
places, each twice as long as the one before, until they are rare (adaptive seeds: Kiełbasa et al.,
Genome Research 2011). The places of a frequent seed that no longer one tells apart are matched in
turn: the first with the first, the second with the second. So every word is matched with a few
places at most, however often the texts repeat themselves, and every run that is as long as a rare
seed is found.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.base.compiling import njit
from core.base.progress import Cancelled, never, stop_if
from core.evidence.grams import group, join_grams, make_grams

SEED = 3  # words
RARE = 8  # places that a rare seed has at most in one of the texts
LEVELS = 5  # the longest seeds have 48 words


class SeedMatches(NamedTuple):
    """Where in A to look for the seed at each place of B.

    Attributes:
        places: int64, places of A.
        spans: int64 (words of B, 3), first, stop, step: `places[first:stop:step]` are matched.
    """

    places: Int64Array
    spans: Int64Array

    @property
    def pairs(self) -> int:
        """How many pairs of places these are."""
        first, stop, step = self.spans.T
        return int(np.maximum(-((first - stop) // step), 0).sum())


def find_runs(a: UInt64Array, b: UInt64Array, cancelled: Cancelled = never) -> Int64Array:
    """Maximal common runs of two texts given as the values of their words.

    Returns:
        int64 (n, 3): place in A, place in B, words; in no order, none of them twice. Runs shorter
        than the texts and than three words are left out.
    """
    seed = min(SEED, len(a), len(b))
    if seed == 0:
        return np.empty((0, 3), dtype=np.int64)
    matches = match_seeds(a, b, seed, cancelled)
    stop_if(cancelled)
    reach = np.zeros(len(a) + len(b), dtype=np.int64)
    runs = np.empty((matches.pairs, 3), dtype=np.int64)
    return runs[: _extend(a, b, matches.places, matches.spans, seed, reach, runs)]


def match_seeds(
    a: UInt64Array, b: UInt64Array, seed: int, cancelled: Cancelled = never
) -> SeedMatches:
    """What to compare in two texts that are no shorter than a seed."""
    parts: list[Int64Array] = []
    used = 0
    spans = np.zeros((len(b), 3), dtype=np.int64)
    spans[:, 2] = 1
    length = seed
    grams_a, grams_b = make_grams(a, seed), make_grams(b, seed)
    at_a, at_b = np.arange(len(grams_a)), np.arange(len(grams_b))
    for _ in range(LEVELS):
        stop_if(cancelled)
        found = _match_level(grams_a, grams_b, at_a, at_b)
        there = found.spans[:, 1] > found.spans[:, 0]
        spans[found.b[there]] = found.spans[there] + (used, used, 0)
        parts.append(found.places)
        used += len(found.places)
        at_a, at_b = found.frequent_a, found.frequent_b
        grams_a, grams_b = join_grams(grams_a, length), join_grams(grams_b, length)
        at_a, at_b = at_a[at_a < len(grams_a)], at_b[at_b < len(grams_b)]
        length *= 2
        if not len(at_a) or not len(at_b):
            break
    return SeedMatches(np.concatenate(parts), spans)


class _Level(NamedTuple):
    """The matches of the seeds of one length.

    Attributes:
        places: Places in A, those of one seed together and in order.
        b: Places in B.
        spans: int64 (n, 3), of each of these, what of `places` is matched: first, stop, step.
        frequent_a: Places in A whose seed is too frequent.
        frequent_b: Those in B.
    """

    places: Int64Array
    b: Int64Array
    spans: Int64Array
    frequent_a: Int64Array
    frequent_b: Int64Array


def _match_level(
    grams_a: UInt64Array, grams_b: UInt64Array, at_a: Int64Array, at_b: Int64Array
) -> _Level:
    """Match the grams at some places of A with those at some places of B."""
    index, starts, in_a, in_b = group(grams_a[at_a], grams_b[at_b])
    frequent = np.minimum(in_a, in_b) > RARE
    of = np.repeat(np.arange(len(starts)), in_a + in_b)
    is_a = index < len(at_a)
    own = np.flatnonzero(~is_a)
    places, place_b = at_a[index[is_a]], at_b[index[own] - len(at_a)]
    of_a, of_b = of[is_a], of[own]
    turn = own - starts[of_b] - in_a[of_b]
    low = (np.cumsum(in_a) - in_a)[of_b]
    in_turn = frequent[of_b]
    spans = np.empty((len(own), 3), dtype=np.int64)
    spans[:, 0] = np.where(in_turn, low + turn % np.maximum(in_a[of_b], 1), low)
    spans[:, 1] = low + in_a[of_b]
    spans[:, 2] = np.where(in_turn, in_b[of_b], 1)
    frequent_a = np.sort(places[frequent[of_a]])
    return _Level(places, place_b, spans, frequent_a, np.sort(place_b[in_turn]))


@njit(nogil=True, cache=True)
def _extend(
    a: Any,
    b: Any,
    places: Any,
    spans: Any,
    shortest: Any,
    reach: Any,
    runs: Any,
) -> Any:
    """Extend matches to maximal runs, each run once: B is read forwards on every diagonal.

    `reach` is, for every diagonal, where in A its last run ends.
    """
    count = 0
    for place in range(len(b)):
        index = spans[place, 0]
        while index < spans[place, 1]:
            start_a, start_b = places[index], place
            index += spans[place, 2]
            diagonal = start_a - start_b + len(b)
            if start_a < reach[diagonal]:
                continue
            end_a, end_b = start_a, start_b
            while end_a < len(a) and end_b < len(b) and a[end_a] == b[end_b]:
                end_a += 1
                end_b += 1
            while start_a > 0 and start_b > 0 and a[start_a - 1] == b[start_b - 1]:
                start_a -= 1
                start_b -= 1
            if end_a - start_a >= shortest:
                reach[diagonal] = end_a
                runs[count, 0] = start_a
                runs[count, 1] = start_b
                runs[count, 2] = end_a - start_a
                count += 1
    return count
