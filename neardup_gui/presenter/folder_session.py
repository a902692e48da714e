"""The folders of a window and what they are for: added, changed, taken off.

add ─▶ a scan of all folders, which reads the new one
another role, off the list ─▶ a decision ─▶ another list; it can be undone
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.documents.model import Role, check_roles
from core.errors import FolderError
from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.setup.folders import FolderLine, folder_lines
from neardup_gui.models.words import folder_words
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.decision_session import DecisionSession

if TYPE_CHECKING:
    from core.scan.state import Command, ScanState

Change = Callable[["ScanState"], "tuple[Command, Command]"]


class FolderSession(QObject):
    """Keeps what the folders of a window are for.

    Signals:
        listed: The `FolderLine`s to show.
        rescan_wanted: A folder was added.
        said: A `Message` for the message bar.
    """

    listed = Signal(object)
    rescan_wanted = Signal()
    said = Signal(object)

    def __init__(
        self,
        queues: JobQueues,
        current: Current,
        decisions: DecisionSession,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._current = current
        self._decisions = decisions
        self._before: tuple[tuple[Path, ...], tuple[Role, ...]] | None = None
        queues.failed.connect(self._on_stopped)
        queues.cancelled.connect(self._on_stopped)

    @property
    def lines(self) -> list[FolderLine]:
        """The folders as they are shown."""
        current, result = self._current, self._current.result
        roles = [*current.roles, *[Role.REVIEW] * (len(current.folders) - len(current.roles))]
        is_same = result is not None and result.scan.folders == current.folders
        documents = result.in_folders if result is not None and is_same else ()
        return folder_lines(current.folders, roles, documents)

    def add(self, folder: Path, role: Role) -> None:
        """Read a folder, or a template file, too."""
        current = self._current
        if os.path.abspath(folder) in map(os.path.abspath, current.folders):
            self.said.emit(folder_words.is_listed(folder))
            return
        missing = len(current.folders) - len(current.roles)
        roles = (*current.roles, *[Role.REVIEW] * missing)
        try:
            check_roles((*current.folders, folder), (*roles, role))
        except FolderError as error:
            self.said.emit(folder_words.refused(error))
            return
        self._before = current.folders, roles
        current.folders, current.roles = (*current.folders, folder), (*roles, role)
        self.listed.emit(self.lines)
        self.rescan_wanted.emit()

    def give_role(self, folder: Path, role: Role) -> None:
        """Take a folder for something else."""
        from core.review import folder_roles  # noqa: PLC0415 - slow to import

        says = folder_words.changed(folder, role)
        self._change(lambda state: folder_roles.give_role(state, folder, role), says)

    def take_off(self, folder: Path) -> None:
        """Take a folder off the list, with its documents."""
        from core.review import folder_roles  # noqa: PLC0415

        says = folder_words.taken_off(folder)
        self._change(lambda state: folder_roles.take_off(state, folder), says)

    def _change(self, made: Change, says: str) -> None:
        result = self._current.result
        # What was decided a moment ago has not changed the folders of the list yet.
        if result is None or result.state is None or self._current.waiting:
            self.said.emit(folder_words.wait())
            return
        try:
            command, inverse = made(result.state)
        except FolderError as error:
            self.said.emit(folder_words.refused(error))
            return
        self._decisions.decide(command, inverse, says=says)

    # What happened elsewhere

    def forget(self) -> None:
        """Other folders are opened, all to review until something else is known of them."""
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

    def _on_stopped(self, kind: JobKind) -> None:
        """A scan came to nothing: what was to be added is not there."""
        if kind is JobKind.SCAN and self._before is not None:
            self._current.folders, self._current.roles = self._before
            self._before = None
            self.listed.emit(self.lines)
