"""The pair at hand on the page of the curve: its place there, and how its signatures agree.

a pair is read, two documents are named ─▶ while the page is open ─▶ SIGNATURES ─▶ a signed pair
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from core.evidence.pairs import FoundBy
from core.reports.curve.state import ThresholdState
from core.reports.pair_words import ListedFor, how_found, how_listed
from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.pairs import OpenedPair
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.jobs.signatures import compare_signatures
from neardup_gui.models.scan_result import ListedPair, ScanResult
from neardup_gui.models.workbench.pair_at_hand import PairAtHand
from neardup_gui.models.workbench.signed_pair import SignedPair
from neardup_gui.presenter.current import Current

if TYPE_CHECKING:
    from core.scan.scan import Scan
    from core.scan.signature_of_pair import SignatureOfPair

NO_DOCUMENTS = "Documents can be named when a folder is scanned."
MOST_NAMES = 30  # offered while a name is typed


class SignatureSession(QObject):
    """Compares the signatures of one pair at a time, and only where somebody looks at them.

    Signals:
        at_hand: The `PairAtHand` for the curve; None where there is none.
        named: The names of the pair that is at hand, before its signatures are compared.
        told: The `SignedPair` of it; None where there is none.
    """

    at_hand = Signal(object)
    named = Signal(object)
    told = Signal(object)

    def __init__(self, queues: JobQueues, current: Current, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._is_open = False
        self._key: ListedPair | None = None
        self._wanted: tuple[ListedPair, Scan] | None = None  # compared, or just being so
        self._told: SignatureOfPair | None = None
        queues.failed.connect(self._on_failed)

    def set_open(self, is_open: bool) -> None:
        """Somebody looks at the pair from now on, or not any more."""
        self._is_open = is_open
        self._compare()

    @Slot(object)
    def take_opened(self, opened: OpenedPair | None) -> None:
        """Another pair is read, or none."""
        self._key = opened.key if opened else None
        at_hand = None
        if opened is not None:
            numbers = opened.comparison.numbers
            containments = numbers.containment_a, numbers.containment_b
            at_hand = PairAtHand(numbers.resemblance, opened.key.names, containments)
        self.at_hand.emit(at_hand)
        self._compare()

    def choose(self, a: str, b: str) -> str:
        """Take two documents by their names, also where they are not listed.

        Returns why that cannot be, in a sentence; else nothing.
        """
        result = self._current.result
        if result is None:
            return NO_DOCUMENTS
        first, second = result.names.index(a), result.names.index(b)
        if first is None or second is None:
            return f"There is no document “{a if first is None else b}” here."
        if first == second:
            return "Name two different documents."
        self._key = result.names.key(first, second)
        self._compare()
        return ""

    def names_like(self, text: str) -> list[str]:
        """Some of the documents whose names contain a text."""
        result = self._current.result
        if result is None:
            return []
        found = np.flatnonzero(result.names.containing(text))[:MOST_NAMES]
        return [result.names.shown[number] for number in found.tolist()]

    @Slot(object)
    def take(self, _result: ScanResult) -> None:
        """Another list is shown."""
        self._compare()

    @Slot()
    def forget(self) -> None:
        """Other folders are shown."""
        self._key = None
        self.at_hand.emit(None)
        self._forget_told()

    def _compare(self) -> None:
        result, key = self._current.result, self._key
        if not self._is_open or result is None or not result.complete or result.state is None:
            return
        documents = self._documents_of(result)
        if key is None or documents is None:
            self._forget_told()
            return
        wanted = (key, result.scan)
        if wanted == self._wanted:
            self._tell()
            return
        self._wanted, self._told = wanted, None
        self.named.emit(key.names)
        work = compare_signatures(result, result.state, documents)
        self._queues.submit(JobKind.SIGNATURES, work, self._take_told)

    def _take_told(self, told: SignatureOfPair) -> None:
        self._told = told
        self._tell()

    def _on_failed(self, kind: JobKind) -> None:
        if kind is JobKind.SIGNATURES:
            self._forget_told()

    def _forget_told(self) -> None:
        self._queues.drop(JobKind.SIGNATURES)
        self._wanted = self._told = None
        self.told.emit(None)

    def _documents_of(self, result: ScanResult) -> tuple[int, int] | None:
        """The numbers of the two documents; None where one is not in the list."""
        if self._key is None:
            return None
        numbers = [result.names.documents.number_of(one) for one in self._key]
        a, b = numbers
        return None if a is None or b is None else (a, b)

    def _tell(self) -> None:
        """Say what is known of the pair, in the list that is shown now."""
        told, key, result = self._told, self._key, self._current.result
        documents = self._documents_of(result) if result else None
        if told is None or key is None or result is None or documents is None:
            return
        reason = _why_listed(result, documents, told)
        pair = SignedPair(key, told, ThresholdState.of(result.settings), reason)
        self.at_hand.emit(pair.at_hand)
        self.told.emit(pair)


def _why_listed(result: ScanResult, documents: tuple[int, int], told: SignatureOfPair) -> str:
    """Why two documents are a pair of the list; empty where they are not."""
    first, second = sorted(documents)
    rows = np.flatnonzero((result.pairs.a == first) & (result.pairs.b == second))
    if not len(rows):
        return ""
    found_by = int(result.pairs.found_by[rows[0]])
    reason = ListedFor.of(told.figures.resemblance, found_by, result.settings)
    sentences = [how_listed(reason, result.settings)]
    if reason is ListedFor.RESEMBLANCE and not found_by & (FoundBy.EXACT | FoundBy.LSH):
        sentences += how_found(found_by).splitlines()
    return " ".join(sentences)
