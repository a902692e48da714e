"""Pictures of pages (png, jpg, tiff), read with Tesseract where that is asked for.

Tesseract unpacks PNG and TIFF itself, in a process that has the limits of this one. A photograph is
drawn by PDFium first, as the page of a scan would be: in shades of grey, not larger than that, and
upright, which Tesseract leaves to others.

What a picture says of itself before it is drawn: its pages, how large they are, which way up.

Sources: ISO/IEC 15948 (PNG), ITU-T T.81 (JPEG), TIFF 6.0, and Exif 2.3 for the orientation. Nothing
is unpacked here; what cannot be told is left out.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

from core.base.messages import N_, stored
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers.pdf.lines import resolve_hyphens
from core.documents.readers.pdf.pages import PdfPages, clean
from core.documents.readers.pdf.pdf import OCRError, Tesseract, as_paragraphs, recognition_remarks
from core.documents.readers.reader import Extracted, Reader, Reading

_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
_TIFF = {b"II*\0": "<", b"MM\0*": ">"}
_MOST_SEGMENTS = 4_000
_MOST_ENTRIES = 4_096
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})  # starts of frames, with the size
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})  # markers without a length
_WIDTH, _HEIGHT, _ORIENTATION = 256, 257, 274
_SHORT, _LONG = 3, 4


class PicturePage(NamedTuple):
    """A page in pixels; so many quarters clockwise put it upright; so many channels of colour."""

    width: int
    height: int
    turns: int = 0
    channels: int = 3


def kind_of(data: bytes) -> str:
    """Whether a file begins like "png", "jpeg" or "tiff", "" for none of them."""
    if data.startswith(_PNG):
        return "png"
    if data.startswith(_JPEG):
        return "jpeg"
    return "tiff" if data[:4] in _TIFF else ""


def pages_of(data: bytes) -> list[PicturePage]:
    """The pages of a picture; none where its head is damaged."""
    kind = kind_of(data)
    if kind == "png":
        return [PicturePage(*struct.unpack_from(">II", data, 16))] if len(data) >= 24 else []
    if kind == "jpeg":
        page = jpeg_page(data)
        return [page] if page else []
    return list(_tiff_pages(data)) if kind else []


def jpeg_page(data: bytes) -> PicturePage | None:
    """The size of a JPEG picture, and how the camera was held; None for a damaged one."""
    turns = 0
    for marker, start, end in _segments(data):
        if marker == 0xE1 and data[start : start + 6] == b"Exif\0\0":
            turns = _turns(data[start + 6 : end])
        elif marker in _FRAMES and min(end, len(data)) - start >= 6:
            height, width, channels = struct.unpack_from(">xHHB", data, start)
            return PicturePage(width, height, turns, channels)
    return None


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """The marker, start and end of each segment before the pixels."""
    at = 2
    for _ in range(_MOST_SEGMENTS):
        if at + 4 > len(data) or data[at] != 0xFF:
            return
        marker = data[at + 1]
        if marker == 0xFF:  # filling
            at += 1
        elif marker in _ALONE:
            at += 2
        else:
            end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
            yield marker, at + 4, end
            at = end


def _turns(exif: bytes) -> int:
    """Quarters clockwise, by the orientation in the first directory; mirrored pictures are rare."""
    order = _TIFF.get(exif[:4])
    if order is None or len(exif) < 8:
        return 0
    (at,) = struct.unpack_from(f"{order}I", exif, 4)
    orientation = _entries(exif, at, order)[0].get(_ORIENTATION, 1)
    return {3: 2, 6: 1, 8: 3}.get(orientation, 0)


def _tiff_pages(data: bytes) -> Iterator[PicturePage]:
    order = _TIFF[data[:4]]
    seen = set()
    at = struct.unpack_from(f"{order}I", data, 4)[0] if len(data) >= 8 else 0
    while at and at not in seen:
        seen.add(at)
        values, at = _entries(data, at, order)
        if _WIDTH in values and _HEIGHT in values:
            yield PicturePage(values[_WIDTH], values[_HEIGHT])


def _entries(data: bytes, at: int, order: str) -> tuple[dict[int, int], int]:
    """The whole numbers of a directory by their tags, and where the next directory is."""
    if at + 2 > len(data):
        return {}, 0
    (count,) = struct.unpack_from(f"{order}H", data, at)
    values: dict[int, int] = {}
    for number in range(min(count, _MOST_ENTRIES)):
        place = at + 2 + 12 * number
        if place + 12 > len(data):
            return values, 0
        tag, kind, _, long = struct.unpack_from(f"{order}HHII", data, place)
        if kind == _SHORT:
            (values[tag],) = struct.unpack_from(f"{order}H", data, place + 8)
        elif kind == _LONG:
            values[tag] = long
    end = at + 2 + 12 * count
    return values, struct.unpack_from(f"{order}I", data, end)[0] if end + 4 <= len(data) else 0


_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".jpe", ".jfif", ".tif", ".tiff"})
_PIXELS = 100_000_000  # of a page: more than any telephone takes
_POINTS = 72 / 300  # of a pixel, so that the page is drawn as it is
_UNASKED = N_(
    "This is a picture, and was not read. If it shows a page, turn on text recognition (OCR) "
    "in the settings to have it read with Tesseract."
)
_DAMAGED = N_("This picture is damaged: its size cannot be told. Get another copy.")
_FAILED = N_("Text recognition (Tesseract) failed on this picture, or took too long.")
_NOTHING = N_("Text recognition (Tesseract) found no text in this picture.")
# A page that is nothing but the picture (ISO 32000-1, 8.9.5); PDFium finds the objects by itself.
_PAGE = (
    b"%%PDF-1.5\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
    b"2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n"
    b"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %(wide).2f %(high).2f] /Rotate %(angle)d"
    b" /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>\nendobj\n"
    b"4 0 obj\n<< /Length %(drawn)d >> stream\n%(draw)s\nendstream\nendobj\n"
    b"5 0 obj\n<< /Type /XObject /Subtype /Image /Width %(width)d /Height %(height)d /ColorSpace"
    b" %(colours)s /BitsPerComponent 8 /Filter /DCTDecode /Length %(length)d >> stream\n"
)
_END = b"\nendstream\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF"
_COLOURS = {1: b"/DeviceGray", 3: b"/DeviceRGB", 4: b"/DeviceCMYK /Decode [1 0 1 0 1 0 1 0]"}


def _recognises(data: bytes, suffix: str) -> bool:
    """By the first bytes; many cameras write raw pictures that begin like TIFF, under own names."""
    kind = kind_of(data)
    return kind != "" and (kind != "tiff" or suffix in _SUFFIXES or not suffix)


def _read(data: bytes, reading: Reading) -> Extracted:
    """The text of all pages.

    Raises:
        UnreadableError: NO_TEXT_LAYER where there is none, or nothing to recognise it with;
            TOO_BIG or DAMAGED.
    """
    if not reading.ocr:
        raise unasked()
    pages = _checked(data)
    try:
        tesseract = Tesseract(reading)
    except OCRError as error:
        raise UnreadableError(ProblemCode.NO_TEXT_LAYER, str(error)) from error
    texts: dict[int, str] = {}
    is_alone = len(pages) == 1
    failed = []
    for index, page in enumerate(pages):
        text = _recognised(tesseract, data, page, None if is_alone else index)
        reading.step()
        if text is None:
            failed.append(index)
        else:
            texts[index] = as_paragraphs(text)
    if not any(texts.values()):
        raise UnreadableError(ProblemCode.NO_TEXT_LAYER, _FAILED if failed else _NOTHING)
    joined = "\f".join(texts.get(index, "") for index in range(len(pages)))
    remarks = recognition_remarks(texts, failed, tesseract.languages)
    return Extracted(clean(resolve_hyphens(joined)), remarks=remarks)


def unasked() -> UnreadableError:
    """The problem of a picture where nobody asked for text recognition."""
    return UnreadableError(ProblemCode.NO_TEXT_LAYER, _UNASKED)


def _checked(data: bytes) -> list[PicturePage]:
    """The pages, none too large to be unpacked."""
    pages = pages_of(data)
    if not pages or any(page.width * page.height == 0 for page in pages):
        raise UnreadableError(ProblemCode.DAMAGED, _DAMAGED)
    largest = max(page.width * page.height for page in pages)
    if largest > _PIXELS:
        raise UnreadableError(
            ProblemCode.TOO_BIG,
            stored(
                "This picture has {largest} megapixels. Text is recognised in pictures of up to "
                "{pixels}: save a smaller copy.",
                largest=f"{largest // 1_000_000:,}",
                pixels=_PIXELS // 1_000_000,
            ),
        )
    return pages


def _recognised(
    tesseract: Tesseract, data: bytes, page: PicturePage, number: int | None
) -> str | None:
    if kind_of(data) != "jpeg":
        return tesseract.read(data, page=number)
    drawn = _drawn(data, page)
    return None if drawn is None else tesseract.read(drawn)


def _drawn(data: bytes, page: PicturePage) -> bytes | None:
    """A photograph in shades of grey, as a PGM file; None where it cannot be drawn."""
    import pypdfium2 as pdfium
    from pypdfium2 import raw

    wide, high = page.width * _POINTS, page.height * _POINTS
    draw = b"q %.2f 0 0 %.2f 0 0 cm /I Do Q" % (wide, high)
    head = _PAGE % {
        b"wide": wide,
        b"high": high,
        b"angle": 90 * page.turns,
        b"drawn": len(draw),
        b"draw": draw,
        b"width": page.width,
        b"height": page.height,
        b"colours": _COLOURS.get(page.channels, b"/DeviceRGB"),
        b"length": len(data),
    }
    try:
        with closing(pdfium.PdfDocument(head + data + _END)) as document:
            return PdfPages(raw, document, pdfium.PdfiumError).picture(0)
    except pdfium.PdfiumError:
        return None


READER = Reader(
    "picture",
    N_("a picture"),
    "picture",
    _SUFFIXES,
    _recognises,
    _read,
    is_picture=True,
    has_scans=True,
)
