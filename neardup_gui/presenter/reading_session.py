"""How the files of a window are read: the user's settings, and the passwords entered so far.

    other limits, archives, scans ─▶ changed; the next scan uses them
    a password ─▶ tried by a rescan ─▶ judged by the files that are still locked

Passwords live here and nowhere else, until the window is closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.documents.reading_settings import ReadingSettings
from neardup_gui.models.words import sentences
from neardup_gui.presenter.current import Current

if TYPE_CHECKING:
    from core.documents.model import Problem

LOCKED = "encrypted"  # the value of `ProblemCode`


class ReadingSession(QObject):
    """Changes how files are read, and says what came of the last password.

    Signals:
        changed: The `ReadingSettings`, without passwords in what a receiver keeps of them.
        judged: A sentence on the password that was tried last, and whether it opened a file.
    """

    changed = Signal(object)
    judged = Signal(str, bool)

    def __init__(self, current: Current, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._current = current
        self._tried = ""
        self._locked: frozenset[str] = frozenset()

    def change(self, reading: ReadingSettings) -> None:
        """Read otherwise from now on; the passwords stay."""
        self._current.reading = replace(reading, passwords=self._current.reading.passwords)
        self.changed.emit(self._current.reading)

    def open_archives(self) -> None:
        """Open archives like folders."""
        self.change(replace(self._current.reading, archives=True))

    def read_scans(self) -> None:
        """Read scans with Tesseract."""
        self.change(replace(self._current.reading, ocr=True))

    def begin_trial(self, password: str, problems: Sequence[Problem]) -> None:
        """A password will be tried by the next scan on the files that are locked now."""
        self._tried, self._locked = password, _locked(problems)
        others = tuple(known for known in self._current.reading.passwords if known != password)
        self._current.reading = replace(self._current.reading, passwords=(*others, password))

    def judge_trial(self, problems: Sequence[Problem]) -> None:
        """The scan is over: keep the password if it opened a file, and say so."""
        if not self._tried:
            return
        left = len(self._locked & _locked(problems))
        opened = len(self._locked) - left
        if not opened:
            self._forget_tried()
        self._tried = ""
        self.judged.emit(sentences.password_tried(opened, left), opened > 0)

    def drop_trial(self) -> None:
        """The scan was not finished: nothing is known of the password."""
        if self._tried:
            self._forget_tried()
            self._tried = ""
            self.judged.emit(sentences.password_not_tried(), False)

    def _forget_tried(self) -> None:
        kept = tuple(known for known in self._current.reading.passwords if known != self._tried)
        self._current.reading = replace(self._current.reading, passwords=kept)


def _locked(problems: Sequence[Problem]) -> frozenset[str]:
    return frozenset(problem.name for problem in problems if problem.code == LOCKED)
