"""Keyboard navigation of the window: from pair to pair, from pane to pane."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QDockWidget, QLineEdit

from core.base.arrays import Int64Array
from core.scan.judgements import Verdict
from neardup_gui.models.scan_result import ListedPair
from neardup_gui.views.shell.message_bar import focus_next_pane, has_focus
from neardup_gui.views.widgets.buttons import open_context_menu
from neardup_gui.views.widgets.controls import SearchField
from neardup_gui.window.pages import LeadingPage
from neardup_gui.window.parts import Focus, KeptKeys, Part, Shared


class Lists(Part):
    """Connects groups, passages and documents with the presenter and the pane of texts.

    Attributes:
        focus: Tells whether the list beside a document has the focus.

    Signals:
        reading_wanted: The user wants to go on in the texts.
    """

    reading_wanted = Signal()

    def __init__(self, shared: Shared, focus: Focus) -> None:
        super().__init__(shared)
        self.focus = focus
        presenter, pages, search_field = shared.presenter, shared.pages, shared.search_field
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
        view = shared.compare_pane.document
        view.holders.pair_wanted.connect(self._on_pair_wanted)
        presenter.documents.read.connect(view.show_reading)
        presenter.documents.measured.connect(view.show_progress)
        presenter.documents.left.connect(view.clear)
        presenter.folders_opened.connect(self._on_folders_opened)
        self._connect_passages(search_field)
        self._connect_judging()

    def _connect_judging(self) -> None:
        groups, documents = self._pages.groups, self._pages.documents
        groups.verdict_given.connect(self._on_group_judged)
        groups.note_row.written.connect(self._on_group_noted)
        self._presenter.groups.grouped.connect(groups.set_number)
        groups.table.centre_wanted.connect(self._presenter.groups.choose_centre)
        documents.verdict_given.connect(self._on_pair_judged)
        documents.note_wanted.connect(self._on_note_wanted)
        documents.note_row.written.connect(self._presenter.verdicts.write_note)

    def _connect_passages(self, search_field: SearchField) -> None:
        page, session = self._pages.passages, self._presenter.passages
        search_field.textChanged.connect(session.model.set_filter)
        page.row_chosen.connect(partial(self._lead, page, session.look_up))
        page.pair_opened.connect(self.reading_wanted)
        page.meaning_given.connect(session.judge)
        session.reasoned.connect(page.set_reason)
        session.lookup_done.connect(page.show_looked_up)
        session.passage_located.connect(self._compare_pane.show_location)

    def _lead(self, page: LeadingPage, show: Callable[..., object], *arguments: object) -> None:
        """Show the content for a page's row, if the page is in front.

        Filters and new lists select rows on hidden pages too.
        """
        if self._pages.leading is page:
            show(*arguments)

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
        pairs = self.pairs_in_front()
        if len(pairs):
            self._presenter.verdicts.judge(verdict, pairs)
            if self._compare_pane.shows_document:
                self._compare_pane.document.holders.step()

    def _on_note_wanted(self) -> None:
        pairs = self.pairs_in_front()
        if len(pairs):
            note = self._presenter.pairs.verdicts.note(int(pairs[0]))
            names = self._presenter.pairs.names_of(pairs)
            self._pages.documents.note_row.begin(note, pairs, names)

    def pairs_in_front(self) -> Int64Array:
        """The listed pair that is read, or that of the holder of a part that has the focus."""
        holders, pair = self._compare_pane.document.holders, self._presenter.pair.shown
        if self._compare_pane.shows_document:
            pair = holders.chosen if self.focus.is_in(holders.rows) else None
        number = None if pair is None else self._presenter.pairs.number_of(pair)
        return np.array([] if number is None else [number], dtype=np.int64)

    def _on_document_opened(self) -> None:
        self._compare_pane.show_document(alone=True)
        self.reading_wanted.emit()

    def _on_pair_wanted(self, pair: ListedPair) -> None:
        self._presenter.pair.open_documents(pair)
        self._compare_pane.show_document(alone=False)
        self.reading_wanted.emit()


class Search(Part):
    """Connects the search field with the search of texts, and shows the phrase in a pair."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        search, row = shared.presenter.search, shared.pages.search_row
        self._search_field = shared.search_field
        shared.search_field.textChanged.connect(search.find)
        row.names_only.toggled.connect(search.set_names_only)
        search.sentence_changed.connect(row.show_sentence)
        search.sentence_changed.connect(self._show_phrase)
        shared.compare_pane.view.shown.connect(self._show_phrase)
        shared.pages.pairs.table.document_wanted.connect(self._find_document)

    def _find_document(self, name: str) -> None:
        """Search for names only: a document's name may be in the texts of others."""
        self._pages.search_row.names_only.setChecked(True)
        self._search_field.setText(name)

    def _show_phrase(self) -> None:
        presenter = self._presenter
        self._compare_pane.find_bar.show_phrase(presenter.search.phrase_in(presenter.pair.shown))


class Navigation(Part):
    """Moves the focus and the selection.

    Attributes:
        table: The table of pairs.
        texts: The view of the two texts.
    """

    open_context_menu = staticmethod(open_context_menu)

    def __init__(
        self, shared: Shared, docks: Sequence[QDockWidget], kept_keys: Sequence[QKeySequence]
    ) -> None:
        super().__init__(shared)
        self.table = shared.pages.pairs.table
        self.texts = shared.compare_pane.view
        self._search_field = shared.search_field
        self._docks = docks
        self.left_reading: Callable[[], object] = lambda: None
        kept = KeptKeys(kept_keys, (QLineEdit, QAbstractSpinBox), self)
        kept.listen(shared.window)
        shared.pages.curve_made.connect(kept.listen)
        shared.search_field.left.connect(self.go_back)
        self.texts.back_requested.connect(self.go_back)
        self.texts.header.also.pair_wanted.connect(self.reveal_pair)
        shared.compare_pane.document.back_requested.connect(self.go_back)

    def go_to_table(self) -> None:
        """Move to the table of pairs."""
        self._pages.tabs.setCurrentWidget(self._pages.pairs)
        self.table.setFocus()

    def enter_tab(self) -> None:
        """Move to what the tab in front shows."""
        self._pages.entry.setFocus()

    def go_to_curve(self) -> None:
        """Move to the large curve, for which the column beside the texts has no room."""
        self.left_reading()
        self._pages.tabs.setCurrentWidget(self._pages.curve)
        self._pages.curve.entry.setFocus()

    def go_back(self) -> None:
        """Move back to the rows from which the texts were opened."""
        page, pane = self._pages.leading, self._compare_pane
        if page is self._pages.pairs:
            self.left_reading()
            self.go_to_table()
        elif page is self._pages.documents and not pane.shows_document:
            pane.show_document(alone=True)
            pane.document.holders.rows.setFocus()
        else:
            page.entry.setFocus()

    def read_pair(self) -> None:
        """Move from the table into the texts."""
        self._show_compare_pane()
        self._compare_pane.entry.setFocus()

    def reveal_pair(self, pair: ListedPair) -> None:
        """Select a pair of the list, unfolded and without the filter if it has to be."""
        model = self._presenter.pairs
        self._pages.tabs.setCurrentWidget(self._pages.pairs)
        if model.row_of(pair) is None:
            self._pages.pairs.filter_cleared.emit()
        if model.row_of(pair) is None:
            model.unfold_weak(unfolded=True)
        row = model.row_of(pair)
        if row is not None and model.key_at(row) != pair:
            model.unfold_copies(row, unfolded=True)
            row = model.row_of(pair)
        if row is not None:
            self.table.select_row(row)

    def step_pair(self, by: int) -> None:
        """Select the pair below, or with -1 the one above."""
        self._pages.leading.step(by)

    def step_passage(self, by: int) -> None:
        """Go to the next passage of the pair or part of the document; with -1 to the one before."""
        pane = self._compare_pane
        (pane.document if pane.shows_document else pane.view).step_passage(by)

    def find(self) -> None:
        """Find documents by name or text, or words in the texts where the focus is."""
        if has_focus(self._compare_pane):
            self.find_in_texts()
            return
        self._search_field.setFocus()
        self._search_field.selectAll()

    def find_in_texts(self) -> None:
        """Find words in both texts."""
        self._show_compare_pane()
        self._compare_pane.begin_find()

    def step_match(self, by: int) -> None:
        """Go to the next match of the words, or with -1 to the one before."""
        self._show_compare_pane()
        self._compare_pane.step_match(by)

    def next_pane(self) -> None:
        """Move the focus to the next pane."""
        contents = [dock.widget() for dock in self._docks]
        sides = [content for content in contents if content is not self._compare_pane]
        centre = (self._pages.message_bar, self._pages.tabs.currentWidget())
        focus_next_pane([*sides, *centre, self._compare_pane])

    def _show_compare_pane(self) -> None:
        """Show the pane of texts, which may be closed or covered by another."""
        for dock in self._docks:
            if dock.widget() is self._compare_pane:
                dock.show()
                dock.raise_()
