"""Edits that people make to a text they copy: words changed, paragraphs moved, a page pasted.

Words are told by the engine's classes of characters, so a script without spaces is edited character
by character, and nothing depends on a language: new words are words of the same folder.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array
from core.settings import ScanSettings
from core.text.characters import ALONE, IGNORED, LETTER, MARK, alphabet, code_points

WORDS = ScanSettings()  # whatever is compared, edits are made to words
PAGE_WORDS = 300
PAGE_CHARACTERS = 500  # of a script without spaces
WORDS_OF_A_TEXT = 200  # that enter the vocabulary
PIECE_WORDS = 60  # of a text without paragraphs
FEWEST_PIECES = 3
SHORTEST_PARAGRAPH = 100  # characters on average; less are lines that were broken
TRIES = 8
SENTENCE_END = re.compile(r"(?<=[.!?;。！？；।؟])\s*|\n+")
DELETE, INSERT = 2, 3  # of four ways to change a word; the others replace it


class Words(NamedTuple):
    """The words of a text: start and end of each in code points, and whether it stands alone.

    What stands alone is a letter of a script without spaces.
    """

    starts: Int64Array
    ends: Int64Array
    alone: BoolArray


def words_of(text: str) -> Words:
    """The words of a text as it stands, without normalising, whatever its script."""
    kind = alphabet(WORDS).kind[code_points(text)]
    alone = kind == ALONE
    goes_on = (kind == LETTER) | (kind == MARK) | (kind == IGNORED)
    begins = alone | ((kind == LETTER) & ~np.concatenate([[False], goes_on[:-1]])[: len(kind)])
    starts = np.flatnonzero(begins)
    breaks = np.append(np.flatnonzero(begins | ~goes_on), len(kind))
    ends = breaks[np.searchsorted(breaks, starts, side="right")]
    return Words(starts, ends, alone[starts])


class EditWords:
    """Words of a folder, as often as they occur, to put in the place of others.

    What stands alone is replaced by its like, and a word by a word.
    """

    def __init__(self, texts: Sequence[str], rng: np.random.Generator) -> None:
        self._words: dict[bool, list[str]] = {False: [], True: []}
        for text in texts:
            words = words_of(text)
            count = len(words.starts)
            for place in rng.integers(0, max(1, count), min(count, WORDS_OF_A_TEXT)):
                word = text[words.starts[place] : words.ends[place]]
                self._words[bool(words.alone[place])].append(word)

    def other(self, word: str, draw: float, *, alone: bool) -> str:
        """The word at this place, 0 to 1, or the first after it that differs; empty if none does.

        Words that differ by case only are the same.
        """
        words = self._words[alone]
        first = int(draw * len(words))
        nearby = islice(chain(words[first : first + TRIES], words), TRIES)
        return next((other for other in nearby if other.casefold() != word.casefold()), "")


def change_words(text: str, share: float, others: EditWords, rng: np.random.Generator) -> str:
    """The text with this share of its words changed, rounded to whole words.

    Half of these are replaced, a quarter is deleted, and after a quarter a word is inserted.
    """
    words = words_of(text)
    count = round(share * len(words.starts))
    places = np.sort(rng.choice(len(words.starts), count, replace=False))
    columns = (words.starts[places], words.ends[places], words.alone[places])
    ways, draws = rng.integers(0, 4, count), rng.random(count)
    parts = []
    copied = 0
    for start, end, alone, way, draw in zip(
        *(column.tolist() for column in (*columns, ways, draws)), strict=True
    ):
        other = others.other(text[start:end], draw, alone=alone)
        if way == INSERT and other:
            parts += [text[copied:end], "" if alone else " ", other]
        else:
            parts += [text[copied:start], "" if way == DELETE else other]
        copied = end
    return "".join([*parts, text[copied:]])


def shuffle_paragraphs(text: str, rng: np.random.Generator) -> str:
    """The text with its paragraphs in another order; without any, pieces of about 60 words."""
    pieces, between = _pieces(text)
    order = rng.permutation(len(pieces))
    if (order == np.arange(len(order))).all():
        order = order[::-1]
    return between.join(pieces[place] for place in order)


def move_sentences(text: str, rng: np.random.Generator) -> str:
    """The text with its sentences in another order; one sentence stays as it is."""
    sentences = [one for one in SENTENCE_END.split(text) if one.strip()]
    return " ".join(sentences[place] for place in rng.permutation(len(sentences)))


def _pieces(text: str) -> tuple[list[str], str]:
    for between in ("\n\n", "\n"):
        pieces = [piece for piece in text.split(between) if piece.strip()]
        enough = len(pieces) >= FEWEST_PIECES
        if enough and sum(map(len, pieces)) >= SHORTEST_PARAGRAPH * len(pieces):
            return pieces, between
    starts = words_of(text).starts
    length = max(1, min(PIECE_WORDS, len(starts) // 4))
    cuts = starts[length::length].tolist()
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, None], strict=True)], " "


def paste_page(host: str, source: str, rng: np.random.Generator) -> str:
    """The host with about a page of the source in it, as paragraphs of its own between two words.

    A page has 300 words, or 500 characters of a script without spaces; a shorter source goes in
    whole.
    """
    words = words_of(source)
    page = PAGE_CHARACTERS if words.alone.mean() > 0.5 else PAGE_WORDS
    length = min(page, len(words.starts))
    first = int(rng.integers(0, len(words.starts) - length + 1))
    pasted = source[words.starts[first] : words.ends[first + length - 1]]
    gaps = np.append(words_of(host).starts, len(host))
    gap = int(gaps[rng.integers(0, len(gaps))])
    return f"{host[:gap]}\n\n{pasted}\n\n{host[gap:]}"
