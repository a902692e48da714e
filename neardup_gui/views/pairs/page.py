"""The page of the pairs: filter row, table, and words where there is nothing to show."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from core.scan.judgements import Verdict
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.views.pairs.filter_row import FilterRow
from neardup_gui.views.pairs.note_row import NoteRow
from neardup_gui.views.pairs.outdated_row import OutdatedRow
from neardup_gui.views.pairs.seen_rows import SeenRows
from neardup_gui.views.pairs.table import PairsTable
from neardup_gui.views.widgets.rows_page import RowsPage

RIGHT_AFTER = 10_000  # milliseconds after a verdict in which a note is on what was judged


class PairsPage(RowsPage):
    """Shows the pairs below what filters them.

    Signals:
        filter_changed: A `PairFilter` for the model.
        verdict_given: A verdict, and on which of the pairs listed.
        note_written: A note, and on which of them.
    """

    filter_changed = Signal(object)
    verdict_given = Signal(object, object)
    note_written = Signal(str, object)

    hidden = "The filter hides every pair."
    table: PairsTable

    def __init__(self, model: PairsModel, parent: QWidget | None = None) -> None:
        super().__init__(model, PairsTable(model), parent=parent)
        self._model = model
        self.outdated_row = OutdatedRow()
        self.filter_row = FilterRow()
        self.note_row = NoteRow()
        self._just_judged: tuple[int, npt.NDArray[np.int64]] | None = (
            None  # the row gone on to, what before
        )
        self.seen_rows = SeenRows(self.table)
        self.filter_row.filter_changed.connect(self.filter_changed)
        self.filter_row.cleared.connect(self.filter_cleared)
        self.filter_row.left.connect(self.table.setFocus)
        self.note_row.written.connect(self.note_written)
        model.judged.connect(self._show_counts)
        self.table.selectionModel().currentRowChanged.connect(self._forget_verdict)
        self._verdict_timer = QTimer(self, singleShot=True, interval=RIGHT_AFTER)
        self._verdict_timer.timeout.connect(self._forget_verdict)
        self._stack(self.outdated_row, self.filter_row, self.table, self.note_row, main=self.table)

    def judge(self, verdict: Verdict) -> None:
        """Give the selected pairs a verdict, and select the next that waits for one."""
        rows = self.table.selected_rows
        if not len(rows):
            return
        pairs = self._model.pairs_in(rows)
        onward = self._model.next_open(int(rows[-1]) + 1, but=pairs)
        key = None if onward is None else self._model.key_at(onward)
        self.verdict_given.emit(verdict, pairs)
        if self._model.verdicts.verdict_of(int(pairs[0])) is not verdict:
            return  # it was refused: the bar says why
        row = None if key is None else self._model.row_of(key)
        # A pair of the same texts was judged with it.
        onward = None if row is None else self._model.next_open(row, but=pairs)
        if onward is not None:
            self.table.select_row(onward)
            self.table.tell_at_once()
        self._just_judged = self.table.current_row, pairs
        self._verdict_timer.start()

    def write_note(self) -> None:
        """Let the user write a note: right after a verdict on what was judged, else on the rows."""
        rows = self.table.selected_rows
        pairs = self._model.pairs_in(rows)
        if self._just_judged is not None and self._just_judged[0] == self.table.current_row:
            pairs = self._just_judged[1]
        if len(pairs):
            note = self._model.verdicts.note(int(pairs[0]))
            self.note_row.begin(note, pairs, self._model.names_of(pairs))

    def _forget_verdict(self) -> None:
        self._just_judged = None

    def tell_selection(self) -> None:
        """Show the selected pair again; none where a filter hides it."""
        if self.table.current_row >= 0:
            self.table.tell_again()
        else:
            self.table.pair_hidden.emit()

    def _show_counts(self) -> None:
        model = self._model
        self.filter_row.show_count(
            model.rowCount(), model.total, model.verdicts.counts, model.verdicts.new_count
        )

    def _on_reset(self) -> None:
        super()._on_reset()
        self._just_judged = None  # pairs may have other numbers
        self._show_counts()
        self.filter_row.setEnabled(self._model.total > 0)
