"""The settings that are worth comparing, each with what it would do to the folder's pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Estimate, Float64Array, Int64Array
from core.base.wording import count
from core.candidates.plane_values import are_efficient
from core.reports.curve.forecast_words import about
from core.reports.curve.state import FolderPairs, ThresholdState
from core.settings import MAX_DISTANCE, PRESETS, ScanSettings
from neardup_gui.models.setup import NAME, settings_from

if TYPE_CHECKING:
    from core.candidates.plane import Plane
    from core.candidates.plane_values import Estimates, PlaneAt, SettingForecast


class Setting(NamedTuple):
    """b, r and K, or the d of bits; a row is found again by it."""

    bands: int
    rows: int
    signature_size: int
    distance: int | None = None

    @property
    def name(self) -> str:
        """As the curve of it is named."""
        return f"{self.bands} × {self.rows}" if self.distance is None else f"d = {self.distance}"


class Named(NamedTuple):
    """A setting that has a name: a preset."""

    name: str
    bands: int
    rows: int
    signature_size: int


class Kind(Enum):
    """Why a setting is worth a row, the best reason first."""

    PRESENT = "in use"
    PINNED = "pinned"
    PRESET = "preset"
    EFFICIENT = "efficient"
    LARGER = "larger K"
    DISTANCE = "other distance"


class SettingNumbers(NamedTuple):
    """What a setting would do; None where it is not known.

    Attributes:
        missed: Pairs above `least` that would not be listed.
        by_bands: Pairs above `least` that meet in no band.
        extra: Candidates below the list's floor, compared and not listed.
        candidates: All pairs that would be compared.
        seconds: Of making the list, about.
        listed: Pairs that would be listed.
        least: The resemblance from which missed pairs are counted.
        there: Pairs above it.
        certain: Whether missed pairs were counted and not estimated.
    """

    missed: Estimate | None = None
    by_bands: Estimate | None = None
    extra: Estimate | None = None
    candidates: Estimate | None = None
    seconds: float | None = None
    listed: float | None = None
    least: float | None = None
    there: float | None = None
    certain: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRow:
    """A setting, why it is here, and what it would do.

    Attributes:
        names: Of the presets that it is.
        needs_scan: Whether its signatures are longer than those that there are.
    """

    setting: Setting
    kinds: tuple[Kind, ...]
    numbers: SettingNumbers
    names: tuple[str, ...] = ()
    needs_scan: bool = False

    @property
    def what(self) -> str:
        """Why it is here, in words."""
        words = []
        for kind in self.kinds:
            if kind is Kind.PRESET:
                words += [f"preset “{name}”" for name in self.names]
            elif kind is not Kind.LARGER:
                words.append(kind.value)
        if self.needs_scan:
            words.append(f"K = {count(self.setting.signature_size)} needs a new scan")
        return ", ".join(words)


def setting_rows(
    state: ThresholdState,
    kept: Iterable[ThresholdState],
    presets: Iterable[Named],
    folder: FolderPairs | None,
    plane: Plane | None,
    efficient: Iterable[Setting] = (),
) -> list[SettingRow]:
    """The settings worth a row, the one in use first; of bits every distance.

    Args:
        state: The setting in use.
        kept: Settings whose curves are pinned.
        presets: Starting points for such texts.
        folder: The pairs of the list; None where there is none.
        plane: What every setting would do; None while that is not known.
        efficient: Settings of it than which none misses less for fewer candidates.
    """
    if state.distance is not None:
        return _of_bits(state, kept, folder)
    rows = _Gathered(state, folder, plane)
    rows.add(Kind.PRESENT, state)
    for one in kept:
        if one.distance is None:
            rows.add(Kind.PINNED, one)
    for preset in presets:
        rows.add(Kind.PRESET, preset, preset.name)
    rows.add_efficient(efficient)
    rows.add_larger()
    return rows.made()


class _Gathered:
    """Settings with bands, each once whatever speaks for it."""

    def __init__(
        self, state: ThresholdState, folder: FolderPairs | None, plane: Plane | None
    ) -> None:
        self._state = state
        self._folder = folder
        self._plane = plane
        self._at = plane.at(state.min_resemblance) if plane else None
        self._kinds: dict[Setting, dict[Kind, None]] = {}
        self._names: dict[Setting, list[str]] = {}
        self._larger: dict[Setting, SettingNumbers] = {}

    def add(self, kind: Kind, one: ThresholdState | Named, name: str = "") -> Setting:
        """One more, or one more reason."""
        size = self._state.signature_size
        fits = one.bands * one.rows <= size
        setting = Setting(one.bands, one.rows, size if fits else one.signature_size)
        self._kinds.setdefault(setting, {})[kind] = None
        if name:
            self._names.setdefault(setting, []).append(name)
        return setting

    def add_efficient(self, efficient: Iterable[Setting]) -> None:
        """Those than which none misses less for fewer candidates."""
        for setting in efficient:
            mine = setting._replace(signature_size=self._state.signature_size)
            self._kinds.setdefault(mine, {})[Kind.EFFICIENT] = None

    def add_larger(self) -> None:
        """What longer signatures would buy; nothing where shorter ones have room for it, too."""
        state = self._state
        if self._plane is None:
            return
        for one in self._plane.larger(state.min_resemblance, (state.bands, state.rows)):
            if one.bands * one.rows > self._size:
                setting = Setting(one.bands, one.rows, one.signature_size)
                self._kinds.setdefault(setting, {})[Kind.LARGER] = None
                self._larger[setting] = _numbers_of(one)

    def made(self) -> list[SettingRow]:
        """The rows, in the order of what speaks for them."""
        return [
            SettingRow(
                setting=setting,
                kinds=tuple(sorted(kinds, key=list(Kind).index)),
                numbers=self._numbers(setting),
                names=tuple(self._names.get(setting, ())),
                needs_scan=setting.bands * setting.rows > self._size,
            )
            for setting, kinds in self._kinds.items()
        ]

    @property
    def _size(self) -> int:
        """Of the signatures that there are."""
        return self._plane.signature_size if self._plane else self._state.signature_size

    def _numbers(self, setting: Setting) -> SettingNumbers:
        if setting in self._larger:
            return self._larger[setting]
        if setting.bands * setting.rows > self._size:
            return SettingNumbers()
        if self._at is None:
            return _forecast(self._state.with_both(setting.bands, setting.rows), self._folder)
        here = np.flatnonzero((self._at.bands == setting.bands) & (self._at.rows == setting.rows))
        return numbers_at(self._at, int(here[0])) if len(here) else SettingNumbers()


def numbers_at(at: PlaneAt, place: int) -> SettingNumbers:
    """What one setting of a plane would do."""
    return SettingNumbers(
        at.missed.one(place),
        at.missed_by_bands.one(place),
        at.extra.one(place),
        at.candidates.one(place),
        _known(at.seconds[place]),
        _known(at.listed[place]),
        _known(at.least),
        _known(at.there),
        at.certain,
    )


def _numbers_of(one: SettingForecast) -> SettingNumbers:
    return SettingNumbers(
        one.missed,
        one.missed_by_bands,
        one.extra,
        one.candidates,
        one.seconds,
        one.listed,
        _known(one.least),
        _known(one.there),
        one.certain,
    )


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _of_bits(
    state: ThresholdState, kept: Iterable[ThresholdState], folder: FolderPairs | None
) -> list[SettingRow]:
    """Every distance, the one in use first."""
    pinned = {one.distance for one in kept}
    distances = sorted(range(MAX_DISTANCE + 1), key=lambda d: (d != state.distance, d))
    rows = []
    for distance in distances:
        kinds = [Kind.PRESENT if distance == state.distance else Kind.DISTANCE]
        if distance in pinned:
            kinds.append(Kind.PINNED)
        rows.append(
            SettingRow(
                setting=Setting(state.bands, state.rows, state.signature_size, distance),
                kinds=tuple(kinds),
                numbers=_forecast(state.with_distance(distance), folder),
            )
        )
    return rows


def _forecast(state: ThresholdState, folder: FolderPairs | None) -> SettingNumbers:
    """What the panel says of a setting."""
    told = folder.forecast(state) if folder else None
    below = folder.candidates_below(state) if folder else None
    extra = below[0] if below else None
    if told is None or folder is None:
        return SettingNumbers(extra=extra)
    listed = max(told.there - told.listed.expected, 0.0) + folder.by_passage
    return SettingNumbers(
        missed=told.listed,
        by_bands=told.by_bands,
        extra=extra,
        listed=None if folder.is_part_of_run else listed,
        least=told.least,
        there=told.there,
        certain=told.certain,
    )


LEAST = 0.5  # pairs; fewer are none
MOST_TICKS = 6
NEARLY = math.log(1.2)  # numbers that differ by less are nearly the same
SPARSE = 2  # decades; where there are fewer, 2 and 5 are marked, too
EFFICIENT_FIRST = 1.6  # an efficient one is met from so much further away


class Tick(NamedTuple):
    """A place on an axis, 0 to 1, and its number."""

    place: float
    text: str


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers by their logarithm from 0 to 1; those below a half, none, are at `floor`.

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
        """A scale on which all of these have room."""
        some = numbers[numbers >= LEAST]
        if not len(some):
            return Scale(1.0, 1.0, 0.0)
        low, high = float(some.min()), float(some.max())
        if high < 1.1 * low:  # all alike: in the middle
            low, high = low / 3, high * 3
        none = len(some) < len(numbers)
        return Scale(low, high, 0.12 if none else 0.0)

    def places(self, numbers: Float64Array) -> Float64Array:
        """Where numbers are."""
        if self.low == self.high:
            return np.zeros_like(numbers)
        share = np.log(np.maximum(numbers, self.low) / self.low) / math.log(self.high / self.low)
        return np.asarray(
            np.where(numbers < LEAST, 0.0, self.floor + (1 - self.floor) * np.minimum(share, 1.0))
        )

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """Round numbers on it, not too many."""
        if self.low == self.high:
            return (Tick(0.0, "none"),)
        decades = range(math.ceil(math.log10(self.low)), math.floor(math.log10(self.high)) + 1)
        step = math.ceil(len(decades) / MOST_TICKS) if decades else 1
        numbers = [10.0**decade for decade in decades][::step]
        if len(numbers) < SPARSE:
            first = math.floor(math.log10(self.low))
            every = [m * 10.0**decade for decade in (first, first + 1) for m in (1, 2, 5)]
            numbers = [one for one in every if self.low <= one <= self.high]
        whole = np.array([one for one in numbers if one >= 1])
        ticks = [Tick(float(p), about(n)) for p, n in zip(self.places(whole), whole, strict=True)]
        return (Tick(0.0, "none"), *ticks) if self.floor else tuple(ticks)


@dataclass(frozen=True, eq=False, kw_only=True)
class PlaneMap:
    """Places of all settings.

    Attributes:
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

    at: PlaneAt
    signature_size: int
    across: Float64Array
    up: Float64Array
    across_scale: Scale
    up_scale: Scale
    missed: Estimates
    of_bands: bool
    frontier: Int64Array

    @staticmethod
    def of(state: ThresholdState, plane: Plane) -> PlaneMap | None:
        """The settings that a threshold may choose from; None where too little is known."""
        at = plane.at(state.min_resemblance)
        size = min(plane.signature_size, state.signature_size)
        candidates = at.candidates.expected
        fits: BoolArray = (at.bands * at.rows <= size) & np.isfinite(candidates)
        fits &= np.isfinite(at.missed.expected)
        if not fits.any():
            return None
        together, alone = (np.round(one.expected[fits]) for one in (at.missed, at.missed_by_bands))
        of_bands = bool(alone.any() and not together.any())
        missed = at.missed_by_bands if of_bands else at.missed
        across, up = Scale.of(candidates[fits]), Scale.of(missed.expected[fits])
        # Settings that do not fit, or of which nothing is known, are nowhere.
        return PlaneMap(
            at=at,
            signature_size=size,
            across=np.where(fits, across.places(candidates), np.nan),
            up=np.where(fits, up.places(missed.expected), np.nan),
            across_scale=across,
            up_scale=up,
            missed=missed,
            of_bands=of_bands,
            frontier=_unbeaten(missed.expected, candidates, np.flatnonzero(fits)),
        )

    def __len__(self) -> int:
        return int(np.isfinite(self.across).sum())

    def place_of(self, setting: Setting | ThresholdState) -> int | None:
        """Which of the settings this is; None where it is not among them."""
        here = np.flatnonzero((self.at.bands == setting.bands) & (self.at.rows == setting.rows))
        return int(here[0]) if len(here) and np.isfinite(self.across[here[0]]) else None

    def setting(self, place: int) -> Setting:
        """The setting at a place in the arrays."""
        return Setting(int(self.at.bands[place]), int(self.at.rows[place]), self.signature_size)

    @property
    def efficient(self) -> list[Setting]:
        """The settings of the frontier; of several that do nearly the same, the first one."""
        told, last = [], np.full(2, -np.inf)
        for place in self.frontier.tolist():
            here = np.array([self.missed.expected[place], self.at.candidates.expected[place]])
            here = np.log(np.maximum(here, LEAST))
            if np.abs(here - last).max() >= NEARLY or place == self.frontier[-1]:
                told.append(self.setting(place))
                last = here
        return told

    def numbers(self, place: int) -> SettingNumbers:
        """What it would do."""
        return numbers_at(self.at, place)

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
        place = int(far.argmin())
        return place if far[place] <= 1 else None

    def next_efficient(self, setting: Setting | ThresholdState, step: int) -> int:
        """The efficient setting so many further to more candidates; from any setting."""
        place = self.place_of(setting)
        candidates = self.at.candidates.expected[self.frontier]
        if place is None:
            return int(self.frontier[0 if step > 0 else -1])
        on_it = np.flatnonzero(self.frontier == place)
        if len(on_it):
            onward = int(on_it[0]) + step
        else:
            onward = int(np.searchsorted(candidates, self.at.candidates.expected[place]))
            onward += step - (step > 0)
        return int(self.frontier[min(max(onward, 0), len(self.frontier) - 1)])


def _unbeaten(missed: Float64Array, candidates: Float64Array, among: Int64Array) -> Int64Array:
    """The efficient ones among some settings, those with the fewest candidates first."""
    best = among[are_efficient(missed[among], candidates[among])]
    return best[np.argsort(candidates[best], kind="stable")]


def presets_like(
    settings: ScanSettings, own: Iterable[Mapping[str, object]] = ()
) -> tuple[Named, ...]:
    """Those with the unit, the k and the kind of signatures of some settings.

    Args:
        settings: What is chosen.
        own: The user's own starting points, as they are stored.
    """
    known = {preset.name: preset.settings for preset in PRESETS}
    for stored in own:
        one, name = settings_from(stored), stored.get(NAME)
        if one is not None and isinstance(name, str):
            known[name] = one
    return tuple(
        Named(name, one.bands, one.rows, one.signature_size)
        for name, one in known.items()
        if (one.unit, one.k, one.signature) == (settings.unit, settings.k, settings.signature)
    )


class Mark(NamedTuple):
    """A setting that stands out: where it is in the map, and how it is marked."""

    place: int
    symbol: str = "o"
    filled: bool = False
