"""What the least length of a passage guarantees, and what another one would list, in words."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.base.arrays import Estimate
from core.base.wording import count, counted, threshold
from core.reports.curve.forecast_words import PART_OF_RUN, about

NOT_KNOWN = "What passages list is counted when a folder is scanned."
GUARANTEED = (
    "Guaranteed: every two documents that share {words} in a row are found, whatever b and r, d or "
    "chance. Only text that stands in more than {most} documents, and what is set aside, makes no "
    "pairs by itself."
)
MOST = 100  # documents that hold a text, of which every two are still looked at


@dataclass(frozen=True, slots=True)
class Length:
    """Another least length.

    Attributes:
        words: How many words in a row.
        pairs: How many pairs below the threshold share as many.
        is_shorter: Whether it is shorter than that of the list; then pairs are estimated.
    """

    words: int
    pairs: Estimate
    is_shorter: bool


@dataclass(frozen=True, slots=True)
class PassageLengths:
    """What passages list.

    Attributes:
        least: t, from how many words on a passage lists a pair.
        floor: The resemblance from which pairs are listed anyway.
        pairs: How many below it share a passage.
        are_listed: Whether these are shown in the list.
        others: Other lengths, from the shortest to the longest.
        is_part_of_run: Whether the list has only pairs of a run on a cluster.
    """

    least: int
    floor: float
    pairs: int
    are_listed: bool
    others: tuple[Length, ...]
    is_part_of_run: bool = False


def passage_words(told: PassageLengths | None) -> tuple[str, ...]:
    """What is guaranteed, what that lists, and a line for each other length."""
    if told is None:
        return (NOT_KNOWN,)
    return (
        *([PART_OF_RUN] if told.is_part_of_run else []),
        GUARANTEED.format(words=counted(told.least, "word"), most=count(MOST)),
        _now(told),
        *(_line(told, one) for one in told.others),
    )


def _now(told: PassageLengths) -> str:
    pairs = counted(told.pairs, "pair")
    share = "shares" if told.pairs == 1 else "share"
    shown = "" if told.are_listed else "; they are not listed now"
    start = f"From {count(told.least)} words on, as now"
    return f"{start}: {pairs} below {threshold(told.floor)} {share} one{shown}."


def _line(told: PassageLengths, one: Length) -> str:
    start = f"From {count(one.words)} words on: "
    if not one.is_shorter:
        fewer = told.pairs - round(one.pairs.expected)
        return f"{start}{counted(fewer, 'pair')} fewer." if fewer else f"{start}the same pairs."
    more = [max(0.0, value - told.pairs) for value in one.pairs]
    expected, low, high = round(more[0]), math.floor(more[1]), math.ceil(more[2])
    if high == low:
        return f"{start}{counted(low, 'pair')} more." if low else f"{start}no pair more."
    most = f"at most about {about(high)}"
    if expected > low:
        return f"{start}about {about(expected)} pairs more ({about(low)} to {about(high)})."
    known = f"{counted(low, 'pair')} more that {'is' if low == 1 else 'are'} known" if low else ""
    return f"{start}{known}, {most}." if known else f"{start}none known, {most} more."
