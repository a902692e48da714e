"""Names in the window: nothing unseen in them, and those that look alike differ in a tool tip."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.base.wording import printable_text
from neardup_gui.models.pairs.columns import Column
from neardup_gui.models.words import sentences
from neardup_gui.models.words.numbers import full_name, tool_tip
from neardup_gui.models.words.sentences import Message
from neardup_gui.views.shell.dialogs import KeysDialog
from neardup_gui.views.widgets.controls import CheckBox
from neardup_gui.views.widgets.labels import SAMPLE, elided_name, letter_width
from neardup_gui.window.menus import Actions

NAME = "essays of the second year/spring term/okafor.odt"


@pytest.fixture
def metrics(qapp):
    return QFontMetrics(qapp.font())


def test_a_name_that_fits_is_whole(metrics):
    assert elided_name(metrics, NAME, 2000) == NAME


def test_the_folders_are_shortened_before_the_file(metrics):
    shown = elided_name(metrics, NAME, metrics.horizontalAdvance(NAME) - 40)

    assert shown.endswith("/okafor.odt")
    assert shown.startswith("essays")
    assert "…" in shown


def test_without_room_for_a_folder_the_file_alone_is_shown(metrics):
    file = metrics.horizontalAdvance("okafor.odt")

    assert elided_name(metrics, NAME, file + metrics.horizontalAdvance("…/")) == "…/okafor.odt"
    assert elided_name(metrics, NAME, file + 3) == "okafor.odt"
    assert elided_name(metrics, NAME, file - 8).startswith("ok")


@pytest.mark.parametrize(
    ("name", "beside", "shown"),
    [
        (
            "Stock_Agreement__2013-03-06_625d0c4.md",
            "Stock_Agreement__2013-06-20_7c05a73.md",
            "03-06",
        ),
        ("submission_of_the_essay_00011.txt", "submission_of_the_essay_00012.txt", "00011"),
        ("2023/submission_of_the_essay.txt", "2024/submission_of_the_essay.txt", "2023"),
    ],
)
def test_what_sets_two_names_apart_is_shown(metrics, name, beside, shown):
    width = metrics.horizontalAdvance(name) * 2 // 3

    assert shown in elided_name(metrics, name, width, beside)
    assert metrics.horizontalAdvance(elided_name(metrics, name, width, beside)) <= width


@pytest.mark.parametrize("name", [NAME, "/okafor", "okafor/", "a/" * 300, "…" * 90, "文/件" * 40])
@pytest.mark.parametrize("width", [0, 20, 60, 150])
def test_no_name_is_wider_than_its_room(metrics, name, width):
    shown = elided_name(metrics, name, width)

    assert metrics.horizontalAdvance(shown) <= max(width, metrics.horizontalAdvance("…"))


def test_a_check_box_is_as_high_as_its_letters(qtbot):
    box = CheckBox("Keep digits")
    qtbot.addWidget(box)
    before, words = box._box_side(), box.sizeHint().width()
    font = QFont(box.font())
    font.setPointSizeF(2.5 * font.pointSizeF())

    box.setFont(font)

    assert box._box_side() > 1.8 * before
    assert box.sizeHint().width() > 1.8 * words


def test_a_check_box_is_clicked_on_its_words(qtbot):
    box = CheckBox("Keep digits")
    qtbot.addWidget(box)
    box.show()

    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=box.rect().center())

    assert box.isChecked()


def test_the_sheet_of_keys_is_not_wider_than_the_screen(qtbot, qapp):
    font = qapp.font()
    large = QFont(font)
    large.setPointSizeF(3 * font.pointSizeF())
    qapp.setFont(large)
    try:
        dialog = KeysDialog(Actions().keys())
        qtbot.addWidget(dialog)
        dialog.show()

        assert dialog.width() <= QApplication.primaryScreen().availableGeometry().width()
    finally:
        qapp.setFont(font)


def test_a_letter_is_as_wide_as_letters_are_whatever_else_the_font_has(qapp):
    for family in QFontDatabase.families(QFontDatabase.WritingSystem.Latin):
        metrics = QFontMetrics(QFont(family, 20))

        widest = max(metrics.horizontalAdvance(letter) for letter in SAMPLE)
        assert letter_width(metrics) <= widest + 1, family


ESCAPES = "\x1b[31m\u202etxt.exe\u200b"
PATIENCE = 60_000  # ms


def test_a_message_and_a_tool_tip_show_what_names_hide(tmp_path):
    path = tmp_path / f"a{ESCAPES}.neardup"
    for message in (
        Message(f"a{ESCAPES}"),
        sentences.no_review(path),
        sentences.review_saved(path),
        sentences.exists_already(path),
        sentences.nothing_to_open(path),
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
