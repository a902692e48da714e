"""The command "audit": the result of an audit, kept in the log. Nothing undoes it.

    {"settings": {...}, "texts": "32 hexadecimal digits-40", "documents": [...], "result": {...}}

`result` is a `core.scan.audit_results.AuditResult`, `documents` are those that it names. A newer
audit replaces an older one; it is believed where its numbers are consistent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any, NamedTuple

from core.base.arrays import Estimate
from core.base.patterns import lazy_pattern
from core.documents.model import Document, DocumentKey
from core.errors import SettingsError
from core.review.header import settings_of
from core.review.validation import plain_values, typed_values
from core.scan import audit_results
from core.scan.history import Command, HistoryEntry
from core.scan.judgements import JudgementsDraft
from core.settings import MAX_DISTANCE, ScanSettings

FINGERPRINT = lazy_pattern("[0-9a-f]{32}-[0-9]{1,10}")
ROUNDING = 1e-6
# The parts of a result, and which fields of their missed pairs or texts name a document.
NAMED = {"proof": ("a", "b"), "planting": ("source",), "reworked": ("document",)}


class _Kept(NamedTuple):
    """The command as values, but for the settings."""

    texts: str
    documents: tuple[DocumentKey, ...]
    result: audit_results.AuditResult


def keep_audit(
    result: audit_results.AuditResult,
    settings: ScanSettings,
    documents: Sequence[Document],
    texts: str,
) -> Command:
    """Keep the result of an audit.

    Args:
        result: The result; the first `MOST_NAMED` missed pairs or texts are kept by name.
        settings: Of the list.
        documents: The documents of the list, by their numbers in the result; a number beyond them
            is that of a planted text.
        texts: Their `core.scan.audit_results.fingerprint`.
    """
    result = audit_results.shortened(result)
    named = sorted({number for number in _numbers_named(result) if number < len(documents)})
    new_numbers = {number: index for index, number in enumerate(named)}
    keys = tuple(DocumentKey.of(documents[number]) for number in named)
    kept = _Kept(texts, keys, _renumbered(result, new_numbers))
    return Command("audit", {"settings": asdict(settings), **plain_values(kept)})


def fold_audit(draft: JudgementsDraft, entry: HistoryEntry) -> None:
    """Carry out `keep_audit`.

    Raises:
        KeyError, TypeError, ValueError: The data cannot be so.
    """
    data: Mapping[str, Any] = entry.command.data
    stored = data["settings"]
    if not isinstance(stored, dict):
        raise TypeError("The settings of an audit are no JSON object.")
    kept = typed_values(_Kept, {name: data[name] for name in _Kept._fields})
    _check(kept)
    draft.audit = None
    with suppress(
        SettingsError
    ):  # an audit with settings that this version does not have is left out
        draft.audit = audit_results.KeptAudit(
            settings_of(stored), *kept, who=entry.who, time=entry.time
        )


def _numbers_named(result: audit_results.AuditResult) -> Iterator[int]:
    """The numbers of all documents that a result names."""
    for part, names in NAMED.items():
        part_result = getattr(result, part)
        for missed in part_result.missed if part_result else ():
            yield from (getattr(missed, name) for name in names)
    yield from (cap.document for cap in result.caps)


def _renumbered(
    result: audit_results.AuditResult, new_numbers: Mapping[int, int]
) -> audit_results.AuditResult:
    """A result with new numbers of documents; documents without one are planted."""

    def moved(named: Any, names: Sequence[str]) -> Any:  # noqa: ANN401 - a named tuple
        numbers = {name: getattr(named, name) for name in names}
        return named._replace(
            **{name: new_numbers.get(n, len(new_numbers)) for name, n in numbers.items()}
        )

    changed: dict[str, Any] = {"caps": tuple(moved(cap, ("document",)) for cap in result.caps)}
    for part, names in NAMED.items():
        if part_result := getattr(result, part):
            missed = tuple(moved(missed_item, names) for missed_item in part_result.missed)
            changed[part] = part_result._replace(missed=missed)
    return result._replace(**changed)


def _check(kept: _Kept) -> None:
    """Raise unless the numbers are consistent."""
    result, documents = kept.result, len(kept.documents)
    if not FINGERPRINT.fullmatch(kept.texts):
        raise ValueError("What an audit says of its texts is none.")
    if (result.proof is None) == (result.planting is None):
        raise ValueError("An audit proves or measures.")
    right = [number <= documents for number in _numbers_named(result)]
    if result.proof:
        right += _of_proof(result.proof)
    if result.planting:
        right += _of_planting(result.planting)
    if result.reworked:
        right += _of_reworked(result.reworked)
    right += [_is_range(row) for row in result.ranges]
    right += [_is_remedy(remedy) for remedy in result.remedies]
    right.append(_is_estimate(result.estimate))
    if not all(right):
        raise ValueError("The numbers of an audit cannot be so.")


def _of_proof(proof: audit_results.Proof) -> Iterator[bool]:
    yield proof.listed + proof.copies + proof.missing == proof.wanted <= proof.pairs
    yield proof.identical <= proof.wanted
    yield len({reason.reason for reason in proof.reasons}) == len(proof.reasons)
    yield len(proof.missed) == min(proof.missing, audit_results.MOST_NAMED)
    for pair in proof.missed:
        yield pair.resemblance <= 1 and (pair.chance is None or pair.chance <= 1)
    yield from map(_is_bin, proof.bins)


def _is_bin(row: audit_results.Bin) -> bool:
    is_expected = row.expected is None or row.expected <= row.pairs + ROUNDING
    return row.low <= row.high <= 1 and row.missed >= 0 and is_expected


def _of_planting(planting: audit_results.Planting) -> Iterator[bool]:
    yield len({row.edit for row in planting.edits}) == len(planting.edits)
    yield len(planting.missed) == min(planting.missing, audit_results.MOST_NAMED)
    yield all(copy.resemblance <= 1 for copy in planting.missed)
    yield from map(_is_recall, planting.edits)


def _is_recall(row: audit_results.EditRecall) -> bool:
    low, middle, high = row.resemblance
    return (
        low <= middle <= high <= 1
        and row.listed <= row.wanted <= row.planted
        and max(row.by_bands, row.by_passages) <= row.planted
        and row.both <= min(row.by_bands, row.by_passages)
        and (row.expected is None or row.expected <= row.wanted + ROUNDING)
    )


def _of_reworked(reworked: audit_results.ReworkedPlanting) -> Iterator[bool]:
    yield len(reworked.missed) == min(reworked.missing, audit_results.MOST_NAMED)
    yield all(passage.changed <= 1 for passage in reworked.missed)
    for row in reworked.cells:
        yield row.reworked <= row.listed <= row.planted
        yield row.changed <= 1 and row.promised <= 1


def _is_range(row: audit_results.MeasuredRange) -> bool:
    is_expected = row.expected is None or row.expected <= row.pairs + ROUNDING
    is_inside = row.low - ROUNDING <= row.mean <= row.high + ROUNDING
    return row.high <= 1 and is_inside and 0 < row.pairs >= row.met and is_expected


def _is_remedy(remedy: audit_results.Remedy) -> bool:
    has_bands = (remedy.bands > 0) == (remedy.rows > 0) == (remedy.distance is None)
    return has_bands and (remedy.distance or 0) <= MAX_DISTANCE and _is_ordered(remedy.candidates)


def _is_estimate(estimate: audit_results.BandEstimate) -> bool:
    forecast = estimate.forecast
    if forecast is None:
        return True
    sides = _is_ordered(forecast.by_bands) and _is_ordered(forecast.listed)
    return forecast.least <= 1 and sides


def _is_ordered(estimate: Estimate | None) -> bool:
    """Whether the interval holds the estimate, but for rounding."""
    if estimate is None:
        return True
    expected, low, high = estimate
    return low <= expected + ROUNDING and expected <= high + ROUNDING
