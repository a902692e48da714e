"""The tabs beside the pairs: what their rows are about is shown where pairs are read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from core.base.arrays import Int64Array
from core.scan.judgements import Verdict
from neardup_gui.models.documents.reading import DocumentReading
from neardup_gui.models.scan_result import ListedPair
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.compare.pane import ComparePane
from neardup_gui.views.widgets.search_field import SearchField
from neardup_gui.window.pages import LeadingPage, Pages


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
        for page, selected in (
            (pages.pairs, pages.pairs.table.pair_selected),
            (pages.groups, groups.pair_selected),
        ):
            selected.connect(partial(self._lead, page, presenter.open_pair))
        groups.pair_opened.connect(self.reading_wanted)
        documents.document_selected.connect(presenter.documents.choose)
        documents.opened.connect(self._on_document_opened)
        documents.language_given.connect(presenter.documents.say_language)
        view = compare_pane.document
        view.pair_wanted.connect(self._on_pair_wanted)
        presenter.documents.read.connect(self._on_read)
        presenter.documents.measured.connect(view.show_progress)
        presenter.documents.left.connect(view.clear)
        presenter.folders_opened.connect(self._on_folders_opened)
        self._connect_passages(search_field)
        self._connect_judging()

    def _connect_judging(self) -> None:
        groups, documents = self._pages.groups, self._pages.documents
        groups.verdict_given.connect(self._on_group_judged)
        groups.note_written.connect(self._on_group_noted)
        self._presenter.groups.grouped.connect(groups.set_number)
        groups.table.centre_wanted.connect(self._presenter.groups.choose_centre)
        documents.verdict_given.connect(self._on_pair_judged)
        documents.note_wanted.connect(self._on_note_wanted)
        documents.note_written.connect(self._presenter.verdicts.write_note)

    def _connect_passages(self, search_field: SearchField) -> None:
        page, session = self._pages.passages, self._presenter.passages
        search_field.textChanged.connect(session.model.set_filter)
        page.row_chosen.connect(partial(self._lead, page, session.look_up))
        page.pair_opened.connect(self.reading_wanted)
        page.meaning_given.connect(session.judge)
        session.reasoned.connect(page.set_reason)
        session.looked_up.connect(page.show_looked_up)
        session.reached.connect(self._compare_pane.show_place)

    def _lead(self, page: LeadingPage, show: Callable[..., object], *what: object) -> None:
        """Show what a page leads to, if it is the one in front.

        Filters and new lists select rows on the other pages too, and nobody reads these.
        """
        if self._pages.leading is page:
            show(*what)

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

    def _on_group_judged(self, verdict: Verdict, pairs: Int64Array) -> None:
        if self._presenter.groups.is_up_to_date:
            self._presenter.verdicts.judge(verdict, pairs)

    def _on_group_noted(self, note: str, pairs: Int64Array) -> None:
        if self._presenter.groups.is_up_to_date:
            self._presenter.verdicts.write_note(note, pairs)

    def _on_pair_judged(self, verdict: Verdict) -> None:
        pairs = self._pairs_in_front()
        if len(pairs):
            self._presenter.verdicts.judge(verdict, pairs)
            if self._compare_pane.shows_document:
                self._compare_pane.document.holders.step()

    def _on_note_wanted(self) -> None:
        pairs = self._pairs_in_front()
        if len(pairs):
            note = self._presenter.pairs.verdicts.note(int(pairs[0]))
            names = self._presenter.pairs.names_of(pairs)
            self._pages.documents.note_row.begin(note, pairs, names)

    def _pairs_in_front(self) -> Int64Array:
        """The listed pair that is read, or that of the chosen holder of a part; else none."""
        pane = self._compare_pane
        pair = pane.document.holders.chosen if pane.shows_document else self._presenter.pair.shown
        number = None if pair is None else self._presenter.pairs.number_of(pair)
        return np.array([] if number is None else [number], dtype=np.int64)

    def _on_document_opened(self) -> None:
        self._compare_pane.show_document(alone=True)
        self.reading_wanted.emit()

    def _on_read(self, reading: DocumentReading) -> None:
        self._compare_pane.document.show_reading(reading)

    def _on_pair_wanted(self, pair: ListedPair) -> None:
        self._presenter.pair.open_documents(pair)
        self._compare_pane.show_document(alone=False)
        self.reading_wanted.emit()
