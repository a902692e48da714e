"""Cover sheets and headings: what repeats at the start of documents, and as a line by itself.

A cover sheet is a chain of words that stand at the start of several documents, with short parts of
their own between them: a name, a date. It begins within the first words and ends where what follows
is a document's own. Where the chain goes on beyond `MOST_OF_COVER` words, or beyond half of a short
text, the texts are copies of one another and not of a form: then it must be found in more
documents, twice as many each time, until it ends; or there is none.

A heading is a line of a few words with empty lines around it, or marked as one, that stands as a
line in several documents.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from core.aside.grams import GramCounts
from core.aside.words import Words
from core.base.arrays import Int64Array
from core.text.set_aside import Reason, SetAside

ZONE = 400  # words from the start that are looked at
MOST_OF_COVER = 250  # words of a cover sheet
COVER_WORDS = 4  # in a row that repeat
MOST_BEFORE = 60  # words before the first part that repeats
MOST_BETWEEN = 15  # words between two parts
LEAST_OF_COVER = 10  # words that repeat
LEAST_SHARE = 0.5  # of the words from the first that repeats to the last
FEWEST = 3  # documents
SHARE = 0.05  # of all documents
LONGEST_HEADING = 80  # characters
MOST_WORDS = 10  # of a heading
MARK = re.compile(r"[ \t\f]*(?:#{1,6}[ \t]+)?")
UNDERLINE = re.compile(r"\s*[-=~^]{3,}\s*\Z")
NO_TITLE = tuple(">|*+-")  # a quotation, a table, an item of a list
NO_WORD = re.compile(r"[^\w\s]+")
NUMBER = re.compile(r"^(?:[\dIVX]+\s+)+", re.IGNORECASE)
NO_HEADING = re.compile(r"[.。！!?？;,…]\s*$")


class Line(NamedTuple):
    """A line that may be a heading: its folded words, and where it is."""

    words: str
    start: int
    end: int


class Repeats(NamedTuple):
    """What stands in several documents.

    Attributes:
        fewest: In how many at least.
        grams: Of `COVER_WORDS` words, at the start.
        headings: As folded lines.
    """

    fewest: int
    grams: GramCounts
    headings: Collection[str]


def fewest_documents(documents: int) -> int:
    """In how many documents something stands that repeats."""
    return max(FEWEST, round(SHARE * documents))


def starts_of(words: Words) -> Words:
    """The words of the starts of texts."""
    counts = np.minimum(np.diff(words.offsets), ZONE)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    places = np.arange(offsets[-1]) + np.repeat(words.offsets[:-1] - offsets[:-1], counts)
    return Words(words.numbers, words.values[places], offsets, words.spans[places])


def repeated_spans(
    starts: Iterable[Words], lines: Iterable[tuple[int, Sequence[Line]]], repeats: Repeats
) -> Iterator[tuple[int, SetAside]]:
    """The cover sheets of some texts, and their headings that are in none.

    Args:
        starts: Of the texts.
        lines: That may be headings, by number of the text.
        repeats: What of them repeats.

    Returns:
        The number of the text, and the span.
    """
    covers = {
        int(words.numbers[row]): span
        for words in starts
        for row, span in cover_sheets(words, repeats.grams, repeats.fewest)
    }
    yield from covers.items()
    for number, own in lines:
        for line in own:
            is_within = number in covers and line.end <= covers[number].end
            if line.words in repeats.headings and not is_within:
                yield number, SetAside(line.start, line.end, Reason.REPEATED)


def cover_sheets(starts: Words, grams: GramCounts, fewest: int) -> Iterator[tuple[int, SetAside]]:
    """The cover sheets of some texts, given their starts: the row of the text, and the span."""
    places = starts.inside(COVER_WORDS)
    counts = np.zeros(len(starts.values), dtype=np.int64)
    counts[places] = grams.counts(starts.grams(COVER_WORDS)[places])
    for row in range(len(starts.numbers)):
        first, end = int(starts.offsets[row]), int(starts.offsets[row + 1])
        stop = _end_of_cover(counts[first:end], fewest)
        if stop:
            begin = int(starts.spans[first, 0])
            yield row, SetAside(begin, int(starts.spans[first + stop - 1, 1]), Reason.REPEATED)


def _end_of_cover(counts: Int64Array, fewest: int) -> int:
    """How many words from the start of a text are its cover sheet.

    Args:
        counts: int64, in how many documents the gram stands that begins with each word.
        fewest: In how many it must stand.
    """
    most = int(counts.max(initial=0))
    while fewest <= most:
        first, end, repeated = _chain(np.flatnonzero(counts >= fewest))
        if end <= min(MOST_OF_COVER, len(counts) // 2):
            is_cover = repeated >= max(LEAST_OF_COVER, LEAST_SHARE * (end - first))
            return end if is_cover else 0
        fewest *= 2
    return 0


def _chain(places: Int64Array) -> tuple[int, int, int]:
    """Parts that repeat and follow one another: where they begin and end, how many words repeat."""
    if not len(places) or places[0] > MOST_BEFORE:
        return 0, 0, 0
    breaks = np.flatnonzero(np.diff(places) > MOST_BETWEEN + COVER_WORDS)
    places = places[: breaks[0] + 1] if len(breaks) else places
    new = np.minimum(np.diff(places, prepend=places[0] - COVER_WORDS), COVER_WORDS)
    return int(places[0]), int(places[-1]) + COVER_WORDS, int(new.sum())


def headings_of(text: str) -> list[Line]:
    """The lines of a text that may be headings."""
    return list(_headings(text))


def _headings(text: str) -> Iterator[Line]:
    lines, start, is_free = text.split("\n"), 0, True
    for number, line in enumerate(lines):
        after = lines[number + 1] if number + 1 < len(lines) else ""
        is_page = line.startswith("\f")
        if (
            (is_free or is_page)
            and 0 < len(line) <= LONGEST_HEADING
            and (not after.strip() or after.startswith("\f") or UNDERLINE.match(after))
        ):
            yield from _heading(line, start)
        is_free, start = not line.strip(), start + len(line) + 1


def _heading(line: str, start: int) -> Iterator[Line]:
    mark = MARK.match(line)
    first = mark.end() if mark else 0
    own = line[first:].rstrip()
    words = NUMBER.sub("", NO_WORD.sub(" ", own).strip().casefold()).split()
    if 0 < len(words) <= MOST_WORDS and not own.startswith(NO_TITLE) and not NO_HEADING.search(own):
        yield Line(" ".join(words), start + first, start + first + len(own))
