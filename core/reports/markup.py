"""Safe HTML: everything that comes from a user passes through here."""

from __future__ import annotations

from html import escape

__all__ = ["name", "text"]

# Control characters, which HTML forbids, as their visible pictures; tab and line feed stay.
_VISIBLE = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"}
_VISIBLE |= {0x7F: 0x2421, **dict.fromkeys(range(0x80, 0xA0), 0xFFFD)}


def text(value: object) -> str:
    """Text without any meaning as markup, in elements and in attributes."""
    return escape(str(value).translate(_VISIBLE), quote=True)


def name(value: str) -> str:
    """A file name: its writing direction stays its own, and it may be broken after / and _."""
    return "<bdi>" + text(value).replace("/", "/<wbr>").replace("_", "_<wbr>") + "</bdi>"
