"""Text as a typesetter takes it: what cannot be seen, what may be broken, which way it runs."""

from __future__ import annotations

import re
import unicodedata

from core.reports.blocks import Line, Span

# Shown as their escapes, for which every font has letters: control characters, lone surrogates and
# what is no character. A tab is a space; line feeds stay, and other ends of lines become some.
_UNSET = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
_SHOWN = {"\t": " ", "\x85": "\n", "\u2028": "\n", "\u2029": "\n"}
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
# Letters without any place to break a line: those of scripts that have such places are not here.
_LONG_WORD = re.compile("[!-~\u00a1-\u058f]{25,}")
_PIECE = 12  # characters of a long word that stay together
_NAME_PIECE = re.compile(r".{8,}?[/_.\-](?=.)|.+$", re.DOTALL)
_TELLING = 300  # characters that tell the script of a text
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7a3\u1100-\u11ff]")),
    ("zh", re.compile("[\u4e00-\u9fff\u3400-\u4dbf]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
)
UNKNOWN_LANGUAGE = "und"  # as ISO 639-2 has it


def visible(text: str) -> str:
    """The text with escapes for the characters that have no sign or are not allowed."""
    return _UNSET.sub(_sign, text) if _UNSET.search(text) else text


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    return _SHOWN.get(found[0]) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def breakable(text: str, *, is_name: bool = False) -> str | list[str]:
    """The pieces of a text between which a line may be broken; the text itself where words do.

    Args:
        text: Visible text.
        is_name: Whether it may be broken after the marks that part a path or a file name.
    """
    if is_name:
        text = isolated(text)
        pieces = [part for piece in _NAME_PIECE.findall(text) for part in _parts(piece)]
    else:
        pieces = _parts(text)
    return text if len(pieces) < 2 else pieces


def _parts(text: str) -> list[str]:
    """The text cut within its long words."""
    parts = []
    position = 0
    for found in _LONG_WORD.finditer(text):
        for cut in range(found.start() + _PIECE, found.end() - 1, _PIECE):
            parts.append(text[position:cut])
            position = cut
    parts.append(text[position:])
    return [part for part in parts if part]


def isolated(text: str) -> str:
    """A text that leaves the order of its neighbours alone where it runs from right to left."""
    return f"{_ISOLATE}{text}{_END_OF_ISOLATE}" if _RIGHT_TO_LEFT.search(text) else text


def runs_from_right(text: str) -> bool:
    """Whether the first letter that has a direction runs from right to left (UAX #9, P2 and P3)."""
    if not _RIGHT_TO_LEFT.search(text):
        return False
    for letter in text:
        direction = unicodedata.bidirectional(letter)
        if direction in ("L", "R", "AL"):
            return direction != "L"
    return False


def language_of_script(text: str) -> str:
    """The code of the language that a script tells of; `UNKNOWN_LANGUAGE` for Latin and others."""
    beginning = text[:_TELLING]
    if beginning.isascii():
        return UNKNOWN_LANGUAGE
    found = (code for code, letters in _SCRIPTS if letters.search(beginning))
    return next(found, UNKNOWN_LANGUAGE)


def whole_letters(line: Line) -> Line:
    """The spans of a line with marks in that of the letter they belong to.

    A mark at the beginning of a span would stand on a circle of its own.
    """
    whole: list[Span] = []
    for span in line:
        text = span.text
        if whole and not text[:1].isascii():
            marks = _leading_marks(text)
            whole[-1] = whole[-1]._replace(text=whole[-1].text + text[:marks])
            text = text[marks:]
        if text:
            whole.append(span._replace(text=text))
    return tuple(whole)


def _leading_marks(text: str) -> int:
    count = 0
    while count < len(text) and unicodedata.category(text[count]).startswith("M"):
        count += 1
    return count
