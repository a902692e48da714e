"""The numbers of a pair: one entry each for the window, the reports and a terminal.

Files for programs (`core.reports.rows`) have an order of their own, which stays.

The rows of the table of pairs, for programs.

Columns of the pairs: doc_a, doc_b, resemblance, containment_a, containment_b, estimate,
shared_shingles, longest_run, exact_duplicate (0 or 1), found_by; doc_a < doc_b by code points.
Then what was judged: verdict ("not reviewed", "confirmed", "suspicious", "not a match"), note, who
and when (ISO 8601, UTC), changed_since (the share of the text that was edited since the verdict,
0 to 1; nothing where it is the same). Then the reworked passages: reworked_words, reworked_bits and
reworked_share, see `core.evidence.pairs.Pairs`; nothing where they were not measured.

The pairs stand worst first, see `Pairs.worst_first`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import AnyArray
from core.base.tasks import Cancelled, Progress, ProgressReport, Stage, stop_if
from core.base.wording import count, counted
from core.evidence.pairs import FoundBy, PairFigures
from core.reports.model import Report
from core.scan.judgements import VERDICTS, Found, Verdict


class GroupNumbers(NamedTuple):
    """The numbers of a group.

    Attributes:
        pairs: How many pairs of the report are between its documents.
        verdicts: How many of them have each of `VERDICTS`.
    """

    pairs: int
    verdicts: tuple[int, ...]


def group_numbers(report: Report) -> Sequence[GroupNumbers]:
    """The numbers of each group of a report, in their order."""
    group_of = np.full(len(report.documents), -1, dtype=np.int64)
    for place, group in enumerate(report.groups):
        group_of[list(group.documents)] = place
    a, b = group_of[report.pairs.a], group_of[report.pairs.b]
    within = (a == b) & (a >= 0)
    cells = a[within] * len(VERDICTS) + report.verdicts[within]
    shape = len(report.groups), len(VERDICTS)
    counts = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
    return [GroupNumbers(sum(row), tuple(row)) for row in counts.tolist()]


DIGITS = 9


def group_rows(report: Report, cancelled: Cancelled) -> Iterator[dict[str, object]]:
    """The groups, largest first, with centre, copies, chosen and members as keys.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    for group in report.groups:
        stop_if(cancelled)
        yield {
            "centre": report.name_of(group.centre),
            "copies": [report.name_of(copy) for copy in group.copies],
            "chosen": group.is_chosen,
            "members": [
                {
                    "document": report.name_of(member.document),
                    "resemblance": round(member.resemblance, DIGITS),
                    "copies": [report.name_of(copy) for copy in member.copies],
                }
                for member in group.members
            ],
        }


def judged_passage_rows(report: Report, cancelled: Cancelled) -> Iterator[dict[str, object]]:
    """The judged passages, most widely shared first.

    Keys: meaning, text ("" in a report without texts), words, documents (their names), who, time.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    for passage in report.judged_passages:
        stop_if(cancelled)
        yield {
            "meaning": passage.judgement.meaning.value,
            "text": passage.judgement.text if report.choice.passages else "",
            "words": passage.words,
            "documents": [report.name_of(number) for number in passage.places],
            "who": passage.judgement.who,
            "time": passage.judgement.time,
        }


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


EXACT = 1e-12  # between a share and what the whole numbers give


def worked_numbers(figures: PairFigures) -> dict[str, str]:
    """What stands above and below the fraction, by column of `core.evidence.pairs.Pairs`.

    "412 of 1,530 shingles", "412 of A’s 1,203". The numbers of shingles follow from those of the
    pair: what both share and which share that is. Where nothing is shared they do not, and there is
    no entry.
    """
    shared = figures.shared_shingles
    shares = {
        "resemblance": figures.resemblance,
        "containment_a": figures.containment_a,
        "containment_b": figures.containment_b,
    }
    wholes = {column: round(shared / share) for column, share in shares.items() if share > 0}
    return {
        column: _words(column, shared, whole)
        for column, whole in wholes.items()
        if shared and abs(shared / whole - shares[column]) < EXACT
    }


def _words(column: str, shared: int, whole: int) -> str:
    if column == "resemblance":
        return f"{count(shared)} of {counted(whole, 'shingle')}"
    letter = "A" if column == "containment_a" else "B"
    return f"{count(shared)} of {letter}’s {count(whole)}"
