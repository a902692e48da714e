"""A pair that takes a while: what is on the screen belongs to the selected row or says it loads."""

import json
import threading
from unittest.mock import Mock

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

import core.evidence.passages
from core.base.tasks import is_cancelled, stop_if_cancelled
from core.base.wording import readable_size
from core.documents.model import Role as FolderRole
from core.documents.reading_settings import ReadingSettings
from neardup_gui.jobs.tasks import TaskKind
from neardup_gui.models.pairs.columns import Column, Role
from neardup_gui.presenter.pair_session import ReadAhead
from neardup_gui.presenter.presenter import ThumbnailSession
from neardup_gui.window.actions import Action
from tests.gui.everywhere.walking import after, choose_bands, scan
from tests.texts import TREES, folder_with


@pytest.fixture
def essays(window, tmp_path, qtbot, monkeypatch):
    texts = {f"{n}.txt": TREES + f"Number {n} is the last. " * n for n in range(4)}
    folder = folder_with(tmp_path / "essays", texts)
    scan(window, folder, qtbot)
    wait_until_ready(window, qtbot)
    # Dot plots find passages, too: these tests count who does.
    monkeypatch.setattr(ThumbnailSession, "_draw_next", lambda *_: None)
    qtbot.waitUntil(lambda: not window.presenter.tasks.is_busy(TaskKind.THUMBNAILS))
    return window


def ahead(window):
    return window.presenter.pair.ahead


def wait_until_ready(window, qtbot):
    qtbot.waitUntil(lambda: ahead(window)._ready is not None)


def compared(window, monkeypatch):
    """The kinds of jobs that are submitted from now on."""
    submitted, tasks = [], window.presenter.tasks
    original = tasks.run

    def run(kind, *arguments, **named):
        submitted.append(kind)
        original(kind, *arguments, **named)

    monkeypatch.setattr(tasks, "run", run)
    return submitted


def names(window):
    return tuple(side.name for side in window.compare_pane.view._comparison.sides)


def test_the_pair_that_is_expected_is_there_without_work(essays, qtbot, monkeypatch):
    submitted, table = compared(essays, monkeypatch), essays.pages.pairs.table
    table.setFocus()

    for row, open_it in (
        (1, lambda: table.select_row(1)),  # the one below
        (2, lambda: QTest.keyClick(table, Qt.Key.Key_1)),  # after a verdict the next open one
    ):
        qtbot.until(essays.presenter.pair.compared, open_it)
        assert names(essays) == essays.presenter.pairs.key_at(row).names
        assert TaskKind.COMPARE not in submitted
        wait_until_ready(essays, qtbot)
        assert ahead(essays)._key == essays.presenter.pairs.key_at(row + 1)

    qtbot.until(essays.presenter.pair.compared, table.select_row, 5)
    assert names(essays) == essays.presenter.pairs.key_at(5).names
    assert TaskKind.COMPARE in submitted


@pytest.fixture
def gate(essays, qtbot, monkeypatch):
    """What the third pair waits for, which is laid out ahead."""
    gate, original = threading.Event(), core.evidence.passages.find_shared_text

    def slow(a, b, settings, *more):
        while not gate.wait(0.002):
            stop_if_cancelled()
        return original(a, b, settings, *more)

    with qtbot.waitSignal(essays.presenter.pair.compared):
        monkeypatch.setattr(core.evidence.passages, "find_shared_text", slow)
        essays.pages.pairs.table.select_row(1)
    return gate


def test_a_pair_that_is_under_way_is_waited_for(essays, gate, qtbot, monkeypatch):
    submitted = compared(essays, monkeypatch)
    qtbot.until(essays.presenter.pair.loading, essays.pages.pairs.table.select_row, 2)

    essays.presenter.cancel()  # which stops what nobody waits for

    qtbot.until(essays.presenter.pair.compared, gate.set)
    assert names(essays) == essays.presenter.pairs.key_at(2).names
    assert TaskKind.COMPARE not in submitted


def test_cancel_stops_what_is_laid_out_ahead(essays, gate, qtbot):
    assert essays.presenter.tasks.is_busy(TaskKind.READ_AHEAD)

    essays.presenter.cancel()

    qtbot.waitUntil(lambda: not essays.presenter.tasks._open)
    gate.set()
    qtbot.until(essays.presenter.pair.compared, essays.pages.pairs.table.select_row, 2)
    assert names(essays) == essays.presenter.pairs.key_at(2).names


def test_what_cannot_be_laid_out_ahead_is_tried_again_when_it_is_wanted(essays, qtbot, monkeypatch):
    original, tried = core.evidence.passages.find_shared_text, []

    def fails_once(*arguments):
        tried.append(arguments)
        if len(tried) == 1:
            raise MemoryError
        return original(*arguments)

    broken = []
    essays.presenter.unexpected_error.connect(broken.append)
    monkeypatch.setattr(core.evidence.passages, "find_shared_text", fails_once)
    qtbot.until(essays.presenter.pair.compared, essays.pages.pairs.table.select_row, 1)
    qtbot.waitUntil(lambda: bool(tried) and ahead(essays)._key is None)

    qtbot.until(essays.presenter.pair.compared, essays.pages.pairs.table.select_row, 2)

    assert names(essays) == essays.presenter.pairs.key_at(2).names
    assert broken == []


def test_what_was_laid_out_of_another_list_is_not_shown(essays, qtbot, monkeypatch):
    submitted = compared(essays, monkeypatch)
    qtbot.until(essays.presenter.ended, essays.presenter.rescan)
    qtbot.waitUntil(lambda: not essays.presenter.tasks.is_busy(TaskKind.COMPARE))

    assert TaskKind.COMPARE in submitted
    assert ahead(essays)._result in (None, essays.presenter.current.result)

    wait_until_ready(essays, qtbot)
    qtbot.until(essays.presenter.ended, choose_bands, essays.presenter, 128, 1, 0.05)
    submitted.clear()
    qtbot.until(essays.presenter.pair.compared, essays.presenter.open_pair, ahead(essays)._key)
    assert TaskKind.COMPARE in submitted


NAMES = ("three.txt", "two.txt")  # of the selected pair; as it is seen, exchanged


THREE = {
    "one.txt": TREES,
    "two.txt": TREES + "And that was all.",
    "three.txt": TREES + "Nobody could say when the buoy had been painted green, or by whom.",
}


@pytest.fixture
def folder(tmp_path):
    return folder_with(tmp_path / "essays", {**THREE, "copy of two.txt": THREE["two.txt"]})


@pytest.fixture
def exchanged(window, folder, qtbot):
    """The pair of three.txt and two.txt is selected, and two.txt is on the left."""
    scan(window, folder, qtbot)
    model = window.presenter.pairs
    rows = [row for row in range(model.rowCount()) if model.key_at(row).names == NAMES]
    qtbot.until(window.presenter.pair.compared, window.pages.pairs.table.select_row, rows[0])
    window.presenter.pair.swap()
    assert seen(window) == ("two.txt", "three.txt")
    return window


def rescan(window, qtbot):
    qtbot.until(window.presenter.pair.compared, window.presenter.rescan)
    qtbot.waitUntil(lambda: not window.presenter.state.is_busy)


def seen(window):
    """The names in the selected row, which the header shows, too."""
    index = window.pages.pairs.table.currentIndex()
    names = tuple(
        index.siblingAtColumn(column).data() for column in (Column.DOCUMENT_A, Column.DOCUMENT_B)
    )
    assert set(window.pages.pairs.table.selected_key.names) == set(names)
    header = window.compare_pane.view.header._names._documents
    assert tuple(document.name.text() for document in header) == names
    return names


def test_the_document_to_review_stands_on_the_left_of_a_reference(window, folder, qtbot):
    reference = folder_with(folder / "a reference")
    (folder / "copy of two.txt").rename(reference / "source.txt")
    scan(window, folder, qtbot)
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.folders.add(FolderRole.REFERENCE, reference)
    qtbot.waitUntil(lambda: not window.presenter.state.is_busy)
    model = window.presenter.pairs
    rows = [row for row in range(model.rowCount()) if "source" in str(model.key_at(row))]
    window.pages.pairs.table.select_row(rows[0])
    qtbot.waitUntil(lambda: window.presenter.pair.shown == model.key_at(rows[0]))

    left, right = seen(window)
    assert left.endswith("two.txt")
    assert right.endswith("source.txt")
    window.presenter.pair.swap()
    assert seen(window) == (right, left)


@pytest.mark.parametrize("name", ["zwei.txt", "2.txt", "two.md"])
def test_a_renamed_file_keeps_the_pair_and_its_sides(exchanged, folder, qtbot, name):
    (folder / "two.txt").rename(folder / name)
    rescan(exchanged, qtbot)
    assert seen(exchanged) == (name, "three.txt")

    (folder / name).write_text(TREES + "And that was nearly all.")
    rescan(exchanged, qtbot)
    assert seen(exchanged) == (name, "three.txt")

    exchanged.presenter.pair.swap()
    assert seen(exchanged) == ("three.txt", name)
    (folder / name).rename(folder / "two.txt")
    rescan(exchanged, qtbot)
    assert sorted(seen(exchanged)) == ["three.txt", "two.txt"]


@pytest.fixture
def scanned(window, tmp_path, qtbot, monkeypatch):
    """Three documents alike in different degrees, and their first pair on the screen."""
    monkeypatch.setattr(ReadAhead, "begin", lambda *_, **__: None)
    scan(window, folder_with(tmp_path / "essays", THREE), qtbot)
    pairs = window.presenter.pairs
    ranks = [pairs.index(row, 0) for row in range(pairs.rowCount())]
    qtbot.waitUntil(lambda: all(rank.data(int(Role.VALUE)) is not None for rank in ranks))
    return window


class Slow:
    """Finding passages takes until it is let go, or stopped."""

    def __init__(self, monkeypatch):
        self.gate = threading.Event()
        self.begun = []
        self.stopped = []
        original = core.evidence.passages.find_shared_text

        def find_shared_text(text_a, text_b, settings, *more):
            self.begun.append((text_a, text_b))
            while not self.gate.wait(0.002):
                if is_cancelled():
                    self.stopped.append((text_a, text_b))
                stop_if_cancelled()
            return original(text_a, text_b, settings, *more)

        monkeypatch.setattr(core.evidence.passages, "find_shared_text", find_shared_text)


@pytest.fixture
def slow(scanned, monkeypatch):
    return Slow(monkeypatch)


def select(window, qtbot, row):
    """Select a row and wait until the view says that its pair is on its way."""
    return qtbot.until(window.presenter.pair.loading, window.pages.pairs.table.select_row, row)[0]


def sentence(window):
    """What the view says in place of texts; empty while it shows texts."""
    view = window.compare_pane.view
    if view.panes[0].isVisible():
        return ""
    return view._pages.currentWidget().text()


def names_shown(window):
    return tuple(side.name for side in window.compare_pane.view._comparison.sides)


def key_at(window, row):
    return window.presenter.pairs.key_at(row).names


def test_the_view_says_that_another_pair_is_loading(scanned, slow, qtbot, monkeypatch):
    assert sentence(scanned) == ""

    select(scanned, qtbot, 1)
    a, b = key_at(scanned, 1)
    assert sentence(scanned) == f"Loading {a} and {b}…"
    assert scanned.compare_pane.view._page_without_pair.accessibleName() == sentence(scanned)
    for action in (Action.NEXT_PASSAGE, Action.PREVIOUS_PASSAGE):
        scanned._actions[action].trigger()
    assert sentence(scanned).startswith("Loading")

    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) or True)
    scanned._actions[Action.OPEN_FILE_B].trigger()
    assert [QUrl.fileName(url) for url in opened] == [b]
    scanned._actions[Action.SWAP_SIDES].trigger()
    assert sentence(scanned).startswith("Loading")

    qtbot.until(scanned.presenter.pair.compared, slow.gate.set)
    assert sentence(scanned) == ""
    assert names_shown(scanned) == (b, a)


def test_rows_that_were_left_are_not_waited_for(scanned, slow, qtbot):
    table, view = scanned.pages.pairs.table, scanned.compare_pane.view
    select(scanned, qtbot, 1)
    select(scanned, qtbot, 2)
    assert key_at(scanned, 2)[0] in sentence(scanned)
    qtbot.keyClick(table, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: len(slow.stopped) == 2)

    qtbot.until(scanned.presenter.pair.compared, slow.gate.set)

    assert table.currentIndex().row() == 0
    assert names_shown(scanned) == key_at(scanned, 0)
    assert view.panes[0].isVisible()
    assert slow.stopped == slow.begun[:2]


def test_the_pair_on_the_screen_stays_when_its_row_is_chosen_again(scanned, slow, qtbot):
    presenter = scanned.presenter
    compared = []
    presenter.pair.compared.connect(compared.append)

    presenter.open_pair(presenter.pairs.key_at(1))
    presenter.open_pair(presenter.pairs.key_at(0))
    qtbot.waitUntil(lambda: slow.stopped == slow.begun)

    assert not presenter.pair._slow.isActive()
    assert sentence(scanned) == ""
    assert names_shown(scanned) == key_at(scanned, 0)
    assert compared == []


def test_the_focus_waits_for_the_pair_where_it_was(scanned, slow, qtbot):
    view = scanned.compare_pane.view
    for pane in view.panes:
        slow.gate.clear()
        pane.setFocus()

        qtbot.until(scanned.presenter.pair.loading, scanned._actions[Action.NEXT_PAIR].trigger)
        assert view.isAncestorOf(scanned.focusWidget())
        qtbot.until(scanned.presenter.pair.compared, slow.gate.set)
        assert pane.hasFocus()


def test_who_reads_a_pair_that_is_loading_is_led_back_or_into_it(scanned, slow, qtbot):
    table = scanned.pages.pairs.table
    select(scanned, qtbot, 1)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    qtbot.keyClick(scanned.focusWidget(), Qt.Key.Key_Escape)
    assert table.hasFocus()

    qtbot.keyClick(table, Qt.Key.Key_Return)
    qtbot.until(scanned.presenter.pair.compared, slow.gate.set)
    assert scanned.compare_pane.view.panes[0].hasFocus()


def test_a_pair_that_cannot_be_laid_out_does_not_load_for_ever(scanned, qtbot, monkeypatch):
    broken = Mock(side_effect=ZeroDivisionError)

    monkeypatch.setattr(core.evidence.passages, "find_shared_text", broken)
    qtbot.until(scanned.presenter.unexpected_error, scanned.pages.pairs.table.select_row, 1)

    assert sentence(scanned) == "Choose a pair to read it side by side."
    assert not scanned.presenter.state.has_pair


def test_leaving_stops_the_pair_that_is_loading(scanned, slow, tmp_path, qtbot):
    select(scanned, qtbot, 1)
    second_folder = folder_with(tmp_path / "other")

    qtbot.until(scanned.presenter.ended, scanned.presenter.open_folders, [second_folder])

    qtbot.waitUntil(lambda: len(slow.stopped) == 1)
    assert sentence(scanned) == "Choose a pair to read it side by side."


def test_closing_stops_the_pair_that_is_loading(scanned, slow, qtbot):
    select(scanned, qtbot, 1)

    scanned.close()

    assert len(slow.stopped) == 1


def test_a_changed_pair_is_read_anew_though_its_row_is_chosen(scanned, slow, tmp_path, qtbot):
    presenter = scanned.presenter
    key = presenter.pairs.key_at(0)
    for file in (tmp_path / "essays").iterdir():
        file.write_text(TREES + "All of it was written anew in the same week.")
    qtbot.until(presenter.ended, scanned._actions[Action.RESCAN].trigger)
    presenter.open_pair(key)

    (comparison,) = qtbot.until(presenter.pair.compared, slow.gate.set)
    assert "written anew" in comparison.sides[0].text.source


TEXT = (
    "The ferry left the stone quay at seven, an hour late, because the pilot had overslept and "
    "the tide, which waits for nobody, had already begun to turn against the harbour wall. "
)


@pytest.fixture
def outdated_window(window, tmp_path, qtbot):
    ends = {"one.txt": "The cook was blamed for it.", "two.txt": "Nobody minded in the least."}
    texts = {name: TEXT + end for name, end in ends.items()}
    return scan(window, folder_with(tmp_path / "letters", texts), qtbot)


def row(window):
    return window.pages.pairs.outdated_row


def set_k(window, k):
    window.side_panels.setup._form.controls["k"].setValue(k)


def test_a_list_that_is_out_of_date_says_so_above_the_table(outdated_window):
    window = outdated_window
    assert row(window).isHidden()

    set_k(window, 7)
    assert row(window).isVisible()
    assert row(window).sentence == (
        "This list is out of date. Shingles: words, k = 5 → words, k = 7."
    )
    set_k(window, 5)
    assert row(window).isHidden()

    window.presenter.reading.change(ReadingSettings(archives=True))
    assert "Reading files" in row(window).sentence
    window.presenter.reading.change(ReadingSettings())
    assert row(window).isHidden()

    window.side_panels.threshold._rows.slider.setValue(4)  # bands need no new scan
    assert row(window).isHidden()


def test_an_export_says_which_settings_the_list_has(outdated_window, tmp_path, qtbot):
    window, target = outdated_window, tmp_path / "pairs.json"
    set_k(window, 7)
    announced = qtbot.until(window.presenter.message_posted, window.presenter.exports.save, target)
    report = json.loads(target.read_text(encoding="utf-8"))
    sentence = (
        "The list was made with other settings: Shingles (words, k = 5). "
        "Chosen since, but not scanned: Shingles (words, k = 7)."
    )
    assert report["settings"]["k"] == 5
    assert report["shown"] == sentence
    size = readable_size(target.stat().st_size)
    assert announced[0].text.startswith(f"Saved 1 pair to pairs.json, {size}. ")
    assert announced[0].text.endswith(sentence)

    button = row(window).findChild(QToolButton)
    assert button.defaultAction() is window._actions[Action.RESCAN]
    with qtbot.waitSignal(window.presenter.ended):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert row(window).isHidden()
    assert window.presenter.current.result.settings.k == 7
    assert row(window).isHidden()

    set_k(window, 6)
    with qtbot.waitSignal(window.presenter.ended):
        window.presenter.rescan()
        window.presenter.cancel()
    QApplication.processEvents()
    assert row(window).isHidden() == (window.presenter.current.result.settings.k == 6)

    set_k(window, 8)
    after(window, qtbot, lambda: window.presenter.open_folders([folder_with(tmp_path / "other")]))
    assert row(window).isHidden()
