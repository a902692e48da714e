"""The window without a mouse, and what its keys show for themselves."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from neardup_gui.models.pairs.columns import Column
from neardup_gui.views.widgets.controls import NumberBox
from neardup_gui.window.actions import Action, Menu

KEYS = Qt.KeyboardModifier
SORTED_BY = dict(
    zip((name for name in Action if name.value.menu is Menu.SORT), Column, strict=True)
)
HARBOUR = (
    "Nobody in the harbour office could say when the buoy had been painted green, or by whom. "
    "The log of the pilot boat was silent, and the ledger of the chandler had been eaten by mice. "
)
BRIDGE = (
    "A bridge that nobody crosses is still a bridge, said the engineer, and had the rivets "
    "counted again, though there were nine fewer of them than the plans had promised the railway. "
)
OWN = "None of this was ever written down by anybody who had been there when it happened. "


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "letters"
    folder.mkdir()
    texts = {
        "abbot.txt": HARBOUR,
        "baker.txt": HARBOUR + OWN,
        "miller.txt": BRIDGE,
        "weaver.txt": BRIDGE + OWN * 2,
        "empty.txt": "",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def scanned(window, folder, qtbot):
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.open_folders([folder])
    qtbot.waitUntil(lambda: not window.presenter.state.is_busy)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def press(key, modifiers=KEYS.NoModifier):
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)


def texts_of_row(window, row):
    model = window.presenter.pairs
    return [model.index(row, column).data() for column in range(model.columnCount())]


def test_down_from_the_name_of_a_document_leads_to_a_row(scanned, qtbot):
    table = scanned.pages.pairs.table
    hidden = table.selected_key
    scanned.search_field.setFocus()
    other = "weaver" if "weaver.txt" not in hidden.names else "abbot"
    QTest.keyClicks(scanned.search_field, other)
    assert scanned.presenter.pairs.row_of(hidden) is None

    with qtbot.waitSignal(scanned.presenter.pair.compared):
        press(Qt.Key.Key_Down)

    assert table.hasFocus()
    assert [index.row() for index in table.selectionModel().selectedRows()] == [0]
    assert f"{other}.txt" in table.selected_key.names


def test_tab_goes_as_the_eye_does(scanned):
    scanned.search_field.setFocus()
    met = []
    for _ in range(60):
        press(Qt.Key.Key_Tab)
        met.append(QApplication.focusWidget().accessibleName())
        if QApplication.focusWidget() is scanned.search_field:
            break

    wanted = [
        "Bands b",
        "Preset",
        "Lists",
        *(box.accessibleName() for box in scanned.pages.pairs.filter_row.findChildren(NumberBox)),
        "Pairs of documents",
        scanned.compare_pane.view.header.chips.accessibleName(),
        scanned.compare_pane.view.panes[0].accessibleName(),
        scanned.compare_pane.view.panes[1].accessibleName(),
    ]
    assert [name for name in met if name in wanted] == wanted


def test_f6_enters_the_table_and_the_texts(scanned):
    table, text = scanned.pages.pairs.table, scanned.compare_pane.view.panes[0]
    table.setFocus()

    scanned._actions[Action.NEXT_PANE].trigger()
    assert text.hasFocus()
    scanned._actions[Action.NEXT_PANE].trigger()
    scanned._actions[Action.NEXT_PANE].trigger()
    assert table.hasFocus()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)  # of popups, off screen
@pytest.mark.parametrize("place", ["table", "text", "problems"])
def test_a_key_opens_the_menu_of_the_selection(scanned, qtbot, place):
    if place == "problems":
        scanned.pages.tabs.setCurrentWidget(scanned.pages.problems)
    widget = {
        "table": scanned.pages.pairs.table,
        "text": scanned.compare_pane.view.panes[0],
        "problems": scanned.pages.problems.tree,
    }[place]
    widget.setFocus()

    press(Qt.Key.Key_F10, KEYS.ShiftModifier)

    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert len(menu.actions()) > 1
    menu.close()


@pytest.mark.parametrize("name", SORTED_BY)
def test_every_column_has_a_key_and_an_entry_that_sort_by_it(scanned, name):
    header = scanned.pages.pairs.table.horizontalHeader()
    entry, column = name.value, SORTED_BY[name]
    assert entry.menu is Menu.SORT
    digit = Qt.Key(ord(entry.keys[0][-1]))
    keys = KEYS.ControlModifier
    if "Shift" in entry.keys[0]:
        keys |= KEYS.ShiftModifier
    if column is Column.RANK:
        press(Qt.Key.Key_2, KEYS.ControlModifier)

    press(digit, keys)

    first = header.sortIndicatorOrder()
    assert header.sortIndicatorSection() == column
    assert (first == Qt.SortOrder.DescendingOrder) == column.words.largest_first

    press(digit, keys)

    assert header.sortIndicatorSection() == column
    assert header.sortIndicatorOrder() != first


def test_every_column_can_be_sorted_by():
    assert set(SORTED_BY.values()) == set(Column)


def test_the_sorting_is_a_menu_of_the_view_menu(scanned):
    view = next(
        action.menu() for action in scanned.menuBar().actions() if action.text() == Menu.VIEW
    )
    submenus = [action.text() for action in view.actions() if action.menu() is not None]

    assert Menu.SORT in submenus


def test_another_folder_is_ordered_by_rank_again(scanned, tmp_path, qtbot):
    scanned.pages.pairs.table.sort_by(Column.SHARED)
    other = tmp_path / "other"
    other.mkdir()

    with qtbot.waitSignal(scanned.presenter.ended):
        scanned.presenter.open_folders([other])

    assert scanned.presenter.pairs.order_in_words == ""
    assert scanned.pages.pairs.table.horizontalHeader().sortIndicatorSection() == Column.RANK


def test_a_rescan_keeps_the_order(scanned, qtbot):
    scanned.pages.pairs.table.sort_by(Column.SHARED)

    with qtbot.waitSignal(scanned.presenter.ended):
        scanned.presenter.rescan()

    assert scanned.presenter.pairs.order_in_words == "Shared, descending"


def test_the_window_shows_whether_the_texts_scroll_together(scanned):
    sign = scanned.status_line._scrolling
    assert sign.isVisible()
    assert sign.text() == "Texts scroll together"

    press(Qt.Key.Key_S)

    assert sign.text() == "Texts scroll apart"
    assert not scanned._actions[Action.SCROLL_TOGETHER].isChecked()

    sign.click()

    assert sign.text() == "Texts scroll together"
    assert scanned._actions[Action.SCROLL_TOGETHER].isChecked()


def test_the_sign_is_there_with_a_pair_only(window):
    assert window.status_line._scrolling.isHidden()


def names_in_header(window):
    return tuple(
        document.name.text() for document in window.compare_pane.view.header._names._documents
    )


def shares_in_header(window):
    return [fact.text().split("<b>")[1].removesuffix("</b>") for fact in facts_of(window)]


def facts_of(window):
    return window.compare_pane.view.header._facts[1:3]


def test_row_and_header_agree_after_a_swap(scanned, qtbot):
    table = scanned.pages.pairs.table
    row = table.currentIndex().row()
    before = texts_of_row(scanned, row)

    press(Qt.Key.Key_X)

    after = texts_of_row(scanned, row)
    assert after[Column.DOCUMENT_A] == before[Column.DOCUMENT_B]
    assert after[Column.DOCUMENT_B] == before[Column.DOCUMENT_A]
    assert (
        after[Column.CONTAINMENT_A] == before[Column.CONTAINMENT_B] != before[Column.CONTAINMENT_A]
    )
    assert names_in_header(scanned) == (after[Column.DOCUMENT_A], after[Column.DOCUMENT_B])
    assert shares_in_header(scanned) == [after[Column.CONTAINMENT_A], after[Column.CONTAINMENT_B]]
    assert table.currentIndex().row() == row


def test_a_swapped_pair_stays_so_until_it_is_swapped_back(scanned, qtbot):
    table = scanned.pages.pairs.table
    press(Qt.Key.Key_X)
    for _ in range(2):
        with qtbot.waitSignal(scanned.presenter.pair.compared):
            table.select_row(1 - table.currentIndex().row())
    assert names_in_header(scanned) == tuple(texts_of_row(scanned, table.currentIndex().row())[1:3])
    assert names_in_header(scanned)[0] > names_in_header(scanned)[1]

    with qtbot.waitSignal(scanned.presenter.ended):
        scanned.presenter.rescan()
    qtbot.waitUntil(lambda: not scanned.presenter.state.is_busy)
    row = table.currentIndex().row()
    assert texts_of_row(scanned, row)[1] > texts_of_row(scanned, row)[2]

    press(Qt.Key.Key_X)

    # While the pair is still read anew, it comes exchanged.
    qtbot.waitUntil(lambda: names_in_header(scanned)[0] < names_in_header(scanned)[1])
    assert texts_of_row(scanned, row)[1] < texts_of_row(scanned, row)[2]
