"""Bytes to text: in which character encoding a file is.

The order goes from certain to likely and stops at the first that fits:

1. a byte order mark;
2. the pattern of NUL bytes: UTF-16 and UTF-32 without a mark;
3. ISO-2022 escape sequences, strict UTF-8, UTF-8 with a few broken bytes;
4. what the file or its carrier declares (`core.documents.encoding`);
5. the statistical detector (`core.documents.encoding`).

The statistical part of finding an encoding: a sample, a look at it, and the detector.

Code pages of DOS and the Macintosh win too easily on Latin text. Therefore the detector runs a
second time, among the web's Latin code pages only, when the text is Latin to all appearance: most
characters came out Latin, or stand among ASCII letters, or there are only a few of them. Its answer
counts unless it turns those letters into signs.
"""

from __future__ import annotations

import codecs
import io
import re
import unicodedata
from itertools import islice
from typing import NamedTuple

from core.base.patterns import lazy_pattern

# What programs write under the narrower name; the wider one decodes all of it alike, and more.
WIDER = {
    "big5": "big5hkscs",
    "euc_jis_2004": "euc_jp",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "shift_jis": "cp932",
    "shift_jis_2004": "cp932",
    "tis-620": "cp874",
}
_HEAD = 4096
_PATTERNS = (
    lazy_pattern(rb"\A\s{0,20}<\?xml[^>]{1,200}?encoding\s{0,9}=\s{0,9}[\"']([\w.:-]{2,40})"),
    lazy_pattern(rb"<meta[^>]{1,400}?charset\s{0,9}=[\s\"']{0,9}([\w.:-]{2,40})", re.IGNORECASE),
    lazy_pattern(rb"\\usepackage\[(\w{2,40})\]\{inputenc\}"),
    lazy_pattern(rb"\A(?:.{0,200}\n)?[ \t]{0,20}[#/;%].{0,100}?coding[:=][ \t]{0,9}([\w.-]{2,40})"),
)
_OTHER_NAMES = {
    "ansinew": "cp1252",
    "applemac": "mac-roman",
    "latin9": "iso8859-15",
    "x-sjis": "shift_jis",
    "x-euc-jp": "euc_jp",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-mac-roman": "mac-roman",
}
# Encodings in which the declaration itself can be read, and no other codec of Python's.
_DECLARABLE = lazy_pattern(
    r"cp(?!037|273|424|500|875|1026|1140)\d+|iso8859-\d+|koi8-[rtu]|mac-\w+|kz1048|ptcp154"
    r"|tis-620|hp-roman8|big5\w*|gbk|gb2312|gb18030|euc_\w+|shift_jis\w*|johab|hz"
)


def declared_encoding(data: bytes) -> str | None:
    """The encoding that a text names in its first lines, as it is written there."""
    head = data[:_HEAD]
    matches = (pattern.search(head) for pattern in _PATTERNS)
    return next((match[1].decode("ascii", "replace") for match in matches if match), None)


def known_encoding(name: str) -> str | None:
    """Python's name for a declared encoding; None when it can be no encoding of a text file.

    UTF-8, UTF-16 and UTF-32 are left out: they are recognised without any declaration.
    """
    try:
        encoding = codecs.lookup(_OTHER_NAMES.get(name.lower(), name)).name
    except (LookupError, ValueError):
        return None
    return encoding if _DECLARABLE.fullmatch(encoding) else None


SAMPLE = 1 << 16  # bytes; more does not change the answer and holds the GIL
_WINDOW = 1 << 12
_BEYOND_ASCII = lazy_pattern(rb"[\x80-\xff]")
# No encoding with multi-byte characters uses these as a second byte: here a text may be cut.
_CUT = lazy_pattern(rb"[\t\n\r ]")
_CONTROLS = bytes(set(range(32)) - set(b"\b\t\n\v\f\r\x1a\x1b")) + b"\x7f"
_EBCDIC = ("cp273", "cp424", "cp500", "cp875", "cp1026", "cp1140")
_ASCII = bytes(range(128))
_LETTER_BEYOND_ASCII = lazy_pattern(r"(?![\x00-\x7f])[^\W\d_]")
_LETTER_AMONG_ASCII = lazy_pattern(
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
    while room and (position := _next_beyond_ascii(data, end)) >= 0:
        start = max(position - _WINDOW // 2, end)
        before = _CUT.search(data, start, position)
        start = before.end() if before else position
        after = _CUT.search(data, start + min(_WINDOW, room), start + room)
        end = after.start() if after else start + room
        windows.append(data[start:end])
        room = room - len(windows[-1]) if after else 0
    return b"\n".join(windows) if windows else data[:SAMPLE]


def _next_beyond_ascii(data: bytes, start: int) -> int:
    """Where the next byte beyond ASCII is, or -1; fifty times faster than a search alone."""
    for block in range(start, len(data), SAMPLE):
        if not data[block : block + SAMPLE].isascii():
            match = _BEYOND_ASCII.search(data, block)
            return match.start() if match else -1
    return -1


def looks_like_text(sample: bytes) -> bool:
    """Whether at most one byte in a hundred is a control character that no text has."""
    return (len(sample) - len(sample.translate(None, _CONTROLS))) * 100 <= len(sample)


def may_be_detected(data: bytes) -> bool:
    """Whether the detector may be asked for the encoding of a text, by its beginning."""
    if data.isascii() or data.startswith(tuple(mark for mark, _ in _MARKS)):
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data[:SAMPLE])
    except UnicodeDecodeError:
        return True
    return False


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


_CHUNK = 1 << 20  # a call into a codec holds the GIL: one of this size takes a few milliseconds
_JOINED = 16  # chunks that are joined at once
_ENOUGH = 64  # bytes; fewer may look like UTF-16 by chance
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is how this one starts
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_KOREAN_ESCAPE = b"\x1b$)C"
_JAPANESE_ESCAPE = lazy_pattern(rb"\x1b(?:\$[@AB(]|\([IJ])")
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
            body = memoryview(data)[len(mark) :]
            if decoded := _strictly(body, encoding) or _forgivingly(body, encoding):
                return decoded
    if b"\0" in data and (decoded := _by_code_units(data)):
        return decoded
    if b"\x1b" in data and (decoded := _by_escapes(data)):
        return decoded
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


def _strictly(data: bytes | memoryview, encoding: str) -> Decoded | None:
    """The text when every byte of it fits the encoding."""
    try:
        return Decoded(_text(data, encoding, "strict"), encoding)
    except (ValueError, LookupError):
        return None


def _forgivingly(data: bytes | memoryview, encoding: str) -> Decoded | None:
    """The text when at most one character in fifty, or a single one, had to be replaced."""
    try:
        text = _text(data, encoding, "replace")
    except (ValueError, LookupError):
        return None
    if text.count(_REPLACEMENT) > max(1, len(text) // 50):
        return None
    return Decoded(text, f"{encoding} (damaged)")


def _text(data: bytes | memoryview, encoding: str, errors: str) -> str:
    """Decode, chunk by chunk when it is long; line ends become LF."""
    if len(data) <= _CHUNK:
        text = str(data, encoding, errors)
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    codec = codecs.getincrementaldecoder(encoding)(errors)
    decoder = io.IncrementalNewlineDecoder(codec, translate=True)
    view = memoryview(data)
    text, parts, starts = "", [], range(0, len(data), _CHUNK)
    for start in starts:
        parts.append(decoder.decode(view[start : start + _CHUNK], final=start == starts[-1]))
        if len(parts) == _JOINED:
            text += "".join(parts)  # in place: a long text is not there twice
            parts.clear()
    text += "".join(parts)
    return text


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
    """The text in its declared encoding, where that decodes it."""
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
