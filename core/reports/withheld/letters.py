"""How the letters of names and texts are read: words, their folded forms, what a reader sees."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import NamedTuple

from core.text.confusables import INVISIBLE, LATIN, LETTERS_END, letters
from core.text.languages import FUNCTION_WORDS

# Letters written out where a keyboard lacks them: Müller and Mueller are one name.
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae"})
_JOINED_BEFORE = {"Arabic": "وفبلكس", "Hebrew": "ובלכמהש"}  # prepositions written with the word
KEPT = 1 << 17  # words whose forms are remembered
_ARABIC_ARTICLE = "ال"


def _marks() -> str:
    """All combining marks as ranges of a character class: a letter and its marks are one."""
    marks = (n for n in range(0x300, 0x20000) if unicodedata.category(chr(n))[0] == "M")
    ranges = (list(run) for _, run in groupby(enumerate(marks), lambda one: one[1] - one[0]))
    return "".join(f"{chr(run[0][1])}-{chr(run[-1][1])}" for run in ranges)


# Scripts without spaces between words, and Korean, where endings are written with the name.
_UNSPACED_LETTER = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
UNSPACED = re.compile(f"{_UNSPACED_LETTER}+")


@cache
def word_pattern() -> re.Pattern[str]:
    """A word: letters with their marks."""
    return re.compile(f"(?:[^\\W\\d_][{_marks()}]*)+")


class Word(NamedTuple):
    """A word of a text: where it stands, and its letters without case and accents."""

    start: int
    end: int
    folded: str


def words_in(text: str) -> Iterator[Word]:
    """The words of a text; digits and signs part them."""
    for found in word_pattern().finditer(text):
        yield Word(found.start(), found.end(), folded(found[0]))


@lru_cache(KEPT)
def folded(word: str) -> str:
    """A word without case and accents."""
    if word.isascii():
        return word.lower()
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(one for one in letters if not unicodedata.combining(one)).casefold()


@lru_cache(KEPT)
def spellings(word: str) -> tuple[str, ...]:
    """The forms that a word of a text may have in a name: itself, and what is written out.

    Without what Arabic and Hebrew write with it, without the s of a genitive.
    """
    plain = folded(word)
    found = [plain]
    if not plain.isascii() or not word.isascii():
        composed = unicodedata.normalize("NFC", word.casefold())
        found.append(folded(composed.translate(_WRITTEN_OUT)))
        for joined in _JOINED_BEFORE.values():
            found += [plain[1:]] if plain[0] in joined and len(plain) > 3 else []
        found += [one.removeprefix(_ARABIC_ARTICLE) for one in found]
    if plain.endswith("s") and len(plain) > 4:
        found.append(plain[:-1])
    return tuple(dict.fromkeys(filter(None, found)))


def parts_of(name: str) -> list[str]:
    """The words of a name as it is written: at capitals, digits and signs it is parted."""
    parts = []
    for found in word_pattern().finditer(unicodedata.normalize("NFC", name)):
        word, start = found[0], 0
        for place in range(1, len(word)):
            if word[place].isupper() and word[place - 1].islower():
                parts.append(word[start:place])
                start = place
        parts.append(word[start:])
    return parts


class Skeleton(NamedTuple):
    """A text as it is read: folded letters and digits, look-alikes as Latin, nothing invisible.

    Attributes:
        letters: What else parts words is a space.
        places: Where each of them stands in the text.
    """

    letters: str
    places: Sequence[int]


# "K o w a l", "K.o.w.a.l": single letters with signs between them; and a word that a line parts,
# which needs no hyphen where words are not parted by spaces.
_SPACED = re.compile(r"(?<![^\W_])[^\W_](?:[\W_]{1,3}[^\W_]){2,}(?![^\W_])")
_BROKEN = re.compile(
    r"[-\u00ad\u2010\u2011]\s*\n\s*(?=[^\W\d_])"
    rf"|(?<={_UNSPACED_LETTER})\s*\n\s*(?={_UNSPACED_LETTER})"
)


def skeleton(text: str) -> Skeleton:
    """The letters of a text that a reader sees, however they are written."""
    left_out = {
        place
        for found in _SPACED.finditer(text)
        for place in range(*found.span())
        if not text[place].isalnum()
    }
    for found in _BROKEN.finditer(text):
        left_out.update(range(*found.span()))
    read, places = [], []
    for place, character in enumerate(text):
        seen = "" if place in left_out else _seen(character)
        read.append(seen)
        places += [place] * len(seen)
    return Skeleton("".join(read), places)


@lru_cache(KEPT)
def _seen(character: str) -> str:
    """What is seen of a character: folded, "" for nothing, a space for what parts words."""
    if character.isascii():
        return character.lower() if character.isalnum() else " "
    code = ord(character)
    if letters().facts[code] & INVISIBLE or unicodedata.category(character) in {"Cf", "Mn"}:
        return ""
    if code < LETTERS_END:
        character = chr(int(letters().looks_like[LATIN][code]))
    character = unicodedata.normalize("NFKC", character)  # a letter in a circle is one
    return folded(character) if character.isalnum() else " "


@cache
def _function_words() -> frozenset[str]:
    return frozenset(folded(one) for words in FUNCTION_WORDS.values() for one in words.split())


def is_function_word(word: str) -> bool:
    """Whether a folded word is one of those that every text of some language has."""
    return word in _function_words()


# Not those that are parts of names: de la Cruz, van der Berg, El Sayed.
_DETERMINERS = """
the a an this that these those each every any some no our my his her its their your such
die das dem ein eine einen einem einer eines dieser diese dieses diesem diesen jede jeder jedes kein
keine unser unsere les un une ce cet cette ces mon son sa ses leur leurs notre nos votre vos los las
una unos unas este esta estos estas su sus nuestro nuestra il lo gli uno questo questa nel nella um
uma os as het een dit deze
"""


@cache
def _determiners() -> frozenset[str]:
    return frozenset(_DETERMINERS.split())


def is_determiner(word: str) -> bool:
    """Whether a noun stands behind a folded word, and mostly no name: the, this, our, eine."""
    return word in _determiners()


def digits_of(text: str) -> str:
    """A text with all its digits as those of ASCII."""
    if text.isascii():
        return text
    return "".join(str(unicodedata.digit(one, one)) for one in text)
