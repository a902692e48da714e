"""Pictures of pages (png, jpg, tiff, webp, heic), read with Tesseract where that is asked for.

Pillow reads the head of a picture, and so its size. Tesseract unpacks PNG and TIFF itself, in a
process that has the limits of this one. All others are drawn first as the page of a scan would be:
in shades of grey, not larger than that, and upright.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from core.base.messages import N_
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Extracted, Reader, Reading
from core.documents.readers.pdf import Tesseract
from core.documents.readers.pdf.lines import resolve_hyphens
from core.documents.readers.pdf.pages import RECOGNISED_PIXELS, clean

if TYPE_CHECKING:
    from PIL import Image

_STARTS = {b"\x89PNG\r\n\x1a\n": "PNG", b"\xff\xd8\xff": "JPEG", b"II*\0": "TIFF", b"MM\0*": "TIFF"}
# ISO/IEC 23008-12: the brand of a file whose pictures HEVC packed, or of any packing.
_HEIF_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1"})
_SUFFIXES = frozenset(
    {".png", ".jpg", ".jpeg", ".jpe", ".jfif", ".tif", ".tiff", ".webp", ".heic", ".heif"}
)
_PIXELS = 100_000_000  # of a page: more than most telephones take
_UNASKED = N_(
    "This is a picture, and was not read. If it shows a page, turn on text recognition (OCR) "
    "in the settings to have it read with Tesseract."
)
_DAMAGED = N_(
    "This picture is damaged, too large to be unpacked, or of a rare kind. Save a smaller copy as "
    "PNG."
)
_FAILED = N_("Text recognition (Tesseract) failed on this picture, or took too long.")
_NOTHING = N_("Text recognition (Tesseract) found no text in this picture.")


def _format_of(data: bytes) -> str:
    """By the first bytes; "" for what is no picture."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WEBP"
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS:
        return "HEIF"
    return next((name for start, name in _STARTS.items() if data.startswith(start)), "")


def _recognises(data: bytes, suffix: str) -> bool:
    """Many cameras write raw pictures that begin like TIFF, under names of their own."""
    name = _format_of(data)
    return name != "" and (name != "TIFF" or suffix in _SUFFIXES or not suffix)


def _read(data: bytes, reading: Reading) -> Extracted:
    """The text of all pages."""
    if not reading.ocr:
        raise unasked()
    with _opened(data) as picture:
        pages = _checked_pages(picture, reading)
        tesseract = Tesseract(reading)

        def read(page: int) -> str | None:
            if _format_of(data) in {"PNG", "TIFF"}:
                return tesseract.read(data, page=page if pages > 1 else None)
            drawn = _drawn(picture)
            return None if drawn is None else tesseract.read(drawn)

        texts, remarks = tesseract.read_pages(range(pages), read, reading.step)
    if not any(texts.values()):
        failed = len(texts) < pages
        raise UnreadableError(ProblemCode.NO_TEXT_LAYER, _FAILED if failed else _NOTHING)
    joined = "\f".join(texts.get(page, "") for page in range(pages))
    return Extracted(clean(resolve_hyphens(joined)), remarks=remarks)


def unasked() -> UnreadableError:
    """The problem of a picture where text recognition is off."""
    return UnreadableError(ProblemCode.NO_TEXT_LAYER, _UNASKED)


def _opened(data: bytes) -> Image.Image:
    """A picture whose head was read."""
    import pi_heif
    from PIL import Image, ImageFile

    pi_heif.register_heif_opener(thumbnails=False)
    Image.MAX_IMAGE_PIXELS = None  # the limit is told by `_checked_pages`
    ImageFile.LOAD_TRUNCATED_IMAGES = True  # what is there of a photograph is read
    try:
        return Image.open(BytesIO(data), formats=[_format_of(data)])
    except Exception as error:
        raise UnreadableError(ProblemCode.DAMAGED, _DAMAGED) from error


def _checked_pages(picture: Image.Image, reading: Reading) -> int:
    """How many pages there are, none too large to be unpacked.

    Only a TIFF file has pages; of the pictures in one of a telephone the first to be shown counts,
    others are its film or its depth.

    Raises:
        UnreadableError: TOO_BIG or DAMAGED.
    """
    sizes = [picture.width * picture.height]
    try:
        while picture.format == "TIFF":
            picture.seek(len(sizes))
            sizes.append(picture.width * picture.height)
            reading.step()
    except EOFError:
        pass
    except Exception as error:
        raise UnreadableError(ProblemCode.DAMAGED, _DAMAGED) from error
    if min(sizes) == 0:
        raise UnreadableError(ProblemCode.DAMAGED, _DAMAGED)
    largest = max(sizes)
    if largest > _PIXELS:
        raise UnreadableError(
            ProblemCode.TOO_BIG,
            "This picture has {largest} megapixels. Text is recognised in pictures of up to "
            "{pixels}: save a smaller copy.",
            largest=f"{largest // 1_000_000:,}",
            pixels=_PIXELS // 1_000_000,
        )
    return len(sizes)


def _drawn(picture: Image.Image) -> bytes | None:
    """A photograph as a PGM file, on white where it is transparent; None where it is damaged."""
    from PIL import Image, ImageOps

    try:
        shrink = min(1.0, (RECOGNISED_PIXELS / (picture.width * picture.height)) ** 0.5)
        size = max(1, int(picture.width * shrink)), max(1, int(picture.height * shrink))
        picture.draft("L", size)
        picture.thumbnail(size)
        upright = ImageOps.exif_transpose(picture)
        if upright.has_transparency_data:
            white = Image.new("RGBA", upright.size, "white")
            upright = Image.alpha_composite(white, upright.convert("RGBA"))
        pgm = BytesIO()
        upright.convert("L").save(pgm, "PPM")
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a decoder fails in many ways on damaged pixels
        return None
    return pgm.getvalue()


READER = Reader(
    "picture",
    N_("a picture"),
    "picture",
    _SUFFIXES,
    _recognises,
    _read,
    is_picture=True,
    has_scans=True,
    libraries=("PIL.Image", "PIL.ImageOps", "pi_heif"),
)
