"""Reports and pictures to files: a network folder may take a while."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.base.arrays import IntegerArray
from core.reports.formats import write_report
from neardup_gui.jobs.job import Reports, Work
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.scan.judgements import Judgements

__all__ = ["SavedReport", "save_bytes", "save_report"]


class SavedReport(NamedTuple):
    """A report that was written."""

    path: Path
    pairs: int


def save_report(
    path: Path, result: ScanResult, rows: IntegerArray, shown: str, judgements: Judgements
) -> Work:
    """Write the pairs the table shows; the ending of the file says how.

    Args:
        path: Where to.
        result: The pairs listed.
        rows: Those of them that are shown, in their order.
        shown: The filter and the order in a sentence, empty when there is none.
        judgements: What is said of the pairs by now.
    """

    def work(reports: Reports) -> SavedReport:
        from core.reports.from_scan import report_of

        report = report_of(
            result.scan,
            result.found,
            rows,
            shown=shown,
            finished=result.complete,
            judgements=judgements,
            cancelled=reports.cancelled,
        )
        write_report(path, report, progress=reports.progress, cancelled=reports.cancelled)
        return SavedReport(path, len(rows))

    return work


def save_bytes(path: Path, content: bytes) -> Work:
    """Write a picture that was drawn, or a table; the result is its path."""

    def work(_reports: Reports) -> Path:
        from core.base.replaced_file import replaced_bytes

        with replaced_bytes(path) as file:
            file.write(content)
        return path

    return work
