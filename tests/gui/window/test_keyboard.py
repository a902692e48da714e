"""The window without a mouse, and what its keys show for themselves."""

import re
from collections import Counter
from gettext import GNUTranslations
from io import BytesIO

import pytest
from babel.messages.mofile import write_mo
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDockWidget,
    QLabel,
    QMainWindow,
    QMenu,
    QScrollBar,
)

from core.base.messages import Language
from neardup_gui.models.pairs.columns import Column
from neardup_gui.models.window_state import WindowState
from neardup_gui.models.words.sentences import Message, without_mnemonic
from neardup_gui.views.report.window import ReportForm
from neardup_gui.views.setup.panel import FolderButton
from neardup_gui.views.shell.message_bar import has_focus
from neardup_gui.views.widgets.controls import NumberBox
from neardup_gui.views.widgets.labels import LinkLabel
from neardup_gui.window.actions import Action, Menu
from neardup_gui.window.menus import Actions, Menus
from tests.gui.everywhere.walking import quiet, scan
from tests.made_up_language import spoken, words
from tests.texts import folder_with

ENTRIES = [action.value for action in Action]
LETTER = re.compile(r"&(\w)")  # that is marked

# The keys UX.md promises, as far as the thing they do exists.
PROMISED = {
    "Ctrl+O", "F5", "Ctrl+E", "Ctrl+S", "Ctrl+Shift+S", "Ctrl+Shift+O",
    "Ctrl+Q", "Return", "Esc", "Alt+Down", "Alt+Up", "F8", "F7",
    "Ctrl+F8", "Ctrl+F7", "F6", "X", "S", "Ctrl+F", "F3", "F1", "?", "Ctrl++", "Ctrl+-", "Ctrl+0",
    "Shift+F10", *(f"Ctrl+{digit}" for digit in range(1, 10)),
}  # fmt: skip


@pytest.fixture
def actions(qapp):
    return Actions()


def test_every_action_is_in_exactly_one_menu(actions):
    listed = [action for menu in Menu for action, _ in actions.of_menu(menu)]

    assert Counter(map(id, listed)) == Counter(id(actions[name]) for name in Action)


def test_no_key_means_two_things():
    keys = [QKeySequence(key).toString() for entry in ENTRIES for key in entry.keys]

    assert [key for key, times in Counter(keys).items() if times > 1] == []
    assert "" not in keys
    assert {key for entry in ENTRIES for key in entry.keys} >= PROMISED


def in_language(path):
    """A language by its catalogue; English without one."""
    if path is None:
        return Language()
    compiled = BytesIO()
    write_mo(compiled, words().read(path))
    compiled.seek(0)
    return Language(path.parents[1].name, GNUTranslations(compiled))


@pytest.mark.parametrize(
    ("text", "shown"), [("&Open…", "Open…"), ("開く(&O)…", "開く…"), ("(a) &b", "(a) b")]
)
def test_a_button_shows_no_letter_of_a_menu(text, shown):
    assert without_mnemonic(text) == shown


@pytest.mark.parametrize(
    "path", [None, *words().catalogues()], ids=lambda path: path.parents[1].name if path else "en"
)
def test_no_letter_of_a_menu_or_a_window_is_marked_twice(qtbot, path):
    window, dock = QMainWindow(), QDockWidget()
    with spoken(in_language(path)):
        form = ReportForm()
        Menus(window, Actions(window), [dock])
    for widget in (window, dock, form):
        qtbot.addWidget(widget)
    menus = [window.menuBar(), *window.findChildren(QMenu)]
    texts = [[action.text() for action in menu.actions()] for menu in menus]
    parts = [*form.findChildren(QLabel), *form.findChildren(QAbstractButton)]
    texts.append([part.text() for part in parts])

    assert len(menus) > 8
    for together in texts:
        letters = Counter(letter.lower() for text in together for letter in LETTER.findall(text))
        twice = {letter for letter, times in letters.items() if times > 1}
        assert [text for text in together if twice & set(LETTER.findall(text.lower()))] == []


def test_nothing_can_be_done_without_a_folder(actions):
    actions.enable(WindowState())

    enabled = {name for name in Action if actions[name].isEnabled()}
    assert {
        Action.OPEN_FOLDER,
        Action.OPEN_REVIEW,
        Action.OPEN_SAMPLE,
        Action.CHECK_REPORT,
        Action.QUIT,
        Action.ALL_KEYS,
    } <= enabled
    assert not enabled & {
        Action.RESCAN, Action.CANCEL, Action.EXPORT, Action.NEXT_PAIR, Action.SWAP_SIDES,
        Action.SAVE_REVIEW, Action.SAVE_REVIEW_AS, Action.EXPORT_CURVE,
    }  # fmt: skip


def test_a_review_without_pairs_can_be_saved_but_none_that_is_incomplete(actions):
    actions.enable(WindowState(has_folder=True, is_complete=True))
    assert actions[Action.SAVE_REVIEW].isEnabled()

    actions.enable(WindowState(has_folder=True, has_pairs=True))
    assert not actions[Action.SAVE_REVIEW].isEnabled()
    actions.enable(WindowState(has_folder=True, is_complete=True, is_scanning=True))
    assert not actions[Action.SAVE_REVIEW].isEnabled()
    actions.enable(WindowState(has_folder=True, is_scanning=True, is_busy=True))
    assert actions[Action.CANCEL].isEnabled()
    assert not actions[Action.RESCAN].isEnabled()


def turn_wheel(widget):
    middle = QPointF(widget.rect().center())
    event = QWheelEvent(
        middle, widget.mapToGlobal(middle), QPoint(), QPoint(0, -120),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def fields_of(window):
    fields = [
        field
        for kind in (QAbstractSpinBox, QComboBox, QAbstractSlider)
        for field in window.findChildren(kind)
        if not isinstance(field, QScrollBar)
    ]
    assert len(fields) > 20
    return fields


def value_of(field):
    return field.currentIndex() if isinstance(field, QComboBox) else field.value()


@pytest.fixture
def opened(window):
    """The window with every field of its panels in sight."""
    window._side_dock.show()
    window.side_panels.setup._edit.click()
    window.side_panels.reading.edit()
    window.setFocus()
    return window


def test_the_wheel_steps_a_field_that_has_the_focus_and_gives_it_to_none(opened, qtbot):
    for field in fields_of(opened):
        before = value_of(field)

        turn_wheel(field)

        assert value_of(field) == before, field.accessibleName()
        assert not field.hasFocus()
        assert field.focusPolicy() != Qt.FocusPolicy.WheelFocus, field.accessibleName()

    opened.activateWindow()
    qtbot.waitUntil(opened.isActiveWindow)
    threshold = opened.side_panels.threshold
    for field in (threshold._bands.box, threshold._bands.slider):
        field.setFocus()
        before = field.value()

        turn_wheel(field)

        assert field.value() != before


def test_the_wheel_over_a_field_scrolls_its_panel(opened, qtbot):
    opened.side_panels.set_detailed(True)
    panel = opened.side_panels.content
    bar = panel.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    for field, turn in (
        (opened.side_panels.threshold._bands.slider, -120),
        (opened.side_panels.threshold._bands.box, -120),
        (opened.side_panels.threshold._wishes.findChildren(NumberBox)[0], 120),
    ):
        panel.ensureWidgetVisible(field)
        before = bar.value()
        centre = field.mapTo(opened, field.rect().center())

        QTest.wheelEvent(opened.windowHandle(), centre, QPoint(0, turn))

        assert bar.value() != before, field.accessibleName()


def test_what_a_field_refuses_is_reported_until_a_number_is_entered(opened):
    box = opened.side_panels.threshold._threshold.box
    box.selectAll()
    QTest.keyClicks(box, "0,x")
    QTest.keyClick(box, Qt.Key.Key_Return)

    assert box.value() == 0.1
    assert opened.message_bar.isVisible()
    assert opened.message_bar.accessibleName() == "“0,x” is not a number. “Listed from” stays 0.10."

    box.selectAll()
    QTest.keyClicks(box, "0,25")
    QTest.keyClick(box, Qt.Key.Key_Return)

    assert box.value() == 0.25
    assert opened.message_bar.isHidden()


def test_settings_are_there_again_at_the_next_start(make_window, store, qtbot):
    first = make_window()
    first.side_panels.setup._form.controls["k"].setValue(7)
    first.side_panels.threshold._rows.slider.setValue(4)
    first.side_panels.threshold._threshold.box.setValue(0.25)
    qtbot.waitUntil(lambda: first.presenter.current.settings.min_resemblance == 0.25)
    first.close()
    store.sync()

    second = make_window()

    assert second.presenter.current.settings.k == 7
    assert second.side_panels.setup.settings == second.presenter.current.settings
    state = second.side_panels.model.state
    assert (state.bands, state.rows, state.min_resemblance) == (32, 4, 0.25)


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
PARAGRAPH = "None of this was ever written down by anybody who had been there when it happened. "


@pytest.fixture
def folder(tmp_path):
    texts = {
        "abbot.txt": HARBOUR,
        "baker.txt": HARBOUR + PARAGRAPH,
        "miller.txt": BRIDGE,
        "weaver.txt": BRIDGE + PARAGRAPH * 2,
        "empty.txt": "",
    }
    return folder_with(tmp_path / "letters", texts)


@pytest.fixture
def scanned(window, folder, qtbot):
    scan(window, folder, qtbot)
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
    name = "weaver" if "weaver.txt" not in hidden.names else "abbot"
    QTest.keyClicks(scanned.search_field, name)
    assert scanned.presenter.pairs.row_of(hidden) is None

    qtbot.until(scanned.presenter.pair.compared, press, Qt.Key.Key_Down)

    assert table.hasFocus()
    assert [index.row() for index in table.selectionModel().selectedRows()] == [0]
    assert f"{name}.txt" in table.selected_key.names


def test_tab_goes_as_the_eye_does(scanned):
    scanned.pages.pairs.filter_row._more.click()
    scanned.search_field.setFocus()
    met = []
    for _ in range(60):
        press(Qt.Key.Key_Tab)
        met.append(QApplication.focusWidget().accessibleName())
        if QApplication.focusWidget() is scanned.search_field:
            break

    in_order = [
        "Kind of documents",
        scanned.side_panels.setup.folders.findChildren(FolderButton)[0].accessibleName(),
        "Bands b",
        "Lists",
        *(box.accessibleName() for box in scanned.pages.pairs.filter_row.findChildren(NumberBox)),
        "Pairs of documents",
        scanned.compare_pane.view.header.chips.accessibleName(),
        scanned.compare_pane.view.panes[0].accessibleName(),
        scanned.compare_pane.view.panes[1].accessibleName(),
    ]
    assert [name for name in met if name in in_order] == in_order


def test_f6_goes_round_the_panes(scanned):
    table, text = scanned.pages.pairs.table, scanned.compare_pane.view.panes[0]
    table.setFocus()

    scanned._actions[Action.NEXT_PANE].trigger()
    assert text.hasFocus()
    panes = []
    for _ in range(2):
        scanned._actions[Action.NEXT_PANE].trigger()
        panes.append(QApplication.focusWidget())
    assert scanned.side_panels.content.isAncestorOf(panes[0])
    assert table.hasFocus()


def test_the_keyboard_stays_in_the_page_beside_a_message(scanned):
    """A page that is made when it comes to the front, and a message that goes, lose the focus."""
    table = scanned.pages.pairs.table
    table.setFocus()
    scanned.message_bar.show_message(Message("Read."))

    scanned.pages.tabs.setCurrentIndex(scanned.pages.tabs.count() - 1)

    assert has_focus(scanned.pages.curve)
    scanned.pages.tabs.setCurrentWidget(scanned.pages.pairs)
    assert table.hasFocus()
    dismiss = scanned.message_bar.findChildren(LinkLabel)[-1]
    dismiss.setFocus()
    QTest.keyClick(dismiss, Qt.Key.Key_Return)
    assert not scanned.message_bar.isVisible()
    assert table.hasFocus()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)  # of popups, off screen
def test_a_key_opens_the_menu_of_the_selection(scanned, qtbot):
    pages = scanned.pages
    for page, widget in (
        (pages.pairs, pages.pairs.table),
        (pages.pairs, scanned.compare_pane.view.panes[0]),
        (pages.problems, pages.problems.table),
    ):
        pages.tabs.setCurrentWidget(page)
        widget.setFocus()

        press(Qt.Key.Key_F10, KEYS.ShiftModifier)

        qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        assert len(menu.actions()) > 1
        menu.close()


def test_every_column_has_an_entry_and_most_a_key_that_sort_by_it(scanned):
    view = next(
        action.menu() for action in scanned.menuBar().actions() if action.text() == Menu.VIEW
    )
    assert Menu.SORT in [action.text() for action in view.actions() if action.menu() is not None]
    header = scanned.pages.pairs.table.horizontalHeader()
    assert set(SORTED_BY.values()) == set(Column)
    for name, column in SORTED_BY.items():
        entry = name.value
        assert entry.menu is Menu.SORT
        if not entry.keys:
            continue
        keys = KEYS.ControlModifier
        if "Shift" in entry.keys[0]:
            keys |= KEYS.ShiftModifier
        if header.sortIndicatorSection() == column:
            press(Qt.Key.Key_2, KEYS.ControlModifier)
            assert header.sortIndicatorSection() != column

        press(Qt.Key(ord(entry.keys[0][-1])), keys)

        first = header.sortIndicatorOrder()
        assert header.sortIndicatorSection() == column
        assert (first == Qt.SortOrder.DescendingOrder) == column.words.largest_first

        press(Qt.Key(ord(entry.keys[0][-1])), keys)

        assert header.sortIndicatorSection() == column
        assert header.sortIndicatorOrder() != first


def test_a_rescan_keeps_the_order_and_another_folder_has_that_of_ranks(scanned, tmp_path, qtbot):
    scanned.pages.pairs.table.sort_by(Column.SHARED_SHINGLES)
    qtbot.until(scanned.presenter.ended, scanned.presenter.rescan)
    assert scanned.presenter.pairs.order_in_words == "Shared, descending"
    second_folder = folder_with(tmp_path / "other")

    qtbot.until(scanned.presenter.ended, scanned.presenter.open_folders, [second_folder])

    assert scanned.presenter.pairs.order_in_words == ""
    assert scanned.pages.pairs.table.horizontalHeader().sortIndicatorSection() == Column.RANK


def test_the_window_shows_that_the_texts_scroll_separately(scanned):
    sign = scanned.status_line.scrolling
    assert not sign.isVisible()

    press(Qt.Key.Key_S)

    assert sign.isVisible()
    assert sign.text() == "Texts scroll separately"
    assert not scanned._actions[Action.SCROLL_TOGETHER].isChecked()

    sign.click()

    assert not sign.isVisible()
    assert scanned._actions[Action.SCROLL_TOGETHER].isChecked()


def test_the_sign_is_there_with_a_pair_only(window):
    assert window.status_line.scrolling.isHidden()


def names_in_header(window):
    return tuple(
        document.name.text() for document in window.compare_pane.view.header._names._documents
    )


def shares_in_header(window):
    labels = window.compare_pane.view.header.why_panel.numbers.labels
    return [label.text().split()[-1] for label in labels[2:4]]


def test_row_and_header_agree_after_a_swap_that_stays_until_the_next(scanned, qtbot):
    table = scanned.pages.pairs.table
    row = table.currentIndex().row()
    before = texts_of_row(scanned, row)

    press(Qt.Key.Key_X)

    after = texts_of_row(scanned, row)
    assert after[Column.DOCUMENT_A] == before[Column.DOCUMENT_B]
    assert after[Column.DOCUMENT_B] == before[Column.DOCUMENT_A]
    assert after[Column.OVERLAP_A] == before[Column.OVERLAP_B] != before[Column.OVERLAP_A]
    assert names_in_header(scanned) == (after[Column.DOCUMENT_A], after[Column.DOCUMENT_B])
    assert shares_in_header(scanned) == [after[Column.OVERLAP_A], after[Column.OVERLAP_B]]
    assert table.currentIndex().row() == row

    for _ in range(2):
        with qtbot.waitSignal(scanned.presenter.pair.compared):
            table.select_row(1 - table.currentIndex().row())
    assert names_in_header(scanned) == tuple(texts_of_row(scanned, table.currentIndex().row())[1:3])
    assert names_in_header(scanned)[0] > names_in_header(scanned)[1]

    qtbot.until(scanned.presenter.ended, scanned.presenter.rescan)
    quiet(scanned, qtbot)
    row = table.currentIndex().row()
    assert texts_of_row(scanned, row)[1] > texts_of_row(scanned, row)[2]

    press(Qt.Key.Key_X)

    # While the pair is still read anew, it comes exchanged.
    qtbot.waitUntil(lambda: names_in_header(scanned)[0] < names_in_header(scanned)[1])
    assert texts_of_row(scanned, row)[1] < texts_of_row(scanned, row)[2]
