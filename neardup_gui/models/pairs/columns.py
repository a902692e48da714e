"""The columns of the table of pairs; a new one is an entry here, and one of the actions that sort.

The numbers themselves are those of `core.reports.rows`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.base.wording import count
from core.evidence.pairs import Pairs
from core.reports.pair_words import (
    FOUND_BY,
    WAYS,
    ListedFor,
    found_by,
    listed_for,
    passage_heading,
)
from core.reports.rows import explained, measures
from core.settings import ScanSettings
from neardup_gui.models.scan_result import DocumentNames
from neardup_gui.models.table_model import LEFT, RIGHT, Columns, TableColumn

NAME_LETTERS = 16  # of a name that are seen at least
EASY_LETTERS = 22  # of a name that are read with ease
VERDICT_ORDER = "verdict"  # of `PairVerdicts`
MARK = max(map(listed_for, ListedFor), key=len)  # takes the place of the bar


@dataclass(frozen=True, slots=True, kw_only=True)
class PairColumn(TableColumn):
    """One column.

    Attributes:
        attribute: The column of `core.evidence.pairs.Pairs` that it sorts by; None for the rank.
        shown: What it says of a row.
        explained: What it means under some settings, where that is not the same under all.
        gives_way: Letters of a name: where the names have less room, the column is left out, the
            rightmost first; 0 for one that always stays.
    """

    attribute: str | None
    shown: Callable[[Pairs, DocumentNames, int], str]
    explained: Callable[[ScanSettings], str] | None = None
    gives_way: int = 0


def _number(
    attribute: str,
    sample: str,
    *,
    gives_way: int = 0,
    alignment: int = RIGHT,
    more: Callable[[ScanSettings], str] | None = None,
) -> PairColumn:
    """The column of a number; `more` is said of it besides."""
    own = {one.column: one for one in measures(ScanSettings().unit, bag=False)}[attribute]

    def shown(pairs: Pairs, _names: DocumentNames, row: int) -> str:
        return own.shown(getattr(pairs, attribute)[row].item())  # Python's own: Qt wants no other

    def meaning(settings: ScanSettings) -> str:
        numbers = measures(settings.unit, bag=settings.bag)
        told = next(explained(one) for one in numbers if one.column == attribute)
        return f"{told}\n{more(settings)}" if more else told

    return PairColumn(
        title=own.name,
        attribute=attribute,
        shown=shown,
        explained=meaning,
        sample=sample,
        gives_way=gives_way,
        alignment=alignment,
        largest_first=True,
    )


def _headings(settings: ScanSettings) -> str:
    """What the marks beside the resemblance say."""
    reasons = [ListedFor.PASSAGE]
    if settings.reworked != "off":
        reasons.append(ListedFor.REWORKED)
    return "\n".join(passage_heading(settings, reason) for reason in reasons)


class Column(Columns):
    """The columns, from left to right."""

    words: PairColumn

    RANK = PairColumn(
        title="#",
        attribute=None,
        shown=lambda _pairs, _names, row: count(row + 1),
        meaning="Rank, worst first: number 1 is the pair to read first.\n"
        "(resemblance + 2 × share of both texts in reworked passages) / 3, then the longest run; "
        "without reworked passages by resemblance.\nThe picture is the dot plot: A across, "
        "B down, a line for every shared passage.",
        sample="● 9,999",
        alignment=RIGHT,
    )
    DOCUMENT_A = PairColumn(
        title="Document A",
        attribute="a",
        shown=lambda pairs, names, row: names.shown[pairs.a[row]],
        meaning="The first document, by name.",
    )
    DOCUMENT_B = PairColumn(
        title="Document B",
        attribute="b",
        shown=lambda pairs, names, row: names.shown[pairs.b[row]],
        meaning="The second document, by name.",
    )
    RESEMBLANCE = _number("resemblance", ">0.000", alignment=LEFT, more=_headings)
    CONTAINMENT_A = _number("containment_a", "A in B ▾", gives_way=NAME_LETTERS)
    CONTAINMENT_B = _number("containment_b", "B in A ▾", gives_way=NAME_LETTERS)
    LONGEST_RUN = _number("longest_run", "Longest run ▾", gives_way=NAME_LETTERS)
    REWORKED = _number("reworked_words", "Reworked words ▾", gives_way=NAME_LETTERS)
    SHARED = _number("shared_shingles", "999,999", gives_way=EASY_LETTERS)
    # What it says is not among the numbers of the pairs: the table asks `PairVerdicts`.
    VERDICT = PairColumn(
        title="Verdict",
        attribute=VERDICT_ORDER,
        shown=lambda _pairs, _names, _row: "",
        meaning="What was judged. 1 confirmed, 2 suspicious, 3 not a match, 0 not reviewed; N a "
        "note.",
        sample="◐ suspicious ✎",
        largest_first=True,
    )
    FOUND_BY = PairColumn(
        title=FOUND_BY,
        attribute="found_by",
        shown=lambda pairs, _names, row: found_by(pairs.found_by[row].item()),
        meaning="\n".join(
            ("How the pair was found.", *(f"{way.shown}: {way.meaning}" for way in WAYS.values()))
        ),
        sample="shingles, passage",
        gives_way=EASY_LETTERS,
    )


COLUMNS = tuple(Column)
