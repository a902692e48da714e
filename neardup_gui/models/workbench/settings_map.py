"""The map of all settings of a K: candidates across, missed pairs up, both by their logarithms."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array
from core.base.messages import gettext
from core.candidates.forecast import Estimates, GridForecast, are_efficient
from core.reports.curve.forecast_words import about
from core.reports.curve.state import ThresholdState

if TYPE_CHECKING:
    from core.candidates.parameter_grid import ParameterGrid


LEAST = 0.5  # pairs; fewer are none
MOST_TICKS = 6
NEARLY = math.log(1.2)  # numbers that differ by less are nearly the same
SPARSE = 2  # decades; where there are fewer, 2 and 5 are marked, too
EFFICIENT_FIRST = 1.6  # an efficient one is met from so much further away


class Tick(NamedTuple):
    """A position on an axis, 0 to 1, and its number."""

    position: float
    text: str


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers by their logarithm, from 0 to 1; those below a half count as none, at `floor`.

    Attributes:
        low: The number at the lower end of the logarithms.
        high: The number at 1; that at the lower end, where all are none.
        floor: Where the logarithms begin; what is none is at 0.
    """

    low: float
    high: float
    floor: float

    @staticmethod
    def of(numbers: Float64Array) -> Scale:
        """A scale with room for all numbers."""
        nonzero = numbers[numbers >= LEAST]
        if not len(nonzero):
            return Scale(1.0, 1.0, 0.0)
        low, high = float(nonzero.min()), float(nonzero.max())
        if high < 1.1 * low:  # all alike: in the middle
            low, high = low / 3, high * 3
        none = len(nonzero) < len(numbers)
        return Scale(low, high, 0.12 if none else 0.0)

    def positions(self, numbers: Float64Array) -> Float64Array:
        """The positions of numbers, 0 to 1."""
        if self.low == self.high:
            return np.zeros_like(numbers)
        share = np.log(np.maximum(numbers, self.low) / self.low) / math.log(self.high / self.low)
        return np.asarray(
            np.where(numbers < LEAST, 0.0, self.floor + (1 - self.floor) * np.minimum(share, 1.0))
        )

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """A few round numbers on the scale."""
        if self.low == self.high:
            return (Tick(0.0, gettext("none")),)
        decades = range(math.ceil(math.log10(self.low)), math.floor(math.log10(self.high)) + 1)
        step = math.ceil(len(decades) / MOST_TICKS) if decades else 1
        numbers = [10.0**decade for decade in decades][::step]
        if len(numbers) < SPARSE:
            first = math.floor(math.log10(self.low))
            every = [m * 10.0**decade for decade in (first, first + 1) for m in (1, 2, 5)]
            numbers = [number for number in every if self.low <= number <= self.high]
        integers = np.array([number for number in numbers if number >= 1])
        ticks = [
            Tick(float(p), about(n))
            for p, n in zip(self.positions(integers), integers, strict=True)
        ]
        return (Tick(0.0, gettext("none")), *ticks) if self.floor else tuple(ticks)


@dataclass(frozen=True, eq=False, kw_only=True)
class SettingsMap:
    """The positions of all settings.

    Attributes:
        state: The one in use.
        at: What each would do.
        signature_size: K.
        across: (n,) where the candidates are, 0 to 1.
        up: (n,) where the missed pairs are, 0 to 1.
        across_scale: Of the candidates.
        up_scale: Of the missed pairs.
        missed: What is up: the missed pairs, or those that bands alone would miss.
        of_bands: Whether it is the latter, since passages find all the others.
        frontier: The efficient settings, those with the fewest candidates first.
    """

    state: ThresholdState
    at: GridForecast
    signature_size: int
    across: Float64Array
    up: Float64Array
    across_scale: Scale
    up_scale: Scale
    missed: Estimates
    of_bands: bool
    frontier: Int64Array

    @staticmethod
    def of(state: ThresholdState, grid: ParameterGrid) -> SettingsMap | None:
        """The settings that a threshold may choose from; None where too little is known."""
        at = grid.at(state.min_resemblance)
        size = min(grid.signature_size, state.signature_size)
        candidates = at.candidates.expected
        fits: BoolArray = (at.bands * at.rows <= size) & np.isfinite(candidates)
        fits &= np.isfinite(at.missed.expected)
        if not fits.any():
            return None
        together, alone = (
            np.round(estimate.expected[fits]) for estimate in (at.missed, at.missed_by_bands)
        )
        of_bands = bool(alone.any() and not together.any())
        missed = at.missed_by_bands if of_bands else at.missed
        across, up = Scale.of(candidates[fits]), Scale.of(missed.expected[fits])
        # Settings that do not fit, or are not forecast, have no position.
        return SettingsMap(
            state=state,
            at=at,
            signature_size=size,
            across=np.where(fits, across.positions(candidates), np.nan),
            up=np.where(fits, up.positions(missed.expected), np.nan),
            across_scale=across,
            up_scale=up,
            missed=missed,
            of_bands=of_bands,
            frontier=_frontier(missed.expected, candidates, np.flatnonzero(fits)),
        )

    def __len__(self) -> int:
        return int(np.isfinite(self.across).sum())

    def index_of(self, state: ThresholdState) -> int | None:
        """The index of a setting; None if it is not in the map."""
        index = self.at.index_of(state.bands, state.rows)
        return index if index is not None and np.isfinite(self.across[index]) else None

    def setting(self, index: int) -> ThresholdState:
        """The setting of an index."""
        return self.state.with_both(int(self.at.bands[index]), int(self.at.rows[index]))

    @property
    def efficient(self) -> list[ThresholdState]:
        """The settings of the frontier; the first of several with nearly the same numbers."""
        settings, last = [], np.full(2, -np.inf)
        for index in self.frontier.tolist():
            point = np.array([self.missed.expected[index], self.at.candidates.expected[index]])
            point = np.log(np.maximum(point, LEAST))
            if np.abs(point - last).max() >= NEARLY or index == self.frontier[-1]:
                settings.append(self.setting(index))
                last = point
        return settings

    def nearest(
        self, across: float, up: float, reach: tuple[float, float] = (1.0, 1.0)
    ) -> int | None:
        """The setting next to a point; an efficient one is preferred. None where none is near.

        Args:
            across: 0 to 1.
            up: 0 to 1.
            reach: How far away a setting may be, across and up.
        """
        far = np.hypot((self.across - across) / reach[0], (self.up - up) / reach[1])
        far = np.where(np.isfinite(far), far, np.inf)
        far[self.frontier] /= EFFICIENT_FIRST
        index = int(far.argmin())
        return index if far[index] <= 1 else None

    def next_efficient(self, state: ThresholdState, step: int) -> int:
        """The efficient setting so many steps towards more candidates, from any setting."""
        index = self.index_of(state)
        candidates = self.at.candidates.expected[self.frontier]
        if index is None:
            return int(self.frontier[0 if step > 0 else -1])
        on_it = np.flatnonzero(self.frontier == index)
        if len(on_it):
            onward = int(on_it[0]) + step
        else:
            onward = int(np.searchsorted(candidates, self.at.candidates.expected[index]))
            onward += step - (step > 0)
        return int(self.frontier[min(max(onward, 0), len(self.frontier) - 1)])


def _frontier(missed: Float64Array, candidates: Float64Array, among: Int64Array) -> Int64Array:
    """The efficient ones of the settings, fewest candidates first."""
    best = among[are_efficient(missed[among], candidates[among])]
    return best[np.argsort(candidates[best], kind="stable")]


class Mark(NamedTuple):
    """A marked setting: its index in the map, and how it is marked."""

    position: int
    symbol: str = "o"
    filled: bool = False
