"""The picture at the head of a report: its file may be gone, too large, or no picture."""

from __future__ import annotations

from pathlib import Path

from core.base.wording import printable_name, readable_size

__all__ = ["logo_of"]

LARGEST = 2_000_000  # bytes: it is in every report as a whole


def logo_of(path: str) -> tuple[bytes, str]:
    """The bytes of the picture, and why there are none; both are empty for no path."""
    if not path:
        return b"", ""
    name = f"The logo “{printable_name(Path(path).name)}”"
    try:
        size = Path(path).stat().st_size
        content = Path(path).read_bytes() if size <= LARGEST else b""
    except (OSError, ValueError):
        return b"", f"{name} cannot be read any more. The report is made without it."
    if size > LARGEST:
        most = readable_size(LARGEST)
        return b"", f"{name} has {readable_size(size)}. A logo may have {most} at most."
    return content, ""
