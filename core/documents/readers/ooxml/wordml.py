"""Office documents that are wrapped: in a single file of XML, or in a lock.

In XML these are documents of Word 2003, and packages of parts (Flat OPC). What is locked with a
password ([MS-OFFCRYPTO]), of both generations, stands in a compound file.

Sources: Office 2003 XML Reference Schemas, WordprocessingML; ECMA-376 part 2, of which a flat
package writes every part as one element.

The story of a Word 2003 document in XML: where it differs from that of a docx.

Headers, footers and notes stand in the middle of the text, and every change, comment or bookmark is
an annotation around what it concerns, or at its place.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from itertools import zip_longest

from core.base.messages import N_
from core.base.patterns import lazy_pattern
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Extracted, Reader, Reading
from core.documents.readers.ooxml import office_kind
from core.documents.readers.ooxml.docx import READER as DOCX
from core.documents.readers.ooxml.docx import DocxBody, DocxStory, DocxStyles, UnseenStyles
from core.documents.readers.ooxml.pptx import READER as PPTX
from core.documents.readers.ooxml.xlsx import READER as XLSX
from core.documents.readers.shared import xml
from core.documents.readers.shared.packed_files import base64_content, root_names, unlocked
from core.documents.readers.shared.story import Tally, as_far_as_whole

_NEVER_READ = "w:docPr w:styles w:fonts w:lists w:shapeDefaults w:docSuppData w:bgPict"
_DELETION, _COMMENT = "Word.Deletion", "Word.Comment"


class FlatBody(DocxBody):
    """Reads a document with everything that is in it."""

    def __init__(self, tally: Tally, styles: UnseenStyles) -> None:
        super().__init__(tally, styles, lambda _: "", lambda _: None)
        self._headers: dict[str, None] = {}
        self._footers: dict[str, None] = {}
        self._footnotes: list[str] = []
        self._endnotes: list[str] = []
        self._around: list[xml.Starts] = []

    def _make_tables(self) -> None:
        super()._make_tables()
        heading = xml.named({"w:hdr w:ftr": lambda _: self._start_story()})
        self._in_run |= xml.named({"aml:annotation": self._skip})
        self._in_paragraph |= heading | xml.named({"aml:annotation": self._annotate_mark})
        self._in_body |= heading | xml.named(
            {
                "w:wordDocument": self._start_part,
                "aml:annotation": self._annotate,
                "w:footnote w:endnote": lambda _: self._start_story(),
            }
            | dict.fromkeys(_NEVER_READ.split(), self._skip)
        )
        self._ends |= xml.named(
            {
                "w:hdr": lambda: self._end_heading(self._headers),
                "w:ftr": lambda: self._end_heading(self._footers),
                "w:footnote": lambda: self._end_story(self._footnotes),
                "w:endnote": lambda: self._end_story(self._endnotes),
            }
        )

    def document(self) -> str:
        """Everything a person reads."""
        text = self.finish()
        parts = [*self._headers, text, *self._footnotes, *self._endnotes, *self._footers]
        return "\n\n".join(part for part in parts if part)

    def _start_story(self) -> None:
        """Begin a story in the middle of another, maybe among the properties of a paragraph."""
        self._around.append(self._starts)
        self._stories.append(DocxStory())
        self._starts = self._in_body

    def _end_story(self, stories: list[str]) -> None:
        stories.append(self._leave())
        if self._around:
            self._starts = self._around.pop()

    def _end_heading(self, headings: dict[str, None]) -> None:
        """A header or footer, each text once; a page number is none."""
        texts: list[str] = []
        self._end_story(texts)
        headings.update(dict.fromkeys(it for it in texts if any(map(str.isalpha, it))))

    def _annotate(self, attributes: dict[str, str]) -> None:
        """A change or a comment around text; insertions and bookmarks change nothing."""
        kind = xml.attribute(attributes, "w:type")
        if kind == _DELETION:
            self._delete(attributes)
        elif kind == _COMMENT:
            self._tally.count("comments")
            self._skip(attributes)

    def _annotate_mark(self, attributes: dict[str, str]) -> None:
        """A change of the mark at the end of a paragraph, or of its properties."""
        self._stories[-1].join(yes=xml.attribute(attributes, "w:type") == _DELETION)
        self._skip(attributes)


# No part has another inside of it, so that text search is enough to tell them apart.
_PART = lazy_pattern(
    rb"<(?P<prefix>(?:[A-Za-z_][\w.-]{0,30}:)?)part\b(?P<attributes>[^<>]{0,2000})>\s{0,99}"
    rb"<(?P=prefix)(?P<kind>xmlData|binaryData)\b[^<>]{0,2000}>"
)
# A name with a zero in it is none of a part: `zipfile` cuts it there, and takes none that is empty.
_NAME = lazy_pattern(rb"\bname\s{0,9}=\s{0,9}[\"']/?([^\"'\0]{1,999})[\"']")
_TYPES = "[Content_Types].xml"


def packed(data: bytes, reading: Reading) -> bytes:
    """The same parts as a ZIP file; a part that breaks off goes to where it does."""
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr(_TYPES, "<Types/>")
        taken = {_TYPES}
        for name, content in _parts(data):
            reading.step()
            if name not in taken:
                taken.add(name)
                archive.writestr(name, content)
    return package.getvalue()


def _parts(data: bytes) -> Iterator[tuple[str, bytes]]:
    starts = list(_PART.finditer(data))
    for tag, following in zip_longest(starts, starts[1:]):
        name = _NAME.search(tag["attributes"])
        if name is None:
            continue
        last = following.start() if following else len(data)
        end = data.find(b"</" + tag["prefix"] + tag["kind"], tag.end(), last)
        content = data[tag.end() : end if end >= 0 else last].strip()
        if tag["kind"] == b"binaryData":
            content = base64_content(content)
        yield name[1].decode("utf-8", "replace"), content


_HEAD = 1 << 14  # bytes in which the root element names its namespaces
_PREFIX = rb"(?:[A-Za-z_][\w.-]{0,30}:)?"
_DOCUMENT = xml.root_pattern(_PREFIX + rb"wordDocument")
_PACKAGE = xml.root_pattern(_PREFIX + rb"package")
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
        return _read_unwrapped(packed(data, reading), reading)
    return _read_document(data, reading)


def _read_unwrapped(document: bytes, reading: Reading) -> Extracted:
    """What the usual reader makes of a document that is packed as usual."""
    reader = _READERS.get(office_kind(document) or "")
    if reader is None:
        raise UnreadableError(
            ProblemCode.UNSUPPORTED,
            "This file holds neither a Word document nor a presentation nor a workbook. Save "
            "it as PDF.",
        )
    return reader.extracted(document, reading)


def _read_document(data: bytes, reading: Reading) -> Extracted:
    """Headers, body, notes and footers: each once, the running ones apart from the text."""
    tally, styles = Tally(), DocxStyles()
    is_whole = True
    # The styles come before the body, but a style may be based on a later one.
    if re.search(DocxStyles.TELLING, data):
        is_whole = _parsed(data, styles, reading)
    body = FlatBody(tally, styles.unseen())
    is_whole = _parsed(data, body, reading) and is_whole
    text = body.document()
    return as_far_as_whole(text, tally.remarks(), is_damaged=not is_whole)


def _parsed(data: bytes, handler: xml.Handler, reading: Reading) -> bool:
    """Parse a document to where it breaks; whether it is whole."""
    try:
        xml.parse_xml(data, handler, reading)
    except UnreadableError as error:
        if error.code is not ProblemCode.DAMAGED:
            raise
        return False
    return True


READER = Reader(
    "wordml",
    N_("a Word document in XML (xml)"),
    "Word (XML)",
    frozenset({".xml"}),
    _recognises,
    _read,
)
LOCKED = Reader(
    "office",
    N_("a locked Office document"),
    "Office",
    frozenset().union(*(reader.suffixes for reader in _READERS.values())),
    lambda data, _suffix: "ENCRYPTEDPACKAGE" in root_names(data),
    lambda data, reading: _read_unwrapped(unlocked(data, reading), reading),
    libraries=("msoffcrypto", "olefile"),
)
