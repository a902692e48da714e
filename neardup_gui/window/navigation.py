"""Going about the window with the keyboard: from pair to pair, from pane to pane."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QDockWidget, QLineEdit, QTabWidget, QWidget

from neardup_gui.views.compare.pane import ComparePane
from neardup_gui.views.pairs.page import PairsPage
from neardup_gui.views.shell.focus_ring import focus_next_pane, has_focus
from neardup_gui.views.widgets.context_menu import open_context_menu
from neardup_gui.views.widgets.search_field import SearchField
from neardup_gui.window.actions import Action, Actions
from neardup_gui.window.sorting import connect_sorting

__all__ = ["Navigation"]


class Navigation(QObject):
    """Connects the actions that move the focus and the selection."""

    def __init__(
        self,
        actions: Actions,
        *,
        tabs: QTabWidget,
        pairs_page: PairsPage,
        compare_pane: ComparePane,
        search_field: SearchField,
        docks: list[QDockWidget],
        message_bar: QWidget,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._actions = actions
        self._tabs = tabs
        self._pairs_page = pairs_page
        self._compare_pane = compare_pane
        self._search_field = search_field
        self._docks = docks
        self._message_bar = message_bar
        self._window = window
        self._connect_actions(actions)
        connect_sorting(actions, pairs_page.table)
        self._guard_fields()
        pairs_page.table.pair_opened.connect(self.read_pair)
        pairs_page.table.addAction(actions[Action.READ_PAIR])
        search_field.left.connect(self.go_to_table)
        compare_pane.view.back_requested.connect(self.go_to_table)
        compare_pane.view.addAction(actions[Action.BACK])

    def _connect_actions(self, actions: Actions) -> None:
        view = self._compare_pane.view
        slots = {
            Action.NEXT_PAIR: self._on_next_pair,
            Action.PREVIOUS_PAIR: self._on_previous_pair,
            Action.READ_PAIR: self.read_pair,
            Action.BACK: self.go_to_table,
            Action.NEXT_PASSAGE: view.next_passage,
            Action.PREVIOUS_PASSAGE: view.previous_passage,
            Action.FIND: self._on_find,
            Action.FIND_IN_TEXTS: self._on_find_in_texts,
            Action.FIND_NEXT: self._on_find_next,
            Action.FIND_PREVIOUS: self._on_find_previous,
            Action.NEXT_PANE: self._on_next_pane,
            Action.CONTEXT_MENU: open_context_menu,
        }
        for name, slot in slots.items():
            actions[name].triggered.connect(slot)
        actions[Action.SCROLL_TOGETHER].toggled.connect(view.set_synchronized)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep Ctrl+E for the export: on some systems fields take it for "end of the line"."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            pressed = QKeySequence(event.keyCombination())
            if pressed in self._actions[Action.EXPORT].shortcuts():
                event.ignore()
                return True
        return super().eventFilter(watched, event)

    def _guard_fields(self) -> None:
        for kind in (QLineEdit, QAbstractSpinBox):
            for field in self._window.findChildren(kind):
                field.installEventFilter(self)

    def go_to_table(self) -> None:
        """Lead back to the pairs."""
        self._tabs.setCurrentWidget(self._pairs_page)
        self._pairs_page.table.setFocus()

    def read_pair(self) -> None:
        """Lead from the table into the texts."""
        self._show_compare_pane()
        self._compare_pane.view.focus_texts()

    def _on_next_pair(self) -> None:
        self._pairs_page.table.step(1)

    def _on_previous_pair(self) -> None:
        self._pairs_page.table.step(-1)

    def _on_find(self) -> None:
        if has_focus(self._compare_pane):
            self._on_find_in_texts()
            return
        self._search_field.setFocus()
        self._search_field.selectAll()

    def _on_find_in_texts(self) -> None:
        self._show_compare_pane()
        self._compare_pane.begin_find()

    def _on_find_next(self) -> None:
        self._show_compare_pane()
        self._compare_pane.find_next()

    def _on_find_previous(self) -> None:
        self._show_compare_pane()
        self._compare_pane.find_previous()

    def _on_next_pane(self) -> None:
        contents = [dock.widget() for dock in self._docks]
        sides = [content for content in contents if content is not self._compare_pane]
        centre = (self._message_bar, self._tabs.currentWidget())
        focus_next_pane([*sides, *centre, self._compare_pane])

    def _show_compare_pane(self) -> None:
        """It may have been closed, or be behind another pane."""
        for dock in self._docks:
            if dock.widget() is self._compare_pane:
                dock.show()
                dock.raise_()
