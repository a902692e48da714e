"""The phrase of the search field, searched for in the texts of all documents.

another phrase, another list ─▶ a moment later: SEARCH ─▶ which documents contain it ─▶ the tables

Names are searched by the tables themselves, at once. Until another phrase or list is searched, they
go on showing what was found before; a longer phrase is looked for only where its beginning is.
"""

from __future__ import annotations

import unicodedata
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.base.arrays import BoolArray
from core.base.tasks import stop_if_cancelled
from core.text.lines_and_phrases import Phrase
from neardup_gui.jobs.tasks import TaskKind
from neardup_gui.models.scan_result import DocumentNames, ListedPair, PhraseMatches
from neardup_gui.models.words import sentences
from neardup_gui.presenter.window_context import Context, Session

if TYPE_CHECKING:
    from core.scan.scan import Scan

LATER = 200  # milliseconds: the user may go on typing
composed = partial(unicodedata.normalize, "NFC")


class SearchSession(Session):
    """Searches the texts, unless the user wants names only or a scan runs.

    Signals:
        matches_changed: Other documents than before contain what is looked for.
        sentence_changed: A sentence on what contains it; empty where nothing is looked for.
    """

    matches_changed = Signal()
    sentence_changed = Signal(str)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._phrase = ""
        self._names_only = False
        self._later = QTimer(self, singleShot=True, interval=LATER)
        self._later.timeout.connect(self._search)

    def find(self, text: str) -> None:
        """Search for another phrase."""
        self._phrase = text.strip()
        self.take()

    def set_names_only(self, names_only: bool) -> None:
        """Search names only, or texts too."""
        self._names_only = names_only
        self.take()

    @Slot(object)
    def take(self, _result: object = None) -> None:
        """Search again if the phrase or the list has changed."""
        self._later.stop()
        self._tasks.drop(TaskKind.SEARCH)
        known = self._pairs.names.in_texts
        is_known = known is not None and known.phrase == self._phrase
        is_current = known is not None and not known.list_before
        will_be_known = self._is_complete or is_known
        if self._names_only or not self._phrase or not will_be_known:
            self._forget_matches()
        elif self._is_complete and not (is_known and is_current):
            self._later.start()
        self.emit_sentence()

    def phrase_in(self, pair: ListedPair | None) -> str:
        """The phrase if one of the texts of a pair contains it; else empty."""
        names, known = self._pairs.names, self._pairs.names.in_texts
        numbers = [] if pair is None else map(names.documents.number_of, pair)
        contains = known and any(n is not None and known.documents[n] for n in numbers)
        return known.phrase if known and contains else ""

    @property
    def _is_complete(self) -> bool:
        result = self._current.result
        return result is not None and result.complete

    def _search(self) -> None:
        result, phrase = self._current.result, self._phrase
        if result is None:
            return
        known = result.names.in_texts
        is_longer = (
            known and not known.list_before and composed(phrase).startswith(composed(known.phrase))
        )
        among = known.documents if known and is_longer else None
        work = partial(search_texts, result.scan, phrase, among)
        done = partial(self._take_matches, result.names, phrase)
        self._tasks.run(TaskKind.SEARCH, work, done, stopped=lambda _error: self._forget_matches())

    def _forget_matches(self) -> None:
        names, known = self._pairs.names, self._pairs.names.in_texts
        names.in_texts = None
        if known is not None and self._phrase:
            self.matches_changed.emit()
        self.emit_sentence()

    def _take_matches(self, names: DocumentNames, phrase: str, documents: BoolArray) -> None:
        names.in_texts = PhraseMatches(phrase, documents)
        self.matches_changed.emit()
        self.emit_sentence()

    def emit_sentence(self, _state: object = None) -> None:
        """Announce what contains the phrase, as far as is known and as far as no scan runs."""
        if not self._phrase:
            self.sentence_changed.emit("")
            return
        names, known = self._pairs.names, self._pairs.names.in_texts
        is_known = known and known.phrase == self._phrase and not known.list_before
        self.sentence_changed.emit(
            sentences.sought(
                self._phrase,
                int(np.count_nonzero(names.named(self._phrase))),
                int(np.count_nonzero(known.documents)) if known and is_known else None,
                is_searching=self._later.isActive() or self._tasks.is_busy(TaskKind.SEARCH),
                waits=not self._names_only
                and not self._is_complete
                and self._tasks.is_busy(TaskKind.SCAN, TaskKind.OPEN),
            )
        )


def search_texts(scan: Scan, phrase: str, among: BoolArray | None) -> BoolArray:
    """Which documents contain a phrase in their texts, bool; with `among`, only of these."""
    wanted, texts = Phrase(phrase), scan.texts
    contains = np.zeros(len(texts), dtype=np.bool_)
    for number in range(len(texts)) if among is None else np.flatnonzero(among).tolist():
        stop_if_cancelled()
        contains[number] = wanted.is_in(texts[number])
    return contains
