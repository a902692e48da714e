"""An audit in sentences and tables for people, and as figures for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Any

from core.base.arrays import Estimate, Share, wilson
from core.base.files import replaced_file
from core.base.wording import count, counted, resemblance, share, table_lines, threshold
from core.reports.list_words import moment_in_words
from core.reports.pair_words import wanted_in_words
from core.scan.audit_results import (
    AuditResult,
    BandEstimate,
    Bin,
    EditRecall,
    KeptAudit,
    MeasuredRange,
    MissReason,
    Planting,
    Proof,
    Remedy,
    ReworkedPlanting,
    ReworkedRecall,
)
from core.scan.groups import COPIES_SPELLED_OUT
from core.settings import ScanSettings

BY_SIGNATURES = {MissReason.CHANCE, MissReason.DISTANCE}
COMPLETE = " The list is complete."
NONE_PLANTED = "No reworked passage could be planted: no document has 30 words beside another."
EARLIER = "It tells of an earlier list: settings or documents have changed since."


def audit_heading(result: AuditResult) -> str:
    """The outcome in one sentence."""
    if result.proof:
        proof = result.proof
        if proof.missing:
            return f"{proof.missing:,} of {counted(proof.wanted, 'pair')} are missing."
        if proof.wrong:
            return f"{counted(proof.wrong, 'listed pair')} should be checked: see below."
        return "The list is complete."
    found = _all_copies(result.planting)
    if found is None:
        return "No edited copy could be searched for."
    return f"{share_in_words(found)} of the edited copies were found."


def audit_summary(result: AuditResult, settings: ScanSettings) -> Iterator[str]:
    """What was found out, without the tables; one sentence or two at a time."""
    alike = replace(settings, reworked="off")  # reworked passages are told for themselves
    if result.proof:
        yield from proof_in_words(result, result.proof, alike)
        yield from _reasons(result.proof)
    if result.planting:
        yield from planted_in_words(result, result.planting, alike)
        yield from _recall(result.planting)
    yield from estimate_in_words(result.estimate, settings)
    if result.reworked:
        yield from _reworked(result.reworked)


def kept_in_words(kept: KeptAudit, *, is_current: bool) -> str:
    """When it was found out, by whom, and whether it still holds."""
    by = f" by {kept.who}" if kept.who else ""
    when = f"Tested on {moment_in_words(kept.time)}{by}."
    return when if is_current else f"{when} {EARLIER}"


def proof_in_words(result: AuditResult, proof: Proof, settings: ScanSettings) -> Iterator[str]:
    """What was compared and what is listed, line by line."""
    documents = counted(result.documents, "document")
    yield f"All {counted(proof.pairs, 'pair')} of {documents} were compared exactly."
    should = f"{proof.wanted:,} should be listed ({wanted_in_words(settings)})"
    if not proof.wanted:
        yield f"None should be listed ({wanted_in_words(settings)}), and none is missing."
    elif proof.listed == proof.wanted:
        yield f"{should}; all {proof.listed:,} are.{'' if proof.wrong else COMPLETE}"
    else:
        yield f"{should}; {proof.listed:,} are."
    if proof.copies:
        yield (
            f"{proof.copies:,} are left out on purpose: of more than {COPIES_SPELLED_OUT} "
            "documents with the same words, the first is listed for all."
        )
        if not proof.missing and not proof.wrong:
            yield "Apart from these the list is complete."
    if proof.wrong:
        yield (
            f"{counted(proof.wrong, 'listed pair')} should not be listed, or with other numbers: "
            "this is a fault in Neardup. Please report it."
        )


def _reasons(proof: Proof) -> Iterator[str]:
    for reason, number in proof.reasons:
        yield f"Missing are {counted(number, 'pair')}: {reason.value}."


def planted_in_words(
    result: AuditResult, planting: Planting, settings: ScanSettings
) -> Iterator[str]:
    """What was planted, and when it should be found."""
    documents = counted(result.documents, "document")
    if not planting.sources:
        yield f"No edited copy could be planted: of {documents} none has 20 words to edit."
        return
    yield (
        f"Edited copies of {planting.sources:,} of {documents} were planted in memory and searched "
        f"for among all of them. (Comparing all pairs would look up {result.work:,} shingles.)"
    )
    yield f"A copy should be listed with its source from {wanted_in_words(settings)}."


def _all_copies(planting: Planting | None) -> Share | None:
    wanted = sum(row.wanted for row in planting.edits) if planting else 0
    return wilson(wanted - planting.missing, wanted) if planting and wanted else None


def _recall(planting: Planting) -> Iterator[str]:
    found = _all_copies(planting)
    wanted = sum(row.wanted for row in planting.edits)
    if found is not None:
        copies = counted(wanted, "copy", "copies")
        listed = wanted - planting.missing
        yield f"Of {copies} that should be listed, {listed:,} are: {share_in_words(found)}."
    elif planting.sources:
        yield "None of the copies is so like its source that it should be listed."


def _reworked(reworked: ReworkedPlanting) -> Iterator[str]:
    planted = sum(row.planted for row in reworked.cells)
    if not planted:
        yield NONE_PLANTED
        return
    promised = sum(row.promised * row.planted for row in reworked.cells) / planted
    found = share_in_words(wilson(planted - reworked.missing, planted))
    yield (
        f"Of {counted(planted, 'reworked passage')} that were planted, "
        f"{planted - reworked.missing:,} are listed: {found}; promised were {promised:.1%}."
    )


def estimate_in_words(estimate: BandEstimate, settings: ScanSettings) -> Iterator[str]:
    """What bands miss, and what passages list all the same."""
    name = f"{settings.method.search_name} alone"
    forecast = estimate.forecast
    if forecast is None:
        yield f"{name}: too few pairs are known to tell how many are missed."
        return
    how = "miss" if forecast.certain else "miss by forecast"
    line = (
        f"{name} {how} {_missed_amount(forecast.by_bands)}, bands and shared passages together "
        f"{_missed_amount(forecast.listed)} of {counted(round(forecast.there), 'pair')} from "
        f"resemblance {threshold(forecast.least)} on"
    )
    if estimate.missed_by_bands is not None and not forecast.certain:
        line += f"; in truth they miss {estimate.missed_by_bands:,} and {estimate.not_listed:,}"
    yield f"{line}."
    if forecast.least > settings.min_resemblance:
        yield "Below that, too few pairs are found to tell how many are missed."


def _missed_amount(missed: Estimate) -> str:
    if round(missed.low) == round(missed.high):
        return f"{missed.expected:,.0f}"
    return f"{missed.expected:,.0f} ({missed.low:,.0f} to {missed.high:,.0f})"


def share_in_words(value: Share | None) -> str:
    """A share with its interval: "97.2% (95.1% to 98.4%)"."""
    if value is None:
        return "none"
    return f"{value.value:.1%} ({value.low:.1%} to {value.high:.1%})"


def promised_in_words(row: MeasuredRange) -> str:
    """The share of some pairs that the S-curve promises; nothing without a curve."""
    return "" if row.expected is None else f"{row.expected / row.pairs:.1%}"


def range_in_words(row: MeasuredRange) -> str:
    """What was measured of pairs in a range of resemblance."""
    promised = promised_in_words(row)
    promise = f"; the curve promised {promised}" if promised else ""
    return (
        f"Measured from {row.low:.2f} to {row.high:.2f}: {count(row.met)} of {count(row.pairs)} "
        f"were found, {share_in_words(row.share)}{promise}."
    )


def remedies_in_words(result: AuditResult, settings: ScanSettings) -> Iterator[str]:
    """What could be changed so that less is missed; nothing where nothing is."""
    missed = _by_signatures(result)
    if not missed:
        return
    what = "pairs" if result.proof else "copies"
    for one in result.remedies:
        none = "none" if not one.missed else f"{one.missed:,}"
        yield f"With {_choice(one)}, {none} of these {what} would be missed{_cost(one)}."
    if result.proof and settings.compare != "all":
        yield "Comparing all pairs misses none, and takes about as long as this test did."
    elif not result.remedies and settings.choice:
        yield "No other b × r of these signatures misses fewer: a larger K needs a new scan."


def _by_signatures(result: AuditResult) -> int:
    """How many are missed because the signatures did not meet."""
    if result.proof:
        return sum(one.pairs for one in result.proof.reasons if one.reason in BY_SIGNATURES)
    return result.planting.missing if result.planting else 0


def _choice(one: Remedy) -> str:
    return f"b × r = {one.bands} × {one.rows}" if one.distance is None else f"d = {one.distance}"


def _cost(one: Remedy) -> str:
    if one.candidates is None:
        return ""
    return f" and about {_about(one.candidates.expected)} pairs be compared"


def _about(number: float) -> str:
    """A number with two digits that mean something."""
    whole = round(number)
    return f"{round(whole, 2 - len(str(whole))):,}" if whole >= 100 else f"{whole:,}"


def reworked_sentences(
    reworked: ReworkedPlanting, names: Sequence[str], *, shown: int
) -> Iterator[str]:
    """What is promised and what was found, line by line; so many missed passages by name."""
    yield ""
    if not reworked.sources:
        yield NONE_PLANTED
        return
    yield (
        f"Reworked passages of {counted(reworked.sources, 'document')} were planted in memory "
        "between words of other documents: words exchanged by others of the same document, "
        "dropped and inserted, in half of them sentences moved."
    )
    yield ""
    rows = [
        (
            f"{row.words}",
            share(row.changed),
            f"{row.planted:,}",
            share(row.promised),
            share_in_words(row.found),
            f"{row.reworked:,}",
        )
        for row in reworked.cells
        if row.planted
    ]
    titles = ("Words", "Changed", "Planted", "Promised", "Listed", "Of these as reworked")
    yield from table_lines(titles, ">>>><>", rows)
    yield "(Shares with their 95 % interval, after Wilson.)"
    yield from _reworked_audit_words_missed(reworked, names, shown)


def _reworked_audit_words_missed(
    reworked: ReworkedPlanting, names: Sequence[str], shown: int
) -> Iterator[str]:
    missed = reworked.longest_missed
    if not missed or not shown:
        return
    yield ""
    yield f"Not listed: {counted(reworked.missing, 'passage')}."
    for one in missed[:shown]:
        yield (
            f"  {names[one.document]}: words {one.first + 1:,} to {one.first + one.words:,}, "
            f"{share(one.changed)} changed"
        )
    if shown < reworked.missing:
        yield f"… and {reworked.missing - shown:,} more; --show N prints more, --json writes all."


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
    rows = []
    for pair in missed[:shown]:
        chance = "" if pair.chance is None else share(pair.chance)
        if pair.reason is not MissReason.CHANCE:
            chance = pair.reason.name.lower()
        both = f"{_name(names, pair.a)} | {_name(names, pair.b)}"
        rows.append((resemblance(pair.resemblance), f"{pair.longest_run:,}", chance, both))
    titles = ("Resemblance", "Longest run", "Chance to be found", "Document A | Document B")
    yield from table_lines(titles, ">>><", rows)
    if shown < proof.missing:
        yield f"… and {proof.missing - shown:,} more; --show N prints more, --json writes all."


def _bins(bins: Sequence[Bin]) -> Iterator[str]:
    """Found pairs by resemblance; ranges without any pair are left out."""
    filled = [row for row in bins if row.pairs]
    if not filled:
        return
    yield ""
    rows = [
        (
            f"{row.low:.2f} to {row.high:.2f}",
            f"{row.pairs:,}",
            f"{row.by_bands:,}",
            _expected(row),
            f"{row.added:,}",
            f"{row.missed:,}",
        )
        for row in filled
    ]
    titles = ("Resemblance", "To be listed", "Bands found", "Bands find on average")
    yield from table_lines((*titles, "Passages added", "Missed"), "<>>>>>", rows)
    yield "(Pairs with the same words are not in this table: they need no bands.)"
    yield ""


def _expected(row: Bin | EditRecall) -> str:
    """How many bands find on average."""
    return "" if row.expected is None else f"{row.expected:,.1f}"


def _planting(result: AuditResult, planting: Planting, settings: ScanSettings) -> Iterator[str]:
    yield from planted_in_words(result, planting, settings)
    if not planting.sources:
        return
    yield ""
    rows = []
    for row in planting.edits:
        low, middle, high = map(resemblance, row.resemblance)
        found = share_in_words(row.found), f"{row.wanted:,}", share_in_words(row.recall)
        rows.append((row.edit, f"{row.planted:,}", f"{middle} ({low} to {high})", *found))
    titles = ("Edit", "Copies", "Resemblance", "Listed", "To be listed", "Of these listed")
    yield from table_lines(titles, "<><<><", rows)
    yield ""
    by_search = [
        (row.edit, f"{row.by_bands:,}", _expected(row), f"{row.by_passages:,}", f"{row.both:,}")
        for row in planting.edits
    ]
    yield from table_lines(
        ("Edit", "Bands found", "Bands find on average", "Passages found", "Both"),
        "<>>>>",
        by_search,
    )
    yield (
        "(Resemblance: median and range. Copies that are listed only for a reworked passage do not "
        "count as listed. Shares with their 95 % interval, after Wilson.)"
    )
    yield ""


def figures(result: AuditResult, settings: ScanSettings, names: Sequence[str]) -> dict[str, Any]:
    """The audit as plain values, ready for JSON."""
    proof, reworked = _plain(result.proof, names), _plain(result.reworked, names)
    if result.proof:
        reasons = result.proof.reasons
        proof |= {"reasons": {one.reason.name.lower(): one.pairs for one in reasons}}
    if reworked:
        cells, missed = reworked["cells"], reworked["missed"]
        reworked = {"sources": reworked["sources"], "passages": cells, "missed": missed}
    return {
        "settings": settings.as_applied(),
        "documents": result.documents,
        "look_ups_of_all_pairs": result.work,
        "all_pairs": proof,
        "edited_copies": _plain(result.planting, names),
        "bands": _plain(result.estimate, names),
        "reworked_passages": reworked,
        "ranges": _plain(result.ranges, names),
        "remedies": _plain(result.remedies, names),
        "notes": [cap.sentence(_name(names, cap.document)) for cap in result.caps],
    }


OF_DOCUMENTS = {"a", "b", "source", "document"}  # fields with the number of a document
FOLLOWING = {EditRecall: ("found", "recall"), ReworkedRecall: ("found",), Bin: ("missed",)}


def _plain(value: Any, names: Sequence[str]) -> Any:  # noqa: ANN401 - any part of a result
    """Values as JSON has them: named tuples as objects, reasons and documents by their names."""
    if isinstance(value, Enum):
        return value.name.lower()
    if not isinstance(value, tuple):
        return value
    if not hasattr(value, "_asdict"):
        return [_plain(one, names) for one in value]
    following = FOLLOWING.get(type(value), ())
    fields = value._asdict() | {name: getattr(value, name) for name in following}
    return {
        name: _name(names, own) if name in OF_DOCUMENTS else _plain(own, names)
        for name, own in fields.items()
    }


def kept_figures(kept: KeptAudit | None, *, is_current: bool) -> dict[str, Any] | None:
    """The same of an audit that is kept, and whether it is of the list that is reported."""
    if kept is None:
        return None
    about = {"time": kept.time, "who": kept.who, "of_this_list": is_current}
    return about | figures(kept.result, kept.settings, [key.name for key in kept.documents])


def write_figures(path: Path, values: dict[str, Any]) -> None:
    """Write figures as JSON.

    Raises:
        ExportError: The file could not be written.
    """
    with replaced_file(path) as file:
        json.dump(values, file, ensure_ascii=False, indent=2)
        file.write("\n")
