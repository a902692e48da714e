"""The logo at the head of the pages, as `report.typ` reads it."""

from __future__ import annotations

from core.errors import ExportError

__all__ = ["logo_data"]

_BEGINNINGS = ((b"\x89PNG\r\n\x1a\n", "png"), (b"\xff\xd8\xff", "jpg"))
_SVG_WITHIN = 2000  # bytes: an SVG file may begin with a comment


def logo_data(logo: bytes) -> dict[str, object] | None:
    """The format and the bytes of a picture; None where there is none.

    Raises:
        ExportError: It is no PNG, JPEG or SVG.
    """
    if not logo:
        return None
    return {"format": _format_of(logo), "bytes": list(logo)}


def _format_of(logo: bytes) -> str:
    for beginning, name in _BEGINNINGS:
        if logo.startswith(beginning):
            return name
    if b"<svg" in logo[:_SVG_WITHIN]:
        return "svg"
    raise ExportError("The logo is no PNG, JPEG or SVG picture.")
