"""Nothing lies over anything else, whatever the size of the text and of the window."""

import itertools
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QLabel,
    QScrollBar,
    QTabBar,
    QToolBar,
    QWidget,
)

from core.base.messages import Language
from core.base.progress_lines import ProgressLine
from core.evidence.pairs import PairFigures
from core.evidence.passage import Run
from core.evidence.passages import Passage
from core.scan.changed_files import LostFolder
from neardup_gui.models.compare.comparison import ComparisonNumbers, compare
from neardup_gui.models.window_state import SavedState
from neardup_gui.models.words.sentences import Message, question
from neardup_gui.views.compare.drawer import Drawer
from neardup_gui.views.compare.text_pane import LEAST_LINES
from neardup_gui.views.shell.start_page import ElidedLabel
from neardup_gui.views.widgets.buttons import FilterChip, PushButton, ToolButton
from neardup_gui.views.widgets.containers import CloseButton, VerticalButton, VerticalScrollArea
from neardup_gui.views.widgets.controls import CheckBox, NumberBox
from neardup_gui.views.widgets.labels import LinkLabel, ScaledLabel
from neardup_gui.window.actions import Action
from neardup_gui.window.layout import TEXT_SHARE
from tests.gui.everywhere.walking import scan
from tests.made_up_language import LONG, MIRRORED, spoken
from tests.texts import folder_with

ENGLISH = Language()

DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
WORDS = ("harbour", "winter", "ledger", "copper", "stone", "evening", "bridge", "engine", "widow")


def prose(start, number):
    """Words without repetition, other ones for every start."""
    return " ".join(f"{WORDS[(start + n) % len(WORDS)]}{start + n}" for n in range(number))


@pytest.fixture
def folder(tmp_path):
    """Two documents with long names and many passages, reordered, and an unrelated one."""
    parts = [prose(1000 * n, 40) for n in range(24)]
    name = "an essay whose name is much longer than the table is wide, in its second version"
    texts = {
        f"{name} (one).txt": "\n\n".join(parts),
        f"{name} (two).txt": "\n\n".join(parts[::-1]),
        "another.txt": prose(90_000, 40),
    }
    return folder_with(tmp_path / "a folder of two documents", texts)


@pytest.fixture
def scanned(window, folder, qtbot):
    return scan(window, folder, qtbot)


def settle(qtbot, window, *size):
    """Give the window another size, and wait until what follows it or that of the text has."""
    if size:
        window.resize(*size)
    qtbot.waitUntil(lambda: not window.arrangement._settled.isActive())
    for _ in range(5):
        qtbot.wait(1)


def fits_by_itself(widget):
    """What Qt or we lay over others on purpose, or scroll."""
    return isinstance(widget, CloseButton | Drawer | QScrollBar | QTabBar) or (
        widget.objectName().startswith(("qt_", "empty"))
    )


def children_of(widget):
    children = widget.findChildren(QWidget, options=DIRECT)
    return [child for child in children if child.isVisible() and not fits_by_itself(child)]


def overlaps(window):
    """Visible siblings of which one lies over another."""
    for parent in (window, *window.findChildren(QWidget)):
        if not parent.isVisible() or isinstance(parent, QAbstractScrollArea):
            continue
        for first, second in itertools.combinations(children_of(parent), 2):
            common = first.geometry() & second.geometry()
            if common.width() > 1 and common.height() > 1:
                yield f"{first} {first.geometry()} and {second} {second.geometry()}"


def cut_labels(window):
    """Labels with more lines than room."""
    for label in window.findChildren(QLabel):
        if not label.isVisible() or not label.text() or type(label) not in (QLabel, ScaledLabel):
            continue
        wraps = label.wordWrap()
        needed = label.heightForWidth(label.width()) if wraps else label.sizeHint().height()
        if label.height() < needed:
            yield f"“{label.text()}”: {label.height()} of {needed}"


def cut_buttons(window):
    """Buttons and links whose words have too little room."""
    for button in window.findChildren(QAbstractButton):
        is_sized_by_words = isinstance(
            button, LinkLabel | PushButton | ToolButton | FilterChip | CheckBox
        )
        if is_sized_by_words and button.isVisible() and button.width() < button.sizeHint().width():
            yield f"“{button.text()}”: {button.width()} of {button.sizeHint().width()}"


def cut_columns(window):
    """What scrolls up and down only, and is wider than its room."""
    for area in window.findChildren(VerticalScrollArea):
        needed, room = area.widget().minimumSizeHint().width(), area.viewport().width()
        if area.isVisible() and needed > room:
            yield f"{area.widget()}: {room} of {needed}"


def cut_numbers(window):
    """Numbers that are wider than their fields."""
    for box in window.findChildren(NumberBox):
        text = box.fontMetrics().horizontalAdvance(box.text())
        if box.isVisible() and box.lineEdit().width() < text:
            yield f"“{box.text()}”: {box.lineEdit().width()} of {text}"


def outside(window):
    """Widgets of the compare view that hang out of it."""
    view = window.compare_pane.view
    room = QRect(QPoint(), view.size())
    for part in (view.header, *view.panes):
        rect = QRect(part.mapTo(view, QPoint()), part.size())
        if not room.contains(rect):
            yield f"{part} {rect} in {room}"


def too_few_lines(window):
    """Texts and tables of which nothing can be read."""
    for pane in window.compare_pane.view.panes:
        if pane.viewport().height() < LEAST_LINES * pane._layout.column.pitch:
            yield f"{pane.viewport().height()} of {LEAST_LINES} lines"
    table = window.pages.pairs.table
    if table.viewport().height() < table.verticalHeader().defaultSectionSize():
        yield f"no row in {table.viewport().height()}"


DEFECTS = (overlaps, cut_labels, cut_buttons, cut_columns, cut_numbers, outside, too_few_lines)


@pytest.mark.parametrize(
    ("language", "steps"), [(ENGLISH, (0, 5, 5)), (LONG, (0, 5)), (MIRRORED, (0,))]
)
def test_all_can_be_read_and_nothing_overlaps(make_window, folder, qtbot, language, steps):
    """In each language, the text enlarged step by step."""
    with spoken(language):
        window = scan(make_window(), folder, qtbot)
        window.compare_pane.view.header.toggle_why()
        for step in steps:
            for _ in range(step):
                window.appearance.enlarge_text()
            for size in ((800, 480), (1280, 800), (1440, 900), (1560, 930), (1920, 1080)):
                settle(qtbot, window, *size)
                for defects in DEFECTS:
                    wait_until_without(qtbot, window, defects, size)


def wait_until_without(qtbot, window, defects, size):
    """Words that come from a thread while we look are laid out with the next events."""

    def none_left():
        assert list(defects(window)) == [], (size, defects.__name__)

    qtbot.waitUntil(none_left)


@pytest.mark.parametrize("language", [ENGLISH, LONG])
def test_reading_fits_a_small_screen(make_window, folder, qtbot, language):
    with spoken(language):
        window = scan(make_window(), folder, qtbot)
        window._actions[Action.READING].setChecked(True)
        settle(qtbot, window, 800, 500)

        assert window.width() == 800
        assert [*overlaps(window), *cut_buttons(window), *cut_columns(window)] == []


def test_panel_gives_its_room_to_the_texts_while_the_window_is_narrow(scanned, qtbot):
    panel, strip = scanned._side_dock, scanned.findChild(QToolBar, "settings folded")
    assert panel.isVisible()
    assert not strip.isVisible()

    settle(qtbot, scanned, 800, 600)
    assert not panel.isVisible()
    assert strip.isVisible()
    assert scanned.width() == 800

    scanned.resize(1280, 800)
    assert panel.isVisible()

    scanned.resize(800, 600)
    qtbot.mouseClick(strip.findChild(VerticalButton), Qt.MouseButton.LeftButton)
    assert panel.isVisible()
    assert not strip.isVisible()

    panel.close()
    scanned.resize(1280, 800)
    assert not panel.isVisible()
    assert strip.isVisible()


def lines_of(pane):
    """The lines of the first blocks: where they break, in which column."""
    block, lines_of_blocks = pane.document().firstBlock(), []
    for _ in range(6):
        layout = block.layout()
        lines = [layout.lineAt(n) for n in range(layout.lineCount())]
        lines_of_blocks.append([(line.textStart(), line.x(), round(line.y())) for line in lines])
        block = block.next()
    return lines_of_blocks


def test_normal_text_is_as_it_was_before_it_was_larger(scanned, qtbot):
    settle(qtbot, scanned, 1560, 930)
    panes = scanned.compare_pane.view.panes
    side, width = scanned._side_dock, scanned._side_dock.width()
    before = [(lines_of(pane), pane.document().documentMargin()) for pane in panes]
    badges = panes[0]._marks.highlights.badge_font.pointSizeF()

    for _ in range(10):
        scanned.appearance.enlarge_text()
    settle(qtbot, scanned)
    larger = [lines_of(pane) for pane in panes]
    for pane in panes:  # no line is wider than what is painted of it
        painted = pane.viewport().width() - pane.document().documentMargin()
        assert pane._layout.column.left + pane._layout.column.width <= painted
    scanned.appearance.reset_text()
    settle(qtbot, scanned)
    qtbot.waitUntil(lambda: side.width() == width)
    settle(qtbot, scanned)

    assert larger != [lines for lines, _ in before]
    both = []  # what is out of sight may not be laid out yet
    for pane, (lines, margin) in zip(panes, before, strict=True):
        assert pane.document().documentMargin() == margin
        both += [pair for pair in zip(lines, lines_of(pane), strict=True) if all(pair)]
    assert len(both) > 3
    assert all(was == now for was, now in both)
    assert panes[0]._marks.highlights.badge_font.pointSizeF() == badges


def test_words_at_the_bottom_do_not_widen_a_narrow_window(scanned, qtbot):
    for _ in range(2):  # the panel goes with the first
        settle(qtbot, scanned, 760, 475)
    line = ProgressLine("Comparing documents", 0.5, "123,456 of 234,567 pairs", "9 s left")
    scanned.status_line.show_progress(line)
    scanned.status_line.saved.show_state(SavedState("saved · a review of a very long name.neardup"))
    settle(qtbot, scanned)

    assert scanned.width() == 760


def test_new_height_is_shared_by_table_and_texts(scanned, qtbot):
    for size in ((1024, 640), (1366, 768), (1600, 1000)):
        settle(qtbot, scanned, *size)
        assert scanned.compare_pane.view.panes[0].height() >= TEXT_SHARE * size[1], size
    settle(qtbot, scanned, 1280, 800)
    view, table = scanned.compare_pane, scanned.centralWidget()
    share = view.height() / (view.height() + table.height())

    for height in (*range(800, 1060, 10), 1060):
        settle(qtbot, scanned, 1280, height)

    assert view.height() / (view.height() + table.height()) == pytest.approx(share, abs=0.09)

    settle(qtbot, scanned, 1280, 800)

    assert view.height() / (view.height() + table.height()) == pytest.approx(share, abs=0.03)


def test_a_lower_window_than_the_last_one_keeps_the_share_of_the_texts(make_window, folder, qtbot):
    shares = []
    for height in (1400, 900):
        window = make_window()
        window.resize(1280, height)
        scan(window, folder, qtbot)
        settle(qtbot, window)
        texts = window._compare_dock.height()
        shares.append(texts / (texts + window.centralWidget().height()))
        window.close()

    assert shares[1] == pytest.approx(shares[0], abs=0.09)


def test_a_line_that_the_user_moved_stays_in_its_place(scanned, make_window, folder, qtbot):
    settle(qtbot, scanned, 1280, 800)
    view, table = scanned._compare_dock, scanned.centralWidget()
    line, handle = QPoint(view.geometry().center().x(), view.y() - 2), scanned.windowHandle()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=line)
    for down in (50, 150):
        QTest.mouseMove(handle, line + QPoint(0, down))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=line + QPoint(0, 150))
    settle(qtbot, scanned)
    assert view.y() > line.y() + 100
    share = view.height() / (view.height() + table.height())

    settle(qtbot, scanned, 1280, 1060)

    assert view.height() / (view.height() + table.height()) == pytest.approx(share, abs=0.03)

    scanned.close()
    window = make_window()
    scan(window, folder, qtbot)
    for height in (1060, 1000):
        settle(qtbot, window, 1280, height)
        texts = window._compare_dock.height()
        restored = texts / (texts + window.centralWidget().height())
        assert restored == pytest.approx(share, abs=0.03), height


@pytest.fixture
def crowded(window, tmp_path, qtbot):
    """Seven documents with the same text: twenty-one pairs."""
    texts = {f"{number}.txt": prose(0, 60 + number) for number in range(7)}
    return scan(window, folder_with(tmp_path / "copies", texts), qtbot)


def shows_current_row(table):
    row = table.visualRect(table.currentIndex())
    return table.viewport().rect().contains(row.center())


def test_the_current_row_stays_visible(crowded, qtbot):
    table = crowded.pages.pairs.table
    settle(qtbot, crowded, 1440, 1000)
    last = table.rowAt(table.viewport().height() - table.rowHeight(0))
    table.select_row(last)

    for _ in range(4):
        crowded.appearance.enlarge_text()
    settle(qtbot, crowded)
    assert shows_current_row(table)
    crowded.side_panels.setup._form.controls["k"].setValue(7)  # brings the line that says so
    settle(qtbot, crowded)
    assert shows_current_row(table)
    settle(qtbot, crowded, 1440, 700)
    assert shows_current_row(table)


def test_a_row_that_was_scrolled_away_does_not_come_back_by_itself(crowded, qtbot):
    table = crowded.pages.pairs.table
    table.select_row(0)
    table.verticalScrollBar().setValue(table.verticalScrollBar().maximum())

    settle(qtbot, crowded, 1280, 700)

    assert not shows_current_row(table)


def test_the_bar_of_a_panel_takes_no_room_when_it_appears(scanned, qtbot):
    panel = scanned.side_panels.content
    scanned.side_panels.set_detailed(True)
    settle(qtbot, scanned, 1440, 1500)
    assert panel.verticalScrollBar().maximum() == 0
    before = panel.viewport().width()

    settle(qtbot, scanned, 1440, 700)

    assert panel.verticalScrollBar().maximum() > 0
    assert panel.viewport().width() == before


@pytest.mark.parametrize("step", [0, 10])
def test_the_start_page_cuts_no_words_and_widens_for_no_name(window, qtbot, step):
    settle(qtbot, window)
    inner = window.pages.start._inner
    middle = inner.mapTo(window, inner.rect().center()).x()
    assert abs(middle - window.rect().center().x()) <= 1
    narrow = window.minimumSizeHint().width()
    window.pages.start.set_recent((f"/letters/{'a long name of a folder ' * 12}",))
    settle(qtbot, window)
    assert window.minimumSizeHint().width() < max(2 * narrow, 700)
    for _ in range(step):
        window.appearance.enlarge_text()
    settle(qtbot, window, 1440, 900)

    assert list(overlaps(window)) == []
    assert list(cut_labels(window)) == []
    for button in window.pages.start.findChildren(PushButton):
        assert button.width() >= button.sizeHint().width()
    for label in window.pages.start.findChildren(QLabel):
        words = label.fontMetrics().horizontalAdvance(label.text())
        assert label.wordWrap() or isinstance(label, ElidedLabel) or label.width() >= words


def links_outside(window):
    """Links of the message bar that stand outside of the window, or of the bar."""
    bar = window.message_bar
    for link in bar.findChildren(LinkLabel):
        rect = QRect(link.mapTo(bar, QPoint()), link.size())
        if link.isVisible() and not bar.rect().contains(rect):
            yield link.text()


def test_large_text_widens_no_window_for_a_question(scanned, qtbot):
    lost = LostFolder(Path("/letters"), ("a.txt",) * 312, 312, is_new=True)
    scanned.message_bar.show_message(question(lost))
    for _ in range(10):
        scanned.appearance.enlarge_text()
    settle(qtbot, scanned, 1200, 900)

    assert scanned.width() == 1200
    assert list(links_outside(scanned)) == []
    assert list(overlaps(scanned)) == []

    scanned._actions[Action.READING].trigger()
    settle(qtbot, scanned)
    note = scanned.compare_pane.judging_bar.note._field
    assert note.viewport().height() >= note.fontMetrics().lineSpacing()


def test_the_count_stands_at_the_end_of_its_line(scanned, qtbot):
    row = scanned.pages.pairs.filter_row
    scanned._actions[Action.CONFIRM].trigger()  # before the first verdict nothing is counted
    assert row._count.width() >= row._count.sizeHint().width()  # in the very next frame
    row._more.click()
    settle(qtbot, scanned, 1900, 900)
    single_line = row.height()

    count, field = row._count, row._resemblance
    assert count.mapTo(row, count.rect().topRight()).x() > row.width() - 30
    middles = [part.mapTo(row, part.rect().center()).y() for part in (count, field)]
    assert abs(middles[0] - middles[1]) <= 1

    settle(qtbot, scanned, scanned.width() - row.width() + 320, 900)

    assert row.height() > single_line
    assert list(overlaps(row)) == []


def test_the_last_row_stays_visible_when_the_text_grows(window, tmp_path, qtbot):
    texts = {f"{n}.txt": prose(1000, 80) + prose(5000 * n, 9) for n in range(8)}
    scan(window, folder_with(tmp_path / "essays", texts), qtbot)
    table = window.pages.pairs.table
    last = table.model().rowCount() - 1
    table.select_row(last)

    for _ in range(10):
        window.appearance.enlarge_text()
        settle(qtbot, window)

        row = table.visualRect(table.currentIndex())
        assert 0 <= row.top() < row.bottom() <= table.viewport().height()


def test_rows_stay_under_the_mouse_when_a_message_comes_and_goes(scanned, qtbot):
    rows = scanned.pages.pairs.table.viewport()
    scanned.message_bar.dismiss()
    settle(qtbot, scanned)
    before = rows.mapToGlobal(QPoint())

    scanned.message_bar.show_message(Message("A sentence that says something."))
    settle(qtbot, scanned)

    assert scanned.message_bar.isVisible()
    assert rows.mapToGlobal(QPoint()) == before


DESCRIPTION = QAccessible.Text.Description


def interface(widget):
    return QAccessible.queryAccessibleInterface(widget)


def pair_of(words):
    """Two texts that share this many words, or none."""
    text = "one " * max(words, 1)
    runs = (Run(0, len(text), 0, len(text), words),)
    passages = [Passage(0, len(text), 0, len(text), words, runs)] if words else []
    numbers = ComparisonNumbers(figures=PairFigures(0.5, 0.5, 0.5, words, words, words))
    return compare(("a.txt", "b.txt"), (text, text), numbers, passages)


def test_the_chips_belong_to_the_pair_shown(view):
    view.show_comparison(pair_of(41))
    assert "41 words" in interface(view.header.chips).text(DESCRIPTION)

    view.show_comparison(pair_of(77))

    assert "77 words" in interface(view.header.chips).text(DESCRIPTION)
    assert "41" not in interface(view.header.chips).text(DESCRIPTION)

    view.show_comparison(pair_of(0))

    assert view.header.chips.accessibleDescription() == ""
