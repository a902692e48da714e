"""What is remembered, and what becomes of nonsense in the settings file.

Colours that can be read, also by people who see fewer of them, light and dark.

Contrast as in WCAG 2.1. How colours look to people without one kind of cone: Machado, Oliveira,
Fernandes 2009, full severity. How different two colours look: distance in CIE L*a*b*, of which
about 2 can be seen side by side.
"""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QLocale, QSettings, Qt
from PySide6.QtWidgets import QDialogButtonBox

from core.base.messages import Language, gettext
from core.documents.reading_settings import ReadingSettings
from core.errors import SettingsError
from core.reports.settings_file import settings_as_json
from core.settings import ScanSettings
from neardup_gui.__main__ import main
from neardup_gui.environment import theme
from neardup_gui.environment.preferences import MAX_RECENT, Preferences
from neardup_gui.environment.system_settings import settings_for_all
from neardup_gui.environment.theme import Scheme
from neardup_gui.models.words.sentences import FIXED
from neardup_gui.views.compare.text_pane import VEIL
from neardup_gui.views.widgets.controls import Caption, NumberBox, ProblemLabel
from tests.made_up_language import spoken
from tests.texts import folder_with

pytestmark = pytest.mark.usefixtures("qapp")  # Qt writes the file in its event loop

SCHEMES = (theme.LIGHT, theme.DARK)
SEEN = {
    "all cones": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ.sum(axis=1)


def linear(color):
    value = np.array(color.getRgbF()[:3])
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def contrast(first, second):
    light, dark = sorted(
        (float(linear(color) @ TO_XYZ[1]) for color in (first, second)), reverse=True
    )
    return (light + 0.05) / (dark + 0.05)


def lab(color, cones):
    seen = np.clip(cones @ linear(color), 0, 1)
    ratio = TO_XYZ @ seen / WHITE
    root = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def test_the_formulas_are_those_of_black_and_white():
    black, white = (theme.QColor(name) for name in ("#000000", "#ffffff"))
    assert contrast(black, white) == pytest.approx(21)
    assert lab(white, np.eye(3)) == pytest.approx([100, 0, 0], abs=0.1)


@pytest.mark.parametrize("scheme", SCHEMES, ids=["light", "dark"])
@pytest.mark.parametrize("word", ["text", "muted", "accent", "warning"])
@pytest.mark.parametrize("ground", ["window", "base"])
def test_words_can_be_read(scheme, word, ground):
    assert contrast(getattr(scheme, word), getattr(scheme, ground)) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES, ids=["light", "dark"])
def test_words_on_other_grounds_can_be_read(scheme):
    assert contrast(scheme.text, scheme.raised) >= 4.5
    assert contrast(scheme.text, scheme.selection) >= 4.5
    assert contrast(scheme.on_accent, scheme.accent) >= 4.5
    assert contrast(scheme.muted, scheme.selection) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES, ids=["light", "dark"])
def test_text_that_is_marked_can_be_read(scheme):
    for hue in scheme.passages:
        for ground in (hue.fill, hue.gap, hue.strong):
            assert contrast(scheme.text, ground) >= 4.5
        assert contrast(scheme.on_passage, hue.line) >= 4.5
    set_aside = theme.mix(scheme.base, scheme.text, VEIL[scheme.dark])
    assert contrast(set_aside, scheme.base) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES, ids=["light", "dark"])
@pytest.mark.parametrize("cones", SEEN)
def test_areas_of_the_curve_differ_for_everybody(scheme, cones):
    missed, extra = (lab(color, SEEN[cones]) for color in (scheme.missed, scheme.extra))
    assert np.linalg.norm(missed - extra) > 15  # and they are hatched differently


@pytest.mark.parametrize("scheme", SCHEMES, ids=["light", "dark"])
@pytest.mark.parametrize("cones", SEEN)
def test_hues_of_passages_differ_for_everybody(scheme, cones):
    """Neighbours never have the same hue, number or underline; the hues themselves differ too."""
    seen = [lab(hue.line, SEEN[cones]) for hue in scheme.passages]
    nearest = min(np.linalg.norm(a - b) for a, b in combinations(seen, 2))
    assert nearest > 15


def changes_of(scheme):
    return [
        scheme.changes.only_a,
        scheme.changes.only_b,
        scheme.changes.exchanged,
        scheme.changes.moved,
    ]


@pytest.mark.parametrize("scheme", SCHEMES, ids=["light", "dark"])
def test_changed_words_can_be_read(scheme):
    for kind in changes_of(scheme):
        for ground in (kind.fill, kind.gap, kind.strong):
            assert contrast(scheme.text, ground) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES, ids=["light", "dark"])
@pytest.mark.parametrize("cones", SEEN)
def test_kinds_of_changes_differ_for_everybody(scheme, cones):
    """Each kind also has a line style."""
    seen = [lab(kind.line, SEEN[cones]) for kind in changes_of(scheme)]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 10


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


@pytest.fixture
def in_language(make_window, qapp):
    windows = []

    def begin(code):
        with spoken(Language(code)):
            windows.append(make_window())

    yield begin
    begin("en")


@pytest.mark.parametrize(
    ("code", "number", "cancel", "direction"),
    [
        ("de", "0,5", "Abbrechen", Qt.LayoutDirection.LeftToRight),
        ("ar", "0.5", "ألغِ", Qt.LayoutDirection.RightToLeft),
        ("en", "0.5", "Cancel", Qt.LayoutDirection.LeftToRight),
    ],
)
def test_qt_follows_the_language(in_language, qapp, code, number, cancel, direction):
    in_language(code)
    box, buttons = NumberBox(1), QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    box.setValue(0.5)
    assert box.text() == number
    assert buttons.buttons()[0].text().replace("&", "") == cancel
    assert qapp.layoutDirection() == direction
    problem = ProblemLabel()
    problem.show_sentence(cancel)
    shown, is_mirrored = problem.grab().toImage(), direction is Qt.LayoutDirection.RightToLeft
    edges = shown.pixelColor(1, 5), shown.pixelColor(shown.width() - 2, 5)
    assert [edge == theme.colors().warning for edge in edges] == [not is_mirrored, is_mirrored]
    assert (problem.contentsMargins().right() > 0) == is_mirrored
    assert QLocale().toString(12).isascii()


SETTINGS = ScanSettings(k=9)
READING = ReadingSettings(archives=True)


@pytest.fixture
def settings_path(tmp_path, monkeypatch):
    """Where the file is looked for, behind a folder that has none."""
    folder = tmp_path / "xdg" / "neardup"
    folder.mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_DIRS", f"{tmp_path / 'other'}:{folder.parent}")
    return folder / "settings.json"


def write(settings_path, **more):
    settings_path.write_text(
        json.dumps(settings_as_json(SETTINGS, READING) | more), encoding="utf-8"
    )


def test_where_there_is_no_file_all_is_as_usual(settings_path, store):
    assert settings_for_all() is None


def test_users_begin_with_them_and_choose_others(settings_path, store):
    write(settings_path)
    preferences = Preferences(store, settings_for_all())
    assert (preferences.scan, preferences.reading) == (SETTINGS, READING)

    preferences.scan = ScanSettings(k=4)
    assert Preferences(store, settings_for_all()).scan == ScanSettings(k=4)


@pytest.mark.parametrize("text", ["{", "[]", '{"format": "neardup settings", "version": 2}', "\0"])
def test_a_file_that_cannot_be_used_is_named(settings_path, text):
    settings_path.write_text(text, encoding="utf-8")

    with pytest.raises(SettingsError, match=r"all users in “.*/xdg/neardup” are not used\. .*"):
        settings_for_all()


def test_a_file_that_cannot_be_reached_is_named(tmp_path, monkeypatch):
    """As in a folder that may not be entered."""
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / ("long" * 99)))

    with pytest.raises(SettingsError, match=r"all users in “.*/neardup” are not used\. .*"):
        settings_for_all()


@pytest.mark.parametrize(("reading", "count"), [({}, 0), ({"archives": True}, 1)])
def test_fixed_settings_are_marked_as_fixed(settings_path, store, make_window, reading, count):
    write(settings_path, fixed=["reading"], reading=reading)

    captions = make_window(settings_for_all()).side_panels.reading.findChildren(Caption)

    assert [caption.text() for caption in captions].count(gettext(FIXED)) == count


def test_fixed_settings_are_shown_as_fixed_and_stay(settings_path, store, make_window, qtbot):
    Preferences(store).scan = ScanSettings(k=4)  # before there was such a file
    Preferences(store).reading = ReadingSettings(ocr=True)
    write(settings_path, fixed=["scan", "reading"])
    window = make_window(settings_for_all())
    presenter, panels = window.presenter, window.side_panels
    messages = []
    presenter.message_posted.connect(lambda message: messages.append(message.text))

    assert (presenter.current.settings, presenter.current.reading) == (SETTINGS, READING)
    assert panels.setup.settings == SETTINGS
    captions = [
        caption
        for caption in panels.setup.findChildren(Caption)
        if caption.text() == gettext(FIXED)
    ]
    assert captions[0].isVisibleTo(panels.setup)
    assert not panels.setup._preset.isEnabled()
    assert not panels.threshold._bands.box.isEnabled()
    assert not panels.reading._form.controls["archives"].isEnabled()

    panels.model.change(panels.model.state.with_bands(3))  # as when the curve is dragged
    qtbot.waitUntil(lambda: messages == [gettext(FIXED)])
    presenter.reading.read_scans()
    assert messages == [gettext(FIXED)] * 2
    assert panels.model.state.bands == SETTINGS.bands
    assert (presenter.current.settings, presenter.current.reading) == (SETTINGS, READING)


def test_a_review_is_scanned_again_with_fixed_settings(
    settings_path, store, make_window, qtbot, tmp_path
):
    words = "one two three four five six " * 9
    folder = folder_with(tmp_path / "essays", {n: f"{n} {words}" for n in ("a.txt", "b.txt")})
    review = tmp_path / "essays.neardup"
    assert main(["scan", str(folder), "--k", "4", "--review", str(review), "--quiet"]) == 0
    write(settings_path, fixed=["scan"])
    window = make_window(settings_for_all())
    presenter, panels = window.presenter, window.side_panels

    qtbot.until(presenter.listed, presenter.open_paths, [review])
    assert presenter.current.settings.k == 4
    qtbot.waitUntil(lambda: not presenter.state.is_busy)

    qtbot.until(presenter.scans.scanned, presenter.rescan)
    assert presenter.current.result.settings == SETTINGS
    assert panels.setup.settings == SETTINGS
