"""The settings of a window as a file to share, and as what lines for other places ask for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.documents.roles import Role
from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.jobs.settings_files import load_settings, save_settings
from neardup_gui.models.words import sentences
from neardup_gui.presenter.current import Current

if TYPE_CHECKING:
    from core.reports.elsewhere import ReadyLines
    from core.reports.settings_file import SharedSettings


class SettingsSession(QObject):
    """Saves the present settings, and loads others.

    Signals:
        loaded: The `ScanSettings` of a file, and the `ReadingSettings` with what it says of these.
        said: A `Message` for the message bar.
    """

    loaded = Signal(object, object)
    said = Signal(object)

    def __init__(self, queues: JobQueues, current: Current, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current

    def save(self, path: Path) -> None:
        """Write the settings that the next scan uses."""
        work = save_settings(path, self._current.settings, self._current.reading)
        self._queues.submit(JobKind.SAVE_SETTINGS, work, self._saved)

    def load(self, path: Path) -> None:
        """Use the settings of a file."""
        self._queues.submit(JobKind.LOAD_SETTINGS, load_settings(path), self._loaded)

    def lines(self) -> list[ReadyLines]:
        """Lines that ask for what the next scan does, for each place where they can be run."""
        from core.reports.elsewhere import WHERE, Asked  # noqa: PLC0415 - loads NumPy

        now = self._current
        state = now.result.state if now.result else None
        roles = [*now.roles, *[Role.REVIEW] * len(now.folders)]
        folders = [(str(folder), role) for folder, role in zip(now.folders, roles, strict=False)]
        asked = Asked(now.settings, now.reading, folders, *([state.rules] if state else ()))
        return [lines_for(asked) for lines_for in WHERE.values()]

    def _saved(self, path: Path) -> None:
        self.said.emit(sentences.settings_saved(path))

    def _loaded(self, file: tuple[Path, SharedSettings]) -> None:
        path, shared = file
        self.loaded.emit(shared.scan, shared.read_with(self._current.reading))
        self.said.emit(sentences.settings_loaded(path))
