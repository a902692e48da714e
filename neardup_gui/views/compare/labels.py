"""The words of the compare view."""

from __future__ import annotations

from collections.abc import Sequence

from core.base.wording import count, counted
from core.evidence.hunks import ChangeKind
from core.reports.pair_words import (
    chance_in_words,
    no_passage_in_words,
    passage_numbers,
    passage_size,
)
from neardup_gui.models.compare.comparison import Comparison, ComparisonNumbers
from neardup_gui.models.compare.passage_mark import AWAY, PassageMark
from neardup_gui.models.compare.side import Instead

MOST_REMARKS = 8
MOST_LETTERS = 80
UNITS: dict[str, str] = {"word": "word", "char": "character"}


def passage_label(mark: PassageMark) -> str:
    """What a chip says: "41 words", "654 words, 331 the same, moved", "oak → elm"."""
    if mark.kind is not None:
        return change_label(mark, mark.kind)
    return passage_size(mark.length, mark.tokens, mark.unit, moved=mark.moved)


def change_label(mark: PassageMark, kind: ChangeKind) -> str:
    """What the chip of a change says: its words, or how many there are of long ones."""
    size = counted(mark.length, UNITS[mark.unit])
    if kind in AWAY:
        return f"{size}, {kind.value}"
    if kind is ChangeKind.EXCHANGED:
        return " → ".join(mark.words)
    return max(mark.words, key=len)


def change_title(mark: PassageMark, kind: ChangeKind) -> str:
    """A change in words: "Exchanged: 1 word in A, 2 words in B"."""
    a, b = (counted(number, UNITS[mark.unit]) for number in mark.counts)
    if kind is ChangeKind.EXCHANGED:
        return f"Exchanged: {a} in A, {b} in B"
    only = {ChangeKind.ONLY_A: a, ChangeKind.ONLY_B: b}
    size = only.get(kind, counted(mark.length, UNITS[mark.unit]))
    return f"{kind.value[0].upper()}{kind.value[1:]}: {size}"


def passage_pages(mark: PassageMark) -> str:
    """Where a passage stands: "A p. 12, B p. 3"; empty when neither text has pages."""
    return ", ".join(
        f"{side} {pages}" for side, pages in zip("AB", mark.pages, strict=True) if pages
    )


def passage_title(mark: PassageMark) -> str:
    """A passage by its number, length and pages."""
    if mark.step:
        where = f"; {mark.pages[0]}" if mark.pages[0] else ""
        return f"In {counted(mark.number, 'other document')}{where}"
    if mark.kind is not None:
        parts = (change_title(mark, mark.kind), passage_pages(mark))
        return "; ".join(part for part in parts if part)
    said = (passage_label(mark), passage_pages(mark), mark.chance)
    return f"Passage {mark.number}: {'; '.join(part for part in said if part)}"


def passage_line(mark: PassageMark) -> str:
    """The words of a passage in numbers; its length where all of them are the same."""
    if mark.kind is not None or mark.counts == (mark.tokens, mark.tokens) or not any(mark.counts):
        return passage_label(mark)
    numbers = (mark.tokens, mark.near, mark.exchanged, mark.moved_words)
    line = passage_numbers(*mark.counts, *numbers, mark.unit)
    return f"{line} · moved" if mark.moved else line


def passage_sentence(comparison: Comparison, passage: int | None) -> str:
    """What is said of the passage that is read: "Passage 3 of 5 · 96 words in A, ..."."""
    if passage is None:
        size = sum(mark.tokens for mark in comparison.marks)
        return f"{counted(len(comparison.marks), 'shared passage')} · {count(size)} the same in all"
    mark = comparison.marks[passage]
    place = f"Passage {count(mark.number)} of {count(len(comparison.marks))}"
    parts = (place, passage_line(mark), mark.chance)
    return " · ".join(part for part in parts if part)


def exchange_title(one: Instead, side: int) -> str:
    """Words that were exchanged, and by what: "Exchanged: “wanted” here, “wished” in B"."""
    what = "Another form" if one.near else "Exchanged"
    return f"{what}: “{_on_a_line(one.here)}”, in {'BA'[side]} “{_on_a_line(one.there)}”"


def _on_a_line(words: str) -> str:
    """Words on one line, cut where they are long."""
    line = " ".join(words.split())
    return line if len(line) <= MOST_LETTERS else f"{line[: MOST_LETTERS - 1].rstrip()}…"


def remarks_in_lines(remarks: Sequence[str]) -> str:
    """Remarks, one a line; of very many the first, and how many more there are."""
    more = len(remarks) - MOST_REMARKS
    rest = [f"And {count(more)} more; “Problems” lists them all."] if more > 0 else []
    return "\n".join([*remarks[:MOST_REMARKS], *rest])


def quotation(words: str, name: str, pages: str) -> str:
    """Some words and where they stand: “to be” (plays/hamlet.pdf, p. 12)."""
    return f"“{' '.join(words.split())}” ({', '.join(part for part in (name, pages) if part)})"


def no_passage_sentence(numbers: ComparisonNumbers) -> str:
    """Why nothing is marked in the texts."""
    return no_passage_in_words(numbers.shortest_passage, numbers.passage_unit)


def chance_sentence(numbers: ComparisonNumbers) -> str:
    """From where on what two texts share is marked."""
    return chance_in_words(numbers.shortest_passage, numbers.passage_unit)


def short_ones(number: int) -> str:
    """What is folded: "12 short ones"."""
    return counted(number, "short one")
