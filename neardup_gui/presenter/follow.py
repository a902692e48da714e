"""What follows the list or the pair at hand: computed again when that is another.

another list, another row ─▶ a moment later, while it is looked at ─▶ a task ─▶ `told`
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


def _are_same(one: Subject, other: Subject) -> bool:
    """Whether two are about the same objects."""
    both = zip(one, other, strict=True)
    return all(a is b or (isinstance(a, int | Mapping) and a == b) for a, b in both)


class Follower(QObject):
    """Has one thing computed of what is at hand, and of nothing that is at hand no more.

    Signals:
        told: What was computed; None where it was forgotten.
        began: It is being computed.
        previewed: What the work shows before it ends.
    """

    told = Signal(object)
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
        """Follow something.

        Args:
            tasks: What it is computed on.
            kind: What its work is for.
            subject: Gives what it is computed of: the list first; None where there is nothing.
            work: Given the subject, the function that computes it.
            parent: Owns this.
            later: Milliseconds to wait where more changes may follow, as when somebody drags.
            key: Given the subject, that of it on which what is computed depends.
            forgets: Whether what was told of one scan does not hold for another.
        """
        super().__init__(parent)
        self._tasks = tasks
        self._kind = kind
        self._subject = subject
        self._work = work
        self._key = key
        self._forgets = forgets
        self._is_open = False
        self._told: Subject | None = None  # what was told last is of this
        self._wanted: Subject | None = None  # that is being computed
        self._delay = later
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self._compute)

    @property
    def result(self) -> ScanResult | None:
        """The list that what was told last is of."""
        return self._told[0] if self._told is not None else None

    def open(self) -> None:
        """Somebody looks, and from now on may look again."""
        self.set_open(True)

    def set_open(self, is_open: bool) -> None:
        """Somebody looks from now on, or not any more."""
        self._is_open = is_open
        if is_open:
            self._later.start(0)
        else:
            self._stop()

    def refresh(self, *_what: object) -> None:
        """What is at hand may be another."""
        subject, previous = self._subject(), self._told
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
        """Nothing is at hand."""
        self._stop()
        self._told = None
        self.told.emit(None)

    def _is_known(self, subject: Subject | None) -> bool:
        """Whether what is computed, or was told, holds for a subject."""
        known = self._wanted or self._told
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
            partial(self._tell, subject),
            previewed=self.previewed.emit,
            stopped=self._on_stopped,
        )

    def _tell(self, subject: Subject, value: object) -> None:
        self._told, self._wanted = subject, None
        self.told.emit(value)

    def _on_stopped(self, _error: Exception | None) -> None:
        self._told = self._wanted = None
