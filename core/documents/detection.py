"""The statistical part of finding an encoding: a sample, a look at it, and the detector.

Code pages of DOS and the Macintosh win too easily on Latin text. Therefore the detector runs a
second time, among the web's Latin code pages only, when most characters came out Latin; its answer
counts unless it turns those letters into signs.
"""

from __future__ import annotations

import re
import unicodedata

import chardet

__all__ = ["detect_encoding", "looks_like_text", "sample_of"]

SAMPLE = 1 << 16  # bytes; more does not change the answer and holds the GIL
_WINDOW = 1 << 12
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
# No encoding with multi-byte characters uses these as a second byte: here a text may be cut.
_CUT = re.compile(rb"[\t\n\r ]")
_CONTROLS = bytes(set(range(32)) - set(b"\b\t\n\v\f\r\x1a\x1b")) + b"\x7f"
_EBCDIC = ("cp273", "cp424", "cp500", "cp875", "cp1026", "cp1140")
_ASCII = bytes(range(128))
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
    start = 0
    while len(windows) < SAMPLE // _WINDOW and (found := _BEYOND_ASCII.search(data, start)):
        begin = max(found.start() - _WINDOW // 2, start)
        first = _CUT.search(data, begin, found.start())
        begin = first.end() if first else found.start()
        last = _CUT.search(data, begin + _WINDOW, begin + SAMPLE)
        start = last.start() if last else begin + SAMPLE
        windows.append(data[begin:start])
        if not last:
            break
    return b"\n".join(windows)[:SAMPLE] if windows else data[:SAMPLE]


def looks_like_text(sample: bytes) -> bool:
    """Whether at most one byte in a hundred is a control character that no text has."""
    return (len(sample) - len(sample.translate(None, _CONTROLS))) * 100 <= len(sample)


def detect_encoding(sample: bytes) -> str | None:
    """Python's name of the most likely encoding; None when the bytes look like no text."""
    excluded = () if _has_ebcdic_spaces(sample) else _EBCDIC
    first = chardet.detect(sample, exclude_encodings=excluded, compat_names=False)["encoding"]
    if first is None:
        return None
    latin = _latin_share(sample.decode(first, "replace"))
    if latin <= 0.6 and not _has_few_beyond_ascii(sample):
        return first
    web = chardet.detect(
        sample, include_encodings=_WEB_LATIN, compat_names=False, no_match_encoding="cp1252"
    )["encoding"]
    return web if web and _latin_share(sample.decode(web, "replace")) >= latin / 2 else first


def _has_ebcdic_spaces(sample: bytes) -> bool:
    """Whether words are set apart by the space of EBCDIC, which is "@" in ASCII."""
    return sample.count(b"@") * 10 > len(sample) > sample.count(b" ") * 50


def _has_few_beyond_ascii(sample: bytes) -> bool:
    """Whether the text is ASCII but for a handful of accents or signs: too little to judge by."""
    beyond = len(sample.translate(None, _ASCII))
    return beyond < 12 and beyond * 4 < len(sample)


def _latin_share(text: str) -> float:
    """How many of the characters beyond ASCII are Latin letters."""
    beyond = [c for c in text if c > "\x7f"]
    return sum("LATIN" in unicodedata.name(c, "") for c in beyond) / max(len(beyond), 1)
