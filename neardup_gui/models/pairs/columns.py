"""The columns of the table of pairs: documents, the numbers of `core.evidence.measures`, verdicts.

Each can be sorted by from the menu (`neardup_gui.window.actions`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import Qt

from core.base.arrays import BoolArray, Float64Array, Int64Array, UInt8Array
from core.base.messages import N_, gettext, ngettext
from core.base.wording import count
from core.evidence.measures import (
    MEASURE,
    NO_NUMBER,
    Measure,
    ShownIn,
    measures,
    measures_in,
    ways_explained,
)
from core.evidence.pairs import Pairs
from core.reports.pair_words import ADDED, NOT_FOUND, ListedFor, listed_for, passage_heading
from core.scan.judgements import VERDICTS, Judgements, PairRows, Verdict, VerdictColumns
from core.settings import ScanSettings
from neardup_gui.models.scan_result import DocumentNames
from neardup_gui.models.table_model import LEFT, RIGHT, Columns, TableColumn
from neardup_gui.models.words import verdicts

if TYPE_CHECKING:
    from core.documents.model import PairKey

DocumentPair = tuple[int, int]
MOST = 4_096  # pictures that are kept; the oldest go first


@dataclass(frozen=True, slots=True, eq=False)  # Qt would make a list of a tuple
class Thumbnail:
    """A line per passage: float64 (n, 4), start in A and B, then end, as shares of the texts."""

    lines: Float64Array

    @property
    def turned(self) -> Thumbnail:
        """The picture with A and B exchanged."""
        return Thumbnail(self.lines[:, [1, 0, 3, 2]])


class Thumbnails:
    """The pictures of the pairs of a list, by the numbers of their documents."""

    def __init__(self) -> None:
        self._known: dict[DocumentPair, Thumbnail] = {}

    def __contains__(self, pair: DocumentPair) -> bool:
        return pair in self._known

    def of(self, a: int, b: int) -> Thumbnail | None:
        """The picture of a pair in either order; None where it is not known yet."""
        thumbnail = self._known.get((a, b))
        if thumbnail is None and (b, a) in self._known:
            return self._known[b, a].turned
        return thumbnail

    def add(self, pair: DocumentPair, thumbnail: Thumbnail) -> None:
        """Keep the picture of a pair."""
        self._known[pair] = thumbnail
        if len(self._known) > MOST:
            del self._known[next(iter(self._known))]

    def clear(self) -> None:
        """Forget all, for another list."""
        self._known.clear()


class PairVerdicts:
    """The judgements on the rows of a list; `rows` are those of its pairs, not of the table.

    Attributes:
        news: Whether each pair is new or changed; 0 for neither.
        had_earlier: Whether a verdict is on an earlier text, or was since the list was made.
        text_pairs: The number of each pair's pair of texts: copies have the same.
    """

    def __init__(self, rows: PairRows, judgements: Judgements) -> None:
        self._rows = rows
        self.text_pairs = rows.text_pairs
        self._judgements = judgements
        self._columns = rows.columns(judgements)
        self.news = rows.news(judgements)
        self.had_earlier = bool(self._columns.is_earlier.any())

    @staticmethod
    def none_on(pairs: Pairs) -> PairVerdicts:
        """No judgements, for a list whose texts are not known."""
        made = PairVerdicts(PairRows(Pairs.empty(), ()), Judgements())
        nothing = np.zeros(len(pairs), dtype=np.uint8)
        made.news = nothing
        made.text_pairs = np.arange(len(pairs), dtype=np.int64)
        made._columns = VerdictColumns(nothing, nothing.astype(bool), nothing.astype(bool))
        return made

    @property
    def verdict(self) -> UInt8Array:
        """The index in `VERDICTS` of each pair; not reviewed where it is on an earlier text."""
        return self._columns.in_force

    @property
    def is_open(self) -> BoolArray:
        """Which pairs wait for a verdict: not reviewed, or on an earlier text only."""
        return np.asarray(self.verdict == 0)

    @property
    def is_checked(self) -> BoolArray:
        """Which pairs are in the random check."""
        checked = np.zeros(len(self._columns.verdict), dtype=np.bool_)
        checked[self.rows_of(self._judgements.check.pairs)] = True
        return checked

    @property
    def counts(self) -> Sequence[int]:
        """How many pairs have each verdict."""
        counts: list[int] = np.bincount(self.verdict, minlength=len(VERDICTS)).tolist()
        return counts

    @property
    def waiting_count(self) -> int:
        """How many pairs have a verdict on an earlier text, which waits to be confirmed."""
        return int(np.count_nonzero(self._columns.is_earlier))

    def update(self, judgements: Judgements, keys: Collection[PairKey] | None) -> Int64Array | None:
        """Use other judgements on these pairs; returns the rows that changed, None for all."""
        self._judgements = judgements
        if keys is None:
            self._columns = self._rows.columns(judgements)
            self.news = self._rows.news(judgements)
            rows = None
        else:
            rows = self._rows.update(self._columns, judgements, keys)
        self.had_earlier = self.had_earlier or bool(self._columns.is_earlier.any())
        return rows

    def was_added(self, row: int) -> bool:
        """Whether a pair is listed because its files share a property."""
        return self._judgements.was_added(self._rows.key_of(row))

    def keys_of(self, rows: Int64Array) -> list[PairKey]:
        """The keys of pairs."""
        return [self._rows.key_of(int(row)) for row in rows]

    def rows_of(self, keys: Collection[PairKey]) -> Int64Array:
        """The rows of pairs."""
        return self._rows.rows_of(keys)

    def one_row_each(self, keys: Collection[PairKey]) -> Int64Array:
        """One row of each of these pairs that is listed; may be asked on any thread."""
        return self._rows.one_row_each(keys)

    def unread(self) -> Int64Array:
        """One row of each pair of texts that waits for a verdict."""
        rows = self._rows.distinct
        unread: Int64Array = rows[self.is_open[rows]]
        return unread

    def text(self, row: int) -> str:
        """The text of the cell of a row: "● confirmed"."""
        columns = self._columns
        return verdicts.marked(
            self.verdict_of(row),
            has_note=bool(columns.has_note[row]),
            is_earlier=bool(columns.is_earlier[row]),
        )

    def verdict_of(self, row: int) -> Verdict:
        """The verdict on a pair."""
        verdict: Verdict = VERDICTS[self._columns.verdict[row]]
        return verdict

    def mark(self, row: int) -> str:
        """The mark of the verdict on a pair: "●"; may be empty."""
        return verdicts.MARKS[self.verdict_of(row)]

    def note(self, row: int) -> str:
        """The note on a pair."""
        return self._judgements.judgement_of(self._rows.key_of(row)).judgement.note

    def in_full(self, row: int) -> str:
        """The full judgement on a pair: verdict, who and when, the note."""
        return verdicts.in_full(self._judgements.judgement_of(self._rows.key_of(row)))


Rows = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class PairFilter:
    """Which of the listed pairs are shown, folded or not.

    Attributes:
        text: Contained in the name or the text of either document.
        min_resemblance: The least resemblance.
        min_share: The least share of A in B or B in A; of shingles where there are no passages yet.
        verdicts: Indexes in `VERDICTS`; all if empty.
        is_new: Only pairs that are new or changed since the user saw all.
        check: Only pairs of the random check.
        properties: Only pairs whose files share a rare property.
    """

    text: str = ""
    min_resemblance: float = 0.0
    min_share: float = 0.0
    verdicts: frozenset[int] = frozenset()
    is_new: bool = False
    check: bool = False
    properties: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether it filters nothing."""
        numbers = self.min_resemblance > 0 or self.min_share > 0
        marks = self.is_new or self.check or self.properties
        return not (self.text or numbers or self.verdicts or marks)


def ranked(pairs: Pairs, keys: npt.NDArray[np.generic] | None, *, ascending: bool) -> Rows:
    """All rows, ordered by a column; equal ones stay in the order of their rank.

    Args:
        pairs: In the order of their rank.
        keys: (n,), what to order by, documents by their numbers, which follow their names; None
            for the rank itself.
        ascending: Whether the smallest comes first.
    """
    if keys is None:
        rows = np.arange(len(pairs), dtype=np.int32)
        return rows if ascending else rows[::-1].copy()
    if np.issubdtype(keys.dtype, np.integer):
        integers = keys.astype(np.int64)
        lowest, highest = int(integers.min(initial=0)), int(integers.max(initial=0))
        return _sorted(integers - lowest if ascending else highest - integers)
    shares = keys.astype(np.float64)
    return np.argsort(shares if ascending else -shares, kind="stable").astype(np.int32)


def _sorted(digits: Int64Array) -> Rows:
    """Rows by numbers from 0 on, equal ones in their order: 16 bits after 16, the lowest first.

    NumPy sorts so many bits in linear time, and longer numbers by comparing them.
    """
    rows: Rows = np.arange(len(digits), dtype=np.int32)
    most = int(digits.max(initial=0))
    for shift in range(0, most.bit_length(), 16):
        part = (digits >> shift).astype(np.uint16)
        order = np.argsort(part[rows] if shift else part, kind="stable")
        rows = rows[order]
    return rows


def passing(
    rows: Rows,
    pairs: Pairs,
    names: DocumentNames,
    verdicts: PairVerdicts,
    sharing: BoolArray,
    chosen: PairFilter,
    *,
    is_of_few: bool,
) -> Rows:
    """The rows that pass a filter, in their order.

    `sharing` says by pair whether its files share a rare property, `is_of_few` whether every pair
    of the documents is shown.
    """
    if chosen.is_empty:
        return rows
    shown = np.ones(len(pairs), dtype=np.bool_)
    if chosen.min_resemblance > 0:
        shown &= pairs.resemblance >= chosen.min_resemblance
    if chosen.min_share > 0:
        measured = np.maximum(pairs.overlap_a, pairs.overlap_b)
        most = np.maximum(pairs.containment_a, pairs.containment_b)
        shown &= np.where(measured < 0, most, measured) >= chosen.min_share
    if chosen.verdicts:
        wanted = np.zeros(256, dtype=np.bool_)
        wanted[list(chosen.verdicts)] = True
        # Of few documents, pairs that the search does not list wait for no verdict.
        is_pair = (pairs.found_by > 0) | (not is_of_few)
        shown &= wanted[verdicts.verdict] & (is_pair | ~verdicts.is_open)
    if chosen.check:
        shown &= verdicts.is_checked
    if chosen.is_new:
        shown &= verdicts.news > 0
    if chosen.properties:
        shown &= sharing
    if chosen.text:
        sought = names.containing(chosen.text)
        shown &= sought[pairs.a] | sought[pairs.b]
    return rows[shown[rows]]


class FoldedRows:
    """Folds rows that pass the filter: weak traces, and copies.

    Weak traces that nobody judged stand at the foot of the list, when they are unfolded. Of pairs
    of the same texts the first by rank is shown, with how many more there are; all where it is
    unfolded.

    Attributes:
        weak: Whether weak traces are unfolded.
        weak_count: How many of them there are, folded or not.
        copies: The pairs of texts of which all pairs are shown.
        more: int64, by pair of texts: how many pairs are folded under the first.
    """

    def __init__(self) -> None:
        self.weak = False
        self.weak_count = 0
        self.copies: set[PairKey] = set()
        self.more: Int64Array = np.zeros(0, dtype=np.int64)

    def clear(self) -> None:
        """Fold everything, for another folder."""
        self.weak = False
        self.copies.clear()

    def fold(self, rows: Rows, weak: BoolArray, verdicts: PairVerdicts) -> Rows:
        """The rows that are shown, in their order.

        Args:
            rows: The rows that pass, in the order of the table.
            weak: bool, by pair: which are weak traces.
            verdicts: The verdicts on all pairs.
        """
        is_weak = weak[rows]
        self.weak_count = int(np.count_nonzero(is_weak))
        if is_weak.any():
            traces = rows[is_weak]
            if not self.weak:
                traces = traces[~verdicts.is_open[traces]]
            rows = np.concatenate([rows[~is_weak], traces])
        return self._fold_copies(rows, verdicts)

    def show_all(self, rows: Rows, verdicts: PairVerdicts) -> Rows:
        """The rows with nothing folded."""
        self.weak_count = 0
        self.more = np.zeros(int(verdicts.text_pairs.max(initial=-1)) + 1, dtype=np.int64)
        return rows

    def _fold_copies(self, rows: Rows, verdicts: PairVerdicts) -> Rows:
        numbers = verdicts.text_pairs
        count = int(numbers.max(initial=-1)) + 1
        self.more = np.zeros(count, dtype=np.int64)
        if count == len(numbers):
            return rows
        text_pairs = numbers[rows]
        # The pair of the best rank, whatever the order of the table: sorting folds nothing else.
        ranked = np.sort(rows)[::-1]
        first = np.empty(count, dtype=np.int64)
        first[numbers[ranked]] = ranked
        shown: BoolArray = first[text_pairs] == rows
        unfolded = np.zeros(count, dtype=np.bool_)
        unfolded[numbers[verdicts.rows_of(self.copies)]] = True
        copies = np.maximum(np.bincount(text_pairs, minlength=count) - 1, 0)
        self.more = np.where(unfolded, 0, copies)
        return rows[shown | unfolded[text_pairs]]


def next_of(order: Rows, wanted: BoolArray, row: int) -> int | None:
    """The next row of a table whose pair is wanted, from `row` on and then from the top."""
    rows = np.flatnonzero(wanted[order])
    if not len(rows):
        return None
    return int(rows[int(np.searchsorted(rows, row)) % len(rows)])


NAME_LETTERS = 16  # of a name that are shown at least
EASY_LETTERS = 22  # of a name that are easy to read
MOST_LETTERS = 40  # of a name that is shown in full
VERDICT_ORDER = "verdict"  # of `PairVerdicts`


def longest_mark() -> str:
    """The longest mark that is shown instead of the bar."""
    return max(map(listed_for, ListedFor), key=len)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairColumn(TableColumn):
    """One column.

    Attributes:
        attribute: The column of `core.evidence.pairs.Pairs` that it sorts by; None for the rank.
        explained: The meaning under some settings, where it depends on them.
        gives_way: Letters of a name: where the names have less room, and are longer, the column is
            left out, the rightmost first; 0 for one that always stays.
        sorts: What the menu calls sorting by it, and the keys; by its title where this is empty.
    """

    attribute: str | None
    explained: Callable[[ScanSettings], str] | None = None
    gives_way: int = 0
    sorts: tuple[str, str] = ("", "")


def _number(
    measure: Measure,
    *,
    sample: str = "",
    gives_way: int = MOST_LETTERS,
    alignment: int = RIGHT,
    sorts: tuple[str, str] = ("", ""),
    more: Callable[[ScanSettings], str] | None = None,
) -> PairColumn:
    """The column of a number; `more` is appended to its explanation."""

    def shown(pairs: Pairs, _names: DocumentNames, row: int) -> str:
        # A Python number: Qt takes no NumPy number.
        return measure.shown(getattr(pairs, measure.column)[row].item())

    def meaning(settings: ScanSettings) -> str:
        numbers = measures(settings.unit, bag=settings.bag)
        explanation = next(
            number.explained for number in numbers if number.column == measure.column
        )
        return f"{explanation}\n{more(settings)}" if more else explanation

    return PairColumn(
        title=measure.name,
        attribute=measure.column,
        shown=shown,
        explained=meaning,
        sample=sample,
        gives_way=gives_way,
        alignment=alignment,
        largest_first=True,
        sorts=sorts,
    )


def _headings(settings: ScanSettings) -> str:
    """What the marks beside the resemblance mean."""
    reasons = [ListedFor.PASSAGE]
    if settings.reworked != "off":
        reasons.append(ListedFor.REWORKED)
    return "\n".join(passage_heading(settings, reason) for reason in reasons)


class _Look(TypedDict, total=False):
    sample: str
    gives_way: int
    sorts: tuple[str, str]


# What is not as usual of the column of a number.
_LOOKS: dict[str, _Look] = {
    "overlap_a": {"gives_way": EASY_LETTERS, "sorts": (N_("A &in B"), "Ctrl+5")},
    "overlap_b": {"gives_way": EASY_LETTERS, "sorts": (N_("B i&n A"), "Ctrl+6")},
    "longest_run": {"sorts": (N_("&Longest run"), "Ctrl+7")},
    "shared_words": {"sorts": (N_("Shared &words"), "Ctrl+Shift+W")},
    "shared_shingles": {"sample": "999,999", "sorts": (N_("&Shared"), "Ctrl+8")},
}


class Column(Columns):
    """The columns, from left to right: by name those of numbers are `LONGEST_RUN` and so on."""

    _ignore_ = "_members _measure"
    _members = vars()
    words: PairColumn

    RANK = PairColumn(
        title="#",
        attribute=None,
        shown=lambda pairs, _names, row: count(row + 1) if pairs.found_by[row] else NO_NUMBER,
        meaning=N_(
            "Rank, worst first: number 1 is the pair to read first.\n"
            "By overlap, then the longest run; where the overlap was not measured, by "
            "resemblance.\nThe picture is the dot plot: A across, B down, a line for every shared "
            "passage."
        ),
        sample="● 9,999",
        alignment=RIGHT,
        sorts=(N_("&Rank, worst first"), "Ctrl+1"),
    )
    DOCUMENT_A = PairColumn(
        title=N_("Document A"),
        attribute="a",
        shown=lambda pairs, names, row: names.shown[pairs.a[row]],
        meaning=N_("The first document, by name."),
        sorts=(N_("Document &A"), "Ctrl+2"),
    )
    DOCUMENT_B = PairColumn(
        title=N_("Document B"),
        attribute="b",
        shown=lambda pairs, names, row: names.shown[pairs.b[row]],
        meaning=N_("The second document, by name."),
        sorts=(N_("Document &B"), "Ctrl+3"),
    )
    OVERLAP = _number(
        MEASURE["overlap"],
        sample="100%",
        gives_way=0,
        alignment=LEFT,
        sorts=(N_("&Overlap"), "Ctrl+Shift+L"),
    )
    RESEMBLANCE = _number(
        MEASURE["resemblance"],
        sample=">0.000",
        gives_way=NAME_LETTERS,
        sorts=(N_("R&esemblance"), "Ctrl+4"),
        more=_headings,
    )
    for _measure in measures_in(ShownIn.LIST)[2:]:
        _members[_measure.column.upper()] = _number(_measure, **_LOOKS.get(_measure.column, {}))
    # Its text is not among the numbers of the pairs: the table asks `PairVerdicts`.
    VERDICT = PairColumn(
        title=N_("Verdict"),
        attribute=VERDICT_ORDER,
        shown=lambda _pairs, _names, _row: "",
        meaning=N_(
            "What was judged. 1 confirmed, 2 suspicious, 3 not a match, 0 not reviewed; N a note."
        ),
        sample=verdicts.widest,
        largest_first=True,
        sorts=(N_("&Verdict"), "Ctrl+Shift+V"),
    )
    FOUND_BY = PairColumn(
        title=MEASURE["found_by"].name,
        attribute="found_by",
        shown=lambda pairs, _names, row: (
            MEASURE["found_by"].shown(pairs.found_by[row].item()) or NO_NUMBER
        ),
        explained=lambda _settings: ways_explained(),
        sorts=(N_("&Found by"), "Ctrl+9"),
        sample=N_("shingles, passage"),
        gives_way=MOST_LETTERS,
    )


WEAK_TRACE = N_("weak trace")
ALL_SHOWN = N_("With so few documents, all pairs are shown; the search does not list this one.")


def why_shown(*, is_of_few: bool, was_added: bool) -> str:
    """The reason to show a pair in which the search found nothing."""
    if is_of_few:
        return gettext(ALL_SHOWN)
    return gettext(ADDED if was_added else NOT_FOUND)


def more_copies(number: int) -> str:
    """The mark of a row under which copies are folded."""
    return ngettext("+ {n} copy", "+ {n} copies", number)


class Role:
    """The roles of delegates and views besides Qt's; plain numbers, which Qt passes on."""

    VALUE = int(Qt.ItemDataRole.UserRole) + 1  # the number of the cell, 0 to 1
    MARK = VALUE + 1  # the mark beside it; else empty
    OTHER_NAME = VALUE + 2  # the name from which this one must be distinguished
    KIND = VALUE + 3  # whether the shared text is the same or reworked
    ALIKE = VALUE + 4  # what most names begin with


DOCUMENTS = (Column.DOCUMENT_A, Column.DOCUMENT_B)
