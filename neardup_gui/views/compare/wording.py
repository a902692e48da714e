"""The words of the compare view."""

from __future__ import annotations

from collections.abc import Sequence

from neardup_gui.models.comparison import PairNumbers, PassageMark, Unit
from neardup_gui.models.wording import count, counted

__all__ = [
    "length",
    "no_passage_sentence",
    "passage_label",
    "passage_pages",
    "passage_title",
    "quotation",
    "remarks_in_lines",
]

MOST_REMARKS = 8
UNITS = {"word": ("word", "words"), "char": ("character", "characters")}


def length(number: int, unit: Unit) -> str:
    """A number of words or characters."""
    return counted(number, *UNITS[unit])


def passage_label(mark: PassageMark) -> str:
    """What a chip says: "41 words, moved"."""
    return length(mark.tokens, "word") + (", moved" if mark.moved else "")


def passage_pages(mark: PassageMark) -> str:
    """Where a passage stands: "A p. 12, B p. 3"; empty when neither text has pages."""
    return ", ".join(
        f"{side} {pages}" for side, pages in zip("AB", mark.pages, strict=True) if pages
    )


def passage_title(mark: PassageMark) -> str:
    """A passage by its number, length and pages."""
    parts = (passage_label(mark), passage_pages(mark))
    return f"Passage {mark.number}: {'; '.join(part for part in parts if part)}"


def remarks_in_lines(remarks: Sequence[str]) -> str:
    """Remarks, one a line; of very many the first, and how many more there are."""
    more = len(remarks) - MOST_REMARKS
    rest = [f"And {count(more)} more; “Problems” lists them all."] if more > 0 else []
    return "\n".join([*remarks[:MOST_REMARKS], *rest])


def quotation(words: str, name: str, pages: str) -> str:
    """Some words and where they stand: “to be” (plays/hamlet.pdf, p. 12)."""
    return f"“{' '.join(words.split())}” ({', '.join(part for part in (name, pages) if part)})"


def no_passage_sentence(numbers: PairNumbers) -> str:
    """Why nothing is marked in the texts."""
    if numbers.shortest_passage > 0:
        least = length(numbers.shortest_passage, "word")
        return f"No shared passage of {least} or more; the shared shingles are scattered."
    return "No shared passage; the shared shingles are scattered."
