"""The words of many texts with their places, some texts at a time: what repeated text is found by.

Words are compared without case and punctuation, whatever the settings of the scan: what is set
aside does not depend on how shingles are made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.evidence.grams import make_grams
from core.settings import ScanSettings
from core.text.pieces import is_long
from core.text.shingling import tokenise
from core.text.tokenising import joined_words, spanned_units_of

WORDS = ScanSettings(unit="word")


class Words(NamedTuple):
    """The words of some texts, one text after the other.

    Attributes:
        numbers: int64, which texts these are.
        values: uint64, a hash of every word.
        offsets: int64, text i has the words `offsets[i]` to `offsets[i + 1]`.
        spans: int64 (words, 2), in code points of the text.
    """

    numbers: Int64Array
    values: UInt64Array
    offsets: Int64Array
    spans: Int64Array

    def grams(self, length: int) -> UInt64Array:
        """The hash of so many words from every word on; those that run over an end, too."""
        grams = np.zeros(len(self.values), dtype=np.uint64)
        made = make_grams(self.values, length)
        grams[: len(made)] = made
        return grams

    def rows(self, places: Int64Array) -> Int64Array:
        """Which of the texts each of some words belongs to, int64."""
        return np.searchsorted(self.offsets, places, side="right") - 1

    def fit(self, places: Int64Array, length: int) -> Int64Array:
        """Those of some words from which on a text has so many words."""
        return places[places + length <= self.offsets[self.rows(places) + 1]]

    def inside(self, length: int) -> Int64Array:
        """The places from which on a text has so many words, int64, ascending."""
        left = np.repeat(self.offsets[1:], np.diff(self.offsets)) - np.arange(len(self.values))
        return np.flatnonzero(left >= length)


def words_of(texts: Sequence[str], numbers: Int64Array) -> Words:
    """The words of some texts; pure, so that threads can share the work."""
    if not any(map(is_long, texts)):
        units, _ = spanned_units_of(joined_words(texts), WORDS)
        return Words(numbers, units.values, units.offsets, units.spans)
    parts = [tokenise(text, WORDS) for text in texts]
    counts = [0, *(len(part.values) for part in parts)]
    return Words(
        numbers,
        np.concatenate([part.values for part in parts]),
        np.cumsum(counts),
        np.concatenate([np.stack([part.starts, part.ends], axis=1) for part in parts]),
    )
