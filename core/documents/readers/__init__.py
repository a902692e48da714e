"""One reader per format: to add one, write its file and add its line to `READERS`."""

from __future__ import annotations

from core.documents.readers import (
    archive_tar,
    archive_zip,
    doc,
    docx,
    eml,
    epub,
    fb2,
    html,
    latex,
    mbox,
    mhtml,
    notebook,
    odf,
    ole_legacy,
    ooxml_locked,
    pdf,
    picture,
    pptx,
    rtf,
    text,
    wordml,
    xlsx,
)
from core.documents.readers.base import Extracted, Part, Reader, Reading, UnreadableError

__all__ = ["READERS", "Extracted", "Part", "Reader", "Reading", "UnreadableError", "reader_for"]

# The first that recognises a file reads it. Content counts before the name; text takes the rest.
READERS: tuple[Reader, ...] = (
    pdf.READER,
    docx.READER,
    pptx.READER,
    xlsx.READER,
    ooxml_locked.READER,
    doc.READER,
    ole_legacy.XLS,
    ole_legacy.PPT,
    odf.TEXT,
    odf.PRESENTATION,
    odf.SPREADSHEET,
    epub.READER,
    fb2.READER,
    wordml.READER,
    rtf.READER,
    mhtml.READER,
    mbox.READER,
    eml.READER,
    archive_zip.READER,
    archive_tar.TAR,
    archive_tar.COMPRESSED,
    picture.READER,
    notebook.READER,
    latex.READER,
    html.READER,
    text.READER,
)


def reader_for(data: bytes, suffix: str) -> Reader:
    """The reader of a file, by its bytes and the lower-case suffix of its name."""
    return next(reader for reader in READERS if reader.recognises(data, suffix))
