"""Office documents locked with a password ([MS-OFFCRYPTO]), of both generations."""

from __future__ import annotations

from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers.ooxml.docx import READER as DOCX
from core.documents.readers.ooxml.package import office_kind
from core.documents.readers.ooxml.pptx import READER as PPTX
from core.documents.readers.ooxml.xlsx import READER as XLSX
from core.documents.readers.reader import Extracted, Reader, Reading
from core.documents.readers.shared.packed_files import root_names, unlocked

_READERS = {reader.kind: reader for reader in (DOCX, PPTX, XLSX)}


def _recognises(data: bytes, _suffix: str) -> bool:
    """A locked document stands in a compound file of the older generation."""
    return "ENCRYPTEDPACKAGE" in root_names(data)


def _read(data: bytes, reading: Reading) -> Extracted:
    """Unlock it, and see what is inside."""
    document = unlocked(data, reading)
    reader = _READERS.get(office_kind(document) or "")
    if reader is None or reader.read is None:
        raise UnreadableError(
            ProblemCode.UNSUPPORTED,
            "This locked file holds neither a Word document nor a presentation nor a workbook. "
            "Save it as PDF.",
        )
    return reader.read(document, reading)


READER = Reader(
    "office",
    "a locked Office document",
    "Office",
    frozenset().union(*(reader.suffixes for reader in _READERS.values())),
    _recognises,
    _read,
    libraries=("msoffcrypto", "olefile"),
)
