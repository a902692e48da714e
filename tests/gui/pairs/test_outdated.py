"""A list that was made with other settings than are chosen says so where it stands."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from core.base.wording import readable_size
from core.documents.reading_settings import ReadingSettings
from neardup_gui.window.actions import Action

TEXT = (
    "The ferry left the stone quay at seven, an hour late, because the pilot had overslept and "
    "the tide, which waits for nobody, had already begun to turn against the harbour wall. "
)


def scan(window, qtbot):
    with qtbot.waitSignal(window.presenter.ended):
        window.presenter.rescan()


@pytest.fixture
def scanned(window, tmp_path, qtbot):
    folder = tmp_path / "letters"
    folder.mkdir()
    (folder / "one.txt").write_text(TEXT + "The cook was blamed for it.", encoding="utf-8")
    (folder / "two.txt").write_text(TEXT + "Nobody minded in the least.", encoding="utf-8")
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.open_folders([folder])
    qtbot.waitUntil(lambda: not window.presenter.state.is_scanning)
    return window


def row(window):
    return window.pages.pairs.outdated_row


def set_k(window, k):
    window.side_panels.setup._form.controls["k"].setValue(k)


def test_a_fresh_list_says_nothing(scanned):
    assert row(scanned).isHidden()


def test_another_k_is_said_above_the_table(scanned):
    set_k(scanned, 7)

    assert row(scanned).isVisible()
    assert row(scanned).sentence == (
        "This list is out of date. Shingles: words, k = 5 → words, k = 7."
    )


def test_a_setting_changed_back_is_no_change(scanned):
    set_k(scanned, 7)
    set_k(scanned, 5)

    assert row(scanned).isHidden()


def test_other_bands_need_no_new_scan(scanned):
    scanned.side_panels.threshold._rows.slider.setValue(4)

    assert row(scanned).isHidden()


def test_its_button_scans_again_and_it_is_gone(scanned, qtbot):
    set_k(scanned, 7)
    button = row(scanned).findChild(QToolButton)
    assert button.defaultAction() is scanned._actions[Action.RESCAN]

    with qtbot.waitSignal(scanned.presenter.ended):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert row(scanned).isHidden()

    assert scanned.presenter.current.result.settings.k == 7
    assert row(scanned).isHidden()


def test_a_cancelled_rescan_leaves_it(scanned, qtbot):
    set_k(scanned, 7)
    with qtbot.waitSignal(scanned.presenter.ended):
        scanned.presenter.rescan()
        scanned.presenter.cancel()
    QApplication.processEvents()

    done = scanned.presenter.current.result.settings.k == 7
    assert row(scanned).isHidden() == done


def test_files_to_be_read_otherwise_are_said(scanned):
    scanned.presenter.reading.change(ReadingSettings(archives=True))

    assert "Reading files" in row(scanned).sentence

    scanned.presenter.reading.change(ReadingSettings())

    assert row(scanned).isHidden()


def test_another_folder_has_no_old_list(scanned, tmp_path, qtbot):
    set_k(scanned, 7)
    other = tmp_path / "other"
    other.mkdir()
    with qtbot.waitSignal(scanned.presenter.ended):
        scanned.presenter.open_folders([other])

    assert row(scanned).isHidden()


def test_an_export_says_which_settings_the_list_has(scanned, tmp_path, qtbot):
    set_k(scanned, 7)
    target = tmp_path / "pairs.json"

    with qtbot.waitSignal(scanned.presenter.said) as said:
        scanned.presenter.exports.save(target)

    report = json.loads(target.read_text(encoding="utf-8"))
    sentence = (
        "The list was made with shingles: words, k = 5. "
        "Chosen since, but not scanned: shingles: words, k = 7."
    )
    assert report["settings"]["k"] == 5
    assert report["shown"] == sentence
    size = readable_size(target.stat().st_size)
    assert said.args[0].text.startswith(f"Saved 1 pair to pairs.json, {size}. ")
    assert said.args[0].text.endswith(sentence)
