"""Undo and redo: of the threshold where it is being chosen, else of what was decided."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QApplication

from neardup_gui.models.window_state import WindowState
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.shell.focus_ring import has_focus
from neardup_gui.window.pages import Pages
from neardup_gui.window.side_panels import SidePanels


class Undoing(QObject):
    """Leads both actions to the threshold while its page is in front or its panel has the focus.

    Where the panel has nothing to undo, as after a click into it, they are of what was decided.
    """

    def __init__(
        self,
        presenter: Presenter,
        pages: Pages,
        side_panels: SidePanels,
        actions: tuple[QAction, QAction],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self._pages = pages
        self._panel = side_panels.threshold
        self._model = side_panels.model
        self._undo, self._redo = actions
        self._keys = [*self._undo.shortcuts(), *self._redo.shortcuts()]
        for place in (self._panel, pages.curve.large):
            for box in place.findChildren(QAbstractSpinBox):
                box.installEventFilter(self)
        self._model.history_changed.connect(self.take_state)
        pages.tabs.currentChanged.connect(self.take_state)
        QApplication.instance().focusChanged.connect(self.take_state)  # type: ignore[union-attr]

    def undo(self) -> None:
        """Take the last step back."""
        if self._is_of_threshold(can=self._model.can_undo):
            self._model.undo()
        else:
            self._presenter.decisions.undo()

    def redo(self) -> None:
        """Do again what was undone last."""
        if self._is_of_threshold(can=self._model.can_redo):
            self._model.redo()
        else:
            self._presenter.decisions.redo()

    def seen_from_here(self, state: WindowState) -> WindowState:
        """A state of the window with what can be undone where the user is."""
        if self._is_of_threshold(can=self._model.can_undo):
            state = replace(state, can_undo=self._model.can_undo)
        if self._is_of_threshold(can=self._model.can_redo):
            state = replace(state, can_redo=self._model.can_redo)
        return state

    def take_state(self) -> None:
        """Offer what can be undone here."""
        state = self.seen_from_here(self._presenter.state)
        self._undo.setEnabled(state.can_undo)
        self._redo.setEnabled(state.can_redo)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The numbers of the threshold let go of both keys, which text fields take for typing."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and QKeySequence(event.keyCombination()) in self._keys
        ):
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    def _is_of_threshold(self, *, can: bool) -> bool:
        in_front = self._pages.tabs.currentWidget() is self._pages.curve
        return in_front or (can and has_focus(self._panel))
