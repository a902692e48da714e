"""The bar below the texts beside a slim list: verdicts, the note, the next pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QSize
from PySide6.QtGui import QAction, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from neardup_gui.views.pairs.page import NoteRow
from neardup_gui.views.widgets.buttons import ToolButton
from neardup_gui.views.widgets.containers import FollowsSize, LineAbove

SIDE, AIR, GAP = 12, 4, 4
NOTE = 240  # with its title, between the buttons
# Whether keys and words are shown on the buttons, and what is left for the note: where there is no
# room between them, it has a line of its own.
WAYS = (
    (True, True, NOTE),
    (False, True, NOTE),
    (True, True, 0),
    (False, True, 0),
    (True, False, 0),
)


class StandingNote(NoteRow):
    """The note on the pair that is read, always in sight.

    For as long as somebody writes on another pair, the one just judged, it says on which.
    """

    def __init__(self) -> None:
        super().__init__(lines=1)
        self._standing: tuple[str, object] = ("", None)
        self.layout().setContentsMargins(SIDE, 0, SIDE, 0)  # type: ignore[union-attr]
        self._subject.hide()
        self._hint.hide()
        self.setEnabled(False)
        self.show()

    def stand(self, note: str, about: object) -> None:
        """Show the note on the pair that is read; `about` is None if none is."""
        self._standing = (note, about)
        if not self._field.hasFocus():
            self._restore()

    def begin(self, note: str, about: object, names: str) -> None:
        """Let the user write."""
        super().begin(note, about, names)
        pairs, standing = (cast("npt.ArrayLike", each) for each in (about, self._standing[1]))
        self._subject.setVisible(not np.array_equal(pairs, standing))

    def leave(self) -> None:
        """Give the focus back, and show the note on the pair that is read."""
        super().leave()
        self.show()
        self._restore()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw no line: the bar draws it."""

    def _on_field_entered(self) -> None:
        """Begin a note on the pair that is read."""
        if self._about is None:
            self._about = self._standing[1]

    def _restore(self) -> None:
        note, about = self._standing
        self._about = None
        self._subject.hide()
        self.setEnabled(about is not None)
        self._field.setPlainText(note)


class JudgingBar(FollowsSize, LineAbove):
    """The buttons and the note, always at the same position."""

    help_page = "deciding"

    def __init__(self) -> None:
        super().__init__()
        self.note = StandingNote()
        self._column, self._row = QVBoxLayout(self), QHBoxLayout()
        self._column.setContentsMargins(SIDE, AIR, SIDE, AIR)
        self._column.setSpacing(0)
        self._column.addLayout(self._row)
        self._row.setSpacing(GAP)
        self._row.addStretch()
        self._column.addWidget(self.note)
        self._buttons: list[ToolButton] = []
        self._least = 0
        self.hide()

    def offer(self, verdicts: Sequence[QAction], onward: QAction) -> None:
        """Add buttons for the actions: verdicts before the note, the next pair after it."""
        for index, verdict in enumerate(verdicts):
            self._buttons.append(ToolButton(verdict))
            self._row.insertWidget(index, self._buttons[-1])
        self._buttons.append(ToolButton(onward))
        self._row.addWidget(self._buttons[-1])
        self.follow_looks()

    def minimumSizeHint(self) -> QSize:
        """The signs of the verdicts with their keys."""
        return QSize(self._least, super().minimumSizeHint().height())

    def follow_looks(self) -> None:
        """Show as much as there is room for."""
        self._least = self._wanted(keys=True, words=False)
        for keys, words, note in WAYS:
            if self._wanted(keys=keys, words=words) + note <= self.width():
                break
        if note and self._row.indexOf(self.note) < 0:
            self._column.removeWidget(self.note)
            self._row.insertWidget(len(self._buttons) - 1, self.note, 1)
        elif not note and self._column.indexOf(self.note) < 0:
            self._row.removeWidget(self.note)
            self._column.addWidget(self.note)

    def _wanted(self, *, keys: bool, words: bool) -> int:
        """The width of the buttons when they show this, with their gaps."""
        for button in self._buttons:
            button.show_key(keys)
            button.show_mark_only(not words)
        return sum(button.sizeHint().width() + GAP for button in self._buttons) + 2 * SIDE
