"""The statistical part of finding an encoding: a sample, a look at it, and the detector.

Code pages of DOS and the Macintosh win too easily on Latin text. Therefore the detector runs a
second time, among the web's Latin code pages only, when the text is Latin to all appearance: most
characters came out Latin, or stand among ASCII letters, or there are only a few of them. Its answer
counts unless it turns those letters into signs.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import islice

SAMPLE = 1 << 16  # bytes; more does not change the answer and holds the GIL
_WINDOW = 1 << 12
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
# No encoding with multi-byte characters uses these as a second byte: here a text may be cut.
_CUT = re.compile(rb"[\t\n\r ]")
_CONTROLS = bytes(set(range(32)) - set(b"\b\t\n\v\f\r\x1a\x1b")) + b"\x7f"
_EBCDIC = ("cp273", "cp424", "cp500", "cp875", "cp1026", "cp1140")
_ASCII = bytes(range(128))
_LETTER_BEYOND_ASCII = re.compile(r"(?![\x00-\x7f])[^\W\d_]")
_LETTER_AMONG_ASCII = re.compile(
    r"(?<=[A-Za-z0-9])(?![\x00-\x7f])[^\W\d_]|(?![\x00-\x7f])[^\W\d_](?=[A-Za-z0-9])"
)
_WEB_LATIN = (
    "cp1250",
    "cp1252",
    "cp1254",
    "cp1257",
    "cp1258",
    "iso8859-1",
    "iso8859-2",
    "iso8859-9",
    "iso8859-15",
)


def sample_of(data: bytes) -> bytes:
    """The bytes to judge a text by: all when few, else windows around those beyond ASCII."""
    if len(data) <= SAMPLE:
        return data
    windows: list[bytes] = []
    end, room = 0, SAMPLE
    while room and (found := _next_beyond_ascii(data, end)) >= 0:
        start = max(found - _WINDOW // 2, end)
        before = _CUT.search(data, start, found)
        start = before.end() if before else found
        after = _CUT.search(data, start + min(_WINDOW, room), start + room)
        end = after.start() if after else start + room
        windows.append(data[start:end])
        room = room - len(windows[-1]) if after else 0
    return b"\n".join(windows) if windows else data[:SAMPLE]


def _next_beyond_ascii(data: bytes, start: int) -> int:
    """Where the next byte beyond ASCII is, or -1; fifty times faster than a search alone."""
    for block in range(start, len(data), SAMPLE):
        if not data[block : block + SAMPLE].isascii():
            found = _BEYOND_ASCII.search(data, block)
            return found.start() if found else -1
    return -1


def looks_like_text(sample: bytes) -> bool:
    """Whether at most one byte in a hundred is a control character that no text has."""
    return (len(sample) - len(sample.translate(None, _CONTROLS))) * 100 <= len(sample)


def detect_encoding(sample: bytes) -> str | None:
    """Python's name of the most likely encoding; None when the bytes look like no text."""
    import chardet  # noqa: PLC0415 - most files need none of it, and no window at its start

    excluded = None if _has_ebcdic_spaces(sample) else _EBCDIC
    first = chardet.detect(sample, exclude_encodings=excluded, compat_names=False)["encoding"]
    if first is None:
        return None
    text = sample.decode(first, "replace")
    latin, among_ascii = _latin_share(text), _is_among_ascii(text)
    few = _has_few_beyond_ascii(sample)
    if latin <= 0.6 and not among_ascii and not few:
        return first
    web = chardet.detect(
        sample, include_encodings=_WEB_LATIN, compat_names=False, no_match_encoding="cp1252"
    )["encoding"]
    if web is None or (few and not among_ascii):
        return web or first
    return web if _latin_share(sample.decode(web, "replace")) >= latin / 2 else first


def _has_ebcdic_spaces(sample: bytes) -> bool:
    """Whether words are set apart by the space of EBCDIC, which is "@" in ASCII."""
    return sample.count(b"@") * 10 > len(sample) > sample.count(b" ") * 50


def _has_few_beyond_ascii(sample: bytes) -> bool:
    """Whether the text is ASCII but for a handful of accents or signs: too little to judge by."""
    beyond = len(sample.translate(None, _ASCII))
    return beyond < 12 and beyond * 4 < len(sample)


def _latin_share(text: str) -> float:
    beyond = list(islice((c for c in text if c > "\x7f"), 2000))
    return sum("LATIN" in unicodedata.name(c, "") for c in beyond) / max(len(beyond), 1)


def _is_among_ascii(text: str) -> bool:
    """Whether most letters beyond ASCII stand next to one of ASCII, or to a digit.

    That is how accents occur in Latin text; in "cafι" it is a letter of the wrong script.
    """
    return len(_LETTER_AMONG_ASCII.findall(text)) * 2 > len(_LETTER_BEYOND_ASCII.findall(text))
