"""The passages that documents share: found while their tab is open, and read two by two.

the tab is open, a list ─▶ PASSAGES ─▶ the table of passages
a passage, a document ─▶ LOOK_UP ─▶ who holds it ─▶ two of them are read, at the passage
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.reports.pair_words import passage_in_words
from core.scan.judgements import PassageMeaning
from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.pairs import OpenedPair
from neardup_gui.jobs.passages import find_passages, look_up
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.models.passages.holders import HoldersModel
from neardup_gui.models.passages.looked_up import LookedUp, PassagePlace
from neardup_gui.models.passages.table import PassagesModel
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.words import passages as words
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.decision_session import DecisionSession
from neardup_gui.presenter.passage_judging import PassageJudging

if TYPE_CHECKING:
    from core.scan.passage_list import PassageList


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
