"""The job that saves what was decided, as it is decided."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from neardup_gui.jobs.job import Reports, Work
from neardup_gui.jobs.locks import ReviewLocks

if TYPE_CHECKING:
    from core.review import Appended
    from core.scan.state import HistoryEntry


class SaveRequest(NamedTuple):
    """A review that may be saved, and the rights to."""

    path: Path
    locks: ReviewLocks


def append_entries(
    request: SaveRequest, known: Sequence[HistoryEntry], entries: Sequence[HistoryEntry]
) -> Work:
    """Append to the log of a review what was decided after the entries that it is known to have."""

    def work(_reports: Reports) -> Appended:
        return save_entries(request, known, entries)

    return work


def save_entries(
    request: SaveRequest, known: Sequence[HistoryEntry], entries: Sequence[HistoryEntry]
) -> Appended:
    """Append them now, on this thread.

    Raises:
        ReviewError: They were not saved; the sentence says why.
    """
    from core.review import ReviewLog

    request.locks.take(request.path).require()
    return ReviewLog(request.path, known).extend(entries)
