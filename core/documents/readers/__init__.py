"""One reader per format: to add one, write its file and its line in `READERS`, nothing else."""

from __future__ import annotations

from core.documents.readers import (
    archives,
    books,
    doc,
    latex,
    mail,
    msg,
    odf,
    pdf,
    pictures,
    plain,
    ppt,
    rtf,
    seven_zip,
    web,
    xls,
)
from core.documents.readers.ooxml import docx, pptx, wordml, xlsx
from core.documents.readers.reader import Reader

# The first that recognises a file reads it. Content counts before the name; text takes the rest.
READERS: tuple[Reader, ...] = (
    pdf.READER,
    docx.READER,
    pptx.READER,
    xlsx.READER,
    wordml.LOCKED,
    doc.READER,
    xls.READER,
    ppt.READER,
    msg.READER,
    odf.TEXT,
    odf.PRESENTATION,
    odf.SPREADSHEET,
    books.EPUB,
    books.FB2,
    books.MOBI,
    wordml.READER,
    rtf.READER,
    mail.MHTML,
    mail.MBOX,
    mail.EML,
    archives.READER,
    archives.TAR,
    archives.COMPRESSED,
    seven_zip.READER,
    pictures.READER,
    plain.NOTEBOOK,
    latex.READER,
    web.READER,
    plain.TEXT,
)


_BY_KIND = {reader.kind: reader for reader in READERS}


def reader_of(kind: str) -> Reader | None:
    """The reader of a kind; None for one that only another version has."""
    return _BY_KIND.get(kind)


def reader_for(data: bytes, suffix: str) -> Reader:
    """The reader of a file, by its bytes and the lower-case suffix of its name."""
    return next(reader for reader in READERS if reader.recognises(data, suffix))
