"""A table of rows: one is current, names get the room that numbers leave, letters are no search."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import (
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

from neardup_gui.models.table_model import TableModel
from neardup_gui.views.pairs.delegates import PADDING, RowDelegate
from neardup_gui.views.widgets.elide import elided_name
from neardup_gui.views.widgets.flat_header import FlatHeader
from neardup_gui.views.widgets.letter_width import letter_width

SETTLE = 40  # milliseconds after which a row counts: held-down arrow keys pass over rows
ROW_AIR = 11
NAME_LETTERS = 22
LEAST_ROWS = 2
MENU_WIDTH = 320
SLACK = 2  # widths of letters are rounded
OPENING = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
SELECT = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows


class RowsTable(QTableView):
    """Rows of equal height, of which several may be selected.

    What the current row is about stays current when rows are sorted, filtered or others.

    Signals:
        rested: Another row is the current one, and has been for a moment.
        opened: Enter or a double click: the user wants to read what the current row is about.
        file_wanted: The name of a document whose file is to be opened.
        folder_wanted: The name of a document whose folder the user wants to see.
        report_wanted: What a report is to be of: as the list knows its rows.
    """

    name_letters = NAME_LETTERS  # that are seen at least, however narrow the table is

    rested = Signal()
    opened = Signal()
    file_wanted = Signal(str)
    folder_wanted = Signal(str)
    report_wanted = Signal(object)

    def __init__(
        self, model: TableModel[Any], name_column: int, parent: QWidget | None = None
    ) -> None:
        """Names are as wide as there is room."""
        super().__init__(parent)
        self._table_model = model
        self._name_column = name_column
        self._key: Any = None  # what the current row is about, also while it is not shown
        self._settled = QTimer(self, singleShot=True, interval=SETTLE)
        self._settled.timeout.connect(self.rested)
        self.setHorizontalHeader(FlatHeader(self))
        self.setModel(model)
        self._set_up()
        # With the view's own selection model the headers ask every row whether it is selected:
        # seconds for a million rows.
        self._header_selections = [QItemSelectionModel(model, self) for _ in range(2)]
        self.horizontalHeader().setSelectionModel(self._header_selections[0])
        self.verticalHeader().setSelectionModel(self._header_selections[1])
        self.selectionModel().currentRowChanged.connect(self._on_current_changed)
        self.horizontalHeader().sectionResized.connect(self._on_section_resized)
        self.doubleClicked.connect(self.opened)
        model.modelReset.connect(self._on_reset)
        self._measure()

    def _set_up(self) -> None:
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(RowDelegate(self))
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    # Rows

    @property
    def current_row(self) -> int:
        """The row of the keyboard; -1 where there is none."""
        return self.currentIndex().row()

    @property
    def selected_rows(self) -> npt.NDArray[np.int64]:
        """The rows that are selected, from above, whatever their number: Qt has ranges of them."""
        selection = self.selectionModel().selection()
        ranges = (selection.at(place) for place in range(selection.size()))
        rows = [np.arange(one.top(), one.bottom() + 1, dtype=np.int64) for one in ranges]
        if len(rows) == 1:
            return rows[0]
        return np.array(sorted({int(row) for some in rows for row in some}), dtype=np.int64)

    def select_row(self, row: int) -> None:
        """Select one row and bring it into sight."""
        if 0 <= row < self.model().rowCount():
            self.selectionModel().setCurrentIndex(self.model().index(row, 0), SELECT)
            self.scrollTo(self.currentIndex())

    def step(self, rows: int) -> None:
        """Select the row so many further down."""
        last = self.model().rowCount() - 1
        self.select_row(min(max(self.current_row + rows, 0), last) if self.current_row >= 0 else 0)

    def forget_selection(self) -> None:
        """Select nothing, for a new folder."""
        self._settled.stop()
        self._key = None
        self.clearSelection()
        self.setCurrentIndex(QModelIndex())

    def _on_current_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self._key = self._table_model.key_at(current.row())
            self._settled.start()

    def _on_reset(self) -> None:
        row = None if self._key is None else self._table_model.row_of(self._key)
        if row is None:
            self._on_lost()
        else:
            self.select_row(row)
        # The view learns of the new rows after its model's other listeners.
        QTimer.singleShot(0, self, lambda: self.scrollTo(self.currentIndex()))

    def _on_lost(self) -> None:
        """What was current is not shown any more; nothing else takes its place by itself."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        """There is always a row for the keyboard."""
        if not self.currentIndex().isValid():
            self.select_row(0)
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Home and End mean rows, Enter opens; letters are keys of the application, no search."""
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: self.model().rowCount() - 1}
        if event.key() in ends:
            self.select_row(ends[Qt.Key(event.key())])
        elif event.key() in OPENING and self.current_row >= 0:
            self.opened.emit()
        elif event.text().isprintable() and event.text() and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)

    # Menu

    def make_menu(self) -> QMenu:
        """What can be done with the current row."""
        return QMenu(self)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done."""
        menu = self.make_menu()
        if menu.actions():
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(event.globalPos())
        else:
            menu.deleteLater()

    def _offer_file(self, menu: QMenu, name: str) -> None:
        """Add what can be done with the file of a document."""
        # In a menu "&" marks a letter; in a name it is itself.
        shown = elided_name(self.fontMetrics(), name, MENU_WIDTH).replace("&", "&&")
        menu.addSeparator()
        opens = menu.addAction(f"Open {shown}")
        opens.triggered.connect(partial(self.file_wanted.emit, name))
        shows = menu.addAction(f"Show {shown} in folder")
        shows.triggered.connect(partial(self.folder_wanted.emit, name))

    def _offer_report(self, menu: QMenu, words: str, of: object) -> None:
        """Add the way to a report of what the current row is about."""
        menu.addAction(words).triggered.connect(partial(self.report_wanted.emit, of))

    # Widths and heights

    def minimumSizeHint(self) -> QSize:
        """Some rows, whatever the panes beside the table wish for."""
        rows = LEAST_ROWS * self.verticalHeader().defaultSectionSize()
        bar = self.horizontalScrollBar().sizeHint().height()
        height = self.horizontalHeader().sizeHint().height() + rows + bar
        return QSize(super().minimumSizeHint().width(), height)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text; keep the current row in sight."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            seen = self._sees_current(self.viewport().size())
            self._measure()
            if seen:
                self.scrollTo(self.currentIndex())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the names the room that is left; keep the current row in sight where it was."""
        seen = self._sees_current(event.oldSize())
        super().resizeEvent(event)
        self._fit_names()
        if seen:
            self.scrollTo(self.currentIndex())

    def _sees_current(self, size: QSize) -> bool:
        """Whether a viewport of this size shows the current row, or a part of it.

        A part is enough: the header that grows with the text covers the end of the last row before
        the rows are measured.
        """
        row = self.visualRect(self.currentIndex())
        return row.isValid() and row.bottom() >= 0 and row.top() < size.height()

    def _measure(self) -> None:
        """Follow the size of the text."""
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + ROW_AIR)
        self._measure_columns()
        self._fit_names()

    def _measure_columns(self) -> None:
        """Give every column but that of the names the width of its texts."""
        metrics, header = self.fontMetrics(), self.horizontalHeader()
        for column in self._table_model.columns:
            if column != self._name_column:
                title = header.model().headerData(column, Qt.Orientation.Horizontal)
                texts = (f"{title} ▾", column.words.sample)
                width = max(metrics.horizontalAdvance(text) for text in texts)
                header.resizeSection(column, width + SLACK + 2 * PADDING)

    def _on_section_resized(self, section: int, _before: int, _after: int) -> None:
        if section != self._name_column:
            self._fit_names()

    def _fit_names(self) -> None:
        """Give the names the room that is left."""
        header, name = self.horizontalHeader(), self._name_column
        others = sum(header.sectionSize(n) for n in range(header.count()) if n != name)
        least = self.name_letters * letter_width(self.fontMetrics()) + 2 * PADDING
        header.resizeSection(name, max(self.viewport().width() - others, least))
