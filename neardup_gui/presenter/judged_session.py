"""What the verdicts given so far say of unread pairs, and the random check that bounds them.

a verdict, another list ─▶ a moment later ─▶ WEIGH ─▶ words, a curve
a check is wanted ─▶ a decision of the log, that can be undone
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.judged import weigh_verdicts
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.threshold.judged_so_far import JudgedSoFar
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.decision_session import DecisionSession

LATER = 300  # milliseconds: who judges quickly is not held up


class JudgedSession(QObject):
    """Has the verdicts on the list that is shown thought about.

    Signals:
        told: A `JudgedSoFar`.
    """

    told = Signal(object)

    def __init__(
        self,
        queues: JobQueues,
        current: Current,
        pairs: PairsModel,
        decisions: DecisionSession,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._pairs = pairs
        self._decisions = decisions
        self._told_of = self._now  # the list and the judgements that were thought about last
        self._later = QTimer(self, singleShot=True, interval=LATER)
        self._later.timeout.connect(self._think)
        for changed in (pairs.judged, pairs.modelReset, decisions.told):
            changed.connect(self._later.start)

    def draw(self) -> None:
        """Draw unread pairs at random, to be judged."""
        from core.review.random_check import draw_check  # noqa: PLC0415 - slow to import
        from core.scan.unread_pairs import CHECKED, random_check  # noqa: PLC0415

        verdicts = self._pairs.verdicts
        unread = verdicts.unread()
        seed = len(self._current.log)  # another check draws others
        drawn = unread[random_check(CHECKED, len(unread), seed)]
        keys, rest = verdicts.keys_of(drawn), len(unread) - len(drawn)
        self._decisions.decide(*draw_check(self._current.judgements, keys, rest))

    @property
    def _now(self) -> tuple[object, object]:
        return self._current.result, self._current.judgements

    @Slot()
    def _think(self) -> None:
        now = self._now
        if all(one is before for one, before in zip(now, self._told_of, strict=True)):
            return  # other rows of the same list are shown
        result, verdicts = self._current.result, self._pairs.verdicts
        self._told_of = now
        if result is None or len(result.pairs) != len(verdicts.verdict):
            self._queues.drop(JobKind.WEIGH)
            self.told.emit(JudgedSoFar())
            return
        check = self._current.judgements.check
        work = weigh_verdicts(result.pairs.resemblance, verdicts, check)
        self._queues.submit(JobKind.WEIGH, work, self.told.emit)
