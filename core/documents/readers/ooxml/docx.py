"""Word documents (docx, docm, dotx, dotm), ECMA-376 part 1, WordprocessingML."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from dataclasses import replace

from core.documents.foreign_formats import refuse_foreign
from core.documents.model import ProblemCode
from core.documents.readers.mail import mhtml
from core.documents.readers.ooxml.docx_body import DocxBody
from core.documents.readers.ooxml.docx_sections import SectionHeading
from core.documents.readers.ooxml.docx_styles import DocxStyles
from core.documents.readers.ooxml.graphics import graphic_text
from core.documents.readers.ooxml.names import names_of
from core.documents.readers.ooxml.package import OfficeFile, Relation, office_kind
from core.documents.readers.plain import text
from core.documents.readers.reader import Extracted, Reader, Reading
from core.documents.readers.rtf import rtf
from core.documents.readers.shared.remarks import Tally
from core.documents.readers.web import html
from core.documents.unreadable import UnreadableError

_READERS = (rtf.READER, mhtml.READER, html.READER, text.READER)


class Chunks:
    """Reads the documents inserted into one.

    Attributes:
        remarks: Of the documents that were read.
    """

    def __init__(self, reading: Reading, read_docx: Callable[[bytes, Reading], Extracted]) -> None:
        """With what reads a Word document; those inside of it are not read again."""
        self._reading = reading
        self._read_docx = read_docx
        self._left = reading.limits.characters
        self.remarks: list[str] = []

    def text_of(self, part: str, data: bytes) -> str | None:
        """The text of a document in a part, None where it cannot be read.

        Raises:
            UnreadableError: TOO_BIG, or what else is a matter of the whole file.
        """
        self._reading.step()
        reading = replace(self._reading, suffix=posixpath.splitext(part)[1].lower())
        try:
            found = self._read(data, reading)
        except UnreadableError as error:
            if error.code in {ProblemCode.TOO_BIG_UNPACKED, ProblemCode.TOO_DEEP}:
                raise
            return None
        self._left -= len(found.text)
        if self._left < 0:
            raise UnreadableError(
                ProblemCode.TOO_BIG,
                f"The documents inserted into this one have more than "
                f"{self._reading.limits.characters:,} characters.",
                "characters",
            )
        self.remarks += found.remarks
        return found.text.replace("\f", "\n\n").strip("\n")

    def _read(self, data: bytes, reading: Reading) -> Extracted:
        if office_kind(data) == "docx":
            return self._read_docx(data, reading)
        refuse_foreign(data)
        reader = next(it for it in _READERS if it.recognises(data, reading.suffix))
        if reader.read is None:
            raise TypeError(reader.kind)
        return reader.read(data, reading)


_SUFFIXES = frozenset({".docx", ".docm", ".dotx", ".dotm"})


def _recognises(data: bytes, _suffix: str) -> bool:
    return office_kind(data) == "docx"


def _read(data: bytes, reading: Reading) -> Extracted:
    """Headers, body, notes and footers: each once, the running ones apart from the text."""
    return _extracted(data, reading, Chunks(reading, _read_inserted))


def _read_inserted(data: bytes, reading: Reading) -> Extracted:
    """A document inside of another; what is inserted into it is counted only."""
    return _extracted(data, reading, None)


def _extracted(data: bytes, reading: Reading, chunks: Chunks | None) -> Extracted:
    file = OfficeFile(data, reading)
    document = _DocxDocument(file, chunks)
    text = document.text()
    inserted = chunks.remarks if chunks else ()
    return file.extracted(text, (*document.tally.remarks(), *dict.fromkeys(inserted)))


class _DocxDocument:
    def __init__(self, file: OfficeFile, chunks: Chunks | None) -> None:
        self._file = file
        self._chunks = chunks
        self._main = file.main_part("officeDocument", "word/document.xml")
        self._relations = file.relations(self._main)
        self._hidden_styles = self._styles()
        self.tally = Tally()

    def text(self) -> str:
        body, text = self._story(self._main, dict(self._relations))
        headings = [it for it in body.headings if it.pages != "even" or self._has_even_pages()]
        headers = self._headings(it for it in headings if it.is_header)
        footers = self._headings(it for it in headings if not it.is_header)
        notes = self._notes(body.references)
        self._count_frames()
        parts = (*headers, text, *notes, *footers)
        return self.tally.faint.after("\n\n".join(part for part in parts if part))

    def _part(self, kind: str) -> str | None:
        for relation in self._relations.values():
            if relation.kind == kind and not relation.is_external:
                return relation.target
        return None

    def _story(self, part: str, relations: dict[str, Relation]) -> tuple[DocxBody, str]:

        def graphic(relation_id: str) -> str:
            relation = relations.pop(relation_id, None)  # each once, however often it is named
            return graphic_text(self._file, relation) if relation else ""

        def chunk(relation_id: str) -> str | None:
            return self._inserted(relations.pop(relation_id, None))

        body = DocxBody(self.tally, self._hidden_styles, graphic, chunk)
        self._file.parse(part, body)
        return body, body.finish()

    def _inserted(self, relation: Relation | None) -> str | None:
        """The text of an inserted document, None where it is not read."""
        if self._chunks is None or relation is None or relation.is_external:
            return None
        data = self._file.read(relation.target) if relation.kind == "aFChunk" else None
        return None if data is None else self._chunks.text_of(relation.target, data)

    def _styles(self) -> frozenset[str]:
        """The styles that hide; reading them is worth it only if there are any."""
        part = self._part("styles")
        if part is None or b"vanish" not in (self._file.read(part) or b""):
            return frozenset()
        styles = DocxStyles()
        self._file.parse(part, styles)
        return styles.hidden()

    def _has_even_pages(self) -> bool:
        part = self._part("settings")
        return part is not None and b"evenAndOddHeaders" in (self._file.read(part) or b"")

    def _headings(self, headings: Iterable[SectionHeading]) -> list[str]:
        """Headers or footers, each text once; a page number is none."""
        texts: dict[str, None] = {}
        for relation_id in dict.fromkeys(it.relation for it in headings):
            relation = self._relations.get(relation_id)
            if relation is not None and not relation.is_external:
                texts[self._story(relation.target, self._file.relations(relation.target))[1]] = None
        return [text for text in texts if any(map(str.isalpha, text))]

    def _notes(self, references: list[tuple[bool, str]]) -> list[str]:
        """Footnotes, then endnotes, in the order in which the text refers to them."""
        found = []
        for kind in ("footnotes", "endnotes"):
            asked = [key for is_endnote, key in references if is_endnote == (kind == "endnotes")]
            part = self._part(kind)
            if asked and part is not None:
                notes = self._story(part, {})[0].notes
                found += [notes.get(key, "") for key in dict.fromkeys(asked)]
        return found

    def _count_frames(self) -> None:
        """A page of frames shows other files."""
        part = self._part("webSettings")
        if part is None or b"sourceFileName" not in (self._file.read(part) or b""):
            return
        frames = _Frames()
        self._file.parse(part, frames)
        self.tally.linked += frames.count


_SOURCES = names_of("w:sourceFileName")


class _Frames:
    """Counts the frames that show a file."""

    def __init__(self) -> None:
        self.count = 0

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        self.count += name in _SOURCES

    def end(self, name: str) -> None:
        """An element ends."""

    def text(self, text: str) -> None:
        """Characters, none of them shown."""


READER = Reader(
    "docx", "a Word document (docx)", "Word (docx)", _SUFFIXES, _recognises, _read, never_text=True
)
