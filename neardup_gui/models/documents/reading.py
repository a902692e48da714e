"""One document by itself: its text, marked by how many others share each part, and who they are."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from core.base.wording import count, counted, share
from neardup_gui.models.compare.document_kind import Origin
from neardup_gui.models.compare.passage_mark import PassageMark
from neardup_gui.models.compare.side import Side, lay_out
from neardup_gui.models.scan_result import DocumentNames, ListedPair

if TYPE_CHECKING:
    from core.scan.shared_parts import SharedParts
    from core.text.set_aside import SetAside
    from neardup_gui.models.scan_result import ScanResult

STEPS = (1, 2, 5, 20)  # documents from which on a part has the next colour
LEAST_BADGED = 20  # letters of a part that stands beside another one: less has no number


class Holder(NamedTuple):
    """A document that shares a part.

    Attributes:
        name: Its own.
        pair: It and the document that is read.
        resemblance: Of these; None where they are no listed pair.
    """

    name: str
    pair: ListedPair
    resemblance: float | None


class Measured(NamedTuple):
    """How far the comparison with others is."""

    compared: int
    total: int

    @property
    def in_words(self) -> str:
        """What is said meanwhile."""
        return f"Comparing with others: {count(self.compared)} of {count(self.total)}"


@dataclass(frozen=True, eq=False)
class DocumentReading:
    """A document ready to be shown.

    Attributes:
        document: Its number in the list.
        side: Its text; a passage is a part that the same documents share.
        marks: Of each part how many do.
        parts: What was found; None while it is looked for.
        names: Of all documents.
        resemblances: Of the listed pairs it is in, by the other document.
    """

    document: int
    side: Side
    marks: tuple[PassageMark, ...]
    parts: SharedParts | None
    names: DocumentNames
    resemblances: Mapping[int, float]

    @property
    def sentence(self) -> str:
        """How much is shared with how many."""
        if self.parts is None:
            return ""
        if not self.parts.parts:
            return "No other document has a longer stretch of it word for word."
        others = counted(self.parts.documents, "other document")
        return f"{share(self.parts.share)} of its words stand in {others}."

    def part_at(self, position: int) -> int | None:
        """The part at a display position."""
        return self.side.passages.at(position)

    def step(self, position: int, by: int) -> int | None:
        """The next part, or the one before, seen from a display position."""
        starts = [start for start, _ in self.side.extents]
        if not starts:
            return None
        here = bisect_right(starts, position) - 1
        if by < 0 and here >= 0 and starts[here] < position and self.part_at(position) != here:
            return here
        return min(max(here + by, 0), len(starts) - 1)

    def holders(self, part: int) -> list[Holder]:
        """Who shares a part, the most alike first."""
        if self.parts is None:
            return []
        return [self._holder(number) for number in self.parts.who(self.parts.parts[part])]

    def everyone(self) -> list[Holder]:
        """Who shares any part, the most alike first."""
        if self.parts is None:
            return []
        texts = sorted(set(self.parts.spans[:, 2].tolist()))
        return [self._holder(number) for text in texts for number in self.parts.holders[text]]

    def _holder(self, number: int) -> Holder:
        pair = self.names.key(*sorted((self.document, number)))
        return Holder(self.names.shown[number], pair, self.resemblances.get(number))


def read_alone(
    result: ScanResult,
    document: int,
    text: str,
    set_aside: Sequence[SetAside],
    parts: SharedParts | None = None,
) -> DocumentReading:
    """A document of a list ready to be shown, before its parts are known or afterwards."""
    found = parts.parts if parts else ()
    spans = [(part.start, part.end) for part in found]
    runs = [(start, end, owner) for owner, (start, end) in enumerate(spans)]
    counts = [part.documents for part in found]
    side = lay_out(
        result.names.shown[document],
        text,
        spans,
        runs,
        _badges(spans, counts),
        Origin.of(result.documents[document]),
        set_aside,
    )
    marks = tuple(_mark(number, side, *span) for number, span in zip(counts, spans, strict=True))
    return DocumentReading(
        document, side, marks, parts, result.names, _resemblances(result, document)
    )


def _badges(spans: Sequence[tuple[int, int]], counts: Sequence[int]) -> list[str]:
    """The number before a part; none where it goes on from another one and is short."""
    badges = []
    reached = -2
    for (start, end), documents in zip(spans, counts, strict=True):
        beside = start - reached <= 1
        badges.append("" if beside and end - start < LEAST_BADGED else count(documents))
        reached = end
    return badges


def _mark(documents: int, side: Side, start: int, end: int) -> PassageMark:
    return PassageMark(
        number=documents,
        hue=0,
        underline=0,
        length=0,
        tokens=0,
        unit="word",
        moved=False,
        pages=(side.cite(start, end), ""),
        step=bisect_right(STEPS, documents),
    )


def _resemblances(result: ScanResult, document: int) -> dict[int, float]:
    pairs = result.pairs
    found: dict[int, float] = {}
    for here, there in ((pairs.a, pairs.b), (pairs.b, pairs.a)):
        rows = here == document
        found |= zip(there[rows].tolist(), pairs.resemblance[rows].tolist(), strict=True)
    return found
