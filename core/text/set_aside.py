"""Text that is set aside: the parts of a document that do not count, and why.

A unit (a word or a character) does not count when its span touches text that is set aside. This
text separates the others: two units are in one stretch when all units between them count and
nothing between them is set aside, not even white space. Shingles are k units of one stretch. Where
one stretch is all that is left, it is like a text of its own, even if it is shorter than k; of
several, those shorter than k have no shingle. A text without a shingle is like an empty one.

Units are those of the whole text: setting text aside changes neither how words that a line end
divides are joined nor where a text is cut in pieces. Between two stretches there is one unit,
`GAP`, and no shingle with it counts, so that runs, fingerprints and passages end there. Offsets
stay those of the whole text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt64Array
from core.base.messages import N_
from core.text.tokens import Units

GAP = np.uint64(0xB7E151628AED2A6B)  # the value of no character, and by chance only of a word
NOTHING = np.empty((0, 2), dtype=np.int64)


class Reason(StrEnum):
    """Why text is set aside."""

    TEMPLATE = N_("template")
    QUOTATION = N_("quotation")
    BIBLIOGRAPHY = N_("bibliography")
    REPEATED = N_("heading or cover sheet")
    COMMON = N_("common passage")
    ASSIGNMENT = N_("assignment text")
    STANDARD = N_("standard clause")
    SELECTION = N_("selection")
    FILE_NAME = N_("name of a file")


class SetAside(NamedTuple):
    """A span that does not count, in code points of the text of its document."""

    start: int
    end: int
    reason: Reason = Reason.SELECTION

    @property
    def is_written(self) -> bool:
        """Whether somebody wrote it; the name of a file in a submission is no text."""
        return self.reason is not Reason.FILE_NAME


def check_spans(spans: Iterable[SetAside], length: int) -> None:
    """Check spans of a text of this length.

    Raises:
        ValueError: One is empty or is not within the text.
    """
    for span in spans:
        if not 0 <= span.start < span.end <= length:
            raise ValueError(
                f"Characters {span.start:,} to {span.end:,} cannot be set aside in a text of "
                f"{length:,}."
            )


def merged(spans: Sequence[SetAside]) -> Int64Array:
    """Start and end of what is set aside, int64 (n, 2), ascending, without overlaps."""
    if not spans:
        return NOTHING
    parts: list[list[int]] = []
    for start, end in sorted((span.start, span.end) for span in spans):
        if parts and start <= parts[-1][1]:
            parts[-1][1] = max(parts[-1][1], end)
        else:
            parts.append([start, end])
    return np.array(parts, dtype=np.int64)


def merged_in(
    numbers: Iterable[int], spans: Mapping[int, Sequence[SetAside]]
) -> dict[int, Int64Array]:
    """The spans set aside in these texts, merged, by index in `numbers`.

    Args:
        numbers: Of these texts.
        spans: By number of the text.
    """
    if not spans:
        return {}
    return {index: merged(spans[number]) for index, number in enumerate(numbers) if number in spans}


class Stretches:
    """The units of one text that count, with a gap between stretches; read piece by piece."""

    def __init__(self, spans: Int64Array) -> None:
        """Part a text by spans as `merged` makes them."""
        self._starts, self._ends = spans[:, 0], spans[:, 1]
        self._before = -1  # number of spans before the last unit that counts
        self._reached = 0  # where that unit ends

    def of(self, units: Units) -> Units:
        """The next units that count; the span of a gap is the text between its neighbours."""
        if not len(self._starts):
            return units
        values, _, spans, weights = units
        started = np.searchsorted(self._starts, spans[:, 1])
        ended = np.searchsorted(self._ends, spans[:, 0], side="right")
        counts = started == ended
        values, spans, ended = values[counts], spans[counts], ended[counts]
        weights = None if weights is None else weights[counts]
        if len(values):
            before = np.append(self._before, ended[:-1])
            gaps = np.flatnonzero((ended != before) & (before >= 0))
            reached = np.append(self._reached, spans[:-1, 1])
            between = np.stack([reached[gaps], spans[gaps, 0]], axis=1)
            self._before, self._reached = int(ended[-1]), int(spans[-1, 1])
            values = np.insert(values, gaps, GAP)
            spans = np.insert(spans, gaps, between, axis=0)
            weights = None if weights is None else np.insert(weights, gaps, weights[gaps])
        return Units(values, np.array([0, len(values)]), spans, weights)


def stretches_of(units: Units, set_aside: Mapping[int, Int64Array], k: int) -> Units:
    """The units of several texts that count, as `Stretches` leaves them of one, without spans.

    No units are left of a text that has gaps and no shingle.

    Args:
        units: With their spans.
        set_aside: As `merged` makes it, by index of the text.
        k: Units in a shingle.
    """
    owners = np.repeat(np.arange(len(units.offsets) - 1), np.diff(units.offsets))
    all_spans = (units.spans, *set_aside.values())
    stride = 1 + max(int(spans.max(initial=0)) for spans in all_spans)  # longer than any text
    spans_of_texts = [set_aside[text] + text * stride for text in sorted(set_aside)]
    spans = np.concatenate([NOTHING, *spans_of_texts])
    shifted = units.spans + (owners * stride)[:, None]
    started = np.searchsorted(spans[:, 0], shifted[:, 1])
    ended = np.searchsorted(spans[:, 1], shifted[:, 0], side="right")
    counts = started == ended
    values, owners, ended = units.values[counts], owners[counts], ended[counts]
    weights = None if units.weights is None else units.weights[counts]
    gaps = 1 + np.flatnonzero((ended[1:] != ended[:-1]) & (owners[1:] == owners[:-1]))
    values = np.insert(values, gaps, GAP)
    weights = None if weights is None else np.insert(weights, gaps, weights[gaps])
    owners = np.insert(owners, gaps, owners[gaps])
    kept = ~_bare(values, owners, len(units.offsets) - 1, k)[owners]
    lengths = np.bincount(owners[kept], minlength=len(units.offsets) - 1)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    weights = None if weights is None else weights[kept]
    return Units(values[kept], offsets, NOTHING, weights)


def _bare(values: UInt64Array, owners: Int64Array, texts: int, k: int) -> BoolArray:
    """Which texts have a gap and no stretch of k units."""
    bounds = np.flatnonzero((values == GAP) | np.append(True, owners[1:] != owners[:-1]))
    lengths = np.diff(np.append(bounds, len(values))) - (values[bounds] == GAP)
    has_gap, has_shingle = np.zeros(texts, dtype=np.bool_), np.zeros(texts, dtype=np.bool_)
    has_gap[owners[values == GAP]] = True
    has_shingle[owners[bounds][lengths >= k]] = True
    return np.asarray(has_gap & ~has_shingle)
