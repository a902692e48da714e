"""Names in the window: nothing unseen in them, and those that look alike differ in a tool tip."""

import sys

import pytest
from PySide6.QtCore import Qt

from core.base.wording import printable_text
from neardup_gui.models.pairs.columns import Column
from neardup_gui.models.words import sentences
from neardup_gui.models.words.numbers import full_name, tool_tip
from neardup_gui.models.words.sentences import Message

ESCAPES = "\x1b[31m\u202etxt.exe\u200b"
PATIENCE = 60_000  # ms


def test_a_message_and_a_tool_tip_show_what_names_hide(tmp_path):
    path = tmp_path / f"a{ESCAPES}.neardup"
    for message in (
        Message(f"a{ESCAPES}"),
        sentences.no_review(path),
        sentences.review_saved(path),
        sentences.exists_already(path),
        sentences.not_a_folder(path),
    ):
        assert "\\x1b[31m\\u202etxt.exe\\u200b" in message.text
        assert printable_text(message.text) == message.text
    assert "\u202e" not in tool_tip(f"a{ESCAPES}")


def test_what_two_names_hide_of_each_other_is_told():
    assert full_name("é.txt") == "é.txt"
    assert full_name("e\u0301.txt") == "e\u0301.txt\nwritten e\\u0301.txt"
    assert full_name("a  b") == "a  b\nwritten a \\x20b"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows refuses such names")
def test_a_folder_with_such_names_is_shown_without_them(window, tmp_path, qtbot):
    folder = tmp_path / f"in{ESCAPES}"
    folder.mkdir()
    for name in ("e\u0301.txt", f"b{ESCAPES}.txt"):
        (folder / name).write_text("One and the same text, twice in a folder.")

    with qtbot.waitSignal(window.presenter.ended, timeout=PATIENCE):
        window.presenter.open_folders([folder])

    model = window.presenter.pairs
    told = [
        model.data(model.index(0, column), role)
        for column in (Column.DOCUMENT_A, Column.DOCUMENT_B)
        for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
    ]
    told += [window.windowTitle()]
    assert "in\\x1b[31m\\u202etxt.exe\\u200b" in window.windowTitle()
    assert any("written e\\u0301.txt" in text for text in told)
    for text in told:
        assert printable_text(text) == text
