"""What other settings make of the pair at hand: its chance there, and whether these two meet."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QObject

from core.base.wording import count, counted, listed, printable_text, resemblance, threshold
from core.reports.curve.forecast_words import ForecastSentences, forecast, share
from core.reports.curve.state import ThresholdState
from core.settings import MAX_DISTANCE, ScanSettings, SignatureMethod
from neardup_gui.models.scan_result import ListedPair
from neardup_gui.models.setup import summary_of
from neardup_gui.models.table_model import Columns
from neardup_gui.models.threshold import (
    PairAtHand,
    ThresholdModel,
    beside_words,
    caption,
    marks_words,
)
from neardup_gui.models.workbench.rows_model import RowColumn, RowsModel, number_column, text_column
from neardup_gui.models.workbench.settings_table import Kind, Presets

if TYPE_CHECKING:
    from core.scan.pair_text import SignatureOfPair

BYTE = 8  # bits, which stand in rows of as many


class PairGrid(NamedTuple):
    """Which values of two signatures are equal, cut into bands.

    Attributes:
        bands: For each band, which of its values are equal; of bits, for each byte.
        met: The bands that agree as a whole, counted from 0.
        unused: How many values no band is made of.
        has_bits: Whether they are bits.
    """

    bands: tuple[tuple[bool, ...], ...]
    met: frozenset[int]
    unused: int = 0
    has_bits: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SignedPair:
    """Two documents of a list.

    Attributes:
        key: Which ones.
        told: Their signatures and exact numbers.
        of: What the list was made with.
        reason: Why they are in it, in a sentence; empty where they are not.
    """

    key: ListedPair
    told: SignatureOfPair
    of: ThresholdState
    reason: str = ""

    def at(self, state: ThresholdState) -> ThresholdState:
        """A setting, or that of the list where it needs other signatures than there are."""
        return state if self.knows(state) else self.of

    def knows(self, state: ThresholdState) -> bool:
        """Whether these are the signatures that a setting compares."""
        same = state.signature == self.told.settings.signature
        return same and (
            state.distance is not None or state.signature_size == self.of.signature_size
        )

    @property
    def at_hand(self) -> PairAtHand:
        """Its place on the curve."""
        figures = self.told.figures
        containments = figures.containment_a, figures.containment_b
        return PairAtHand(figures.resemblance, self.key.names, containments)

    def met(self, state: ThresholdState) -> bool | None:
        """Whether these signatures lead to it; None where that is not known."""
        if self.told.same is None or not self.knows(state):
            return None
        if state.distance is not None:
            return self.told.values - self.told.equal <= state.distance
        bands = self.met_bands(state)
        return None if bands is None else bool(bands)

    def met_bands(self, state: ThresholdState) -> tuple[int, ...] | None:
        """The bands that agree as a whole; None where that is not known."""
        return self.told.met_bands(state.bands, state.rows) if self.knows(state) else None

    def grid(self, state: ThresholdState) -> PairGrid | None:
        """The signatures in the bands of a setting; None where they say nothing."""
        if self.told.same is None:
            return None
        same = self.told.same.tolist()
        if state.distance is not None:
            return PairGrid(_cut(same, BYTE), frozenset(), has_bits=True)
        used = state.bands * state.rows
        met = frozenset(self.met_bands(state) or ())
        return PairGrid(_cut(same[:used], state.rows), met, len(same) - used)


def _cut(values: list[bool], size: int) -> tuple[tuple[bool, ...], ...]:
    return tuple(tuple(values[n : n + size]) for n in range(0, len(values), size))


NO_PAIR = "No pair selected. Select one in the list of pairs, or name any two documents above."
MOST_BANDS = 8  # named one by one
SIDES = "A", "B"
TWO = 2


def pair_words(pair: SignedPair, state: ThresholdState) -> tuple[str, ...]:
    """What is to be known of a pair at a setting, a sentence or two each."""
    at = pair.at(state)
    sentences = [_where(pair, at), _how_met(pair, at), _estimated(pair), _in_list(pair)]
    if at is not state and pair.told.same is not None:
        sentences.append(_other_signatures(pair))
    return tuple(filter(None, sentences))


def _where(pair: SignedPair, state: ThresholdState) -> str:
    alike = f"Resemblance {resemblance(pair.told.figures.resemblance)}."
    if any(pair.told.empty):
        sides = [side for side, empty in zip(SIDES, pair.told.empty, strict=True) if empty]
        has = "have" if len(sides) > 1 else "has"
        return (
            f"{listed(sides)} {has} no shingles: all of the text is set aside. So there is no "
            f"signature to compare, and nothing leads to this pair."
        )
    if pair.told.identical:
        return f"{alike} Both have the same words throughout, which needs no search."
    if not pair.told.figures.shared_shingles:
        return f"Resemblance 0: no shingle stands in both. {chance_words(pair, state)}"
    return f"{alike} {chance_words(pair, state)}"


def chance_words(pair: SignedPair, state: ThresholdState) -> str:
    """How many such pairs a setting finds and misses."""
    found, missed = shares(pair, state)
    if state.distance is not None:
        return f"Of pairs with these numbers, {state.name} finds {found} and misses {missed}."
    return f"Of pairs this alike, {state.name} finds {found} and misses {missed}."


def shares(pair: SignedPair, state: ThresholdState) -> tuple[str, str]:
    """How many of such pairs a setting finds and misses; what is not none or all never reads so."""
    chance = pair.at_hand.chance(state)
    return share(chance), share(1 - chance)


def _how_met(pair: SignedPair, state: ThresholdState) -> str:
    told = pair.told
    if told.unknown:
        return (
            "Signatures weigh words by their rarity in all documents, some of which are not there "
            "any more: rescan to compare them."
        )
    if told.same is None:
        return ""
    if state.distance is not None:
        differ = told.values - told.equal
        meets = "few enough" if differ <= state.distance else "too many"
        mean, deviation = (_tenths(value) for value in told.expected_distance)
        return (
            f"{count(differ)} of {count(told.values)} bits differ (filled), {meets} for "
            f"{state.name}. Of "
            f"such pairs {mean} differ in the mean, give or take {deviation}."
        )
    return _agree(pair, state)


def _agree(pair: SignedPair, state: ThresholdState) -> str:
    bands = pair.met_bands(state)
    if bands is None:
        return f"{state.name} needs longer signatures than there are."
    of = counted(state.bands, "band")
    if not bands:
        return f"These two agree in none of {of}." if state.bands > 1 else "These two do not agree."
    return f"These two agree in {_named(bands, state.bands)} (framed)."


def _named(bands: Collection[int], of: int) -> str:
    """Some bands: "bands 3 and 7 of 20", "12 of 20 bands"."""
    if len(bands) == of or len(bands) > MOST_BANDS:
        which = "all" if len(bands) == of else f"{count(len(bands))} of"
        return "the only band" if of == 1 else f"{which} {counted(of, 'band')}"
    word = "band" if len(bands) == 1 else "bands"
    return f"{word} {listed([count(band + 1) for band in sorted(bands)])} of {count(of)}"


def met_words(pair: SignedPair, state: ThresholdState) -> str:
    """Whether these two signatures meet at a setting, in a few words."""
    met = pair.met(state)
    if met is None:
        return "not known"
    if not met:
        return "do not meet"
    bands = pair.met_bands(state)
    return "meet" if bands is None else f"meet in {counted(len(bands), 'band')}"


def _estimated(pair: SignedPair) -> str:
    told = pair.told
    if told.same is None or told.identical or not (told.equal or told.figures.shared_shingles):
        return ""
    guess = resemblance(told.estimate)
    if told.has_bits:
        return f"By the bits alone, resemblance {guess}."
    exact, error = told.figures.resemblance, told.standard_error
    return (
        f"{count(told.equal)} of {counted(told.values, 'value')} are equal (filled): by the "
        f"signatures alone, resemblance {guess}. Counted, it is {resemblance(exact)}; the standard "
        f"error of {counted(told.values, 'value')} there is {resemblance(error)}."
    )


def _in_list(pair: SignedPair) -> str:
    told, of = pair.told, pair.of
    if not told.compared:
        return "It is not in the list: both are references, which are not compared with each other."
    if pair.reason:
        return f"It is in the list. {pair.reason}"
    if any(told.empty):
        return "It is not in the list."
    floor = threshold(of.min_resemblance)
    if told.figures.resemblance < of.min_resemblance:
        return f"It is not in the list, which begins at {floor}."
    if pair.met(of) is False and not told.identical:
        return (
            f"It is not in the list, though that begins at {floor}: {of.name} did not lead to it, "
            f"and neither did a shared passage."
        )
    return "It is not in the list: see its notes for what was left out."


def _other_signatures(pair: SignedPair) -> str:
    method = pair.told.settings.method
    return (
        f"Shown as the list was made, with {pair.of.name}: {_made_of(method, pair.told.values)} "
        f"were made by the last scan, and the settings now need a new one."
    )


def _made_of(method: SignatureMethod, values: int) -> str:
    return f"signatures of {count(values)} values by {method.name}"


def _tenths(value: float) -> str:
    return f"{value:.1f}"


def grid_words(grid: PairGrid | None) -> str:
    """The grid as a whole, for those who cannot see it."""
    if grid is None:
        return "No signatures to show."
    if grid.has_bits:
        same = sum(map(sum, grid.bands))
        return f"64 bits in eight rows: {same} are the same, {64 - same} differ."
    size = counted(len(grid.bands[0]), "row")
    unused = f" {counted(grid.unused, 'value')} in no band." if grid.unused else ""
    which = _named(grid.met, len(grid.bands)) if grid.met else "none"
    verb = "agrees" if len(grid.met) <= 1 else "agree"
    said = f"{which} {verb} as a whole."
    return f"{counted(len(grid.bands), 'band')} of {size}: {said}{unused}"


def band_words(grid: PairGrid, band: int) -> str:
    """One band: how many of its values are equal."""
    values = grid.bands[band]
    equal = sum(values)
    if grid.has_bits:
        return f"Bits {8 * band + 1} to {8 * band + 8}: {8 - equal} of 8 differ."
    name = f"Band {count(band + 1)} of {count(len(grid.bands))}"
    if band in grid.met:
        return f"{name}: {_all_equal(len(values))}, so the two meet here."
    return f"{name}: {count(equal)} of {counted(len(values), 'value')} equal."


def _all_equal(values: int) -> str:
    if values <= TWO:
        return "both values are equal" if values == TWO else "its value is equal"
    return f"all {count(values)} values are equal"


BARS = "Bars: the number of pairs of each resemblance, {scale}; numbers at the right."
NO_BARS = "The pairs of this folder are not known yet."


class SheetWords(NamedTuple):
    """The words of a picture.

    Attributes:
        subject: The folder or review.
        caption: What the curve is of.
        forecast: What is missed, checked for nothing, listed.
        lines: What else is in it, and the settings.
    """

    subject: str
    caption: str
    forecast: ForecastSentences
    lines: Sequence[str]


def sheet_words(subject: str, model: ThresholdModel, settings: ScanSettings) -> SheetWords:
    """The words around what a model shows, under these settings."""
    state = model.state
    scale = "by its logarithm" if model.logarithmic else "as it is"
    beside = beside_words(state, model.pair_at_hand, model.audit_points)
    lines = (
        NO_BARS if model.folder is None else BARS.format(scale=scale),
        marks_words(state),
        *filter(None, beside.split("\n")),
        " · ".join(f"{about}: {told}" for about, told in summary_of(settings) if told),
    )
    return SheetWords(
        printable_text(subject),
        caption(state),
        forecast(state, model.folder),
        tuple(map(printable_text, lines)),
    )


MOST_ROWS = 16  # r of which the most bands are shown, as K allows
OF_LIST = "this list"


class ChanceColumn(Columns):
    """The columns, from left to right."""

    words: RowColumn

    SETTING = text_column(
        "b × r",
        lambda row: row.state.name,
        sample="128 × 128",
        meaning="The bands and rows, or the distance d of bits.",
    )
    THESE = text_column(
        "These two",
        lambda row: row.these,
        sample="meet in 128 bands",
        meaning=(
            "Whether the signatures of this pair would agree in a whole band: the same "
            "values, cut into different bands."
        ),
    )
    FOUND = number_column(
        "Found",
        "> 99.99 %",
        lambda row: row.found,
        meaning="The share of pairs as alike as this one that the setting finds.",
    )
    MISSED = number_column(
        "Missed", "> 99.99 %", lambda row: row.missed, meaning="The share of them that it misses."
    )
    WHAT = text_column(
        "Note",
        lambda row: row.what,
        meaning="In use, pinned in the picture, a preset for such shingles, or efficient: no other "
        "setting with this K misses less for fewer candidates. The others have as many bands as K "
        "allows.",
    )


class ChanceRow(NamedTuple):
    """A setting and what it makes of the pair."""

    state: ThresholdState
    these: str
    found: str
    missed: str
    what: str
    sentence: str


def chance_rows(
    pair: SignedPair, model: ThresholdModel, presets: Presets = MappingProxyType({})
) -> list[ChanceRow]:
    """The settings worth a row: those in use or pinned, presets, efficient ones, one of each r.

    From few rows to many; of bits every distance.

    Args:
        pair: The pair at hand.
        model: What is in use and pinned, and which settings are efficient.
        presets: Starting points for such shingles.
    """
    states: dict[str, ThresholdState] = {}
    words: dict[str, list[str]] = {}
    for state, what in _settings(pair, model, presets):
        states.setdefault(state.name, state)
        known = words.setdefault(state.name, [])
        if what and what not in known:
            known.append(what)
    in_order = sorted(states.values(), key=lambda one: (one.distance, one.rows, -one.bands))
    return [_row(pair, one, ", ".join(words[one.name])) for one in in_order]


def _settings(
    pair: SignedPair, model: ThresholdModel, presets: Presets
) -> Iterator[tuple[ThresholdState, str]]:
    """Settings for these signatures, the best reason for each first."""
    of = pair.of
    if pair.knows(model.state):
        yield model.state, Kind.PRESENT.value
    yield of, "" if of.name == model.state.name else OF_LIST
    for kept in model.kept:
        if pair.knows(kept):
            yield kept, Kind.PINNED.value
    if of.distance is None:
        yield from _with_bands(of, model, presets)
    else:
        for distance in range(MAX_DISTANCE + 1):
            yield of.with_distance(distance), ""


def _with_bands(
    of: ThresholdState, model: ThresholdModel, presets: Presets
) -> Iterator[tuple[ThresholdState, str]]:
    size = of.signature_size
    for name, preset in presets.items():
        if preset.bands * preset.rows <= size:
            yield of.with_both(preset.bands, preset.rows), f"preset “{name}”"
    if model.grid is not None and model.grid.signature_size == size:
        at = model.grid.at(model.state.min_resemblance)
        for place in np.flatnonzero(at.efficient).tolist():
            yield of.with_both(int(at.bands[place]), int(at.rows[place])), Kind.EFFICIENT.value
    for rows in range(1, min(size, MOST_ROWS) + 1):
        yield of.with_both(size // rows, rows), ""


def _row(pair: SignedPair, state: ThresholdState, what: str) -> ChanceRow:
    found, missed = shares(pair, state)
    these = met_words(pair, state)
    reason = f" ({what})" if what else ""
    sentence = f"{state.name}{reason}: {chance_words(pair, state)} These two: {these}."
    return ChanceRow(state, these, found, missed, what, sentence)


class ChancesModel(RowsModel[ChanceRow, str]):
    """A row for each setting."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(tuple(ChanceColumn), parent)

    def _title(self, section: int) -> str:
        of_bits = bool(self.total) and self.row_at(0).state.distance is not None
        is_setting = section == ChanceColumn.SETTING
        return "d" if of_bits and is_setting else super()._title(section)

    def key_of(self, row: ChanceRow) -> str:
        """The name of the setting of a row."""
        return row.state.name

    def sentence(self, row: ChanceRow) -> str:
        """What a setting makes of the pair."""
        return row.sentence

    def hint(self, row: ChanceRow, _column: RowColumn) -> str:
        """The same."""
        return row.sentence
