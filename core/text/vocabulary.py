"""Stop words and stems: which words count as the same, and which do not count at all.

Stems are those of the Snowball algorithms (Porter, snowballstem.org) and stop words those of the
library `stop-words`, both by language. What a word becomes depends on nothing but the word, so
every distinct word is looked at once and its value remembered.

A word is a stop word if it is on the list after normalisation and case folding, also where case
counts. The tokeniser ends words at apostrophes: "don't" is "don" and "t". So an entry with an
apostrophe stands for its parts. An entry of several words ("vis-à-vis") drops none of them:
"no-one" is two words that count. Stems are made of words as they are compared: with case where
case counts.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
import Stemmer
from stop_words import get_stop_words

from core.base.arrays import AnyArray, BoolArray, Int64Array, UInt64Array
from core.settings import ScanSettings
from core.text.characters import alphabet, code_points
from core.text.nfkc import normalise
from core.text.tokens import Units, find_units, hash_lines, spell_lines
from core.text.word_memory import WordMemory

DROPPED = np.uint64(0)  # no word that occurs has this value
APOSTROPHES = re.compile("['’ʼ＇]")


def vocabulary(settings: ScanSettings) -> Vocabulary | None:
    """What words become under these settings, shared by all threads; None if all count as is."""
    if not (settings.drop_stop_words or settings.stem):
        return None
    return _vocabulary(
        ScanSettings(
            language=settings.language,
            drop_stop_words=settings.drop_stop_words,
            stem=settings.stem,
            ignore_case=settings.ignore_case,
            keep_punctuation=settings.keep_punctuation,
            keep_digits=settings.keep_digits,
        )
    )


@lru_cache(maxsize=2)
def _vocabulary(settings: ScanSettings) -> Vocabulary:
    return Vocabulary(settings)


@lru_cache(maxsize=2)
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language as the tokeniser reads them, in folded case."""
    settings = ScanSettings()
    found: set[str] = set()
    for entry in get_stop_words(language):
        # The list is plain data, one word a line: no text is long enough to be cut in pieces.
        given = code_points(entry).astype(np.uint32, copy=False)
        codes, bounds, _ = normalise(given, np.array([0, len(given)]))
        units = find_units(codes, bounds, settings, spans=True)
        if not any(character.isalpha() for character in entry):
            continue
        if len(units.values) == 1 or APOSTROPHES.search(entry):
            found.update(spell_lines(codes, units.spans, alphabet(settings)))
    return frozenset(found)


class Vocabulary:
    """What words become under some settings; any thread may ask."""

    def __init__(self, settings: ScanSettings) -> None:
        self._alphabet = alphabet(settings)
        self._folding = alphabet(settings.with_changes(ignore_case=True))
        self._dropped = stop_words(settings.language) if settings.drop_stop_words else frozenset()
        self._stemmer = Stemmer.Stemmer(settings.language, 0) if settings.stem else None
        self._memory = WordMemory()

    def __len__(self) -> int:
        return len(self._memory)

    def translate(self, units: Units, codes: AnyArray, bounds: Int64Array) -> Units:
        """The same units with stems for words and without stop words.

        Args:
            units: Words of normalised texts, with their spans.
            codes: The texts' code points.
            bounds: Text i is `codes[bounds[i]:bounds[i + 1]]`.
        """
        meanings = self._meanings_of(units, codes, bounds)
        return _compressed(units._replace(values=meanings), meanings != DROPPED)

    def without_stop_words(
        self, units: Units, whole: Units, codes: AnyArray, bounds: Int64Array
    ) -> Units:
        """Beginnings of words, less those whose whole words are dropped; arguments as above."""
        return _compressed(units, self._meanings_of(whole, codes, bounds) != DROPPED)

    def _meanings_of(self, units: Units, codes: AnyArray, bounds: Int64Array) -> UInt64Array:
        """What stands for each unit; `DROPPED` for stop words."""
        values, offsets, spans = units
        places = spans + np.repeat(bounds[:-1], np.diff(offsets))[:, None]
        return self._memory.meanings(
            values, lambda new: self._learn(values[new], codes, places[new])
        )

    def _learn(self, values: UInt64Array, codes: AnyArray, places: Int64Array) -> UInt64Array:
        """The value that stands for each of these words, which are all different."""
        meanings = values.copy()
        words = spell_lines(codes, places, self._alphabet)
        if self._stemmer is not None:
            stems = self._stemmer.stemWords(words)
            pairs = enumerate(zip(words, stems, strict=True))
            changed = [index for index, (word, stem) in pairs if stem not in ("", word)]
            meanings[changed] = hash_lines([stems[index] for index in changed])
        if self._dropped:
            folded = spell_lines(codes, places, self._folding)
            meanings[[word in self._dropped for word in folded]] = DROPPED
        return meanings


def _compressed(units: Units, kept: BoolArray) -> Units:
    before = np.concatenate([[0], np.cumsum(kept)])
    return Units(units.values[kept], before[units.offsets].astype(np.int64), units.spans[kept])
