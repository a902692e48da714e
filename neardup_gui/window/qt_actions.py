"""The actions of the table as Qt knows them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from neardup_gui.models.window_state import KeyGroup, WindowState
from neardup_gui.window.action_entry import ActionEntry, Menu, WindowParts
from neardup_gui.window.actions import Action


class Actions(QObject):
    """One `QAction` for each entry of the table."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._actions = {name: self._make(name.value) for name in Action}

    def __getitem__(self, name: Action) -> QAction:
        return self._actions[name]

    def connect_parts(self, parts: WindowParts) -> None:
        """Let every action do what its entry says."""
        for name, action in self._actions.items():
            entry = name.value
            triggered = action.toggled if entry.checkable else action.triggered
            triggered.connect(entry.does(parts))
            if entry.within is not None:
                entry.within(parts).addAction(action)

    def of_menu(self, menu: Menu) -> list[tuple[QAction, bool]]:
        """The actions of a menu in their order, and whether a line stands above them."""
        return [
            (action, name.value.separator)
            for name, action in self._actions.items()
            if name.value.menu is menu
        ]

    def enable(self, state: WindowState) -> None:
        """Enable what can be used in this state."""
        for name, action in self._actions.items():
            action.setEnabled(name.value.enabled(state))

    def keys(self) -> list[KeyGroup]:
        """Every key, by menu, as the sheet of all keys shows them."""
        entries = [name.value for name in Action if name.value.keys]
        return [
            KeyGroup(
                menu.replace("&", ""),
                [(entry.keys_in_words, entry.title) for entry in entries if entry.menu is menu],
            )
            for menu in Menu
        ]

    def _make(self, entry: ActionEntry) -> QAction:
        action = QAction(entry.text, self)
        action.setIconText(f"{entry.mark} {entry.title}".strip())
        action.setShortcuts([QKeySequence(key) for key in entry.keys])
        action.setAutoRepeat(
            not entry.mark
        )  # a verdict is on one pair, however long its key is held
        action.setCheckable(entry.checkable)
        action.setChecked(entry.checkable and entry.is_on)
        # On every system a menu shows its keys, and the system's own Quit stays where it is.
        action.setShortcutVisibleInContextMenu(True)
        action.setMenuRole(QAction.MenuRole.NoRole)
        if entry.within is not None:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.setToolTip(entry.tip)
        return action
