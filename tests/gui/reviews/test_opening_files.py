"""Files that only a review names are opened after a question with their name and folder."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices

from core.base.programs import is_program
from neardup_gui.models.folder_reviews import is_chosen
from neardup_gui.models.words import sentences
from neardup_gui.window.actions import Action


@pytest.fixture
def scanned(window, tmp_path, qtbot):
    for number in range(2):
        (tmp_path / f"{number}.txt").write_text("the sea is wide and the wind is strong " * 20)
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.open_folders([tmp_path])
    return window


@pytest.fixture
def opened(monkeypatch):
    paths = []
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda url: paths.append(url.toLocalFile()) or True
    )
    return paths


@pytest.mark.parametrize("action", [Action.OPEN_FILE_A, Action.SHOW_FILE_A])
def test_what_the_user_never_chose_is_opened_after_a_question(scanned, opened, action):
    name = scanned._file_opener._names[0]
    path = scanned.presenter.current.place_of(name).path
    scanned._preferences._store.remove("folders/chosen")
    wanted = path if action is Action.OPEN_FILE_A else path.parent

    scanned._actions[action].trigger()

    assert opened == []
    asked = scanned.message_bar.accessibleName()
    assert asked.startswith(f"Open “{wanted.name}”?")
    assert asked.endswith(f"It is in “{wanted.parent}”.")
    scanned.message_bar._links[0].clicked.emit()
    assert opened == [str(wanted)]
    assert not scanned.message_bar.isVisible()
    scanned._file_opener.open_anyway()  # the answer holds once
    assert opened == [str(wanted)]


def test_a_program_is_asked_about_wherever_it_is(scanned, opened, monkeypatch):
    monkeypatch.setattr("neardup_gui.window.files.is_program", lambda _path: True)

    scanned._actions[Action.OPEN_FILE_A].trigger()

    assert opened == []
    assert "a program or a link" in scanned.message_bar.accessibleName()
    scanned.message_bar.dismiss()
    assert opened == []


def test_the_keyboard_answers_and_is_given_back(scanned, opened, monkeypatch, qtbot):
    monkeypatch.setattr("neardup_gui.window.files.is_program", lambda _path: True)
    table, bar = scanned.pages.pairs.table, scanned.message_bar
    scanned.activateWindow()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)

    scanned._actions[Action.OPEN_FILE_A].trigger()
    qtbot.waitUntil(bar._close.hasFocus)
    qtbot.keyClick(bar._close, Qt.Key.Key_Escape)
    assert (bar.isVisible(), table.hasFocus(), opened) == (False, True, [])

    scanned._actions[Action.OPEN_FILE_A].trigger()
    qtbot.keyClick(bar._close, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(bar._links[0], Qt.Key.Key_Return)
    assert (bar.isVisible(), table.hasFocus(), len(opened)) == (False, True, 1)


def test_a_question_about_a_very_long_path_says_its_name_and_why():
    path = Path("/", *(["folder" * 40] * 16), f"{'name' * 60}.exe")

    asked = sentences.asks_to_run(path).text

    assert asked.startswith("Open “name")
    assert ".exe”? By its name it is a program" in asked
    assert len(asked) < 500


def test_chosen_are_folders_and_what_is_in_them(tmp_path):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder in (inside / "sub", outside):
        folder.mkdir(parents=True)
    (inside / "way out").symlink_to(outside)
    chosen = [str(inside)]

    assert is_chosen(inside, chosen)
    assert is_chosen(inside / "sub" / "a.txt", chosen)
    for other in (
        outside / "a.txt",
        inside / "way out" / "a.txt",
        inside / ".." / "outside" / "a.txt",
        tmp_path / "inside-not",
        Path("//server/share/a.txt"),
        Path("-a.txt"),
        Path("http://example.org/a.txt"),
    ):
        assert not is_chosen(other, chosen)
    assert not is_chosen(inside, [])


@pytest.mark.parametrize(
    "name", ["a.desktop", "b.LNK", "c.pdf.exe", "d.sh", "e.bat. ", "f.url", "g.settingcontent-ms"]
)
def test_programs_are_known_by_their_names(name):
    assert is_program(Path("/docs") / name)


@pytest.mark.parametrize("name", ["a.txt", "b.docx", "c", "exe", "d.pdf", ".exe.txt"])
def test_documents_are_none(name):
    assert not is_program(Path("/docs") / name)
