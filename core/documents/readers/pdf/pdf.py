"""PDF: its text as it is read, page by page; the pages are joined with form feeds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from types import ModuleType
from typing import TYPE_CHECKING

from core.documents.model import ProblemCode
from core.documents.readers.pdf.hyphens import resolve_hyphens
from core.documents.readers.pdf.letters import clean, lacks_letters
from core.documents.readers.pdf.ocr import Recognised, recognise_pages
from core.documents.readers.pdf.pages import PdfPage, PdfPages
from core.documents.readers.pdf.paragraphs import joined_pages
from core.documents.readers.pdf.remarks import page_remarks, running_heads_remark
from core.documents.readers.pdf.running_heads import without_heads
from core.documents.readers.reader import Extracted, Reader, Reading
from core.documents.readers.shared.tar_magic import has_tar_magic
from core.documents.unreadable import UnreadableError

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_SUFFIXES = frozenset({".pdf"})
_SIGNATURE = b"%PDF-"
_BLANK = b" \t\r\n\f\0\xef\xbb\xbf"
_OBJECT = re.compile(rb"[\r\n]\d{1,10}[ \t\r\n]\d{1,5}[ \t\r\n]obj\b")
_LOOK = 1 << 20
_SIGNATURE_WITHIN = 1024  # bytes from the start: what other readers of PDF allow
_PASSWORD_ERROR = 4  # FPDF_ERR_PASSWORD
_LOCKED = "Locked with a password. Enter it, or save a copy without one."
_DAMAGED = (
    "This file is damaged: it cannot be opened as PDF. Get another copy, or open it in a program "
    "for PDF and save it again."
)
_EMPTY = "This PDF has nothing on its pages."
_SCAN = "This PDF has no text: its pages are pictures (a scan)."
_GARBLED = "This PDF shows letters but does not say which: its fonts have no table of them."
_ADVICE = (
    "Turn on text recognition (OCR) in the settings to have it read with Tesseract, or save a copy "
    "with a text layer."
)


def _recognises(data: bytes, suffix: str) -> bool:
    """By its signature, or by the name and what else every such file has.

    A PDF file stored in an archive also begins within the first bytes of that; and a text may be
    about PDF.
    """
    at = data.find(_SIGNATURE, 0, _SIGNATURE_WITHIN)
    if at >= 0 and not _is_archive(data):
        return (
            suffix in _SUFFIXES or not data[:at].strip(_BLANK) or _OBJECT.search(data) is not None
        )
    return suffix in _SUFFIXES and b"startxref" in data[-_SIGNATURE_WITHIN:]


def _is_archive(data: bytes) -> bool:
    return data.startswith(b"PK\x03\x04") or has_tar_magic(data)


def _read(data: bytes, reading: Reading) -> Extracted:
    """The text of a PDF file.

    Raises:
        UnreadableError: ENCRYPTED, DAMAGED, EMPTY, or NO_TEXT_LAYER.
    """
    with _opened(data, reading.passwords) as document:
        with document.with_fields():
            pages = []
            for index in range(min(len(document), reading.limits.pages)):
                pages.append(document.read(index))
                reading.step()
        if all(page.is_damaged for page in pages) and pages:
            raise UnreadableError(ProblemCode.DAMAGED, _DAMAGED)
        recognised = recognise_pages(document, pages, reading)
        remarks = page_remarks(pages, len(document), document.attachments(), recognised.texts)
    return _extracted(pages, recognised, remarks, reading.step)


@contextmanager
def _opened(data: bytes, passwords: tuple[str, ...]) -> Iterator[PdfPages]:
    """The document, opened without a password or with the first that fits."""
    import pypdfium2 as pdfium
    from pypdfium2 import raw

    with closing(_unlocked(pdfium, data, passwords)) as document:
        yield PdfPages(raw, document, pdfium.PdfiumError)


def _unlocked(pdfium: ModuleType, data: bytes, passwords: tuple[str, ...]) -> PdfDocument:
    for password in (None, *_prepared(passwords)):
        try:
            return pdfium.PdfDocument(data, password=password)
        except pdfium.PdfiumError as error:
            # PDFium may leave the code of an error before, of another file.
            if error.err_code != _PASSWORD_ERROR or b"/Encrypt" not in data:
                raise UnreadableError(ProblemCode.DAMAGED, _DAMAGED) from error
    raise UnreadableError(ProblemCode.ENCRYPTED, _LOCKED)


def _prepared(passwords: tuple[str, ...]) -> list[str]:
    """As they are (PDFium tries UTF-8 and Latin-1), and normalised as newer files want it.

    Source: ISO 32000-2, 7.6.4.3.3, which asks for SASLprep (RFC 4013).
    """
    normal = [unicodedata.normalize("NFKC", word.replace("\xad", "")) for word in passwords]
    return [word for word in dict.fromkeys((*passwords, *normal)) if word.isprintable()]


def _extracted(
    pages: list[PdfPage], recognised: Recognised, remarks: list[str], step: Callable[[], None]
) -> Extracted:
    heads = without_heads([page.lines for page in pages])
    text = clean(resolve_hyphens(joined_pages(heads.pages, recognised.texts, step)))
    if not text.strip():
        raise _no_text(pages, recognised)
    found = [*remarks, *recognised.remarks, running_heads_remark(heads)]
    if lacks_letters(text):
        found.append("Some letters are missing: a font of this PDF does not say which they are.")
    return Extracted(text, remarks=tuple(sentence for sentence in found if sentence))


def _no_text(pages: list[PdfPage], recognised: Recognised) -> UnreadableError:
    if all(page.is_empty or page.is_damaged for page in pages):
        return UnreadableError(ProblemCode.EMPTY, _EMPTY)
    reason = _GARBLED if any(page.is_garbled for page in pages) else _SCAN
    advice = _ADVICE
    if recognised.texts:
        advice = "Text recognition (OCR) found none either."
    elif recognised.remarks:
        advice = " ".join(recognised.remarks)
    return UnreadableError(ProblemCode.NO_TEXT_LAYER, f"{reason} {advice}")


READER = Reader(
    "pdf",
    "a PDF file",
    "PDF",
    _SUFFIXES,
    _recognises,
    _read,
    has_scans=True,
    never_text=True,
    is_paged=True,
    libraries=("pypdfium2.raw",),
)
