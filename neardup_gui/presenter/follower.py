"""Values computed from the current list or pair: computed again when that changes.

another list, another row ─▶ a moment later, while its view is open ─▶ a task ─▶ `value_changed`
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from neardup_gui.jobs.tasks import TaskKind, Tasks
from neardup_gui.models.scan_result import ScanResult

Subject = tuple[Any, ...]  # begins with a `ScanResult`


def _itself(*subject: object) -> Subject:
    return subject


def _are_same(first: Subject, second: Subject) -> bool:
    """Whether two subjects hold the same objects."""
    both = zip(first, second, strict=True)
    return all(a is b or (isinstance(a, int | Mapping) and a == b) for a, b in both)


class Follower(QObject):
    """Has a value computed from the current subject, and drops the work for earlier ones.

    Signals:
        value_changed: The computed value; None when it was forgotten.
        began: A value is being computed.
        previewed: A preview of the work.
    """

    value_changed = Signal(object)
    began = Signal()
    previewed = Signal(object)

    def __init__(
        self,
        tasks: Tasks,
        kind: TaskKind,
        subject: Callable[[], Subject | None],
        work: Callable[..., Callable[[], object]],
        parent: QObject,
        *,
        later: int = 0,
        key: Callable[..., Subject] = _itself,
        forgets: bool = True,
    ) -> None:
        """Follow a subject.

        Args:
            tasks: Runs the work.
            kind: The kind of the work.
            subject: Gives what the value is computed from, the list first; None if nothing is.
            work: Given the subject, returns the function that computes the value.
            parent: Owns this.
            later: Milliseconds to wait where more changes may follow, as while dragging.
            key: Given the subject, returns the part of it on which the value depends.
            forgets: Whether the value of one scan is forgotten for another.
        """
        super().__init__(parent)
        self._tasks = tasks
        self._kind = kind
        self._subject = subject
        self._work = work
        self._key = key
        self._forgets = forgets
        self._is_open = False
        self._latest: Subject | None = None  # of the last value
        self._wanted: Subject | None = None  # of the value being computed
        self._delay = later
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self._compute)

    @property
    def result(self) -> ScanResult | None:
        """The list of the last value."""
        return self._latest[0] if self._latest is not None else None

    def open(self) -> None:
        """Compute from now on: a view shows the value."""
        self.set_open(True)

    def set_open(self, is_open: bool) -> None:
        """Start or stop computing, as a view that shows the value is opened or closed."""
        self._is_open = is_open
        if is_open:
            self._later.start(0)
        else:
            self._stop()

    def refresh(self, *_arguments: object) -> None:
        """Compute again if the subject has changed."""
        subject, previous = self._subject(), self._latest
        before = self._wanted or previous
        if self._is_known(subject):
            return
        self._stop()
        is_of_same = (
            previous is not None and subject is not None and subject[0].scan is previous[0].scan
        )
        if before is not None and (subject is None or (self._forgets and not is_of_same)):
            self.forget()
        self._later.start(self._delay if is_of_same else 0)

    def forget(self) -> None:
        """Forget the value: there is no subject."""
        self._stop()
        self._latest = None
        self.value_changed.emit(None)

    def _is_known(self, subject: Subject | None) -> bool:
        """Whether the value being computed, or the last one, holds for a subject."""
        known = self._wanted or self._latest
        if known is None or subject is None:
            return known is subject
        return _are_same(self._key(*known), self._key(*subject))

    def _stop(self) -> None:
        self._later.stop()
        self._wanted = None
        self._tasks.drop(self._kind)

    def _compute(self) -> None:
        subject = self._subject()
        if not self._is_open or subject is None or self._is_known(subject):
            return
        self._wanted = subject
        self.began.emit()
        self._tasks.run(
            self._kind,
            self._work(*subject),
            partial(self._on_computed, subject),
            previewed=self.previewed.emit,
            stopped=self._on_stopped,
        )

    def _on_computed(self, subject: Subject, value: object) -> None:
        self._latest, self._wanted = subject, None
        self.value_changed.emit(value)

    def _on_stopped(self, _error: Exception | None) -> None:
        self._latest = self._wanted = None
