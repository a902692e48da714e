"""The columns of the table of pairs: their names, formulas and widths."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import Qt

__all__ = ["COLUMNS", "Column", "PairColumn"]


class Column(IntEnum):
    """The columns, from left to right."""

    RANK = 0
    DOCUMENT_A = 1
    DOCUMENT_B = 2
    RESEMBLANCE = 3
    CONTAINMENT_A = 4
    CONTAINMENT_B = 5
    LONGEST_RUN = 6
    SHARED = 7
    FOUND_BY = 8


LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, slots=True)
class PairColumn:
    """One column; `attribute` is the column of `core.pairs.Pairs` that it sorts by."""

    title: str
    explanation: str
    attribute: str | None
    sample: str  # the widest text it usually holds, to give it its width
    alignment: int = RIGHT

    @property
    def largest_first(self) -> bool:
        """Whether a first click on the title sorts from large to small: numbers, not names."""
        return self.attribute not in (None, "a", "b", "found_by")


COLUMNS = (
    PairColumn("#", "Rank: the most similar pair is number 1.", None, "9,999"),
    PairColumn("Document A", "The first document, by name.", "a", "", LEFT),
    PairColumn("Document B", "The second document, by name.", "b", "", LEFT),
    PairColumn(
        "Resemblance",
        "The share of all shingles of the two documents that both have:\n"
        "|A ∩ B| / |A ∪ B|\n0 nothing in common, 1 the same shingles. Exact.",
        "resemblance",
        "0.000",
        LEFT,
    ),
    PairColumn(
        "A in B",
        "Containment: the share of A's shingles that B has too:\n|A ∩ B| / |A|\nExact.",
        "containment_a",
        "A in B ▾",
    ),
    PairColumn(
        "B in A",
        "Containment: the share of B's shingles that A has too:\n|A ∩ B| / |B|\nExact.",
        "containment_b",
        "B in A ▾",
    ),
    PairColumn(
        "Longest run",
        "The longest run of consecutive words that both documents have (characters, when "
        "shingles are made of characters).",
        "longest_run",
        "Longest run ▾",
    ),
    PairColumn(
        "Shared",
        "The number of shingles that both documents have: |A ∩ B|",
        "shared_shingles",
        "999,999",
    ),
    PairColumn(
        "Found by",
        "How the pair was found: exact, the same words throughout; shingles, the signatures agree "
        "in a band (SimHash: in nearly all bits); passage, a long shared run of words.",
        "found_by",
        "shingles, passage",
        LEFT,
    ),
)
