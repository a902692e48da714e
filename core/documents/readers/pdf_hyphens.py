"""Words broken at the end of a line, put together again where the document shows how.

A hyphen at the end of a line may belong to the word ("well-known") or not ("exam-ple"). Joining
always would glue the first kind, so the rest of the document is asked how it writes the word. Where
it does not say, it depends on whether words are broken in this document at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from core.documents.readers.pdf_page import HYPHEN

__all__ = ["resolve_hyphens"]

_BROKEN = re.compile(rf"([^\W_]+){HYPHEN}(\f?)([^\W_]+)")
_WORD = re.compile(r"[^\W_]+(?:[-\u2010][^\W_]+)*")
_LINE = 60  # letters of a usual line
_OFTEN = 0.025  # of all lines end in a hyphen where words are broken: fewer do for compounds alone
_FEW = 3  # words broken that show a habit
_LONG = 3  # letters: "third" in "third-party" tells more than "co" in "co-owner"


def resolve_hyphens(text: str) -> str:
    """The text without marks of broken words; one broken over two pages stays on the first."""
    if HYPHEN not in text:
        return text
    written = _Written(_WORD.findall(_BROKEN.sub(" ", text)))
    known = [written.is_whole(match[1], match[3]) for match in _BROKEN.finditer(text)]
    is_usual = _is_usual(known.count(True), known.count(False), len(known), len(text) / _LINE)

    def whole(match: re.Match[str]) -> str:
        before, page, after = match.groups()
        joined = written.is_whole(before, after)
        if joined is None:
            joined = is_usual and after[0].islower()
        return f"{before}{'' if joined else '-'}{after}{page}"

    return _BROKEN.sub(whole, text).replace(HYPHEN, "-")


def _is_usual(joined: int, kept: int, breaks: int, lines: float) -> bool:
    """Whether words are broken at the ends of lines in a document."""
    return breaks > _OFTEN * lines and joined >= kept and (joined > 0 or breaks >= _FEW)


class _Written:
    """How the words of a document are written where no line ends in them."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = Counter(word.casefold() for word in words)
        self._first = {word.partition("-")[0] for word in self._words if "-" in word}

    def is_whole(self, before: str, after: str) -> bool | None:
        """Whether two parts are one word without a hyphen; None where that is not known."""
        before, after = before.casefold(), after.casefold()
        joined, hyphenated = self._words[before + after], self._words[f"{before}-{after}"]
        if joined or hyphenated:
            return joined >= hyphenated
        both = self._words[before] and self._words[after]
        if both or (len(before) >= _LONG and before in self._first):
            return False
        return None
