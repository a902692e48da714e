"""Word stems of a text whose language is known: which words are forms of one.

Stems are those of the Snowball algorithms (Porter, snowballstem.org). What the first 5 or 6 letters
say instead, for no language, was measured against the inflected forms of the spelling dictionaries
of Hunspell, among the words of real texts in English, German, Russian and Spanish, weighed by how
often they occur. The share of the forms of one word that meet, and of the pairs that meet those
that are such forms:

    first 4 letters   .83 to .92   .25 to .35
    first 5 letters   .66 to .77   .41 to .56
    first 6 letters   .52 to .60   .47 to .70
    Snowball          .77 to .92   .74 to .86

And two words drawn from unrelated text agree as often by stems as by their first 6 letters. So
where a pair is shown, words are compared by stems. The first letters cost nothing and need no
language: they do where every word of a folder is looked at.

A stem is remembered by the value of its word, for all texts together: of a text whose words are
known 300 MB and more a second are looked up, and Snowball takes about a microsecond for a new word.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property

import numpy as np
import Stemmer

from core.base.arrays import Int64Array, UInt64Array
from core.settings import ScanSettings
from core.text.characters import Normalised, alphabet, code_points, normalise
from core.text.set_aside import GAP
from core.text.shingling import Tokens
from core.text.tokenising import WordMemory, joined_words
from core.text.tokens import hash_lines, spell_lines

STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque",
    "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi",
    "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian",
    "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
LONGEST_WORD = 64  # characters; what is longer is no word of a language
FOLDED = ScanSettings()
AS_WRITTEN = FOLDED.with_changes(ignore_case=False)

_memory = WordMemory()  # of all languages, for all texts of a process


def stemmed(text: str, tokens: Tokens, language: str | None) -> UInt64Array:
    """The value of the stem of each word of a text, in lower case.

    Args:
        text: The text.
        tokens: Its words as they are: not of settings that compare stems or characters.
        language: Its code of ISO 639-1.

    Returns:
        uint64, as many as there are tokens. The value of the token itself where the word is its own
        stem, for numbers, ideographs and gaps, and throughout where the language has no stemmer or
        is not known.
    """
    if language not in STEMMERS or not len(tokens.values):
        return tokens.values
    words = _Words(text, tokens, language)
    return _memory.meanings(tokens.values ^ _salt(language), words.stems)


@cache
def _salt(language: str) -> np.uint64:
    """What keeps the same word of several languages apart."""
    return np.uint64(hash_lines([f"stems {language}"])[0])


@cache
def _stemmer(language: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(STEMMERS[language], 0)


class _Words:
    """The words of a text, spelled and stemmed where they are new."""

    def __init__(self, text: str, tokens: Tokens, language: str) -> None:
        self._text = text
        self._tokens = tokens
        self._language = language

    def stems(self, places: Int64Array) -> UInt64Array:
        """The value of the stem of the words at these places; one thread at a time asks."""
        words = self._spelled(places)
        stems = _stemmer(self._language).stemWords(words)
        changed = [
            index
            for index, (word, stem) in enumerate(zip(words, stems, strict=True))
            if stem not in {"", word} and not any(map(str.isdigit, word))
        ]
        values = self._tokens.values[places]
        values[changed] = hash_lines([stems[index] for index in changed])
        return values

    def _spelled(self, places: Int64Array) -> list[str]:
        """The words at these places in lower case; "" for what is no word."""
        words = [""] * len(places)
        values = self._tokens.values[places]
        starts, ends = self._tokens.starts[places], self._tokens.ends[places]
        left = np.flatnonzero((values != GAP) & (ends - starts <= LONGEST_WORD))
        for read, settings in self._readings():
            if not len(left):
                break
            codes, bounds, _ = _taken_out(read, starts[left], ends[left])
            spans = np.stack([bounds[:-1], bounds[1:]], axis=1)
            spelled = spell_lines(codes, spans, alphabet(settings))
            is_read = hash_lines(spelled) == values[left]
            for index in np.flatnonzero(is_read).tolist():
                words[left[index]] = spelled[index].lower()
            left = left[~is_read]
        return words

    def _readings(self) -> Iterator[tuple[str, ScanSettings]]:
        """In which text and by which settings a word is as it was hashed, the usual one first."""
        yield self._text, FOLDED
        yield self._joined, FOLDED
        yield self._joined, AS_WRITTEN

    @cached_property
    def _joined(self) -> str:
        """The text with words whole that line ends divide, and as it is seen."""
        return joined_words([self._text])[0]


def _taken_out(text: str, starts: Int64Array, ends: Int64Array) -> Normalised:
    """Some words of a text, normalised each by itself."""
    words = [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    bounds = np.concatenate([[0], np.cumsum(ends - starts)])
    # A word that a line end divides is known where it is joined.
    return normalise(code_points("".join(words).replace("\n", " ")), bounds)
