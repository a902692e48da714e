"""The page of the passages: which there are, who holds the one that is read, what it is."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from neardup_gui.models.passages.holders import HoldersModel
from neardup_gui.models.passages.looked_up import LookedUp
from neardup_gui.models.passages.table import PassagesModel
from neardup_gui.models.words.passages import (
    BY_VERDICT,
    MEANINGS,
    NOT_LISTED,
    SEARCHING,
    PassageMeaning,
    Verdict,
)
from neardup_gui.views.pairs.page import EmptyState
from neardup_gui.views.passages.controls import MeaningButton, ThinSplitter
from neardup_gui.views.passages.table import HoldersTable, PassagesTable
from neardup_gui.views.widgets.cut_label import CutLabel

__all__ = ["PassagesPage"]

HIDDEN = "No passage begins with words that have this in them."
SHARES = (5, 2)  # of the width, of passages and of documents
SIDE = 10


class PassagesPage(QWidget):
    """Shows the passages, or a sentence when there are none.

    Signals:
        row_chosen: The row of the passage to read, and the number of a document or None.
        pair_opened: The user wants to read the two documents that are shown.
        meaning_given: The row of a passage, and what it is: a `PassageMeaning` or None.
        filter_cleared: The user wants to see every passage again.
    """

    row_chosen = Signal(int, object)
    pair_opened = Signal()
    meaning_given = Signal(int, object)
    filter_cleared = Signal()

    def __init__(
        self, model: PassagesModel, holders: HoldersModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._reason = SEARCHING
        self._holders = holders
        self.table = PassagesTable(model)
        self.holders = HoldersTable(holders)
        self._empty = EmptyState()
        self._note = CutLabel()
        self._judging = QHBoxLayout()
        self._lay_out()
        self._empty.clear_clicked.connect(self.filter_cleared)
        self.table.rested.connect(self.tell_selection)
        self.table.opened.connect(self.pair_opened)
        self.holders.rested.connect(self._on_document_rested)
        self.holders.opened.connect(self.pair_opened)
        model.modelReset.connect(self._on_reset)
        self._on_reset()

    def _lay_out(self) -> None:
        over = QVBoxLayout(self.table.viewport())
        over.setContentsMargins(0, 0, 0, 0)
        over.addWidget(self._empty)
        both = ThinSplitter()
        for place, (table, share) in enumerate(
            zip((self.table, self.holders), SHARES, strict=True)
        ):
            both.addWidget(table)
            both.setStretchFactor(place, share)
        self._judging.setContentsMargins(SIDE, 2, SIDE, 2)
        self._judging.setSpacing(2)
        self._judging.addWidget(self._note, 1)
        self.buttons = [MeaningButton(meaning) for meaning in MEANINGS]
        for meaning, button in zip(MEANINGS, self.buttons, strict=True):
            button.clicked.connect(partial(self._say, meaning))
            self._judging.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(both, 1)
        column.addLayout(self._judging)

    @property
    def entry(self) -> QWidget:
        """Where the keyboard enters."""
        return self.table

    @property
    def empty_sentence(self) -> str:
        """What stands in the place of the passages; empty when there are some."""
        return "" if self._empty.isHidden() else self._empty.sentence

    def set_reason(self, sentence: str) -> None:
        """What to say when there are no passages."""
        self._reason = sentence
        self._on_reset()

    def show_looked_up(self, found: LookedUp | None) -> None:
        """Say of the two documents that are read what the lists do not say."""
        is_other = found is not None and found.pair is not None and not found.is_listed
        self._note.show_sentence(NOT_LISTED if is_other else "")

    def step(self, rows: int) -> None:
        """Select the passage so many rows further down."""
        self.table.step(rows)

    def tell_selection(self) -> None:
        """Show again what the current row is about."""
        if self.table.current_row >= 0:
            self.row_chosen.emit(self.table.current_row, None)

    def judge(self, verdict: Verdict) -> None:
        """Say what the passage is, with the key that gives a pair this verdict."""
        self._say(BY_VERDICT[verdict])

    def _say(self, meaning: PassageMeaning | None) -> None:
        row = self.table.current_row
        if row >= 0:
            self.meaning_given.emit(row, meaning)
            following = self._model.next_not_judged(row)
            if following is not None and meaning is not None:
                self.table.select_row(following)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leads from the documents back to the passages."""
        if event.key() == Qt.Key.Key_Escape and self.holders.hasFocus():
            self.table.setFocus()
        else:
            super().keyPressEvent(event)

    def _on_document_rested(self) -> None:
        if self.table.current_row >= 0:
            document = self._holders.documents[self.holders.current_row]
            self.row_chosen.emit(self.table.current_row, document)

    def _on_reset(self) -> None:
        shown = self._model.rowCount() > 0
        for button in self.buttons:
            button.setEnabled(shown)
        self._empty.setVisible(not shown)
        if not shown:
            filtered = self._model.total > 0
            self._empty.show_text(HIDDEN if filtered else self._reason, filtered)
