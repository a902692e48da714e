"""The settings beside the pair at hand: one is looked at, or taken."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QMenu, QWidget

from core.reports.curve.state import ThresholdState
from neardup_gui.models.workbench.chances import ChanceColumn, ChancesModel
from neardup_gui.views.pairs.delegates import MutedDelegate
from neardup_gui.views.widgets.rows_table import RowsTable


class ChancesTable(RowsTable):
    """A row for each setting; Enter or a double click uses it.

    Signals:
        looked_at: The `ThresholdState` of the current row.
        taken: The one that the user wants to use.
    """

    name_letters = 12

    looked_at = Signal(object)
    taken = Signal(object)

    def __init__(self, model: ChancesModel, parent: QWidget | None = None) -> None:
        super().__init__(model, ChanceColumn.WHAT, parent)
        self._chances = model
        self.setAccessibleName("This pair at other settings")
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setItemDelegateForColumn(ChanceColumn.WHAT, MutedDelegate(self))
        self.rested.connect(self._on_rested)
        self.opened.connect(self._on_opened)

    @property
    def current(self) -> ThresholdState | None:
        """The setting of the current row."""
        row = self.current_row
        return self._chances.row_at(row).state if 0 <= row < self._chances.total else None

    def make_menu(self) -> QMenu:
        """What can be done with the current row."""
        menu = super().make_menu()
        if self.current is not None:
            menu.addAction(f"Use {self.current.name}", self._on_opened)
        return menu

    def _on_rested(self) -> None:
        if self.current is not None:
            self.looked_at.emit(self.current)

    def _on_opened(self) -> None:
        if self.current is not None:
            self.taken.emit(self.current)
