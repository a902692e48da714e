r"""The tables that other programs read: pairs, passages and problems.

The columns of the pairs are those of `core.reports.rows`.

CSV is UTF-8 with a byte order mark, because without one a spreadsheet takes names for the code page
of its country; read it with "utf-8-sig". A cell that a spreadsheet would run as a formula, because
it begins with = + - @ or a tab or line end, begins with "./" instead: "./=final.txt" is the same
relative path, and no name begins so by itself. A note or a reviewer gets an apostrophe. JSON has
all as it is. Where the prefix changes which of two names comes first, A and B are exchanged with
all that belongs to them.

Spreadsheets of many countries part cells at ";" and not at ",", and there a cell can begin within
ours: a ";" before such a sign is written \x3b in a name, as names have signs that are not seen, and
in a note the sign gets the apostrophe, there and where a line begins. What holds a ";" or a tab is
quoted, since LibreOffice parts at all three.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TextIO

import numpy as np

from core.base.arrays import Estimate
from core.base.files import replaced_file
from core.base.messages import gettext, localized, ngettext
from core.base.patterns import lazy_pattern
from core.base.tasks import Progress, ignore, stop_if_cancelled
from core.base.wording import count, rounded, threshold, with_interval
from core.candidates.forecast import GridForecast
from core.evidence.measures import ESTIMATE_DIGITS, MEASURE
from core.reports.model import Report
from core.reports.record import listed_rows, passage_row
from core.reports.report_choice import Scope
from core.reports.rows import COLUMNS, pair_rows

PRINTED = 20  # choices that an eye can compare
ESTIMATED = ("missed", "missed_by_bands", "extra", "candidates")
GRID_COLUMNS = (
    "bands", "rows", "signature_size",
    *(f"{name}{end}" for name in ESTIMATED for end in ("", "_low", "_high")),
    "listed", "seconds", "efficient", "pairs_from",
)  # fmt: skip


def sentences(
    at: GridForecast, signature_size: int, requested: float, documents: int, number: int
) -> Iterator[str]:
    """The sentences and lines that are printed.

    Args:
        at: What the choices do, with `number` documents.
        signature_size: K.
        requested: The resemblance from which on pairs are to be counted.
        documents: How many there are.
        number: How many the forecast is for.
    """
    read = ngettext("{n} document", "{n} documents", documents)
    if number != documents:
        yield gettext(
            "{documents} read; for {number} like these, pairs and candidates grow with the square "
            "of the number of documents, and the share that is missed stays.",
            documents=read,
            number=count(number),
        )
    if math.isnan(at.total):
        yield gettext(
            "{documents}: too little is known above {floor} to tell what is missed. List with more "
            "bands or fewer rows, so that more pairs are found.",
            documents=read,
            floor=threshold(requested),
        )
        return
    least = threshold(at.least)
    if at.certain:
        pairs = ngettext(
            "{n} pair from {least} on", "{n} pairs from {least} on", round(at.total), least=least
        )
        yield gettext("{documents}. All pairs were compared: {pairs}.", documents=read, pairs=pairs)
    else:
        yield gettext(
            "{documents}. Estimated, with 95% intervals: about {pairs} pairs from {least} on.",
            documents=read,
            pairs=_about(at.total),
            least=least,
        )
    if at.least > requested:
        yield gettext("Below {least}, too few are found to tell.", least=threshold(at.least))
    indices = np.flatnonzero(at.efficient)
    indices = indices[np.argsort(at.candidates.expected[indices])]
    shown = indices[np.unique(np.linspace(0, len(indices) - 1, PRINTED).astype(np.int64))]
    titles = gettext("missed"), gettext("listed for nothing"), gettext("candidates")
    yield _columns("b × r", titles, gettext("seconds"))
    for index in shown.tolist():
        yield _line(at, index)
    sentence = ngettext(
        "{n} choice is efficient, of {choices} with b × r ≤ {size}: no other misses fewer pairs "
        "for as few candidates.",
        "{n} choices are efficient, of {choices} with b × r ≤ {size}: no other misses fewer pairs "
        "for as few candidates.",
        len(indices),
        choices=count(len(at.bands)),
        size=signature_size,
    )
    if len(shown) < len(indices):
        sentence += " " + ngettext(
            "{n} of them is printed.", "{n} of them are printed.", len(shown)
        )
    yield sentence


def _columns(choice: str, numbers: Iterable[str], seconds: str) -> str:
    return f"{choice:>10}  {''.join(f'{number:<38}' for number in numbers)}{seconds}"


def _line(at: GridForecast, index: int) -> str:
    choice = f"{at.bands[index]} × {at.rows[index]}"
    numbers = (_amount(estimate.at(index)) for estimate in (at.missed, at.extra, at.candidates))
    seconds = at.seconds[index]
    took = gettext("unknown") if math.isnan(seconds) else localized(f"{seconds:,.1f}")
    return _columns(choice, numbers, took)


def _amount(number: Estimate) -> str:
    if math.isnan(number.expected):
        return gettext("unknown")
    if round(number.low) == round(number.high):
        return _about(number.expected)
    low, high = _about(number.low), _about(math.ceil(number.high))
    return with_interval(_about(number.expected), low, high)


def _about(number: float) -> str:
    """A number, a large one to four digits."""
    return count(rounded(number, 4))


def write_grid(path: Path, at: GridForecast, signature_size: int) -> None:
    """Write every choice, efficient or not; cells of what is not known are empty.

    Raises:
        ExportError: The file could not be written.
    """
    with replaced_file(path, encoding="utf-8-sig") as file:
        writer = csv.writer(file)
        writer.writerow(GRID_COLUMNS)
        for index in range(len(at.bands)):
            estimates = (at.missed, at.missed_by_bands, at.extra, at.candidates)
            numbers = [column[index] for estimate in estimates for column in estimate]
            values = (*numbers, at.listed[index], at.seconds[index])
            row = (at.bands[index], at.rows[index], signature_size, *map(_grid_cell, values))
            writer.writerow((*row, "yes" if at.efficient[index] else "no", _grid_cell(at.least)))


def _grid_cell(number: float) -> float | str:
    return "" if math.isnan(number) else round(float(number), 4)


FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")
_INNER_START = lazy_pattern(r'(?<=[;\n\r\t])(?=["\t]*[=+\-@＝＋－＠])')
_INNER_SEPARATOR = lazy_pattern(r';(?=["\t]*[=+\-@＝＋－＠])')
OTHER_SEPARATORS = (";", "\t")
SHARED_PROPERTIES = "shared_properties"  # a last column, where they are asked for
SPELLINGS = "unusual_spellings"  # a last column in the report of one pair
OF_PEOPLE = tuple(map(COLUMNS.index, ("note", "who", "when")))  # columns that people wrote
DECIMALS = [
    MEASURE[column].decimals if column in MEASURE else ESTIMATE_DIGITS for column in COLUMNS
]


def write_csv(path: Path, report: Report, *, progress: Progress = ignore) -> None:
    """Write the table of pairs for spreadsheets and scripts.

    Where the properties of files were asked for, `shared_properties` is a last column: the names of
    the rare ones that both files have, with + between. In the report of one pair,
    `unusual_spellings` comes after it: slips as "commerical (commercial)" with / between, which
    no slip contains; or how many there are where no text or name is shown.

    Raises:
        ExportError: The file could not be written.
    """
    last: dict[str, Callable[[int], object]] = {}
    if report.file_properties:
        last[SHARED_PROPERTIES] = partial(_shared_kinds, report)
    if report.choice.scope is Scope.PAIR and report.find_spellings:
        last[SPELLINGS] = partial(_spellings, report)
    with replaced_file(path, encoding="utf-8-sig") as file:
        write_row = _row_writer(file)
        write_row([*COLUMNS, *last])
        for number, row in enumerate(pair_rows(report, _safe_name, progress)):
            cells = [
                f"{value:.{digits}f}" if isinstance(value, float) else value
                for digits, value in zip(DECIMALS, row, strict=True)
            ]
            for column in OF_PEOPLE:
                cells[column] = _safe_words(str(cells[column])) if cells[column] else ""
            write_row([*cells, *(value_of(number) for value_of in last.values())])


def _shared_kinds(report: Report, row: int) -> str:
    shared = report.shared_properties(row)
    return "+".join(
        shared_property.kind.code for shared_property in shared if shared_property.is_rare
    )


def _spellings(report: Report, row: int) -> str | int:
    slips = report.spellings_of(row) or ()
    words = " / ".join(f"{slip.word} ({slip.usual})" for slip in slips)
    return _safe_words(words) if report.choice.quotes else len(slips)


def write_passages(path: Path, report: Report, *, progress: Progress = ignore) -> None:
    """Write the shared passages of every pair, as they are found.

    A list of {doc_a, doc_b, least_bits, passages: [{a_start, a_end, b_start, b_end, tokens,
    longest_run, bits, a_tokens, b_tokens, near, exchanged, moved, chance}]}, one
    pair a line; offsets count code points of the extracted texts, ends excluded (see
    `core.evidence.passage`). `moved` counts words that stand in another order within the passage.
    What has fewer bits than `least_bits` is chance in texts of that length
    (`core.evidence.shared_words`), and a passage only where its longest run lists the pair by
    itself, or where it is most of a text.

    Raises:
        ExportError: The file could not be written.
    """
    with replaced_file(path) as file:
        pairs = report.rows(len(report.pairs), progress)
        file.writelines(listed_rows(passage_row(report, a, b) for _, a, b in pairs))
        file.write("\n")


def write_problems(path: Path, report: Report) -> None:
    """Write the files that gave no text: path, problem (a word for scripts), detail (a sentence).

    Raises:
        ExportError: The file could not be written.
    """
    with replaced_file(path, encoding="utf-8-sig") as file:
        write_row = _row_writer(file)
        write_row(("path", "problem", "detail"))
        for problem in report.problems:
            stop_if_cancelled()
            detail = _safe_words(problem.detail)
            write_row((_safe_name(problem.name), problem.code.value, detail))


def _row_writer(file: TextIO) -> Callable[[Sequence[object]], object]:
    """Writes rows, with quotes where a separator other than a comma would part a cell."""
    plain, quoted = csv.writer(_AsLine()), csv.writer(file, quoting=csv.QUOTE_ALL)

    def write_row(cells: Sequence[object]) -> object:
        line: str = plain.writerow(cells)
        is_parted = any(sign in line for sign in OTHER_SEPARATORS)
        return quoted.writerow(cells) if is_parted else file.write(line)

    return write_row


class _AsLine:
    """A file of which `writerow` gives back the line: it returns what `write` does."""

    def write(self, line: str) -> str:
        return line


def _safe_name(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return _INNER_SEPARATOR.sub(r"\\x3b", guarded(name, "./"))


def _safe_words(words: str) -> str:
    """A note or the like that no spreadsheet takes for a formula."""
    return guarded(_INNER_START.sub("'", words), "'")


def guarded(cell: str, prefix: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return prefix + cell if cell.startswith(FORMULA_STARTS) else cell
