"""The columns of the table of pairs: their names, formulas and widths."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import Qt

from core.evidence.pairs import Pairs
from core.reports.pair_words import (
    FOUND_BY,
    WAYS,
    ListedFor,
    explained,
    found_by,
    listed_for,
    measures,
    passage_heading,
)
from core.settings import ScanSettings
from neardup_gui.models.scan_result import DocumentNames
from neardup_gui.models.words.numbers import count, resemblance, share

__all__ = ["COLUMNS", "MARK", "VERDICT_ORDER", "Column", "PairColumn", "explanations"]


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
    VERDICT = 8
    FOUND_BY = 9


LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
USUAL = ScanSettings()
VERDICT_ORDER = "verdict"  # of `PairVerdicts`
RANK = (
    "Rank: the most similar pair is number 1.\n"
    "The picture is the dot plot: A across, B down, a line for every shared passage."
)
MARK = listed_for(ListedFor.PASSAGE)  # takes the place of the bar


@dataclass(frozen=True, slots=True)
class PairColumn:
    """One column.

    Attributes:
        title: What stands above it.
        attribute: The column of `core.evidence.pairs.Pairs` that it sorts by; None for the rank.
        sample: The widest text it usually holds, to give it its width.
        shown: What it says of a row.
        alignment: Of what it says.
    """

    title: str
    attribute: str | None
    sample: str
    shown: Callable[[Pairs, DocumentNames, int], str]
    alignment: int = RIGHT

    @property
    def largest_first(self) -> bool:
        """Whether a first click on the title sorts from large to small: numbers, not names."""
        return self.attribute not in (None, "a", "b", "found_by")


RESEMBLANCE, IN_B, IN_A, RUN, SHARED = (one.name for one in measures(USUAL.unit, bag=False))
# Numbers are handed on as Python's own: `item()` of an array's.
COLUMNS = (
    PairColumn("#", None, "● 9,999", lambda _pairs, _names, row: count(row + 1)),
    PairColumn("Document A", "a", "", lambda pairs, names, row: names.shown[pairs.a[row]], LEFT),
    PairColumn("Document B", "b", "", lambda pairs, names, row: names.shown[pairs.b[row]], LEFT),
    PairColumn(
        RESEMBLANCE,
        "resemblance",
        ">0.000",
        lambda pairs, _names, row: resemblance(pairs.resemblance[row].item()),
        LEFT,
    ),
    PairColumn(
        IN_B,
        "containment_a",
        "A in B ▾",
        lambda pairs, _names, row: share(pairs.containment_a[row].item()),
    ),
    PairColumn(
        IN_A,
        "containment_b",
        "B in A ▾",
        lambda pairs, _names, row: share(pairs.containment_b[row].item()),
    ),
    PairColumn(
        RUN,
        "longest_run",
        "Longest run ▾",
        lambda pairs, _names, row: count(pairs.longest_run[row].item()),
    ),
    PairColumn(
        SHARED,
        "shared_shingles",
        "999,999",
        lambda pairs, _names, row: count(pairs.shared_shingles[row].item()),
    ),
    # What it says is not among the numbers of the pairs: the table asks `PairVerdicts`.
    PairColumn("Verdict", VERDICT_ORDER, "◐ suspicious ✎", lambda _pairs, _names, _row: "", LEFT),
    PairColumn(
        FOUND_BY,
        "found_by",
        "shingles, passage",
        lambda pairs, _names, row: found_by(pairs.found_by[row].item()),
        LEFT,
    ),
)


def explanations(settings: ScanSettings = USUAL) -> tuple[str, ...]:
    """What each column says, under these settings."""
    alike, *others = (explained(one) for one in measures(settings.unit, bag=settings.bag))
    return (
        RANK,
        "The first document, by name.",
        "The second document, by name.",
        f"{alike}\n{passage_heading(settings)}",
        *others,
        "What was judged. 1 confirmed, 2 suspicious, 3 not a match, 0 not reviewed; N a note.",
        "\n".join(
            ("How the pair was found.", *(f"{way.shown}: {way.meaning}" for way in WAYS.values()))
        ),
    )
