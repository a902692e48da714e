"""Text that is set aside: what of a document does not count, and why.

A unit (a word or a character) does not count when its span touches text that is set aside. This
text parts the others: two units are in one stretch when all units between them count and nothing
between them is set aside, not even white space. Shingles are k units of one stretch. Where one
stretch is all that is left, it is like a text of its own, also where it is shorter than k; of
several, those shorter than k have no shingle. A text without a shingle is as an empty one.

Units are those of the whole text: what is set aside changes neither how words that a line end
divides are joined nor where a text is cut in pieces. Between two stretches stands one unit, `GAP`,
with which no shingle counts, so that runs, fingerprints and passages end there. Offsets stay those
of the whole text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array
from core.text.tokens import SpannedUnits

__all__ = [
    "GAP",
    "NOTHING",
    "Reason",
    "SetAside",
    "Stretches",
    "check_spans",
    "merged",
    "merged_in",
]

GAP = np.uint64(0xB7E151628AED2A6B)  # the value of no character, and by chance only of a word
NOTHING = np.empty((0, 2), dtype=np.int64)


class Reason(StrEnum):
    """Why text is set aside."""

    TEMPLATE = "template"
    QUOTATION = "quotation"
    BIBLIOGRAPHY = "bibliography"
    REPEATED = "heading or cover sheet"
    COMMON = "common passage"
    ASSIGNMENT = "assignment text"
    STANDARD = "standard clause"
    SELECTION = "selection"


class SetAside(NamedTuple):
    """A span that does not count, in code points of the text of its document."""

    start: int
    end: int
    reason: Reason = Reason.SELECTION


def check_spans(spans: Iterable[SetAside], length: int) -> None:
    """Check spans of a text of some length.

    Raises:
        ValueError: One is empty or is not within the text.
    """
    for one in spans:
        if not 0 <= one.start < one.end <= length:
            raise ValueError(
                f"Characters {one.start:,} to {one.end:,} cannot be set aside in a text of "
                f"{length:,}."
            )


def merged(spans: Sequence[SetAside]) -> Int64Array:
    """Start and end of what is set aside, int64 (n, 2), ascending, without overlaps."""
    if not spans:
        return NOTHING
    ordered = np.array(sorted((one.start, one.end) for one in spans), dtype=np.int64)
    reached = np.maximum.accumulate(ordered[:, 1])
    fresh = np.append(True, ordered[1:, 0] > reached[:-1])
    last = np.append(np.flatnonzero(fresh)[1:] - 1, len(ordered) - 1)
    return np.stack([ordered[fresh, 0], reached[last]], axis=1)


def merged_in(
    numbers: Iterable[int], spans: Mapping[int, Sequence[SetAside]]
) -> dict[int, Int64Array]:
    """What is set aside in some texts, merged, by place among these.

    Args:
        numbers: Of these texts.
        spans: By number of the text.
    """
    if not spans:
        return {}
    return {place: merged(spans[number]) for place, number in enumerate(numbers) if number in spans}


class Stretches:
    """The units of one text that count, with a gap between stretches; asked piece by piece."""

    def __init__(self, spans: Int64Array) -> None:
        """Part a text by spans as `merged` makes them."""
        self._starts, self._ends = spans[:, 0], spans[:, 1]
        self._before = -1  # spans before the last unit that counts
        self._reached = 0  # where it ends

    def of(self, units: SpannedUnits) -> SpannedUnits:
        """What is left of the next units; the span of a gap is what lies between its neighbours."""
        if not len(self._starts):
            return units
        values, spans, weights = units
        begun = np.searchsorted(self._starts, spans[:, 1])
        ended = np.searchsorted(self._ends, spans[:, 0], side="right")
        counts = begun == ended
        values, spans, ended = values[counts], spans[counts], ended[counts]
        weights = None if weights is None else weights[counts]
        if not len(values):
            return SpannedUnits(values, spans, weights)
        before = np.append(self._before, ended[:-1])
        gaps = np.flatnonzero((ended != before) & (before >= 0))
        reached = np.append(self._reached, spans[:-1, 1])
        between = np.stack([reached[gaps], spans[gaps, 0]], axis=1)
        self._before, self._reached = int(ended[-1]), int(spans[-1, 1])
        return SpannedUnits(
            np.insert(values, gaps, GAP),
            np.insert(spans, gaps, between, axis=0),
            None if weights is None else np.insert(weights, gaps, weights[gaps]),
        )
