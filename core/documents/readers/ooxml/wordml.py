"""Word documents in a single file of XML: that of Word 2003, and a package of parts (Flat OPC).

Sources: Office 2003 XML Reference Schemas, WordprocessingML; ECMA-376 part 2, of which a flat
package writes every part as one element.
"""

from __future__ import annotations

from core.documents.model import ProblemCode
from core.documents.readers.ooxml.docx import READER as DOCX
from core.documents.readers.ooxml.docx_styles import DocxStyles
from core.documents.readers.ooxml.flat_package import packed
from core.documents.readers.ooxml.package import office_kind
from core.documents.readers.ooxml.pptx import READER as PPTX
from core.documents.readers.ooxml.wordml_body import FlatBody
from core.documents.readers.ooxml.xlsx import READER as XLSX
from core.documents.readers.reader import Extracted, Reader, Reading
from core.documents.readers.shared.remarks import DAMAGED, Tally
from core.documents.readers.shared.xml import Handler, parse_xml, root_pattern
from core.documents.unreadable import UnreadableError

_HEAD = 1 << 14  # bytes in which the root element names its namespaces
_PREFIX = rb"(?:[A-Za-z_][\w.-]{0,30}:)?"
_DOCUMENT = root_pattern(_PREFIX + rb"wordDocument")
_PACKAGE = root_pattern(_PREFIX + rb"package")
_WORD_2003 = b"http://schemas.microsoft.com/office/word/2003/wordml"
_FLAT = b"http://schemas.microsoft.com/office/2006/xmlPackage"
_READERS = {reader.kind: reader for reader in (DOCX, PPTX, XLSX)}


def _recognises(data: bytes, _suffix: str) -> bool:
    """By the root element and its namespace."""
    if _DOCUMENT.match(data):
        return _WORD_2003 in data[:_HEAD]
    return _PACKAGE.match(data) is not None and _FLAT in data[:_HEAD]


def _read(data: bytes, reading: Reading) -> Extracted:
    if _PACKAGE.match(data):
        return _read_package(data, reading)
    return _read_document(data, reading)


def _read_package(data: bytes, reading: Reading) -> Extracted:
    """What the usual reader makes of the same parts, packed as usual."""
    document = packed(data, reading)
    reader = _READERS.get(office_kind(document) or "")
    if reader is None or reader.read is None:
        raise UnreadableError(
            ProblemCode.UNSUPPORTED,
            "This file holds neither a Word document nor a presentation nor a workbook. Save it as "
            "PDF.",
        )
    return reader.read(document, reading)


def _read_document(data: bytes, reading: Reading) -> Extracted:
    """Headers, body, notes and footers: each once, the running ones apart from the text."""
    tally, styles = Tally(), DocxStyles()
    is_whole = True
    if (
        b"vanish" in data
    ):  # the styles come before the body, but a style may be based on a later one
        is_whole = _parsed(data, styles, reading)
    body = FlatBody(tally, styles.hidden())
    is_whole = _parsed(data, body, reading) and is_whole
    text = body.document()
    if not is_whole and not text.strip():
        raise UnreadableError(
            ProblemCode.DAMAGED, "This file is damaged: no text was found in it. Get another copy."
        )
    return Extracted(text, remarks=((DAMAGED,) * (not is_whole)) + tally.remarks())


def _parsed(data: bytes, handler: Handler, reading: Reading) -> bool:
    """Parse a document to where it breaks; whether it is whole."""
    try:
        parse_xml(data, handler, reading)
    except UnreadableError as error:
        if error.code is not ProblemCode.DAMAGED:
            raise
        return False
    return True


READER = Reader(
    "wordml", "a Word document in XML (xml)", "Word (XML)", frozenset({".xml"}), _recognises, _read
)
