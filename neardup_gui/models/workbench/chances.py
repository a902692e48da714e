"""What other settings make of the pair at hand: its chance there, and whether these two meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject

from core.reports.curve.state import ThresholdState
from core.settings import MAX_DISTANCE
from neardup_gui.models.table_model import (
    ACCESSIBLE,
    ALIGNMENT,
    DISPLAY,
    RIGHT,
    TOOL_TIP,
    Columns,
    Index,
    TableColumn,
    TableModel,
)
from neardup_gui.models.threshold.model import ThresholdModel
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.models.workbench.pair_words import chance_words, met_words, shares
from neardup_gui.models.workbench.setting_rows import Kind, Named
from neardup_gui.models.workbench.signed_pair import SignedPair

MOST_ROWS = 16  # r of which the most bands are shown, as K allows
OF_LIST = "this list"


class ChanceColumn(Columns):
    """The columns, from left to right."""

    SETTING = TableColumn(
        title="b × r",
        sample="128 × 128",
        meaning="The bands and rows, or the distance d of bits.",
    )
    THESE = TableColumn(
        title="These two",
        sample="meet in 128 bands",
        meaning="Whether these very signatures meet there: the same values, cut into other bands.",
    )
    FOUND = TableColumn(
        title="Found",
        sample="> 99.99 %",
        meaning="How many of the pairs that are as alike as this one the setting finds.",
        alignment=RIGHT,
    )
    MISSED = TableColumn(
        title="Missed",
        sample="> 99.99 %",
        meaning="How many of them it misses.",
        alignment=RIGHT,
    )
    WHAT = TableColumn(
        title="What it is",
        meaning="In use, pinned in the picture, a preset for such shingles, or efficient: no other "
        "setting with this K misses less for fewer candidates. The others have as many bands as K "
        "allows.",
    )


COLUMNS = tuple(ChanceColumn)


class ChanceRow(NamedTuple):
    """A setting and what it makes of the pair."""

    state: ThresholdState
    what: str
    shown: tuple[str, ...]  # by `ChanceColumn`
    sentence: str


def chance_rows(
    pair: SignedPair, model: ThresholdModel, presets: Iterable[Named] = ()
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
    pair: SignedPair, model: ThresholdModel, presets: Iterable[Named]
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
    of: ThresholdState, model: ThresholdModel, presets: Iterable[Named]
) -> Iterator[tuple[ThresholdState, str]]:
    size = of.signature_size
    for preset in presets:
        if preset.bands * preset.rows <= size:
            yield of.with_both(preset.bands, preset.rows), f"preset “{preset.name}”"
    if model.plane is not None and model.plane.signature_size == size:
        at = model.plane.at(model.state.min_resemblance)
        for place in np.flatnonzero(at.efficient).tolist():
            yield of.with_both(int(at.bands[place]), int(at.rows[place])), Kind.EFFICIENT.value
    for rows in range(1, min(size, MOST_ROWS) + 1):
        yield of.with_both(size // rows, rows), ""


def _row(pair: SignedPair, state: ThresholdState, what: str) -> ChanceRow:
    found, missed = shares(pair, state)
    these = met_words(pair, state)
    shown = (state.name, these, found, missed, what)
    reason = f" ({what})" if what else ""
    sentence = f"{state.name}{reason}: {chance_words(pair, state)} These two: {these}."
    return ChanceRow(state, what, shown, sentence)


class ChancesModel(TableModel[str]):
    """A row for each setting."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, parent)
        self._rows: list[ChanceRow] = []

    def show(self, rows: list[ChanceRow]) -> None:
        """Show others; rows that are about the same settings stay where they are."""
        same = [one.state.name for one in rows] == [one.state.name for one in self._rows]
        if not same:
            self.beginResetModel()
        self._rows = rows
        if not same:
            self.endResetModel()
        elif rows:
            last = self.index(len(rows) - 1, len(self.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def _title(self, section: int) -> str:
        of_bits = bool(self._rows) and self._rows[0].state.distance is not None
        is_setting = section == ChanceColumn.SETTING
        return "d" if of_bits and is_setting else super()._title(section)

    def row_at(self, row: int) -> ChanceRow:
        """What a row is about."""
        return self._rows[row]

    def key_at(self, row: int) -> str:
        """The name of the setting of a row."""
        return self._rows[row].state.name

    def row_of(self, key: str) -> int | None:
        """The row of the setting of a name."""
        names = [one.state.name for one in self._rows]
        return names.index(key) if key in names else None

    def data(self, index: Index, role: int = DISPLAY) -> object:
        """What a cell shows."""
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], COLUMNS[index.column()]
        if role == DISPLAY:
            return row.shown[column]
        if role == TOOL_TIP or (role == ACCESSIBLE and column == 0):
            return tool_tip(row.sentence) if role == TOOL_TIP else row.sentence
        return column.words.alignment if role == ALIGNMENT else None
