"""Text as it is read: lines that were broken to a fixed width run on."""

from __future__ import annotations

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
