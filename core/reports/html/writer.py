"""Write a report as one HTML file.

Nothing is loaded from anywhere, which its content security policy enforces: style sheet and script
are allowed by their hashes. The script searches and sorts; without it nothing is missing. The file
is written as a stream: texts and passages are asked for one pair at a time.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from pathlib import Path

from core.base.progress import Cancelled, Progress, ignore, never, stop_if
from core.base.replaced_file import replaced_file
from core.errors import ExportError
from core.reports.html.environment import environment
from core.reports.html.page_style import page_style
from core.reports.limits import ReportLimits
from core.reports.logo import media_type
from core.reports.model import Report
from core.reports.sections import contents, head_of, sections

__all__ = ["write_html"]

LIMITS = ReportLimits()


def write_html(
    path: Path, report: Report, *, progress: Progress = ignore, cancelled: Cancelled = never
) -> None:
    """Write the report as one HTML file.

    Args:
        path: Where; an existing file is replaced.
        report: What to write.
        progress: Told the number of pairs whose passages are written.
        cancelled: Polled before each of them, and while tables are written.

    Raises:
        ExportError: The file could not be written, or the logo cannot be shown.
        ScanCancelledError: `cancelled` said so; nothing was written.
    """
    head = head_of(report)
    style = page_style(head, report.choice.paper)
    script = files("core.reports.html").joinpath("report.js").read_text(encoding="utf-8")
    page = environment().get_template("report.html.j2")
    values = {
        "head": head,
        "logo": _data_uri(report.choice.logo),
        "contents": list(contents(report, LIMITS)),
        "sections": sections(report, LIMITS, progress, cancelled),
        "style": style,
        "style_hash": _hash(style),
        "script": script,
        "script_hash": _hash(script),
    }
    with replaced_file(path) as file:
        for piece in page.generate(values):
            stop_if(cancelled)
            file.write(piece)


def _data_uri(picture: bytes) -> str:
    """The picture itself as an address; "" for none."""
    if not picture:
        return ""
    kind = media_type(picture)
    if not kind:
        raise ExportError("The logo is no picture that a report can show: PNG, JPEG and SVG are.")
    return f"data:{kind};base64,{base64.b64encode(picture).decode()}"


def _hash(content: str) -> str:
    """As a content security policy names what it allows."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
