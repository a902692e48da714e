"""The user's decisions: carried out at once or on the engine's thread, undone, redone, saved.

    decide ─▶ an entry of the log ─▶ light: the judgements are others
                                  └▶ heavy: CHANGE_LIST ─▶ another list
           └▶ APPEND ─▶ the file; what cannot be saved is kept, and saved when that is possible

Undoing is deciding the inverse, whatever kind it is. The log of the present review is here: the
states of lists know it as it was when they were made (`Current.up_to_date`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from core.errors import NeardupError
from core.scan.history import Command, HistoryEntry, UndoStacks, entry_after, renumbered
from core.scan.judgements import Judgements, Verdict
from neardup_gui.jobs.locks import SaveRequest, append_entries
from neardup_gui.jobs.scans import ChangedList, change_list
from neardup_gui.jobs.tasks import TaskKind
from neardup_gui.models.scan_result import ListDifference
from neardup_gui.models.words import sentences
from neardup_gui.models.words.sentences import Message
from neardup_gui.presenter.window_context import Context, Session

if TYPE_CHECKING:
    from core.documents.model import PairKey
    from core.review import Appended
    from core.scan.state import ScanState

TRY_AGAIN = 3000  # milliseconds after which a save that failed is tried again


class LogSaver(Session):
    """Appends entries that the file lacks, one transaction after the other.

    Attributes:
        has_failed: Whether the last save failed.

    Signals:
        file_needed: There are entries to save, and no file to save them to.
        save_state_changed: Whether everything is saved may have changed.
        decisions_merged: The log of the file, with entries that another program has appended, and
            these entries.
        noted: Sentences on a save that succeeded; none if the file is complete.
    """

    file_needed = Signal()
    save_state_changed = Signal()
    decisions_merged = Signal(object, object)
    noted = Signal(object)

    def __init__(
        self,
        context: Context,
        saving: Callable[[], SaveRequest | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(context, parent)
        self._saving = saving
        self._in_file = 0  # entries
        self.has_failed = False
        self._again = QTimer(self, singleShot=True, interval=TRY_AGAIN)
        self._again.timeout.connect(self.save)

    @property
    def has_unsaved(self) -> bool:
        """Whether the file lacks entries of the log."""
        return self._in_file < len(self._current.log)

    @property
    def can_save(self) -> bool:
        """Whether there is a file, and the last save did not fail."""
        return self._saving() is not None and not self.has_failed

    def enter(self, in_file: int) -> None:
        """Enter another log, whose file has so many entries; the last entries before are saved."""
        append = self._appending()
        if append is not None and self.has_unsaved:
            self._tasks.run(TaskKind.APPEND, append, stopped=self._on_stopped)
        self._again.stop()
        self.has_failed = False
        self._in_file = in_file

    def note_saved(self, entries: int) -> None:
        """Note how many entries the file has, and save those that came meanwhile."""
        self._in_file = max(self._in_file, entries)
        if not self.has_unsaved:
            self._succeeded()
        self.save()

    def save(self) -> None:
        """Append the entries that the file lacks, unless that is under way."""
        append = self._appending()
        if self.has_unsaved and append is None:
            self.file_needed.emit()
        if append is not None and self.has_unsaved and not self._tasks.is_busy(TaskKind.APPEND):
            appended = partial(self._on_appended, self._in_file, len(self._current.log))
            self._tasks.run(TaskKind.APPEND, append, appended, stopped=self._on_stopped)
        self.save_state_changed.emit()

    def save_now(self) -> bool:
        """Append them on this thread, once no other is running; False if that failed."""
        append = self._appending()
        if append is None or not self.has_unsaved:
            return not self.has_unsaved
        try:
            append()
        except NeardupError:
            return False
        self._in_file = len(self._current.log)
        return True

    def _appending(self) -> Callable[[], Appended] | None:
        """The function that appends the entries that the file lacks; None without a file."""
        request, log, known = self._saving(), self._current.log, self._in_file
        return (
            None if request is None else partial(append_entries, request, log[:known], log[known:])
        )

    def _on_appended(self, known: int, count: int, appended: Appended) -> None:
        self.noted.emit(appended.notes)
        in_file, log = appended.entries, self._current.log
        if in_file == log[known:count]:
            self.note_saved(count)
        else:
            self._join(known, count, appended)

    def _join(self, known: int, count: int, appended: Appended) -> None:
        """Take entries of another program into the log, before those that were appended."""
        log, added = self._current.log, count - known
        joined = (*log[:known], *appended.entries)
        self._in_file = len(joined)
        self._succeeded()
        foreign = appended.entries[: len(appended.entries) - added]
        self.decisions_merged.emit((*joined, *renumbered(log[count:], after=len(joined))), foreign)

    def _succeeded(self) -> None:
        if self.has_failed:
            self.message_posted.emit(sentences.saved_again())
        self.has_failed = False
        self._again.stop()

    def _on_stopped(self, error: Exception | None) -> None:
        if error is None:
            return
        if not self.has_failed:
            self.message_posted.emit(sentences.not_saved(error))
        self.has_failed = True
        self._again.start()
        self.save_state_changed.emit()


BUSY = (TaskKind.SCAN, TaskKind.OPEN, TaskKind.CHANGE_LIST)
Says = str | Callable[[ListDifference], str]


class DecisionSession(Session):
    """Knows the log, what can be undone, and the entries that the file lacks.

    Attributes:
        saver: Writes the log to the file.

    Signals:
        decided: The user decided something; what was offered before to undo is not the last now.
        judged: The `PairKey`s whose judgements changed; None if it may be any.
        reversed: The `PairKey`s of a decision that was undone or redone; None as above.
        changed: A `ChangedList` that was made.
        carried_out: The list shows all decisions, and they were announced.
        undo_state_changed: What can be undone or redone has changed.
    """

    decided = Signal()
    judged = Signal(object)
    reversed = Signal(object)
    changed = Signal(object)
    carried_out = Signal()
    undo_state_changed = Signal()

    def __init__(
        self,
        context: Context,
        saving: Callable[[], SaveRequest | None],
        refused: Callable[[], Message | None],
        parent: QObject | None = None,
    ) -> None:
        """`saving` returns where decisions are saved, `refused` why nothing may be decided."""
        super().__init__(context, parent)
        self._refused = refused
        self._says: dict[int, Says] = {}  # by entry, until its list is made
        self._stacks = UndoStacks()
        self.saver = LogSaver(context, saving, self)
        self.saver.decisions_merged.connect(self._on_foreign_entries)
        self.saver.save_state_changed.connect(self.undo_state_changed)

    @property
    def can_undo(self) -> bool:
        """Whether there is a decision to undo."""
        return self._stacks.to_undo is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is a decision to redo."""
        return self._stacks.to_redo is not None

    @property
    def would_lose(self) -> bool:
        """Whether opening something else would lose entries that cannot be saved."""
        return self.saver.has_unsaved and not self.saver.can_save

    @property
    def judged_pairs(self) -> Collection[PairKey]:
        """The pairs that were judged in the review, listed or not, and those of earlier texts."""
        given = self._current.judgements.verdicts.items()
        return [pair for pair, by in given if by.verdict is not Verdict.NOT_REVIEWED]

    # Decisions of the user

    def decide(self, command: Command, inverse: Command | None, *, says: Says = "") -> bool:
        """Carry out a command and log it; False if nothing may be decided.

        Args:
            command: The command, as in JSON.
            inverse: The command that undoes it, or None.
            says: Of a command that changes the list: the sentence for the message bar once the list
                is made, or a function of what happened to the pairs.
        """
        made = entry_after(self._current.log, command, inverse, who=self._current.who)
        return self._enter(made, says)

    @property
    def last(self) -> HistoryEntry | None:
        """The last decision that is not undone."""
        return self._stacks.to_undo

    def undo(self) -> None:
        """Undo the last decision that is not undone."""
        self._reverse(self._stacks.to_undo, sentences.undone)

    def redo(self) -> None:
        """Redo the decision that was undone last."""
        self._reverse(self._stacks.to_redo, sentences.redone)

    def _reverse(self, last: HistoryEntry | None, words: Callable[[str], str]) -> None:
        from core.review import decisions

        entry = decisions.reversal(self._current.log, last, self._current.who)
        if entry is not None and self._enter(entry, words(entry.command.kind)):
            self.reversed.emit(decisions.keys_of([entry]))

    def _enter(self, entry: HistoryEntry, says: Says) -> bool:
        refusal = self._refused()
        if refusal is not None:
            self.message_posted.emit(refusal)
            return False
        self.decided.emit()
        self._says[entry.id] = says
        self._add([entry])
        self.saver.save()
        self.carry_out()
        if entry in self._current.waiting and self._tasks.is_busy(TaskKind.SCAN, TaskKind.OPEN):
            self.message_posted.emit(sentences.waits_for_scan())
        return True

    # Changes elsewhere

    def enter(self, state: ScanState | None) -> None:
        """Enter another review, whose file has all its decisions; without a message.

        Its judgements were made on another thread: 100,000 entries take a second.
        """
        log, judgements = (state.log, state.judgements) if state else ((), Judgements())
        self.saver.enter(len(log))
        self._says.clear()
        self._current.log, self._current.judgements, self._current.waiting = log, judgements, ()
        self._stacks = UndoStacks(log)

    def take_scan(self, log: Sequence[HistoryEntry]) -> None:
        """Take the entries of a finished scan's log, which its documents show already."""
        known = self._current.log
        same = sum(1 for _ in takewhile(_are_equal, zip(log, known, strict=False)))
        self._add(renumbered(log[same:], after=len(known)), shown=True)

    def follow(self, entries: Sequence[HistoryEntry]) -> None:
        """Follow decisions of another program in a read-only review."""
        self._add(entries)
        self.saver.note_saved(len(self._current.log))
        self.carry_out()

    def _on_foreign_entries(
        self, log: Sequence[HistoryEntry], foreign: Sequence[HistoryEntry]
    ) -> None:
        """Take the log of the file, with entries of another program before our own."""
        current = self._current
        waiting = current.waiting
        current.log, current.waiting, current.judgements = (), (), Judgements()
        self._stacks = UndoStacks()
        self._add(log, shown=True)
        current.waiting = (*self._heavy(foreign), *waiting)
        self.saver.save()
        self.carry_out()

    def _on_stopped(self, error: Exception | None) -> None:
        """Take decisions back whose list cannot be made."""
        if error is None:
            return
        from core.review import decisions

        for entry in reversed(self._current.waiting):
            back = decisions.reversal(self._current.log, entry, self._current.who)
            if back is not None:
                self._add([back], shown=True)
        self._current.waiting = ()
        self._says.clear()
        self.saver.save()

    # The log and its result

    def _add(self, entries: Sequence[HistoryEntry], *, shown: bool = False) -> None:
        """Add entries; those that change the list wait, unless it shows them already."""
        if not entries:
            return
        from core.review import decisions

        current = self._current
        current.log = (*current.log, *entries)
        current.judgements = decisions.judged(current.judgements, entries)
        for entry in entries:
            self._stacks.add(entry)
        if not shown:
            current.waiting = (*current.waiting, *self._heavy(entries))
        keys = decisions.keys_of(entries)
        if keys is None or keys:
            self.judged.emit(keys)
        self.undo_state_changed.emit()

    def _heavy(self, entries: Sequence[HistoryEntry]) -> list[HistoryEntry]:
        """The entries that change the list."""
        from core.review import decisions

        return [entry for entry in entries if not decisions.is_light(entry.command)]

    def carry_out(self) -> None:
        """List with the waiting decisions, unless work that this needs is under way."""
        current = self._current
        result = current.result
        if not current.waiting or result is None or result.state is None:
            return
        if self._tasks.is_busy(*BUSY):
            return
        self._tasks.drop(TaskKind.LIST)
        work = partial(change_list, current.up_to_date(result), current.waiting)
        self._tasks.run(TaskKind.CHANGE_LIST, work, self._on_changed, stopped=self._on_stopped)
        self.submitted.emit()

    def _on_changed(self, changed: ChangedList) -> None:
        current = self._current
        current.waiting = current.waiting[len(changed.entries) :]
        self.changed.emit(changed)
        for entry in changed.entries:
            says = self._says.pop(entry.id, "")
            text = says if isinstance(says, str) else says(changed.difference)
            if text:
                # After an undo or a later decision, the link would undo another one.
                self.message_posted.emit(sentences.done(text, can_undo=entry == self.last))
        self.carried_out.emit()
        self.carry_out()


def _are_equal(two: tuple[HistoryEntry, HistoryEntry]) -> bool:
    return two[0] == two[1]
