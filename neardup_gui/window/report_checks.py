"""Lets a report be checked against the folders that are open."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from neardup_gui.environment.preferences import Preferences
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.shell.file_dialogs import ask_for_names, ask_for_written_report

if TYPE_CHECKING:
    from neardup_gui.presenter.check_session import CheckSession
    from neardup_gui.views.report.check_window import CheckWindow


class ReportChecks(QObject):
    """Makes its window and its session when the first report is to be checked."""

    def __init__(self, presenter: Presenter, preferences: Preferences, window: QWidget) -> None:
        super().__init__(window)
        self._presenter = presenter
        self._preferences = preferences
        self._window = window
        self._made: tuple[CheckWindow, CheckSession] | None = None
        self._path: Path | None = None  # that is checked

    def choose(self) -> None:
        """Check a report that the user chooses."""
        place = self._preferences.export_folder or str(Path.home())
        path = ask_for_written_report(self._window, place)
        if path is not None:
            self._preferences.export_folder = str(path.parent)
            self.check(path)

    def check(self, path: Path, key: Path | None = None) -> None:
        """Check a report; `key` is that to its names, where they are withheld."""
        self._made = self._made or self._make()
        shown, session = self._made
        shown.show()
        shown.raise_()
        shown.activateWindow()
        shown.begin(path.name)
        self._path = path
        review = self._presenter.review
        # That of a folder begins with whoever opens it: it knows nothing of others' verdicts.
        own = None if review.is_of_folder else review.path
        session.check(path, self._presenter.current.folders, own, key)

    @property
    def shown(self) -> CheckWindow | None:
        """Its window, once it was asked for."""
        return self._made[0] if self._made else None

    def stop(self) -> None:
        """Close it and end its work."""
        if self._made is not None:
            shown, session = self._made
            shown.close()
            session.stop()

    def _on_key_wanted(self) -> None:
        if self._path is not None:
            key = ask_for_names(self._window, str(self._path.parent))
            if key is not None:
                self.check(self._path, key)

    def _make(self) -> tuple[CheckWindow, CheckSession]:
        from neardup_gui.presenter.check_session import CheckSession
        from neardup_gui.views.report.check_window import CheckWindow

        shown, session = CheckWindow(self._window), CheckSession(self)
        shown.another_wanted.connect(self.choose)
        shown.cancel_clicked.connect(session.cancel)
        shown.key_wanted.connect(self._on_key_wanted)
        session.progressed.connect(shown.show_progress)
        session.checked.connect(shown.show_checked)
        session.failed.connect(shown.show_problem)
        session.broke.connect(self._presenter.broke)
        return shown, session
