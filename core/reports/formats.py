"""The results that can be written, and their formats: a new one needs a writer and a line below.

The options of the command line with their help, and the window's dialog, are made of these tables.
Writers are loaded when they write: help and the start of a window need none.

How large a report will be and how long writing it takes, measured on a sample of its pairs.

    bytes = fixed bytes + rows · bytes per row + pairs with passages · bytes per pair

Each part is measured by writing small reports: without pairs, with rows, with rows and passages.
The pairs measured are spread evenly over the list, as those at its top share most and are longest.
"""

from __future__ import annotations

import os
import re
import sys
import time
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from core.base.messages import N_, gettext, in_language
from core.base.patterns import lazy_pattern
from core.base.tasks import Progress, ignore
from core.base.wording import any_of, printable_name
from core.documents.discovery import is_passed_over
from core.errors import ExportError, SettingsError
from core.reports.report_choice import MOST_ROWS

if TYPE_CHECKING:
    from core.base.arrays import IntegerArray
    from core.reports.model import Report


class Format(NamedTuple):
    """A kind of file.

    Attributes:
        words: What it is for, in the window's dialog.
        endings: Of the names of its files, in lower case; the usual one first.
        writer: The function that writes it, "module.function" within this package. It takes the
            path, the `Report`, and the keyword `progress` where it takes long, and returns the
            seal of the file, if it has one.
        measured: Of how many pairs, from the first, it tells how much they overlap.
    """

    words: str
    endings: tuple[str, ...]
    writer: str
    measured: int = sys.maxsize

    def load(self) -> Callable[..., str | None]:
        """The function that writes it."""
        module, _, function = self.writer.rpartition(".")
        writer: Callable[..., str | None] = getattr(
            import_module(f"core.reports.{module}"), function
        )
        return writer


class WrittenFile(NamedTuple):
    """A file that was written.

    Attributes:
        path: Where it is.
        size: Its bytes.
        seal: See `core.reports.record.seal`; "" where the format has none.
    """

    path: Path
    size: int
    seal: str = ""


class Result(NamedTuple):
    """A result that a scan can write besides the review, and its formats."""

    words: str
    formats: tuple[Format, ...]

    @property
    def endings(self) -> tuple[str, ...]:
        """Of all its formats."""
        return tuple(ending for file_format in self.formats for ending in file_format.endings)


RESULTS = {  # by the option of `neardup scan`
    "pairs": Result(
        N_("all listed pairs"),
        (
            Format(N_("Workbook for spreadsheets"), (".xlsx",), "xlsx.write_xlsx"),
            Format(N_("Table for spreadsheets"), (".csv",), "tables.write_csv"),
            Format(N_("Table with settings"), (".json",), "record.write_json"),
            Format(N_("Graph for network programs"), (".graphml",), "exchange.write_graphml"),
            Format(N_("Passages as PAN XML"), (".zip",), "exchange.write_pan", measured=0),
        ),
    ),
    "passages": Result(
        N_("their shared passages"),
        (Format(N_("Shared passages"), (".json",), "tables.write_passages", measured=0),),
    ),
    "problems": Result(
        N_("the files that gave no text"),
        (Format(N_("Files without text"), (".csv",), "tables.write_problems", measured=0),),
    ),
    "report": Result(
        N_("the report"),
        (
            Format(N_("Report to read and print"), (".html", ".htm"), "html.write_html", MOST_ROWS),
            Format(N_("Report as PDF"), (".pdf",), "pdf.writer.write_pdf", MOST_ROWS),
        ),
    ),
}
# The formats that the window and `neardup report` write: of the pairs, for people and programs.
EXPORTS = (*RESULTS["report"].formats, *RESULTS["pairs"].formats)


# What is near the beginning of a file that Neardup has written, at the end of a PDF, or in the part
# of an archive that is named here. A picture is told by who made it: a page may be one, too.
OURS = lazy_pattern(
    rb"""neardup-seal:[0-9a-f]{64}
    | <dc:description>(?:<[^>]{1,99}>){0,9}[^<]{0,999}Neardup[ ]\d
    | ^\d{4}-\d\d-\d\dT\S+,[ ]Neardup[ ]\d
    | <key[ ]id="graph_program"[ ]
    | \A(?:\xef\xbb\xbf)?(?:doc_a,doc_b|path,problem,detail|bands,rows,signature_size)[,\r]
    | \A\[(?:\]\s*\Z|\n\{"doc_a":|\s*\{\s*"file":[^\n]*\n\s*"matches")
    | \A\{\s*(?:"settings":[ ]\{\s*"unit"|"agrees":[ ]\w+,\s*"covers_pages")
    | \A\{\s*"format":[ ]"neardup\ settings"
    | \A\{\s*"documents":[ ]\[(?:\],\s*"pairs":|\s*\{\s*"document":)
    | [ ]baseProfile="tiny">\n<title>[^<]*</title>\n<desc>
    | \A\x89PNG(?s:.*?)tEXtSoftware\x00Neardup""",
    re.MULTILINE | re.VERBOSE,
)
NEAR, AT_END = 1 << 16, 1 << 22  # bytes
TELLING = {"docProps/core.xml", "readme.txt"}


def spare_documents(path: Path, folders: Iterable[Path], shown: str = "") -> str:
    """Raise where a result would replace a file that a scan of these folders reads.

    What Neardup has written there before is replaced.

    Args:
        path: The result.
        folders: What is read.
        shown: What the result is called, instead of its path.

    Returns:
        A sentence that the next scan reads it, where it is in one of the folders; else "".

    Raises:
        SettingsError: It would.
    """
    shown = printable_name(shown or path.as_posix())
    target = Path(os.path.realpath(path))
    is_within = any(
        not any(map(is_passed_over, target.relative_to(parent).parts))
        for folder, parent in product(folders, (target, *target.parents))
        if _are_same(folder, parent)
    )
    if is_within and target.is_file() and not _is_ours(target):
        raise SettingsError(
            "“{file}” is in a folder that is compared, and Neardup did not write it: it is not "
            "replaced. Choose another name.",
            file=shown,
        )
    if not is_within:
        return ""
    return gettext(
        "“{file}” is in a folder that is compared: the next scan reads it as a document.",
        file=shown,
    )


def _are_same(path: Path, other: Path) -> bool:
    """Whether two paths lead to one file, also where names may be written in several ways."""
    try:
        return path.samefile(other)
    except (OSError, ValueError):
        return False


def _is_ours(path: Path) -> bool:
    """Whether Neardup has written a file, or nobody has written anything to it."""
    try:
        with path.open("rb") as file:
            written = file.read(NEAR)
            if not written:
                return True
            if written.startswith(b"%PDF-"):
                file.seek(max(0, os.fstat(file.fileno()).st_size - AT_END))
                written = file.read()
            elif written.startswith(b"PK"):
                with zipfile.ZipFile(file) as archive:
                    for name in TELLING.intersection(archive.namelist()):
                        with archive.open(name) as member:
                            written = member.read(NEAR)
    except Exception:  # noqa: BLE001 - of every decompressor: what cannot be read is not ours
        return False
    return bool(OURS.search(written))


def is_read(path: Path) -> bool:
    """Whether a file is to be read by people, not by programs."""
    return path.suffix.lower() in RESULTS["report"].endings


def endings_in_words(formats: Sequence[Format]) -> str:
    """The usual endings: ".csv or .json"."""
    return any_of([file_format.endings[0] for file_format in formats])


def write_report(path: Path, report: Report, *, progress: Progress = ignore) -> WrittenFile:
    """Write the report, or its pairs as a table, by the ending of the name.

    Raises:
        ExportError: The ending is none of `EXPORTS`, or the file could not be written.
    """
    return _written_as(_format_of(path, EXPORTS), path, report, progress=progress)


def write(result: str, path: Path, report: Report) -> WrittenFile:
    """Write one of `RESULTS`, by the ending of the name.

    Raises:
        ExportError, ScanCancelledError: As of `write_report`.
    """
    return _written_as(_format_of(path, RESULTS[result].formats), path, report)


def _written_as(
    file_format: Format,
    path: Path,
    report: Report,
    **progress: Any,  # noqa: ANN401 - one at most
) -> WrittenFile:
    report = report.measured(**progress, first=file_format.measured)
    with in_language(report.language):
        seal = file_format.load()(path, report, **progress)
    return WrittenFile(path, path.stat().st_size, seal or "")


def measured_for(
    files: Iterable[tuple[str, Path]], report: Report, progress: Progress = ignore
) -> Report:
    """A report for several files, each with the name of its result, measured once for all of them.

    Raises:
        ExportError: An ending is none of the result.
    """
    formats = [_format_of(path, RESULTS[result].formats) for result, path in files]
    return report.measured(progress, first=max(of.measured for of in formats))


def _format_of(path: Path, formats: Sequence[Format]) -> Format:
    for file_format in formats:
        if path.suffix.lower() in file_format.endings:
            return file_format
    raise ExportError(
        "“{name}” has no known ending: it must be {endings}.",
        name=printable_name(path.name),
        endings=any_of([ending for file_format in formats for ending in file_format.endings]),
    )


ROWS = 200  # that are written to measure a row
FEW_PASSAGES = 6  # whose passages are written


class ReportSize(NamedTuple):
    """The size of a report.

    Attributes:
        size: Bytes of its file.
        seconds: That writing takes.
        is_exact: Whether all of it was written to know that.
    """

    size: int
    seconds: float
    is_exact: bool


def first_pairs(report: Report, count: int, passages: int) -> Report:
    """The same report of its first pairs, with the passages of the first `passages`."""
    import numpy as np  # noqa: PLC0415 - help starts without it

    return _with_pairs(report, np.arange(min(count, len(report.pairs))), passages)


def measure(report: Report, ending: str, folder: Path) -> ReportSize:
    """Measure the size and time of a report as a file with this ending.

    Args:
        report: The full report.
        ending: One of `core.reports.formats.EXPORTS`.
        folder: Where small reports may be written; they are removed.

    Raises:
        ExportError: They could not be written.
    """
    import numpy as np  # noqa: PLC0415 - as above

    pairs = len(report.pairs)
    full = min(pairs, report.choice.most_passages)
    if pairs <= FEW_PASSAGES:
        _written(report, ending, folder)  # modules are loaded before the time is taken
        return ReportSize(*_written(report, ending, folder), is_exact=True)

    def written(rows: int, passages: int) -> tuple[int, float]:
        chosen = np.linspace(0, pairs - 1, rows).astype(np.int64)
        return _written(_with_pairs(report, chosen, passages), ending, folder)

    rows, shown = min(ROWS, pairs), min(FEW_PASSAGES, full)
    written(0, 0)
    always, of_rows = np.array(written(0, 0)), np.array(written(rows, 0))
    total = always + np.maximum(of_rows - always, 0) / rows * pairs
    if shown:
        few = np.array(written(shown, 0))
        of_passages = np.array(written(shown, shown)) - few
        total += np.maximum(of_passages, 0) / shown * full
    return ReportSize(int(total[0]), float(total[1]), is_exact=False)


def _with_pairs(report: Report, rows: IntegerArray, passages: int) -> Report:
    choice = replace(report.choice, most_passages=passages)
    ranks = [report.rank_of(int(row)) for row in rows]
    return replace(report, pairs=report.pairs.take(rows), ranks=ranks, choice=choice)


def _written(report: Report, ending: str, folder: Path) -> tuple[int, float]:
    """Bytes and seconds of a report that is written and removed."""
    path = folder / f"measured{ending}"
    began = time.perf_counter()
    write_report(path, report)
    seconds = time.perf_counter() - began
    size = path.stat().st_size
    path.unlink()
    return size, seconds
