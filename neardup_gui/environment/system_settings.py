"""Settings for all users of a computer, from a file that its administrator has installed.

It is a file of settings as the window and `neardup settings` write it. A user begins with them, and
cannot change those that it calls fixed. It holds for the window: a script says by itself what it
wants, and gives the same list on every computer.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths

from core.base.messages import gettext
from core.base.wording import printable_path
from core.errors import SettingsError

if TYPE_CHECKING:
    from core.reports.settings_file import SharedSettings

FILE = Path("neardup", "settings.json")


def settings_for_all() -> SharedSettings | None:
    """The first that there are; None where there are none.

    Raises:
        SettingsError: They cannot be used; the sentence says which file and why.
    """
    for folder in _folders():
        if not _is_missing(folder / FILE):
            return _read(folder / FILE)
    return None


def _is_missing(path: Path) -> bool:
    """Whether there is none; one that cannot be reached is there, and reading it says why."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def _folders() -> list[Path]:
    """Those of the system: of XDG_CONFIG_DIRS, ProgramData, or /Library/Application Support."""
    kind = (
        QStandardPaths.StandardLocation.GenericDataLocation
        if sys.platform == "darwin"
        else QStandardPaths.StandardLocation.GenericConfigLocation
    )
    writable = QStandardPaths.writableLocation(kind)
    return [Path(folder) for folder in QStandardPaths.standardLocations(kind) if folder != writable]


def _read(path: Path) -> SharedSettings:
    from core.reports.settings_file import read_settings_file  # noqa: PLC0415 - few have such a file

    try:
        return read_settings_file(path)
    except SettingsError as error:
        raise SettingsError(
            gettext(
                "The settings for all users in “{folder}” are not used. {error}",
                folder=printable_path(path.parent),
                error=error,
            )
        ) from error
