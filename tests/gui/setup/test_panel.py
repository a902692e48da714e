"""The setup panel as its user meets it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from core.settings import ScanSettings
from neardup_gui.views.setup.panel import SetupPanel
from neardup_gui.views.widgets.controls import CheckBox


@pytest.fixture
def panel(qtbot):
    panel = SetupPanel()
    qtbot.addWidget(panel)
    panel.resize(355, 520)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def choose(combo, text):
    index = combo.findText(text)
    combo.setCurrentIndex(index)
    combo.activated.emit(index)


def test_is_quiet_until_edit_is_pressed(panel):
    assert panel._form.isHidden()
    assert panel._summary.isVisible()

    panel._edit.click()

    assert panel._form.isVisible()
    assert panel._summary.isHidden()
    assert panel._edit.text() == "Done"


def test_a_preset_is_reported_with_all_its_settings(panel, qtbot):
    with qtbot.waitSignal(panel.setup_changed) as changed:
        choose(panel._preset, "Short texts")

    assert changed.args == [ScanSettings(unit="char", bands=32, rows=4, min_resemblance=0.30)]
    assert panel._summary._labels["Shingles"].text() == "characters, k = 5"


def test_the_preset_in_use_is_not_reported_again(panel, qtbot):
    with qtbot.assertNotEmitted(panel.setup_changed):
        choose(panel._preset, "Essays and reports")


def test_a_field_that_differs_makes_it_custom(panel, qtbot):
    with qtbot.waitSignal(panel.setup_changed) as changed:
        panel._form.controls["k"].setValue(7)

    assert changed.args[0].k == 7
    assert panel._preset.currentText() == "Custom"


def test_every_field_reports(panel, qtbot):
    form = panel._form
    for act, expected in (
        (lambda: form.controls["unit"].setCurrentIndex(1), {"unit": "char"}),
        (form.controls["ignore_case"].click, {"ignore_case": False}),
        (form.controls["keep_punctuation"].click, {"keep_punctuation": False}),
        (form.controls["keep_digits"].click, {"keep_digits": False}),
        (lambda: form.controls["white_space"].setCurrentIndex(1), {"white_space": "collapse"}),
        (lambda: form.controls["bag"].setCurrentIndex(1), {"bag": True}),
        (lambda: form.controls["unit"].setCurrentIndex(0), {"unit": "word"}),
        (lambda: choose(form.controls["language"], "Swedish"), {"language": "swedish"}),
        (form.controls["drop_stop_words"].click, {"drop_stop_words": True}),
        (form.controls["stem"].click, {"stem": True}),
        (lambda: form.controls["signature"].setCurrentIndex(1), {"signature": "minhash"}),
        (
            lambda: form.controls["signature_size"].setValue(256),
            {"signature_size": 256, "bands": 128},
        ),
        (lambda: form.controls["signature"].setCurrentIndex(2), {"signature": "simhash"}),
        (lambda: form.controls["weights"].setCurrentIndex(2), {"weights": "tf-idf"}),
        (lambda: form.controls["max_distance"].setValue(0), {"max_distance": 0}),
    ):
        with qtbot.waitSignal(panel.setup_changed) as changed:
            act()
        assert {name: getattr(changed.args[0], name) for name in expected} == expected


def test_white_space_is_asked_for_with_characters_only(panel):
    panel._edit.click()
    assert panel._form.controls["white_space"].isHidden()

    panel._form.controls["unit"].setCurrentIndex(1)

    assert panel._form.controls["white_space"].isVisible()


def test_simhash_has_weights_and_a_distance_and_no_k(panel):
    panel._edit.click()
    form = panel._form
    assert form.controls["signature_size"].isVisible()
    assert form.controls["weights"].isHidden()
    assert form.controls["max_distance"].isHidden()

    choose(form.controls["signature"], "SimHash")

    assert form.controls["signature_size"].isHidden()
    assert form.controls["weights"].isVisible()
    assert form.controls["max_distance"].isVisible()


def test_stop_words_and_stems_wait_for_a_language(panel):
    panel._edit.click()
    form = panel._form
    checks = (form.controls["drop_stop_words"], form.controls["stem"])
    assert not any(check.isEnabled() for check in checks)
    assert all("Choose a language" in check.toolTip() for check in checks)

    choose(form.controls["language"], "English")

    assert all(check.isEnabled() for check in checks)
    assert "1,300 words" in form.controls["drop_stop_words"].toolTip()


def test_characters_have_no_language(panel):
    panel._edit.click()
    form = panel._form
    choose(form.controls["language"], "English")
    form.controls["stem"].click()

    form.controls["unit"].setCurrentIndex(1)

    assert panel.settings.language == ""
    assert not panel.settings.stem
    assert all(
        row.isHidden()
        for row in (
            form.controls["language"],
            form.controls["drop_stop_words"],
            form.controls["stem"],
        )
    )


@pytest.mark.parametrize("points", [10, 20])
def test_nothing_in_the_form_is_clipped(panel, points):
    panel._edit.click()
    choose(panel._form.controls["signature"], "SimHash")
    font = panel.font()
    font.setPointSize(points)
    panel.setFont(font)
    QApplication.processEvents()

    for check in panel._form.findChildren(CheckBox):
        if check.isVisible():
            assert check.width() >= check.sizeHint().width()
    for label in panel._form.findChildren(QLabel):
        if label.isVisible():
            assert label.width() >= label.minimumSizeHint().width()


def test_a_wrong_seed_is_explained_below_the_fields(panel, qtbot):
    panel._edit.click()
    seed = panel._form.controls["seed"]
    seed.selectAll()

    with qtbot.assertNotEmitted(panel.setup_changed):
        qtbot.keyClicks(seed, "seven")
        qtbot.keyClick(seed, Qt.Key.Key_Return)
    assert "whole number" in panel._form._problem.text()

    seed.selectAll()
    qtbot.keyClicks(seed, "7")
    qtbot.keyClick(seed, Qt.Key.Key_Return)
    assert panel.settings.seed == 7
    assert panel._form._problem.isHidden()


def test_other_shingles_ask_for_a_new_scan(panel, qtbot):
    panel.set_scanned(panel.settings)
    assert panel._rescan.isHidden()

    panel._form.controls["k"].setValue(6)

    assert panel.needs_scan
    assert panel._rescan.isVisible()
    with qtbot.waitSignal(panel.rescan_requested):
        panel._rescan.findChild(QPushButton).click()
    panel.set_scanned(panel.settings)
    assert panel._rescan.isHidden()


def test_the_threshold_needs_no_new_scan_and_is_not_reported(panel, qtbot):
    panel.set_scanned(panel.settings)

    with qtbot.assertNotEmitted(panel.setup_changed):
        panel.set_threshold(32, 4, 0.3)

    assert panel._rescan.isHidden()
    assert panel._preset.currentText() == "Custom"
    assert panel.settings.rows == 4


def test_a_preset_is_saved_under_a_name_and_deleted(panel, qtbot):
    panel._form.controls["k"].setValue(7)
    panel._save.click()
    name = panel._naming._name

    with qtbot.assertNotEmitted(panel.preset_saved):
        qtbot.keyClicks(name, "Short texts")
        qtbot.keyClick(name, Qt.Key.Key_Return)
    assert "already a preset" in panel._naming._problem.text()

    name.clear()
    qtbot.keyClicks(name, "Theses")
    with qtbot.waitSignal(panel.preset_saved) as saved:
        qtbot.keyClick(name, Qt.Key.Key_Return)
    assert saved.args == ["Theses"]
    assert panel._preset.currentText() == "Theses"
    assert panel._naming.isHidden()
    assert panel.presets()[0]["name"] == "Theses"

    with qtbot.waitSignal(panel.preset_deleted) as deleted:
        panel._delete.click()
    assert deleted.args == ["Theses"]
    assert panel._preset.currentText() == "Custom"
    assert panel.presets() == ()


def test_escape_leaves_the_naming(panel, qtbot):
    panel._form.controls["k"].setValue(7)
    panel.activateWindow()
    panel._save.click()
    qtbot.waitUntil(panel._naming._name.hasFocus)

    qtbot.keyClick(panel._naming._name, Qt.Key.Key_Escape)

    assert panel._naming.isHidden()


def test_stored_presets_are_offered(panel, qtbot):
    panel.set_presets([{"name": "Theses", "k": 7}])

    choose(panel._preset, "Theses")

    assert panel.settings.k == 7
    assert panel._delete.isVisible()


def test_all_stops_of_tab_have_names(panel, qtbot):
    panel._edit.click()
    panel.activateWindow()
    panel._preset.setFocus()
    qtbot.waitUntil(panel._preset.hasFocus)
    stops = []
    while (stop := QApplication.focusWidget()) not in stops:
        stops.append(stop)
        qtbot.keyClick(stop, Qt.Key.Key_Tab)

    names = [stop.accessibleName() or stop.text() for stop in stops]
    controls = [control for control in panel._form.controls.values() if control.isVisible()]
    fields = [field.accessibleName() or field.text() for field in controls if field.isEnabled()]
    after_k = fields.index("Shingle length k") + 1
    assert names == [
        "Kind of documents",
        *fields[:after_k],
        "What does k do?",
        *fields[after_k:],
        "Done",
        "Reading files",
        "Load settings…",
        "Save settings…",
        "Copy for other tools…",
    ]
    assert all(names)
    assert {"Shingle length k", "Ignore case", "Shortest shared passage, in words"} < set(names)
