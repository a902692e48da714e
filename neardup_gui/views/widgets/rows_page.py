"""A page of rows: the table with what stands above and below it, and words where it is empty."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from neardup_gui.models.table_model import TableModel
from neardup_gui.views.widgets.empty_state import EmptyState
from neardup_gui.views.widgets.rows_table import RowsTable


class RowsPage(QWidget):
    """Shows rows, or a sentence when there are none.

    Signals:
        filter_cleared: The user wants to see every row again.
    """

    filter_cleared = Signal()

    hidden = "The filter hides every row."  # what is said where there are rows
    table: RowsTable

    def __init__(
        self,
        model: TableModel[Any],
        table: RowsTable,
        reason: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """`reason` is why there are no rows."""
        super().__init__(parent)
        self._rows = model
        self._reason = reason
        self.table = table
        self._empty = EmptyState(table)
        self._empty.clear_clicked.connect(self.filter_cleared)
        model.modelReset.connect(self._on_reset)

    def _stack(self, *parts: QWidget, main: QWidget) -> None:
        """Lay out what is above each other; one of the parts has the room."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in parts:
            column.addWidget(part, int(part is main))
        self._on_reset()

    @property
    def entry(self) -> QWidget:
        """Where the keyboard enters."""
        return self.table

    @property
    def empty_sentence(self) -> str:
        """What stands in the place of the rows; empty when there are some."""
        return "" if self._empty.isHidden() else self._empty.sentence

    def set_reason(self, sentence: str) -> None:
        """What to say when there are no rows at all."""
        self._reason = sentence
        self._on_reset()

    def step(self, rows: int) -> None:
        """Select the row so many further down."""
        self.table.step(rows)

    def _on_reset(self) -> None:
        is_empty = self._rows.rowCount() == 0
        self._empty.setVisible(is_empty)
        if is_empty:
            filtered = self._rows.total > 0
            self._empty.show_text(self.hidden if filtered else self._reason, filtered)
