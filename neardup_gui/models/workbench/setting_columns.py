"""The columns of the table of settings: their names, meanings, what they say and sort by."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.base.arrays import Estimate
from core.base.wording import count, counted, threshold
from core.reports.curve.forecast_words import about
from neardup_gui.models.pairs.table import ANOTHER_RUN
from neardup_gui.models.table_model import RIGHT, Columns, TableColumn
from neardup_gui.models.threshold import ThresholdModel
from neardup_gui.models.words.numbers import duration
from neardup_gui.models.workbench.setting_rows import (
    Kind,
    PlaneMap,
    Setting,
    SettingNumbers,
    SettingRow,
)

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


NO_LIST = "What each setting would do is told when a folder is scanned."
NOTHING_TO_COMPARE = "There are no two different documents, so every setting lists the same."
LEGEND = "● efficient   ◉ in use   ◇ pinned   A click uses one."
COUNTING = "Counting what every other setting would do …"
UNKNOWN_IN_WORDS = "Too few pairs are found to tell what other settings would miss."
BITS = (
    "{name} has no bands, so there is no map of b × r: the table has every distance d. A larger d "
    "misses less and compares more."
)


def row_words(row: SettingRow) -> str:
    """A row in a sentence, for a tool tip and for those who cannot see it."""
    name = row.setting.name
    if row.setting.distance is None:
        name = f"{counted(row.setting.bands, 'band')} of {counted(row.setting.rows, 'row')}"
    what = f", {row.what}" if row.what else ""
    return f"{name}{what}: {numbers_words(row.numbers)}"


def place_words(setting: Setting, numbers: SettingNumbers) -> str:
    """A place of the map in a line."""
    return f"{setting.name}: {numbers_words(numbers)}"


def numbers_words(numbers: SettingNumbers) -> str:
    """What a setting would do."""
    told = []
    number = _exactly if numbers.certain else about
    if numbers.missed is not None:
        there = f" of {number(numbers.there)}" if numbers.there else ""
        alone = numbers.by_bands and amount(numbers.by_bands)
        bands = f", by bands alone {alone}" if alone and alone != amount(numbers.missed) else ""
        told.append(f"{amount(numbers.missed)}{there} missed{bands}")
    if numbers.candidates is not None:
        told.append(f"{_some(numbers.candidates)} candidates")
    if numbers.extra is not None:
        told.append(f"{amount(numbers.extra)} for nothing")
    if numbers.seconds is not None:
        told.append(duration(numbers.seconds))
    if numbers.listed is not None:
        told.append(f"lists {number(numbers.listed)}")
    return "; ".join(told) + "." if told else "not known."


def _exactly(value: float) -> str:
    return count(round(value))


def _some(estimate: Estimate) -> str:
    return amount(estimate).replace("none", "no")


def summary(model: ThresholdModel, plane_map: PlaneMap | None, rows: list[SettingRow]) -> str:
    """What the table and the map come to; or why they say nothing yet."""
    why = why_no_map(model, plane_map)
    if why or plane_map is None:
        return why
    sentences = [
        _counted_from(model, plane_map),
        _by_bands(plane_map),
        _advice(model, plane_map),
        "" if _is_of_run(model) else _larger(rows),
        _left_out(plane_map, rows),
    ]
    return " ".join(filter(None, sentences))


def why_no_map(model: ThresholdModel, plane_map: PlaneMap | None) -> str:
    """Why there is no map; empty where there is one."""
    if model.state.distance is not None:
        return BITS.format(name=model.state.method.search_name)
    if model.folder is None:
        return NO_LIST
    if model.folder.compared == 0 or model.folder.all_pairs == 0:
        return NOTHING_TO_COMPARE
    if plane_map is None:
        return COUNTING if model.plane is None else UNKNOWN_IN_WORDS
    return ""


def map_words(model: ThresholdModel, plane_map: PlaneMap | None) -> str:
    """The map for those who cannot see it."""
    why = why_no_map(model, plane_map)
    if why or plane_map is None:
        return why
    number = counted(len(plane_map), "setting")
    efficient = counted(len(plane_map.frontier), "efficient one")
    ends = (plane_map.frontier[0], plane_map.frontier[-1])
    words = " ".join(
        place_words(plane_map.setting(int(end)), plane_map.numbers(int(end))) for end in ends
    )
    return (
        f"{number} by candidates and missed pairs, {efficient}: from the fewest candidates to the "
        f"fewest missed, {words} Left and Right go along them, Enter takes one."
    )


def _counted_from(model: ThresholdModel, plane_map: PlaneMap) -> str:
    """What missed pairs are counted from, and that nothing is missed where all were compared."""
    at, folder = plane_map.at, model.folder
    floor = model.state.min_resemblance
    if round(at.there) == 0:
        known = "is there" if at.certain else "is known"
        return f"No pair above {threshold(at.least)} {known}, so none is known to be missed."
    if folder is not None and folder.compared is not None:
        return (
            f"All pairs are compared here, so nothing is missed. The table says what bands and "
            f"passages alone would miss of {counted(round(at.there), 'pair')} above "
            f"{threshold(at.least)}."
        )
    if at.least > floor:
        return (
            f"Missed pairs are counted from {threshold(at.least)} on, where enough is known to "
            f"tell."
        )
    return ""


def _by_bands(plane_map: PlaneMap) -> str:
    """That bands are not needed here, where that is so."""
    if not plane_map.of_bands:
        return ""
    return "Shared passages lead to them all: the map shows what bands alone would miss."


def _advice(model: ThresholdModel, plane_map: PlaneMap) -> str:
    """Whether another setting would be better in both ways."""
    at, size = plane_map.at, plane_map.signature_size
    if not round(at.there):
        return ""
    number = f"Of {counted(len(plane_map), 'setting')} with K = {count(size)}"
    present = plane_map.place_of(model.state)
    if present is None:
        needs = f"{model.state.name} needs longer signatures than there are"
        return f"{needs}. {ANOTHER_RUN}" if _is_of_run(model) else f"{needs}: scan again."
    name, best = model.state.name, _better(plane_map, present)
    if best is None:
        return f"{number}, none surely misses less than {name} for fewer candidates."
    fewer, now = (about(float(at.candidates.expected[place])) for place in (best, present))
    return (
        f"{number}, {plane_map.setting(best).name} misses no more than {name} "
        f"({amount(plane_map.missed.one(best))}) and compares {fewer} pairs instead of {now}."
    )


def _is_of_run(model: ThresholdModel) -> bool:
    """Whether the list is of a run on a cluster, and is not scanned again here."""
    return model.folder is not None and model.folder.is_part_of_run


def _better(plane_map: PlaneMap, present: int) -> int | None:
    """The setting that misses no more for the fewest candidates; None where none are fewer."""
    candidates, missed = plane_map.at.candidates.expected, plane_map.missed
    here = plane_map.frontier
    surely = missed.high[here] <= max(missed.high[present], NONE_BELOW)
    better = here[surely & (np.round(missed.expected[here]) <= round(missed.expected[present]))]
    if not len(better):
        return None
    best = int(better[np.argmin(candidates[better])])
    fewer = about(float(candidates[best])) != about(float(candidates[present]))
    return best if fewer and candidates[best] < candidates[present] else None


def _larger(rows: list[SettingRow]) -> str:
    """What longer signatures would buy, where they buy something."""
    present = next((row for row in rows if Kind.PRESENT in row.kinds), None)
    now = present.numbers.missed if present else None
    longer = (row for row in rows if Kind.LARGER in row.kinds)
    for row in sorted(longer, key=lambda row: row.setting.signature_size):
        missed = row.numbers.missed
        if now and missed and round(missed.expected) < round(now.expected):
            return (
                f"With K = {count(row.setting.signature_size)}, {row.setting.name} would miss "
                f"{amount(missed)} instead of {amount(now)} for no more candidates, after a new "
                "scan."
            )
    return ""


def _left_out(plane_map: PlaneMap, rows: list[SettingRow]) -> str:
    """That the table has not all efficient ones."""
    shown = sum(Kind.EFFICIENT in row.kinds for row in rows)
    every = len(plane_map.frontier)
    if shown >= every:
        return ""
    return f"The table has {count(shown)} of {count(every)} efficient settings, the map all."
