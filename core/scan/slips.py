"""Spellings that two documents have and no other: a misspelling that went from one to the other.

A slip is a word of `LEAST_LETTERS` to `MOST_LETTERS` small letters that stands in both documents,
in no capitals in either, and in no other document of the folder; and that with one letter added,
left out or exchanged, or two neighbours swapped, neither the first nor the last, is a usual word:
one that at least `USUAL` other documents have, and that stands in some of them behind the same word
as the slip does, and before the same. Where more than `MOST_OWN` such words stand in both documents
and in no other, as in lists of made-up words, nothing is said of any.

Without the words around it, most such words are others of the language ("compete", "complete"):
that those around it tell them apart is our own finding (`tests/bench/slips.py`). A word that
differs in accents alone is no slip, nor is one with a capital, as names have, or a digit: nobody
can tell a wrong number from another right one. A slip within a passage that both share counts, too:
whoever else has the passage has it without the slip.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.base.tasks import stop_if_cancelled
from core.passages import count_rows
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.text.set_aside import merged
from core.text.shingling import shingle, tokenise

LEAST_LETTERS, MOST_LETTERS = 6, 40
MOST_OWN = 2_000  # words that stand in no other document
NEAR_AT_ONCE = 100_000  # spellings that are counted together
USUAL = 3  # other documents that have a usual word


class Slip(NamedTuple):
    """An unusual spelling that two documents share.

    Attributes:
        word: As it stands in both.
        usual: What others have in its place.
    """

    word: str
    usual: str


def find_slips(scan: Scan, pair: tuple[int, int]) -> tuple[Slip, ...]:
    """The slips that two documents share, in the order of the first; all texts are read for it.

    Other documents with the same text count as one. Text that is set aside does not count, but what
    stands there in another document is no slip, nor is what a copy of either has. There are none
    where both have more than `MOST_OWN` words that no other document has.

    Args:
        scan: A complete scan.
        pair: The numbers of both documents.

    Raises:
        ScanCancelledError: It was cancelled.
    """
    corpus = scan.whole
    words = scan.settings.with_changes(
        unit="word", keep_punctuation=False, k=1, bag=False, ignore_case=True
    )
    numbers = np.delete(np.arange(len(corpus)), pair)
    _, first = np.unique(corpus.representatives()[numbers], return_index=True)
    if len(first) < USUAL:
        return ()
    others = np.zeros(len(corpus), dtype=np.int64)
    others[numbers[first]] = 1
    spelled = [_small_words(scan, number, words) for number in pair]
    both = [word for word in spelled[0] if word in spelled[1]]

    def counted(*rows: UInt64Array) -> list[Int64Array]:
        return count_rows(corpus.texts, rows, words, others, scan.pool)

    hashes = np.array([spelled[0][word][1] for word in both], dtype=np.uint64)
    (elsewhere,) = counted(hashes[:, None])
    own = [word for word, count in zip(both, elsewhere.tolist(), strict=True) if not count]
    if len(own) > MOST_OWN:
        return ()
    letters: dict[str, set[str]] = {}
    for letter in {*"".join(both)}:
        letters.setdefault(_script(letter), set()).add(letter)
    usual: dict[str, str] = {}
    for near in _near_spellings(own, letters):
        stop_if_cancelled()
        asked = shingle([" ".join(spelling for _, spelling in near)], words)
        if len(asked.hashes) != len(near):
            return ()  # of a script without spaces between words
        beside = []
        for words_around in spelled:
            rows = np.array([words_around[word] for word, _ in near], dtype=np.uint64)
            rows[:, 1] = asked.hashes
            beside += [rows[:, :2], rows[:, 1:]]
        alone, together = counted(asked.hashes[:, None], np.concatenate(beside))
        is_usual = (alone >= USUAL) & (together.reshape(4, -1) > 0).all(axis=0)
        for row in sorted(np.flatnonzero(is_usual).tolist(), key=lambda row: -alone[row]):
            if _bare(near[row][0]) != _bare(near[row][1]):
                usual.setdefault(*near[row])
    slips = [Slip(word, usual[word]) for word in own if word in usual]
    aside = np.array(sorted(scan.set_aside.keys() - {*pair}), dtype=np.int64)
    raw = corpus.texts.arranged(aside)
    raw.put_aside(dict.fromkeys(range(len(raw)), ()))
    hashes = np.array([spelled[0][slip.word][1] for slip in slips], dtype=np.uint64)
    (there,) = count_rows(raw, [hashes[:, None]], words, np.ones_like(aside), scan.pool)
    return tuple(slip for slip, count in zip(slips, there.tolist(), strict=True) if not count)


def _small_words(
    scan: Scan, number: int, words: ScanSettings
) -> dict[str, tuple[np.uint64, np.uint64, np.uint64]]:
    """The words of a text that can be slips: the hash of each, between those around it.

    Where it stands several times, those of its first place count.
    """
    text = scan.texts[number]
    tokens = tokenise(text, words, merged(scan.aside(number, number)[0]))
    hashes = scan.whole.texts.shingles(np.array([number]), words).hashes
    places: dict[str, int] = {}
    capital = set()
    for place, span in enumerate(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)):
        word = text[slice(*span)]
        if LEAST_LETTERS <= len(word) <= MOST_LETTERS and word.isalpha():
            if word.islower():
                places.setdefault(word, place)
            else:
                capital.add(word.lower())
    return {
        word: (hashes[place - 1], hashes[place], hashes[place + 1])
        for word, place in places.items()
        if word not in capital and 0 < place < len(hashes) - 1
    }


def _near_spellings(
    own: Sequence[str], letters: Mapping[str, Collection[str]]
) -> Iterator[list[tuple[str, str]]]:
    """Words with each spelling that is one letter off; those of a word are in one batch."""
    near: list[tuple[str, str]] = []
    for word in own:
        near += [(word, spelling) for spelling in _one_letter_off(word, letters[_script(word[0])])]
        if len(near) >= NEAR_AT_ONCE:
            yield near
            near = []
    if near:
        yield near


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _one_letter_off(word: str, letters: Collection[str]) -> Iterator[str]:
    """The words that differ in one letter, or in the order of two; first and last stay."""
    near: set[str] = set()
    for place in range(1, len(word)):
        head, tail = word[:place], word[place:]
        near.update(head + letter + tail for letter in letters)
        if len(tail) > 1:
            near.add(head + tail[1:])
            near.update(head + letter + tail[1:] for letter in letters)
        if len(tail) > 2:
            near.add(head + tail[1] + tail[0] + tail[2:])
    yield from sorted(near - {word})


def _bare(word: str) -> str:
    """A word without accents."""
    return "".join(
        letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter)
    )
