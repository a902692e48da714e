"""What explains: the manual, the sheet of all keys, what this program is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from core import __version__
from neardup_gui.environment.assets import resource
from neardup_gui.models.window_state import KeyGroup
from neardup_gui.models.words.sentences import Message
from neardup_gui.views.shell.dialogs import KeysDialog, ManualWindow

MANUAL = "help/manual.md"


class Help(QObject):
    """Makes each window when it is first asked for.

    Signals:
        said: A `Message` for the message bar.
        tour_wanted: Show the guided tour.
    """

    said = Signal(object)
    tour_wanted = Signal()

    def __init__(self, keys: Callable[[], Sequence[KeyGroup]], window: QWidget) -> None:
        super().__init__(window)
        self._make_keys = keys
        self._window = window
        self._keys: KeysDialog | None = None
        self._manual: ManualWindow | None = None

    def show_keys(self) -> None:
        """Show the sheet of all keys."""
        if self._keys is None:
            self._keys = KeysDialog(self._make_keys(), self._window)
        _bring_forward(self._keys)

    def show_manual(self) -> None:
        """Show the manual."""
        if self._manual is None:
            text = resource(MANUAL).read_text(encoding="utf-8")
            self._manual = ManualWindow(text, self._window)
        _bring_forward(self._manual)

    def tell_about(self) -> None:
        """Say the version, the licence, and how readers are confined here."""
        from core.documents.isolation.confinement import (  # noqa: PLC0415 - loads all readers
            confinement_here,
        )

        text = f"Neardup {__version__} finds near-duplicate documents. MIT licence."
        self.said.emit(Message(f"{text} {confinement_here().sentence()}"))


def _bring_forward(dialog: QDialog) -> None:
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
