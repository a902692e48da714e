"""An audit in sentences and tables for people, and as figures for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any, NamedTuple

from core.base.arrays import Estimate, Share, wilson
from core.base.messages import N_, as_shown, gettext, in_english, localized, ngettext, percentage
from core.base.wording import (
    count,
    resemblance,
    rounded,
    share,
    table_lines,
    threshold,
    with_interval,
)
from core.reports.list_words import moment_in_words, more_in_words
from core.reports.pair_words import wanted_in_words
from core.scan.audit_results import (
    AuditResult,
    BandEstimate,
    Bin,
    EditRecall,
    KeptAudit,
    MeasuredRange,
    MissedPair,
    MissReason,
    Planting,
    Proof,
    Remedy,
    ReworkedPlanting,
    ReworkedRecall,
)
from core.scan.copies import COPIES_SPELLED_OUT
from core.scan.pair_list import NOTHING_TO_COMPARE
from core.settings import ScanSettings

BY_SIGNATURES = {MissReason.CHANCE, MissReason.DISTANCE}
NONE_PLANTED = N_("No reworked passage could be planted: no document has 30 words beside another.")
INTERVALS = N_("(Shares with their 95% interval, after Wilson.)")


def audit_heading(result: AuditResult) -> str:
    """The outcome in one sentence."""
    if result.proof:
        proof = result.proof
        if proof.missing:
            return ngettext(
                "{missing} of {n} pair missing.",
                "{missing} of {n} pairs missing.",
                proof.wanted,
                missing=count(proof.missing),
            )
        if proof.wrong:
            return ngettext(
                "{n} listed pair should be checked: see below.",
                "{n} listed pairs should be checked: see below.",
                proof.wrong,
            )
        return gettext("The list is complete.")
    recall = _all_copies(result.planting)
    if recall is None:
        return gettext("No edited copy could be searched for.")
    return gettext("{share} of the edited copies were found.", share=share_in_words(recall))


def audit_summary(result: AuditResult, settings: ScanSettings) -> Iterator[str]:
    """The results, without the tables; one or two sentences at a time."""
    alike = replace(settings, reworked="off")  # reworked passages have their own sentences
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
    """When the audit was made, by whom, and whether it still holds."""
    when = gettext("Tested on {time}.", time=moment_in_words(kept.time))
    if kept.who:
        when = gettext("Tested on {time} by {who}.", time=moment_in_words(kept.time), who=kept.who)
    earlier = gettext("It tells of an earlier list: settings or documents have changed since.")
    return when if is_current else f"{when} {earlier}"


def proof_in_words(result: AuditResult, proof: Proof, settings: ScanSettings) -> Iterator[str]:
    """The pairs that were compared and listed, line by line."""
    if not proof.pairs:
        yield gettext(NOTHING_TO_COMPARE)
        return
    if proof.pairs == 1:
        yield gettext("The only pair was compared exactly.")
    else:
        yield gettext(
            "All {pairs} of {documents} were compared exactly.",
            pairs=ngettext("{n} pair", "{n} pairs", proof.pairs),
            documents=ngettext("{n} document", "{n} documents", result.documents),
        )
    wanted = {"wanted": count(proof.wanted), "rule": wanted_in_words(settings)}
    if not proof.wanted:
        yield gettext("None should be listed ({rule}), and none is missing.", **wanted)
    elif proof.listed == proof.wanted:
        all_are = gettext("{wanted} should be listed ({rule}); all {wanted} are.", **wanted)
        yield all_are if proof.wrong else f"{all_are} " + gettext("The list is complete.")
    else:
        listed = count(proof.listed)
        yield gettext("{wanted} should be listed ({rule}); {listed} are.", **wanted, listed=listed)
    if proof.copies:
        yield gettext(
            "{pairs} are left out on purpose: of more than {most} documents with the same words, "
            "the first is listed for all.",
            pairs=count(proof.copies),
            most=COPIES_SPELLED_OUT,
        )
        if not proof.missing and not proof.wrong:
            yield gettext("Apart from these the list is complete.")
    if proof.wrong:
        yield ngettext(
            "{n} listed pair should not be listed, or with other numbers: this is a fault in "
            "Neardup, which its makers want to know.",
            "{n} listed pairs should not be listed, or with other numbers: this is a fault in "
            "Neardup, which its makers want to know.",
            proof.wrong,
        )


def _reasons(proof: Proof) -> Iterator[str]:
    for reason, number in proof.reasons:
        yield ngettext(
            "Missing is {n} pair: {reason}.",
            "Missing are {n} pairs: {reason}.",
            number,
            reason=reason.in_words,
        )


def planted_in_words(
    result: AuditResult, planting: Planting, settings: ScanSettings
) -> Iterator[str]:
    """The copies that were planted, and when they should be found."""
    documents = ngettext("{n} document", "{n} documents", result.documents)
    if not planting.sources:
        yield gettext(
            "No edited copy could be planted: of {documents} none has 20 words to edit.",
            documents=documents,
        )
        return
    yield gettext(
        "Edited copies of {sources} of {documents} were planted in memory and searched for among "
        "all of them. (Comparing all pairs would look up {shingles} shingles.)",
        sources=count(planting.sources),
        documents=documents,
        shingles=count(result.work),
    )
    yield gettext(
        "A copy should be listed with its source from {rule}.", rule=wanted_in_words(settings)
    )


def _all_copies(planting: Planting | None) -> Share | None:
    wanted = sum(row.wanted for row in planting.edits) if planting else 0
    return wilson(wanted - planting.missing, wanted) if planting and wanted else None


def _recall(planting: Planting) -> Iterator[str]:
    recall = _all_copies(planting)
    wanted = sum(row.wanted for row in planting.edits)
    if recall is not None:
        yield ngettext(
            "Of {n} copy that should be listed, {listed} is: {share}.",
            "Of {n} copies that should be listed, {listed} are: {share}.",
            wanted,
            listed=count(wanted - planting.missing),
            share=share_in_words(recall),
        )
    elif planting.sources:
        yield gettext("None of the copies is so like its source that it should be listed.")


def _reworked(reworked: ReworkedPlanting) -> Iterator[str]:
    planted = sum(row.planted for row in reworked.cells)
    if not planted:
        yield gettext(NONE_PLANTED)
        return
    promised = sum(row.promised * row.planted for row in reworked.cells) / planted
    yield ngettext(
        "Of {n} reworked passage that was planted, {listed} is listed: {share}; promised was "
        "{promised}.",
        "Of {n} reworked passages that were planted, {listed} are listed: {share}; promised were "
        "{promised}.",
        planted,
        listed=count(planted - reworked.missing),
        share=share_in_words(wilson(planted - reworked.missing, planted)),
        promised=_percent(promised),
    )


def estimate_in_words(estimate: BandEstimate, settings: ScanSettings) -> Iterator[str]:
    """The pairs that bands miss, and those that passages list all the same."""
    search, forecast = settings.method.search_name, estimate.forecast
    if forecast is None:
        yield gettext(
            "{search} alone: too few pairs are known to tell how many are missed.", search=search
        )
        return
    values = {
        "search": search,
        "by_search": _missed_amount(forecast.by_bands),
        "together": _missed_amount(forecast.listed),
        "pairs": ngettext("{n} pair", "{n} pairs", round(forecast.there)),
        "least": threshold(forecast.least),
    }
    if forecast.certain:
        yield gettext(
            "{search} alone miss {by_search}, bands and shared passages together {together} of "
            "{pairs} from resemblance {least} on.",
            **values,
        )
    else:
        yield gettext(
            "{search} alone miss by forecast {by_search}, bands and shared passages together "
            "{together} of {pairs} from resemblance {least} on.",
            **values,
        )
    if estimate.missed_by_bands is not None and not forecast.certain:
        yield gettext(
            "In truth they miss {by_search} and {together}.",
            by_search=count(estimate.missed_by_bands),
            together=count(estimate.not_listed or 0),
        )
    if forecast.least > settings.min_resemblance:
        yield gettext("Below that, too few pairs are found to tell how many are missed.")


def _missed_amount(missed: Estimate) -> str:
    expected = count(round(missed.expected))
    if round(missed.low) == round(missed.high):
        return expected
    return with_interval(expected, count(round(missed.low)), count(round(missed.high)))


def share_in_words(value: Share | None) -> str:
    """A share with its interval: "97.2% (95.1% to 98.4%)"."""
    if value is None:
        return gettext("none")
    return with_interval(*map(_percent, value))


def _percent(part: float) -> str:
    return percentage(f"{100 * part:.1f}")


def promised_in_words(row: MeasuredRange) -> str:
    """The share of pairs that the S-curve promises; "" without a curve."""
    return "" if row.expected is None else _percent(row.expected / row.pairs)


def bounds_in_words(row: MeasuredRange | Bin) -> str:
    """From which resemblance to which: "0.10 to 0.20"."""
    return gettext(
        "{low} to {high}", low=localized(f"{row.low:.2f}"), high=localized(f"{row.high:.2f}")
    )


def range_in_words(row: MeasuredRange) -> str:
    """The measured share of pairs in a range of resemblance."""
    values = {
        "range": bounds_in_words(row),
        "found": count(row.met),
        "pairs": count(row.pairs),
        "share": share_in_words(row.share),
    }
    promised = promised_in_words(row)
    if not promised:
        return gettext("Measured from {range}: {found} of {pairs} found, {share}.", **values)
    return gettext(
        "Measured from {range}: {found} of {pairs} found, {share}; the curve promised {promised}.",
        **values,
        promised=promised,
    )


def remedies_in_words(result: AuditResult, settings: ScanSettings) -> Iterator[str]:
    """Changes that would miss fewer pairs; nothing where none is missed."""
    missed = _by_signatures(result)
    if not missed:
        return
    for remedy in result.remedies:
        yield _remedy(remedy, of_pairs=result.proof is not None)
    if result.proof and settings.compare != "all":
        yield gettext("Comparing all pairs misses none, and takes about as long as this test did.")
    elif not result.remedies and settings.banding:
        yield gettext(
            "No other b × r of these signatures misses fewer: a larger K needs a new scan."
        )


def _remedy(remedy: Remedy, *, of_pairs: bool) -> str:
    choice = (
        f"b × r = {remedy.bands} × {remedy.rows}"
        if remedy.distance is None
        else f"d = {remedy.distance}"
    )
    missed = count(remedy.missed) if remedy.missed else gettext("none")
    if of_pairs:
        sentence = gettext(
            "With {choice}, {missed} of these pairs would be missed.", choice=choice, missed=missed
        )
    else:
        sentence = gettext(
            "With {choice}, {missed} of these copies would be missed.", choice=choice, missed=missed
        )
    if remedy.candidates is None:
        return sentence
    about = count(rounded(remedy.candidates.expected, 2))
    return f"{sentence} " + gettext("About {pairs} pairs would be compared.", pairs=about)


def _by_signatures(result: AuditResult) -> int:
    """How many are missed because the signatures did not meet."""
    if result.proof:
        return sum(
            reason.pairs for reason in result.proof.reasons if reason.reason in BY_SIGNATURES
        )
    return result.planting.missing if result.planting else 0


def reworked_sentences(
    reworked: ReworkedPlanting, names: Sequence[str], *, shown: int
) -> Iterator[str]:
    """The promised and found passages, line by line; at most `shown` missed ones by name."""
    yield ""
    if not reworked.sources:
        yield gettext(NONE_PLANTED)
        return
    yield ngettext(
        "Reworked passages of {n} document were planted in memory between words of other "
        "documents: words exchanged by others of the same document, dropped and inserted, in half "
        "of them sentences moved.",
        "Reworked passages of {n} documents were planted in memory between words of other "
        "documents: words exchanged by others of the same document, dropped and inserted, in half "
        "of them sentences moved.",
        reworked.sources,
    )
    yield ""
    yield from _table((*REWORKED, AS_REWORKED), planted_cells(reworked))
    yield gettext(INTERVALS)
    yield from _reworked_audit_words_missed(reworked, names, shown)


def planted_cells(reworked: ReworkedPlanting) -> list[ReworkedRecall]:
    """The lengths and shares of changed words of which passages were planted."""
    return [row for row in reworked.cells if row.planted]


class TextColumn(NamedTuple):
    """A column of a table of words.

    Attributes:
        title: A message.
        sign: By which it stands on a terminal, see `core.base.wording.table_lines`.
        of: Its words for what has a row.
    """

    title: str
    sign: str
    of: Callable[[Any], str]


def _table(columns: Sequence[TextColumn], rows: Sequence[object]) -> Iterator[str]:
    cells = [[column.of(row) for column in columns] for row in rows]
    titles = [gettext(column.title) for column in columns]
    yield from table_lines(titles, "".join(column.sign for column in columns), cells)


REWORKED = (
    TextColumn(N_("Words"), ">", lambda row: count(row.words)),
    TextColumn(N_("Changed"), ">", lambda row: share(row.changed)),
    TextColumn(N_("Planted"), ">", lambda row: count(row.planted)),
    TextColumn(N_("Promised"), ">", lambda row: share(row.promised)),
    TextColumn(N_("Listed"), "<", lambda row: share_in_words(row.found)),
)
AS_REWORKED = TextColumn(N_("Of these as reworked"), ">", lambda row: count(row.reworked))


def _reworked_audit_words_missed(
    reworked: ReworkedPlanting, names: Sequence[str], shown: int
) -> Iterator[str]:
    missed = reworked.longest_missed
    if not missed or not shown:
        return
    yield ""
    yield ngettext("Not listed: {n} passage.", "Not listed: {n} passages.", reworked.missing)
    for passage in missed[:shown]:
        line = gettext(
            "{name}: words {first} to {last}, {share} changed",
            name=names[passage.document],
            first=count(passage.first + 1),
            last=count(passage.first + passage.words),
            share=share(passage.changed),
        )
        yield f"  {line}"
    if shown < reworked.missing:
        yield more_in_words(reworked.missing - shown)


PLANTED_NAME = N_("(an edited copy)")


def sentences(
    result: AuditResult, settings: ScanSettings, names: Sequence[str], *, shown: int
) -> Iterator[str]:
    """The audit line by line.

    Args:
        result: The result of the audit.
        settings: The audited settings.
        names: The names of the documents.
        shown: How many missed pairs to name.
    """
    alike = replace(settings, reworked="off")  # reworked passages have their own sentences
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
        yield gettext("Note: {note}", note=as_shown(cap.sentence(_name(names, cap.document))))


def _name(names: Sequence[str], document: int) -> str:
    return names[document] if document < len(names) else gettext(PLANTED_NAME)


def _missed(proof: Proof, names: Sequence[str], shown: int) -> Iterator[str]:
    missed = proof.missed
    if not missed:
        return
    yield ngettext("Missed: {n} pair.", "Missed: {n} pairs.", proof.missing)
    for reason, number in proof.reasons:
        yield f"  {count(number)}: {reason.in_words}"
    if not shown:
        return
    yield ""

    def both(pair: MissedPair) -> str:
        return f"{_name(names, pair.a)} | {_name(names, pair.b)}"

    columns = (
        TextColumn(N_("Resemblance"), ">", lambda pair: resemblance(pair.resemblance)),
        TextColumn(N_("Longest run"), ">", lambda pair: count(pair.longest_run)),
        TextColumn(N_("Chance to be found"), ">", _chance),
        TextColumn(N_("Document A | Document B"), "<", both),
    )
    yield from _table(columns, missed[:shown])
    if shown < proof.missing:
        yield more_in_words(proof.missing - shown)


def _chance(pair: MissedPair) -> str:
    if pair.reason is not MissReason.CHANCE:
        return pair.reason.name.lower()
    return "" if pair.chance is None else share(pair.chance)


def _bins(bins: Sequence[Bin]) -> Iterator[str]:
    """Found pairs by resemblance; ranges without any pair are left out."""
    filled = [row for row in bins if row.pairs]
    if not filled:
        return
    yield ""
    columns = (
        TextColumn(N_("Resemblance"), "<", bounds_in_words),
        TextColumn(N_("To be listed"), ">", lambda row: count(row.pairs)),
        TextColumn(N_("Bands found"), ">", lambda row: count(row.by_bands)),
        TextColumn(N_("Bands find on average"), ">", expected_in_words),
        TextColumn(N_("Passages added"), ">", lambda row: count(row.added)),
        TextColumn(N_("Missed"), ">", lambda row: count(row.missed)),
    )
    yield from _table(columns, filled)
    yield gettext("(Pairs with the same words are not in this table: they need no bands.)")
    yield ""


def expected_in_words(row: Bin | EditRecall) -> str:
    """How many bands find on average."""
    return "" if row.expected is None else localized(f"{row.expected:,.1f}")


def _planting(result: AuditResult, planting: Planting, settings: ScanSettings) -> Iterator[str]:
    yield from planted_in_words(result, planting, settings)
    if not planting.sources:
        return
    edit = TextColumn(N_("Edit"), "<", lambda row: gettext(row.edit.words))
    by_edit = (
        edit,
        TextColumn(N_("Copies"), ">", lambda row: count(row.planted)),
        TextColumn(N_("Resemblance"), "<", _median_and_range),
        TextColumn(N_("Listed"), "<", lambda row: share_in_words(row.found)),
        TextColumn(N_("To be listed"), ">", lambda row: count(row.wanted)),
        TextColumn(N_("Of these listed"), "<", lambda row: share_in_words(row.recall)),
    )
    by_search = (
        edit,
        TextColumn(N_("Bands found"), ">", lambda row: count(row.by_bands)),
        TextColumn(N_("Bands find on average"), ">", expected_in_words),
        TextColumn(N_("Passages found"), ">", lambda row: count(row.by_passages)),
        TextColumn(N_("Both"), ">", lambda row: count(row.both)),
    )
    for columns in (by_edit, by_search):
        yield ""
        yield from _table(columns, planting.edits)
    yield gettext(
        "(Resemblance: median and range. Copies that are listed only for a reworked passage do not "
        "count as listed. Shares with their 95% interval, after Wilson.)"
    )
    yield ""


def _median_and_range(row: EditRecall) -> str:
    low, middle, high = map(resemblance, row.resemblance)
    return with_interval(middle, low, high)


@in_english()
def figures(result: AuditResult, settings: ScanSettings, names: Sequence[str]) -> dict[str, Any]:
    """The audit as plain values, ready for JSON."""
    proof, reworked = _plain(result.proof, names), _plain(result.reworked, names)
    if result.proof:
        reasons = result.proof.reasons
        proof |= {"reasons": {reason.reason.name.lower(): reason.pairs for reason in reasons}}
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
        return [_plain(item, names) for item in value]
    following = FOLLOWING.get(type(value), ())
    fields = value._asdict() | {name: getattr(value, name) for name in following}
    return {
        name: _name(names, field) if name in OF_DOCUMENTS else _plain(field, names)
        for name, field in fields.items()
    }


def kept_figures(kept: KeptAudit | None, *, is_current: bool) -> dict[str, Any] | None:
    """The same of an audit that is kept, and whether it is of the list that is reported."""
    if kept is None:
        return None
    about = {"time": kept.time, "who": kept.who, "of_this_list": is_current}
    return about | figures(kept.result, kept.settings, [key.name for key in kept.documents])
