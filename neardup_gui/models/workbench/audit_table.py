"""The tables of a test of the list: what was promised and found, what is missing by name."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from PySide6.QtCore import QObject

from core.base.wording import count, counted, resemblance, share
from core.documents.model import DocumentKey
from core.reports.audit_words import (
    audit_heading,
    audit_summary,
    kept_in_words,
    remedies_in_words,
    share_in_words,
)
from core.scan.audit_results import (
    KeptAudit,
    MeasuredRange,
    MissReason,
    Planting,
    Proof,
    ReworkedPlanting,
)
from neardup_gui.models.scan_result import ListedPair, ScanResult
from neardup_gui.models.table_model import (
    ALIGNMENT,
    DISPLAY,
    LEFT,
    RIGHT,
    TOOL_TIP,
    Columns,
    Index,
    TableColumn,
    TableModel,
)
from neardup_gui.models.words import numbers

SECONDS_OF_LOOK_UP = 16e-9  # at most, on two cores
LONGEST = 12 * 3600  # seconds that somebody may let a test run
MINUTE, HOUR, DAY = 60, 3600, 86_400
PLANTED = (
    "Edited copies of your documents are planted in memory and searched for among all of them. "
    "Nothing is written to your folders."
)
PART_OF_RUN = (
    "The list is a part of that of a run on a cluster, and most documents of the run are not here: "
    "with those that are, nobody can tell whether it is complete."
)


class AuditOffer(NamedTuple):
    """How a list can be tested.

    Attributes:
        proves: Whether all pairs can be compared in about a minute, which is then what to do.
        may_prove: Whether they can be compared at all in a time that somebody would wait.
        may_plant: Whether copies can be planted.
        words: What will be done, and how long it takes.
    """

    proves: bool
    may_prove: bool
    may_plant: bool
    words: str


def audit_offer(result: ScanResult | None) -> AuditOffer:
    """How a list can be tested."""
    if result is None or not result.complete:
        return AuditOffer(False, False, False, "The list can be tested when the scan is complete.")
    if result.scan.decided.part is not None:
        return AuditOffer(False, False, False, PART_OF_RUN)
    from core.audit.auditing import ALL_PAIRS_BUDGET  # noqa: PLC0415
    from core.audit.search import look_ups  # noqa: PLC0415 - not before somebody looks
    from core.scan.scan import audited_texts  # noqa: PLC0415

    lengths = audited_texts(result.scan).lengths
    documents = int((lengths > 0).sum())
    if documents < 2:
        words = "There is nothing to test: fewer than two documents have text to compare."
        return AuditOffer(False, False, False, words)
    work = look_ups(lengths)
    proves, seconds = work <= ALL_PAIRS_BUDGET, work * SECONDS_OF_LOOK_UP
    how_many = f"{count(documents)} documents"
    if proves:
        words = (
            f"All pairs of {how_many} are compared exactly, without signatures, and the list is "
            "held against them: about a minute at most. You can go on working meanwhile."
        )
    else:
        words = f"Comparing all pairs of {how_many} would take {_long(seconds)}. {PLANTED}"
    return AuditOffer(proves, seconds <= LONGEST, True, words)


def _long(seconds: float) -> str:
    """How long something may take, in one unit."""
    if seconds < 2 * HOUR:
        return f"up to {counted(max(1, round(seconds / MINUTE)), 'minute')}"
    if seconds < 2 * DAY:
        return f"up to {counted(round(seconds / HOUR), 'hour')}"
    return f"up to {counted(round(seconds / DAY), 'day')}"


class AuditPoint(NamedTuple):
    """Which share of some pairs the bands found, measured.

    Attributes:
        low: The smallest resemblance of these pairs.
        mid: Where the point stands between both.
        high: The largest resemblance.
        share: Of the pairs, found by bands: 0 to 1.
        share_low: Lower end of its 95 % interval; the share itself where all pairs were counted.
        share_high: Its upper end.
        words: What was counted, for who points at it or hears it.
    """

    low: float
    mid: float
    high: float
    share: float
    share_low: float
    share_high: float
    words: str


REASONS = {
    MissReason.CHANCE: "bands",
    MissReason.DISTANCE: "bits",
    MissReason.COMMON: "common text",
    MissReason.CROWD: "a crowd",
    MissReason.FAULT: "a fault",
}
FEW_PAIRS = 10  # of which a share says next to nothing


class AuditTableKind(StrEnum):
    """The tables of a test, by their titles."""

    RANGES = "By resemblance"
    PAIRS = "Missing pairs"
    COPIES = "Missing copies"
    EDITS = "By edit"
    REWORKED = "Reworked passages"
    PASSAGES = "Missing passages"


class AuditRow(NamedTuple):
    """One row: its cells, and the two documents to read; None where there are not two."""

    cells: tuple[str, ...]
    pair: ListedPair | None = None


class AuditShown(NamedTuple):
    """What a test found out.

    Attributes:
        heading: The outcome in one sentence.
        is_good: Whether nothing is missing.
        when: When it was found out, by whom, whether it still holds.
        is_current: Whether it does.
        sentences: What was found out.
        changes: What would miss less.
        tables: Rows by table, of those that have any.
        left_out: How many rows each table does not have because they are not kept.
        points: For the curve; none where it is of an earlier list.
    """

    heading: str
    is_good: bool
    when: str
    is_current: bool
    sentences: tuple[str, ...]
    changes: tuple[str, ...]
    tables: dict[AuditTableKind, tuple[AuditRow, ...]]
    left_out: dict[AuditTableKind, int]
    points: tuple[AuditPoint, ...]


def audit_shown(kept: KeptAudit, *, is_current: bool) -> AuditShown:
    """What is shown of an audit."""
    result, settings = kept.result, kept.settings
    proof, planting, reworked = result.proof, result.planting, result.reworked
    missing = (proof or planting or Planting(0, ())).missing
    tables = {
        AuditTableKind.RANGES: tuple(map(_range, result.ranges)),
        AuditTableKind.PAIRS: _pairs(proof, kept.documents),
        AuditTableKind.COPIES: _copies(planting, kept.documents),
        AuditTableKind.EDITS: _edits(planting),
        AuditTableKind.REWORKED: _reworked(reworked),
        AuditTableKind.PASSAGES: _passages(reworked, kept.documents),
    }
    left_out = {
        AuditTableKind.PAIRS: proof.missing if proof else 0,
        AuditTableKind.COPIES: planting.missing if planting else 0,
        AuditTableKind.PASSAGES: reworked.missing if reworked else 0,
    }
    return AuditShown(
        audit_heading(result),
        not missing and not (proof and proof.wrong),
        kept_in_words(kept, is_current=is_current),
        is_current,
        (*audit_summary(result, settings), *_notes(kept)),
        tuple(remedies_in_words(result, settings)),
        {kind: rows for kind, rows in tables.items() if rows},
        {kind: there - len(tables[kind]) for kind, there in left_out.items()},
        tuple(map(_point, _merged(result.ranges))) if is_current else (),
    )


def _notes(kept: KeptAudit) -> Sequence[str]:
    """What the list leaves out on purpose."""
    names = [key.name for key in kept.documents]
    return [
        f"{cap.sentence(names[cap.document] if cap.document < len(names) else 'a planted copy')}."
        for cap in kept.result.caps
    ]


def _merged(ranges: Sequence[MeasuredRange]) -> list[MeasuredRange]:
    """Ranges that follow one another together, until a point of them says something."""
    merged: list[MeasuredRange] = []
    for row in ranges:
        if merged and merged[-1].pairs < FEW_PAIRS:
            merged[-1] = _together(merged[-1], row)
        else:
            merged.append(row)
    return merged


def _together(one: MeasuredRange, other: MeasuredRange) -> MeasuredRange:
    pairs = one.pairs + other.pairs
    mean = (one.mean * one.pairs + other.mean * other.pairs) / pairs
    unknown = one.expected is None or other.expected is None
    expected = None if unknown else (one.expected or 0.0) + (other.expected or 0.0)
    return MeasuredRange(one.low, other.high, mean, pairs, expected, one.met + other.met)


def _point(row: MeasuredRange) -> AuditPoint:
    found, promised = row.share, ""
    if row.expected is not None:
        promised = f"; the curve promised {row.expected / row.pairs:.1%}"
    words = (
        f"Measured from {row.low:.2f} to {row.high:.2f}: {count(row.met)} of {count(row.pairs)} "
        f"were found, {share_in_words(found)}{promised}."
    )
    return AuditPoint(row.low, row.mean, row.high, *found, words)


def _range(row: MeasuredRange) -> AuditRow:
    promised = "" if row.expected is None else f"{row.expected / row.pairs:.1%}"
    return AuditRow(
        (
            f"{row.low:.2f} to {row.high:.2f}",
            count(row.pairs),
            promised,
            share_in_words(row.share),
        )
    )


def _pairs(proof: Proof | None, documents: Sequence[DocumentKey]) -> tuple[AuditRow, ...]:
    return tuple(
        AuditRow(
            (
                resemblance(one.resemblance),
                documents[one.a].name,
                documents[one.b].name,
                "" if one.chance is None else share(one.chance),
                REASONS[one.reason],
            ),
            ListedPair(documents[one.a], documents[one.b]),
        )
        for one in (proof.missed if proof else ())
    )


def _copies(planting: Planting | None, documents: Sequence[DocumentKey]) -> tuple[AuditRow, ...]:
    return tuple(
        AuditRow((resemblance(one.resemblance), documents[one.source].name, one.edit.value))
        for one in (planting.missed if planting else ())
    )


def _edits(planting: Planting | None) -> tuple[AuditRow, ...]:
    return tuple(
        AuditRow(
            (
                row.edit.value,
                count(row.planted),
                count(row.wanted),
                share_in_words(row.recall),
                "" if row.expected is None else f"{row.expected:,.1f}",
                count(row.by_bands),
                count(row.by_passages),
            )
        )
        for row in (planting.edits if planting else ())
        if row.planted
    )


def _reworked(reworked: ReworkedPlanting | None) -> tuple[AuditRow, ...]:
    return tuple(
        AuditRow(
            (
                f"{count(row.words)} words, {share(row.changed)} changed",
                count(row.planted),
                share(row.promised),
                share_in_words(row.found),
            )
        )
        for row in (reworked.cells if reworked else ())
        if row.planted
    )


def _passages(
    reworked: ReworkedPlanting | None, documents: Sequence[DocumentKey]
) -> tuple[AuditRow, ...]:
    return tuple(
        AuditRow(
            (
                documents[one.document].name,
                f"{count(one.first + 1)} to {count(one.first + one.words)}",
                share(one.changed),
            )
        )
        for one in (reworked.missed if reworked else ())
    )


INTERVAL = "The share, and the 95 % interval of such a share, after Wilson."
NAME = "M" * 12
SHARE = "100.0% (100.0% to 100.0%)"


class _Range(Columns):
    RANGE = TableColumn(title="Resemblance", meaning="Exact resemblance of the pairs.")
    PAIRS = TableColumn(
        title="Pairs",
        meaning="How many should be listed; those with the same words are left out.",
        sample="1,000,000",
        alignment=RIGHT,
    )
    PROMISED = TableColumn(
        title="Promised", meaning="What the S-curve says.", sample="100.0%", alignment=RIGHT
    )
    FOUND = TableColumn(
        title="Found by signatures", meaning=INTERVAL, sample=SHARE, alignment=RIGHT
    )


class _Pair(Columns):
    RESEMBLANCE = TableColumn(title="Resemblance", sample="0.000", alignment=RIGHT)
    A = TableColumn(title="Document A")
    B = TableColumn(title="Document B", sample=NAME)
    CHANCE = TableColumn(
        title="Chance",
        meaning="With which probability the S-curve finds such a pair.",
        sample="100%",
        alignment=RIGHT,
    )
    REASON = TableColumn(
        title="Because of", meaning="The words beside the table say more.", sample="common text"
    )


class _Copy(Columns):
    RESEMBLANCE = TableColumn(title="Resemblance", sample="0.000", alignment=RIGHT)
    SOURCE = TableColumn(title="Copy of")
    EDIT = TableColumn(title="Edit", sample="one page pasted, changed")


class _Edit(Columns):
    EDIT = TableColumn(title="Edit")
    PLANTED = TableColumn(title="Copies", sample="4,000", alignment=RIGHT)
    WANTED = TableColumn(
        title="To be listed",
        meaning="How many are so like their source, or share so long a passage, that they "
        "should be listed.",
        sample="4,000",
        alignment=RIGHT,
    )
    LISTED = TableColumn(title="Of these listed", meaning=INTERVAL, sample=SHARE, alignment=RIGHT)
    EXPECTED = TableColumn(
        title="Bands on average",
        meaning="How many of these bands find by the S-curve.",
        sample="4,000.0",
        alignment=RIGHT,
    )
    BANDS = TableColumn(title="By bands", sample="4,000", alignment=RIGHT)
    PASSAGES = TableColumn(title="By passages", sample="4,000", alignment=RIGHT)


class _Reworked(Columns):
    KIND = TableColumn(title="Passages")
    PLANTED = TableColumn(title="Planted", sample="4,000", alignment=RIGHT)
    PROMISED = TableColumn(
        title="Promised", meaning="What is promised here.", sample="100%", alignment=RIGHT
    )
    LISTED = TableColumn(title="Listed", meaning=INTERVAL, sample=SHARE, alignment=RIGHT)


class _Passage(Columns):
    SOURCE = TableColumn(title="Passage of")
    WORDS = TableColumn(title="Words", sample="100,000 to 100,000", alignment=RIGHT)
    CHANGED = TableColumn(title="Changed", sample="100%", alignment=RIGHT)


COLUMNS: dict[AuditTableKind, tuple[tuple[Columns, ...], int]] = {
    AuditTableKind.RANGES: (tuple(_Range), _Range.RANGE),
    AuditTableKind.PAIRS: (tuple(_Pair), _Pair.A),
    AuditTableKind.COPIES: (tuple(_Copy), _Copy.SOURCE),
    AuditTableKind.EDITS: (tuple(_Edit), _Edit.EDIT),
    AuditTableKind.REWORKED: (tuple(_Reworked), _Reworked.KIND),
    AuditTableKind.PASSAGES: (tuple(_Passage), _Passage.SOURCE),
}


class AuditTable(TableModel[None]):
    """One of the tables.

    Attributes:
        kind: Which.
        wide: The column that has the room that is left.
    """

    _rows: Sequence[AuditRow]

    def __init__(self, kind: AuditTableKind, parent: QObject | None = None) -> None:
        columns, self.wide = COLUMNS[kind]
        super().__init__(columns, parent)
        self.kind = kind
        self._rows = ()

    def set_rows(self, rows: Sequence[AuditRow]) -> None:
        """Show other rows."""
        if rows != self._rows:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()

    def row_at(self, row: int) -> AuditRow:
        """What stands in a row."""
        return self._rows[row]

    def data(self, index: Index, role: int = DISPLAY) -> object:
        """What a cell shows."""
        if not index.isValid():
            return None
        if role == ALIGNMENT:
            return self.columns[index.column()].words.alignment
        text = self._rows[index.row()].cells[index.column()]
        if role == DISPLAY:
            return text
        is_text = self.columns[index.column()].words.alignment == LEFT
        return numbers.tool_tip(text) if role == TOOL_TIP and is_text else None
