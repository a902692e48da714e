"""Settings for all users of a computer: users begin with them, and cannot change what is fixed."""

from __future__ import annotations

import json

import pytest

from core.base.messages import gettext
from core.documents.reading_settings import ReadingSettings
from core.errors import SettingsError
from core.reports.settings_file import settings_as_json
from core.settings import ScanSettings
from neardup_gui.__main__ import main
from neardup_gui.environment.for_all_users import settings_for_all
from neardup_gui.environment.preferences import Preferences
from neardup_gui.models.words.sentences import FIXED
from neardup_gui.views.widgets.controls import Caption

SETTINGS = ScanSettings(k=9)
READING = ReadingSettings(archives=True)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Where the file is looked for, behind a folder that has none."""
    folder = tmp_path / "xdg" / "neardup"
    folder.mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_DIRS", f"{tmp_path / 'other'}:{folder.parent}")
    return folder / "settings.json"


def write(place, **more):
    place.write_text(json.dumps(settings_as_json(SETTINGS, READING) | more), encoding="utf-8")


def test_where_there_is_no_file_all_is_as_usual(place, store):
    assert settings_for_all() is None


def test_users_begin_with_them_and_choose_others(place, store):
    write(place)
    preferences = Preferences(store, settings_for_all())
    assert (preferences.scan, preferences.reading) == (SETTINGS, READING)

    preferences.scan = ScanSettings(k=4)
    assert Preferences(store, settings_for_all()).scan == ScanSettings(k=4)


@pytest.mark.parametrize("text", ["{", "[]", '{"format": "neardup settings", "version": 2}', "\0"])
def test_a_file_that_cannot_be_used_is_named(place, text):
    place.write_text(text, encoding="utf-8")

    with pytest.raises(SettingsError, match=r"all users in “.*/xdg/neardup” are not used\. .*"):
        settings_for_all()


def test_a_file_that_cannot_be_reached_is_named(tmp_path, monkeypatch):
    """As in a folder that may not be entered."""
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / ("long" * 99)))

    with pytest.raises(SettingsError, match=r"all users in “.*/neardup” are not used\. .*"):
        settings_for_all()


@pytest.mark.parametrize(("reading", "count"), [({}, 0), ({"archives": True}, 1)])
def test_it_is_said_where_something_is_fixed(place, store, make_window, reading, count):
    write(place, fixed=["reading"], reading=reading)

    captions = make_window(settings_for_all()).side_panels.reading.findChildren(Caption)

    assert [one.text() for one in captions].count(gettext(FIXED)) == count


def test_what_is_fixed_is_shown_so_and_stays_whatever_is_chosen(place, store, make_window, qtbot):
    Preferences(store).scan = ScanSettings(k=4)  # before there was such a file
    Preferences(store).reading = ReadingSettings(ocr=True)
    write(place, fixed=["scan", "reading"])
    window = make_window(settings_for_all())
    presenter, panels = window.presenter, window.side_panels
    said = []
    presenter.said.connect(lambda message: said.append(message.text))

    assert (presenter.current.settings, presenter.current.reading) == (SETTINGS, READING)
    assert panels.setup.settings == SETTINGS
    captions = [one for one in panels.setup.findChildren(Caption) if one.text() == gettext(FIXED)]
    assert captions[0].isVisibleTo(panels.setup)
    assert not panels.setup._preset.isEnabled()
    assert not panels.threshold._bands.box.isEnabled()
    assert not panels.reading._form.controls["archives"].isEnabled()

    panels.model.change(panels.model.state.with_bands(3))  # as when the curve is dragged
    qtbot.waitUntil(lambda: said == [gettext(FIXED)])
    presenter.reading.read_scans()
    assert said == [gettext(FIXED)] * 2
    assert panels.model.state.bands == SETTINGS.bands
    assert (presenter.current.settings, presenter.current.reading) == (SETTINGS, READING)


def test_a_review_with_other_settings_is_scanned_again_with_those_that_are_fixed(
    place, store, make_window, qtbot, tmp_path
):
    folder = tmp_path / "essays"
    folder.mkdir()
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text(f"{name} " + "one two three four five six " * 9, "utf-8")
    review = tmp_path / "essays.neardup"
    assert main(["scan", str(folder), "--k", "4", "--review", str(review), "--quiet"]) == 0
    write(place, fixed=["scan"])
    window = make_window(settings_for_all())
    presenter, panels = window.presenter, window.side_panels

    with qtbot.waitSignal(presenter.listed):
        presenter.open_paths([review])
    assert presenter.current.settings.k == 4
    qtbot.waitUntil(lambda: not presenter.state.is_busy)

    with qtbot.waitSignal(presenter.scans.scanned):
        presenter.rescan()
    assert presenter.current.result.settings == SETTINGS
    assert panels.setup.settings == SETTINGS
