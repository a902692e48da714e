"""The window with the real engine behind it, off screen."""

import threading
import time
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractSpinBox, QApplication

from core.base.tasks import stop_if_cancelled
from core.documents.reading_settings import ReadingSettings
from neardup_gui.environment.preferences import Preferences
from neardup_gui.jobs.tasks import TaskKind
from neardup_gui.models.pairs.columns import Column, PairFilter
from neardup_gui.views.widgets.containers import PaneTitle
from neardup_gui.views.widgets.controls import Caption
from neardup_gui.views.widgets.labels import ScaledLabel
from neardup_gui.window.actions import Action, Menu
from tests.gui.everywhere.walking import after, choose_bands, drop, tab_title
from tests.texts import TREES, folder_with, rows_of_csv

MENU_BAR = [menu for menu in Menu if menu is not Menu.SORT]

BRIDGES = (
    "A bridge that nobody crosses is still a bridge, said the engineer, and had the rivets "
    "counted again. There were four thousand and eleven of them, nine fewer than the plans "
    "promised and two more than the railway had paid for in the winter of that year. "
)
SEA = (
    "Nobody in the harbour office could say when the buoy had been painted green, or by whom. "
    "The log of the pilot boat was silent, the ledger of the chandler had been eaten by mice, "
    "and the widow Tregear remembered only that it used to be a cheerful kind of orange. "
)


def save_report(window, qtbot, monkeypatch, path):
    """Choose a report, save it to a path, and return the message."""
    monkeypatch.setattr("neardup_gui.views.shell.dialogs.ask_where", lambda *_: (path, True))
    action = window._actions[Action.EXPORT]
    assert action.isEnabled()
    action.trigger()
    return qtbot.until(window.presenter.exports.ended, window.reports.shown.footer.save.click)[0]


@pytest.fixture
def folder(tmp_path):
    return folder_with(
        tmp_path / "essays",
        {
            "one.txt": TREES + BRIDGES,
            "two.txt": TREES + BRIDGES + "And that was all.",
            "three.txt": SEA + TREES,
            "four.txt": SEA,
            "نص.txt": SEA + "The end of the matter, at last.",
            "empty.txt": "",
        },
    )


def scan(window, qtbot, *folders):
    after(window, qtbot, lambda: window.presenter.open_folders(folders))


def scan_again(window, qtbot):
    after(window, qtbot, window.presenter.rescan)


@pytest.fixture
def scanned(window, folder, qtbot):
    qtbot.until(window.presenter.pair.compared, scan, window, qtbot, folder)
    return window


def test_the_button_beside_changed_settings_scans_again(scanned, qtbot):
    setup = scanned.side_panels.setup
    setup._form.controls["k"].setValue(7)
    assert setup._model.needs_scan
    after(scanned, qtbot, setup.rescan.button.click)
    assert not setup._model.needs_scan


@pytest.mark.parametrize("page", ["pairs", "problems", "curve"])
def test_the_button_that_scans_again_leaves_the_keyboard_to_the_list(scanned, qtbot, page):
    reading, shown = scanned.side_panels.reading, getattr(scanned.pages, page)
    scanned.pages.tabs.setCurrentWidget(shown)
    reading.edit()
    reading._form.controls["archives"].click()
    button = reading.rescan.button
    button.setFocus()
    after(scanned, qtbot, lambda: qtbot.mouseClick(button, Qt.MouseButton.LeftButton))
    qtbot.waitUntil(lambda: not button.isVisible())
    assert shown.entry.hasFocus()


def names_shown(window):
    model = window.presenter.pairs
    return [model.key_at(row).names for row in range(model.rowCount())]


def found_names(window):
    """Without the rows of few documents in which nothing was found."""
    model = window.presenter.pairs
    rows = range(model.rowCount())
    ways = [model.index(row, Column.FOUND_BY).data() for row in rows]
    return [model.key_at(row).names for row in rows if ways[row] != "–"]


def test_the_first_pair_is_open_after_a_scan(scanned):
    table, model = scanned.pages.pairs.table, scanned.side_panels.model

    assert table.selected_key.names == ("one.txt", "two.txt")
    assert table.hasFocus()
    assert scanned.presenter.state.has_pair
    assert scanned.pages.tabs.tabText(0) == f"Pairs {scanned.presenter.pairs.pair_count}"
    assert tab_title(scanned, scanned.pages.problems) == "Problems 1"
    assert "essays" in scanned.windowTitle()
    for name in (Action.SWAP_SIDES, Action.NEXT_PASSAGE, Action.PREVIOUS_PASSAGE):
        assert action(scanned, name).isEnabled()
        action(scanned, name).trigger()
    action(scanned, Action.RESET_LAYOUT).trigger()
    assert table.hasFocus()
    result = scanned.presenter.current.result
    assert model.folder is result.folder
    # A scan under way is not forecast by the one before.
    scanned.presenter.listed.emit(replace(result, complete=False))
    assert model.folder is None


def test_folders_and_documents_are_taken_where_they_are_dropped(window, folder, qtbot):
    assert not drop(window, "not a folder")

    with qtbot.waitSignal(window.presenter.pair.compared):
        assert drop(window, folder / "one.txt", folder / "two.txt")
    assert window.presenter.pairs.rowCount() == 1

    with qtbot.waitSignal(window.presenter.ended):
        assert drop(window, folder)
    assert len(names_shown(window)) > 1
    window.close()  # what was opened just now is written down
    assert Preferences(window._preferences.store).recent[0] == str(folder)


def test_what_is_opened_next_is_more_recent_and_written_while_threads_go_on(
    window, folder, tmp_path, monkeypatch, qtbot
):
    store = window._preferences.store
    with monkeypatch.context() as open_window:
        open_window.setattr(store, "sync", lambda: 1 / 0)  # keeps the interpreter meanwhile
        review = tmp_path / "autumn.neardup"

        window.presenter.folders_opened.emit((folder,))
        window.presenter.review.changed.emit(review)  # before the folder was written down

        assert window._preferences.recent[:2] == (str(review), str(folder))
        assert window._preferences.chosen[0] == str(folder)
        written = Path(store.fileName())
        qtbot.waitUntil(lambda: written.exists() and folder.name in written.read_text("utf-8"))


def test_keys_open_pair_after_pair(scanned, qtbot):
    table = scanned.pages.pairs.table

    opened = qtbot.until(scanned.presenter.pair.compared, qtbot.keyClick, table, Qt.Key.Key_Down)

    assert table.currentIndex().row() == 1
    assert tuple(side.name for side in opened[0].sides) == names_shown(scanned)[1]
    qtbot.keyClick(table, Qt.Key.Key_End)
    assert table.currentIndex().row() == len(names_shown(scanned)) - 1
    qtbot.keyClick(table, Qt.Key.Key_Home)
    assert table.currentIndex().row() == 0


def test_the_selected_pair_is_visible_again_when_the_filter_goes(scanned, qtbot):
    table = scanned.pages.pairs.table
    table.setFixedHeight(90)
    QApplication.processEvents()
    qtbot.keyClick(table, Qt.Key.Key_End)
    scanned.search_field.setText("no such name")

    scanned.search_field.clear()

    def in_sight():
        row = table.visualRect(table.currentIndex())
        return table.viewport().rect().contains(row.center())

    qtbot.waitUntil(in_sight)


def test_the_selection_survives_other_bands_sorting_and_filtering(scanned, qtbot):
    table, presenter = scanned.pages.pairs.table, scanned.presenter
    table.select_row(1)
    key = table.selected_key

    qtbot.until(presenter.ended, choose_bands, presenter, 128, 1, 0.05)
    assert table.selected_key == key
    assert table.currentIndex().row() == presenter.pairs.row_of(key)

    table.sortByColumn(7, Qt.SortOrder.AscendingOrder)
    assert table.currentIndex().row() == presenter.pairs.row_of(key)

    presenter.pairs.set_filter(PairFilter("no such name"))
    assert table.selected_key == key
    presenter.pairs.set_filter(PairFilter())
    assert table.currentIndex().row() == presenter.pairs.row_of(key)


def test_simhash_is_chosen_scanned_and_listed_again_by_its_distance(scanned, qtbot):
    presenter, panels = scanned.presenter, scanned.side_panels
    panels.setup._form.controls["signature"].setCurrentIndex(2)
    assert panels.threshold._distance.box.isVisibleTo(panels.threshold)
    assert "A new scan says" in panels.threshold._forecast.accessibleDescription()

    scan_again(scanned, qtbot)
    scan_made = presenter.current.result.scan
    assert presenter.current.result.settings.signature == "simhash"
    assert panels.model.folder.made_with.distance == 3
    assert presenter.pairs.total >= 1

    panels.threshold._distance.slider.setValue(8)
    qtbot.waitUntil(lambda: presenter.current.result.settings.max_distance == 8)

    assert presenter.current.result.scan is scan_made
    assert panels.setup.settings.max_distance == 8
    assert not panels.setup._model.needs_scan
    description = panels.threshold._forecast.accessibleDescription()
    assert f"Lists {presenter.pairs.pair_count} pairs of 5 documents" in description


def test_an_empty_list_has_a_sentence(scanned, qtbot):
    presenter = scanned.presenter
    presenter.scans.change_settings(
        presenter.current.settings.with_changes(
            bands=1, rows=1, min_resemblance=1.0, min_passage=10_000, reworked="off"
        )
    )
    qtbot.waitUntil(lambda: scanned.presenter.pairs.pair_count == 0)

    sentence = scanned.pages.pairs._reason
    assert "1.00" in sentence
    assert "Listed from" in sentence


def test_a_filter_that_hides_everything_can_be_cleared(scanned, qtbot):
    total = len(names_shown(scanned))
    scanned.search_field.setText("no such name")
    assert names_shown(scanned) == []
    assert "filter hides" in scanned.pages.pairs.empty_sentence

    scanned.pages.pairs.filter_cleared.emit()

    assert len(names_shown(scanned)) == total
    assert scanned.search_field.text() == ""
    assert scanned.pages.pairs.empty_sentence == ""


def test_a_folder_without_pairs_has_a_sentence(window, tmp_path, qtbot):
    bare = folder_with(tmp_path / "bare")
    scan(window, qtbot, bare)
    assert "No document" in window.pages.pairs.empty_sentence

    folder_with(bare, dict.fromkeys(("one.txt", "two.txt"), ""))
    scan(window, qtbot, bare)
    sentence = window.pages.pairs.empty_sentence
    assert "2 files gave no text; see Problems for the reasons." in sentence

    folder_with(bare, {"one.txt": TREES})
    scan(window, qtbot, bare)
    assert "only one document" in window.pages.pairs.empty_sentence

    (bare / "one.txt").unlink()
    folder_with(bare, {"one.jsonl": f"{TREES}\n{TREES}"})
    scan(window, qtbot, bare)
    assert "split it to compare its records" in window.pages.pairs.empty_sentence
    for tab in (1, 0):
        window.pages.tabs.setCurrentIndex(tab)
    nothing_read = window.compare_pane.view._pages.currentWidget().text()
    assert nothing_read == "Choose a pair to read it side by side."


def test_a_rescan_sees_new_files_and_keeps_the_selection(scanned, folder, qtbot):
    scanned.pages.pairs.table.select_row(1)
    key = scanned.pages.pairs.table.selected_key
    (folder / "five.txt").write_text(BRIDGES + SEA)

    qtbot.until(scanned.presenter.ended, scanned.presenter.rescan)

    assert any("five.txt" in pair for pair in names_shown(scanned))
    assert scanned.pages.pairs.table.selected_key == key


def test_a_rescan_leaves_a_pair_that_is_alike_no_more(scanned, folder, qtbot):
    (folder / "two.txt").write_text("Not a word of it is left.", encoding="utf-8")

    qtbot.until(scanned.presenter.pair.compared, scan_again, scanned, qtbot)

    table = scanned.pages.pairs.table
    assert table.selected_key.names == ("one.txt", "two.txt")
    assert table.selected_key.names not in found_names(scanned)


def test_a_cancelled_scan_says_so(window, folder, qtbot):
    with qtbot.waitSignal(window.presenter.ended) as ended:
        window.presenter.open_folders([folder])
        window.presenter.cancel()

    assert ended.args[0].startswith("Cancelled")
    assert "cancelled" in window.pages.pairs.empty_sentence
    assert window.presenter.state.has_folder
    assert not window.presenter.state.is_busy


def test_cancel_stops_what_is_measured_beside_the_list(scanned, qtbot, monkeypatch):
    tasks, began = scanned.presenter.tasks, threading.Event()

    def without_end(_scan, _a, _b, _settings):
        began.set()
        while True:
            stop_if_cancelled()
            time.sleep(0.01)

    qtbot.waitUntil(lambda: not tasks.is_busy(*TaskKind))
    monkeypatch.setattr("core.scan.pair_details.shared_text", without_end)
    scanned.presenter.pairs.thumbnails.clear()
    scanned.presenter.thumbnails.show_rows(0, 2)
    qtbot.waitUntil(began.is_set)

    scanned.presenter.cancel()

    qtbot.waitUntil(lambda: not tasks.is_busy(*TaskKind) and not tasks._open)


def test_pairs_appear_while_documents_are_still_read(window, tmp_path, qtbot):
    for number in range(1000):
        words = " ".join(f"w{number}x{index}" for index in range(300))
        text = TREES if number in {3, 7} else words
        (tmp_path / f"{number:04}.txt").write_text(text)
    shown = []
    window.presenter.listed.connect(
        lambda result: shown.append(
            (result.complete, window.presenter.pairs.rowCount(), window.pages.tabs.tabText(0))
        )
    )

    scan(window, qtbot, tmp_path)

    assert [complete for complete, _, _ in shown] == [*[False] * (len(shown) - 1), True]
    assert len(shown) >= 2
    assert all(title == f"Pairs {rows}" for _, rows, title in shown)
    assert ("0003.txt", "0007.txt") in names_shown(window)
    assert shown[0][1] >= 1


def test_export_writes_what_the_table_shows(scanned, tmp_path, qtbot, monkeypatch):
    target = tmp_path / "pairs.csv"
    scanned.presenter.pairs.set_filter(PairFilter("two"))
    scanned.pages.pairs.table.sortByColumn(3, Qt.SortOrder.AscendingOrder)

    report = save_report(scanned, qtbot, monkeypatch, target)

    rows = [(row["doc_a"], row["doc_b"]) for row in rows_of_csv(target)]
    assert rows == found_names(scanned)
    assert "pairs.csv" in report.text
    assert [words for words, _ in report.links] == ["Open", "Show in folder", "Copy path"]


def test_the_export_key_works_in_fields_too(scanned, qtbot):
    for field in (scanned.search_field, scanned.side_panels.threshold.findChild(QAbstractSpinBox)):
        field.setFocus()
        qtbot.keyClick(field, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
        assert scanned.reports.shown.isVisible()
        scanned.reports.shown.close()


def test_a_failed_export_is_a_sentence_and_shows_no_folder(scanned, tmp_path, qtbot, opened_files):
    exports = scanned.presenter.exports
    with qtbot.waitSignal(scanned.presenter.message_posted) as announced:
        exports.save(tmp_path / "no such folder" / "pairs.csv")
    assert announced.args[0].warning
    assert scanned.message_bar.isVisible()
    assert "pairs.csv" in announced.args[0].text
    document = scanned.presenter.current.folders[0] / "one.txt"
    content = document.read_bytes()
    settings, picture = scanned.presenter.workbench.settings, b""
    for save in (exports.save, lambda path: exports.save_picture(path, picture), settings.save):
        with qtbot.waitSignal(scanned.presenter.message_posted) as announced:
            save(document)
        assert "Neardup did not write it" in announced.args[0].text
        with qtbot.waitSignal(scanned.presenter.message_posted) as announced:
            save(document.with_name("new.csv"))
        assert "the next scan reads it as a document." in announced.args[0].text
        document.with_name("new.csv").unlink()
    for reads_pictures in (False, True):
        scanned.presenter.current.reading = ReadingSettings(ocr=reads_pictures)
        with qtbot.waitSignal(scanned.presenter.message_posted) as announced:
            exports.save_picture(document.with_name("new.png"), picture)
        assert ("the next scan reads it" in announced.args[0].text) is reads_pictures
    assert document.read_bytes() == content

    with qtbot.waitSignal(scanned.presenter.message_posted):
        exports.save(tmp_path / "pairs.json")
    assert opened_files == []
    scanned.message_bar.answers.clicked.emit(tmp_path / "pairs.json")
    assert opened_files == [str(tmp_path)]


def test_a_bug_in_the_engine_is_reported_with_its_traceback(window, folder, qtbot, monkeypatch):
    monkeypatch.setattr("core.scan.flow.scan", Mock(side_effect=ZeroDivisionError("a bug")))
    broke = qtbot.until(window.presenter.unexpected_error, window.presenter.open_folders, [folder])

    assert isinstance(broke[0], ZeroDivisionError)
    assert broke[0].__traceback__ is not None
    assert not window.presenter.state.is_busy


def test_closing_during_a_scan_stops_it(window, folder):
    window.presenter.open_folders([folder])
    window.presenter.prepare()

    window.close()

    assert not window.presenter.state.is_busy


def action(window, name):
    return window._actions[name]


def test_every_action_with_a_key_is_in_the_menu_bar(window):
    reachable = set()

    def walk(menu):
        for entry in menu.actions():
            reachable.add(entry)
            if entry.menu() is not None:
                walk(entry.menu())

    for entry in window.menuBar().actions():
        walk(entry.menu())
    assert [entry.text() for entry in window.menuBar().actions()] == MENU_BAR
    with_keys = {each for each in window.findChildren(QAction) if each.shortcuts()}
    window_actions = {each for each in with_keys if each.parent() is window._actions}
    assert window_actions <= reachable
    assert {each for each in with_keys - window_actions if each in reachable} == set()


def test_closed_panes_stay_closed_until_the_layout_is_reset(make_window, folder, qtbot):
    window = make_window()
    scan(window, qtbot, folder)
    window._compare_dock.close()
    window.close()

    again = make_window()
    scan(again, qtbot, folder)
    assert not again._compare_dock.isVisible()
    assert again.pages.tabs.isVisible()

    action(again, Action.RESET_LAYOUT).trigger()
    assert again._compare_dock.isVisible()


def test_all_text_grows_and_shrinks_at_once(scanned):
    pane = scanned.compare_pane.view.panes[0]
    texts = {
        "table": scanned.pages.pairs.table,
        "text": pane,
        "caption": next(
            caption for caption in scanned.findChildren(Caption) if caption.isVisible()
        ),
        "title": scanned.findChild(ScaledLabel),
        "heading": scanned.findChild(PaneTitle),
    }
    sizes = {name: widget.font().pointSizeF() for name, widget in texts.items()}
    height = pane.geometry_of_text.visible_blocks()[0].height

    for _ in range(4):
        action(scanned, Action.LARGER_TEXT).trigger()
    QApplication.processEvents()

    for name, widget in texts.items():
        assert widget.font().pointSizeF() > 1.2 * sizes[name], name
    assert pane.geometry_of_text.visible_blocks()[0].height > 1.2 * height
    assert scanned._preferences.text_size == 4
    action(scanned, Action.NORMAL_TEXT).trigger()
    QApplication.processEvents()
    assert {name: widget.font().pointSizeF() for name, widget in texts.items()} == sizes


def test_the_menu_of_recent_folders_shows_what_names_hide(window, qapp):
    menu = window._menus._recent
    window._menus.set_recent(("/essays/a\nb\u202efdp.txt", "/R & D", "/long/" + 60 * "name "))
    texts = [action.text() for action in menu.actions()]
    assert texts[:2] == [r"/essays/a\nb\u202efdp.txt", "/R && D"]
    assert menu.fontMetrics().horizontalAdvance(texts[2]) < 800
    assert [action.data() for action in menu.actions()][1] == "/R & D"
    assert menu.toolTipsVisible()
    assert 60 * "name " in menu.actions()[2].toolTip()

    menu.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    window._menus.set_recent(("/home/sam/مقالات",))
    assert menu.actions()[0].text() == "\u2066/home/sam/مقالات\u2069"


@pytest.mark.parametrize("name", ["gone", "gone.neardup"])
def test_what_was_recent_and_is_gone_is_reported_and_forgotten(window, tmp_path, qtbot, name):
    removed = tmp_path / name
    window._preferences.remember(removed)

    window.pages.start.recent_chosen.emit(str(removed))

    assert "no longer exists" in window.message_bar.accessibleName()
    assert str(removed) not in window._preferences.recent
    qtbot.keyClick(window.message_bar, Qt.Key.Key_Escape)
    assert not window.message_bar.isVisible()
