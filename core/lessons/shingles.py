"""Shingles to look at: where each stands, which are shared, and what their length does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array, UInt64Array
from core.base.progress import Cancelled, never, stop_if
from core.evidence.numbers import numbers_of_shingles
from core.lessons.copies import changed_copy
from core.settings import ScanSettings
from core.text.shingling import shingle, tokenise

COPIED = 0.05  # resemblance in five words, from which texts share more than their language


class Cut(NamedTuple):
    """The shingles of a text.

    Attributes:
        starts: int64, where each begins in the text, in code points.
        ends: int64, where each ends.
        units: How many words (or characters) the text has.
        hashes: uint64, the number that stands for each.
    """

    starts: Int64Array
    ends: Int64Array
    units: int
    hashes: UInt64Array


def cut(text: str, settings: ScanSettings) -> Cut:
    """The shingles of one text in reading order, repeated ones too."""
    tokens = tokenise(text, settings)
    hashes = shingle([text], settings).hashes
    count = len(hashes)
    # A text with fewer than k units is one shingle.
    last = np.minimum(np.arange(count) + settings.k, len(tokens.values)) - 1
    return Cut(tokens.starts[:count], tokens.ends[last], len(tokens.values), hashes)


def shared_spans(text: str, other: str, settings: ScanSettings) -> list[tuple[int, int]]:
    """The stretches of a text that lie in shingles which the other text has too."""
    here = cut(text, settings)
    shared: BoolArray = np.isin(here.hashes, cut(other, settings).hashes)
    return list(_joined(here.starts[shared].tolist(), here.ends[shared].tolist()))


def _joined(starts: Sequence[int], ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Spans in order of their starts; those that overlap as one."""
    begin, reach = None, 0
    for start, end in zip(starts, ends, strict=True):
        if begin is not None and start > reach:
            yield begin, reach
            begin = None
        begin = start if begin is None else begin
        reach = max(reach, end)
    if begin is not None:
        yield begin, reach


class AtLength(NamedTuple):
    """What one length of shingles makes of copies of a text, and of a text that is no copy.

    Attributes:
        k: Words (or characters) in a shingle.
        mean: Mean resemblance of the copies with the text, 0 to 1.
        low: The smallest of them.
        high: The largest.
        unrelated: Resemblance of the other text.
    """

    k: int
    mean: float
    low: float
    high: float
    unrelated: float


def measure_lengths(
    text: str,
    unrelated: str,
    settings: ScanSettings,
    lengths: Sequence[int],
    *,
    share: float = 0.1,
    copies: int = 20,
    cancelled: Cancelled = never,
) -> tuple[AtLength, ...]:
    """The exact resemblance of copies of a text, for each length of shingles.

    Args:
        text: Any text.
        unrelated: A text that is no copy of it.
        settings: Decide all else of what a shingle is.
        lengths: Values of k.
        share: Of the words of each copy that are exchanged, 0 to 1.
        copies: How many there are; each has other words exchanged.
        cancelled: Polled for each length.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    texts = [text, unrelated, *(changed_copy(text, share, seed) for seed in range(copies))]
    measured = []
    for k in lengths:
        stop_if(cancelled)
        resemblance = _with_first(texts, settings.with_changes(k=k))
        of_copies = resemblance[1:]
        measured.append(
            AtLength(
                k,
                float(of_copies.mean()),
                float(of_copies.min()),
                float(of_copies.max()),
                float(resemblance[0]),
            )
        )
    return tuple(measured)


def nearest_stranger(text: str, others: Sequence[str]) -> int:
    """Of some texts the one that shares most words with a text, and is no copy of it.

    So it has the same language, where there is one that has.
    """
    texts = [text, *others]
    alike, copied = _with_first(texts, ScanSettings(k=1)), _with_first(texts, ScanSettings())
    return int(np.where(copied < COPIED, alike, -1.0).argmax())


def _with_first(texts: Sequence[str], settings: ScanSettings) -> Float64Array:
    """The resemblance of the first text with each of the others."""
    others = np.arange(1, len(texts))
    shingles = shingle(texts, settings)
    return numbers_of_shingles(shingles, np.zeros_like(others), others, settings).resemblance
