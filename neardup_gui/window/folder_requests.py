"""What the list of folders asks for: which folder to add, what one is for."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from neardup_gui.environment.preferences import Preferences
from neardup_gui.models.setup.folders import Addition
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.setup.folders import FolderList
from neardup_gui.views.shell.file_dialogs import ask_for_file, ask_for_folder


class FolderRequests(QObject):
    """Connects the list of folders with what is done about them."""

    def __init__(
        self,
        presenter: Presenter,
        folders: FolderList,
        preferences: Preferences,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session = session = presenter.folders
        self._preferences = preferences
        self._window = window
        self._folders = folders
        session.listed.connect(folders.show_lines)
        session.rescan_wanted.connect(presenter.rescan)
        folders.role_chosen.connect(session.give_role)
        folders.take_off_wanted.connect(session.take_off)
        folders.addition_wanted.connect(self._on_addition_wanted)

    def _on_addition_wanted(self, addition: Addition) -> None:
        lines = self._session.lines
        start = str(lines[0].path.parent if lines else Path.home())
        ask = ask_for_file if addition.is_file else ask_for_folder
        folder = ask(self._window, start, addition.question)
        if folder is not None:
            self._preferences.choose(folder)
            self._session.add(folder, addition.role)
