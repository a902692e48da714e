"""Jobs on documents that are not there: off the list, back on it, deleted."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum, auto
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from neardup_gui.jobs.job import Reports, Work
from neardup_gui.jobs.locks import ReviewLocks
from neardup_gui.jobs.results import list_state
from neardup_gui.jobs.threads import EngineThreads
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.documents.model import Document
    from core.scan.history import Command
    from core.scan.scan import Scan

__all__ = ["ChangedList", "ListChange", "SaveRequest", "change_list"]


class SaveRequest(NamedTuple):
    """A review that may be saved, the rights to, and the scan that it holds."""

    path: Path
    locks: ReviewLocks
    scan: Scan | None


class ListChange(StrEnum):
    """What is done with documents."""

    REMOVE = auto()
    BRING_BACK = auto()
    DELETE = auto()


class ChangedList(NamedTuple):
    """What was done with which documents, and the list without or with them.

    Attributes:
        change: What was done.
        documents: With which.
        result: The list.
        notes: Sentences on its save, where the review has it already; else None.
    """

    change: ListChange
    documents: tuple[Document, ...]
    result: ScanResult
    notes: tuple[str, ...] | None


def change_list(
    result: ScanResult,
    change: ListChange,
    documents: Collection[Document],
    threads: EngineThreads,
    save: SaveRequest | None,
) -> Work:
    """Do something with some documents, which is in the review before it is shown.

    Args:
        result: The complete list of a scan.
        change: What to do.
        documents: With which; all that were removed are deleted.
        threads: What the pairs are listed on.
        save: The review, and the rights to save; None where there is none that may be saved.
    """

    def work(reports: Reports) -> ChangedList:
        from core.review import decisions
        from core.review.log import ReviewLog

        if result.state is None:
            raise ValueError("The scan has not come to its end.")
        command = _command(change, documents)
        # What is deleted goes with the save of the whole scan, which makes the file smaller, and so
        # does what is decided about a scan that the file does not hold yet.
        notes: tuple[str, ...] | None = None
        if save is not None and save.scan is result.scan and change is not ListChange.DELETE:
            save.locks.take(save.path).require()
            entries, notes = ReviewLog(save.path, result.state.log).append(*command)
            state = decisions.decided(result.state, entries)
        else:
            state = decisions.decide(result.state, *command)
        listed = list_state(state, result, threads, reports)
        return ChangedList(change, tuple(documents), listed, notes)

    return work


def _command(change: ListChange, documents: Collection[Document]) -> tuple[Command, Command | None]:
    from core.review import missing_documents

    if change is ListChange.REMOVE:
        return missing_documents.remove(documents)
    if change is ListChange.BRING_BACK:
        return missing_documents.bring_back(documents)
    return missing_documents.delete_removed()
