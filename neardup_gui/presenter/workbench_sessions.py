"""The work behind the page of the curve: one session for each of its parts."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from neardup_gui.jobs.buckets import look_at_buckets, look_at_passages
from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.presenter.audit_session import AuditSession
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.decision_session import DecisionSession
from neardup_gui.presenter.plane_session import PlaneSession
from neardup_gui.presenter.settings_session import SettingsSession
from neardup_gui.presenter.sight_session import SightSession
from neardup_gui.presenter.signature_session import SignatureSession


class WorkbenchSessions(QObject):
    """Tells each of them of lists and folders.

    Attributes:
        plane: What every b × r would do.
        signatures: Those of the pair at hand.
        settings: Settings as a file to share.
        buckets: How full the buckets are.
        audit: Whether the list is complete.
        lengths: What passages list, and what others would.
    """

    def __init__(
        self,
        queues: JobQueues,
        current: Current,
        decisions: DecisionSession,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.plane = PlaneSession(queues, current, self)
        self.signatures = SignatureSession(queues, current, self)
        self.settings = SettingsSession(queues, current, self)
        self.audit = AuditSession(queues, current, decisions, self)
        self.buckets = SightSession(queues, current, JobKind.BUCKETS, look_at_buckets, self)
        self.lengths = SightSession(queues, current, JobKind.LENGTHS, look_at_passages, self)

    @Slot(object)
    def take(self, result: ScanResult) -> None:
        """Another list is shown."""
        self.plane.take(result)
        self.signatures.take(result)
        self.buckets.take(result)
        self.audit.take(result)
        self.lengths.take(result)

    @Slot()
    def forget(self) -> None:
        """Other folders are shown."""
        self.plane.forget()
        self.signatures.forget()
        self.buckets.forget()
        self.audit.forget()
        self.lengths.forget()
