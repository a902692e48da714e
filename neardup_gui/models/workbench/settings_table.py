"""The settings as a table: the one in use, pinned ones, presets, efficient ones.

The table of settings for spreadsheets and scripts.

Numbers are as they were computed: "." before decimals, nothing between thousands, an empty cell
where one is not known. Names of presets are what somebody wrote: a cell that a spreadsheet would
run as a formula begins with an apostrophe.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable

import numpy as np
from PySide6.QtCore import QObject, Qt

from core.base.arrays import Estimate
from core.reports.curve.state import ThresholdState
from neardup_gui.models.table_model import (
    ACCESSIBLE,
    ALIGNMENT,
    ASCENDING,
    DESCENDING,
    DISPLAY,
    TOOL_TIP,
    Index,
    SortedModel,
)
from neardup_gui.models.threshold import ThresholdModel
from neardup_gui.models.words import numbers
from neardup_gui.models.workbench.setting_columns import COLUMNS, SettingColumn, row_words, summary
from neardup_gui.models.workbench.setting_rows import (
    Named,
    PlaneMap,
    Setting,
    SettingRow,
    setting_rows,
)

HEADINGS = (
    "bands",
    "rows",
    "signature_size",
    "distance",
    "missed",
    "missed_low",
    "missed_high",
    "missed_by_bands",
    "missed_by_bands_low",
    "missed_by_bands_high",
    "above",
    "pairs_there",
    "extra_candidates",
    "extra_low",
    "extra_high",
    "candidates",
    "candidates_low",
    "candidates_high",
    "seconds",
    "listed",
    "what",
)
WHOLE = 1000  # from here on, decimals say nothing


def as_text(rows: Iterable[SettingRow], delimiter: str = ",") -> str:
    """The rows under headings, separated by commas or by tabs."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(HEADINGS)
    writer.writerows(_cells(row) for row in rows)
    return text.getvalue()


def _cells(row: SettingRow) -> list[str]:
    from core.reports.tables import guarded  # noqa: PLC0415 - a start needs no reports

    setting, numbers = row.setting, row.numbers
    of_bits = setting.distance is not None
    return [
        "" if of_bits else str(setting.bands),
        "" if of_bits else str(setting.rows),
        "" if of_bits else str(setting.signature_size),
        str(setting.distance) if of_bits else "",
        *_interval(numbers.missed),
        *_interval(numbers.by_bands),
        _number(numbers.least),
        _number(numbers.there),
        *_interval(numbers.extra),
        *_interval(numbers.candidates),
        _number(numbers.seconds),
        _number(numbers.listed),
        guarded(row.what, "'"),
    ]


def _interval(estimate: Estimate | None) -> list[str]:
    return ["", "", ""] if estimate is None else [_number(value) for value in estimate]


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.0f}" if value >= WHOLE else f"{value:.6g}"


NOTHING = np.zeros(0, dtype=np.int64)
BIT_COLUMNS = frozenset({SettingColumn.DISTANCE})
BAND_COLUMNS = frozenset({SettingColumn.BANDS, SettingColumn.ROWS, SettingColumn.SIZE})


class SettingsModel(SortedModel[Setting]):
    """Rows of settings, made anew when they are looked at.

    Attributes:
        threshold: What is chosen.
        presets: Gives the starting points for such texts.
        map: Every setting of this K; None where there is none to show.
    """

    def __init__(self, threshold: ThresholdModel, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, parent)
        self.threshold = threshold
        self.presets: Callable[[], tuple[Named, ...]] = tuple
        self.map: PlaneMap | None = None
        self._all: list[SettingRow] = []
        self._rows = NOTHING
        self._sorted_by: tuple[SettingColumn, Qt.SortOrder] | None = None

    @property
    def of_bits(self) -> bool:
        """Whether signatures are bits, that have a distance and no bands."""
        return self.threshold.state.distance is not None

    @property
    def columns_without_use(self) -> frozenset[SettingColumn]:
        """Those that say nothing of such signatures."""
        return BAND_COLUMNS if self.of_bits else BIT_COLUMNS

    @property
    def total(self) -> int:
        """The number of settings."""
        return len(self._all)

    @property
    def words(self) -> str:
        """What the table and the map come to, in sentences."""
        return summary(self.threshold, self.map, self.shown())

    def refresh(self) -> None:
        """Show what is known now; rows that are the same ones stay where they are."""
        state, plane = self.threshold.state, self.threshold.plane
        self.map = PlaneMap.of(state, plane) if plane and state.distance is None else None
        made = setting_rows(
            state,
            self.threshold.kept,
            self.presets(),
            self.threshold.folder,
            plane,
            self.map.efficient if self.map else (),
        )
        same = [row.setting for row in made] == [row.setting for row in self._all]
        if not same:
            self.beginResetModel()
        self._all = made
        if same:
            self._reorder()
            if made:
                last = self.index(len(made) - 1, len(COLUMNS) - 1)
                self.dataChanged.emit(self.index(0, 0), last)
        else:
            self._sort()
            self.endResetModel()

    def shown(self) -> list[SettingRow]:
        """The rows in the order of the table."""
        return [self._all[number] for number in self._rows.tolist()]

    def row_at(self, row: int) -> SettingRow:
        """What a row is about."""
        return self._all[int(self._rows[row])]

    def key_at(self, row: int) -> Setting:
        """The setting of a row."""
        return self.row_at(row).setting

    def row_of(self, key: Setting) -> int | None:
        """The row of a setting; None where it has none."""
        return next((row for row, one in enumerate(self.shown()) if one.setting == key), None)

    def needs_scan(self, setting: Setting) -> bool:
        """Whether a setting's signatures are longer than those chosen."""
        size = self.threshold.state.signature_size
        return setting.distance is None and setting.bands * setting.rows > size

    def state_of(self, setting: Setting) -> ThresholdState:
        """The threshold with a setting."""
        state = self.threshold.state
        if setting.distance is not None:
            return state.with_distance(setting.distance)
        return state.with_both(setting.bands, setting.rows)

    # What Qt asks

    def sort(self, column: int, order: Qt.SortOrder = ASCENDING) -> None:
        """Order by a column; what is not known comes last. The last column is the usual order."""
        known = 0 <= column < len(COLUMNS)
        self._sorted_by = (COLUMNS[column], order) if known else None
        self._reorder()

    def data(self, index: Index, role: int = DISPLAY) -> object:
        """What a cell shows."""
        if not index.isValid():
            return None
        row, column = self.row_at(index.row()), COLUMNS[index.column()]
        if role == DISPLAY:
            return column.words.shown(row)
        if role == TOOL_TIP:
            return numbers.tool_tip(f"{row_words(row)}\n{column.words.meaning}")
        if role == ACCESSIBLE and index.column() == 0:
            return row_words(row)
        return column.words.alignment if role == ALIGNMENT else None

    def _sort(self) -> None:
        self._rows = np.arange(len(self._all))
        if self._sorted_by is None:
            return
        column, order = self._sorted_by
        values = [column.words.sorts(row) for row in self._all]
        falling = -1 if order == DESCENDING else 1
        keys = [np.inf if value is None else falling * value for value in values]
        self._rows = np.argsort(np.array(keys, dtype=np.float64), kind="stable")
