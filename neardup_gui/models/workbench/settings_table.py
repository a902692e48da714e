"""The settings worth comparing: the one in use, pinned ones, presets, efficient ones, larger K.

As a map of all settings of a K: candidates across, missed pairs up, both by their logarithms. As
rows, as a table for spreadsheets and scripts, and in sentences. In the table for others numbers
are as they were computed: "." before decimals, nothing between thousands, an empty cell where one
is not known. Names of presets are what somebody wrote: a cell that a spreadsheet would run as a
formula begins with an apostrophe.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QObject

from core.base.arrays import BoolArray, Estimate, Float64Array
from core.base.messages import N_, gettext, in_english, ngettext
from core.base.wording import comma_list, count, threshold
from core.candidates.forecast import Forecast, GridForecast, LargerSignature, are_efficient
from core.reports.curve.forecast_words import about, nothing_to_compare
from core.reports.curve.state import ThresholdState
from core.settings import MAX_DISTANCE, ScanSettings
from neardup_gui.models.pairs.table import ANOTHER_RUN
from neardup_gui.models.table_model import (
    RowColumn,
    RowColumns,
    RowsModel,
    number_column,
    text_column,
)
from neardup_gui.models.threshold import ThresholdModel
from neardup_gui.models.words.numbers import duration

if TYPE_CHECKING:
    from core.candidates.parameter_grid import ParameterGrid

LEAST_ON_MAP = 0.5  # pairs; fewer are none
MOST_TICKS = 6
NEARLY = math.log(1.2)  # numbers that differ by less are nearly the same
SPARSE = 2  # decades; where there are fewer, 2 and 5 are marked, too
EFFICIENT_FIRST = 1.6  # an efficient one is met from so much further away


class Tick(NamedTuple):
    """A position on an axis, 0 to 1, and its number."""

    position: float
    text: str


class Scale:
    """Numbers by their logarithm, from 0 to 1; those below a half count as none, at `floor`.

    Attributes:
        low: The number at the lower end of the logarithms.
        high: The number at 1; that at the lower end, where all are none.
        floor: Where the logarithms begin; what is none is at 0.
    """

    def __init__(self, numbers: Float64Array) -> None:
        """A scale with room for all numbers."""
        nonzero = numbers[numbers >= LEAST_ON_MAP]
        self.low = self.high = 1.0
        self.floor = 0.12 if 0 < len(nonzero) < len(numbers) else 0.0
        if len(nonzero):
            self.low, self.high = float(nonzero.min()), float(nonzero.max())
            if self.high < 1.1 * self.low:  # all alike: in the middle
                self.low, self.high = self.low / 3, self.high * 3

    def positions(self, numbers: Float64Array) -> Float64Array:
        """The positions of numbers, 0 to 1."""
        if self.low == self.high:
            return np.zeros_like(numbers)
        share = np.log(np.maximum(numbers, self.low) / self.low) / math.log(self.high / self.low)
        return np.asarray(
            np.where(
                numbers < LEAST_ON_MAP, 0.0, self.floor + (1 - self.floor) * np.minimum(share, 1.0)
            )
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


class SettingsMap:
    """The positions of all settings that are forecast; others have none.

    Attributes:
        at: What each would do.
        signature_size: K.
        missed: What is up: the missed pairs, or those that bands alone would miss.
        of_bands: Whether it is the latter, since passages find all the others.
        across_scale: Of the candidates.
        up_scale: Of the missed pairs.
        across: (n,) where the candidates are, 0 to 1.
        up: (n,) where the missed pairs are, 0 to 1.
        frontier: The efficient settings, those with the fewest candidates first.
    """

    def __init__(self, state: ThresholdState, at: GridForecast, size: int, fits: BoolArray) -> None:
        """Place the settings that fit a signature of `size` values; `state` is the one in use."""
        self._state, self.at, self.signature_size = state, at, size
        together, alone = (
            np.round(estimate.expected[fits]) for estimate in (at.missed, at.missed_by_bands)
        )
        self.of_bands = bool(alone.any() and not together.any())
        self.missed = at.missed_by_bands if self.of_bands else at.missed
        candidates, missed = at.candidates.expected, self.missed.expected
        self.across_scale, self.up_scale = Scale(candidates[fits]), Scale(missed[fits])
        self.across = np.where(fits, self.across_scale.positions(candidates), np.nan)
        self.up = np.where(fits, self.up_scale.positions(missed), np.nan)
        best = np.flatnonzero(fits)[are_efficient(missed[fits], candidates[fits])]
        self.frontier = best[np.argsort(candidates[best], kind="stable")]

    @staticmethod
    def of(state: ThresholdState, grid: ParameterGrid) -> SettingsMap | None:
        """The settings that a threshold may choose from; None where too little is known."""
        at = grid.at(state.min_resemblance)
        size = min(grid.signature_size, state.signature_size)
        fits: BoolArray = (at.bands * at.rows <= size) & np.isfinite(at.candidates.expected)
        fits &= np.isfinite(at.missed.expected)
        return SettingsMap(state, at, size, fits) if fits.any() else None

    def __len__(self) -> int:
        return int(np.isfinite(self.across).sum())

    def index_of(self, state: ThresholdState) -> int | None:
        """The index of a setting; None if it is not in the map."""
        index = self.at.index_of(state.bands, state.rows)
        return index if index is not None and np.isfinite(self.across[index]) else None

    def setting(self, index: int) -> ThresholdState:
        """The setting of an index."""
        return self._state.with_both(int(self.at.bands[index]), int(self.at.rows[index]))

    @property
    def efficient(self) -> list[ThresholdState]:
        """The settings of the frontier; the first of several with nearly the same numbers."""
        settings, last = [], np.full(2, -np.inf)
        for index in self.frontier.tolist():
            point = np.array([self.missed.expected[index], self.at.candidates.expected[index]])
            point = np.log(np.maximum(point, LEAST_ON_MAP))
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


class Mark(NamedTuple):
    """A marked setting: its index in the map, and how it is marked."""

    position: int
    symbol: str = "o"
    filled: bool = False


Presets = Mapping[str, ThresholdState]
NOT_KNOWN = Forecast()


class Kind(Enum):
    """Why a setting is worth a row, the best reason first; messages."""

    PRESENT = N_("in use")
    PINNED = N_("pinned")
    PRESET = N_("preset")
    EFFICIENT = N_("efficient")
    LARGER = N_("larger K")
    DISTANCE = N_("other distance")


def preset_in_words(name: str) -> str:
    """That a setting is a preset."""
    return gettext("preset “{name}”", name=gettext(name))


@dataclass(slots=True, kw_only=True)
class SettingRow:
    """A setting, why it has a row, and what it would do.

    Attributes:
        names: Of the presets that it is.
        needs_scan: Whether its signatures are longer than those that there are.
    """

    state: ThresholdState
    kinds: tuple[Kind, ...]
    names: tuple[str, ...] = ()
    forecast: Forecast = NOT_KNOWN
    needs_scan: bool = False

    @property
    def kinds_in_words(self) -> str:
        """Why it has a row, in words."""
        words: list[str] = []
        for kind in sorted(self.kinds, key=list(Kind).index):
            if kind is Kind.PRESET:
                words += map(preset_in_words, self.names)
            elif kind is not Kind.LARGER:
                words.append(gettext(kind.value))
        if self.needs_scan:
            size = count(self.state.signature_size)
            words.append(gettext("K = {size} needs a new scan", size=size))
        return comma_list(words)


def setting_rows(
    model: ThresholdModel, presets: Presets, settings_map: SettingsMap | None
) -> list[SettingRow]:
    """The settings worth a row, the one in use first; of bits every distance.

    Args:
        model: What is in use and pinned, and what is known of the folder.
        presets: Starting points for such texts, by their names.
        settings_map: Which settings are efficient.
    """
    state = model.state
    if state.distance is not None:
        return _of_bits(model)
    rows: dict[tuple[str, int], SettingRow] = {}

    def add(kind: Kind, setting: ThresholdState, *names: str) -> SettingRow:
        if setting.bands * setting.rows <= state.signature_size:
            setting = state.with_both(setting.bands, setting.rows)
        row = rows.setdefault(setting.key, SettingRow(state=setting, kinds=()))
        row.kinds = tuple(dict.fromkeys((*row.kinds, kind)))
        row.names += names
        return row

    add(Kind.PRESENT, state)
    for kept_state in model.kept:
        if kept_state.distance is None:
            add(Kind.PINNED, kept_state)
    for name, preset in presets.items():
        add(Kind.PRESET, preset, name)
    for efficient_state in settings_map.efficient if settings_map else ():
        add(Kind.EFFICIENT, efficient_state)
    size = model.grid.signature_size if model.grid else state.signature_size
    for row in rows.values():
        row.needs_scan = row.state.bands * row.state.rows > size
        row.forecast = NOT_KNOWN if row.needs_scan else _forecast(model, row.state)
    for larger in _larger_signatures(model):
        floor = state.min_resemblance
        row = add(Kind.LARGER, ThresholdState(*larger[:2], floor, larger.signature_size))
        row.forecast, row.needs_scan = larger.forecast, True
    return list(rows.values())


def _forecast(model: ThresholdModel, state: ThresholdState) -> Forecast:
    """What a setting would do with the present signatures."""
    if model.grid is None:
        return model.folder.forecast(state) if model.folder else NOT_KNOWN
    at = model.grid.at(model.state.min_resemblance)
    index = at.index_of(state.bands, state.rows)
    return NOT_KNOWN if index is None else at.at(index)


def _larger_signatures(model: ThresholdModel) -> list[LargerSignature]:
    """The better settings that need longer signatures than the present ones."""
    grid, state = model.grid, model.state
    if grid is None:
        return []
    every = grid.larger(state.min_resemblance, (state.bands, state.rows))
    return [larger for larger in every if larger.bands * larger.rows > grid.signature_size]


def _of_bits(model: ThresholdModel) -> list[SettingRow]:
    """Every distance, the one in use first."""
    state, pinned = model.state, {kept_state.distance for kept_state in model.kept}
    rows = []
    for distance in sorted(range(MAX_DISTANCE + 1), key=lambda d: (d != state.distance, d)):
        kinds = [Kind.PRESENT if distance == state.distance else Kind.DISTANCE]
        if distance in pinned:
            kinds.append(Kind.PINNED)
        at_distance = state.with_distance(distance)
        forecast = model.folder.forecast(at_distance) if model.folder else NOT_KNOWN
        rows.append(SettingRow(state=at_distance, kinds=tuple(kinds), forecast=forecast))
    return rows


def presets_like(
    settings: ScanSettings, known: Mapping[str, ScanSettings]
) -> dict[str, ThresholdState]:
    """Of the known starting points, those with the unit, the k and the kind of signatures."""
    return {
        name: ThresholdState.of(preset_settings)
        for name, preset_settings in known.items()
        if (preset_settings.unit, preset_settings.k, preset_settings.signature)
        == (settings.unit, settings.k, settings.signature)
    }


NONE_BELOW = 0.5  # pairs; an upper limit below it is called none
UNKNOWN = "–"  # instead of a number


def amount(estimate: Estimate) -> str:
    """A number of pairs with its interval: "12 (3 to 40)"."""
    if math.isnan(estimate.expected):
        return UNKNOWN
    if estimate.high < NONE_BELOW:
        return gettext("none")
    if round(estimate.low) == round(estimate.high):
        return count(round(estimate.expected))
    low, high = about(estimate.low), about(math.ceil(estimate.high))
    if round(estimate.expected) == 0:
        return gettext("at most {most}", most=high)
    expected = about(estimate.expected)
    if low == high:
        return expected
    return gettext("{expected} ({low} to {high})", expected=expected, low=low, high=high)


def _roughly(estimate: Estimate) -> str:
    """Without the interval; with all digits only where it was counted."""
    if math.isnan(estimate.expected):
        return UNKNOWN
    is_counted = round(estimate.low) == round(estimate.high)
    return count(round(estimate.expected)) if is_counted else about(estimate.expected)


def _number(forecast: Forecast, value: float) -> str:
    if math.isnan(value):
        return UNKNOWN
    return count(round(value)) if forecast.certain else about(value)


def _seconds(seconds: float) -> str:
    return UNKNOWN if math.isnan(seconds) else duration(seconds)


def _missed_column(title: str, meaning: str, of: Callable[[Forecast], Estimate]) -> RowColumn:
    """A column of pairs that are missed, with their interval."""
    return number_column(
        title,
        "1,200 (980 to 1,300)",
        lambda row: amount(of(row.forecast)),
        # Of those that miss nothing, the surest first.
        sorts=lambda row: of(row.forecast).expected + of(row.forecast).high * 1e-6,
        meaning=meaning,
    )


def _compared_column(title: str, meaning: str, of: Callable[[Forecast], Estimate]) -> RowColumn:
    """A column of pairs that are compared."""
    return number_column(
        title,
        "9,900,000",
        lambda row: _roughly(of(row.forecast)),
        sorts=lambda row: of(row.forecast).expected,
        meaning=meaning,
    )


class SettingColumn(RowColumns):
    """The columns, from left to right."""

    BANDS = number_column(
        "b",
        "1,024",
        lambda row: count(row.state.bands),
        sorts=lambda row: row.state.bands,
        meaning=N_("Bands: a pair is checked when it agrees in all rows of at least one band."),
    )
    ROWS = number_column(
        "r",
        "999",
        lambda row: count(row.state.rows),
        sorts=lambda row: row.state.rows,
        meaning=N_("Rows: the signature values in a band."),
    )
    DISTANCE = number_column(
        "d",
        "64",
        lambda row: count(row.state.distance or 0),
        sorts=lambda row: row.state.distance or 0,
        meaning=N_("Distance: how many of the 64 bits may differ."),
    )
    SIZE = number_column(
        "K",
        "1,024",
        lambda row: count(row.state.signature_size),
        sorts=lambda row: row.state.signature_size,
        meaning=N_("Values in a signature; b · r is at most K. More need a new scan."),
    )
    WHAT = text_column(
        N_("Note"),
        lambda row: row.kinds_in_words,
        meaning=N_(
            "In use, pinned in the picture, a preset for such shingles, or efficient: no other "
            "setting with this K misses less for fewer candidates."
        ),
    )
    MISSED = _missed_column(
        N_("Missed"),
        N_(
            "Pairs above “Listed from” that would not be listed, neither by bands nor for a shared "
            "passage, with the 95% interval."
        ),
        lambda forecast: forecast.missed,
    )
    CANDIDATES = _compared_column(
        N_("Candidates"),
        N_("All pairs that would be compared, listed or not."),
        lambda forecast: forecast.candidates,
    )
    EXTRA = _compared_column(
        N_("Wasted"),
        N_("Extra candidates: pairs below “Listed from” that would be compared but not listed."),
        lambda forecast: forecast.extra,
    )
    LISTED = number_column(
        N_("Lists"),
        "990,000",
        lambda row: _number(row.forecast, row.forecast.listed),
        sorts=lambda row: row.forecast.listed,
        meaning=N_("How many pairs the list would have, without weak traces."),
    )
    SECONDS = number_column(
        N_("Time"),
        N_("under 0.1 s"),
        lambda row: _seconds(row.forecast.seconds),
        sorts=lambda row: row.forecast.seconds,
        meaning=N_("Roughly how long listing would take, judging by earlier lists of this folder."),
    )
    BY_BANDS = _missed_column(
        N_("By bands alone"),
        N_(
            "Pairs above “Listed from” that meet in no band: those that only a shared passage "
            "would list are among them."
        ),
        lambda forecast: forecast.missed_by_bands,
    )


LEGEND = N_("● efficient   ◉ in use   ◇ pinned   A click uses one.")
BITS = N_(
    "{name} has no bands, so there is no map of b × r: the table has every distance d. A larger d "
    "misses less and compares more."
)


def row_words(row: SettingRow) -> str:
    """A row in a sentence, for a tool tip and for screen readers."""
    name = row.state.name
    if row.state.distance is None:
        name = gettext(
            "{bands} of {rows}",
            bands=ngettext("{n} band", "{n} bands", row.state.bands),
            rows=ngettext("{n} row", "{n} rows", row.state.rows),
        )
    name = comma_list((name, row.kinds_in_words))
    return f"{name}: {forecast_words(row.forecast)}"


def position_words(settings_map: SettingsMap, index: int) -> str:
    """A setting of the map in a line."""
    return f"{settings_map.setting(index).name}: {forecast_words(settings_map.at.at(index))}"


def forecast_words(forecast: Forecast) -> str:
    """What a setting would do."""
    phrases = []
    missed, by_bands = amount(forecast.missed), amount(forecast.missed_by_bands)
    if missed != UNKNOWN:
        if forecast.total:
            existing = _number(forecast, forecast.total)
            phrases.append(gettext("{missed} of {there} missed", missed=missed, there=existing))
        else:
            phrases.append(gettext("{missed} missed", missed=missed))
        if by_bands != missed:
            phrases.append(gettext("by bands alone {missed}", missed=by_bands))
    if not math.isnan(forecast.candidates.expected):
        phrases.append(gettext("candidates: {number}", number=amount(forecast.candidates)))
    if not math.isnan(forecast.extra.expected):
        phrases.append(gettext("{number} wasted", number=amount(forecast.extra)))
    if not math.isnan(forecast.seconds):
        phrases.append(duration(forecast.seconds))
    if not math.isnan(forecast.listed):
        phrases.append(gettext("lists {number}", number=_number(forecast, forecast.listed)))
    words = "; ".join(phrases) or gettext("not known")
    return f"{words}."


def summary(model: ThresholdModel, settings_map: SettingsMap | None, rows: list[SettingRow]) -> str:
    """The conclusions of the table and the map, a line each, or why there are none yet."""
    why = why_no_map(model, settings_map)
    if why or settings_map is None:
        return why
    sentences = [
        _counted_from(model, settings_map),
        _by_bands(settings_map),
        _advice(model, settings_map),
        "" if _is_of_run(model) else _larger(rows),
        _left_out(settings_map, rows),
    ]
    return "\n".join(filter(None, sentences))


def why_no_map(model: ThresholdModel, settings_map: SettingsMap | None) -> str:
    """Why there is no map; empty where there is one."""
    if model.state.distance is not None:
        return gettext(BITS, name=model.state.method.search_name)
    if model.folder is None:
        return gettext("The effect of each setting is shown once a folder is scanned.")
    if model.folder.compared == 0 or model.folder.documents.pairs == 0:
        same = gettext("There are no two different documents, so all settings give the same list.")
        return nothing_to_compare(model.folder) if model.folder.of_missing else same
    if settings_map is None and model.grid is None:
        return gettext("Counting what each other setting would do…")
    if settings_map is None:
        return gettext("Too few pairs were found to say what other settings would miss.")
    return ""


def map_words(model: ThresholdModel, settings_map: SettingsMap | None) -> str:
    """The map in words, for screen readers."""
    why = why_no_map(model, settings_map)
    if why or settings_map is None:
        return why
    number = ngettext(
        "{n} setting by candidates and missed pairs, {efficient}:",
        "{n} settings by candidates and missed pairs, {efficient}:",
        len(settings_map),
        efficient=ngettext("{n} efficient one", "{n} efficient ones", len(settings_map.frontier)),
    )
    ends = settings_map.frontier[[0, -1]].tolist()
    words = gettext(
        "from the fewest candidates to the fewest missed, {settings} Left and Right go along them, "
        "Enter takes one.",
        settings=" ".join(position_words(settings_map, end) for end in ends),
    )
    return f"{number} {words}"


def _counted_from(model: ThresholdModel, settings_map: SettingsMap) -> str:
    """What missed pairs are counted from, and that nothing is missed where all were compared."""
    at, folder = settings_map.at, model.folder
    floor, least = model.state.min_resemblance, threshold(at.least)
    if round(at.total) == 0:
        if at.certain:
            return gettext(
                "No pair above {least} is there, so none is known to be missed.", least=least
            )
        return gettext(
            "No pair above {least} is known, so none is known to be missed.", least=least
        )
    if folder is not None and folder.compared is not None:
        return ngettext(
            "All pairs are compared here, so nothing is missed. The table says what bands and "
            "passages alone would miss of {n} pair above {least}.",
            "All pairs are compared here, so nothing is missed. The table says what bands and "
            "passages alone would miss of {n} pairs above {least}.",
            round(at.total),
            least=least,
        )
    if at.least > floor:
        return gettext(
            "Missed pairs are counted from {least} on, where enough is known to tell.", least=least
        )
    return ""


def _by_bands(settings_map: SettingsMap) -> str:
    """A note that bands are not needed, where that is so."""
    if not settings_map.of_bands:
        return ""
    return gettext("Shared passages lead to every pair: the map shows what bands alone would miss.")


def _advice(model: ThresholdModel, settings_map: SettingsMap) -> str:
    """Whether another setting would be better in both ways."""
    at, size = settings_map.at, settings_map.signature_size
    if not round(at.total):
        return ""
    name = model.state.name
    present = settings_map.index_of(model.state)
    if present is None and _is_of_run(model):
        needs = gettext("{setting} needs longer signatures than there are.", setting=name)
        return f"{needs} {gettext(ANOTHER_RUN)}"
    if present is None:
        return gettext(
            "{setting} needs longer signatures than there are: scan again.", setting=name
        )
    values = {"size": count(size), "setting": name}
    best = _better(settings_map, present)
    if best is None:
        return ngettext(
            "Of {n} setting with K = {size}, none surely misses less than {setting} for fewer "
            "candidates.",
            "Of {n} settings with K = {size}, none surely misses less than {setting} for fewer "
            "candidates.",
            len(settings_map),
            **values,
        )
    fewer, now = (about(float(at.candidates.expected[index])) for index in (best, present))
    return ngettext(
        "Of {n} setting with K = {size}, {better} misses no more than {setting} ({missed}) and "
        "compares {fewer} pairs instead of {now}.",
        "Of {n} settings with K = {size}, {better} misses no more than {setting} ({missed}) and "
        "compares {fewer} pairs instead of {now}.",
        len(settings_map),
        better=settings_map.setting(best).name,
        missed=amount(settings_map.missed.at(best)),
        fewer=fewer,
        now=now,
        **values,
    )


def _is_of_run(model: ThresholdModel) -> bool:
    """Whether the list is of a run on a cluster, which the window cannot scan again."""
    return model.folder is not None and model.folder.is_part_of_run


def _better(settings_map: SettingsMap, present: int) -> int | None:
    """The setting with the fewest candidates that misses no more; None where none has fewer."""
    candidates, missed = settings_map.at.candidates.expected, settings_map.missed
    frontier = settings_map.frontier
    surely = missed.high[frontier] <= max(missed.high[present], NONE_BELOW)
    better = frontier[
        surely & (np.round(missed.expected[frontier]) <= round(missed.expected[present]))
    ]
    if not len(better):
        return None
    best = int(better[np.argmin(candidates[better])])
    fewer = about(float(candidates[best])) != about(float(candidates[present]))
    return best if fewer and candidates[best] < candidates[present] else None


def _larger(rows: list[SettingRow]) -> str:
    """What longer signatures would bring, where they bring something."""
    now = next(row.forecast.missed for row in rows if Kind.PRESENT in row.kinds)
    longer = (row for row in rows if Kind.LARGER in row.kinds)
    for row in sorted(longer, key=lambda row: row.state.signature_size):
        missed = row.forecast.missed
        surely = missed.high <= max(now.high, NONE_BELOW)
        if surely and np.round(missed.expected) < np.round(now.expected):
            return gettext(
                "With K = {size}, {setting} would miss {missed} instead of {now} for no more "
                "candidates, after a new scan.",
                size=count(row.state.signature_size),
                setting=row.state.name,
                missed=amount(missed),
                now=amount(now),
            )
    return ""


def _left_out(settings_map: SettingsMap, rows: list[SettingRow]) -> str:
    """A note that the table does not have all efficient settings."""
    shown = sum(Kind.EFFICIENT in row.kinds for row in rows)
    every = len(settings_map.frontier)
    if shown >= every:
        return ""
    return ngettext(
        "The table has {shown} of {n} efficient setting, the map all.",
        "The table has {shown} of {n} efficient settings, the map all.",
        every,
        shown=count(shown),
    )


ENDS = ("", "_low", "_high")
HEADINGS = (
    "bands", "rows", "signature_size", "distance",
    *(f"{name}{end}" for name in ("missed", "missed_by_bands") for end in ENDS),
    "above", "pairs_there", *(f"extra{end}" for end in ("_candidates", "_low", "_high")),
    *(f"candidates{end}" for end in ENDS), "seconds", "listed", "what",
)  # fmt: skip
NO_DECIMALS_FROM = 1000  # decimals of larger numbers mean nothing


def as_text(rows: Iterable[SettingRow], delimiter: str = ",") -> str:
    """The rows under headings, separated by commas or by tabs; for programs, so in English."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(HEADINGS)
    with in_english():
        writer.writerows(_cells(row) for row in rows)
    return text.getvalue()


def _cells(row: SettingRow) -> list[str]:
    from core.reports.tables import guarded  # noqa: PLC0415 - a start needs no reports

    state, forecast = row.state, row.forecast
    of_bits = state.distance is not None
    return [
        "" if of_bits else str(state.bands),
        "" if of_bits else str(state.rows),
        "" if of_bits else str(state.signature_size),
        str(state.distance) if of_bits else "",
        *map(_cell, forecast.missed),
        *map(_cell, forecast.missed_by_bands),
        _cell(forecast.least),
        _cell(forecast.total),
        *map(_cell, forecast.extra),
        *map(_cell, forecast.candidates),
        _cell(forecast.seconds),
        _cell(forecast.listed),
        guarded(row.kinds_in_words, "'"),
    ]


def _cell(value: float) -> str:
    if math.isnan(value):
        return ""
    return f"{value:.0f}" if value >= NO_DECIMALS_FROM else f"{value:.6g}"


BIT_COLUMNS = frozenset({SettingColumn.DISTANCE})
BAND_COLUMNS = frozenset({SettingColumn.BANDS, SettingColumn.ROWS, SettingColumn.SIZE})


class SettingsModel(RowsModel[SettingRow, tuple[str, int]]):
    """Rows of settings, made anew when they are looked at.

    Attributes:
        threshold: What is chosen.
        presets: Gives the starting points for such texts.
        map: Every setting of this K; None where there is none to show.
    """

    columns = tuple(SettingColumn)

    def __init__(self, threshold: ThresholdModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.threshold = threshold
        self.presets: Callable[[], Presets] = dict
        self.map: SettingsMap | None = None

    @property
    def columns_without_use(self) -> frozenset[SettingColumn]:
        """The columns that have no meaning for such signatures."""
        return BIT_COLUMNS if self.threshold.state.distance is None else BAND_COLUMNS

    @property
    def words(self) -> str:
        """The conclusions of the table and the map, in sentences."""
        return summary(self.threshold, self.map, self.shown())

    def refresh(self) -> None:
        """Show what is known now; rows that have not changed stay where they are."""
        state, grid = self.threshold.state, self.threshold.grid
        self.map = SettingsMap.of(state, grid) if grid and state.distance is None else None
        self.show_rows(setting_rows(self.threshold, self.presets(), self.map))

    def key_of(self, row: SettingRow) -> tuple[str, int]:
        """The setting of a row."""
        return row.state.key

    def sentence(self, row: SettingRow) -> str:
        """A row in words."""
        return row_words(row)

    def hint(self, row: SettingRow, column: RowColumn) -> str:
        """A row in words, and what a column means."""
        return f"{row_words(row)}\n{gettext(column.meaning)}"
