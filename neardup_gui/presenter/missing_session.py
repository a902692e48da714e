"""Documents that a rescan did not meet: what is asked about them, and what the user decides.

a rescan ─▶ a sentence, or a question where a folder lost much ─▶ `Offer` ─▶ a decision
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.words import missing
from neardup_gui.models.words.message import Offer
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.decision_session import DecisionSession

if TYPE_CHECKING:
    from core.review.folder_roles import RemovalAndUndo
    from core.scan.changes import LostFolder


class MissingSession(QObject):
    """Asks about lost folders, one after the other, and does what is answered.

    Signals:
        said: A `Message` for the message bar.
        settled: The question that was asked needs no answer any more.
        kept: A `ScanResult` with missing documents that the user wants to keep.
    """

    said = Signal(object)
    settled = Signal()
    kept = Signal(object)

    def __init__(
        self, current: Current, decisions: DecisionSession, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._current = current
        self._decisions = decisions
        self._before: ScanResult | None = None
        self._lost: list[LostFolder] = []
        self._gone: tuple[str, ...] = ()
        self._tells_changes_only = False

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
        self._lost, self._gone, self._tells_changes_only = [], (), False
        self.settled.emit()

    def tell_changes_only(self) -> None:
        """The next rescan was not asked for: that no file has changed is no news."""
        self._tells_changes_only = True

    def tell_rescan(self, result: ScanResult, before: ScanResult | None) -> bool:
        """Say what a rescan found; False where it has to be asked first what to keep.

        Args:
            result: What it found.
            before: The list there was before.
        """
        self.settled.emit()
        found, quiet = result.changes, self._tells_changes_only
        self._tells_changes_only = False
        self._lost = list(found.lost) if found else []
        if found is None:
            return True
        self._gone = found.gone
        self._before = before if self._lost else None
        if not self._lost:
            if not quiet or any(found):
                self.said.emit(missing.rescanned(found))
            return True
        self.said.emit(missing.question(self._lost[0]))
        return not self._lost[0].is_new

    def answer(self, offer: Offer) -> None:
        """Do what the user chose."""
        answers: dict[Offer, Callable[[], None]] = {
            Offer.KEEP_MISSING: self._keep,
            Offer.REMOVE_MISSING: self._remove_asked,
        }
        if offer in answers:
            answers[offer]()

    def remove_all(self) -> None:
        """Take all missing documents off the list."""
        self._remove(None)

    def bring_back_all(self) -> None:
        """Put everything on the list again that was taken off it."""
        from core.review import folder_roles  # noqa: PLC0415 - slow to import

        if self._current.result is not None:
            documents = self._current.result.scan.removed
            self._decide(folder_roles.bring_back(documents), missing.brought_back(len(documents)))

    def delete_removed(self) -> None:
        """Delete from the review what was taken off the list."""
        from core.review import folder_roles  # noqa: PLC0415

        if self._current.result is not None:
            number = len(self._current.result.scan.removed)
            self._decide(folder_roles.delete_removed(), missing.deleted(number))

    def ask_next(self) -> bool:
        """Ask about the next folder that lost much, if there is one."""
        if self._lost:
            self.said.emit(missing.question(self._lost[0]))
        return bool(self._lost)

    def _keep(self) -> None:
        if self._lost:
            self._lost.pop(0)
        if self._current.result is not None and not self.ask_next():
            self.kept.emit(self._current.result)

    def _remove_asked(self) -> None:
        """Of the folder that is asked about, or else what the last rescan found gone."""
        self._remove(self._lost.pop(0).names if self._lost else self._gone)

    def _remove(self, names: Collection[str] | None) -> None:
        from core.review import folder_roles  # noqa: PLC0415

        if self._current.result is None:
            return
        wanted = None if names is None else frozenset(names)
        documents = [
            one
            for one in self._current.result.documents
            if one.absence and (wanted is None or one.file_name in wanted)
        ]
        if documents:
            self._decide(folder_roles.remove(documents), missing.removed(len(documents)))

    def _decide(self, both: RemovalAndUndo, says: str) -> None:
        self._decisions.decide(*both, says=says)
