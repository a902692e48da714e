"""The format of a file by the ending of its name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from core.base.progress import Cancelled, Progress, ignore, never
from core.base.wording import printable_name
from core.errors import ExportError
from core.reports.html import write_html
from core.reports.model import Report
from core.reports.tables import write_csv, write_json

__all__ = ["write_pairs", "write_report"]


class _Writer(Protocol):
    def __call__(
        self, path: Path, report: Report, *, progress: Progress, cancelled: Cancelled
    ) -> None: ...


TABLES: Mapping[str, _Writer] = {".csv": write_csv, ".json": write_json}
REPORTS: Mapping[str, _Writer] = {".html": write_html, ".htm": write_html, **TABLES}


def write_pairs(
    path: Path, report: Report, *, progress: Progress = ignore, cancelled: Cancelled = never
) -> None:
    """Write the table of pairs as .csv or .json.

    Raises:
        ExportError: The ending is another one, or the file could not be written.
        ScanCancelledError: `cancelled` said so; nothing was written.
    """
    _writer_for(path, TABLES)(path, report, progress=progress, cancelled=cancelled)


def write_report(
    path: Path, report: Report, *, progress: Progress = ignore, cancelled: Cancelled = never
) -> None:
    """Write the report as .html, or its pairs as .csv or .json.

    Raises:
        ExportError: The ending is another one, or the file could not be written.
        ScanCancelledError: `cancelled` said so; nothing was written.
    """
    _writer_for(path, REPORTS)(path, report, progress=progress, cancelled=cancelled)


def _writer_for(path: Path, writers: Mapping[str, _Writer]) -> _Writer:
    writer = writers.get(path.suffix.lower())
    if writer is None:
        *most, last = writers
        shown = printable_name(path.name)
        raise ExportError(f"“{shown}” has no known ending: it must be {', '.join(most)} or {last}.")
    return writer
