"""The table of settings for spreadsheets and scripts.

Numbers are as they were computed: "." before decimals, nothing between thousands, an empty cell
where one is not known. Names of presets are what somebody wrote: a cell that a spreadsheet would
run as a formula begins with an apostrophe.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from core.base.arrays import Estimate
from neardup_gui.models.workbench.setting_rows import SettingRow

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
