"""Every key is a menu entry and on the sheet of all keys, and means one thing."""

from collections import Counter

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLabel, QMenu

from neardup_gui.models.window_state import WindowState
from neardup_gui.views.shell.dialogs import KeysDialog
from neardup_gui.window.actions import Action, Menu
from neardup_gui.window.menus import Actions

ENTRIES = [action.value for action in Action]

# The keys UX.md promises, as far as the thing they do exists.
PROMISED = {
    "Ctrl+O", "F5", "Ctrl+E", "Ctrl+S", "Ctrl+Shift+S", "Ctrl+Shift+O",
    "Ctrl+Q", "Return", "Esc", "Alt+Down", "Alt+Up", "F8", "F7",
    "Ctrl+F8", "Ctrl+F7", "F6", "X", "S", "Ctrl+F", "F3", "F1", "?", "Ctrl++", "Ctrl+-", "Ctrl+0",
    "Shift+F10", *(f"Ctrl+{digit}" for digit in range(1, 10)),
}  # fmt: skip


@pytest.fixture
def actions(qapp):
    return Actions()


def test_every_action_is_in_exactly_one_menu(actions):
    listed = [action for menu in Menu for action, _ in actions.of_menu(menu)]

    assert Counter(map(id, listed)) == Counter(id(actions[name]) for name in Action)


def test_no_key_means_two_things():
    keys = [QKeySequence(key).toString() for entry in ENTRIES for key in entry.keys]

    assert [key for key, times in Counter(keys).items() if times > 1] == []
    assert "" not in keys


def test_every_promised_key_exists():
    assert {key for entry in ENTRIES for key in entry.keys} >= PROMISED


def test_no_letter_of_a_menu_is_marked_twice(actions):
    for menu in Menu:
        marks = [
            action.text()[action.text().index("&") + 1].lower()
            for action, _ in actions.of_menu(menu)
            if "&" in action.text()
        ]
        assert [mark for mark, times in Counter(marks).items() if times > 1] == [], menu


def test_the_sheet_shows_every_key(qtbot, actions):
    dialog = KeysDialog(actions.keys())
    qtbot.addWidget(dialog)
    texts = {label.text() for label in dialog.findChildren(QLabel)}

    for entry in ENTRIES:
        if entry.keys:
            assert entry.title in texts
            assert any(QKeySequence(entry.keys[0]).toString() in text for text in texts)


def test_nothing_can_be_done_without_a_folder(actions):
    actions.enable(WindowState())

    enabled = {name for name in Action if actions[name].isEnabled()}
    assert {
        Action.OPEN_FOLDER,
        Action.OPEN_REVIEW,
        Action.OPEN_SAMPLE,
        Action.QUIT,
        Action.ALL_KEYS,
    } <= enabled
    assert not enabled & {
        Action.RESCAN, Action.CANCEL, Action.EXPORT, Action.NEXT_PAIR, Action.SWAP_SIDES,
        Action.SAVE_REVIEW, Action.SAVE_REVIEW_AS,
    }  # fmt: skip


def test_a_running_scan_can_be_cancelled_but_not_started_again(actions):
    actions.enable(WindowState(has_folder=True, is_scanning=True, is_busy=True))

    assert actions[Action.CANCEL].isEnabled()
    assert not actions[Action.RESCAN].isEnabled()


def test_a_review_without_pairs_can_be_saved_but_none_that_is_incomplete(actions):
    actions.enable(WindowState(has_folder=True, is_complete=True))
    assert actions[Action.SAVE_REVIEW].isEnabled()

    actions.enable(WindowState(has_folder=True, has_pairs=True))
    assert not actions[Action.SAVE_REVIEW].isEnabled()
    actions.enable(WindowState(has_folder=True, is_complete=True, is_scanning=True))
    assert not actions[Action.SAVE_REVIEW].isEnabled()


def test_menus_are_menus(qapp):
    titles = [QMenu(menu).title() for menu in Menu]
    assert titles == ["&File", "&Review", "&View", "S&ort by", "&Help"]
