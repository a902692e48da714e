"""The page of the documents: the table, and words where there is nothing to show."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QActionGroup, QPainter
from PySide6.QtWidgets import QMenu, QStyleOptionViewItem, QWidget

from core.scan.judgements import Verdict
from neardup_gui.models.documents.columns import DocumentColumn
from neardup_gui.models.documents.language_choice import (
    LanguageChoice,
    NamedLanguage,
    language_choice,
)
from neardup_gui.models.documents.table import DocumentsModel
from neardup_gui.views.pairs.delegates import MutedDelegate, NameDelegate, ResemblanceDelegate
from neardup_gui.views.pairs.note_row import NoteRow
from neardup_gui.views.widgets.rows_page import RowsPage
from neardup_gui.views.widgets.rows_table import RowsTable

Choose = Callable[[str | None], object]


def offer_languages(menu: QMenu, choice: LanguageChoice, choose: Choose) -> None:
    """Offer the languages of the folder, then all, then what the texts tell."""
    offered = menu.addMenu(choice.title)
    _offer(offered, choice.near, choice, choose)
    others = offered.addMenu("Another language")
    for letters, languages in choice.all:
        _offer(others.addMenu(letters), languages, choice, choose)
    if choice.told is not None:
        offered.addSeparator()
        offered.addAction(choice.told.name).triggered.connect(partial(choose, None))


def _offer(
    menu: QMenu, languages: Iterable[NamedLanguage], choice: LanguageChoice, choose: Choose
) -> None:
    only_one = QActionGroup(menu)  # so that they look like what they are
    for language in languages:
        action = only_one.addAction(menu.addAction(language.name))
        action.setCheckable(True)
        action.setChecked(language.code == choice.now)
        action.triggered.connect(partial(choose, language.code))


Index = QModelIndex | QPersistentModelIndex
NOTHING = "Documents appear here as soon as they are read."


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
        language_given: The numbers of documents and the code of their language, None for the one
            that is told from the text.
    """

    document_selected = Signal(object)
    language_given = Signal(object, object)

    def __init__(self, model: DocumentsModel, parent: QWidget | None = None) -> None:
        super().__init__(model, DocumentColumn.NAME, parent)
        self._documents = model
        self.setAccessibleName("Documents")
        self.setItemDelegateForColumn(DocumentColumn.NAME, NameDelegate(self))
        self.setItemDelegateForColumn(DocumentColumn.HIGHEST, HighestDelegate(self))
        self.setItemDelegateForColumn(DocumentColumn.ROLE, MutedDelegate(self))
        self.setItemDelegateForColumn(DocumentColumn.LANGUAGE, MutedDelegate(self))
        self.setSortingEnabled(True)
        self.sortByColumn(DocumentColumn.NAME, Qt.SortOrder.AscendingOrder)
        self.rested.connect(self.tell_document)
        self._on_reset()

    def tell_document(self) -> None:
        """Say which document the current row is."""
        if 0 <= self.current_row < self._documents.rowCount():
            self.document_selected.emit(self._documents.key_at(self.current_row))

    def forget_selection(self) -> None:
        """Select nothing and order by name, for a new folder."""
        self.sortByColumn(DocumentColumn.NAME, Qt.SortOrder.AscendingOrder)
        super().forget_selection()

    def make_menu(self) -> QMenu:
        """What can be done with the current document."""
        menu = super().make_menu()
        if 0 <= self.current_row < self._documents.rowCount():
            menu.addAction("Read it by itself").triggered.connect(self.opened)
            key = self._documents.key_at(self.current_row)
            self._offer_report(menu, "Report of this document…", key)
            self._offer_languages(menu)
            self._offer_file(menu, self._documents.name_at(self.current_row))
        return menu

    def _offer_languages(self, menu: QMenu) -> None:
        listed, rows = self._documents.listed, self.selected_rows.tolist()
        documents = [self._documents.number_at(row) for row in rows]
        if documents and listed.told:
            choose = partial(self.language_given.emit, documents)
            offer_languages(menu, language_choice(listed, documents), choose)

    def _on_reset(self) -> None:
        for column in DocumentColumn:
            self.setColumnHidden(column, self._documents.is_hidden(column))
        self._measure()
        super()._on_reset()

    def _on_lost(self) -> None:
        if self.isVisible():
            self.select_row(0)


class DocumentsPage(RowsPage):
    """Shows the documents.

    Signals:
        verdict_given: A verdict on the pair that is read, or on that of the chosen holder.
        note_wanted: The user wants to write a note on it.
        note_written: A note, and on which of the pairs listed.
    """

    verdict_given = Signal(object)
    note_wanted = Signal()
    note_written = Signal(str, object)

    hidden = "No document has this in its name."
    table: DocumentsTable

    def __init__(self, model: DocumentsModel, parent: QWidget | None = None) -> None:
        super().__init__(model, DocumentsTable(model), NOTHING, parent)
        self.note_row = NoteRow()
        self.note_row.written.connect(self.note_written)
        self._stack(self.table, self.note_row, main=self.table)

    def judge(self, verdict: Verdict) -> None:
        """Give the pair that is read a verdict: a document by itself has none."""
        self.verdict_given.emit(verdict)

    def write_note(self) -> None:
        """Let the user write a note on that pair."""
        self.note_wanted.emit()

    def tell_selection(self) -> None:
        """Show again what the current row is about."""
        if self.table.current_row < 0:
            self.table.select_row(0)
        self.table.tell_document()
