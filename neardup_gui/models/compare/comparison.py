"""A pair of documents as the compare view draws it: plain data, made off the window's thread."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from core.base.messages import as_shown
from core.evidence.measures import Fact, ShownIn, facts, measures
from core.evidence.pairs import PairFigures
from core.evidence.passage import ChangeKind
from core.settings import Unit
from neardup_gui.models.compare.side import (
    AWAY,
    NOWHERE,
    SIGNS,
    Origin,
    PassageMark,
    Side,
    Spans,
    Substitution,
    lay_out,
)

if TYPE_CHECKING:
    from core.evidence.differences import Change, Differences
    from core.evidence.passage import Passage, Run
    from core.text.disguise_marks import DisguiseMark
    from core.text.set_aside import SetAside
    from neardup_gui.models.scan_result import ListedPair


class Alignment:
    """Maps positions of A to opposite positions of B: piecewise linear between anchors."""

    def __init__(self, anchors: Sequence[tuple[int, int]]) -> None:
        """`anchors` ascend in both texts; where one does not, only the other text has words."""
        self._columns = ([a for a, _ in anchors], [b for _, b in anchors])

    def across(self, side: int, position: int) -> int:
        """The position in the other text opposite a position in this one."""
        positions, opposite = self._columns[side], self._columns[1 - side]
        index = min(max(bisect_right(positions, position) - 1, 0), len(positions) - 2)
        share = (position - positions[index]) / max(positions[index + 1] - positions[index], 1)
        return round(
            opposite[index] + min(max(share, 0), 1) * (opposite[index + 1] - opposite[index])
        )

    def anchor_between(self, side: int, low: int, high: int) -> int | None:
        """The first anchor of a text in [low, high), or None."""
        positions = self._columns[side]
        index = bisect_left(positions, low)
        return positions[index] if index < len(positions) and positions[index] < high else None

    def swapped(self) -> Alignment:
        """The alignment with A and B exchanged."""
        return Alignment(list(zip(self._columns[1], self._columns[0], strict=True)))

    @staticmethod
    def through(anchors: Iterable[tuple[int, int]], ends: tuple[int, int]) -> Alignment:
        """The alignment from the beginnings to the ends of two texts, through ascending anchors."""
        rising = [(0, 0)]
        for anchor in sorted({(0, 0), ends, *anchors}):
            if anchor[1] >= rising[-1][1] and anchor != rising[-1]:
                rising.append(anchor)
        return Alignment(rising if len(rising) > 1 else [(0, 0), (0, 0)])


@dataclass(frozen=True, slots=True)
class SignatureGrid:
    """The signature of a pair, band by band.

    Attributes:
        bands: For each band, which of its rows are the same in both; of bits, for each byte.
        colliding: The bands that agree as a whole, counted from 0.
        caption: What it says, in a sentence; "" where that is said elsewhere.
        unused: How many values no band is made of.
        has_bits: Whether they are bits.
    """

    bands: tuple[tuple[bool, ...], ...]
    colliding: frozenset[int]
    caption: str = ""
    unused: int = 0
    has_bits: bool = False


class PropertiesOfPair(NamedTuple):
    """The properties of the files of a pair, in lines.

    Attributes:
        shared: What both have.
        rare: Those of these lines that few files of the folder have in common.
        a: What the file of A tells.
        b: What that of B tells.
        why_none: Why nothing is told; "" where it is.
    """

    shared: tuple[str, ...] = ()
    rare: tuple[str, ...] = ()
    a: tuple[str, ...] = ()
    b: tuple[str, ...] = ()
    why_none: str = ""


class Rarity(NamedTuple):
    """The rarity of what two documents share.

    Attributes:
        sentences: On its passages.
        spellings: Those that no other document has, as rich text with a link on each; "" for none.
    """

    sentences: tuple[str, ...]
    spellings: str = ""


@dataclass(frozen=True, slots=True)
class Why:
    """Sentences, and the grid if signatures are known."""

    sentences: tuple[str, ...]
    grid: SignatureGrid | None = None


NO_WHY = Why(())


def with_exchanges(
    sides: tuple[Side, Side], texts: tuple[str, str], passages: Sequence[Passage]
) -> tuple[Side, Side]:
    """Both sides with the exchanged words of their passages."""
    spans_a, spans_b = [], []
    in_a: list[Substitution] = []
    in_b: list[Substitution] = []
    for owner, passage in enumerate(passages):
        for exchange in passage.exchanges:
            a = texts[0][exchange.a_start : exchange.a_end]
            b = texts[1][exchange.b_start : exchange.b_end]
            spans_a.append((*sides[0].text.span(exchange.a_start, exchange.a_end), len(in_a)))
            spans_b.append((*sides[1].text.span(exchange.b_start, exchange.b_end), len(in_b)))
            in_a.append(Substitution(owner, a, b, exchange.near))
            in_b.append(Substitution(owner, b, a, exchange.near))
    return (
        replace(sides[0], exchanges=Spans(spans_a), substitutions=in_a),
        replace(sides[1], exchanges=Spans(spans_b), substitutions=in_b),
    )


class SharingDocument(NamedTuple):
    """Another document that shares text with one of a pair.

    Attributes:
        name: Its own.
        pair: The two.
        overlap: Of these; below 0 where it was not measured.
        side: With which of the pair, 0 for A.
    """

    name: str
    pair: ListedPair
    overlap: float
    side: int


MOST_FACTS = len(measures("word", bag=False, where=ShownIn.PAIR))
HUES = 7
UNDERLINES = 4


@dataclass(frozen=True, slots=True)
class ComparisonNumbers:
    """The exact numbers of a pair, A before B.

    `unit` is what runs are counted in. `shortest_passage` is about how many words, or characters
    where `passage_unit` says so, are more than chance. `bag` says that shingles count as often as
    they occur.
    """

    figures: PairFigures
    unit: Unit = "word"
    bag: bool = False
    shortest_passage: int = 0
    passage_unit: Unit = "word"

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The numbers with their names, in reading order."""
        return facts(self.figures, self.unit, bag=self.bag)

    def swapped(self) -> ComparisonNumbers:
        """The numbers with A and B exchanged."""
        return replace(self, figures=self.figures.turned())


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that the compare view draws of a pair: shared passages, or changes.

    The comparison of shared text has that of the `changes` where it is known already. `findings`
    say what both texts share: as they are, and with A and B exchanged. `also` are the other listed
    pairs of both documents, the worst first.
    """

    sides: tuple[Side, Side]
    numbers: ComparisonNumbers
    marks: tuple[PassageMark, ...]
    alignment: Alignment
    within: tuple[Alignment, ...]
    why: Why = NO_WHY
    changes: Comparison | None = None
    shows_changes: bool = False
    findings: tuple[str, str] = ("", "")
    also: tuple[SharingDocument, ...] = ()

    @property
    def finding(self) -> str:
        """What both texts share, in sentences."""
        return self.findings[0]

    @property
    def by_strength(self) -> tuple[int, ...]:
        """The passages, those with the most equal words first, short ones last.

        Changes are in the order in which they are read.
        """
        marks = self.marks
        if self.shows_changes:
            return tuple(range(len(marks)))
        return tuple(sorted(range(len(marks)), key=lambda i: (marks[i].short, -marks[i].tokens)))

    @property
    def strong(self) -> int:
        """How many of them, from the first, are not short; all if all are."""
        return sum(not mark.short for mark in self.marks) or len(self.marks)

    def swapped(self) -> Comparison:
        """The pair with A and B exchanged; passages keep number and hue."""
        return Comparison(
            (self.sides[1], self.sides[0]),
            self.numbers.swapped(),
            tuple(mark.swapped() for mark in self.marks),
            self.alignment.swapped(),
            tuple(alignment.swapped() for alignment in self.within),
            self.why,
            self.changes.swapped() if self.changes else None,
            self.shows_changes,
            (self.findings[1], self.findings[0]),
            tuple(sharer._replace(side=1 - sharer.side) for sharer in self.also),
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
    of_sides = zip(
        names, texts, (spans_a, spans_b), (runs_a, runs_b), origins, set_aside, marked, strict=True
    )
    a, b = (
        lay_out(name, text, spans, runs, badges, origin, exclusions).with_marks(marks)
        for name, text, spans, runs, origin, exclusions, marks in of_sides
    )
    sides = with_exchanges((a, b), texts, passages)
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
        chance=as_shown(passage.chance),
    )


def _hues(order_a: Sequence[int], order_b: Sequence[int]) -> list[int]:
    """A hue for every passage, different from those of its neighbours in both texts.

    At most four neighbours and seven hues: taking the next free one always succeeds.
    """
    neighbours: dict[int, set[int]] = defaultdict(set)
    for order in (order_a, order_b):
        for previous, neighbour in pairwise(order):
            neighbours[previous].add(neighbour)
            neighbours[neighbour].add(previous)
    hues = [-1] * len(order_a)
    for index, passage in enumerate(order_a):
        taken = {hues[neighbour] for neighbour in neighbours[passage]}
        choices = ((index + step) % HUES for step in range(HUES))
        hues[passage] = next(hue for hue in choices if hue not in taken)
    return hues


def _in_order(passages: Sequence[Passage]) -> list[Passage]:
    """The passages that are in the same order in both texts."""
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


LETTERS = 28  # of the words of a change that are on its chip
NO_ROOM = ""


def compare_changes(shared: Comparison, differences: Differences) -> Comparison:
    """The pair of a comparison with its changes instead of its passages.

    Nothing is numbered: only words that were moved or repeated carry a sign in the text.
    """
    changes = differences.changes
    signs = [SIGNS[change.kind] if change.kind in AWAY else NO_ROOM for change in changes]
    spans_a = [(change.a_start, change.a_end) for change in changes]
    spans_b = [(change.b_start, change.b_end) for change in changes]
    sides = (
        _side(shared.sides[0], spans_a, signs, changes, ChangeKind.REPEATED_B),
        _side(shared.sides[1], spans_b, signs, changes, ChangeKind.REPEATED_A),
    )
    marks = tuple(
        _changes_mark(number, change, sides, differences.unit)
        for number, change in enumerate(changes, 1)
    )
    ends = (sides[0].text.length, sides[1].text.length)
    corners = [
        ((a[0], b[0]), (a[1], b[1]))
        for a, b in zip(sides[0].extents, sides[1].extents, strict=True)
    ]
    unmoved = [
        corner
        for change, both in zip(changes, corners, strict=True)
        if change.kind not in AWAY
        for corner in both
    ]
    within = tuple(Alignment(both) for both in corners)
    return Comparison(
        sides, shared.numbers, marks, Alignment.through(unmoved, ends), within, shows_changes=True
    )


def _side(
    side: Side,
    spans: list[tuple[int, int]],
    signs: list[str],
    changes: list[Change],
    kept: ChangeKind,
) -> Side:
    """A text with its changes; words of the kind `kept` are unchanged in this text."""
    runs = [
        (start, end, owner)
        for owner, (change, (start, end)) in enumerate(zip(changes, spans, strict=True))
        if end > start and change.kind is not kept
    ]
    laid = lay_out(side.name, side.text.source, spans, runs, signs, side.origin, side.set_aside)
    return laid.with_marks(side.marked)


def _changes_mark(number: int, change: Change, sides: tuple[Side, Side], unit: Unit) -> PassageMark:
    spans = ((change.a_start, change.a_end), (change.b_start, change.b_end))
    words = [
        _beginning(side.text.source, start, end)
        for side, (start, end) in zip(sides, spans, strict=True)
    ]
    pages = [side.cite(start, end) for side, (start, end) in zip(sides, spans, strict=True)]
    return PassageMark(
        number,
        length=max(change.a_words, change.b_words),
        tokens=max(change.a_words, change.b_words),
        unit=unit,
        moved=change.kind is ChangeKind.MOVED,
        pages=(pages[0], pages[1]),
        kind=change.kind,
        words=(words[0], words[1]),
        counts=(change.a_words, change.b_words),
    )


def _beginning(source: str, start: int, end: int) -> str:
    """The first words of a span on one line, cut if they are long."""
    words = " ".join(source[start : min(end, start + 2 * LETTERS)].split())
    if len(words) <= LETTERS and end <= start + 2 * LETTERS:
        return words
    return f"{words[: LETTERS - 1].rstrip()}…"
