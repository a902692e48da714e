"""Every passage that documents of a folder share, once, with all documents that hold it.

1. Runs of words, each just long enough for a passage, that at least two documents hold: all of
   them, as winnowing promises (`core.passages.shared_runs`).
2. Stretches: runs that always follow each other (`core.passages.stretches`).
3. Passages: a run widened as far as the same words stand around it at all of its places. In the
   order of the list, most widely shared first, then longest, one is listed where it shows as many
   words as the shortest passage has that none before it shows in one of its documents
   (`core.passages.widening`). So a longer passage in fewer documents is listed beside a shorter one
   in more, and of all shared runs none is left of which nothing is shown.

Very common text, which makes no pairs, is listed like any other. Copies count as documents. What
only references share is not listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array
from core.base.progress import Cancelled, Progress, ignore, never
from core.passages.shared_runs import Folder, RunPlaces, find_places
from core.passages.stretches import Stretches, join_runs
from core.passages.widening import Units, Widened, choose, widen
from core.settings import ScanSettings
from core.text.word_counts import WORD, usual_weight


class Place(NamedTuple):
    """Where a passage stands: a text, the first unit of it and how many."""

    text: int
    first: int
    units: int


class SharedPassages(Sequence[list[Place]]):
    """The passages, in the order of the list; of each its places, by text and unit.

    Attributes:
        documents: int64, in how many documents each stands.
        words: int64, how many whole words each has.
    """

    def __init__(
        self, stretches: Stretches, widened: Widened, documents: Int64Array, words: Int64Array
    ) -> None:
        self._stretches = stretches
        self._widened = widened
        self.documents = documents
        self.words = words

    def __len__(self) -> int:
        return len(self.documents)

    def __getitem__(self, row: int) -> list[Place]:  # type: ignore[override]
        """The places of a passage; only the first text of several copies has some."""
        starts, (own, before, behind) = self._stretches.starts, self._widened
        places = self._stretches.order[starts[own[row]] : starts[own[row] + 1]]
        return self._places(places - before[row], places + behind[row])

    def first_places(self) -> list[Place]:
        """The first place of each passage."""
        starts, (own, before, behind) = self._stretches.starts, self._widened
        places = self._stretches.order[starts[own]]
        return self._places(places - before, places + behind)

    def _places(self, first: Int64Array, last: Int64Array) -> list[Place]:
        """Places from their first stretch to their last one."""
        stretches = self._stretches
        begins = stretches.firsts[first]
        columns = (stretches.documents[first], begins, stretches.ends[last] - begins)
        return [Place(*one) for one in zip(*(own.tolist() for own in columns), strict=True)]


def find_shared_passages(
    folder: Folder,
    settings: ScanSettings,
    progress: Progress = ignore,
    cancelled: Cancelled = never,
) -> SharedPassages:
    """The passages of a folder, most widely shared first, then longest.

    Args:
        folder: The documents.
        settings: Say how long the shortest passage is: no shorter than those of the scan.
        progress: Told how many documents were read.
        cancelled: Polled between steps that take a fraction of a second.

    Raises:
        ScanCancelledError: `cancelled` said so.
        StorageError: There is too little memory for so many shared words.
    """
    runs = find_places(folder, settings, progress, cancelled)
    stretches = join_runs(runs, folder.copies, folder.reviewed)
    widened = widen(stretches, cancelled)
    units = _units(stretches, runs, settings)
    first = stretches.order[stretches.starts[widened.stretch]]
    begins = units.firsts[first - widened.before]
    weight = units.weight(begins, units.ends[first + widened.behind])
    holders = stretches.holders[widened.stretch]
    order = np.lexsort((begins, -weight, -holders))
    widened, weight, holders = widened.take(order), weight[order], holders[order]
    least = WORD * settings.passage_length
    chosen = choose(stretches, widened, units, least, cancelled)
    return SharedPassages(stretches, widened.take(chosen), holders[chosen], weight[chosen] // WORD)


def _units(stretches: Stretches, runs: RunPlaces, settings: ScanSettings) -> Units:
    """The units of stretches in a row; what lies between them is left out."""
    weights = np.array([usual_weight(settings.unit)], dtype=np.uint16)
    if not len(stretches.firsts):
        return Units(stretches.firsts, stretches.ends, weights, 0)
    before = np.zeros(int(runs.read[:, 0].max()) + 1, dtype=np.int64)
    before[runs.read[:, 0]] = np.cumsum(runs.read[:, 1]) - runs.read[:, 1]
    own = before[stretches.documents]
    firsts, ends = stretches.firsts + own, stretches.ends + own
    reached = np.maximum.accumulate(ends)
    gaps = np.maximum(firsts - np.append(0, reached[:-1]), 0)
    left_out = np.cumsum(gaps)
    count = int(reached[-1] - left_out[-1])
    if len(runs.weights):
        fresh = np.flatnonzero(gaps[1:]) + 1
        fresh = np.append(0, fresh)
        sizes = np.diff(np.append(firsts[fresh] - left_out[fresh], count))
        weights = runs.weights[np.arange(count) + np.repeat(left_out[fresh], sizes)]
    return Units(firsts - left_out, ends - left_out, weights, count)
