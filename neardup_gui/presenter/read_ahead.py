"""The pair that will be read next, laid out while this one is read.

After a verdict the next pair that waits for one is shown; where none does, the pair below.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.pairs import OpenedPair, prepare_pair
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.scan_result import ListedPair, ScanResult
from neardup_gui.presenter.current import Current

Taken = Callable[[OpenedPair | None], None]


class ReadAhead(QObject):
    """Keeps one pair ready to be shown."""

    def __init__(
        self, queues: JobQueues, current: Current, pairs: PairsModel, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._pairs = pairs
        self._key: ListedPair | None = None
        self._result: ScanResult | None = None  # the list that it is a pair of
        self._ready: OpenedPair | None = None
        self._taken: Taken | None = None

    def begin(self, after: ListedPair, *, changes: bool) -> None:
        """Lay out the pair that comes after one, with its changes where they are wanted."""
        self.stop()
        result, row = self._current.result, self._pairs.row_of(after)
        if result is None or not result.complete or row is None:
            return
        following = self._pairs.next_open(row + 1, self._pairs.pairs_in([row]))
        if following is None:
            following = row + 1
        if following == row or following >= self._pairs.rowCount():
            return
        found = self._pairs.find(self._pairs.key_at(following))
        if found is not None:
            self._key, self._result = found[0], result
            work = prepare_pair(self._current.up_to_date(result), *found, changes=changes)
            self._queues.submit(JobKind.READ_AHEAD, work, self._on_ready)

    def take(self, key: ListedPair, taken: Taken) -> bool:
        """Hand a pair over, now or as soon as it is laid out; False where it is another one.

        `taken` gets None where it could not be laid out.
        """
        if self._key != key or self._result is not self._current.result:
            self.stop()
            return False
        self._taken = taken
        if self._ready is not None:
            self._hand_over(self._ready)
        return True

    def stop(self) -> None:
        """Keep nothing."""
        self._queues.drop(JobKind.READ_AHEAD)
        self._key = self._result = self._ready = self._taken = None

    def _on_ready(self, opened: OpenedPair | None) -> None:
        if self._taken is not None:
            self._hand_over(opened)
        elif opened is None:
            self.stop()
        else:
            self._ready = opened

    def _hand_over(self, opened: OpenedPair | None) -> None:
        taken = self._taken
        self.stop()
        if taken is not None:
            taken(opened)
