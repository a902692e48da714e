"""Characters of a PDF file that are a matter of its typesetting, or mean nothing at all."""

from __future__ import annotations

import re
import unicodedata

# Latin ligatures and the forms that Arabic letters take in a word.
_PRESENTATION = re.compile("[\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufdff\ufe70-\ufefc]+")
_CONTROLS = re.compile("[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\u2060\ufeff\ufffe\uffff]+")
_REPLACED = (
    *(("\xa0", " "), ("\xad", "-"), ("\u2028", "\n")),
    # Bullets of Symbol, Wingdings and OpenSymbol, which have no code of their own.
    *(("\uf0b7", "•"), ("\uf0a7", "▪"), ("\uf095", "•"), ("\uf0d8", "➢"), ("\uf0fc", "✓")),
)
_MEANINGLESS = re.compile("[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff\U000f0000-\U0010fffd]")
_MOST = 0.5
_SOME = 0.05


def clean(text: str) -> str:
    """Ligatures as letters, without what only steers the setting of the text."""
    for character, replacement in _REPLACED:
        text = text.replace(character, replacement)
    text = _CONTROLS.sub("", text)
    return _PRESENTATION.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)


def is_meaningless(text: str) -> bool:
    """Whether most characters are none: the fonts do not say which letters they draw."""
    return _missing(text) > _MOST


def lacks_letters(text: str) -> bool:
    """Whether a part of the characters is none."""
    return _missing(text) > _SOME


def _missing(text: str) -> float:
    """The share of characters that mean nothing."""
    count = len(_MEANINGLESS.findall(text))
    return count / max(len("".join(text.split())), 1) if count else 0.0
