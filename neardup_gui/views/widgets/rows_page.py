"""A page of rows: the table with what stands above and below it, and words where it is empty."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QTableView, QVBoxLayout, QWidget

from neardup_gui.models.table_model import TableModel
from neardup_gui.views.widgets.link_label import LinkLabel
from neardup_gui.views.widgets.rows_table import RowsTable


class EmptyState(QWidget):
    """A sentence in the middle of an empty table, and the way out.

    It is over the table, not in its place: the table keeps the focus that it has.
    """

    def __init__(self, table: QTableView) -> None:
        super().__init__()
        self._sentence = QLabel(wordWrap=True)
        self._sentence.setTextFormat(Qt.TextFormat.PlainText)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._clear = LinkLabel("Clear filter")
        self.clear_clicked = self._clear.clicked
        column = QVBoxLayout(self)
        column.setContentsMargins(40, 12, 40, 12)
        column.addStretch(1)
        column.addWidget(self._sentence)
        column.addWidget(self._clear, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        over = QVBoxLayout(table.viewport())
        over.setContentsMargins(0, 0, 0, 0)
        over.addWidget(self)

    @property
    def sentence(self) -> str:
        """What is said."""
        return self._sentence.text()

    def show_text(self, sentence: str, can_clear: bool) -> None:
        """Show a sentence, with the link that clears the filter or without."""
        self._sentence.setText(sentence)
        self._clear.setVisible(can_clear)


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
