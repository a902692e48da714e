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
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QByteArray, QSettings, QTimer

from core.documents.reading_settings import ReadingSettings
from core.settings import DEFAULT_PRESET, ScanSettings
from neardup_gui.environment.theme import Scheme
from neardup_gui.models.setup import from_stored, settings_from, to_stored

if TYPE_CHECKING:
    from core.reports.settings_file import SharedSettings

MAX_RECENT = 10
MAX_CHOSEN = 200
TEXT_SIZES = range(-4, 13)  # steps of a point around the system's size

T = TypeVar("T")
Stored = TypeVar("Stored", list[Any], dict[str, Any])


@dataclass(frozen=True)
class Preference(Generic[T]):
    """A remembered value: its key, its default, how it is written and read.

    An attribute of `Preferences`, which reads and writes it. `read` raises ValueError, TypeError or
    KeyError for a stored value that makes no sense: it counts as absent.
    """

    key: str
    default: T
    write: Callable[[T], object]
    read: Callable[[object], T]

    def __get__(self, preferences: Preferences, owner: type[Preferences]) -> T:
        default: T = preferences.for_everybody.get(self.key, self.default)
        value = preferences.store.value(self.key)
        if value is None:
            return default
        try:
            return self.read(value)
        except (ValueError, TypeError, KeyError):
            return default

    def __set__(self, preferences: Preferences, value: T) -> None:
        preferences.write(self.key, self.write(value))


def _read_bytes(value: object) -> bytes:
    if isinstance(value, QByteArray):
        return bytes(value.data())
    raise TypeError(value)


def _read_share(value: object) -> float:
    share = float(str(value))
    if not 0 <= share <= 1:
        raise ValueError(value)
    return share


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


def _within_text_sizes(size: int) -> str:
    return str(min(max(size, TEXT_SIZES[0]), TEXT_SIZES[-1]))


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _read_json(value: object, kind: type[Stored], of: type = object) -> Stored:
    """The JSON value of a text: a list with items of one type, or an object."""
    stored: Stored = json.loads(_read_text(value))
    if not isinstance(stored, kind) or not all(isinstance(item, of) for item in stored):
        raise TypeError(stored)
    return stored


def _read_chosen(value: object) -> tuple[str, ...]:
    return tuple(_read_json(value, list, str))


def _read_recent(value: object) -> tuple[str, ...]:
    return _read_chosen(value)[:MAX_RECENT]


def _read_presets(value: object) -> tuple[dict[str, object], ...]:
    return tuple(_read_json(value, list, dict))


def _read_report(value: object) -> dict[str, object]:
    return _read_json(value, dict)


def _read_reading(value: object) -> ReadingSettings:
    return from_stored(_read_json(value, dict))


def _read_scan(value: object) -> ScanSettings:
    settings = settings_from(_read_json(value, dict))
    if settings is None:
        raise ValueError(value)
    return settings


class Preferences:
    """The typed face of the settings file; every change is written as soon as the event loop runs.

    Qt writes another file and puts it in the place of the old one, so that one is always whole.

    Attributes:
        store: Qt's own face of the file.
        for_all: The settings for all users of this computer, if there are any.
        for_everybody: The defaults that these make, by key.
        on_failure: Told the settings file, once, when it cannot be written.
        geometry: Where the window was, as Qt writes it.
        layout: How the panes were arranged, as Qt writes it.
        texts_share: The texts' share of the height of list and texts, 0 to 1; 0 if not known.
        language: The code of the language the user chose; "" for that of the system.
        scheme: The colours the user chose.
        text_size: Points above or below the system's text size.
        reading_mode: Whether the texts had the window, with the list as a slim column beside them.
        reads_properties: Whether files are asked what they tell besides their texts.
        recent: The folders and reviews that were open lately, the newest first.
        chosen: The folders that were scanned because the user has chosen them, absolute.
        export_folder: Where the last report was saved.
        detailed: Whether the panel beside the list shows all settings.
        reviewer: The name that verdicts are signed with; "" for the user of the system.
        signature_asked: Whether somebody was asked for that name.
        presets: The user's own starting points, one mapping each.
        report: What was chosen for the last report.
        scan: What the user chose last: how documents are compared.
        reading: How files are read; passwords are never among what is remembered.
    """

    geometry = Preference("window/geometry", b"", QByteArray, _read_bytes)
    layout = Preference("window/layout", b"", QByteArray, _read_bytes)
    texts_share = Preference("window/texts_share", 0.0, float, _read_share)  # 0: not known yet
    language = Preference("look/language", "", str, _read_text)
    scheme = Preference("look/theme", Scheme.SYSTEM, str, lambda value: Scheme(_read_text(value)))
    text_size = Preference("look/text_size", 0, _within_text_sizes, _read_text_size)
    reading_mode = Preference("look/reading_mode", False, bool, _read_switch)
    reads_properties = Preference("files/properties", True, bool, _read_switch)
    recent = Preference[tuple[str, ...]]("folders/recent", (), json.dumps, _read_recent)
    chosen = Preference[tuple[str, ...]]("folders/chosen", (), json.dumps, _read_chosen)
    export_folder = Preference("folders/export", "", str, _read_text)
    detailed = Preference("panel/detailed", False, bool, _read_switch)
    reviewer = Preference("reviewer", "", str, _read_text)
    signature_asked = Preference("signature_asked", False, bool, _read_switch)
    presets = Preference[tuple[dict[str, object], ...]]("presets", (), _as_json, _read_presets)
    report = Preference[dict[str, object]]("report", {}, _as_json, _read_report)
    scan = Preference(
        "scan", DEFAULT_PRESET.settings, lambda settings: json.dumps(asdict(settings)), _read_scan
    )
    reading = Preference(
        "reading", ReadingSettings(), lambda reading: json.dumps(to_stored(reading)), _read_reading
    )

    def __init__(self, store: QSettings, for_all: SharedSettings | None = None) -> None:
        self.store = store
        self.for_all = for_all
        self.for_everybody: dict[str, Any] = {}
        if for_all is not None:
            reading = for_all.read_with(ReadingSettings())
            self.for_everybody = {"scan": for_all.scan, "reading": reading}
        self._failed = False
        self._written = QTimer(singleShot=True, interval=0)  # comes after Qt has written the file
        self._written.timeout.connect(self._check)
        self.on_failure: Callable[[Path], object] = lambda _path: None

    def write(self, key: str, value: object) -> None:
        """Set a value; Qt writes the file as soon as the event loop runs.

        To wait for the disk here would keep the interpreter from all threads.
        """
        self.store.setValue(key, value)
        self._written.start()

    def save(self) -> None:
        """Write what the event loop has not written yet: it will not run any more."""
        self.store.sync()
        self._check()

    def _check(self) -> None:
        if self.store.status() is not QSettings.Status.NoError and not self._failed:
            self._failed = True
            self.on_failure(Path(self.store.fileName()))

    @property
    def usual_export_folder(self) -> Path:
        """The folder that is suggested for exported files."""
        return Path(self.export_folder or Path.home())

    def remember(self, *paths: Path) -> None:
        """Put folders or reviews first in the recent ones, the last before the others."""
        names = map(str, reversed(paths))
        self.recent = tuple(dict.fromkeys((*names, *self.recent)))[:MAX_RECENT]

    def forget(self, path: Path) -> None:
        """Remove a folder or a review that is gone from the recent ones."""
        self.recent = tuple(name for name in self.recent if name != str(path))

    def choose(self, *folders: Path) -> None:
        """Note that the user chose folders: their files are opened without a question."""
        paths = map(os.path.abspath, reversed(folders))
        self.chosen = tuple(dict.fromkeys((*paths, *self.chosen)))[:MAX_CHOSEN]
