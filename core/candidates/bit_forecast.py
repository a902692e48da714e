"""What signatures of bits miss in a folder, at every distance d.

Bits are compared in full, so how many pairs differ in how many bits is counted and no estimate, in
a large folder on documents drawn at random. Which of them are alike is known

- of all pairs, where all were compared;
- else of all that differ in at most H bits, where H is d or more: so many were measured;
- of all pairs that share a passage, whatever their bits.

Up to H, what every d misses is a count. Of pairs beyond H one that was measured with the cosine c
stands for P(> H | c) / P(<= H | c) (Horvitz and Thompson 1952; `core.candidates.bit_curve`). The
cosine is that of the containments, so lengths may differ as they will. Weights make the angle
another one, of each pair: those of occurrences scatter it, those of rarity make it larger besides.
By how much is fitted to the distances of the pairs that were measured, by maximum likelihood of
beta-binomials (Skellam 1948) cut off at H. Few pairs tell nothing of that.

The interval is that of `core.candidates.forecast`; the bits take the place of the bands: the
variance is at least the one that leaving out each bit shows (Efron and Stein 1981). Without a bit
all pairs within H - 1 of the 63 others are known.

How many bits differ where shingles are weighed: angles that scatter about those of the sets.

The share of bits that differ is the angle over π (`core.candidates.bit_curve`). Weights make the
angle another one for each pair. On average it is stretched; about that it scatters as a beta
distribution, so that the distance is beta-binomial (Skellam 1948).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array, UInt64Array
from core.base.intervals import Estimate, around
from core.candidates.bit_curve import BITS, differing_share
from core.candidates.forecast import (
    FLOORS,
    LEVELS,
    MIN_PROBABILITY,
    Forecast,
    interval_of_rare,
    level_of,
    more,
)
from core.settings import MAX_DISTANCE

ANGLES = 512  # classes of the share of bits that differ, from 0 to a half
BINOMIAL = 1e9  # a + b of a beta distribution with no scatter
SCATTERS = (BINOMIAL, 400.0, 200.0, 100.0, 50.0, 25.0, 12.0, 6.0, 3.0)  # that are tried
STRETCHES = np.exp(np.linspace(0, math.log(2), 15))  # of angles that are tried
TINY = np.finfo(float).tiny


class Angles(NamedTuple):
    """How the share of bits that differ follows from the angle of the sets.

    Attributes:
        stretch: How many times the angle it is on average.
        scatter: a + b of the beta distribution of the share of a pair: large, it hardly varies.
    """

    stretch: float
    scatter: float

    def within(self, bits: int = BITS) -> Float64Array:
        """(513, bits + 1): how likely at most so many differ, by classes of the angle."""
        # Half a class, where sets are all but equal: a bit of such a pair can differ all the same.
        share = np.maximum(np.arange(ANGLES + 1) / (2 * ANGLES), 0.25 / ANGLES)
        share = np.minimum(share * self.stretch, 0.5)[:, None]
        steps = np.arange(bits)
        start = np.zeros((ANGLES + 1, 1))
        differ = np.cumsum(np.log(share * self.scatter + steps), axis=1)
        agree = np.cumsum(np.log((1 - share) * self.scatter + steps), axis=1)
        logs = np.hstack([start, differ]) + np.hstack([start, agree])[:, ::-1]
        choose = np.log([float(math.comb(bits, differing)) for differing in range(bits + 1)])
        chance = np.exp(logs + choose - np.log(self.scatter + steps).sum())
        return np.asarray(np.minimum(np.cumsum(chance, axis=1), 1.0))


def class_of_angle(rest: Float64Array) -> Int64Array:
    """The class of the angle of the cosine 1 - rest."""
    share = differing_share(np.clip(rest, 0.0, 1.0))
    return np.rint(share * 2 * ANGLES).astype(np.int64)


SETS = Angles(1.0, BINOMIAL)


def fit_angles(
    cosine: Float64Array, distance: Int64Array, reach: int, stretches: Float64Array
) -> Angles:
    """The most likely angles of pairs, of which only those are known that are within `reach`.

    Args:
        cosine: Of their sets.
        distance: Bits that differ, at most `reach`.
        reach: The largest distance that is known.
        stretches: What is tried.
    """
    number = np.bincount(class_of_angle(1 - cosine) * (BITS + 1) + distance)
    used = np.flatnonzero(number)
    angle, bits = np.divmod(used, BITS + 1)
    best, most = SETS, -math.inf
    for stretch in stretches.tolist():
        for scatter in SCATTERS:
            within = Angles(stretch, scatter).within()
            chance = np.diff(within, axis=1, prepend=0.0)[angle, bits] / within[angle, reach]
            likely = float((number[used] * np.log(np.maximum(chance, TINY))).sum())
            if likely > most:
                best, most = Angles(stretch, scatter), likely
    return best


DISTANCES = BITS + 1  # 0 to 64
FEWEST_FITTED = 100  # pairs


class BitSample(NamedTuple):
    """Known pairs of different documents from the list's threshold on, one row each.

    Attributes:
        resemblance: float64, exact.
        cosine: float64, of their sets.
        distance: int64, bits that differ.
        differing: uint64, which.
        counts: float64, as how many listed pairs each counts.
        shares: bool, whether it shares a passage.
    """

    resemblance: Float64Array
    cosine: Float64Array
    distance: Int64Array
    differing: UInt64Array
    counts: Float64Array
    shares: BoolArray


class BitLevels(NamedTuple):
    """Known pairs by thousandths of resemblance, float64; copies count but in `once`.

    Attributes:
        without: (1001, 65) pairs that share no passage, by distance; of those beyond H none where
            not all are known.
        passages: (1001, 65) pairs that share one.
        once: (1001, 65) pairs of both, of different texts.
        beyond: (1001, 9) how many pairs that share no passage and are not known lie beyond the
            distance d, for d = 0 to 8; where d is below H, beyond H.
        squares: (1001,) variance of what lies beyond H where every pair is found on its own.
        edge: (1001, 64) part of what lies beyond H that without this bit comes from pairs at H.
        chances: (513,) probability to lie within H, by classes of the angle of the sets.
    """

    without: Float64Array
    passages: Float64Array
    once: Float64Array
    beyond: Float64Array
    squares: Float64Array
    edge: Float64Array
    chances: Float64Array


@dataclass(frozen=True, eq=False, kw_only=True)
class KnownBits:
    """All that is known of the pairs of a folder and their bits.

    Attributes:
        signature: The method of the signatures.
        floor: The resemblance from which pairs are listed.
        complete: Whether all pairs were compared.
        reach: H, up to which all pairs were measured; 64 where all were.
        all_pairs: Number of pairs of different documents.
        at_distance: float64 (65,), how many of them differ in so many bits.
        spread: float64 (65,), standard error of how many differ in at most so many; 0 if counted.
        identical: Listed pairs of documents with the same words.
        levels: The known pairs.
    """

    signature: str
    floor: float
    complete: bool
    reach: int
    all_pairs: int
    at_distance: Float64Array
    spread: Float64Array
    identical: int
    levels: BitLevels

    def forecast(self, floor: float, distance: int) -> Forecast | None:
        """What a distance misses from a resemblance on; None where too little is known anywhere.

        `by_bands` is what the bits alone miss, `listed` what bits and passages miss together.
        """
        least = self._least(max(floor, self.floor))
        if least is None:
            return None
        rows, levels = self._from(least), self.levels
        without, passages = levels.without[rows], levels.passages[rows]
        missed = float(without[:, distance + 1 :].sum())
        shared = float(passages[:, distance + 1 :].sum())
        unknown = self._unknown(least, distance)
        there = float(without.sum() + passages.sum()) + self._expected(rows, 0) + self.identical
        return Forecast(
            least, there, more(unknown, missed + shared), more(unknown, missed), self.complete
        )

    def candidates(self, distance: int) -> Estimate:
        """How many pairs differ in at most so many bits."""
        return around(float(self.at_distance[: distance + 1].sum()), float(self.spread[distance]))

    def extra_below(self, floor: float, distance: int) -> Estimate | None:
        """How many of them are below a resemblance, compared and not listed.

        None where pairs below the list's threshold are meant, of which nothing is known.
        """
        if floor < self.floor:
            return None
        rows = slice(round(floor * LEVELS), None) if floor > self.floor else slice(None)
        alike = float(self.levels.once[rows, : distance + 1].sum())
        if distance > self.reach:
            alike += self._expected(rows, self.reach) - self._expected(rows, distance)
        return more(self.candidates(distance), -alike)

    def _least(self, floor: float) -> float | None:
        """From where on a pair is within H often enough to tell how many are not."""
        if self.complete:
            return floor
        above = np.arange(math.ceil(round(floor * FLOORS, 6)), FLOORS + 1) / FLOORS
        places = np.append(floor, above)
        told = self._chances(places) >= MIN_PROBABILITY
        return float(places[told.argmax()]) if told.any() else None

    def _chances(self, resemblance: Float64Array) -> Float64Array:
        """The least probability that a pair is within H: that of documents of equal length."""
        return self.levels.chances[class_of_angle((1 - resemblance) / (1 + resemblance))]

    def _from(self, least: float) -> slice:
        return slice(0 if least == self.floor else round(least * LEVELS), None)

    def _expected(self, rows: slice, distance: int) -> float:
        return float(self.levels.beyond[rows, min(distance, MAX_DISTANCE)].sum())

    def _unknown(self, least: float, distance: int) -> Estimate:
        """How many pairs beyond H, and beyond d, share no passage."""
        if self.complete:
            return Estimate(0.0, 0.0, 0.0)
        rows = self._from(least)
        mean = self._expected(rows, 0)
        apart = self.levels.edge[rows].sum(axis=0)
        variance = max(float(self.levels.squares[rows].sum()), (BITS - 1) * float(apart.var()))
        hardest = float(self._chances(np.array([least]))[0])
        beyond = interval_of_rare(mean, variance, hardest)
        if distance <= self.reach:
            return beyond
        # Of those that none stands for, any part may lie beyond d.
        part = self._expected(rows, distance) / mean if mean else 1.0
        return Estimate(part * mean, part * beyond.low, beyond.high)


def bit_levels(
    pairs: BitSample, reach: int, *, weighted: bool, by_rarity: bool
) -> BitLevels | None:
    """Count known pairs; None where too few are known to tell what lies beyond H.

    Args:
        pairs: All that are known.
        reach: H, up to which all are known; 64 for all there are.
        weighted: Whether shingles do not count alike.
        by_rarity: Whether their rarity decides too.
    """
    level = level_of(pairs.resemblance)
    place = level * DISTANCES + pairs.distance

    def count(values: Float64Array) -> Float64Array:
        length = (LEVELS + 1) * DISTANCES
        counted = np.bincount(place, values, minlength=length).astype(np.float64)
        return counted.reshape(LEVELS + 1, DISTANCES)

    near = pairs.distance <= reach
    if by_rarity and reach < BITS:
        few = np.count_nonzero(near) < FEWEST_FITTED
        if few or reach <= MAX_DISTANCE:
            return None
    angles = SETS
    if weighted and reach < BITS and near.any():
        stretches = STRETCHES if by_rarity else STRETCHES[:1]
        angles = fit_angles(pairs.cosine[near], pairs.distance[near], reach, stretches)
    alone = near & ~pairs.shares
    return BitLevels(
        count(pairs.counts * alone),
        count(pairs.counts * pairs.shares),
        count(np.asarray(alone | pairs.shares, dtype=np.float64)),
        *_beyond(pairs, alone, reach, angles),
        angles.within()[:, reach],
    )


def _beyond(
    pairs: BitSample, which: BoolArray, reach: int, angles: Angles
) -> tuple[Float64Array, Float64Array, Float64Array]:
    """What lies beyond each distance, the variance of it, and what each bit decides about."""
    level, counts = level_of(pairs.resemblance[which]), pairs.counts[which]
    angle = class_of_angle(1 - pairs.cosine[which])
    chances = angles.within()
    within = np.maximum(chances[angle, reach], MIN_PROBABILITY)
    rest = 1 - chances[angle, reach]

    def total(values: Float64Array) -> Float64Array:
        return np.bincount(level, values, minlength=LEVELS + 1).astype(np.float64)

    distances = [max(distance, reach) for distance in range(MAX_DISTANCE + 1)]
    tails = {d: total(counts * (1 - chances[angle, d]) / within) for d in set(distances)}
    beyond = np.stack([tails[distance] for distance in distances], axis=1)
    edge = np.zeros((LEVELS + 1, BITS))
    if 0 < reach < BITS:
        at = pairs.distance[which] == reach
        less = np.maximum(angles.within(BITS - 1)[angle[at], reach - 1], MIN_PROBABILITY)
        weights, differing = counts[at] * rest[at] / less, pairs.differing[which][at]
        for bit in range(BITS):
            has = (differing >> np.uint64(bit)) & np.uint64(1) > 0
            edge[:, bit] = np.bincount(level[at][has], weights[has], minlength=LEVELS + 1)
    return beyond, total(counts**2 * rest / within**2), edge
