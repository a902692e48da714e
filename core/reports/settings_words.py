"""Settings in words: how the pairs of a report were found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from core.base.setting import settings_of
from core.base.wording import count, counted, listed, share, threshold
from core.candidates.scurve import curve_of
from core.evidence.measures import found_by
from core.evidence.pairs import Pairs
from core.reports.choice import Scope
from core.reports.list_words import (
    list_in_words,
    listed_in_words,
    reworked_in_words,
    reworked_promise,
    unread,
)
from core.reports.model import Report
from core.reports.pair_words import passage_in_words, shared_in_words, unit_name
from core.settings import PAIRS, SHINGLES, SIGNATURE, TEXT, ScanSettings

SETTINGS = settings_of(ScanSettings)
NEARLY_ALL = 0.99
EXAMPLES = (0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
NEAR_EXAMPLES = (0.7, 0.8, 0.9, 0.95, 0.99)  # where bits begin to find pairs


def settings_in_words(
    settings: ScanSettings, compared: int | None = None, *, reworked_complete: bool = False
) -> Iterator[str]:
    """Sentences that tell a reader how the pairs were found.

    Args:
        settings: Those of the list.
        compared: How many pairs there are, where all were compared: no signature led to any.
        reworked_complete: Whether all pairs were measured for reworked passages.
    """
    unit = unit_name(settings)
    yield (
        f"Every document was cut into shingles: all runs of {counted(settings.k, unit)} in it, "
        f"{_text_treatment(settings)}. "
        + (
            "A shingle counts as often as it occurs."
            if settings.bag
            else "A shingle that repeats counts once."
        )
    )
    search = _bands_in_words(settings) if settings.choice else _bits_in_words(settings)
    yield f"{_signature(settings)} {_completeness(compared) if compared else search}"
    if settings.reworked != "off" and settings.list_passages:
        yield reworked_in_words(settings, complete=reworked_complete)
        yield reworked_promise(settings, complete=reworked_complete)
    yield (
        "Every pair in this report was then compared shingle by shingle: its numbers are exact, "
        f"not estimated. Pairs are listed from a resemblance of "
        f"{threshold(settings.min_resemblance)} on{_passages(settings)}."
    )


def _completeness(compared: int) -> str:
    """What it means that all pairs were compared."""
    return (
        f"All {counted(compared, 'pair')} of different documents were compared: from the threshold "
        "on the list is complete, whatever the signatures found."
    )


def _passages(settings: ScanSettings) -> str:
    if settings.list_passages:
        return f", and whatever their resemblance when they share {shared_in_words(settings)}"
    shared = passage_in_words(settings)
    return f"; those below are not, not even when they share {shared} in a row"


def found_in_words(pairs: Pairs) -> str:
    """How many of the pairs were found in which way; "" for none."""
    numbers = np.bincount(pairs.found_by).tolist() if len(pairs) else []
    ways: Counter[str] = Counter()
    for value, number in enumerate(numbers):
        if value and number:
            ways[found_by(value)] += number
    parts = [f"{how} {count(number)}" for how, number in ways.most_common()]
    return f"How the pairs were found: {'; '.join(parts)}." if parts else ""


def setting_rows(settings: ScanSettings) -> Iterator[tuple[str, str]]:
    """Every setting by its name and value."""
    yield from _told_in(settings, SHINGLES, TEXT)
    yield from _method_rows(settings)
    yield from _told_in(settings, SIGNATURE)
    yield "Compared", SETTINGS["compare"].in_report(settings.compare, settings)
    yield "Listed from", f"resemblance {threshold(settings.min_resemblance)}"
    passages = f"{passage_in_words(settings)} in a row"
    yield "Or sharing", passages if settings.list_passages else f"{passages}: not listed"
    yield from _told_in(settings, PAIRS)


def _told_in(settings: ScanSettings, *sections: str) -> Iterator[tuple[str, str]]:
    for field, setting in settings_of(settings).items():
        if setting.section in sections and setting.titled and not setting.told_apart:
            used = settings.uses(field)
            told = (
                setting.in_report(getattr(settings, field), settings) if used else setting.without
            )
            if told:
                yield setting.titled, told


def _signature(settings: ScanSettings) -> str:
    values = f"{settings.signature_size:,} values" if settings.choice else "64 bits"
    return (
        f"From its shingles each document got a signature of {values} ({settings.method.name}"
        f"{_weighed(settings)}, seed {settings.seed})."
    )


def _bands_in_words(settings: ScanSettings) -> str:
    return (
        f"Two documents became candidates when all {counted(settings.rows, 'row')} of at least one "
        f"of {counted(settings.bands, 'band')} of their signatures agreed. On average this finds "
        f"{chances_in_words(settings)}."
    )


def _bits_in_words(settings: ScanSettings) -> str:
    distance = settings.max_distance
    bits = f"at most {counted(distance, 'bit')}" if distance else "no bit"
    return (
        f"Two documents became candidates when {bits} of their signatures differed. Among "
        "documents of equal length in which many shingles differ, all counted alike, this finds on "
        f"average {chances_in_words(settings)}."
    )


def _weighed(settings: ScanSettings) -> str:
    return f", {_weights(settings)}" if settings.method.weighs else ""


def _weights(settings: ScanSettings) -> str:
    return SETTINGS["weights"].in_report(settings.weights, settings)


def _method_rows(settings: ScanSettings) -> Iterator[tuple[str, str]]:
    method, has_bands = settings.method, settings.choice is not None
    size = f"K\u00a0=\u00a0{settings.signature_size}" if has_bands else "64 bits"
    yield "Signature", f"{method.name}, {size}"
    if method.weighs:
        yield "Weights", _weights(settings)
    yield "Seed", str(settings.seed)
    if has_bands:
        yield "Bands × rows", f"b × r = {settings.bands} × {settings.rows}"
    else:
        yield "Bits that may differ", f"d = {settings.max_distance}"


def _text_treatment(settings: ScanSettings) -> str:
    parts = (
        setting.treats(getattr(settings, field), settings)
        for field, setting in settings_of(settings).items()
        if settings.uses(field)
    )
    return ", ".join(filter(None, parts))


def chances_in_words(settings: ScanSettings) -> str:
    """The curve in words, up to where nearly all pairs are found."""
    least = settings.min_resemblance
    examples = EXAMPLES if settings.choice else NEAR_EXAMPLES
    points = sorted({point for point in (least, *examples) if point >= least and point > 0})
    curve = curve_of(settings.bands, settings.rows, settings.distance)
    chances = curve.probability(points).tolist()
    parts: list[str] = []
    for point, chance in zip(points, chances, strict=True):
        joined = "with" if parts else "of the pairs with a resemblance of"
        if chance > NEARLY_ALL:
            more = " or more" if point < 1 else ""
            parts.append(f"over {share(NEARLY_ALL)} {joined} {threshold(point)}{more}")
            break
        parts.append(f"{share(chance)} {joined} {threshold(point)}")
    return listed(parts)


def result_in_words(report: Report) -> list[str]:
    """What was found; of a report without pairs what that means."""
    return [whole_in_words(report), *nothing_found(report)]


def whole_in_words(report: Report) -> str:
    """How many pairs the list has, and for which reason."""
    words = list_in_words(report.list_counts, report.settings)
    is_part = 0 < len(report.pairs) < report.list_counts.pairs
    return f"The whole list has {words}." if is_part else f"{words[0].upper()}{words[1:]}."


def nothing_found(report: Report) -> Iterator[str]:
    """Sentences on why there is no pair, and how sure that is; none where one was found."""
    if len(report.pairs) > report.nothing_found_count:
        return
    there = report.document_counts.present + report.document_counts.missing
    if not there:
        yield "No document with text was found. Nothing was compared, so nothing is said of any."
    elif there == 1:
        yield "There is one document and no other: there was nothing to compare it with."
    elif report.list_counts.listed:
        yield from _not_of_these(report)
    else:
        yield (
            f"No near-duplicate was found among {counted(there, 'document')}: no two of them reach "
            f"a resemblance of {threshold(report.settings.min_resemblance)}{_nor_share(report)}, "
            "as far as this search finds them."
        )
        yield from _how_sure(report)
    if report.problem_counts.problems:
        noun = unread(is_part_of_run=report.is_part_of_run)
        number = counted(report.problem_counts.problems, noun)
        yield f"Nothing is said of {number} that gave no text."


def _not_of_these(report: Report) -> Iterator[str]:
    """Why none of the pairs of the list is in the report."""
    listed = listed_in_words(report.list_counts)
    verb, was = ("is", "was") if report.list_counts.listed == 1 else ("are", "were")
    scope = report.choice.scope
    if scope is Scope.CONFIRMED:
        yield f"No pair of the list is confirmed; {listed} {verb} listed."
    elif scope is Scope.SUSPECTED:
        yield f"No pair of the list is confirmed or suspicious; {listed} {verb} listed."
    elif scope is Scope.PAIR:
        yield (
            "These two documents are no pair of the list: they do not reach a resemblance of "
            f"{threshold(report.settings.min_resemblance)}{_nor_share(report, few=True)}, as far "
            "as this search finds them. Of exact copies only the first is paired with others."
        )
        yield from _how_sure(report)
    elif scope is Scope.SHOWN:
        yield f"{listed} {was} found; none is shown."
    else:
        one = len(report.choice.documents) == 1
        which = "this document" if one else "these documents"
        yield f"No pair of {which} is listed; {listed} of others {verb}."
        yield from _how_sure(report)


def _nor_share(report: Report, *, few: bool = False) -> str:
    if not report.settings.list_passages:
        return ""
    verb = "and do not share" if few else "or share"
    return f" {verb} {shared_in_words(report.settings)}"


def _how_sure(report: Report) -> Iterator[str]:
    """What the search would have found."""
    if report.compared:
        pairs = counted(report.compared, "pair")
        yield f"All {pairs} of different documents were compared: for resemblance this is certain."
    else:
        yield f"By its curve the search finds on average {chances_in_words(report.settings)}."
    if report.settings.reworked != "off" and report.settings.list_passages:
        yield reworked_in_words(report.settings, complete=report.reworked_complete)
    if report.settings.list_passages:
        run = passage_in_words(report.settings)
        yield (
            f"Whatever the resemblance, {run} in a row that two documents share are looked for "
            "everywhere; what stands in too many documents to pair them is said among the notes."
        )
