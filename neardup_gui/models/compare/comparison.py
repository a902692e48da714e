"""One pair of documents as the compare view draws it: pure data, made away from the window."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from core.evidence.pairs import NOT_MEASURED, PairFigures
from core.reports.rows import Fact, facts, measures
from core.settings import Unit
from neardup_gui.models.compare.alignment import Alignment
from neardup_gui.models.compare.document_kind import NOWHERE, Origin
from neardup_gui.models.compare.passage_mark import PassageMark
from neardup_gui.models.compare.side import Instead, Side, Spans, lay_out
from neardup_gui.models.compare.why import NOT_SAID, Why

if TYPE_CHECKING:
    from core.evidence.passage import Passage, Run
    from core.text.disguises import DisguiseMark
    from core.text.set_aside import SetAside


def with_exchanges(
    sides: tuple[Side, Side], texts: tuple[str, str], passages: Sequence[Passage]
) -> tuple[Side, Side]:
    """Both sides with the words that were exchanged in their passages."""
    spans_a, spans_b = [], []
    in_a: list[Instead] = []
    in_b: list[Instead] = []
    for owner, passage in enumerate(passages):
        for one in passage.exchanges:
            a, b = texts[0][one.a_start : one.a_end], texts[1][one.b_start : one.b_end]
            spans_a.append((*sides[0].text.span(one.a_start, one.a_end), len(in_a)))
            spans_b.append((*sides[1].text.span(one.b_start, one.b_end), len(in_b)))
            in_a.append(Instead(owner, a, b, one.near))
            in_b.append(Instead(owner, b, a, one.near))
    return (
        replace(sides[0], exchanges=Spans(spans_a), instead=in_a),
        replace(sides[1], exchanges=Spans(spans_b), instead=in_b),
    )


MOST_FACTS = len(measures("word", bag=False))  # about a pair
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
    reworked_words: int = NOT_MEASURED

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
            self.reworked_words,
        )
        return facts(figures, self.unit, bag=self.bag)

    def swapped(self) -> ComparisonNumbers:
        """The numbers with A and B exchanged."""
        return replace(self, containment_a=self.containment_b, containment_b=self.containment_a)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything the compare view draws of one pair: what both texts share, or what was changed.

    The comparison of shared text has that of the `changes` where it is known already.
    """

    sides: tuple[Side, Side]
    numbers: ComparisonNumbers
    marks: tuple[PassageMark, ...]
    alignment: Alignment
    within: tuple[Alignment, ...]
    why: Why = NOT_SAID
    changes: Comparison | None = None
    shows_changes: bool = False

    @property
    def by_strength(self) -> tuple[int, ...]:
        """The passages, the one with the most words that are the same first, short ones last.

        Changes are in the order in which they are read.
        """
        marks = self.marks
        if self.shows_changes:
            return tuple(range(len(marks)))
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
            self.changes.swapped() if self.changes else None,
            self.shows_changes,
        )


def compare(
    names: tuple[str, str],
    texts: tuple[str, str],
    numbers: ComparisonNumbers,
    passages: Sequence[Passage],
    origins: tuple[Origin, Origin] = (NOWHERE, NOWHERE),
    set_aside: tuple[Sequence[SetAside], Sequence[SetAside]] = ((), ()),
    marked: tuple[Sequence[DisguiseMark], Sequence[DisguiseMark]] = ((), ()),
) -> Comparison:
    """Prepare a pair for the view; `passages` are in reading order of A."""
    spans_a = [(passage.a_start, passage.a_end) for passage in passages]
    spans_b = [(passage.b_start, passage.b_end) for passage in passages]
    runs_a = [(run.a_start, run.a_end, owner) for owner, p in enumerate(passages) for run in p.runs]
    runs_b = [(run.b_start, run.b_end, owner) for owner, p in enumerate(passages) for run in p.runs]
    badges = [str(number) for number in range(1, len(passages) + 1)]
    sides = (
        lay_out(names[0], texts[0], spans_a, runs_a, badges, origins[0], set_aside[0]).with_marks(
            marked[0]
        ),
        lay_out(names[1], texts[1], spans_b, runs_b, badges, origins[1], set_aside[1]).with_marks(
            marked[1]
        ),
    )
    sides = with_exchanges(sides, texts, passages)
    hues = _hues(sides[0].order, sides[1].order)
    marks = tuple(
        _mark(index, passage, hue, sides)
        for index, (passage, hue) in enumerate(zip(passages, hues, strict=True))
    )
    within = tuple(_align(sides, [passage]) for passage in passages)
    return Comparison(sides, numbers, marks, _align(sides, _in_order(passages)), within)


def _mark(index: int, passage: Passage, hue: int, sides: tuple[Side, Side]) -> PassageMark:
    spans = ((passage.a_start, passage.a_end), (passage.b_start, passage.b_end))
    in_a, in_b = (side.cite(*span) for side, span in zip(sides, spans, strict=True))
    return PassageMark(
        number=index + 1,
        hue=hue,
        underline=index % UNDERLINES,
        length=passage.length,
        tokens=passage.tokens,
        unit=passage.unit,
        moved=passage.moved,
        pages=(in_a, in_b),
        counts=(passage.a_tokens, passage.b_tokens),
        near=passage.near,
        exchanged=passage.exchanged,
        moved_words=passage.moved_words,
        chance=passage.chance,
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
    anchors = []
    for passage in passages:
        spans: list[Passage | Run] = [passage, *passage.runs]
        for run in spans:
            anchors.append((int(start_a[run.a_start]), int(start_b[run.b_start])))
            anchors.append((int(start_a[run.a_end]), int(start_b[run.b_end])))
    return Alignment.through(anchors, (sides[0].text.length, sides[1].text.length))
