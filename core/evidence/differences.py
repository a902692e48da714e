"""The changes between two texts: words that are in one only, were exchanged or were moved.

1. Passages of both texts (`core.evidence.passages`) that follow each other in the same order align
   the texts: their words correspond. They are those that the compare view marks, reworked ones too,
   and where it marks none, those that are found word for word.
2. The words of other passages were moved, or repeated if those of one text have their counterpart
   already.
3. Between them words are paired as a person would pair them (see below).
4. A few words that are the same by chance between longer changes are a part of these, unless a
   passage pairs them.

The rest is a change. Case and punctuation count; white space does not, nor do the signs with which
quotation marks, apostrophes and dashes are written; no setting of a scan plays a part. A figure
with marks in it, as "1,500,000", is one word: whoever reads a change must see how much it was and
is. The time is nearly linear in the length of both texts.

Which words of two short stretches of text correspond, as a person would pair them.

The words in common of two sequences, in order, with the greatest weight (longest common
subsequence: Wagner and Fischer 1974), found cell by cell. A word weighs as many letters as it has,
up to a limit, and one more if the word before it is paired too, so that neighbours stay together.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from operator import ge
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import (
    BoolArray,
    Int64Array,
    UInt8Array,
    UInt64Array,
    equal_parts,
    indices_from,
)
from core.base.compiling import njit
from core.base.hashing import mix
from core.base.patterns import lazy_pattern
from core.base.tasks import stop_if_cancelled
from core.evidence.passage import ChangeKind, Hunk, Passage, Run
from core.evidence.passage_words import LEAST_MOVED, between
from core.evidence.passages import find_shared_text
from core.settings import ScanSettings, Unit
from core.text.shingling import Tokens, tokenise

MOST_CELLS = 400_000  # of a gap: two pages each; in larger ones words would be alike by chance
AT_ONCE = 20_000_000  # cells between two checks for cancelling
MATCH, UP, LEFT, STEP, GOES_ON = 1, 2, 3, 3, 4  # two bits for the way, one for the pair before


def align_gaps(a: UInt64Array, b: UInt64Array, weights: UInt8Array, gaps: Int64Array) -> Int64Array:
    """Pair the words within each gap.

    Args:
        a: Values of the words of a text.
        b: Values of the words of another text.
        weights: uint8, of each word of `a`.
        gaps: int64 (n, 4), first word and end in `a`, the same in `b`; ascending, apart. In a gap
            with more than `MOST_CELLS` cells only equal words at both ends are paired; in one that
            is empty on one side nothing is.

    Returns:
        int64 (n, 2), indices of words in `a` and in `b`, ascending in both.
    """
    pairs = []
    ways = np.empty(MOST_CELLS, dtype=np.uint8)
    cells = np.minimum((gaps[:, 1] - gaps[:, 0]) * (gaps[:, 3] - gaps[:, 2]), MOST_CELLS)
    for part in equal_parts(cells, AT_ONCE):
        stop_if_cancelled()
        pairs.append(_align(a, b, weights, gaps[part], ways))
    return np.concatenate([np.empty((0, 2), dtype=np.int64), *pairs])


@njit(nogil=True, cache=True)
def _align(a: Any, b: Any, weights: Any, gaps: Any, ways: Any) -> Any:
    room, most = 1, 0
    for gap in range(len(gaps)):
        columns = gaps[gap, 3] - gaps[gap, 2]
        room += min(gaps[gap, 1] - gaps[gap, 0], columns)
        most = max(most, min(columns, len(ways)))
    pairs = np.empty((room, 2), dtype=np.int64)
    count = 0
    best = np.empty(most + 1, dtype=np.int64)  # by column: the weight of the best pairs up to it
    ending = np.empty(most + 1, dtype=np.int64)  # the same with a pair in it; -1 for none
    for gap in range(len(gaps)):
        first_a, end_a, first_b, end_b = gaps[gap, 0], gaps[gap, 1], gaps[gap, 2], gaps[gap, 3]
        while first_a < end_a and first_b < end_b and a[first_a] == b[first_b]:
            pairs[count, 0], pairs[count, 1] = first_a, first_b
            first_a, first_b, count = first_a + 1, first_b + 1, count + 1
        same = 0
        while first_a < end_a and first_b < end_b and a[end_a - 1] == b[end_b - 1]:
            end_a, end_b, same = end_a - 1, end_b - 1, same + 1
        rows, columns = end_a - first_a, end_b - first_b
        if not 0 < rows * columns <= len(ways):
            rows = 0
        for column in range(columns + 1 if rows else 0):
            best[column], ending[column] = 0, -1
        for row in range(rows):
            weight = np.int64(weights[first_a + row])
            corner, corner_ending = np.int64(0), np.int64(-1)
            for column in range(columns):
                above, above_ending = best[column + 1], ending[column + 1]
                way = UP if above >= best[column] else LEFT
                value, paired, goes_on = max(above, best[column]), np.int64(-1), 0
                if a[first_a + row] == b[first_b + column]:
                    paired = corner + weight
                    if corner_ending >= 0 and corner_ending + 1 >= corner:
                        paired, goes_on = corner_ending + weight + 1, GOES_ON
                    if paired >= value:
                        value, way = paired, MATCH
                ways[row * columns + column] = way + goes_on
                corner, corner_ending = above, above_ending
                best[column + 1], ending[column + 1] = value, paired
        # Trace back from the end; then reverse the pairs.
        low, row, column = count, rows - 1, columns - 1
        is_pair = False
        while row >= 0 and column >= 0:
            way = ways[row * columns + column]
            if is_pair or way & STEP == MATCH:
                pairs[count, 0], pairs[count, 1] = first_a + row, first_b + column
                count += 1
                is_pair = way >= GOES_ON
                row -= 1
                column -= 1
            elif way & STEP == UP:
                row -= 1
            else:
                column -= 1
        high = count - 1
        while low < high:
            for side in range(2):
                value = pairs[low, side]
                pairs[low, side] = pairs[high, side]
                pairs[high, side] = value
            low, high = low + 1, high - 1
        for index in range(same):
            pairs[count, 0], pairs[count, 1] = end_a + index, end_b + index
            count += 1
    return pairs[:count].copy()


FOLDED = ScanSettings(unit="word", reworked="off")
AS_READ = ScanSettings(unit="word", ignore_case=False, keep_punctuation=True)
MARKS = ("'‘’‚‛‹›`′", '"“”„‟«»', "-‐‑‒–—―−")  # each as it is typed, and its other signs
HEAVIEST = 8  # letters of a word that count
CHANCE = 3  # words that may be the same by chance


class Change(NamedTuple):
    """One change; spans are code points of the texts, ends excluded.

    Where a text has no words of the change, its span is empty, at the offset where they would be.
    Moved or repeated words have their spans in both texts; other changes may lie within these.
    `a_words` and `b_words` count the words of the spans, without punctuation.
    """

    kind: ChangeKind
    a_start: int
    a_end: int
    b_start: int
    b_end: int
    a_words: int
    b_words: int


class Differences(NamedTuple):
    """The changes in reading order of A, and the unit of most words of the texts."""

    changes: list[Change]
    unit: Unit


def find_differences(text_a: str, text_b: str, passages: Sequence[Passage] = ()) -> Differences:
    """Find the changes between two texts.

    Args:
        text_a: A text.
        text_b: Another text.
        passages: The known passages of the pair, whatever settings they were found with.
    """
    shared = find_shared_text(text_a, text_b, FOLDED)
    sides = []
    for text in (text_a, text_b):
        stop_if_cancelled()
        sides.append(_Side(text, tokenise(text, AS_READ), tokenise(text, FOLDED)))
    comparer = _Comparer(sides[0], sides[1])
    more = [
        passage
        for passage in shared.passages
        if not any(_overlap(passage, known) for known in passages)
    ]
    every = sorted([*passages, *more], key=lambda passage: (passage.a_start, passage.b_start))
    return Differences(comparer.changes(every), shared.floor.unit)


def _overlap(first: Passage, second: Passage) -> bool:
    """Whether two passages overlap, in A or in B."""
    in_a = first.a_start < second.a_end and second.a_start < first.a_end
    return in_a or (first.b_start < second.b_end and second.b_start < first.b_end)


class _Side:
    """The words of a text as they are read, including punctuation marks.

    `away` marks the words that have a counterpart elsewhere.
    """

    def __init__(self, text: str, words: Tokens, folded: Tokens) -> None:
        self._text = text
        self.values, self.starts, self.ends, _ = _figures_whole(text, _marks_alike(words))
        self.folded_starts = folded.starts
        self.indices = np.searchsorted(self.starts, folded.starts)
        clipped = np.minimum(self.indices, len(self.starts) - 1)
        exists = self.starts[clipped] == folded.starts if len(self.starts) else clipped > 0
        self.indices[~exists] = -1  # a folded word that is no word as it is read
        is_word = np.zeros(len(self.starts) + 1, dtype=np.int64)
        is_word[1:][self.indices[exists]] = 1
        self._words = np.cumsum(is_word)
        self.away: BoolArray = np.zeros(len(self.starts), dtype=np.bool_)

    def words_in(self, starts: Int64Array, ends: Int64Array) -> tuple[Int64Array, Int64Array]:
        """The first word, without punctuation, of each span of code points, and their numbers."""
        first = np.searchsorted(self.folded_starts, starts)
        return first, np.searchsorted(self.folded_starts, ends) - first

    def run(self, first: Int64Array, words: Int64Array) -> Int64Array:
        """The indices of so many words, without punctuation, from each first one; -1 for none."""
        indices: Int64Array = self.indices[indices_from(first, words)]
        return indices

    def span(self, first: int, end: int) -> tuple[int, int]:
        """The code points of words; of no words an empty span after the word before."""
        if end > first:
            return int(self.starts[first]), int(self.ends[end - 1])
        offset = int(self.ends[first - 1]) if first else 0
        return offset, offset

    def begins_paragraph(self, first: int) -> bool:
        """Whether a word is the first of a line."""
        return not first or "\n" in self._text[self.ends[first - 1] : self.starts[first]]

    def count(self, first: int, end: int) -> int:
        """The number of words, without punctuation."""
        return int(self._words[end] - self._words[first])


@cache
def _signs() -> tuple[UInt64Array, UInt64Array]:
    """The values of all signs of `MARKS`, ascending, and the value of each one's mark."""
    signs = [tokenise(mark, AS_READ).values for mark in MARKS]
    values = np.concatenate(signs)
    marks = np.concatenate([np.full_like(sign, sign[0]) for sign in signs])
    order = np.argsort(values, kind="stable")
    return values[order], marks[order]


def _marks_alike(words: Tokens) -> Tokens:
    """Words with the same value for all signs of a mark; adjacent dashes are one word."""
    signs, marks = _signs()
    indices = np.minimum(np.searchsorted(signs, words.values), len(signs) - 1)
    values = np.where(signs[indices] == words.values, marks[indices], words.values)
    begins = np.ones(len(values) + 1, dtype=np.bool_)  # and after the last
    dash = values == tokenise("-", AS_READ).values[0]
    begins[1:-1] = ~(dash[1:] & dash[:-1] & (words.starts[1:] == words.ends[:-1]))
    return Tokens(values[begins[:-1]], words.starts[begins[:-1]], words.ends[begins[1:]])


# Also dates and numbers of sections: "2026-03-13", "4.2.1"; a list such as "12,15,18" is none.
_FIGURE = lazy_pattern(
    r"(?<![\d,])\d+(?:(?:[-.:/'’‐‑–−]\d+|,\d{3}(?!\d)){1,8}(?:,\d+)?|,\d+)(?![-.,:/'’‐‑–−]?\d)"
)


def _figures_whole(text: str, words: Tokens) -> Tokens:
    """Words of which each figure with marks in it is one."""
    spans = np.array([found.span() for found in _FIGURE.finditer(text)], np.int64).reshape(-1, 2)
    first = np.searchsorted(words.starts, spans[:, 0])
    last = np.searchsorted(words.ends, spans[:, 1])
    inside = last < len(words.starts)
    first, last, spans = first[inside], last[inside], spans[inside]
    whole = (words.starts[first] == spans[:, 0]) & (words.ends[last] == spans[:, 1])
    first, last = first[whole], last[whole]
    values, ends = words.values.copy(), words.ends.copy()
    ends[first] = words.ends[last]
    begins = np.ones(len(values), dtype=np.bool_)
    for word in range(1, int((last - first).max(initial=0)) + 1):
        longer = first + word <= last
        values[first[longer]] = (
            mix.py_func(values[first[longer]]) + words.values[first[longer] + word]
        )
        begins[first[longer] + word] = False
    return Tokens(values[begins], words.starts[begins], ends[begins])


class _Comparer:
    """Compares two texts; pairs are int64 (n, 2), indices of words in A and in B, ascending."""

    def __init__(self, a: _Side, b: _Side) -> None:
        self._a, self._b = a, b
        letters = a.ends - a.starts
        self._weights = np.minimum(letters, HEAVIEST).astype(np.uint8)
        self._held = np.zeros(len(a.values), dtype=np.bool_)  # words of A that a passage pairs

    def changes(self, passages: list[Passage]) -> list[Change]:
        """All changes, given the passages in reading order of A."""
        chains = [_chains(self._words_of(passage)) for passage in passages]
        held = _rising(
            [chain[0] for passage, chain in zip(passages, chains, strict=True) if not passage.moved]
        )
        pairs = [chain for passage_chains in chains for chain in passage_chains]
        self._held[held[:, 0]] = True
        taken = (np.zeros(len(self._a.values), np.bool_), np.zeros(len(self._b.values), np.bool_))
        taken[0][held[:, 0]], taken[1][held[:, 1]] = True, True
        changes = []
        for pair in sorted(pairs, key=len, reverse=True):
            stop_if_cancelled()
            for kind, block in _blocks(pair, taken):
                changes += self._moved(kind, block, taken)
        full = Hunk(0, len(self._a.values), 0, len(self._b.values))
        changes += self._between(held, full)
        changes.sort(
            key=lambda change: (change.a_start, change.b_start, -change.a_end, -change.b_end)
        )
        return changes

    def _words_of(self, passage: Passage) -> Int64Array:
        """Pairs of words of a passage that are equal as they are read."""
        runs = np.array(passage.runs, dtype=np.int64).reshape(-1, len(Run._fields))
        first_a, words = self._a.words_in(runs[:, 0], runs[:, 1])
        first_b, words_b = self._b.words_in(runs[:, 2], runs[:, 3])
        alike = words == words_b  # other settings may count other words
        words = words[alike]
        in_a, in_b = self._a.run(first_a[alike], words), self._b.run(first_b[alike], words)
        pairs = np.stack([in_a, in_b], axis=1)
        pairs = pairs[(pairs >= 0).all(axis=1)]
        same: Int64Array = pairs[self._a.values[pairs[:, 0]] == self._b.values[pairs[:, 1]]]
        return same

    def _moved(
        self, kind: ChangeKind, block: Int64Array, taken: tuple[BoolArray, BoolArray]
    ) -> list[Change]:
        """The change of words that were moved or repeated, and changes among them."""
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
        """From the first word of a block to the last, with equal marks adjoining it."""
        sides = (self._a, self._b)
        first, end = block[0].tolist(), (block[-1] + 1).tolist()

        def joins(before: list[int], after: list[int], new: list[int]) -> bool:
            if min(before) < 0 or any(map(ge, after, map(len, taken))):
                return False
            close = (
                side.ends[x] == side.starts[y]
                for side, x, y in zip(sides, before, after, strict=True)
            )
            # Letters of scripts without spaces adjoin, too: those are of the next block.
            is_mark = not self._a.count(new[0], new[0] + 1)
            free = not any(used[index] for used, index in zip(taken, new, strict=True))
            same = self._a.values[new[0]] == self._b.values[new[1]]
            return is_mark and free and all(close) and bool(same)

        while joins(left := [index - 1 for index in first], first, left):
            first = left
        while joins([index - 1 for index in end], end, end):
            end = [index + 1 for index in end]
        return Hunk(first[0], end[0], first[1], end[1])

    def _between(self, held: Int64Array, part: Hunk) -> list[Change]:
        """The changes within a part of the texts, in which the words of `held` are paired."""
        a, b = self._a.values[part.a : part.a_end], self._b.values[part.b : part.b_end]
        if np.array_equal(a, b):
            return []
        # Without words that were moved away from this part.
        stay_a = part.a + np.flatnonzero(~self._a.away[part.a : part.a_end])
        stay_b = part.b + np.flatnonzero(~self._b.away[part.b : part.b_end])
        near = np.stack(
            [np.searchsorted(stay_a, held[:, 0]), np.searchsorted(stay_b, held[:, 1])], axis=1
        )
        pairs = self._pair(stay_a, stay_b, near)
        gaps = between(pairs, (0, len(stay_a), 0, len(stay_b)))
        all_gaps = gaps[(gaps[:, 1] > gaps[:, 0]) | (gaps[:, 3] > gaps[:, 2])]
        end_a, end_b = np.append(stay_a, part.a_end), np.append(stay_b, part.b_end)
        merged = self._merged(all_gaps, stay_a, stay_b)
        changes: list[Change] = []
        last = Hunk(part.a, part.a, part.b, part.b)
        for hunk in (hunk for gap in merged for hunk in _parted(gap, end_a, end_b)):
            changes += map(self._change, self._by_paragraphs(hunk, last))
            last = hunk
        return changes

    def _by_paragraphs(self, hunk: Hunk, last: Hunk) -> Iterator[Hunk]:
        """A hunk, from the beginning of its line on if a later line begins with the same words.

        Where of two lines "a b" and "a c" only "a d" is left, "a b" is gone and not "b a".
        """
        in_a = hunk.a_end - hunk.a > hunk.b_end - hunk.b
        side, (first, end) = (self._a, hunk[:2]) if in_a else (self._b, hunk[2:])
        most = min(hunk.a - last.a_end, hunk.b - last.b_end, end - first)
        backs = (back for back in range(most + 1) if side.begins_paragraph(first - back))
        back = next(backs, 0)
        a, b, begin = hunk.a - back, hunk.b - back, side.values[first - back : first]
        if self._a.away[a : hunk.a].any() or self._b.away[b : hunk.b].any():
            back = 0
        for line in range(end - back, first, -1) if back else ():
            words = side.values[line : line + back]
            if side.begins_paragraph(line) and np.array_equal(words, begin):
                yield Hunk(a, line, b, b) if in_a else Hunk(a, a, b, line)
                hunk = hunk._replace(**{"a" if in_a else "b": line + back})
                break
        if hunk.a < hunk.a_end or hunk.b < hunk.b_end:
            yield hunk

    def _pair(self, stay_a: Int64Array, stay_b: Int64Array, held: Int64Array) -> Int64Array:
        """All pairs of words that correspond, as indices among those that stay."""
        a, b = self._a.values[stay_a], self._b.values[stay_b]
        aligned = align_gaps(a, b, self._weights[stay_a], between(held, (0, len(a), 0, len(b))))
        pairs = np.concatenate([held, aligned])
        return pairs[np.argsort(pairs[:, 0], kind="stable")]

    def _merged(self, all_gaps: Int64Array, stay_a: Int64Array, stay_b: Int64Array) -> list[Hunk]:
        """The gaps, joined where the words between them are the same by chance."""
        merged: list[Hunk] = []
        a, b = self._a, self._b
        length_a = np.append(0, np.cumsum((a.ends - a.starts)[stay_a]))
        length_b = np.append(0, np.cumsum((b.ends - b.starts)[stay_b]))

        def size(gap: Hunk) -> int:
            in_a = length_a[gap.a_end] - length_a[gap.a]
            return int(max(in_a, length_b[gap.b_end] - length_b[gap.b]))

        for first_a, end_a, first_b, end_b in all_gaps.tolist():
            gap = Hunk(first_a, end_a, first_b, end_b)
            while merged and gap.a - merged[-1].a_end <= CHANCE:
                if self._held[stay_a[merged[-1].a_end : gap.a]].any():
                    break
                same = int(length_a[gap.a] - length_a[merged[-1].a_end])
                if same > min(size(merged[-1]), size(gap)) or _have_same_side_empty(
                    merged[-1], gap
                ):
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


def _rising(parts: list[Int64Array]) -> Int64Array:
    """Concatenate pairs, without those that would step back in either text."""
    kept = [np.empty((0, 2), dtype=np.int64)]
    last = np.array([-1, -1], dtype=np.int64)
    for pairs in parts:
        onward = pairs[(pairs > last).all(axis=1)]
        if len(onward):
            kept.append(onward)
            last = onward[-1]
    return np.concatenate(kept)


def _blocks(
    pairs: Int64Array, taken: tuple[BoolArray, BoolArray]
) -> Iterator[tuple[ChangeKind, Int64Array]]:
    """The parts of a passage that are not paired elsewhere yet, with their kind of change."""
    free = np.stack([~used[indices] for used, indices in zip(taken, pairs.T, strict=True)])
    if not free.any():
        return
    before = [
        np.cumsum(used[indices[0] : indices[-1] + 1])[indices - indices[0]]
        for used, indices in zip(taken, pairs.T, strict=True)
    ]
    parted = (np.diff(free, axis=1) != 0).any(axis=0)
    for is_free, steps in zip(free, before, strict=True):
        parted |= is_free[1:] & (np.diff(steps) > 0)
    for block in np.split(np.arange(len(pairs)), np.flatnonzero(parted) + 1):
        in_a, in_b = free[:, block[0]].tolist()
        if len(block) >= LEAST_MOVED and (in_a or in_b):
            kind = ChangeKind.REPEATED_A if in_a else ChangeKind.REPEATED_B
            yield ChangeKind.MOVED if in_a and in_b else kind, pairs[block]


def _parted(gap: Hunk, stay_a: Int64Array, stay_b: Int64Array) -> Iterator[Hunk]:
    """A gap as indices of the text, split where words in it were moved away.

    The first parts of both texts correspond, then the second ones, and so on.
    """
    in_a, in_b = _stretches(stay_a, gap.a, gap.a_end), _stretches(stay_b, gap.b, gap.b_end)
    for number in range(max(len(in_a), len(in_b))):
        a, a_end = in_a[number] if number < len(in_a) else (in_a[-1][1],) * 2
        b, b_end = in_b[number] if number < len(in_b) else (in_b[-1][1],) * 2
        yield Hunk(a, a_end, b, b_end)


def _stretches(stay: Int64Array, first: int, end: int) -> list[tuple[int, int]]:
    """Stretches of words without a gap: at least one, which may be empty."""
    words = stay[first:end]
    if not len(words):
        return [(int(stay[first]),) * 2]
    if words[-1] - words[0] == len(words) - 1:
        return [(int(words[0]), int(words[-1]) + 1)]
    parts = np.split(words, np.flatnonzero(np.diff(words) > 1) + 1)
    return [(int(part[0]), int(part[-1]) + 1) for part in parts]


def _chains(pairs: Int64Array) -> list[Int64Array]:
    """Pairs of a passage as chains that ascend in both texts: the longest, then moved ones."""
    chains = [pairs[_in_order(pairs[:, 1])]]
    while len(chains[-1]) >= LEAST_MOVED and len(chains[-1]) < len(pairs):
        pairs = pairs[~np.isin(pairs[:, 0], chains[-1][:, 0])]
        chains.append(pairs[_in_order(pairs[:, 1])])
    return chains


def _in_order(column: Int64Array) -> Int64Array:
    """The rows of the longest part of a column that ascends."""
    values = column.tolist()
    if all(earlier < later for earlier, later in pairwise(values)):
        return np.arange(len(values))
    ends: list[int] = []  # of the best chain of each length: its last value, and its last row
    rows: list[int] = []
    before = [-1] * len(values)
    for row, value in enumerate(values):
        length = bisect_left(ends, value)
        before[row] = rows[length - 1] if length else -1
        ends[length : length + 1] = [value]
        rows[length : length + 1] = [row]
    kept = [rows[-1]]
    while before[kept[-1]] >= 0:
        kept.append(before[kept[-1]])
    return np.array(kept[::-1])


def _have_same_side_empty(first: Hunk, second: Hunk) -> bool:
    """Whether there is a text that has no words in either hunk."""
    return (first.a == first.a_end and second.a == second.a_end) or (
        first.b == first.b_end and second.b == second.b_end
    )
