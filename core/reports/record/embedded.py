"""The record of a report that was written: out of HTML, PDF or JSON, as data from a stranger."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2

from core.base.wording import printable_name
from core.errors import ReportError
from core.reports.record.writing import FORMAT, found_seal, seal_of

MOST_BYTES = 1 << 30
RECORD = re.compile(rb'<script type="application/json" id="record">(.*?)</script>', re.DOTALL)


class SealState(NamedTuple):
    """The seal that stands in a file, and the one that it must have as it is now.

    That of a PDF is of its record, which is a file in it.
    """

    written: str
    computed: str


class FoundRecord(NamedTuple):
    """What was found in a report.

    Attributes:
        kind: "html", "pdf" or "json".
        seal: Of the file.
        record: As it is written; nothing in it is believed.
        data: The bytes of the file.
    """

    kind: str
    seal: SealState
    record: dict[str, Any]
    data: bytes


def record_in(path: Path) -> FoundRecord:
    """The record of a report.

    Raises:
        ReportError: The file cannot be read, or is no report that can be checked.
    """
    name = printable_name(path.name)
    data = _read(path, name)
    kind, text = _record_of(data)
    if text is None:
        raise ReportError(
            f"“{name}” has no record to check: HTML, PDF and JSON of Neardup have one."
        )
    try:
        record = json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise ReportError(f"The record in “{name}” cannot be read: it is no JSON.") from error
    if not isinstance(record, dict) or record.get("program") != "Neardup":
        raise ReportError(f"The record in “{name}” is not of Neardup.")
    if record.get("format") != FORMAT:
        raise ReportError(f"The record in “{name}” is of a form that this version does not know.")
    own = text if kind == "pdf" else data  # the pages of a PDF are beside its record
    return FoundRecord(kind, SealState(found_seal(own), seal_of(own)), record, data)


def _read(path: Path, name: str) -> bytes:
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for
            raise ReportError(f"“{name}” is a folder or a device.")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ReportError(f"“{name}” cannot be read: {error.strerror or error}.") from error
    if len(data) > MOST_BYTES:
        raise ReportError(f"“{name}” is larger than {MOST_BYTES:,} bytes: no report is.")
    return data


def _record_of(data: bytes) -> tuple[str, bytes | None]:
    """Which kind of file it is, and its record; None where it has none, or more than one."""
    if data.startswith(b"%PDF-"):
        return "pdf", _attached(data)
    if data.lstrip().startswith(b"{"):
        return "json", data
    found = RECORD.findall(data)
    return "html", found[0] if len(found) == 1 else None


def _attached(data: bytes) -> bytes | None:
    """The record that is attached to a PDF."""
    try:
        with pypdfium2.PdfDocument(data) as pdf:
            own = [
                one
                for one in map(pdf.get_attachment, range(pdf.count_attachments()))
                if one.get_name() == "record.json"
            ]
            return bytes(own[0].get_data()) if len(own) == 1 else None
    except pypdfium2.PdfiumError:
        return None


def _refused(constant: str) -> object:
    raise ValueError(constant)
