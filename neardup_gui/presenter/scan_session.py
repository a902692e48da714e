"""Scans of the folders of a window, and lists of their pairs under other settings.

folders ─▶ SCAN ─▶ a result
other b, r or threshold ─▶ LIST ─▶ a result
other settings ─▶ kept for the next scan

The folders of a window and their roles: folders are added, changed and removed.

add ─▶ a scan of all folders, which reads the new one
another role, off the list ─▶ a decision ─▶ another list; it can be undone

Documents that a rescan did not find: the question about them, and what the user decides.

a rescan ─▶ a sentence, or a question where a folder lost much ─▶ `Offer` ─▶ a decision

How the files of a window are read: the user's settings and the passwords entered so far.

    other limits, archives, scans ─▶ changed; the next scan uses them
    a password ─▶ tried by a rescan ─▶ judged by the files that are still locked

Passwords are kept here only, until the window is closed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.base.messages import gettext
from core.documents.model import PairKey, Role, check_roles
from core.documents.reading_settings import ReadingSettings
from core.errors import FolderError
from core.settings import ScanSettings
from neardup_gui.jobs.scans import list_again, measure_again, scan_folders
from neardup_gui.jobs.tasks import TaskKind
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.setup import FolderLine, folder_lines
from neardup_gui.models.words import sentences
from neardup_gui.models.words import sentences as missing
from neardup_gui.models.words.sentences import FIXED, Message, Offer
from neardup_gui.presenter.window_context import Context, Session

if TYPE_CHECKING:
    from core.documents.model import Problem
    from core.review.folder_roles import RemovalAndUndo
    from core.scan.changed_files import LostFolder
    from core.scan.history import Command
    from core.scan.state import ScanState

Change = Callable[["ScanState"], "tuple[Command, Command]"]


class FolderSession(Session):
    """Keeps the roles of the folders of a window.

    Signals:
        listed: The `FolderLine`s to show.
        rescan_wanted: A folder was added.
    """

    listed = Signal(object)
    rescan_wanted = Signal()

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._before: tuple[tuple[Path, ...], tuple[Role, ...]] | None = None
        self._tasks.failed.connect(self._on_stopped)
        self._tasks.cancelled.connect(self._on_stopped)

    @property
    def lines(self) -> list[FolderLine]:
        """The rows that show the folders."""
        current, result = self._current, self._current.result
        is_same = result is not None and result.scan.folders == current.folders
        documents = result.in_folders if result is not None and is_same else ()
        return folder_lines(current.folders, current.all_roles, documents)

    def add(self, role: Role, *added: Path) -> None:
        """Add folders or a template file, and ask for a rescan."""
        current = self._current
        listed = set(map(os.path.abspath, current.folders))
        if known := [folder for folder in added if os.path.abspath(folder) in listed]:
            self.message_posted.emit(sentences.is_listed(known[0]))
            return
        folders = (*current.folders, *added)
        roles = (*current.all_roles, *[role] * len(added))
        try:
            check_roles(folders, roles)
        except FolderError as error:
            self.message_posted.emit(sentences.refused(error))
            return
        self._before = current.folders, current.all_roles
        current.folders, current.roles = folders, roles
        self.listed.emit(self.lines)
        self.rescan_wanted.emit()

    def give_role(self, folder: Path, role: Role) -> None:
        """Give a folder another role."""
        from core.review import folder_roles

        says = sentences.changed(folder, role)
        self._change(lambda state: folder_roles.give_role(state, folder, role), says)

    def take_off(self, folder: Path) -> None:
        """Remove a folder from the list, with its documents."""
        from core.review import folder_roles

        says = sentences.taken_off(folder)
        self._change(lambda state: folder_roles.take_off(state, folder), says)

    def _change(self, made: Change, says: str) -> None:
        result = self._current.result
        # A waiting decision has not changed the folders of the list yet.
        if result is None or result.state is None or self._current.waiting:
            self.message_posted.emit(sentences.wait())
            return
        try:
            command, inverse = made(result.state)
        except FolderError as error:
            self.message_posted.emit(sentences.refused(error))
            return
        self._decisions.decide(command, inverse, says=says)

    # Changes elsewhere

    def forget(self) -> None:
        """Other folders are opened: all are to review until their roles are known."""
        self._before = None
        self._current.roles = ()
        self.listed.emit(self.lines)

    def take(self, result: ScanResult) -> None:
        """A list is shown; once it is complete, its folders are those of the window."""
        if result.complete:
            self._before = None
            self._current.folders = result.scan.folders
            self._current.roles = result.scan.roles.roles
        self.listed.emit(self.lines)

    def _on_stopped(self, kind: TaskKind) -> None:
        """A scan was stopped: the folders to add are removed again."""
        if kind is TaskKind.SCAN and self._before is not None:
            self._current.folders, self._current.roles = self._before
            self._before = None
            self.listed.emit(self.lines)


VANISHED = "vanished"  # the value of `ProblemCode`


class MissingSession(Session):
    """Asks about lost folders, one after the other, and carries out the answers.

    Attributes:
        before: The list before the folder was missed.

    Signals:
        question_settled: The question needs no answer any more.
        kept: A `ScanResult` with missing documents that the user wants to keep.
    """

    question_settled = Signal()
    kept = Signal(object)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.before: ScanResult | None = None
        self._lost: list[LostFolder] = []
        self._gone: tuple[str, ...] = ()
        self._announces_changes_only = False

    @property
    def lost_folder(self) -> Path | None:
        """The folder that the user is asked to locate."""
        return self._lost[0].folder if self._lost else None

    @property
    def previous(self) -> ScanResult | None:
        """The result that a rescan starts from: during a question, the one before the loss."""
        waits = bool(self._lost) and self._lost[0].is_new
        return self.before if waits and self.before else self._current.result

    def forget(self) -> None:
        """Forget the questions: something else is opened."""
        self.before = None
        self._lost, self._gone, self._announces_changes_only = [], (), False
        self.question_settled.emit()

    def announce_changes_only(self) -> None:
        """Announce the next rescan, which the user did not ask for, only if files changed."""
        self._announces_changes_only = True

    def announce_rescan(self, result: ScanResult, before: ScanResult | None) -> bool:
        """Announce what a rescan found; False if the user has to say first what to keep.

        Args:
            result: The result of the rescan.
            before: The list before it.
        """
        changes, quiet = result.changes, self._announces_changes_only
        self._announces_changes_only = False
        self._lost = list(changes.lost) if changes else []
        if changes is None:
            if any(problem.code == VANISHED for problem in result.problems):
                self.message_posted.emit(missing.vanished(len(result.problems)))
            return True
        self._gone = changes.gone
        self.before = before if self._lost else None
        if not self._lost:
            if any(changes) or not (quiet or _names(before or result) != _names(result)):
                self.message_posted.emit(missing.rescanned(changes))
            return True
        self.message_posted.emit(missing.question(self._lost[0]))
        return not self._lost[0].is_new

    def answer(self, offer: Offer) -> None:
        """Carry out the user's answer."""
        answers: dict[Offer, Callable[[], None]] = {
            Offer.KEEP_MISSING: self._keep,
            Offer.REMOVE_MISSING: self._remove_missing,
        }
        if offer in answers:
            answers[offer]()

    def remove_all(self) -> None:
        """Remove all missing documents from the list."""
        self._remove(None)

    def bring_back_all(self) -> None:
        """Put all removed documents on the list again."""
        from core.review import folder_roles

        if self._current.result is not None:
            documents = self._current.result.scan.removed
            self._decide(folder_roles.bring_back(documents), missing.brought_back(len(documents)))

    def delete_removed(self) -> None:
        """Delete the removed documents from the review."""
        from core.review import folder_roles

        if self._current.result is not None:
            number = len(self._current.result.scan.removed)
            self._decide(folder_roles.delete_removed(), missing.deleted(number))

    def ask_next(self) -> bool:
        """Ask about the next folder that lost much; returns whether there is one."""
        if self._lost:
            self.message_posted.emit(missing.question(self._lost[0]))
        return bool(self._lost)

    def _keep(self) -> None:
        if self._lost:
            self._lost.pop(0)
        if self._current.result is not None and not self.ask_next():
            self.kept.emit(self._current.result)

    def _remove_missing(self) -> None:
        """Remove the files of the folder in question, or else those that the last rescan missed."""
        self._remove(self._lost.pop(0).names if self._lost else self._gone)

    def _remove(self, names: Collection[str] | None) -> None:
        from core.review import folder_roles

        if self._current.result is None:
            return
        wanted = None if names is None else frozenset(names)
        documents = [
            document
            for document in self._current.result.documents
            if document.absence and (wanted is None or document.file_name in wanted)
        ]
        if documents:
            self._decide(folder_roles.remove(documents), missing.removed(len(documents)))

    def _decide(self, both: RemovalAndUndo, says: str) -> None:
        self._decisions.decide(*both, says=says)


LOCKED = "encrypted"  # the value of `ProblemCode`


class ReadingSession(Session):
    """Changes how files are read, and announces whether the last password opened files.

    Signals:
        changed: The `ReadingSettings`; receivers keep them without passwords.
        judged: A sentence on the password that was tried last, and whether it opened a file.
    """

    changed = Signal(object)
    judged = Signal(str, bool)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._tried = ""
        self._locked: frozenset[str] = frozenset()

    def change(self, reading: ReadingSettings) -> None:
        """Use other reading settings, but the same passwords and those fixed for all users."""
        reading = replace(reading, passwords=self._current.reading.passwords)
        for_all = self._current.for_all
        if for_all is not None and for_all.allowed_reading(reading) != reading:
            reading = for_all.allowed_reading(reading)
            self.message_posted.emit(Message(gettext(FIXED)))
        self._current.reading = reading
        self.changed.emit(self._current.reading)

    def open_archives(self) -> None:
        """Open archives like folders."""
        self.change(replace(self._current.reading, archives=True))

    def read_scans(self) -> None:
        """Read scans with Tesseract."""
        self.change(replace(self._current.reading, ocr=True))

    def join_submissions(self) -> None:
        """Read the files of a folder as one document."""
        self.change(replace(self._current.reading, submissions=True))

    def begin_trial(self, password: str, problems: Sequence[Problem]) -> None:
        """Try a password in the next scan, on the files that are locked now."""
        self._tried, self._locked = password, _locked(problems)
        earlier = tuple(known for known in self._current.reading.passwords if known != password)
        self._current.reading = replace(self._current.reading, passwords=(*earlier, password))

    def judge_trial(self, problems: Sequence[Problem]) -> None:
        """After the scan: keep the password if it opened a file, and announce whether it did."""
        if not self._tried:
            return
        left = len(self._locked & _locked(problems))
        opened = len(self._locked) - left
        if not opened:
            self._forget_tried()
        self._tried = ""
        self.judged.emit(sentences.password_tried(opened, left), opened > 0)

    def drop_trial(self) -> None:
        """After a scan that was not finished: forget the password."""
        if self._tried:
            self._forget_tried()
            self._tried = ""
            self.judged.emit(sentences.password_not_tried(), False)

    def _forget_tried(self) -> None:
        kept = tuple(known for known in self._current.reading.passwords if known != self._tried)
        self._current.reading = replace(self._current.reading, passwords=kept)


def _locked(problems: Sequence[Problem]) -> frozenset[str]:
    return frozenset(problem.name for problem in problems if problem.code == LOCKED)


class ScanSession(Session):
    """Runs one scan at a time.

    Signals:
        started: A scan begins.
        previewed: A `ScanResult` of a scan that runs.
        scanned: A `ScanResult`, and the one that the scan started from or None.
        listed: A `ScanResult` of the same scan as before.
        settings_changed: The settings of the next scan are others.
        settings_kept: The settings that are fixed for all users were kept, not those chosen.
    """

    started = Signal()
    previewed = Signal(object)
    scanned = Signal(object, object)
    listed = Signal(object)
    settings_changed = Signal()
    settings_kept = Signal()

    def scan(
        self,
        folders: tuple[Path, ...],
        previous: ScanResult | None,
        moved: tuple[Path, Path] | None = None,
    ) -> None:
        """Scan folders, one of which may have moved."""
        for_all, settings = self._current.for_all, self._current.settings
        if for_all is not None and for_all.allowed(settings) != settings:  # settings of a review
            self._current.settings = for_all.allowed(settings)
            self.settings_kept.emit()
        self.started.emit()
        self._tasks.drop(TaskKind.OPEN)
        self._tasks.cancel(TaskKind.LIST)
        current = self._current
        work = partial(
            scan_folders,
            folders,
            current.settings,
            previous=current.up_to_date(previous) if previous else None,
            reading=current.reading,
            moved=moved,
            roles=current.roles,
        )

        def scanned(result: ScanResult) -> None:
            self._tasks.drop(TaskKind.LIST)  # it lists the documents of before the scan
            self.scanned.emit(result, previous)
            self.catch_up()

        self._tasks.run(TaskKind.SCAN, work, scanned, previewed=self.previewed.emit)
        self.submitted.emit()

    def change_settings(self, settings: ScanSettings) -> None:
        """Use other settings: at once where only the bands differ, else with the next scan."""
        for_all = self._current.for_all
        if for_all and "scan" in for_all.fixed and settings != self._current.settings:
            self.message_posted.emit(Message(gettext(FIXED)))
            self.settings_kept.emit()
            return
        self._current.settings = settings
        result = self._current.result
        if result is not None and result.can_answer(settings):
            work = partial(list_again, self._current.up_to_date(result), settings)
            self._tasks.run(TaskKind.LIST, work, self.listed.emit)
            self.submitted.emit()
        self.settings_changed.emit()

    def catch_up(self) -> None:
        """List with the settings chosen while a scan ran, whose start may have stopped a list."""
        result = self._current.result
        if result is not None and result.settings != self._current.settings:
            self.change_settings(self._current.settings)

    def list_added(self) -> None:
        """List again after pairs were added, or their addition was undone."""
        result = self._current.result
        is_complete = result is not None and result.complete
        if result and is_complete and result.added != self._current.judgements.added:
            self._list_again(result)

    def list_marked(self, keys: Collection[PairKey] | None) -> None:
        """List again where a decision has marked a pair that is not listed.

        It was undone or redone, or made in another program, whose list may be another.
        """
        result, judgements = self._current.result, self._current.judgements
        if not (keys and result and result.complete):
            return
        rows = result.rows
        if len(rows.one_row_each(keys)) < len(keys):
            marked = [key for key in keys if judgements.is_marked(key)]
            if len(rows.one_row_each(marked)) < len(marked):
                self._list_again(result)

    def _list_again(self, result: ScanResult) -> None:
        work = partial(list_again, self._current.up_to_date(result), result.settings)
        self._tasks.run(TaskKind.LIST, work, self.listed.emit)
        self.submitted.emit()

    def measure_again(self) -> None:
        """List again the pairs whose numbers in a review contradict their texts."""
        result = self._current.result
        if result is not None:
            self._tasks.run(TaskKind.LIST, partial(measure_again, result), self.listed.emit)


def _names(result: ScanResult) -> list[str]:
    """The names of documents: they also change when the same files are joined to submissions."""
    return [document.name for document in result.documents]
