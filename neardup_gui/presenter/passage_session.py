"""The passages that documents share: found while their tab is open, and read in pairs.

the tab is open, a list ─▶ PASSAGES ─▶ the table of passages
a passage, a document ─▶ LOOK_UP ─▶ its documents ─▶ two of them are read, at the passage

The user's judgements of passages: each is read and prepared, then decided.

a passage, what it is ─▶ JUDGE_PASSAGE: its text, the pairs that it explains ─▶ a decision

The user can judge faster than lists are made: waiting passages of which no pairs are wanted are
prepared together.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal

from core.base.messages import gettext
from core.base.tasks import stop_if_cancelled
from core.evidence.pairs import Pairs
from core.reports.pair_words import passage_in_words
from core.scan.judgements import PassageJudgement, PassageMeaning, Verdict
from neardup_gui.jobs.pairs import OpenedPair
from neardup_gui.jobs.tasks import TaskKind, current_task
from neardup_gui.models.passages import (
    HoldersModel,
    LookedUpPassage,
    PassageLocation,
    PassagesModel,
)
from neardup_gui.models.scan_result import DocumentNames, ScanResult
from neardup_gui.models.words import passages as words
from neardup_gui.models.words.sentences import Message, done, too_many, with_difference
from neardup_gui.presenter.follower import Follower
from neardup_gui.presenter.window_context import Context, Session

if TYPE_CHECKING:
    from core.documents.model import PairKey
    from core.exclusions.rules import ExclusionRules
    from core.scan.passage_list import PassageList


TWO = 2
A_LINE = 80  # characters, about


class PassageToJudge(NamedTuple):
    """A passage that is to be judged.

    Attributes:
        passages: The passages, of the present list or one before it.
        number: The index of the passage.
        meaning: The judgement; None takes it back.
    """

    passages: PassageList
    number: int
    meaning: PassageMeaning | None

    @property
    def explains(self) -> bool:
        """Whether the pairs are wanted that are listed for the passage alone."""
        return self.meaning is PassageMeaning.COPIED


class PreparedPassage(NamedTuple):
    """The text of a passage, and the listed pairs that it explains."""

    text: str
    pairs: Sequence[PairKey]


MOST = 50_000  # pairs in one decision: writing them takes about a second


class PassageJudging(Session):
    """Judges passages in the user's order."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._waiting: deque[PassageToJudge] = deque()

    def judge(self, passages: PassageList, number: int, meaning: PassageMeaning | None) -> None:
        """Judge a passage of a list; None takes the judgement back."""
        self._waiting.append(PassageToJudge(passages, number, meaning))
        self.go_on()

    def forget(self) -> None:
        """Drop what waits: another folder is shown."""
        self._waiting.clear()
        self._tasks.drop(TaskKind.JUDGE_PASSAGE)

    def go_on(self) -> None:
        """Take the next passages."""
        result, passages = self._current.result, self._next()
        if result is None or not passages or self._tasks.is_busy(TaskKind.JUDGE_PASSAGE):
            return
        work = partial(prepare_judging, result, passages)
        stopped = partial(self._on_stopped, len(passages))
        self._tasks.run(TaskKind.JUDGE_PASSAGE, work, self._on_prepared, stopped=stopped)

    def _next(self) -> list[PassageToJudge]:
        """The passages before one that explains pairs; or that one, once no decision waits."""
        together = list(takewhile(lambda passage: not passage.explains, self._waiting))
        return together or ([] if self._current.waiting else list(self._waiting)[:1])

    def _on_prepared(self, passages: Sequence[PreparedPassage]) -> None:
        result = self._current.result
        for passage in passages:
            meaning = self._waiting.popleft().meaning
            if result is not None and result.state is not None:
                self._decide(passage, meaning, result.state.rules)
        self.go_on()

    def _decide(
        self, passage: PreparedPassage, meaning: PassageMeaning | None, shown: ExclusionRules
    ) -> None:
        from core.review.decisions import is_light, rules_after
        from core.review.verdicts import judge_passage

        pairs = self._not_judged(passage.pairs)
        if len(pairs) > MOST:
            self.message_posted.emit(too_many(len(pairs), MOST))
            return
        rules = rules_after(shown, self._current.waiting)
        try:
            command, inverse = judge_passage(
                self._current.judgements, rules, passage.text, meaning, pairs
            )
        except ValueError as error:
            self.message_posted.emit(Message(str(error), warning=True))
            return
        copied = meaning is PassageMeaning.COPIED
        text = words.explained(len(pairs)) if copied else words.judged(meaning)
        done_so = self._decisions.decide(command, inverse, says=with_difference(text))
        if done_so and is_light(command):
            self.message_posted.emit(done(text, can_undo=True))

    def _not_judged(self, pairs: Sequence[PairKey]) -> list[PairKey]:
        """The pairs that have not been judged."""
        judgement_of = self._current.judgements.judgement_of
        return [key for key in pairs if judgement_of(key).judgement.verdict is Verdict.NOT_REVIEWED]

    def _on_stopped(self, prepared: int, _error: Exception | None) -> None:
        for _ in range(min(prepared, len(self._waiting))):
            self._waiting.popleft()
        self.go_on()


class PassageSession(Session):
    """Finds the passages of the shown list, once their tab is open.

    Attributes:
        model: The table of passages.
        holders: The documents that hold the passage that is read.

    Signals:
        listed: The number of passages; None before they are found.
        reasoned: A sentence to show instead of passages.
        lookup_done: The `LookedUpPassage` of the passage that is read, or None.
        documents_wanted: The `ListedPair` of two documents to show, listed or not.
        passage_located: The `PassageLocation` of a passage in the pair that is laid out.
    """

    listed = Signal(object)
    reasoned = Signal(str)
    lookup_done = Signal(object)
    documents_wanted = Signal(object)
    passage_located = Signal(object)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._opened: OpenedPair | None = None
        self._sought: LookedUpPassage | None = None
        self.model = PassagesModel(self)
        self.holders = HoldersModel(self)
        self._judging = PassageJudging(context, self)
        self._passages = Follower(
            self._tasks,
            TaskKind.PASSAGES,
            self._listed,
            self._find,
            self,
            key=lambda result: (result.scan, result.settings.passage_length),
        )
        self._passages.began.connect(self._on_began)
        self._passages.value_changed.connect(self._on_computed)
        self._decisions.undo_state_changed.connect(self._show_judged)
        self._tasks.cancelled.connect(self._on_stopped)
        self._tasks.failed.connect(self._on_stopped)

    # The list of passages

    def set_open(self, is_open: bool) -> None:
        """Open or close the tab: passages are searched for only while it is open."""
        if not is_open:
            self._tasks.drop(TaskKind.LOOK_UP)  # nobody reads what it leads to
        self._passages.set_open(is_open)

    def take(self, _result: ScanResult) -> None:
        """Follow another list."""
        self._passages.refresh()
        self._judging.go_on()

    def forget(self) -> None:
        """Clear all for another folder."""
        self._judging.forget()
        self._passages.forget()

    def _listed(self) -> tuple[ScanResult, ...] | None:
        """The list; during a scan none, so that the passages of the list before stay."""
        result = self._current.result
        if result is not None and not result.complete:
            result = self._passages.result
        return (result,) if result is not None else None

    def _find(self, result: ScanResult) -> Callable[[], object]:
        return partial(find_passages, result, self._current.judgements.passages)

    def _on_began(self) -> None:
        self.reasoned.emit(gettext(words.SEARCHING))
        self.submitted.emit()

    def _on_computed(self, passages: PassageList | None) -> None:
        self._tasks.drop(TaskKind.LOOK_UP)
        result = self._passages.result
        if passages is None or result is None:
            self._sought = None
            self._empty(gettext(words.SEARCHING))
            return
        least = passage_in_words(result.settings)
        self.reasoned.emit(gettext(words.NO_PASSAGES, passage=least))
        self._show_judged()
        self.model.set_passages(passages, result.settings.unit)
        self.listed.emit(len(passages))

    def _on_stopped(self, kind: TaskKind) -> None:
        if kind is TaskKind.PASSAGES:
            self._empty(gettext(words.STOPPED))

    def _empty(self, reason: str) -> None:
        self.reasoned.emit(reason)
        self.model.set_passages(None)
        self.holders.set_documents(None, DocumentNames(()))
        self.listed.emit(None)
        self.lookup_done.emit(None)

    # Reading a passage

    def look_up(self, row: int, document: int | None = None) -> None:
        """Show the documents that hold the passage in a row, and read two of them."""
        result, passages = self._passages.result, self.model.passages
        if result is None or passages is None:
            return
        work = partial(look_up, result, passages, self.model.number_at(row), document)
        self._tasks.run(TaskKind.LOOK_UP, work, self._on_looked_up)

    def _on_looked_up(self, lookup: LookedUpPassage) -> None:
        result = self._passages.result
        if result is None:
            return
        if self.holders.documents != list(lookup.documents):
            self.holders.set_documents(list(lookup.documents), result.names)
        self._sought = lookup
        self.lookup_done.emit(lookup)
        if lookup.pair is not None:
            self.documents_wanted.emit(lookup.pair)
            self._reach()

    def judge(self, row: int, meaning: PassageMeaning | None) -> None:
        """Judge the passage in a row; None takes the judgement back."""
        if self.model.passages is not None:
            self._judging.judge(self.model.passages, self.model.number_at(row), meaning)

    def _show_judged(self) -> None:
        self.model.set_judged(self._current.judgements.passages)

    def take_opened(self, opened: OpenedPair | None) -> None:
        """Follow the pair that is laid out, or none."""
        self._opened = opened
        self._reach()

    def _reach(self) -> None:
        """Show the passage, once its documents are laid out."""
        sought, opened = self._sought, self._opened
        if sought is None or opened is None or opened.key != sought.pair:
            return
        self._sought = None
        passage = _passage_at(opened, sought)
        begins = 0 if passage is None else opened.passages[passage].a_start
        within = passage is not None and sought.spans[0][0] - begins > A_LINE
        self.passage_located.emit(PassageLocation(passage, opened.key.names, sought.spans, within))


def _passage_at(opened: OpenedPair, sought: LookedUpPassage) -> int | None:
    """The passage of a pair that holds most of the one looked up, or None."""
    (start, end), _ = sought.spans
    within = [
        min(passage.a_end, end) - max(passage.a_start, start) if passage.a_start < end else 0
        for passage in opened.passages
    ]
    best = max(range(len(within)), key=within.__getitem__, default=None)
    return best if best is not None and within[best] > 0 else None


def find_passages(result: ScanResult, judged: Mapping[str, PassageJudgement]) -> PassageList:
    """Find the passages of a complete list, and those that were judged."""
    from core.scan.passage_list import list_passages

    return list_passages(result.scan, result.settings, judged, current_task().progress)


def prepare_judging(
    result: ScanResult, passages: Sequence[PassageToJudge]
) -> list[PreparedPassage]:
    """Read passages to judge, and find the pairs that are listed for a passage alone."""
    prepared = []
    for passage in passages:
        stop_if_cancelled()
        text = passage.passages.text_of(passage.number)
        pairs = _explained(result, text) if passage.explains else []
        prepared.append(PreparedPassage(text, pairs))
    return prepared


def _explained(result: ScanResult, text: str) -> list[PairKey]:
    from core.documents.model import PairKey
    from core.scan.exclusions import explained_by

    pairs = explained_by(result.scan, result.pairs, result.settings, text)
    documents = result.documents
    both = zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)
    return list(dict.fromkeys(PairKey.of(documents[a], documents[b]) for a, b in both))


def look_up(
    result: ScanResult, passages: PassageList, number: int, document: int | None
) -> LookedUpPassage:
    """Find the documents that hold a passage, and two of them to read, with the wanted one."""
    documents = passages.holders(number)
    pair, is_listed = _two_of(result.pairs, documents, document)
    stop_if_cancelled()
    spans = [passages.spans_in(number, holder)[0] for holder in pair] or [(0, 0), (0, 0)]
    return LookedUpPassage(
        passages.keys[number],
        passages.text_of(number),
        documents,
        result.names.key(*pair) if pair else None,
        (spans[0], spans[1]),
        is_listed,
    )


def _two_of(
    pairs: Pairs, documents: Sequence[int], wanted: int | None
) -> tuple[tuple[int, ...], bool]:
    """The first listed pair of documents, with the wanted one; or else any two of them."""
    holds = np.zeros(max([*documents, 0]) + 1, dtype=np.bool_)
    holds[list(documents)] = True
    inside = (pairs.a < len(holds)) & (pairs.b < len(holds))
    rows = np.flatnonzero(inside)
    rows = rows[holds[pairs.a[rows]] & holds[pairs.b[rows]]]
    if wanted is not None:
        rows = rows[(pairs.a[rows] == wanted) | (pairs.b[rows] == wanted)]
    if len(rows):
        return (int(pairs.a[rows[0]]), int(pairs.b[rows[0]])), True
    if len(documents) < TWO:
        return (), False
    first = documents[0] if wanted is None else wanted
    second = next(number for number in documents if number != first)
    return (min(first, second), max(first, second)), False
