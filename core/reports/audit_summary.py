"""What an audit found out, in sentences: on a terminal, in a report, in the window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.base.intervals import Estimate, Share, wilson
from core.base.wording import counted, threshold
from core.reports.pair_words import wanted_in_words
from core.reports.verdict_words import moment_in_words
from core.scan.audit_results import AuditResult, BandEstimate, MissReason, Proof, Remedy
from core.scan.duplicates import COPIES_SPELLED_OUT
from core.scan.kept_audit import KeptAudit
from core.scan.planted_results import Planting, ReworkedPlanting
from core.settings import ScanSettings

BY_SIGNATURES = {MissReason.CHANCE, MissReason.DISTANCE}
COMPLETE = " The list is complete."
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
        yield "No reworked passage could be planted: no document has 30 words beside another."
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
