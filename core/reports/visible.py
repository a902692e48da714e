"""Text of users as XML and HTML can hold it, which have no control characters."""

from __future__ import annotations

# Control characters as their visible pictures; tab and line feed stay.
_VISIBLE = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"}
_VISIBLE |= {0x7F: 0x2421, **dict.fromkeys((*range(0x80, 0xA0), 0xFFFE, 0xFFFF), 0xFFFD)}


def visible(text: str) -> str:
    """The text with what XML 1.0 cannot hold made visible; lone surrogates as their escapes."""
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_VISIBLE).encode("utf-8", "backslashreplace").decode()
