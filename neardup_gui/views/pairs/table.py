"""The ranked table of pairs."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from neardup_gui.models.pairs.columns import COLUMNS, Column
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.scan_result import ListedPair
from neardup_gui.views.pairs.column_widths import ColumnWidths
from neardup_gui.views.pairs.delegates import (
    MutedDelegate,
    NameDelegate,
    ResemblanceDelegate,
    RowDelegate,
)
from neardup_gui.views.pairs.rank_delegate import RankDelegate, picture_room
from neardup_gui.views.widgets.elide import elided_name
from neardup_gui.views.widgets.flat_header import FlatHeader

__all__ = ["PairsTable"]

SETTLE = 40  # milliseconds after which a selection counts: held-down arrow keys pass over rows
ROW_AIR = 11
LEAST_ROWS = 2
ELIDE = Qt.TextElideMode.ElideMiddle
MENU_WIDTH = 320
ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
SELECT = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows


class PairsTable(QTableView):
    """One row a pair; the selected pair stays selected when rows are sorted, filtered or relisted.

    Signals:
        pair_selected: The `ListedPair` of another pair, once the selection rests.
        pair_opened: Enter or a double click: the user wants to read the selected pair.
        file_wanted: The name of a document whose file is to be opened.
        folder_wanted: The name of a document whose folder the user wants to see.
    """

    pair_selected = Signal(object)
    pair_opened = Signal()
    file_wanted = Signal(str)
    folder_wanted = Signal(str)

    def __init__(self, model: PairsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pairs = model
        self._key: ListedPair | None = None
        self._told: ListedPair | None = None
        self._settled = QTimer(self, singleShot=True, interval=SETTLE)
        self._settled.timeout.connect(self._tell)
        self.setHorizontalHeader(FlatHeader(self))
        self.setModel(model)
        self._set_up()
        self._connect(model)
        self._widths = ColumnWidths(self)
        self._measure()

    @property
    def selected_key(self) -> ListedPair | None:
        """The selected pair, also while a filter hides it."""
        return self._key

    def select_key(self, key: ListedPair) -> bool:
        """Select a pair; False when it is not shown."""
        row = self._pairs.row_of(key)
        if row is None:
            return False
        self.select_row(row)
        return True

    def select_row(self, row: int) -> None:
        """Select the pair in a row and bring it into sight."""
        if 0 <= row < self._pairs.rowCount():
            self.selectionModel().setCurrentIndex(self._pairs.index(row, 0), SELECT)

    def step(self, rows: int) -> None:
        """Select the pair so many rows further down."""
        now = self.currentIndex().row()
        last = self._pairs.rowCount() - 1
        self.select_row(min(max(now + rows, 0), last) if now >= 0 else 0)

    def sort_by(self, column: Column) -> None:
        """Order by a column, as a click on its title does: once more turns the order round."""
        header = self.horizontalHeader()
        order = DESCENDING if COLUMNS[column].largest_first else ASCENDING
        if header.sortIndicatorSection() == column:
            turned = {ASCENDING: DESCENDING, DESCENDING: ASCENDING}
            order = turned[header.sortIndicatorOrder()]
        self.sortByColumn(column, order)
        self.scrollTo(self.currentIndex())

    def forget_selection(self) -> None:
        """Select nothing and order by rank, for a new folder."""
        self.sortByColumn(Column.RANK, ASCENDING)
        self._settled.stop()
        self._key = self._told = None
        self.clearSelection()
        self.setCurrentIndex(QModelIndex())

    # Set-up

    def _set_up(self) -> None:
        self.setAccessibleName("Pairs of documents")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(RowDelegate(self))
        self.setItemDelegateForColumn(Column.RESEMBLANCE, ResemblanceDelegate(self))
        names = NameDelegate(self)
        self.setItemDelegateForColumn(Column.DOCUMENT_A, names)
        self.setItemDelegateForColumn(Column.DOCUMENT_B, names)
        self.setItemDelegateForColumn(Column.RANK, RankDelegate(self))
        self.setItemDelegateForColumn(Column.FOUND_BY, MutedDelegate(self))
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSortingEnabled(True)
        self.sortByColumn(Column.RANK, ASCENDING)

    def _connect(self, model: QAbstractItemModel) -> None:
        # With the view's own selection model the headers ask every row whether it is selected:
        # seconds for a million rows.
        self._header_selections = [
            QItemSelectionModel(model, self),
            QItemSelectionModel(model, self),
        ]
        self.horizontalHeader().setSelectionModel(self._header_selections[0])
        self.verticalHeader().setSelectionModel(self._header_selections[1])
        self.selectionModel().currentRowChanged.connect(self._on_current_changed)
        model.modelReset.connect(self._on_reset)
        self.doubleClicked.connect(self.pair_opened)

    # Selection

    def _on_current_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self._key = self._pairs.key_at(current.row())
            self._settled.start()

    def _on_reset(self) -> None:
        if self._key is not None and self.select_key(self._key):
            # The view learns of the new rows after its model's other listeners.
            QTimer.singleShot(0, self, lambda: self.scrollTo(self.currentIndex()))

    def tell_at_once(self) -> None:
        """Say which pair is selected, without waiting for whether the selection rests."""
        self._settled.stop()
        self._tell()

    def _tell(self) -> None:
        if self._key is not None and self._key != self._told:
            self._told = self._key
            self.pair_selected.emit(self._key)

    def make_menu(self) -> QMenu:
        """What can be done with the files of the selected pair."""
        menu = QMenu(self)
        for name in self._key.names if self._key else ():
            # In a menu "&" marks a letter; in a name it is itself.
            shown = elided_name(self.fontMetrics(), name, MENU_WIDTH).replace("&", "&&")
            opens = menu.addAction(f"Open {shown}")
            opens.triggered.connect(partial(self.file_wanted.emit, name))
            shows = menu.addAction(f"Show {shown} in folder")
            shows.triggered.connect(partial(self.folder_wanted.emit, name))
            menu.addSeparator()
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer the files of the pair."""
        if self._key is not None:
            menu = self.make_menu()
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(event.globalPos())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """There is always a row for the keyboard: the first one where a filter hid the last."""
        if not self.currentIndex().isValid():
            self.select_row(0)
        super().focusInEvent(event)

    # Widths and heights

    def minimumSizeHint(self) -> QSize:
        """Some rows, whatever the panes beside the table wish for."""
        rows = LEAST_ROWS * self.verticalHeader().defaultSectionSize()
        bar = self.horizontalScrollBar().sizeHint().height()
        height = self.horizontalHeader().sizeHint().height() + rows + bar
        return QSize(super().minimumSizeHint().width(), height)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the names the room that is left; keep the current row in sight where it was."""
        seen = self._sees_current(event.oldSize())
        super().resizeEvent(event)
        self._widths.fit()
        if seen:
            self.scrollTo(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Home and End mean rows; letters are keys of the application here, not a search."""
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: self._pairs.rowCount() - 1}
        if event.key() in ends:
            self.select_row(ends[Qt.Key(event.key())])
            return
        if event.text().isprintable() and event.text() and not event.modifiers():
            event.ignore()
            return
        super().keyPressEvent(event)

    def _sees_current(self, size: QSize) -> bool:
        """Whether a viewport of this size shows the current row, or a part of it.

        A part is enough: the header that grows with the text covers the end of the last row before
        the rows are measured.
        """
        row = self.visualRect(self.currentIndex())
        return row.isValid() and row.bottom() >= 0 and row.top() < size.height()

    def _measure(self) -> None:
        seen = self._sees_current(self.viewport().size())
        metrics = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(metrics.height() + ROW_AIR)
        self._widths.measure(picture_room(metrics.height() + ROW_AIR))
        if seen:
            self.scrollTo(self.currentIndex())
