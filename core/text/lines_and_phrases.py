"""A text as a person reads and searches it: lines run on, and phrases are found in any form.

Lines that were broken to a fixed width run on.

A phrase is found whatever the case, with any white space where it has some. Letters with marks are
found composed and decomposed, and any apostrophe, quotation mark and dash stands for all of its
kind.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

NARROWEST, WIDEST = 40, 100  # characters of a line in text that was broken to a fixed width
USUAL = 0.9  # share of the lines that are not longer than the width
COLUMNS = "  "  # two spaces inside a line set columns
OPENING = tuple("\"'(\u201c\u2018\u201e\u00ab\u201a")  # marks a line of prose may begin with
LONGEST_WORD = 30  # characters; more is a script without spaces


def run_on(text: str) -> str:
    """The text with spaces for the line ends that only stand there because the line was full.

    A line was full when the first word of the next would not have fitted into the width that most
    lines keep to. Every character keeps its offset.
    """
    lines = list(_lines(text))
    lengths = np.sort(np.fromiter((len(line) for line in lines if line.strip()), dtype=np.int64))
    width = int(lengths[int(USUAL * (len(lengths) - 1))]) if len(lengths) else 0
    if not NARROWEST <= width <= WIDEST:
        return text
    ends = [
        " " if _was_full(line, following, width) else "\n" for line, following in pairwise(lines)
    ]
    return "".join(line + end for line, end in zip(lines, [*ends, ""], strict=True))


def _lines(text: str) -> Iterator[str]:
    """The lines as `split` gives them, but no call holds the interpreter for long."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


def _was_full(line: str, following: str, width: int) -> bool:
    if not line.strip() or COLUMNS in line.strip():
        return False
    # An indented line, a list item, a heading, a row of figures begin again.
    if not following[:1].isalpha() and following[:1] not in OPENING:
        return False
    word = following.partition(" ")[0]
    return 0 < len(word) <= LONGEST_WORD and len(line) + 1 + len(word) > width


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
