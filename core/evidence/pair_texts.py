"""One text of a pair as passages are looked for in it: its words, their forms, their beginnings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np

from core.base.arrays import Int64Array, UInt8Array
from core.evidence.passage_selection import OTHER_GAP
from core.evidence.passage_words import Words
from core.evidence.substitution import HEAVIEST
from core.settings import ScanSettings, Unit
from core.text.characters import ALONE, alphabet, code_points
from core.text.languages import detect
from core.text.set_aside import GAP, SetAside, merged
from core.text.shingling import tokenise
from core.text.stems import STEMMERS, stemmed
from core.text.word_beginnings import SpannedBeginnings, spanned_beginnings

NUMBER = np.uint64(0x6A09E667F3BCC909)  # for the first digit of all: one number is as another


class PairText:
    """One text of a pair.

    Attributes:
        text: The text.
        values: uint64, its words as the settings compare them; `GAP` where text is set aside.
        starts: int64, where each begins, in code points.
        ends: int64, where each ends.
    """

    def __init__(
        self,
        text: str,
        settings: ScanSettings,
        set_aside: Sequence[SetAside] = (),
        language: str | None = None,
    ) -> None:
        self.text = text
        self._settings = _of_words(settings)
        self._set_aside = set_aside
        self._aside = merged(set_aside)
        self._language = language
        self._words: dict[str, Words] = {}
        self._tokens = tokenise(text, self._settings, self._aside)
        self.values, self.starts, self.ends = self._tokens

    @cached_property
    def as_second(self) -> PairText:
        """This text as the second one of a pair: a gap in it is not as one in the first."""
        gaps = self.values == GAP
        if not gaps.any():
            return self
        second = PairText(self.text, self._settings, self._set_aside, self._language)
        second.values = np.where(gaps, OTHER_GAP, self.values)
        return second

    def comes_before(self, other: PairText) -> bool:
        """Whether this text is compared as the first: what it says decides, not what it is called.

        The longer one is the first; of two that are as long the one whose characters come first.
        """
        if len(self.text) != len(other.text):
            return len(self.text) > len(other.text)
        if self.text != other.text:
            return self.text < other.text
        first: bool = self._aside.tolist() < other._aside.tolist()
        return first

    @cached_property
    def language(self) -> str:
        """As it was given, or as it is detected; empty where it is not known."""
        return detect(self.text) if self._language is None else self._language

    @cached_property
    def beginnings(self) -> SpannedBeginnings:
        """Its words as reworked passages are found by them."""
        return spanned_beginnings(self.text, self._settings, self._aside)

    @cached_property
    def alone(self) -> Int64Array:
        """How many of its first words are letters of a script without spaces."""
        counts = np.zeros(len(self.starts) + 1, dtype=np.int64)
        np.cumsum(self._kinds(self._settings) == ALONE, out=counts[1:])
        return counts

    def unit(self, first: int, end: int) -> Unit:
        """What most words of a stretch are."""
        return _unit(self.alone[end] - self.alone[first], end - first)

    def unit_with(self, other: PairText) -> Unit:
        """What most words of two texts are."""
        alone = self.alone[-1] + other.alone[-1]
        return _unit(alone, len(self.values) + len(other.values))

    def words_of(self, spans: Int64Array) -> Int64Array:
        """Spans of `beginnings`, first and end, as spans of words: int64 (n, 2)."""
        begun = self.beginnings
        first = np.searchsorted(self.ends, begun.starts[spans[:, 0]], side="right")
        end = np.searchsorted(self.starts, begun.ends[spans[:, 1] - 1], side="left")
        return np.stack([first, end], axis=1)

    def words(self, language: str) -> Words:
        """Its words, ready to be compared with those of another text in the same language.

        Forms of one word are told by their stem, or by their beginning where there are no stems.
        """
        if language not in self._words:
            self._words[language] = self._words_in(language)
        return self._words[language]

    def _words_in(self, language: str) -> Words:
        if language in STEMMERS and not self._settings.stem:
            forms = stemmed(self.text, self._tokens, language)
        else:
            begun = self.beginnings
            at = np.minimum(np.searchsorted(begun.starts, self.starts), len(begun.starts) - 1)
            known = begun.starts[at] == self.starts
            forms = np.where(known, begun.values[at], self.values)
        forms = np.where(self._tokens.values == GAP, self.values, forms)
        is_number = self._kinds(self._settings) != self._kinds(_without_digits(self._settings))
        letters = np.minimum(self.ends - self.starts, HEAVIEST).astype(np.uint8)
        return Words(self.values, forms, np.where(is_number, NUMBER, forms), letters)

    def _kinds(self, settings: ScanSettings) -> UInt8Array:
        """The class of the first letter of each word under some settings."""
        kinds: UInt8Array = alphabet(settings).kind[code_points(self.text)[self.starts]]
        return kinds


@lru_cache(maxsize=8)
def _of_words(settings: ScanSettings) -> ScanSettings:
    """Settings as passages are found with them; every change is checked, so it is made once."""
    return settings.with_changes(unit="word", keep_punctuation=False)


@lru_cache(maxsize=8)
def _without_digits(settings: ScanSettings) -> ScanSettings:
    return settings.with_changes(keep_digits=False)


def _unit(alone: int, words: int) -> Unit:
    return "char" if 2 * alone > words else "word"


def comparable_words(a: PairText, b: PairText) -> tuple[Words, Words]:
    """The words of two texts: by their stems where both are in one language that has them."""
    language = a.language
    if language and language != b.language:
        language = ""
    return a.words(language), b.words(language)
