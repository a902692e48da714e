"""Words that a line break divides: "exam-" at the end of a line and "ple" at the next are one word.

In plain text a hyphen at the end of a line may belong to the word ("well-" and "known"), so that it
is joined only where the text itself says that it should be: the whole word stands elsewhere in it,
and the two halves do not stand side by side. Where words are broken throughout a text, those that
stand nowhere else are joined, too, unless both halves do. Measured on 2,000 bills, licences and
terms wrapped again: of 944 words with a hyphen of their own, wrapped as programs do, 1 was
joined; of 61,000 broken at the ends of short lines 96 % were, and of 2,300 with a hyphen of their
own among these 36 %.

The text keeps its length: hyphen, line end and indentation become characters that do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int32Array, Int64Array, UInt32Array, UInt64Array
from core.settings import ScanSettings
from core.text.characters import FILLER, IGNORED, alphabet, characters, code_points
from core.text.nfkc_tables import ORDERED, forms

USUAL = ScanSettings()
LINE_END = 0x0A
HYPHENS = (0x2D, 0x2010)
SOFT_HYPHEN = 0xAD
LONGEST_HALF = 40  # letters; more are no word
INDENTATION = " \t"
FEWEST_TOLD = 2  # words of one kind that tell what the others are
MAJORITY = 2  # times as many as of the other kind
TELLING_HALF = 3  # letters: "third" in "third-party" tells more than "co" in "co-owner"
AT_ONCE = 1 << 19  # characters that are looked at together
MOST_BREAKS = 1 << 18  # every third line of a text of the greatest length that is read
MAY_BE_LETTER = np.array([chr(code).isalpha() for code in range(0x80)] + [True])
PAIR_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Break(NamedTuple):
    """A hyphen at the end of a line, between two halves of what may be one word.

    Attributes:
        start: Where the first half begins.
        hyphen: Where the hyphen stands.
        rest: Where the second half begins.
        end: Where it ends.
    """

    start: int
    hyphen: int
    rest: int
    end: int

    def word(self, text: str) -> str:
        """Both halves as one word."""
        return text[self.start : self.hyphen] + text[self.rest : self.end]


def hyphens_at_line_ends(text: str) -> Int64Array:
    """Where lines end in a hyphen that may stand behind a letter."""
    return np.concatenate([np.empty(0, dtype=np.int64), *_hyphens(text)])


def _hyphens(text: str) -> Iterator[Int64Array]:
    """The same, some lines after the other: a text of nothing but line ends has very many."""
    if "\n" not in text:
        return
    for start in range(1, len(text), AT_ONCE):
        first = max(0, start - 2)
        codes = code_points(text[first : start + AT_ONCE])
        last = np.flatnonzero(codes[start - first :] == LINE_END) + (start - first - 1)
        kinds, before = codes[last], codes[np.maximum(last - 1, 0)]
        is_hyphen = (kinds == HYPHENS[0]) | (kinds == HYPHENS[1]) | (kinds == SOFT_HYPHEN)
        yield np.compress(is_hyphen & MAY_BE_LETTER[np.minimum(before, 0x80)], last) + first


def find_breaks(text: str) -> list[Break]:
    """The breaks of a text after which a line goes on with a small letter, in order.

    There are none in a text with more than `MOST_BREAKS`: no book has so many.
    """
    places = (place for some in _hyphens(text) for place in some.tolist())
    found = (one for place in places if (one := _break_at(text, place)))
    breaks = list(islice(found, MOST_BREAKS + 1))
    return breaks if len(breaks) <= MOST_BREAKS else []


def _break_at(text: str, hyphen: int) -> Break | None:
    start = hyphen
    while start > 0 and hyphen - start <= LONGEST_HALF and text[start - 1].isalpha():
        start -= 1
    rest = hyphen + 2
    while rest < len(text) and text[rest] in INDENTATION:
        rest += 1
    end = rest
    while end < len(text) and end - rest <= LONGEST_HALF and text[end].isalpha():
        end += 1
    if start == hyphen or end == rest or not text[rest].islower():
        return None
    # "state-of-" and "the-art" are hyphenated for themselves.
    if text[start - 1 : start] in {"-", "\u2010"} or text[end : end + 1] in {"-", "\u2010"}:
        return None
    return Break(start, hyphen, rest, end)


def join_broken_words(text: str, values_of: Callable[[str], UInt64Array]) -> str:
    """A text of the same length in which the words count as whole that line ends divide.

    Args:
        text: The text.
        values_of: Gives the values of all words of a text, in order.
    """
    breaks = find_breaks(text)
    if not breaks:
        return text
    joined = np.array([ord(text[one.hyphen]) == SOFT_HYPHEN for one in breaks])
    if not joined.all():
        joined = joined | to_be_joined(_evidence(text, breaks, values_of))
    return _without(text, [one for one, is_one in zip(breaks, joined, strict=True) if is_one])


def join_among_unseen(text: str, values_of: Callable[[str], UInt64Array]) -> str:
    """The same for a text with invisible characters, which may stand in words and at line ends.

    Marks move to the letter that they belong to, so that both are normalised as one.
    """
    codes = code_points(text).astype(np.uint32, copy=False)
    counts = alphabet(USUAL).kind[codes] != IGNORED
    ends = (codes[:-1] == SOFT_HYPHEN) & (codes[1:] == LINE_END)
    if 2 * np.count_nonzero(ends) >= np.count_nonzero(codes == SOFT_HYPHEN):
        counts[:-1] |= ends  # otherwise they are strewn
    places = np.flatnonzero(counts).astype(np.int32)  # no text has 2^31 characters
    visible = characters(codes[places])
    joined = join_broken_words(visible, values_of)
    closer = _close_to_letters(codes, places)
    if joined == visible and closer is places:
        return text
    read = np.full(len(codes), ord(FILLER), dtype=np.uint32)
    read[closer] = code_points(joined)
    return characters(read)


def _close_to_letters(codes: UInt32Array, places: Int32Array) -> Int32Array:
    """The places of these characters when no invisible one parts a mark from its letter."""
    continues = forms().role[codes[places]] >= ORDERED
    if not continues.any():
        return places
    numbers = np.arange(len(places), dtype=np.int32)
    letter = np.maximum.accumulate(np.where(continues, np.int32(0), numbers))
    closer = places[letter] + numbers - letter
    return places if np.array_equal(closer, places) else np.asarray(closer)


class WordEvidence(NamedTuple):
    """What a text says elsewhere about words that may be broken, bool by break.

    Attributes:
        whole: The whole word stands there.
        apart: Its halves stand side by side.
        halves: Both stand somewhere, and are long enough to tell.
    """

    whole: BoolArray
    apart: BoolArray
    halves: BoolArray


def to_be_joined(evidence: WordEvidence) -> BoolArray:
    """Which breaks divide one word."""
    whole, apart, halves = evidence
    told = whole & ~apart
    broken, hyphenated = np.count_nonzero(told), np.count_nonzero(apart & ~whole)
    usual = broken >= FEWEST_TOLD and broken > MAJORITY * hyphenated
    return np.asarray(told | (~whole & ~apart & ~halves & usual))


def _evidence(
    text: str, breaks: Sequence[Break], values_of: Callable[[str], UInt64Array]
) -> WordEvidence:
    first = _each([text[one.start : one.hyphen] for one in breaks], values_of)
    second = _each([text[one.rest : one.end] for one in breaks], values_of)
    whole = _each([one.word(text) for one in breaks], values_of)
    words = values_of(text)
    neighbours, own = words[:-1] * PAIR_FACTOR + words[1:], first * PAIR_FACTOR + second
    halves = np.concatenate([first, second])
    elsewhere = _count(words, halves) > _count(halves, halves)
    long = [min(one.hyphen - one.start, one.end - one.rest) >= TELLING_HALF for one in breaks]
    return WordEvidence(
        _count(words, whole) > 0,
        _count(neighbours, own) > _count(own, own),
        elsewhere[: len(first)] & elsewhere[len(first) :] & long,
    )


def _each(words: list[str], values_of: Callable[[str], UInt64Array]) -> UInt64Array:
    """The value of each word; 0 for what is not one word, as ideographs are not."""
    values = values_of("\n".join(words))
    if len(values) == len(words):
        return values
    alone = [values_of(word) for word in words]
    return np.array([one[0] if len(one) == 1 else 0 for one in alone], dtype=np.uint64)


def _count(values: UInt64Array, asked: UInt64Array) -> Int64Array:
    ordered = np.sort(values)
    return np.searchsorted(ordered, asked, side="right") - np.searchsorted(ordered, asked)


def _without(text: str, breaks: Sequence[Break]) -> str:
    """The text with characters that do not count in the place of these breaks."""
    parts, done = [], 0
    for one in breaks:
        parts += [text[done : one.hyphen], FILLER * (one.rest - one.hyphen)]
        done = one.rest
    return "".join([*parts, text[done:]])
