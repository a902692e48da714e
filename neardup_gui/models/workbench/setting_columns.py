"""The columns of the table of settings: their names, meanings, what they say and sort by."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from core.base.arrays import Estimate
from core.base.wording import count
from core.reports.curve.forecast_words import about
from neardup_gui.models.table_model import RIGHT, Columns, TableColumn
from neardup_gui.models.words.numbers import duration
from neardup_gui.models.workbench.setting_rows import SettingNumbers, SettingRow

NONE_BELOW = 0.5  # pairs; an upper limit below it is called none
UNKNOWN = "–"  # in the place of a number


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingColumnWords(TableColumn):
    """One column; `shown` is what it says of a row, `sorts` the number it sorts by, if any."""

    shown: Callable[[SettingRow], str]
    sorts: Callable[[SettingRow], float | None]


def amount(estimate: Estimate | None) -> str:
    """A number of pairs with its interval: "12 (3 to 40)"."""
    if estimate is None or math.isnan(estimate.expected):
        return UNKNOWN
    if estimate.high < NONE_BELOW:
        return "none"
    if round(estimate.low) == round(estimate.high):
        return count(round(estimate.expected))
    low, high = about(estimate.low), about(math.ceil(estimate.high))
    if round(estimate.expected) == 0:
        return f"at most {high}"
    interval = f" ({low} to {high})" if low != high else ""
    return f"{about(estimate.expected)}{interval}"


def _roughly(estimate: Estimate | None) -> str:
    """Without the interval; with all digits only where it was counted."""
    if estimate is None or round(estimate.low) == round(estimate.high):
        return amount(estimate).replace("none", "0")
    return about(estimate.expected)


def _listed(numbers: SettingNumbers) -> str:
    if numbers.listed is None:
        return UNKNOWN
    return count(round(numbers.listed)) if numbers.certain else about(numbers.listed)


def _seconds(seconds: float | None) -> str:
    return UNKNOWN if seconds is None else duration(seconds).replace("under", "<")


def _expected(estimate: Estimate | None) -> float | None:
    return None if estimate is None else estimate.expected


def _missed(missed: Estimate | None) -> float | None:
    """Of those that miss nothing, the surest first."""
    return None if missed is None else missed.expected + missed.high * 1e-6


def _missed_column(
    title: str, meaning: str, of: Callable[[SettingNumbers], Estimate | None]
) -> SettingColumnWords:
    """A column of pairs that are missed, with their interval."""
    return SettingColumnWords(
        title=title,
        sample="1,200 (980 to 1,300)",
        meaning=meaning,
        alignment=RIGHT,
        shown=lambda row: amount(of(row.numbers)),
        sorts=lambda row: _missed(of(row.numbers)),
    )


def _compared_column(
    title: str, meaning: str, of: Callable[[SettingNumbers], Estimate | None]
) -> SettingColumnWords:
    """A column of pairs that are compared."""
    return SettingColumnWords(
        title=title,
        sample="9,900,000",
        meaning=meaning,
        alignment=RIGHT,
        shown=lambda row: _roughly(of(row.numbers)),
        sorts=lambda row: _expected(of(row.numbers)),
    )


class SettingColumn(Columns):
    """The columns, from left to right."""

    words: SettingColumnWords

    BANDS = SettingColumnWords(
        title="b",
        sample="1,024",
        meaning="Bands: a pair is checked when it agrees in all rows of at least one band.",
        alignment=RIGHT,
        shown=lambda row: count(row.setting.bands),
        sorts=lambda row: row.setting.bands,
    )
    ROWS = SettingColumnWords(
        title="r",
        sample="999",
        meaning="Rows: the signature values in a band.",
        alignment=RIGHT,
        shown=lambda row: count(row.setting.rows),
        sorts=lambda row: row.setting.rows,
    )
    DISTANCE = SettingColumnWords(
        title="d",
        sample="64",
        meaning="Distance: how many of the 64 bits may differ.",
        alignment=RIGHT,
        shown=lambda row: count(row.setting.distance or 0),
        sorts=lambda row: row.setting.distance or 0,
    )
    SIZE = SettingColumnWords(
        title="K",
        sample="1,024",
        meaning="Values in a signature; b · r is at most K. More need a new scan.",
        alignment=RIGHT,
        shown=lambda row: count(row.setting.signature_size),
        sorts=lambda row: row.setting.signature_size,
    )
    WHAT = SettingColumnWords(
        title="What it is",
        meaning="In use, pinned in the picture, a preset for such shingles, or efficient: no other "
        "setting with this K misses less for fewer candidates.",
        shown=lambda row: row.what,
        sorts=lambda _row: None,
    )
    MISSED = _missed_column(
        "Missed",
        "Pairs above “Listed from” that would not be listed, neither by bands nor for a "
        "shared passage, with the 95 % interval.",
        lambda numbers: numbers.missed,
    )
    CANDIDATES = _compared_column(
        "Candidates",
        "All pairs that would be compared, listed or not.",
        lambda numbers: numbers.candidates,
    )
    EXTRA = _compared_column(
        "For nothing",
        "Extra candidates: pairs below “Listed from” that would be compared and not listed.",
        lambda numbers: numbers.extra,
    )
    LISTED = SettingColumnWords(
        title="Lists",
        sample="990,000",
        meaning="How many pairs the list would have.",
        alignment=RIGHT,
        shown=lambda row: _listed(row.numbers),
        sorts=lambda row: row.numbers.listed,
    )
    SECONDS = SettingColumnWords(
        title="Time",
        sample="< 0.1 s",
        meaning="How long making the list again would take, about, by the last lists of this "
        "folder.",
        alignment=RIGHT,
        shown=lambda row: _seconds(row.numbers.seconds),
        sorts=lambda row: row.numbers.seconds,
    )
    BY_BANDS = _missed_column(
        "By bands alone",
        "Pairs above “Listed from” that meet in no band: those that only a shared passage "
        "would list are among them.",
        lambda numbers: numbers.by_bands,
    )


COLUMNS = tuple(SettingColumn)
