"""The page of the passages: their list, and the documents and judgement of the one read."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import QSplitter

from core.base.messages import N_, gettext
from core.scan.judgements import Verdict
from neardup_gui.models.passages import HoldersModel, LookedUpPassage, PassageColumn, PassagesModel
from neardup_gui.models.table_model import TableModel
from neardup_gui.models.words.passages import BY_VERDICT, NOT_LISTED, SEARCHING
from neardup_gui.views.widgets.labels import CutLabel
from neardup_gui.views.widgets.layouts import split
from neardup_gui.views.widgets.rows_table import NameDelegate, RowDelegate, RowsPage, RowsTable

FEW = 8  # letters of a passage or name that are shown at least


class PassagesTable(RowsTable):
    """One row per passage; the selection stays when the list changes."""

    name_letters = FEW

    def __init__(self, model: PassagesModel) -> None:
        name = gettext("Passages that documents share")
        super().__init__(model, PassageColumn.PASSAGE, name, single=True)
        words = RowDelegate(self, elide=Qt.TextElideMode.ElideRight)
        self.setItemDelegateForColumn(PassageColumn.PASSAGE, words)

    def _on_lost(self) -> None:
        self.select_row(0)


class HoldersTable(RowsTable):
    """One row per document that holds a passage, or a part of a document."""

    name_letters = FEW

    def __init__(self, model: TableModel[Any, None], name: str) -> None:
        super().__init__(model, 0, name, single=True)
        self.setItemDelegate(NameDelegate(self))


SHARES = (5, 2)  # of the width, of passages and of documents
SIDE, AIR = 10, 6


class PassagesPage(RowsPage):
    """Shows the passages, and beside them the documents with the one that is read.

    Signals:
        row_chosen: The row of the passage to read, and the number of a document or None.
        pair_opened: The user wants to read the two documents that are shown.
        meaning_given: The row of a passage, and what it is: a `PassageMeaning` or None.
    """

    help_page = "groups"
    row_chosen = Signal(int, object)
    pair_opened = Signal()
    meaning_given = Signal(int, object)

    hidden = N_("No passages match.")
    table: PassagesTable

    def __init__(self, model: PassagesModel, holders: HoldersModel) -> None:
        super().__init__(model, PassagesTable(model), gettext(SEARCHING))
        self._model = model
        self._holders = holders
        self.holders = HoldersTable(holders, gettext("Documents that contain the passage"))
        self._note = CutLabel()
        self._lay_out()
        self.table.current_row_settled.connect(self.emit_selection)
        self.table.opened.connect(self.pair_opened)
        self.holders.current_row_settled.connect(self._on_document_rested)
        self.holders.opened.connect(self.pair_opened)

    def _lay_out(self) -> None:
        both = split(QSplitter(Qt.Orientation.Horizontal), (self.table, self.holders), SHARES)
        both.setHandleWidth(1)
        both.setAutoFillBackground(True)  # all that is seen of it is a line between the lists
        both.setBackgroundRole(QPalette.ColorRole.Mid)
        self._note.setContentsMargins(SIDE, AIR, SIDE, AIR)
        self._note.hide()
        self._stack(both, self._note, main=both)

    def show_looked_up(self, looked_up: LookedUpPassage | None) -> None:
        """Show whether the two documents that are read are a listed pair."""
        is_unlisted = (
            looked_up is not None and looked_up.pair is not None and not looked_up.is_listed
        )
        self._note.show_sentence(gettext(NOT_LISTED) if is_unlisted else "")
        self._note.setVisible(is_unlisted)

    def emit_selection(self) -> None:
        """Show the passage of the current row again."""
        if self.table.current_row >= 0:
            self.row_chosen.emit(self.table.current_row, None)

    def judge(self, verdict: Verdict) -> None:
        """Judge the passage by the key that gives a pair a verdict."""
        row, meaning = self.table.current_row, BY_VERDICT[verdict]
        if row >= 0:
            self.meaning_given.emit(row, meaning)
            following = self._model.next_not_judged(row)
            if following is not None and meaning is not None:
                self.table.select_row(following)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc returns from the documents to the passages."""
        if event.key() == Qt.Key.Key_Escape and self.holders.hasFocus():
            self.table.setFocus()
        else:
            super().keyPressEvent(event)

    def _on_document_rested(self) -> None:
        documents = self._holders.documents
        if self.table.current_row >= 0 and documents is not None:
            self.row_chosen.emit(self.table.current_row, documents[self.holders.current_row])
