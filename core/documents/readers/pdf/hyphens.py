"""Words broken at the end of a line, put together again where the document shows how.

A hyphen at the end of a line may belong to the word ("well-known") or not ("exam-ple"). Joining
always would glue the first kind, so the rest of the document is asked how it writes the word, or
its parts. Where it does not say, it depends on whether words are broken in this document at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from core.documents.readers.pdf.lines import HYPHEN

_LAST = re.compile(r"[^\W_]+\Z")
_FIRST = re.compile(r"(\f?)([^\W_]+)")
_WORD = re.compile(r"[^\W_]+(?:[-\u2010][^\W_]+)*")
_LONGEST = 60  # letters looked at before and after a break
_LINE = 60  # letters of a usual line
_OFTEN = 0.025  # of all lines end in a hyphen where words are broken: fewer do for compounds alone
_FEW = 3  # words broken that show a habit
_LONG = 3  # letters: "third" in "third-party" tells more than "co" in "co-owner"


def resolve_hyphens(text: str) -> str:
    """The text without marks of broken words; one broken over two pages stays on the first."""
    if HYPHEN not in text:
        return text
    pieces = text.split(HYPHEN)
    breaks = [_parts(left, right) for left, right in pairwise(pieces)]
    written = _Written(_without_parts(pieces, breaks))
    known = [written.is_whole(before, after) for before, _, after in breaks]
    is_usual = _is_usual(known.count(True), known.count(False), len(known), len(text) / _LINE)
    whole = [pieces[0]]
    for piece, (_, page, after), is_whole in zip(pieces[1:], breaks, known, strict=True):
        joined = is_usual and after[:1].islower() if is_whole is None else is_whole
        whole += ["" if joined else "-", after, page, piece[len(page) + len(after) :]]
    return "".join(whole)


def _parts(left: str, right: str) -> tuple[str, str, str]:
    """The two parts of a word broken between these texts, and the end of the page in the middle."""
    before = _LAST.search(left[-_LONGEST:])
    after = _FIRST.match(right[:_LONGEST])
    if before is None or after is None:
        return "", "", ""
    return before[0], after[1], after[2]


def _without_parts(pieces: Sequence[str], breaks: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    """The words of a text, but for the parts of broken ones."""
    starts = [0, *(len(page) + len(after) for _, page, after in breaks)]
    ends = [*(len(before) for before, _, _ in breaks), 0]
    for piece, start, end in zip(pieces, starts, ends, strict=True):
        yield from _WORD.findall(piece, start, max(start, len(piece) - end))


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
        if not before:
            return False
        goes_on = after.islower()
        before, after = before.casefold(), after.casefold()
        joined, hyphenated = self._words[before + after], self._words[f"{before}-{after}"]
        if joined or hyphenated:
            return joined >= hyphenated
        both = self._words[before] and self._words[after]
        if both or (len(before) >= _LONG and before in self._first):
            return False
        if goes_on and not self._words[before] and not self._words[after]:
            return True  # "considera-tions": the parts of a compound are mostly words themselves
        return None
