"""The list of groups: opened and closed, read pair by pair, made around another document."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QWidget

from neardup_gui.models.groups.columns import GroupColumn
from neardup_gui.models.groups.rows import GroupRow, RowKind
from neardup_gui.models.groups.table import GroupsModel
from neardup_gui.views.groups.delegates import (
    GroupNameDelegate,
    GroupResemblanceDelegate,
    mark_room,
)
from neardup_gui.views.pairs.delegates import PADDING, MutedDelegate
from neardup_gui.views.widgets.rows_table import RowsTable


class GroupsTable(RowsTable):
    """A row for each group; below it, while it is open, its members and their copies.

    Signals:
        pair_selected: The `ListedPair` that the current row is about, once it rests.
        pair_opened: The user wants to read it.
        centre_wanted: The number of the document that a group is to be made around.
    """

    pair_selected = Signal(object)
    pair_opened = Signal()
    centre_wanted = Signal(int)

    def __init__(self, model: GroupsModel, parent: QWidget | None = None) -> None:
        super().__init__(model, GroupColumn.DOCUMENT, parent)
        self._groups = model
        self.setAccessibleName("Groups of documents")
        self.setItemDelegateForColumn(GroupColumn.DOCUMENT, GroupNameDelegate(self))
        self.setItemDelegateForColumn(GroupColumn.RESEMBLANCE, GroupResemblanceDelegate(self))
        self.setItemDelegateForColumn(GroupColumn.NUMBER, MutedDelegate(self))
        self.setItemDelegateForColumn(GroupColumn.JUDGED, MutedDelegate(self))
        self.rested.connect(self.tell_pair)
        self.opened.connect(self._on_opened)

    @property
    def current(self) -> GroupRow | None:
        """The current row."""
        row = self.current_row
        return self._groups.row_at(row) if 0 <= row < self._groups.rowCount() else None

    def tell_pair(self) -> None:
        """Say which pair the current row is about."""
        if self.current is not None:
            pair = self._groups.pair_at(self.current_row)
            if pair is not None:
                self.pair_selected.emit(pair)

    def _on_lost(self) -> None:
        if self.isVisible():
            self.select_row(0)

    # Open and closed

    def _on_opened(self) -> None:
        if self.current is None:
            return
        if self.current.kind is RowKind.FOLD:
            self._groups.turn(self.current_row)
        else:
            self.pair_opened.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Right opens and goes in, Left closes and goes out; Space turns."""
        row = self.current_row
        if self.current is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
            return
        opens, is_open = self._groups.can_open(row), self._groups.is_open(row)
        if event.key() == Qt.Key.Key_Right:
            if opens and not is_open:
                self._groups.turn(row)
        elif event.key() == Qt.Key.Key_Left:
            if opens and is_open:
                self._groups.turn(row)
            else:
                self.select_row(self._groups.heading_of(row))
        elif event.key() == Qt.Key.Key_Space and opens:
            self._groups.turn(row)
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the mark of a row, or anywhere on folded copies, opens or closes it."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
        if not plain or index.column() != GroupColumn.DOCUMENT:
            return
        inside = event.position().x() - self.visualRect(index).left()
        is_fold = self._groups.row_at(index.row()).kind is RowKind.FOLD
        if is_fold or inside <= PADDING + mark_room(self.fontMetrics()):
            self._groups.turn(index.row())

    # Menu

    def make_menu(self) -> QMenu:
        """What can be done with the current row."""
        menu, row = super().make_menu(), self.current
        if row is None:
            return menu
        if self._groups.can_open(self.current_row):
            closes = "Close" if self._groups.is_open(self.current_row) else "Open"
            turn = menu.addAction(f"{closes} group" if row.kind is RowKind.GROUP else closes)
            turn.triggered.connect(partial(self._groups.turn, self.current_row))
        if row.kind is RowKind.FOLD:
            return menu
        if row.kind is RowKind.MEMBER:
            centre = menu.addAction("Make it the centre of its group")
            centre.triggered.connect(partial(self.centre_wanted.emit, row.document))
        keys = self._groups.documents_with(self.current_row)
        self._offer_report(menu, "Report of this group…", keys)
        self._offer_file(menu, self._groups.name_of(self.current_row))
        return menu
