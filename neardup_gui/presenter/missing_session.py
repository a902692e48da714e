"""Documents that a rescan did not meet: what is asked about them, and what the user decides.

a rescan ─▶ a sentence, or a question where a folder lost much ─▶ `Offer` ─▶ CHANGE_LIST ─▶ a list
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.list_changes import ChangedList, ListChange, SaveRequest, change_list
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.jobs.threads import EngineThreads
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.words import missing
from neardup_gui.models.words.message import Offer
from neardup_gui.presenter.current import Current

if TYPE_CHECKING:
    from core.documents.model import Document
    from core.scan.changes import LostFolder

__all__ = ["MissingSession"]


class MissingSession(QObject):
    """Asks about lost folders, one after the other, and does what is answered.

    Signals:
        said: A `Message` for the message bar.
        settled: The question that was asked needs no answer any more.
        submitted: A list without or with some documents is being made.
        changed: A `ChangedList`: it is made.
        kept: A `ScanResult` with missing documents that the user wants to keep.
    """

    said = Signal(object)
    settled = Signal()
    submitted = Signal()
    changed = Signal(object)
    kept = Signal(object)

    def __init__(
        self,
        queues: JobQueues,
        threads: EngineThreads,
        current: Current,
        saving: Callable[[], SaveRequest | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._queues = queues
        self._threads = threads
        self._current = current
        self._saving = saving
        self._before: ScanResult | None = None
        self._lost: list[LostFolder] = []
        self._gone: tuple[str, ...] = ()
        self._undone: tuple[Document, ...] = ()

    @property
    def lost_folder(self) -> Path | None:
        """The folder whose place the user is asked for."""
        return self._lost[0].folder if self._lost else None

    @property
    def previous(self) -> ScanResult | None:
        """What a rescan goes on from: while it is asked what to keep, what was there before."""
        waits = bool(self._lost) and self._lost[0].is_new
        return self._before if waits and self._before else self._current.result

    @property
    def before(self) -> ScanResult | None:
        """The list there was before the folder was missed."""
        return self._before

    def forget(self) -> None:
        """Something else is opened."""
        self._before = None
        self._lost, self._gone, self._undone = [], (), ()
        self.settled.emit()

    def tell_rescan(self, result: ScanResult, before: ScanResult | None) -> bool:
        """Say what a rescan found; False where it has to be asked first what to keep.

        Args:
            result: What it found.
            before: The list there was before.
        """
        self.settled.emit()
        found = result.changes
        self._lost = list(found.lost) if found else []
        if found is None:
            return True
        self._gone = found.gone
        self._before = before if self._lost else None
        if not self._lost:
            self.said.emit(missing.rescanned(found))
            return True
        self.said.emit(missing.question(self._lost[0]))
        return not self._lost[0].is_new

    def answer(self, offer: Offer) -> None:
        """Do what the user chose."""
        answers: dict[Offer, Callable[[], None]] = {
            Offer.KEEP_MISSING: self._keep,
            Offer.REMOVE_MISSING: self._remove_asked,
            Offer.BRING_BACK: lambda: self._change(ListChange.BRING_BACK, self._undone),
        }
        if offer in answers:
            answers[offer]()

    def remove_all(self) -> None:
        """Take all missing documents off the list."""
        self._remove(None)

    def bring_back_all(self) -> None:
        """Put everything on the list again that was taken off it."""
        if self._current.result is not None:
            self._change(ListChange.BRING_BACK, self._current.result.scan.removed)

    def delete_removed(self) -> None:
        """Delete from the review what was taken off the list."""
        if self._current.result is not None:
            self._change(ListChange.DELETE, self._current.result.scan.removed)

    def tell_list_changed(self, changed: ChangedList) -> None:
        """Say what was done; it can be undone."""
        self._undone = changed.documents if changed.change is ListChange.REMOVE else ()
        self.said.emit(missing.list_changed(changed.change.value, len(changed.documents)))
        self._ask_next()

    def _keep(self) -> None:
        if self._lost:
            self._lost.pop(0)
        if self._current.result is not None and not self._ask_next():
            self.kept.emit(self._current.result)

    def _remove_asked(self) -> None:
        """Of the folder that is asked about, or else what the last rescan found gone."""
        self._remove(self._lost.pop(0).names if self._lost else self._gone)

    def _remove(self, names: Collection[str] | None) -> None:
        if self._current.result is None:
            return
        wanted = None if names is None else frozenset(names)
        documents = [
            one
            for one in self._current.result.documents
            if one.absence and (wanted is None or one.file_name in wanted)
        ]
        self._change(ListChange.REMOVE, documents)

    def _change(self, change: ListChange, documents: Collection[Document]) -> None:
        busy = self._queues.is_busy(JobKind.SCAN, JobKind.OPEN, JobKind.CHANGE_LIST)
        result = self._current.result
        if result is None or result.state is None or not documents or busy:
            return
        self._queues.drop(JobKind.LIST)
        work = change_list(result, change, documents, self._threads, self._saving())
        self._queues.submit(JobKind.CHANGE_LIST, work, self.changed.emit)
        self.submitted.emit()

    def _ask_next(self) -> bool:
        """Ask about the next folder that lost much, if there is one."""
        if self._lost:
            self.said.emit(missing.question(self._lost[0]))
        return bool(self._lost)
