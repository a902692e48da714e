"""Estimates the pairs that are not known, and how many of them every banding b × r would find.

A pair that is known by chance, with probability p, stands for 1/p - 1 pairs that are not known: the
bands of the sample missed all of them, and another banding misses them with a conditional
probability. Both cut the same signature, so the two do not miss independently: of pairs that 64 × 2
has missed, 20 × 6 misses nearly all, and 126 × 1 fewer than of other pairs. The values of a
signature agree independently, each with probability s; going through them, the only state is
whether the present band of each of the two bandings agrees so far.

One pass finds the bands in which two signatures agree for every number of rows: with r rows the
bands begin at 0, r, 2r, ... whatever b is. So a pair collides in b bands of r rows if the first
band that agrees is one of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import (
    BoolArray,
    Float64Array,
    Int16Array,
    Int64Array,
    UInt32Array,
    indices_from,
)
from core.base.compiling import njit
from core.base.tasks import stop_if_cancelled
from core.candidates.forecast import KnownPairs

# Steps of resemblance; the fine ones for at most so many bandings.
FINE, COARSE, MOST_FINE = 1000, 200, 2000
PAIRS_AT_ONCE = 1 << 20  # a second of work between two checks for cancelling


def bandings_within(signature_size: int) -> tuple[Int64Array, Int64Array]:
    """All b and r with b · r up to K, in order of rows, then bands; int64 (n,) each."""
    most = signature_size // np.arange(1, signature_size + 1)
    rows = np.repeat(np.arange(1, signature_size + 1), most)
    return indices_from(1, most), rows


def collisions_by_banding(
    signatures: UInt32Array,
    x: Int64Array,
    y: Int64Array,
    classes: Int64Array,
    weights: Float64Array,
    number: int,
) -> tuple[Float64Array, Float64Array]:
    """Count the pairs that collide in each b × r, by class.

    Args:
        signatures: uint32 (documents, K).
        x: int64 (pairs,), first documents.
        y: Second documents.
        classes: int64 (pairs,), the class of each pair.
        weights: float64 (pairs, kinds), the weight of each pair for each kind.
        number: How many classes there are.

    Returns:
        For the bandings of `bandings_within`, float64 (kinds, classes, n), pairs that agree in a
        band; and (2, kinds, n), of all classes, the bands beyond the first in which they agree,
        and the squares of the numbers of these bands.
    """
    size = signatures.shape[1]
    most = size // np.arange(1, size + 1)
    starts = np.cumsum(most) - most
    collided = np.zeros((weights.shape[1], number, int(most.sum())))
    again = np.zeros((2, weights.shape[1], int(most.sum())))
    for start in range(0, max(len(x), 1), PAIRS_AT_ONCE):
        stop_if_cancelled()
        part = slice(start, start + PAIRS_AT_ONCE)
        _count(signatures, x[part], y[part], classes[part], weights[part], starts, collided, again)
    for start, bands in zip(starts, most, strict=True):
        for counted in (collided, again):
            of_rows = counted[..., start : start + bands]
            np.cumsum(of_rows, axis=-1, out=of_rows)
    return collided, again


@njit(nogil=True, cache=True)
def _count(
    signatures: Any,
    x: Any,
    y: Any,
    classes: Any,
    weights: Any,
    starts: Any,
    collided: Any,
    again: Any,
) -> None:
    """Add the weight of each pair to its first agreeing band, and to `again` for further ones.

    `again` counts the further bands, and what each adds to the square of their number.
    """
    size = signatures.shape[1]
    runs = np.zeros(size, dtype=np.int64)  # how many values agree, starting at each
    for pair in range(len(x)):
        a, b = x[pair], y[pair]
        run = longest = 0
        for column in range(size - 1, -1, -1):
            run = run + 1 if signatures[a, column] == signatures[b, column] else 0
            runs[column] = run
            longest = max(longest, run)
        for rows in range(1, longest + 1):
            before = 0
            for band in range(size // rows):
                if runs[band * rows] >= rows:
                    cell = starts[rows - 1] + band
                    for kind in range(weights.shape[1]):
                        if before:
                            again[0, kind, cell] += weights[pair, kind]
                            again[1, kind, cell] += (2 * before - 1) * weights[pair, kind]
                        else:
                            collided[kind, classes[pair], cell] += weights[pair, kind]
                    before += 1


# Kinds of counts, see `_weights`.
LISTED, UNSHARED, ANYWAY, COMPARED, OTHER_LISTED, OTHER_COMPARED, SQUARES = range(7)


class FoundPairs(NamedTuple):
    """All known pairs of different documents, also those below the threshold of the list.

    Attributes:
        x: First documents, int64.
        y: Second documents.
        resemblance: Exact.
        counts: How many listed pairs each counts as: its documents may have copies.
        stands_for: How many known pairs each stands for, where only a sample is examined.
        sharing: Whether it shares a passage, and so is known whatever the bands.
        anyway: Whether it shares a passage and is listed even below the threshold.
        drawn: Whether it is known by chance: by the sampled bands, or the random sample.
        otherwise: Whether it is known in neither way, nor for certain.
        only_band: int16, for drawn pairs that only one sampled band found, and nothing else, that
            band; negative for all others.
        by_chance: Whether it is drawn and only the random sample holds it.
    """

    x: Int64Array
    y: Int64Array
    resemblance: Float64Array
    counts: Float64Array
    stands_for: Float64Array
    sharing: BoolArray
    anyway: BoolArray
    drawn: BoolArray
    otherwise: BoolArray
    only_band: Int16Array
    by_chance: BoolArray

    def take(self, wanted: BoolArray) -> FoundPairs:
        """The pairs where a mask is true."""
        columns: Any = (column[wanted] for column in self)
        return FoundPairs(*columns)


def steps_of(signature_size: int) -> int:
    """The number of steps of resemblance in which pairs are counted."""
    return FINE if len(bandings_within(signature_size)[0]) <= MOST_FINE else COARSE


def row_of(resemblance: float, threshold: float, steps: int) -> int:
    """The step that begins with a resemblance; for the list's threshold the step it is in."""
    if resemblance == threshold:
        return int(threshold * steps + 1e-6)
    return round(resemblance * steps)


def steps_of_pairs(resemblance: Float64Array, threshold: float, steps: int) -> Int64Array:
    """The step of each pair; no step mixes pairs below and above the threshold."""
    step_of_pair = np.floor(resemblance * steps + 1e-6).astype(np.int64)
    first = row_of(threshold, threshold, steps)
    return np.where(
        resemblance >= threshold,
        np.maximum(step_of_pair, first),
        np.minimum(step_of_pair, first - 1),
    )


class Counted(NamedTuple):
    """Known pairs from each step of resemblance on; the last entry is after all steps, and 0.

    Attributes:
        steps: int64 (m,), ascending.
        collided: float64 (kinds, m + 1, n), in each banding; of each kind of `_weights`.
        again: float64 (kinds, n), the bands beyond the first of each banding in which they agree.
        squares: float64 (n,), the variance of these bands, of pairs to compare, where only a
            sample was examined.
        total: float64 (kinds, m + 1), colliding or not.
    """

    steps: Int64Array
    collided: Float64Array
    again: Float64Array
    squares: Float64Array
    total: Float64Array

    def since(self, row: int) -> Float64Array:
        """Pairs from a step on, float64 (kinds,)."""
        return self.total[:, np.searchsorted(self.steps, row)]

    def collided_since(self, row: int, which: Int64Array) -> Float64Array:
        """Pairs from a step on that collide in these bandings, float64 (kinds, bandings)."""
        return self.collided[:, np.searchsorted(self.steps, row), which]


def count_collisions(signatures: UInt32Array, pairs: FoundPairs, threshold: float) -> Counted:
    """Count the known pairs that collide in each banding."""
    step_of_pair = steps_of_pairs(pairs.resemblance, threshold, steps_of(signatures.shape[1]))
    steps = np.flatnonzero(np.bincount(step_of_pair, minlength=1))
    classes = np.searchsorted(steps, step_of_pair)
    weights, number = _weights(pairs), len(steps) + 1
    collided, again = collisions_by_banding(signatures, pairs.x, pairs.y, classes, weights, number)
    total = np.array([np.bincount(classes, kind, number) for kind in weights.T], dtype=np.float64)
    return Counted(steps, since(collided, 1), again[0], again[1, SQUARES], since(total, 1))


def _weights(pairs: FoundPairs) -> Float64Array:
    """The weight of each pair for each kind, float64 (pairs, kinds), in the order of the names.

    As listed pairs, with copies; of these the ones that share no passage, and the ones that share a
    listed one; as pairs to compare; of the `otherwise` known ones, as listed pairs and as pairs to
    compare; and the variance of pairs to compare where only a sample was examined.
    """
    listed = pairs.counts * pairs.stands_for
    return np.stack(
        [
            listed,
            listed * ~pairs.sharing,
            listed * pairs.anyway,
            pairs.stands_for,
            listed * pairs.otherwise,
            pairs.stands_for * pairs.otherwise,
            pairs.stands_for * (pairs.stands_for - 1),
        ],
        axis=1,
    )


def since(values: Float64Array, axis: int) -> Float64Array:
    """The sums from each index to the end."""
    return np.flip(np.cumsum(np.flip(values, axis), axis), axis)


def conditional_miss_probability(
    sampled: tuple[int, int] | None, resemblance: Float64Array, signature_size: int
) -> Float64Array:
    """The probability that a pair is missed, given that the sampled bands have missed it.

    Args:
        sampled: b and r; None where there were no sampled bands, so that nothing is given.
        resemblance: float64 (m,), of pairs, 0 to 1.
        signature_size: K.

    Returns:
        float64 (m, n), for the bandings of `bandings_within`.
    """
    s = resemblance
    given = sampled or (0, 1)
    rest = _miss_from(given, s, signature_size)
    bands, rows = bandings_within(signature_size)
    of_rows = np.arange(1, signature_size + 1)
    missed = np.empty((len(s), len(bands)))
    # Axes: whether the present band of each banding agrees so far, r of the second banding, s.
    agree = np.zeros((2, 2, signature_size, len(s)))
    agree[1, 1] = 1.0
    for column in range(signature_size):
        every = agree.sum(axis=(0, 1))
        agree *= s
        agree[0, 0] += every * (1 - s)
        if (column + 1) % given[1] == 0 and column < given[0] * given[1]:
            agree[1] = agree[0]
            agree[0] = 0.0
        ends = (column + 1) % of_rows == 0
        agree[:, 1, ends] = agree[:, 0, ends]
        agree[:, 0, ends] = 0.0
        missed_now = agree[:, 1, ends]
        now = missed_now[0] * rest[0, column + 1] + missed_now[1] * rest[1, column + 1]
        missed[:, bands * rows == column + 1] = now.T
    given_missed = rest[1, 0][:, None]
    certain = np.divide(missed, given_missed, out=np.ones_like(missed), where=given_missed > 0)
    return np.asarray(np.clip(certain, 0.0, 1.0))


def _miss_from(given: tuple[int, int], s: Float64Array, size: int) -> Float64Array:
    """The probability that no band from each column on agrees, float64 (2, K + 1, m).

    The first index is whether the band of the column agreed so far.
    """
    bands, rows = given
    missed = np.ones((2, size + 1, len(s)))
    for column in range(size - 1, -1, -1):
        if column >= bands * rows:
            continue
        ends = (column + 1) % rows == 0
        missed[0, column] = missed[1, column + 1] if ends else missed[0, column + 1]
        agreed = 0.0 if ends else missed[1, column + 1]
        missed[1, column] = s * agreed + (1 - s) * missed[0, column]
    return missed


def conditional_collisions(
    sampled: tuple[int, int] | None, resemblance: Float64Array, signature_size: int
) -> Float64Array:
    """How many bands of each banding agree on average, given that the sampled bands missed.

    Arguments and result are as of `conditional_miss_probability`; 0 to b.
    """
    bands, rows = bandings_within(signature_size)
    agree = np.empty((len(resemblance), len(bands)))
    for index, (band, row_count) in enumerate(zip(bands - 1, rows, strict=True)):
        agree[:, index] = _agrees_after(
            sampled or (0, 1), resemblance, int(band * row_count), int(row_count)
        )
    first = np.flatnonzero(bands == 1)
    for start, end in zip(first, [*first[1:], len(bands)], strict=True):
        np.cumsum(agree[:, start:end], axis=1, out=agree[:, start:end])
    return agree


def _agrees_after(given: tuple[int, int], s: Float64Array, start: int, length: int) -> Float64Array:
    """The probability that `length` values from `start` on agree, if no band of `given` agrees."""
    bands, rows = given
    agrees = s**length
    with np.errstate(divide="ignore", invalid="ignore"):
        for band in range(start // rows, min(bands, -(-(start + length) // rows))):
            both = min(start + length, (band + 1) * rows) - max(start, band * rows)
            if both == rows:
                return np.zeros_like(s)
            agrees = agrees * (1 - s ** (rows - both)) / (1 - s**rows)
    return np.asarray(np.nan_to_num(agrees, nan=0.0))  # s = 1: no such pair is missed


BLOCKS = 100  # variances between bands are kept in steps of a hundredth


class UnknownEstimate(NamedTuple):
    """An estimated number of unknown pairs, from each step on, and after the last one.

    Attributes:
        steps: int64 (m,), the steps that hold drawn pairs, ascending.
        mean: float64 (m + 1, n), the number.
        variance: float64 (m + 1, n), of the estimate, if pairs were drawn independently.
        of_chance: float64 (m + 1, n), the part of it of pairs that only the random sample holds.
        of_bands: float64 (102, n), the jackknife variance of the rest over the bands, from each
            hundredth on and after the last one.
        heaviest: float64 (m + 1, n), the most unknown pairs that a drawn pair stands for.
        pairs: float64 (m + 1,), the number of all unknown pairs from each step on.
    """

    steps: Int64Array
    mean: Float64Array
    variance: Float64Array
    of_chance: Float64Array
    of_bands: Float64Array
    heaviest: Float64Array
    pairs: Float64Array

    def since(self, row: int, block: int, which: Int64Array) -> tuple[Float64Array, ...]:
        """The number from a step on, its variance, and the most a pair stands for, by banding.

        Each float64 (bandings,); `block` is the hundredth that the step is in.
        """
        index = np.searchsorted(self.steps, row)
        together = self.of_bands[min(block, BLOCKS + 1), which] + self.of_chance[index, which]
        # Sums from which parts were taken away again may be below zero by a rounding error.
        variance = np.maximum(np.maximum(self.variance[index, which], together), 0.0)
        return self.mean[index, which], variance, self.heaviest[index, which]

    def pairs_since(self, row: int) -> float:
        """How many pairs from a step on are not known."""
        return float(self.pairs[np.searchsorted(self.steps, row)])


class _Drawn(NamedTuple):
    """Drawn pairs, the index of each among the steps that hold any, and the number of all steps.

    `weight` is how many unknown pairs each stands for.
    """

    pairs: FoundPairs
    step_index: Int64Array
    steps: Int64Array
    weight: Float64Array
    counts: Float64Array
    in_all: int


class _Share(NamedTuple):
    """The share of a pair that counts, float64 (m, n): of pairs before a step, and from it on."""

    before: Float64Array
    since: Float64Array


class UnknownPairs(NamedTuple):
    """The unknown pairs of a folder.

    Attributes:
        missed: Listed pairs that each banding misses, from a step on.
        below: Pairs that collide in each banding, before a step.
        bands: Bands in which pairs agree from a step on; before it, bands beyond the first.
        share: float64 (101, n), the share of pairs that are missed, by hundredths of resemblance.
    """

    missed: UnknownEstimate
    below: UnknownEstimate
    bands: UnknownEstimate
    share: Float64Array


def count_unknown(
    known: KnownPairs,
    pairs: FoundPairs,
    signature_size: int,
    tried: list[tuple[int, int]],
    together: Float64Array,
) -> UnknownPairs:
    """Estimate the pairs that are not known.

    Args:
        known: Gives the probability that a pair was drawn.
        pairs: All known pairs.
        signature_size: K.
        tried: Bandings all of whose candidates are known: no unknown pair collides in them.
        together: float64 (n,), see `core.candidates.bands.collided_together`.
    """
    in_all = steps_of(signature_size)
    drawn = pairs.take(pairs.drawn)
    step_of_pair = steps_of_pairs(drawn.resemblance, known.threshold, in_all)
    steps = np.flatnonzero(np.bincount(step_of_pair, minlength=1))
    step_index, number = np.searchsorted(steps, step_of_pair), len(steps)
    mean = np.bincount(step_index, drawn.resemblance, number) / np.bincount(
        step_index, minlength=number
    )
    at = np.append(mean, np.arange(BLOCKS + 1) / BLOCKS)
    missed = conditional_miss_probability(known.sampled, at, signature_size)
    collided = conditional_collisions(known.sampled, mean, signature_size)
    within = _within(tried, signature_size)
    missed[:, within], collided[:, within] = 1.0, 0.0
    again = np.maximum(collided - (1 - missed[:number]), 0.0)
    p = known.chances(drawn.resemblance)
    weight = drawn.stands_for * (1 - p) / p
    of_copies = _Drawn(drawn, step_index, steps, weight * drawn.counts, drawn.counts, in_all)
    alone = of_copies._replace(weight=weight, counts=np.ones(len(p)))
    nothing, collide = np.zeros_like(collided), 1 - missed[:number]
    return UnknownPairs(
        _unknown(known, of_copies, _Share(nothing, missed[:number]), together),
        _unknown(known, alone, _Share(collide, nothing), together),
        # A pair collides again where two bands agree: both vary, so the variance counts twice.
        _unknown(known, alone, _Share(again, collided), 1 + 4 * (together - 1)),
        missed[number:],
    )


def _within(tried: list[tuple[int, int]], signature_size: int) -> BoolArray:
    """Which bandings find no pair that a tried one misses: each band contains one of its bands."""
    bands, rows = bandings_within(signature_size)
    within = np.zeros(len(bands), dtype=np.bool_)
    for b, r in tried:
        within |= (rows % r == 0) & (bands * rows <= b * r)
    return within


def _unknown(
    known: KnownPairs, drawn: _Drawn, share: _Share, together: Float64Array
) -> UnknownEstimate:
    """Sum up what counts of the unknown pairs that the drawn ones stand for."""
    number, ones = len(drawn.steps), np.ones(len(drawn.step_index))

    def each(values: Float64Array) -> Float64Array:
        sums: Float64Array = np.bincount(drawn.step_index, values, number).astype(np.float64)
        return sums[:, None]

    def summed(before: Float64Array, after: Float64Array) -> Float64Array:
        return np.asarray(before.sum(axis=0) + since(_ended(after - before), 0))

    def variance(which: Float64Array) -> Float64Array:
        drawn_pairs = each(which * drawn.weight**2)
        unknown = each(which * drawn.counts * drawn.weight)
        # Whether a banding finds unknown pairs is chance, for many of them at once.
        before, after = (
            part**2 * drawn_pairs + (part + (together - 1) * np.abs(part * (1 - part))) * unknown
            for part in share
        )
        return summed(before, after)

    weight = each(drawn.weight)
    heaviest = weight / np.maximum(each(ones), 1)
    before = np.maximum.accumulate(share.before * heaviest, axis=0)
    after = np.maximum.accumulate((share.since * heaviest)[::-1], axis=0)[::-1]
    nothing = np.zeros((1, share.since.shape[1]))
    return UnknownEstimate(
        drawn.steps,
        summed(share.before * weight, share.since * weight),
        variance(ones),
        variance(drawn.pairs.by_chance.astype(np.float64)),
        _of_bands(known, drawn, share),
        np.maximum(np.concatenate([nothing, before]), _ended(after)),
        since(_ended(weight), 0)[:, 0],
    )


def _ended(values: Float64Array) -> Float64Array:
    """Append zeros for what follows the last step."""
    return np.concatenate([values, np.zeros((1, values.shape[1]))])


def _of_bands(known: KnownPairs, drawn: _Drawn, share: _Share) -> Float64Array:
    """The variance between bands (Efron and Stein 1981), see `UnknownEstimate.of_bands`."""
    variance: Float64Array = np.zeros((BLOCKS + 2, share.since.shape[1]))
    bands = known.sampled[0] if known.sampled else 0
    if bands < 2:
        return variance
    alone = drawn.pairs.only_band >= 0
    less = known.chances(drawn.pairs.resemblance[alone], bands_less=1)
    cells = drawn.step_index[alone] * bands + drawn.pairs.only_band[alone]
    counts = (drawn.counts * drawn.pairs.stands_for)[alone]
    weights = counts / np.maximum(less, np.finfo(float).tiny)
    lost = np.bincount(cells, weights, len(drawn.steps) * bands).reshape(-1, bands)
    block = drawn.steps * BLOCKS // drawn.in_all
    sums = share.before.T @ lost
    variance[-1] = (bands - 1) * sums.var(axis=1)
    for number in range(BLOCKS, -1, -1):
        variance[number] = variance[number + 1]
        in_block = block == number
        if in_block.any():
            sums += (share.since - share.before)[in_block].T @ lost[in_block]
            variance[number] = (bands - 1) * sums.var(axis=1)
    return variance
