"""What the verdicts given so far say of unread pairs, and the random check that bounds them.

a verdict, another list ─▶ a moment later ─▶ words, a curve
a check is wanted ─▶ a decision of the log, that can be undone
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.threshold.judged_so_far import CheckedRows, JudgedSoFar, judged_so_far
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.decision_session import DecisionSession

__all__ = ["JudgedSession"]

LATER = 300  # milliseconds: who judges quickly is not held up


class JudgedSession(QObject):
    """Thinks about the verdicts on the list that is shown.

    Signals:
        told: A `JudgedSoFar`.
    """

    told = Signal(object)

    def __init__(
        self,
        current: Current,
        pairs: PairsModel,
        decisions: DecisionSession,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._current = current
        self._pairs = pairs
        self._decisions = decisions
        self._last = JudgedSoFar()
        self._later = QTimer(self, singleShot=True, interval=LATER)
        self._later.timeout.connect(self._tell)
        for changed in (pairs.judged, pairs.modelReset, decisions.told):
            changed.connect(self._later.start)

    def draw(self) -> None:
        """Draw unread pairs at random, to be judged."""
        from core.review import random_check  # noqa: PLC0415 - slow to import

        verdicts = self._pairs.verdicts
        unread = list(dict.fromkeys(verdicts.keys_of(np.flatnonzero(verdicts.verdict == 0))))
        seed = len(self._current.log)  # another check draws others
        command, inverse = random_check.draw_check(self._current.judgements, unread, seed)
        self._decisions.decide(command, inverse)

    @Slot()
    def _tell(self) -> None:
        said = self._said()
        if said is not self._last:
            self._last = said
            self.told.emit(said)

    def _said(self) -> JudgedSoFar:
        result, verdicts = self._current.result, self._pairs.verdicts
        if result is None or len(result.pairs) != len(verdicts.verdict):
            return JudgedSoFar()
        check = self._current.judgements.check
        rows = [verdicts.rows_of([key])[:1] for key in check.pairs]
        checked = CheckedRows(np.concatenate(rows), check.rest) if rows else None
        return judged_so_far(result.pairs.resemblance, verdicts.verdict, checked)
