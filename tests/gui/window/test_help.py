"""The windows that explain: complete, calm, and beside the window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from core.settings import PRESETS
from neardup_gui.environment.assets import resource
from neardup_gui.models.pairs.columns import Column
from neardup_gui.models.problems import Remedy
from neardup_gui.views.setup.panel import SetupForm
from neardup_gui.views.shell.dialogs import KeysDialog, ManualWindow
from neardup_gui.window.help import Help
from neardup_gui.window.menus import Actions


@pytest.fixture
def manual():
    return resource("help/manual.md").read_text(encoding="utf-8")


@pytest.fixture
def owner(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    window.show()
    return window


@pytest.fixture
def actions(owner):
    return Actions(owner)


@pytest.mark.qt_log_ignore("This plugin does not support raise", extend=True)
@pytest.mark.parametrize(
    ("show", "kind"), [(Help.show_manual, ManualWindow), (Help.show_keys, KeysDialog)]
)
def test_a_help_window_opens_once_and_closes_with_esc(owner, actions, qtbot, show, kind):
    explanations = Help(actions.keys, owner)

    show(explanations)
    show(explanations)

    (dialog,) = owner.findChildren(kind)
    assert dialog.isVisible()
    assert not dialog.isModal()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_the_manual_explains_every_number_and_every_preset(manual):
    numbers = [column.words.title for column in Column if column >= Column.RESEMBLANCE]

    for name in [*numbers, *(preset.name for preset in PRESETS)]:
        assert f"\n| {name} |" in manual


def test_the_manual_explains_every_remedy(manual):
    for remedy in set(Remedy) - {Remedy.GET_OCR, Remedy.LANGUAGES}:
        assert f"*{remedy}*" in manual


def test_the_manual_explains_every_method_of_the_setup(manual, qtbot):
    form = SetupForm()
    qtbot.addWidget(form)

    names = [
        form.controls["signature"].itemText(place)
        for place in range(form.controls["signature"].count())
    ]
    assert len(names) == 3
    for name in names:
        assert f"*{name}*" in manual


def test_the_manual_names_no_key_that_does_not_exist(manual, actions):
    groups = actions.keys()
    existing = {key for group in groups for keys, _ in group.lines for key in keys.split(", ")}
    rows = manual.partition("## Keys")[2].splitlines()
    named = [key for row in rows if row.startswith("| ") for key in keys_of(row)]

    assert named
    assert not set(named) - existing - {"Up", "Down", "Home", "End", "Keys", "Enter", "Esc"}


def keys_of(row):
    cell = row.split("|")[1].replace(" or ", ", ")
    return [key.strip() for key in cell.split(",") if key.strip()]


def test_nothing_in_the_manual_leads_out_of_this_computer(manual):
    assert "http" not in manual
    assert "plagiar" not in manual.lower()
