"""What the pairs judged so far say of those that nobody has read yet.

How likely a pair is confirmed is taken to rise with its resemblance, and nothing more: isotonic
regression (Ayer, Brunk, Ewing, Reid, Silverman 1955) by pooling adjacent violators. How well that
holds is measured on pairs that it was not fitted on. Bounds on what is still unread come from pairs
that were drawn at random (hypergeometric), or from the judged pairs nearest above (Clopper, Pearson
1934), which are at least as often confirmed as long as the curve rises.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array

__all__ = [
    "FEWEST_JUDGED",
    "ConfirmedCurve",
    "Holds",
    "Unread",
    "cross_validated",
    "expected_unread",
    "fit_confirmed",
    "most_of_rest",
    "random_check",
]

FEWEST_JUDGED = 20  # and some of both kinds: of fewer, a curve says nothing
FOLDS = 5
ERROR_RATE = 0.05  # of a bound, on one side
BOUNDING = 60  # judged pairs nearest to the unread ones, that bound them


class ConfirmedCurve(NamedTuple):
    """The probability that a pair is confirmed, by its resemblance: steps that rise.

    Attributes:
        starts: float64 (n,), the resemblance at which each step begins, ascending.
        chance: float64 (n,), the probability on it; ascending.
        judged: int64 (n,), how many pairs it is made of.
    """

    starts: Float64Array
    chance: Float64Array
    judged: Int64Array

    def at(self, resemblance: Float64Array) -> Float64Array:
        """The probability at each resemblance; below the first step that of the first."""
        step = np.searchsorted(self.starts, resemblance, side="right") - 1
        return np.asarray(self.chance[np.maximum(step, 0)])


class Holds(NamedTuple):
    """How well a curve holds for judged pairs that it was not fitted on.

    Attributes:
        right: Of how many the more likely answer was the one given.
        of: How many there were.
        by_rule: How many the one answer given most often would have got right.
    """

    right: int
    of: int
    by_rule: int


class Unread(NamedTuple):
    """What is to be expected of pairs that nobody has read.

    Attributes:
        pairs: How many there are.
        expected: How many of them are confirmed, by the curve.
        most: With 95 % there are not more; None where nothing was judged near them.
    """

    pairs: int
    expected: float
    most: int | None


def fit_confirmed(resemblance: Float64Array, confirmed: BoolArray) -> ConfirmedCurve | None:
    """The curve of judged pairs; None where too few are judged, or all alike.

    Args:
        resemblance: float64 (n,), of the judged pairs.
        confirmed: bool (n,), whether each was confirmed; suspicious is not.
    """
    alike = bool(len(confirmed)) and bool((confirmed == confirmed[0]).all())
    if len(resemblance) < FEWEST_JUDGED or alike:
        return None
    return _pooled(resemblance, confirmed)


def _pooled(resemblance: Float64Array, confirmed: BoolArray) -> ConfirmedCurve:
    starts, inverse = np.unique(resemblance, return_inverse=True)
    judged = np.bincount(inverse).astype(np.int64)
    sums = np.bincount(inverse, weights=confirmed)
    blocks: list[tuple[float, float, int]] = []  # start, confirmed, judged
    for start, yes, count in zip(starts.tolist(), sums.tolist(), judged.tolist(), strict=True):
        blocks.append((start, yes, count))
        while len(blocks) > 1 and blocks[-2][1] * blocks[-1][2] >= blocks[-1][1] * blocks[-2][2]:
            _, more, counted = blocks.pop()
            first, some, before = blocks.pop()
            blocks.append((first, some + more, before + counted))
    begin, yeses, counts = (np.array(column) for column in zip(*blocks, strict=True))
    return ConfirmedCurve(begin, yeses / counts, counts.astype(np.int64))


def cross_validated(resemblance: Float64Array, confirmed: BoolArray, seed: int = 1) -> Holds:
    """Each fifth of the judged pairs answered by a curve that was fitted on the others."""
    order = np.random.default_rng(seed).permutation(len(resemblance))
    right = 0
    for fold in range(FOLDS):
        left_out = order[fold::FOLDS]
        others = np.setdiff1d(order, left_out)
        if len(others):
            said = _pooled(resemblance[others], confirmed[others]).at(resemblance[left_out]) > 0.5
            right += int((said == confirmed[left_out]).sum())
    yes = int(confirmed.sum())
    return Holds(right, len(confirmed), max(yes, len(confirmed) - yes))


def expected_unread(
    curve: ConfirmedCurve,
    resemblance: Float64Array,
    confirmed: BoolArray,
    unread: Float64Array,
) -> Unread:
    """What is to be expected of unread pairs.

    Args:
        curve: Fitted on the judged pairs.
        resemblance: Of the judged pairs.
        confirmed: Whether each was confirmed.
        unread: float64 (m,), the resemblances of the unread pairs.
    """
    expected = float(curve.at(unread).sum())
    if not len(unread):
        return Unread(0, 0.0, 0)
    # On a curve that rises, a judged pair above them is confirmed at least as often as any of them.
    above = np.flatnonzero(resemblance >= unread.max())
    nearest = above[np.argsort(resemblance[above], kind="stable")[:BOUNDING]]
    if not len(nearest):
        return Unread(len(unread), expected, None)
    half = ERROR_RATE / 2
    share = _highest_share(int(confirmed[nearest].sum()), len(nearest), half)
    return Unread(len(unread), expected, _most_drawn(len(unread), share, half))


def most_of_rest(checked: int, confirmed: int, unread: int) -> int:
    """With 95 % not more than so many of the others are confirmed, after a random check.

    Exact: the largest number for which a check that finds so few is not rarer than 5 %.

    Args:
        checked: How many pairs were drawn at random and judged.
        confirmed: How many of them were confirmed.
        unread: How many there were to draw from beside these.
    """
    low, high = 0, unread
    while low < high:
        middle = (low + high + 1) // 2
        if _chance_of_few(checked, confirmed, middle + confirmed, checked + unread) > ERROR_RATE:
            low = middle
        else:
            high = middle - 1
    return low


def random_check(count: int, unread: int, seed: int) -> Int64Array:
    """Which of the unread pairs to check: int64, ascending, each as likely as any other."""
    drawn = np.random.default_rng(seed).choice(unread, size=min(count, unread), replace=False)
    return np.sort(drawn).astype(np.int64)


def _chance_of_few(drawn: int, most: int, special: int, total: int) -> float:
    """Hypergeometric: at most so many special ones among those drawn."""
    whole = _log_choose(total, drawn)
    return sum(
        math.exp(_log_choose(special, hit) + _log_choose(total - special, drawn - hit) - whole)
        for hit in range(max(0, drawn - (total - special)), min(most, special, drawn) + 1)
    )


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _highest_share(hits: int, trials: int, error: float) -> float:
    """Clopper and Pearson's upper bound of a share."""
    return _crossing(lambda share: _binomial_at_most(trials, share, hits) > error)


def _most_drawn(trials: int, share: float, error: float) -> int:
    """The number that is exceeded with no more than this probability."""
    low, high = 0, trials
    while low < high:
        middle = (low + high) // 2
        if _binomial_at_most(trials, share, middle) >= 1 - error:
            high = middle
        else:
            low = middle + 1
    return low


def _binomial_at_most(trials: int, share: float, most: int) -> float:
    if share <= 0 or most >= trials:
        return 1.0
    if share >= 1:
        return 0.0
    hits = np.arange(most + 1)
    steps = np.log(trials - hits[:-1]) - np.log(hits[1:])
    choose = np.concatenate([[0.0], np.cumsum(steps)])
    logs = choose + hits * math.log(share) + (trials - hits) * math.log1p(-share)
    return float(min(np.exp(logs).sum(), 1.0))


def _crossing(holds: Callable[[float], bool]) -> float:
    """The largest share, 0 to 1, for which something still holds that ends to hold once."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return high
