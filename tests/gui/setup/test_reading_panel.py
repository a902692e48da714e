"""How files are read: the model behind the panel, the panel, and what is remembered of it."""

import json
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication, QLabel

from core.base.wording import count
from core.documents.reading_settings import DEFAULT_LIMITS, ReadingLimits, ReadingSettings
from neardup_gui.environment.preferences import Preferences
from neardup_gui.models import setup
from neardup_gui.models.setup import (
    LIMITS,
    ReadingModel,
    from_stored,
    to_stored,
)
from neardup_gui.views.setup.reading_panel import ReadingPanel
from neardup_gui.views.widgets.controls import Caption, CheckBox

OTHER = ReadingSettings(
    limits=replace(DEFAULT_LIMITS, seconds=300, memory_bytes=2_000_000_000),
    archives=True,
    ocr=True,
    ocr_languages="deu+eng",
)


def test_every_limit_is_declared():
    assert list(LIMITS) == [field.name for field in fields(ReadingLimits)]


def test_every_default_is_in_its_range_and_a_whole_number_of_its_unit():
    for setting in LIMITS.values():
        assert setting.fits(setting.shown(setting.default), DEFAULT_LIMITS)


def test_a_limit_counts_in_its_unit_and_stays_in_its_range():
    model = ReadingModel()
    for field, value, expected in (
        ("file_bytes", 300, 300_000_000),
        ("seconds", 0, 1),
        ("seconds", 10**9, LIMITS["seconds"].high),
    ):
        model.change_limit(field, value)
        assert getattr(model.reading.limits, field) == expected


@given(st.sampled_from(sorted(LIMITS)))
def test_the_default_typed_in_is_the_default(field):
    setting, model = LIMITS[field], ReadingModel()
    model.change_limit(field, setting.high)
    model.change_limit(field, setting.shown(setting.default))

    assert model.limits_are_usual


@pytest.mark.parametrize("languages", ["", "+", "deu+", "../x", "deu eng;ls", "é", "a" * 101])
def test_languages_that_are_none_are_refused_in_a_sentence(languages):
    model = ReadingModel()

    assert "eng" in model.change("ocr_languages", languages)
    assert model.reading == ReadingSettings()


def test_spaces_between_languages_do_not_matter():
    model = ReadingModel()

    assert model.change("ocr_languages", "deu + chi_sim") == ""
    assert model.reading.ocr_languages == "deu+chi_sim"


def test_what_was_read_otherwise_asks_for_a_new_scan_but_no_password_does():
    model = ReadingModel()
    assert not model.needs_scan
    model.set_scanned(ReadingSettings())
    assert not model.needs_scan

    model.reading = ReadingSettings(passwords=("secret",))
    assert not model.needs_scan
    model.change("archives", True)
    assert model.needs_scan


def test_the_summary_says_it_in_words():
    model = ReadingModel()
    assert [text for _, text in model.summary] == [
        "not opened",
        "each file by itself",
        "not read",
        "as they come",
    ]

    model.reading = OTHER
    assert [text for _, text in model.summary] == [
        "opened like folders",
        "each file by itself",
        "read with Tesseract (deu+eng)",
        f"Time for a file: 300 s, Memory: {count(2000)} MB",
    ]


@given(
    st.builds(
        ReadingSettings,
        archives=st.booleans(),
        submissions=st.booleans(),
        ocr=st.booleans(),
        ocr_languages=st.sampled_from(["eng", "deu+eng", "chi_sim"]),
        passwords=st.lists(st.text(), max_size=2).map(tuple),
    ),
    st.dictionaries(st.sampled_from(sorted(LIMITS)), st.integers(1, 1_000)),
)
def test_what_is_stored_comes_back_without_passwords(reading, limits):
    model = ReadingModel()
    model.reading = reading
    for field, value in limits.items():
        model.change_limit(field, value)

    stored = json.loads(json.dumps(to_stored(model.reading)))

    assert from_stored(stored) == replace(model.reading, passwords=())


NONSENSE = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from([*LIMITS, "limits", "archives", "ocr"]), inner, max_size=4),
    ),
    max_leaves=9,
)
KEYS = ["limits", "archives", "ocr", "ocr_languages", "passwords"]


@given(st.dictionaries(st.sampled_from(KEYS), NONSENSE))
def test_nonsense_gives_settings_that_make_sense(stored):
    reading = from_stored(stored)

    assert isinstance(reading.archives, bool)
    assert isinstance(reading.ocr, bool)
    assert reading.passwords == ()
    for field, setting in LIMITS.items():
        assert setting.fits(setting.shown(getattr(reading.limits, field)), DEFAULT_LIMITS)


def test_it_is_remembered_on_disk_but_no_password_is(tmp_path):
    file = tmp_path / "settings.ini"
    store = QSettings(str(file), QSettings.Format.IniFormat)
    Preferences(store).reading = replace(OTHER, passwords=("open sesame",))
    store.sync()

    assert "sesame" not in file.read_text(encoding="utf-8")
    again = Preferences(QSettings(str(file), QSettings.Format.IniFormat))
    assert again.reading == OTHER


@pytest.fixture
def panel(qtbot):
    panel = ReadingPanel()
    qtbot.addWidget(panel)
    panel.resize(355, 560)
    panel.edit()
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def test_is_not_there_while_all_is_as_usual_and_nobody_asks(panel):
    panel._edit.click()
    assert panel.isHidden()

    panel.set_reading(OTHER)
    assert panel.isVisible()
    assert panel._form.isHidden()
    assert panel._summary.isVisible()


def test_every_field_reports(panel, qtbot):
    form = panel._form
    acts = [
        (form.controls["archives"].click, lambda reading: reading.archives),
        (form.controls["ocr"].click, lambda reading: reading.ocr),
    ]
    for field, setting in LIMITS.items():
        acts.append(
            (
                lambda field=field: form.controls[field].setValue(7),
                lambda reading, field=field, setting=setting: (
                    getattr(reading.limits, field) == 7 * setting.scale
                ),
            )
        )
    for act, expected in acts:
        with qtbot.waitSignal(panel.reading_changed) as changed:
            act()
        assert expected(changed.args[0])


def test_every_limit_says_its_unit_and_default(panel):
    told = {caption.text() for caption in panel._form.findChildren(Caption)}
    for field, setting in LIMITS.items():
        default = count(setting.shown(setting.default))
        assert f"{setting.unit} · default {default}" in told
        assert panel._form.controls[field].accessibleName()


def test_no_limit_can_be_typed_out_of_its_range(panel, qtbot):
    box = panel._form.controls["seconds"]
    box.selectAll()
    qtbot.keyClicks(box, "99999999")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    box.selectAll()
    qtbot.keyClicks(box, "-5")
    qtbot.keyClick(box, Qt.Key.Key_Return)

    assert 1 <= panel.reading.limits.seconds <= LIMITS["seconds"].high


def test_limits_are_reset_to_their_defaults(panel, qtbot):
    assert panel._reset.isHidden()
    panel._form.controls["seconds"].setValue(9)
    assert panel._reset.isVisible()

    with qtbot.waitSignal(panel.reading_changed):
        panel._reset.click()

    assert panel.reading == ReadingSettings()
    assert panel._reset.isHidden()


def test_wrong_languages_are_explained(panel, qtbot):
    panel._form.controls["ocr"].click()
    field = panel._form.controls["ocr_languages"]
    field.selectAll()

    with qtbot.assertNotEmitted(panel.reading_changed):
        qtbot.keyClicks(field, "deu/eng")
        qtbot.keyClick(field, Qt.Key.Key_Return)

    assert "deu+eng" in panel._form._problem.text()


@pytest.mark.parametrize("installed", [True, False])
def test_how_to_get_tesseract_is_said_where_it_is_missing(panel, monkeypatch, installed):
    found = "/usr/bin/tesseract" if installed else None
    monkeypatch.setattr(setup.shutil, "which", lambda name: found)
    panel.edit()

    assert panel._form._missing.isHidden() is installed


def test_other_limits_ask_for_a_new_scan(panel, qtbot):
    panel.set_scanned(panel.reading)
    assert panel.rescan.isHidden()

    panel._form.controls["seconds"].setValue(300)

    assert panel.rescan.isVisible()
    panel.set_scanned(panel.reading)
    assert panel.rescan.isHidden()


def test_a_limit_is_led_to(panel, qtbot):
    panel.set_reading(OTHER)
    panel._edit.click()
    assert panel._form.isHidden()
    panel.activateWindow()
    qtbot.waitUntil(panel.isActiveWindow)

    box = panel.edit_field("memory_bytes")

    assert panel._form.isVisible()
    qtbot.waitUntil(box.hasFocus)
    assert box.lineEdit().selectedText()


@pytest.mark.parametrize("points", [10, 20])
def test_nothing_in_the_form_is_clipped(panel, points):
    panel.set_reading(OTHER)
    font = panel.font()
    font.setPointSize(points)
    panel.setFont(font)
    panel.resize(max(355, panel.minimumSizeHint().width()), 900)
    QApplication.processEvents()

    for widget in (*panel._form.findChildren(CheckBox), *panel._form.findChildren(QLabel)):
        if widget.isVisible():
            assert widget.width() >= widget.minimumSizeHint().width(), widget.text()
