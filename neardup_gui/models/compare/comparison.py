"""One pair of documents as the compare view draws it: pure data, made away from the window."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from core.evidence.pairs import PairFigures
from core.reports.pair_words import Fact, facts
from core.settings import Unit
from neardup_gui.models.compare.display_text import DisplayText, display
from neardup_gui.models.compare.document_kind import NOWHERE, Origin
from neardup_gui.models.compare.passage_mark import PassageMark
from neardup_gui.models.compare.why import NOT_SAID, Why

if TYPE_CHECKING:
    from core.evidence.passages import Passage, Run

__all__ = [
    "HUES",
    "UNDERLINES",
    "Alignment",
    "Comparison",
    "ComparisonNumbers",
    "Side",
    "Spans",
    "compare",
]

HUES = 7
UNDERLINES = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class ComparisonNumbers:
    """The exact numbers of a pair, A before B.

    `longest_run` counts in `unit`, `run_words` the same in words where these are others.
    `shortest_passage` is about how many words, or characters where `passage_unit` says so, are more
    than chance. `bag` says that shingles count as often as they occur.
    """

    resemblance: float
    containment_a: float
    containment_b: float
    longest_run: int
    shared: int
    unit: Unit = "word"
    bag: bool = False
    shortest_passage: int = 0
    passage_unit: Unit = "word"
    run_words: int | None = None

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The numbers with their names, in the order in which they are read."""
        figures = PairFigures(
            self.resemblance,
            self.containment_a,
            self.containment_b,
            self.longest_run,
            self.shared,
            self.longest_run if self.run_words is None else self.run_words,
        )
        return facts(figures, self.unit, bag=self.bag)

    def swapped(self) -> ComparisonNumbers:
        """The numbers with A and B exchanged."""
        return replace(self, containment_a=self.containment_b, containment_b=self.containment_a)


class Spans:
    """Spans of one text in display positions, sorted by start; they may overlap."""

    def __init__(self, spans: Sequence[tuple[int, int, int]]) -> None:
        """`spans` are start, end (excluded) and the index of the passage."""
        ordered = sorted(spans)
        self.starts = [start for start, _, _ in ordered]
        self.ends = [end for _, end, _ in ordered]
        self.owners = [owner for _, _, owner in ordered]
        self._reach = list(accumulate(self.ends, max))

    def __len__(self) -> int:
        return len(self.starts)

    def between(self, low: int, high: int) -> Iterator[tuple[int, int, int]]:
        """The spans that share a position with [low, high): start, end, passage."""
        first = bisect_right(self._reach, low)
        for index in range(first, bisect_left(self.starts, high)):
            if self.ends[index] > low:
                yield self.starts[index], self.ends[index], self.owners[index]

    def at(self, position: int) -> int | None:
        """The passage at a position; the shortest of several."""
        found = list(self.between(position, position + 1))
        return min(found, key=lambda span: span[1] - span[0])[2] if found else None


@dataclass(frozen=True, slots=True)
class Side:
    """One document of the pair.

    `extents[p]` is the display span of passage p, `badges[p]` the room before it; `order` lists the
    passages as they are met in this text.
    """

    name: str
    text: DisplayText
    passages: Spans
    runs: Spans
    extents: tuple[tuple[int, int], ...]
    badges: tuple[tuple[int, int], ...]
    order: tuple[int, ...]
    origin: Origin = NOWHERE

    def cite(self, start: int, end: int) -> str:
        """The page or pages of source[start:end]: "p. 12"; empty when the text has no pages."""
        if self.text.pages == 1:
            return ""
        last = self.text.page_of(max(end - 1, start))
        return self.origin.cite(self.text.page_of(start), last)


class Alignment:
    """Which position of B stands opposite a position of A: piecewise linear between anchors."""

    def __init__(self, anchors: Sequence[tuple[int, int]]) -> None:
        """`anchors` rise in both texts; where one stands still, the other has text of its own."""
        self._columns = ([a for a, _ in anchors], [b for _, b in anchors])

    def across(self, side: int, position: int) -> int:
        """The position in the other text that stands opposite one in this."""
        here, there = self._columns[side], self._columns[1 - side]
        index = min(max(bisect_right(here, position) - 1, 0), len(here) - 2)
        share = (position - here[index]) / max(here[index + 1] - here[index], 1)
        return round(there[index] + min(max(share, 0), 1) * (there[index + 1] - there[index]))

    def anchor_between(self, side: int, low: int, high: int) -> int | None:
        """The first anchor of a text in [low, high), if there is one."""
        here = self._columns[side]
        index = bisect_left(here, low)
        return here[index] if index < len(here) and here[index] < high else None

    def swapped(self) -> Alignment:
        """The same with A and B exchanged."""
        return Alignment(list(zip(self._columns[1], self._columns[0], strict=True)))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything the compare view draws of one pair."""

    sides: tuple[Side, Side]
    numbers: ComparisonNumbers
    marks: tuple[PassageMark, ...]
    alignment: Alignment
    within: tuple[Alignment, ...]
    why: Why = NOT_SAID

    @property
    def by_strength(self) -> tuple[int, ...]:
        """The passages, the one with the most words that are the same first, short ones last."""
        marks = self.marks
        return tuple(sorted(range(len(marks)), key=lambda i: (marks[i].short, -marks[i].tokens)))

    @property
    def strong(self) -> int:
        """How many of them, from the first, are not short; all where all are."""
        return sum(not mark.short for mark in self.marks) or len(self.marks)

    def swapped(self) -> Comparison:
        """The same pair with A and B exchanged; passages keep number and hue."""
        return Comparison(
            (self.sides[1], self.sides[0]),
            self.numbers.swapped(),
            tuple(mark.swapped() for mark in self.marks),
            self.alignment.swapped(),
            tuple(alignment.swapped() for alignment in self.within),
            self.why,
        )


def compare(
    names: tuple[str, str],
    texts: tuple[str, str],
    numbers: ComparisonNumbers,
    passages: Sequence[Passage],
    origins: tuple[Origin, Origin] = (NOWHERE, NOWHERE),
) -> Comparison:
    """Prepare a pair for the view; `passages` are in reading order of A."""
    spans_a = [(passage.a_start, passage.a_end) for passage in passages]
    spans_b = [(passage.b_start, passage.b_end) for passage in passages]
    runs_a = [(run.a_start, run.a_end, owner) for owner, p in enumerate(passages) for run in p.runs]
    runs_b = [(run.b_start, run.b_end, owner) for owner, p in enumerate(passages) for run in p.runs]
    sides = (
        _side(names[0], texts[0], spans_a, runs_a, origins[0]),
        _side(names[1], texts[1], spans_b, runs_b, origins[1]),
    )
    hues = _hues(sides[0].order, sides[1].order)
    marks = tuple(
        PassageMark(
            number=index + 1,
            hue=hues[index],
            underline=index % UNDERLINES,
            length=passage.length,
            tokens=passage.tokens,
            unit=passage.unit,
            moved=passage.moved,
            pages=(sides[0].cite(*spans_a[index]), sides[1].cite(*spans_b[index])),
        )
        for index, passage in enumerate(passages)
    )
    within = tuple(_align(sides, [passage]) for passage in passages)
    return Comparison(sides, numbers, marks, _align(sides, _in_order(passages)), within)


def _side(
    name: str,
    source: str,
    spans: list[tuple[int, int]],
    runs: list[tuple[int, int, int]],
    origin: Origin,
) -> Side:
    order = tuple(sorted(range(len(spans)), key=lambda index: spans[index]))
    text, rooms = display(source, [(spans[index][0], index + 1) for index in order])
    extents = tuple(text.span(start, end) for start, end in spans)
    return Side(
        name=name,
        text=text,
        passages=Spans([(start, end, owner) for owner, (start, end) in enumerate(extents)]),
        runs=Spans([(*text.span(start, end), owner) for start, end, owner in runs]),
        extents=extents,
        badges=tuple(rooms[index + 1] for index in range(len(spans))),
        order=order,
        origin=origin,
    )


def _hues(order_a: Sequence[int], order_b: Sequence[int]) -> list[int]:
    """A hue for every passage, unlike those of its neighbours in both texts.

    At most four neighbours and seven hues: taking the next free one always succeeds.
    """
    neighbours: dict[int, set[int]] = defaultdict(set)
    for order in (order_a, order_b):
        for one, other in pairwise(order):
            neighbours[one].add(other)
            neighbours[other].add(one)
    hues = [-1] * len(order_a)
    for place, passage in enumerate(order_a):
        taken = {hues[other] for other in neighbours[passage]}
        choices = ((place + step) % HUES for step in range(HUES))
        hues[passage] = next(hue for hue in choices if hue not in taken)
    return hues


def _in_order(passages: Sequence[Passage]) -> list[Passage]:
    """The passages that stand in the same order in both texts."""
    chain: list[Passage] = []
    for passage in passages:
        follows = not chain or (
            passage.b_start >= chain[-1].b_start and passage.b_end >= chain[-1].b_end
        )
        if follows and not passage.moved:
            chain.append(passage)
    return chain


def _align(sides: tuple[Side, Side], passages: Sequence[Passage]) -> Alignment:
    start_a, start_b = sides[0].text.starts, sides[1].text.starts
    ends = (sides[0].text.length, sides[1].text.length)
    anchors = [(0, 0), ends]
    for passage in passages:
        spans: list[Passage | Run] = [passage, *passage.runs]
        for run in spans:
            anchors.append((int(start_a[run.a_start]), int(start_b[run.b_start])))
            anchors.append((int(start_a[run.a_end]), int(start_b[run.b_end])))
    rising = [(0, 0)]
    for anchor in sorted(set(anchors)):
        if anchor[1] >= rising[-1][1] and anchor != rising[-1]:
            rising.append(anchor)
    return Alignment(rising if len(rising) > 1 else [(0, 0), (0, 0)])
