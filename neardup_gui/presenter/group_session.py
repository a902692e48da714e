"""The groups of the list that is shown: made again when it is another, or a centre was chosen.

a list, a centre ─▶ GROUP ─▶ the table of groups
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from neardup_gui.jobs.groups import make_groups
from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.models.groups.grouped import GroupList
from neardup_gui.models.groups.table import GroupsModel
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.presenter.current import Current

__all__ = ["GroupSession"]


class GroupSession(QObject):
    """Fills the table of groups.

    Attributes:
        model: The table.

    Signals:
        grouped: The number of groups; None before they are made.
    """

    grouped = Signal(object)

    def __init__(self, queues: JobQueues, current: Current, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self.model = GroupsModel(self)

    def take(self, result: ScanResult) -> None:
        """Group the documents of another list."""
        work = make_groups(result, result.scan.decided.judgements)
        self._queues.submit(JobKind.GROUP, work, self._on_grouped)

    def forget(self) -> None:
        """Another folder: there are no groups yet."""
        self._queues.drop(JobKind.GROUP)
        self.model.clear()
        self.grouped.emit(None)

    def _on_grouped(self, listed: GroupList) -> None:
        self.model.set_groups(listed)
        self.grouped.emit(len(listed.groups))
