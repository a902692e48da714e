"""The menu bar, made from the actions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu

from neardup_gui.environment.theme import Scheme
from neardup_gui.window.action_entry import Menu
from neardup_gui.window.actions import Action
from neardup_gui.window.qt_actions import Actions

SCHEMES = {
    Scheme.SYSTEM: "As the &system",
    Scheme.LIGHT: "&Light",
    Scheme.DARK: "&Dark",
}


class Menus(QObject):
    """Builds the menus and keeps those that change.

    Signals:
        recent_chosen: A `Path` from the menu of recent folders and reviews.
        scheme_chosen: A `Scheme`.
    """

    recent_chosen = Signal(object)
    scheme_chosen = Signal(object)

    def __init__(self, window: QMainWindow, actions: Actions, docks: Sequence[QDockWidget]) -> None:
        super().__init__(window)
        self._recent = QMenu("Open &recent", window)
        self._recent.triggered.connect(self._on_recent_triggered)
        self._theme = QMenu("&Theme", window)
        self._schemes = self._make_schemes()
        menus = {menu: QMenu(menu, window) for menu in Menu}
        menus[Menu.REVIEW].setToolTipsVisible(True)
        for menu, widget in menus.items():
            for action, separator in actions.of_menu(menu):
                if separator:
                    widget.addSeparator()
                widget.addAction(action)
        menus[Menu.FILE].insertMenu(actions[Action.OPEN_SAMPLE], self._recent)
        for menu in Menu:
            if menu is not Menu.SORT:
                window.menuBar().addMenu(menus[menu])
        view, first = menus[Menu.VIEW], actions[Action.RESET_LAYOUT]
        view.insertActions(first, [dock.toggleViewAction() for dock in docks])
        view.insertSeparator(docks[0].toggleViewAction())
        view.insertMenu(actions[Action.LARGER_TEXT], self._theme)
        view.insertMenu(first, menus[Menu.SORT])

    def set_recent(self, paths: Sequence[str]) -> None:
        """Offer the folders and reviews that were open lately."""
        self._recent.clear()
        self._recent.setEnabled(bool(paths))
        for path in paths:
            # In a menu "&" marks a letter; in a path it is itself.
            action = self._recent.addAction(path.replace("&", "&&"))
            action.setData(path)

    def set_scheme(self, scheme: Scheme) -> None:
        """Mark the colours in use."""
        self._schemes[scheme].setChecked(True)

    def _make_schemes(self) -> dict[Scheme, QAction]:
        group = QActionGroup(self)
        group.triggered.connect(self._on_scheme_triggered)
        made = {}
        for scheme, text in SCHEMES.items():
            action = self._theme.addAction(text)
            action.setCheckable(True)
            action.setData(scheme.value)
            group.addAction(action)
            made[scheme] = action
        return made

    def _on_recent_triggered(self, action: QAction) -> None:
        self.recent_chosen.emit(Path(action.data()))

    def _on_scheme_triggered(self, action: QAction) -> None:
        self.scheme_chosen.emit(Scheme(action.data()))
