"""Settings from the window to a file and back, and as lines for other places."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from core.settings import ScanSettings
from neardup_gui.views.shell import dialogs
from neardup_gui.window.actions import Action
from neardup_gui.window.workbench import SettingsSharing

RAISED = pytest.mark.qt_log_ignore("This plugin does not support raise", extend=True)


@pytest.fixture
def sharing(window):
    (one,) = window.findChildren(SettingsSharing)
    return one


@pytest.fixture
def choose(monkeypatch):
    """Answer the dialogs of the system with this path."""

    def answer(path):
        for name in ("getSaveFileName", "getOpenFileName"):
            monkeypatch.setattr(
                dialogs.QFileDialog, name, lambda *_a, chosen=str(path or ""): (chosen, "")
            )

    return answer


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "my essays"
    made.mkdir()
    words = [f"word{number}" for number in range(80)]
    (made / "one.txt").write_text(" ".join(words))
    (made / "two.txt").write_text(" ".join(words[:70]))
    return made


def listed(window, folder, qtbot):
    with qtbot.waitSignal(window.presenter.listed, check_params_cb=lambda result: result.complete):
        window.presenter.open_folders([folder])


def said(window):
    return window.message_bar.accessibleName()


def load(window, sharing, qtbot):
    with qtbot.waitSignal(window.presenter.said):
        sharing.load()


def test_settings_go_to_a_file_and_come_back(window, sharing, choose, tmp_path, qtbot):
    chosen = ScanSettings(unit="char", k=7, bands=42, rows=3, min_resemblance=0.25)
    window.side_panels.take(chosen)
    window.presenter.reading.open_archives()
    choose(tmp_path / "course")
    with qtbot.waitSignal(window.presenter.said):
        sharing.save()
    window.side_panels.take(ScanSettings())
    window.presenter.reading.change(type(window.presenter.current.reading)())
    choose(tmp_path / "course.json")

    load(window, sharing, qtbot)

    current = window.presenter.current
    assert current.settings == chosen == window.side_panels.setup.settings
    assert current.reading.archives
    assert window.side_panels.reading.reading.archives
    state = window.side_panels.model.state
    assert (state.bands, state.rows, state.min_resemblance) == (42, 3, 0.25)


def test_loaded_settings_list_again(window, sharing, choose, folder, tmp_path, qtbot):
    listed(window, folder, qtbot)
    file = tmp_path / "strict.json"
    told = {"min_resemblance": 0.99, "list_passages": False, "reworked": "off"}
    file.write_text(json.dumps({"format": "neardup settings", "version": 1, "scan": told}))
    choose(file)

    with qtbot.waitSignal(window.presenter.listed):
        sharing.load()

    assert window.presenter.pairs.rowCount() == 0


def test_a_file_that_is_none_is_told_and_changes_nothing(window, sharing, choose, tmp_path, qtbot):
    before = window.presenter.current.settings
    file = tmp_path / "none.json"
    file.write_text("[]")
    choose(file)

    load(window, sharing, qtbot)

    assert "“none.json” cannot be used" in said(window)
    assert window.presenter.current.settings == before


def test_who_thinks_better_of_it_changes_nothing(window, sharing, choose):
    before = window.presenter.current.settings
    choose(None)

    sharing.load()
    sharing.save()

    assert window.presenter.current.settings == before


@RAISED
def test_the_lines_name_the_folder_and_follow_the_settings(window, sharing, folder, qtbot):
    listed(window, folder, qtbot)
    qtbot.mouseClick(window.side_panels.setup._sharing.lines, Qt.MouseButton.LeftButton)
    lines = sharing._lines

    assert lines.isVisible()
    assert f"'{folder}'" in lines._code.toPlainText()
    window.side_panels.take(window.presenter.current.settings.with_changes(bands=17, rows=4))
    assert "--bands 17 --rows 4" in lines._code.toPlainText()

    lines._where.setCurrentIndex(lines._where.findText("datasketch"))
    assert "params=(17, 4)" in lines._code.toPlainText()
    window.side_panels.take(window.presenter.current.settings.with_changes(bands=18))
    assert lines._where.currentText() == "datasketch"  # as it was chosen
    assert "params=(18, 4)" in lines._code.toPlainText()


@RAISED
def test_lines_are_copied_and_that_is_said(window, sharing, qtbot):
    sharing.show_lines()
    lines = sharing._lines

    qtbot.mouseClick(lines._copy, Qt.MouseButton.LeftButton)

    assert QGuiApplication.clipboard().text() == lines._code.toPlainText()
    assert lines._told.text() == "Copied: neardup scan, for Linux and macOS."


@RAISED
def test_where_settings_cannot_be_had_the_reason_stands_there(window, sharing):
    window.side_panels.take(ScanSettings(signature="simhash"))
    sharing.show_lines()
    lines = sharing._lines
    lines._where.setCurrentIndex(lines._where.findText("datatrove"))

    assert not lines._code.toPlainText()
    assert "compare bits" in lines._differs.text()
    assert not lines._copy.isVisible()


@RAISED
def test_the_menu_leads_there_too(window, sharing):
    window._actions[Action.LINES].trigger()

    assert sharing._lines.isVisible()
