"""Overview and Reading: one list, one selection, the same keys; two documents open in Reading."""

import pytest
from PySide6.QtCore import Qt

from core.scan.judgements import Verdict
from neardup_gui.models.pairs.columns import Column
from neardup_gui.window.actions import Action
from neardup_gui.window.layout import CARDS_WIDTH
from tests.gui.everywhere.walking import after
from tests.texts import folder_with

TREES = " ".join(f"tree{number} stands beside house{number}" for number in range(30))
RIVER = " ".join(f"river{number} runs below bridge{number}" for number in range(30))


def open_folder(window, folder, qtbot):
    after(window, qtbot, lambda: window.presenter.open_folders([folder]))
    qtbot.waitUntil(lambda: not window.presenter.state.is_busy)
    qtbot.waitUntil(lambda: window.presenter.pair.shown is not None)
    return window


@pytest.fixture
def folder(tmp_path):
    texts = {
        "a.txt": TREES, "b.txt": f"{TREES} b", "c.txt": f"{TREES} {RIVER}", "d.txt": RIVER
    }  # fmt: skip
    return folder_with(tmp_path / "essays", texts)


@pytest.fixture
def scanned(window, folder, qtbot):
    return open_folder(window, folder, qtbot)


def shown(window):
    return window.presenter.pair.shown


def test_enter_gives_the_texts_the_window_and_esc_leads_back_to_the_row(scanned, qtbot):
    table, text = scanned.pages.pairs.table, scanned.compare_pane.view.panes[0]
    table.select_row(2)
    table.setFocus()
    qtbot.waitUntil(lambda: shown(scanned) == table.selected_key)
    before, height, texts = table.selected_key, text.height(), table.size()

    qtbot.keyClick(table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: text.height() > 1.4 * height)
    assert text.hasFocus()
    assert scanned.pages.width() == CARDS_WIDTH
    assert text.height() > 0.65 * scanned.height()
    assert not scanned.pages.pairs.filter_row.isVisible()
    assert table.selected_key == before == shown(scanned)

    qtbot.keyClick(text, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: abs(text.height() - height) < 8)
    assert table.hasFocus()
    assert table.selected_key == before
    assert abs(table.width() - texts.width()) < 8
    assert not table.isColumnHidden(Column.DOCUMENT_B)


def test_cards_are_judged_by_the_same_keys_and_the_note_is_in_sight(scanned, qtbot):
    table, bar = scanned.pages.pairs.table, scanned.compare_pane.judging_bar
    scanned._actions[Action.READING].trigger()
    table.select_row(0)
    qtbot.waitUntil(lambda: shown(scanned) == table.selected_key)
    judged = table.selected_key
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert table.current_row == 1
    qtbot.keyClick(table, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: shown(scanned) == judged)

    scanned.judging.judge(Verdict.CONFIRMED)
    qtbot.waitUntil(lambda: shown(scanned) == table.selected_key != judged)
    scanned._actions[Action.NOTE].trigger()
    assert judged.names[0] in bar.note._subject.text()
    bar.note._field.setPlainText("ask first")
    qtbot.keyClick(bar.note._field, Qt.Key.Key_Return)

    model = scanned.presenter.pairs
    assert model.verdicts.note(model.number_of(judged)) == "ask first"
    assert bar.note._field.toPlainText() == ""
    table.select_row(model.row_of(judged))
    qtbot.waitUntil(lambda: bar.note._field.toPlainText() == "ask first")
    assert "1 judged" in scanned._reading_bar._summary.text()

    bar.note._field.setFocus()  # as by a click into it
    bar.note._field.setPlainText("copied")
    qtbot.keyClick(bar.note._field, Qt.Key.Key_Return)
    assert model.verdicts.note(model.number_of(judged)) == "copied"


def test_other_pairs_of_both_documents_are_a_link_away(scanned, qtbot):
    table, header = scanned.pages.pairs.table, scanned.compare_pane.view.header
    scanned._actions[Action.READING].trigger()
    scanned.search_field.setText("a.txt")
    table.select_row(0)
    qtbot.waitUntil(lambda: shown(scanned).names == ("a.txt", "b.txt"))
    assert header._finding.also.text() == "Also in 1…"
    shares = [(one.name, one.side) for one in scanned.compare_pane.view._shared.also]
    assert shares == [("c.txt", 0), ("c.txt", 1)]

    header.also.pair_wanted.emit(scanned.compare_pane.view._shared.also[1].pair)

    qtbot.waitUntil(lambda: shown(scanned) is not None and shown(scanned).names[0] == "b.txt")
    assert shown(scanned).names == ("b.txt", "c.txt")
    assert table.selected_key == shown(scanned)
    assert scanned.search_field.text() == ""


def test_drawers_take_width_from_the_texts_and_no_height(scanned, qtbot):
    view, bar = scanned.compare_pane.view, scanned.compare_pane.judging_bar
    for page, has_pair in ((scanned.pages.problems, False), (scanned.pages.pairs, True)):
        scanned.pages.tabs.setCurrentWidget(page)
        assert scanned.compare_pane.isVisible() == has_pair
    before = view.panes[0].size()
    scanned._actions[Action.WHY].trigger()
    qtbot.waitUntil(lambda: view.panes[0].width() < before.width())
    assert view.panes[0].height() == before.height()
    assert view.header.drawer.geometry().right() == view.rect().right()
    view.header._finding.also.click()  # takes its place
    assert view.header.drawer.content is view.header.also
    assert view.header._finding.why.text() == "Why this pair"
    qtbot.keyClick(view.header.also, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: view.panes[0].size() == before)

    # A narrow window keeps its width, and has room for a note.
    scanned._actions[Action.READING].trigger()
    scanned.resize(scanned.minimumSizeHint().width(), scanned.height())
    qtbot.waitUntil(lambda: bar.note._field.width() > 0.8 * bar.width())
    width, drawer = scanned.width(), view.header.drawer
    for opened in (scanned._actions[Action.WHY].trigger, view.header._finding.also.click):
        opened()
        qtbot.waitUntil(lambda: drawer.geometry().right() == view.rect().right())
        assert drawer.visibleRegion().boundingRect() == drawer.rect()
        assert scanned.width() == width


def test_the_menu_of_a_pair_leads_to_all_of_a_document_and_gives_it_another_role(scanned, qtbot):
    table, presenter = scanned.pages.pairs.table, scanned.presenter
    name = table.selected_key.names[1]

    def roles():
        top = table.make_menu()
        (of_b,) = (one for one in top.actions() if one.text() == "Document B")
        offered = {one.text(): one for one in of_b.menu().actions()}
        assert list(offered)[:3] == ["To review", "Reference", "Template"]
        return top, offered

    def role():
        return str(presenter.current.result.names.role_of(name))

    top = table.make_menu()
    offered = {one.text(): one for one in top.actions() if one.text()}
    assert list(offered)[:5] == ["Confirmed", "Suspicious", "Not a match", "Not reviewed", "Note"]
    offered["All pairs of document B"].trigger()
    pairs = presenter.pairs
    assert pairs.rowCount() > 1
    assert all(name in pairs.key_at(row).names for row in range(pairs.rowCount()))
    scanned.search_field.clear()

    _top, offered = roles()
    assert offered["To review"].isChecked()
    offered["Template"].trigger()
    qtbot.waitUntil(lambda: role() == "template")
    assert not any(name in pairs.key_at(row).names for row in range(pairs.rowCount()))
    presenter.decisions.undo()
    qtbot.waitUntil(lambda: role() == "to review")


def test_the_last_way_to_look_is_remembered(scanned, make_window, folder, qtbot):
    scanned._actions[Action.READING].trigger()
    scanned.close()
    again = open_folder(make_window(), folder, qtbot)
    assert again.reading_mode.is_on
    again._actions[Action.READING].trigger()
    again.close()
    once_more = open_folder(make_window(), folder, qtbot)
    assert not once_more.reading_mode.is_on
    assert once_more._tool_bar.isVisible()


@pytest.mark.parametrize("alone", [True, False])
def test_two_documents_open_straight_into_their_comparison(window, folder, qtbot, alone):
    paths = [folder / "a.txt", folder / "d.txt"]
    if not alone:
        for name in ("b.txt", "c.txt"):
            (folder / name).unlink()
        paths = [folder]
    window.presenter.open_paths(paths)
    qtbot.waitUntil(lambda: shown(window) is not None)
    assert window.reading_mode.is_on
    assert [pane.accessibleName() for pane in window.compare_pane.view.panes] == [
        "Text A: a.txt",
        "Text B: d.txt",
    ]
    assert window.compare_pane.view.header._finding.sentence.text().startswith("A and B share no")
    assert not window._preferences.reading_mode
    model = window.presenter.pairs
    assert [model.index(0, column).data() for column in (Column.OVERLAP, Column.FOUND_BY)] == [
        "0%",
        "–",
    ]
    assert window.pages.tabs.title_of(window.pages.pairs) == "Pairs 0"


def test_two_versions_open_with_their_differences(window, folder, qtbot):
    (folder / "e.txt").write_text((folder / "a.txt").read_text() + " and one sentence more")
    differences = window._actions[Action.DIFFERENCES]

    window.presenter.open_paths([folder / "a.txt", folder / "e.txt"])
    qtbot.waitUntil(differences.isChecked)
    chips = window.compare_pane.view.header.chips
    qtbot.waitUntil(lambda: chips.accessibleName() == "1 change")
    assert window.reading_mode.is_on

    open_folder(window, folder, qtbot)
    assert not differences.isChecked()


def test_the_large_curve_has_the_window_from_reading_too(scanned, qtbot):
    scanned._actions[Action.READING].setChecked(True)
    qtbot.waitUntil(lambda: scanned.pages.width() == CARDS_WIDTH)

    scanned._actions[Action.CURVE].trigger()

    assert not scanned._actions[Action.READING].isChecked()
    assert scanned.pages.is_curve_open
    qtbot.waitUntil(lambda: scanned.pages.width() > scanned.width() / 2)
