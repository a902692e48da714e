"""The texts of a passage as a report shows them: what is the same is marked, what is long cut."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from core.documents.page_marks import cite_place
from core.reports.blocks import Line, ShownPassage, Side, Span, SpanKind
from core.reports.model import Report
from core.reports.pair_words import passage_numbers, passage_size
from core.reports.sections.kept_text import Extent, amount, kept_of_both
from core.reports.shown_text import Withheld, shown_pieces
from core.text.line_ends import run_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.evidence.passage import Passage

KEPT_TOGETHER = 700  # characters of a passage that is not broken between pages

_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")


class Document(NamedTuple):
    """A document of a pair.

    Attributes:
        text: With the lines running on.
        kind: What it was read by.
        withheld: What of it is not shown as it is.
        is_shown: Whether any of it is shown.
    """

    text: str
    kind: str
    withheld: Sequence[Withheld]
    is_shown: bool

    @staticmethod
    def of(report: Report, document: int) -> Document:
        """One of the report."""
        return Document(
            run_on(report.text_of(document)),
            report.documents[document].kind,
            report.withheld_in(document),
            report.choice.passages,
        )

    def place(self, extent: Extent) -> str:
        """Where a passage stands: "p. 12, characters 1,200 to 1,340"."""
        start, end = extent
        pages = cite_place(self.text, self.kind, start, end)
        characters = f"characters {start:,} to {end:,}"
        return f"{pages}, {characters}" if pages else characters

    def side(self, letter: str, kept: Sequence[Extent], same: Sequence[Extent]) -> Side:
        """A passage in this document: what is kept of it, with what is the same in the other."""
        spans = tuple(self._spans(kept, same)) if self.is_shown else ()
        return Side(letter, self.place((kept[0][0], kept[-1][1])), spans)

    def _spans(self, kept: Sequence[Extent], same: Sequence[Extent]) -> Iterator[Span]:
        yield from self._marked(kept[0], same)
        for before, after in pairwise(kept):
            left_out = self.text[before[1] : after[0]]
            yield Span(f"… {amount(left_out)} …", SpanKind.CUT)
            yield from self._marked(after, same)

    def _marked(self, part: Extent, same: Sequence[Extent]) -> Line:
        """A part of the text, plain and the same by turns."""
        start, end = part
        cuts = [start]
        for low, high in sorted(same):
            low, high = max(low, cuts[-1]), min(high, end)  # noqa: PLW2901
            if low < high:
                cuts += [low, high]
        pieces = shown_pieces(self.text, [*cuts, end], self.withheld)
        return tuple(
            Span(_prose(piece), SpanKind.SAME if place % 2 else SpanKind.PLAIN)
            for place, piece in enumerate(pieces)
            if piece
        )


def shown_passage(number: int, passage: Passage, a: Document, b: Document) -> ShownPassage:
    """A passage of two documents, the `number`th of the pair."""
    in_a, in_b = (passage.a_start, passage.a_end), (passage.b_start, passage.b_end)
    same_a = [(run.a_start, run.a_end) for run in passage.runs] or [in_a]
    same_b = [(run.b_start, run.b_end) for run in passage.runs] or [in_b]
    kept_a, kept_b = kept_of_both(a.text, b.text, same_a, same_b, in_a, in_b)
    return ShownPassage(
        number,
        passage_size(passage.length, passage.tokens, passage.unit, moved=passage.moved),
        _numbers(passage),
        a.side("A", kept_a, same_a),
        b.side("B", kept_b, same_b),
        is_short=max(in_a[1] - in_a[0], in_b[1] - in_b[0]) <= KEPT_TOGETHER,
    )


def _numbers(passage: Passage) -> str:
    """What became of the words of a reworked passage, and how often chance gives as much."""
    if not (passage.exchanges or passage.chance):
        return ""
    words = passage_numbers(
        passage.a_tokens,
        passage.b_tokens,
        passage.tokens,
        passage.near,
        passage.exchanged,
        passage.moved_words,
        passage.unit,
    )
    return " · ".join(part for part in (words, passage.chance) if part)


def _prose(piece: str) -> str:
    return _BLANK_LINES.sub("\n\n", piece.replace("\f", "\n"))
