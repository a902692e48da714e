"""Bytes to text: in which character encoding a file is.

The order goes from certain to likely and stops at the first that fits:

1. a byte order mark;
2. the pattern of NUL bytes: UTF-16 and UTF-32 without a mark;
3. ISO-2022 escape sequences, strict UTF-8, UTF-8 with a few broken bytes;
4. what the file or its carrier declares (`core.documents.encoding.declarations`);
5. the statistical detector (`core.documents.encoding.detection`).
"""

from __future__ import annotations

import codecs
import io
import re
import unicodedata
from typing import NamedTuple

from core.documents.encoding.declarations import WIDER, declared_encoding, known_encoding
from core.documents.encoding.detection import detect_encoding, looks_like_text, sample_of

_CHUNK = 1 << 20  # a call into a codec holds the GIL: one of this size takes a few milliseconds
_HEAD = 4096
_ENOUGH = 64  # bytes; fewer may look like UTF-16 by chance
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is how this one starts
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_KOREAN_ESCAPE = b"\x1b$)C"
_JAPANESE_ESCAPE = re.compile(rb"\x1b(?:\$[@AB(]|\([IJ])")
_ASCII_TEXT = bytes(range(32, 127)) + b"\t\n\v\f\r"
_SPACES = frozenset("\t\n\v\f\r")
_NO_TEXT = frozenset({"Cc", "Cn", "Co", "Cs"})
_REPLACEMENT = "\ufffd"


class Decoded(NamedTuple):
    """A text with LF line ends and no byte order mark, and its encoding.

    The name is Python's, followed by " (damaged)" where broken bytes became U+FFFD.
    """

    text: str
    encoding: str


def decode(data: bytes, *, declared: str | None = None) -> Decoded | None:
    """Decode the bytes of a text file; None when they are no text. Never raises.

    Args:
        data: The whole file.
        declared: The encoding named by whatever carried the bytes. What the bytes say of
            themselves is found without it.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            body = data[len(mark) :]
            if found := _strictly(body, encoding) or _forgivingly(body, encoding):
                return found
    if b"\0" in data and (found := _by_code_units(data)):
        return found
    if b"\x1b" in data and (found := _by_escapes(data)):
        return found
    sample = sample_of(data)
    if not looks_like_text(sample):
        # Ideographs in UTF-16 leave no NUL but bytes like control characters.
        return _by_code_units(data) if len(data) >= _ENOUGH else None
    return (
        _strictly(data, "utf-8")
        or _as_broken_utf8(data, sample)
        or _as_declared(data, declared or declared_encoding(data))
        or _as_detected(data, sample)
    )


def _strictly(data: bytes, encoding: str) -> Decoded | None:
    """The text when every byte of it fits the encoding."""
    try:
        return Decoded(_text(data, encoding, "strict"), encoding)
    except (ValueError, LookupError):
        return None


def _forgivingly(data: bytes, encoding: str) -> Decoded | None:
    """The text when at most one character in fifty, or a single one, had to be replaced."""
    try:
        text = _text(data, encoding, "replace")
    except (ValueError, LookupError):
        return None
    if text.count(_REPLACEMENT) > max(1, len(text) // 50):
        return None
    return Decoded(text, f"{encoding} (damaged)")


def _text(data: bytes, encoding: str, errors: str) -> str:
    """Decode, chunk by chunk when it is long; line ends become LF."""
    if len(data) <= _CHUNK:
        text = data.decode(encoding, errors)
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    codec = codecs.getincrementaldecoder(encoding)(errors)
    decoder = io.IncrementalNewlineDecoder(codec, translate=True)
    view = memoryview(data)
    starts = range(0, len(data), _CHUNK)
    parts = [decoder.decode(view[i : i + _CHUNK], final=i == starts[-1]) for i in starts]
    return "".join(parts)


def _by_code_units(data: bytes) -> Decoded | None:
    """UTF-16 or UTF-32 without a mark, when hardly any unit is a character that no text has."""
    head = data[:_HEAD]
    records = not head.translate(None, _ASCII_TEXT + b"\0") and head.count(0) * 8 < len(head) * 3
    if records:  # names with a NUL after each, as `find -print0` writes them
        return None
    fits = [(_misfit(head, encoding), encoding) for _, encoding in _MARKS[1:3]]
    if min(fits)[0][0] > 0.02:
        fits = [(_misfit(head, encoding), encoding) for _, encoding in _MARKS[3:]]
    (wrong, _), encoding = min(fits)
    if wrong > 0.02:
        return None
    return _strictly(data, encoding) or _forgivingly(data, encoding)


def _misfit(head: bytes, encoding: str) -> tuple[float, float]:
    """How little the bytes look like text in an encoding: the smaller the pair, the better.

    The first share is of characters that no text has, the second of those outside ASCII.
    """
    text = head[: len(head) // 4 * 4 or 2].decode(encoding, "replace")
    if not text:
        return (1.0, 1.0)
    wrong = sum(
        c == _REPLACEMENT or (c not in _SPACES and unicodedata.category(c) in _NO_TEXT)
        for c in text
    )
    return (wrong / len(text), sum(c > "\x7f" for c in text) / len(text))


def _by_escapes(data: bytes) -> Decoded | None:
    """ISO-2022, which is plain ASCII to every other test."""
    if _KOREAN_ESCAPE in data[:_HEAD]:
        return _strictly(data, "iso2022_kr")
    if _JAPANESE_ESCAPE.search(data):
        return _strictly(data, "iso2022_jp_2") or _strictly(data, "iso2022_jp_ext")
    return None


def _as_broken_utf8(data: bytes, sample: bytes) -> Decoded | None:
    """UTF-8 where ten times as many characters beyond ASCII are whole as are broken.

    A few bytes pasted from another encoding look so, and a file cut in the middle of a character;
    in any other encoding whole ones occur by chance only.
    """
    text = sample.decode("utf-8", "replace")
    broken = text.count(_REPLACEMENT)
    whole = sum(c > "\x7f" for c in text) - broken
    is_cut = broken == 1 and text.endswith(_REPLACEMENT)
    return _forgivingly(data, "utf-8") if whole > (1 if is_cut else 10 * broken) else None


def _as_declared(data: bytes, declared: str | None) -> Decoded | None:
    """The text in the encoding that it is said to have, when that is true."""
    encoding = known_encoding(declared) if declared else None
    return _in_wider(data, encoding) if encoding else None


def _as_detected(data: bytes, sample: bytes) -> Decoded | None:
    encoding = detect_encoding(sample)
    if encoding is None:
        return None
    return _in_wider(data, encoding) or _forgivingly(data, encoding)


def _in_wider(data: bytes, encoding: str) -> Decoded | None:
    """The text in the code page that programs really write under the narrower name, or in it."""
    wider = WIDER.get(encoding)
    return (_strictly(data, wider) if wider else None) or _strictly(data, encoding)
