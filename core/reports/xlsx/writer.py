"""The workbook: summary, pairs, groups, passages, documents, problems, settings."""

from __future__ import annotations

from pathlib import Path

from core.base.progress import Cancelled, Progress, ignore, never
from core.base.replaced_file import replaced_bytes
from core.reports.model import Report
from core.reports.xlsx.links import FileLinks
from core.reports.xlsx.output import new_book
from core.reports.xlsx.passages import write_passages_sheet
from core.reports.xlsx.tables import (
    write_documents,
    write_groups,
    write_judged,
    write_pairs,
    write_problems,
)
from core.reports.xlsx.words import SettingsSheet, SummarySheet


def write_xlsx(
    path: Path, report: Report, *, progress: Progress = ignore, cancelled: Cancelled = never
) -> None:
    """Write the report as a workbook.

    Args:
        path: Where; an existing file is replaced.
        report: What to write.
        progress: Told the number of pairs that are written, then of those whose passages are.
        cancelled: Polled between rows.

    Raises:
        ExportError: The file could not be written.
        ScanCancelledError: `cancelled` said so; nothing was written.
    """
    links = FileLinks(report)
    with replaced_bytes(path) as file, new_book(file, report, cancelled) as book:
        summary = SummarySheet(book)
        write_pairs(book, report, links, progress, cancelled)
        write_groups(book, report, cancelled)
        passages = min(len(report.pairs), report.choice.most_passages)
        write_passages_sheet(book, report, passages, progress, cancelled)
        write_documents(book, report, links, cancelled)
        if report.judged_passages:
            write_judged(book, report, cancelled)
        write_problems(book, report, cancelled)
        SettingsSheet(book).write(report)
        summary.write(report)
