"""PDF: its text as it is read, page by page; the pages are joined with form feeds."""

from __future__ import annotations

import unicodedata
from contextlib import ExitStack, closing
from typing import Any

from core.documents.model import ProblemCode
from core.documents.names import readable_count
from core.documents.readers.base import Extracted, Reader, Reading, UnreadableError
from core.documents.readers.pdf_hyphens import resolve_hyphens
from core.documents.readers.pdf_layout import page_text
from core.documents.readers.pdf_page import Line, page_lines

__all__ = ["READER"]

_SUFFIXES = frozenset({".pdf"})
_HEAD = 1024  # how far into the file the signature may stand, as readers have always allowed
_PASSWORD_ERROR = 4


def _recognises(data: bytes, suffix: str) -> bool:
    """By its signature, or the name of what has lost it."""
    return b"%PDF-" in data[:_HEAD] or (suffix in _SUFFIXES and b"\nstartxref" in data[-_HEAD:])


def _read(data: bytes, reading: Reading) -> Extracted:
    import pypdfium2 as pdfium
    from pypdfium2 import raw

    with ExitStack() as stack:
        document = _opened(pdfium, data, reading.passwords)
        stack.callback(document.close)
        pages = []
        remarks = []
        count = len(document)
        for index in range(min(count, reading.limits.pages)):
            try:
                pages.append(_page(raw, document, index))
            except pdfium.PdfiumError:
                pages.append([])
            reading.step()
        if count > len(pages):
            remarks.append(
                f"Only the first {readable_count(len(pages))} of {readable_count(count)} pages "
                f"were read. The limit can be raised in the settings."
            )
    text = "\f".join(page_text(lines) for lines in pages)
    return Extracted(resolve_hyphens(text), remarks=tuple(remarks))


def _opened(pdfium: Any, data: bytes, passwords: tuple[str, ...]) -> Any:
    for password in (None, *_encoded(passwords)):
        try:
            return pdfium.PdfDocument(data, password=password)
        except pdfium.PdfiumError as error:
            if error.err_code != _PASSWORD_ERROR:
                raise UnreadableError(ProblemCode.DAMAGED, _DAMAGED) from error
    raise UnreadableError(
        ProblemCode.ENCRYPTED, "Locked with a password. Enter it, or save a copy without one."
    )


_DAMAGED = (
    "This file is damaged: it cannot be opened as PDF. Get another copy, or open it in a PDF "
    "program and save it again."
)


def _encoded(passwords: tuple[str, ...]) -> list[str]:
    """As they are (PDFium tries UTF-8 and Latin-1), and normalised as newer files want it.

    Source: ISO 32000-2, 7.6.4.3.3, which asks for SASLprep (RFC 4013).
    """
    prepared = [unicodedata.normalize("NFKC", p.replace("\xad", "")) for p in passwords]
    return list(dict.fromkeys(p for p in (*passwords, *prepared) if "\0" not in p))


def _page(raw: Any, document: Any, index: int) -> list[Line]:
    page = document[index]
    with closing(page):
        with closing(page.get_textpage()) as text_page:
            return page_lines(raw, text_page)


READER = Reader("pdf", "a PDF file", _SUFFIXES, _recognises, _read)
