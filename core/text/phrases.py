"""A phrase and where it is in texts: whatever the case, with any white space where it has some.

Letters with marks are found composed and decomposed, and any apostrophe, quotation mark and dash
stands for all of its kind.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

PART = 1 << 15  # code points that are searched before others may go on
ALIKE = ("'’‘‛ʼ", '"“”„‟', "-‐‑–—−")
_ANY = {mark: f"[{re.escape(marks)}]" for marks in ALIKE for mark in marks}


class Phrase:
    """A phrase to search for; one without a word is found nowhere."""

    def __init__(self, phrase: str) -> None:
        self._words = unicodedata.normalize("NFD", phrase).split()  # its longest form
        self._pattern = re.compile(r"\s+".join(map(_in_any_form, self._words)), re.IGNORECASE)
        # As many letters as the phrase has, however much white space is between.
        self._reach = re.compile(rf"(?:\s*\S){{0,{len(''.join(self._words))}}}")
        self._folded = [word.lower() for word in self._words] if phrase.isascii() else []

    def spans(self, text: str) -> Iterator[list[tuple[int, int]]]:
        """Its spans in a text, in code points, part by part of the text."""
        start = 0
        while self._words and start < len(text):
            end = start + PART
            spans = []
            for match in self._pattern.finditer(text, start, self._searched_end(text, end)):
                if match.start() >= end:
                    break
                spans.append(match.span())
                end = max(end, match.end())
            yield spans
            start = end

    def is_in(self, text: str) -> bool:
        """Whether a text contains it."""
        if self._folded and text.isascii():  # where to fold a whole text takes no time
            folded = text.lower()
            has_all = all(word in folded for word in self._folded)
            if not has_all or len(self._folded) == 1:
                return has_all
        return any(
            self._pattern.search(text, start, self._searched_end(text, start + PART))
            for start in range(0, len(text) if self._words else 0, PART)
        )

    def _searched_end(self, text: str, end: int) -> int:
        """Where to stop the search, so that matches that begin in a part are found to their end."""
        match = self._reach.match(text, end)
        return match.end() if match else end


def _in_any_form(word: str) -> str:
    forms = dict.fromkeys(unicodedata.normalize(form, word) for form in ("NFC", "NFD"))
    patterns = ["".join(_ANY.get(c) or re.escape(c) for c in form) for form in forms]
    return f"(?:{'|'.join(patterns)})" if len(patterns) > 1 else patterns[0]
