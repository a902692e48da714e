"""File names and numbers as they are shown: one line, printable, the same in every country."""

from __future__ import annotations

import re

__all__ = ["printable_again", "printable_name", "readable_count", "readable_size"]

# Control characters, line and paragraph separators, direction overrides, bytes that are not UTF-8
# (they arrive as surrogates), and the backslash that announces an escape.
_UNPRINTABLE = re.compile(
    "[\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_SHORT = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def printable_name(name: str) -> str:
    r"""A file name on one line that UTF-8 can encode: "caf\xe9.txt" for a Latin-1 byte.

    A backslash is doubled, so that different files keep different names.
    """
    return _UNPRINTABLE.sub(_escape, name)


def printable_again(name: str) -> str:
    """A name that was made printable before, as a stored one says that it was.

    Its backslashes announce escapes and stay as they are.
    """
    if name.isascii() and name.isprintable():
        return name
    return "\\".join(map(printable_name, name.split("\\")))


def readable_size(size: int) -> str:
    """A number of bytes in steps of a thousand: "512 bytes", "34 kB", "1.2 GB"."""
    if size < 1000:
        return f"{size} bytes"
    scaled = size / 1000
    for unit in ("kB", "MB", "GB"):
        if scaled < 999.5:
            return f"{scaled:.{1 if scaled < 9.95 else 0}f}".removesuffix(".0") + f" {unit}"
        scaled /= 1000
    return f"{scaled:.1f}".removesuffix(".0") + " TB"


def readable_count(count: int) -> str:
    """A number of things: "999999", "1.2 million", "50 million"."""
    if count < 1_000_000:
        return str(count)
    return f"{count / 1e6:.1f}".removesuffix(".0") + " million"


def _escape(match: re.Match[str]) -> str:
    """The escape of one character; a byte that was no UTF-8 is shown as that byte."""
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:
        code -= 0xDC00
    return _SHORT.get(match[0]) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")
