"""A table of rows: one is current, names get the room that numbers leave, letters are no search."""

from __future__ import annotations

from collections.abc import Sequence

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
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from neardup_gui.views.pairs.delegates import PADDING, RowDelegate
from neardup_gui.views.widgets.flat_header import FlatHeader
from neardup_gui.views.widgets.letter_width import letter_width

__all__ = ["RowsTable"]

SETTLE = 40  # milliseconds after which a row counts: held-down arrow keys pass over rows
ROW_AIR = 11
NAME_LETTERS = 22
LEAST_ROWS = 2
SLACK = 2  # widths of letters are rounded
OPENING = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
SELECT = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows


class RowsTable(QTableView):
    """Rows of equal height, of which several may be selected.

    Signals:
        rested: Another row is the current one, and has been for a moment.
        opened: Enter or a double click: the user wants to read what the current row is about.
    """

    name_letters = NAME_LETTERS  # that are seen at least, however narrow the table is

    rested = Signal()
    opened = Signal()

    def __init__(
        self,
        model: QAbstractItemModel,
        samples: Sequence[str],
        name_column: int,
        parent: QWidget | None = None,
    ) -> None:
        """`samples` are the widest texts of each column; names are as wide as there is room."""
        super().__init__(parent)
        self._samples = samples
        self._name_column = name_column
        self._settled = QTimer(self, singleShot=True, interval=SETTLE)
        self._settled.timeout.connect(self.rested)
        self.setHorizontalHeader(FlatHeader(self))
        self.setModel(model)
        self._set_up()
        # With the view's own selection model the headers ask every row whether it is selected.
        self._header_selections = [QItemSelectionModel(model, self) for _ in range(2)]
        self.horizontalHeader().setSelectionModel(self._header_selections[0])
        self.verticalHeader().setSelectionModel(self._header_selections[1])
        self.selectionModel().currentRowChanged.connect(self._on_current_changed)
        self.horizontalHeader().sectionResized.connect(self._on_section_resized)
        self.doubleClicked.connect(self.opened)
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
    def selected_rows(self) -> list[int]:
        """The rows that are selected, from above."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def select_row(self, row: int) -> None:
        """Select one row and bring it into sight."""
        if 0 <= row < self.model().rowCount():
            self.selectionModel().setCurrentIndex(self.model().index(row, 0), SELECT)
            self.scrollTo(self.currentIndex())

    def step(self, rows: int) -> None:
        """Select the row so many further down."""
        last = self.model().rowCount() - 1
        self.select_row(min(max(self.current_row + rows, 0), last) if self.current_row >= 0 else 0)

    def _on_current_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self._settled.start()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """There is always a row for the keyboard."""
        if not self.currentIndex().isValid():
            self.select_row(0)
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Home and End mean rows, Enter opens; letters are keys of the application, no search."""
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: self.model().rowCount() - 1}
        if event.key() in ends and not event.modifiers():
            self.select_row(ends[Qt.Key(event.key())])
        elif event.key() in OPENING and self.current_row >= 0:
            self.opened.emit()
        elif event.text().isprintable() and event.text() and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)

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
        row = self.visualRect(self.currentIndex())
        seen = row.isValid() and row.bottom() >= 0 and row.top() < event.oldSize().height()
        super().resizeEvent(event)
        self._fit_names()
        if seen:
            self.scrollTo(self.currentIndex())

    def _measure(self) -> None:
        metrics, header = self.fontMetrics(), self.horizontalHeader()
        self.verticalHeader().setDefaultSectionSize(metrics.height() + ROW_AIR)
        for column, sample in enumerate(self._samples):
            title = str(self.model().headerData(column, Qt.Orientation.Horizontal) or "")
            text = max(metrics.horizontalAdvance(f"{title} ▾"), metrics.horizontalAdvance(sample))
            if column != self._name_column:
                header.resizeSection(column, text + SLACK + 2 * PADDING)
        self._fit_names()

    def _on_section_resized(self, section: int, _before: int, _after: int) -> None:
        if section != self._name_column:
            self._fit_names()

    def _fit_names(self) -> None:
        header, name = self.horizontalHeader(), self._name_column
        others = sum(header.sectionSize(n) for n in range(header.count()) if n != name)
        least = self.name_letters * letter_width(self.fontMetrics()) + 2 * PADDING
        header.resizeSection(name, max(self.viewport().width() - others, least))
