"""What a picture says of itself before it is drawn: its pages, how large they are, which way up.

Sources: ISO/IEC 15948 (PNG), ITU-T T.81 (JPEG), TIFF 6.0, and Exif 2.3 for the orientation. Nothing
is unpacked here; what cannot be told is left out.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

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


def pages_of(data: bytes, most: int) -> list[PicturePage]:
    """The pages of a picture, at most so many; none where its head is damaged."""
    kind = kind_of(data)
    if kind == "png":
        return [PicturePage(*struct.unpack_from(">II", data, 16))] if len(data) >= 24 else []
    if kind == "jpeg":
        page = jpeg_page(data)
        return [page] if page else []
    pages = []
    for page in _tiff_pages(data) if kind else ():
        pages.append(page)
        if len(pages) == most:
            break
    return pages


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
