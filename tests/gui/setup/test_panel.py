"""The setup panel as its user meets it."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from core.documents.model import Role
from core.reports.curve.forecast_words import in_brief
from core.reports.curve.state import ThresholdState
from core.settings import ScanSettings
from neardup_gui.models.setup import ADDITIONS, folder_lines
from neardup_gui.views.setup.panel import FolderList, SetupPanel
from neardup_gui.views.setup.reading_panel import ReadingPanel
from neardup_gui.views.widgets.controls import CheckBox
from neardup_gui.views.widgets.labels import LinkLabel
from neardup_gui.window import setup
from tests.gui.threshold.test_model import USUAL, folder
from tests.texts import folder_with


@pytest.fixture
def panel(qtbot):
    return qtbot.shown(SetupPanel(), 355, 520)


def choose(combo, text):
    index = combo.findText(text)
    combo.setCurrentIndex(index)
    combo.activated.emit(index)


def test_is_quiet_until_edit_is_pressed(panel):
    assert panel._form.isHidden()
    assert panel._summary.isVisible()

    panel._edit.click()

    assert panel._form.isVisible()
    assert panel._summary.isHidden()
    assert panel._edit.text() == "Done"


def test_a_preset_is_reported_with_all_its_settings(panel, qtbot):
    changed = qtbot.until(panel.setup_changed, choose, panel._preset, "Short texts")

    assert changed == [ScanSettings(unit="char", bands=32, rows=4, min_resemblance=0.30)]
    assert panel._summary._labels["Shingles"].text() == "characters, k = 5"


def test_the_preset_in_use_is_not_reported_again(panel, qtbot):
    with qtbot.assertNotEmitted(panel.setup_changed):
        choose(panel._preset, "Essays and reports")


def test_every_field_reports(panel, qtbot):
    form = panel._form
    for act, expected in (
        (lambda: form.controls["unit"].setCurrentIndex(1), {"unit": "char"}),
        (form.controls["ignore_case"].click, {"ignore_case": False}),
        (form.controls["keep_punctuation"].click, {"keep_punctuation": False}),
        (form.controls["keep_digits"].click, {"keep_digits": False}),
        (lambda: form.controls["white_space"].setCurrentIndex(1), {"white_space": "collapse"}),
        (lambda: form.controls["bag"].setCurrentIndex(1), {"bag": True}),
        (lambda: form.controls["unit"].setCurrentIndex(0), {"unit": "word"}),
        (lambda: choose(form.controls["language"], "Swedish"), {"language": "swedish"}),
        (form.controls["drop_stop_words"].click, {"drop_stop_words": True}),
        (form.controls["stem"].click, {"stem": True}),
        (lambda: form.controls["signature"].setCurrentIndex(1), {"signature": "minhash"}),
        (
            lambda: form.controls["signature_size"].setValue(256),
            {"signature_size": 256, "bands": 128},
        ),
        (lambda: form.controls["signature"].setCurrentIndex(2), {"signature": "simhash"}),
        (lambda: form.controls["weights"].setCurrentIndex(2), {"weights": "tf-idf"}),
        (lambda: form.controls["max_distance"].setValue(0), {"max_distance": 0}),
    ):
        changed = qtbot.until(panel.setup_changed, act)
        assert {name: getattr(changed[0], name) for name in expected} == expected


@pytest.mark.parametrize(
    ("changes", "shown", "hidden"),
    [
        ({}, {"signature_size", "language"}, {"white_space", "weights", "max_distance"}),
        ({"signature": "SimHash"}, {"weights", "max_distance"}, {"signature_size"}),
        (
            {"language": "English", "unit": "characters"},
            {"white_space"},
            {"language", "drop_stop_words", "stem"},
        ),
    ],
)
def test_fields_are_there_where_they_mean_something(panel, changes, shown, hidden):
    panel._edit.click()
    controls = panel._form.controls
    for name, choice in changes.items():
        choose(controls[name], choice)

    assert all(controls[name].isVisible() for name in shown)
    assert all(controls[name].isHidden() for name in hidden)


def test_stop_words_and_stems_wait_for_a_language(panel):
    panel._edit.click()
    form = panel._form
    checks = (form.controls["drop_stop_words"], form.controls["stem"])
    assert not any(check.isEnabled() for check in checks)
    assert all("Choose a language" in check.toolTip() for check in checks)

    choose(form.controls["language"], "English")

    assert all(check.isEnabled() for check in checks)
    assert "1,300 words" in form.controls["drop_stop_words"].toolTip()


@pytest.mark.parametrize("points", [10, 20])
@pytest.mark.parametrize("kind", [SetupPanel, ReadingPanel])
def test_nothing_in_the_form_is_clipped(qtbot, kind, points):
    panel = kind()
    font = panel.font()
    font.setPointSize(points)
    panel.setFont(font)
    panel._edit.click()
    for name, choice in (("signature", 2), ("ocr", True)):
        control = panel._form.controls.get(name)
        if control is not None:
            (control.setChecked if choice is True else control.setCurrentIndex)(choice)
    qtbot.shown(panel, max(355, panel.minimumSizeHint().width()), 900)

    for widget in (*panel._form.findChildren(CheckBox), *panel._form.findChildren(QLabel)):
        if widget.isVisible():
            assert widget.width() >= widget.minimumSizeHint().width(), widget.text()


def test_a_wrong_seed_is_explained_below_the_fields(panel, qtbot):
    panel._edit.click()
    seed = panel._form.controls["seed"]
    seed.selectAll()

    with qtbot.assertNotEmitted(panel.setup_changed):
        qtbot.keyClicks(seed, "seven")
        qtbot.keyClick(seed, Qt.Key.Key_Return)
    assert "whole number" in panel._form._problem.text()

    seed.selectAll()
    qtbot.keyClicks(seed, "7")
    qtbot.keyClick(seed, Qt.Key.Key_Return)
    assert panel.settings.seed == 7
    assert panel._form._problem.isHidden()


def test_the_threshold_needs_no_new_scan_and_is_not_reported(panel, qtbot):
    panel.set_scanned(panel.settings)

    with qtbot.assertNotEmitted(panel.setup_changed):
        panel.follow(panel.settings.with_changes(bands=32, rows=4))

    assert panel.rescan.isHidden()
    assert panel._preset.currentText() == "Custom"
    assert panel.settings.rows == 4


def test_a_preset_is_saved_under_a_name_and_deleted(panel, qtbot):
    panel._form.controls["k"].setValue(7)
    panel._save.click()
    name = panel._naming._field

    with qtbot.assertNotEmitted(panel.preset_saved):
        qtbot.keyClicks(name, "Short texts")
        qtbot.keyClick(name, Qt.Key.Key_Return)
    assert "already a preset" in panel._naming._problem.text()

    name.clear()
    qtbot.keyClicks(name, "Theses")
    assert qtbot.until(panel.preset_saved, qtbot.keyClick, name, Qt.Key.Key_Return) == ["Theses"]
    assert panel._preset.currentText() == "Theses"
    assert panel._naming.isHidden()
    assert panel.presets()[0]["name"] == "Theses"

    assert qtbot.until(panel.preset_deleted, panel._delete.click) == ["Theses"]
    assert panel._preset.currentText() == "Custom"
    assert panel.presets() == ()


def test_escape_leaves_the_naming(panel, qtbot):
    panel._form.controls["k"].setValue(7)
    panel.activateWindow()
    panel._save.click()
    qtbot.waitUntil(panel._naming._field.hasFocus)

    panel._preset.setFocus()
    qtbot.keyClick(panel._preset, Qt.Key.Key_Escape)
    assert panel._naming.isVisible()

    panel._naming._field.setFocus()
    qtbot.keyClick(panel._naming._field, Qt.Key.Key_Escape)
    assert panel._naming.isHidden()


def test_stored_presets_are_offered(panel, qtbot):
    panel.set_presets([{"name": "Theses", "k": 7}])

    choose(panel._preset, "Theses")

    assert panel.settings.k == 7
    assert panel._delete.isVisible()


def test_all_stops_of_tab_have_names(panel, qtbot):
    panel._edit.click()
    panel.activateWindow()
    panel._preset.setFocus()
    qtbot.waitUntil(panel._preset.hasFocus)
    stops = []
    while (stop := QApplication.focusWidget()) not in stops:
        stops.append(stop)
        qtbot.keyClick(stop, Qt.Key.Key_Tab)

    names = [stop.accessibleName() or stop.text() for stop in stops]
    controls = [control for control in panel._form.controls.values() if control.isVisible()]
    fields = [field.accessibleName() or field.text() for field in controls if field.isEnabled()]
    after_k = fields.index("Shingle length k") + 1
    assert names == [
        "Kind of documents",
        *fields[:after_k],
        "What does k do?",
        *fields[after_k:],
        "Done",
        "Reading files",
        "Load settings…",
        "Save settings…",
        "Copy for other tools…",
    ]
    assert all(names)
    assert {"Shingle length k", "Ignore case", "Shortest shared passage, in words"} < set(names)


@pytest.fixture
def opened(window, tmp_path, qtbot):
    text = " ".join(f"word{number}" for number in range(300))
    names = ("one.txt", "two.txt", "three.txt")
    essays = folder_with(tmp_path / "essays", {name: f"{text} {name}" for name in names})
    qtbot.until(window.presenter.pair.compared, window.presenter.open_folders, [essays])
    return window


def toggle(window):
    links = window.side_panels.content.findChildren(LinkLabel)
    next(link for link in links if link.text() in ("All settings…", "Fewer settings")).click()


def test_the_first_face_needs_no_scrolling_on_a_small_laptop(opened, qtbot):
    opened.resize(1298, 712)  # what is left of 1366 × 768
    panels = opened.side_panels

    qtbot.waitUntil(lambda: panels.content.verticalScrollBar().maximum() == 0)

    threshold = panels.threshold
    for widget in (panels.setup._preset, panels.setup.folders, threshold.curve, panels.exclusions):
        assert widget.isVisible()
    assert panels.reviewer.isVisible()
    for widget in (threshold._forecast, threshold._wishes, threshold._pin, panels.setup.details):
        assert not widget.isVisible()


def test_all_settings_are_a_click_away_and_remembered(opened, make_window):
    toggle(opened)

    panels = opened.side_panels
    for widget in (panels.threshold._forecast, panels.threshold._wishes, panels.setup._summary):
        assert widget.isVisible()
    assert make_window().side_panels.setup.details.isVisibleTo(None) is False
    assert not make_window().side_panels.threshold._forecast.isHidden()

    toggle(opened)
    assert not panels.setup.details.isVisible()


def brief(state, pairs):
    return "".join(phrase.text for phrase in in_brief(state, pairs))


def test_one_sentence_says_what_is_missed():
    complete = folder(listed=6, documents=38, compared=666, known={"complete": True})
    assert brief(USUAL, complete) == "No pair is missed from 0.10 on."
    none = folder(listed=0, documents=2, compared=0, known={"complete": True})
    assert brief(USUAL, none) == "There are no two different documents to compare."
    assert brief(USUAL, None).startswith("Finds 4")
    higher = ThresholdState(64, 2, 0.5, 128)
    assert brief(higher, None) == "Finds nearly all pairs from 0.50 on."
    documents = folder(found=[0.3] * 400, documents=200)
    assert brief(USUAL, documents).endswith("would be missed.")


REVIEW, REFERENCE, TEMPLATE = Role


def test_folders_to_review_come_first_and_each_title_appears_once():
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
    view.show_lines(
        folder_lines([Path("/essays"), Path("/2024 <b>&")], [REVIEW, REFERENCE], [2, 3])
    )
    return qtbot.shown(view, 330, 120)


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
    chosen = qtbot.until(folders.role_chosen, actions["Template"].trigger)
    assert chosen == [Path("/2024 <b>&"), TEMPLATE]
    announced = qtbot.until(folders.take_off_wanted, actions["Remove from the list"].trigger)
    assert announced == [Path("/2024 <b>&")]
    with qtbot.assertNotEmitted(folders.role_chosen):
        actions["Reference"].trigger()


def test_what_can_be_added_is_asked_for(folders, qtbot):
    menu = folders.make_additions()
    for action, addition in zip(menu.actions(), ADDITIONS, strict=True):
        assert qtbot.until(folders.addition_wanted, action.trigger) == [addition]


def test_tab_goes_through_the_folders_to_what_adds_one(folders, qtbot):
    first, second = (button for _, button in folders._rows)
    folders.show_lines([*(folder_line.line for folder_line in (first, second)), first.line])
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
def role_folders(tmp_path):
    """Two essays and two old ones that all share text."""
    words = " ".join(f"w{number}" for number in range(60))
    names = ("essays/a.txt", "essays/b.txt", "old/c.txt", "old/d.txt", "sheet.txt")
    return folder_with(tmp_path, {name: f"{words} {name}" for name in names})


def lines_of(window):
    view = window.side_panels.setup.folders
    return [(label.text(), button.text()) for label, button in view._rows]


def scanned(window, qtbot, act):
    qtbot.until(window.presenter.scans.scanned, act)
    qtbot.waitUntil(lambda: not window.presenter.state.is_busy)


def test_a_reference_comes_changes_goes_and_is_undone(window, qtbot, role_folders, monkeypatch):
    presenter = window.presenter
    pairs = presenter.pairs
    scanned(window, qtbot, lambda: presenter.open_folders([role_folders / "essays"]))
    assert lines_of(window) == [("To review", "essays (2)")]
    assert pairs.pair_count == 1
    view = window.side_panels.setup.folders

    def add(name, addition):
        choose = lambda *_: role_folders / name  # noqa: E731
        monkeypatch.setattr(setup, "ask_for_folder", choose)
        monkeypatch.setattr(setup, "ask_for_file", choose)
        scanned(window, qtbot, lambda: view.addition_wanted.emit(addition))

    add("old", ADDITIONS[1])
    assert lines_of(window) == [("To review", "essays (2)"), ("Reference", "old (2)")]
    assert pairs.pair_count == 1 + 4
    add("sheet.txt", ADDITIONS[3])
    assert lines_of(window)[2] == ("Template", "sheet.txt")

    def decided(act):
        qtbot.until(presenter.decisions.carried_out, act)
        return lines_of(window), pairs.rowCount()

    before = lines_of(window), pairs.rowCount()
    changed = decided(lambda: view.role_chosen.emit(role_folders / "old", REVIEW))
    assert changed[0][:2] == [("To review", "essays (2)"), ("", "old (2)")]
    off = decided(lambda: view.take_off_wanted.emit(role_folders / "old"))
    assert [text for _, text in off[0]] == ["essays (2)", "sheet.txt"]
    assert decided(presenter.decisions.undo) == changed
    assert decided(presenter.decisions.undo) == before
    assert decided(presenter.decisions.redo) == changed


def test_a_refused_change_of_folders_is_reported(window, qtbot, role_folders, monkeypatch):
    presenter = window.presenter
    scanned(window, qtbot, lambda: presenter.open_folders([role_folders / "essays"]))
    before = lines_of(window)
    messages = []
    presenter.message_posted.connect(lambda message: messages.append(message.text))
    presenter.folders.give_role(role_folders / "essays", TEMPLATE)
    presenter.folders.take_off(role_folders / "essays")
    presenter.folders.add(TEMPLATE, role_folders / "essays")
    *refused, last = messages
    assert [refusal.partition(".")[0] for refusal in refused] == [
        "There is no folder to review"
    ] * 2
    assert last == "“essays” is already in the list of folders."
    (role_folders / "empty").mkdir()
    messages.clear()
    qtbot.until(presenter.message_posted, presenter.folders.add, TEMPLATE, role_folders / "empty")
    qtbot.waitUntil(lambda: not presenter.state.is_busy)
    assert any("“empty” contains no file that could be a template." in text for text in messages)
    assert lines_of(window) == before
    assert presenter.current.folders == (role_folders / "essays",)


def test_two_changes_at_once_leave_something_to_review(window, qtbot, role_folders):
    presenter = window.presenter
    scanned(
        window,
        qtbot,
        lambda: presenter.open_folders([role_folders / "essays", role_folders / "old"]),
    )
    messages = []
    presenter.message_posted.connect(lambda message: messages.append(message.text))
    with qtbot.waitSignal(presenter.decisions.carried_out):
        presenter.folders.give_role(role_folders / "old", REFERENCE)
        presenter.folders.give_role(role_folders / "essays", REFERENCE)
    assert messages[0] == "You can change the role of folders once all pairs are listed."
    assert presenter.current.roles == (REVIEW, REFERENCE)
    presenter.folders.give_role(role_folders / "essays", REFERENCE)
    assert messages[-1].startswith("There is no folder to review")
    qtbot.until(presenter.decisions.carried_out, presenter.decisions.undo)
    assert messages[-1] == "Undone: the role of a folder."
