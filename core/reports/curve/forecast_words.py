"""What b, r and the floor mean for the pairs of a folder, in words."""

from __future__ import annotations

import math
import re
from itertools import cycle

from core.base.arrays import Estimate
from core.base.messages import N_, gettext, localized, ngettext, percentage
from core.base.wording import count, threshold
from core.candidates.forecast import HUNDREDTHS, Forecast
from core.reports.blocks import Line, Span, SpanKind, line
from core.reports.curve.state import FolderPairs, ThresholdState
from core.scan.pair_list import NOTHING_TO_COMPARE, DocumentCounts, ListCounts

MOST_DECIMALS = 6


# On missed pairs, on pairs checked for nothing, on listed pairs; empty for nothing to say.
ForecastSentences = tuple[Line, Line, Line]


def plain(sentences: ForecastSentences) -> str:
    """The sentences without emphasis."""
    return " ".join("".join(run.text for run in sentence) for sentence in sentences if sentence)


def _spans(message: str) -> Line:
    """The spans of a message; those between <b> and </b> are strong."""
    kinds = cycle((SpanKind.PLAIN, SpanKind.STRONG))
    return line(*map(Span, re.split("</?b>", message), kinds))


def two_decimals(value: float) -> str:
    """A resemblance as the sliders give it: 0.10."""
    return localized(f"{value:.2f}")


def almost(value: float) -> str:
    """A resemblance with as many decimals as it must have not to read 1."""
    decimals = next((n for n in range(2, MOST_DECIMALS) if round(value, n) < 1), MOST_DECIMALS)
    return two_decimals(value) if value == 1 else localized(f"{value:.{decimals}f}")


def share(value: float) -> str:
    """A probability in percent, as exact as it must be not to read 0 or 100."""
    rest = 100 * min(value, 1 - value)
    if value in {0.0, 1.0}:
        return percentage(f"{round(100 * value)}")
    if rest < 0.01:
        return f"<{percentage('0.01')}" if value < 0.5 else f">{percentage('99.99')}"
    if value < 0.5:
        return percentage(f"{100 * value:.2g}")
    return percentage(f"{100 * value:.{max(0, -math.floor(math.log10(rest)))}f}")


def about(number: float) -> str:
    """A number rounded to two significant digits."""
    if number < 100:
        return count(round(number))
    step = 10 ** (math.floor(math.log10(number)) - 1)
    return count(round(number / step) * step)


NONE_BELOW = 0.5  # pairs; an upper limit below it is called none
NEARLY_ALL = 0.9995  # found; an exact share would say no more
PART_OF_RUN = N_(
    "Curves and forecasts are of the documents of this review alone, a part of a run on a cluster, "
    "as if they were scanned here: pairs that were not imported count, too, but are not listed."
)


def forecast(state: ThresholdState, folder: FolderPairs | None) -> ForecastSentences:
    """What b, r and the floor mean: for the folder's pairs, or else for any pair.

    Of bits P depends on the lengths of two documents too: what they miss in a folder is estimated
    from measured pairs, never from the curve.
    """
    missed, extra, listed = _forecast(state, folder)
    if folder is not None and folder.is_part_of_run:
        missed = f"{gettext(PART_OF_RUN)} {missed}"
    return _spans(missed), _spans(extra), _spans(listed)


def _forecast(state: ThresholdState, folder: FolderPairs | None) -> tuple[str, str, str]:
    telling = _telling(state, folder)
    prediction = telling.forecast(state) if telling else Forecast()
    if telling and telling.compared is not None and telling.known is not None:
        missed = _complete(state, telling, telling.compared, prediction)
    elif state.distance is not None and (telling is None or telling.bits is None):
        listed = _listed(state, telling, prediction) if telling else _after_scan(folder)
        return _of_bits(state), "", listed
    elif telling is None or telling.known is None:
        return _of_any_pair(state, folder)
    else:
        missed = _missed(state, telling, prediction)
    return missed, _extra(state, telling, prediction), _listed(state, telling, prediction)


def _telling(state: ThresholdState, folder: FolderPairs | None) -> FolderPairs | None:
    """The pairs of the folder where they tell of a state: both of bands, or both of bits."""
    is_telling = folder and (folder.made_with.distance is None) == (state.distance is None)
    return folder if is_telling else None


def in_brief(state: ThresholdState, folder: FolderPairs | None) -> Line:
    """The share of pairs found or missed, in one sentence."""
    brief = _in_brief(state, folder)
    if folder is not None and folder.is_part_of_run:
        brief = gettext(
            "Of the documents of this review, as if scanned here: {forecast}", forecast=brief
        )
    return _spans(brief)


def _in_brief(state: ThresholdState, folder: FolderPairs | None) -> str:
    floor = threshold(state.min_resemblance)
    folder = _telling(state, folder)
    if folder is None or folder.known is None:
        at_floor = state.probability(state.min_resemblance)
        if at_floor > NEARLY_ALL:
            return gettext("<b>Finds nearly all</b> pairs from {floor} on.", floor=floor)
        return gettext(
            "<b>Finds {share}</b> of the pairs at a resemblance of {floor}, and more above it.",
            share=share(at_floor),
            floor=floor,
        )
    if folder.compared == 0:
        return nothing_to_compare(folder)
    if folder.compared is not None:
        return gettext(
            "<b>No pair is missed</b> from {floor} on.",
            floor=threshold(max(state.min_resemblance, folder.made_with.min_resemblance)),
        )
    prediction = folder.forecast(state)
    if not prediction.is_known:
        return gettext("Too few pairs are found to say how many are missed.")
    return _would_be_missed(prediction)


def nothing_to_compare(folder: FolderPairs) -> str:
    """That there is nothing to compare, and of which documents pairs are listed all the same."""
    if folder.of_missing:
        return gettext(
            "No two different documents are there to compare. The pairs in the list are of "
            "documents that are gone or were not read."
        )
    return gettext(NOTHING_TO_COMPARE)


def _all_pairs(folder: FolderPairs, compared: int) -> str:
    if compared == folder.documents.pairs:
        return ngettext("the one pair was compared", "all {n} pairs were compared", compared)
    # Documents with the same words are compared as one.
    return ngettext(
        "the one pair of different texts was compared",
        "all {n} pairs of different texts were compared",
        compared,
    )


def _complete(
    state: ThresholdState, folder: FolderPairs, compared: int, prediction: Forecast
) -> str:
    """All pairs were compared; what the bands would have found is of interest all the same."""
    if not compared:
        return nothing_to_compare(folder)
    start = gettext(
        "<b>Complete from {floor} on</b>: {all_pairs}.",
        floor=threshold(folder.made_with.min_resemblance),
        all_pairs=_all_pairs(folder, compared),
    )
    start = f"{start} {folder.reworked}" if folder.reworked else start
    if not prediction.is_known:
        return start
    total, least = round(prediction.total), threshold(prediction.least)
    if not total:
        return f"{start} " + gettext("None is above {least}.", least=least)
    alone, both = (
        max(0, total - round(side.expected))
        for side in (prediction.missed_by_bands, prediction.missed)
    )
    values = {
        "search": state.method.search_name,
        "alone": _about(count(alone), certain=prediction.certain),
        "both": _about(count(both), certain=prediction.certain),
        "there": count(total),
        "least": least,
    }
    if both > alone:
        sentence = gettext(
            "{search} alone would have found <b>{alone} of {there}</b> above {least}, with "
            "passages {both}.",
            **values,
        )
    else:
        sentence = gettext(
            "{search} alone would have found <b>{alone} of {there}</b> above {least}.", **values
        )
    return _joined(start, sentence, _not_counted(state, folder, prediction))


def _joined(*sentences: str) -> str:
    return " ".join(filter(None, sentences))


def _about(number: str, *, certain: bool = False) -> str:
    return number if certain else gettext("about {number}", number=number)


def _of_bits(state: ThresholdState) -> str:
    floor = state.min_resemblance
    sentence = gettext(
        "{search} finds <b>{share}</b> of pairs at {floor} and half of those at <b>{half}</b> "
        "where documents are equally long; where one holds the other whole, half at {contained}.",
        search=state.method.search_name,
        share=share(state.probability(floor)),
        floor=threshold(floor),
        half=almost(state.midpoint),
        contained=almost(state.contained_midpoint),
    )
    limits = gettext(
        "All of that for texts in which many shingles differ, all counted alike: where fewer than "
        "five differ it can be 10 points off, and more in short texts."
    )
    return f"{sentence} {limits}"


def _after_scan(folder: FolderPairs | None) -> str:
    if folder is None:
        return gettext("A finished scan says how many pairs that is.")
    return gettext("A new scan says how many pairs that is.")


def _of_any_pair(state: ThresholdState, folder: FolderPairs | None) -> tuple[str, str, str]:
    floor = state.min_resemblance
    points = sorted({floor, min(floor + 0.1, 1.0), min(floor + 0.2, 1.0)})
    parts: list[str] = []
    for s in points:
        values = {"point": threshold(s), "share": share(state.probability(s))}
        if not parts:
            parts.append(gettext("Of pairs at {point}, <b>{share}</b> are found", **values))
        else:
            parts.append(gettext("at {point}, <b>{share}</b>", **values))
    below, extra = round(floor / 2, 2), ""
    if 0 < below < floor:
        extra = gettext(
            "Of pairs at {point}, <b>{share}</b> are checked for nothing.",
            point=threshold(below),
            share=share(state.probability(below)),
        )
    return f"{'; '.join(parts)}.", extra, _after_scan(folder)


def _missed(state: ThresholdState, folder: FolderPairs, prediction: Forecast) -> str:
    if not prediction.is_known:
        at_floor = share(state.probability(state.min_resemblance))
        return gettext(
            "Too few pairs are found to tell how many are missed. Of pairs at {point}, {share} are "
            "found.",
            point=threshold(state.min_resemblance),
            share=at_floor,
        )
    return _joined(
        _would_be_missed(prediction),
        _none_above(state, folder, prediction),
        _by_bands(state, prediction),
        _not_counted(state, folder, prediction),
    )


def _would_be_missed(prediction: Forecast) -> str:
    return ngettext(
        "Above {least}, <b>{missed} of {there}</b> pair would be missed.",
        "Above {least}, <b>{missed} of {there}</b> pairs would be missed.",
        round(prediction.total),
        least=threshold(prediction.least),
        missed=_amount(prediction.missed),
        there=about(prediction.total),
    )


def _by_bands(state: ThresholdState, prediction: Forecast) -> str:
    """A sentence on the pairs that bands miss and passages find."""
    if round(prediction.missed_by_bands.expected) <= round(prediction.missed.expected):
        return ""
    return gettext(
        "{search} alone would miss <b>{missed}</b>.",
        search=state.method.search_name,
        missed=_amount(prediction.missed_by_bands),
    )


def _amount(missed: Estimate) -> str:
    if missed.high < NONE_BELOW:
        return gettext("none")
    if round(missed.low) == round(missed.high):
        return count(round(missed.expected))
    if round(missed.expected) == 0:
        return gettext("at most {number}", number=about(math.ceil(missed.high)))
    return _between(missed)


def _not_counted(state: ThresholdState, folder: FolderPairs, prediction: Forecast) -> str:
    """Why pairs between the state's floor and that of the forecast are not counted."""
    if prediction.least > max(state.min_resemblance, folder.made_with.min_resemblance):
        least = threshold(prediction.least)
        return gettext("Below {least}, too few are found to tell.", least=least)
    if prediction.least > state.min_resemblance:
        return gettext("Pairs below were not listed, so they are not counted.")
    return ""


def _none_above(state: ThresholdState, folder: FolderPairs, prediction: Forecast) -> str:
    """From where on hardly a pair is missed."""
    if prediction.missed.high < NONE_BELOW:
        return ""
    low, high = round(HUNDREDTHS * prediction.least), HUNDREDTHS
    while low < high:
        middle = (low + high) // 2
        above = folder.forecast(state, middle / HUNDREDTHS)
        if above.missed.high < NONE_BELOW:
            high = middle
        else:
            low = middle + 1
    if low == HUNDREDTHS:
        return ""
    return gettext("None is missed above {point}.", point=threshold(low / HUNDREDTHS))


def _extra(state: ThresholdState, folder: FolderPairs, prediction: Forecast) -> str:
    if folder.compared == 0:
        return ""
    extra, was_counted = prediction.extra, prediction.extra_counted
    if math.isnan(extra.expected):
        if state.distance is not None:
            return ""
        return gettext("Too few documents to say how many extra candidates are checked.")
    number = round(extra.expected)
    if not number:
        is_none = was_counted and not extra.expected
        amount = gettext("none") if is_none else gettext("hardly any")
    elif was_counted:
        amount = count(number)
    else:
        amount = _about(about(extra.expected))
        if extra.high - extra.expected > extra.expected / 2:
            amount = _between(extra)
    return gettext("Extra candidates to check: <b>{amount}</b>.", amount=amount)


def _between(number: Estimate) -> str:
    return gettext(
        "about {number} ({low} to {high})",
        number=about(number.expected),
        low=about(number.low),
        high=about(math.ceil(number.high)),
    )


def _listed(state: ThresholdState, folder: FolderPairs, prediction: Forecast) -> str:
    counts = folder.counts
    if folder.is_of(state):
        return _lists(folder.documents, counts)
    if not prediction.is_known or folder.is_part_of_run:
        return gettext("The next list says how many pairs that is.")
    missed = 0.0 if folder.compared is not None else prediction.missed.expected
    expected = max(prediction.total - missed, 0.0) + counts.below
    return _lists(folder.documents, counts, expected)


def listed_of_present(documents: DocumentCounts, counts: ListCounts) -> str:
    """How many pairs of present documents are listed, without emphasis."""
    return plain((_spans(_lists(documents, counts)), (), ()))


def _lists(documents: DocumentCounts, counts: ListCounts, expected: float | None = None) -> str:
    listed, pairs, kinds = counts.pairs, count(counts.pairs), _kinds(counts)
    if expected is not None:
        listed, pairs = round(expected), _about(about(expected))
    elif counts.weak:
        kinds += ", " + ngettext("and {n} weak trace", "and {n} weak traces", counts.weak)
    compared = documents.present - documents.templates
    there = ngettext("{n} document", "{n} documents", compared)
    if documents.missing:
        there = ngettext("{n} document that is there", "{n} documents that are there", compared)
    return ngettext(
        "Lists <b>{pairs}</b> pair of {documents}.",
        "Lists <b>{pairs}</b> pairs of {documents}.",
        listed,
        pairs=pairs,
        documents=f"{there}{kinds}",
    )


def _kinds(counts: ListCounts) -> str:
    """How many of the pairs only a passage lists, each number after a comma."""
    text = ""
    if counts.by_passage:
        text += ", " + ngettext(
            "{n} pair by a passage only", "{n} pairs by a passage only", counts.by_passage
        )
    if counts.by_reworked:
        text += ", " + ngettext(
            "{n} pair by rewording only", "{n} pairs by rewording only", counts.by_reworked
        )
    return text
