"""The buckets of a search: what is known of them, as sentences and as a table of the fullest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from core.base.wording import count, counted, threshold
from core.reports.curve.forecast_words import PART_OF_RUN, about
from neardup_gui.models.table_model import Columns
from neardup_gui.models.workbench.rows_model import RowColumn, RowsModel, number_column, text_column

if TYPE_CHECKING:
    from core.scan.buckets import OtherLength

NOT_KNOWN = "The effect of passages is known once a folder is scanned."
GUARANTEED = (
    "Guaranteed: every two documents that share {words} in a row are found, whatever b and r, d or "
    "chance. Only text that stands in more than {most} documents, and what is set aside, makes no "
    "pairs by itself."
)
MOST = 100  # documents that hold a text, of which every two are still looked at


@dataclass(frozen=True, slots=True)
class PassageLengths:
    """What passages list.

    Attributes:
        least: t, from how many words on a passage lists a pair.
        floor: The resemblance from which pairs are listed anyway.
        pairs: How many below it share a passage.
        are_listed: Whether these are shown in the list.
        others: Other lengths, from the shortest to the longest.
        is_part_of_run: Whether the list has only pairs of a run on a cluster.
    """

    least: int
    floor: float
    pairs: int
    are_listed: bool
    others: tuple[OtherLength, ...]
    is_part_of_run: bool = False


def passage_words(told: PassageLengths | None) -> tuple[str, ...]:
    """What is guaranteed, what that lists, and a line for each other length."""
    if told is None:
        return (NOT_KNOWN,)
    return (
        *([PART_OF_RUN] if told.is_part_of_run else []),
        GUARANTEED.format(words=counted(told.least, "word"), most=count(MOST)),
        _now(told),
        *(_line(told, one) for one in told.others),
    )


def _now(told: PassageLengths) -> str:
    pairs = counted(told.pairs, "pair")
    share = "shares" if told.pairs == 1 else "share"
    shown = "" if told.are_listed else "; they are not listed now"
    start = f"From {count(told.least)} words on, as now"
    return f"{start}: {pairs} below {threshold(told.floor)} {share} one{shown}."


def _line(told: PassageLengths, one: OtherLength) -> str:
    start = f"From {count(one.words)} words on: "
    if not one.is_shorter:
        fewer = told.pairs - round(one.pairs.expected)
        return f"{start}{counted(fewer, 'pair')} fewer." if fewer else f"{start}the same pairs."
    more = [max(0.0, value - told.pairs) for value in one.pairs]
    expected, low, high = round(more[0]), math.floor(more[1]), math.ceil(more[2])
    if high == low:
        return f"{start}{counted(low, 'pair')} more." if low else f"{start}no pair more."
    most = f"at most about {about(high)}"
    if expected > low:
        return f"{start}about {about(expected)} pairs more ({about(low)} to {about(high)})."
    known = f"{counted(low, 'pair')} more that {'is' if low == 1 else 'are'} known" if low else ""
    return f"{start}{known}, {most}." if known else f"{start}none known, {most} more."


NOT_COUNTED = "Bucket sizes are known once a folder is scanned."
COUNTING = "Counting buckets…"
NONE_SHARED = "No two documents share a bucket, so nothing is compared."
NAMES_IN_A_ROW = 3
NAMES_TOLD = 30
LETTERS = 160  # of the text that is shared
FEW = 5  # of the fullest buckets, whose share of the work is told
MUCH = 0.3  # of all comparisons, from which on it is
CROWD = 1000  # documents; of fuller buckets not all pairs are compared


@dataclass(frozen=True, slots=True)
class Fill:
    """The buckets of one class of sizes.

    Attributes:
        least: The fewest documents that one holds.
        most: The most.
        buckets: How many there are, in all bands.
        pairs: How many pairs they hold.
    """

    least: int
    most: int
    buckets: int
    pairs: int

    @property
    def name(self) -> str:
        """The sizes: "5 to 8"; as it stands below a bar."""
        return count(self.least) if self.least == self.most else f"{count(self.least)}+"


@dataclass(frozen=True, slots=True)
class BucketRow:
    """One of the fullest buckets.

    Attributes:
        names: Of its documents; the first of them where there are very many.
        documents: How many it holds.
        bands: In how many bands they are together.
        pairs: How many pairs they make in all of these.
        text: How the longest passage begins that two of them share; "" where it is not known.
        words: How many words of it are the same.
    """

    names: tuple[str, ...]
    documents: int
    bands: int
    pairs: int
    text: str = ""
    words: int = 0


@dataclass(frozen=True, slots=True)
class BucketNumbers:
    """The buckets of a list.

    Attributes:
        search: What the search is called: "64 bands of 2 rows".
        is_bits: Whether buckets are the runs of tables of bits.
        bands: How many bands or tables there are.
        documents: How many documents were searched.
        fills: Classes of sizes, from the smallest to the fullest.
        largest: How many documents the fullest holds.
        compared: How many different pairs were compared; None where that is not known.
        every: Whether all pairs of the folder were compared, whatever the buckets.
        rows: The fullest.
    """

    search: str
    is_bits: bool
    bands: int
    documents: int
    fills: tuple[Fill, ...]
    largest: int
    compared: int | None
    every: bool
    rows: tuple[BucketRow, ...]

    @property
    def buckets(self) -> int:
        """How many there are."""
        return sum(one.buckets for one in self.fills)

    @property
    def pairs(self) -> int:
        """How many pairs they hold."""
        return sum(one.pairs for one in self.fills)


def bucket_words(numbers: BucketNumbers | None) -> str:
    """What the buckets of a list are like, in sentences."""
    if numbers is None:
        return NOT_COUNTED
    start = f"{numbers.search}, {counted(numbers.documents, 'document')}."
    if not numbers.buckets:
        return f"{start} {NONE_SHARED}"
    buckets = counted(numbers.buckets, "bucket")
    hold = "holds" if numbers.buckets == 1 else "hold"
    parts = [
        start,
        f"{buckets} {hold} two documents or more, the fullest {count(numbers.largest)}.",
        _pairs(numbers),
        _concentration(numbers),
        _remedy(numbers),
    ]
    if numbers.every:
        parts.append("All pairs were compared here, so buckets decided nothing.")
    return " ".join(filter(None, parts))


def _pairs(numbers: BucketNumbers) -> str:
    pairs = counted(numbers.pairs, "pair")
    if numbers.is_bits:
        return f"{pairs} in them agree in some bits and are compared in all, which takes a moment."
    again = ""
    if numbers.compared is not None:
        again = f"; {count(numbers.compared)} different ones were compared"
    return f"Together they hold {pairs}{again}."


def _concentration(numbers: BucketNumbers) -> str:
    """How much of the work the fullest make."""
    few = numbers.rows[:FEW]
    share = sum(row.pairs for row in few) / max(numbers.pairs, 1)
    if numbers.buckets <= len(few) or share < MUCH:
        return ""
    which = "The fullest one makes" if len(few) == 1 else f"The {len(few)} fullest make"
    return f"{which} about {min(round(100 * share), 100)}\N{NO-BREAK SPACE}% of that."


def _remedy(numbers: BucketNumbers) -> str:
    if numbers.is_bits or not numbers.rows or numbers.largest <= CROWD:
        return ""
    return (
        "In a bucket of more than 1,000, each document is compared with one of them and with "
        "those that share more. More rows make buckets smaller; text that stands in all of them "
        "can be set aside."
    )


def fill_words(fill: Fill) -> str:
    """One bar of the picture, in a sentence."""
    sizes = count(fill.least)
    if fill.most > fill.least:
        sizes = f"{sizes} to {count(fill.most)}"
    return f"{sizes} documents: {counted(fill.buckets, 'bucket')}, {counted(fill.pairs, 'pair')}"


def details_of(row: BucketRow, most: int = NAMES_IN_A_ROW) -> str:
    """What fills a bucket, and at most so many names."""
    lines = []
    if row.text:
        words = counted(row.words, "word")
        cut = row.text if len(row.text) <= LETTERS else f"{row.text[:LETTERS].rstrip()} …"
        lines.append(f"Two of them share a passage of {words}: “{cut}”")
    return "\n".join([*lines, _names(row, most)])


def _names(row: BucketRow, most: int) -> str:
    names = row.names[:most]
    rest = row.documents - len(names)
    return ", ".join(names) + (f" and {count(rest)} more" if rest else "")


class BucketColumn(Columns):
    """The columns, from left to right."""

    words: RowColumn

    NAMES = text_column(
        "Fullest buckets",
        lambda row: _names(row, NAMES_IN_A_ROW),
        meaning="The documents that are together.",
    )
    DOCUMENTS = number_column(
        "Documents", "400,000", lambda row: count(row.documents), meaning="How many are together."
    )
    PAIRS = number_column(
        "Pairs",
        "79,999,800",
        lambda row: count(row.pairs),
        meaning="How many pairs they make in all of these bands.",
    )
    BANDS = number_column(
        "Bands",
        "1,024",
        lambda row: count(row.bands),
        meaning="In how many bands, or tables of bits, they are together.",
    )


class BucketsModel(RowsModel[BucketRow, tuple[str, ...]]):
    """One row a bucket, the fullest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(tuple(BucketColumn), parent)

    def key_of(self, row: BucketRow) -> tuple[str, ...]:
        """The names of its documents."""
        return row.names

    def sentence(self, row: BucketRow) -> str:
        """How full it is, and of what."""
        together, bands = counted(row.documents, "document"), counted(row.bands, "band")
        return f"{together} in {bands}, {counted(row.pairs, 'pair')}: {details_of(row)}"

    def hint(self, row: BucketRow, column: RowColumn) -> str:
        """More names, beside the first ones."""
        return details_of(row, NAMES_TOLD) if column is BucketColumn.NAMES.words else ""
