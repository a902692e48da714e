"""Which reader reads a file: its content counts first, its name second.

`recognise` asks the readers, which look into the file: it runs in a reader process. What the main
process decides, it decides from the first bytes. A file may be made to harm the program that reads
it: there nothing is unpacked or parsed, and of what is not plain text at most 64 kB are searched,
for words. Where that leaves it open what a file is, its reader process tells it.
"""

from __future__ import annotations

import codecs
import re

from core.base.messages import stored
from core.base.patterns import lazy_pattern
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import (
    Reader,
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
from core.documents.readers.shared.packed_files import damaged_file, has_tar_magic, names_in

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


_GOOGLE = {
    ".gdoc": "Google Docs",
    ".gsheet": "Google Sheets",
    ".gslides": "Google Slides",
    ".gdraw": "Google Drawings",
    ".gform": "Google Forms",
    ".gjam": "Google Jamboard",
    ".gmap": "Google My Maps",
    ".gsite": "Google Sites",
    ".gscript": "Google Apps Script",
    ".glink": "Google Drive",
    ".gnote": "Google Keep",
}
_LONGEST = 1 << 16  # bytes: a link has some hundred
_KEYS = lazy_pattern(rb'"(?:url|doc_id|resource_id|document_id)"\s{0,99}:')
_SHORTCUTS = {
    ".url": lazy_pattern(
        rb"(?:\xef\xbb\xbf)?\s{0,99}\[InternetShortcut(?:\.[AW])?\]", re.IGNORECASE
    ),
    ".webloc": lazy_pattern(rb"(?:.{0,999}<plist\b.{0,999}<key>URL</key>|bplist00)", re.DOTALL),
    ".desktop": lazy_pattern(rb"(?:.{0,999}\n)?Type\s{0,9}=\s{0,9}Link\b", re.DOTALL),
}

LINK_SUFFIXES = frozenset({*_GOOGLE, *_SHORTCUTS})


def refuse_link(data: bytes, suffix: str) -> None:
    """Raise for a file that only says where a document is.

    Args:
        data: The bytes of the file.
        suffix: Lower-case suffix of its name.

    Raises:
        UnreadableError: UNSUPPORTED.
    """
    if len(data) > _LONGEST:
        return
    if suffix in _GOOGLE and _KEYS.search(data):
        raise UnreadableError(
            ProblemCode.UNSUPPORTED,
            "This is a link to a document in {program}, not the document. Open it there, "
            "download it as docx, PDF or text, and put that here.",
            program=_GOOGLE[suffix],
        )
    shortcut = _SHORTCUTS.get(suffix)
    if shortcut is not None and shortcut.match(data):
        raise UnreadableError(
            ProblemCode.UNSUPPORTED,
            "This is a link to a page or a file, not a document. Open it, save what it shows "
            "as PDF or text, and put that here.",
        )


_FIRST_LOOK_PROMISED = frozenset().union(
    *(reader.suffixes for reader in READERS if reader is not plain.TEXT), LINK_SUFFIXES
)
_TEXTS = plain.TEXT.suffixes
# No other format begins with one of these; most texts do. "P" may be a ZIP archive, "B" bzip2, and
# behind a space there may be HTML, RTF or LaTeX.
_BEGINNINGS = frozenset(b"#*-_0123456789ACDEGHIJKLMNOQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_HEAD = 1024  # bytes in which a PDF may begin, and more than the head of a tar archive
_WORDS = (b"From ", b"AT&TFORM")  # a mailbox, DjVu
_LINE = 90  # bytes in which the name of a field of a mail ends
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MAGIC = (
    *(b"PK", b"BZh", b"\x1f", b"\x89PNG", b"\xff\xd8\xff", b"\xd0\xcf\x11\xe0", b"\xdb\xa5-"),
    *(b"\xffWPC", b"AT&TFORM", b"%!PS"),
)
_ENOUGH = 200  # bytes behind white space: what an RTF file begins with fits into them
_FIELD = bytes(set(range(33, 127)) - {ord(":")})  # RFC 5322, 2.2
_SPACES = b" \t"
_MARKUP = 1 << 15  # bytes in which the root of a document of XML begins, after what may precede it
_ROOTS = (b"fictionbook", b"office:document", b"worddocument", b"xmlpackage")
_PAGE = (b"<html", b"<head", b"<body", b"<!doctype")
_ENDS = 1 << 12
_SOURCE = 1 << 16


def is_plain_text(data: bytes, suffix: str) -> bool:
    """Whether a file is certainly nothing but text, so that no other reader need be asked.

    A folder of many thousand text files is read by this look alone. False is no answer.

    Args:
        data: Its bytes.
        suffix: Lower-case suffix of its name.
    """
    if not data or (suffix in _FIRST_LOOK_PROMISED and suffix not in _TEXTS):
        return False
    head = data[:_HEAD]
    if b"%PDF-" in head or has_tar_magic(data) or data.startswith(_WORDS):
        return False
    if b"\0" not in head and data[0] in _BEGINNINGS and b":" not in head[:_LINE]:
        return True  # all but a few
    if head.startswith(_WIDE):
        return data[4:8] != b"ftyp"
    return not _may_be_other(data, head, suffix)


def _may_be_other(data: bytes, head: bytes, suffix: str) -> bool:
    """Whether a reader may take a file that begins with something else than a word."""
    start = head.removeprefix(codecs.BOM_UTF8)
    if b"\0" in head or start.startswith(_MAGIC) or _may_be_mail(data):
        return True
    start = start.lstrip()
    if len(data) > _HEAD and len(start) < _ENOUGH:
        return True
    if start.startswith(b"<"):
        roots = _ROOTS if suffix in web.QUOTING else _ROOTS + _PAGE  # that a reader knows
        markup = data[:_MARKUP].lower()
        return any(root in markup for root in roots)
    if start.startswith(b"{"):
        is_rtf = start[1:].lstrip().startswith(b"\\")
        return is_rtf or b'"nbformat"' in data[:_ENDS] + data[-_ENDS:]
    return start.startswith((b"%", b"\\")) and b"\\document" in data[:_SOURCE]


def _may_be_mail(data: bytes) -> bool:
    """Whether a file begins with a field, and fields of a mail may follow."""
    name, colon, _ = data[:_LINE].partition(b":")
    name = name.rstrip(_SPACES)
    if not colon or not name or name.translate(None, _FIELD):
        return False
    head = data[: mail.HEAD].lower()
    return any(field in head for field in mail.BY_MACHINES)


def refuse_empty(data: bytes) -> None:
    """Raise for no bytes.

    Raises:
        UnreadableError: EMPTY.
    """
    if not data:
        raise UnreadableError(ProblemCode.EMPTY, "This file is empty: it has 0 bytes.")


def reject_by_signature(data: bytes, suffix: str, *, ocr: bool) -> None:
    """Raise for what no process need read: films, programs, pictures where OCR was not asked for.

    Args:
        data: The bytes of a file.
        suffix: Lower-case suffix of its name.
        ocr: Whether text in pictures is recognised.

    Raises:
        UnreadableError: NO_TEXT_LAYER or BINARY.
    """
    head = data[:_HEAD]
    if b"%PDF-" in head or suffix == ".pdf" or has_tar_magic(data):
        return
    if not ocr and pictures.READER.recognises(data, suffix):  # by its first four bytes
        raise pictures.unasked()
    if suffix not in _FIRST_LOOK_PROMISED and b":" not in head[:_LINE]:
        plain.refuse_media(head)


def archive_by_signature(data: bytes, suffix: str) -> Reader | None:
    """Which archive a file is that is known to hold documents; None for a mail or a mailbox."""
    if data.startswith(b"PK"):
        return archives.READER
    others = (archives.TAR, archives.COMPRESSED, seven_zip.READER)  # by a block of 512 bytes
    return next((reader for reader in others if reader.recognises(data, suffix)), None)


_PROMISED = {suffix: reader for reader in reversed(READERS) for suffix in reader.suffixes}


def recognise(data: bytes, suffix: str) -> Reader:
    """The reader of a file.

    Args:
        data: Its bytes.
        suffix: Lower-case suffix of its name.

    Raises:
        UnreadableError: EMPTY for no bytes, UNSUPPORTED for a document in a format without a
            reader or a link to one, BINARY for what has no text at all, DAMAGED for a text or what
            is left of a ZIP file under the name of a packed document.
    """
    refuse_empty(data)
    if is_plain_text(data, suffix):
        return plain.TEXT
    reader = reader_for(data, suffix)
    refuse_link(data, suffix)
    promised = _PROMISED.get(suffix)
    is_never_text = promised is not None and promised.never_text
    if reader is archives.READER and is_never_text and not names_in(data):
        raise damaged_file()
    if reader is plain.TEXT:
        plain.refuse_foreign(data)
        if promised is not None and is_never_text:
            raise UnreadableError(
                ProblemCode.DAMAGED,
                "The name ends in {suffix}, but this is not {kind}: the file is damaged, or it is "
                "a text under a wrong name. Rename it to .txt to have it read as that.",
                suffix=suffix,
                kind=promised.label,
            )
    return reader


def refuse_archive(reader: Reader, *, inside: bool) -> None:
    """Raise for an archive that is not opened: nobody asked for it, or it is inside another file.

    Raises:
        UnreadableError: ARCHIVE or UNSUPPORTED.
    """
    if inside:
        raise UnreadableError(
            ProblemCode.UNSUPPORTED,
            "This is {kind} inside another file. Archives are opened one level deep: unpack "
            "it to a folder and scan that.",
            kind=reader.label,
        )
    raise UnreadableError(
        ProblemCode.ARCHIVE,
        "This is {kind}. Archives are opened like folders only when that is asked for.",
        kind=reader.label,
    )


def name_remark(kind: str, suffix: str, data: bytes) -> tuple[str, ...]:
    """A remark where the name of a file promises something else than one text of its format.

    Args:
        kind: Of the reader that reads it.
        suffix: Lower-case suffix of its name.
        data: Its bytes.
    """
    has_lines = suffix in plain.OF_RECORDS and b"\n" in data.rstrip(b" \t\r\n\0")
    if has_lines and kind == plain.TEXT.kind:
        return (
            stored(
                "In a file that ends in {suffix} each line is a record. It was read as one "
                "document: split it to compare its records.",
                suffix=suffix,
            ),
        )
    promised, reader = _PROMISED.get(suffix), reader_of(kind)
    if promised is None or reader is None or suffix in reader.suffixes:
        return ()
    return (
        stored(
            "The name ends in {suffix}, but this is {kind}; it was read as that.",
            suffix=suffix,
            kind=reader.label,
        ),
    )
