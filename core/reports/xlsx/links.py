"""Links from a workbook to the files of the documents.

A review that somebody sent can name any file of the computer it is opened on. So a link leads only
to a file that is there now, of the size and date that the document had, on this computer; never to
a program, and nowhere where names are withheld. It is a file URL (RFC 8089) with letters beyond
ASCII as they are, as Excel writes them.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from core.base.programs import is_program
from core.base.wording import printable_path
from core.documents.model import Document, modified_ns
from core.reports.model import Report
from core.reports.xlsx.cells import units

LONGEST = 2_000  # units of UTF-16 of an address; Excel takes 2,079
_UNSAFE = re.compile(r"[^A-Za-z0-9/._~\u00a0-\U0010ffff-]")


class FileLinks:
    """The links of a report, each looked up once."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._known: dict[int, str] = {}

    def of(self, document: int) -> str:
        """The address of the file of a document; "" for no link."""
        if not self._report.choice.names:
            return ""
        if document not in self._known:
            self._known[document] = file_link(self._report.documents[document])
        return self._known[document]


def file_link(document: Document) -> str:
    """The address of a file that is there as it was read, of a part the file it is in; else ""."""
    path = Path(os.path.abspath(document.path))
    written = path.as_posix()
    # To look at a file of another computer would tell that computer who is looking.
    if document.absence or written.startswith("//") or is_program(path):
        return ""
    if printable_path(path) != str(path) or not _is_as_read(path, document):
        return ""
    rest = _UNSAFE.sub(_coded, written.removeprefix(path.drive).lstrip("/"))
    # XlsxWriter takes "file:" for a path of Windows; a scheme is the same in either case.
    address = f"File:///{path.drive}{'/' if path.drive else ''}{rest}"
    return address if units(address) <= LONGEST else ""


def _is_as_read(path: Path, document: Document) -> bool:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return False
    if document.members:
        return stat.S_ISDIR(status.st_mode)
    is_same = (status.st_size, modified_ns(status)) == (document.size, document.modified_ns)
    return stat.S_ISREG(status.st_mode) and is_same


def _coded(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found.group().encode())
