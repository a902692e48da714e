"""The page of the groups: the table, and words where there is nothing to show."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from neardup_gui.models.groups.table import GroupsModel
from neardup_gui.models.words.verdicts import Verdict
from neardup_gui.views.groups.table import GroupsTable
from neardup_gui.views.pairs.note_row import NoteRow
from neardup_gui.views.pairs.page import EmptyState

__all__ = ["GroupsPage"]

NOTHING = "No two documents are alike enough to be a group."
NOT_YET = "Groups appear here as soon as pairs are found."
HIDDEN = "No document of a group has this in its name."


class GroupsPage(QWidget):
    """Shows the groups, or a sentence when there are none.

    Signals:
        filter_cleared: The user wants to see every group again.
        verdict_given: A verdict, and on which of the pairs listed.
        note_written: A note, and on which of them.
    """

    filter_cleared = Signal()
    verdict_given = Signal(object, object)
    note_written = Signal(str, object)

    def __init__(self, model: GroupsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._is_known = False
        self.table = GroupsTable(model)
        self.note_row = NoteRow()
        self._empty = EmptyState()
        over = QVBoxLayout(self.table.viewport())
        over.setContentsMargins(0, 0, 0, 0)
        over.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table, 1)
        column.addWidget(self.note_row)
        self.note_row.written.connect(self.note_written)
        self._empty.clear_clicked.connect(self.filter_cleared)
        model.modelReset.connect(self._on_reset)
        self._on_reset()

    @property
    def entry(self) -> QWidget:
        """Where the keyboard enters."""
        return self.table

    def set_number(self, number: int | None) -> None:
        """How many groups there are; None before they are made."""
        self._is_known = number is not None
        self._on_reset()

    def judge(self, verdict: Verdict) -> None:
        """Give the pairs of the selected rows a verdict, of a group all; go to what waits next."""
        rows = self.table.selected_rows
        pairs = self._model.pairs_of_rows(rows)
        if not len(pairs):
            return
        self.verdict_given.emit(verdict, pairs)
        if verdict is not Verdict.NOT_REVIEWED and self._model.verdicts.are_open(pairs):
            return  # nothing could be decided, as the message bar says
        onward = self._model.next_to_judge(rows[-1] + 1)
        if onward is not None:
            self.table.select_row(onward)

    def write_note(self) -> None:
        """Let the user write a note on the pairs of the selected rows."""
        pairs = self._model.pairs_of_rows(self.table.selected_rows)
        if len(pairs):
            self.note_row.begin(self._model.verdicts.note(int(pairs[0])), pairs)

    def step(self, rows: int) -> None:
        """Select the row so many further down."""
        self.table.step(rows)

    def tell_selection(self) -> None:
        """Show again what the current row is about."""
        if self.table.current is None:
            self.table.select_row(0)
        self.table.tell_pair()

    def _on_reset(self) -> None:
        shown = self._model.rowCount() > 0
        self._empty.setVisible(not shown)
        if not shown:
            filtered = self._model.is_filtered and self._model.total > 0
            none = NOTHING if self._is_known else NOT_YET
            self._empty.show_text(HIDDEN if filtered else none, filtered)
