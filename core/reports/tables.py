r"""The tables that other programs read: pairs, passages and problems.

The columns of the pairs are those of `core.reports.pair_rows`.

CSV is UTF-8 with a byte order mark, because without one a spreadsheet takes names for the code page
of its country; read it with "utf-8-sig". A cell that a spreadsheet would run as a formula, because
it begins with = + - @ or a tab or line end, begins with "./" instead: "./=final.txt" is the same
relative path, and no name begins so by itself. A note or a reviewer gets an apostrophe. JSON has
all as it is. Where the prefix changes which of two names comes first, A and B change places with
all that belongs to them.

Spreadsheets of many countries part cells at ";" and not at ",", and there a cell can begin within
ours: a ";" before such a sign is written \x3b in a name, as names have signs that are not seen, and
in a note the sign gets the apostrophe, there and where a line begins. What holds a ";" or a tab is
quoted, since LibreOffice parts at all three.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from core.base.progress import Cancelled, Progress, ignore, never, stop_if
from core.base.replaced_file import replaced_file
from core.documents.problem_groups import group_of
from core.documents.roles import Role
from core.reports.audit_words import kept_figures
from core.reports.group_rows import group_rows
from core.reports.judged_passages import judged_passage_rows
from core.reports.model import Report
from core.reports.pair_rows import COLUMNS, ESTIMATE_DIGITS, NUMBERS, REWORKED, pair_rows
from core.reports.result_words import result_in_words
from core.reports.set_aside import aside_rows, aside_rules
from core.scan.judgements import VERDICTS

__all__ = ["COLUMNS", "guarded", "write_csv", "write_json", "write_passages", "write_problems"]

FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")
_INNER_START = re.compile(r'(?<=[;\n\r\t])(?=["\t]*[=+\-@＝＋－＠])')
_INNER_SEPARATOR = re.compile(r';(?=["\t]*[=+\-@＝＋－＠])')
OTHER_SEPARATORS = (";", "\t")
DIGITS = NUMBERS | REWORKED
OF_PEOPLE = ("note", "who", "when")  # columns in which stands what somebody wrote


def write_csv(
    path: Path, report: Report, *, progress: Progress = ignore, cancelled: Cancelled = never
) -> None:
    """Write the table of pairs for spreadsheets and scripts.

    Raises:
        ExportError: The file could not be written.
        ScanCancelledError: `cancelled` said so; nothing was written.
    """
    with replaced_file(path, encoding="utf-8-sig") as file:
        write_row = _row_writer(file)
        write_row(COLUMNS)
        for row in pair_rows(report, _safe_name, progress, cancelled):
            write_row([*map(_cell, COLUMNS, row)])


def write_json(
    path: Path, report: Report, *, progress: Progress = ignore, cancelled: Cancelled = never
) -> None:
    """Write the table of pairs as one object: settings, circumstances, and one row a line.

    Keys: program, version, created, folders, roles (of the folders), documents (how many are
    there), references and templates (their names), missing (those that are gone or could not be
    read again: document, state, since), settings (as they were applied), notes, shown, result (what
    was found, in sentences), pairs_before_filter, pairs_from_threshold (that reach the settings'
    min_resemblance), pairs_by_passage_only (below it; listed if list_passages says so),
    pairs_by_reworked_only (the same, with no passage but reworked ones), audit (None, or time, who,
    of_this_list and the figures of `neardup audit --json`, with 200 of what is missed by name),
    verdicts (how many of the pairs have each), problems and other_files (files that gave no text:
    objects with path, problem and detail; pictures and the like are no problems), pairs (a list of
    objects with the columns as keys, worst first), groups (a list of objects with centre, copies,
    chosen, and members: document, resemblance, copies; of exact copies the first stands for all,
    and the others are its copies), judged_passages (what passages are: a list of objects with
    meaning, text, words, documents, who and time), set_aside_by (the rules: quotations,
    bibliography, repeated, common, and phrases, each with its reason), languages (a list of objects
    with document and language: a code of ISO 639-1, "" where it is not known), set_aside (a list of
    objects with document, characters, set_aside, share, reasons and spans; see `aside_rows`).

    Raises:
        ExportError: The file could not be written.
        ScanCancelledError: `cancelled` said so; nothing was written.
    """
    with replaced_file(path) as file:
        file.write(_compact(_circumstances(report)).removesuffix("}") + ',\n"pairs": ')
        rows = pair_rows(report, str, progress, cancelled)
        _write_list(file, (dict(zip(COLUMNS, row, strict=True)) for row in rows))
        file.write(',\n"groups": ')
        _write_list(file, group_rows(report, cancelled))
        file.write(',\n"judged_passages": ')
        _write_list(file, judged_passage_rows(report, cancelled))
        file.write(f',\n"set_aside_by": {_compact(aside_rules(report))}')
        file.write(',\n"languages": ')
        _write_list(file, _languages(report, cancelled))
        file.write(',\n"set_aside": ')
        _write_list(file, aside_rows(report, cancelled))
        file.write("}\n")


def _circumstances(report: Report) -> dict[str, object]:
    return {
        "program": "Neardup",
        "version": report.version,
        "created": report.created.isoformat(timespec="seconds"),
        "folders": list(report.folders),
        "roles": [str(role) for role in report.roles],
        "documents": report.document_counts.present,
        "references": [one.name for one in report.not_to_review if one.role is Role.REFERENCE],
        "templates": [one.name for one in report.not_to_review if one.role is Role.TEMPLATE],
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
        "result": result_in_words(report),
        "pairs_before_filter": report.list_counts.listed,
        "pairs_from_threshold": report.list_counts.similar,
        "pairs_by_passage_only": report.list_counts.by_passage,
        "pairs_by_reworked_only": report.list_counts.by_reworked,
        "audit": kept_figures(report.judgements.audit, is_current=report.audit_is_current),
        "verdicts": dict(zip(VERDICTS, report.verdict_counts, strict=True)),
        "problems": list(_problems(report, calm=False)),
        "other_files": list(_problems(report, calm=True)),
    }


def write_passages(
    path: Path, report: Report, *, progress: Progress = ignore, cancelled: Cancelled = never
) -> None:
    """Write the shared passages of every pair, as they are found.

    A list of {doc_a, doc_b, least_bits, passages: [{a_start, a_end, b_start, b_end, tokens,
    longest_run, bits, a_tokens, b_tokens, near, exchanged, moved, reworked_words, chance}]}, one
    pair a line; offsets count code points of the extracted texts, ends excluded (see
    `core.evidence.passage`). `moved` counts words that stand in another order within the passage.
    What has fewer bits than `least_bits` is chance in texts of that length
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
        write_row = _row_writer(file)
        write_row(("path", "problem", "detail"))
        for problem in report.problems:
            stop_if(cancelled)
            detail = _safe_words(problem.detail)
            write_row((_safe_name(problem.name), problem.code.value, detail))


def _problems(report: Report, *, calm: bool) -> Iterator[dict[str, str]]:
    """Files that gave no text, those of calm groups or the others."""
    for problem in report.problems:
        if group_of(problem).is_calm is calm:
            yield {"path": problem.name, "problem": problem.code.value, "detail": problem.detail}


def _languages(report: Report, cancelled: Cancelled) -> Iterator[dict[str, object]]:
    for document, language in zip(report.documents, report.languages, strict=True):
        stop_if(cancelled)
        yield {"document": document.name, "language": language}


def _row_writer(file: TextIO) -> Callable[[Sequence[object]], object]:
    """Writes rows, with quotes around what other separators than a comma would part."""
    plain, quoted = csv.writer(file), csv.writer(file, quoting=csv.QUOTE_ALL)

    def write_row(cells: Sequence[object]) -> object:
        is_parted = any(
            isinstance(cell, str) and any(sign in cell for sign in OTHER_SEPARATORS)
            for cell in cells
        )
        return (quoted if is_parted else plain).writerow(cells)

    return write_row


def _safe_name(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return _INNER_SEPARATOR.sub(r"\\x3b", guarded(name, "./"))


def _safe_words(words: str) -> str:
    """A note or the like that no spreadsheet takes for a formula."""
    return guarded(_INNER_START.sub("'", words), "'")


def guarded(cell: str, prefix: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return prefix + cell if cell.startswith(FORMULA_STARTS) else cell


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
                    f"{sides[0]}_tokens": passage.a_tokens,
                    f"{sides[1]}_tokens": passage.b_tokens,
                    "near": passage.near,
                    "exchanged": passage.exchanged,
                    "moved": passage.moved_words,
                    "reworked_words": passage.reworked_words,
                    "chance": passage.chance,
                }
                for passage in shared.passages
            ],
        }


def _cell(column: str, value: object) -> object:
    if isinstance(value, float):
        return f"{value:.{DIGITS.get(column, ESTIMATE_DIGITS)}f}"
    return _safe_words(str(value)) if value and column in OF_PEOPLE else value


def _write_list(file: TextIO, items: Iterator[dict[str, object]]) -> None:
    """A JSON list as a stream, one item a line."""
    separator = "[\n"
    for item in items:
        file.write(separator + _compact(item))
        separator = ",\n"
    file.write("[]" if separator == "[\n" else "\n]")


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
