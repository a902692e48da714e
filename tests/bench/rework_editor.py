"""An editor that rewords a passage in any language, without a dictionary.

It knows words and sentences only by their letters and marks, so that a text of every script can be
reworded; where a script has no spaces between words, each letter is a word. What it writes makes no
sense. For whoever looks for what is left of a passage it is harder than a person's rewording: it
changes names and numbers as gladly as small words, and a new word has nothing of the old one.
"""

from __future__ import annotations

import random
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from core.text.characters import NO_SPACES

KINDS = ("exchanged", "frequency", "nth", "dropped", "inserted", "swapped", "shuffled", "mixed")
SENTENCE_END = re.compile(r"[.!?。！？।॥։؟۔።។\n]")
BLANK_AT_END = re.compile(r"\s+$")
NEIGHBOURS = 20  # ranks: words about as frequent as another


class Word(NamedTuple):
    """A word and what stands between it and the next."""

    letters: str
    gap: str


class Words(NamedTuple):
    """Where new words come from: those of a document, and those of a corpus by frequency."""

    of_document: Sequence[str]
    by_frequency: ByFrequency


class ByFrequency:
    """The words of a corpus, frequent ones first."""

    def __init__(self, words: Iterable[str]) -> None:
        counts = Counter(words)
        self.words = sorted(counts, key=lambda word: (-counts[word], word))
        self.ranks = {word: rank for rank, word in enumerate(self.words)}

    def near(self, word: str, draw: random.Random) -> str:
        """Another word that is about as frequent."""
        rank = self.ranks.get(word.lower(), len(self.words) - 1)
        reach = NEIGHBOURS + rank // 10
        first = max(0, min(rank - reach, len(self.words) - 1 - 2 * reach))
        return draw.choice(self.words[first : first + 2 * reach + 1])


@cache
def word_pattern() -> re.Pattern[str]:
    """Letters and digits with their marks; of scripts without spaces, a letter with its marks."""
    marks = "".join(
        letter
        for letter in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(letter) in ("Mn", "Mc")
    )
    single = "".join(f"{chr(first)}-{chr(last)}" for first, last in NO_SPACES)
    return re.compile(f"[{single}][{marks}]*|(?:[^\\W_{single}][{marks}]*)+")


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where each word begins and ends."""
    return [match.span() for match in word_pattern().finditer(text)]


def words_of(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return [match.group().lower() for match in word_pattern().finditer(text)]


def sentence_starts(text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Numbers of the words that begin a sentence or a line."""
    ends = (end for _, end in spans[:-1])
    gaps = zip(ends, (start for start, _ in spans[1:]), strict=True)
    return [0, *(n for n, gap in enumerate(gaps, 1) if SENTENCE_END.search(text[slice(*gap)]))]


def rework(text: str, kind: str, share: float, words: Words, draw: random.Random) -> str:
    """The passage with this share of its words changed, at least one.

    Kinds: words `exchanged` by words of the document at random, at random places; by words of the
    same `frequency`; every `nth` one exchanged; words `dropped`, `inserted`, `swapped` with a
    neighbour, which changes two; sentences `shuffled`, and words exchanged; `mixed`: each change
    one of these, and half of the passages with shuffled sentences.
    """
    cut = _cut(text)
    count = min(len(cut), max(1, round(share * len(cut))))
    count = (count + 1) // 2 if kind == "swapped" else count
    if kind == "shuffled" or (kind == "mixed" and draw.random() < 0.5):
        cut = _shuffled(cut, draw)
    numbers = draw.sample(range(len(cut)), count)
    if kind == "nth":
        numbers = _every_nth(len(cut), count)
    chosen = {number: _KIND_OF_CHANGE.get(kind, kind) for number in numbers}
    if kind == "mixed":
        chosen = {number: draw.choice(tuple(_CHANGES)) for number in numbers}
    return _joined(_changed(cut, chosen, words, draw))


def _cut(text: str) -> list[Word]:
    """A passage that begins with a word, word by word."""
    spans = word_spans(text)
    nexts = [*(start for start, _ in spans[1:]), len(text)]
    return [
        Word(text[start:end], text[end:after])
        for (start, end), after in zip(spans, nexts, strict=True)
    ]


def _every_nth(length: int, count: int) -> list[int]:
    return [int((number + 0.5) * length / count) for number in range(count)]


def _shuffled(cut: list[Word], draw: random.Random) -> list[Word]:
    """Sentences in another order; a passage of one sentence is turned around its middle."""
    ends = [index for index, word in enumerate(cut[:-1], 1) if SENTENCE_END.search(word.gap)]
    bounds = [0, *(ends or [len(cut) // 2]), len(cut)]
    sentences = [cut[a:b] for a, b in pairwise(bounds) if b > a]
    last = sentences[-1]
    blank = BLANK_AT_END.search(sentences[0][-1].gap)
    last[-1] = Word(last[-1].letters, last[-1].gap + (blank.group() if blank else ""))
    order = list(sentences)
    while len(sentences) > 1 and order == sentences:
        draw.shuffle(order)
    return [word for sentence in order for word in sentence]


def _changed(
    cut: list[Word], chosen: dict[int, str], words: Words, draw: random.Random
) -> list[Word]:
    """Each chosen word changed in its way."""
    changed: list[Word] = []
    kept: Word | None = None  # a word that is written behind its neighbour
    for index, word in enumerate(cut):
        if chosen.get(index) == "swapped" and kept is None and index + 1 < len(cut):
            kept = word
            continue
        change = _CHANGES.get(chosen.get(index, ""))
        changed += change(word, words, draw) if change else [word]
        if kept is not None:
            changed[-1:] = _after(changed[-1:], kept)
            kept = None
    return changed if kept is None else [*changed, kept]


def _after(before: list[Word], kept: Word) -> list[Word]:
    """Two words in the other order, each followed by what stood there."""
    if not before:
        return [kept]
    (word,) = before
    return [Word(word.letters, kept.gap), Word(kept.letters, word.gap)]


def _exchanged(word: Word, words: Words, draw: random.Random) -> list[Word]:
    return [Word(_like(word.letters, _other_word(word, words.of_document, draw)), word.gap)]


def _same_frequency(word: Word, words: Words, draw: random.Random) -> list[Word]:
    new = word.letters.lower()
    for _ in range(20):
        if (new := words.by_frequency.near(word.letters, draw)) != word.letters.lower():
            break
    return [Word(_like(word.letters, new), word.gap)]


def _dropped(_word: Word, _words: Words, _draw: random.Random) -> list[Word]:
    return []


def _inserted(word: Word, words: Words, draw: random.Random) -> list[Word]:
    new = _other_word(word, words.of_document, draw)
    return [word._replace(gap="" if _is_single(word.letters) else " "), Word(new, word.gap)]


def _as_it_is(word: Word, _words: Words, _draw: random.Random) -> list[Word]:
    return [word]


Change = Callable[[Word, Words, random.Random], list[Word]]
_CHANGES: dict[str, Change] = {
    "exchanged": _exchanged,
    "frequency": _same_frequency,
    "dropped": _dropped,
    "inserted": _inserted,
    "swapped": _as_it_is,  # done where the next word is known
}
_KIND_OF_CHANGE = {"nth": "exchanged", "shuffled": "exchanged"}


def _other_word(word: Word, among: Sequence[str], draw: random.Random) -> str:
    """Another word of these, if there is one."""
    new = word.letters.lower()
    for _ in range(20):
        if (new := draw.choice(among)) != word.letters.lower():
            break
    return new


def _is_single(letters: str) -> bool:
    return any(first <= ord(letters[0]) <= last for first, last in NO_SPACES)


def _like(old: str, new: str) -> str:
    return new.capitalize() if old[0].isupper() else new


def _joined(cut: Iterable[Word]) -> str:
    return "".join(word.letters + word.gap for word in cut).strip()
