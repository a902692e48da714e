"""What can be written, and in which kinds of file: to add one, write its writer and its line here.

The options of the command line with their help, and the window's dialog, are made of these tables.
Writers are loaded when they write: help and the start of a window need none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.base.tasks import Cancelled, Progress, ignore, never
from core.base.wording import printable_name
from core.errors import ExportError

if TYPE_CHECKING:
    from core.reports.model import Report


class Format(NamedTuple):
    """A kind of file.

    Attributes:
        words: What it is for, in the window's dialog.
        endings: Of the names of its files, in lower case; the usual one first.
        writer: The function that writes it, "module.function" within this package. It takes the
            path, the `Report`, and the keywords `progress` (where it takes long) and `cancelled`,
            and returns the seal of the file, if it has one.
    """

    words: str
    endings: tuple[str, ...]
    writer: str

    def load(self) -> Callable[..., str | None]:
        """The function that writes it."""
        module, _, function = self.writer.rpartition(".")
        writer: Callable[..., str | None] = getattr(
            import_module(f"core.reports.{module}"), function
        )
        return writer


class Written(NamedTuple):
    """A file that was written.

    Attributes:
        path: Where it is.
        size: Its bytes.
        seal: See `core.reports.record.writing`; "" where the format has none.
    """

    path: Path
    size: int
    seal: str = ""


class Result(NamedTuple):
    """What a scan can write besides the review: what that is, and in which formats."""

    words: str
    formats: tuple[Format, ...]

    @property
    def endings(self) -> tuple[str, ...]:
        """Of all its formats."""
        return tuple(ending for one in self.formats for ending in one.endings)


RESULTS = {  # by the option of `neardup scan`
    "pairs": Result(
        "all listed pairs",
        (
            Format("Workbook for spreadsheets", (".xlsx",), "xlsx.writer.write_xlsx"),
            Format("Table for spreadsheets", (".csv",), "tables.write_csv"),
            Format("Table with settings", (".json",), "record.writing.write_json"),
            Format("Graph for network programs", (".graphml",), "graphml.write_graphml"),
            Format("Passages as PAN XML", (".zip",), "pan.write_pan"),
        ),
    ),
    "passages": Result(
        "their shared passages",
        (Format("Shared passages", (".json",), "tables.write_passages"),),
    ),
    "problems": Result(
        "the files that gave no text",
        (Format("Files without text", (".csv",), "tables.write_problems"),),
    ),
    "report": Result(
        "the report",
        (
            Format("Report to read and print", (".html", ".htm"), "html.write_html"),
            Format("Report as PDF", (".pdf",), "pdf.writer.write_pdf"),
        ),
    ),
}
# What the window and `neardup report` write: the pairs, for people and for programs.
EXPORTS = (*RESULTS["report"].formats, *RESULTS["pairs"].formats)


def is_read(path: Path) -> bool:
    """Whether a file is to be read by people, not by programs."""
    return path.suffix.lower() in RESULTS["report"].endings


def endings_in_words(formats: Sequence[Format]) -> str:
    """The usual endings: ".csv or .json"."""
    return _listed([one.endings[0] for one in formats])


def write_report(
    path: Path, report: Report, *, progress: Progress = ignore, cancelled: Cancelled = never
) -> Written:
    """Write the report, or its pairs as a table, by the ending of the name.

    Raises:
        ExportError: The ending is none of `EXPORTS`, or the file could not be written.
        ScanCancelledError: `cancelled` said so; nothing was written.
    """
    writer = _format_of(path, EXPORTS).load()
    seal = writer(path, report, progress=progress, cancelled=cancelled)
    return Written(path, path.stat().st_size, seal or "")


def write(result: str, path: Path, report: Report, *, cancelled: Cancelled = never) -> Written:
    """Write one of `RESULTS`, by the ending of the name.

    Raises:
        ExportError, ScanCancelledError: As of `write_report`.
    """
    seal = _format_of(path, RESULTS[result].formats).load()(path, report, cancelled=cancelled)
    return Written(path, path.stat().st_size, seal or "")


def _format_of(path: Path, formats: Sequence[Format]) -> Format:
    for one in formats:
        if path.suffix.lower() in one.endings:
            return one
    endings = _listed([ending for one in formats for ending in one.endings])
    raise ExportError(f"“{printable_name(path.name)}” has no known ending: it must be {endings}.")


def _listed(endings: Sequence[str]) -> str:
    *most, last = endings
    return f"{', '.join(most)} or {last}" if most else last
