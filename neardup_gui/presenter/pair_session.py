"""The pair that is laid out for reading, and the one that is being laid out.

a row, two documents ─▶ COMPARE ─▶ the compare view
                                └─▶ not at once: the view says so, in place of the pair before
    a pair is read ─▶ READ_AHEAD, for the pair after it
    differences wanted ─▶ FIND_CHANGES, for the open pair; those after it come with theirs

Of several rows chosen one after the other only the last is waited for; the others are stopped.

The pair that will be read next, laid out while this one is read.

After a verdict the next pair that waits for one is shown; where none does, the pair below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from core.evidence.pairs import Pairs
from neardup_gui.jobs.pairs import OpenedPair, compare_pair, find_changes, prepare_pair
from neardup_gui.jobs.tasks import TaskKind
from neardup_gui.models.compare.comparison import Comparison
from neardup_gui.models.scan_result import Languages, ListedPair, ScanResult
from neardup_gui.presenter.window_context import Context, Session

Taken = Callable[[OpenedPair | None], None]


class ReadAhead(Session):
    """Lays out the next pair ahead of time."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._key: ListedPair | None = None
        self._result: ScanResult | None = None  # the list of the pair
        self._ready: OpenedPair | None = None
        self._taken: Taken | None = None

    def begin(self, after: ListedPair, *, changes: bool) -> None:
        """Lay out the pair after the given one, with its changes if they are wanted."""
        self.stop()
        result, row = self._current.result, self._pairs.row_of(after)
        if result is None or not result.complete or row is None:
            return
        following = self._pairs.next_open(row + 1, self._pairs.pairs_in([row]))
        if following is None:
            following = row + 1
        if following == row or following >= self._pairs.rowCount():
            return
        entry = self._pairs.find(self._pairs.key_at(following))
        if entry is not None:
            self._key, self._result = entry[0], result
            up_to_date = self._current.up_to_date(result)
            work = partial(prepare_pair, up_to_date, *entry, changes=changes)
            self._tasks.run(TaskKind.READ_AHEAD, work, self._on_ready)

    def take(self, key: ListedPair, taken: Taken) -> bool:
        """Hand the pair over, now or once it is laid out; False if it is not the wanted one.

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
        """Drop the pair."""
        self._tasks.drop(TaskKind.READ_AHEAD)
        self._key = self._result = self._ready = self._taken = None

    def pause(self) -> None:
        """Stop laying out, unless the pair is waited for."""
        if self._ready is None and self._taken is None:
            self.stop()

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


AT_ONCE = 100  # milliseconds in which a pair replaces another without a message


class PairSession(Session):
    """Lays out one pair of the list at a time.

    Attributes:
        shown: The pair whose texts are laid out.
        opened_pair: The pair that is shown, with its passages.
        wanted: The pair that is open or on its way.

    Signals:
        loading: The names of a pair that takes a while.
        compared: A `Comparison` for the compare view.
        opened: The `OpenedPair` of the same; None where no pair is open any more.
        changes_ready: A `Comparison` of the changes of the pair that is shown.
        texts_differ: The `ListedPair` of a pair whose texts say something else than the list.
        swapped: A and B of the pair that is shown are exchanged.
        failed: The pair that was on its way could not be laid out.
        lost: The pair that was open is not listed any more.
    """

    loading = Signal(object)
    compared = Signal(object)
    opened = Signal(object)
    changes_ready = Signal(object)
    texts_differ = Signal(object)
    swapped = Signal()
    failed = Signal()
    lost = Signal()

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.shown: ListedPair | None = None
        self.wanted: ListedPair | None = None
        self.opened_pair: OpenedPair | None = None  # the pair that is shown, A and B as listed
        self._differences = False
        self._any_documents = False  # whether the documents may be a pair that is not listed
        self.ahead = ReadAhead(context, self)
        self._slow = QTimer(self, singleShot=True, interval=AT_ONCE)
        self._slow.timeout.connect(self._on_slow)
        self._languages: Mapping[str, str] = {}  # chosen languages when pairs were last laid out
        self._decisions.undo_state_changed.connect(self._on_decided)

    @property
    def has_pair(self) -> bool:
        """Whether a pair is open or being laid out."""
        return self.wanted is not None

    def open(self, key: ListedPair) -> None:
        """Lay a pair out for reading, unless it is shown already."""
        self._any_documents = False
        self._open(key)

    def open_documents(self, key: ListedPair) -> None:
        """Lay two documents out, even if their pair is not listed."""
        self._any_documents = True
        self._open(key)

    def _open(self, key: ListedPair) -> None:
        if key == self.shown:
            self.wanted = key
            self._tasks.drop(TaskKind.COMPARE)
            self._slow.stop()
        else:
            self._compare(key)

    def open_again(self) -> None:
        """Read the open pair again: its files may have changed since."""
        if self.wanted is None:
            return
        if self._find(self.wanted) is not None:
            self.shown = None  # the shown texts may be out of date
            self._compare(self.wanted)
        else:
            self.forget()
            self.lost.emit()

    def _compared(self, opened: OpenedPair) -> None:
        self._slow.stop()
        self.shown = self.wanted = opened.key
        self.opened_pair = opened
        self._find_changes()
        swapped = self._pairs.is_swapped(opened.key)
        self.compared.emit(opened.comparison.swapped() if swapped else opened.comparison)
        self.opened.emit(opened)
        if opened.differs:
            self.texts_differ.emit(opened.key)
        self.ahead.begin(opened.key, changes=self._differences)

    def show_differences(self, wanted: bool) -> None:
        """Start or stop finding the changes of the open pair and of those after it."""
        self._differences = wanted
        self._tasks.drop(TaskKind.FIND_CHANGES)
        self._find_changes()
        if self.opened_pair is not None:
            self.ahead.begin(self.opened_pair.key, changes=wanted)

    def _find_changes(self) -> None:
        opened = self.opened_pair
        if self._differences and opened is not None and opened.comparison.changes is None:
            work = partial(find_changes, opened.comparison, opened.passages)
            self._tasks.run(TaskKind.FIND_CHANGES, work, self._on_changes_found)

    def _on_changes_found(self, changes: Comparison) -> None:
        if self.opened_pair is None or self.shown != self.opened_pair.key:
            return
        comparison = replace(self.opened_pair.comparison, changes=changes)
        self.opened_pair = self.opened_pair._replace(comparison=comparison)
        swapped = self._pairs.is_swapped(self.opened_pair.key)
        self.changes_ready.emit(changes.swapped() if swapped else changes)

    def swap(self) -> None:
        """Exchange A and B of the open pair, in its row and in its texts."""
        if self.wanted is None:
            return
        self._pairs.swap(self.wanted)
        if self.shown == self.wanted:  # else it will be laid out exchanged
            self.swapped.emit()

    def _give_up(self, _error: Exception | None) -> None:
        self.forget()
        self.failed.emit()

    def forget(self) -> None:
        """Close the pair."""
        self.shown = self.wanted = self.opened_pair = None
        self._slow.stop()
        self.ahead.stop()
        self._tasks.drop(TaskKind.COMPARE, TaskKind.FIND_CHANGES)
        self.opened.emit(None)

    def _compare(self, key: ListedPair) -> None:
        result, entry = self._current.result, self._find(key)
        if result is None or entry is None:
            return
        key, pair = entry  # its documents may have other names by now
        self.wanted = key
        up_to_date = self._current.up_to_date(result)
        work = partial(compare_pair, up_to_date, key, pair, changes=self._differences)
        self._tasks.drop(TaskKind.COMPARE, TaskKind.FIND_CHANGES)
        self._slow.start()

        def taken(opened: OpenedPair | None) -> None:
            if opened is not None:
                self._compared(opened)
            else:
                self._tasks.run(TaskKind.COMPARE, work, self._compared, stopped=self._give_up)

        if not self.ahead.take(key, taken):
            taken(None)

    def _find(self, key: ListedPair) -> tuple[ListedPair, Pairs | None] | None:
        """A pair of the list, or, if wanted, any two documents of it."""
        entry = self._pairs.find(key)
        if entry is not None or not self._any_documents:
            return entry
        names = self._current.result.names if self._current.result else None
        numbers = [names.documents.number_of(document) for document in key] if names else [None]
        if names is None or None in numbers:
            return None
        a, b = (number for number in numbers if number is not None)
        return names.key(a, b), None

    def _on_decided(self) -> None:
        """Lay out again after languages changed, which decide which words count as near."""
        if self._current.judgements.languages == self._languages:
            return
        self._languages = self._current.judgements.languages
        self.ahead.stop()
        opened = self.opened_pair
        if opened is not None and opened.languages != self._languages_of_opened():
            self.open_again()

    def _languages_of_opened(self) -> Languages | None:
        result = self._current.result
        if result is None or self.opened_pair is None:
            return None
        a, b = self.opened_pair.documents
        return self._current.up_to_date(result).languages_of(a, b)

    def _on_slow(self) -> None:
        self.shown = None
        if self.wanted is not None:
            self.loading.emit(self.wanted.names)
