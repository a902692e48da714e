"""Qt in the language of the program."""

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QDialogButtonBox

from core.base.messages import Language
from neardup_gui.views.widgets.controls import NumberBox
from tests.made_up_language import spoken


@pytest.fixture
def in_language(make_window, qapp):
    windows = []

    def begin(code):
        with spoken(Language(code)):
            windows.append(make_window())

    yield begin
    begin("en")


@pytest.mark.parametrize(
    ("code", "number", "cancel", "direction"),
    [
        ("de", "0,5", "Abbrechen", Qt.LayoutDirection.LeftToRight),
        ("ar", "0.5", "ألغِ", Qt.LayoutDirection.RightToLeft),
        ("en", "0.5", "Cancel", Qt.LayoutDirection.LeftToRight),
    ],
)
def test_qt_follows_the_language(in_language, qapp, code, number, cancel, direction):
    in_language(code)
    box, buttons = NumberBox(1), QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    box.setValue(0.5)
    assert box.text() == number
    assert buttons.buttons()[0].text().replace("&", "") == cancel
    assert qapp.layoutDirection() == direction
    assert QLocale().toString(12).isascii()
