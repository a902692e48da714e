"""The rows of the table of pairs, for programs.

Columns of the pairs: doc_a, doc_b, resemblance, containment_a, containment_b, estimate,
shared_shingles, longest_run, exact_duplicate (0 or 1), found_by; doc_a < doc_b by code points.
Then what was judged: verdict ("not reviewed", "confirmed", "suspicious", "not a match"), note, who
and when (ISO 8601, UTC), changed_since (the share of the text that was edited since the verdict,
0 to 1; nothing where it is the same). Then the reworked passages: reworked_words, reworked_bits and
reworked_share, see `core.evidence.pairs.Pairs`; nothing where they were not measured.

The pairs stand worst first, see `Pairs.worst_first`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from core.base.arrays import AnyArray
from core.base.progress import Cancelled, Progress, ProgressReport, Stage, stop_if
from core.evidence.pairs import FoundBy
from core.reports.model import Report
from core.scan.judgements import Found, Verdict

EXACT_DIGITS = 9
ESTIMATE_DIGITS = 6
# The columns of `Pairs` that are written, and how many decimals each has; none is a whole number.
NUMBERS = {
    "resemblance": EXACT_DIGITS,
    "containment_a": EXACT_DIGITS,
    "containment_b": EXACT_DIGITS,
    "estimate": ESTIMATE_DIGITS,
    "shared_shingles": 0,
    "longest_run": 0,
    "exact_duplicate": 0,
    "found_by": 0,
}
# They stand last, nothing where they were not measured.
REWORKED = {"reworked_words": 0, "reworked_bits": 1, "reworked_share": ESTIMATE_DIGITS}
SAID = ("verdict", "note", "who", "when", "changed_since")
COLUMNS = ("doc_a", "doc_b", *NUMBERS, *SAID, *REWORKED)
NOTHING_SAID = (Verdict.NOT_REVIEWED.value, "", "", "", None)
ROWS_AT_ONCE = 10_000  # between two looks at `cancelled`


def pair_rows(
    report: Report, written: Callable[[str], str], progress: Progress, cancelled: Cancelled
) -> Iterator[tuple[object, ...]]:
    """The pairs in the report's order, by `COLUMNS`; `written` gives the form of a name here."""
    total = len(report.pairs)
    for start in range(0, total, ROWS_AT_ONCE):
        stop_if(cancelled)
        progress(ProgressReport(Stage.WRITE, start, total))
        yield from _some_rows(report, slice(start, start + ROWS_AT_ONCE), written)
    progress(ProgressReport(Stage.WRITE, total, total))


def _some_rows(
    report: Report, rows: slice, written: Callable[[str], str]
) -> Iterator[tuple[object, ...]]:
    """Some of the pairs; a million of them in seconds, so columns become lists first."""
    pairs = report.pairs
    names = [
        [written(report.name_of(document)) for document in numbers[rows].tolist()]
        for numbers in (pairs.a, pairs.b)
    ]
    turned = np.array([b < a for a, b in zip(*names, strict=True)], dtype=np.bool_)
    columns = {name: getattr(pairs, name)[rows] for name in NUMBERS}
    in_b, in_a = columns["containment_a"], columns["containment_b"]
    columns["containment_a"] = np.where(turned, in_a, in_b)
    columns["containment_b"] = np.where(turned, in_b, in_a)
    lists = [_written(name, column, NUMBERS[name]) for name, column in columns.items()]
    measured = (_measured(getattr(pairs, name)[rows], REWORKED[name]) for name in REWORKED)
    reworked = zip(*measured, strict=True)
    places = zip(range(len(pairs))[rows], reworked, *names, *lists, strict=True)
    for row, last, a, b, *numbers in places:
        yield min(a, b), max(a, b), *numbers, *_said(report.found_of(row)), *last


def _measured(column: AnyArray, digits: int) -> list[Any]:
    """A column of what may not be measured."""
    numbers = _written("", column, digits)
    return [None if number < 0 else number for number in numbers]


def _written(name: str, column: AnyArray, digits: int) -> list[Any]:
    """A column as files hold it."""
    exact = column.astype(np.float64).round(digits) if digits else column.astype(np.int64)
    values: list[Any] = exact.tolist()
    return [*map(_label, values)] if name == "found_by" else values


def _said(found: Found | None) -> tuple[object, ...]:
    """What was judged of a pair, for the columns of `SAID`."""
    if found is None:
        return NOTHING_SAID
    judgement, changed = found
    return (
        judgement.verdict.value,
        judgement.note,
        judgement.who,
        judgement.time,
        None if changed is None else round(changed, ESTIMATE_DIGITS),
    )


@cache
def _label(found_by: int) -> str:
    return FoundBy(found_by).label
