"""Text of a page that nobody sees, told from the text that scanners lay over their pictures.

Suspicious is what is written invisibly, in white, in tiny letters or beside the page. Whether white
letters are seen depends on what is behind them, so the page is drawn, and only then: letters on a
spot of a single colour are hidden. Looked at is the first letter and the last of each line.
"""

from __future__ import annotations

import ctypes
from enum import IntEnum
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from core.documents.readers.pdf.lines import Line, turned_back

if TYPE_CHECKING:
    from pypdfium2 import PdfPage, PdfTextPage

_WHITE = 240  # of 255 in each colour
_TINY = 1.0  # points from descenders to ascenders
_PIXELS = 2_000_000
_CONTRAST = 16  # of 255: less is a single colour
_OBJECTS = 200  # looked at for a picture
_PICTURES = (3, 5)  # FPDF_PAGEOBJ_IMAGE, FPDF_PAGEOBJ_FORM


class VisibleLines(NamedTuple):
    """The lines a person sees, the words nobody sees, whether most are those of a scanner."""

    lines: list[Line]
    hidden_words: int = 0
    is_scan: bool = False


class _LineFacts(IntEnum):
    """What is known of a line before the page is drawn."""

    PLAIN = 0
    DOUBTFUL = 1
    INVISIBLE = 2
    HIDDEN = 3


def seen_lines(
    raw: ModuleType, page: PdfPage, text_page: PdfTextPage, lines: list[Line]
) -> VisibleLines:
    """Take the hidden lines of a page out."""
    looks = _looks(raw, page, text_page, lines)
    if not any(looks):
        return VisibleLines(lines)
    length = sum(len(line.text) for line in lines)
    invisible = sum(
        len(line.text)
        for line, look in zip(lines, looks, strict=True)
        if look == _LineFacts.INVISIBLE
    )
    is_scan = 2 * invisible > length and _has_picture(raw, page)
    picture = None
    seen = []
    hidden_words = 0
    for line, look in zip(lines, looks, strict=True):
        hidden = look == _LineFacts.HIDDEN
        if look == _LineFacts.DOUBTFUL or (look == _LineFacts.INVISIBLE and not is_scan):
            picture = picture or _Picture(page)
            hidden = picture.is_blank(line)
        if hidden:
            hidden_words += len(line.text.split())
        else:
            seen.append(line)
    if not seen:  # the text of a page that shows none: of a scan without its picture
        return VisibleLines(lines, is_scan=True)
    return VisibleLines(seen, hidden_words, is_scan)


def _looks(
    raw: ModuleType, page: PdfPage, text_page: PdfTextPage, lines: list[Line]
) -> list[_LineFacts]:
    left, bottom, right, top = page.get_bbox()
    look_at = _DrawingModes(raw, text_page)
    looks = []
    for line in lines:
        x0, y0, x1, y1 = turned_back(line)
        if x1 < left or x0 > right or y1 < bottom or y0 > top or line.height < _TINY:
            looks.append(_LineFacts.HIDDEN)
        else:
            look = look_at(line.start)
            looks.append(look if line.pieces == 1 else max(look, look_at(line.end)))
    return looks


class _DrawingModes:
    """Asks PDFium how a character is drawn."""

    def __init__(self, raw: ModuleType, text_page: PdfTextPage) -> None:
        self._raw = raw
        self._page = text_page.raw
        self._colours = [ctypes.c_uint() for _ in range(4)]
        self._references = [ctypes.byref(colour) for colour in self._colours]

    def __call__(self, index: int) -> _LineFacts:
        raw = self._raw
        piece = raw.FPDFText_GetTextObject(self._page, index)
        mode = raw.FPDFTextObj_GetTextRenderMode(piece) if piece else 0
        if mode in {raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP}:
            return _LineFacts.INVISIBLE
        if mode == raw.FPDF_TEXTRENDERMODE_FILL and self._is_pale(index):
            return _LineFacts.DOUBTFUL
        return _LineFacts.PLAIN

    def _is_pale(self, index: int) -> bool:
        if not self._raw.FPDFText_GetFillColor(self._page, index, *self._references):
            return False
        red, green, blue, alpha = (colour.value for colour in self._colours)
        return alpha < _CONTRAST or min(red, green, blue) >= _WHITE


def _has_picture(raw: ModuleType, page: PdfPage) -> bool:
    """Whether there is something on the page that may show what the text says."""
    count = min(raw.FPDFPage_CountObjects(page), _OBJECTS)
    return any(
        raw.FPDFPageObj_GetType(raw.FPDFPage_GetObject(page, index)) in _PICTURES
        for index in range(count)
    )


class _Picture:
    """A page as it is seen, in shades of grey."""

    def __init__(self, page: PdfPage) -> None:
        width, height = page.get_size()
        self._scale = min(2.0, (_PIXELS / max(width * height, 1.0)) ** 0.5)
        bitmap = page.render(scale=self._scale, grayscale=True)
        self._size = bitmap.width, bitmap.height
        self._stride = bitmap.stride
        self._pixels = bytes(bitmap.buffer)
        self._place = bitmap.get_posconv(page)
        bitmap.close()

    def is_blank(self, line: Line) -> bool:
        left, bottom, right, top = turned_back(line)
        ends = self._place.to_bitmap(left, bottom), self._place.to_bitmap(right, top)
        (x0, x1), (y0, y1) = (sorted(axis) for axis in zip(*ends, strict=True))
        x0, y0 = max(0, x0), max(0, y0)
        x1, y1 = min(self._size[0], x1 + 1), min(self._size[1], y1 + 1)
        low, high = 255, 0
        for y in range(y0, y1):
            row = self._pixels[y * self._stride + x0 : y * self._stride + x1]
            if row:
                low = min(low, *row)
                high = max(high, *row)
        return high - low < _CONTRAST
