"""The rows of the table of pairs, for programs.

Columns of the pairs: doc_a, doc_b, resemblance, containment_a, containment_b, estimate,
shared_shingles, longest_run, exact_duplicate (0 or 1), found_by; doc_a < doc_b by code points.
Then what was judged: verdict ("not reviewed", "confirmed", "suspicious", "not a match"), note, who
and when (ISO 8601, UTC), changed_since (the share of the text that was edited since the verdict,
0 to 1; nothing where it is the same).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from core.base.progress import Cancelled, Progress, ProgressReport, Stage, stop_if
from core.evidence.pairs import FoundBy
from core.reports.model import Report
from core.scan.judgements import Found, Verdict

__all__ = ["COLUMNS", "ESTIMATE_DIGITS", "EXACT", "EXACT_DIGITS", "pair_rows"]

COLUMNS = (
    "doc_a",
    "doc_b",
    "resemblance",
    "containment_a",
    "containment_b",
    "estimate",
    "shared_shingles",
    "longest_run",
    "exact_duplicate",
    "found_by",
    "verdict",
    "note",
    "who",
    "when",
    "changed_since",
)
EXACT = ("resemblance", "containment_a", "containment_b")
EXACT_DIGITS = 9
ESTIMATE_DIGITS = 6
NOTHING_SAID: dict[str, object] = {
    "verdict": Verdict.NOT_REVIEWED.value,
    "note": "",
    "who": "",
    "when": "",
    "changed_since": None,
}
ROWS_AT_ONCE = 10_000  # between two looks at `cancelled`


def pair_rows(
    report: Report, written: Callable[[str], str], progress: Progress, cancelled: Cancelled
) -> Iterator[dict[str, object]]:
    """The pairs in the report's order; `written` gives the form of a name in this file."""
    total = len(report.pairs)
    for start in range(0, total, ROWS_AT_ONCE):
        stop_if(cancelled)
        progress(ProgressReport(Stage.WRITE, start, total))
        yield from _some_rows(report, slice(start, start + ROWS_AT_ONCE), written)
    progress(ProgressReport(Stage.WRITE, total, total))


def _some_rows(
    report: Report, rows: slice, written: Callable[[str], str]
) -> Iterator[dict[str, object]]:
    """Some of the pairs; a million of them in seconds, so columns become lists first."""
    pairs = report.pairs
    for row, a, b, alike, in_b, in_a, estimate, shared, run, same, found_by in zip(
        range(len(pairs))[rows],
        pairs.a[rows].tolist(),
        pairs.b[rows].tolist(),
        pairs.resemblance[rows].round(EXACT_DIGITS).tolist(),
        pairs.containment_a[rows].round(EXACT_DIGITS).tolist(),
        pairs.containment_b[rows].round(EXACT_DIGITS).tolist(),
        pairs.estimate[rows].astype(np.float64).round(ESTIMATE_DIGITS).tolist(),
        pairs.shared_shingles[rows].tolist(),
        pairs.longest_run[rows].tolist(),
        pairs.exact_duplicate[rows].astype(np.uint8).tolist(),
        pairs.found_by[rows].tolist(),
        strict=True,
    ):
        first, second = written(report.name_of(a)), written(report.name_of(b))
        in_order = first < second
        yield {
            "doc_a": first if in_order else second,
            "doc_b": second if in_order else first,
            "resemblance": alike,
            "containment_a": in_b if in_order else in_a,
            "containment_b": in_a if in_order else in_b,
            "estimate": estimate,
            "shared_shingles": shared,
            "longest_run": run,
            "exact_duplicate": same,
            "found_by": _label(found_by),
            **_said(report.found_of(row)),
        }


def _said(found: Found | None) -> dict[str, object]:
    """What was judged of a pair."""
    if found is None:
        return NOTHING_SAID
    judgement, changed = found
    return {
        "verdict": judgement.verdict.value,
        "note": judgement.note,
        "who": judgement.who,
        "when": judgement.time,
        "changed_since": None if changed is None else round(changed, ESTIMATE_DIGITS),
    }


@cache
def _label(found_by: int) -> str:
    return FoundBy(found_by).label
