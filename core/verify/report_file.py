"""The record in a report file, and its seal. Nothing of the file is believed or run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from core.base.wording import printable_name, readable_size
from core.errors import FolderError
from core.reports.record.seal import found_seal, seal_of

__all__ = ["ReportFile", "read_report"]

MOST_BYTES = 1 << 30
BEGINS = b'<script type="application/json" id="record">'
ENDS = b"</script>"


class ReportFile(NamedTuple):
    """What a report holds.

    Attributes:
        record: Any JSON object.
        seal: The seal that stands in it, "" for none.
        own: The seal that it must have.
    """

    record: dict[str, Any]
    seal: str
    own: str


def read_report(path: Path) -> ReportFile:
    """The record of a report as HTML or JSON.

    Raises:
        FolderError: The file cannot be read, or holds no record; the sentence says why.
    """
    name = printable_name(path.name)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise FolderError(f"“{name}” is larger than {readable_size(MOST_BYTES)}.")
        data = path.read_bytes()
    except OSError as error:
        raise FolderError(f"“{name}” cannot be read: {error.strerror or error}.") from error
    try:
        record = json.loads(_record_in(data))
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict) or "document_list" not in record:
        raise FolderError(
            f"“{name}” holds no record that can be checked. Reports as .html and .json of this "
            "version have one."
        )
    return ReportFile(record, found_seal(data), seal_of(data))


def _record_in(data: bytes) -> bytes:
    """The JSON of a file; a page holds it once, the last of all that look like it."""
    if data.lstrip()[:1] != b"<":
        return data
    start = data.rfind(BEGINS)
    end = data.find(ENDS, start)
    return data[start + len(BEGINS) : end] if 0 <= start < end else b""
