"""The page of the documents: the table, and words where there is nothing to show."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QPainter
from PySide6.QtWidgets import QMenu, QStyleOptionViewItem, QVBoxLayout, QWidget

from neardup_gui.models.documents.columns import COLUMNS, DocumentColumn
from neardup_gui.models.documents.table import DocumentsModel
from neardup_gui.models.scan_result import DocumentKey
from neardup_gui.models.words.verdicts import Verdict
from neardup_gui.views.pairs.delegates import MutedDelegate, NameDelegate, ResemblanceDelegate
from neardup_gui.views.pairs.note_row import NoteRow
from neardup_gui.views.pairs.page import EmptyState
from neardup_gui.views.widgets.rows_table import RowsTable

__all__ = ["DocumentsPage", "DocumentsTable"]

Index = QModelIndex | QPersistentModelIndex
NOTHING = "Documents appear here as soon as they are read."
HIDDEN = "No document has this in its name."
WITH_BAR = "0.000 a bar beside it"  # as wide as a number with its bar


class HighestDelegate(ResemblanceDelegate):
    """The bar and the number, where there is a pair."""

    def _paint_content(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        if index.data():
            super()._paint_content(painter, option, index, area)


class DocumentsTable(RowsTable):
    """One row a document, ordered by any column.

    Signals:
        document_selected: The `DocumentKey` of another document, once the row rests.
        document_opened: The user wants to read it.
        file_wanted: The name of a document whose file is to be opened.
        folder_wanted: The name of a document whose folder the user wants to see.
    """

    document_selected = Signal(object)
    document_opened = Signal()
    file_wanted = Signal(str)
    folder_wanted = Signal(str)

    def __init__(self, model: DocumentsModel, parent: QWidget | None = None) -> None:
        samples = [column.sample for column in COLUMNS]
        samples[DocumentColumn.HIGHEST] = WITH_BAR
        super().__init__(model, samples, DocumentColumn.NAME, parent)
        self._documents = model
        self._key: DocumentKey | None = None
        self.setAccessibleName("Documents")
        self.setSelectionMode(RowsTable.SelectionMode.SingleSelection)
        self.setItemDelegateForColumn(DocumentColumn.NAME, NameDelegate(self))
        self.setItemDelegateForColumn(DocumentColumn.HIGHEST, HighestDelegate(self))
        self.setItemDelegateForColumn(DocumentColumn.ROLE, MutedDelegate(self))
        self.setSortingEnabled(True)
        self.sortByColumn(DocumentColumn.NAME, Qt.SortOrder.AscendingOrder)
        self.rested.connect(self.tell_document)
        self.opened.connect(self.document_opened)
        self.selectionModel().currentRowChanged.connect(self._remember)
        model.modelReset.connect(self._on_reset)
        self._on_reset()

    def tell_document(self) -> None:
        """Say which document the current row is."""
        if 0 <= self.current_row < self._documents.rowCount():
            self.document_selected.emit(self._documents.key_at(self.current_row))

    def forget_selection(self) -> None:
        """Select nothing and order by name, for a new folder."""
        self._key = None
        self.sortByColumn(DocumentColumn.NAME, Qt.SortOrder.AscendingOrder)
        self.clearSelection()
        self.setCurrentIndex(QModelIndex())

    def make_menu(self) -> QMenu:
        """What can be done with the current document."""
        menu = QMenu(self)
        if 0 <= self.current_row < self._documents.rowCount():
            name = self._documents.name_at(self.current_row)
            menu.addAction("Read it by itself").triggered.connect(self.document_opened)
            menu.addSeparator()
            opens, shows = menu.addAction("Open file"), menu.addAction("Show in folder")
            opens.triggered.connect(partial(self.file_wanted.emit, name))
            shows.triggered.connect(partial(self.folder_wanted.emit, name))
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done."""
        menu = self.make_menu()
        if menu.actions():
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(event.globalPos())

    def _remember(self, current: QModelIndex) -> None:
        if current.isValid():
            self._key = self._documents.key_at(current.row())

    def _on_reset(self) -> None:
        for column in DocumentColumn:
            self.setColumnHidden(column, self._documents.is_hidden(column))
        self._measure()
        row = self._documents.row_of(self._key) if self._key is not None else None
        if row is not None:
            self.select_row(row)
            QTimer.singleShot(0, self, lambda: self.scrollTo(self.currentIndex()))
        elif self.isVisible():
            self.select_row(0)


class DocumentsPage(QWidget):
    """Shows the documents, or a sentence when there are none.

    Signals:
        filter_cleared: The user wants to see every document again.
        verdict_given: A verdict on the pair that is read, or on that of the chosen holder.
        note_wanted: The user wants to write a note on it.
        note_written: A note, and on which of the pairs listed.
    """

    filter_cleared = Signal()
    verdict_given = Signal(object)
    note_wanted = Signal()
    note_written = Signal(str, object)

    def __init__(self, model: DocumentsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.table = DocumentsTable(model)
        self.note_row = NoteRow()
        self._empty = EmptyState()
        over = QVBoxLayout(self.table.viewport())
        over.setContentsMargins(0, 0, 0, 0)
        over.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table, 1)
        column.addWidget(self.note_row)
        self.note_row.written.connect(self.note_written)
        self._empty.clear_clicked.connect(self.filter_cleared)
        model.modelReset.connect(self._on_reset)
        self._on_reset()

    @property
    def entry(self) -> QWidget:
        """Where the keyboard enters."""
        return self.table

    def judge(self, verdict: Verdict) -> None:
        """Give the pair that is read a verdict: a document by itself has none."""
        self.verdict_given.emit(verdict)

    def write_note(self) -> None:
        """Let the user write a note on that pair."""
        self.note_wanted.emit()

    def step(self, rows: int) -> None:
        """Select the row so many further down."""
        self.table.step(rows)

    def tell_selection(self) -> None:
        """Show again what the current row is about."""
        if self.table.current_row < 0:
            self.table.select_row(0)
        self.table.tell_document()

    def _on_reset(self) -> None:
        shown = self._model.rowCount() > 0
        self._empty.setVisible(not shown)
        if not shown:
            filtered = self._model.is_filtered and self._model.total > 0
            self._empty.show_text(HIDDEN if filtered else NOTHING, filtered)
