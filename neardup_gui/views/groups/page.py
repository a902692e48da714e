"""The page of the groups: the table, and words where there is nothing to show."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from neardup_gui.models.groups.table import GroupsModel
from neardup_gui.views.groups.table import GroupsTable
from neardup_gui.views.pairs.page import EmptyState

__all__ = ["GroupsPage"]

NOTHING = "No two documents are alike enough to be a group."
HIDDEN = "No document of a group has this in its name."


class GroupsPage(QWidget):
    """Shows the groups, or a sentence when there are none.

    Signals:
        filter_cleared: The user wants to see every group again.
    """

    filter_cleared = Signal()

    def __init__(self, model: GroupsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.table = GroupsTable(model)
        self._empty = EmptyState()
        over = QVBoxLayout(self.table.viewport())
        over.setContentsMargins(0, 0, 0, 0)
        over.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table)
        self._empty.clear_clicked.connect(self.filter_cleared)
        model.modelReset.connect(self._on_reset)
        self._on_reset()

    @property
    def entry(self) -> QWidget:
        """Where the keyboard enters."""
        return self.table

    def step(self, rows: int) -> None:
        """Select the row so many further down."""
        self.table.step(rows)

    def tell_selection(self) -> None:
        """Show again what the current row is about."""
        self.table.tell_pair()

    def _on_reset(self) -> None:
        shown = self._model.rowCount() > 0
        self._empty.setVisible(not shown)
        if not shown:
            filtered = self._model.is_filtered and self._model.total > 0
            self._empty.show_text(HIDDEN if filtered else NOTHING, filtered)
