"""Settings that go elsewhere: to a file and from one, and as lines to be run in other places."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from core.documents.reading_settings import ReadingSettings
from core.settings import ScanSettings
from neardup_gui.environment.preferences import Preferences
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.shell.file_dialogs import ask_for_settings, ask_where_settings_go
from neardup_gui.views.shell.lines_window import LinesWindow
from neardup_gui.window.side_panels import SidePanels

FILE = "neardup-settings.json"


class SettingsSharing(QObject):
    """Asks for files of settings; the window of lines is made when it is first asked for."""

    def __init__(
        self,
        presenter: Presenter,
        side_panels: SidePanels,
        preferences: Preferences,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._presenter = presenter
        self._side_panels = side_panels
        self._preferences = preferences
        self._window = window
        self._lines: LinesWindow | None = None
        self._session = session = presenter.workbench.settings
        session.said.connect(presenter.said)
        session.loaded.connect(self._on_loaded)
        setup = side_panels.setup
        setup.load_wanted.connect(self.load)
        setup.save_wanted.connect(self.save)
        setup.lines_wanted.connect(self.show_lines)
        for changes in (presenter.scans.settings_changed, presenter.reading.changed):
            changes.connect(self._refresh)
        presenter.listed.connect(self._refresh)

    def load(self) -> None:
        """Use the settings of a file that the user chooses."""
        path = ask_for_settings(self._window, str(self._folder()))
        if path is not None:
            self._preferences.export_folder = str(path.parent)
            self._session.load(path)

    def save(self) -> None:
        """Write the settings to a file that the user chooses."""
        path = ask_where_settings_go(self._window, self._folder() / FILE)
        if path is not None:
            self._preferences.export_folder = str(path.parent)
            self._session.save(path)

    def show_lines(self) -> None:
        """Show the lines that use these settings elsewhere."""
        if self._lines is None:
            self._lines = LinesWindow(self._window)
        self._lines.show()
        self._refresh()
        self._lines.raise_()
        self._lines.activateWindow()

    def _folder(self) -> Path:
        return Path(self._preferences.export_folder or Path.home())

    def _on_loaded(self, settings: ScanSettings, reading: ReadingSettings) -> None:
        self._side_panels.take(settings)
        self._presenter.reading.change(reading)

    def _refresh(self) -> None:
        if self._lines is not None and self._lines.isVisible():
            self._lines.show_lines(self._session.lines())
