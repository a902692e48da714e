"""The windows that explain: the manual and the sheet of all keys."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget

from neardup_gui.environment.assets import resource
from neardup_gui.views.shell.keys_dialog import KeysDialog
from neardup_gui.views.shell.manual_window import ManualWindow
from neardup_gui.window.actions import Action, Actions

__all__ = ["Help"]

MANUAL = "help/manual.md"


class Help(QObject):
    """Makes each window when it is first asked for."""

    def __init__(self, actions: Actions, window: QWidget) -> None:
        super().__init__(window)
        self._actions = actions
        self._window = window
        self._keys: KeysDialog | None = None
        self._manual: ManualWindow | None = None
        actions[Action.ALL_KEYS].triggered.connect(self._on_all_keys)
        actions[Action.MANUAL].triggered.connect(self._on_manual)

    def _on_all_keys(self) -> None:
        if self._keys is None:
            self._keys = KeysDialog(self._actions.keys(), self._window)
        _bring_forward(self._keys)

    def _on_manual(self) -> None:
        if self._manual is None:
            text = resource(MANUAL).read_text(encoding="utf-8")
            self._manual = ManualWindow(text, self._window)
        _bring_forward(self._manual)


def _bring_forward(dialog: QDialog) -> None:
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
