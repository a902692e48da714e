"""Words broken at the end of a line, put together again where the document shows how.

A hyphen at the end of a line may belong to the word ("well-known") or not ("exam-ple"). Joining
always would glue the first kind, so the rest of the document is asked how it writes the word.
"""

from __future__ import annotations

import re
from collections import Counter

from core.documents.readers.pdf_page import HYPHEN

__all__ = ["resolve_hyphens"]

_BROKEN = re.compile(rf"([^\W_]+){HYPHEN}(\f?)([^\W_]+)")
_WORD = re.compile(r"[^\W_]+(?:[-\u2010][^\W_]+)*")


def resolve_hyphens(text: str) -> str:
    """The text without marks of broken words; one broken over two pages stays on the first."""
    if HYPHEN not in text:
        return text
    words = Counter(match[0].casefold() for match in _WORD.finditer(_BROKEN.sub(" ", text)))
    breaks = [_is_joined(match[1], match[3], words) for match in _BROKEN.finditer(text)]
    joins = breaks.count(True) >= breaks.count(False)

    def whole(match: re.Match[str]) -> str:
        before, page, after = match.groups()
        joined = _is_joined(before, after, words)
        if joined is None:
            joined = joins and after[0].islower()
        return f"{before}{'' if joined else '-'}{after}{page}"

    return _BROKEN.sub(whole, text).replace(HYPHEN, "-")


def _is_joined(before: str, after: str, words: Counter[str]) -> bool | None:
    """Whether the rest of the document writes the word in one; None where it does not say."""
    before, after = before.casefold(), after.casefold()
    joined, hyphenated = words[before + after], words[f"{before}-{after}"]
    if joined or hyphenated:
        return joined >= hyphenated
    if words[after] and words[before]:
        return False
    return None
