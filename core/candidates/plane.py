"""What every choice of bands and rows would do in a folder: missed pairs against candidates.

The choices are all b × r with b · r up to the size K of the signatures that are there, so that each
of them could be taken without reading anything again.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array
from core.base.intervals import NORMAL_95, Estimate
from core.base.progress import Cancelled, never, stop_if
from core.candidates.forecast import KnownPairs
from core.candidates.scurve import candidate_probability

__all__ = [
    "Estimates",
    "Plane",
    "PlaneAt",
    "SettingForecast",
    "choices_within",
    "make_plane",
]


class Estimates(NamedTuple):
    """Estimated numbers of pairs with their 95 % intervals, float64 (n,); nan where unknown."""

    expected: Float64Array
    low: Float64Array
    high: Float64Array

    def one(self, place: int) -> Estimate | None:
        """One of them; None where it is unknown."""
        value = Estimate(*(float(column[place]) for column in self))
        return None if math.isnan(value.expected) else value


class PlaneAt(NamedTuple):
    """What each b × r would do, if pairs were listed from one resemblance on.

    All arrays have one entry for each choice, in order of rows, then bands.

    Attributes:
        bands: b, int64 (n,).
        rows: r, int64 (n,).
        missed: Pairs from `least` on that neither the bands meet nor a passage leads to.
        missed_by_bands: Pairs from there on that the bands do not meet.
        extra: Candidates below the floor: they are compared and not listed.
        candidates: All pairs that meet in a band.
        seconds: About how long making this list takes where nothing was compared before, float64;
            nan where nothing was compared here that tells it.
        listed: Pairs that the list would have, float64.
        efficient: Whether no other choice misses fewer, in whole pairs, for as few candidates, or
            as few for fewer candidates.
        least: The resemblance from which pairs are counted: the floor, or the first above it where
            enough is known; nan where that is nowhere.
        there: How many pairs there are from there on, missed or not; nan where unknown.
        certain: Whether what is missed was counted and not estimated.
    """

    bands: Int64Array
    rows: Int64Array
    missed: Estimates
    missed_by_bands: Estimates
    extra: Estimates
    candidates: Estimates
    seconds: Float64Array
    listed: Float64Array
    efficient: BoolArray
    least: float
    there: float
    certain: bool


class SettingForecast(NamedTuple):
    """What one choice would do, as `PlaneAt` says it; None where it is not known."""

    bands: int
    rows: int
    signature_size: int
    missed: Estimate | None
    missed_by_bands: Estimate | None
    extra: Estimate | None
    candidates: Estimate | None
    seconds: float | None
    listed: float | None
    efficient: bool
    least: float
    there: float
    certain: bool


class Plane:
    """All choices of bands and rows for the signatures of a folder.

    Attributes:
        signature_size: K.
        bands: b of each choice, int64 (n,), in order of rows, then bands.
        rows: r of each.
    """

    def __init__(self, signature_size: int, known: KnownPairs, background: Float64Array) -> None:
        self.signature_size = signature_size
        self.bands, self.rows = choices_within(signature_size)
        self._known = known
        self._background = background
        self._at: dict[float, PlaneAt] = {}

    def at(self, floor: float) -> PlaneAt:
        """What each choice would do if pairs were listed from this resemblance on."""
        if floor not in self._at:
            self._at = {floor: self._made(floor)}
        return self._at[floor]

    def one(self, floor: float, bands: int, rows: int) -> SettingForecast | None:
        """What one choice would do; None where b · r exceeds K."""
        at = self.at(floor)
        found = np.flatnonzero((at.bands == bands) & (at.rows == rows))
        return None if not len(found) else _one(at, int(found[0]), self.signature_size)

    def _made(self, floor: float) -> PlaneAt:
        choices = list(zip(self.bands.tolist(), self.rows.tolist(), strict=True))
        told = [self._known.forecast(floor, choice) for choice in choices]
        unknown = Estimate(math.nan, math.nan, math.nan)
        missed = _columns([one.listed if one else unknown for one in told])
        by_bands = _columns([one.by_bands if one else unknown for one in told])
        below = np.where(self._background < floor, self._background, 0.0)
        candidates = self._expected(self._background)
        first = told[0]
        there = first.there if first else math.nan
        return PlaneAt(
            self.bands, self.rows, missed, by_bands, self._expected(below), candidates,
            np.full(len(choices), math.nan), there - missed.expected,
            _efficient(missed.expected, candidates.expected),
            first.least if first else math.nan, there, bool(first and first.certain),
        )  # fmt: skip

    def _expected(self, background: Float64Array) -> Estimates:
        """Candidates, from pairs drawn at random."""
        pairs, drawn = self._known.all_pairs, len(background)
        if not drawn:
            return Estimates(*(np.full(len(self.bands), math.nan) for _ in range(3)))
        p = candidate_probability(background[:, None], self.bands, self.rows)
        expected, spread = p.mean(axis=0) * pairs, p.std(axis=0) / math.sqrt(drawn) * pairs
        low = np.maximum(0.0, expected - NORMAL_95 * spread)
        return Estimates(expected, low, expected + NORMAL_95 * spread)


def choices_within(signature_size: int) -> tuple[Int64Array, Int64Array]:
    """All b and r with b · r up to K, in order of rows, then bands; int64 (n,) each."""
    most = signature_size // np.arange(1, signature_size + 1)
    rows = np.repeat(np.arange(1, signature_size + 1), most)
    bands = np.arange(len(rows)) - np.repeat(np.cumsum(most) - most, most) + 1
    return bands, rows


def make_plane(
    known: KnownPairs,
    signature_size: int,
    background: Float64Array,
    cancelled: Cancelled = never,
) -> Plane:
    """What every choice would do, from what is known of the pairs of a folder.

    Args:
        known: What was measured.
        signature_size: K.
        background: Resemblances of pairs drawn at random.
        cancelled: Polled while the work goes on.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    stop_if(cancelled)
    return Plane(signature_size, known, background)


def _one(at: PlaneAt, place: int, signature_size: int) -> SettingForecast:
    seconds, listed = float(at.seconds[place]), float(at.listed[place])
    return SettingForecast(
        int(at.bands[place]), int(at.rows[place]), signature_size, at.missed.one(place),
        at.missed_by_bands.one(place), at.extra.one(place), at.candidates.one(place),
        None if math.isnan(seconds) else seconds, None if math.isnan(listed) else listed,
        bool(at.efficient[place]), at.least, at.there, at.certain,
    )  # fmt: skip


def _columns(estimates: list[Estimate]) -> Estimates:
    return Estimates(*np.array(estimates, dtype=np.float64).reshape(-1, 3).T)


def _efficient(missed: Float64Array, candidates: Float64Array) -> BoolArray:
    """Which are not beaten: of those that miss as few whole pairs, the one with fewest candidates.

    None where what is missed is not known.
    """
    efficient = np.zeros(len(missed), dtype=np.bool_)
    whole = np.round(missed)
    fewest = math.inf
    for place in np.lexsort((candidates, whole)):
        if candidates[place] < fewest and not math.isnan(whole[place]):
            efficient[place] = True
            fewest = float(candidates[place])
    return efficient
