"""The columns of the table of pairs: their names, formulas and widths."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import Qt

from core.reports.pair_words import (
    FOUND_BY,
    WAYS,
    ListedFor,
    explained,
    listed_for,
    measures,
    passage_heading,
)
from core.settings import ScanSettings

__all__ = ["COLUMNS", "MARK", "Column", "PairColumn", "explanations"]


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
USUAL = ScanSettings()
MARK = listed_for(ListedFor.PASSAGE)  # takes the place of the bar


@dataclass(frozen=True, slots=True)
class PairColumn:
    """One column; `attribute` is the column of `core.evidence.pairs.Pairs` that it sorts by."""

    title: str
    attribute: str | None
    sample: str  # the widest text it usually holds, to give it its width
    alignment: int = RIGHT

    @property
    def largest_first(self) -> bool:
        """Whether a first click on the title sorts from large to small: numbers, not names."""
        return self.attribute not in (None, "a", "b", "found_by")


RESEMBLANCE, IN_B, IN_A, RUN, SHARED = (one.name for one in measures(USUAL.unit, bag=False))
COLUMNS = (
    PairColumn("#", None, "9,999"),
    PairColumn("Document A", "a", "", LEFT),
    PairColumn("Document B", "b", "", LEFT),
    PairColumn(RESEMBLANCE, "resemblance", ">0.000", LEFT),
    PairColumn(IN_B, "containment_a", "A in B ▾"),
    PairColumn(IN_A, "containment_b", "B in A ▾"),
    PairColumn(RUN, "longest_run", "Longest run ▾"),
    PairColumn(SHARED, "shared_shingles", "999,999"),
    PairColumn(FOUND_BY, "found_by", "shingles, passage", LEFT),
)


def explanations(settings: ScanSettings = USUAL) -> tuple[str, ...]:
    """What each column says, under these settings."""
    alike, *others = (explained(one) for one in measures(settings.unit, bag=settings.bag))
    return (
        "Rank: the most similar pair is number 1.",
        "The first document, by name.",
        "The second document, by name.",
        f"{alike}\n{passage_heading(settings)}",
        *others,
        "\n".join(
            ("How the pair was found.", *(f"{way.shown}: {way.meaning}" for way in WAYS.values()))
        ),
    )
