"""Texts that were edited between two scans, and how much of each is changed.

What is compared are words, each as often as it stands there, whatever their order: the share is
that of the longer text that the other has not; one word at least, because it may be a sign or a
point that was changed, or the order. Both texts are there only while a rescan runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from core.base.parallel import results_of
from core.base.progress import Cancelled
from core.errors import ReviewError
from core.settings import ScanSettings
from core.text.shingling import tokenise

WORDS = ScanSettings()
AHEAD = 64  # texts that are compared or wait for it


class EditedText(NamedTuple):
    """A text that was edited: its keys now and before (see `core.documents.keys.text_key`).

    Attributes:
        now: The key of the text as it is.
        before: That of the text as it was.
        changed: Share of it that is changed, 0 to 1.
    """

    now: str
    before: str
    changed: float


def share_changed(before: str, now: str) -> float:
    """The share of words that is changed in the longer of two texts; 1 where there are no words."""
    one, other = (np.sort(tokenise(text, WORDS).values) for text in (before, now))
    most = max(len(one), len(other))
    # Of a word that stands there n times in one and m times in the other, the lesser is shared.
    nth = np.arange(len(one)) - np.searchsorted(one, one)
    times = np.searchsorted(other, one, "right") - np.searchsorted(other, one)
    return max(1, most - int(np.count_nonzero(nth < times))) / most if most else 1.0


def measure_changes(
    pairs: Sequence[tuple[int, int]],
    before: Sequence[str],
    now: Sequence[str],
    pool: ThreadPoolExecutor,
    cancelled: Cancelled,
) -> list[float]:
    """The share that is changed of many texts; 1 where the earlier one cannot be read.

    Args:
        pairs: The number of each among the earlier texts and among those of now.
        before: The earlier texts.
        now: Those of now.
        pool: Threads to do it on.
        cancelled: Polled meanwhile.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """

    def measured(pair: tuple[int, int]) -> float:
        try:
            return share_changed(before[pair[0]], now[pair[1]])
        except ReviewError:  # a text of the review is damaged: nothing is known to be the same
            return 1.0

    tasks = (pool.submit(measured, pair) for pair in pairs)
    return list(results_of(tasks, cancelled, AHEAD))
