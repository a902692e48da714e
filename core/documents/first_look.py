"""What can be told of a file in the main process, without a reader, from a short beginning.

A file may be made to harm the program that reads it: here nothing is unpacked or parsed, and of
what is not plain text at most 64 kB are searched, for words. Where that leaves it open what a file
is, its reader process tells it (`core.documents.recognition`).
"""

from __future__ import annotations

import codecs

from core.documents.foreign_formats import refuse_media
from core.documents.links import LINK_SUFFIXES
from core.documents.model import ProblemCode
from core.documents.readers import READERS, Reader, UnreadableError
from core.documents.readers.archives import tar_archive, zip_archive
from core.documents.readers.mail import eml
from core.documents.readers.pictures.picture import READER as PICTURE
from core.documents.readers.pictures.picture import unasked
from core.documents.readers.plain import text
from core.documents.readers.shared.tar_magic import has_tar_magic
from core.documents.readers.web import html

_PROMISED = frozenset().union(
    *(reader.suffixes for reader in READERS if reader is not text.READER), LINK_SUFFIXES
)
_TEXTS = text.READER.suffixes
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
    if not data or (suffix in _PROMISED and suffix not in _TEXTS):
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
        return _may_be_document(data[:_MARKUP].lower(), suffix)
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
    head = data[: eml.HEAD].lower()
    return any(field in head for field in eml.BY_MACHINES)


def _may_be_document(head: bytes, suffix: str) -> bool:
    """Whether what begins like XML may have a root that a reader knows."""
    roots = _ROOTS if suffix in html.QUOTING else _ROOTS + _PAGE
    return any(root in head for root in roots)


def refuse_empty(data: bytes) -> None:
    """Raise for no bytes.

    Raises:
        UnreadableError: EMPTY.
    """
    if not data:
        raise UnreadableError(ProblemCode.EMPTY, "This file is empty: it has 0 bytes.")


def refuse_at_sight(data: bytes, suffix: str, *, ocr: bool) -> None:
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
    if not ocr and PICTURE.recognises(data, suffix):  # by its first four bytes
        raise unasked()
    if suffix not in _PROMISED and b":" not in head[:_LINE]:
        refuse_media(head)


def archive_at_sight(data: bytes, suffix: str) -> Reader | None:
    """Which archive a file is that is known to hold documents; None for a mail or a mailbox."""
    if data.startswith(b"PK"):
        return zip_archive.READER
    tars = (tar_archive.TAR, tar_archive.COMPRESSED)  # both by a block of 512 bytes
    return next((reader for reader in tars if reader.recognises(data, suffix)), None)
