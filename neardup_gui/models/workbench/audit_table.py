"""The tables of an audit of the list: what was promised and found, and each missed pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from PySide6.QtCore import QObject

from core.base.messages import N_, gettext, ngettext
from core.base.wording import count, resemblance, share
from core.documents.model import DocumentKey
from core.reports.audit_words import (
    audit_heading,
    audit_summary,
    bounds_in_words,
    expected_in_words,
    kept_in_words,
    promised_in_words,
    remedies_in_words,
    share_in_words,
)
from core.scan.audit_results import KeptAudit, MeasuredRange, MissReason
from neardup_gui.models.scan_result import ListedPair, ScanResult
from neardup_gui.models.table_model import (
    LEFT,
    RowColumn,
    RowColumns,
    RowsModel,
    number_column,
    text_column,
)

SECONDS_OF_LOOK_UP = 16e-9  # at most, on two cores
LONGEST = 12 * 3600  # seconds that somebody may let a test run
MINUTE, HOUR, DAY = 60, 3600, 86_400
PLANTED = N_(
    "Edited copies of your documents are planted in memory and searched for among all of them. "
    "Nothing is written to your folders."
)
PART_OF_RUN = N_(
    "The list is a part of that of a run on a cluster, and most documents of the run are not here: "
    "with those that are, nobody can tell whether it is complete."
)


class AuditOffer(NamedTuple):
    """How a list can be tested.

    Attributes:
        words: What will be done, and how long it takes; or why nothing can be.
        proves: Whether to compare all pairs, because that takes about a minute.
        may_prove: Whether they can be compared in a time that a user would wait.
        may_plant: Whether copies can be planted.
    """

    words: str
    proves: bool = False
    may_prove: bool = False
    may_plant: bool = False


def audit_offer(result: ScanResult | None) -> AuditOffer:
    """How a list can be tested."""
    if result is None or not result.complete:
        return AuditOffer(gettext("The list can be tested when the scan is complete."))
    if result.is_of_run:
        return AuditOffer(gettext(PART_OF_RUN))
    from core.audit.auditing import ALL_PAIRS_BUDGET  # noqa: PLC0415
    from core.audit.search import look_ups  # noqa: PLC0415 - not before somebody looks
    from core.scan.scan import audited_texts  # noqa: PLC0415

    lengths = audited_texts(result.scan).lengths
    documents = int((lengths > 0).sum())
    if documents < 2:
        return AuditOffer(
            gettext("There is nothing to test: fewer than two documents have text to compare.")
        )
    work = look_ups(lengths)
    seconds = work * SECONDS_OF_LOOK_UP
    if work <= ALL_PAIRS_BUDGET:
        words = ngettext(
            "All pairs of {n} document are compared exactly, without signatures, and the list is "
            "held against them: about a minute at most. You can go on working meanwhile.",
            "All pairs of {n} documents are compared exactly, without signatures, and the list is "
            "held against them: about a minute at most. You can go on working meanwhile.",
            documents,
        )
        return AuditOffer(words, proves=True, may_prove=seconds <= LONGEST, may_plant=True)
    words = ngettext(
        "Comparing all pairs of {n} document would take {time}.",
        "Comparing all pairs of {n} documents would take {time}.",
        documents,
        time=_long(seconds),
    )
    words = f"{words} {gettext(PLANTED)}"
    return AuditOffer(words, may_prove=seconds <= LONGEST, may_plant=True)


def _long(seconds: float) -> str:
    """How long something may take, in one unit."""
    if seconds < 2 * HOUR:
        minutes = max(1, round(seconds / MINUTE))
        return ngettext("up to {n} minute", "up to {n} minutes", minutes)
    if seconds < 2 * DAY:
        return ngettext("up to {n} hour", "up to {n} hours", round(seconds / HOUR))
    return ngettext("up to {n} day", "up to {n} days", round(seconds / DAY))


REASONS = {
    MissReason.CHANCE: N_("bands"),
    MissReason.DISTANCE: N_("bits"),
    MissReason.COMMON: N_("common text"),
    MissReason.CROWD: N_("a crowd"),
    MissReason.FAULT: N_("a fault"),
}
FEW_PAIRS = 10  # of which a share says next to nothing


class AuditTableKind(StrEnum):
    """The tables of a test, by their titles, which are messages."""

    RANGES = N_("By resemblance")
    PAIRS = N_("Missing pairs")
    COPIES = N_("Missing copies")
    EDITS = N_("By edit")
    REWORKED = N_("Reworked passages")
    PASSAGES = N_("Missing passages")


class AuditRow(NamedTuple):
    """A row of a result, and the documents that it names by their numbers."""

    of: Any
    documents: Sequence[DocumentKey]

    def name(self, number: int) -> str:
        """The name of a document."""
        return self.documents[number].name

    @property
    def pair(self) -> ListedPair:
        """The two documents of a missing pair."""
        return ListedPair(self.documents[self.of.a], self.documents[self.of.b])


class AuditShown:
    """The results of an audit, as shown.

    Attributes:
        heading: The outcome in one sentence.
        when: When it was made, by whom, and whether it still holds.
        is_current: Whether it still holds.
        sentences: The results.
        changes: The settings that would miss less.
        tables: Rows by table, of the tables that have rows.
        left_out: How many rows each table lacks because they are not kept.
        points: For the curve; empty for an audit of an earlier list.
    """

    def __init__(self, kept: KeptAudit, *, is_current: bool) -> None:
        result, settings = kept.result, kept.settings
        proof, planting, reworked = result.proof, result.planting, result.reworked
        self.heading = audit_heading(result)
        self.when = kept_in_words(kept, is_current=is_current)
        self.is_current = is_current
        self.sentences = (*audit_summary(result, settings), *_notes(kept))
        self.changes = tuple(remedies_in_words(result, settings))
        rows: dict[AuditTableKind, Sequence[Any]] = {
            AuditTableKind.RANGES: result.ranges,
            AuditTableKind.PAIRS: proof.missed if proof else (),
            AuditTableKind.COPIES: planting.missed if planting else (),
            AuditTableKind.EDITS: _planted(planting.edits) if planting else (),
            AuditTableKind.REWORKED: _planted(reworked.cells) if reworked else (),
            AuditTableKind.PASSAGES: reworked.missed if reworked else (),
        }
        self.tables = {
            kind: tuple(AuditRow(row, kept.documents) for row in kind_rows)
            for kind, kind_rows in rows.items()
            if kind_rows
        }
        missed = {
            AuditTableKind.PAIRS: proof,
            AuditTableKind.COPIES: planting,
            AuditTableKind.PASSAGES: reworked,
        }
        self.left_out = {kind: of.missing - len(rows[kind]) for kind, of in missed.items() if of}
        self.points = tuple(_merged(result.ranges)) if is_current else ()


def _planted(rows: Sequence[Any]) -> Sequence[Any]:
    return [row for row in rows if row.planted]


def _notes(kept: KeptAudit) -> Sequence[str]:
    """What the list leaves out on purpose."""
    names = [key.name for key in kept.documents]
    copy = gettext("a planted copy")
    return [
        f"{cap.sentence(names[cap.document] if cap.document < len(names) else copy)}."
        for cap in kept.result.caps
    ]


def _merged(ranges: Sequence[MeasuredRange]) -> list[MeasuredRange]:
    """Merge consecutive ranges until each has enough pairs for a point of the curve."""
    merged: list[MeasuredRange] = []
    for row in ranges:
        if merged and merged[-1].pairs < FEW_PAIRS:
            merged[-1] = _together(merged[-1], row)
        else:
            merged.append(row)
    return merged


def _together(lower: MeasuredRange, upper: MeasuredRange) -> MeasuredRange:
    pairs = lower.pairs + upper.pairs
    mean = (lower.mean * lower.pairs + upper.mean * upper.pairs) / pairs
    unknown = lower.expected is None or upper.expected is None
    expected = None if unknown else (lower.expected or 0.0) + (upper.expected or 0.0)
    return MeasuredRange(lower.low, upper.high, mean, pairs, expected, lower.met + upper.met)


INTERVAL = N_("The share, and the 95% interval of such a share, after Wilson.")
NAME = "M" * 12
SHARE = "100.0% (100.0% to 100.0%)"


class _Range(RowColumns):
    RANGE = text_column(
        N_("Resemblance"),
        lambda row: bounds_in_words(row.of),
        meaning=N_("Exact resemblance of the pairs."),
    )
    PAIRS = number_column(
        N_("Pairs"),
        "1,000,000",
        lambda row: count(row.of.pairs),
        meaning=N_("How many should be listed; those with the same words are left out."),
    )
    PROMISED = number_column(
        N_("Promised"),
        "100.0%",
        lambda row: promised_in_words(row.of),
        meaning=N_("What the S-curve says."),
    )
    FOUND = number_column(
        N_("Found by signatures"), SHARE, lambda row: share_in_words(row.of.share), meaning=INTERVAL
    )


class _Pair(RowColumns):
    RESEMBLANCE = number_column(
        N_("Resemblance"), "0.000", lambda row: resemblance(row.of.resemblance)
    )
    A = text_column(N_("Document A"), lambda row: row.name(row.of.a))
    B = text_column(N_("Document B"), lambda row: row.name(row.of.b), sample=NAME)
    CHANCE = number_column(
        N_("Chance"),
        "100%",
        lambda row: "" if row.of.chance is None else share(row.of.chance),
        meaning=N_("With which probability the S-curve finds such a pair."),
    )
    REASON = text_column(
        N_("Because of"),
        lambda row: gettext(REASONS[row.of.reason]),
        sample=N_("common text"),
        meaning=N_("The words beside the table say more."),
    )


class _Copy(RowColumns):
    RESEMBLANCE = number_column(
        N_("Resemblance"), "0.000", lambda row: resemblance(row.of.resemblance)
    )
    SOURCE = text_column(N_("Copy of"), lambda row: row.name(row.of.source))
    EDIT = text_column(
        N_("Edit"), lambda row: gettext(row.of.edit.words), sample=N_("one page pasted, changed")
    )


def _copies(title: str, shown: Callable[[Any], str], meaning: str = "") -> RowColumn:
    """A column of a number of copies or passages."""
    return number_column(title, "4,000", shown, meaning=meaning)


class _Edit(RowColumns):
    EDIT = text_column(N_("Edit"), lambda row: gettext(row.of.edit.words))
    PLANTED = _copies(N_("Copies"), lambda row: count(row.of.planted))
    WANTED = _copies(
        N_("To be listed"),
        lambda row: count(row.of.wanted),
        N_(
            "How many are so like their source, or share so long a passage, that they should be "
            "listed."
        ),
    )
    LISTED = number_column(
        N_("Of these listed"), SHARE, lambda row: share_in_words(row.of.recall), meaning=INTERVAL
    )
    EXPECTED = number_column(
        N_("Bands on average"),
        "4,000.0",
        lambda row: expected_in_words(row.of),
        meaning=N_("How many of these bands find by the S-curve."),
    )
    BANDS = _copies(N_("By bands"), lambda row: count(row.of.by_bands))
    PASSAGES = _copies(N_("By passages"), lambda row: count(row.of.by_passages))


class _Reworked(RowColumns):
    KIND = text_column(
        N_("Passages"),
        lambda row: ngettext(
            "{n} word, {share} changed",
            "{n} words, {share} changed",
            row.of.words,
            share=share(row.of.changed),
        ),
    )
    PLANTED = _copies(N_("Planted"), lambda row: count(row.of.planted))
    PROMISED = number_column(
        N_("Promised"),
        "100%",
        lambda row: share(row.of.promised),
        meaning=N_("What is promised here."),
    )
    LISTED = number_column(
        N_("Listed"), SHARE, lambda row: share_in_words(row.of.found), meaning=INTERVAL
    )


class _Passage(RowColumns):
    SOURCE = text_column(N_("Passage of"), lambda row: row.name(row.of.document))
    WORDS = number_column(
        N_("Words"),
        "100,000 to 100,000",
        lambda row: gettext(
            "{low} to {high}", low=count(row.of.first + 1), high=count(row.of.first + row.of.words)
        ),
    )
    CHANGED = number_column(N_("Changed"), "100%", lambda row: share(row.of.changed))


# The columns of each table, and the one that has the room that is left.
COLUMNS: dict[AuditTableKind, tuple[tuple[RowColumns, ...], int]] = {
    AuditTableKind.RANGES: (tuple(_Range), _Range.RANGE),
    AuditTableKind.PAIRS: (tuple(_Pair), _Pair.A),
    AuditTableKind.COPIES: (tuple(_Copy), _Copy.SOURCE),
    AuditTableKind.EDITS: (tuple(_Edit), _Edit.EDIT),
    AuditTableKind.REWORKED: (tuple(_Reworked), _Reworked.KIND),
    AuditTableKind.PASSAGES: (tuple(_Passage), _Passage.SOURCE),
}


class AuditTable(RowsModel[AuditRow, None]):
    """One of the tables."""

    def __init__(self, kind: AuditTableKind, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = COLUMNS[kind][0]

    def hint(self, row: AuditRow, column: RowColumn) -> str:
        """A text as a whole, where it may be cut."""
        return column.shown(row) if column.alignment == LEFT else ""
