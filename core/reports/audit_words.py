"""An audit in sentences and tables for people, and as figures for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.base.replaced_file import replaced_file
from core.base.wording import counted, resemblance, share
from core.reports.audit_summary import (
    estimate_in_words,
    planted_in_words,
    proof_in_words,
    remedies_in_words,
    share_in_words,
)
from core.reports.reworked_audit_words import reworked_figures, reworked_sentences
from core.scan.audit_results import AuditResult, BandEstimate, Bin, MissReason, Proof, Remedy
from core.scan.kept_audit import KeptAudit
from core.scan.planted_results import EditRecall, Planting
from core.settings import ScanSettings

PLANTED_NAME = "(an edited copy)"


def sentences(
    result: AuditResult, settings: ScanSettings, names: Sequence[str], *, shown: int
) -> Iterator[str]:
    """The audit line by line.

    Args:
        result: What was found out.
        settings: The settings it was found out for.
        names: The names of the documents.
        shown: How many missed pairs to name.
    """
    alike = replace(settings, reworked="off")  # reworked passages are told for themselves
    if result.proof:
        yield from proof_in_words(result, result.proof, alike)
        yield from _missed(result.proof, names, shown)
        yield from _bins(result.proof.bins)
    if result.planting:
        yield from _planting(result, result.planting, alike)
    yield from estimate_in_words(result.estimate, settings)
    yield from remedies_in_words(result, settings)
    if result.reworked:
        yield from reworked_sentences(result.reworked, names, shown=shown)
    for cap in result.caps:
        yield f"Note: {cap.sentence(_name(names, cap.document))}"


def _name(names: Sequence[str], document: int) -> str:
    return names[document] if document < len(names) else PLANTED_NAME


def _missed(proof: Proof, names: Sequence[str], shown: int) -> Iterator[str]:
    missed = proof.missed
    if not missed:
        return
    yield f"Missed: {counted(proof.missing, 'pair')}."
    for reason, number in proof.reasons:
        yield f"  {number:,}: {reason.value}"
    if not shown:
        return
    yield ""
    yield "Resemblance  Longest run  Chance to be found  Document A | Document B"
    for pair in missed[:shown]:
        chance = "" if pair.chance is None else share(pair.chance)
        if pair.reason is not MissReason.CHANCE:
            chance = pair.reason.name.lower()
        yield (
            f"{resemblance(pair.resemblance):>11}  {pair.longest_run:11,}  {chance:>18}  "
            f"{_name(names, pair.a)} | {_name(names, pair.b)}"
        )
    if shown < proof.missing:
        yield f"… and {proof.missing - shown:,} more; --show N prints more, --json writes all."


def _bins(bins: Sequence[Bin]) -> Iterator[str]:
    """Found pairs by resemblance; ranges without any pair are left out."""
    filled = [row for row in bins if row.pairs]
    if not filled:
        return
    yield ""
    yield "Resemblance     To be listed  Bands found  Bands find on average  Passages added  Missed"
    for row in filled:
        expected = "" if row.expected is None else f"{row.expected:,.1f}"
        yield (
            f"{row.low:5.2f} to {row.high:4.2f}  {row.pairs:13,}  {row.by_bands:11,}  "
            f"{expected:>21}  {row.added:14,}  {row.missed:6,}"
        )
    yield "(Pairs with the same words are not in this table: they need no bands.)"
    yield ""


def _planting(result: AuditResult, planting: Planting, settings: ScanSettings) -> Iterator[str]:
    yield from planted_in_words(result, planting, settings)
    if not planting.sources:
        return
    yield ""
    yield (
        "Edit                   Copies  Resemblance             Listed                  "
        "To be listed  Of these listed"
    )
    for row in planting.edits:
        low, middle, high = map(resemblance, row.resemblance)
        yield (
            f"{row.edit:<21}  {row.planted:6,}  {f'{middle} ({low} to {high})':<22}  "
            f"{share_in_words(row.found):<22}  {row.wanted:12,}  {share_in_words(row.recall)}"
        )
    yield ""
    yield "Edit                   Bands found  Bands find on average  Passages found  Both"
    for row in planting.edits:
        expected = "" if row.expected is None else f"{row.expected:,.1f}"
        yield (
            f"{row.edit:<21}  {row.by_bands:11,}  {expected:>21}  {row.by_passages:14,}  "
            f"{row.both:4,}"
        )
    yield (
        "(Resemblance: median and range. Copies that are listed only for a reworked passage do not "
        "count as listed. Shares with their 95 % interval, after Wilson.)"
    )
    yield ""


def figures(result: AuditResult, settings: ScanSettings, names: Sequence[str]) -> dict[str, Any]:
    """The audit as plain values, ready for JSON."""
    return {
        "settings": settings.as_applied(),
        "documents": result.documents,
        "look_ups_of_all_pairs": result.work,
        "all_pairs": _proof_figures(result.proof, names) if result.proof else None,
        "edited_copies": _planting_figures(result.planting, names) if result.planting else None,
        "bands": _estimate_figures(result.estimate),
        "reworked_passages": reworked_figures(result.reworked, names) if result.reworked else None,
        "ranges": [row._asdict() for row in result.ranges],
        "remedies": [_remedy_figures(one) for one in result.remedies],
        "notes": [cap.sentence(_name(names, cap.document)) for cap in result.caps],
    }


def kept_figures(kept: KeptAudit | None, *, is_current: bool) -> dict[str, Any] | None:
    """The same of an audit that is kept, and whether it is of the list that is reported."""
    if kept is None:
        return None
    about = {"time": kept.time, "who": kept.who, "of_this_list": is_current}
    return about | figures(kept.result, kept.settings, [key.name for key in kept.documents])


def _proof_figures(proof: Proof, names: Sequence[str]) -> dict[str, Any]:
    missed = [
        {
            **pair._asdict(),
            "a": _name(names, pair.a),
            "b": _name(names, pair.b),
            "reason": pair.reason.name.lower(),
        }
        for pair in proof.missed
    ]
    bins = [{**row._asdict(), "missed": row.missed} for row in proof.bins]
    reasons = {one.reason.name.lower(): one.pairs for one in proof.reasons}
    return {**proof._asdict(), "reasons": reasons, "missed": missed, "bins": bins}


def _planting_figures(planting: Planting, names: Sequence[str]) -> dict[str, Any]:
    missed = [
        {
            "source": _name(names, one.source),
            "edit": one.edit.name.lower(),
            "resemblance": one.resemblance,
        }
        for one in planting.missed
    ]
    edits = [_edit_figures(row) for row in planting.edits]
    return {"sources": planting.sources, "edits": edits, "missed": missed}


def _remedy_figures(remedy: Remedy) -> dict[str, Any]:
    candidates = remedy.candidates._asdict() if remedy.candidates else None
    return {**remedy._asdict(), "candidates": candidates}


def _edit_figures(row: EditRecall) -> dict[str, Any]:
    return {
        **row._asdict(),
        "edit": row.edit.name.lower(),
        "found": row.found._asdict() if row.found else None,
        "recall": row.recall._asdict() if row.recall else None,
    }


def _estimate_figures(estimate: BandEstimate) -> dict[str, Any]:
    forecast = estimate.forecast
    values: dict[str, Any] = estimate._asdict() | {"forecast": None}
    if forecast:
        sides = {name: getattr(forecast, name)._asdict() for name in ("by_bands", "listed")}
        values["forecast"] = {**forecast._asdict(), **sides}
    return values


def write_figures(path: Path, values: dict[str, Any]) -> None:
    """Write figures as JSON.

    Raises:
        ExportError: The file could not be written.
    """
    with replaced_file(path) as file:
        json.dump(values, file, ensure_ascii=False, indent=2)
        file.write("\n")
