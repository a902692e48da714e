"""Who shares a part of a document: a list beside its text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QListView, QStyleOptionViewItem, QVBoxLayout, QWidget

from core.base.wording import resemblance
from neardup_gui.models.documents.reading import Holder
from neardup_gui.models.pairs.cells import Role
from neardup_gui.models.scan_result import ListedPair
from neardup_gui.models.words.numbers import full_name, tool_tip
from neardup_gui.views.pairs.delegates import NameDelegate

Index = QModelIndex | QPersistentModelIndex
NO_PARENT = QModelIndex()
UNLISTED = "not a listed pair"
OPENING = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
EDGE = 12


class HoldersModel(QAbstractListModel):
    """Documents with the resemblance of their pair."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.holders: Sequence[Holder] = ()

    def show(self, holders: Sequence[Holder]) -> None:
        """Show others."""
        self.beginResetModel()
        self.holders = holders
        self.endResetModel()

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        """How many there are."""
        return 0 if parent.isValid() else len(self.holders)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """Name and resemblance."""
        if not index.isValid():
            return None
        one = self.holders[index.row()]
        number = "" if one.resemblance is None else resemblance(one.resemblance)
        told = f"resemblance {number}" if number else UNLISTED
        return {
            int(Qt.ItemDataRole.DisplayRole): one.name,
            int(Qt.ItemDataRole.AccessibleTextRole): f"{one.name}, {told}",
            int(Qt.ItemDataRole.ToolTipRole): tool_tip(f"{full_name(one.name)}\n{told}"),
            int(Role.MARK): number,
        }.get(role)


class HoldersView(QListView):
    """Rows; Enter or a double click opens a pair, Esc leads back.

    Signals:
        opened: The row of a document.
        left: The user is done here.
    """

    opened = Signal(int)
    left = Signal()

    def __init__(self, model: HoldersModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setAccessibleName("Documents that share this part")
        self.setUniformItemSizes(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setItemDelegate(RoomyNames(self))
        self.setTabKeyNavigation(False)
        self.doubleClicked.connect(lambda index: self.opened.emit(index.row()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Letters are keys of the application here, not a search."""
        if event.key() in OPENING and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().row())
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.text().isprintable() and event.text() and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)


class RoomyNames(NameDelegate):
    """Rows as high as those of the tables."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The letters and some air."""
        size = super().sizeHint(option, index)
        size.setHeight(option.fontMetrics.height() + 11)
        return size


class HoldersList(QWidget):
    """A sentence and the documents.

    Signals:
        pair_wanted: The two documents that the user wants to read, as a `ListedPair`.
        left: The user is done here.
    """

    pair_wanted = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = HoldersModel(self)
        self._caption = QLabel(wordWrap=True)
        self._caption.setContentsMargins(EDGE, 8, EDGE, 6)
        self._caption.hide()
        self.rows = HoldersView(self._model)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._caption)
        column.addWidget(self.rows, 1)
        self.rows.opened.connect(self._on_opened)
        self.rows.left.connect(self.left)

    def show_holders(self, caption: str, holders: Sequence[Holder]) -> None:
        """Say whose part it is and who shares it."""
        self._caption.setText(caption)
        self._caption.setVisible(bool(caption))
        self._model.show(holders)
        if holders:
            self.rows.setCurrentIndex(self._model.index(0, 0))

    @property
    def chosen(self) -> ListedPair | None:
        """The pair of the current row, while the keyboard is here."""
        row = self.rows.currentIndex().row()
        here = self.rows.hasFocus() and 0 <= row < len(self._model.holders)
        return self._model.holders[row].pair if here else None

    def step(self) -> None:
        """Go to the row below, if there is one."""
        row = self.rows.currentIndex().row() + 1
        if row < len(self._model.holders):
            self.rows.setCurrentIndex(self._model.index(row, 0))

    def _on_opened(self, row: int) -> None:
        self.pair_wanted.emit(self._model.holders[row].pair)
