"""The passages that documents share: found while their tab is open, and read two by two.

the tab is open, a list ─▶ PASSAGES ─▶ the table of passages
a passage, a document ─▶ LOOK_UP ─▶ who holds it ─▶ two of them are read, at the passage

What the user says of passages: read and prepared one after the other, then decided.

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

from core.reports.pair_words import passage_in_words
from core.scan.judgements import PassageMeaning, Verdict
from neardup_gui.jobs.documents import (
    PassageToJudge,
    PreparedPassage,
    find_passages,
    look_up,
    prepare_judging,
)
from neardup_gui.jobs.pairs import OpenedPair
from neardup_gui.jobs.tasks import JobKind, JobQueues
from neardup_gui.models.passages import HoldersModel, LookedUp, PassagePlace, PassagesModel
from neardup_gui.models.scan_result import ListDifference, ScanResult
from neardup_gui.models.words import passages as words
from neardup_gui.models.words.sentences import Message, difference_in_words, done, too_many
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.decision_session import DecisionSession

if TYPE_CHECKING:
    from core.aside.rules import AsideRules
    from core.documents.model import PairKey
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


class PassageSession(QObject):
    """Has the passages of the list that is shown, once somebody wants to see them.

    Attributes:
        model: The table of passages.
        holders: The documents that hold the one that is read.

    Signals:
        submitted: Passages are being looked for.
        listed: The number of passages; None before they are found.
        reasoned: A sentence for the place where passages would be.
        looked_up: A `LookedUp`: another passage is read; None where none is.
        documents_wanted: The `ListedPair` of two documents to lay out, listed or not.
        reached: The `PassagePlace` of a passage in the pair that is laid out.
        said: A `Message` for the message bar.
    """

    submitted = Signal()
    listed = Signal(object)
    reasoned = Signal(str)
    looked_up = Signal(object)
    documents_wanted = Signal(object)
    reached = Signal(object)
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
        self._is_open = False
        self._result: ScanResult | None = None  # whose passages are shown or looked for
        self._opened: OpenedPair | None = None
        self._sought: LookedUp | None = None
        self.model = PassagesModel(self)
        self.holders = HoldersModel(self)
        self._judging = PassageJudging(queues, current, decisions, self)
        self._judging.said.connect(self.said)
        decisions.told.connect(self._show_judged)
        queues.cancelled.connect(self._on_stopped)
        queues.failed.connect(self._on_stopped)

    # Which passages

    def set_open(self, is_open: bool) -> None:
        """Whether the tab is open: only then is anything looked for."""
        self._is_open = is_open
        if not is_open:
            self._queues.drop(JobKind.LOOK_UP)  # nobody reads what it leads to
        self._search()

    def take(self, _result: ScanResult) -> None:
        """Another list is shown."""
        self._search()
        self._judging.go_on()

    def forget(self) -> None:
        """Another folder: there is nothing yet."""
        self._queues.drop(JobKind.PASSAGES, JobKind.LOOK_UP)
        self._judging.forget()
        self._result = self._sought = None
        self._empty(words.SEARCHING)

    def _search(self) -> None:
        result = self._current.result
        if not self._is_open or result is None or not result.complete or self._is_known(result):
            return
        before, self._result = self._result, result
        if before is None or before.names is not result.names:
            self._empty(words.SEARCHING)
        self.reasoned.emit(words.SEARCHING)
        judged = self._current.judgements.passages
        self._queues.submit(JobKind.PASSAGES, find_passages(result, judged), self._on_found)
        self.submitted.emit()

    def _is_known(self, result: ScanResult) -> bool:
        """Whether the passages of a list are there already; its bands do not matter."""
        known = self._result
        return (
            known is not None
            and known.scan is result.scan
            and known.settings.passage_length == result.settings.passage_length
        )

    def _on_found(self, found: PassageList) -> None:
        result = self._result
        if result is None:
            return
        self._queues.drop(JobKind.LOOK_UP)
        least = passage_in_words(result.settings)
        self.reasoned.emit(words.NO_PASSAGES.format(passage=least))
        self._show_judged()
        self.model.set_passages(found, result.settings.unit)
        self.listed.emit(len(found))

    @Slot(object)
    def _on_stopped(self, kind: JobKind) -> None:
        if kind is JobKind.PASSAGES:
            self._result = None
            self._empty(words.STOPPED)

    def _empty(self, reason: str) -> None:
        self.reasoned.emit(reason)
        self.model.set_passages(None)
        self.holders.clear()
        self.listed.emit(None)
        self.looked_up.emit(None)

    # Reading one

    def look_up(self, row: int, document: int | None = None) -> None:
        """Show who holds the passage in a row, and read two of them."""
        result, passages = self._result, self.model.passages
        if result is None or passages is None:
            return
        work = look_up(result, passages, self.model.number_at(row), document)
        self._queues.submit(JobKind.LOOK_UP, work, self._on_looked_up)

    def _on_looked_up(self, found: LookedUp) -> None:
        if self._result is None:
            return
        if list(self.holders.documents) != list(found.documents):
            self.holders.set_documents(found.documents, self._result.names)
        self._sought = found
        self.looked_up.emit(found)
        if found.pair is not None:
            self.documents_wanted.emit(found.pair)
            self._reach()

    def judge(self, row: int, meaning: PassageMeaning | None) -> None:
        """Say what the passage in a row is; None takes it back."""
        if self.model.passages is not None:
            self._judging.judge(self.model.passages, self.model.number_at(row), meaning)

    def _show_judged(self) -> None:
        self.model.set_judged(self._current.judgements.passages)

    def take_opened(self, opened: OpenedPair | None) -> None:
        """Another pair is laid out, or none."""
        self._opened = opened
        self._reach()

    def _reach(self) -> None:
        """Show the passage, once its documents are laid out."""
        sought, opened = self._sought, self._opened
        if sought is None or opened is None or opened.key != sought.pair:
            return
        self._sought = None
        place = PassagePlace(_passage_at(opened, sought), opened.key.names, sought.spans)
        self.reached.emit(place)


def _passage_at(opened: OpenedPair, sought: LookedUp) -> int | None:
    """The passage of a pair in which most of another one lies; None where there is none."""
    (start, end), _ = sought.spans
    within = [
        min(one.a_end, end) - max(one.a_start, start) if one.a_start < end else 0
        for one in opened.passages
    ]
    best = max(range(len(within)), key=within.__getitem__, default=None)
    return best if best is not None and within[best] > 0 else None
