"""The texts of a passage as a report shows them: what is the same is marked, what is long cut."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from core.base.wording import counted
from core.documents.page_marks import cite_place
from core.reports.blocks import Line, ShownPassage, Side, Span, SpanKind
from core.reports.model import Report
from core.reports.pair_words import passage_chance, passage_numbers, passage_size
from core.reports.shown_text import Withheld, shown_pieces
from core.text.line_ends import run_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.evidence.passages import Passage

__all__ = ["LONGEST_PASSAGE", "Document", "shown_passage"]

LONGEST_PASSAGE = 1600  # characters; half of it in scripts without spaces, which are wider
HEAD, TAIL = 0.56, 0.25  # shares of it that are kept of a longer one
KEPT_TOGETHER = 700  # characters of a passage that is not broken between pages
LONGEST_MEAN_WORD = 15  # characters of a word with its space
WORD_REACH = 40  # characters by which a cut moves to the end of a word
TELLING = 10_000  # characters that tell whether a script has spaces
STEP = 100_000  # characters

Extent = tuple[int, int]

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

    def side(self, letter: str, extent: Extent, same: list[Extent]) -> Side:
        """A passage in this document, with what of it is the same in the other."""
        spans = tuple(self._spans(extent, same)) if self.is_shown else ()
        return Side(letter, self.place(extent), spans)

    def _spans(self, extent: Extent, same: list[Extent]) -> Iterator[Span]:
        kept = _kept(self.text, extent)
        yield from self._marked(kept[0], same)
        for before, after in pairwise(kept):
            left_out = self.text[before[1] : after[0]]
            yield Span(f"… {_amount(left_out)} …", SpanKind.CUT)
            yield from self._marked(after, same)

    def _marked(self, part: Extent, same: list[Extent]) -> Line:
        """A part of the text, plain and the same by turns."""
        start, end = part
        cuts = [start]
        for low, high in sorted(same or [part]):
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
    return ShownPassage(
        number,
        passage_size(passage.length, passage.tokens, passage.unit, moved=passage.moved),
        _numbers(passage),
        a.side("A", in_a, [(run.a_start, run.a_end) for run in passage.runs]),
        b.side("B", in_b, [(run.b_start, run.b_end) for run in passage.runs]),
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
    return " · ".join(part for part in (words, passage_chance(passage.chance)) if part)


def _prose(piece: str) -> str:
    return _BLANK_LINES.sub("\n\n", piece.replace("\f", "\n"))


def _kept(whole: str, extent: Extent) -> list[Extent]:
    """The extent, or its head and tail when it is long, cut between words."""
    start, end = extent
    longest = LONGEST_PASSAGE if _has_spaces(whole[start:end]) else LONGEST_PASSAGE // 2
    if end - start <= longest:
        return [extent]
    head, tail = start + round(HEAD * longest), end - round(TAIL * longest)
    space = whole.rfind(" ", head - WORD_REACH, head)
    head = head if space < 0 else space
    space = whole.find(" ", tail, tail + WORD_REACH)
    tail = tail if space < 0 else space + 1
    return [(start, head), (tail, end)]


def _amount(left_out: str) -> str:
    """What was left out, in words where the script has spaces."""
    if _has_spaces(left_out):
        return f"{counted(_count_words(left_out), 'word')} left out"
    return f"{counted(len(left_out), 'character')} left out"


def _has_spaces(text: str) -> bool:
    """Whether the words of a text are separated, as they are not in Chinese."""
    beginning = text[:TELLING]
    return len(beginning) < LONGEST_MEAN_WORD * len(beginning.split())


def _count_words(text: str) -> int:
    count, start = 0, 0
    while start < len(text):
        end = text.find(" ", start + STEP)
        end = len(text) if end < 0 else end
        count += len(text[start:end].split())
        start = end
    return count
