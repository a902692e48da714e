"""Going about the window with the keyboard: from pair to pair, from pane to pane."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QDockWidget, QLineEdit, QWidget

from neardup_gui.views.compare.pane import ComparePane
from neardup_gui.views.compare.view import CompareView
from neardup_gui.views.documents.view import DocumentView
from neardup_gui.views.shell.focus_ring import focus_next_pane, has_focus
from neardup_gui.views.widgets.context_menu import open_context_menu
from neardup_gui.views.widgets.search_field import SearchField
from neardup_gui.window.pages import Pages


class Navigation(QObject):
    """Moves the focus and the selection.

    Attributes:
        table: The table of pairs.
        texts: The view of the two texts.
    """

    def __init__(
        self,
        pages: Pages,
        compare_pane: ComparePane,
        search_field: SearchField,
        docks: Sequence[QDockWidget],
        kept_keys: Sequence[QKeySequence],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self.table = pages.pairs.table
        self.texts = compare_pane.view
        self._pages = pages
        self._compare_pane = compare_pane
        self._search_field = search_field
        self._docks = docks
        self._kept_keys = kept_keys
        for kind in (QLineEdit, QAbstractSpinBox):
            for field in window.findChildren(kind):
                field.installEventFilter(self)
        self.table.opened.connect(self.read_pair)
        search_field.left.connect(self.go_back)
        self.texts.back_requested.connect(self.go_back)
        compare_pane.document.back_requested.connect(self.go_back)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep keys of actions that fields take for their own on some systems."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            pressed = QKeySequence(event.keyCombination())
            if pressed in self._kept_keys:
                event.ignore()
                return True
        return super().eventFilter(watched, event)

    def go_to_table(self) -> None:
        """Lead to the pairs."""
        self._pages.tabs.setCurrentWidget(self._pages.pairs)
        self.table.setFocus()

    def go_to_curve(self) -> None:
        """Lead to the large curve."""
        self._pages.tabs.setCurrentWidget(self._pages.curve)
        self._pages.curve.entry.setFocus()

    def go_back(self) -> None:
        """Lead back to the rows from which the texts were opened."""
        page, pane = self._pages.leading, self._compare_pane
        if page is self._pages.pairs:
            self.go_to_table()
        elif page is self._pages.documents and not pane.shows_document:
            pane.show_document(alone=True)
            pane.document.holders.rows.setFocus()
        else:
            page.entry.setFocus()

    def read_pair(self) -> None:
        """Lead from the table into the texts."""
        self._show_compare_pane()
        self._compare_pane.entry.setFocus()

    def next_pair(self) -> None:
        """Select the pair below."""
        self._pages.leading.step(1)

    def previous_pair(self) -> None:
        """Select the pair above."""
        self._pages.leading.step(-1)

    def next_passage(self) -> None:
        """Go to the next passage of the pair, or the next part of the document."""
        self._marked.next_passage()

    def previous_passage(self) -> None:
        """Go to the one before."""
        self._marked.previous_passage()

    @property
    def _marked(self) -> CompareView | DocumentView:
        pane = self._compare_pane
        return pane.document if pane.shows_document else pane.view

    def find(self) -> None:
        """Find a pair by the names of its documents, or words in the texts where the focus is."""
        if has_focus(self._compare_pane):
            self.find_in_texts()
            return
        self._search_field.setFocus()
        self._search_field.selectAll()

    def find_in_texts(self) -> None:
        """Find words in both texts."""
        self._show_compare_pane()
        self._compare_pane.begin_find()

    def find_next(self) -> None:
        """Go on to the next place of the words."""
        self._show_compare_pane()
        self._compare_pane.find_next()

    def find_previous(self) -> None:
        """Go back to the place before."""
        self._show_compare_pane()
        self._compare_pane.find_previous()

    def next_pane(self) -> None:
        """Move the focus to the next pane."""
        contents = [dock.widget() for dock in self._docks]
        sides = [content for content in contents if content is not self._compare_pane]
        centre = (self._pages.message_bar, self._pages.tabs.currentWidget())
        focus_next_pane([*sides, *centre, self._compare_pane])

    def open_context_menu(self) -> None:
        """Open the menu of what has the focus."""
        open_context_menu()

    def _show_compare_pane(self) -> None:
        """It may have been closed, or be behind another pane."""
        for dock in self._docks:
            if dock.widget() is self._compare_pane:
                dock.show()
                dock.raise_()
