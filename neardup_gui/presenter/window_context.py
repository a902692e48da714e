"""The current state of a window: read by the whole presenter, changed by a few of its parts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.documents.model import Role
from core.documents.reading_settings import ReadingSettings
from core.scan.judgements import Judgements
from core.settings import DEFAULT_PRESET, ScanSettings
from neardup_gui.jobs.tasks import Tasks
from neardup_gui.models.folder_reviews import FileLocation, located
from neardup_gui.models.pairs.table import Change, PairsModel, changes_since
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.reports.settings_file import SharedSettings
    from core.scan.history import HistoryEntry
    from core.scan.properties import FolderProperties
    from neardup_gui.presenter.decision_session import DecisionSession


@dataclass
class Current:
    """The folders, the settings of the next scan, the list and the decisions.

    Attributes:
        folders: The scanned folders, or those of a review.
        roles: The role of each folder; folders without one are to review.
        settings: The settings of the next scan; if only bands differ, also of the next list.
        reading: How the next scan reads files, with the passwords entered so far.
        for_all: The settings for all users of this computer, if there are any.
        result: The last list.
        who: The name of the reviewer; "" for the user of the system.
        log: All decisions, saved or not; a `DecisionSession` changes it.
        judgements: The result of the log.
        waiting: Entries of the log that the list does not show yet.
        reads_properties: Whether the properties of files are read.
    """

    folders: tuple[Path, ...] = ()
    roles: tuple[Role, ...] = ()
    settings: ScanSettings = DEFAULT_PRESET.settings
    reading: ReadingSettings = field(default_factory=ReadingSettings)
    for_all: SharedSettings | None = None
    result: ScanResult | None = None
    who: str = ""
    log: tuple[HistoryEntry, ...] = ()
    judgements: Judgements = field(default_factory=Judgements)
    waiting: tuple[HistoryEntry, ...] = ()
    reads_properties: bool = True

    @property
    def all_roles(self) -> tuple[Role, ...]:
        """The role of each folder."""
        missing = [Role.REVIEW] * (len(self.folders) - len(self.roles))
        return (*self.roles, *missing)[: len(self.folders)]

    @property
    def file_properties(self) -> FolderProperties | None:
        """The properties of the files, unless only a report has read them."""
        return self.result.scan.file_properties if self.result and self.reads_properties else None

    @property
    def changes_since(self) -> tuple[Change, ...]:
        """The settings changed since the list was made that need another scan."""
        return changes_since(self.result, self.settings, self.reading)

    def up_to_date(self, result: ScanResult) -> ScanResult:
        """A result with the decisions since it was made in its state.

        Without the waiting decisions, which the documents do not follow yet.
        """
        if result.state is None:
            return result
        count = self.waiting[0].id - 1 if self.waiting else len(self.log)
        state = result.state._replace(log=self.log[:count], judgements=self.judgements)
        return replace(result, state=state)

    def location_of(self, name: str) -> FileLocation:
        """The location of the document or problem of a name."""
        number = self.result.names.index(name) if self.result else None
        if self.result is None or number is None:
            return located(self.folders, name)
        document = self.result.documents[number]
        return FileLocation(document.path, document.part)


@dataclass
class Context:
    """The objects that the sessions of a window share.

    Attributes:
        tasks: Runs their work.
        current: The present state of the window.
        pairs: The table of pairs.
        decisions: Knows the log of the review.
    """

    tasks: Tasks
    current: Current
    pairs: PairsModel
    decisions: DecisionSession = field(init=False)


class Session(QObject):
    """One task of a window. Sessions share a `Context`, and do not know each other.

    Signals:
        message_posted: A `Message` for the message bar.
        submitted: Work was begun that changes which actions can be used.
    """

    message_posted = Signal(object)
    submitted = Signal()

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = context.tasks
        self._current = context.current
        self._pairs = context.pairs
        self._context = context

    @property
    def _decisions(self) -> DecisionSession:
        return self._context.decisions
