"""The list of folders with what each is for: shown, added to, changed, undone."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.documents.model import Role
from neardup_gui.models.setup import ADDITIONS, folder_lines
from neardup_gui.views.setup.rows import FolderList
from neardup_gui.window import setup

REVIEW, REFERENCE, TEMPLATE = Role


def test_folders_to_review_come_first_and_each_title_is_said_once():
    folders = [Path("/a/sheet.docx"), Path("/a/2024"), Path("/b/essays"), Path("/b/2024")]
    roles = [TEMPLATE, REFERENCE, REVIEW, REFERENCE]
    lines = folder_lines(folders, roles, [1, 1840, 212, 3])
    assert [(line.title, line.text) for line in lines] == [
        ("To review", "essays (212)"),
        ("Reference", "a/2024 (1,840)"),
        ("", "b/2024 (3)"),
        ("Template", "sheet.docx"),
    ]
    assert lines[1].heard == "a/2024, reference, 1,840 documents"
    assert [line.text for line in folder_lines(folders[2:3], [REVIEW], [])] == ["essays"]


@pytest.fixture
def folders(qtbot):
    field = QWidget()
    qtbot.addWidget(field)
    view = FolderList(field)
    qtbot.addWidget(view)
    view.resize(330, 120)
    view.show_lines(
        folder_lines([Path("/essays"), Path("/2024 <b>&")], [REVIEW, REFERENCE], [2, 3])
    )
    view.show()
    qtbot.waitExposed(view)
    return view


def test_a_folder_is_a_button_with_a_menu(folders, qtbot):
    buttons = [button for _, button in folders._rows]
    assert [button.accessibleName() for button in buttons] == [
        "essays, to review, 2 documents",
        "2024 <b>&, reference, 3 documents",
    ]
    assert "<b>" not in buttons[1].toolTip()
    menu = folders.make_menu(buttons[1].line)
    actions = {action.text(): action for action in menu.actions() if action.text()}
    assert list(actions) == ["To review", "Reference", "Template", "Remove from the list"]
    assert [text for text, action in actions.items() if action.isChecked()] == ["Reference"]
    with qtbot.waitSignal(folders.role_chosen) as chosen:
        actions["Template"].trigger()
    assert chosen.args == [Path("/2024 <b>&"), TEMPLATE]
    with qtbot.waitSignal(folders.take_off_wanted) as wanted:
        actions["Remove from the list"].trigger()
    assert wanted.args == [Path("/2024 <b>&")]
    with qtbot.assertNotEmitted(folders.role_chosen):
        actions["Reference"].trigger()


def test_what_can_be_added_is_asked_for(folders, qtbot):
    menu = folders.make_additions()
    for action, addition in zip(menu.actions(), ADDITIONS, strict=True):
        with qtbot.waitSignal(folders.addition_wanted) as wanted:
            action.trigger()
        assert wanted.args == [addition]


def test_tab_goes_through_the_folders_to_what_adds_one(folders, qtbot):
    first, second = (button for _, button in folders._rows)
    folders.show_lines([*(one.line for one in (first, second)), first.line])
    folders.activateWindow()
    first.setFocus()
    seen = []
    for _ in range(3):
        qtbot.keyClick(folders.window().focusWidget() or first, Qt.Key.Key_Tab)
        seen.append(folders.focusWidget())
    assert seen == [second, folders._rows[2][1], folders._add]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Down])
def test_keys_open_the_menu(folders, qtbot, monkeypatch, key):
    opened = []
    monkeypatch.setattr(folders, "_open_menu", lambda button: opened.append(button.line.path))
    qtbot.keyClick(folders._rows[1][1], key)
    assert opened == [Path("/2024 <b>&")]


@pytest.fixture
def places(tmp_path):
    """Two essays and two old ones that all share text."""
    words = " ".join(f"w{number}" for number in range(60))
    for place in ("essays/a.txt", "essays/b.txt", "old/c.txt", "old/d.txt", "sheet.txt"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text(f"{words} {place}")
    return tmp_path


def lines_of(window):
    view = window.side_panels.setup.folders
    return [(label.text(), button.text()) for label, button in view._rows]


def scanned(window, qtbot, act):
    with qtbot.waitSignal(window.presenter.scans.scanned):
        act()
    qtbot.waitUntil(lambda: not window.presenter.state.is_busy)


def test_a_reference_is_added_changed_and_taken_off_and_all_is_undone(
    window, qtbot, places, monkeypatch
):
    presenter = window.presenter
    pairs = presenter.pairs
    scanned(window, qtbot, lambda: presenter.open_folders([places / "essays"]))
    assert lines_of(window) == [("To review", "essays (2)")]
    assert pairs.rowCount() == 1
    view = window.side_panels.setup.folders

    def add(name, addition):
        asked = lambda *_: places / name  # noqa: E731
        monkeypatch.setattr(setup, "ask_for_folder", asked)
        monkeypatch.setattr(setup, "ask_for_file", asked)
        scanned(window, qtbot, lambda: view.addition_wanted.emit(addition))

    add("old", ADDITIONS[1])
    assert lines_of(window) == [("To review", "essays (2)"), ("Reference", "old (2)")]
    assert pairs.rowCount() == 1 + 4
    add("sheet.txt", ADDITIONS[3])
    assert lines_of(window)[2] == ("Template", "sheet.txt")

    def decided(act):
        with qtbot.waitSignal(presenter.decisions.carried_out):
            act()
        return lines_of(window), pairs.rowCount()

    before = lines_of(window), pairs.rowCount()
    changed = decided(lambda: view.role_chosen.emit(places / "old", REVIEW))
    assert changed[0][:2] == [("To review", "essays (2)"), ("", "old (2)")]
    off = decided(lambda: view.take_off_wanted.emit(places / "old"))
    assert [text for _, text in off[0]] == ["essays (2)", "sheet.txt"]
    assert decided(presenter.decisions.undo) == changed
    assert decided(presenter.decisions.undo) == before
    assert decided(presenter.decisions.redo) == changed


def test_what_cannot_be_is_said_and_nothing_changes(window, qtbot, places, monkeypatch):
    presenter = window.presenter
    scanned(window, qtbot, lambda: presenter.open_folders([places / "essays"]))
    before = lines_of(window)
    said = []
    presenter.said.connect(lambda message: said.append(message.text))
    presenter.folders.give_role(places / "essays", TEMPLATE)
    presenter.folders.take_off(places / "essays")
    presenter.folders.add(places / "essays", TEMPLATE)
    *refused, last = said
    assert [one.partition(".")[0] for one in refused] == ["There is no folder to review"] * 2
    assert last == "“essays” is already in the list of folders."
    (places / "empty").mkdir()
    said.clear()
    with qtbot.waitSignal(presenter.said):
        presenter.folders.add(places / "empty", TEMPLATE)
    qtbot.waitUntil(lambda: not presenter.state.is_busy)
    assert any("“empty” contains no file that could be a template." in text for text in said)
    assert lines_of(window) == before
    assert presenter.current.folders == (places / "essays",)


def test_two_changes_at_once_leave_something_to_review(window, qtbot, places):
    presenter = window.presenter
    scanned(window, qtbot, lambda: presenter.open_folders([places / "essays", places / "old"]))
    said = []
    presenter.said.connect(lambda message: said.append(message.text))
    with qtbot.waitSignal(presenter.decisions.carried_out):
        presenter.folders.give_role(places / "old", REFERENCE)
        presenter.folders.give_role(places / "essays", REFERENCE)
    assert said[0] == "You can change the role of folders once all pairs are listed."
    assert presenter.current.roles == (REVIEW, REFERENCE)
    presenter.folders.give_role(places / "essays", REFERENCE)
    assert said[-1].startswith("There is no folder to review")
    with qtbot.waitSignal(presenter.decisions.carried_out):
        presenter.decisions.undo()
    assert said[-1] == "Undone: the role of a folder."
