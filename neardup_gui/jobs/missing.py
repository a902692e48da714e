"""Jobs on documents that are not there: off the list, back on it, deleted."""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import StrEnum, auto
from typing import TYPE_CHECKING, NamedTuple

from neardup_gui.jobs.job import Reports, Work
from neardup_gui.jobs.threads import EngineThreads
from neardup_gui.jobs.work import list_state
from neardup_gui.models.scan_result import Listing

if TYPE_CHECKING:
    from core.documents.model import Document
    from core.scan.state import ScanState

__all__ = ["Deed", "Marked", "mark_documents"]


class Deed(StrEnum):
    """What is done with documents."""

    REMOVE = auto()
    BRING_BACK = auto()
    DELETE = auto()


class Marked(NamedTuple):
    """What was done with which documents, and the list without or with them."""

    deed: Deed
    documents: tuple[Document, ...]
    listing: Listing


def mark_documents(
    listing: Listing, deed: Deed, documents: Collection[Document], threads: EngineThreads
) -> Work:
    """Do something with some documents; reads no file.

    Args:
        listing: The complete list of a scan.
        deed: What to do.
        documents: With which; all that were removed are deleted.
        threads: What the pairs are listed on.
    """

    def work(reports: Reports) -> Marked:
        from core.scan import removal  # noqa: PLC0415 - slow to import

        deeds: dict[Deed, Callable[[ScanState], ScanState]] = {
            Deed.REMOVE: lambda state: removal.removed(state, documents),
            Deed.BRING_BACK: lambda state: removal.brought_back(state, documents),
            Deed.DELETE: removal.deleted,
        }
        if listing.state is None:
            raise ValueError("The scan has not come to its end.")
        state = deeds[deed](listing.state)
        return Marked(deed, tuple(documents), list_state(state, listing, threads, reports))

    return work
