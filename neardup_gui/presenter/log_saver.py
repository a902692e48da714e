"""Brings the log of a review into its file: what cannot be saved is kept, and tried again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.errors import NeardupError
from core.scan.history import renumbered
from neardup_gui.jobs.decisions import SaveRequest, append_entries, save_entries
from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.models.words import decided
from neardup_gui.presenter.current import Current

if TYPE_CHECKING:
    from core.review import Appended

TRY_AGAIN = 3000  # milliseconds after which a save that failed is tried again


class LogSaver(QObject):
    """Appends to the file what it does not have yet, one transaction after the other.

    Signals:
        said: A `Message` for the message bar.
        place_wanted: There is something to save, and no file that it may be saved to.
        told: Whether everything is saved may be another.
        others_came: The log as the file has it, with entries that another program has appended, and
            these.
        noted: Sentences on a save that succeeded; none where the one file is complete.
    """

    said = Signal(object)
    place_wanted = Signal()
    told = Signal()
    others_came = Signal(object, object)
    noted = Signal(object)

    def __init__(
        self,
        queues: JobQueues,
        current: Current,
        saving: Callable[[], SaveRequest | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._saving = saving
        self._in_file = 0  # entries
        self._has_failed = False
        self._again = QTimer(self, singleShot=True, interval=TRY_AGAIN)
        self._again.timeout.connect(self.save)
        queues.failed.connect(self._on_failed)

    @property
    def is_behind(self) -> bool:
        """Whether there is something that the file does not have."""
        return self._in_file < len(self._current.log)

    @property
    def can_save(self) -> bool:
        """Whether there is a file, and the last try did not fail."""
        return self._saving() is not None and not self._has_failed

    @property
    def has_failed(self) -> bool:
        """Whether the last try failed."""
        return self._has_failed

    def enter(self, in_file: int) -> None:
        """Something else is opened, whose file has so many entries; what is behind is saved yet."""
        request = self._saving()
        if request is not None and self.is_behind:
            log, known = self._current.log, self._in_file
            self._queues.submit(JobKind.APPEND, append_entries(request, log[:known], log[known:]))
        self._again.stop()
        self._has_failed = False
        self._in_file = in_file

    def note_saved(self, entries: int) -> None:
        """The file has so many entries of the log; what came meanwhile is saved now."""
        self._in_file = max(self._in_file, entries)
        if not self.is_behind:
            self._succeeded()
        self.save()

    @Slot()
    def save(self) -> None:
        """Append what the file does not have, unless that is under way."""
        request = self._saving()
        if self.is_behind and request is None:
            self.place_wanted.emit()
        if request is None or not self.is_behind or self._queues.is_busy(JobKind.APPEND):
            self.told.emit()
            return
        log, known = self._current.log, self._in_file
        work = append_entries(request, log[:known], log[known:])
        self._queues.submit(JobKind.APPEND, work, partial(self._on_appended, known, len(log)))
        self.told.emit()

    def save_now(self) -> bool:
        """Append it on this thread, when no other runs any more; False where that failed."""
        request = self._saving()
        if request is None:
            return not self.is_behind
        log, known = self._current.log, self._in_file
        if self.is_behind:
            try:
                save_entries(request, log[:known], log[known:])
            except NeardupError:
                return False
            self._in_file = len(log)
        return True

    def _on_appended(self, known: int, count: int, appended: Appended) -> None:
        self.noted.emit(appended.notes)
        there, log = appended.entries, self._current.log
        if there == log[known:count]:
            self.note_saved(count)
        else:
            self._join(known, count, appended)

    def _join(self, known: int, count: int, appended: Appended) -> None:
        """The file has entries of another program before those that were appended."""
        log, own = self._current.log, count - known
        there = (*log[:known], *appended.entries)
        self._in_file = len(there)
        self._succeeded()
        others = appended.entries[: len(appended.entries) - own]
        self.others_came.emit((*there, *renumbered(log[count:], after=len(there))), others)

    def _succeeded(self) -> None:
        if self._has_failed:
            self.said.emit(decided.saved_again())
        self._has_failed = False
        self._again.stop()

    @Slot(object, object)
    def _on_failed(self, kind: JobKind, error: Exception) -> None:
        if kind is not JobKind.APPEND:
            return
        if not self._has_failed:
            self.said.emit(decided.not_saved(error))
        self._has_failed = True
        self._again.start()
        self.told.emit()
