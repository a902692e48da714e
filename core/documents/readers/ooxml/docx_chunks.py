"""Documents of other formats that a Word document shows as a part of itself (altChunk, 17.17.2)."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from dataclasses import replace

from core.documents.foreign_formats import refuse_foreign
from core.documents.model import ProblemCode
from core.documents.readers.mail import mhtml
from core.documents.readers.ooxml.package import office_kind
from core.documents.readers.plain import text
from core.documents.readers.reader import Extracted, Reading
from core.documents.readers.rtf import rtf
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
