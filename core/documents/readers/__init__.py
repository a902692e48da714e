"""One reader per format: to add one, write its file and its line in `READERS`, nothing else."""

from __future__ import annotations

from core.documents.readers.archives import tar_archive, zip_archive
from core.documents.readers.books import epub, fb2
from core.documents.readers.doc import doc, not_read
from core.documents.readers.latex import latex
from core.documents.readers.mail import eml, mbox, mhtml
from core.documents.readers.odf import odf
from core.documents.readers.ooxml import docx, locked, pptx, wordml, xlsx
from core.documents.readers.pdf import pdf
from core.documents.readers.pictures import picture
from core.documents.readers.plain import notebook, text
from core.documents.readers.reader import Extracted, Part, Reader, Reading
from core.documents.readers.rtf import rtf
from core.documents.readers.web import html
from core.documents.unreadable import UnreadableError

__all__ = [
    "READERS",
    "Extracted",
    "Part",
    "Reader",
    "Reading",
    "UnreadableError",
    "reader_for",
    "reader_of",
]

# The first that recognises a file reads it. Content counts before the name; text takes the rest.
READERS: tuple[Reader, ...] = (
    pdf.READER,
    docx.READER,
    pptx.READER,
    xlsx.READER,
    locked.READER,
    doc.READER,
    not_read.XLS,
    not_read.PPT,
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
    zip_archive.READER,
    tar_archive.TAR,
    tar_archive.COMPRESSED,
    picture.READER,
    notebook.READER,
    latex.READER,
    html.READER,
    text.READER,
)


_BY_KIND = {reader.kind: reader for reader in READERS}


def reader_of(kind: str) -> Reader | None:
    """The reader of a kind; None for one that only another version has."""
    return _BY_KIND.get(kind)


def reader_for(data: bytes, suffix: str) -> Reader:
    """The reader of a file, by its bytes and the lower-case suffix of its name."""
    return next(reader for reader in READERS if reader.recognises(data, suffix))
