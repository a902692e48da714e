"""What is asked for, and the lines that do it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.aside.rules import NO_RULES, AsideRules
from core.documents.reading_settings import ReadingSettings
from core.documents.roles import Role
from core.settings import DEFAULT_PRESET, ScanSettings

# Of the command line, where nothing is given.
USUAL = DEFAULT_PRESET.settings
USUAL_READING = ReadingSettings()


class ReadyLines(NamedTuple):
    """Lines to copy.

    Attributes:
        title: For whom.
        code: The lines, without a line end after the last; "" where the settings cannot be had
            there.
        differs: What is otherwise there, or why there are none; "" where nothing is.
    """

    title: str
    code: str
    differs: str


@dataclass(frozen=True)
class Asked:
    """What a scan was asked for.

    Attributes:
        settings: Which pairs it lists.
        reading: How files are read.
        folders: Their paths and what each is for; none stands for any folder.
        rules: What is set aside.
    """

    settings: ScanSettings
    reading: ReadingSettings = USUAL_READING
    folders: Sequence[tuple[str, Role]] = ()
    rules: AsideRules = NO_RULES

    def of_role(self, role: Role) -> list[str]:
        """The folders of a role."""
        return [path for path, its in self.folders if its is role]
