"""The tables that other programs read: pairs, passages and problems.

Columns of the pairs: doc_a, doc_b, resemblance, containment_a, containment_b, estimate,
shared_shingles, longest_run, exact_duplicate (0 or 1), found_by; doc_a < doc_b by code points.

CSV is UTF-8 with a byte order mark, because without one a spreadsheet takes names for the code page
of its country; read it with "utf-8-sig". A cell that a spreadsheet would run as a formula, because
it begins with = + - @ or a tab or line end, begins with "./" instead: "./=final.txt" is the same
relative path, and no name begins so by itself. JSON holds names as they are. Where the prefix
changes which of two names comes first, A and B change places with all that belongs to them.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TextIO

import numpy as np

from core.base.progress import Cancelled, Progress, ProgressReport, Stage, ignore, never, stop_if
from core.base.replaced_file import replaced_file
from core.documents.problem_groups import group_of
from core.evidence.pairs import FoundBy
from core.reports.group_rows import group_rows
from core.reports.model import Report

__all__ = ["COLUMNS", "write_csv", "write_json", "write_passages", "write_problems"]

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
)
FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")
EXACT_DIGITS = 9
ESTIMATE_DIGITS = 6
ROWS_AT_ONCE = 10_000  # between two looks at `cancelled`


def write_csv(
    path: Path, report: Report, *, progress: Progress = ignore, cancelled: Cancelled = never
) -> None:
    """Write the table of pairs for spreadsheets and scripts.

    Raises:
        ExportError: The file could not be written.
        ScanCancelledError: `cancelled` said so; nothing was written.
    """
    with replaced_file(path, encoding="utf-8-sig") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for row in _rows(report, _safe_name, progress, cancelled):
            writer.writerow([_cell(name, value) for name, value in row.items()])


def write_json(
    path: Path, report: Report, *, progress: Progress = ignore, cancelled: Cancelled = never
) -> None:
    """Write the table of pairs as one object: settings, circumstances, and one row a line.

    Keys: program, version, created, folders, documents (how many are there), missing (those that
    are gone or could not be read again: document, state, since), settings (as they were applied),
    notes, shown, pairs_before_filter, pairs_from_threshold (that reach the settings'
    min_resemblance), pairs_by_passage_only (below it; listed if list_passages says so), problems
    and other_files (files that gave no text: objects with path, problem and detail; pictures and
    the like are no problems), pairs (a list of objects with the columns as keys), groups (a list
    of objects with centre, copies, chosen, and members: document, resemblance, copies; of exact
    copies the first stands for all, and the others are its copies).

    Raises:
        ExportError: The file could not be written.
        ScanCancelledError: `cancelled` said so; nothing was written.
    """
    with replaced_file(path) as file:
        file.write(_compact(_circumstances(report)).removesuffix("}") + ',\n"pairs": ')
        _write_list(file, _rows(report, str, progress, cancelled))
        file.write(',\n"groups": ')
        _write_list(file, group_rows(report, cancelled))
        file.write("}\n")


def _circumstances(report: Report) -> dict[str, object]:
    return {
        "program": "Neardup",
        "version": report.version,
        "created": report.created.isoformat(timespec="seconds"),
        "folders": list(report.folders),
        "documents": report.document_counts.present,
        "missing": [
            {
                "document": one.name,
                "state": one.absence.kind,
                "since": one.absence.since.isoformat(),
            }
            for one in report.missing
            if one.absence
        ],
        "settings": report.settings.as_applied(),
        "all_pairs_compared": report.compared,
        "notes": list(report.notes),
        "shown": report.shown,
        "pairs_before_filter": report.list_counts.listed,
        "pairs_from_threshold": report.list_counts.similar,
        "pairs_by_passage_only": report.list_counts.by_passage,
        "problems": list(_problems(report, calm=False)),
        "other_files": list(_problems(report, calm=True)),
    }


def write_passages(
    path: Path, report: Report, *, progress: Progress = ignore, cancelled: Cancelled = never
) -> None:
    """Write the shared passages of every pair, as they are found.

    A list of {doc_a, doc_b, least_bits, passages: [{a_start, a_end, b_start, b_end, tokens,
    longest_run, bits}]}, one pair a line; offsets count code points of the extracted texts, ends
    excluded. What has fewer bits than `least_bits` is chance in texts of that length
    (`core.evidence.chance`), and a passage only where its longest run lists the pair by itself, or
    where it is most of a text.

    Raises:
        ExportError: The file could not be written.
        ScanCancelledError: `cancelled` said so; nothing was written.
    """
    with replaced_file(path) as file:
        _write_list(file, _passages(report, progress, cancelled))
        file.write("\n")


def write_problems(path: Path, report: Report, *, cancelled: Cancelled = never) -> None:
    """Write the files that gave no text: path, problem (a word for scripts), detail (a sentence).

    Raises:
        ExportError: The file could not be written.
        ScanCancelledError: `cancelled` said so; nothing was written.
    """
    with replaced_file(path, encoding="utf-8-sig") as file:
        writer = csv.writer(file)
        writer.writerow(("path", "problem", "detail"))
        for problem in report.problems:
            stop_if(cancelled)
            detail = _guarded(problem.detail, "'")
            writer.writerow((_safe_name(problem.name), problem.code.value, detail))


def _problems(report: Report, *, calm: bool) -> Iterator[dict[str, str]]:
    """Files that gave no text, those of calm groups or the others."""
    for problem in report.problems:
        if group_of(problem).is_calm is calm:
            yield {"path": problem.name, "problem": problem.code.value, "detail": problem.detail}


def _safe_name(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return _guarded(name, "./")


def _guarded(cell: str, prefix: str) -> str:
    return prefix + cell if cell.startswith(FORMULA_STARTS) else cell


def _rows(
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
    for a, b, alike, in_b, in_a, estimate, shared, run, same, found_by in zip(
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
        }


@cache
def _label(found_by: int) -> str:
    return FoundBy(found_by).label


def _passages(
    report: Report, progress: Progress, cancelled: Cancelled
) -> Iterator[dict[str, object]]:
    for _, a, b in report.rows(len(report.pairs), progress, cancelled):
        names = [report.name_of(a), report.name_of(b)]
        sides = ["a", "b"]
        if names[1] < names[0]:
            names.reverse()
            sides.reverse()
        shared = report.passages_of(a, b)
        yield {
            "doc_a": names[0],
            "doc_b": names[1],
            "least_bits": round(shared.floor.bits, 1),
            "passages": [
                {
                    f"{sides[0]}_start": passage.a_start,
                    f"{sides[0]}_end": passage.a_end,
                    f"{sides[1]}_start": passage.b_start,
                    f"{sides[1]}_end": passage.b_end,
                    "tokens": passage.tokens,
                    "longest_run": passage.longest_run,
                    "bits": round(passage.bits, 1),
                }
                for passage in shared.passages
            ],
        }


def _cell(column: str, value: object) -> object:
    if isinstance(value, float):
        return f"{value:.{ESTIMATE_DIGITS if column == 'estimate' else EXACT_DIGITS}f}"
    return value


def _write_list(file: TextIO, items: Iterator[dict[str, object]]) -> None:
    """A JSON list as a stream, one item a line."""
    separator = "[\n"
    for item in items:
        file.write(separator + _compact(item))
        separator = ",\n"
    file.write("[]" if separator == "[\n" else "\n]")


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
