"""What the application remembers: every key, its type and its default, declared once.

Nobody else touches `QSettings`: it gives back 'false', which is true, and whatever else was written
into its file. A value that does not have its type is the default.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Generic, TypeVar

from PySide6.QtCore import QByteArray, QSettings

from core.documents.reading_settings import ReadingSettings
from core.settings import DEFAULT_PRESET, ScanSettings
from neardup_gui.environment.theme import Scheme
from neardup_gui.models.setup import from_stored, settings_from, to_stored

MAX_RECENT = 10
MAX_CHOSEN = 200
TEXT_SIZES = range(-4, 13)  # steps of a point around the system's size

T = TypeVar("T")


@dataclass(frozen=True)
class PreferenceKey(Generic[T]):
    """A key: what stands for its absence, how it is written and how it is read.

    `read` raises ValueError, TypeError or KeyError for a value that makes no sense.
    """

    key: str
    default: T
    write: Callable[[T], object]
    read: Callable[[object], T]


def _read_bytes(value: object) -> bytes:
    if isinstance(value, QByteArray):
        return bytes(value.data())
    raise TypeError(value)


def _read_text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise TypeError(value)


def _read_switch(value: object) -> bool:
    return {"true": True, "false": False}[str(value).lower()]


def _read_text_size(value: object) -> int:
    size = int(_read_text(value) if not isinstance(value, int) else value)
    if size not in TEXT_SIZES:
        raise ValueError(size)
    return size


def _read_recent(value: object) -> tuple[str, ...]:
    return _read_chosen(value)[:MAX_RECENT]


def _read_chosen(value: object) -> tuple[str, ...]:
    folders = json.loads(_read_text(value))
    if not isinstance(folders, list) or not all(isinstance(item, str) for item in folders):
        raise TypeError(folders)
    return tuple(folders)


def _read_presets(value: object) -> tuple[dict[str, object], ...]:
    presets = json.loads(_read_text(value))
    if not isinstance(presets, list) or not all(isinstance(item, dict) for item in presets):
        raise TypeError(presets)
    return tuple(presets)


def _read_report(value: object) -> dict[str, object]:
    stored = json.loads(_read_text(value))
    if not isinstance(stored, dict):
        raise TypeError(stored)
    return stored


def _read_reading(value: object) -> ReadingSettings:
    stored = json.loads(_read_text(value))
    if not isinstance(stored, dict):
        raise TypeError(stored)
    return from_stored(stored)


def _read_scan(value: object) -> ScanSettings:
    stored = json.loads(_read_text(value))
    settings = settings_from(stored) if isinstance(stored, dict) else None
    if settings is None:
        raise ValueError(stored)
    return settings


GEOMETRY = PreferenceKey("window/geometry", b"", QByteArray, _read_bytes)
LAYOUT = PreferenceKey("window/layout", b"", QByteArray, _read_bytes)
SCHEME = PreferenceKey("look/theme", Scheme.SYSTEM, str, lambda value: Scheme(_read_text(value)))
TEXT_SIZE = PreferenceKey("look/text_size", 0, str, _read_text_size)
READING_MODE = PreferenceKey(
    "look/reading_mode", False, str, lambda value: _read_text(value) == str(True)
)
RECENT = PreferenceKey[tuple[str, ...]]("folders/recent", (), json.dumps, _read_recent)
CHOSEN = PreferenceKey[tuple[str, ...]]("folders/chosen", (), json.dumps, _read_chosen)
DETAILED = PreferenceKey("panel/detailed", False, bool, _read_switch)
REVIEWER = PreferenceKey("reviewer", "", str, _read_text)
EXPORT_FOLDER = PreferenceKey("folders/export", "", str, _read_text)
PRESETS = PreferenceKey[tuple[dict[str, object], ...]](
    "presets", (), lambda presets: json.dumps(presets, ensure_ascii=False), _read_presets
)
REPORT = PreferenceKey[dict[str, object]](
    "report", {}, lambda report: json.dumps(report, ensure_ascii=False), _read_report
)
SCAN = PreferenceKey(
    "scan", DEFAULT_PRESET.settings, lambda settings: json.dumps(asdict(settings)), _read_scan
)
READING = PreferenceKey(
    "reading", ReadingSettings(), lambda reading: json.dumps(to_stored(reading)), _read_reading
)


class Preferences:
    """The typed face of the settings file; every change is written at once.

    Qt writes another file and puts it in the place of the old one, so that one is always whole.

    Attributes:
        on_failure: Told the settings file, once, when it cannot be written.
    """

    def __init__(self, store: QSettings) -> None:
        self._store = store
        self._failed = False
        self.on_failure: Callable[[Path], object] = lambda _path: None

    def _get(self, entry: PreferenceKey[T]) -> T:
        value = self._store.value(entry.key)
        if value is None:
            return entry.default
        try:
            return entry.read(value)
        except (ValueError, TypeError, KeyError):
            return entry.default

    def _set(self, entry: PreferenceKey[T], value: T) -> None:
        self._store.setValue(entry.key, entry.write(value))
        self._store.sync()
        if self._store.status() is not QSettings.Status.NoError and not self._failed:
            self._failed = True
            self.on_failure(Path(self._store.fileName()))

    @property
    def geometry(self) -> bytes:
        """Where the window was, as Qt writes it."""
        return self._get(GEOMETRY)

    @geometry.setter
    def geometry(self, value: bytes) -> None:
        self._set(GEOMETRY, value)

    @property
    def layout(self) -> bytes:
        """How the panes were arranged, as Qt writes it."""
        return self._get(LAYOUT)

    @layout.setter
    def layout(self, value: bytes) -> None:
        self._set(LAYOUT, value)

    @property
    def scheme(self) -> Scheme:
        """The colours the user chose."""
        return self._get(SCHEME)

    @scheme.setter
    def scheme(self, value: Scheme) -> None:
        self._set(SCHEME, value)

    @property
    def text_size(self) -> int:
        """Points above or below the system's text size."""
        return self._get(TEXT_SIZE)

    @text_size.setter
    def text_size(self, value: int) -> None:
        self._set(TEXT_SIZE, min(max(value, TEXT_SIZES[0]), TEXT_SIZES[-1]))

    @property
    def reading_mode(self) -> bool:
        """Whether the texts had the window, with the list as a slim column beside them."""
        return self._get(READING_MODE)

    @reading_mode.setter
    def reading_mode(self, value: bool) -> None:
        self._set(READING_MODE, value)

    @property
    def recent(self) -> tuple[str, ...]:
        """The folders and reviews that were open lately, the newest first."""
        return self._get(RECENT)

    def remember(self, path: Path) -> None:
        """Put a folder or a review in front of the recent ones."""
        others = [name for name in self.recent if name != str(path)]
        self._set(RECENT, (str(path), *others)[:MAX_RECENT])

    def forget(self, path: Path) -> None:
        """Take a folder or a review from the recent ones, because it is gone."""
        self._set(RECENT, tuple(name for name in self.recent if name != str(path)))

    @property
    def chosen(self) -> tuple[str, ...]:
        """The folders that were scanned because the user has chosen them, absolute."""
        return self._get(CHOSEN)

    def choose(self, folder: Path) -> None:
        """The user has chosen a folder: files in it are opened without a question."""
        own = os.path.abspath(folder)
        others = [name for name in self.chosen if name != own]
        self._set(CHOSEN, (own, *others)[:MAX_CHOSEN])

    @property
    def export_folder(self) -> str:
        """Where the last report was saved."""
        return self._get(EXPORT_FOLDER)

    @export_folder.setter
    def export_folder(self, value: str) -> None:
        self._set(EXPORT_FOLDER, value)

    @property
    def detailed(self) -> bool:
        """Whether the panel beside the list shows all settings."""
        return self._get(DETAILED)

    @detailed.setter
    def detailed(self, value: bool) -> None:
        self._set(DETAILED, value)

    @property
    def reviewer(self) -> str:
        """The name that verdicts are signed with; "" for the user of the system."""
        return self._get(REVIEWER)

    @reviewer.setter
    def reviewer(self, value: str) -> None:
        self._set(REVIEWER, value)

    @property
    def presets(self) -> tuple[dict[str, object], ...]:
        """The user's own starting points, one mapping each."""
        return self._get(PRESETS)

    @presets.setter
    def presets(self, value: tuple[dict[str, object], ...]) -> None:
        self._set(PRESETS, value)

    @property
    def report(self) -> dict[str, object]:
        """What was chosen for the last report."""
        return self._get(REPORT)

    @report.setter
    def report(self, value: dict[str, object]) -> None:
        self._set(REPORT, value)

    @property
    def scan(self) -> ScanSettings:
        """What the user chose last: how documents are compared."""
        return self._get(SCAN)

    @scan.setter
    def scan(self, value: ScanSettings) -> None:
        self._set(SCAN, value)

    @property
    def reading(self) -> ReadingSettings:
        """How files are read; passwords are never among what is remembered."""
        return self._get(READING)

    @reading.setter
    def reading(self, value: ReadingSettings) -> None:
        self._set(READING, value)
