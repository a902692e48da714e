"""Settings in words: how the pairs of a report were found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from core.base.messages import gettext, ngettext
from core.base.setting import settings_of
from core.base.wording import comma_list, count, listed, share, threshold
from core.candidates.scurve import curve_of
from core.evidence.measures import found_by, length_in_words
from core.evidence.pairs import Pairs
from core.reports import list_words
from core.reports.model import Report
from core.reports.pair_words import passage_in_words, shared_in_words, wanted_in_words
from core.reports.report_choice import Scope
from core.settings import PAIRS, SHINGLES, SIGNATURE, TEXT, ScanSettings

SETTINGS = settings_of(ScanSettings)
NEARLY_ALL = 0.99
EXAMPLES = (0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
NEAR_EXAMPLES = (0.7, 0.8, 0.9, 0.95, 0.99)  # where bits begin to find pairs


def settings_in_words(
    settings: ScanSettings, compared: int | None = None, *, reworked_complete: bool = False
) -> Iterator[str]:
    """Sentences on how the pairs were found.

    Args:
        settings: Those of the list.
        compared: How many pairs there are, where all were compared: no signature led to any.
        reworked_complete: Whether all pairs were measured for reworked passages.
    """
    cut = gettext(
        "Every document was cut into shingles: all runs of {length} in it, {treatment}.",
        length=length_in_words(settings.k, settings.unit),
        treatment=_text_treatment(settings),
    )
    if settings.bag:
        yield f"{cut} " + gettext("A shingle counts as often as it occurs.")
    else:
        yield f"{cut} " + gettext("A shingle that repeats counts once.")
    search = _bands_in_words(settings) if settings.banding else _bits_in_words(settings)
    yield f"{_signature(settings)} {_completeness(compared) if compared else search}"
    if settings.reworked != "off" and settings.list_passages and compared != 0:
        yield list_words.reworked_in_words(settings, complete=reworked_complete)
        yield list_words.reworked_promise(settings, complete=reworked_complete)
    exact = gettext(
        "Every pair in this report was then compared shingle by shingle: its numbers are exact, "
        "not estimated."
    )
    yield f"{exact} {_listed_from(settings)}"


def _completeness(compared: int) -> str:
    """What it means that all pairs were compared."""
    return ngettext(
        "The one pair of different documents was compared: from the threshold on the list is "
        "complete, whatever the signatures found.",
        "All {n} pairs of different documents were compared: from the threshold on the list is "
        "complete, whatever the signatures found.",
        compared,
    )


def _listed_from(settings: ScanSettings) -> str:
    least = threshold(settings.min_resemblance)
    if settings.list_passages:
        return gettext(
            "Pairs are listed from a resemblance of {least} on, and whatever their resemblance "
            "when they share {shared}.",
            least=least,
            shared=shared_in_words(settings),
        )
    return gettext(
        "Pairs are listed from a resemblance of {least} on; those below are not, not even when "
        "they share {words} in a row.",
        least=least,
        words=passage_in_words(settings),
    )


def found_in_words(pairs: Pairs) -> str:
    """How many of the pairs were found in which way; "" for none."""
    numbers = np.bincount(pairs.found_by).tolist() if len(pairs) else []
    ways: Counter[str] = Counter()
    for value, number in enumerate(numbers):
        if value and number:
            ways[found_by(value)] += number
    parts = [f"{how} {count(number)}" for how, number in ways.most_common()]
    if not parts:
        return ""
    return gettext("How the pairs were found: {ways}.", ways="; ".join(parts))


def setting_rows(settings: ScanSettings) -> Iterator[tuple[str, str]]:
    """Every setting by its name and value."""
    yield from _rows_of_sections(settings, SHINGLES, TEXT)
    yield from _method_rows(settings)
    yield from _rows_of_sections(settings, SIGNATURE)
    yield gettext("Compared"), SETTINGS["compare"].in_report(settings.compare, settings)
    least = threshold(settings.min_resemblance)
    yield gettext("Listed from"), gettext("resemblance {least}", least=least)
    words = passage_in_words(settings)
    passages = gettext("{words} in a row: not listed", words=words)
    if settings.list_passages:
        passages = gettext("{words} in a row", words=words)
    yield gettext("Or sharing"), passages
    yield from _rows_of_sections(settings, PAIRS)


def _rows_of_sections(settings: ScanSettings, *sections: str) -> Iterator[tuple[str, str]]:
    for field, setting in settings_of(settings).items():
        if setting.section in sections and setting.titled and not setting.own_sentence:
            used = settings.uses(field)
            value = (
                setting.in_report(getattr(settings, field), settings)
                if used
                else gettext(setting.without)
            )
            if value:
                yield setting.titled, value


def _signature(settings: ScanSettings) -> str:
    values = ngettext("{n} bit", "{n} bits", 64)
    if settings.banding:
        values = ngettext("{n} value", "{n} values", settings.signature_size)
    weights = [_weights(settings)] if settings.method.weighs else []
    return gettext(
        "From its shingles each document got a signature of {values} ({method}, seed {seed}).",
        values=values,
        method=comma_list((settings.method.name, *weights)),
        seed=settings.seed,
    )


def _bands_in_words(settings: ScanSettings) -> str:
    agreed = gettext(
        "Two documents became candidates when all {rows} of at least one of {bands} of their "
        "signatures agreed.",
        rows=ngettext("{n} row", "{n} rows", settings.rows),
        bands=ngettext("{n} band", "{n} bands", settings.bands),
    )
    chances = chances_in_words(settings)
    return f"{agreed} " + gettext("On average this finds {chances}.", chances=chances)


def _bits_in_words(settings: ScanSettings) -> str:
    differed = gettext("Two documents became candidates when no bit of their signatures differed.")
    if settings.max_distance:
        differed = ngettext(
            "Two documents became candidates when at most {n} bit of their signatures differed.",
            "Two documents became candidates when at most {n} bits of their signatures differed.",
            settings.max_distance,
        )
    sentence = gettext(
        "Among documents of equal length in which many shingles differ, all counted alike, this "
        "finds on average {chances}.",
        chances=chances_in_words(settings),
    )
    return f"{differed} {sentence}"


def _weights(settings: ScanSettings) -> str:
    return SETTINGS["weights"].in_report(settings.weights, settings)


def _method_rows(settings: ScanSettings) -> Iterator[tuple[str, str]]:
    method, has_bands = settings.method, settings.banding is not None
    size = ngettext("{n} bit", "{n} bits", 64)
    if has_bands:
        size = f"K\u00a0=\u00a0{settings.signature_size}"
    yield gettext("Signature"), f"{method.name}, {size}"
    if method.weighs:
        yield gettext("Weights"), _weights(settings)
    yield gettext("Seed"), str(settings.seed)
    if has_bands:
        yield gettext("Bands × rows"), f"b × r = {settings.bands} × {settings.rows}"
    else:
        yield gettext("Bits that may differ"), f"d = {settings.max_distance}"


def _text_treatment(settings: ScanSettings) -> str:
    parts = (
        setting.treatment_text(getattr(settings, field), settings)
        for field, setting in settings_of(settings).items()
        if settings.uses(field)
    )
    return comma_list(parts)


def chances_in_words(settings: ScanSettings) -> str:
    """The curve in words, up to where nearly all pairs are found."""
    least = settings.min_resemblance
    examples = EXAMPLES if settings.banding else NEAR_EXAMPLES
    points = sorted({point for point in (least, *examples) if point >= least and point > 0})
    curve = curve_of(settings.bands, settings.rows, settings.distance)
    chances = curve.probability(points).tolist()
    parts: list[str] = []
    for point, chance in zip(points, chances, strict=True):
        values = {"share": share(chance), "point": threshold(point)}
        if chance > NEARLY_ALL:
            values["share"] = gettext("over {share}", share=share(NEARLY_ALL))
            if point < 1:
                values["point"] = gettext("{point} or more", point=values["point"])
        if parts:
            parts.append(gettext("{share} with {point}", **values))
        else:
            parts.append(gettext("{share} of the pairs with a resemblance of {point}", **values))
        if chance > NEARLY_ALL:
            break
    return listed(parts)


def result_in_words(report: Report) -> list[str]:
    """Sentences on what was found; for a report without pairs, on what that means."""
    return [list_size_in_words(report), *nothing_found(report)]


def list_size_in_words(report: Report) -> str:
    """How many pairs the list has, and for which reason."""
    words = list_words.list_in_words(report.list_counts, report.settings)
    if 0 < len(report.pairs) < report.list_counts.pairs:
        return gettext("The whole list has {pairs}.", pairs=words)
    return gettext("The list has {pairs}.", pairs=words)


def nothing_found(report: Report) -> Iterator[str]:
    """Sentences on why there is no pair, and how sure that is; none where a pair was found."""
    if len(report.pairs) > report.nothing_found_count:
        return
    documents = report.document_counts.present + report.document_counts.missing
    if not documents:
        yield gettext(
            "No document with text was found. Nothing was compared, so nothing is said of any."
        )
    elif documents == 1:
        yield gettext("There is one document and no other: there was nothing to compare it with.")
    elif report.list_counts.listed:
        yield from _not_of_these(report)
    else:
        yield gettext(
            "No near-duplicate was found among {number} documents: no two of them have {rule}, as "
            "far as this search finds them.",
            number=count(documents),
            rule=wanted_in_words(report.settings),
        )
        yield from _how_sure(report)
    if report.problem_counts.problems:
        number = report.problem_counts.problems
        yield gettext(
            "Nothing is said of {files} that gave no text.",
            files=list_words.unread_in_words(number, is_part_of_run=report.is_part_of_run),
        )


def _not_of_these(report: Report) -> Iterator[str]:
    """Why no pair of the list is in the report; nothing where other pairs are."""
    if np.any(report.verdicts) or (report.nothing_found_count and not report.is_of_few):
        return
    listed, scope = {"pairs": list_words.listed_in_words(report.list_counts)}, report.choice.scope
    if scope is Scope.CONFIRMED:
        yield gettext("No pair of the list is confirmed; the list has {pairs}.", **listed)
    elif scope is Scope.SUSPECTED:
        yield gettext(
            "No pair of the list is confirmed or suspicious; the list has {pairs}.", **listed
        )
    elif scope is Scope.PAIR:
        yield gettext(
            "These two documents are not a pair in the list: they do not have {rule}, as far as "
            "this search finds them.",
            rule=wanted_in_words(report.settings),
        )
        yield gettext("Of exact copies only the first is paired with others.")
        yield from _how_sure(report)
    elif scope is Scope.SHOWN:
        yield gettext("The search found {pairs}; none is shown.", **listed)
    else:
        yield ngettext(
            "No pair of this document is listed; the list has {pairs} of others.",
            "No pair of these documents is listed; the list has {pairs} of others.",
            len(report.choice.documents),
            **listed,
        )
        yield from _how_sure(report)


def _how_sure(report: Report) -> Iterator[str]:
    """Sentences on what the search would have found."""
    if report.compared:
        yield all_compared(report.compared)
    else:
        yield gettext(
            "By its curve the search finds on average {chances}.",
            chances=chances_in_words(report.settings),
        )
    if report.settings.reworked != "off" and report.settings.list_passages:
        yield list_words.reworked_in_words(report.settings, complete=report.reworked_complete)
    if report.settings.list_passages:
        yield gettext(
            "Whatever the resemblance, {words} in a row that two documents share are looked for "
            "everywhere; what stands in too many documents to pair them is said among the notes.",
            words=passage_in_words(report.settings),
        )


def all_compared(pairs: int) -> str:
    """That all pairs were compared, so many of them."""
    return ngettext(
        "The one pair of different documents was compared: for resemblance this is certain.",
        "All {n} pairs of different documents were compared: for resemblance this is certain.",
        pairs,
    )
