"""The threshold panel in words.

They say what the picture says, also to those who cannot see it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.base.wording import count, counted, threshold
from core.candidates.scurve import Suggestion
from core.reports.curve.forecast_words import about, almost, share, two_decimals
from core.reports.curve.state import FolderPairs, ThresholdState, class_of
from neardup_gui.models.threshold.wishes import Answer, Wishes
from neardup_gui.models.workbench.audit_points import AuditPoint
from neardup_gui.models.workbench.pair_at_hand import PairAtHand

BITS = (
    "{name}: pairs are compared when at most d of the 64 bits of their signatures differ. It has "
    "no bands, so b, r and wishes for them have no meaning."
)


def marks_words(state: ThresholdState) -> str:
    """The two marks of the curve and where they are."""
    if state.distance is not None:
        steepest, middle = almost(state.steepest), almost(state.midpoint)
        return f"○ steepest at {steepest}   ▲ half at {middle}"
    steepest, middle = two_decimals(state.steepest), two_decimals(state.midpoint)
    return f"○ steepest at {steepest}   ▲ (1/b)^(1/r) = {middle}"


def caption(state: ThresholdState) -> str:
    """What a picture of the curve shows, in a line."""
    floor = f"pairs listed from {threshold(state.min_resemblance)}"
    if state.distance is not None:
        return f"{state.method.name}, at most {state.distance} of 64 bits differ · {floor}"
    bands = counted(state.bands, "band", "bands")
    return f"{bands} of {counted(state.rows, 'row', 'rows')} · {floor}"


def curve_words(state: ThresholdState) -> str:
    """The curve for those who cannot see it."""
    if state.distance is not None:
        return (
            f"Probability of finding a pair with {state.method.name} when at most {state.distance} "
            f"of 64 bits differ, over its resemblance. Steepest at {almost(state.steepest)}, half "
            f"of the pairs are found at {almost(state.midpoint)}, pairs are listed from "
            f"{threshold(state.min_resemblance)}."
        )
    return (
        f"Probability of finding a pair with {state.bands} bands of {state.rows} rows, over its "
        f"resemblance. Steepest at {two_decimals(state.steepest)}, (1/b)^(1/r) is "
        f"{two_decimals(state.midpoint)}, pairs are listed from "
        f"{threshold(state.min_resemblance)}."
    )


def place_words(
    state: ThresholdState, folder: FolderPairs | None, resemblance: float, *, closely: bool = False
) -> str:
    """What the picture shows at one resemblance; `closely`, in narrow classes of pairs."""
    found = share(state.probability(resemblance))
    words = f"Resemblance {two_decimals(resemblance)}: {found} of pairs are found"
    if folder is None:
        return words
    bars = folder.fine_bars if closely else folder.bars
    classes = len(bars.found)
    place = int(class_of(resemblance, classes))
    low, high = two_decimals(place / classes), two_decimals((place + 1) / classes)
    listed = counted(int(bars.found[place]), "pair", "pairs")
    exact = folder.known is not None and folder.known.every is not None
    number = float(bars.everywhere[place])
    everywhere = count(round(number)) if exact else f"about {about(number)}"
    return f"{words}\n{low} to {high}: {listed} listed, {everywhere} {folder.where}"


def beside_words(
    state: ThresholdState, pair: PairAtHand | None, points: Sequence[AuditPoint]
) -> str:
    """What is drawn beside the curve, a line each: the pair at hand, and what was measured."""
    lines = [point.words for point in points]
    if pair is not None:
        at, found = two_decimals(pair.resemblance), share(pair.chance(state))
        lines.insert(
            0, f"◆ {pair.names[0]} and {pair.names[1]}: resemblance {at}, found with {found}"
        )
    return "\n".join(lines)


def signature_words(state: ThresholdState) -> str:
    """K spelled out, and what gave way to it; of bits what there is instead."""
    if state.distance is not None:
        return BITS.format(name=state.method.search_name)
    used = state.bands * state.rows
    words = f"K = {count(state.signature_size)} values in a signature; b · r = {count(used)}"
    if state.bands < state.wanted_bands:
        return f"{words}, b {state.wanted_bands} → {state.bands}"
    if state.rows < state.wanted_rows:
        return f"{words}, r {state.wanted_rows} → {state.rows}"
    return f"{words} used"


def wish_words(wishes: Wishes, answer: Answer | None, signature_size: int) -> str:
    """Which b and r keep the wishes, or that none do and what could be changed."""
    if answer is None:
        return ""
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
