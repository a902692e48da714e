"""Whether the list that is shown is complete: tested when the user asks, kept in the review.

asked for ─▶ AUDIT ─▶ an entry of the log ─▶ words, tables, points for the curve
a list, another program's entry ─▶ whether the last test is of this list
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from neardup_gui.jobs.audits import audit_list
from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.words.progress import ProgressLine, ProgressLines
from neardup_gui.models.workbench.audit_offer import AuditOffer, audit_offer
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.decision_session import DecisionSession

if TYPE_CHECKING:
    from core.base.tasks import ProgressReport
    from core.scan.audit_results import KeptAudit
    from core.scan.state import Command
    from neardup_gui.models.workbench.audit_shown import AuditShown


class AuditTold(NamedTuple):
    """What there is to say of tests.

    Attributes:
        offer: How the list can be tested.
        shown: What the last test found out; None where there was none.
        is_kept: Whether that is in the review, or will be.
    """

    offer: AuditOffer
    shown: AuditShown | None
    is_kept: bool


class AuditSession(QObject):
    """Tests one list at a time.

    Signals:
        told: An `AuditTold`.
        progressed: A `ProgressLine` of a test that runs; None when none runs any more.
    """

    told = Signal(object)
    progressed = Signal(object)

    def __init__(
        self,
        queues: JobQueues,
        current: Current,
        decisions: DecisionSession,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._decisions = decisions
        self._was_open = False
        self._lines = ProgressLines()
        self._offered: tuple[ScanResult | None, AuditOffer] | None = None
        self._unkept: KeptAudit | None = None  # of a review that is only read here
        self._told_of: tuple[object, object] = (None, None)
        decisions.told.connect(self._tell)
        queues.progressed.connect(self._on_progressed)
        queues.cancelled.connect(self._on_ended)
        queues.failed.connect(self._on_ended)

    @Slot()
    def open(self) -> None:
        """Somebody looks, and from now on may look again."""
        self._was_open = True
        self._tell()

    @Slot()
    def prove(self) -> None:
        """Compare all pairs, and hold the list against them."""
        self._run(proves=True)

    @Slot()
    def plant(self) -> None:
        """Search for edited copies."""
        self._run(proves=False)

    def _run(self, *, proves: bool) -> None:
        from core.scan.audit_results import Method  # noqa: PLC0415 - not before somebody asks

        result = self._current.result
        if result is None or not result.complete:
            return
        self._lines = ProgressLines()
        self.progressed.emit(ProgressLine("Testing the list", None, "", ""))
        method = Method.ALL_PAIRS if proves else Method.EDITED_COPIES
        self._queues.submit(JobKind.AUDIT, audit_list(result, method), self._keep)

    @Slot()
    def cancel(self) -> None:
        """Stop the test that runs."""
        self._queues.cancel(JobKind.AUDIT)

    @Slot(object)
    def take(self, _result: ScanResult) -> None:
        """Another list is shown; a test that runs is of the list before, and says so."""
        self._tell()

    @Slot()
    def forget(self) -> None:
        """Other folders are shown."""
        self._queues.drop(JobKind.AUDIT)
        self._unkept, self._offered = None, None
        self.progressed.emit(None)
        self._tell()

    def _keep(self, command: Command) -> None:
        """Put what was found out into the log; where nothing may be decided it is shown only."""
        from core.review.decisions import judged  # noqa: PLC0415 - slow to import
        from core.scan.state import entry_after  # noqa: PLC0415

        self.progressed.emit(None)
        self._unkept = None
        if not self._decisions.decide(command, None):
            entry = entry_after((), command, None, who=self._current.who)
            self._unkept = judged(self._current.judgements, [entry]).audit
        self._tell()

    @Slot()
    def _tell(self) -> None:
        """Say what is known, where that is something else than before."""
        result, kept = self._current.result, self._unkept or self._current.judgements.audit
        if result is not None and result.folder.is_part_of_run:
            kept = None  # earlier versions made audits of it, which prove nothing
        if not self._was_open:
            return
        before, told = self._told_of
        if self._offered is not None and before is result and told is kept:
            return
        self._told_of = (result, kept)
        self.told.emit(AuditTold(self._offer(result), self._shown(kept), self._unkept is None))

    def _offer(self, result: ScanResult | None) -> AuditOffer:
        known = self._offered
        of_same = known is not None and _texts_of(known[0]) is _texts_of(result)
        offer = known[1] if known is not None and of_same else audit_offer(result)
        self._offered = (result, offer)
        return offer

    def _shown(self, kept: KeptAudit | None) -> AuditShown | None:
        result = self._current.result
        if kept is None or result is None or not result.complete:
            return None
        from core.scan.audit_results import audited_texts  # noqa: PLC0415 - not before there is one
        from neardup_gui.models.workbench.audit_shown import audit_shown  # noqa: PLC0415

        texts = audited_texts(result.scan).fingerprint
        return audit_shown(kept, is_current=kept.is_of(result.settings, texts))

    @Slot(object, object)
    def _on_progressed(self, kind: JobKind, report: ProgressReport) -> None:
        if kind is JobKind.AUDIT:
            self.progressed.emit(self._lines.line_for(report))

    @Slot(object)
    def _on_ended(self, kind: JobKind, _error: object = None) -> None:
        if kind is JobKind.AUDIT:
            self.progressed.emit(None)


def _texts_of(result: ScanResult | None) -> object:
    """What the offer hangs on: a list that is made again has the same scan."""
    return result.scan if result is not None and result.complete else None
