"""Excel and PowerPoint 97 to 2003: recognised, so that what can be done about them is said."""

from __future__ import annotations

from collections.abc import Callable

from core.documents.model import ProblemCode
from core.documents.readers.reader import Extracted, Reader, Reading
from core.documents.readers.shared.compound_file import root_names
from core.documents.unreadable import UnreadableError


def _refused(
    kind: str, label: str, short_label: str, suffixes: str, streams: str, advice: str
) -> Reader:
    """A reader that only says that it does not read."""

    def read(_data: bytes, _reading: Reading) -> Extracted:
        raise UnreadableError(ProblemCode.UNSUPPORTED, advice)

    return Reader(
        kind,
        label,
        short_label,
        frozenset(suffixes.split()),
        _holds(frozenset(streams.split(","))),
        read,
    )


def _holds(streams: frozenset[str]) -> Callable[[bytes, str], bool]:
    def recognises(data: bytes, _suffix: str) -> bool:
        return not streams.isdisjoint(root_names(data))

    return recognises


XLS = _refused(
    "xls",
    "a workbook of Excel 97 to 2003 (xls)",
    "spreadsheet (xls)",
    ".xls .xlt",
    "WORKBOOK,BOOK",
    "Files of Excel 97 to 2003 (xls) are not read. Save it as xlsx, or as PDF.",
)
PPT = _refused(
    "ppt",
    "a presentation of PowerPoint 97 to 2003 (ppt)",
    "slides (ppt)",
    ".ppt .pps .pot",
    "POWERPOINT DOCUMENT",
    "Files of PowerPoint 97 to 2003 (ppt) are not read. Save it as pptx, or as PDF.",
)
