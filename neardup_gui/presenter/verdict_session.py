"""Verdicts and notes on pairs: decisions, and what the table shows of them.

What the verdicts given so far say of unread pairs, and the random check that bounds them.

a verdict, another list ─▶ a moment later ─▶ WEIGH ─▶ words, a curve
a check is wanted ─▶ a decision of the log, that can be undone
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.base.arrays import Int64Array
from core.scan.judgements import Verdict
from neardup_gui.jobs.pairs import weigh_verdicts
from neardup_gui.jobs.tasks import JobKind, JobQueues
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.threshold import JudgedSoFar
from neardup_gui.models.words import sentences
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.decision_session import DecisionSession

if TYPE_CHECKING:
    from core.documents.model import PairKey

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
        from core.review.verdicts import draw_check  # noqa: PLC0415 - slow to import
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


MOST = 50_000  # pairs in one decision: writing them takes about a second


class VerdictSession(QObject):
    """Judges rows of the table of pairs.

    Attributes:
        so_far: What the verdicts say of unread pairs.

    Signals:
        said: A `Message` for the message bar.
        row_wanted: The row of a pair of which a verdict or a note was undone or redone.
    """

    said = Signal(object)
    row_wanted = Signal(int)

    def __init__(
        self,
        queues: JobQueues,
        current: Current,
        pairs: PairsModel,
        decisions: DecisionSession,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._current = current
        self._pairs = pairs
        self._decisions = decisions
        decisions.judged.connect(self._on_judged)
        decisions.reversed.connect(self._on_reversed)
        self.so_far = JudgedSession(queues, current, pairs, decisions, self)

    def judge(self, verdict: Verdict, pairs: Int64Array) -> None:
        """Give some of the pairs listed a verdict."""
        from core.review import verdicts  # noqa: PLC0415 - slow to import

        if self._may(len(pairs)):
            keys = self._pairs.verdicts.keys_of(pairs)
            self._decisions.decide(*verdicts.judge(self._current.judgements, keys, verdict))

    def write_note(self, note: str, pairs: Int64Array) -> None:
        """Write a note on some of the pairs listed."""
        from core.review import verdicts  # noqa: PLC0415

        if len(note) > verdicts.MOST_OF_NOTE:
            self.said.emit(sentences.too_long(len(note), verdicts.MOST_OF_NOTE))
        elif self._may(len(pairs)):
            keys = self._pairs.verdicts.keys_of(pairs)
            self._decisions.decide(*verdicts.write_note(self._current.judgements, keys, note))

    def mark_seen(self) -> None:
        """Nothing is new any more."""
        from core.scan import news  # noqa: PLC0415

        self._decisions.decide(*news.mark_seen(self._current.judgements))

    def _may(self, pairs: int) -> bool:
        if pairs > MOST:
            self.said.emit(sentences.too_many(pairs, MOST))
        return pairs <= MOST

    def _on_reversed(self, keys: Collection[PairKey] | None) -> None:
        row = self._pairs.row_of_any(self._pairs.verdicts.rows_of(keys)) if keys else None
        if row is not None:
            self.row_wanted.emit(row)

    def _on_judged(self, keys: Collection[PairKey] | None) -> None:
        self._pairs.set_judgements(self._current.judgements, keys)
