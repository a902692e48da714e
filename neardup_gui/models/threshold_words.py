"""The threshold panel in words.

They say what the picture says, also to those who cannot see it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from PySide6.QtCore import QLocale

from core.scurve import MIN_PROBABILITY, Estimate, Suggestion
from neardup_gui.models.threshold import (
    BINS,
    Answer,
    FolderPairs,
    ThresholdState,
    Wishes,
    class_of,
    probability,
)
from neardup_gui.models.wording import count, counted

__all__ = [
    "Forecast",
    "Run",
    "Sentence",
    "curve_words",
    "forecast",
    "marks_words",
    "place_words",
    "plain",
    "signature_words",
    "two_decimals",
    "wish_words",
]

NONE_BELOW = 0.5  # pairs; an upper limit below it is called none
FLOORS = 100  # floors are looked at in steps of a hundredth


class Run(NamedTuple):
    """A piece of a sentence, strong or not."""

    text: str
    strong: bool = False


Sentence = tuple[Run, ...]


class Forecast(NamedTuple):
    """What is missed, what is checked for nothing, what is listed."""

    missed: Sentence
    extra: Sentence
    listed: Sentence


def plain(forecast_: Forecast) -> str:
    """The sentences without emphasis."""
    return " ".join("".join(run.text for run in sentence) for sentence in forecast_ if sentence)


def two_decimals(value: float) -> str:
    """A resemblance as the sliders give it: 0.10."""
    return QLocale().toString(value, "f", 2)


def share(value: float) -> str:
    """A probability in percent, as exact as it must be not to read 0 or 100."""
    if value in {0.0, 1.0}:
        return f"{round(100 * value)}\N{NO-BREAK SPACE}%"
    rest = 100 * min(value, 1 - value)
    if rest < 0.01:
        bound = "<\N{NO-BREAK SPACE}0.01" if value < 0.5 else ">\N{NO-BREAK SPACE}99.99"
        return f"{bound.replace('.', QLocale().decimalPoint())}\N{NO-BREAK SPACE}%"
    if value < 0.5:
        text = QLocale().toString(100 * value, "g", 2)
    else:
        text = QLocale().toString(100 * value, "f", max(0, -math.floor(math.log10(rest))))
    return f"{text}\N{NO-BREAK SPACE}%"


def about(number: float) -> str:
    """A whole number with two digits that mean something."""
    if number < 100:
        return count(round(number))
    step = 10 ** (math.floor(math.log10(number)) - 1)
    return count(round(number / step) * step)


def forecast(state: ThresholdState, folder: FolderPairs | None) -> Forecast:
    """What b, r and the floor mean: for the folder's pairs, or else for any pair."""
    if folder is None:
        return _of_any_pair(state)
    return Forecast(_missed(state, folder), _extra(state, folder), _listed(state, folder))


def _of_any_pair(state: ThresholdState) -> Forecast:
    floor = state.min_resemblance
    points = sorted({floor, min(floor + 0.1, 1.0), min(floor + 0.2, 1.0)})
    runs = [Run("Of pairs at ")]
    for place, s in enumerate(points):
        if place:
            runs.append(Run("; at "))
        found = share(probability(s, state.bands, state.rows))
        runs += [Run(f"{two_decimals(s)}, "), Run(found, strong=True)]
        runs += [Run(" are found")] if not place else []
    below = round(floor / 2, 2)
    nothing = share(probability(below, state.bands, state.rows))
    extra = (
        Run(f"Of pairs at {two_decimals(below)}, "),
        Run(nothing, strong=True),
        Run(" are checked for nothing."),
    )
    listed = (Run("A finished scan says how many pairs that is."),)
    return Forecast((*runs, Run(".")), extra if 0 < below < floor else (), listed)


def _missed(state: ThresholdState, folder: FolderPairs) -> Sentence:
    floor, why = _known_from(state, folder)
    found = folder.found_above(floor)
    if found == 0:
        at_floor = share(probability(state.min_resemblance, state.bands, state.rows))
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
        if probability(s / FLOORS, folder.bands, folder.rows) >= MIN_PROBABILITY
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
    shown = (folder.bands, folder.rows, folder.min_resemblance)
    if shown == (state.bands, state.rows, state.min_resemblance):
        pairs = "pair" if folder.listed == 1 else "pairs"
        return (Run("Lists "), Run(count(folder.listed), strong=True), Run(f" {pairs}{of}"))
    floor, _ = _known_from(state, folder)
    there = folder.found_above(floor) + folder.missed(folder.bands, folder.rows, floor).expected
    listed = max(there - folder.missed(state.bands, state.rows, floor).expected, 0)
    listed += folder.by_passage
    pairs = "pair" if round(listed) == 1 else "pairs"
    return (Run("Lists "), Run(f"about {about(listed)}", strong=True), Run(f" {pairs}{of}"))


def _by_passage(folder: FolderPairs) -> str:
    if not folder.by_passage:
        return ""
    return f", {count(folder.by_passage)} by a shared passage alone"


def marks_words(state: ThresholdState) -> str:
    """The two marks of the curve and where they are."""
    steepest, middle = two_decimals(state.steepest), two_decimals(state.midpoint)
    return f"○ steepest at {steepest}   ▲ (1/b)^(1/r) = {middle}"


def curve_words(state: ThresholdState) -> str:
    """The curve for those who cannot see it."""
    return (
        f"Probability of finding a pair with {state.bands} bands of {state.rows} rows, over its "
        f"resemblance. Steepest at {two_decimals(state.steepest)}, (1/b)^(1/r) is "
        f"{two_decimals(state.midpoint)}, pairs are listed from "
        f"{two_decimals(state.min_resemblance)}."
    )


def place_words(state: ThresholdState, folder: FolderPairs | None, resemblance: float) -> str:
    """What the picture shows at one resemblance: for a tool tip."""
    found = share(probability(resemblance, state.bands, state.rows))
    words = f"Resemblance {two_decimals(resemblance)}: {found} of pairs are found"
    if folder is None:
        return words
    place = int(class_of(resemblance))
    low, high = two_decimals(place / BINS), two_decimals((place + 1) / BINS)
    listed = counted(int(folder.bars.found[place]), "pair", "pairs")
    everywhere = about(folder.bars.everywhere[place])
    return f"{words}\n{low} to {high}: {listed} listed, about {everywhere} in the folder"


def signature_words(state: ThresholdState) -> str:
    """K spelled out, and what gave way to it."""
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
