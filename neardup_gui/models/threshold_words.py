"""The threshold panel in words.

They say what the picture says, also to those who cannot see it.
"""

from __future__ import annotations

import math

from core.scurve import MIN_PROBABILITY, Estimate, Suggestion, candidate_probability
from core.wording import ListedFor, listed_for
from neardup_gui.models.threshold import (
    BINS,
    Answer,
    FolderPairs,
    ThresholdState,
    Wishes,
    class_of,
)
from neardup_gui.models.threshold_numbers import (
    Forecast,
    Run,
    Sentence,
    about,
    almost,
    plain,
    share,
    two_decimals,
)
from neardup_gui.models.wording import count, counted

__all__ = [
    "caption",
    "curve_words",
    "forecast",
    "marks_words",
    "place_words",
    "plain",
    "signature_words",
    "wish_words",
]

NONE_BELOW = 0.5  # pairs; an upper limit below it is called none
FLOORS = 100  # floors are looked at in steps of a hundredth
LIMITS = (
    "That holds for documents of equal length in which many shingles differ, all counted alike; "
    "where fewer than five differ it can be 10 points off, and more in short texts. How many pairs "
    "are missed is not estimated."
)
BITS = (
    "SimHash: pairs are compared when at most d of the 64 bits of their signatures differ. It has "
    "no bands, so b, r and wishes for them have no meaning."
)


def forecast(state: ThresholdState, folder: FolderPairs | None) -> Forecast:
    """What b, r and the floor mean: for the folder's pairs, or else for any pair.

    What SimHash misses in a folder is not estimated: its curve holds for documents of equal length,
    and P of a pair depends on their lengths and on the weights of their shingles.
    """
    if state.distance is not None:
        return _of_bits(state, folder)
    if folder is None or folder.distance is not None:
        return _of_any_pair(state, folder)
    return Forecast(_missed(state, folder), _extra(state, folder), _listed(state, folder))


def _of_bits(state: ThresholdState, folder: FolderPairs | None) -> Forecast:
    floor = state.min_resemblance
    found = (
        Run("SimHash finds "),
        Run(share(state.probability(floor)), strong=True),
        Run(f" of pairs at {two_decimals(floor)} and half of those at "),
        Run(almost(state.midpoint), strong=True),
        Run(f". {LIMITS}"),
    )
    if folder is None or folder.distance is None:
        return Forecast(found, (), _after_scan(folder))
    return Forecast(found, (), _listed(state, folder))


def _after_scan(folder: FolderPairs | None) -> Sentence:
    scan = "finished" if folder is None else "new"
    return (Run(f"A {scan} scan says how many pairs that is."),)


def _of_any_pair(state: ThresholdState, folder: FolderPairs | None) -> Forecast:
    floor = state.min_resemblance
    points = sorted({floor, min(floor + 0.1, 1.0), min(floor + 0.2, 1.0)})
    runs = [Run("Of pairs at ")]
    for place, s in enumerate(points):
        if place:
            runs.append(Run("; at "))
        found = share(state.probability(s))
        runs += [Run(f"{two_decimals(s)}, "), Run(found, strong=True)]
        runs += [Run(" are found")] if not place else []
    below = round(floor / 2, 2)
    nothing = share(state.probability(below))
    extra = (
        Run(f"Of pairs at {two_decimals(below)}, "),
        Run(nothing, strong=True),
        Run(" are checked for nothing."),
    )
    return Forecast((*runs, Run(".")), extra if 0 < below < floor else (), _after_scan(folder))


def _missed(state: ThresholdState, folder: FolderPairs) -> Sentence:
    floor, why = _known_from(state, folder)
    found = folder.found_above(floor)
    if found == 0:
        at_floor = share(state.probability(state.min_resemblance))
        return (
            Run(
                f"No pair above {two_decimals(floor)} was found, so how many are missed cannot be "
                f"estimated. Of pairs at {two_decimals(state.min_resemblance)}, {at_floor} are "
                "found."
            ),
        )
    there = found + folder.missed(folder.bands, folder.rows, floor).expected
    missed = folder.missed(state.bands, state.rows, floor)
    noun = "pair" if round(there) == 1 else "pairs"
    return (
        Run(_amount(missed, there), strong=True),
        Run(f" {noun} above {two_decimals(floor)} would be missed"),
        Run(f"{_none_above(state, folder, floor, missed)}.{why}"),
    )


def _amount(missed: Estimate, there: float) -> str:
    if missed.high < NONE_BELOW:
        return f"None of {count(round(there))}"
    if round(missed.expected) == 0:
        return f"At most {about(math.ceil(missed.high))} of {about(there)}"
    low, high = about(missed.low), about(math.ceil(missed.high))
    return f"About {about(missed.expected)} ({low} to {high}) of {about(there)}"


def _known_from(state: ThresholdState, folder: FolderPairs) -> tuple[float, str]:
    """The floor from which pairs can be counted, and why, where it is not the state's."""
    start = round(FLOORS * max(state.min_resemblance, folder.min_resemblance))
    told = next(
        s
        for s in range(start, FLOORS + 1)
        if candidate_probability(s / FLOORS, folder.bands, folder.rows) >= MIN_PROBABILITY
    )
    floor = told / FLOORS
    if told > start:
        setting = f"{folder.bands} × {folder.rows}"
        return floor, f" Below, {setting} finds next to nothing, so nothing is known."
    if floor > state.min_resemblance:
        return floor, " Pairs below were not listed, so they are not counted."
    return floor, ""


def _none_above(state: ThresholdState, folder: FolderPairs, floor: float, missed: Estimate) -> str:
    """The end of the sentence: from where on hardly a pair is missed."""
    if missed.high < NONE_BELOW:
        return ""
    low, high = round(FLOORS * floor), FLOORS
    while low < high:
        middle = (low + high) // 2
        if folder.missed(state.bands, state.rows, middle / FLOORS).high < NONE_BELOW:
            high = middle
        else:
            low = middle + 1
    return f", none above {two_decimals(low / FLOORS)}" if low < FLOORS else ""


def _extra(state: ThresholdState, folder: FolderPairs) -> Sentence:
    if len(folder.background) == 0:
        return (Run("Too few documents to say how many extra candidates are checked."),)
    extra = folder.checked_for_nothing(state.bands, state.rows, state.min_resemblance)
    if round(extra.expected) == 0:
        return (Run("Hardly any", strong=True), Run(" extra candidates are checked."))
    wide = extra.high - extra.expected > extra.expected / 2
    interval = f" ({about(extra.low)} to {about(math.ceil(extra.high))})" if wide else ""
    noun = "candidate is" if round(extra.expected) == 1 else "candidates are"
    amount = f"About {about(extra.expected)}{interval}"
    return (Run(amount, strong=True), Run(f" extra {noun} checked."))


def _listed(state: ThresholdState, folder: FolderPairs) -> Sentence:
    of = f" of {counted(folder.documents, 'document', 'documents')}{_by_passage(folder)}."
    if _is_shown(state, folder):
        pairs = "pair" if folder.listed == 1 else "pairs"
        return (Run("Lists "), Run(count(folder.listed), strong=True), Run(f" {pairs}{of}"))
    if state.distance is not None:
        return (Run("The next list says how many pairs that is."),)
    floor, _ = _known_from(state, folder)
    there = folder.found_above(floor) + folder.missed(folder.bands, folder.rows, floor).expected
    listed = max(there - folder.missed(state.bands, state.rows, floor).expected, 0)
    listed += folder.by_passage
    pairs = "pair" if round(listed) == 1 else "pairs"
    return (Run("Lists "), Run(f"about {about(listed)}", strong=True), Run(f" {pairs}{of}"))


def _is_shown(state: ThresholdState, folder: FolderPairs) -> bool:
    """Whether the folder's list was made with this very state."""
    if state.min_resemblance != folder.min_resemblance or state.distance != folder.distance:
        return False
    bands = (folder.bands, folder.rows) == (state.bands, state.rows)
    return bands or state.distance is not None


def _by_passage(folder: FolderPairs) -> str:
    if not folder.by_passage:
        return ""
    return f", {count(folder.by_passage)} of them {listed_for(ListedFor.PASSAGE)}"


def marks_words(state: ThresholdState) -> str:
    """The two marks of the curve and where they are."""
    if state.distance is not None:
        steepest, middle = almost(state.steepest), almost(state.midpoint)
        return f"○ steepest at {steepest}   ▲ half at {middle}"
    steepest, middle = two_decimals(state.steepest), two_decimals(state.midpoint)
    return f"○ steepest at {steepest}   ▲ (1/b)^(1/r) = {middle}"


def caption(state: ThresholdState) -> str:
    """What a picture of the curve shows, in a line."""
    floor = f"pairs listed from {two_decimals(state.min_resemblance)}"
    if state.distance is not None:
        return f"SimHash, at most {state.distance} of 64 bits differ · {floor}"
    bands = counted(state.bands, "band", "bands")
    return f"{bands} of {counted(state.rows, 'row', 'rows')} · {floor}"


def curve_words(state: ThresholdState) -> str:
    """The curve for those who cannot see it."""
    if state.distance is not None:
        return (
            f"Probability of finding a pair with SimHash when at most {state.distance} of 64 bits "
            f"differ, over its resemblance. Steepest at {almost(state.steepest)}, half of the "
            f"pairs are found at {almost(state.midpoint)}, pairs are listed from "
            f"{two_decimals(state.min_resemblance)}."
        )
    return (
        f"Probability of finding a pair with {state.bands} bands of {state.rows} rows, over its "
        f"resemblance. Steepest at {two_decimals(state.steepest)}, (1/b)^(1/r) is "
        f"{two_decimals(state.midpoint)}, pairs are listed from "
        f"{two_decimals(state.min_resemblance)}."
    )


def place_words(state: ThresholdState, folder: FolderPairs | None, resemblance: float) -> str:
    """What the picture shows at one resemblance: for a tool tip."""
    found = share(state.probability(resemblance))
    words = f"Resemblance {two_decimals(resemblance)}: {found} of pairs are found"
    if folder is None:
        return words
    place = int(class_of(resemblance))
    low, high = two_decimals(place / BINS), two_decimals((place + 1) / BINS)
    listed = counted(int(folder.bars.found[place]), "pair", "pairs")
    everywhere = about(folder.bars.everywhere[place])
    return f"{words}\n{low} to {high}: {listed} listed, about {everywhere} in the folder"


def signature_words(state: ThresholdState) -> str:
    """K spelled out, and what gave way to it; with SimHash what there is instead."""
    if state.distance is not None:
        return BITS
    used = state.bands * state.rows
    words = f"K = {count(state.signature_size)} values in a signature; b · r = {count(used)}"
    if state.bands < state.wanted_bands:
        return f"{words}, b {state.wanted_bands} → {state.bands}"
    if state.rows < state.wanted_rows:
        return f"{words}, r {state.wanted_rows} → {state.rows}"
    return f"{words} used"


def wish_words(wishes: Wishes, answer: Answer, signature_size: int) -> str:
    """Which b and r keep the wishes, or that none do and what could be changed."""
    if answer.problem:
        return answer.problem
    if answer.suggestion:
        return f"{_named(answer.suggestion)} {_gives(wishes, answer.suggestion)}."
    changes = []
    larger, nearest = answer.with_larger_k, answer.least_let_through
    if larger:
        changes.append(f"K = {larger.bands * larger.rows} would ({_named(larger)})")
    if nearest:
        through = share(math.ceil(nearest.let_through * 10_000) / 10_000)
        at = two_decimals(wishes.at_most_at)
        changes.append(f"with {through} at {at} allowed, {_named(nearest)} would")
    advice = "; ".join(changes) or "the two resemblances must be further apart"
    return f"No b × r with K = {signature_size} keeps both: {advice}."


def _named(suggestion: Suggestion) -> str:
    return f"{suggestion.bands} × {suggestion.rows}"


def _gives(wishes: Wishes, suggestion: Suggestion) -> str:
    return (
        f"finds {share(suggestion.caught)} at {two_decimals(wishes.catch_at)} and lets through "
        f"{share(suggestion.let_through)} at {two_decimals(wishes.at_most_at)}"
    )
