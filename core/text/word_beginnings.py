"""Words cut to their beginnings, by which reworked text is found in any language.

Endings change where a sentence is turned round, the first letters of a word seldom do. So a word
is its first 6 letters here, normalised and in folded case; a letter of a script without spaces
between words is a word. Punctuation never counts; whether digits and stop words do, the settings
say. What a shingle is, words or characters and how many, does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt8Array, UInt64Array
from core.settings import ScanSettings
from core.text.pieces import is_long
from core.text.set_aside import GAP, NOTHING, stretches_of
from core.text.shingling import WHOLE
from core.text.tokenising import (
    joined_words,
    spanned_units_of,
    units_by_piece,
    units_of,
    units_with_spans,
)
from core.text.tokens import LETTER_BITS


class WordBeginnings(NamedTuple):
    """The words of several texts, one after the other, and gaps where text is set aside.

    Attributes:
        values: uint64, a hash of the beginning of each word, and `core.text.set_aside.GAP`.
        offsets: int64, text i has `values[offsets[i]:offsets[i + 1]]`.
    """

    values: UInt64Array
    offsets: Int64Array

    @property
    def letters(self) -> UInt8Array:
        """How many letters each has, uint8: 1 to 6, 5 for one that is a word, 0 for a gap."""
        letters = (self.values & LETTER_BITS).astype(np.uint8)
        letters[self.values == GAP] = 0
        return letters


class SpannedBeginnings(NamedTuple):
    """The words and gaps of one text: values as in `WordBeginnings`, and spans in code points."""

    values: UInt64Array
    starts: Int64Array
    ends: Int64Array


def word_beginnings(
    texts: Sequence[str],
    settings: ScanSettings,
    set_aside: Mapping[int, Int64Array] = WHOLE,
) -> WordBeginnings:
    """The words of several texts, cut to their beginnings.

    Args:
        texts: The texts.
        settings: Decide whether digits and stop words count.
        set_aside: What does not count, by place in `texts` (see `core.text.set_aside.merged`).

    Raises:
        LongTextError: One cannot be cut in pieces of words that can be read.
    """
    return beginnings_of_joined(joined_words(texts), settings, set_aside)


def beginnings_of_joined(
    texts: Sequence[str],
    settings: ScanSettings,
    set_aside: Mapping[int, Int64Array] = WHOLE,
) -> WordBeginnings:
    """The same of texts whose broken words are joined (see `core.text.tokenising.joined_words`)."""
    settings = _of_words(settings)
    if not any(map(is_long, texts)):
        return _read_together(texts, settings, set_aside)
    parts = []
    for is_alone, some in groupby(range(len(texts)), lambda place: is_long(texts[place])):
        places = list(some)
        if is_alone:
            parts += [
                _read_alone(texts[place], settings, set_aside.get(place, NOTHING))
                for place in places
            ]
        else:
            own = {n: set_aside[place] for n, place in enumerate(places) if place in set_aside}
            parts.append(_read_together([texts[place] for place in places], settings, own))
    counts = np.concatenate([np.diff(part.offsets) for part in parts])
    values = np.concatenate([part.values for part in parts])
    return WordBeginnings(values, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))


def spanned_beginnings(
    text: str, settings: ScanSettings, set_aside: Int64Array = NOTHING
) -> SpannedBeginnings:
    """The words of one text with their spans in it; the span of a gap is what lies between."""
    (text,) = joined_words([text])
    parts = list(units_with_spans(text, _of_words(settings), set_aside, beginnings=True))
    values = np.concatenate([np.empty(0, dtype=np.uint64), *(part.values for part in parts)])
    spans = np.concatenate([NOTHING, *(part.spans for part in parts)])
    return SpannedBeginnings(values, spans[:, 0].copy(), spans[:, 1].copy())


@lru_cache(maxsize=8)
def _of_words(settings: ScanSettings) -> ScanSettings:
    """These settings, as far as they matter here."""
    return ScanSettings(
        language=settings.language,
        drop_stop_words=settings.drop_stop_words,
        keep_digits=settings.keep_digits,
    )


def _read_together(
    texts: Sequence[str], settings: ScanSettings, set_aside: Mapping[int, Int64Array]
) -> WordBeginnings:
    if not set_aside:
        units = units_of(texts, settings, beginnings=True)
        return WordBeginnings(units.values, units.offsets)
    spanned, _ = spanned_units_of(texts, settings, beginnings=True)
    values, offsets, _ = stretches_of(spanned, None, set_aside, 1)
    return WordBeginnings(values, offsets)


def _read_alone(text: str, settings: ScanSettings, set_aside: Int64Array) -> WordBeginnings:
    """The words of a long text, piece by piece."""
    if len(set_aside):
        spanned = units_with_spans(text, settings, set_aside, beginnings=True)
        values = np.concatenate([part.values for part in spanned])
    else:
        pieces = units_by_piece(text, settings, beginnings=True)
        values = np.concatenate([part.values for part in pieces])
    return WordBeginnings(values, np.array([0, len(values)], dtype=np.int64))
