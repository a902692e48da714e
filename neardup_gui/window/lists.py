"""The tabs beside the pairs: what their rows are about is shown where pairs are read."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from neardup_gui.models.documents.reading import DocumentReading
from neardup_gui.models.scan_result import ListedPair
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.compare.pane import ComparePane
from neardup_gui.views.widgets.search_field import SearchField
from neardup_gui.window.pages import Pages

__all__ = ["Lists"]


class Lists(QObject):
    """Joins groups, passages and documents to the presenter and to the pane where one reads.

    Signals:
        reading_wanted: The user wants to go on in the texts.
    """

    reading_wanted = Signal()

    def __init__(
        self,
        presenter: Presenter,
        pages: Pages,
        compare_pane: ComparePane,
        search_field: SearchField,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._presenter = presenter
        self._pages = pages
        self._compare_pane = compare_pane
        groups, documents = pages.groups.table, pages.documents.table
        pages.tabs.currentChanged.connect(self._on_tab_changed)
        search_field.textChanged.connect(presenter.groups.model.set_filter)
        search_field.textChanged.connect(presenter.documents.model.set_filter)
        groups.pair_selected.connect(presenter.open_pair)
        groups.pair_opened.connect(self.reading_wanted)
        documents.document_selected.connect(presenter.documents.choose)
        documents.document_opened.connect(self._on_document_opened)
        view = compare_pane.document
        view.pair_wanted.connect(self._on_pair_wanted)
        presenter.documents.read.connect(self._on_read)
        presenter.documents.measured.connect(view.show_progress)
        presenter.documents.left.connect(view.clear)
        presenter.folders_opened.connect(self._on_folders_opened)
        self._connect_passages(search_field)

    def _connect_passages(self, search_field: SearchField) -> None:
        page, session = self._pages.passages, self._presenter.passages
        search_field.textChanged.connect(session.model.set_filter)
        page.row_chosen.connect(session.look_up)
        page.pair_opened.connect(self.reading_wanted)
        page.meaning_given.connect(session.judge)
        session.reasoned.connect(page.set_reason)
        session.looked_up.connect(page.show_looked_up)
        session.reached.connect(self._compare_pane.show_place)

    def _on_folders_opened(self) -> None:
        self._pages.groups.table.forget_selection()
        self._pages.passages.table.forget_selection()
        self._pages.documents.table.forget_selection()

    def _on_tab_changed(self) -> None:
        current = self._pages.tabs.currentWidget()
        self._presenter.passages.set_open(current is self._pages.passages)
        alone = current is self._pages.documents
        self._presenter.documents.set_open(is_open=alone)
        self._compare_pane.show_document(alone=alone)

    def _on_document_opened(self) -> None:
        self._compare_pane.show_document(alone=True)
        self.reading_wanted.emit()

    def _on_read(self, reading: DocumentReading) -> None:
        self._compare_pane.document.show_reading(reading)

    def _on_pair_wanted(self, pair: ListedPair) -> None:
        self._presenter.pair.open_documents(pair)
        self._compare_pane.show_document(alone=False)
        self.reading_wanted.emit()
