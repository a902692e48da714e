"""The pages of a PDF file, read one by one with PDFium."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from core.documents.readers.pdf.annotations import form_fields, show_annotations
from core.documents.readers.pdf.hidden_text import seen_lines
from core.documents.readers.pdf.letters import is_meaningless
from core.documents.readers.pdf.lines import Line, page_lines

if TYPE_CHECKING:
    from pypdfium2 import PdfBitmap, PdfDocument

_DPI = 300
_PIXELS = 16_000_000  # of a page drawn for text recognition


class PdfPage(NamedTuple):
    """What is on a page.

    Attributes:
        lines: The text that is seen.
        hidden_words: Number of words that are not seen.
        is_scan: The text was laid over a picture by a scanner.
        is_empty: There is nothing at all on it.
        is_damaged: It cannot be read.
        notes: Number of comments that lie beside the text.
        is_garbled: There are letters on it, but the fonts do not say which; they are left out.
    """

    lines: list[Line]
    hidden_words: int = 0
    is_scan: bool = False
    is_empty: bool = False
    is_damaged: bool = False
    notes: int = 0
    is_garbled: bool = False

    @property
    def is_picture(self) -> bool:
        """It shows something, but no text."""
        return not (self.lines or self.is_empty or self.is_damaged)


class PdfPages:
    """An open document."""

    def __init__(self, raw: ModuleType, document: PdfDocument, damage: type[Exception]) -> None:
        self._raw = raw
        self._document = document
        self._damage = damage
        self._form: object = None

    def __len__(self) -> int:
        return len(self._document)

    @contextmanager
    def with_fields(self) -> Iterator[None]:
        """Have the values of form fields among the text."""
        with form_fields(self._raw, self._document) as self._form:
            yield
        self._form = None

    def attachments(self) -> int:
        """How many files are inside the document."""
        count: int = self._raw.FPDFDoc_GetAttachmentCount(self._document)
        return max(0, count)

    def read(self, index: int) -> PdfPage:
        """One page; whatever PDFium cannot do with it makes it a damaged one."""
        try:
            page, notes = show_annotations(
                self._raw, self._document, self._form, index, self._document[index]
            )
            with closing(page), closing(page.get_textpage()) as text_page:
                lines = page_lines(self._raw, text_page)
                seen = seen_lines(self._raw, page, text_page, lines)
                is_empty = not lines and self._raw.FPDFPage_CountObjects(page) <= 0
        except self._damage:
            return PdfPage([], is_damaged=True)
        if is_meaningless(" ".join(line.text for line in seen.lines)):
            return PdfPage([], seen.hidden_words, notes=notes, is_garbled=True)
        return PdfPage(seen.lines, seen.hidden_words, seen.is_scan, is_empty, notes=notes)

    def picture(self, index: int) -> bytes | None:
        """A page drawn in shades of grey, as a PGM file; None where it cannot be drawn."""
        try:
            with closing(self._document[index]) as page:
                width, height = page.get_size()
                scale = min(_DPI / 72, (_PIXELS / max(width * height, 1.0)) ** 0.5)
                with closing(page.render(scale=scale, grayscale=True)) as bitmap:
                    return _pgm(bitmap)
        except self._damage:
            return None


def _pgm(bitmap: PdfBitmap) -> bytes:
    """A bitmap of one byte per pixel as a PGM file.

    Source: the manual page of Netpbm, "pgm".
    """
    width, height, stride = bitmap.width, bitmap.height, bitmap.stride
    pixels = memoryview(bitmap.buffer).cast("B")
    rows = [bytes(pixels[y * stride : y * stride + width]) for y in range(height)]
    return b"".join([f"P5 {width} {height} 255\n".encode(), *rows])
