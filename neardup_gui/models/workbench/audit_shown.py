"""What a test of the list found out, as it is shown: sentences, tables, points on the curve."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from core.base.wording import count, resemblance, share
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
from neardup_gui.models.scan_result import ListedPair
from neardup_gui.models.workbench.audit_points import AuditPoint

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
