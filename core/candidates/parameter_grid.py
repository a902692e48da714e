"""Forecasts of every banding in a folder: missed pairs against candidates.

The bandings are all b × r with b · r up to the size K of the existing signatures, so that each of
them could be used without reading any document again. The pairs that collide in a banding are
counted among the known pairs, and estimated for the others from the pairs that are known by chance;
the intervals are those of `core.candidates.forecast`.

Candidates are derived from bucket sizes. How many pairs agree in each band is known exactly; less
the bands beyond the first in which a pair collides, that is the number of pairs that collide at
all. Pairs that collide in several bands are alike, and most of them are known.

Of larger signatures, which need a new scan, only the chance of each pair to collide is known, by
its resemblance. So pairs are counted by resemblance alone, each pair known by chance as 1/p.

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

import math
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import (
    BoolArray,
    Estimate,
    Float64Array,
    Int16Array,
    Int64Array,
    UInt32Array,
    UInt64Array,
    indices_from,
)
from core.base.compiling import njit
from core.base.tasks import stop_if_cancelled
from core.candidates.bands import NO_BAND, dispersions
from core.candidates.forecast import (
    HUNDREDTHS,
    LEVELS,
    Estimates,
    Forecast,
    GridForecast,
    KnownPairs,
    LargerSignature,
    are_efficient,
    means_of_levels,
    poisson_intervals,
)
from core.candidates.scurve import candidate_probability
from core.evidence.pairs import split_codes
from core.settings import MAX_SIGNATURE

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
LISTED, UNSHARED, FOR_PASSAGE, COMPARED, OTHER_LISTED, OTHER_COMPARED, SQUARES = range(7)


class FoundPairs(NamedTuple):
    """All known pairs of different documents, also those below the threshold of the list.

    Attributes:
        codes: uint64, ascending.
        x: First documents, int64.
        y: Second documents.
        resemblance: Exact.
        counts: How many listed pairs each counts as: its documents may have copies.
        stands_for: How many known pairs each stands for, where only a sample is examined.
        sharing: Whether it shares a passage, and so is known whatever the bands.
        for_passage: Whether it shares a passage and is listed even below the threshold.
        drawn: Whether it is known by chance: by the sampled bands, or the random sample.
        otherwise: Whether it is known in neither way, nor for certain.
        only_band: int16, for drawn pairs that only one sampled band found, and nothing else, that
            band; negative for all others.
        by_chance: Whether it is drawn and only the random sample holds it.
    """

    codes: UInt64Array
    x: Int64Array
    y: Int64Array
    resemblance: Float64Array
    counts: Float64Array
    stands_for: Float64Array
    sharing: BoolArray
    for_passage: BoolArray
    drawn: BoolArray
    otherwise: BoolArray
    only_band: Int16Array
    by_chance: BoolArray

    @staticmethod
    def measured(codes: UInt64Array, resemblance: Float64Array, counts: Float64Array) -> FoundPairs:
        """Measured pairs of which nothing else is known yet."""
        none, no_band = np.zeros(len(codes), dtype=np.bool_), np.full(len(codes), NO_BAND)
        return FoundPairs(
            codes, *split_codes(codes), resemblance, counts, np.ones(len(codes)), none, none,
            none, none, no_band.astype(np.int16), none,
        )  # fmt: skip

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


class CountedPairs:
    """Known pairs from each step of resemblance on; after the last one there are none.

    Attributes:
        again: float64 (kinds, n), the bands beyond the first of each banding in which they agree;
            of each kind of `_weights`.
        squares: float64 (n,), the variance of these bands, of pairs to compare, where only a
            sample was examined.
        total: float64 (kinds, m + 1), from each step that has any on, colliding or not.
    """

    def __init__(self, signatures: UInt32Array, pairs: FoundPairs, threshold: float) -> None:
        """Count the known pairs that collide in each banding."""
        step_of_pair = steps_of_pairs(pairs.resemblance, threshold, steps_of(signatures.shape[1]))
        self._steps = np.flatnonzero(np.bincount(step_of_pair, minlength=1))
        classes = np.searchsorted(self._steps, step_of_pair)
        weights, number = _weights(pairs), len(self._steps) + 1
        collided, again = collisions_by_banding(
            signatures, pairs.x, pairs.y, classes, weights, number
        )
        self._collided, self.again, self.squares = since(collided, 1), again[0], again[1, SQUARES]
        total = [np.bincount(classes, kind, number) for kind in weights.T]
        self.total = since(np.array(total, dtype=np.float64), 1)

    def since(self, row: int) -> Float64Array:
        """Pairs from a step on, float64 (kinds,)."""
        return self.total[:, np.searchsorted(self._steps, row)]

    def collided_since(self, row: int, which: Int64Array) -> Float64Array:
        """Pairs from a step on that collide in these bandings, float64 (kinds, bandings)."""
        return self._collided[:, np.searchsorted(self._steps, row), which]


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
            listed * pairs.for_passage,
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


class UnknownEstimate:
    """An estimated number of the unknown pairs that drawn ones stand for, from each step on."""

    def __init__(
        self, known: KnownPairs, drawn: _Drawn, share: _Share, together: Float64Array
    ) -> None:
        """Sum up what counts of them; `together` is how much more it varies by chance, (n,)."""
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
            chances = (part + (together - 1) * np.abs(part * (1 - part)) for part in share)
            before, after = (
                part**2 * drawn_pairs + chance * unknown
                for part, chance in zip(share, chances, strict=True)
            )
            return summed(before, after)

        weight = each(drawn.weight)
        heaviest = weight / np.maximum(each(ones), 1)
        before = np.maximum.accumulate(share.before * heaviest, axis=0)
        after = np.maximum.accumulate((share.since * heaviest)[::-1], axis=0)[::-1]
        nothing = np.zeros((1, share.since.shape[1]))
        self._steps = drawn.steps
        # All of these float64 (m + 1, n), from each step that holds drawn pairs on, and after.
        self._mean = summed(share.before * weight, share.since * weight)
        self._heaviest = np.maximum(np.concatenate([nothing, before]), _ended(after))
        self._variance = variance(ones)  # if pairs were drawn independently
        self._of_chance = variance(drawn.pairs.by_chance.astype(np.float64))
        self._of_bands = _of_bands(known, drawn, share)  # of all pairs but those
        self._pairs = since(_ended(weight), 0)[:, 0]

    def since(self, row: int, block: int, which: Int64Array) -> tuple[Float64Array, ...]:
        """The number from a step on, its variance, and the most a pair stands for, by banding.

        Each float64 (bandings,); `block` is the hundredth that the step is in.
        """
        index = np.searchsorted(self._steps, row)
        of_bands = self._of_bands[min(block, HUNDREDTHS + 1), which]
        together = of_bands + self._of_chance[index, which]
        # Sums from which parts were taken away again may be below zero by a rounding error.
        variance = np.maximum(np.maximum(self._variance[index, which], together), 0.0)
        return self._mean[index, which], variance, self._heaviest[index, which]

    def pairs_since(self, row: int) -> float:
        """How many pairs from a step on are not known."""
        return float(self._pairs[np.searchsorted(self._steps, row)])


def _ended(values: Float64Array) -> Float64Array:
    """Append zeros for what follows the last step."""
    return np.concatenate([values, np.zeros((1, values.shape[1]))])


def _of_bands(known: KnownPairs, drawn: _Drawn, share: _Share) -> Float64Array:
    """The jackknife variance over the bands (Efron and Stein 1981), float64 (102, n).

    From each hundredth on, and after the last one.
    """
    variance: Float64Array = np.zeros((HUNDREDTHS + 2, share.since.shape[1]))
    bands = known.sampled[0] if known.sampled else 0
    if bands < 2:
        return variance
    alone = drawn.pairs.only_band >= 0
    less = known.chances(drawn.pairs.resemblance[alone], bands_less=1)
    cells = drawn.step_index[alone] * bands + drawn.pairs.only_band[alone]
    counts = (drawn.counts * drawn.pairs.stands_for)[alone]
    weights = counts / np.maximum(less, np.finfo(float).tiny)
    lost = np.bincount(cells, weights, len(drawn.steps) * bands).reshape(-1, bands)
    block = drawn.steps * HUNDREDTHS // drawn.in_all
    sums = share.before.T @ lost
    variance[-1] = (bands - 1) * sums.var(axis=1)
    for number in range(HUNDREDTHS, -1, -1):
        variance[number] = variance[number + 1]
        in_block = block == number
        if in_block.any():
            sums += (share.since - share.before)[in_block].T @ lost[in_block]
            variance[number] = (bands - 1) * sums.var(axis=1)
    return variance


class UnknownPairs:
    """The unknown pairs of a folder.

    Attributes:
        missed: Listed pairs that each banding misses, from a step on.
        below: Pairs that collide in each banding, before a step.
        bands: Bands in which pairs agree from a step on; before it, bands beyond the first.
        share: float64 (101, n), the share of pairs that are missed, by hundredths of resemblance.
    """

    def __init__(
        self,
        known: KnownPairs,
        pairs: FoundPairs,
        signature_size: int,
        tried: list[tuple[int, int]],
        together: Float64Array,
    ) -> None:
        """Estimate the pairs that are not known.

        Args:
            known: Gives the probability that a pair was drawn.
            pairs: All known pairs.
            signature_size: K.
            tried: Bandings all of whose candidates are known: no unknown pair collides in them.
            together: float64 (n,), see `core.candidates.bands.dispersions`.
        """
        in_all = steps_of(signature_size)
        drawn = pairs.take(pairs.drawn)
        step_of_pair = steps_of_pairs(drawn.resemblance, known.threshold, in_all)
        steps = np.flatnonzero(np.bincount(step_of_pair, minlength=1))
        step_index, number = np.searchsorted(steps, step_of_pair), len(steps)
        mean = np.bincount(step_index, drawn.resemblance, number) / np.bincount(
            step_index, minlength=number
        )
        at = np.append(mean, np.arange(HUNDREDTHS + 1) / HUNDREDTHS)
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
        self.share = missed[number:]
        self.missed = UnknownEstimate(known, of_copies, _Share(nothing, missed[:number]), together)
        self.below = UnknownEstimate(known, alone, _Share(collide, nothing), together)
        # A pair collides again where two bands agree: both vary, so the variance counts twice.
        self.bands = UnknownEstimate(known, alone, _Share(again, collided), 1 + 4 * (together - 1))


def _within(tried: list[tuple[int, int]], signature_size: int) -> BoolArray:
    """Which bandings find no pair that a tried one misses: each band contains one of its bands."""
    bands, rows = bandings_within(signature_size)
    within = np.zeros(len(bands), dtype=np.bool_)
    for b, r in tried:
        within |= (rows % r == 0) & (bands * rows <= b * r)
    return within


class PairsByResemblance:
    """All pairs of a folder, known or not, by thousandths of resemblance; float64 (1001,) each.

    Attributes:
        threshold: The resemblance from which pairs are listed.
        resemblance: The mean of each step.
        unshared: As listed pairs, with their copies; those that share no passage.
        compared: As pairs to compare.
    """

    def __init__(self, known: KnownPairs, pairs: FoundPairs) -> None:
        """Count all pairs, each known one as the inverse of its chance to be known."""
        step = steps_of_pairs(pairs.resemblance, known.threshold, LEVELS)
        p = np.where(pairs.drawn, known.chances(pairs.resemblance), 1.0)
        # Pairs that are known otherwise are among those that the drawn ones stand for.
        weight = pairs.stands_for * ~pairs.otherwise / p

        def count(values: Float64Array) -> Float64Array:
            return np.bincount(step, values, LEVELS + 1).astype(np.float64)

        self.threshold = known.threshold
        self.resemblance = means_of_levels(pairs.resemblance, step)
        self.unshared = count(pairs.counts * weight * ~pairs.sharing)
        self.compared = count(weight)
        self._squares = count(weight * (weight - 1))  # the variance, as far as it is estimated

    def missed(self, least: float, bands: int, rows: int) -> float:
        """How many of `unshared` from a resemblance on bands and rows would miss on average."""
        since = slice(row_of(least, self.threshold, LEVELS), None)
        missed = 1 - candidate_probability(self.resemblance[since], bands, rows)
        return float((self.unshared[since] * missed).sum())

    def candidates(
        self, bands: int, rows: int, together: float, below: float | None = None
    ) -> Estimate:
        """How many pairs bands and rows would compare, all or only those below a resemblance.

        `together` is the dispersion of bands of so many rows.
        """
        end = None if below is None else row_of(below, self.threshold, LEVELS)
        pairs, squares = self.compared[:end], self._squares[:end]
        p = candidate_probability(self.resemblance[:end], bands, rows)
        variance = float((squares * p**2 + together * pairs * p * (1 - p)).sum())
        heaviest = np.divide(squares, pairs, out=np.zeros_like(pairs), where=pairs > 0) * p
        sums = np.array([[(pairs * p).sum()], [variance], [heaviest.max(initial=0.0)]])
        return poisson_intervals(*sums).at(0)


class Affordable:
    """The largest number of bands for each number of rows that stays within a candidate budget."""

    def __init__(self, pairs: PairsByResemblance, signature_size: int, candidates: float) -> None:
        """Search for them, b · r up to K; `candidates` is how many pairs may be compared."""
        self._pairs = pairs
        compared = _merged(pairs.compared)
        s = np.divide(
            _merged(pairs.resemblance * pairs.compared), compared,
            out=np.arange(HUNDREDTHS + 1) / HUNDREDTHS, where=compared > 0,
        )  # fmt: skip
        rows = np.arange(1, signature_size + 1)
        # The logarithm of the chance to be missed by a band; equal texts get a tiny chance.
        missed = np.log1p(-np.minimum(s[:, None] ** rows, 1 - 1e-16))
        low, high = np.zeros_like(rows), signature_size // rows
        while (low < high).any():
            middle = (low + high + 1) // 2
            fits = compared @ -np.expm1(middle * missed) <= candidates
            low, high = np.where(fits, middle, low), np.where(fits, high, middle - 1)
        has_bands = low > 0
        self._bands, self._rows = low[has_bands], rows[has_bands]
        # The share of pairs that collide, by hundredths of resemblance; float64 (101, bandings).
        self._collided = -np.expm1(low[has_bands] * missed[:, has_bands])

    def least_missed(self, least: float) -> tuple[int, int] | None:
        """The b and r that miss fewest pairs from a resemblance on; None where there are none."""
        if not len(self._bands):
            return None
        wanted = self._pairs.unshared.copy()
        wanted[: row_of(least, self._pairs.threshold, LEVELS)] = 0
        best = int((_merged(wanted) @ self._collided).argmax())
        return int(self._bands[best]), int(self._rows[best])


def _merged(values: Float64Array) -> Float64Array:
    """The sums of each hundredth."""
    block = np.arange(LEVELS + 1) * HUNDREDTHS // LEVELS
    return np.bincount(block, values).astype(np.float64)


class Lists(NamedTuple):
    """How lists of the folder are made.

    Attributes:
        with_passages: Whether they have pairs that share a passage below the threshold.
        a_band: Seconds for a band; nan where unknown.
        a_pair: Seconds for a pair that was not compared before.
        apart: How many pairs of the lists share no shingle, only reworked text.
        has_all: Whether they have all pairs that are found; else the number is not known.
        weak: How many weak traces they have: these are no found pairs, and no band changes that.
    """

    with_passages: bool = True
    a_band: float = math.nan
    a_pair: float = math.nan
    apart: int = 0
    has_all: bool = True
    weak: int = 0


LARGER = (2, 4)  # times as large signatures


class ParameterGrid:
    """All bandings for the signatures of a folder.

    Attributes:
        signature_size: K.
        known: What is known of the list and its sample.
        bands: b of each banding, int64 (n,), in order of rows, then bands.
        rows: r of each.
    """

    def __init__(
        self,
        signatures: UInt32Array,
        known: KnownPairs,
        pairs: FoundPairs,
        in_bands: Float64Array,
        tried: list[tuple[int, int]],
        lists: Lists,
    ) -> None:
        """Count the pairs that every banding finds and misses.

        Args:
            signatures: uint32 (documents, K).
            known: What is known of the list and its sample.
            pairs: All known pairs, or a sample of those below the threshold.
            in_bands: float64 (n,), how many pairs all bands of each banding hold.
            tried: Bandings all of whose candidates are known.
            lists: How lists are made.
        """
        self.signature_size = size = signatures.shape[1]
        self.bands, self.rows = bandings_within(size)
        self._steps = steps_of(size)
        self.known, self._in_bands, self._lists = known, in_bands, lists
        self._counted = CountedPairs(signatures, pairs, known.threshold)
        self._together = dispersions(in_bands, size)
        self._unknown = UnknownPairs(known, pairs, size, tried, self._together)
        self._pairs = PairsByResemblance(known, pairs)
        self._at: dict[float, GridForecast] = {}
        self._affordable: dict[tuple[int, int, int], Affordable] = {}

    def at(self, threshold: float) -> GridForecast:
        """The forecast of each banding if pairs were listed from this resemblance on."""
        if threshold not in self._at:
            forecasts = self._forecasts(threshold, np.arange(len(self.bands)))
            efficient = are_efficient(forecasts.missed.expected, forecasts.candidates.expected)
            self._at = {threshold: forecasts._replace(efficient=efficient)}
        return self._at[threshold]

    def forecast(self, threshold: float, banding: tuple[int, int]) -> Forecast:
        """The forecast of one banding, counted for the pairs that the list knows.

        Where b · r exceeds K it is by the resemblance of the known pairs alone.
        """
        which = self._which(banding)
        if which is None:
            return self._beyond(threshold, *banding)
        forecast = self._forecasts(max(threshold, self.known.threshold), which).at(0)
        if threshold >= self.known.threshold:
            return forecast
        extra = self._forecasts(threshold, which).at(0)
        return forecast._replace(extra=extra.extra, extra_counted=extra.extra_counted)

    def _which(self, banding: tuple[int, int]) -> Int64Array | None:
        """The index of a banding, as an array of one; None where b · r exceeds K."""
        bands, rows = banding
        if bands * rows > self.signature_size or min(banding) < 1:
            return None
        before = int((self.signature_size // np.arange(1, rows)).sum())
        return np.array([before + bands - 1])

    def of_more(self, threshold: float, times: float) -> GridForecast:
        """The forecast of each banding for so many times as many documents like these.

        Pairs grow with the square of the number of documents, missed ones and candidates alike.
        """
        at, lists = self.at(threshold), self._lists
        pairs = times**2
        candidates = at.candidates.times(pairs)
        return at._replace(
            missed=at.missed.times(pairs),
            missed_by_bands=at.missed_by_bands.times(pairs),
            extra=at.extra.times(pairs),
            candidates=candidates,
            seconds=lists.a_band * at.bands * times + lists.a_pair * candidates.expected,
            listed=at.listed * pairs,
            total=at.total * pairs,
            certain=at.certain and times == 1,
        )

    def larger(
        self, threshold: float, banding: tuple[int, int] | None = None
    ) -> tuple[LargerSignature, ...]:
        """Forecasts for signatures of 2 K and 4 K, which need a new scan.

        For each K the b and r that miss fewest pairs and compare no more than a present banding,
        by default that of the list. Where they would not miss fewer than that: as many bands of
        as many rows as fit, which compare more.
        """
        banding = banding or self.known.banding or (0, 0)
        which = self._which(banding)
        now = Forecast() if which is None else self._forecasts(threshold, which).at(0)
        if not now.is_known:
            return ()
        sizes = [times * self.signature_size for times in LARGER]
        return tuple(
            self._larger(threshold, banding, now, size) for size in sizes if size <= MAX_SIGNATURE
        )

    def _larger(
        self, threshold: float, banding: tuple[int, int], now: Forecast, size: int
    ) -> LargerSignature:
        bands, rows = self._better(banding, now, size) or (size // banding[1], banding[1])
        return LargerSignature(bands, rows, size, self._beyond(threshold, bands, rows))

    def _beyond(self, threshold: float, bands: int, rows: int) -> Forecast:
        """The forecast of a banding, by the chances of pairs to collide in other signatures."""
        # Pairs of other signatures agree together as those of present bands of as many rows.
        together = float(self._together[self.rows == min(rows, self.signature_size)][0])
        forecast, lists = self.known.forecast(threshold, (bands, rows), together), self._lists
        if not forecast.is_known:
            return forecast
        candidates, missed = self._pairs.candidates(bands, rows, together), forecast.missed.expected
        return forecast._replace(
            extra=self._pairs.candidates(bands, rows, together, below=threshold),
            extra_counted=False,
            candidates=candidates,
            seconds=lists.a_band * bands + lists.a_pair * candidates.expected,
            listed=float(
                self._listed(self._row(forecast.least), forecast.total, np.array([missed]))[0]
            ),
        )

    def _better(self, banding: tuple[int, int], now: Forecast, size: int) -> tuple[int, int] | None:
        """The banding that misses fewer pairs, by one at least, for no more candidates."""
        key, pairs = (*banding, size), self._pairs
        if key not in self._affordable:
            self._affordable[key] = Affordable(pairs, size, now.candidates.expected)
        best = self._affordable[key].least_missed(now.least)
        if best is None:
            return None
        would, does = (pairs.missed(now.least, *choice) for choice in (best, banding))
        return best if would < does - 1 else None

    def _forecasts(self, threshold: float, which: Int64Array) -> GridForecast:
        """The forecasts of some bandings; `efficient` is not set."""
        known, lists = self.known, self._lists
        least = known.least(threshold)
        if least is None:
            listed = np.full(len(which), math.nan)
            missed = by_bands = Estimates(listed, listed, listed)
            total = least = math.nan
        else:
            row = self._row(least)
            by_bands = self._not_collided(LISTED, least, row, which)
            missed = self._not_collided(UNSHARED, least, row, which)
            total = self._total(row)
            listed = self._listed(row, total, missed.expected)
        candidates = self._candidates(None, which)
        seconds = lists.a_band * self.bands[which] + lists.a_pair * candidates.expected
        return GridForecast(
            self.bands[which], self.rows[which], missed, by_bands,
            self._candidates(self._row(threshold), which), candidates, seconds, listed,
            np.zeros(len(which), dtype=np.bool_), least, total, known.is_certain,
        )  # fmt: skip

    def _row(self, resemblance: float) -> int:
        return row_of(resemblance, self.known.threshold, self._steps)

    def _total(self, row: int) -> float:
        """All pairs from a step on, including those with the same words."""
        known = self._counted.since(row)
        unknown = max(0.0, self._unknown.missed.pairs_since(row) - known[OTHER_LISTED])
        return float(known[LISTED] + unknown) + self.known.identical

    def _listed(self, row: int, total: float, missed: Float64Array) -> Float64Array:
        """Listed pairs, also those that a passage lists below the threshold; no weak traces."""
        counted, lists = self._counted, self._lists
        if not lists.has_all:
            return np.full(len(missed), math.nan)
        below = counted.total[:, 0] - counted.since(row)
        passages = below[FOR_PASSAGE] + lists.apart if lists.with_passages else 0.0
        # Where all pairs were compared, no pair depends on the bands.
        listed = total - (0.0 * missed if self.known.complete else missed)
        return np.maximum(np.maximum(listed, 0.0) + passages - lists.weak, 0.0)

    def _not_collided(self, kind: int, least: float, row: int, which: Int64Array) -> Estimates:
        """Pairs of a kind from a step on that do not collide in bandings."""
        counted, unknown = self._counted, self._unknown
        known, otherwise = (
            counted.since(row)[pair_kind] - counted.collided_since(row, which)[pair_kind]
            for pair_kind in (kind, OTHER_LISTED)
        )
        if self.known.is_certain:
            return Estimates(known, known, known)
        chance = float(self.known.chances(np.array([least]))[0])
        share = unknown.share[int(least * HUNDREDTHS + 1e-6), which]
        mean, variance, _ = unknown.missed.since(row, row * HUNDREDTHS // self._steps, which)
        bound = poisson_intervals(mean, variance, share * (1 - chance) / chance)
        return bound.plus(-otherwise).plus(known)

    def _candidates(self, below: int | None, which: Int64Array) -> Estimates:
        """Candidates below a step, or all: by bands or drawn pairs, whichever is more exact.

        Known pairs are counted; a sample of them adds the variance of the sample.
        """
        row = self._steps + 1 if below is None else below
        counted, unknown, block = self._counted, self._unknown, row * HUNDREDTHS // self._steps
        again = counted.again[:, which]
        above, every = (counted.collided_since(start, which) for start in (row, 0))
        pairs = every - above
        drawn, bands = (
            estimate.since(row, block, which) for estimate in (unknown.below, unknown.bands)
        )
        direct = poisson_intervals(*drawn).plus(-pairs[OTHER_COMPARED]).plus(pairs[COMPARED])
        repeated = poisson_intervals(*bands).plus(-again[OTHER_COMPARED] - above[OTHER_COMPARED])
        # All pairs in all bands, less repetitions of the same pair, less listed pairs.
        by_bands = repeated.taken_from(self._in_bands[which] - again[COMPARED] - above[COMPARED])
        samples = pairs[SQUARES], counted.squares[which] + above[SQUARES]
        better = drawn[1] + samples[0] <= bands[1] + samples[1]
        made = direct.where(better, by_bands).at_least(0.0 if samples[0].any() else pairs[COMPARED])
        return made.with_variance(np.where(better, *samples))
