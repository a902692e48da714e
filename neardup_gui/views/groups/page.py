"""The page of the groups: the table, and words where there is nothing to show."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from core.scan.judgements import Verdict
from neardup_gui.models.groups.table import GroupsModel
from neardup_gui.models.words.verdicts import pairs_named
from neardup_gui.views.groups.table import GroupsTable
from neardup_gui.views.pairs.note_row import NoteRow
from neardup_gui.views.widgets.rows_page import RowsPage

NOTHING = "No two documents are alike enough to be a group."
NOT_YET = "Groups appear here as soon as pairs are found."


class GroupsPage(RowsPage):
    """Shows the groups.

    Signals:
        verdict_given: A verdict, and on which of the pairs listed.
        note_written: A note, and on which of them.
    """

    verdict_given = Signal(object, object)
    note_written = Signal(str, object)

    hidden = "No document of a group has this in its name."
    table: GroupsTable

    def __init__(self, model: GroupsModel, parent: QWidget | None = None) -> None:
        super().__init__(model, GroupsTable(model), NOT_YET, parent)
        self._model = model
        self.note_row = NoteRow()
        self.note_row.written.connect(self.note_written)
        self._stack(self.table, self.note_row, main=self.table)

    def set_number(self, number: int | None) -> None:
        """How many groups there are; None before they are made."""
        self.set_reason(NOT_YET if number is None else NOTHING)

    def judge(self, verdict: Verdict) -> None:
        """Give the pairs of the selected rows a verdict, of a group all; go to what waits next."""
        rows = self.table.selected_rows.tolist()
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
        pairs = self._model.pairs_of_rows(self.table.selected_rows.tolist())
        if len(pairs):
            note = self._model.verdicts.note(int(pairs[0]))
            key = self._model.pair_at(self.table.current_row)
            self.note_row.begin(note, pairs, pairs_named(len(pairs), key))

    def tell_selection(self) -> None:
        """Show again what the current row is about."""
        if self.table.current is None:
            self.table.select_row(0)
        self.table.tell_pair()
