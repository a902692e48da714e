"""Where phrases stand in texts: word by word, whatever their case, line breaks and punctuation.

A phrase is looked for by the hash of its first words, at most `ANCHOR`, and then compared as a
whole: what many phrases cost is what one does, a search in a sorted table for every word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from core.aside.rules import Phrase
from core.aside.words import Words, words_of
from core.base.arrays import Int64Array, UInt64Array
from core.evidence.grams import make_grams
from core.text.set_aside import SetAside

ANCHOR = 4  # words


def has_words(text: str) -> bool:
    """Whether a phrase can stand anywhere: whether there is a word in it."""
    return len(words_of([text], np.zeros(1, np.int64)).values) > 0


class _Anchor(NamedTuple):
    """Phrases whose first so many words are looked for: their hashes, ascending, and numbers."""

    length: int
    hashes: UInt64Array
    numbers: Int64Array


class PhraseIndex:
    """Phrases, to be looked for in any number of texts."""

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        self._phrases = [one for one in phrases if has_words(one.text)]
        words = [words_of([one.text], np.zeros(1, np.int64)).values for one in self._phrases]
        self._words: list[UInt64Array] = words
        lengths = np.array([min(len(own), ANCHOR) for own in words], dtype=np.int64)
        self._anchors = [
            self._anchor(length, np.flatnonzero(lengths == length))
            for length in range(1, ANCHOR + 1)
            if (lengths == length).any()
        ]

    def _anchor(self, length: int, numbers: Int64Array) -> _Anchor:
        hashes = np.array(
            [make_grams(self._words[number][:length], length)[0] for number in numbers], np.uint64
        )
        order = np.argsort(hashes, kind="stable")
        return _Anchor(length, hashes[order], numbers[order])

    def find(self, words: Words) -> Iterator[tuple[int, SetAside]]:
        """Each place of each phrase: the row of the text, and the span."""
        for anchor in self._anchors:
            grams = words.grams(anchor.length)
            first = np.searchsorted(anchor.hashes, grams)
            there = np.minimum(first, len(anchor.hashes) - 1)
            places = words.fit(np.flatnonzero(anchor.hashes[there] == grams), anchor.length)
            for place in places.tolist():
                yield from self._at(words, place, anchor, int(first[place]), grams[place])

    def _at(
        self, words: Words, place: int, anchor: _Anchor, first: int, gram: np.uint64
    ) -> Iterator[tuple[int, SetAside]]:
        """Those of the phrases with these first words that go on like the text."""
        row = int(words.rows(np.array([place]))[0])
        end = int(words.offsets[row + 1])
        while first < len(anchor.hashes) and anchor.hashes[first] == gram:
            number = int(anchor.numbers[first])
            wanted, first = self._words[number], first + 1
            stop = place + len(wanted)
            if stop <= end and np.array_equal(words.values[place:stop], wanted):
                start, last = int(words.spans[place, 0]), int(words.spans[stop - 1, 1])
                yield row, SetAside(start, last, self._phrases[number].reason)
