"""Passages that stand in at least n documents, and text of templates, by words in a row.

A passage of at least `LEAST_COMMON` words in a row is common where each gram of so many words
stands in at least n documents; copies of a document count, each by itself. Text of a template is
what shares at least `LEAST_OF_TEMPLATE` words in a row with one.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.aside.grams import GramCounts, covered, runs_of
from core.aside.words import Words
from core.text.set_aside import Reason, SetAside

LEAST_COMMON = 10  # words
LEAST_OF_TEMPLATE = 5


def shared_spans(
    words: Words, grams: GramCounts, length: int, reason: Reason
) -> Iterator[tuple[int, SetAside]]:
    """The stretches of some texts of which every so many words are among these grams.

    Returns:
        The row of the text, and the span.
    """
    places = words.inside(length)
    places = places[grams.holds(words.grams(length)[places])]
    for row, first, end in runs_of(words, covered(words, places, length)):
        start, stop = int(words.spans[first, 0]), int(words.spans[end - 1, 1])
        yield row, SetAside(start, stop, reason)
