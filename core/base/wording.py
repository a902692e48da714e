"""Names, numbers and lists as they are shown: printable, and as the language has them."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import PurePath

from core.base.messages import (
    ENGLISH,
    N_,
    gettext,
    isolated_value,
    language,
    localized,
    ngettext,
    percentage,
    whole_number,
)
from core.base.patterns import lazy_pattern

# What a screen does not show, or takes as a command: control characters; line and paragraph
# separators; marks and overrides of direction; characters without width (Default_Ignorable in the
# Unicode Character Database, with the tags and the selectors of variants); anchors of notes and
# objects; private characters and those that are none; bytes that are not UTF-8, which arrive as
# surrogates. The signs that enclose Arabic and Syriac figures are of category Cf, and seen.
_UNSEEN = (
    "\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\ud800-\uf8ff\ufdd0-\ufdef\U000f0000-\U0010ffff"
) + "".join(f"{chr(plane | 0xFFFE)}{chr(plane | 0xFFFF)}" for plane in range(0, 0xF0000, 0x10000))
_IN_A_NAME = lazy_pattern(f"[\\\\{_UNSEEN}]")
_IN_A_TEXT = lazy_pattern(f"(?![\n\t])[{_UNSEEN}]")
_SHORT = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
ROUNDING = 1e-9  # of a number that was computed, as 0.1 + 0.2
_NO_JOINER, _JOINER, _AS_PICTURE, _KEYCAP = "\u200c", "\u200d", "\ufe0f", "\u20e3"
# White space that looks like a single space, or like none.
_SPACES = lazy_pattern(r"[^\S \n]|(?<= ) ")
_JOINERS = lazy_pattern(f"[{_NO_JOINER}{_JOINER}{_AS_PICTURE}]")
LONGEST_VALUE = 40  # characters
NEAR = 8  # characters; a letter has fewer marks
_VIRAMA = 9  # combining class of the signs that join letters in scripts of India
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
_OF_FORMULAS = "\u2066"
_DIRECTIONS = "\u200e\u200f"  # before an option; before a sentence that begins with a name
# What is written from right to left; no U+061C or U+FEFF, which nobody sees.
RIGHT_TO_LEFT = lazy_pattern(
    "[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_ARABIC = lazy_pattern("[\u0620-\u064a\u066e-\u06d3\u06d5\u06fa-\u06ff\u0750-\u077f]")


def printable_name(name: str) -> str:
    r"""A file name on one line that UTF-8 can encode: "caf\xe9.txt" for a Latin-1 byte.

    Characters that cannot be seen are shown as escapes, and a backslash is doubled: different names
    have different escapes. Joiners stay where scripts need them (RFC 5892, appendix A): after a
    virama, and between Arabic letters also where the first joins nothing, as Persian is written.
    """
    return _IN_A_NAME.sub(_escape, name)


def exact_name(name: str) -> str:
    """A printable name with escapes also for joiners, spaces and marks that have a second form.

    Names that look alike, as with a letter and its accent in one character or in two, differ here.
    """
    exact = _SPACES.sub(_coded, _JOINERS.sub(_coded, name))
    if unicodedata.is_normalized("NFC", exact):
        return exact
    return "".join(_code(letter) if unicodedata.combining(letter) else letter for letter in exact)


def printable_path(path: PurePath) -> str:
    """A path as `printable_name` shows names; on Windows, backslashes part them."""
    text = str(path)
    return _IN_A_TEXT.sub(_escape, text) if os.sep == "\\" else printable_name(text)


def printable_text(text: str) -> str:
    """Sentences and tables as they may be shown: line feeds and tabs stay, backslashes too.

    In a language that runs from the right the marks stay that messages have there.
    """
    if not language().runs_from_right:
        return _IN_A_TEXT.sub(_escape, text)
    ours = _marks_of_messages(text)
    return _IN_A_TEXT.sub(lambda match: match[0] if match.start() in ours else _escape(match), text)


def _marks_of_messages(text: str) -> set[int]:
    """Offsets of the marks around values, in pairs, and of those that stand within no word."""
    ours, open_marks = set(), []
    for index, letter in enumerate(text):
        if letter in (_ISOLATE, _OF_FORMULAS):
            open_marks.append(index)
        elif letter == _END_OF_ISOLATE and open_marks:
            ours |= {open_marks.pop(), index}
        elif letter in _DIRECTIONS and index + 1 < len(text):
            before, after = text[max(index - 1, 0) : index], text[index + 1]
            if not (before.isalnum() and after.isalnum()):
                ours.add(index)
    return ours


def reprinted_name(name: str) -> str:
    """A name that was made printable before, as stored ones claim to be.

    Its backslashes begin escapes and stay as they are.
    """
    if name.isascii() and name.isprintable():
        return name
    return "\\".join(map(printable_name, name.split("\\")))


def readable_size(size: int) -> str:
    """A number of bytes in steps of a thousand: "512 bytes", "34 kB", "1.2 GB"."""
    if size < 1000:
        return ngettext("{n} byte", "{n} bytes", size)
    scaled = size / 1000
    for size_in in (N_("{size} kB"), N_("{size} MB"), N_("{size} GB")):
        if scaled < 999.5:
            shown = f"{scaled:.{1 if scaled < 9.95 else 0}f}".removesuffix(".0")
            return gettext(size_in, size=localized(shown))
        scaled /= 1000
    return gettext("{size} TB", size=localized(f"{scaled:.1f}".removesuffix(".0")))


def readable_count(count: int) -> str:
    """A number of things: "999999", "1.2 million", "50 million"."""
    if count < 1_000_000:
        return str(count)
    millions = localized(f"{count / 1e6:.1f}".removesuffix(".0"))
    return gettext("{millions} million", millions=millions)


def count(number: int) -> str:
    """A whole number with its thousands apart: 1,630."""
    return whole_number(number)


def rounded(number: float, digits: int) -> int:
    """A number of things with so many significant digits."""
    nearest = round(number)
    return round(nearest, min(0, digits - len(str(abs(nearest)))))


def with_interval(expected: str, low: str, high: str) -> str:
    """An estimate: "1,200 (900 to 1,500)"."""
    return gettext("{expected} ({low} to {high})", expected=expected, low=low, high=high)


def resemblance(value: float) -> str:
    """Three decimals; what is not 0 or 1 never looks as if it were."""
    shown = f"{value:.3f}"
    if shown == "0.000" and value > 0:
        return f"<{localized('0.001')}"
    if shown == "1.000" and value < 1:
        return f">{localized('0.999')}"
    return localized(shown)


def share(value: float) -> str:
    """A whole percentage; what is not none or all never looks as if it were."""
    shown = f"{100 * value:.0f}"
    if shown == "0" and value > 0:
        return f"<{percentage('1')}"
    if shown == "100" and value < 1:
        return f">{percentage('99')}"
    return percentage(shown)


def threshold(value: float) -> str:
    """The resemblance from which pairs are listed: two decimals, or as many as it was given."""
    shown = f"{value:.2f}"
    return localized(shown if abs(float(shown) - value) < ROUNDING else f"{value:g}")


def comma_list(parts: Iterable[str]) -> str:
    """Words after each other, without those that are empty: "a, b, c"."""
    chosen = language()
    words = filter(None, parts)
    return chosen.comma.join(map(isolated_value, words) if chosen.runs_from_right else words)


def listed(parts: Sequence[str]) -> str:
    """Words in a sentence: "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return gettext("{all_but_last} and {last}", all_but_last=comma_list(parts[:-1]), last=parts[-1])


def quoted(name: str) -> str:
    """A name in the quotation marks of the reader's language."""
    # Translators: quotation marks around the name of a file or folder
    return gettext("“{name}”", name=name)


def any_of(parts: Sequence[str]) -> str:
    """Words of which any may be: "a", "a or b", "a, b or c"."""
    if len(parts) < 2:
        return "".join(parts)
    return gettext("{all_but_last} or {last}", all_but_last=comma_list(parts[:-1]), last=parts[-1])


def table_lines(titles: Sequence[str], signs: str, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table for a terminal; the sign of a column sets it to the left (<) or right (>)."""
    lines = [titles, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for row in lines:
        cells = zip(row, signs, widths, strict=True)
        yield "  ".join(f"{cell:{sign}{width}}" for cell, sign, width in cells).rstrip()


def seal_in_words(seal: str, *, is_pdf: bool) -> str:
    """The seal of a report; that of a PDF is of the record in it, and not of its pages."""
    if is_pdf:
        return gettext("Seal (checksum of its record): {seal}", seal=seal)
    return gettext("Seal (checksum of the file): {seal}", seal=seal)


def quotable(text: str, most: int) -> str:
    """The beginning of a document's text within a sentence: none of its marks has an effect."""
    return _IN_A_TEXT.sub(_escape, excerpt(text, most))


def excerpt(text: str, most: int = 80) -> str:
    """The beginning of a text on one line, cut at a space where there is one near."""
    line = " ".join(text[: 4 * most].split())
    if len(line) <= most:
        return line
    cut = line.rfind(" ", most // 2, most)
    return line[: cut if cut > 0 else most] + " …"


def isolated(text: str) -> str:
    """A text that leaves the order of its neighbours alone where it runs from right to left."""
    return f"{_ISOLATE}{text}{_END_OF_ISOLATE}" if RIGHT_TO_LEFT.search(text) else text


def _escape(match: re.Match[str]) -> str:
    """The escape of one character; a byte that was no UTF-8 is shown as that byte."""
    letter = match[0]
    if letter in (_NO_JOINER, _JOINER, _AS_PICTURE) and _is_seen(match):
        return letter
    if letter in _SHORT:
        return _SHORT[letter]
    return _code(letter)


def _coded(match: re.Match[str]) -> str:
    return _code(match[0])


def _code(letter: str) -> str:
    code = ord(letter)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _is_seen(match: re.Match[str]) -> bool:
    """Whether a joiner or a selector stands where it changes how its neighbours look."""
    text, index = match.string, match.start()
    before, after = text[index - 1 : index], text[index + 1 : index + 2]
    if not before:
        return False
    if match[0] == _AS_PICTURE:
        return after == _KEYCAP or unicodedata.category(before) == "So"
    if unicodedata.combining(before) == _VIRAMA:
        return True
    if match[0] == _JOINER:
        return False
    near = text[max(0, index - NEAR) : index], text[index + 1 : index + 1 + NEAR]
    neighbours = _letter(reversed(near[0])), _letter(iter(near[1]))
    return all(_ARABIC.match(letter) for letter in neighbours)


def _letter(letters: Iterator[str]) -> str:
    """The first letter that is no mark above or below another; "" where there is none."""
    bases = (
        letter
        for letter in letters
        if unicodedata.category(letter) != "Mn" or _IN_A_NAME.match(letter)
    )
    return next(bases, "")


def shown_value(value: object) -> str:
    """A value of any length and kind in a sentence, on one line."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except ValueError:  # a whole number of more than 4,300 digits
        text = gettext("a number of very many digits")
    except RecursionError:
        text = gettext("a list of lists of lists")
    text = ascii(text)[1:-1] if not text.isprintable() else text
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"


UNKNOWN = "und"  # the code of a language, of ISO 639-2: undetermined
LANGUAGE_NAMES = {  # by their codes of ISO 639-1
    "af": "Afrikaans", "ar": "Arabic", "az": "Azerbaijani", "be": "Belarusian", "bg": "Bulgarian",
    "bn": "Bengali", "ca": "Catalan", "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German",
    "el": "Greek", "en": "English", "eo": "Esperanto", "es": "Spanish", "et": "Estonian",
    "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French", "ga": "Irish",
    "gl": "Galician", "gu": "Gujarati", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian",
    "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian", "is": "Icelandic", "it": "Italian",
    "ja": "Japanese", "ka": "Georgian", "kk": "Kazakh", "km": "Khmer", "kn": "Kannada",
    "ko": "Korean", "la": "Latin", "lo": "Lao", "lt": "Lithuanian", "lv": "Latvian",
    "mk": "Macedonian", "ml": "Malayalam", "mr": "Marathi", "ms": "Malay", "my": "Burmese",
    "ne": "Nepali", "nl": "Dutch", "no": "Norwegian", "pa": "Punjabi", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "si": "Sinhala", "sk": "Slovak",
    "sl": "Slovenian", "sq": "Albanian", "sr": "Serbian", "st": "Sesotho", "sv": "Swedish",
    "sw": "Swahili", "ta": "Tamil", "te": "Telugu", "th": "Thai", "tl": "Tagalog", "tr": "Turkish",
    "uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "yi": "Yiddish",
    "zh": "Chinese",
}  # fmt: skip


def language_name(code: str) -> str:
    """What a language is called: "German" for "de"; "" where it is not known.

    In another language than English by the names of Unicode CLDR. A code that has no name stands
    for itself.
    """
    if code == UNKNOWN:
        return ""
    reader = language().code
    names = LANGUAGE_NAMES if reader == ENGLISH else _names_in(reader)
    return names.get(code) or LANGUAGE_NAMES.get(code, code)


@cache
def _names_in(reader: str) -> Mapping[str, str]:
    from babel import Locale, UnknownLocaleError  # noqa: PLC0415 - only other languages pay for it

    try:
        names: Mapping[str, str] = Locale.parse(reader).languages
    except (UnknownLocaleError, ValueError):
        return {}
    return names
