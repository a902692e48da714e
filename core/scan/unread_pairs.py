"""Estimates from the judged pairs how many unread ones would be confirmed.

The probability that a pair is confirmed is assumed to rise with its resemblance, no more: isotonic
regression (Ayer, Brunk, Ewing, Reid, Silverman 1955) by pooling adjacent violators. How well that
holds is measured on pairs that it was not fitted on. Bounds on what is still unread come from pairs
that were drawn at random (hypergeometric), or from the judged pairs nearest to them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array, highest_share, most_drawn

FEWEST_JUDGED = 20  # and some of both kinds: of fewer, a curve says nothing
FOLDS = 5
RUNS_POOLED = 0.9  # pooling all runs at once pays while it leaves no more blocks than that
ERROR_RATE = 0.05  # of a bound, on one side; of a range, on both
CHECKED = 30  # pairs of a random check
BOUNDING = 40  # judged pairs nearest to an unread one, that bound it
WIDEST = 0.5  # of the unread pairs: a wider range says nothing


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


class FitCheck(NamedTuple):
    """How well a curve holds for judged pairs that it was not fitted on.

    Attributes:
        right: Of how many the more likely answer was the one given.
        of: How many there were.
        by_rule: How many the one answer given most often would have got right.
    """

    right: int
    of: int
    by_rule: int


class UnreadRange(NamedTuple):
    """How many of the pairs that nobody has read would be confirmed, with 95 %.

    Attributes:
        pairs: How many there are.
        least: Not fewer of them.
        most: Not more.
    """

    pairs: int
    least: int
    most: int


def fit_confirmed(resemblance: Float64Array, confirmed: BoolArray) -> ConfirmedCurve | None:
    """The curve of judged pairs; None where too few are judged, or all alike.

    Args:
        resemblance: float64 (n,), of the judged pairs.
        confirmed: bool (n,), whether each was confirmed; suspicious is not.
    """
    alike = bool(len(confirmed)) and bool((confirmed == confirmed[0]).all())
    if len(resemblance) < FEWEST_JUDGED or alike:
        return None
    order = np.argsort(resemblance, kind="stable")
    return _pooled(resemblance[order], confirmed[order])


def _pooled(resemblance: Float64Array, confirmed: BoolArray) -> ConfirmedCurve:
    """The curve of pairs in the order of their resemblance, of at least one."""
    begins = np.flatnonzero(np.diff(resemblance, prepend=-1.0))
    yes = np.add.reduceat(confirmed.astype(np.int64), begins)
    judged = np.diff(begins, append=len(resemblance))
    starts = resemblance[begins]
    while True:
        rises = np.ones(len(starts), dtype=np.bool_)
        rises[1:] = yes[:-1] * judged[1:] < yes[1:] * judged[:-1]
        blocks = np.flatnonzero(rises)
        if len(blocks) > RUNS_POOLED * len(starts):
            break
        # Neighbours that fall, one after the other, all end in one block.
        yes, judged = np.add.reduceat(yes, blocks), np.add.reduceat(judged, blocks)
        starts = starts[blocks]
    return _pooled_one_by_one(starts, yes, judged)


def _pooled_one_by_one(starts: Float64Array, yes: Int64Array, judged: Int64Array) -> ConfirmedCurve:
    """The curve of blocks of which few are left to pool, each of which may cause others."""
    blocks: list[tuple[float, int, int]] = []  # start, confirmed, judged
    for start, more, counted in zip(starts.tolist(), yes.tolist(), judged.tolist(), strict=True):
        blocks.append((start, more, counted))
        while len(blocks) > 1 and blocks[-2][1] * blocks[-1][2] >= blocks[-1][1] * blocks[-2][2]:
            _, upper_yes, upper_judged = blocks.pop()
            first, lower_yes, lower_judged = blocks.pop()
            blocks.append((first, lower_yes + upper_yes, lower_judged + upper_judged))
    begin, yeses, counts = (np.array(column) for column in zip(*blocks, strict=True))
    return ConfirmedCurve(begin, yeses / counts, counts)


def cross_validated(resemblance: Float64Array, confirmed: BoolArray) -> FitCheck:
    """Predicts each fifth of the judged pairs by a curve that was fitted on the others."""
    order = np.argsort(resemblance, kind="stable")
    ordered, answers = resemblance[order], confirmed[order]
    fold_of = np.random.default_rng(1).permutation(len(order)) % FOLDS
    right = 0
    for fold in range(FOLDS):
        is_left_out = fold_of == fold
        if not is_left_out.all():
            curve = _pooled(ordered[~is_left_out], answers[~is_left_out])
            likely = curve.at(ordered[is_left_out]) > 0.5
            right += int((likely == answers[is_left_out]).sum())
    yes = int(confirmed.sum())
    return FitCheck(right, len(confirmed), max(yes, len(confirmed) - yes))


def unread_range(
    resemblance: Float64Array, confirmed: BoolArray, unread: Float64Array
) -> UnreadRange | None:
    """How many unread pairs would be confirmed; None where there are too few verdicts.

    The judged pairs nearest above an unread one are at least as often confirmed, those nearest
    below at most, as long as the curve rises; each bounds its share (Clopper, Pearson 1934). As
    each verdict is one of many in every such window, one more or less moves a bound a little.

    Args:
        resemblance: float64 (n,), of the judged pairs.
        confirmed: bool (n,), whether each was confirmed.
        unread: float64 (m,), the resemblances of the unread pairs.
    """
    if not len(unread):
        return None
    order = np.argsort(resemblance, kind="stable")
    judged, count = resemblance[order], len(order)
    sums = np.concatenate([[0], np.cumsum(confirmed[order])])
    first = np.searchsorted(judged, unread, side="left")
    highest = _highest_shares(sums, first, np.minimum(first + BOUNDING, count))
    last = np.searchsorted(judged, unread, side="right")
    refused = np.arange(count + 1) - sums
    lowest = 1 - _highest_shares(refused, np.maximum(last - BOUNDING, 0), last)
    # Of pairs that differ, the number varies less than of as many with their mean (Hoeffding 1956).
    half = ERROR_RATE / 2
    most = most_drawn(len(unread), float(highest.mean()), half)
    least = len(unread) - most_drawn(len(unread), float(1 - lowest.mean()), half)
    if most - least > len(unread) * WIDEST:
        return None
    return UnreadRange(len(unread), least, most)


def _highest_shares(sums: Int64Array, starts: Int64Array, ends: Int64Array) -> Float64Array:
    """The upper bound of the share of hits in each window of judged pairs; 1 in a short one."""
    hits, cases = sums[ends] - sums[starts], ends - starts
    kinds, which = np.unique(hits * (BOUNDING + 1) + cases, return_inverse=True)
    each = (divmod(kind, BOUNDING + 1) for kind in kinds.tolist())
    shares = [
        highest_share(hit_count, size, ERROR_RATE / 2) if size >= FEWEST_JUDGED else 1.0
        for hit_count, size in each
    ]
    return np.array(shares)[which]


def random_check(count: int, unread: int, seed: int) -> Int64Array:
    """Which of the unread pairs to check: int64, ascending, each as likely as any other."""
    drawn = np.random.default_rng(seed).choice(unread, size=min(count, unread), replace=False)
    return np.sort(drawn).astype(np.int64)
