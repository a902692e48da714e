"""The picture at the head of a report: what it is, told by its bytes and not by its name."""

from __future__ import annotations

import re
from pathlib import Path

from core.base.wording import printable_name, readable_size
from core.errors import SettingsError

MOST_BYTES = 2_000_000  # it stands in every report
PNG, JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
# What may stand before the first element of an SVG file; a document type may hold entities.
_SVG = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--(?:(?!-->).){0,2000}-->\s*)*<svg[\s>]",
    re.DOTALL,
)


def media_type(picture: bytes) -> str:
    """What a picture is: "image/png", "image/jpeg", "image/svg+xml"; "" for anything else."""
    if picture.startswith(PNG):
        return "image/png"
    if picture.startswith(JPEG):
        return "image/jpeg"
    return "image/svg+xml" if _SVG.match(picture) else ""


def read_logo(path: Path) -> bytes:
    """The bytes of a picture.

    Raises:
        SettingsError: It cannot be read, is too large, or is no PNG, JPEG or SVG.
    """
    shown = printable_name(path.as_posix())
    try:
        with path.open("rb") as file:
            picture = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise SettingsError(f"{shown} cannot be read: {error.strerror or error}.") from error
    if len(picture) > MOST_BYTES:
        most = readable_size(MOST_BYTES)
        raise SettingsError(f"{shown} is too large for a logo: over {most} are not taken.")
    if not media_type(picture):
        raise SettingsError(f"{shown} is no picture for a report: it must be PNG, JPEG or SVG.")
    return picture
