"""In how many documents some words in a row stand, and where they are in each.

A gram is so many words in a row. Its key keeps the upper bits of its hash; the lower ones name the
document, so that sorted keys tell how many documents hold it. Of very many words one range of keys
is gathered after the other: what is held at once does not grow with the corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from core.aside.words import Words
from core.base.arrays import BoolArray, Int64Array, UInt64Array
from core.candidates.sorted_keys import distinct, members

AT_ONCE = 1 << 25  # words whose keys are held together, about a quarter of a gigabyte


class GramCounts(NamedTuple):
    """Grams that stand in several documents.

    Attributes:
        keys: uint64, ascending: the upper bits of their hashes.
        documents: int64, in how many documents each stands.
        bits: How many lower bits were cut off.
    """

    keys: UInt64Array
    documents: Int64Array
    bits: np.uint64

    def in_at_least(self, fewest: int) -> GramCounts:
        """Those that stand in at least so many documents."""
        many = self.documents >= fewest
        return self._replace(keys=self.keys[many], documents=self.documents[many])

    def holds(self, grams: UInt64Array) -> BoolArray:
        """Which of some hashes are among them."""
        return members(self.keys, grams >> self.bits)

    def counts(self, grams: UInt64Array) -> Int64Array:
        """In how many documents each of some hashes stands; 0 for those that are not among them."""
        if not len(self.keys):
            return np.zeros(len(grams), dtype=np.int64)
        keys = grams >> self.bits
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[place] == keys, self.documents[place], 0)


def count_grams(
    words: Callable[[], Iterable[Words]], length: int, documents: int, total: int, fewest: int
) -> GramCounts:
    """Count the grams of some texts that stand in at least so many of them.

    Args:
        words: Gives the words, batch by batch, each time it is called.
        length: Words in a gram.
        documents: How many texts there are.
        total: About how many words they have.
        fewest: In how many documents a gram must stand.
    """
    bits = bits_for(documents)
    ranges = max(1, -(-total // AT_ONCE))
    parts = [
        _count_range(words(), length, bits, (number, ranges), fewest) for number in range(ranges)
    ]
    return GramCounts(
        np.concatenate([one.keys for one in parts]),
        np.concatenate([one.documents for one in parts]),
        bits,
    )


def _count_range(
    batches: Iterable[Words], length: int, bits: np.uint64, part: tuple[int, int], fewest: int
) -> GramCounts:
    number, ranges = part
    low, high = (number << 64) // ranges, ((number + 1 << 64) // ranges) - 1
    gathered = [np.empty(0, dtype=np.uint64)]
    for words in batches:
        grams, owners = _grams_in(words, length)
        if ranges > 1:
            chosen = (grams >= np.uint64(low)) & (grams <= np.uint64(high))
            grams, owners = grams[chosen], owners[chosen]
        gathered.append(distinct([(grams >> bits << bits) | owners]))
    keys = distinct(gathered) >> bits
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])) if len(keys) else keys
    counts = np.diff(np.append(starts, len(keys))).astype(np.int64)
    many = counts >= fewest
    return GramCounts(keys[starts.astype(np.int64)[many]], counts[many], bits)


def gram_keys(words: Words, length: int, bits: np.uint64) -> UInt64Array:
    """The keys of the grams of some texts, each as often as texts have it.

    Args:
        words: Of texts whose numbers are below 2 to the power of `bits`.
        length: Words in a gram.
        bits: How many lower bits are cut off.
    """
    grams, owners = _grams_in(words, length)
    return distinct([(grams >> bits << bits) | owners]) >> bits


def bits_for(documents: int) -> np.uint64:
    """How many lower bits of a hash name one of so many documents."""
    return np.uint64(max(documents.bit_length(), 1))


def _grams_in(words: Words, length: int) -> tuple[UInt64Array, UInt64Array]:
    """The grams of some texts, and which text each is in, both uint64."""
    places = words.inside(length)
    owners = words.numbers[words.rows(places)].astype(np.uint64)
    return words.grams(length)[places], owners


def covered(words: Words, places: Int64Array, length: int) -> BoolArray:
    """Which words lie within so many words from one of some places on, which all fit."""
    change = np.zeros(len(words.values) + 1, dtype=np.int64)
    np.add.at(change, places, 1)
    np.add.at(change, places + length, -1)
    return np.cumsum(change[:-1]) > 0


def runs_of(words: Words, chosen: BoolArray) -> Iterator[tuple[int, int, int]]:
    """Words in a row that are chosen, within a text: its row, first word and last word + 1."""
    if not chosen.any():
        return
    breaks = np.zeros(len(chosen), dtype=np.bool_)
    breaks[words.offsets[:-1][words.offsets[:-1] < len(chosen)]] = True
    before = np.append(False, chosen[:-1])
    after = np.append(chosen[1:], False)
    starts = np.flatnonzero(chosen & (~before | breaks))
    ends = np.flatnonzero(chosen & (~after | np.append(breaks[1:], True))) + 1
    rows = words.rows(starts)
    yield from zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True)
