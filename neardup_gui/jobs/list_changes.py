"""Jobs on documents that are not there: off the list, back on it, deleted."""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import StrEnum, auto
from typing import TYPE_CHECKING, NamedTuple

from neardup_gui.jobs.job import Reports, Work
from neardup_gui.jobs.results import list_state
from neardup_gui.jobs.threads import EngineThreads
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.documents.model import Document
    from core.scan.state import ScanState

__all__ = ["ChangedList", "ListChange", "change_list"]


class ListChange(StrEnum):
    """What is done with documents."""

    REMOVE = auto()
    BRING_BACK = auto()
    DELETE = auto()


class ChangedList(NamedTuple):
    """What was done with which documents, and the list without or with them."""

    change: ListChange
    documents: tuple[Document, ...]
    result: ScanResult


def change_list(
    result: ScanResult, change: ListChange, documents: Collection[Document], threads: EngineThreads
) -> Work:
    """Do something with some documents; reads no file.

    Args:
        result: The complete list of a scan.
        change: What to do.
        documents: With which; all that were removed are deleted.
        threads: What the pairs are listed on.
    """

    def work(reports: Reports) -> ChangedList:
        from core.scan import removal  # noqa: PLC0415 - slow to import

        changes: dict[ListChange, Callable[[ScanState], ScanState]] = {
            ListChange.REMOVE: lambda state: removal.removed(state, documents),
            ListChange.BRING_BACK: lambda state: removal.brought_back(state, documents),
            ListChange.DELETE: removal.deleted,
        }
        if result.state is None:
            raise ValueError("The scan has not come to its end.")
        state = changes[change](result.state)
        return ChangedList(change, tuple(documents), list_state(state, result, threads, reports))

    return work
