"""One document of a pair as the compare view draws it: its text and what is marked in it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from neardup_gui.models.compare.display_text import DisplayText, display
from neardup_gui.models.compare.document_kind import NOWHERE, Origin

if TYPE_CHECKING:
    from core.text.disguises import DisguiseMark
    from core.text.set_aside import SetAside

LABELLED = 80  # letters of text that is set aside; of less only the tool tip says why
LABEL_WIDTH = 2.1  # spaces that a letter of a label takes


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


NO_SPANS = Spans(())


class Instead(NamedTuple):
    """Words in the place of others.

    Attributes:
        owner: The passage they are in.
        here: The words of this text.
        there: The words of the other one.
        near: Whether they are other forms of the same word, or another number.
    """

    owner: int
    here: str
    there: str
    near: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One document of the pair.

    `extents[p]` is the display span of passage p, `badges[p]` the room before it, empty where it
    has none; `order` lists the passages as they are met in this text. `aside` is what does not
    count, without overlaps: `reasons[n]` says why part n does not, `labels[n]` is the room for it.
    `disguises` are the spans of `marked`, by number: letters of other scripts, characters that are
    not seen. `exchanges` are words that stand for others, by number of `instead`, which has the
    words of this text and those of the other.
    """

    name: str
    text: DisplayText
    passages: Spans
    runs: Spans
    extents: tuple[tuple[int, int], ...]
    badges: tuple[tuple[int, int], ...]
    order: tuple[int, ...]
    origin: Origin = NOWHERE
    set_aside: Sequence[SetAside] = ()
    aside: Spans
    reasons: tuple[str, ...] = ()
    labels: tuple[tuple[int, int], ...] = ()
    marked: Sequence[DisguiseMark] = ()
    disguises: Spans = NO_SPANS
    exchanges: Spans = NO_SPANS
    instead: Sequence[Instead] = ()

    def with_marks(self, marked: Sequence[DisguiseMark]) -> Side:
        """The same with marks of what its reader does not see."""
        spans = [(*self.text.span(one.start, one.end), n) for n, one in enumerate(marked)]
        return replace(self, marked=marked, disguises=Spans(spans))

    @property
    def headings(self) -> frozenset[int]:
        """Where the lines begin that name the files of a submission, each before its text."""
        source, starts = self.text.source, []
        for begin in self.origin.members:
            end = begin
            while end and source[end - 1].isspace():
                end -= 1
            starts.append(int(self.text.starts[source.rfind("\n", 0, end) + 1]))
        return frozenset(starts)

    def cite(self, start: int, end: int) -> str:
        """The page or pages of source[start:end]: "p. 12"; empty when the text has no pages."""
        if self.text.pages == 1:
            return ""
        last = self.text.page_of(max(end - 1, start))
        return self.origin.cite(self.text.page_of(start), last)


def lay_out(
    name: str,
    source: str,
    spans: Sequence[tuple[int, int]],
    runs: Sequence[tuple[int, int, int]],
    badges: Sequence[str],
    origin: Origin,
    set_aside: Sequence[SetAside] = (),
) -> Side:
    """A text ready to be drawn; places are code points of it.

    Args:
        name: Of the document.
        source: Its text.
        spans: Of the passages.
        runs: What is underlined of them: start, end, passage.
        badges: What stands before each passage; empty where nothing does.
        origin: Where it comes from.
        set_aside: What does not count.
    """
    order = tuple(sorted(range(len(spans)), key=lambda index: spans[index]))
    aside = _apart(set_aside)
    badged = [(spans[index][0], 5 + len(badges[index]), index) for index in order if badges[index]]
    text, rooms = _with_rooms(source, badged, aside)
    extents = tuple(text.span(start, end) for start, end in spans)
    parts = [text.span(one.start, one.end) for one in aside]
    return Side(
        name=name,
        text=text,
        passages=Spans([(start, end, owner) for owner, (start, end) in enumerate(extents)]),
        runs=Spans([(*text.span(start, end), owner) for start, end, owner in runs]),
        extents=extents,
        badges=tuple(rooms.get(owner, (at, at)) for owner, (at, _) in enumerate(extents)),
        order=order,
        origin=origin,
        set_aside=set_aside,
        aside=Spans([(start, end, number) for number, (start, end) in enumerate(parts)]),
        reasons=tuple(str(one.reason) for one in aside),
        labels=tuple(rooms.get(-1 - number, (at, at)) for number, (at, _) in enumerate(parts)),
    )


def _with_rooms(
    source: str, badged: list[tuple[int, int, int]], aside: Sequence[SetAside]
) -> tuple[DisplayText, dict[int, tuple[int, int]]]:
    """The text with room for badges, by passage, and for labels, by -1 - number of the part.

    `badged` are code points, the letters that a badge takes, and its passage.
    """
    labelled = [
        (one.start, round(LABEL_WIDTH * len(one.reason)) + 3, -1 - number)
        for number, one in enumerate(aside)
        if one.end - one.start >= LABELLED
    ]
    wanted = sorted([*badged, *labelled], key=lambda room: room[0])
    text, found = display(source, [(place, letters) for place, letters, _ in wanted])
    return text, {owner: room for (_, _, owner), room in zip(wanted, found, strict=True)}


def _apart(set_aside: Sequence[SetAside]) -> list[SetAside]:
    """The spans without overlaps: where several lie over each other, the first one."""
    apart: list[SetAside] = []
    reached = 0
    for one in sorted(set_aside, key=lambda one: (one.start, -one.end)):
        if one.end > reached:
            apart.append(one._replace(start=max(one.start, reached)))
            reached = one.end
    return apart
