"""The table of settings: one is looked at, taken, pinned."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QMenu, QWidget

from neardup_gui.models.table_model import ASCENDING
from neardup_gui.models.workbench.setting_columns import SettingColumn
from neardup_gui.models.workbench.setting_rows import Setting
from neardup_gui.models.workbench.settings_csv import as_text
from neardup_gui.models.workbench.settings_table import SettingsModel
from neardup_gui.views.pairs.delegates import MutedDelegate
from neardup_gui.views.widgets.rows_table import RowsTable


class WhatDelegate(MutedDelegate):
    """What a setting is: its beginning says most."""

    def _shortened(self, metrics: QFontMetrics, text: str, width: int) -> str:
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)


class SettingsTable(RowsTable):
    """A row for each setting that is worth comparing.

    Signals:
        looked_at: The `Setting` of the current row.
        taken: The `Setting` that the user wants to use.
        pinned: The `Setting` whose curve is to be kept, or kept no longer.
        dropped: The `Setting` whose curve is to be kept no longer.
    """

    name_letters = 20

    looked_at = Signal(object)
    taken = Signal(object)
    pinned = Signal(object)
    dropped = Signal(object)

    def __init__(self, model: SettingsModel, parent: QWidget | None = None) -> None:
        super().__init__(model, SettingColumn.WHAT, parent)
        self._settings = model
        self.setAccessibleName("Settings")
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setItemDelegateForColumn(SettingColumn.WHAT, WhatDelegate(self))
        self.horizontalHeader().setSortIndicator(SettingColumn.WHAT, ASCENDING)
        self.setSortingEnabled(True)
        self.rested.connect(self._on_rested)
        self.opened.connect(partial(self._tell, self.taken))
        self.show_columns()

    @property
    def current(self) -> Setting | None:
        """The setting of the current row."""
        row = self.current_row
        return self._settings.key_at(row) if 0 <= row < self._settings.rowCount() else None

    def show_columns(self) -> None:
        """Only those that say something of such signatures."""
        without = self._settings.columns_without_use
        for column in SettingColumn:
            self.setColumnHidden(column, column in without)

    def select(self, setting: Setting) -> None:
        """Make the row of a setting the current one, where it has a row."""
        row = self._settings.row_of(setting)
        if row is None:
            self.forget_selection()
        elif row != self.current_row:
            self.select_row(row)

    def copy(self) -> None:
        """Put the table into the clipboard, for a spreadsheet."""
        QGuiApplication.clipboard().setText(as_text(self._settings.shown(), "\t"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space pins, Delete takes the pin out, Ctrl+C copies the table."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() == Qt.Key.Key_Delete:
            self._tell(self.dropped)
        elif event.key() == Qt.Key.Key_Space:
            self._tell(self.pinned)
        else:
            super().keyPressEvent(event)

    def make_menu(self) -> QMenu:
        """What can be done with the current row."""
        menu = super().make_menu()
        if self.current is not None:
            name = self.current.name
            menu.addAction(f"Use {name}", partial(self._tell, self.taken))
            kept = any(one.name == name for one in self._settings.threshold.kept)
            menu.addAction(
                f"Unpin {name}" if kept else f"Pin the curve of {name}",
                partial(self._tell, self.pinned),
            )
            menu.addSeparator()
        menu.addAction("Copy the table", self.copy)
        return menu

    def _on_rested(self) -> None:
        self._tell(self.looked_at)

    def _tell(self, signal: SignalInstance) -> None:
        if self.current is not None:
            signal.emit(self.current)
