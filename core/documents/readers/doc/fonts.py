"""Names of the fonts of a Word 97 to 2003 document ([MS-DOC] 2.9.286, SttbfFfn)."""

from __future__ import annotations

__all__ = ["font_names"]

_START, _NAME = 4, 40  # bytes before the first font, and before its name


def font_names(data: bytes) -> list[str]:
    """The names in their order."""
    names = []
    at = _START
    while at < len(data):
        size = data[at] + 1
        name = data[at + _NAME : at + size].decode("utf-16-le", "replace")
        names.append(name.partition("\0")[0])
        at += size
    return names
