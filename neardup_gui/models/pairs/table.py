"""The ranked table of pairs: NumPy columns behind an order array.

A million rows sort in well under 150 ms, because sorting and filtering only make a new int32 array
of row numbers; no row is ever an object. What a cell answers is Python's own: Qt refuses some of
NumPy's numbers, or crashes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from core.base.arrays import AnyArray, BoolArray, Int64Array
from core.base.messages import N_, gettext
from core.base.wording import comma_list, resemblance
from core.documents.model import Documents
from core.documents.reading_settings import ReadingSettings
from core.evidence.measures import MEASURE, how_found
from core.evidence.pairs import Pairs
from core.reports import pair_words
from core.scan.pair_list import FEW
from core.settings import ScanSettings
from neardup_gui.models.pairs.columns import (
    DOCUMENTS,
    VERDICT_ORDER,
    WEAK_TRACE,
    Column,
    DocumentPair,
    FoldedRows,
    PairFilter,
    PairVerdicts,
    Role,
    Rows,
    Thumbnails,
    more_copies,
    next_of,
    passing,
    ranked,
    why_shown,
)
from neardup_gui.models.scan_result import DocumentNames, ListedPair, ScanResult
from neardup_gui.models.setup import summary_of, without_passwords
from neardup_gui.models.table_model import ACCESSIBLE, ASCENDING, DISPLAY, TOOL_TIP, SortedModel
from neardup_gui.models.words.verdicts import pairs_named

if TYPE_CHECKING:
    from core.documents.model import PairKey
    from core.evidence.passage import PairOverlap
    from core.scan.judgements import Judgements

ANOTHER_RUN = N_("Only another run on a cluster can follow.")


@dataclass(frozen=True, slots=True)
class Change:
    """The value of a setting when the list was made, and its value now, in words."""

    subject: str
    then: str
    now: str


def changes_since(
    result: ScanResult | None, settings: ScanSettings, reading: ReadingSettings
) -> tuple[Change, ...]:
    """The settings changed since a list was made that need another scan."""
    if result is None:
        return ()
    changes: list[Change] = []
    if not result.can_answer(settings):
        both = zip(summary_of(result.scan.settings), summary_of(settings), strict=True)
        changes += [
            Change(subject, then, now) for (subject, then), (_, now) in both if then != now
        ] or [Change(gettext("Settings"), gettext("others"), gettext("not scanned yet"))]
    if result.reading is not None and (
        without_passwords(result.reading) != without_passwords(reading)
    ):
        changes.append(
            Change(gettext("Reading files"), gettext("as before"), gettext("as chosen since"))
        )
    return tuple(changes)


def outdated_sentence(changes: tuple[Change, ...], *, is_of_run: bool = False) -> str:
    """The sentence above the list; empty if it is up to date.

    Args:
        changes: What was chosen since it was made.
        is_of_run: Whether it is of a run on a cluster, and cannot be scanned again here.
    """
    if not changes:
        return ""
    details = ". ".join(f"{change.subject}: {change.then} → {change.now}" for change in changes)
    first = gettext(ANOTHER_RUN) if is_of_run else gettext("This list is out of date.")
    return f"{first} {details}."


def report_sentence(changes: tuple[Change, ...]) -> str:
    """The sentence on an outdated list in a report; empty if it is up to date."""
    if not changes:
        return ""
    return gettext(
        "The list was made with other settings: {then}. Chosen since, but not scanned: {now}.",
        then="; ".join(f"{change.subject} ({change.then})" for change in changes),
        now="; ".join(f"{change.subject} ({change.now})" for change in changes),
    )


class SwappedPairs:
    """The pairs that are shown with B before A, also in another list of the folder.

    A document to review stands before a reference; the others as they are listed, unless the user
    exchanged them.
    """

    def __init__(self) -> None:
        self._keys: set[ListedPair] = set()

    def has(self, key: ListedPair, names: DocumentNames) -> bool:
        """Whether a pair of these documents is shown turned."""
        a, b = (names.index(name) for name in key.names)
        known = a is not None and b is not None
        is_reference_first = known and names.reference_first(np.array([a]), np.array([b])).any()
        return (key.turned in self._keys) != bool(is_reference_first)

    def toggle(self, key: ListedPair) -> None:
        """Exchange the sides of a pair, or put them back."""
        self._keys.discard(key)  # other names may have turned the pair in its list
        self._keys ^= {key.turned}

    def follow(self, names: DocumentNames, before: Documents) -> None:
        """Follow the pairs to another list, where their documents have other keys."""
        self._keys = {names.followed(key, before) for key in self._keys}

    def clear(self) -> None:
        """Forget all swaps, for another folder."""
        self._keys.clear()

    def applied(self, pairs: Pairs, names: DocumentNames) -> Pairs:
        """The rows as they are shown."""
        key_rows = (row_of_pair(pairs, names, key.turned) for key in self._keys)
        rows = np.array([row for row in key_rows if row is not None], dtype=np.int64)
        where = names.reference_first(pairs.a, pairs.b)
        where[rows] = ~where[rows]
        if not where.any():
            return pairs
        a, b = np.where(where, pairs.b, pairs.a), np.where(where, pairs.a, pairs.b)
        return pairs.turned(where).with_columns(a=a, b=b)


def row_of_pair(pairs: Pairs, names: DocumentNames, key: ListedPair) -> int | None:
    """The row of a pair of this list; None when it is not listed, or B comes before A."""
    a, b = (names.index(name) for name in key.names)
    if a is None or b is None:
        return None
    rows = np.flatnonzero((pairs.a == a) & (pairs.b == b))
    return int(rows[0]) if len(rows) else None


OF_OVERLAP = ("overlap", "overlap_a", "overlap_b", "shared_words")
OF_OVERLAP_TURNED = ("overlap", "overlap_b", "overlap_a", "shared_words")


def _with_writable_overlaps(pairs: Pairs) -> Pairs:
    """The pairs with columns that can be filled in, if overlaps are missing."""
    if not (pairs.overlap < 0).any():
        return pairs
    return pairs.with_columns(**{name: getattr(pairs, name).copy() for name in OF_OVERLAP})


CHANGED = [DISPLAY, TOOL_TIP, ACCESSIBLE]

NOT_MEASURED = N_(
    "Not measured yet: there are too many pairs to measure all at once. It comes by "
    "itself, sooner while its row is in sight; the order of the list stays as it is."
)


class PairsModel(SortedModel[Column, ListedPair]):
    """Pairs as rows; `_rows` maps a row shown to a row of the columns.

    Attributes:
        verdicts: What is said of the pairs.
        filter: Which pairs are shown.
        unlisted_sharing: How many unlisted pairs are of files that share a rare property.

    Signals:
        judged: Something else is said of some pairs.
        refiltering: The rows will be reset, for the same pairs: what is selected can be kept.
    """

    columns = tuple(Column)
    judged = Signal()
    refiltering = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pairs = Pairs.empty()
        self._seen = self._pairs  # the rows with A and B as the user exchanged them
        self._swaps = SwappedPairs()
        self.names = DocumentNames(())
        self.thumbnails = Thumbnails()
        self._before = self.names.documents  # documents of the list before
        self._settings = ScanSettings()
        self.verdicts = PairVerdicts.none_on(self._pairs)
        self.filter = PairFilter()
        self._is_stale = False  # the filtered rows, since overlaps came in
        self.folded = FoldedRows()
        self._has_unknown = False  # overlaps that are not measured yet
        self._is_of_few = False  # documents, all of whose pairs are shown: then nothing is folded
        self._weak = self._sharing = self._pairs.weak_trace
        self._sorted_by = (Column.RANK, ASCENDING)
        self._rare: Sequence[DocumentPair] = ()  # whose files share a rare property: `_sharing`
        self.unlisted_sharing = 0
        self._ranked: Rows = np.zeros(0, dtype=np.int32)  # every pair, in the wanted order
        self._rows: Rows = self._ranked  # the pairs that pass the filter

    # For the window

    @property
    def total(self) -> int:
        """The number of pairs listed, shown or not."""
        return len(self._pairs)

    @property
    def counts(self) -> Sequence[int]:
        """How many pairs have each verdict; pairs that need none count only if judged."""
        not_reviewed, *judged = self.verdicts.counts
        return [not_reviewed - int(np.count_nonzero(~self._is_counted)), *judged]

    @property
    def shown_count(self) -> int:
        """How many rows are shown of the pairs that `counts` counts."""
        return int(np.count_nonzero(self._is_counted[self._rows]))

    @property
    def new_count(self) -> int:
        """How many of these pairs are new or changed."""
        return int(np.count_nonzero(self._is_counted & (self.verdicts.news > 0)))

    @property
    def pair_count(self) -> int:
        """The number of pairs to judge, shown or not: those that were found or added."""
        return len(self._pairs) - int(np.count_nonzero(self._no_work))

    @property
    def nothing_found_count(self) -> int:
        """The number of pairs in which nothing was found: those of few documents, or added."""
        return int(np.count_nonzero(self._pairs.found_by == 0))

    @property
    def _no_work(self) -> BoolArray:
        """Weak traces, and of few documents the pairs that the search did not find."""
        return self._weak | (self._pairs.found_by == 0) if self._is_of_few else self._weak

    @property
    def _is_counted(self) -> BoolArray:
        return np.asarray(~(self._no_work & self.verdicts.is_open))

    @property
    def order_in_words(self) -> str:
        """The order of the table in words; empty for the rank."""
        column, order = self._sorted_by
        if column is Column.RANK and order == ASCENDING:
            return ""
        if order == ASCENDING:
            return gettext("{column}, ascending", column=column.title)
        return gettext("{column}, descending", column=column.title)

    def clear(self) -> None:
        """Show nothing, for another folder."""
        self._swaps.clear()
        self.folded.clear()
        if not len(self.names):  # as on the start page: what nobody sees need not be laid out again
            return
        self.set_pairs(Pairs.empty(), DocumentNames(()))
        self._before = self.names.documents  # else those would be kept until pairs are shown

    def set_pairs(
        self,
        pairs: Pairs,
        names: DocumentNames,
        settings: ScanSettings | None = None,
        verdicts: PairVerdicts | None = None,
        *,
        is_of_run: bool = False,
    ) -> None:
        """Show other pairs, in the same order and through the same filter.

        The settings are those that the pairs are listed under; the verdicts are on these pairs.
        """
        self.beginResetModel()
        if names is not self.names:
            self.thumbnails.clear()
            self._before = self.names.documents
            self._swaps.follow(names, self._before)
        self._pairs, self.names = _with_writable_overlaps(pairs), names
        pairs = self._pairs
        self._seen = self._swaps.applied(pairs, names)
        self._is_of_few = len(names) <= FEW and not is_of_run
        self._has_unknown = bool((pairs.overlap < 0).any())
        self._weak = pairs.weak_trace
        self._sharing = self._find_sharing()
        self._settings = settings or ScanSettings()
        self.verdicts = verdicts or PairVerdicts.none_on(pairs)
        self._sort()
        self.endResetModel()

    @property
    def sharing_count(self) -> int:
        """How many listed pairs have files that share a rare property; 0 if not known."""
        return int(np.count_nonzero(self._sharing))

    def set_sharing(self, rare: Sequence[DocumentPair], unlisted: int) -> None:
        """Set the listed pairs whose files share a rare property, and the number not listed."""
        self._rare, self.unlisted_sharing = rare, unlisted
        self._sharing = self._find_sharing()
        if self.filter.properties:
            self._filter_again()
        else:
            self._emit_changed(Column.FOUND_BY, Column.FOUND_BY, CHANGED)
        self.judged.emit()

    def _find_sharing(self) -> BoolArray:
        pairs, width = self._pairs, len(self.names)
        rare = np.array(self._rare, dtype=np.int64).reshape(-1, 2)
        keys = np.minimum(pairs.a, pairs.b).astype(np.int64) * width + np.maximum(pairs.a, pairs.b)
        return np.isin(keys, rare.min(axis=1, initial=width) * width + rare.max(axis=1, initial=0))

    def set_filter(self, pair_filter: PairFilter) -> None:
        """Show only some of the pairs."""
        if pair_filter != self.filter:
            self.filter = pair_filter
            self._filter_again()

    def set_overlap(self, pair: DocumentPair, overlap: PairOverlap) -> None:
        """Show the overlap of a pair once it is known; its row stays where it is."""
        a, b = pair
        if self._has_unknown:
            rows = np.flatnonzero((self._pairs.a == a) & (self._pairs.b == b))
            columns = {name: np.full(len(rows), value) for name, value in overlap._asdict().items()}
            self.set_overlaps(rows, columns)

    def set_overlaps(self, pairs: Int64Array, columns: Mapping[str, AnyArray]) -> None:
        """Show the overlaps of pairs measured together; known ones stay."""
        fresh = self._pairs.overlap[pairs] < 0
        rows = pairs[fresh]
        turned = self._seen.a[rows] != self._pairs.a[rows]
        for name, turned_name in zip(OF_OVERLAP, OF_OVERLAP_TURNED, strict=True):
            overlaps, turned_overlaps = columns[name][fresh], columns[turned_name][fresh]
            getattr(self._pairs, name)[rows] = overlaps
            getattr(self._seen, name)[rows] = np.where(turned, turned_overlaps, overlaps)
        self._is_stale |= bool(len(rows)) and self.filter.min_share > 0
        if len(rows):
            self._emit_changed(roles=CHANGED)

    def refilter(self) -> None:
        """Filter again by the overlaps that came in since."""
        if self._is_stale:
            self.refiltering.emit()
            self._filter_again()

    def filter_again(self) -> None:
        """Texts were searched: show the pairs that contain the phrase."""
        self._is_stale = True
        self.refilter()

    def is_unknown(self, pairs: Int64Array) -> BoolArray:
        """Whether the overlap of each pair is unknown."""
        return np.asarray(self._pairs.overlap[pairs] < 0)

    def unknown(self) -> Int64Array:
        """The pairs whose overlap is not known, in the order of the list."""
        return np.flatnonzero(self._pairs.overlap < 0)

    def unfold_weak(self, *, unfolded: bool) -> None:
        """Show or hide weak traces at the foot of the list."""
        self.folded.weak = unfolded
        self._filter_again()

    def unfold_copies(self, row: int, *, unfolded: bool) -> None:
        """Show all pairs with the texts of a row, or only the first."""
        if not (self.copies_folded(row) if unfolded else self.has_copies(row)):
            return
        (key,) = self.verdicts.keys_of(self.pairs_in([row]))
        self.folded.copies ^= {key}
        self._filter_again()

    def copies_folded(self, row: int) -> int:
        """How many pairs with the same words are folded under a row."""
        return self._copies_folded(int(self._rows[row]))

    def has_copies(self, row: int) -> bool:
        """Whether the pairs with the texts of a row are unfolded."""
        if not self.folded.copies:
            return False
        (key,) = self.verdicts.keys_of(self.pairs_in([row]))
        return key in self.folded.copies

    @property
    def first_weak(self) -> int:
        """The first row of a weak trace that is not judged, or the number of rows."""
        rows = np.flatnonzero((self._weak & self.verdicts.is_open)[self._rows])
        return int(rows[0]) if len(rows) else len(self._rows)

    def set_judgements(self, judgements: Judgements, keys: Collection[PairKey] | None) -> None:
        """Show other judgements, on these pairs; on any if none are given."""
        self.verdicts.update(judgements, keys)
        chosen = self.filter
        moves = chosen.verdicts or chosen.is_new or chosen.check or self._weak.any()
        rows = self._passing() if moves else self._rows
        if not np.array_equal(rows, self._rows):
            with self.resetting():
                self._rows = rows
        else:
            self._emit_changed(Column.RANK, Column.VERDICT, CHANGED)  # cards are drawn in the rank
        self.judged.emit()

    def pairs_in(self, rows: Sequence[int] | Int64Array) -> Int64Array:
        """The listed pairs of rows."""
        return self._rows[rows].astype(np.int64)

    def names_of(self, pairs: Int64Array) -> str:
        """The documents of a pair, or the number of pairs, in words."""
        pair = int(pairs[0])
        return pairs_named(len(pairs), self.names.key(self._pairs.a[pair], self._pairs.b[pair]))

    def row_of_any(self, pairs: Int64Array) -> int | None:
        """The first row that shows one of these pairs."""
        rows = self.rows_of(pairs)
        return int(rows[0]) if len(rows) else None

    def rows_of(self, pairs: Int64Array) -> Int64Array:
        """The rows that show the given pairs, in ascending order."""
        return np.flatnonzero(np.isin(self._rows, pairs))

    def next_open(self, row: int, but: Int64Array) -> int | None:
        """The next row whose pair waits for a verdict, from `row` on, then from the top.

        Args:
            row: Where to begin.
            but: Pairs that do not count: they are being judged.
        """
        waits = self.verdicts.is_open
        waits[but] = False
        return next_of(self._rows, waits, row)

    def is_swapped(self, key: ListedPair) -> bool:
        """Whether B of a pair is shown before A."""
        return self._swaps.has(key, self.names)

    def swap(self, key: ListedPair) -> None:
        """Exchange A and B of a pair in its row; its key stays."""
        self._swaps.toggle(key)
        self._seen = self._swaps.applied(self._pairs, self.names)
        self.sort(*self._sorted_by)

    def shown_rows(self) -> Rows:
        """The listed pairs that pass the filter, folded or not, in the order of the table."""
        return self._filtered(self._ranked)

    def key_at(self, row: int) -> ListedPair:
        """The pair in a row."""
        pair = self._rows[row]
        return self.names.key(self._pairs.a[pair], self._pairs.b[pair])

    def row_of(self, key: ListedPair) -> int | None:
        """The row of a pair of this list or the one before; None when it is not shown.

        Of a pair that is folded it is the row of the copy that stands for it.
        """
        pair = self.number_of(key)
        if pair is None:
            return None
        rows = np.flatnonzero(self._rows == pair)
        if not len(rows) and self._is_passing(pair):
            numbers = self.verdicts.text_pairs
            rows = np.flatnonzero(numbers[self._rows] == numbers[pair])
        return int(rows[0]) if len(rows) else None

    def find(self, key: ListedPair) -> tuple[ListedPair, Pairs] | None:
        """A pair of this list or the one before, shown or not: its key here, and its row."""
        pair = self.number_of(key)
        if pair is None:
            return None
        pairs = self._pairs.take(np.array([pair]))
        return self.names.key(int(pairs.a[0]), int(pairs.b[0])), pairs

    def number_of(self, key: ListedPair) -> int | None:
        """The row among the listed pairs of a pair of this list or the one before, shown or not."""
        key = self.names.followed(key, self._before)
        rows = (row_of_pair(self._pairs, self.names, pair) for pair in (key, key.turned))
        return next((row for row in rows if row is not None), None)

    # Qt's model interface

    def _sort(self) -> None:
        """Put the pairs into the wanted order, and leave out those that the filter hides."""
        column, order = self._sorted_by
        attribute = column.words.attribute
        holder = self.verdicts if attribute == VERDICT_ORDER else self._seen
        keys = None if attribute is None else getattr(holder, attribute)
        self._ranked = ranked(self._seen, keys, ascending=order == ASCENDING)
        self._rows = self._passing()

    def _filter_again(self) -> None:
        """Show other rows of the same pairs."""
        with self.resetting():
            self._rows = self._passing()

    def _filtered(self, rows: Rows) -> Rows:
        """The rows that pass the filter."""
        return passing(
            rows,
            self._pairs,
            self.names,
            self.verdicts,
            self._sharing,
            self.filter,
            is_of_few=self._is_of_few,
        )

    def _passing(self) -> Rows:
        self._is_stale = False
        rows = self._filtered(self._ranked)
        if self._is_of_few or self.filter.check:
            return self.folded.show_all(rows, self.verdicts)
        return self.folded.fold(rows, self._weak, self.verdicts)

    def _is_passing(self, pair: int) -> bool:
        rows = np.array([pair], dtype=np.int32)
        return len(self._filtered(rows)) > 0

    # Contents of cells; `row` is that of the listed pairs

    def _meaning(self, section: int) -> str:
        column = self.columns[section]
        words = column.words
        return words.explained(self._settings) if words.explained else column.meaning

    def _text(self, row: int, column: Column) -> str:
        return self._cell_text(int(self._rows[row]), column)

    def _besides(self, role: int, row: int, column: Column) -> object:
        pair = int(self._rows[row])
        if column in DOCUMENTS:
            return self._of_document(role, column, pair)
        return self._of_number(role, column, pair)

    def _cell_text(self, row: int, column: Column) -> str:
        """The text of the cell of a pair."""
        if column is Column.VERDICT:
            return self.verdicts.text(row)
        if column is Column.RANK:  # shows the verdict in a narrow window, too
            return f"{self.verdicts.mark(row)} {self._shown(column, row)}".lstrip()
        if column is Column.FOUND_BY and not self._seen.found_by[row] and self._sharing[row]:
            return gettext("file properties")
        return self._shown(column, row)

    def _shown(self, column: Column, row: int) -> str:
        return column.words.shown(self._seen, self.names, row)

    def _of_document(self, role: int, column: Column, row: int) -> str | None:
        """The roles of cells with names: the mark of the document, the other name."""
        if role == Role.OTHER_NAME:
            return self._cell_text(row, DOCUMENTS[column is Column.DOCUMENT_A])
        if role == Role.ALIKE:
            return self.names.alike
        marks = [self.names.marks.get(self._document(column, row), "")]
        if column is Column.DOCUMENT_B and (more := self._copies_folded(row)):
            marks.append(more_copies(more))
        mark = comma_list(marks)
        if role == ACCESSIBLE and mark:
            return f"{self._cell_text(row, column)}, {mark}"
        return mark if role == Role.MARK else None

    def _copies_folded(self, row: int) -> int:
        """How many pairs with the same words are folded under a pair."""
        return int(self.folded.more[self.verdicts.text_pairs[row]])

    def _of_number(self, role: int, column: Column, row: int) -> object:
        """The roles of the cells of the rank, the resemblance and the verdict."""
        if column is Column.RANK and role == Role.VALUE:
            a, b = (self._document(name, row) for name in DOCUMENTS)
            return self.thumbnails.of(a, b)
        if role == ACCESSIBLE and column is Column.VERDICT:
            return self.verdicts.in_full(row)
        if role == ACCESSIBLE and column is Column.RANK:
            return f"{self._shown(column, row)}, {gettext(self.verdicts.verdict_of(row))}"
        if column is Column.OVERLAP:
            return self._of_overlap(role, row)
        return self._of_resemblance(role, row) if column is Column.RESEMBLANCE else None

    def _of_overlap(self, role: int, row: int) -> object:
        pairs = self._seen
        overlap = pairs.overlap[row].item()
        if role == Role.VALUE:
            return overlap if overlap >= 0 else None
        if role == Role.MARK:
            return gettext("not measured") if overlap < 0 else ""
        if role != Role.KIND or overlap <= 0:
            return None
        same = pair_words.how_much_is_the_same(pairs.figures(row))
        if same == pair_words.ALMOST_WORD_FOR_WORD:
            return ""
        return gettext(same) if same == pair_words.WORD_FOR_WORD else gettext("reworked")

    def _of_resemblance(self, role: int, row: int) -> object:
        reason = self._reason(row)
        mark = pair_words.listed_for(reason) if reason else ""
        if self._weak[row]:
            mark = gettext(WEAK_TRACE)
        elif reason is None:
            mark = gettext(pair_words.NOT_LISTED)
        if role == Role.MARK:
            return mark
        if role == ACCESSIBLE:
            return f"{self._cell_text(row, Column.RESEMBLANCE)}{f', {mark}' if mark else ''}"
        return None

    def _why_shown(self, row: int) -> str:
        return why_shown(is_of_few=self._is_of_few, was_added=self.verdicts.was_added(row))

    def _explanation(self, row: int, column: Column) -> str:
        row = int(self._rows[row])
        if column in DOCUMENTS:
            copies = self._copies_folded(row)
            lines = (
                self.names.in_full(self._document(column, row)),
                more_copies(copies) if copies and column is Column.DOCUMENT_B else "",
                self._finding(row),
                gettext("Right shows the copies, Left folds them again.") if copies else "",
            )
            return "\n".join(filter(None, lines))
        if column is Column.RESEMBLANCE:
            exact, estimate = float(self._seen.resemblance[row]), self._seen.estimate[row].item()
            reason = self._reason(row)
            sentences = (
                gettext("Resemblance {value}, exact.", value=resemblance(exact)),
                gettext("The signatures alone say {value}.", value=resemblance(estimate)),
                pair_words.how_listed(reason, self._settings) if reason else self._why_shown(row),
            )
            return "\n".join(sentences)
        if column is Column.VERDICT:
            return self.verdicts.in_full(row)
        if column is Column.FOUND_BY:
            return how_found(self._seen.found_by[row].item()) or self._why_shown(row)
        measure = MEASURE.get(column.words.attribute or "")
        if measure and measure.of_passages and getattr(self._seen, measure.column)[row] < 0:
            return gettext(NOT_MEASURED)
        parts = [self._finding(row)] if column in (Column.RANK, Column.OVERLAP) else []
        if column is Column.RANK:  # a card is this cell, and shortens names and marks
            parts[:0] = (
                self._of_document(ACCESSIBLE, name, row) or self._cell_text(row, name)
                for name in DOCUMENTS
            )
        return "\n".join((*parts, self._meaning(column)))

    def _finding(self, row: int) -> str:
        """What both documents share, in parts."""
        figures, found_by = self._seen.figures(row), int(self._seen.found_by[row])
        unit, is_weak = self._settings.unit, bool(self._weak[row])
        return pair_words.pair_in_words(figures, found_by, unit, is_weak=is_weak)

    def _document(self, column: Column, row: int) -> int:
        pairs = self._seen
        return int((pairs.a if column is Column.DOCUMENT_A else pairs.b)[row])

    def _reason(self, row: int) -> pair_words.ListedFor | None:
        found_by = int(self._seen.found_by[row])
        if not found_by:
            return None
        return pair_words.ListedFor.of(float(self._seen.resemblance[row]), found_by, self._settings)
