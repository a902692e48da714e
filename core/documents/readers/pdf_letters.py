"""Characters of a PDF file that are a matter of its typesetting, or mean nothing at all."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["clean", "why_meaningless"]

# Latin ligatures and the forms that Arabic letters take in a word.
_PRESENTATION = re.compile("[\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufdff\ufe70-\ufefc]+")
_CONTROLS = re.compile("[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff]+")
_TRANSLATION = str.maketrans(
    {"\xa0": " ", "\xad": "-", "\uf0b7": "•", "\uf0a7": "▪", "\u2028": "\n"}
)
_MEANINGLESS = re.compile("[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff\U000f0000-\U0010fffd]")
_MOST = 0.5
_SOME = 0.05


def clean(text: str) -> str:
    """Ligatures as letters, without what only steers the setting of the text."""
    text = _CONTROLS.sub("", text.translate(_TRANSLATION))
    return _PRESENTATION.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)


def why_meaningless(text: str) -> tuple[str, str]:
    """Why a text cannot be used, "" where it can; and a remark on the letters that are missing."""
    count = len(_MEANINGLESS.findall(text))
    letters = len(text) - text.count(" ") - text.count("\n") - text.count("\f")
    if count > _MOST * letters:
        return "This PDF shows letters but does not say which: its fonts have no table of them.", ""
    if count > _SOME * letters:
        return "", "Some letters are missing: a font of this PDF does not say which they are."
    return "", ""
