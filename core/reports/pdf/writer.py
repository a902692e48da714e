"""Write a report as one PDF file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.base.progress import Cancelled, Progress, ProgressReport, Stage, ignore, never, stop_if
from core.base.replaced_file import replaced_bytes
from core.errors import ExportError
from core.reports.blocks import Section
from core.reports.limits import ReportLimits
from core.reports.logo import media_type
from core.reports.model import Report
from core.reports.pdf.block_data import head_data, section_data
from core.reports.pdf.process import typeset
from core.reports.record.seal import sealed
from core.reports.record.writing import record_pieces
from core.reports.sections import head_of, sections

LIMITS = ReportLimits()
_PICTURES = {"image/png": "png", "image/jpeg": "jpg", "image/svg+xml": "svg"}


def write_pdf(
    path: Path, report: Report, *, progress: Progress = ignore, cancelled: Cancelled = never
) -> str:
    """Write the report as one PDF file: PDF/A-3a (ISO 19005-3) and PDF/UA-1 (ISO 14289-1).

    Its record is attached to it as `record.json`.

    Args:
        path: Where; an existing file is replaced.
        report: What to write.
        progress: Told the number of pairs whose passages are read, and that pages are set.
        cancelled: Polled before each pair, and while the pages are set.

    Returns:
        The seal of the record.

    Raises:
        ExportError: The file could not be written.
        ScanCancelledError: `cancelled` said so; nothing was written.
    """
    pieces = record_pieces(report, sealed=True, most=LIMITS.table_rows, cancelled=cancelled)
    record, seal = sealed("".join(pieces))
    with replaced_bytes(path) as file:
        told = sections(report, LIMITS, progress, cancelled)
        written = _written(told, progress, cancelled)
        _, pdf = typeset(task_of(report) | {"record": record}, written, cancelled)
        file.write(pdf)
    return seal


def _written(told: Iterator[Section], progress: Progress, cancelled: Cancelled) -> Iterator[str]:
    for section in told:
        stop_if(cancelled)
        yield json.dumps(section_data(section), ensure_ascii=False)
    progress(ProgressReport(Stage.TYPESET, 0, 0))


def task_of(report: Report) -> dict[str, Any]:
    """What `core.reports.pdf.typesetting` is asked for, besides the sections.

    Raises:
        ExportError: The logo is no picture.
    """
    head = head_data(head_of(report))
    head |= {
        "paper": str(report.choice.paper),
        "logo": _logo(report.choice.logo),
        "footer": head["subject"],
        "description": f"Made by Neardup {report.version}.",
        "numbered": True,
    }
    letters = json.dumps(head, ensure_ascii=False)
    return {
        "head": head,
        "letters": "".join(sorted(set(letters))),
        "created": report.created.isoformat(timespec="seconds"),
    }


def _logo(picture: bytes) -> dict[str, object] | None:
    """The format and the bytes of a picture; None where there is none."""
    if not picture:
        return None
    format_ = _PICTURES.get(media_type(picture))
    if format_ is None:
        raise ExportError("The logo is no picture that a report can show: PNG, JPEG and SVG are.")
    return {"format": format_, "bytes": list(picture)}
