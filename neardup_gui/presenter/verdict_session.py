"""Verdicts and notes on pairs: decisions, and the judgements in the table.

What the verdicts given so far say of unread pairs, and the random check that bounds them.

a verdict, another list ─▶ a moment later ─▶ WEIGH ─▶ words, a curve
a check is wanted ─▶ a decision of the log, that can be undone
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.base.arrays import Int64Array
from core.scan.judgements import Judgements, Verdict
from neardup_gui.jobs.pairs import weigh_verdicts
from neardup_gui.jobs.tasks import TaskKind
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.words import sentences
from neardup_gui.presenter.follower import Follower
from neardup_gui.presenter.window_context import Context, Session

if TYPE_CHECKING:
    from core.documents.model import PairKey

LATER = 300  # milliseconds: quick judging stays smooth


MOST = 50_000  # pairs in one decision: writing them takes about a second


class VerdictSession(Session):
    """Judges rows of the table of pairs.

    Attributes:
        so_far: What the verdicts say of unread pairs, a `JudgedSoFar`.

    Signals:
        row_wanted: The row of a pair that was added, or of which a verdict or a note was undone or
            redone.
    """

    row_wanted = Signal(int)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._awaited: Collection[PairKey] = ()
        self._decisions.judged.connect(self._on_judged)
        self._decisions.reversed.connect(self._on_reversed)
        self.so_far = Follower(
            self._tasks, TaskKind.WEIGH, self._judged, self._weigh, self, later=LATER
        )
        self.so_far.open()
        for changed in (
            self._pairs.judged,
            self._pairs.modelReset,
            self._decisions.undo_state_changed,
        ):
            changed.connect(self.so_far.refresh)

    def _judged(self) -> tuple[ScanResult, Judgements] | None:
        result = self._current.result
        is_shown = result is not None and len(result.pairs) == len(self._pairs.verdicts.verdict)
        return (result, self._current.judgements) if result is not None and is_shown else None

    def _weigh(self, result: ScanResult, judgements: Judgements) -> Callable[[], object]:
        verdicts = self._pairs.verdicts
        count = len(result.pair_list.pairs)
        resemblance, given = result.pairs.resemblance[:count], verdicts.verdict[:count]
        return partial(weigh_verdicts, resemblance, given, verdicts, judgements.check)

    def draw(self) -> None:
        """Draw unread pairs at random, to be judged."""
        from core.review.verdicts import draw_check
        from core.scan.unread_pairs import CHECKED, random_check

        result, verdicts = self._current.result, self._pairs.verdicts
        unread = verdicts.unread()
        unread = unread[unread < len(result.pair_list.pairs)] if result else unread
        seed = len(self._current.log)  # another check draws others
        drawn = unread[random_check(CHECKED, len(unread), seed)]
        keys, rest = verdicts.keys_of(drawn), len(unread) - len(drawn)
        self._decisions.decide(*draw_check(self._current.judgements, keys, rest))

    def judge(self, verdict: Verdict, pairs: Int64Array) -> None:
        """Give listed pairs a verdict."""
        from core.review import verdicts

        if self._may(len(pairs)):
            keys = self._pairs.verdicts.keys_of(pairs)
            self._decisions.decide(*verdicts.judge(self._current.judgements, keys, verdict))

    def write_note(self, note: str, pairs: Int64Array) -> None:
        """Write a note on listed pairs."""
        from core.review import verdicts

        if len(note) > verdicts.MOST_OF_NOTE:
            self.message_posted.emit(sentences.too_long(len(note), verdicts.MOST_OF_NOTE))
        elif self._may(len(pairs)):
            keys = self._pairs.verdicts.keys_of(pairs)
            self._decisions.decide(*verdicts.write_note(self._current.judgements, keys, note))

    def add_pairs(self, keys: Sequence[PairKey]) -> None:
        """List pairs that the search did not find; of too many, the first."""
        from core.review import verdicts

        keys = keys[:MOST]
        if self._decisions.decide(*verdicts.list_pairs(keys)):
            self._awaited = keys
            self.message_posted.emit(sentences.added(len(keys)))

    def show_added(self) -> None:
        """Select the first of the pairs that were added, or marked again, once they are listed."""
        keys, self._awaited = self._awaited, ()
        self._on_reversed(keys)

    def mark_seen(self) -> None:
        """Mark all pairs as seen."""
        from core.scan import rescan_changes

        self._decisions.decide(*rescan_changes.mark_seen(self._current.judgements))

    def _may(self, pairs: int) -> bool:
        if pairs > MOST:
            self.message_posted.emit(sentences.too_many(pairs, MOST))
        return pairs <= MOST

    def _on_reversed(self, keys: Collection[PairKey] | None) -> None:
        row = self._pairs.row_of_any(self._pairs.verdicts.rows_of(keys)) if keys else None
        if row is not None:
            self.row_wanted.emit(row)
        elif any(map(self._current.judgements.is_marked, keys or ())):
            self._awaited = keys or ()  # it is listed again for its mark

    def _on_judged(self, keys: Collection[PairKey] | None) -> None:
        self._pairs.set_judgements(self._current.judgements, keys)
