"""What the user says of passages: read and prepared one after the other, then decided.

a passage, what it is ─▶ JUDGE_PASSAGE: its text, the pairs that it explains ─▶ a decision

Who judges faster than lists are made does not wait for one list after the other: passages of which
no pairs are wanted are prepared together, as many as there are by then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from core.scan.judgements import PassageMeaning, Verdict
from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.passages import PassageToJudge, PreparedPassage, prepare_judging
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.models.list_difference import ListDifference
from neardup_gui.models.words import passages as words
from neardup_gui.models.words.decided import difference_in_words, done, too_many
from neardup_gui.models.words.message import Message
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.decision_session import DecisionSession

if TYPE_CHECKING:
    from core.aside.rules import AsideRules
    from core.documents.keys import PairKey
    from core.scan.passage_list import PassageList

MOST = 50_000  # pairs in one decision: writing them takes about a second


class _Waiting(NamedTuple):
    """A passage that is to be judged."""

    passage: PassageToJudge
    meaning: PassageMeaning | None


class PassageJudging(QObject):
    """Judges passages in the order in which the user does.

    Signals:
        said: A `Message` for the message bar.
    """

    said = Signal(object)

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
        self._waiting: deque[_Waiting] = deque()
        self._prepared = 0  # how many of them are being prepared
        queues.cancelled.connect(self._on_stopped)
        queues.failed.connect(self._on_stopped)

    def judge(self, passages: PassageList, number: int, meaning: PassageMeaning | None) -> None:
        """Say what a passage of a list is; None takes it back."""
        explains = meaning is PassageMeaning.COPIED
        self._waiting.append(_Waiting(PassageToJudge(passages, number, explains), meaning))
        self.go_on()

    def forget(self) -> None:
        """Another folder: what waits was about other documents."""
        self._waiting.clear()
        self._queues.drop(JobKind.JUDGE_PASSAGE)

    def go_on(self) -> None:
        """Take the next passages."""
        result, passages = self._current.result, self._next()
        if result is None or not passages or self._queues.is_busy(JobKind.JUDGE_PASSAGE):
            return
        self._prepared = len(passages)
        work = prepare_judging(result, passages)
        self._queues.submit(JobKind.JUDGE_PASSAGE, work, self._on_prepared)

    def _next(self) -> list[PassageToJudge]:
        """Those up to one that explains pairs; it by itself, once the list shows what was said."""
        passages = [one.passage for one in self._waiting]
        together = list(takewhile(lambda one: not one.explains, passages))
        return together or ([] if self._current.waiting else passages[:1])

    def _on_prepared(self, found: Sequence[PreparedPassage]) -> None:
        result = self._current.result
        for one in found:
            meaning = self._waiting.popleft().meaning
            if result is not None and result.state is not None:
                self._decide(one, meaning, result.state.rules)
        self.go_on()

    def _decide(
        self, found: PreparedPassage, meaning: PassageMeaning | None, shown: AsideRules
    ) -> None:
        from core.review.decisions import is_light, rules_after  # noqa: PLC0415 - slow to import
        from core.review.passages import judge_passage  # noqa: PLC0415

        pairs = self._not_judged(found.pairs)
        if len(pairs) > MOST:
            self.said.emit(too_many(len(pairs), MOST))
            return
        rules = rules_after(shown, self._current.waiting)
        try:
            command, inverse = judge_passage(
                self._current.judgements, rules, found.text, meaning, pairs
            )
        except ValueError as error:
            self.said.emit(Message(str(error), warning=True))
            return
        copied = meaning is PassageMeaning.COPIED
        text = words.explained(len(pairs)) if copied else words.judged(meaning)

        def says(difference: ListDifference) -> str:
            return f"{text} {difference_in_words(difference)}"

        done_so = self._decisions.decide(command, inverse, says=says)
        if done_so and is_light(command):
            self.said.emit(done(text, can_undo=True))

    def _not_judged(self, pairs: Sequence[PairKey]) -> list[PairKey]:
        """The pairs of which nobody has said anything."""
        said = self._current.judgements.judgement_of
        return [key for key in pairs if said(key).judgement.verdict is Verdict.NOT_REVIEWED]

    @Slot(object)
    def _on_stopped(self, kind: JobKind) -> None:
        if kind is JobKind.JUDGE_PASSAGE and self._waiting:
            for _ in range(self._prepared):
                self._waiting.popleft()
            self.go_on()
