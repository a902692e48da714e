"""What a window is about at the moment; read by all of the presenter, changed by few."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from core.documents.reading_settings import ReadingSettings
from core.settings import DEFAULT_PRESET, ScanSettings
from neardup_gui.models.file_places import FilePlace, located
from neardup_gui.models.pairs.outdated import Change, changes_since
from neardup_gui.models.scan_result import ScanResult

__all__ = ["Current"]


@dataclass
class Current:
    """The folders, how the next scan compares and reads, and what is listed.

    Attributes:
        folders: That are scanned, or those of a review.
        settings: Of the next scan; the list follows where only the bands differ.
        reading: How the next scan reads files, with the passwords entered so far.
        result: The pairs listed last.
    """

    folders: tuple[Path, ...] = ()
    settings: ScanSettings = DEFAULT_PRESET.settings
    reading: ReadingSettings = field(default_factory=ReadingSettings)
    result: ScanResult | None = None

    @property
    def changes_since(self) -> tuple[Change, ...]:
        """What was chosen since the list was made that only another scan can follow."""
        return changes_since(self.result, self.settings, self.reading)

    def place_of(self, name: str) -> FilePlace:
        """Where the document or the problem of a name is."""
        number = self.result.names.index(name) if self.result else None
        if self.result is None or number is None:
            return located(self.folders, name)
        document = self.result.documents[number]
        return FilePlace(document.path, document.part)
