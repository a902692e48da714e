"""What b, r and the floor mean for the pairs of a folder, in words."""

from __future__ import annotations

import math
from typing import NamedTuple

from core.base.arrays import Estimate
from core.base.wording import count, counted, threshold
from core.candidates.forecast import Forecast
from core.reports.curve.state import FolderPairs, ThresholdState
from core.reports.pair_words import ListedFor, listed_for

MOST_DECIMALS = 6


class Phrase(NamedTuple):
    """A piece of a sentence, strong or not."""

    text: str
    strong: bool = False


Sentence = tuple[Phrase, ...]


# What is missed, what is checked for nothing, what is listed; an empty one says nothing.
ForecastSentences = tuple[Sentence, Sentence, Sentence]


def plain(sentences: ForecastSentences) -> str:
    """The sentences without emphasis."""
    return " ".join("".join(run.text for run in sentence) for sentence in sentences if sentence)


def two_decimals(value: float) -> str:
    """A resemblance as the sliders give it: 0.10."""
    return f"{value:.2f}"


def almost(value: float) -> str:
    """A resemblance with as many decimals as it must have not to read 1."""
    decimals = next((n for n in range(2, MOST_DECIMALS) if round(value, n) < 1), MOST_DECIMALS)
    return two_decimals(value) if value == 1 else f"{value:.{decimals}f}"


def share(value: float) -> str:
    """A probability in percent, as exact as it must be not to read 0 or 100."""
    if value in {0.0, 1.0}:
        return f"{round(100 * value)}\N{NO-BREAK SPACE}%"
    rest = 100 * min(value, 1 - value)
    if rest < 0.01:
        bound = "<\N{NO-BREAK SPACE}0.01" if value < 0.5 else ">\N{NO-BREAK SPACE}99.99"
        return f"{bound}\N{NO-BREAK SPACE}%"
    if value < 0.5:
        text = f"{100 * value:.2g}"
    else:
        text = f"{100 * value:.{max(0, -math.floor(math.log10(rest)))}f}"
    return f"{text}\N{NO-BREAK SPACE}%"


def about(number: float) -> str:
    """A whole number with two digits that mean something."""
    if number < 100:
        return count(round(number))
    step = 10 ** (math.floor(math.log10(number)) - 1)
    return count(round(number / step) * step)


NONE_BELOW = 0.5  # pairs; an upper limit below it is called none
NEARLY_ALL = 0.9995  # found; an exact share would say no more
NOTHING_TO_COMPARE = "There are no two different documents to compare."
FLOORS = 100  # floors are looked at in steps of a hundredth
PART_OF_RUN = (
    "Curves and forecasts are of the documents of this review alone, a part of a run on a cluster, "
    "as if they were scanned here: pairs that were not imported count, too, but are not listed."
)
LIMITS = (
    "All of that for texts in which many shingles differ, all counted alike: where fewer than five "
    "differ it can be 10 points off, and more in short texts."
)


def forecast(state: ThresholdState, folder: FolderPairs | None) -> ForecastSentences:
    """What b, r and the floor mean: for the folder's pairs, or else for any pair.

    Of bits P depends on the lengths of two documents too: what they miss in a folder is told from
    pairs that were measured, never from the curve.
    """
    missed, extra, listed = _forecast(state, folder)
    if folder is not None and folder.is_part_of_run:
        missed = (Phrase(f"{PART_OF_RUN} "), *missed)
    return missed, extra, listed


def _forecast(state: ThresholdState, folder: FolderPairs | None) -> ForecastSentences:
    known = folder is not None and (folder.made_with.distance is None) == (state.distance is None)
    if known and folder is not None and folder.compared is not None and folder.known is not None:
        missed = _complete(state, folder, folder.compared)
    elif state.distance is not None and (not known or folder is None or folder.bits is None):
        return _of_bits(state, folder)
    elif not known or folder is None or folder.known is None:
        return _of_any_pair(state, folder)
    else:
        missed = _missed(state, folder)
    return missed, _extra(state, folder), _listed(state, folder)


def in_brief(state: ThresholdState, folder: FolderPairs | None) -> Sentence:
    """What is found and what is missed, in one sentence."""
    brief = _in_brief(state, folder)
    if folder is not None and folder.is_part_of_run:
        return (Phrase("Of the documents of this review, as if scanned here: "), *brief)
    return brief


def _in_brief(state: ThresholdState, folder: FolderPairs | None) -> Sentence:
    floor = threshold(state.min_resemblance)
    known = folder is not None and (folder.made_with.distance is None) == (state.distance is None)
    if not known or folder is None or folder.known is None:
        at_floor = state.probability(state.min_resemblance)
        if at_floor > NEARLY_ALL:
            return (Phrase("Finds nearly all", strong=True), Phrase(f" pairs from {floor} on."))
        return (
            Phrase(f"Finds {share(at_floor)}", strong=True),
            Phrase(f" of the pairs at a resemblance of {floor}, and more above it."),
        )
    if folder.compared == 0:
        return (Phrase(NOTHING_TO_COMPARE),)
    if folder.compared is not None:
        listed_from = threshold(max(state.min_resemblance, folder.made_with.min_resemblance))
        return (
            Phrase("No pair is missed", strong=True),
            Phrase(f" from {listed_from} on: {_all_pairs(folder, folder.compared)}."),
        )
    told = folder.forecast(state)
    if told is None:
        return (Phrase("Too few pairs are found to say how many are missed."),)
    noun = "pair" if round(told.there) == 1 else "pairs"
    return (
        Phrase(f"{_amount(told.missed)} of {about(told.there)}", strong=True),
        Phrase(f" {noun} above {threshold(told.least)} would be missed."),
    )


def _all_pairs(folder: FolderPairs, compared: int) -> str:
    # Documents with the same words are compared as one.
    texts = "" if compared == folder.all_pairs else " of different texts"
    if compared == 1:
        return f"the one pair{texts} was compared"
    return f"all {count(compared)} pairs{texts} were compared"


def _complete(state: ThresholdState, folder: FolderPairs, compared: int) -> Sentence:
    """All pairs were compared; what the bands would have found is of interest all the same."""
    if not compared:
        return (Phrase(NOTHING_TO_COMPARE),)
    reworked = f" {folder.reworked}" if folder.reworked else ""
    start = (
        Phrase(f"Complete from {threshold(folder.made_with.min_resemblance)} on", strong=True),
        Phrase(f": {_all_pairs(folder, compared)}.{reworked}"),
    )
    told = folder.forecast(state)
    if told is None:
        return start
    there = round(told.there)
    if not there:
        return (*start, Phrase(f" None is above {threshold(told.least)}."))
    alone, both = (
        max(0, there - round(side.expected)) for side in (told.missed_by_bands, told.missed)
    )
    about_ = "" if told.certain else "about "
    found = (
        Phrase(f" {state.method.search_name} alone would have found {about_}"),
        Phrase(f"{count(alone)} of {count(there)}", strong=True),
        Phrase(f" above {threshold(told.least)}"),
    )
    passages = Phrase(f", with passages {about_}{count(both)}.") if both > alone else Phrase(".")
    return (*start, *found, passages, Phrase(_not_counted(state, folder, told)))


def _of_bits(state: ThresholdState, folder: FolderPairs | None) -> ForecastSentences:
    floor = state.min_resemblance
    found = (
        Phrase(f"{state.method.search_name} finds "),
        Phrase(share(state.probability(floor)), strong=True),
        Phrase(f" of pairs at {threshold(floor)} and half of those at "),
        Phrase(almost(state.midpoint), strong=True),
        Phrase(" where documents are equally long; where one holds the other whole, half at "),
        Phrase(f"{almost(state.contained_midpoint)}. {LIMITS}"),
    )
    if folder is None or folder.made_with.distance is None:
        return found, (), _after_scan(folder)
    return found, (), _listed(state, folder)


def _after_scan(folder: FolderPairs | None) -> Sentence:
    scan = "finished" if folder is None else "new"
    return (Phrase(f"A {scan} scan says how many pairs that is."),)


def _of_any_pair(state: ThresholdState, folder: FolderPairs | None) -> ForecastSentences:
    floor = state.min_resemblance
    points = sorted({floor, min(floor + 0.1, 1.0), min(floor + 0.2, 1.0)})
    runs = [Phrase("Of pairs at ")]
    for place, s in enumerate(points):
        if place:
            runs.append(Phrase("; at "))
        found = share(state.probability(s))
        runs += [Phrase(f"{threshold(s)}, "), Phrase(found, strong=True)]
        runs += [Phrase(" are found")] if not place else []
    below = round(floor / 2, 2)
    nothing = share(state.probability(below))
    extra = (
        Phrase(f"Of pairs at {threshold(below)}, "),
        Phrase(nothing, strong=True),
        Phrase(" are checked for nothing."),
    )
    return (*runs, Phrase(".")), extra if 0 < below < floor else (), _after_scan(folder)


def _missed(state: ThresholdState, folder: FolderPairs) -> Sentence:
    told = folder.forecast(state)
    if told is None:
        at_floor = share(state.probability(state.min_resemblance))
        return (
            Phrase(
                "Too few pairs are found to tell how many are missed. Of pairs at "
                f"{threshold(state.min_resemblance)}, {at_floor} are found."
            ),
        )
    noun = "pair" if round(told.there) == 1 else "pairs"
    return (
        Phrase(f"{_amount(told.missed)} of {about(told.there)}", strong=True),
        Phrase(f" {noun} above {threshold(told.least)} would be missed"),
        Phrase(_none_above(state, folder, told)),
        *_by_bands(state, told),
        Phrase(f".{_not_counted(state, folder, told)}"),
    )


def _by_bands(state: ThresholdState, told: Forecast) -> Sentence:
    """What passages make up for."""
    if round(told.missed_by_bands.expected) <= round(told.missed.expected):
        return ()
    name = "bands" if state.distance is None else state.method.search_name
    return (
        Phrase(f"; {name} alone would miss "),
        Phrase(_amount(told.missed_by_bands).lower(), strong=True),
    )


def _amount(missed: Estimate) -> str:
    if missed.high < NONE_BELOW:
        return "None"
    if round(missed.low) == round(missed.high):
        return count(round(missed.expected))
    if round(missed.expected) == 0:
        return f"At most {about(math.ceil(missed.high))}"
    low, high = about(missed.low), about(math.ceil(missed.high))
    return f"About {about(missed.expected)} ({low} to {high})"


def _not_counted(state: ThresholdState, folder: FolderPairs, told: Forecast) -> str:
    """Why pairs between the state's floor and the one that is spoken of are not counted."""
    if told.least > max(state.min_resemblance, folder.made_with.min_resemblance):
        return f" Below {threshold(told.least)}, too few are found to tell."
    if told.least > state.min_resemblance:
        return " Pairs below were not listed, so they are not counted."
    return ""


def _none_above(state: ThresholdState, folder: FolderPairs, told: Forecast) -> str:
    """The end of the sentence: from where on hardly a pair is missed."""
    if told.missed.high < NONE_BELOW:
        return ""
    low, high = round(FLOORS * told.least), FLOORS
    while low < high:
        middle = (low + high) // 2
        above = folder.forecast(state, middle / FLOORS)
        if above is not None and above.missed.high < NONE_BELOW:
            high = middle
        else:
            low = middle + 1
    return f", none above {threshold(low / FLOORS)}" if low < FLOORS else ""


def _extra(state: ThresholdState, folder: FolderPairs) -> Sentence:
    if folder.compared == 0:
        return ()
    told = folder.extra_candidates(state)
    if told is None and state.distance is not None:
        return ()
    if told is None:
        return (Phrase("Too few documents to say how many extra candidates are checked."),)
    extra, was_counted = told
    one = round(extra.expected) == 1
    verb = "is" if one or (was_counted and not extra.expected) else "are"
    verb = verb if folder.compared is None else "would be"
    if was_counted and not extra.expected:
        return (Phrase("No", strong=True), Phrase(f" extra candidate {verb} checked."))
    if round(extra.expected) == 0:
        return (Phrase("Hardly any", strong=True), Phrase(f" extra candidates {verb} checked."))
    wide = extra.high - extra.expected > extra.expected / 2
    interval = f" ({about(extra.low)} to {about(math.ceil(extra.high))})" if wide else ""
    noun = "candidate" if one else "candidates"
    amount = f"About {about(extra.expected)}{interval}"
    if was_counted:
        amount = count(round(extra.expected))
    return (Phrase(amount, strong=True), Phrase(f" extra {noun} {verb} checked."))


def _listed(state: ThresholdState, folder: FolderPairs) -> Sentence:
    there = " that are there" if folder.missing else ""
    of = f" of {counted(folder.documents, 'document', 'documents')}{there}{_by_passage(folder)}"
    if folder.is_of(state):
        pairs = "pair" if folder.listed == 1 else "pairs"
        return (
            Phrase("Lists "),
            Phrase(count(folder.listed), strong=True),
            Phrase(f" {pairs}{of}{_traces(folder)}."),
        )
    told = folder.forecast(state)
    if told is None or folder.is_part_of_run:
        return (Phrase("The next list says how many pairs that is."),)
    missed = 0.0 if folder.compared is not None else told.missed.expected
    listed = max(told.there - missed, 0.0) + folder.by_passage
    pairs = "pair" if round(listed) == 1 else "pairs"
    return (
        Phrase("Lists "),
        Phrase(f"about {about(listed)}", strong=True),
        Phrase(f" {pairs}{of}."),
    )


def _by_passage(folder: FolderPairs) -> str:
    kinds = (
        (folder.by_passage - folder.by_reworked, ListedFor.PASSAGE),
        (folder.by_reworked, ListedFor.REWORKED),
    )
    told = [f"{count(number)} of them {listed_for(kind)}" for number, kind in kinds if number]
    return "".join(f", {one}" for one in told)


def _traces(folder: FolderPairs) -> str:
    return f", and {counted(folder.weak, 'weak trace')}" if folder.weak else ""
