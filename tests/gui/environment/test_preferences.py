"""What is remembered, and what becomes of nonsense in the settings file."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from core.settings import ScanSettings
from neardup_gui.environment.preferences import MAX_RECENT, Preferences
from neardup_gui.environment.theme import Scheme

ROUND_TRIPS = {
    "geometry": b"\x01\x00\xff",
    "layout": b"\x00layout",
    "scheme": Scheme.DARK,
    "text_size": 3,
    "export_folder": "/home/ä ö/reports",
    "presets": ({"name": "Mine", "bands": 20, "note": "für 報告"},),
    "scan": ScanSettings(unit="char", k=7, bands=20, rows=5, min_resemblance=0.25, seed=9),
}
DEFAULTS = {
    "geometry": b"",
    "layout": b"",
    "scheme": Scheme.SYSTEM,
    "text_size": 0,
    "recent": (),
    "export_folder": "",
    "presets": (),
    "scan": ScanSettings(),
}
NONSENSE = ["", "true", "[", "{}", "[1]", '{"a": 1}', "9999", "é", ["a", "b"]]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "settings.ini"


def opened(file):
    return Preferences(QSettings(str(file), QSettings.Format.IniFormat))


def test_an_empty_file_gives_the_defaults(file):
    preferences = opened(file)

    assert {name: getattr(preferences, name) for name in DEFAULTS} == DEFAULTS


@pytest.mark.parametrize("name", ROUND_TRIPS)
def test_values_survive_on_disk(file, name):
    store = QSettings(str(file), QSettings.Format.IniFormat)
    setattr(Preferences(store), name, ROUND_TRIPS[name])
    store.sync()

    assert getattr(opened(file), name) == ROUND_TRIPS[name]


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_nonsense_falls_back_to_the_default(file, nonsense):
    store = QSettings(str(file), QSettings.Format.IniFormat)
    for key in ("window/geometry", "window/layout", "look/theme", "look/text_size"):
        store.setValue(key, nonsense)
    for key in ("folders/recent", "presets", "scan"):
        store.setValue(key, nonsense)
    store.sync()
    preferences = opened(file)

    for name in ("scheme", "text_size", "recent", "geometry", "layout", "presets", "scan"):
        assert getattr(preferences, name) == DEFAULTS[name], name


def test_a_file_that_is_no_settings_file(file):
    file.write_bytes(b"\x00\xff\xfe[[[=\n==%%%\n[folders]\nrecent=%ZZ")
    preferences = opened(file)

    assert {name: getattr(preferences, name) for name in DEFAULTS} == DEFAULTS


def test_recent_are_few_newest_first_and_listed_once(file):
    preferences = opened(file)
    for number in range(14):
        preferences.remember(Path(f"/folder/{number}"))
    preferences.remember(Path("/folder/7"))

    recent = preferences.recent
    assert len(recent) == MAX_RECENT
    assert recent[:3] == (str(Path("/folder/7")), str(Path("/folder/13")), str(Path("/folder/12")))
    assert len(set(recent)) == MAX_RECENT


def test_text_sizes_stay_readable(file):
    preferences = opened(file)
    preferences.text_size = 500
    assert preferences.text_size == 12
    preferences.text_size = -500
    assert preferences.text_size == -4
