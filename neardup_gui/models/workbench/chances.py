"""The current pair under other settings: its chance, and whether its signatures meet."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.base.messages import N_, gettext, localized, ngettext
from core.base.wording import comma_list, count, listed, printable_text, resemblance, threshold
from core.reports.curve.forecast_words import ForecastSentences, forecast, share
from core.reports.curve.state import ThresholdState
from core.settings import MAX_DISTANCE, ScanSettings
from neardup_gui.models import table_model
from neardup_gui.models.compare.comparison import SignatureGrid
from neardup_gui.models.scan_result import ListedPair
from neardup_gui.models.setup import summary_of
from neardup_gui.models.threshold import (
    PairAtHand,
    ThresholdModel,
    beside_words,
    caption,
    marks_words,
)
from neardup_gui.models.workbench.settings_table import Kind, Presets, preset_in_words

if TYPE_CHECKING:
    from core.scan.pair_details import SignatureOfPair

BYTE = 8  # bits in a row


@dataclass(frozen=True, slots=True, eq=False)
class SignedPair:
    """Two documents of a list.

    Attributes:
        key: Which ones.
        signature: How far their signatures agree, and their exact numbers.
        made_with: What the list was made with.
        reason: Why they are in it, in a sentence; empty where they are not.
    """

    key: ListedPair
    signature: SignatureOfPair
    made_with: ThresholdState
    reason: str = ""

    def at(self, state: ThresholdState) -> ThresholdState:
        """The setting, or that of the list if it needs other signatures than the present ones."""
        return state if self.knows(state) else self.made_with

    def knows(self, state: ThresholdState) -> bool:
        """Whether these are the signatures that a setting compares."""
        same = state.signature == self.signature.settings.signature
        return same and (
            state.distance is not None or state.signature_size == self.made_with.signature_size
        )

    @property
    def at_hand(self) -> PairAtHand:
        """The point of the pair on the curve."""
        return PairAtHand(self.signature.figures, self.key.names)

    def collides(self, state: ThresholdState) -> bool | None:
        """Whether these signatures lead to the pair; None if not known."""
        if self.signature.same is None or not self.knows(state):
            return None
        if state.distance is not None:
            return self.signature.values - self.signature.equal <= state.distance
        bands = self.agreeing_bands(state)
        return None if bands is None else bool(bands)

    def agreeing_bands(self, state: ThresholdState) -> tuple[int, ...] | None:
        """The bands that agree as a whole; None if not known."""
        return self.signature.agreeing_bands(state.bands, state.rows) if self.knows(state) else None

    def grid(self, state: ThresholdState) -> SignatureGrid | None:
        """The signatures in the bands of a setting; None if there are none to compare."""
        if self.signature.same is None:
            return None
        same = self.signature.same.tolist()
        if state.distance is not None:
            return SignatureGrid(_cut(same, BYTE), frozenset(), has_bits=True)
        used = state.bands * state.rows
        agreeing = frozenset(self.agreeing_bands(state) or ())
        return SignatureGrid(_cut(same[:used], state.rows), agreeing, unused=len(same) - used)


def _cut(values: list[bool], size: int) -> tuple[tuple[bool, ...], ...]:
    return tuple(tuple(values[n : n + size]) for n in range(0, len(values), size))


NO_PAIR = N_("No pair selected. Select one in the list of pairs, or name any two documents above.")
MOST_BANDS = 8  # named one by one
SIDES = "A", "B"
TWO = 2


def pair_words(pair: SignedPair, state: ThresholdState) -> tuple[str, ...]:
    """The facts on a pair at a setting, a sentence or two each."""
    at = pair.at(state)
    sentences = [_where(pair, at), _agreement(pair, at), _estimated(pair), _in_list(pair)]
    if at is not state and pair.signature.same is not None:
        sentences.append(_earlier_signatures(pair))
    return tuple(filter(None, sentences))


def _where(pair: SignedPair, state: ThresholdState) -> str:
    if all(pair.signature.empty):
        return gettext(
            "A and B have no shingles: all of the text is set aside. So there is no signature to "
            "compare, and nothing leads to this pair."
        )
    if any(pair.signature.empty):
        side = next(side for side, empty in zip(SIDES, pair.signature.empty, strict=True) if empty)
        return gettext(
            "{side} has no shingles: all of the text is set aside. So there is no signature to "
            "compare, and nothing leads to this pair.",
            side=side,
        )
    alike = gettext("Resemblance {value}.", value=resemblance(pair.signature.figures.resemblance))
    if pair.signature.identical:
        same = gettext("Both have the same words throughout, which needs no search.")
        return f"{alike} {same}"
    if not pair.signature.figures.shared_shingles:
        alike = gettext("Resemblance 0: no shingle stands in both.")
    return f"{alike} {chance_words(pair, state)}"


def chance_words(pair: SignedPair, state: ThresholdState) -> str:
    """How many such pairs a setting finds and misses."""
    found_share, missed = shares(pair, state)
    values = {"setting": state.name, "found": found_share, "missed": missed}
    if state.distance is not None:
        return gettext(
            "Of pairs with these numbers, {setting} finds {found} and misses {missed}.", **values
        )
    return gettext("Of pairs this alike, {setting} finds {found} and misses {missed}.", **values)


def shares(pair: SignedPair, state: ThresholdState) -> tuple[str, str]:
    """The shares of such pairs that a setting finds and misses; only exact ones read 0 or 100 %."""
    chance = pair.at_hand.chance(state)
    return share(chance), share(1 - chance)


def _agreement(pair: SignedPair, state: ThresholdState) -> str:
    signature = pair.signature
    if signature.unknown:
        return gettext(
            "Signatures weigh words by their rarity in all documents, some of which are not there "
            "any more: rescan to compare them."
        )
    if signature.same is None:
        return ""
    if state.distance is not None:
        return _differ(signature, state)
    return _agree(pair, state)


def _differ(signature: SignatureOfPair, state: ThresholdState) -> str:
    differ = signature.values - signature.equal
    values = {"differ": count(differ), "bits": count(signature.values), "setting": state.name}
    if state.distance is not None and differ <= state.distance:
        now = gettext(
            "{differ} of {bits} bits differ (filled), few enough for {setting}.", **values
        )
    else:
        now = gettext("{differ} of {bits} bits differ (filled), too many for {setting}.", **values)
    mean, deviation = (localized(f"{value:.1f}") for value in signature.expected_distance)
    expected = gettext(
        "Of such pairs {mean} differ in the mean, give or take {deviation}.",
        mean=mean,
        deviation=deviation,
    )
    return f"{now} {expected}"


def _agree(pair: SignedPair, state: ThresholdState) -> str:
    bands = pair.agreeing_bands(state)
    if bands is None:
        return gettext("{setting} needs longer signatures than there are.", setting=state.name)
    if not bands and state.bands == 1:
        return gettext("These two do not agree.")
    if not bands:
        return ngettext(
            "These two agree in none of {n} band.",
            "These two agree in none of {n} bands.",
            state.bands,
        )
    return gettext("These two agree in {bands} (framed).", bands=_named(bands, state.bands))


def _named(bands: Collection[int], of: int) -> str:
    """Some bands: "bands 3 and 7 of 20", "12 of 20 bands"."""
    if len(bands) == of == 1:
        return gettext("the only band")
    if len(bands) == of:
        return ngettext("all {n} band", "all {n} bands", of)
    if len(bands) > MOST_BANDS:
        return ngettext("{some} of {n} band", "{some} of {n} bands", of, some=count(len(bands)))
    numbers = listed([count(band + 1) for band in sorted(bands)])
    return ngettext(
        "band {numbers} of {all}",
        "bands {numbers} of {all}",
        len(bands),
        numbers=numbers,
        all=count(of),
    )


def collision_words(pair: SignedPair, state: ThresholdState) -> str:
    """Whether these signatures meet at a setting, in a few words."""
    collides = pair.collides(state)
    if collides is None:
        return gettext("not known")
    if not collides:
        return gettext("do not meet")
    bands = pair.agreeing_bands(state)
    if bands is None:
        return gettext("meet")
    return ngettext("meet in {n} band", "meet in {n} bands", len(bands))


def _estimated(pair: SignedPair) -> str:
    signature = pair.signature
    if (
        signature.same is None
        or signature.identical
        or not (signature.equal or signature.figures.shared_shingles)
    ):
        return ""
    guess = resemblance(signature.estimate)
    if signature.has_bits:
        return gettext("By the bits alone, resemblance {guess}.", guess=guess)
    return ngettext(
        "{equal} of {n} value equal (filled): by the signatures alone, resemblance {guess}. "
        "Counted, it is {exact}; the standard error of {n} value there is {error}.",
        "{equal} of {n} values equal (filled): by the signatures alone, resemblance {guess}. "
        "Counted, it is {exact}; the standard error of {n} values there is {error}.",
        signature.values,
        equal=count(signature.equal),
        guess=guess,
        exact=resemblance(signature.figures.resemblance),
        error=resemblance(signature.standard_error),
    )


def _in_list(pair: SignedPair) -> str:
    signature, made_with = pair.signature, pair.made_with
    if not signature.compared:
        return gettext(
            "It is not in the list: both are references, which are not compared with each other."
        )
    if pair.reason:
        return " ".join((gettext("It is in the list."), pair.reason))
    if any(signature.empty):
        return gettext("It is not in the list.")
    floor = threshold(made_with.min_resemblance)
    if signature.figures.resemblance < made_with.min_resemblance:
        return gettext("It is not in the list, which begins at {floor}.", floor=floor)
    if pair.collides(made_with) is False and not signature.identical:
        return gettext(
            "It is not in the list, though that begins at {floor}: {setting} did not lead to it, "
            "and neither did a shared passage.",
            floor=floor,
            setting=made_with.name,
        )
    return gettext("It is not in the list: see its notes for what was left out.")


def _earlier_signatures(pair: SignedPair) -> str:
    return gettext(
        "Shown as the list was made, with {setting}: signatures of {values} values by {method} "
        "were made by the last scan, and the settings now need a new one.",
        setting=pair.made_with.name,
        values=count(pair.signature.values),
        method=pair.signature.settings.method.name,
    )


def grid_words(grid: SignatureGrid | None) -> str:
    """The whole grid in words, for screen readers."""
    if grid is None:
        return gettext("No signatures to show.")
    if grid.has_bits:
        same = sum(map(sum, grid.bands))
        return gettext(
            "64 bits in eight rows: {same} are the same, {others} differ.",
            same=same,
            others=64 - same,
        )
    bands = {
        "bands": ngettext("{n} band", "{n} bands", len(grid.bands)),
        "rows": ngettext("{n} row", "{n} rows", len(grid.bands[0])),
    }
    if grid.colliding:
        sentence = ngettext(
            "{bands} of {rows}: {which} agrees as a whole.",
            "{bands} of {rows}: {which} agree as a whole.",
            len(grid.colliding),
            which=_named(grid.colliding, len(grid.bands)),
            **bands,
        )
    else:
        sentence = gettext("{bands} of {rows}: none agrees as a whole.", **bands)
    if not grid.unused:
        return sentence
    unused = ngettext("{n} value in no band.", "{n} values in no band.", grid.unused)
    return f"{sentence} {unused}"


def band_words(grid: SignatureGrid, band: int) -> str:
    """One band: how many of its values are equal."""
    values = grid.bands[band]
    equal = sum(values)
    if grid.has_bits:
        return gettext(
            "Bits {first} to {last}: {differ} of 8 differ.",
            first=8 * band + 1,
            last=8 * band + 8,
            differ=8 - equal,
        )
    numbers = {"band": count(band + 1), "bands": count(len(grid.bands))}
    if band in grid.colliding and equal == TWO:
        return gettext(
            "Band {band} of {bands}: both values are equal, so the two meet here.", **numbers
        )
    if band in grid.colliding:
        return ngettext(
            "Band {band} of {bands}: its {n} value is equal, so the two meet here.",
            "Band {band} of {bands}: all {n} values are equal, so the two meet here.",
            len(values),
            **numbers,
        )
    return ngettext(
        "Band {band} of {bands}: {equal} of {n} value equal.",
        "Band {band} of {bands}: {equal} of {n} values equal.",
        len(values),
        equal=count(equal),
        **numbers,
    )


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
    beside = beside_words(state, model.pair_at_hand, model.audit_points)
    if model.folder is None:
        bars = gettext("The pairs of this folder are not known yet.")
    elif model.logarithmic:
        bars = gettext(
            "Bars: the number of pairs of each resemblance, by its logarithm; numbers at the right."
        )
    else:
        bars = gettext(
            "Bars: the number of pairs of each resemblance, as it is; numbers at the right."
        )
    lines = (
        bars,
        marks_words(state),
        *filter(None, beside.split("\n")),
        " · ".join(f"{about}: {value}" for about, value in summary_of(settings) if value),
    )
    return SheetWords(
        printable_text(subject),
        caption(state),
        forecast(state, model.folder),
        tuple(map(printable_text, lines)),
    )


MOST_ROWS = 16  # largest r shown with as many bands as K allows
OF_LIST = N_("this list")


class ChanceColumn(table_model.RowColumns):
    """The columns, from left to right."""

    SETTING = table_model.text_column(
        "b × r",
        lambda row: row.state.name,
        sample="128 × 128",
        meaning=N_("The bands and rows, or the distance d of bits."),
    )
    THESE = table_model.text_column(
        N_("These two"),
        lambda row: row.these,
        sample=N_("meet in 128 bands"),
        meaning=N_(
            "Whether the signatures of this pair would agree in a whole band: the same "
            "values, cut into different bands."
        ),
    )
    FOUND = table_model.number_column(
        N_("Found"),
        ">99.99%",
        lambda row: row.found,
        meaning=N_("The share of pairs as alike as this one that the setting finds."),
    )
    MISSED = table_model.number_column(
        N_("Missed"),
        ">99.99%",
        lambda row: row.missed,
        meaning=N_("The share of them that it misses."),
    )
    WHAT = table_model.text_column(
        N_("Note"),
        lambda row: row.kinds_in_words,
        meaning=N_(
            "In use, pinned in the picture, a preset for such shingles, or efficient: no other "
            "setting with this K misses less for fewer candidates. The others have as many bands "
            "as K allows."
        ),
    )


class ChanceRow(NamedTuple):
    """A setting, and the pair under it."""

    state: ThresholdState
    these: str
    found: str
    missed: str
    kinds_in_words: str
    sentence: str


def chance_rows(
    pair: SignedPair, model: ThresholdModel, presets: Presets = MappingProxyType({})
) -> list[ChanceRow]:
    """The settings worth a row: in use, pinned, presets, efficient ones, one of each r.

    From few rows to many; of bits every distance.

    Args:
        pair: The current pair.
        model: What is in use and pinned, and which settings are efficient.
        presets: Starting points for such shingles.
    """
    states: dict[str, ThresholdState] = {}
    words: dict[str, list[str]] = {}
    for state, reason in _settings(pair, model, presets):
        states.setdefault(state.name, state)
        known = words.setdefault(state.name, [])
        if reason and reason not in known:
            known.append(reason)
    in_order = sorted(
        states.values(),
        key=lambda shown_state: (shown_state.distance, shown_state.rows, -shown_state.bands),
    )
    return [_row(pair, setting, comma_list(words[setting.name])) for setting in in_order]


def _settings(
    pair: SignedPair, model: ThresholdModel, presets: Presets
) -> Iterator[tuple[ThresholdState, str]]:
    """Settings for these signatures, the best reason for each first."""
    made_with = pair.made_with
    if pair.knows(model.state):
        yield model.state, gettext(Kind.PRESENT.value)
    yield made_with, "" if made_with.name == model.state.name else gettext(OF_LIST)
    for kept in model.kept:
        if pair.knows(kept):
            yield kept, gettext(Kind.PINNED.value)
    if made_with.distance is not None:
        for distance in range(MAX_DISTANCE + 1):
            yield made_with.with_distance(distance), ""
    else:
        yield from _with_bands(made_with, model, presets)


def _with_bands(
    made_with: ThresholdState, model: ThresholdModel, presets: Presets
) -> Iterator[tuple[ThresholdState, str]]:
    size = made_with.signature_size
    for name, preset in presets.items():
        if preset.bands * preset.rows <= size:
            yield made_with.with_setting_of(preset), preset_in_words(name)
    if model.grid is not None and model.grid.signature_size == size:
        at = model.grid.at(model.state.min_resemblance)
        for index in np.flatnonzero(at.efficient).tolist():
            efficient = made_with.with_both(int(at.bands[index]), int(at.rows[index]))
            yield efficient, gettext(Kind.EFFICIENT.value)
    for rows in range(1, min(size, MOST_ROWS) + 1):
        yield made_with.with_both(size // rows, rows), ""


def _row(pair: SignedPair, state: ThresholdState, reason: str) -> ChanceRow:
    found_share, missed = shares(pair, state)
    these = collision_words(pair, state)
    setting = f"{state.name} ({reason})" if reason else state.name
    of_these = gettext("These two: {these}.", these=these)
    sentence = f"{setting}: {chance_words(pair, state)} {of_these}"
    return ChanceRow(state, these, found_share, missed, reason, sentence)


class ChancesModel(table_model.RowsModel[ChanceRow, str]):
    """A row for each setting."""

    columns = tuple(ChanceColumn)

    def _title(self, section: int) -> str:
        of_bits = bool(self.total) and self.row_at(0).state.distance is not None
        is_setting = section == ChanceColumn.SETTING
        return "d" if of_bits and is_setting else super()._title(section)

    def key_of(self, row: ChanceRow) -> str:
        """The name of the setting of a row."""
        return row.state.name

    def sentence(self, row: ChanceRow) -> str:
        """The pair under a setting, in a sentence."""
        return row.sentence

    def hint(self, row: ChanceRow, _column: table_model.RowColumn) -> str:
        """The pair under a setting, in a sentence."""
        return row.sentence
