"""OpenDocument texts and presentations, packed or as one flat XML file."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.documents.readers.odf.cells import Sheets
from core.documents.readers.odf.content import Content
from core.documents.readers.odf.package import OpenDocument
from core.documents.readers.odf.styles import OdfStyles
from core.documents.readers.reader import SHEETS, SLIDES, Extracted, Reader, Reading
from core.documents.readers.shared.xml import root_pattern
from core.documents.readers.shared.zip_package import media_type

_MEDIA = "application/vnd.oasis.opendocument."
_ROOT = 1 << 14  # bytes: the root element declares some thirty namespaces
_START = root_pattern(b"office:document")
_FLAT = re.compile(rb"\boffice:mimetype=[\"']" + re.escape(_MEDIA).encode() + rb"([a-z-]+)")


def _kind(data: bytes) -> str:
    """Whether a file is a "text", "presentation" or "spreadsheet", "" for none of them."""
    media = media_type(data)
    if media.startswith(_MEDIA):
        kind = media.removeprefix(_MEDIA)
    elif (start := _START.match(data)) and (found := _FLAT.search(data, start.end(), _ROOT)):
        kind = found[1].decode("ascii")
    else:
        return ""
    return kind.removesuffix("-template").removesuffix("-master")


def _is_text(data: bytes, _suffix: str) -> bool:
    return _kind(data) == "text"


def _is_presentation(data: bytes, _suffix: str) -> bool:
    return _kind(data) == "presentation"


def _is_spreadsheet(data: bytes, _suffix: str) -> bool:
    return _kind(data) == "spreadsheet"


def _contents(data: bytes, reading: Reading) -> Content:
    file = OpenDocument(data, reading)
    styles = OdfStyles()
    content = Content(reading, styles, file.formula)
    file.parse_styles(content)
    styles.forget_automatic()
    file.parse_content(content)
    content.finish()
    content.tally.refusals = file.refusals
    return content


def _read_text(data: bytes, reading: Reading) -> Extracted:
    """Headers, body, notes and footers: each once, the running ones apart from the text."""
    content = _contents(data, reading)
    headers, footers = content.running_heads()
    parts = [*headers, *content.pages, *content.notes["footnote"], *content.notes["endnote"]]
    text = content.tally.faint.after(_joined([*parts, *footers]))
    return Extracted(text, remarks=content.tally.remarks())


def _read_presentation(data: bytes, reading: Reading) -> Extracted:
    content = _contents(data, reading)
    headers, footers = content.running_heads()
    pages = content.pages or [""]
    pages[0] = _joined([*headers, pages[0]])
    pages[-1] = _joined([pages[-1], *footers])
    return Extracted(content.tally.faint.after("\f".join(pages)), remarks=content.tally.remarks())


def _read_spreadsheet(data: bytes, reading: Reading) -> Extracted:
    file = OpenDocument(data, reading)
    sheets = Sheets(reading, OdfStyles())
    file.parse_content(sheets)
    return Extracted("\f".join(sheets.pages), remarks=sheets.tally.remarks())


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part)


TEXT = Reader(
    "odt",
    "an OpenDocument text (odt)",
    "OpenDocument (odt)",
    frozenset({".odt", ".ott", ".fodt", ".odm"}),
    _is_text,
    _read_text,
    never_text=True,
    libraries=("cryptography",),
)
PRESENTATION = Reader(
    "odp",
    "an OpenDocument presentation (odp)",
    "slides (odp)",
    frozenset({".odp", ".otp", ".fodp"}),
    _is_presentation,
    _read_presentation,
    never_text=True,
    libraries=("cryptography",),
    pages=SLIDES,
)
SPREADSHEET = Reader(
    "ods",
    "an OpenDocument spreadsheet (ods)",
    "spreadsheet (ods)",
    frozenset({".ods", ".ots", ".fods"}),
    _is_spreadsheet,
    _read_spreadsheet,
    never_text=True,
    libraries=("cryptography",),
    pages=SHEETS,
)
