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
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from core.base.arrays import Estimate, Float64Array, Int64Array, UInt32Array
from core.candidates.bands import collided_together
from core.candidates.forecast import (
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
from core.candidates.unknown_pairs import (
    ANYWAY,
    BLOCKS,
    COMPARED,
    LISTED,
    OTHER_COMPARED,
    OTHER_LISTED,
    SQUARES,
    UNSHARED,
    FoundPairs,
    bandings_within,
    count_collisions,
    count_unknown,
    row_of,
    steps_of,
    steps_of_pairs,
)
from core.settings import MAX_SIGNATURE

COARSE = 100


class PairsByResemblance(NamedTuple):
    """All pairs of a folder, known or not, by thousandths of resemblance; float64 (1001,) each.

    Attributes:
        resemblance: The mean of each step.
        listed: As listed pairs, with their copies.
        unshared: Those of them that share no passage.
        compared: As pairs to compare.
        squares: The variance of `listed`, as far as it is estimated.
        compared_squares: That of `compared`.
        threshold: The resemblance from which pairs are listed.
    """

    resemblance: Float64Array
    listed: Float64Array
    unshared: Float64Array
    compared: Float64Array
    squares: Float64Array
    compared_squares: Float64Array
    threshold: float

    def missed(self, pairs: Float64Array, least: float, bands: int, rows: int) -> Estimate:
        """How many of some pairs from a resemblance on bands and rows would miss."""
        since = np.arange(LEVELS + 1) >= row_of(least, self.threshold, LEVELS)
        return self._sum(pairs * since, self.squares * since, bands, rows, collided=False)

    def candidates(self, bands: int, rows: int, below: float | None = None) -> Estimate:
        """How many pairs bands and rows would compare, all or only those below a resemblance."""
        wanted = np.ones(LEVELS + 1, dtype=np.bool_)
        if below is not None:
            wanted = np.arange(LEVELS + 1) < row_of(below, self.threshold, LEVELS)
        return self._sum(
            self.compared * wanted, self.compared_squares * wanted, bands, rows, collided=True
        )

    def _sum(
        self, pairs: Float64Array, squares: Float64Array, bands: int, rows: int, *, collided: bool
    ) -> Estimate:
        p = candidate_probability(self.resemblance, bands, rows)
        share = p if collided else 1 - p
        variance = float((squares * share**2 + pairs * p * (1 - p)).sum())
        heaviest = np.divide(squares, pairs, out=np.zeros_like(pairs), where=pairs > 0) * share
        sums = np.array([[(pairs * share).sum()], [variance], [heaviest.max()]])
        return poisson_intervals(*sums).at(0)


def count_by_resemblance(known: KnownPairs, pairs: FoundPairs) -> PairsByResemblance:
    """Count all pairs, each known one as the inverse of its chance to be known."""
    step = steps_of_pairs(pairs.resemblance, known.threshold, LEVELS)
    p = np.where(pairs.drawn, known.chances(pairs.resemblance), 1.0)
    # Pairs that are known otherwise are among those that the drawn ones stand for.
    weight = pairs.stands_for * ~pairs.otherwise / p

    def count(values: Float64Array) -> Float64Array:
        return np.bincount(step, values, LEVELS + 1).astype(np.float64)

    spread = weight * (weight - 1)
    return PairsByResemblance(
        means_of_levels(pairs.resemblance, step),
        count(pairs.counts * weight),
        count(pairs.counts * weight * ~pairs.sharing),
        count(weight),
        count(pairs.counts**2 * spread),
        count(spread),
        known.threshold,
    )


class Affordable(NamedTuple):
    """The largest number of bands for each number of rows that stays within a candidate budget.

    Attributes:
        bands: int64 (bandings,).
        rows: int64 (bandings,).
        collided: float64 (101, bandings), the share of pairs that collide, by hundredths.
    """

    bands: Int64Array
    rows: Int64Array
    collided: Float64Array

    def least_missed(self, pairs: PairsByResemblance, least: float) -> tuple[int, int] | None:
        """The b and r that miss fewest pairs from a resemblance on; None where there are none."""
        if not len(self.bands):
            return None
        wanted = pairs.unshared.copy()
        wanted[: row_of(least, pairs.threshold, LEVELS)] = 0
        best = int((_merged(wanted) @ self.collided).argmax())
        return int(self.bands[best]), int(self.rows[best])


def affordable(pairs: PairsByResemblance, signature_size: int, candidates: float) -> Affordable:
    """The largest number of bands, b · r up to K, for each number of rows within a budget.

    Args:
        pairs: All pairs.
        signature_size: K.
        candidates: How many may be compared.
    """
    compared = _merged(pairs.compared)
    s = np.divide(
        _merged(pairs.resemblance * pairs.compared), compared,
        out=np.arange(COARSE + 1) / COARSE, where=compared > 0,
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
    chances = -np.expm1(low[has_bands] * missed[:, has_bands])
    return Affordable(low[has_bands], rows[has_bands], chances)


def _merged(values: Float64Array) -> Float64Array:
    """The sums of each hundredth."""
    block = np.arange(LEVELS + 1) * COARSE // LEVELS
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
        self._counted = count_collisions(signatures, pairs, known.threshold)
        self._unknown = count_unknown(known, pairs, size, tried, collided_together(in_bands, size))
        self._pairs = count_by_resemblance(known, pairs)
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

        Where b · r exceeds K it is that of the known pairs alone.
        """
        which = self._which(banding)
        if which is None:
            return self.known.forecast(threshold, banding)
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
        pairs, lists = self._pairs, self._lists
        bands, rows = self._better(banding, now, size) or (size // banding[1], banding[1])
        missed = pairs.missed(pairs.unshared, now.least, bands, rows)
        candidates = pairs.candidates(bands, rows)
        listed = self._listed(self._row(now.least), now.total, np.array([missed.expected]))
        forecast = Forecast(
            now.least, now.total, pairs.missed(pairs.listed, now.least, bands, rows), missed,
            extra=pairs.candidates(bands, rows, below=threshold), candidates=candidates,
            seconds=lists.a_band * bands + lists.a_pair * candidates.expected,
            listed=float(listed[0]),
        )  # fmt: skip
        return LargerSignature(bands, rows, size, forecast)

    def _better(self, banding: tuple[int, int], now: Forecast, size: int) -> tuple[int, int] | None:
        """The banding that misses fewer pairs, by one at least, for no more candidates."""
        key, pairs = (*banding, size), self._pairs
        if key not in self._affordable:
            self._affordable[key] = affordable(pairs, size, now.candidates.expected)
        best = self._affordable[key].least_missed(pairs, now.least)
        if best is None:
            return None
        would, does = (
            pairs.missed(pairs.unshared, now.least, *choice).expected for choice in (best, banding)
        )
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
        passages = below[ANYWAY] + lists.apart if lists.with_passages else 0.0
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
        share = unknown.share[int(least * BLOCKS + 1e-6), which]
        mean, variance, _ = unknown.missed.since(row, row * BLOCKS // self._steps, which)
        bound = poisson_intervals(mean, variance, share * (1 - chance) / chance)
        return bound.plus(-otherwise).plus(known)

    def _candidates(self, below: int | None, which: Int64Array) -> Estimates:
        """Candidates below a step, or all: by bands or drawn pairs, whichever is more exact.

        Known pairs are counted; a sample of them adds the variance of the sample.
        """
        row = self._steps + 1 if below is None else below
        counted, unknown, block = self._counted, self._unknown, row * BLOCKS // self._steps
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
