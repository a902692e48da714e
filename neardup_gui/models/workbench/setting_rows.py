"""The settings that are worth comparing, each with what it would do to the folder's pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.base.arrays import Estimate
from core.base.wording import count
from core.reports.curve.state import FolderPairs, ThresholdState
from core.settings import MAX_DISTANCE

if TYPE_CHECKING:
    from core.candidates.plane import Plane, PlaneAt, SettingForecast


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
