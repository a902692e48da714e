"""What was changed between two texts: words that stand in one only, were exchanged or were moved.

1. Passages of both texts (`core.evidence.passages`) that follow each other in the same order hold
   the texts together: their words stand for each other.
2. Of other passages the words were moved, or repeated where those of one text have their
   counterpart already.
3. Between them words are paired as a person would (`core.evidence.word_alignment`).
4. A few words that are the same by chance between longer changes are a part of these.

What is left is a change. Case and punctuation count, white space does not; no setting of a scan
plays a part. The time is nearly linear in the length of both texts.
"""

from __future__ import annotations

from operator import ge
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array
from core.base.progress import Cancelled, never, stop_if
from core.evidence.hunks import ChangeKind, Hunk, blocks, gaps, parted, rising
from core.evidence.passage import Passage
from core.evidence.passages import find_shared_text
from core.evidence.word_alignment import align_gaps
from core.settings import ScanSettings, Unit
from core.text.shingling import Tokens, tokenise

FOLDED = ScanSettings(unit="word", reworked="off")
AS_READ = ScanSettings(unit="word", ignore_case=False, keep_punctuation=True)
HEAVIEST = 8  # letters of a word that count
CHANCE = 3  # words that may be the same by chance


class Change(NamedTuple):
    """One change; spans are code points of the texts, ends excluded.

    Where nothing of a text is changed its span is empty and says where the words of the other would
    stand. Of words that were moved or repeated the spans are both places; other changes may lie
    within. `a_words` and `b_words` count the words of the spans, punctuation not.
    """

    kind: ChangeKind
    a_start: int
    a_end: int
    b_start: int
    b_end: int
    a_words: int
    b_words: int


class Differences(NamedTuple):
    """The changes in reading order of A, and what most words of the texts are."""

    changes: list[Change]
    unit: Unit


def find_differences(text_a: str, text_b: str, cancelled: Cancelled = never) -> Differences:
    """What was changed between two texts.

    Args:
        text_a: A text.
        text_b: Another one.
        cancelled: Polled between the steps, each of which takes a fraction of a second at most.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    passages, floor = find_shared_text(text_a, text_b, FOLDED, cancelled)
    sides = []
    for text in (text_a, text_b):
        stop_if(cancelled)
        sides.append(_Side(tokenise(text, AS_READ), tokenise(text, FOLDED)))
    comparer = _Comparer(sides[0], sides[1], cancelled)
    return Differences(comparer.changes(passages), floor.unit)


class _Side:
    """The words of one text as they are read, punctuation marks among them.

    `away` are those that found their place elsewhere.
    """

    def __init__(self, words: Tokens, folded: Tokens) -> None:
        self.values, self.starts, self.ends = words
        self.folded_starts = folded.starts
        self.places = np.searchsorted(self.starts, folded.starts)
        clipped = np.minimum(self.places, len(self.starts) - 1)
        there = self.starts[clipped] == folded.starts if len(self.starts) else clipped > 0
        self.places[~there] = -1  # a word that is none as it is read
        is_word = np.zeros(len(self.starts) + 1, dtype=np.int64)
        is_word[1:][self.places[there]] = 1
        self._words = np.cumsum(is_word)
        self.away: BoolArray = np.zeros(len(self.starts), dtype=np.bool_)

    def run(self, starts: Int64Array, words: Int64Array) -> Int64Array:
        """The places of so many words, punctuation not, from code points on; -1 for none."""
        first = np.searchsorted(self.folded_starts, starts)
        before = np.cumsum(words) - words
        found: Int64Array = self.places[np.repeat(first - before, words) + np.arange(words.sum())]
        return found

    def span(self, first: int, end: int) -> tuple[int, int]:
        """The code points of some words; of none an empty span behind the word before."""
        if end > first:
            return int(self.starts[first]), int(self.ends[end - 1])
        place = int(self.ends[first - 1]) if first else 0
        return place, place

    def count(self, first: int, end: int) -> int:
        """How many words these are, punctuation not."""
        return int(self._words[end] - self._words[first])


class _Comparer:
    """Compares two texts; pairs are int64 (n, 2), places of words in A and in B, ascending."""

    def __init__(self, a: _Side, b: _Side, cancelled: Cancelled) -> None:
        self._a, self._b = a, b
        self._cancelled = cancelled
        letters = a.ends - a.starts
        self._weights = np.minimum(letters, HEAVIEST).astype(np.uint8)

    def changes(self, passages: list[Passage]) -> list[Change]:
        """All changes, given the passages in reading order of A."""
        pairs = [self._words_of(one) for one in passages]
        held = rising([own for one, own in zip(passages, pairs, strict=True) if not one.moved])
        taken = (np.zeros(len(self._a.values), np.bool_), np.zeros(len(self._b.values), np.bool_))
        taken[0][held[:, 0]], taken[1][held[:, 1]] = True, True
        changes = []
        for own in sorted(pairs, key=len, reverse=True):
            stop_if(self._cancelled)
            for kind, block in blocks(own, taken):
                changes += self._moved(kind, block, taken)
        whole = Hunk(0, len(self._a.values), 0, len(self._b.values))
        changes += self._between(held, whole)
        changes.sort(key=lambda one: (one.a_start, one.b_start, -one.a_end, -one.b_end))
        return changes

    def _words_of(self, passage: Passage) -> Int64Array:
        """The words of a passage that are the same as they are read."""
        runs = np.array(passage.runs, dtype=np.int64)
        in_a = self._a.run(runs[:, 0], runs[:, 4])
        pairs = np.stack([in_a, self._b.run(runs[:, 2], runs[:, 4])], axis=1)
        pairs = pairs[(pairs >= 0).all(axis=1)]
        same: Int64Array = pairs[self._a.values[pairs[:, 0]] == self._b.values[pairs[:, 1]]]
        return same

    def _moved(
        self, kind: ChangeKind, block: Int64Array, taken: tuple[BoolArray, BoolArray]
    ) -> list[Change]:
        """Words that were moved or repeated, and what was changed among them."""
        hunk = self._grown(block, taken)
        changes = [self._change(hunk, kind)]
        if kind is ChangeKind.MOVED:
            changes += self._between(block, hunk)
        for side, used, first, end, kept in (
            (self._a, taken[0], hunk.a, hunk.a_end, ChangeKind.REPEATED_B),
            (self._b, taken[1], hunk.b, hunk.b_end, ChangeKind.REPEATED_A),
        ):
            if kind is not kept:
                side.away[first:end] = used[first:end] = True
        return changes

    def _grown(self, block: Int64Array, taken: tuple[BoolArray, BoolArray]) -> Hunk:
        """From the first word of a block to the last, with the same marks close around it."""
        sides = (self._a, self._b)
        first, end = block[0].tolist(), (block[-1] + 1).tolist()

        def joins(before: list[int], behind: list[int], new: list[int]) -> bool:
            if min(before) < 0 or any(map(ge, behind, map(len, taken))):
                return False
            close = (
                one.ends[x] == one.starts[y]
                for one, x, y in zip(sides, before, behind, strict=True)
            )
            free = not any(used[place] for used, place in zip(taken, new, strict=True))
            return free and all(close) and self._a.values[new[0]] == self._b.values[new[1]]

        while joins(left := [place - 1 for place in first], first, left):
            first = left
        while joins([place - 1 for place in end], end, end):
            end = [place + 1 for place in end]
        return Hunk(first[0], end[0], first[1], end[1])

    def _between(self, held: Int64Array, whole: Hunk) -> list[Change]:
        """What was changed within a part of the texts, of which these words are the same."""
        a, b = self._a.values[whole.a : whole.a_end], self._b.values[whole.b : whole.b_end]
        if np.array_equal(a, b):
            return []
        # Without what was moved away from here.
        stay_a = whole.a + np.flatnonzero(~self._a.away[whole.a : whole.a_end])
        stay_b = whole.b + np.flatnonzero(~self._b.away[whole.b : whole.b_end])
        near = np.stack(
            [np.searchsorted(stay_a, held[:, 0]), np.searchsorted(stay_b, held[:, 1])], axis=1
        )
        pairs = self._pair(stay_a, stay_b, near)
        found = gaps(pairs, len(stay_a), len(stay_b))
        end_a, end_b = np.append(stay_a, whole.a_end), np.append(stay_b, whole.b_end)
        merged = self._merged(found, stay_a, stay_b)
        return [self._change(hunk) for gap in merged for hunk in parted(gap, end_a, end_b)]

    def _pair(self, stay_a: Int64Array, stay_b: Int64Array, held: Int64Array) -> Int64Array:
        """All words that stand for each other, as places among those that stay."""
        a, b = self._a.values[stay_a], self._b.values[stay_b]
        found = gaps(held, len(a), len(b))
        both = (found[:, 1] > found[:, 0]) & (found[:, 3] > found[:, 2])
        aligned = align_gaps(a, b, self._weights[stay_a], found[both], self._cancelled)
        pairs = np.concatenate([held, aligned])
        return pairs[np.argsort(pairs[:, 0], kind="stable")]

    def _merged(self, found: Int64Array, stay_a: Int64Array, stay_b: Int64Array) -> list[Hunk]:
        """The gaps, joined where what stands between them is the same by chance."""
        merged: list[Hunk] = []
        a, b = self._a, self._b
        length_a = np.append(0, np.cumsum((a.ends - a.starts)[stay_a]))
        length_b = np.append(0, np.cumsum((b.ends - b.starts)[stay_b]))

        def size(gap: Hunk) -> int:
            in_a = length_a[gap.a_end] - length_a[gap.a]
            return int(max(in_a, length_b[gap.b_end] - length_b[gap.b]))

        for first_a, end_a, first_b, end_b in found.tolist():
            gap = Hunk(first_a, end_a, first_b, end_b)
            while merged and gap.a - merged[-1].a_end <= CHANCE:
                same = int(length_a[gap.a] - length_a[merged[-1].a_end])
                if same > min(size(merged[-1]), size(gap)) or _is_of_one(merged[-1], gap):
                    break
                before = merged.pop()
                gap = Hunk(before.a, gap.a_end, before.b, gap.b_end)
            merged.append(gap)
        return merged

    def _change(self, hunk: Hunk, kind: ChangeKind | None = None) -> Change:
        if kind is None:
            kind = ChangeKind.EXCHANGED
            if hunk.a == hunk.a_end:
                kind = ChangeKind.ONLY_B
            elif hunk.b == hunk.b_end:
                kind = ChangeKind.ONLY_A
        return Change(
            kind,
            *self._a.span(hunk.a, hunk.a_end),
            *self._b.span(hunk.b, hunk.b_end),
            self._a.count(hunk.a, hunk.a_end),
            self._b.count(hunk.b, hunk.b_end),
        )


def _is_of_one(one: Hunk, other: Hunk) -> bool:
    """Whether one of the texts has no words in either of two hunks."""
    return (one.a == one.a_end and other.a == other.a_end) or (
        one.b == one.b_end and other.b == other.b_end
    )
