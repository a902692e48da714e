"""Ctrl+Z: of the threshold where it is chosen, else of the verdicts."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from neardup_gui.window.actions import Action

TREES = (
    "The survey was carried out in three districts between April and June. In each district we "
    "walked every street twice, once in the morning and once in the evening, and noted the "
    "species, the height and the state of every tree we could see from the pavement. "
)
CTRL = Qt.KeyboardModifier.ControlModifier
BOTH = CTRL | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def scanned(window, tmp_path, qtbot):
    folder = tmp_path / "essays"
    folder.mkdir()
    for name, end in (("one.txt", ""), ("two.txt", "And that was all.")):
        (folder / name).write_text(TREES + end)
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.open_folders([folder])
    window.activateWindow()
    return window


def enabled(window):
    return [window._actions[name].isEnabled() for name in (Action.UNDO, Action.REDO)]


def test_on_the_page_of_the_curve_the_threshold_is_undone(scanned, qtbot):
    model = scanned.side_panels.model
    before = model.state
    scanned._judging.judge(next(iter(scanned._judging._actions.values()))[0])
    qtbot.waitUntil(lambda: enabled(scanned) == [True, False])

    scanned._navigation.go_to_curve()
    assert enabled(scanned) == [False, False]
    model.change_threshold(0.4)
    changed = model.state
    assert enabled(scanned) == [True, False]
    qtbot.keyClick(scanned, Qt.Key.Key_Z, CTRL)
    assert model.state == before
    assert enabled(scanned) == [False, True]
    qtbot.keyClick(scanned, Qt.Key.Key_Z, BOTH)
    assert model.state == changed

    scanned._navigation.go_to_table()
    assert enabled(scanned) == [True, False]
    qtbot.keyClick(scanned, Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: enabled(scanned) == [False, True])
    assert model.state == changed


def test_in_the_panel_the_threshold_is_undone_also_from_its_numbers(scanned, qtbot):
    model, box = scanned.side_panels.model, scanned.side_panels.threshold._rows.box
    before = model.state
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    box.selectAll()
    qtbot.keyClicks(box, "4")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert model.state.rows == 4

    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Z, CTRL)

    assert model.state == before
    assert box.value() == before.rows


def test_a_page_in_a_low_window_scrolls(scanned):
    small = scanned.pages.tabs.minimumSizeHint()
    assert small.width() < 400
    assert small.height() < 300
