"""Overview and Reading: one list, one selection, the same keys; two documents open in Reading.

What is judged is what is read: row, texts and keys are of one pair, whatever was done before.
"""

import random
from functools import partial

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLabel

from core.documents.model import Role as FolderRole
from core.scan.judgements import Verdict
from neardup_gui.models.pairs.columns import Column, Role
from neardup_gui.models.reports import ReportWish
from neardup_gui.models.words.sentences import Message
from neardup_gui.models.workbench.settings_table import SettingColumn
from neardup_gui.window.actions import Action
from neardup_gui.window.layout import CARDS_WIDTH, COMPARE_SHARE
from tests.gui.everywhere.walking import after, drag, tab_title
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


def test_of_several_selected_pairs_one_is_read(scanned, qtbot):
    table = scanned.pages.pairs.table
    table.select_row(2)
    table.selectAll()
    scanned._actions[Action.READING].trigger()

    assert table.selected_rows.tolist() == [table.current_row]


def test_enter_gives_the_texts_the_window_and_esc_leads_back_to_the_row(scanned, qtbot):
    table, text = scanned.pages.pairs.table, scanned.compare_pane.view.panes[0]
    table.select_row(2)
    table.setFocus()
    qtbot.waitUntil(lambda: shown(scanned) == table.selected_key)
    before, height, texts = table.selected_key, text.height(), table.size()

    table.selectAll()
    qtbot.keyClick(table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: text.height() > 1.4 * height)
    assert text.hasFocus()
    assert scanned.pages.width() == CARDS_WIDTH
    assert text.height() > 0.65 * scanned.height()
    assert not scanned.pages.pairs.filter_row.isVisible()
    assert table.selected_key == before == shown(scanned)
    assert table.selected_rows.tolist() == [table.current_row]

    qtbot.keyClick(text, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: abs(text.height() - height) < 8)
    assert table.hasFocus()
    assert table.selected_key == before
    assert abs(table.width() - texts.width()) < 8
    assert not table.isColumnHidden(Column.DOCUMENT_B)


def test_in_a_low_window_bars_give_their_air_to_the_texts(window, folder, qtbot):
    """As on a screen of 1440 × 900 at 200 %; bars are lines of text, high ones in some fonts."""
    filters, plot = window.pages.pairs.filter_row, window.compare_pane.view.header.dot_plot
    air = [bar.layout().contentsMargins() for bar in (filters, window.message_bar)]
    usual = plot.sizeHint()
    window.resize(720, 450)
    scanned = open_folder(window, folder, qtbot)
    pane, text = scanned.compare_pane, scanned.compare_pane.view.panes[0]
    line = scanned.fontMetrics().height()

    qtbot.waitUntil(lambda: scanned.height() - text.height() < 21.5 * line)
    assert text.height() > 0.6 * pane.height()
    table = scanned.pages.pairs.table
    row = table.visualRect(table.model().index(table.current_row, 0))
    assert table.viewport().rect().contains(row.center())
    height = text.height()
    scanned.message_bar.show_message(Message("Files of the folder are missing. Has it moved?"))
    qtbot.waitUntil(scanned.message_bar.isVisible)
    qtbot.waitUntil(lambda: text.height() < height)
    assert scanned.height() - text.height() < 23.5 * line

    scanned.resize(1280, 800)
    qtbot.waitUntil(lambda: plot.size() == usual)
    assert air == [bar.layout().contentsMargins() for bar in (filters, window.message_bar)]


def test_panel_and_texts_have_room_beside_each_other_in_a_narrow_window(scanned, qtbot):
    """As on a screen of 1440 × 900 at 200 %, with room for longer words."""
    scanned.resize(1, 428)
    qtbot.waitUntil(scanned._side_dock.isHidden)

    scanned._side_dock.toggleViewAction().trigger()
    QApplication.processEvents()

    assert scanned._side_dock.isVisible()
    assert scanned.compare_pane.isVisible()
    assert scanned.width() < 0.96 * 720


def test_a_note_has_its_title_beside_the_first_line_and_says_of_which_other_pair(scanned, qtbot):
    table, bar = scanned.pages.pairs.table, scanned.compare_pane.judging_bar
    table.select_row(0)
    qtbot.waitUntil(lambda: shown(scanned) == table.selected_key)
    for mode, row in ((None, scanned.pages.pairs.note_row), (Action.READING, bar.note)):
        if mode:
            scanned._actions[mode].trigger()
        scanned._actions[Action.NOTE].trigger()
        qtbot.waitUntil(row._field.hasFocus)
        QApplication.processEvents()
        (title,) = (it for it in row.findChildren(QLabel) if it.buddy() is row._field)
        line = row._field.viewport().mapTo(row, row._field.cursorRect().center())
        assert abs(title.mapTo(row, title.contentsRect().center()).y() - line.y()) <= 1
        assert row._subject.isVisible() == (mode is None)
        qtbot.keyClick(row._field, Qt.Key.Key_Escape)


def test_cards_are_judged_by_the_same_keys_and_the_note_is_visible(scanned, qtbot):
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


def test_documents_are_counted_as_in_the_status_line(scanned, folder, tmp_path, qtbot):
    (folder / "d.txt").unlink()
    sheet = folder_with(tmp_path / "sheets", {"sheet.txt": "Write about a tree near you."})
    after(scanned, qtbot, lambda: scanned.presenter.folders.add(FolderRole.TEMPLATE, sheet))
    qtbot.waitUntil(lambda: not scanned.presenter.state.is_busy)
    assert scanned.presenter.current.result.pair_list.document_counts == (4, 1, 0, 1)
    assert scanned._reading_bar._summary.text().startswith("3 documents · ")


def test_other_pairs_of_both_documents_are_a_link_away(scanned, qtbot):
    table, header = scanned.pages.pairs.table, scanned.compare_pane.view.header
    scanned._actions[Action.READING].trigger()
    scanned.search_field.setText("a.txt")
    table.select_row(0)
    qtbot.waitUntil(lambda: shown(scanned).names == ("a.txt", "b.txt"))
    assert header._finding.also.text() == "Also in 1…"
    shares = [(link.name, link.side) for link in scanned.compare_pane.view._shared.also]
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
        (of_b,) = (action for action in top.actions() if action.text() == "Document B")
        offered = {action.text(): action for action in of_b.menu().actions()}
        assert list(offered)[:3] == ["To review", "Reference", "Template"]
        return top, offered

    def role():
        return str(presenter.current.result.names.role_of(name))

    top = table.make_menu()
    offered = {action.text(): action for action in top.actions() if action.text()}
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
    scanned.resize(1000, 800)  # too narrow for the panel
    assert scanned._side_dock.isHidden()
    scanned._actions[Action.READING].trigger()
    scanned.close()
    again = open_folder(make_window(), folder, qtbot)
    assert again.reading_mode.is_on
    again.resize(1440, 900)
    again._actions[Action.READING].trigger()
    assert again._side_dock.isVisible()
    again.close()
    once_more = open_folder(make_window(), folder, qtbot)
    assert not once_more.reading_mode.is_on
    assert once_more._tool_bar.isVisible()


def test_the_arrangement_outlives_a_window_that_is_killed(
    scanned, make_window, folder, qtbot, monkeypatch
):
    preferences, side = scanned._preferences, scanned._side_dock
    horizontal = Qt.Orientation.Horizontal
    scanned.resize(1400, 820)
    scanned.resizeDocks([side], [430], horizontal)
    qtbot.waitUntil(lambda: preferences.geometry == bytes(scanned.saveGeometry().data()))
    written, geometry = preferences.layout, preferences.geometry
    assert written

    pressed = [Qt.MouseButton.LeftButton]
    monkeypatch.setattr(QApplication, "mouseButtons", lambda: pressed[-1])
    scanned.resizeDocks([side], [470], horizontal)
    scanned.resizeDocks([scanned._compare_dock], [520], Qt.Orientation.Vertical)
    QApplication.processEvents()
    scanned.arrangement.note()
    assert preferences.layout == written  # while a line is dragged
    pressed.append(Qt.MouseButton.NoButton)
    qtbot.waitUntil(lambda: preferences.layout != written)
    assert preferences.geometry == geometry
    share = preferences.texts_share

    scanned._actions[Action.READING].trigger()
    scanned.arrangement.note()
    again = open_folder(make_window(), folder, qtbot)
    assert again.reading_mode.is_on
    again._actions[Action.READING].trigger()
    assert again._side_dock.width() == 470
    assert again.arrangement._share == pytest.approx(share)
    assert share != COMPARE_SHARE


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
    assert tab_title(window, window.pages.pairs) == "Pairs 0"


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


STEPS = 200
WORDS = [f"word{number}" for number in range(400)]


@pytest.fixture
def desk(window, tmp_path, qtbot):
    """A window on 18 documents: three families, a paragraph that all have, copies and traces."""
    folder = folder_with(tmp_path / "essays")
    for number in range(9):
        start = 100 * (number % 3)
        words = WORDS[start : start + 90 - 5 * number] + WORDS[350:390] + [f"own{number}"]
        (folder / f"task{'abc'[number % 3]} {number}.txt").write_text(" ".join(words))
    for number in range(3):
        (folder / f"copy {number}.txt").write_text((folder / "taska 0.txt").read_text())
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefghijklmnop", k=7)) for _ in range(2000)]
    for number in range(6):  # three pairs of a phrase
        phrase = words[30 * (number % 3) :][:22]
        words_of_text = words[300 * number + 100 :][:300]
        (folder / f"trace {number}.txt").write_text(
            " ".join([*words_of_text[:60], *phrase, *words_of_text[60:]])
        )
    ended = qtbot.until(window.presenter.ended, window.presenter.open_folders, [folder])
    settle(window, qtbot)
    folded = window.presenter.pairs.folded
    assert folded.weak_count == 3
    assert ended[0].endswith(" pairs share text · 6 pairs are copies")
    assert folded.more.max() == 5  # of four copies
    return window


def settle(window, qtbot):
    """Wait until rows rest and nothing is computed."""
    presenter, pages = window.presenter, window.pages
    tables = (pages.pairs.table, pages.groups.table, pages.passages.table, pages.documents.table)
    qtbot.waitUntil(lambda: not any(table._settled.isActive() for table in tables))
    qtbot.waitUntil(lambda: not presenter.state.is_busy)
    pair = presenter.pair
    qtbot.waitUntil(lambda: pair.wanted is None or pair.shown == pair.wanted)


def judged_by_key(window, verdict):
    """The pairs that the key of a verdict would judge, as they are named."""
    rows_judged = []
    presenter, page = window.presenter, window.pages.pairs
    page.verdict_given.disconnect(presenter.verdicts.judge)
    page.verdict_given.connect(lambda _verdict, pairs: rows_judged.extend(pairs.tolist()))
    try:
        window.judging.judge(verdict)
    finally:
        page.verdict_given.disconnect()
        page.verdict_given.connect(presenter.verdicts.judge)
    names, pairs = presenter.pairs.names, presenter.pairs._pairs
    return [names.key(int(pairs.a[pair]), int(pairs.b[pair])) for pair in rows_judged]


def read(window):
    """The two documents that are laid out; none where the pane says something else."""
    view = window.compare_pane.view
    return None if view._shared is None else {side.name for side in view._shared.sides}


def check(window):
    """Row, pane and keys are of the same pair; what is folded is counted."""
    note = window.compare_pane.judging_bar.note
    if note.isVisible():
        number = window.presenter.pair.shown and window.presenter.pairs.number_of(
            window.presenter.pair.shown
        )
        about = note._standing[1]
        assert number == (None if about is None else about[0])
    model, folded = window.presenter.pairs, window.presenter.pairs.folded
    shown = model.pairs_in(range(model.rowCount()))
    if model.filter.is_empty:
        hidden = 0 if folded.weak else folded.weak_count
        assert len(shown) + hidden + int(folded.more.sum()) == model.total
    pages, pair = window.pages, window.presenter.pair.wanted
    shown = read(window)
    assert shown == (None if pair is None else set(pair.names))
    if pages.leading is not pages.pairs:
        return
    table = pages.pairs.table
    row = table.current_row
    assert (pair is None) == (row < 0)
    if row >= 0:
        assert set(table.model().key_at(row).names) == shown


def test_a_pair_is_judged_only_where_it_is_read(desk, qtbot):
    draw = random.Random(5)
    pages, tabs = desk.pages, desk.pages.tabs
    table = pages.pairs.table
    columns = [Column.RANK, Column.DOCUMENT_A, Column.RESEMBLANCE, Column.LONGEST_RUN]
    steps = {
        "row": lambda: table.select_row(draw.randrange(max(table.model().rowCount(), 1))),
        "tab": lambda: tabs.setCurrentIndex(draw.randrange(tabs.count())),
        "pairs": lambda: tabs.setCurrentWidget(pages.pairs),
        "sort": lambda: table.sort_by(draw.choice(columns)),
        "search": lambda: desk.search_field.setText(
            draw.choice(["", "", "", "taska", "taskb 1", "nothing has this"])
        ),
        "numbers": lambda: pages.pairs.filter_row._resemblance.setValue(
            draw.choice([0, 0, 0.3, 0.9])
        ),
        "traces": desk.pages.pairs.weak_row.button.click,
        "copies": lambda: [
            desk.presenter.pairs.unfold_copies(row, unfolded=draw.random() < 0.5)
            for row in (table.current_row,)
            if row >= 0
        ],
        "reading": desk._actions[Action.READING].toggle,
        "enter": lambda: qtbot.keyClick(table, Qt.Key.Key_Return),
        "back": lambda: qtbot.keyClick(desk.compare_pane.entry, Qt.Key.Key_Escape),
        "rescan": desk.presenter.rescan,
        "key": lambda: desk.judging.judge(draw.choice(list(Verdict))),
        "undo": desk.presenter.decisions.undo,
        "redo": desk.presenter.decisions.redo,
        "swap": desk.presenter.pair.swap,
        "group": lambda: pages.groups.table.select_row(draw.randrange(3)),
        "passage": lambda: pages.passages.table.select_row(draw.randrange(3)),
        "document": lambda: pages.documents.table.select_row(draw.randrange(18)),
        "differences": lambda: desk.compare_pane.view.set_differences(draw.random() < 0.5),
        "step": partial(desk.compare_pane.view.step_passage, 1),
    }
    for _ in range(STEPS):
        name = draw.choice(list(steps))
        before = desk.presenter.pair.wanted
        if name == "key" and pages.leading is pages.pairs and tabs.currentWidget() is pages.pairs:
            judged = judged_by_key(desk, Verdict.CONFIRMED)
            assert judged == ([] if before is None else [before])
        else:
            steps[name]()
        settle(desk, qtbot)
        check(desk)


def test_verdicts_never_lead_into_traces_that_are_folded(desk, qtbot, tmp_path):
    table, model = desk.pages.pairs.table, desk.presenter.pairs
    table.select_row(0)
    settle(desk, qtbot)
    for _ in range(60):
        desk.judging.judge(Verdict.NOT_A_MATCH)
        settle(desk, qtbot)
    assert model.counts[0] == 0
    assert desk.pages.pairs.filter_row._verdicts[0].text().endswith("0")
    assert "trace" not in str(table.selected_key.names)

    qtbot.keyClick(table, Qt.Key.Key_End)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    foot = desk.pages.pairs.weak_row.button
    assert foot.text() == "▸ 3 weak traces"
    qtbot.keyClick(foot, Qt.Key.Key_Return)
    assert model.rowCount() == model.first_weak + 3
    assert "trace" in str(model.key_at(model.first_weak).names)
    qtbot.keyClick(foot, Qt.Key.Key_Return)
    assert model.first_weak == model.rowCount()

    # A table has them in a column of their own, also where a report to read was chosen before.
    exports, path = desk.presenter.exports, tmp_path / "pairs.csv"
    qtbot.until(exports.ended, exports.save, path, ReportWish(ending=".html"))
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    assert sum(line.endswith(",1") for line in lines) == 3


def test_copies_behind_a_row_are_shown_found_and_counted(desk, qtbot):
    table, model = desk.pages.pairs.table, desk.presenter.pairs
    row = next(row for row in range(model.rowCount()) if model.copies_folded(row) == 5)
    table.select_row(row)
    settle(desk, qtbot)
    rows, mark = model.rowCount(), model.index(row, Column.DOCUMENT_B).data(Role.MARK)
    assert mark == "+ 5 copies"

    qtbot.keyClick(table, Qt.Key.Key_Right)
    assert model.rowCount() == rows + 5
    table.select_row(row + 2)
    settle(desk, qtbot)
    qtbot.keyClick(table, Qt.Key.Key_Left)
    settle(desk, qtbot)
    assert model.rowCount() == rows
    assert table.current_row == row
    check(desk)

    desk.search_field.setText("copy 2")
    settle(desk, qtbot)
    assert model.rowCount() > 0
    assert all("copy 2" in str(model.key_at(row).names) for row in range(model.rowCount()))
    desk.search_field.clear()
    settle(desk, qtbot)

    curve = desk.pages.curve  # the settings in use list as many pairs as the tab says
    with qtbot.waitSignal(desk.presenter.workbench.grid.value_changed, check_params_cb=bool):
        desk.pages.tabs.setCurrentWidget(curve)
    in_use = curve.settings.model.shown()[0]
    assert SettingColumn.LISTED.words.shown(in_use) == str(desk.pages.pairs.listed)
    assert desk.pages.tabs.tabText(0) == f"Pairs {desk.pages.pairs.listed}"


def test_quick_keys_judge_only_what_is_laid_out(desk, qtbot):
    """Pressed while texts are on their way, a key judges nothing; held down, once."""
    table, counts = desk.pages.pairs.table, lambda: desk.presenter.pairs.verdicts.counts[1]
    table.select_row(0)
    for _ in range(12):
        was_read, before = read(desk) == set(table.selected_key.names), counts()
        desk.judging.judge(Verdict.CONFIRMED)
        assert (counts() > before) == was_read  # with its copies
    settle(desk, qtbot)
    desk.judging.judge(Verdict.CONFIRMED)
    assert counts() > 1
    assert not desk._actions[Action.CONFIRM].autoRepeat()


def test_a_search_does_not_bring_the_pair_of_another_tab(desk, qtbot):
    pages = desk.pages
    pages.tabs.setCurrentWidget(pages.passages)
    qtbot.waitUntil(lambda: pages.passages.table.model().rowCount() > 0)
    pages.passages.table.select_row(0)
    settle(desk, qtbot)
    pages.tabs.setCurrentWidget(pages.pairs)
    pages.pairs.table.select_row(2)
    settle(desk, qtbot)
    chosen = pages.pairs.table.selected_key

    desk.search_field.setText("taskc")
    settle(desk, qtbot)
    desk.search_field.clear()
    settle(desk, qtbot)

    assert pages.pairs.table.selected_key == chosen
    assert read(desk) == set(chosen.names)
    assert judged_by_key(desk, Verdict.CONFIRMED) == [chosen]

    # A pair that the search hides is not read on, and comes back.
    desk.search_field.setText("nothing has this")
    settle(desk, qtbot)
    assert read(desk) is None
    assert judged_by_key(desk, Verdict.CONFIRMED) == []
    desk.search_field.clear()
    settle(desk, qtbot)
    assert read(desk) == set(chosen.names)


def test_a_passage_is_chosen_beside_differences(desk, qtbot):
    """Changes have numbers of their own, and there may be fewer of them."""
    desk.compare_pane.view.set_differences(wanted=True)
    desk.presenter.pair.show_differences(wanted=True)
    qtbot.waitUntil(
        lambda: desk.compare_pane.view._comparison is not desk.compare_pane.view._shared
    )
    shared = desk.compare_pane.view._shared

    for passage in range(len(shared.marks)):
        desk.compare_pane.view.select_passage(passage)

    assert shared.marks


def test_a_note_right_after_a_verdict_is_on_the_pair_that_was_judged(desk, qtbot):
    page = desk.pages.pairs
    page.table.select_row(0)
    settle(desk, qtbot)
    judged = page.table.selected_key

    page.judge(Verdict.SUSPICIOUS)
    settle(desk, qtbot)
    assert page.table.selected_key != judged
    page.write_note()

    assert page.note_row.isVisible()
    assert all(name in page.note_row._subject.accessibleName() + page.note_row._subject.toolTip()
               + page.note_row._subject.text() for name in judged.names)  # fmt: skip
    page.note_row._field.setPlainText("ask first")
    qtbot.keyClick(page.note_row._field, Qt.Key.Key_Return)
    settle(desk, qtbot)
    row = page.table.model().row_of(judged)
    (number,) = page.table.model().pairs_in([row]).tolist()
    assert desk.presenter.pairs.verdicts.note(number) == "ask first"

    page.table.select_row(2)
    settle(desk, qtbot)
    page.judge(Verdict.SUSPICIOUS)
    page.table.select_row(4)  # another row was chosen: the note is on that one
    settle(desk, qtbot)
    page.write_note()
    assert page.table.selected_key.names[0] in page.note_row._subject.text()


def test_a_verdict_can_be_undone_while_the_panel_has_the_focus(desk, qtbot, tmp_path):
    undo, redo = (desk._actions[action] for action in (Action.UNDO, Action.REDO))
    table = desk.pages.pairs.table
    table.select_row(0)
    settle(desk, qtbot)
    desk.judging.judge(Verdict.CONFIRMED)
    settle(desk, qtbot)

    with qtbot.waitActive(desk):
        desk.activateWindow()
    table.setFocus()
    panels = desk.side_panels
    before = panels.model.state.min_resemblance
    drag(panels.threshold.curve, (before, 0.7), (0.4, 0.7))
    assert panels.model.state.min_resemblance == 0.4
    undo.trigger()  # of what the mouse had in hand
    assert panels.model.state.min_resemblance == before
    assert desk.presenter.decisions.can_undo

    # What was done last is undone first, also from the menu by keys, where the bar has the focus.
    done = desk.presenter.decisions.last
    drag(panels.threshold.curve, (before, 0.7), (0.4, 0.7))
    settle(desk, qtbot)
    desk.judging.judge(Verdict.NOT_A_MATCH)
    judged = desk.presenter.decisions.last
    assert judged != done
    drag(panels.threshold.curve, (0.4, 0.7), (0.6, 0.7))
    for threshold, decision in ((0.4, judged), (0.4, done), (before, done)):
        undo.trigger()
        assert panels.model.state.min_resemblance == threshold
        assert desk.presenter.decisions.last == decision
        desk.menuBar().setFocus()
    for threshold, decision in ((0.4, done), (0.4, judged), (0.6, judged)):
        redo.trigger()
        settle(desk, qtbot)
        assert panels.model.state.min_resemblance == threshold
        assert desk.presenter.decisions.last.command == decision.command
    for _ in range(3):
        undo.trigger()

    panels.threshold.findChild(QAbstractSpinBox).setFocus()
    assert undo.isEnabled()
    undo.trigger()
    assert not desk.presenter.decisions.can_undo

    # A message that is dismissed leaves the keyboard in the list.
    desk.message_bar.dismiss()  # the question about the paragraph that most documents have
    table.setFocus()
    desk.message_bar.show_message(Message("Something happened."))
    qtbot.mouseClick(desk.message_bar._close, Qt.MouseButton.LeftButton)
    assert not desk.message_bar.isVisible()
    assert table.hasFocus()

    # No step of one folder is undone, or redone, in another.
    drag(panels.threshold.curve, (before, 0.7), (0.4, 0.7))
    drag(panels.threshold.curve, (0.4, 0.7), (0.6, 0.7))
    panels.model.undo()
    assert (panels.model.can_undo, panels.model.can_redo) == (True, True)
    open_folder(desk, folder_with(tmp_path / "others", {"a.txt": TREES, "b.txt": TREES}), qtbot)
    assert (panels.model.can_undo, panels.model.can_redo) == (False, False)
    assert (undo.isEnabled(), redo.isEnabled()) == (False, False)


def test_the_focus_may_go_after_the_pages_are_gone(window, qapp, qtbot):
    """As while a window is deleted, and at the end of the program."""
    window.pages.tabs.setCurrentWidget(window.pages.curve)
    shiboken6.delete(window.pages.tabs)

    with qtbot.captureExceptions() as broken:
        qapp.focusChanged.emit(None, None)

    assert broken == []
