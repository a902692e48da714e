"""Settings to a file and from one: a network folder may take a while."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.documents.reading_settings import ReadingSettings
from core.settings import ScanSettings
from neardup_gui.jobs.job import Reports, Work

if TYPE_CHECKING:
    from core.reports.settings_file import SharedSettings


def save_settings(path: Path, settings: ScanSettings, reading: ReadingSettings) -> Work:
    """Write settings to a file to share; the result is its path."""

    def work(_reports: Reports) -> Path:
        from core.reports.settings_file import write_settings_file

        write_settings_file(path, settings, reading)
        return path

    return work


def load_settings(path: Path) -> Work:
    """Read such a file; the result is its path and its `SharedSettings`."""

    def work(_reports: Reports) -> tuple[Path, SharedSettings]:
        from core.reports.settings_file import read_settings_file

        return path, read_settings_file(path)

    return work
